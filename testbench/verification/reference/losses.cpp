// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "models/fabric/faulted_network.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/faults/faults.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/run_record.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/reference/draw.h"
#include "testbench/verification/reference/golden_model.h"
#include "testbench/verification/reference/golden_routes.h"
#include "testbench/verification/reference/random_networks.h"
#include "traffic/program/operations.h"

namespace flitscope {
namespace {

constexpr std::uint64_t kLossStream = 0x5851f42d4c957f2dU;
/// Draws of routers that die with all of their nodes.
constexpr std::uint64_t kRouterStream = 0x14057b7ef767814fU;
/// Draws of long wires.
constexpr std::uint64_t kWireStream = 0x2545f4914f6cdd1dU;
constexpr std::uint32_t kLongestWire = 200;

/// A case with one channel per node, and packets.
RandomCase plain_case(std::uint64_t seed) {
    RandomCase test = plain_case(random_case(seed));
    test.config.node.port_model = PortModel::kSingle;
    test.program.transfers.change_all([&](Transfer& transfer) {
        transfer.port = kLocalPort;
        transfer.streams = false;
        transfer.is_copy = false;
    });
    if (test.config.fabric.switches_circuits()) {
        test.config.fabric.switching = Switching::kWormhole;
    }
    return test;
}

/// In a fifth of the machines some wires are long, and FIFOs as deep as suits them: so credits of
/// what is lost are on their way for long.
void draw_long_wires(Machine& machine) {
    Draw draw(machine.config.seed ^ kWireStream);
    if (!draw.percent(20)) return;
    for (LinkId id = 0; id < machine.graph.link_count(); ++id) {
        if (draw.percent(30)) machine.graph.set_delay(id, draw.between(1, kLongestWire));
    }
    std::uint32_t& depth = machine.config.fabric.buffer_depth;
    depth = std::max(depth, draw.between(1, kLongestWire + 50));
}

/// Draws faults that leave all nodes within reach of each other; none if there are no such faults.
void draw_faults(Draw& draw, Machine& machine) {
    FaultsConfig faults;
    faults.random_links.count = draw.pick<std::uint32_t>({0, 1, 1, 2, 4});
    faults.random_nodes.count = draw.pick<std::uint32_t>({0, 0, 1, 2});
    faults.seed = draw.below(1000);
    faults.keep_connected = true;
    faults.at = 1 + draw.below(draw.pick<std::uint64_t>({20, 200, 200, 1000}));
    Draw routers(machine.config.seed ^ kRouterStream);
    if (!machine.graph.has_node_per_router() && routers.percent(30)) {
        faults.routers.push_back(std::to_string(routers.below(machine.graph.router_count())));
    }
    if (faults.is_empty()) return;
    Config left = machine.config;
    left.faults = faults;
    try {
        Graph graph = with_faults(left, machine.graph);
        std::unique_ptr<const Routing> routing = make_routing(left, graph);
        if (!graph.has_faults() || !find_dependency_cycle(graph, *routing).empty()) return;
        machine.later = std::make_shared<const FaultedNetwork>(
            FaultedNetwork{faults.at, std::move(graph), std::move(routing), {}});
        machine.config.faults = faults;
    } catch (const ConfigError&) {
        // So many cannot be spared.
    }
}

std::string text_of(const LossCounts& counts) {
    return fmt::format("{} packets and {} flits lost, {} discarded, {} sent again, {} duplicates",
                       counts.packets_lost, counts.flits_lost, counts.packets_discarded,
                       counts.packets_repeated, counts.duplicates);
}

/// Cycles within which something happens again, or nothing ever will.
Cycle longest_pause(const Machine& machine) {
    constexpr Cycle kBeside = 500 + 2 * kLongestWire;  // delays of links and routers
    const NodeConfig& node = machine.config.node;
    Cycle longest = Cycle{node.send_overhead} + node.recv_overhead + kBeside;
    if (node.retransmit) longest += node.retransmit->timeout;
    for (const Transfer& transfer : machine.program->transfers) {
        longest = std::max(longest, transfer.time + kBeside);
    }
    if (machine.program->operations == nullptr) return longest;
    const Operations& operations = *machine.program->operations;
    Cycle most = 0;  // computations follow each other in a node; between nodes there are messages
    for (NodeId at = 0; at < operations.nodes(); ++at) {
        Cycle sum = 0;
        for (OperationId id = operations.first(at); id < operations.last(at); ++id) {
            sum += operations[id].cycles;
        }
        most = std::max(most, sum);
    }
    return longest + most;
}

}  // namespace

Machine loss_machine(std::uint64_t seed) {
    RandomCase test = plain_case(seed);
    if (seed % 4 == 3) test = operation_case(std::move(test));
    Draw draw(seed ^ kLossStream);
    const std::uint64_t kind = draw.below(4);  // 0: only repeats; 1: only faults; else both
    test.config.fabric.link_protocol = LinkProtocol::kCredits;
    // Those that find ways around faults are all fixed.
    if (kind != 0) test.config.fabric.routing = "auto";
    Machine machine{test.config, random_case_graph(test), {}, {}, {}, {}, {}};
    // The routing of a whole fat tree, which may be a single router, is no table that could be
    // spread.
    const bool is_tree =
        !machine.graph.has_node_per_router() && !is_random_graph(test.config.fabric.topology);
    const std::string& routing = machine.config.fabric.routing;
    const bool is_own = routing == "auto" || routing == "up_down";
    if (is_tree && is_own) machine.config.fabric.spread = Spread::kNone;
    if (kind != 1) {
        machine.config.node.retransmit = RetransmitConfig{
            draw.pick<std::uint32_t>({15, 60, 200, 1000}), draw.pick<std::uint32_t>({1, 2, 3, 10})};
    }
    draw_long_wires(machine);
    machine.routing = make_routing(machine.config, machine.graph);
    machine.program = std::make_shared<const Program>(test.program);
    if (kind != 0) draw_faults(draw, machine);
    return machine;
}

std::string compare_losses(const Machine& machine, const CompareRun& run, LossTotals& totals) {
    const FabricRun done = run_fabric(machine, run);
    const SimulationResult& result = done.result;
    const RunRecord& ours = done.record;

    // Discarded packets move no flit, so a run may end some pauses after the last one that did.
    const std::unique_ptr<Routing> own = golden_routes(machine.config, machine.graph);
    std::optional<FaultedNetwork> own_later;
    if (machine.later != nullptr) {
        const FaultedNetwork& later = *machine.later;
        own_later =
            FaultedNetwork{later.at, later.graph, golden_routes(machine.config, later.graph), {}};
    }
    const Cycle pauses = 6 + (result.losses ? result.losses->packets_discarded : 0);
    const GoldenResult golden =
        run_golden(machine.config, machine.graph, own ? *own : *machine.routing, *machine.program,
                   result.simulated_cycles + pauses * longest_pause(machine), nullptr,
                   own_later ? &*own_later : nullptr);
    RunRecord theirs = golden_run_record(golden);
    if (!golden.completed) theirs.verdict = Verdict::kFailed;
    theirs.problems = ours.problems;                  // the golden model has no words for it
    theirs.simulated_cycles = ours.simulated_cycles;  // copies may continue after the makespan
    if (const auto d = first_difference(ours, theirs, machine.graph)) {
        return (d->cycle ? fmt::format("cycle {}, ", *d->cycle) : "") + d->subject + ": " +
               d->ours + ", instead of " + d->theirs;
    }
    if (!result.losses) {
        const bool can_lose = machine.later != nullptr || machine.config.node.retransmit;
        return can_lose ? "the run does not say what was lost" : "";
    }
    const LossCounts& losses = *result.losses;
    if (text_of(losses) != text_of(golden.losses)) {
        return text_of(losses) + ", instead of " + text_of(golden.losses);
    }
    if (!golden.completed && result.problems.empty()) return "failed without a word";

    totals.compared.packets += ours.packets.size();
    totals.compared.busy_intervals += ours.busy_intervals();
    for (LinkId link = 0; link < machine.graph.link_count(); ++link) {
        totals.compared.flit_hops += ours.flits_sent[link];
    }
    totals.losses.packets_lost += losses.packets_lost;
    totals.losses.flits_lost += losses.flits_lost;
    totals.losses.packets_discarded += losses.packets_discarded;
    totals.losses.packets_repeated += losses.packets_repeated;
    totals.losses.duplicates += losses.duplicates;
    if (!golden.completed) {
        ++totals.failed;
    } else if (losses.packets_lost != 0) {
        ++totals.complete;
    }
    return {};
}

}  // namespace flitscope
