// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "models/base/input_file.h"
#include "models/base/node_finder.h"
#include "models/base/printable.h"
#include "models/base/shuffle.h"
#include "models/base/trimmed.h"
#include "models/config/application_trace_config.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "models/topology/working_nodes.h"
#include "traffic/program/program_file.h"

namespace flitscope {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{1} << 24;  // 65536 numbers and comments

void require_room(const WorkloadConfig& config, RankId ranks, NodeId alive, NodeId nodes) {
    if (ranks <= alive) return;
    throw ConfigError(config.where("traffic.trace.file"),
                      fmt::format("the trace has {} ranks, the network {} nodes{}", ranks, alive,
                                  alive == nodes ? "" : " that are alive"),
                      "a node is one rank: take a larger network");
}

/// So many of `nodes`, the first ones or drawn ones.
std::vector<NodeId> placed_on(std::vector<NodeId> nodes, const WorkloadConfig& config,
                              RankId ranks) {
    switch (config.traffic.trace.placement) {
        case RankPlacement::kLinear:
            break;
        case RankPlacement::kRandom:
            shuffle(nodes, config.seed);
            break;
        case RankPlacement::kFile:
        case RankPlacement::kVolume:
            throw std::logic_error("place_ranks: this placement needs more than nodes");
    }
    nodes.resize(ranks);
    return nodes;
}

}  // namespace

std::vector<NodeId> parse_placement(const std::string& text, const std::string& source,
                                    RankId ranks, NodeId nodes,
                                    const std::vector<std::string>& names) {
    const NodeFinder finder(names);
    FindingList findings(source, MoreFindings::kStop);
    std::vector<NodeId> placed;
    std::vector<bool> taken(nodes);
    std::size_t line = 0;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view row = trimmed(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++line;
        if (row.empty() || row.front() == '#') continue;
        const std::optional<NodeId> node = finder.find(row);
        if (!node || *node >= nodes) {
            const bool is_switch = node && *node < names.size();
            const bool is_name = finder.has_names() && !node;
            findings.add(line, 1,
                         fmt::format("'{}' is {}", excerpt(std::string(row)),
                                     is_switch ? "a switch" : "no node"),
                         is_name ? finder.remedy(row)
                                 : fmt::format("nodes are 0 .. {}, one on each line", nodes - 1));
            continue;
        }
        if (taken[*node]) {
            findings.add(line, 1, fmt::format("node {} is there twice", *node),
                         "every node is at most one rank");
        }
        taken[*node] = true;
        placed.push_back(*node);
    }
    findings.throw_if_any();
    if (placed.size() != ranks) {
        findings.add(0, 0, fmt::format("there are {} nodes for {} ranks", placed.size(), ranks),
                     "write the node of every rank");
    }
    findings.throw_if_any();
    return placed;
}

std::vector<NodeId> place_ranks(const WorkloadConfig& config, RankId ranks, NodeId nodes,
                                const std::vector<std::string>& names) {
    const ApplicationTraceConfig& trace = config.traffic.trace;
    require_room(config, ranks, nodes, nodes);
    if (trace.placement == RankPlacement::kFile) {
        return parse_placement(read_input_file(trace.placement_file, "placement", kMostFileBytes,
                                               config.where("traffic.trace.placement_file")),
                               trace.placement_file, ranks, nodes, names);
    }
    std::vector<NodeId> all(nodes);
    std::iota(all.begin(), all.end(), NodeId{0});
    return placed_on(std::move(all), config, ranks);
}

std::vector<NodeId> place_ranks(const WorkloadConfig& config, RankId ranks, const Graph& graph,
                                const std::function<RankVolumes()>& volumes) {
    constexpr NodeId kMost = 8192;  // distances are a table of nodes^2 entries
    const NodeId nodes = graph.node_count();
    const RankPlacement placement = config.traffic.trace.placement;
    // Dead nodes that a file names are refused by their names, with all that is sent there.
    if (placement == RankPlacement::kFile) {
        return place_ranks(config, ranks, nodes, graph.node_and_switch_names());
    }
    require_room(config, ranks, graph.working_node_count(), nodes);
    if (placement != RankPlacement::kVolume) {
        return placed_on(working_nodes(graph), config, ranks);
    }
    if (nodes > kMost) {
        throw ConfigError(
            config.where("traffic.trace.placement"),
            fmt::format("placement by volume is for networks of at most {} nodes", kMost),
            "place the ranks by a file");
    }
    return place_by_volume(ranks, volumes(), graph);
}

}  // namespace flitscope
