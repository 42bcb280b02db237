// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// GOAL as txt2bin of LogGOPSim and ATLAHS write it: little-endian, packed (README.md, "GOAL").
#pragma once

#include <string>
#include <string_view>

#include "models/config/application_trace_config.h"
#include "traffic/traces/trace.h"

namespace flitscope {

/// Whether a file begins as GOAL in binary does, which no text can.
bool is_goal_binary(std::string_view bytes);

/// Hands on the trace that `bytes` are; `source` names it in findings. Throws ConfigError, with the
/// offset, for inconsistent data: ranges that leave the file or their rank, counts that contradict
/// each other, unknown kinds; as `reading` asks, for network interfaces other than 0. Takes memory
/// in proportion to `bytes`.
void read_goal_binary(std::string_view bytes, const std::string& source, TraceSink& sink,
                      const TraceReadingConfig& reading);
/// Reads a whole trace at once; for the fuzzer.
Trace parse_goal_binary(std::string_view bytes, const std::string& source);

}  // namespace flitscope
