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
        experiments_of(papers), command.overrides,
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

/// Before anything runs: throws ConfigError if nothing is wanted, or only plots, which nobody would
/// see.
void require_some(const std::vector<Report>& reports, const reproduce::Wanted& wanted,
                  const std::vector<Paper>& papers, const ReproduceOptions& command) {
    const auto has = [&](auto Report::*parts) {
        return std::any_of(reports.begin(), reports.end(),
                           [parts](const Report& report) { return !(report.*parts).empty(); });
    };
    if (has(&Report::tables)) return;
    if (!has(&Report::plots)) {
        throw ConfigError({"--only " + command.only, 0, 0},
                          fmt::format("no table or plot of {} has these words in its title",
                                      papers.size() == 1 ? papers.front().name : "any paper"),
                          fmt::format("there are:\n  {}\n", fmt::join(wanted.others(), "\n  ")));
    }
    if (command.out.empty() && !command.json) {
        throw ConfigError({"--only " + command.only, 0, 0}, "only plots have these words",
                          "--out DIR draws them, --json has their points");
    }
}

/// The reports with the wanted tables and plots. Which runs these need can depend on the outcomes
/// of others (the best of several), so the reports are asked until they want for nothing.
std::vector<Report> wanted_reports(const std::vector<Paper>& papers,
                                   const ReproduceOptions& command) {
    const reproduce::Wanted wanted(command.only);
    Outcomes known;
    for (;;) {
        Outcomes asked = known;
        asked.note_missing();
        std::vector<Report> reports;
        for (const Paper& paper : papers) reports.push_back(paper.report(asked, wanted));
        require_some(reports, wanted, papers, command);
        if (asked.missing().empty()) return reports;
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

void write_plots(const Report& report, OutputFolder& out) {
    for (const Plot& plot : report.plots) {
        const DrawnPlot files = drawn(plot);
        out.write(plot.name + ".csv", [&](std::ostream& file) { file << files.data; });
        out.write(plot.name + ".svg", [&](std::ostream& file) { file << files.picture; });
    }
    out.publish();
}

void write_files(const Paper& paper, const Outcomes& outcomes, const Report& report,
                 OutputFolder& out) {
    out.write(paper.name + ".csv",
              [&](std::ostream& file) { outcomes.write(file, paper.experiments()); });
    out.write(paper.name + ".txt", [&](std::ostream& file) { print_report(file, paper, report); });
    out.write(paper.name + ".json",
              [&](std::ostream& file) { file << report_json(paper, report).dump(1) << '\n'; });
    write_plots(report, out);
}

/// Reports as they are printed: one after the other, or in the end all of them in one JSON object.
class Shown {
public:
    explicit Shown(bool json) : json_(json) {
        all_["version"] = version();
        all_["papers"] = Json::array();
    }
    void add(const Paper& paper, const Report& report) {
        if (json_) {
            all_["papers"].push_back(report_json(paper, report));
            return;
        }
        if (!is_first_) std::cout << "\n\n";
        is_first_ = false;
        print_whole(reproduce::print_report, paper, report);
    }
    void finish() const {
        if (json_) std::cout << all_.dump(1) << '\n';
    }

private:
    bool json_;
    bool is_first_ = true;
    Json all_;
};

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

void reproduce_all(const std::vector<Paper>& papers, const ReproduceOptions& options,
                   OutputFolder& out, Shown& shown) {
    std::optional<SynthesizedRuns> runs;
    if (options.physical) runs = synthesized(papers, options);
    const Outcomes outcomes = run_these(runs ? runs->experiments() : experiments_of(papers),
                                        options, runs ? &*runs : nullptr);
    std::vector<Report> reports;
    for (const Paper& paper : papers) reports.push_back(paper.report(outcomes));
    if (out.used()) {
        out.write(kConclusions,
                  [&](std::ostream& file) { print_conclusions(file, papers, reports, outcomes); });
    }
    for (std::size_t i = 0; i < papers.size(); ++i) {
        const Paper& paper = papers[i];
        Report& report = reports[i];
        if (runs) report.tables.push_back(runs->table(paper.experiments()));
        if (out.used() && runs) {
            out.write(paper.name + kSynthesizedCsv,
                      [&](std::ostream& file) { runs->write_csv(file, paper.experiments()); });
        }
        if (out.used()) write_files(paper, outcomes, report, out);
        shown.add(paper, report);
    }
}

void reproduce_wanted(const std::vector<Paper>& papers, const ReproduceOptions& options,
                      OutputFolder& out, Shown& shown) {
    const std::vector<Report> reports = wanted_reports(papers, options);
    for (std::size_t i = 0; i < papers.size(); ++i) {
        const Report& report = reports[i];
        if (report.tables.empty() && report.plots.empty()) continue;
        if (out.used()) write_plots(report, out);
        shown.add(papers[i], report);
    }
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
    Shown shown(options.json);
    try {
        if (options.only.empty()) {
            reproduce_all(papers, options, out, shown);
        } else {
            reproduce_wanted(papers, options, out, shown);
        }
    } catch (const study::Cancelled&) {
        std::cerr << "\nerror: interrupted"
                  << (out.used() ? "; finished runs are kept, rerun the command to resume\n"
                                 : "\n");
        return kExitInterrupted;
    }
    shown.finish();
    return kExitOk;
}

}  // namespace flitscope::cli
