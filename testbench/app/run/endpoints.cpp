// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/run/endpoints.h"

#include <fmt/format.h>

#include "models/config/hardware_config.h"
#include "models/config/node_config.h"
#include "models/topology/graph.h"
#include "traffic/endpoints/round_trips.h"

namespace flitscope {

ScoreboardConfig scoreboard_config(const HardwareConfig& config, const Graph& graph,
                                   const Routing& routing, const PatternTraffic* pattern) {
    ScoreboardConfig board;
    board.nodes = graph.node_count();
    board.format = config.packet_format();
    board.classes = config.fabric.class_count();
    // If links fail during the run, a packet on its old path can be overtaken on the new one.
    const bool changes = config.faults && config.faults->at != 0;
    board.in_order = config.fabric.virtual_channels == 1 && config.fabric.planes == 1 &&
                     !config.node.has_channels_per_link() && !config.node.retransmit && !changes &&
                     routing.path_choice() == PathChoice::kFixed;
    if (pattern != nullptr) {
        board.measure_from = pattern->measured_from;
        board.measure_until = pattern->end;
        board.replies = pattern->replies;
    }
    return board;
}

std::unique_ptr<ProgramRun> make_program_run(const Program& program, const HardwareConfig& config,
                                             ProgramObserver* observer,
                                             OperationObserver* operations) {
    const NodeConfig& node = config.node;
    const bool has_queues =
        node.has_channels_per_link() || config.fabric.has_classes() || config.fabric.planes > 1;
    const auto hand_over =
        has_queues ? ProgramRun::HandOver::kAtOnce : ProgramRun::HandOver::kOneByOne;
    return std::make_unique<ProgramRun>(program, node.recv_overhead, hand_over, observer,
                                        node.send_overhead, operations, config.packet_format());
}

std::vector<std::string> wrong_ends(ProgramRun* run, const Scoreboard& scoreboard) {
    std::vector<std::string> wrong;
    if (ComputationRun* const computation = run != nullptr ? run->computation() : nullptr) {
        wrong = computation->finish();
    }
    const RoundTrips* const trips = scoreboard.round_trips();
    if (trips != nullptr && trips->open() != 0) {
        wrong.push_back(fmt::format("{} requests were never replied to", trips->open()));
    }
    return wrong;
}

std::uint64_t messages_begun(const std::vector<PatternGenerator*>& generators, Cycle end) {
    std::uint64_t begun = 0;
    for (PatternGenerator* const one : generators) begun += one->generated_before(end).begun;
    return begun;
}

}  // namespace flitscope
