// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// GOAL as text (group operation assembly language; Hoefler, Siebert, Lumsdaine 2009), as txt2bin of
// LogGOPSim reads it and ATLAHS writes it.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "models/config/application_trace_config.h"
#include "traffic/traces/trace.h"

namespace flitscope {

/// Hands on the trace that `text` is; `source` names it in findings. Input valid for txt2bin is
/// read in the same way; labels may also be used above their line. Throws ConfigError, with line
/// and column, for everything else: words that GOAL does not have, labels that are used and missing
/// or defined twice, ranks without a number below num_ranks; and as `reading` asks, for network
/// interfaces other than 0. A trace of liballprof is refused with the name of its converter.
void read_goal_text(std::string_view text, const std::string& source, TraceSink& sink,
                    const TraceReadingConfig& reading);
/// Reads a whole trace at once; for tests and the fuzzer.
Trace parse_goal_text(std::string_view text, const std::string& source,
                      const TraceReadingConfig& reading = {});

/// Writes a trace so that parse_goal_text() reads an equal one except for its lines.
void write_goal_text(const Trace& trace, std::ostream& out);

}  // namespace flitscope
