// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/command_table.h"

#include "testbench/app/cli/part_program.h"
#include "testbench/app/cli/reproduce_options.h"

namespace flitscope::cli {
namespace {

int reproduce_elsewhere(const ReproduceOptions& options) {
    become_program("flitscope-reproduce", options);
}

}  // namespace

std::vector<Command> add_commands(CLI::App& app) {
    return {add_run(app),
            add_explain(app),
            add_report(app),
            add_cosim(app),
            add_verify(app),
            add_check(app),
            add_topology(app),
            add_compare(app),
            add_schedule(app),
            add_export(app),
            add_import(app),
            add_synth(app),
            add_find_schedule(app),
            add_curve(app),
            add_saturate(app),
            add_explore(app),
            add_reproduce(app, reproduce_elsewhere),
            add_worker(app),
            add_list(app),
            add_keys(app),
            add_machines(app),
            add_doctor(app),
            add_manual(app),
            add_completion(app)};
}

}  // namespace flitscope::cli
