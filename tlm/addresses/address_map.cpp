// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/addresses/address_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "models/base/finding_list.h"
#include "models/config/config.h"
#include "models/topology/faults/faults.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

constexpr std::uint64_t kLastAddress = std::numeric_limits<std::uint64_t>::max();

bool leaves_address_space(const InterconnectTarget& target) {
    return target.size - 1 > kLastAddress - target.base;
}

AddressRange range_of(const InterconnectTarget& target) {
    return {target.base, target.base + (target.size - 1)};
}

/// Numbers of `targets` by their first address; equal ones in the order of the list.
std::vector<std::size_t> sorted_by_base(const std::vector<InterconnectTarget>& targets) {
    std::vector<std::size_t> order(targets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return targets[a].base < targets[b].base;
    });
    return order;
}

std::string text_of(const AddressRange& range) {
    return fmt::format("{:#x} to {:#x}", range.first, range.last);
}

/// Two targets that share addresses, by their numbers.
struct Overlap {
    std::size_t later = 0;  ///< in the list
    std::size_t earlier = 0;

    friend bool operator<(const Overlap& a, const Overlap& b) {
        return std::pair(a.later, a.earlier) < std::pair(b.later, b.earlier);
    }
};

/// For each target that begins within others, the one of these that ends last: at most as many as
/// there are targets, though all pairs may overlap. In the order of the list.
std::vector<Overlap> overlaps(const std::vector<InterconnectTarget>& targets) {
    std::vector<Overlap> found;
    std::optional<std::size_t> furthest;
    for (const std::size_t i : sorted_by_base(targets)) {
        if (leaves_address_space(targets[i])) continue;
        const std::uint64_t last = furthest ? range_of(targets[*furthest]).last : 0;
        if (furthest && targets[i].base <= last) {
            found.push_back({std::max(i, *furthest), std::min(i, *furthest)});
        }
        if (!furthest || range_of(targets[i]).last > last) furthest = i;
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// That every message can leave its router over a link, if it must.
void require_exits(const Config& config, const Graph& graph) {
    if (!config.node.has_channels_per_link()) return;
    const InterconnectConfig& interconnect = *config.interconnect;
    for (const NodeId initiator : interconnect.initiators) {
        for (const InterconnectTarget& target : interconnect.targets) {
            if (graph.router_of(initiator) != graph.router_of(target.node)) continue;
            throw ConfigError(
                target.where,
                fmt::format("the target at node {} and the initiator at node {} have one router, "
                            "and with node.port_model: {} every message takes a link",
                            target.node, initiator, name_of(config.node.port_model)),
                "set node.port_model: single, or use another node");
        }
    }
}

}  // namespace

AddressMap::AddressMap(const std::vector<InterconnectTarget>& targets)
    : by_base_(sorted_by_base(targets)) {
    for (const InterconnectTarget& target : targets) ranges_.push_back(range_of(target));
}

std::optional<std::size_t> AddressMap::find(std::uint64_t address, std::uint64_t length) const {
    const auto next = above(address);
    if (next == by_base_.begin()) return std::nullopt;
    const std::size_t target = *std::prev(next);
    const AddressRange& range = ranges_[target];
    const bool fits = length <= 1 || length - 1 <= range.last - address;
    return range.holds(address) && fits ? std::optional(target) : std::nullopt;
}

AddressRange AddressMap::gap(std::uint64_t address) const {
    AddressRange gap{0, kLastAddress};
    const auto next = above(address);
    if (next != by_base_.begin()) gap.first = ranges_[*std::prev(next)].last + 1;
    if (next != by_base_.end()) gap.last = ranges_[*next].first - 1;
    return gap;
}

std::vector<std::size_t>::const_iterator AddressMap::above(std::uint64_t address) const {
    return std::upper_bound(
        by_base_.begin(), by_base_.end(), address,
        [&](std::uint64_t at, std::size_t target) { return at < ranges_[target].first; });
}

std::vector<Diagnostic> interconnect_findings(const Config& config, std::uint64_t nodes) {
    FindingList findings(config.source);
    const InterconnectConfig& interconnect = *config.interconnect;
    const auto check_node = [&](const Location& where, const std::string& key, NodeId node) {
        if (nodes == 0 || node < nodes) return;
        findings.add(
            {where,
             fmt::format("'{}' names node {}, but the nodes are 0 to {}", key, node, nodes - 1),
             ""});
    };
    for (const NodeId node : interconnect.initiators) {
        check_node(config.where("interconnect.initiators"), "interconnect.initiators", node);
    }
    const std::vector<InterconnectTarget>& targets = interconnect.targets;
    const std::vector<Overlap> overlapping = overlaps(targets);
    auto overlap = overlapping.begin();
    for (std::size_t i = 0; i < targets.size(); ++i) {
        check_node(targets[i].where, "interconnect.targets", targets[i].node);
        if (leaves_address_space(targets[i])) {
            findings.add({targets[i].where,
                          fmt::format("{:#x} bytes from {:#x} on go beyond the last address, {:#x}",
                                      targets[i].size, targets[i].base, kLastAddress),
                          "make the size smaller"});
            continue;
        }
        for (; overlap != overlapping.end() && overlap->later == i; ++overlap) {
            const InterconnectTarget& other = targets[overlap->earlier];
            findings.add({targets[i].where,
                          fmt::format("the addresses {} overlap those of the target at {}, {}",
                                      text_of(range_of(targets[i])), other.where.str(),
                                      text_of(range_of(other))),
                          "an address belongs to one target: move or shrink one of them"});
        }
    }
    const auto useless = [&](const char* key, const char* what, const char* remedy) {
        findings.add({config.where(key), fmt::format("'{}' {}", key, what), remedy});
    };
    if (interconnect.queueing != 0 && interconnect.timing == AccessTiming::kExact) {
        useless("interconnect.queueing", "is only for annotated timing",
                "set interconnect.timing: annotated");
    }
    if (!config.fabric.has_classes() &&
        !(interconnect.request_class.empty() && interconnect.response_class.empty())) {
        useless(interconnect.request_class.empty() ? "interconnect.response_class"
                                                   : "interconnect.request_class",
                "names a class of a fabric without classes", "set fabric.classes");
    }
    return findings.take();
}

void require_interconnect(const Config& config, NodeId nodes) {
    if (!config.interconnect) {
        throw ConfigError(config.where("interconnect"), "there is no 'interconnect'",
                          "set interconnect.initiators and interconnect.targets");
    }
    std::vector<Diagnostic> findings = interconnect_findings(config, nodes);
    if (!findings.empty()) throw ConfigError(std::move(findings));
}

void require_interconnect(const Config& config, const Graph& graph) {
    require_interconnect(config, graph.node_count());
    require_working_interconnect(config, graph);
    require_exits(config, graph);
}

std::vector<std::string> describe_address_map(const InterconnectConfig& config) {
    std::vector<std::string> lines;
    for (const std::size_t i : sorted_by_base(config.targets)) {
        const AddressRange range = range_of(config.targets[i]);
        lines.push_back(fmt::format("{:#018x} to {:#018x}  target {} at node {}", range.first,
                                    range.last, i, config.targets[i].node));
    }
    return lines;
}

}  // namespace flitscope
