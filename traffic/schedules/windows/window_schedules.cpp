// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/windows/window_schedules.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "models/topology/grid_wiring.h"
#include "traffic/schedules/kinds/requirements.h"
#include "traffic/schedules/windows/how_collectives.h"

namespace flitscope {
namespace {

HowShape how_shape(const Graph& graph) {
    HowShape shape;
    for (const GridDimension& dimension : graph.wiring()->dimensions()) {
        shape.sides.push_back(dimension.side);
        shape.windows.push_back(dimension.spans.back());
    }
    return shape;
}

/// The port model of plans: nodes with a single channel send over one output as well.
PortModel plan_ports(const WorkloadConfig& config) {
    const PortModel model = config.node.port_model;
    return model == PortModel::kSingle ? PortModel::kOneOutput : model;
}

/// In steps, or with every block flowing through the nodes.
ScheduleBuilder by_windows(Collective collective, bool flows) {
    return [collective, flows](const Graph& graph, const WorkloadConfig& config) {
        const std::uint64_t bytes = config.traffic.message_bytes;
        const PortModel ports = plan_ports(config);
        CollectivePlan plan =
            how_collective(how_shape(graph), collective, ports, config.traffic.root);
        plan.name = config.traffic.schedule;
        if (!flows) return to_program(plan, bytes, graph);
        // A row's nodes send the value along row and columns at once: one message length (5.1).
        const bool is_one_value = has_root(collective) && !is_personalized(collective);
        if (is_one_value && ports == PortModel::kSameValue) plan = sent_at_once(plan);
        return to_streaming_program(plan, bytes, graph);
    };
}

/// Why there are no collectives by windows on the network; empty when there are.
std::string windows_obstacle(const Graph& graph, const WorkloadConfig& config,
                             Collective collective) {
    const bool fits = graph.wiring() && graph.wiring()->has_windows();
    if (!fits || graph.dims().size() > 2) {
        return fmt::format(
            "needs a HOW, a generalized hypercube or a mesh of one or two "
            "dimensions, which {} is not",
            graph.description());
    }
    const PortModel ports = plan_ports(config);
    const bool has_rings =
        collective != Collective::kOneToAll &&
        (ports == PortModel::kOneOutput ||
         (ports == PortModel::kSameValue && collective != Collective::kAllToAll));
    for (const GridDimension& dimension : graph.wiring()->dimensions()) {
        if (has_rings && dimension.side > 2 && dimension.spans.back() == 1) {
            return fmt::format(
                "with port_model {} goes round a ring in every line, for which a "
                "window of 1 has no channels",
                name_of(config.node.port_model));
        }
    }
    return "";
}

/// Lines of windows: HOWs, generalized hypercubes, meshes, at most two dimensions.
Requirement needs_windows(Collective collective) {
    return [collective](const ScheduleRequest& request) -> std::optional<Diagnostic> {
        const std::string obstacle = windows_obstacle(request.graph, request.config, collective);
        if (obstacle.empty()) return std::nullopt;
        const bool has_others = request.schedule.algorithms.front().name != "windows";
        return Diagnostic{
            request.config.where(has_others ? "traffic.algorithm" : "traffic.schedule"),
            fmt::format("{} {}", has_others ? request.algorithm.name : request.schedule.name,
                        obstacle),
            has_others ? use_default(request) : "use gen"};
    };
}

/// The moves are messages that fit.
Requirement needs_few_moves(Collective collective) {
    return [collective](const ScheduleRequest& request) -> std::optional<Diagnostic> {
        if (!windows_obstacle(request.graph, request.config, collective).empty()) return {};
        return needs_room_for(
            request,
            personalized_moves(how_shape(request.graph), collective, plan_ports(request.config)),
            fmt::format("at most {}: use fewer nodes", kMaxTransfers));
    };
}

/// The algorithms in steps, and with every block flowing through the nodes. `more` are further
/// requirements of the collective.
std::vector<AlgorithmKind> in_steps_and_flowing(Collective collective, const std::string& in_steps,
                                                const std::string& source,
                                                const std::vector<std::string>& keys,
                                                const std::vector<Requirement>& more) {
    std::vector<Requirement> of_steps = {needs_a_node_per_router, needs_windows(collective)};
    std::vector<Requirement> of_flows = {needs_a_node_per_router, needs_windows(collective),
                                         needs_channels_per_link};
    of_steps.insert(of_steps.end(), more.begin(), more.end());
    of_flows.insert(of_flows.end(), more.begin(), more.end());
    return {{"windows", in_steps, source, keys, by_windows(collective, false), std::move(of_steps)},
            {"windows_wormhole", "the same, with every block streaming through the nodes", source,
             keys, by_windows(collective, true), std::move(of_flows)}};
}

constexpr const char* kFromNeighbourToNeighbour =
    "from neighbour to neighbour on HOWs and generalized hypercubes, in steps";

}  // namespace

ScheduleKind relayed_exchange_schedule() {
    return {"relayed-exchange",
            "complete exchange from neighbour to neighbour on HOWs and generalized hypercubes: "
            "rings or relay lines, by `node.port_model`",
            in_steps_and_flowing(Collective::kAllToAllPersonalized, "store and forward, in steps",
                                 "Ziavras et al., 4.4, 5.4, corrected", {},
                                 {needs_few_moves(Collective::kAllToAllPersonalized)})};
}

std::vector<AlgorithmKind> window_broadcasts() {
    return in_steps_and_flowing(Collective::kOneToAll, kFromNeighbourToNeighbour,
                                "Ziavras et al., 4.1, 5.1, corrected", {"root"}, {needs_root});
}

std::vector<AlgorithmKind> window_allgathers() {
    return in_steps_and_flowing(Collective::kAllToAll, kFromNeighbourToNeighbour,
                                "Ziavras et al., 4.2, 5.2, corrected", {}, {needs_few_nodes});
}

std::vector<AlgorithmKind> window_scatters() {
    return in_steps_and_flowing(Collective::kOneToAllPersonalized, kFromNeighbourToNeighbour,
                                "Ziavras et al., 4.3, 5.3, corrected", {"root"},
                                {needs_root, needs_few_moves(Collective::kOneToAllPersonalized)});
}

}  // namespace flitscope
