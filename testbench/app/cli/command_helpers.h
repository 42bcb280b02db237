// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by several commands of the flitscope program.
#pragma once

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/app/cli/shared_options.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/report/report.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {
struct Machine;
struct Config;
}  // namespace flitscope

namespace flitscope::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitDeadlock = 3;
inline constexpr int kExitInterrupted = 130;  ///< as a shell reports a program that Ctrl-C ended

/// The requested configuration, with the clock of its router if it asks for that.
Config load_clocked_config(const Options& options);
/// The same at the load that `config` asks for as a share of its saturation, if it does: simulates
/// until that is known, and says it on standard error.
Config with_known_load(Config config, const std::string& engine);
/// Builds the machine of the configuration of `options`, at a known load.
Machine load_machine(const Options& options);

/// Whether to show progress: with --progress, or on a terminal.
bool shows_progress(const Options& options);

int exit_code(Verdict verdict);
/// Says on standard error how a run that did not complete ended, and if asked for, why. Returns the
/// exit code.
int judge(const SimulationResult& run, bool tells_problems);

/// Simulates a machine. With `is_explained`, also finds the reasons why it takes so long.
Explanation run_machine(const Machine& machine, const std::string& engine,
                        const SimulationOptions& simulation, bool is_explained);

/// Prints all that `print` writes, or nothing if memory runs out meanwhile: a part would pass for
/// the whole.
template <class Print, class... Facts>
void print_whole(Print print, const Facts&... facts) {
    std::ostringstream text;
    text.exceptions(std::ios::badbit);  // otherwise an exception only sets this bit
    print(text, facts...);
    std::cout << text.str();
}

/// Prints `facts`: as one JSON object with --json, else as text. Only the one that is printed is
/// made.
template <class MakeJson, class Print, class... Facts>
void tell(const Options& options, MakeJson make_json, Print print, const Facts&... facts) {
    if (options.json) {
        std::cout << json_text(make_json(facts...)) << '\n';
    } else {
        print_whole(print, facts...);
    }
}

/// The numbers of a list, V,V,... or FROM:TO:STEP: each once, in rising order. Throws ConfigError,
/// at `place`, for each that is not a number or does not fit.
std::vector<double> read_numbers(const std::string& place, const std::string& list,
                                 const std::string& what, bool (*fits)(double),
                                 const std::string& remedy);

/// Runs at a time: as requested, or one per processor.
unsigned processes(const Options& options);

}  // namespace flitscope::cli
