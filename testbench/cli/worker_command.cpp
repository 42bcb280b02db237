// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "testbench/cli/commands.h"
#include "testbench/study/slurm/chunk.h"

namespace flitscope::cli {

int worker_command(const Options& options) {
    study::measure_chunk(options.chunk, [](std::size_t point, const study::PointOutcome& outcome) {
        fmt::print("point {}: {}{}{} ({:.3f} s)\n", point, outcome.status,
                   outcome.problem.empty() ? "" : ": ", outcome.problem, outcome.wall_seconds);
        std::fflush(stdout);  // a log that somebody looks at
    });
    return kExitOk;
}

}  // namespace flitscope::cli
