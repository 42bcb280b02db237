// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The flitscope program: parses the command line and turns outcomes into exit codes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/memory.h"
#include "models/base/printable.h"
#include "models/fabric/model_version.h"
#include "models/topology/families/topologies.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/self_description.h"
#include "testbench/report/report.h"
#include "testbench/report/run_files.h"
#include "testbench/reproduce/frame/paper.h"
#include "testbench/reproduce/papers.h"
#include "testbench/run/engines.h"
#include "testbench/verilate/router_maker.h"
#include "traffic/synthesis/collective.h"
#include "traffic/synthesis/synthesizer.h"
#include "waveforms/formats.h"

namespace {

using namespace flitscope;
using namespace flitscope::cli;

constexpr const char* kDescription =
    "Hardware-level models of interconnection networks: simulate, check and inspect.";
constexpr const char* kFooter =
    "Exit codes: 0 all well; 1 a check of the run failed (lost or damaged data, broken\n"
    "invariant); 2 bad configuration or usage; 3 deadlock or time-out; 130 interrupted.\n"
    "Messages and progress go to standard error, results to standard output.";

void add_overrides(CLI::App& command, Options& options) {
    command
        .add_option("--set", options.overrides,
                    "Override a key, e.g. --set fabric.buffer_depth=4; may be repeated")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->expected(1);
}

void add_config(CLI::App& command, Options& options) {
    command.add_option("config", options.config, "Configuration file (YAML)")
        ->required()
        ->type_name("CONFIG.yaml");
    add_overrides(command, options);
}

/// What can be asked for with --engine, and what each is.
std::string engine_help() {
    std::string text = "Which model simulates";
    for (const Engine& engine : engines()) {
        text += fmt::format("\n{}: {}", engine.name, engine.summary);
    }
    return text + fmt::format("\n{}: another than {} where it is exact and gains something",
                              kAutoEngine, reference_engine().name);
}

void add_offline(CLI::App& command, Options& options) {
    command.add_flag("--offline", options.offline,
                     "Refuse what would take a router that has to be verilated first");
}

void add_engine(CLI::App& command, Options& options) {
    add_offline(command, options);
    command.add_option("--engine", options.engine, engine_help())
        ->check(CLI::IsMember(engine_requests()))
        ->type_name("ENGINE")
        ->capture_default_str();
}

void add_jobs(CLI::App& command, Options& options, const std::string& what) {
    command
        .add_option("--jobs", options.jobs,
                    what + " at a time (default: as many as there are processors)")
        ->check(CLI::Range(1U, 1024U))
        ->type_name("N");
}

/// The names of a table, and what each of its entries says of itself.
template <class Entries>
std::vector<std::string> names_in(const Entries& entries) {
    std::vector<std::string> names;
    for (const auto& entry : entries) names.emplace_back(entry.name);
    return names;
}
template <class Entries>
std::string summaries_in(const Entries& entries) {
    std::string text;
    for (const auto& entry : entries) text += fmt::format("\n{}: {}", entry.name, entry.summary);
    return text;
}

void add_plot(CLI::App& command, Options& options, const std::string& what) {
    command
        .add_option("--plot", options.plot,
                    "Draw " + what + " with gnuplot; its data go into a .csv file beside it")
        ->type_name("FILE.svg");
}

void add_load_options(CLI::App& command, Options& options) {
    add_engine(command, options);
    add_jobs(command, options, "Runs");
}

/// "FILE.vcd|FILE.fst"
std::string trace_type() {
    std::vector<std::string> names;
    for (const WaveformFormat& format : waveform_formats()) {
        names.push_back("FILE" + format.extension);
    }
    return fmt::format("{}", fmt::join(names, "|"));
}

std::string trace_formats_help() {
    std::string text;
    for (const WaveformFormat& format : waveform_formats()) {
        text += fmt::format("\n{}: {}", format.extension, format.summary);
    }
    return text;
}

std::string run_files_help() {
    std::string text = "Write into this folder";
    for (const RunFile& file : run_files()) {
        text += fmt::format("\n{}: {}", file.name, file.content);
    }
    return text;
}

/// The command of this name, or nullptr.
const CLI::App* find_command(const CLI::App& app, const std::string& name) {
    for (const CLI::App* command : app.get_subcommands({})) {
        if (command->get_name() == name) return command;
    }
    return nullptr;
}

int unknown_command(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    const std::string near = nearest(word, names);
    std::cerr << fmt::format(
        "error: unknown command '{}' ({}commands: {}; see flitscope --help)\n", printable(word),
        near.empty() ? "" : fmt::format("did you mean '{}'? ", near), fmt::join(names, ", "));
    return kExitUsage;
}

/// What the command does not know, in the order given: options first of all, since what follows one
/// may be its value. Empty where the parser has to tell.
std::vector<std::string> unknown_options(const CLI::App& command, int argc, char** argv,
                                         int first) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    std::vector<std::string> unknown;
    for (int i = first; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--") break;
        if (word.size() < 2 || word.front() != '-') continue;
        const std::string name = word.substr(0, word.find('='));
        const CLI::Option* option = command.get_option_no_throw(name);
        if (option == nullptr) {
            const std::string near = nearest(name, names);
            unknown.push_back(
                near.empty() ? fmt::format("unknown option '{}'", name)
                             : fmt::format("unknown option '{}' (did you mean '{}'?)", name, near));
        } else if (option == command.get_help_ptr()) {
            return {};
        } else if (name == word && option->get_items_expected_min() > 0) {
            ++i;  // its value
        }
    }
    return unknown;
}

int usage_error(const CLI::App& command, const std::vector<std::string>& errors) {
    for (const std::string& error : errors) std::cerr << "error: " << printable(error) << '\n';
    const bool is_program = command.get_parent() == nullptr;
    std::cerr << fmt::format("Run flitscope {}--help for what there is.\n",
                             is_program ? "" : command.get_name() + ' ');
    return kExitUsage;
}

/// Words beyond those that the command takes, in the order given.
int surplus_words(const CLI::App& command) {
    std::vector<std::string> errors;
    for (const std::string& word : command.remaining()) {
        errors.push_back(fmt::format("unexpected '{}'", word));
    }
    return usage_error(command, errors);
}

/// What a shell takes for the same command.
std::string command_line(int argc, char** argv) {
    std::string line = "flitscope";
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool is_plain = !word.empty() && word.find_first_not_of(
                                                   "abcdefghijklmnopqrstuvwxyz"
                                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                                   "_-+./,:=@%") == std::string::npos;
        line += ' ';
        if (is_plain) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

int run_program(int argc, char** argv) {
    CLI::App app(kDescription, "flitscope");
    app.footer(kFooter);
    app.set_version_flag("--version",
                         fmt::format("flitscope {}, model {}", version(), kModelVersion));
    app.require_subcommand(1);
    app.failure_message([](const CLI::App*, const CLI::Error& e) {
        return "error: " + printable(e.what(), true) +
               "\nRun flitscope --help, or flitscope COMMAND --help, for what there is.\n";
    });
    Options options;
    options.command = command_line(argc, argv);

    CLI::App* run = app.add_subcommand("run", "Simulate a configuration and judge the outcome");
    add_config(*run, options);
    add_engine(*run, options);
    run->add_option(
           "--trace", options.trace,
           "Write link occupancy as a waveform, with what GTKWave needs to show it beside\n"
           "it, or for Perfetto; with --explain the critical path is marked in it" +
               trace_formats_help())
        ->type_name(trace_type());
    CLI::Option* const out =
        run->add_option("--out", options.out, run_files_help())->type_name("DIR");
    run->add_option(
           "--threads", options.threads,
           "Evaluate verilated routers, where there are 64 and more, in so many threads;\n"
           "the results are the same, and so many processors should have nothing else to do")
        ->check(CLI::Range(1U, 256U))
        ->type_name("N")
        ->capture_default_str();
    run->add_flag("--messages", options.messages, "Write messages.csv as well")->needs(out);
    run->add_flag(
        "--energy", options.energy,
        "Say what energy it took, by what flitscope synth --energy has found; with --out\n"
        "energy.csv as well");
    run->add_flag("--explain", options.explain,
                  "Say why it took so long, in a line; flitscope explain says more");
    run->add_flag("--json", options.json, "Print one JSON object instead of the summary");
    run->add_flag("--progress", options.progress,
                  "Show progress on standard error (the default on a terminal)");

    CLI::App* explain = app.add_subcommand(
        "explain",
        "Say why a program takes as long as it does: a cause for every cycle; of a pattern,\n"
        "where its packets spend theirs");
    add_config(*explain, options);
    add_engine(*explain, options);
    explain
        ->add_option("--verify", options.verify,
                     "Try the N changes that promise most, and tell what each gains")
        ->type_name("N");
    explain->add_flag("--json", options.json, "Print one JSON object instead of the summary");
    CLI::Option* const path_csv =
        explain->add_flag("--csv", options.csv, "Print the critical path as CSV, a row per segment")
            ->excludes("--json");
    explain
        ->add_flag("--slack", options.slack,
                   "Print as CSV by how many cycles each step of each node can be later")
        ->excludes("--json")
        ->excludes(path_csv);
    explain->add_flag("--progress", options.progress,
                      "Show progress on standard error (the default on a terminal)");
    explain->footer(
        "The critical path leads from the last delivery back to the begin; each of its cycles has\n"
        "one cause (testbench/explain). All engines have the same one. --verify and --slack are "
        "for\n"
        "programs; of a pattern --csv prints the cycles of all packets by channel and cause.");

    CLI::App* report = app.add_subcommand(
        "report",
        "Write a page that shows a run or a study: one HTML file, for any browser, offline");
    report
        ->add_option(
            "what", options.configs,
            "A configuration, which is run; the folder of a run (run --out), which is run\n"
            "again; or the database of a study (explore --db). Two runs, or two studies,\n"
            "are shown side by side")
        ->required()
        ->expected(1, 2)
        ->type_name("CONFIG.yaml|DIR|FILE.db...");
    add_overrides(*report, options);
    add_engine(*report, options);
    report->add_option("-o,--output", options.report_to, "The page to write")
        ->required()
        ->type_name("FILE.html");
    report->add_option("--study", options.study, "A study of the database (default: the latest)")
        ->type_name("NAME");
    report->add_flag("--progress", options.progress,
                     "Show progress on standard error (the default on a terminal)");
    report->footer(
        "Of a run: every link over time, who was on it, steps, messages, latencies, and the "
        "critical\n"
        "path of a program. Of a study: its designs, the front, from each to its configuration\n"
        "(testbench/report/page).");

    CLI::App* cosim = app.add_subcommand(
        "cosim", "Compare RTL routers with SystemC ones in lock step, every channel and cycle");
    add_config(*cosim, options);
    add_offline(*cosim, options);
    cosim
        ->add_option("--trace", options.trace,
                     "If they differ, write waveforms of the cycles around the first difference:\n"
                     "FILE.systemc.vcd and FILE.rtl.vcd")
        ->type_name(trace_type());
    cosim->add_flag("--json", options.json, "Print one JSON object instead of the summary");
    cosim->add_flag("--progress", options.progress,
                    "Show progress on standard error (the default on a terminal)");
    cosim->footer("Without an RTL router in the configuration, all are compared.");

    CLI::App* verify = app.add_subcommand(
        "verify", "Run all engines on a configuration and compare every packet and channel");
    add_config(*verify, options);
    add_offline(*verify, options);
    verify->add_flag("--json", options.json, "Print one JSON object instead of the summary");
    verify->add_flag("--progress", options.progress,
                     "Show progress on standard error (the default on a terminal)");
    verify->footer(
        "The cycle engine is the reference. RTL routers are compared with SystemC ones here at\n"
        "the channels, by flitscope cosim in every cycle. An engine that cannot be exact is left\n"
        "out, and the reason told; where none is left the configuration is refused. Seconds\n"
        "include the recording of what is compared.");

    CLI::App* check = app.add_subcommand(
        "check", "Validate a configuration, check for deadlock, check the schedule; no simulation");
    add_config(*check, options);
    add_offline(*check, options);

    CLI::App* topology = app.add_subcommand("topology", "Print the figures of the wiring");
    add_config(*topology, options);
    topology->add_flag("--json", options.json, "Print one JSON object");
    topology
        ->add_option("--export", options.export_to,
                     "Write the graph; .yaml is a graph file for the topology kind custom")
        ->type_name("FILE.yaml|FILE.dot|FILE.json");
    topology->add_option("--draw", options.draw_to, "Draw the graph, with Graphviz")
        ->type_name("FILE.svg|FILE.png");

    CLI::App* compare = app.add_subcommand(
        "compare", "Compare networks side by side: distance, bisection, wire, layout, routers");
    CLI::Option* configs =
        compare->add_option("configs", options.configs, "Configuration files (YAML)")
            ->type_name("CONFIG.yaml...");
    compare
        ->add_option(
            "--nodes", options.nodes,
            "Compare the usual networks of so many nodes: those of mesh, torus, hypercube,\n"
            "ghc, how and express mesh that exist for this number")
        ->check(CLI::Range(2U, kMaxNodes))
        ->type_name("N")
        ->excludes(configs);
    add_overrides(*compare, options);
    compare->add_flag("--json", options.json, "Print one JSON object instead of the table");
    compare->add_flag("--csv", options.csv, "Print a CSV table, one row per network")
        ->excludes("--json");
    compare->footer(
        "--set fabric.pin_budget=N or fabric.bisection_budget=N compares at equal cost. Routers\n"
        "have an area and a period where flitscope synth has found them.");

    CLI::App* schedule = app.add_subcommand(
        "schedule", "Print the program: steps, transfers, contention per step, lower bounds");
    add_config(*schedule, options);
    schedule->add_flag("--json", options.json, "Print one JSON object");
    schedule->add_flag("--csv", options.csv, "Print a program file that traffic.program reads")
        ->excludes("--json");

    CLI::App* exporting = app.add_subcommand(
        "export", "Write the fabric as synthesizable SystemVerilog, or as a SystemC program");
    add_config(*exporting, options);
    CLI::Option* const systemc = exporting->add_option(
        "--systemc", options.systemc_to,
        "Write a C++ program for the installed library into this folder, which\n"
        "must not be there, or be empty");
    systemc->type_name("DIR");
    exporting
        ->add_option("--rtl", options.rtl_to,
                     "Write SystemVerilog with a test bench into this folder")
        ->type_name("DIR")
        ->excludes(systemc);
    exporting->add_flag("--progress", options.progress,
                        "Show progress on standard error (the default on a terminal)");
    exporting->footer(
        "The test bench replays the traffic and checks the cycle of every flit against the\n"
        "simulator's; README.md in the folder says how to run it (testbench/export). The program\n"
        "plays the same traffic in the same cycles, and is to be changed (testbench/examples).");

    CLI::App* import = app.add_subcommand(
        "import", "Write the trace of an application as GOAL text, which traffic.trace reads");
    import->add_option("trace", options.trace_file, "GOAL, text or binary; of chakra the prefix")
        ->required()
        ->type_name("TRACE");
    import
        ->add_option("--format", options.trace_format,
                     "goal, or chakra: PREFIX.0.et, PREFIX.1.et, ...")
        ->type_name("goal|chakra");
    import->add_option("-o,--output", options.export_to, "Write this file")
        ->required()
        ->type_name("FILE.goal");
    import->footer(
        "Collectives become the sends and receives of a schedule on a line of nodes\n"
        "(traffic/traces/README.md).");

    CLI::App* synth = app.add_subcommand(
        "synth", "Synthesize router and links of a configuration: gates, area, period, power");
    add_config(*synth, options);
    synth
        ->add_option(
            "--sweep", options.sweeps,
            "Synthesize for each of these values, e.g. --sweep fabric.buffer_depth=2,4,8 or\n"
            "'fabric.topology.dims=[4,4],[8,8]'; several sweeps give every combination")
        ->type_name("KEY=VALUE,VALUE,...")
        ->take_all()
        ->expected(1);
    synth->add_option("--period", options.period_ns, "Clock period in ns that power refers to")
        ->check(CLI::Range(0.001, 1e6))
        ->type_name("NS")
        ->capture_default_str();
    synth->add_option("--activity", options.activity, "Transitions per cycle on every data input")
        ->check(CLI::Range(0.0, 2.0))
        ->type_name("RATE")
        ->capture_default_str();
    synth
        ->add_option("--liberty", options.liberty,
                     "Cell library: a file in liberty format, or osu018, osu035 or osu050")
        ->type_name("FILE|NAME")
        ->capture_default_str();
    synth
        ->add_option("--corner", options.corner,
                     "Operating conditions of the library to time and measure at, where it has\n"
                     "several; its default otherwise")
        ->type_name("NAME");
    synth->add_flag(
        "--energy", options.energy,
        "Find the energies of writing, reading, crossing, arbitrating and idling as well");
    synth
        ->add_flag("--estimate", options.estimate,
                   "Run no tools: estimate what was not synthesized from routers that were,\n"
                   "and say how far that may be off")
        ->excludes("--energy");
    add_jobs(*synth, options, "Syntheses");
    synth->add_flag("--json", options.json, "Print one JSON object instead of the table");
    synth
        ->add_flag("--markdown", options.markdown,
                   "Print the table in Markdown; with --energy that of energies")
        ->excludes("--json");
    synth->footer(
        "Uses yosys, abc and OpenSTA. Results are kept by library, tools and sources in\n"
        "$FLITSCOPE_CACHE, else $XDG_CACHE_HOME/flitscope, else ~/.cache/flitscope, and\n"
        "flitscope topology states those of osu018, which clock_ns: synth and the pitch of\n"
        "physical wires are of, too. Links are synthesized with that library alone.");

    CLI::App* synthesize = app.add_subcommand(
        "synthesize",
        "Find a schedule for a collective, prove it, simulate it, and say how far it\n"
        "is from the bound that no schedule can beat");
    add_config(*synthesize, options);
    add_engine(*synthesize, options);
    synthesize
        ->add_option("--collective", options.collective,
                     "Which one" + summaries_in(synthesis::collective_names()))
        ->required()
        ->check(CLI::IsMember(names_in(synthesis::collective_names())))
        ->type_name("COLLECTIVE");
    synthesize
        ->add_option("--chunks", options.chunks,
                     "Cut every block into so many chunks, which go their own ways (default: as\n"
                     "many as promise the least time)")
        ->check(CLI::Range(1U, 65536U))
        ->type_name("N");
    synthesize
        ->add_option("--message-bytes", options.message_bytes,
                     "Payload of a block, with all_reduce of the vector (default: that of the\n"
                     "configuration)")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 32))
        ->type_name("B");
    synthesize->add_option("--root", options.root, "Where a broadcast or scatter begins")
        ->type_name("NODE")
        ->capture_default_str();
    synthesize
        ->add_option("--method", options.method,
                     "How to search" + summaries_in(synthesis::method_names()))
        ->check(CLI::IsMember(names_in(synthesis::method_names())))
        ->type_name("METHOD")
        ->capture_default_str();
    synthesize
        ->add_option("--time", options.seconds,
                     "Go on searching for so many seconds, unless the schedule cannot be better\n"
                     "(default: a few attempts, always the same)")
        ->check(CLI::Range(0.0, 1e6))
        ->type_name("S");
    synthesize
        ->add_option("-o,--output", options.export_to,
                     "Write the schedule, a program file for traffic.program")
        ->required()
        ->type_name("FILE.csv|FILE.yaml");
    synthesize->add_flag("--json", options.json, "Print one JSON object instead of the summary");
    synthesize->add_flag("--progress", options.progress,
                         "Show progress on standard error (the default on a terminal)");
    synthesize->footer(
        "The traffic of the configuration is left out. With node.port_model independent nodes "
        "pass\n"
        "chunks on to their neighbours, over all links at a time; with single exchanges go on the\n"
        "routes of the fabric (traffic/synthesis). traffic.schedule: synthesized is the same "
        "within\n"
        "a run or a study.");

    CLI::App* curve = app.add_subcommand(
        "curve", "Measure latency and accepted traffic of a pattern at several loads");
    add_config(*curve, options);
    curve
        ->add_option("--rates", options.rates,
                     "The loads, in flits per cycle of each node that generates, e.g. 0.05,0.1,0.2")
        ->required()
        ->type_name("R,R,...");
    curve
        ->add_option(
            "--replications", options.replications,
            "Runs of each load, with seeds of their own: figures are means over them, and\n"
            "percentiles have confidence intervals; five are a good choice")
        ->check(CLI::Range(1U, 100U))
        ->type_name("N")
        ->capture_default_str();
    curve->add_flag("--by-hops", options.by_hops,
                    "Tell latency also by distance, the links of a shortest path");
    add_load_options(*curve, options);
    curve->add_flag("--json", options.json, "Print one JSON object instead of the table");
    curve
        ->add_flag("--csv", options.csv,
                   "Print a CSV table, one row per load; with --by-hops per load and distance")
        ->excludes("--json");
    add_plot(
        *curve, options,
        "latency by load, in FILE_accepted.svg accepted by offered load, and with --by-hops in\n"
        "FILE_by_hops.svg the mean of each distance,");
    curve->footer(
        "Each run goes on until its mean latency is sure enough, its backlog is known to grow, or\n"
        "steady.max_cycles are over (testbench/study/README.md).");

    CLI::App* saturate =
        app.add_subcommand("saturate", "Find the load above which the backlog of a pattern grows");
    add_config(*saturate, options);
    add_load_options(*saturate, options);
    saturate->add_flag("--json", options.json, "Print one JSON object instead of the table");

    CLI::App* explore = app.add_subcommand(
        "explore", "Find the best of many designs: run a study, look into its database");
    explore
        ->add_option("what", options.words,
                     "A study (testbench/study/README.md), or of a database\n"
                     "front: the designs that no other one dominates\n"
                     "axes: how much each axis moves each objective\n"
                     "best: the best designs within a budget\n"
                     "table: the best of each kind, side by side\n"
                     "show DIGEST: one design as a configuration\n"
                     "diff DIGEST DIGEST: what two designs differ in\n"
                     "export: all designs as CSV")
        ->required()
        ->type_name("STUDY.yaml|front|axes|best|table|show|diff|export");
    add_overrides(*explore, options);
    explore
        ->add_option("--db", options.db,
                     "Database in which outcomes are kept: the same command goes on where it was\n"
                     "stopped, and what is known is not simulated again")
        ->type_name("FILE");
    explore->add_option("--study", options.study, "A study of the database (default: the latest)")
        ->type_name("NAME");
    explore
        ->add_option("--measurement", options.measurement,
                     "With show: whose configuration, of a design with several measurements")
        ->type_name("NAME");
    explore
        ->add_option("--budget", options.budget,
                     "With best: an objective and its limits, e.g. pins=128,256,512")
        ->type_name("OBJECTIVE=V,V,...");
    explore->add_option("--rows", options.rows, "With table: an axis")->type_name("AXIS");
    explore->add_option("--columns", options.columns, "With table: another one")->type_name("AXIS");
    explore
        ->add_option("--objective", options.objective,
                     "With table: which one (default: the first of the study)")
        ->type_name("OBJECTIVE");
    add_load_options(*explore, options);
    add_plot(*explore, options, "the front, by the first two objectives,");
    explore
        ->add_flag("--slurm", options.slurm,
                   "Measure in jobs of a Slurm cluster, handed out through FILE.slurm beside the\n"
                   "database; SBATCH_PARTITION, SBATCH_ACCOUNT and SBATCH_TIMELIMIT are theirs")
        ->excludes("--jobs");
    explore->add_flag("--estimate", options.estimate,
                      "Synthesize some of the routers, and estimate the others from these until a\n"
                      "design of theirs is worth a simulation: those of the front are synthesized");
    explore->add_flag("--dry-run", options.dry_run,
                      "Only say how many designs there are, and about how long they take");
    explore->add_flag("--json", options.json, "Print one JSON object instead of the table");

    CLI::App* reproduction = app.add_subcommand(
        "reproduce", "Print the tables and formulas of the papers beside what is measured here");
    std::vector<std::string> papers{"all"};
    for (const reproduce::Paper& paper : reproduce::papers()) papers.push_back(paper.name);
    reproduction->add_option("paper", options.paper, "Which one, or all of them")
        ->check(CLI::IsMember(papers))
        ->type_name("PAPER")
        ->capture_default_str();
    reproduction->add_flag("--json", options.json, "Print one JSON object instead of the tables");
    reproduction
        ->add_option(
            "--out", options.out,
            "Write tables, plots and their data here, and keep the outcome of every run in\n"
            "DIR/runs: an interrupted reproduction goes on where it stopped")
        ->type_name("DIR");
    reproduction->footer(
        "Runs as many simulations at a time as there are processors. Progress goes to standard\n"
        "error. What the papers conclude, and what the runs say to it: testbench/reproduce.");

    CLI::App* worker =
        app.add_subcommand("worker", "Measure the points of a chunk, as a job of explore --slurm");
    worker->add_option("chunk", options.chunk, "The chunk; outcomes go into the folder beside it")
        ->required()
        ->type_name("CHUNK");

    CLI::App* list = app.add_subcommand(
        "list", "List machines, topologies, routings, schedules, patterns and engines");
    list->add_flag("--json", options.json, "Print one JSON object");
    CLI::App* keys = app.add_subcommand("keys", "Print the reference of all configuration keys");
    keys->footer("The output is Markdown; models/config/KEYS.md is made from it.");
    CLI::App* machines = app.add_subcommand(
        "machines", "Print the values of all machines (machine: NAME), with their sources");
    machines->footer("The output is Markdown; models/config/MACHINES.md is made from it.");

    CLI::App* manual = app.add_subcommand("manual", "Print the manual page, for man -l");
    CLI::App* completion =
        app.add_subcommand("completion", "Print what makes a shell complete command lines");
    std::string shell;
    completion->add_option("shell", shell, "Which shell")
        ->required()
        ->check(CLI::IsMember(completed_shells()))
        ->type_name("SHELL");
    completion->footer("For this session: source <(flitscope completion bash).");

    const bool has_command = argc > 1 && argv[1][0] != '-';
    const CLI::App* command = has_command ? find_command(app, argv[1]) : &app;
    if (command == nullptr) return unknown_command(app, argv[1]);
    const int first = has_command ? 2 : 1;
    const std::vector<std::string> unknown = unknown_options(*command, argc, argv, first);
    if (!unknown.empty()) return usage_error(*command, unknown);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ExtrasError&) {
        return surplus_words(*command);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? kExitOk : kExitUsage;
    }
    hw::set_rtl_library_maker(router_maker(options.offline));
    if (run->parsed()) return run_command(options);
    if (explain->parsed()) return explain_command(options);
    if (report->parsed()) return report_command(options);
    if (synth->parsed()) return synth_command(options);
    if (synthesize->parsed()) return synthesize_command(options);
    if (exporting->parsed()) return export_command(options);
    if (import->parsed()) return import_command(options);
    if (curve->parsed()) return curve_command(options);
    if (saturate->parsed()) return saturate_command(options);
    if (explore->parsed()) return explore_command(options);
    if (cosim->parsed()) return cosim_command(options);
    if (verify->parsed()) return verify_command(options);
    if (check->parsed()) return check_command(options);
    if (topology->parsed()) return topology_command(options);
    if (compare->parsed()) return compare_command(options);
    if (schedule->parsed()) return schedule_command(options);
    if (worker->parsed()) return worker_command(options);
    if (reproduction->parsed()) return reproduce_command(options);
    if (keys->parsed()) return keys_command();
    if (machines->parsed()) return machines_command();
    if (manual->parsed()) {
        std::cout << manual_page(app, version());
        return kExitOk;
    }
    if (completion->parsed()) {
        std::cout << completion_script(app, shell);
        return kExitOk;
    }
    return list_command(options);
}

}  // namespace

int sc_main(int, char**) { return 0; }  // libsystemc refers to it; main() starts the kernel itself

int main(int argc, char** argv) {
    try {
        const int code = run_program(argc, argv);
        std::cout.flush();
        if (!std::cout) {
            std::cerr << "error: cannot write to standard output\n";
            return kExitUsage;
        }
        return code;
    } catch (const ConfigError& e) {
        constexpr std::size_t kMostShown = 50;
        const std::size_t shown = std::min(e.findings().size(), kMostShown);
        for (std::size_t i = 0; i < shown; ++i) std::cerr << e.findings()[i].str() << '\n';
        const std::size_t more = e.findings().size() - shown;
        if (more != 0) std::cerr << "error: " << more << " more of these\n";
        return kExitUsage;
    } catch (const std::bad_alloc&) {
        std::cerr << "error: out of memory: this process may use " << memory_text(usable_memory())
                  << " (use fewer nodes or messages, or a machine with more)\n";
        return kExitUsage;
    } catch (const sc_core::sc_report& e) {  // what a module threw, less where SystemC caught it
        std::cerr << "error: " << printable(e.get_msg(), true) << '\n';
        return kExitFailed;
    } catch (const std::exception& e) {
        std::cerr << "error: " << printable(e.what(), true) << '\n';
        return kExitFailed;
    }
}
