// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/run_files.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "testbench/configuration/configuration.h"
#include "testbench/report/report.h"

namespace flitscope {
namespace {

/// flits and busy_cycles are those of the run; utilization, measured flits and cycles those of
/// SimulationResult::window.
void write_links_csv(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    const Cycle cycles = result.window.length();
    out << "link,from,to,dimension,flits,busy_cycles,utilization,measured_flits,measured_cycles\n";
    for (LinkId id = 0; id < machine.graph.link_count(); ++id) {
        const Link& link = machine.graph.link(id);
        const std::uint64_t flits = result.channel_flits[id];  // one flit keeps a link one cycle
        const std::uint32_t dimension = machine.graph.dimension_number(link.dimension);
        const std::uint64_t measured = result.window_flits[id];
        fmt::print(out, "{},{},{},{},{},{},{:.6f},{},{}\n", machine.graph.link_name(id), link.from,
                   link.to, dimension == kNoDimension ? "" : std::to_string(dimension), flits,
                   flits,
                   static_cast<double>(measured) / static_cast<double>(std::max<Cycle>(cycles, 1)),
                   measured, cycles);
    }
}

/// One row per step.
void write_steps_csv(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    out << "step,transfers,flits,start,end,max_link_contention,busiest_link\n";
    for (const StepReport& step : step_reports(machine)) {
        const StepTime time =
            step.step < result.step_times.size() ? result.step_times[step.step] : StepTime{};
        const bool ran = time.start != kNever;
        fmt::print(out, "{},{},{},{},{},{},{}\n", step.step + 1, step.transfers, step.flits,
                   ran ? std::to_string(time.start) : "", ran ? std::to_string(time.end) : "",
                   step.max_link_contention,
                   step.busiest_link == kNoLink ? "" : machine.graph.link_name(step.busiest_link));
    }
}

void write_config(std::ostream& out, const Machine& machine, const SimulationResult&) {
    out << to_yaml(machine.config);
}

void write_summary(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    out << run_json(machine, result).dump(2) << '\n';
}

/// Patterns have no steps.
bool has_program(const Machine& machine) { return machine.program != nullptr; }

}  // namespace

const std::vector<RunFile>& run_files() {
    static const std::vector<RunFile> kFiles = {
        {"links.csv", "flits of every link", nullptr, write_links_csv},
        {"steps.csv", "times of every step; not for patterns", has_program, write_steps_csv},
        {"config.yaml", "the resolved configuration", nullptr, write_config},
        {"summary.json", "the report", nullptr, write_summary},
    };
    return kFiles;
}

}  // namespace flitscope
