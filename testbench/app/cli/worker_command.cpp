// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/study/slurm/chunk.h"

namespace flitscope::cli {
namespace {

struct WorkerOptions : Options {
    std::string chunk;  // file with points
};

int worker_command(const WorkerOptions& options) {
    study::measure_chunk(options.chunk, [](std::size_t point, const study::PointOutcome& outcome) {
        fmt::print("point {}: {}{}{} ({:.3f} s)\n", point, name_of(outcome.status),
                   outcome.problem.empty() ? "" : ": ", outcome.problem, outcome.wall_seconds);
        std::fflush(stdout);  // a log that may be watched
    });
    return kExitOk;
}

}  // namespace

Command add_worker(CLI::App& app) {
    const auto given = std::make_shared<WorkerOptions>();
    WorkerOptions& options = *given;
    CLI::App* const command =
        app.add_subcommand("worker", "Measure the points of a chunk, as a job of explore --slurm");
    command->add_option("chunk", options.chunk, "The chunk; results go into the folder next to it")
        ->required()
        ->type_name("CHUNK");
    return make_command(command, given, worker_command);
}

}  // namespace flitscope::cli
