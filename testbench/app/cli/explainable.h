// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The runs that can be explained: commands reject others before they simulate them.
#pragma once

namespace flitscope {
struct Machine;
}  // namespace flitscope

namespace flitscope::cli {

/// Throws ConfigError if there is no traffic, or its dependencies are not known.
void require_explained_events(const Machine& machine);
/// Throws ConfigError if the traffic is not a program, so that there is no makespan to explain.
void require_program(const Machine& machine);
/// Whether it can be explained where the packets of its pattern spend their cycles.
bool has_explained_pattern(const Machine& machine);
/// Whether the makespan of its traffic can be explained: only for programs without operations whose
/// dependencies are known.
bool has_explained_program(const Machine& machine);

}  // namespace flitscope::cli
