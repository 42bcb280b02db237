// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands of the flitscope program, one function each.
#pragma once

#include <cstdint>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "testbench/explain/explanation.h"
#include "testbench/report/report.h"
#include "testbench/run/simulation.h"

namespace flitscope::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitDeadlock = 3;
inline constexpr int kExitInterrupted = 130;  ///< as a shell reports a program that Ctrl-C ended

/// What was said on the command line.
struct Options {
    std::string config;
    std::vector<std::string> configs;  ///< of networks to compare
    std::uint32_t nodes = 0;           ///< of the usual networks to compare, instead
    bool runs = false;                 ///< of networks to compare: their traffic is simulated
    std::vector<std::string> overrides;
    std::string engine = "auto";
    std::string trace;
    std::string out;
    bool messages = false;              ///< beside them, in `out`
    std::string report_to;              ///< page to write
    std::string command;                ///< as it was typed, the program called flitscope
    std::string export_to;              ///< of a topology
    std::optional<std::string> rtl_to;  ///< exported fabrics
    std::optional<std::string> systemc_to;
    std::string draw_to;
    std::string paper = "all";       ///< to reproduce
    bool synthesized = false;        ///< also with routers synthesized
    std::string rates;               ///< of a curve: R,R,...
    std::uint32_t replications = 1;  ///< runs of each load
    bool by_hops = false;            ///< latency by distance
    std::vector<std::string> words;  ///< of explore: a study, or what to show of a database
    std::string db;                  ///< database of explored designs
    std::string plot;                ///< picture to draw
    std::string study;               ///< in the database; empty: the latest
    std::string measurement;         ///< of a design; empty: the first
    std::string chunk;               ///< of points, for a worker
    bool estimate = false;           ///< routers are estimated where that will do
    bool slurm = false;              ///< points are measured by jobs of a cluster
    std::string budget;              ///< METRIC=VALUE,VALUE,...
    std::string rows;                ///< axis
    std::string columns;             ///< axis
    std::string objective;           ///< of a table; empty: the first
    std::uint32_t verify = 0;        ///< changes to try
    bool explain = false;            ///< why a run took as long as it did
    bool dry_run = false;
    bool offline = false;       ///< no router is verilated for a run
    std::uint32_t threads = 1;  ///< of a run on the cycle engine
    std::uint32_t jobs = 0;     ///< runs at a time; 0: as many as there are processors
    bool json = false;
    bool csv = false;
    bool slack = false;  ///< of every node's steps, as CSV
    bool progress = false;
    std::vector<std::string> sweeps;  ///< KEY=VALUE,VALUE,...: every combination
    double period_ns = 4.0;
    double activity = 0.2;
    std::string liberty = "osu018";
    std::string corner;
    bool markdown = false;
    bool energy = false;                         ///< of a run; of a router, for synth
    std::string collective;                      ///< to find a schedule for
    std::string method = "auto";                 ///< to find it by
    std::uint32_t chunks = 0;                    ///< of a block; 0: chosen
    std::optional<std::uint64_t> message_bytes;  ///< of a block, in place of the configuration's
    std::uint32_t root = 0;
    double seconds = 0;  ///< for a search; 0: a few attempts
    std::string trace_file;
    std::string trace_format = "goal";
    std::string shell;  ///< to complete command lines in
};

/// The configuration that is asked for, with the clock of its router where it says so.
Config load_clocked_config(const Options& options);

int exit_code(Verdict verdict);
/// Says on standard error how a run ended that did not complete, and if asked for, why. Returns the
/// exit code.
int judge(const SimulationResult& run, bool tells_problems);

/// Simulates a machine; with the reasons why it takes so long where that is asked for.
Explanation run_machine(const Machine& machine, const std::string& engine,
                        const SimulationOptions& simulation, bool is_explained);

/// Throws ConfigError where there is no traffic, or traffic without an end.
void require_program(const Machine& machine);
/// Whether the makespan of its traffic can be explained: of programs without operations.
bool has_explained_program(const Machine& machine);

/// All that `print` has to say, or nothing: memory may end in it, and a part would pass for the
/// whole.
template <class Print, class... Facts>
void print_whole(Print print, const Facts&... facts) {
    std::ostringstream text;
    text.exceptions(std::ios::badbit);  // which otherwise is all that is seen of an exception
    print(text, facts...);
    std::cout << text.str();
}

/// Prints what there is to tell: as one JSON object where --json asks for it, else for people. Only
/// what is printed is made.
template <class MakeJson, class Print, class... Facts>
void tell(const Options& options, MakeJson make_json, Print print, const Facts&... facts) {
    if (options.json) {
        std::cout << json_text(make_json(facts...)) << '\n';
    } else {
        print_whole(print, facts...);
    }
}

/// The numbers of a list, V,V,...: each once, in rising order. Throws ConfigError, at `place`, for
/// each that is no number or does not fit.
std::vector<double> read_numbers(const std::string& place, const std::string& list,
                                 const std::string& what, bool (*fits)(double),
                                 const std::string& remedy);

/// Runs at a time: what was asked for, or as many as there are processors.
unsigned processes(const Options& options);

// Each returns the exit code, or throws ConfigError (exit code 2).
int run_command(const Options& options);
int check_command(const Options& options);
int topology_command(const Options& options);
int compare_command(const Options& options);
int schedule_command(const Options& options);
int cosim_command(const Options& options);
int verify_command(const Options& options);
int synth_command(const Options& options);
int synthesize_command(const Options& options);
int curve_command(const Options& options);
int saturate_command(const Options& options);
int explain_command(const Options& options);
int explore_command(const Options& options);
int export_command(const Options& options);
int import_command(const Options& options);
int report_command(const Options& options);
int reproduce_command(const Options& options);
int worker_command(const Options& options);
int list_command(const Options& options);
int keys_command();
int machines_command();

}  // namespace flitscope::cli
