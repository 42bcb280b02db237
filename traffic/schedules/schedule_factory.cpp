// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// From the traffic section of a configuration to a program.
#include "traffic/schedules/schedule_factory.h"

#include <fmt/format.h>

#include <utility>

#include "models/base/did_you_mean.h"
#include "models/config/traffic_config.h"
#include "models/config/workload_config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "traffic/program/channel_rules.h"
#include "traffic/program/dead_nodes.h"
#include "traffic/program/handshake.h"
#include "traffic/program/planes.h"
#include "traffic/program/program_file.h"
#include "traffic/program/program_limits.h"
#include "traffic/schedules/collective_algorithms.h"
#include "traffic/schedules/kinds/requirements.h"
#include "traffic/schedules/schedule_catalogue.h"
#include "traffic/traces/expansion.h"
#include "traffic/traces/trace_program.h"

namespace flitscope {
namespace {

std::string choice_hint(const std::string& word, const std::vector<std::string>& names) {
    return did_you_mean_of(nearest(word, names), "one of", names);
}

ScheduleRequest request_of(const WorkloadConfig& config, const Graph& graph) {
    const TrafficConfig& traffic = config.traffic;
    const ScheduleKind* schedule = find_schedule_kind(traffic.schedule);
    if (schedule == nullptr) {
        throw ConfigError(config.where("traffic.schedule"),
                          fmt::format("unknown schedule '{}'", traffic.schedule),
                          choice_hint(traffic.schedule, schedule_names()));
    }
    const AlgorithmKind* kind = find_algorithm_kind(traffic.schedule, traffic.algorithm);
    if (kind == nullptr) {
        throw ConfigError(
            config.where("traffic.algorithm"),
            fmt::format("schedule {} has no algorithm '{}'", traffic.schedule, traffic.algorithm),
            schedule->has_variants()
                ? choice_hint(traffic.algorithm, algorithms_of(traffic.schedule))
                : "leave algorithm out: this schedule has no variants");
    }
    return {config, graph, *schedule, *kind};
}

/// Among `nodes` nodes; the configuration overrides a program file.
void set_barrier(Program& program, const WorkloadConfig& config, NodeId nodes) {
    if (!config.traffic.barrier) {
        if (program.barrier_cost) program.barrier_cycles = program.barrier_cost->cycles(nodes);
        return;
    }
    if (program.ordering != Ordering::kSteps) {
        throw ConfigError(config.where("traffic.barrier"),
                          program.ordering == Ordering::kTimed
                              ? "a timed program has no steps to put barriers between"
                              : "operations have no steps to put barriers between",
                          "remove the barrier, or give the messages steps");
    }
    const BarrierCost cost{config.traffic.barrier->per_doubling, config.traffic.barrier->fixed};
    program.barrier_cycles = cost.cycles(nodes);
}

}  // namespace

Program build_schedule(const WorkloadConfig& config, const Graph& graph) {
    const ScheduleRequest request = request_of(config, graph);
    const std::uint64_t bytes = config.traffic.message_bytes;
    std::vector<Diagnostic> findings = unmet_requirements(request);
    if (bytes > kMaxBlockBytes) {
        findings.push_back({config.where("traffic.message_bytes"),
                            fmt::format("message_bytes {} is too large", bytes),
                            fmt::format("at most {}", kMaxBlockBytes)});
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    Program program = request.algorithm.build(graph, config);
    set_barrier(program, config, graph.node_count());
    return program;
}

Program collective_program(const WorkloadConfig& config, const Graph& graph,
                           const CollectiveSchedule& of) {
    WorkloadConfig collective = config;
    collective.traffic = {};
    collective.traffic.schedule = of.schedule;
    std::string& algorithm = collective.traffic.algorithm;
    algorithm = of.algorithm;
    const NodeId ranks = of.line == 0 ? graph.node_count() : of.line;
    if (algorithm.empty()) {
        algorithm = collective_algorithm(config.traffic.trace, of.schedule, of.bytes, ranks);
    }
    if (algorithm.empty()) algorithm = library_algorithm(of.schedule, of.bytes, ranks);
    collective.traffic.message_bytes = of.bytes;
    collective.traffic.root = of.root;
    Program program;
    if (of.line == 0) {
        program = build_schedule(collective, graph.whole());
    } else {
        collective.fabric.topology = {};
        collective.fabric.topology.kind = "mesh";
        collective.fabric.topology.dims = {of.line};
        program = build_schedule(collective, build_topology(collective));
    }
    program.name = algorithm.empty() ? of.schedule : of.schedule + '/' + algorithm;
    return program;
}

Program build_program(const WorkloadConfig& config, const Graph& graph) {
    const TrafficConfig& traffic = config.traffic;
    Program program;
    if (!traffic.schedule.empty()) {
        const AlgorithmKind* kind = find_algorithm_kind(traffic.schedule, traffic.algorithm);
        const bool knows_faults = kind != nullptr && kind->knows_faults;
        program = build_schedule(config, knows_faults ? graph : graph.whole());  // by its shape
        const bool passes_on = !kind->is_direct && !knows_faults;
        program =
            on_working_nodes(std::move(program), config, graph, config.where("traffic.schedule"),
                             passes_on ? "its nodes pass on what they receive" : "");
        if (program.barrier_cycles) set_barrier(program, config, graph.working_node_count());
        const auto place = [&](MessageId) { return config.where("traffic.schedule"); };
        std::vector<Diagnostic> findings = check_channels(program, config, graph, place);
        if (!findings.empty()) throw ConfigError(std::move(findings));
        const auto size = [&](MessageId) { return config.where("traffic.message_bytes"); };
        findings = check_limits(program, config, size);
        if (!findings.empty()) throw ConfigError({std::move(findings.front())});
    } else if (!traffic.program.empty()) {
        const std::vector<std::string> names = graph.node_and_switch_names();
        program = read_program(traffic.program, graph.node_count(), config.where("traffic.program"),
                               [&](const Program& read, const auto& locate) {
                                   return check_playable(read, config, graph, locate);
                               },
                               {config.clock_ns, traffic.drops_self, &names});
        program =
            on_working_nodes(std::move(program), config, graph, config.where("traffic.program"));
        set_barrier(program, config, graph.working_node_count());
    } else if (!traffic.trace.file.empty()) {
        std::vector<Diagnostic> findings = check_collective_algorithms(config);
        if (!findings.empty()) throw ConfigError(std::move(findings));
        program = application_program(config, graph, [&](const CollectiveSchedule& of) {
            return collective_program(config, graph, of);
        });
        program =
            on_working_nodes(std::move(program), config, graph, config.where("traffic.trace"));
    } else {
        throw ConfigError(config.where("traffic"), "there is no program: traffic is a pattern",
                          "set traffic.schedule, traffic.program or traffic.trace");
    }
    if (traffic.handshake) {
        if (!traffic.program.empty()) program.keep_numbers();
        program = with_handshakes(program);
    }
    if (!traffic.classes.empty()) {
        const auto of_all = config.fabric.class_named(traffic.classes.begin()->first);
        program.transfers.set_class(of_all.value_or(0));
    }
    const AlgorithmKind* kind = find_algorithm_kind(traffic.schedule, traffic.algorithm);
    put_on_planes(program, config, kind != nullptr && kind->is_direct);
    return program;
}

}  // namespace flitscope
