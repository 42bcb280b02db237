// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/cli/command_line.h"

#include <fmt/format.h>

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "testbench/cli/self_description.h"
#include "testbench/cli/shared_options.h"
#include "testbench/report/report.h"
#include "testbench/report/run_files.h"
#include "testbench/reproduce/frame/paper.h"
#include "testbench/reproduce/papers.h"
#include "traffic/synthesis/synthesizer.h"
#include "traffic/synthesis/task/collective.h"

namespace flitscope::cli {
namespace {

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

std::string run_files_help() {
    std::string text = "Write into this folder";
    for (const RunFile& file : run_files()) {
        text += fmt::format("\n{}: {}", file.name, file.content);
    }
    return text;
}

CLI::App* add_run(CLI::App& app, Options& options) {
    CLI::App* const command =
        app.add_subcommand("run", "Simulate a configuration and judge the outcome");
    add_config(*command, options);
    add_engine(*command, options);
    command
        ->add_option(
            "--trace", options.trace,
            "Write link occupancy as a waveform, with what GTKWave needs to show it beside\n"
            "it, or for Perfetto; with --explain the critical path is marked in it" +
                trace_formats_help())
        ->type_name(trace_type());
    CLI::Option* const out =
        command->add_option("--out", options.out, run_files_help())->type_name("DIR");
    command
        ->add_option(
            "--threads", options.threads,
            "Have the cycle engine simulate in so many threads, each with 128 nodes or more\n"
            "(32 verilated routers); the results are the same to the byte, and so many\n"
            "processors should have nothing else to do")
        ->check(CLI::Range(1U, 256U))
        ->type_name("N")
        ->capture_default_str();
    command->add_flag("--messages", options.messages, "Write messages.csv as well")->needs(out);
    command->add_flag(
        "--energy", options.energy,
        "Say what energy it took, by what flitscope synth --energy has found; with --out\n"
        "energy.csv as well");
    command->add_flag("--explain", options.explain,
                      "Say why it took so long, in a line; flitscope explain says more");
    add_json(*command, options, "the summary");
    add_progress(*command, options);
    return command;
}

CLI::App* add_explain(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "explain",
        "Say why a program takes as long as it does: a cause for every cycle; of a pattern,\n"
        "where its packets spend theirs");
    add_config(*command, options);
    add_engine(*command, options);
    command
        ->add_option("--verify", options.verify,
                     "Try the N changes that promise most, and tell what each gains")
        ->type_name("N");
    add_json(*command, options, "the summary");
    CLI::Option* const path_csv =
        command->add_flag("--csv", options.csv, "Print the critical path as CSV, a row per segment")
            ->excludes("--json");
    command
        ->add_flag("--slack", options.slack,
                   "Print as CSV by how many cycles each step of each node can be later")
        ->excludes("--json")
        ->excludes(path_csv);
    add_progress(*command, options);
    command->footer(
        "The critical path leads from the last delivery back to the begin; each of its cycles has\n"
        "one cause (testbench/explain). All engines have the same one. --verify and --slack are "
        "for\n"
        "programs; of a pattern --csv prints the cycles of all packets by channel and cause.");
    return command;
}

CLI::App* add_report(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "report",
        "Write a page that shows a run or a study: one HTML file, for any browser, offline");
    command
        ->add_option(
            "what", options.configs,
            "A configuration, which is run; the folder of a run (run --out), which is run\n"
            "again; or the database of a study (explore --db). Two runs, or two studies,\n"
            "are shown side by side")
        ->required()
        ->expected(1, 2)
        ->type_name("CONFIG.yaml|DIR|FILE.db...");
    add_overrides(*command, options);
    add_engine(*command, options);
    command->add_option("-o,--output", options.report_to, "The page to write")
        ->required()
        ->type_name("FILE.html");
    command->add_option("--study", options.study, "A study of the database (default: the latest)")
        ->type_name("NAME");
    add_progress(*command, options);
    command->footer(
        "Of a run: every link over time, who was on it, steps, messages, latencies, and the "
        "critical\n"
        "path of a program. Of a study: its designs, the front, from each to its configuration\n"
        "(testbench/report/page).");
    return command;
}

CLI::App* add_cosim(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "cosim", "Compare RTL routers with SystemC ones in lock step, every channel and cycle");
    add_config(*command, options);
    add_offline(*command, options);
    command
        ->add_option("--trace", options.trace,
                     "If they differ, write waveforms of the cycles around the first difference:\n"
                     "FILE.systemc.vcd and FILE.rtl.vcd")
        ->type_name(trace_type());
    add_json(*command, options, "the summary");
    add_progress(*command, options);
    command->footer("Without an RTL router in the configuration, all are compared.");
    return command;
}

CLI::App* add_verify(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "verify", "Run all engines on a configuration and compare every packet and channel");
    add_config(*command, options);
    add_offline(*command, options);
    add_json(*command, options, "the summary");
    add_progress(*command, options);
    command->footer(
        "The cycle engine is the reference. RTL routers are compared with SystemC ones here at\n"
        "the channels, by flitscope cosim in every cycle. An engine that cannot be exact is left\n"
        "out, and the reason told; where none is left the configuration is refused. Seconds\n"
        "include the recording of what is compared.");
    return command;
}

CLI::App* add_check(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "check", "Validate a configuration, check for deadlock, check the schedule; no simulation");
    add_config(*command, options);
    add_offline(*command, options);
    add_json(*command, options);
    return command;
}

CLI::App* add_topology(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand("topology", "Print the figures of the wiring");
    add_config(*command, options);
    add_json(*command, options);
    command
        ->add_option("--export", options.export_to,
                     "Write the graph; .yaml is a graph file for the topology kind custom")
        ->type_name("FILE.yaml|FILE.dot|FILE.json");
    command->add_option("--draw", options.draw_to, "Draw the graph, with Graphviz")
        ->type_name("FILE.svg|FILE.png");
    return command;
}

CLI::App* add_compare(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "compare", "Compare networks side by side: distance, bisection, wire, layout, routers");
    CLI::Option* configs =
        command->add_option("configs", options.configs, "Configuration files (YAML)")
            ->type_name("CONFIG.yaml...");
    command
        ->add_option(
            "--nodes", options.nodes,
            "Compare the usual networks of so many nodes: those of mesh, torus, hypercube,\n"
            "ghc, how and express mesh that exist for this number")
        ->check(CLI::Range(2U, kMaxNodes))
        ->type_name("N")
        ->excludes(configs);
    add_overrides(*command, options);
    add_json(*command, options, "the table");
    command->add_flag("--csv", options.csv, "Print a CSV table, one row per network")
        ->excludes("--json");
    CLI::Option* const run = command->add_flag(
        "--run", options.runs,
        "Simulate the traffic of each as well: cycles, time and latency; with clock_ns: synth\n"
        "in the time of the synthesized routers");
    command
        ->add_flag("--energy", options.energy,
                   "Say what energy each run took, by what flitscope synth --energy has found")
        ->needs(run);
    add_engine(*command, options);
    add_progress(*command, options);
    command->footer(
        "--set fabric.pin_budget=N or fabric.bisection_budget=N compares at equal cost. Routers\n"
        "have an area and a period where flitscope synth has found them. With --run the exit\n"
        "code is that of the run that ended worst.");
    return command;
}

CLI::App* add_schedule(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "schedule", "Print the program: steps, transfers, contention per step, lower bounds");
    add_config(*command, options);
    add_json(*command, options);
    command->add_flag("--csv", options.csv, "Print a program file that traffic.program reads")
        ->excludes("--json");
    return command;
}

CLI::App* add_export(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "export", "Write the fabric as synthesizable SystemVerilog, or as a SystemC program");
    add_config(*command, options);
    CLI::Option* const systemc = command->add_option(
        "--systemc", options.systemc_to,
        "Write a C++ program for the installed library into this folder, which\n"
        "must not be there, or be empty");
    systemc->type_name("DIR");
    command
        ->add_option("--rtl", options.rtl_to,
                     "Write SystemVerilog with a test bench into this folder")
        ->type_name("DIR")
        ->excludes(systemc);
    add_progress(*command, options);
    command->footer(
        "The test bench replays the traffic and checks the cycle of every flit against the\n"
        "simulator's; README.md in the folder says how to run it (testbench/export). The program\n"
        "plays the same traffic in the same cycles, and is to be changed (testbench/examples).");
    return command;
}

CLI::App* add_import(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "import", "Write the trace of an application as GOAL text, which traffic.trace reads");
    command->add_option("trace", options.trace_file, "GOAL, text or binary; of chakra the prefix")
        ->required()
        ->type_name("TRACE");
    command
        ->add_option("--format", options.trace_format,
                     "goal, or chakra: PREFIX.0.et, PREFIX.1.et, ...")
        ->type_name("goal|chakra");
    command->add_option("-o,--output", options.export_to, "Write this file")
        ->required()
        ->type_name("FILE.goal");
    command->footer(
        "Collectives become the sends and receives of a schedule on a line of nodes\n"
        "(traffic/traces/README.md).");
    return command;
}

CLI::App* add_synth(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "synth", "Synthesize router and links of a configuration: gates, area, period, power");
    add_config(*command, options);
    command
        ->add_option(
            "--sweep", options.sweeps,
            "Synthesize for each of these values, e.g. --sweep fabric.buffer_depth=2,4,8 or\n"
            "'fabric.topology.dims=[4,4],[8,8]'; several sweeps give every combination")
        ->type_name("KEY=VALUE,VALUE,...")
        ->take_all()
        ->expected(1);
    command->add_option("--period", options.period_ns, "Clock period in ns that power refers to")
        ->check(CLI::Range(0.001, 1e6))
        ->type_name("NS")
        ->capture_default_str();
    command->add_option("--activity", options.activity, "Transitions per cycle on every data input")
        ->check(CLI::Range(0.0, 2.0))
        ->type_name("RATE")
        ->capture_default_str();
    command
        ->add_option("--liberty", options.liberty,
                     "Cell library: a file in liberty format, or osu018, osu035 or osu050")
        ->type_name("FILE|NAME")
        ->capture_default_str();
    command
        ->add_option("--corner", options.corner,
                     "Operating conditions of the library to time and measure at, where it has\n"
                     "several; its default otherwise")
        ->type_name("NAME");
    command->add_flag(
        "--energy", options.energy,
        "Find the energies of writing, reading, crossing, arbitrating and idling as well");
    command
        ->add_flag("--estimate", options.estimate,
                   "Run no tools: estimate what was not synthesized from routers that were,\n"
                   "and say how far that may be off")
        ->excludes("--energy");
    add_jobs(*command, options, "Syntheses");
    add_json(*command, options, "the table");
    command
        ->add_flag("--markdown", options.markdown,
                   "Print the table in Markdown; with --energy that of energies")
        ->excludes("--json");
    command->footer(
        "Uses yosys, abc and OpenSTA. Results are kept by library, tools and sources in\n"
        "$FLITSCOPE_CACHE, else $XDG_CACHE_HOME/flitscope, else ~/.cache/flitscope, and\n"
        "flitscope topology states those of osu018, which clock_ns: synth and the pitch of\n"
        "physical wires are of, too. Links are synthesized with that library alone.");
    return command;
}

CLI::App* add_synthesize(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "synthesize",
        "Find a schedule for a collective, prove it, simulate it, and say how far it\n"
        "is from the bound that no schedule can beat");
    add_config(*command, options);
    add_engine(*command, options);
    command
        ->add_option("--collective", options.collective,
                     "Which one" + summaries_in(synthesis::collective_names()))
        ->required()
        ->check(CLI::IsMember(names_in(synthesis::collective_names())))
        ->type_name("COLLECTIVE");
    command
        ->add_option("--chunks", options.chunks,
                     "Cut every block into so many chunks, which go their own ways (default: as\n"
                     "many as promise the least time)")
        ->check(CLI::Range(1U, 65536U))
        ->type_name("N");
    command
        ->add_option("--message-bytes", options.message_bytes,
                     "Payload of a block, with all_reduce of the vector (default: that of the\n"
                     "configuration)")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 32))
        ->type_name("B");
    command->add_option("--root", options.root, "Where a broadcast or scatter begins")
        ->type_name("NODE")
        ->capture_default_str();
    command
        ->add_option("--method", options.method,
                     "How to search" + summaries_in(synthesis::method_names()))
        ->check(CLI::IsMember(names_in(synthesis::method_names())))
        ->type_name("METHOD")
        ->capture_default_str();
    command
        ->add_option("--time", options.seconds,
                     "Search for so many seconds, or until there is a first schedule, unless it\n"
                     "cannot be better (default: a few attempts, always the same)")
        ->check(CLI::Range(0.0, 1e6))
        ->type_name("S");
    command
        ->add_option("-o,--output", options.export_to,
                     "Write the schedule, a program file for traffic.program")
        ->required()
        ->type_name("FILE.csv|FILE.yaml");
    add_json(*command, options, "the summary");
    add_progress(*command, options);
    command->footer(
        "The traffic of the configuration is left out. With node.port_model independent nodes "
        "pass\n"
        "chunks on to their neighbours, over all links at a time; with single exchanges go on the\n"
        "routes of the fabric (traffic/synthesis). traffic.schedule: synthesized is the same "
        "within\n"
        "a run or a study.");
    return command;
}

CLI::App* add_curve(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "curve", "Measure latency and accepted traffic of a pattern at several loads");
    add_config(*command, options);
    command
        ->add_option("--rates", options.rates,
                     "The loads, in flits per cycle of each node that generates, e.g. 0.05,0.1,0.2")
        ->required()
        ->type_name("R,R,...");
    command
        ->add_option(
            "--replications", options.replications,
            "Runs of each load, with seeds of their own: figures are means over them, and\n"
            "percentiles have confidence intervals; five are a good choice")
        ->check(CLI::Range(1U, 100U))
        ->type_name("N")
        ->capture_default_str();
    command->add_flag("--by-hops", options.by_hops,
                      "Tell latency also by distance, the links of a shortest path");
    add_load_options(*command, options);
    add_json(*command, options, "the table");
    command
        ->add_flag("--csv", options.csv,
                   "Print a CSV table, one row per load; with --by-hops per load and distance")
        ->excludes("--json");
    add_plot(
        *command, options,
        "latency by load, in FILE_accepted.svg accepted by offered load, and with --by-hops in\n"
        "FILE_by_hops.svg the mean of each distance,");
    command->footer(
        "Each run goes on until its mean latency is sure enough, its backlog is known to grow, or\n"
        "steady.max_cycles are over (testbench/study/README.md).");
    return command;
}

CLI::App* add_saturate(CLI::App& app, Options& options) {
    CLI::App* const command =
        app.add_subcommand("saturate", "Find the load above which the backlog of a pattern grows");
    add_config(*command, options);
    add_load_options(*command, options);
    add_json(*command, options, "the table");
    return command;
}

CLI::App* add_explore(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "explore", "Find the best of many designs: run a study, look into its database");
    command
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
    add_overrides(*command, options);
    command
        ->add_option("--db", options.db,
                     "Database in which outcomes are kept: the same command goes on where it was\n"
                     "stopped, and what is known is not simulated again")
        ->type_name("FILE");
    command->add_option("--study", options.study, "A study of the database (default: the latest)")
        ->type_name("NAME");
    command
        ->add_option("--measurement", options.measurement,
                     "With show: whose configuration, of a design with several measurements")
        ->type_name("NAME");
    command
        ->add_option("--budget", options.budget,
                     "With best: an objective and its limits, e.g. pins=128,256,512")
        ->type_name("OBJECTIVE=V,V,...");
    command->add_option("--rows", options.rows, "With table: an axis")->type_name("AXIS");
    command->add_option("--columns", options.columns, "With table: another one")->type_name("AXIS");
    command
        ->add_option("--objective", options.objective,
                     "With table: which one (default: the first of the study)")
        ->type_name("OBJECTIVE");
    add_load_options(*command, options);
    add_plot(*command, options, "the front, by the first two objectives,");
    command
        ->add_flag("--slurm", options.slurm,
                   "Measure in jobs of a Slurm cluster, handed out through FILE.slurm beside the\n"
                   "database; SBATCH_PARTITION, SBATCH_ACCOUNT and SBATCH_TIMELIMIT are theirs")
        ->excludes("--jobs");
    command->add_flag("--estimate", options.estimate,
                      "Synthesize some of the routers, and estimate the others from these until a\n"
                      "design of theirs is worth a simulation: those of the front are synthesized");
    command->add_flag("--dry-run", options.dry_run,
                      "Only say how many designs there are, and about how long they take");
    add_json(*command, options, "the table");
    return command;
}

CLI::App* add_reproduce(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "reproduce", "Print the tables and formulas of the papers beside what is measured here");
    std::vector<std::string> papers{"all"};
    for (const reproduce::Paper& paper : reproduce::papers()) papers.push_back(paper.name);
    command->add_option("paper", options.paper, "Which one, or all of them")
        ->check(CLI::IsMember(papers))
        ->type_name("PAPER")
        ->capture_default_str();
    add_json(*command, options, "the tables");
    command
        ->add_option(
            "--out", options.out,
            "Write tables, plots and their data here, and keep the outcome of every run in\n"
            "DIR/runs: an interrupted reproduction goes on where it stopped")
        ->type_name("DIR");
    command->add_flag(
        "--synthesized", options.synthesized,
        "Say also what every run takes in nanoseconds and in energy with its router\n"
        "synthesized, which takes minutes where flitscope synth has not done it; with --out\n"
        "in PAPER_synthesized.csv as well");
    command->footer(
        "Runs as many simulations at a time as there are processors. Progress goes to standard\n"
        "error. What the papers conclude, and what the runs say to it: testbench/reproduce.");
    return command;
}

CLI::App* add_worker(CLI::App& app, Options& options) {
    CLI::App* const command =
        app.add_subcommand("worker", "Measure the points of a chunk, as a job of explore --slurm");
    command->add_option("chunk", options.chunk, "The chunk; outcomes go into the folder beside it")
        ->required()
        ->type_name("CHUNK");
    return command;
}

CLI::App* add_list(CLI::App& app, Options& options) {
    CLI::App* const command = app.add_subcommand(
        "list", "List machines, topologies, routings, schedules, patterns and engines");
    add_json(*command, options);
    return command;
}

CLI::App* add_keys(CLI::App& app) {
    CLI::App* const command =
        app.add_subcommand("keys", "Print the reference of all configuration keys");
    command->footer("The output is Markdown; models/config/KEYS.md is made from it.");
    return command;
}

CLI::App* add_machines(CLI::App& app) {
    CLI::App* const command = app.add_subcommand(
        "machines", "Print the values of all machines (machine: NAME), with their sources");
    command->footer("The output is Markdown; models/config/MACHINES.md is made from it.");
    return command;
}

CLI::App* add_manual(CLI::App& app) {
    CLI::App* const command = app.add_subcommand("manual", "Print the manual page, for man -l");
    return command;
}

CLI::App* add_completion(CLI::App& app, Options& options) {
    CLI::App* const command =
        app.add_subcommand("completion", "Print what makes a shell complete command lines");
    command->add_option("shell", options.shell, "Which shell")
        ->required()
        ->check(CLI::IsMember(completed_shells()))
        ->type_name("SHELL");
    command->footer("For this session: source <(flitscope completion bash).");
    return command;
}

}  // namespace

std::vector<Command> add_commands(CLI::App& app, Options& options) {
    std::vector<Command> commands;
    commands.push_back({add_run(app, options), run_command});
    commands.push_back({add_explain(app, options), explain_command});
    commands.push_back({add_report(app, options), report_command});
    commands.push_back({add_cosim(app, options), cosim_command});
    commands.push_back({add_verify(app, options), verify_command});
    commands.push_back({add_check(app, options), check_command});
    commands.push_back({add_topology(app, options), topology_command});
    commands.push_back({add_compare(app, options), compare_command});
    commands.push_back({add_schedule(app, options), schedule_command});
    commands.push_back({add_export(app, options), export_command});
    commands.push_back({add_import(app, options), import_command});
    commands.push_back({add_synth(app, options), synth_command});
    commands.push_back({add_synthesize(app, options), synthesize_command});
    commands.push_back({add_curve(app, options), curve_command});
    commands.push_back({add_saturate(app, options), saturate_command});
    commands.push_back({add_explore(app, options), explore_command});
    commands.push_back({add_reproduce(app, options), reproduce_command});
    commands.push_back({add_worker(app, options), worker_command});
    commands.push_back({add_list(app, options), list_command});
    commands.push_back({add_keys(app), [](const Options&) { return keys_command(); }});
    commands.push_back({add_machines(app), [](const Options&) { return machines_command(); }});
    commands.push_back({add_manual(app), [&app](const Options&) {
                            std::cout << manual_page(app, version());
                            return kExitOk;
                        }});
    commands.push_back({add_completion(app, options), [&app](const Options& asked) {
                            std::cout << completion_script(app, asked.shell);
                            return kExitOk;
                        }});
    return commands;
}

}  // namespace flitscope::cli
