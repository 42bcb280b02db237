// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What of a run can be explained: commands refuse the rest before they simulate it.
#pragma once

namespace flitscope {
struct Machine;
}  // namespace flitscope

namespace flitscope::cli {

/// Throws ConfigError where there is no traffic, or it is not known what waits for what.
void require_explained_events(const Machine& machine);
/// Throws ConfigError if the traffic is no program, so that there is no makespan to explain.
void require_program(const Machine& machine);
/// Whether the makespan of its traffic can be explained: of programs without operations, of which
/// it is known what waits for what.
bool has_explained_program(const Machine& machine);

}  // namespace flitscope::cli
