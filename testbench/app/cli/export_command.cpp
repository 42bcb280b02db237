// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

#include "models/base/printable.h"
#include "models/base/shell_word.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/new_folder.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/cli/shared_options.h"
#include "testbench/app/export/replay.h"
#include "testbench/app/export/router_template.h"
#include "testbench/app/export/rtl_export.h"
#include "testbench/app/export/systemc_export.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/run/simulation.h"

namespace flitscope::cli {
namespace {

struct ExportOptions : Options {
    std::optional<std::string> rtl;  // folder for it
    std::optional<std::string> systemc;
    std::optional<std::string> router_template;  // name of its module
    std::string nodes = "flits";
    std::string reset = "sync";
    RtlExportOptions written;  // nodes and reset are not yet set
};

/// False: it was interrupted, and nothing is left.
bool write(NewFolder& folder, const std::vector<ExportedFile>& files) {
    for (const ExportedFile& file : files) {
        if (is_interrupted()) break;
        folder.write(file.path, file.text);
    }
    if (is_interrupted()) {
        std::cerr << "error: interrupted; nothing was written\n";
        return false;
    }
    folder.finish();
    return true;
}

/// What is wrong with a name in SystemVerilog, or a prefix of names; empty: nothing.
std::string wrong_name(const std::string& name) {
    const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
    const auto is_inner = [&](unsigned char c) { return is_letter(c) || std::isdigit(c) != 0; };
    constexpr std::size_t kMost = 64;
    if (!name.empty() && name.size() <= kMost && is_letter(static_cast<unsigned char>(name[0])) &&
        std::all_of(name.begin(), name.end(), is_inner)) {
        return {};
    }
    return "a name has at most 64 letters, digits and _, the first of them no digit, found '" +
           excerpt(name) + "'";
}

int export_rtl(const Machine& machine, const ExportOptions& options) {
    RtlExportOptions written = options.written;
    if (options.nodes == "stream") written.nodes = NodePins::kStreams;
    if (options.nodes == "axi") written.nodes = NodePins::kAxi;
    written.has_asynchronous_reset = options.reset == "async";
    if (written.has_structs && written.nodes == NodePins::kFlits) {
        throw ConfigError({"--structs", 0, 0}, "flits and credits have no requests and responses",
                          "add --nodes stream or --nodes axi");
    }
    require_rtl(machine, written.nodes);
    watch_for_interrupts();
    NewFolder folder("--rtl", *options.rtl);
    Replay replay;
    std::string bench = "random reads and writes";
    if (needs_replay(written.nodes)) {
        ProgressLine progress(shows_progress(options));
        SimulationOptions simulation;
        simulation.keep_modules = true;  // this process runs once
        simulation.on_progress = show_until_interrupted(progress);
        const SimulationResult result = record_replay(machine, simulation, replay);
        progress.clear();
        if (result.verdict != Verdict::kComplete) return judge(result, true);
        bench = fmt::format("{} packets, {} flits in total, in {} cycles", replay.packets,
                            replay.injected.size(), result.cycles);
    } else {
        require_deadlock_freedom(machine);
    }
    if (!write(folder, rtl_files(machine, written, replay))) return kExitInterrupted;
    std::cout << fmt::format(
        "{0}: {1} routers, {2} links, and a test bench with {3}\n"
        "how to lint, simulate and synthesize it: {0}/README.md\n",
        *options.rtl, machine.graph.router_count(), machine.graph.link_count(), bench);
    // Not in the folder, which depends only on the configuration.
    if (const auto cost = slower_router(machine)) {
        std::cout << fmt::format("! clock: {}; fabric.sdc sets it nevertheless\n",
                                 short_clock_text(machine, *cost));
    }
    return kExitOk;
}

int export_systemc(const Machine& machine, const ExportOptions& options) {
    require_deadlock_freedom(machine);
    watch_for_interrupts();
    NewFolder folder("--systemc", *options.systemc);
    if (!write(folder, systemc_files(machine, version()))) return kExitInterrupted;
    std::cout << fmt::format(
        "{0}: {1} with {2}, as the program {3}\n"
        "needs flitscope installed: cmake --install BUILD --prefix PREFIX (BUILD: where it was "
        "built)\n"
        "build and run it: cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH=PREFIX && "
        "cmake --build {0}/build && {0}/build/{3}\n"
        "(without -DCMAKE_PREFIX_PATH if installed in /usr or /usr/local)\n",
        typed_word(*options.systemc), machine.graph.description(), machine.traffic_name(),
        program_name(machine.config));
    return kExitOk;
}

int export_command(const ExportOptions& options) {
    if (!options.rtl && !options.systemc && !options.router_template) {
        throw ConfigError({"export", 0, 0}, "no output is selected",
                          "--systemc DIR for a C++ program, --rtl DIR for SystemVerilog");
    }
    const Machine machine = load_machine(options);
    if (options.router_template) {
        std::cout << router_template(machine, *options.router_template);
        return kExitOk;
    }
    if (options.nodes != "axi") require_traffic(machine);
    return options.systemc ? export_systemc(machine, options) : export_rtl(machine, options);
}

}  // namespace

Command add_export(CLI::App& app) {
    const auto given = std::make_shared<ExportOptions>();
    ExportOptions& options = *given;
    CLI::App* const command = app.add_subcommand(
        "export", "Write the fabric as synthesizable SystemVerilog, or as a SystemC program");
    add_config(*command, options);
    CLI::Option* const systemc =
        command->add_option("--systemc", options.systemc,
                            "Write a C++ program for the installed library into this folder, "
                            "which\nmust be new or empty");
    systemc->type_name("DIR");
    command
        ->add_option("--rtl", options.rtl, "Write SystemVerilog with a test bench into this folder")
        ->type_name("DIR")
        ->excludes(systemc);
    CLI::Option* const rtl = command->get_option("--rtl");
    command
        ->add_option("--router-template", options.router_template,
                     "Print a module of this name with the pins that fabric.router says, for a "
                     "router of\nyour own (hw/rtl/README.md)")
        ->type_name("MODULE")
        ->excludes(systemc)
        ->excludes(rtl)
        ->check(CLI::Validator(wrong_name, "", "name"));
    command
        ->add_option("--nodes", options.nodes,
                     "What the nodes of --rtl see: flits (flits and credits, as at a router), "
                     "stream\n(messages with valid and ready, through network interfaces), or axi "
                     "(AXI4, at the\ninitiators and targets of the section interconnect)")
        ->type_name("PINS")
        ->needs(rtl)
        ->check(CLI::IsMember({"flits", "stream", "axi"}));
    command
        ->add_flag(
            "--structs", options.written.has_structs,
            "Write another top beside that of --nodes stream or axi, with packed structs for "
            "the\nrequests and responses of every port")
        ->needs(rtl);
    command
        ->add_option("--prefix", options.written.prefix,
                     "Put this before the names of all modules and packages of --rtl, and of their "
                     "files,\nso that a design can have several fabrics")
        ->type_name("NAME_")
        ->needs(rtl)
        ->check(CLI::Validator(wrong_name, "", "prefix"));
    command
        ->add_option("--reset", options.reset,
                     "Registers of --rtl are reset with the clock (sync), or at once, with the end "
                     "of the\nreset synchronized (async)")
        ->type_name("KIND")
        ->needs(rtl)
        ->check(CLI::IsMember({"sync", "async"}));
    command
        ->add_option("--io-budget", options.written.io_share,
                     "Share of a clock period that signals at the pins take outside, in the "
                     "constraints of\n--rtl")
        ->type_name("SHARE")
        ->needs(rtl)
        ->check(number_within(0.0, 1.0));
    add_progress(*command, options);
    command->footer(
        "The test bench replays the traffic and checks the cycle of every flit against the\n"
        "simulator's; README.md in the folder says how to run it (testbench/app/export). The "
        "program\nplays the same traffic in the same cycles; it is a starting point for your own\n"
        "(testbench/examples).");
    return make_command(command, given, export_command);
}

}  // namespace flitscope::cli
