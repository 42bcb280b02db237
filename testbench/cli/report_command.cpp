// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <ostream>
#include <string>

#include "models/base/diagnostics.h"
#include "models/base/output_file.h"
#include "testbench/build/machine.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/database_choice.h"
#include "testbench/cli/interrupts.h"
#include "testbench/cli/progress_line.h"
#include "testbench/explain/explanation.h"
#include "testbench/report/page/page.h"
#include "testbench/report/page/run_recorder.h"
#include "testbench/report/page/study_page.h"
#include "testbench/run/simulation.h"

namespace flitscope::cli {
namespace {

namespace fs = std::filesystem;

/// Throws ConfigError where the page could not be written in the end, before anything is done.
void require_place(const std::string& page) {
    const Location where{"-o " + page, 0, 0};
    if (fs::path(page).extension() != ".html") {
        throw ConfigError(where, "a page is an HTML file", "name it .html");
    }
    if (fs::is_directory(page)) {
        throw ConfigError(where, "a folder is in the way", "choose another name");
    }
    const std::string probe = create_beside(page);
    if (probe.empty()) {
        throw ConfigError(where, std::string("cannot be written: ") + std::strerror(errno),
                          "does the folder exist, and may you write there?");
    }
    std::remove(probe.c_str());
}

bool is_database(const std::string& path) {
    std::string begin(15, '\0');
    std::ifstream(path, std::ios::binary).read(begin.data(), 15);
    return begin == "SQLite format 3" || fs::path(path).extension() == ".db";
}

/// What a run leaves in its folder are sums; a page shows what happened when.
[[noreturn]] void refuse_folder(const std::string& folder) {
    const std::string config = (fs::path(folder) / "config.yaml").string();
    if (!fs::exists(config)) {
        throw ConfigError({folder, 0, 0}, "is a folder, and not that of a run",
                          "name a configuration, or the database of a study");
    }
    throw ConfigError({folder, 0, 0},
                      "the folder of a run does not hold what happened in which cycle",
                      "report its configuration, which is run again: flitscope report " + config);
}

void write(const std::string& path, const Json& data) {
    write_whole_file(path, [&](std::ostream& out) { write_page(out, data); });
}

int report_study(const Options& options) {
    if (!options.overrides.empty()) {
        throw ConfigError({"--set " + options.overrides.front(), 0, 0},
                          "a study is shown as it is kept", "leave out --set");
    }
    try {
        study::Database database(options.config, study::Database::Access::kRead);
        const study::StudyRow study = chosen_study(database, options.config, options.study);
        write(options.report_to, study_page_json(database, study, options.command));
    } catch (const study::DatabaseError& error) {
        std::cerr << "error: " << error.what() << '\n';
        return kExitFailed;
    }
    return kExitOk;
}

int report_run(const Options& options) {
    if (!options.study.empty()) {
        throw ConfigError({"--study " + options.study, 0, 0}, "takes a database",
                          "flitscope report FILE.db --study " + options.study);
    }
    const Machine machine = build_machine(load_clocked_config(options));
    require_traffic(machine);
    ProgressLine progress(options.progress || isatty(STDERR_FILENO) != 0);
    watch_for_interrupts();
    RunRecorder recorder(machine);
    SimulationOptions simulation;
    simulation.channels = &recorder.channels();
    simulation.packets = &recorder.packets();
    simulation.keep_modules = true;  // this process runs once
    simulation.on_progress = [&progress](const Progress& p) {
        progress.show(p);
        return !is_interrupted();
    };
    Explanation explanation;
    if (machine.program) {
        explanation = explain(machine, options.engine, simulation);
    } else {
        explanation.run = simulate(machine, options.engine, simulation);
    }
    progress.clear();
    write(options.report_to, recorder.take(explanation, options.command));
    const SimulationResult& run = explanation.run;
    if (run.verdict != Verdict::kComplete) {
        std::cerr << "error: " << verdict_name(run.verdict) << '\n';
        for (const std::string& text : run.problems) std::cerr << "  " << text << '\n';
    }
    return exit_code(run.verdict);
}

}  // namespace

int report_command(const Options& options) {
    require_place(options.report_to);
    if (fs::is_directory(options.config)) refuse_folder(options.config);
    return is_database(options.config) ? report_study(options) : report_run(options);
}

}  // namespace flitscope::cli
