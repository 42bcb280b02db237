// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/reproduce_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/output_folder.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/report/report.h"
#include "testbench/app/study/worker_pool.h"
#include "testbench/papers/framework/experiment_runner.h"
#include "testbench/papers/framework/paper.h"
#include "testbench/papers/framework/render.h"
#include "testbench/papers/framework/synthesized_runs.h"
#include "testbench/papers/papers.h"

namespace flitscope::cli {
namespace {

using reproduce::Experiment;
using reproduce::Outcomes;
using reproduce::Paper;
using reproduce::Report;
using reproduce::SynthesizedRuns;

std::vector<Paper> chosen(const std::string& name) {
    if (name == "all") return reproduce::papers();
    std::vector<Paper> papers;
    for (const Paper& paper : reproduce::papers()) {
        if (paper.name == name) papers.push_back(paper);
    }
    return papers;
}

reproduce::Wanted wanted_of(const ReproduceOptions& options) {
    return options.only.empty() ? reproduce::Wanted() : reproduce::Wanted(options.only);
}

std::vector<Experiment> experiments_of(const std::vector<Paper>& papers) {
    std::vector<Experiment> experiments;
    for (const Paper& paper : papers) {
        for (Experiment& experiment : paper.experiments()) {
            experiments.push_back(std::move(experiment));
        }
    }
    return experiments;
}

SynthesizedRuns synthesized(const std::vector<Paper>& papers, const ReproduceOptions& command) {
    SynthesizedRuns runs(
        experiments_of(papers),
        {processes(command), is_interrupted, [](std::size_t done, std::size_t total) {
             show_status(fmt::format("{} of {} routers synthesized", done, total));
         }});
    clear_status();
    return runs;
}

/// `synthesized` may be null.
Outcomes run_these(const std::vector<Experiment>& experiments, const ReproduceOptions& command,
                   SynthesizedRuns* synthesized = nullptr) {
    reproduce::ExperimentOptions options;
    if (synthesized != nullptr) {
        options.on_outcome = [synthesized](const Experiment& experiment,
                                           const study::PointOutcome& outcome) {
            synthesized->note(experiment, outcome);
        };
    }
    if (!command.out.empty()) options.folder = command.out + "/runs";
    options.processes = processes(command);
    options.on_progress = show_status;
    options.is_cancelled = is_interrupted;
    Outcomes outcomes = run_experiments(experiments, options);
    clear_status();
    return outcomes;
}

/// What the wanted tables and plots need. Which runs these are can depend on the outcomes of others
/// (the best of several), so the reports are asked until they want for nothing.
Outcomes run_wanted(const std::vector<Paper>& papers, const reproduce::Wanted& wanted,
                    const ReproduceOptions& command) {
    Outcomes known;
    for (;;) {
        Outcomes asked = known;
        asked.note_missing();
        bool has_tables = false;
        bool has_plots = false;
        for (const Paper& paper : papers) {
            const Report report = paper.report(asked, wanted);
            has_tables = has_tables || !report.tables.empty();
            has_plots = has_plots || !report.plots.empty();
        }
        if (has_plots && !has_tables && command.out.empty() && !command.json) {
            throw ConfigError({"--only " + command.only, 0, 0}, "only plots have these words",
                              "--out DIR draws them, --json has their points");
        }
        if (!has_tables && !has_plots) {
            throw ConfigError(
                {"--only " + command.only, 0, 0},
                fmt::format("no table or plot of {} has these words in its title",
                            papers.size() == 1 ? papers.front().name : "any paper"),
                fmt::format("there are:\n  {}\n", fmt::join(wanted.others(), "\n  ")));
        }
        if (asked.missing().empty()) return known;
        std::vector<Experiment> experiments;
        for (Experiment& experiment : experiments_of(papers)) {
            if (asked.missing().count(experiment.key) != 0) {
                experiments.push_back(std::move(experiment));
            }
        }
        const Outcomes outcomes = run_these(experiments, command);
        for (const std::string& key : asked.missing()) known.add(key, outcomes.at(key));
    }
}

void write_report(const Paper& paper, const Outcomes& outcomes, const Report& report,
                  OutputFolder& out) {
    out.write(paper.name + ".csv",
              [&](std::ostream& file) { outcomes.write(file, paper.experiments()); });
    out.write(paper.name + ".txt", [&](std::ostream& file) { print_report(file, paper, report); });
    out.write(paper.name + ".json",
              [&](std::ostream& file) { file << report_json(paper, report).dump(1) << '\n'; });
}

void write_plots(const Report& report, OutputFolder& out) {
    for (const Plot& plot : report.plots) {
        const DrawnPlot files = drawn(plot);
        out.write(plot.name + ".csv", [&](std::ostream& file) { file << files.data; });
        out.write(plot.name + ".svg", [&](std::ostream& file) { file << files.picture; });
    }
    out.publish();
}

constexpr const char* kConclusions = "conclusions.md";

constexpr const char* kSynthesizedCsv = "_synthesized.csv";

std::vector<std::string> file_names(const std::vector<Paper>& papers) {
    std::vector<std::string> names{kConclusions};
    for (const Paper& paper : papers) {
        for (const char* const ending : {".csv", ".txt", ".json", kSynthesizedCsv}) {
            names.push_back(paper.name + ending);
        }
    }
    return names;
}

}  // namespace

int reproduce_command(const ReproduceOptions& options) {
    const std::vector<Paper> papers = chosen(options.paper);
    if (!options.out.empty() && !can_draw()) {
        throw ConfigError({"--out " + options.out, 0, 0},
                          "plots are drawn with gnuplot, which is missing",
                          "run ./dev setup, or leave out --out");
    }
    OutputFolder out(options.out, file_names(papers));
    watch_for_interrupts();
    Json all;
    all["version"] = version();
    all["papers"] = Json::array();
    try {
        std::optional<SynthesizedRuns> runs;
        if (options.physical) runs = synthesized(papers, options);
        const reproduce::Wanted wanted = wanted_of(options);
        const Outcomes outcomes =
            wanted.is_all() ? run_these(runs ? runs->experiments() : experiments_of(papers),
                                        options, runs ? &*runs : nullptr)
                            : run_wanted(papers, wanted, options);
        if (out.used() && wanted.is_all()) {
            out.write(kConclusions,
                      [&](std::ostream& file) { print_conclusions(file, papers, outcomes); });
        }
        bool is_second = false;
        for (const Paper& paper : papers) {
            Report report = paper.report(outcomes, wanted);
            if (!wanted.is_all() && report.tables.empty() && report.plots.empty()) continue;
            if (runs) report.tables.push_back(runs->table(paper.experiments()));
            if (out.used() && runs) {
                out.write(paper.name + kSynthesizedCsv,
                          [&](std::ostream& file) { runs->write_csv(file, paper.experiments()); });
            }
            if (out.used() && wanted.is_all()) write_report(paper, outcomes, report, out);
            if (out.used()) write_plots(report, out);
            if (options.json) {
                all["papers"].push_back(report_json(paper, report));
            } else {
                if (is_second) std::cout << "\n\n";
                is_second = true;
                print_whole(reproduce::print_report, paper, report);
            }
        }
    } catch (const study::Cancelled&) {
        std::cerr << "\nerror: interrupted"
                  << (out.used() ? "; finished runs are kept, rerun the command to resume\n"
                                 : "\n");
        return kExitInterrupted;
    }
    if (options.json) std::cout << all.dump(1) << '\n';
    return kExitOk;
}

}  // namespace flitscope::cli
