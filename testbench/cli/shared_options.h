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

/// What is said to several commands on the command line; those that have more derive from it.
struct Options {
    std::string typed;   ///< all of it as a shell takes it, the program called flitscope
    std::string config;  ///< file
    std::vector<std::string> overrides;
    std::string engine = "auto";
    bool offline = false;    ///< no router is verilated for a run
    std::string trace;       ///< waveform to write
    std::string plot;        ///< picture to draw
    std::uint32_t jobs = 0;  ///< runs at a time; 0: as many as there are processors
    bool json = false;
    bool csv = false;
    bool progress = false;
};

/// A number in this range, ends included; CLI::Range takes nan.
CLI::Validator number_within(double least, double most);
/// --set
void add_overrides(CLI::App& command, Options& options);
/// The configuration, and --set.
void add_config(CLI::App& command, Options& options);
void add_offline(CLI::App& command, Options& options);
/// --engine and --offline
void add_engine(CLI::App& command, Options& options);
/// `what` are those that are done at a time.
void add_jobs(CLI::App& command, Options& options, const std::string& what);
/// `in_place_of` what the object is printed, if of anything.
void add_json(CLI::App& command, Options& options, const std::string& in_place_of = {});
void add_progress(CLI::App& command, Options& options);
/// `what` is drawn.
void add_plot(CLI::App& command, Options& options, const std::string& what);
/// Those of commands that simulate many times.
void add_load_options(CLI::App& command, Options& options);

/// The type of a waveform's name: "FILE.vcd|FILE.fst".
std::string trace_type();
/// What each of the waveforms' formats is, a line each.
std::string trace_formats_help();

}  // namespace flitscope::cli
