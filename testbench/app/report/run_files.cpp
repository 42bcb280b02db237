// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "models/topology/channel_map.h"
#include "models/topology/link.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/report/node_flits.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"
#include "testbench/app/report/report_ranks.h"
#include "traffic/program/program_report.h"

namespace flitscope {
namespace {

/// flits, busy_cycles and blocked_cycles are those of the run; utilization, measured flits and
/// cycles those of SimulationResult::window. Further columns are the plane, if there are several,
/// and the names that the file of a graph gives its routers.
void write_links_csv(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    const SimulationResult& result = explanation.run;
    const Cycle cycles = result.window.length();
    const std::vector<std::string>& names = machine.graph.given_names();
    const ChannelMap map(machine.graph);
    out << "link,from,to,dimension,flits,busy_cycles,blocked_cycles,utilization,measured_flits,"
           "measured_cycles"
        << (map.planes() == 1 ? "" : ",plane") << (names.empty() ? "" : ",from_name,to_name")
        << '\n';
    for (const ChannelId id : map.links()) {
        const Link& link = machine.graph.link(map.link_of(id));
        const std::uint64_t flits = result.channel_flits[id];
        const std::uint32_t dimension = machine.graph.dimension_number(link.dimension);
        const std::uint64_t measured = result.window_flits[id];
        const std::string named = names.empty() ? ""
                                                : fmt::format(",{},{}", csv_text(names[link.from]),
                                                              csv_text(names[link.to]));
        const std::string plane = map.planes() == 1 ? "" : ',' + std::to_string(map.plane(id));
        out << fmt::format("{},{},{},{},{},{},{},{:.6f},{},{}{}{}\n", map.name(id), link.from,
                           link.to, dimension == kNoDimension ? "" : std::to_string(dimension),
                           flits, flits * link.rate_cycles, result.blocked_cycles[id],
                           static_cast<double>(measured * link.rate_cycles) /
                               static_cast<double>(std::max<Cycle>(cycles, 1)),
                           measured, cycles, plane, named);
    }
}

/// Flits and blocked cycles are those of the run; measured flits and cycles those of
/// SimulationResult::window. The router has its name beside its number if the file of a graph gives
/// names.
void write_nodes_csv(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    const std::vector<std::string>& names = machine.graph.given_names();
    out << "node,router,injected_flits,ejected_flits,injection_blocked_cycles,"
           "measured_injected_flits,measured_ejected_flits,measured_cycles"
        << (names.empty() ? "" : ",router_name") << '\n';
    NodeId node = 0;
    for (const NodeFlits& flits : node_flits(machine, explanation.run)) {
        const RouterId router = machine.graph.router_of(node);
        out << fmt::format("{},{},{},{},{},{},{},{}{}\n", node, router, flits.injected,
                           flits.ejected, flits.injection_blocked, flits.measured_injected,
                           flits.measured_ejected, explanation.run.window.length(),
                           names.empty() ? "" : ',' + csv_text(names[router]));
        ++node;
    }
}

std::string known_cycle(Cycle cycle) { return cycle == kNever ? "" : std::to_string(cycle); }

/// Writes one row per step.
void write_steps_csv(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    out << "step,transfers,flits,start,end,max_link_contention,busiest_link\n";
    for (const StepReport& step : step_reports(machine)) {
        const StepTime time = step_time(explanation.run, step);
        out << fmt::format(
            "{},{},{},{},{},{},{}\n", step.step + 1, step.transfers, step.flits,
            known_cycle(time.start), known_cycle(time.end), step.max_link_contention,
            step.busiest_link == kNoLink ? "" : machine.graph.link_name(step.busiest_link));
    }
}

/// Writes one row per message whose first flit entered the network. Cycles; `delivered` is empty if
/// that did not happen. `hops` are the links that its packets took, a mean if they took several
/// routes.
void write_messages_csv(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    const SimulationResult& result = explanation.run;
    const bool has_classes = machine.config.fabric.has_classes();
    const bool has_planes = machine.config.fabric.planes > 1;
    out << "message,source,destination,bytes,sent,injected,delivered,hops"
        << (has_classes ? ",class" : "") << (has_planes ? ",plane" : "") << '\n';
    for (const MessageLife& life : result.messages) {
        const std::uint64_t hops = life.link_grants / life.packets;
        const bool is_even = life.link_grants % life.packets == 0;
        const MessageId id = life.message.id;
        const std::uint64_t number = machine.program ? machine.program->number(id) : id;
        const std::string of_class =
            has_classes ? ',' + machine.config.fabric.classes[life.message.message_class] : "";
        const std::string of_plane =
            has_planes ? ',' + std::to_string(life.message.plane) : std::string();
        out << fmt::format("{},{},{},{},{},{},{},{}{}{}\n", number, life.message.source,
                           life.message.destination, life.message.bytes, life.sent, life.injected,
                           life.delivered ? std::to_string(*life.delivered) : "",
                           is_even ? std::to_string(hops)
                                   : fmt::format("{:.3f}", static_cast<double>(life.link_grants) /
                                                               static_cast<double>(life.packets)),
                           of_class, of_plane);
    }
}

void write_config(std::ostream& out, const Machine& machine, const Explanation&) {
    out << to_yaml(machine.config);
}

void write_energy(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    write_energy_csv(out, machine, explanation.run);
}

void write_summary(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    out << json_text(explained_run_json(machine, explanation)) << '\n';
}

bool has_operations(const Machine& machine) {
    return machine.program != nullptr && machine.program->operations != nullptr;
}

/// Patterns and traces have none.
bool has_steps(const Machine& machine) {
    return machine.program != nullptr && !has_operations(machine);
}

}  // namespace

const std::vector<RunFile>& run_files() {
    static const std::vector<RunFile> kFiles = {
        {"links.csv", "flits, busy and blocked cycles of every link", nullptr, write_links_csv},
        {"nodes.csv", "flits that every node put in and took out", nullptr, write_nodes_csv},
        {"steps.csv", "times of every step; not for patterns, kernels and traces in GOAL or Chakra",
         has_steps, write_steps_csv},
        {"ranks.csv",
         "what every rank of a trace in GOAL or Chakra, or of a kernel, did, and when it ended",
         has_operations, write_ranks_csv},
        {RunFile::kMessages, "times and hops of every message; with --messages", nullptr,
         write_messages_csv,
         RunFile::Request{&SimulationOptions::log_messages, &KeptSummary::may_have_messages}},
        {"energy.csv", "flits, packets and energy of every link; with --energy", nullptr,
         write_energy,
         RunFile::Request{&SimulationOptions::count_sendings, &KeptSummary::has_energy}},
        {RunFile::kConfig, "the resolved configuration", nullptr, write_config},
        {RunFile::kSummary, "the report", nullptr, write_summary},
    };
    return kFiles;
}

}  // namespace flitscope
