// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/input_file.h"
#include "models/base/output_file.h"
#include "models/base/printable.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/database_choice.h"
#include "testbench/app/cli/explainable.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/cli/run_folder.h"
#include "testbench/app/energy/run_energy.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/explain/packet_delays.h"
#include "testbench/app/report/page/loads_page.h"
#include "testbench/app/report/page/page.h"
#include "testbench/app/report/page/run_recorder.h"
#include "testbench/app/report/page/study_page.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"

namespace flitscope::cli {
namespace {

struct ReportOptions : Options {
    std::vector<std::string> what;  // configurations, folders of runs, databases or loads
    std::string output;             // page to write
    std::string study;              // in the database; empty: the latest
    bool energy = false;            // of runs
};

namespace fs = std::filesystem;

/// Throws ConfigError, before anything is done, if the page could not be written in the end.
void require_place(const std::string& page) {
    const Location where{"-o " + page, 0, 0};
    if (fs::path(page).extension() != ".html") {
        throw ConfigError(where, "a page is an HTML file", "name it .html");
    }
    require_writable(page, where);
}

bool is_database(const std::string& path) {
    std::error_code unknown;
    if (!fs::is_regular_file(path, unknown)) return false;  // data read from a pipe are gone
    std::string begin(15, '\0');
    std::ifstream(path, std::ios::binary).read(begin.data(), 15);
    return begin == "SQLite format 3" || fs::path(path).extension() == ".db";
}

/// What curve and saturate print as JSON; a configuration is YAML.
bool is_loads(const std::string& path) { return fs::path(path).extension() == ".json"; }

void write(const std::string& path, const Json& data) {
    write_whole_file(path, [&](std::ostream& out) { write_page(out, data); });
}

/// A page of one, or of two side by side.
Json page_of(std::vector<Json> parts) {
    if (parts.size() == 1) return std::move(parts.front());
    return {{"page", "pair"},
            {"title", parts[0].at("title").get<std::string>() + " | " +
                          parts[1].at("title").get<std::string>()},
            {"parts", std::move(parts)}};
}

int report_studies(const ReportOptions& options) {
    if (!options.overrides.empty()) {
        throw ConfigError({"--set " + options.overrides.front(), 0, 0},
                          "a study is shown as stored", "leave out --set");
    }
    try {
        std::vector<Json> parts;
        for (const std::string& path : options.what) {
            study::Database database(path, study::Database::Access::kRead);
            const study::StudyRow study = chosen_study(database, path, options.study);
            parts.push_back(study_page_json(database, study, options.typed));
        }
        require_no_input(options.output, {"-o " + options.output, 0, 0});
        write(options.output, page_of(std::move(parts)));
    } catch (const study::DatabaseError& error) {
        std::cerr << "error: " << error.what() << '\n';
        return kExitFailed;
    }
    return kExitOk;
}

/// The run that a page needs.
struct ReportedRun {
    std::string engine;
    std::optional<RunFolder> folder;  ///< folder of a run that is run again
    Machine machine;
};

ReportedRun reported_run(const ReportOptions& options, const std::string& path) {
    Options one = options;
    one.config = path;
    std::string engine = options.engine;
    std::optional<RunFolder> folder;
    std::error_code unknown;
    if (fs::is_directory(path, unknown)) {
        folder.emplace(path);
        one.config = folder->config();
        if (!options.overrides.empty() || options.energy) {
            const std::string what =
                options.energy ? "--energy" : "--set " + options.overrides.front();
            throw ConfigError({what, 0, 0}, "a run is shown as it ran",
                              "report " + one.config + " with " + what);
        }
        if (engine == kAutoEngine) engine = folder->engine();
    }
    Machine machine = load_machine(one);
    require_traffic(machine);
    if (options.energy) require_router_energy(machine);
    if (folder) {
        folder->require_files(machine);
        folder->require_inputs(machine);
        for (const std::string& other : folder->others(machine)) {
            std::cerr << "note: " << printable(other) << " does not belong to the run in "
                      << printable(path) << ", and is left out\n";
        }
    }
    return {std::move(engine), std::move(folder), std::move(machine)};
}

/// Runs a machine, and adds the data of its page to `parts`. If it was run before and now behaves
/// differently, there is none.
int report_run(const ReportOptions& options, const ReportedRun& run, ProgressLine& progress,
               std::vector<Json>& parts) {
    const Machine& machine = run.machine;
    RunRecorder recorder(machine);
    SimulationOptions simulation;
    simulation.channels = &recorder.channels();
    simulation.packets = &recorder.packets();
    simulation.sends = &recorder.sends();
    simulation.operations = recorder.operations();
    simulation.keep_modules = options.what.size() == 1;  // then this process runs once
    simulation.count_blocked = run.folder.has_value();
    simulation.log_messages = run.folder && run.folder->has_messages();
    // Those of a folder are compared with it, energy among them only if it has that.
    simulation.count_sendings = run.folder ? run.folder->has_energy() : options.energy;
    simulation.on_progress = show_until_interrupted(progress);
    Explanation explanation;
    std::optional<PacketDelays> delays;
    if (has_explained_pattern(machine)) {
        ExplainedTraffic explained = explain_traffic(machine, run.engine, simulation);
        explanation.run = std::move(explained.run);
        delays = std::move(explained.delays);
    } else {
        explanation = run_machine(machine, run.engine, simulation, has_explained_program(machine));
    }
    progress.clear();
    if (run.folder && explanation.run.verdict != Verdict::kInterrupted) {
        if (const auto difference = run.folder->difference(machine, explanation)) {
            std::cerr << difference->str() << '\n';
            return kExitFailed;
        }
    }
    parts.push_back(recorder.take(explanation, delays ? &*delays : nullptr, options.typed));
    return judge(explanation.run, true);
}

int report_runs(const ReportOptions& options) {
    if (!options.study.empty()) {
        throw ConfigError({"--study " + options.study, 0, 0}, "needs a database",
                          "flitscope report FILE.db --study " + options.study);
    }
    std::vector<ReportedRun> runs;  // all of them are sound before one is run
    for (const std::string& path : options.what) runs.push_back(reported_run(options, path));
    require_no_input(options.output, {"-o " + options.output, 0, 0});
    ProgressLine progress(shows_progress(options));
    watch_for_interrupts();
    std::vector<Json> parts;
    int code = kExitOk;
    for (const ReportedRun& run : runs) {
        std::optional<FreshKernel> kernel;
        if (runs.size() > 1) kernel.emplace();
        const int outcome = report_run(options, run, progress, parts);
        if (code == kExitOk) code = outcome;
    }
    if (parts.size() != runs.size()) return kExitFailed;
    write(options.output, page_of(std::move(parts)));
    return code;
}

int report_loads(const ReportOptions& options) {
    if (!options.overrides.empty()) {
        throw ConfigError({"--set " + options.overrides.front(), 0, 0},
                          "loads are shown as they were measured",
                          "give --set to curve or saturate");
    }
    std::vector<LoadsFile> files;
    for (const std::string& path : options.what) files.push_back(read_loads(path));
    const Json data = loads_page_json(files, options.typed);
    require_no_input(options.output, {"-o " + options.output, 0, 0});
    write(options.output, data);
    return kExitOk;
}

int report_command(const ReportOptions& options) {
    require_place(options.output);
    std::size_t studies = 0;
    std::size_t loads = 0;
    for (const std::string& path : options.what) {
        if (is_database(path)) {
            ++studies;
        } else if (is_loads(path)) {
            ++loads;
        }
    }
    const std::size_t all = options.what.size();
    if ((studies != 0 && studies != all) || (loads != 0 && loads != all)) {
        throw ConfigError({options.what.back(), 0, 0},
                          "runs, studies and loads are different pages",
                          "name configurations or folders of runs, databases, or the JSON of "
                          "curve and saturate");
    }
    if (options.energy && studies + loads != 0) {
        throw ConfigError({"--energy", 0, 0}, "is for runs", "leave it out");
    }
    if (loads != 0) return report_loads(options);
    if (all > 2) {
        throw ConfigError({options.what.back(), 0, 0}, "a page has two runs or studies at most",
                          "leave it out");
    }
    return studies != 0 ? report_studies(options) : report_runs(options);
}

}  // namespace

Command add_report(CLI::App& app) {
    const auto given = std::make_shared<ReportOptions>();
    ReportOptions& options = *given;
    CLI::App* const command = app.add_subcommand(
        "report",
        "Write a page that shows a run, a study or loads: one HTML file, for any browser, offline");
    command
        ->add_option("what", options.what,
                     "A configuration, which is simulated; the folder of a run (run --out), which "
                     "is\nsimulated again; the database of a study (explore --db); or what curve "
                     "and\nsaturate print with --json, any number of files. Two runs, or "
                     "two\nstudies, are shown side by side")
        ->required()
        ->type_name("CONFIG.yaml|DIR|FILE.db|FILE.json");
    add_overrides(*command, options);
    add_engine(*command, options);
    command->add_option("-o,--output", options.output, "The page to write")
        ->required()
        ->type_name("FILE.html");
    command->add_option("--study", options.study, "A study of the database (default: the latest)")
        ->type_name("NAME");
    command->add_flag("--energy", options.energy,
                      "Of a configuration also show where its energy is spent, from the results "
                      "of\nflitscope synth --energy; the folder of a run --energy has that");
    add_progress(*command, options);
    command->footer(
        "For a run: every link over time with its messages, steps, messages, latencies, and "
        "the\ncritical path of a program. For a study: its designs, the front, and the "
        "configuration of\neach. For loads: latency and throughput of each network, and where it "
        "saturates\n"
        "(testbench/app/report/page).");
    return make_command(command, given, report_command);
}

}  // namespace flitscope::cli
