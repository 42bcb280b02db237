// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands that describe a machine without a run.
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/topology_files.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/gate_synthesis/router_of.h"
#include "testbench/app/report/report.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/study/appraisal.h"
#include "tlm/addresses/response_cycle.h"
#include "traffic/program/program_file.h"

namespace flitscope::cli {
namespace {

struct TopologyOptions : Options {
    std::string graph_file;  // to write
    std::string picture;     // to draw
};

int check_command(const Options& options) {
    Config config = load_config(options.config, options.overrides);
    // Most of what is checked does not depend on the clock.
    const auto missing = try_resolve_synthesized(config);
    if (missing && study::needs_router_figures(config)) throw ConfigError({*missing});
    const Machine machine = build_machine(std::move(config));
    require_runnable(machine);
    tell(options, check_json, print_check, machine);
    std::cout.flush();
    require_deadlock_freedom(machine);
    if (machine.config.interconnect) {
        require_responses(machine.config, machine.graph, machine.response_cycle);
    }
    return kExitOk;
}

int topology_command(const TopologyOptions& options) {
    Config config = load_clocked_config(options);
    config.traffic = {};  // which need not fit the network that is described
    const Machine machine = build_machine(std::move(config));
    if (!options.graph_file.empty()) export_topology(machine.graph, options.graph_file);
    if (!options.picture.empty()) draw_topology(machine.graph, options.picture);
    tell(options, topology_json, print_topology, machine);
    return kExitOk;
}

int schedule_command(const Options& options) {
    const Machine machine = load_machine(options);
    require_traffic(machine);
    if (!machine.program) {
        throw ConfigError(machine.config.where("traffic.pattern"),
                          "a pattern is random and has no schedule",
                          "set traffic.schedule or traffic.program");
    }
    if (machine.program->operations != nullptr) {
        throw ConfigError(
            machine.config.where("traffic"),
            machine.traffic_name() + " has no steps: its operations determine what is sent when",
            "flitscope check counts them");
    }
    if (options.csv) {
        write_program(*machine.program, std::cout, ProgramFormat::kCsv);
    } else {
        tell(options, schedule_json, print_schedule, machine);
    }
    return kExitOk;
}

}  // namespace

Command add_check(CLI::App& app) {
    const auto given = std::make_shared<Options>();
    Options& options = *given;
    CLI::App* const command = app.add_subcommand(
        "check", "Validate a configuration, check for deadlock, check the schedule; no simulation");
    add_config(*command, options);
    add_no_verilate(*command, options);
    add_json(*command, options);
    return make_command(command, given, check_command);
}

Command add_topology(CLI::App& app) {
    const auto given = std::make_shared<TopologyOptions>();
    TopologyOptions& options = *given;
    CLI::App* const command = app.add_subcommand("topology", "Print the metrics of the topology");
    add_config(*command, options);
    add_technology(*command, options);
    add_json(*command, options);
    command
        ->add_option("--export", options.graph_file,
                     "Write the graph; .yaml is a graph file for the topology kind custom")
        ->type_name("FILE.yaml|FILE.dot|FILE.json");
    command->add_option("--draw", options.picture, "Draw the graph, with Graphviz")
        ->type_name("FILE.svg|FILE.png");
    return make_command(command, given, topology_command);
}

Command add_schedule(CLI::App& app) {
    const auto given = std::make_shared<Options>();
    Options& options = *given;
    CLI::App* const command = app.add_subcommand(
        "schedule", "Print the program: steps, transfers, contention per step, lower bounds");
    add_config(*command, options);
    add_json(*command, options);
    command->add_flag("--csv", options.csv, "Print a program file that traffic.program reads")
        ->excludes("--json");
    return make_command(command, given, schedule_command);
}

}  // namespace flitscope::cli
