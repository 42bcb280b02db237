// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Every family of networks has one description, in one file under families/, and one line in the
// table of topology_families.cpp. Keys, checks, lists, references and the builder of a
// configuration's network all use that table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;
struct TopologyConfig;

/// Ports of all routers of a family's network together: tables and links for this many take about 2
/// GB.
inline constexpr std::uint64_t kMaxFamilyPorts = 1U << 24;

struct TopologySize {
    std::uint64_t routers = 0;
    std::size_t dimensions = 0;
    std::uint64_t nodes = 0;
};

/// The topology of a configuration and its errors.
class TopologyFindings {
public:
    explicit TopologyFindings(const WorkloadConfig& config) : config_(config) {}

    const TopologyConfig& topology() const;
    /// Reports an error in the value of the key fabric.topology.`key`, with a remedy.
    void fail(const char* key, std::string what, std::string hint = {});

    bool empty() const { return list_.empty(); }
    std::vector<Diagnostic> take() { return std::move(list_); }

private:
    const WorkloadConfig& config_;
    std::vector<Diagnostic> list_;
};

/// A required integer key of fabric.topology that only one family has; its value is
/// TopologyConfig::parameter().
struct TopologyParameter {
    std::string name;
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    std::string meaning;
};

struct TopologyFamily {
    std::string name;     ///< fabric.topology.kind
    std::string summary;  ///< one line for lists
    /// The keys of topology_keys.h that it reads: those that it requires, and those with a default.
    std::vector<std::string> required_keys = {};
    std::vector<std::string> optional_keys = {};
    std::vector<TopologyParameter> parameters = {};

    /// Checks rules between the values of the keys, all of which are in range.
    void (*check)(TopologyFindings&) = nullptr;
    /// Size of a topology without findings, before it is built; nothing if that takes a file. 0
    /// nodes mean as many as `concentration` says; extra nodes are not counted.
    std::optional<TopologySize> (*size)(const TopologyConfig&) = nullptr;
    /// The network of a topology without findings: a node on each router, or those that its family
    /// has by definition; delays of its links follow from their lengths.
    Graph (*build)(const TopologyConfig&) = nullptr;
    /// In place of `build`: the network of a configuration without findings, delays included.
    Graph (*load)(const WorkloadConfig&) = nullptr;

    std::string example;  ///< keys of a small network, as in "kind: mesh, dims: [4, 6]"

    bool reads(const std::string& key) const;
    /// The key by which a user says how large the network is.
    std::string size_key() const;
};

/// All families, in the order in which users see them.
const std::vector<TopologyFamily>& topology_families();
/// The one of that name, or nullptr.
const TopologyFamily* find_topology_family(const std::string& name);

/// Findings on the topology of `config`, whose keys have been read without findings: an unknown
/// kind, too many nodes or ports, windows that do not fit their dimensions.
std::vector<Diagnostic> topology_findings(const WorkloadConfig& config);

/// Routers, dimensions and all nodes of a topology without findings; nothing for a custom graph,
/// which is not read for this.
std::optional<TopologySize> topology_size(const TopologyConfig& topology);

/// Throws ConfigError with topology_findings(), for configurations that were made by programs.
void require_topology(const WorkloadConfig& config);

}  // namespace flitscope
