// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/cli/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "models/base/printable.h"
#include "testbench/build/machine.h"
#include "testbench/cli/interrupts.h"
#include "testbench/cli/output_folder.h"
#include "testbench/cli/progress_line.h"
#include "testbench/cli/topology_files.h"
#include "testbench/compare/cosim.h"
#include "testbench/compare/verify.h"
#include "testbench/configuration/configuration.h"
#include "testbench/configuration/machine_presets.h"
#include "testbench/energy/run_energy.h"
#include "testbench/explain/explanation.h"
#include "testbench/report/report.h"
#include "testbench/report/run_files.h"
#include "testbench/run/engines.h"
#include "testbench/run/fresh_kernel.h"
#include "testbench/run/simulation.h"
#include "testbench/synth/router_of.h"
#include "traffic/program/program_file.h"

namespace flitscope::cli {
namespace {

Machine load_machine(const Options& options) { return build_machine(load_clocked_config(options)); }

std::vector<std::string> run_file_names() {
    std::vector<std::string> names;
    for (const RunFile& file : run_files()) names.push_back(file.name);
    return names;
}

/// The resolved configuration names files by their whole paths, in which there may be anything.
void require_nameable_files(const Machine& machine) {
    std::istringstream lines(to_yaml(machine.config));
    for (std::string line; std::getline(lines, line);) {
        if (is_utf8(line)) continue;
        throw ConfigError({"--out", 0, 0},
                          "config.yaml would name a file that has no name in UTF-8, and could not "
                          "be read back:" +
                              line,
                          "rename the file or its folder, or leave out --out");
    }
}

/// Says so where threads were asked for and none but ours could do anything.
void note_unused_threads(const Options& options, const SimulationResult& run) {
    if (options.threads == 1 || run.parts > 1) return;
    std::cerr << "note: one thread simulated this run and not " << options.threads << ": "
              << (find_engine(run.engine) == &reference_engine()
                      ? "the network is too small, or cannot be split (hw/README.md, \"Threads\")"
                      : "only the cycle engine has several (--engine cycle)")
              << '\n';
}

/// `explanation` has nothing but the run unless one is asked for.
int report(const Options& options, const Machine& machine, const SimulationOptions& simulation,
           const Explanation& explanation, OutputFolder& out) {
    const SimulationResult& result = explanation.run;
    if (out.used()) {
        for (const RunFile& file : run_files()) {
            if (!file.is_of(machine) || !file.is_asked_for(simulation)) continue;
            out.write(file.name,
                      [&](std::ostream& stream) { file.write(stream, machine, explanation); });
        }
        out.publish();
    }
    if (options.explain) {
        tell(options, explained_run_json, print_explained_run, machine, explanation);
    } else {
        tell(options, run_json, print_run, machine, result);
    }
    return judge(result, options.json);  // the summary for people has said it
}

}  // namespace

int exit_code(Verdict verdict) {
    switch (verdict) {
        case Verdict::kComplete:
            return kExitOk;
        case Verdict::kFailed:
            return kExitFailed;
        case Verdict::kDeadlock:
        case Verdict::kTimeout:
            return kExitDeadlock;
        case Verdict::kInterrupted:
            return kExitInterrupted;
    }
    return kExitFailed;
}

int judge(const SimulationResult& run, bool tells_problems) {
    if (run.verdict != Verdict::kComplete) {
        std::cout.flush();
        std::cerr << "error: " << verdict_name(run.verdict) << '\n';
        if (tells_problems) {
            for (const std::string& text : run.problems) std::cerr << "  " << text << '\n';
        }
    }
    return exit_code(run.verdict);
}

Explanation run_machine(const Machine& machine, const std::string& engine,
                        const SimulationOptions& simulation, bool is_explained) {
    if (is_explained) return explain(machine, engine, simulation);
    Explanation explanation;
    explanation.run = simulate(machine, engine, simulation);
    return explanation;
}

std::vector<double> read_numbers(const std::string& place, const std::string& list,
                                 const std::string& what, bool (*fits)(double),
                                 const std::string& remedy) {
    std::vector<double> numbers;
    std::vector<Diagnostic> findings;
    std::size_t from = 0;
    while (from <= list.size()) {
        const std::size_t until = std::min(list.find(',', from), list.size());
        const std::string word = list.substr(from, until - from);
        from = until + 1;
        char* end = nullptr;
        const double number = std::strtod(word.c_str(), &end);
        if (!word.empty() && *end == '\0' && fits(number)) {
            numbers.push_back(number);
        } else {
            findings.push_back({{place, 0, 0}, fmt::format("'{}' is no {}", word, what), remedy});
        }
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

unsigned processes(const Options& options) {
    return options.jobs != 0 ? options.jobs : std::max(std::thread::hardware_concurrency(), 1U);
}

Config load_clocked_config(const Options& options) {
    Config config = load_config(options.config, options.overrides);
    resolve_synthesized(config);
    return config;
}

int run_command(const Options& options) {
    const Machine machine = load_machine(options);
    options.explain ? require_program(machine) : require_traffic(machine);
    if (options.energy) require_router_energy(machine);
    OutputFolder out(options.out, run_file_names());
    if (out.used()) require_nameable_files(machine);
    ProgressLine progress(options.progress || isatty(STDERR_FILENO) != 0);
    watch_for_interrupts();
    SimulationOptions simulation;
    simulation.trace_path = options.trace;
    simulation.count_blocked = out.used();
    simulation.log_messages = options.messages;
    simulation.count_sendings = options.energy;
    simulation.keep_modules = true;  // this process runs once
    simulation.threads = options.threads;
    simulation.on_progress = show_until_interrupted(progress);
    const Explanation explanation =
        run_machine(machine, options.engine, simulation, options.explain);
    progress.clear();
    note_unused_threads(options, explanation.run);
    return report(options, machine, simulation, explanation, out);
}

int cosim_command(const Options& options) {
    const Machine machine = build_machine(cosim_config(load_clocked_config(options)));
    require_traffic(machine);
    ProgressLine progress(options.progress || isatty(STDERR_FILENO) != 0);
    watch_for_interrupts();
    CosimOptions cosim;
    cosim.on_progress = show_until_interrupted(progress);
    CosimResult result;
    {
        const FreshKernel kernel;
        result = cosimulate(machine, cosim);
    }
    progress.clear();
    tell(options, cosim_json, print_cosim, machine, result);
    std::cout.flush();
    if (result.difference) {
        std::cerr << "error: the RTL does not do what the SystemC router does\n";
        if (!options.trace.empty()) {
            for (const std::string& file :
                 trace_difference(machine, *result.difference, options.trace)) {
                std::cerr << "  waveform: " << file << '\n';
            }
        }
        return kExitFailed;
    }
    if (result.interrupted()) std::cerr << "error: interrupted\n";
    return exit_code(result.systemc.verdict);
}

int verify_command(const Options& options) {
    const Machine machine = load_machine(options);
    require_traffic(machine);
    ProgressLine progress(options.progress || isatty(STDERR_FILENO) != 0);
    watch_for_interrupts();
    VerifyOptions verification;
    verification.on_progress = show_until_interrupted(progress);
    const VerifyResult result = verify(machine, verification);
    progress.clear();
    tell(options, verify_json, print_verify, machine, result);
    std::cout.flush();
    if (result.interrupted) {
        std::cerr << "error: interrupted\n";
        return kExitInterrupted;
    }
    if (result.difference) {
        std::cerr << "error: the engines differ\n";
        return kExitFailed;
    }
    const Verdict verdict = result.reference().verdict;
    if (verdict != Verdict::kComplete) std::cerr << "error: " << verdict_name(verdict) << '\n';
    return exit_code(verdict);
}

int check_command(const Options& options) {
    const Machine machine = load_machine(options);
    require_runnable(machine);
    tell(options, check_json, print_check, machine);
    std::cout.flush();
    require_deadlock_freedom(machine);
    return kExitOk;
}

int topology_command(const Options& options) {
    const Machine machine = load_machine(options);
    if (!options.export_to.empty()) export_topology(machine.graph, options.export_to);
    if (!options.draw_to.empty()) draw_topology(machine.graph, options.draw_to);
    tell(options, topology_json, print_topology, machine);
    return kExitOk;
}

int schedule_command(const Options& options) {
    const Machine machine = load_machine(options);
    require_traffic(machine);
    if (!machine.program) {
        throw ConfigError(machine.config.where("traffic.pattern"),
                          "a pattern is drawn at random and has no schedule",
                          "set traffic.schedule or traffic.program");
    }
    if (machine.program->operations != nullptr) {
        throw ConfigError(
            machine.config.where("traffic"),
            machine.traffic_name() + " has no steps: its operations say what is sent when",
            "flitscope check counts them");
    }
    if (options.csv) {
        write_program(*machine.program, std::cout, ProgramFormat::kCsv);
    } else {
        tell(options, schedule_json, print_schedule, machine);
    }
    return kExitOk;
}

int machines_command() {
    std::cout << preset_reference();
    return kExitOk;
}

int keys_command() {
    std::cout << config_reference();
    return kExitOk;
}

}  // namespace flitscope::cli
