// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The endpoints at the nodes of a fabric, as configured.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "traffic/endpoints/generator.h"
#include "traffic/endpoints/scoreboard.h"
#include "traffic/endpoints/scoreboard_config.h"
#include "traffic/patterns/pattern_source.h"
#include "traffic/program/operation_observer.h"

namespace flitscope {

class Graph;
struct HardwareConfig;

/// Requirements that the scoreboard may check; `pattern` is null if a program is played.
ScoreboardConfig scoreboard_config(const HardwareConfig& config, const Graph& graph,
                                   const Routing& routing, const PatternTraffic* pattern);

/// `program`, and observers unless they are null, must outlive it: `observer` of a program's steps,
/// or sends, `operations` of its operations.
std::unique_ptr<ProgramRun> make_program_run(const Program& program, const HardwareConfig& config,
                                             ProgramObserver* observer = nullptr,
                                             OperationObserver* operations = nullptr);

/// Lists errors although all messages have arrived: results of the computation, requests without a
/// reply. `run` is null if a pattern is played.
std::vector<std::string> wrong_ends(ProgramRun* run, const Scoreboard& scoreboard);

/// Messages of a pattern whose send has begun before cycle `end`, whether or not they have left
/// their queue. How far ahead of that its generators are is the engine's own affair.
std::uint64_t messages_begun(const std::vector<PatternGenerator*>& generators, Cycle end);

}  // namespace flitscope
