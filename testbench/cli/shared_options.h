// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Options that several commands take: each is spelled, explained and checked in one place.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "testbench/cli/commands.h"

namespace flitscope::cli {

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
