// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/kinds/requirements.h"

#include <fmt/format.h>

#include <utility>

#include "models/base/memory.h"
#include "models/base/powers_of_two.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

bool is_variant(const ScheduleRequest& request) { return !request.algorithm.name.empty(); }

enum class Kept { kListed, kByRule };

/// Requires room for so many complete exchanges.
std::optional<Diagnostic> needs_exchanges(const ScheduleRequest& request, std::uint64_t times,
                                          Kept kept, const std::string& else_rule = "") {
    // With handshakes, and without dead nodes, they become lists.
    const bool is_listed =
        kept == Kept::kListed || request.config.traffic.handshake || request.config.faults;
    const std::uint64_t most = is_listed ? kMaxTransfers : kMaxRuleTransfers;
    NodeId nodes = 1;
    while (times * complete_exchange_size(nodes + 1) <= most) ++nodes;
    const std::uint64_t messages = times * complete_exchange_size(request.graph.node_count());
    const std::string instead =
        fmt::format("at most {}: use {} nodes or fewer, {}or a pattern", most, nodes, else_rule);
    const std::uint64_t bytes_each = is_listed                  ? kBytesOfMessage
                                     : messages > kMostFollowed ? kBytesOfSummedMessage
                                                                : kBytesOfRuleMessage;
    return needs_room_for(request, messages, instead, bytes_each, most);
}

}  // namespace

Location where_chosen(const ScheduleRequest& request) {
    return request.config.where(is_variant(request) ? "traffic.algorithm" : "traffic.schedule");
}

const std::string& name_of_choice(const ScheduleRequest& request) {
    return is_variant(request) ? request.algorithm.name : request.schedule.name;
}

std::string use_default(const ScheduleRequest& request) {
    return "use " + request.schedule.algorithms.front().name;
}

std::optional<Diagnostic> needs_room_for(const ScheduleRequest& request, std::uint64_t messages,
                                         const std::string& instead, std::uint64_t bytes_each,
                                         std::uint64_t most) {
    const std::string needs =
        fmt::format("{} among {} nodes needs up to {} messages", request.schedule.name,
                    request.graph.node_count(), messages);
    const Location where = request.config.where("traffic.schedule");
    if (messages > most) return Diagnostic{where, needs, instead};
    const std::uint64_t bytes = messages * bytes_each;
    const std::uint64_t usable = usable_memory();
    if (bytes <= usable) return std::nullopt;
    return Diagnostic{where,
                      fmt::format("{}, about {} of memory, and this process may use {}", needs,
                                  memory_text(bytes), memory_text(usable)),
                      "use fewer nodes, or a pattern"};
}

std::vector<Diagnostic> unmet_requirements(const ScheduleRequest& request) {
    std::vector<Diagnostic> findings;
    for (const Requirement& requirement : request.algorithm.requirements) {
        if (auto finding = requirement(request)) findings.push_back(*std::move(finding));
    }
    return findings;
}

std::optional<Diagnostic> needs_a_node_per_router(const ScheduleRequest& request) {
    const Graph& graph = request.graph;
    if (graph.places().is_one_each()) return std::nullopt;
    const AlgorithmKind& usual = request.schedule.algorithms.front();
    const bool has_another =
        usual.name != request.algorithm.name &&
        unmet_requirements({request.config, graph, request.schedule, usual}).empty();
    return Diagnostic{where_chosen(request),
                      fmt::format("{} moves data from router to router, and {} {}",
                                  name_of_choice(request), graph.description(),
                                  graph.local_ports() > 1 ? "has several nodes on a router"
                                                          : "numbers nodes unlike their routers"),
                      has_another ? use_default(request)
                                  : "schedules that work on any network are naive, gen and pex"};
}

std::optional<Diagnostic> needs_power_of_two_nodes(const ScheduleRequest& request) {
    const NodeId nodes = request.graph.node_count();
    if (is_power_of_two(nodes)) return std::nullopt;
    return Diagnostic{
        where_chosen(request),
        fmt::format("{} needs a power-of-two number of nodes, but {} has {}",
                    name_of_choice(request), request.graph.description(), nodes),
        is_variant(request) ? use_default(request) : "use pex-gen, pex-gen-shift or gen"};
}

std::optional<Diagnostic> needs_hypercube(const ScheduleRequest& request) {
    const Graph& graph = request.graph;
    if (graph.wiring() && graph.wiring()->has_port_per_address_bit()) return std::nullopt;
    return Diagnostic{request.config.where("traffic.schedule"),
                      fmt::format("{} needs a hypercube, which {} is not", request.schedule.name,
                                  graph.description()),
                      is_power_of_two(graph.node_count()) ? "use pex" : "use gen"};
}

std::optional<Diagnostic> needs_grid(const ScheduleRequest& request) {
    if (request.graph.wiring()) return std::nullopt;
    return Diagnostic{request.config.where("traffic.algorithm"),
                      fmt::format("{} needs a grid or a hypercube, which {} is not",
                                  request.algorithm.name, request.graph.description()),
                      use_default(request)};
}

std::optional<Diagnostic> needs_root(const ScheduleRequest& request) {
    const NodeId root = request.config.traffic.root;
    const NodeId nodes = request.graph.node_count();
    if (root < nodes) return std::nullopt;
    const bool is_switch =
        root < request.graph.router_count() && request.graph.nodes_at(RouterId(root)).empty();
    return Diagnostic{
        request.config.where("traffic.root"),
        fmt::format("root {} {}", root,
                    is_switch ? "is a switch, which sends and receives nothing" : "does not exist"),
        fmt::format("nodes are 0 .. {}", nodes - 1)};
}

std::optional<Diagnostic> needs_channels_per_link(const ScheduleRequest& request) {
    if (request.config.node.has_channels_per_link()) return std::nullopt;
    return Diagnostic{
        request.config.where("traffic.algorithm"),
        fmt::format("{} streams, for which nodes need a channel for every link "
                    "(node.port_model: single)",
                    request.algorithm.name),
        fmt::format("set node.port_model: one_output, same_value or independent, or {}",
                    use_default(request))};
}

std::optional<Diagnostic> needs_few_nodes(const ScheduleRequest& request) {
    return needs_exchanges(request, 1, Kept::kListed);
}

std::optional<Diagnostic> needs_few_nodes_by_rule(const ScheduleRequest& request) {
    return needs_exchanges(request, 1, Kept::kByRule);
}

std::optional<Diagnostic> needs_few_nodes_for_pieces(const ScheduleRequest& request) {
    const NodeId nodes = request.graph.node_count();
    if (request.config.traffic.message_bytes % nodes == 0) {
        return needs_exchanges(request, 2, Kept::kByRule);
    }
    return needs_exchanges(request, 2, Kept::kListed,
                           fmt::format("a vector of a multiple of {} bytes, ", nodes));
}

}  // namespace flitscope
