// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/addresses/address_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace flitscope {
namespace {

constexpr std::uint64_t kLastAddress = std::numeric_limits<std::uint64_t>::max();

bool leaves_address_space(const InterconnectTarget& target) {
    return target.size - 1 > kLastAddress - target.base;
}

AddressRange range_of(const InterconnectTarget& target) {
    return {target.base, target.base + (target.size - 1)};
}

std::string text_of(const AddressRange& range) {
    return fmt::format("{:#x} to {:#x}", range.first, range.last);
}

}  // namespace

AddressMap::AddressMap(const std::vector<InterconnectTarget>& targets) {
    for (const InterconnectTarget& target : targets) ranges_.push_back(range_of(target));
}

std::optional<std::size_t> AddressMap::find(std::uint64_t address, std::uint64_t length) const {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
        if (!ranges_[i].holds(address)) continue;
        const bool fits = length <= 1 || length - 1 <= ranges_[i].last - address;
        return fits ? std::optional(i) : std::nullopt;
    }
    return std::nullopt;
}

AddressRange AddressMap::gap(std::uint64_t address) const {
    AddressRange gap{0, kLastAddress};
    for (const AddressRange& range : ranges_) {
        if (range.last < address) gap.first = std::max(gap.first, range.last + 1);
        if (range.first > address) gap.last = std::min(gap.last, range.first - 1);
    }
    return gap;
}

std::vector<Diagnostic> interconnect_findings(const Config& config, std::uint64_t nodes) {
    std::vector<Diagnostic> findings;
    const InterconnectConfig& interconnect = *config.interconnect;
    const auto check_node = [&](const Location& where, const std::string& key, NodeId node) {
        if (nodes == 0 || node < nodes) return;
        findings.push_back(
            {where,
             fmt::format("'{}' names node {}, but the nodes are 0 to {}", key, node, nodes - 1),
             ""});
    };
    for (const NodeId node : interconnect.initiators) {
        check_node(config.where("interconnect.initiators"), "interconnect.initiators", node);
    }
    const std::vector<InterconnectTarget>& targets = interconnect.targets;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        check_node(targets[i].where, "interconnect.targets", targets[i].node);
        if (leaves_address_space(targets[i])) {
            findings.push_back(
                {targets[i].where,
                 fmt::format("{:#x} bytes from {:#x} on go beyond the last address, {:#x}",
                             targets[i].size, targets[i].base, kLastAddress),
                 "make the size smaller"});
            continue;
        }
        const AddressRange range = range_of(targets[i]);
        for (std::size_t k = 0; k < i; ++k) {
            const AddressRange other = range_of(targets[k]);
            if (leaves_address_space(targets[k])) continue;
            if (range.first > other.last || other.first > range.last) continue;
            findings.push_back(
                {targets[i].where,
                 fmt::format("the addresses {} overlap those of the target at {}, {}",
                             text_of(range), targets[k].where.str(), text_of(other)),
                 "an address belongs to one target: move or shrink one of them"});
        }
    }
    return findings;
}

void require_interconnect(const Config& config, NodeId nodes) {
    if (!config.interconnect) {
        throw ConfigError(config.where("interconnect"), "there is no 'interconnect'",
                          "set interconnect.initiators and interconnect.targets");
    }
    std::vector<Diagnostic> findings = interconnect_findings(config, nodes);
    if (!findings.empty()) throw ConfigError(std::move(findings));
}

std::vector<std::string> describe_address_map(const InterconnectConfig& config) {
    std::vector<std::size_t> order(config.targets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return config.targets[a].base < config.targets[b].base;
    });
    std::vector<std::string> lines;
    for (const std::size_t i : order) {
        const AddressRange range = range_of(config.targets[i]);
        lines.push_back(fmt::format("{:#018x} to {:#018x}  target {} at node {}", range.first,
                                    range.last, i, config.targets[i].node));
    }
    return lines;
}

}  // namespace flitscope
