// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Options that several commands take: each is spelled, explained and checked in one place.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace flitscope::cli {

/// Options that several commands share; commands with further ones derive from it.
struct Options {
    std::vector<std::string> arguments;  ///< of main(), without the program's name
    std::string typed;   ///< all of it as a shell takes it, the program called flitscope
    std::string config;  ///< file
    std::vector<std::string> overrides;
    std::string engine = "auto";
    bool no_verilate = false;  ///< no router is verilated for a run
    std::string trace;         ///< waveform to write
    std::string plot;          ///< picture to draw
    std::uint32_t jobs = 0;    ///< runs at a time; 0: as many as there are processors
    bool json = false;
    bool csv = false;
    bool progress = false;
};

/// Accepts a number in this range, ends included. (CLI::Range accepts nan.)
CLI::Validator number_within(double least, double most);
/// Throws ConfigError if a shell has taken the value of an override apart, for want of quotes;
/// `words` are those from the first --set on.
void require_whole(const std::vector<std::string>& words);
/// Adds --set.
void add_overrides(CLI::App& command, Options& options);
/// Adds --liberty, --corner and --wires: overrides of the keys of `technology`. After --set.
void add_technology(CLI::App& command, Options& options);
/// Adds the configuration file and --set.
void add_config(CLI::App& command, Options& options);
void add_no_verilate(CLI::App& command, Options& options);
/// Adds --engine and --no-verilate.
void add_engine(CLI::App& command, Options& options);
/// Adds --jobs; `what` names what is done at a time.
void add_jobs(CLI::App& command, Options& options, const std::string& what);
/// Adds --json; `in_place_of` names what the JSON object replaces, if anything.
void add_json(CLI::App& command, Options& options, const std::string& in_place_of = {});
void add_progress(CLI::App& command, Options& options);
/// Adds --plot; `what` names what is drawn.
void add_plot(CLI::App& command, Options& options, const std::string& what);
/// Adds --engine, --no-verilate and --jobs, for commands that simulate many times.
void add_load_options(CLI::App& command, Options& options);

/// The type of a waveform's name: "FILE.vcd|FILE.fst".
std::string trace_type();
/// Describes each waveform format in a line.
std::string trace_formats_help();

}  // namespace flitscope::cli
