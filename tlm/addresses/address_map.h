// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The target of the interconnect at an address. Needs no simulator, so that a configuration can be
// checked without one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/config/interconnect_config.h"

namespace flitscope {

class Graph;
struct Config;

/// Addresses `first` to `last`, both included: the last address of all has no successor.
struct AddressRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;

    bool holds(std::uint64_t address) const { return address >= first && address <= last; }
};

class AddressMap {
public:
    /// `targets` are those of a configuration that loaded: they do not overlap.
    explicit AddressMap(const std::vector<InterconnectTarget>& targets);

    /// The target, as an index into `targets`, whose range holds all of the `length` bytes from
    /// `address` on (`length` 0 counts as 1); empty if there is no such target.
    std::optional<std::size_t> find(std::uint64_t address, std::uint64_t length) const;
    /// The addresses of a target.
    AddressRange range(std::size_t target) const { return ranges_[target]; }
    /// The largest range around `address` in which no target answers; `address` is in none.
    AddressRange gap(std::uint64_t address) const;

private:
    /// The first target in by_base_ that begins above `address`.
    std::vector<std::size_t>::const_iterator above(std::uint64_t address) const;

    std::vector<AddressRange> ranges_;
    std::vector<std::size_t> by_base_;  // targets in order of addresses
};

/// Findings on `config.interconnect` (which must be set) in a network of `nodes` nodes, 0 if
/// unknown: nodes that do not exist, ranges that overlap or leave the address space. Each
/// overlapping range is named at least once, with another one of them. At most 20 findings, and one
/// that counts the others.
std::vector<Diagnostic> interconnect_findings(const Config& config, std::uint64_t nodes);

/// Throws ConfigError with these findings, or when there is no interconnect in the configuration.
void require_interconnect(const Config& config, NodeId nodes);

/// The same, and throws ConfigError for nodes that have failed, and for accesses within a router
/// that every message must leave, as with port models other than `single`.
void require_interconnect(const Config& config, const Graph& graph);

/// The address map for people, one line per target in order of addresses:
/// "0x0000000000000000 to 0x000000000000ffff  target 0 at node 5".
std::vector<std::string> describe_address_map(const InterconnectConfig& config);

}  // namespace flitscope
