// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/study/appraisal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/rtl_limitations.h"
#include "hw/verilated/rtl_variant.h"
#include "models/performance/idle_latency.h"
#include "models/performance/topology_metrics.h"
#include "models/performance/wire_budget.h"
#include "models/routing/routing_factory.h"
#include "testbench/build/machine.h"
#include "testbench/run/energy_counts.h"
#include "testbench/run/engines.h"
#include "testbench/run/simulation.h"
#include "testbench/study/loads.h"

namespace flitscope::study {
namespace {

/// The word of the delays of links.
constexpr const char* kLinkDelays = "link_delays";

void add(PointOutcome& outcome, const char* name, const char* unit, std::uint64_t value) {
    outcome.metrics.push_back({name, unit, static_cast<double>(value)});
}

void add_cost(PointOutcome& outcome, const Machine& machine) {
    const FabricConfig& fabric = machine.config.fabric;
    const Graph& graph = machine.graph.whole();  // built it is, dead or not
    std::vector<std::uint64_t> outputs(graph.node_count(), 0);
    std::uint64_t length = 0;
    for (const Link& link : graph.links()) {
        ++outputs[link.from];
        length += link.length;
    }
    const std::uint64_t most =
        outputs.empty() ? 0 : *std::max_element(outputs.begin(), outputs.end());
    const std::uint64_t bits = fabric.flit_bits;
    // Every router has the buffers of the one with the most links, and those for its own node.
    const std::uint64_t buffers = graph.port_count() * std::uint64_t{fabric.virtual_channels} *
                                  fabric.buffer_depth * graph.node_count();
    add(outcome, "links", "links", graph.link_count());
    add(outcome, "flit_bits", "bits", bits);
    add(outcome, "pins", "wires", most * bits);
    add(outcome, "wire_length", "node pitches", measure_topology(graph).wire_length);
    add(outcome, "wire_bits", "node pitches", length * bits);
    add(outcome, "buffer_bits", "bits", buffers * bits);
    add(outcome, "routers", "routers", graph.node_count());
}

void add_router(PointOutcome& outcome, const Config& config, const Graph& graph,
                const Routing& routing) {
    if (const auto refusal = hw::synthesis_refusal(config, graph, routing)) {
        outcome.words.emplace_back("no_router", refusal->reason);
    } else {
        outcome.words.emplace_back("router", hw::rtl_variant(config, graph, routing).name());
    }
}

/// Wires and clock do not decide it.
PointOutcome appraise_router(Config config) {
    config.fabric.link_delay = {};
    const Graph graph = build_budgeted_topology(config);
    PointOutcome outcome;
    outcome.status = "complete";
    add_router(outcome, config, graph, *make_routing(config, graph));
    return outcome;
}

void add_link_delays(PointOutcome& outcome, const Graph& graph) {
    std::string text;
    for (const auto& [delay, links] : link_delays(graph)) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : " ", delay, links);
    }
    outcome.words.emplace_back(kLinkDelays, text);
}

/// Mean over messages with weights.
class WeightedMean {
public:
    void add(double value, double weight) {
        sum_ += value * weight;
        weight_ += weight;
    }
    std::optional<double> mean() const {
        return weight_ > 0 ? std::optional<double>(sum_ / weight_) : std::nullopt;
    }

private:
    double sum_ = 0;
    double weight_ = 0;
};

/// Means on an idle network, in cycles; nothing where paths are not fixed.
struct ZeroLoad {
    std::optional<double> latency;     ///< of a message
    std::optional<double> round_trip;  ///< of an exchange, where there are replies
};

ZeroLoad zero_load(const Machine& machine) {
    if (machine.program) return {machine.bounds.mean_latency, std::nullopt};
    const IdleMessage message(machine.config);
    IdlePaths paths(machine.config, machine.graph, *machine.routing);
    if (!paths.are_fixed()) return {};
    WeightedMean latency;
    WeightedMean round_trip;
    const Pattern& pattern = machine.pattern->pattern;
    const MessageLengths& lengths = machine.pattern->lengths;
    const std::optional<Replies>& replies = machine.pattern->replies;
    for (NodeId from = 0; from < machine.pattern->nodes; ++from) {
        if (!pattern.sends(from)) continue;
        for (NodeId to = 0; to < machine.pattern->nodes; ++to) {
            const double share = from == to ? 0 : pattern.share(from, to);
            if (share == 0) continue;
            const IdlePath path = paths.path(from, to);
            const double weight = share * pattern.offered(from);
            const double there = lengths.mean(
                [&](const MessageLength& length) { return message.delivered(length.flits, path); });
            latency.add(there, weight);
            if (!replies) continue;
            const auto back =
                static_cast<double>(message.delivered(replies->flits(), paths.path(to, from)));
            latency.add(back, weight);
            round_trip.add(there + static_cast<double>(replies->begin(0)) + back, weight);
        }
    }
    return {latency.mean(), round_trip.mean()};
}

}  // namespace

bool needs_router_figures(const Config& config) {
    return config.wires_need_synthesis() ||
           (config.clock_is_synthesized && !config.traffic.program.empty());
}

LinkDelays appraised_link_delays(const PointOutcome& appraisal) {
    LinkDelays delays;
    std::istringstream in(appraisal.word(kLinkDelays));
    std::uint32_t delay = 0;
    std::uint64_t links = 0;
    char colon = ' ';
    while (in >> delay >> colon >> links) delays[delay] = links;
    return delays;
}

PointOutcome appraise(const Point& point) {
    if (needs_router_figures(point.config)) return appraise_router(point.config);
    const Machine machine = build_machine(point.config);
    require_traffic(machine);
    require_deadlock_freedom(machine);
    require_runnable(machine);
    choose_engine(machine, point.engine);
    PointOutcome outcome;
    outcome.status = "complete";
    add_cost(outcome, machine);
    add_router(outcome, machine.config, machine.graph, *machine.routing);
    add_link_delays(outcome, machine.graph.whole());
    const ZeroLoad idle = zero_load(machine);
    for (const auto& [name, cycles] : {std::pair("zero_load_latency", idle.latency),
                                       std::pair("zero_load_round_trip", idle.round_trip)}) {
        if (cycles) {
            outcome.metrics.push_back({name, "cycles", *cycles, 0, 0, "mean of idle paths"});
        }
    }
    if (machine.program) {
        outcome.metrics.push_back(
            {"lower_bound", "cycles", static_cast<double>(machine.bounds.max()), 0, 0, "bound"});
        if (point.by_energy) {
            const EnergyCounts counts = idle_counts(machine, machine.bounds.max());
            for (const auto& [name, member] : kEnergyCounts) {
                outcome.metrics.push_back({name, "", counts.*member, 0, 0, "bound"});
            }
            double bytes = 0;
            for (const Transfer& transfer : machine.program->transfers) {
                bytes += static_cast<double>(transfer.bytes);
            }
            outcome.metrics.push_back({kPayloadBits, "bits", 8 * bytes, 0, 0, "bound"});
        }
    } else {
        outcome.metrics.push_back(
            {"saturation_bound", "flits/node/cycle", load_bound(machine), 0, 0, "bound"});
        // Nodes that offer less than others count for less than one.
        outcome.metrics.push_back({"senders", "nodes", machine.pattern->pattern.offered()});
        const MessageLengths& lengths = machine.pattern->lengths;
        const std::optional<Replies>& replies = machine.pattern->replies;
        const double bytes =
            lengths.mean_bytes() + static_cast<double>(replies ? replies->bytes() : 0);
        outcome.metrics.push_back(
            {"bits_per_flit", "bits", 8 * bytes / exchange_flits(lengths, replies)});
    }
    return outcome;
}

}  // namespace flitscope::study
