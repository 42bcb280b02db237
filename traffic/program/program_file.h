// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs as files that a person or a script can write: CSV and YAML. All errors of a file are
// reported at once, with line and column.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;

// CSV: the first line that is neither blank nor a comment (#) names the columns, in any order:
//     source,destination,bytes,step            a step program (Ordering::kSteps)
//     source,destination,bytes,time[,after]    a timed program (Ordering::kTimed)
// and optionally `id`, by which `after` names other messages (without it they are numbered from 0
// in the order of the rows). `after` holds ids separated by blanks or semicolons; if `after` is a
// column, `time` may be missing and is then 0. Nodes and steps count from 0; nodes of a graph whose
// file names them may be given by name. If nodes have a channel for every link (node.port_model),
// three more columns may follow: `port` of the source to leave by (0: as the routing has it),
// `copy` (1: carries the value of the row before), and `streams` (1: its flits follow those of the
// messages in `after` as they arrive). With classes of messages `class`, and with several planes
// `plane`, are their numbers.
//
// Columns may be called `src`, `dst` and `size`; `time_ps`, `time_ns`, `time_us`, `time_ms` and
// `time_s` hold decimal times, which become the nearest cycle.
//
// YAML: `transfers: [{source: 0, destination: 1, bytes: 256, step: 0}, ...]` with the same names,
// `after` a number or a list; optionally `barrier: {per_doubling: 0, fixed: 100}` in cycles, which
// a CSV file leaves to the configuration.

enum class ProgramFormat { kCsv, kYaml };

/// The format given by the extension (.csv, .yaml, .yml). Throws ConfigError, placed at `where`,
/// for any other.
ProgramFormat program_format(const std::string& path, const Location& where);

/// A further check of a valid program, after validate(); `locate` as there.
using ProgramCheck = std::function<std::vector<Diagnostic>(
    const Program&, const std::function<Location(MessageId)>& locate)>;

/// The settings for reading a program.
struct ProgramReading {
    double clock_ns = 1;      ///< period of the cycles that times with a unit become
    bool drops_self = false;  ///< leave messages of a node to itself out, and count them
    /// Graph::node_and_switch_names(). Null: nodes have no names.
    const std::vector<std::string>* node_names = nullptr;
};

/// Reads a program for a network of `nodes` nodes; the extension (.csv, .yaml, .yml) gives the
/// format. `named_at` is where the user named the file. Throws ConfigError with every finding (the
/// first 20 of a broken file), those of `check` included. The program is validated and named after
/// the file.
Program read_program(const std::string& path, NodeId nodes, const Location& named_at = {},
                     const ProgramCheck& check = {}, const ProgramReading& reading = {});

/// Reads a program from text; `source` names it in findings.
Program parse_program(const std::string& text, ProgramFormat format, const std::string& source,
                      NodeId nodes, const ProgramCheck& check = {},
                      const ProgramReading& reading = {});

/// Writes a program; reading it again gives an equal one, except for its name and, in CSV, the
/// barrier, which becomes a comment.
void write_program(const Program& program, std::ostream& out, ProgramFormat format);

/// Writes a program to a file; the extension gives the format. Throws ConfigError if it cannot be
/// written.
void write_program(const Program& program, const std::string& path);

}  // namespace flitscope
