// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/file_text.h"
#include "models/base/input_file.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/explainable.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/output_folder.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/energy/run_energy.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/report/kept_summary.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/run_files.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/simulation.h"

namespace flitscope::cli {
namespace {

struct RunOptions : Options {
    std::string out;        // folder; empty: none
    bool messages = false;  // next to the other files there
    bool energy = false;
    bool explain = false;  // why it took so long
    std::uint32_t threads = 1;
};

std::vector<std::string> run_file_names() {
    std::vector<std::string> names;
    for (const RunFile& file : run_files()) names.push_back(file.name);
    return names;
}

/// Throws ConfigError if the waveform would have the name of a file of the run in `out`.
void require_trace_apart(const RunOptions& options, const OutputFolder& out) {
    if (!out.used() || options.trace.empty()) return;
    for (const std::string& name : run_file_names()) {
        if (!lead_to_one_file(options.trace, out.file(name))) continue;
        throw ConfigError({"--trace " + options.trace, 0, 0},
                          fmt::format("{} is a file that --out writes", name),
                          "choose another name");
    }
}

/// Reports threads that were requested but not used.
void note_unused_threads(const RunOptions& options, const SimulationResult& run) {
    if (options.threads == 1 || run.parts > 1) return;
    std::cerr << "note: this run was simulated by one thread, not " << options.threads << ": "
              << (find_engine(run.engine) == &reference_engine()
                      ? "the network is too small, or cannot be split (hw/README.md, \"Threads\")"
                      : "only the cycle engine has several (--engine cycle)")
              << '\n';
}

/// A window after the end of the run gives a waveform in which nothing happens.
void note_empty_trace(const RunOptions& options, const Machine& machine,
                      const SimulationResult& run) {
    const Cycle from = machine.config.trace.from;
    if (options.trace.empty() || from < run.simulated_cycles) return;
    std::cerr << "note: the waveform shows nothing: it begins at waveform.from = " << from
              << ", and the run ended in cycle " << run.simulated_cycles << '\n';
}

/// The files that the previous run lists as its own in the folder and that this run does not have.
/// Files that it does not list may be anyone's.
std::vector<std::string> outdated_files(const OutputFolder& out,
                                        const std::vector<std::string>& files) {
    const auto text = file_text(out.file(RunFile::kSummary));
    const std::optional<KeptSummary> before = text ? parse_summary(*text) : std::nullopt;
    if (!before) return {};
    std::vector<std::string> outdated;
    for (const std::string& name : run_file_names()) {
        const bool is_ours = std::find(files.begin(), files.end(), name) != files.end();
        if (before->lists(name) && !is_ours) outdated.push_back(name);
    }
    return outdated;
}

/// `explanation` has nothing but the run unless one is asked for.
int report(const RunOptions& options, const Machine& machine, const SimulationOptions& simulation,
           Explanation explanation, OutputFolder& out) {
    if (out.used()) {
        std::vector<const RunFile*> files;
        for (const RunFile& file : run_files()) {
            if (!file.is_of(machine) || !file.is_asked_for(simulation)) continue;
            files.push_back(&file);
            explanation.files.push_back(file.name);
        }
        for (const RunFile* const file : files) {
            out.write(file->name,
                      [&](std::ostream& stream) { file->write(stream, machine, explanation); });
        }
        out.publish([&] { return outdated_files(out, explanation.files); });
    }
    const auto print = [&options](std::ostream& stream, const Machine& of, const Explanation& run) {
        options.explain ? print_explained_run(stream, of, run) : print_run(stream, of, run.run);
    };
    tell(options, explained_run_json, print, machine, explanation);
    return judge(explanation.run, options.json);  // the summary for people has said it
}

int run_command(const RunOptions& options) {
    const Machine machine = load_machine(options);
    options.explain ? require_program(machine) : require_traffic(machine);
    if (options.energy) require_router_energy(machine);
    OutputFolder out(options.out, run_file_names());
    if (out.used()) require_nameable_files(machine.config, "--out");
    require_trace_apart(options, out);
    ProgressLine progress(shows_progress(options));
    watch_for_interrupts();
    SimulationOptions simulation;
    simulation.trace_path = options.trace;
    simulation.count_blocked = out.used();
    simulation.log_messages = options.messages;
    simulation.count_sendings = options.energy;
    simulation.keep_modules = true;  // this process runs once
    simulation.threads = options.threads;
    simulation.on_progress = show_until_interrupted(progress);
    Explanation explanation = run_machine(machine, options.engine, simulation, options.explain);
    progress.clear();
    note_unused_threads(options, explanation.run);
    note_empty_trace(options, machine, explanation.run);
    return report(options, machine, simulation, std::move(explanation), out);
}

std::string run_files_help() {
    std::string text = "Write into this folder";
    for (const RunFile& file : run_files()) {
        text += fmt::format("\n{}: {}", file.name, file.content);
    }
    return text;
}

}  // namespace

Command add_run(CLI::App& app) {
    const auto given = std::make_shared<RunOptions>();
    RunOptions& options = *given;
    CLI::App* const command =
        app.add_subcommand("run", "Simulate a configuration and check the result");
    add_config(*command, options);
    add_technology(*command, options);
    add_engine(*command, options);
    command
        ->add_option("--trace", options.trace,
                     "Write link occupancy as a waveform, with a save file for GTKWave next to it, "
                     "or\nfor Perfetto; with --explain the critical path is marked in it" +
                         trace_formats_help())
        ->type_name(trace_type());
    CLI::Option* const out =
        command->add_option("--out", options.out, run_files_help())->type_name("DIR");
    command
        ->add_option("--threads", options.threads,
                     "Run the cycle engine with N threads, each with at least 128 nodes (32 "
                     "verilated\nrouters); results are identical byte for byte; N processors "
                     "should be idle\notherwise")
        ->check(CLI::Range(1U, 256U))
        ->type_name("N")
        ->capture_default_str();
    command->add_flag("--messages", options.messages, "Also write messages.csv")->needs(out);
    command->add_flag("--energy", options.energy,
                      "Report the energy of the run, from the results of flitscope synth "
                      "--energy;\nwith --out also write energy.csv");
    command->add_flag("--explain", options.explain,
                      "Add a one-line summary of the critical path (details: flitscope explain)");
    add_json(*command, options, "the summary");
    add_progress(*command, options);
    return make_command(command, given, run_command);
}

}  // namespace flitscope::cli
