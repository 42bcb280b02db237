// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/did_you_mean.h"
#include "models/base/input_file.h"
#include "models/base/memory.h"
#include "models/base/printable.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/explore_views.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/report/plot.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/explore/database.h"
#include "testbench/app/study/explore/exploration.h"
#include "testbench/app/study/explore/views.h"
#include "testbench/app/study/slurm/slurm_worker_pool.h"

namespace flitscope::cli {
namespace {

using study::Database;
using study::StudyRow;

/// Shows the progress of a study while it runs, and the state of the cluster.
class StudyStatus {
public:
    void show(const study::ExploreProgress& progress) {
        const double rate =
            progress.seconds > 0 ? static_cast<double>(progress.done) / progress.seconds : 0;
        progress_ = fmt::format("{} {}", progress.stage, progress.done);
        if (progress.total != 0) progress_ += fmt::format(" of {}", progress.total);
        progress_ += fmt::format("  {:.1f}/s", rate);
        if (progress.total != 0 && rate > 0) {
            progress_ += fmt::format(
                "  about {} left",
                duration_text(static_cast<double>(progress.total - progress.done) / rate));
        }
        if (progress.on_front != 0) {
            progress_ +=
                fmt::format("  {} pruned  {} on the front", progress.pruned, progress.on_front);
        }
        show();
    }
    /// Says how many designs there are, before any of them is measured.
    void show_designs(std::uint64_t designs) {
        const std::string text =
            fmt::format("{} design{}", grouped(designs), designs == 1 ? "" : "s");
        show_status(text);
        designs_ = text + "  ";
    }
    /// Jobs that wait may do so for hours, in which nothing else is heard of the study.
    void show_queue(std::size_t running, std::size_t waiting) {
        queue_ = fmt::format("  jobs: {} running, {} waiting", running, waiting);
        show();
    }

private:
    void show() {
        if (pace_.is_due()) show_status(designs_ + progress_ + queue_);
    }

    StatusPace pace_;
    std::string designs_;
    std::string progress_;
    std::string queue_;
};

/// How the stored study differs from this one; empty if it does not, as far as is known.
std::string other_of(const StudyRow& kept, const StudyRow& study) {
    constexpr std::size_t kMost = 300;
    std::string text = kept.text == study.text ? "" : "another text";
    if (!kept.settings || kept.settings == study.settings) return text;
    const std::string settings = settings_text(kept);
    if (!text.empty()) text += " and ";
    if (settings.empty()) return text + "no --set";
    return text + (settings.size() > kMost ? "other --set" : settings);
}

void tell_replaced(const StudyRow& kept, const StudyRow& study) {
    const std::string other = other_of(kept, study);
    if (other.empty()) return;
    clear_status();
    std::cerr << fmt::format(
        "note: the study '{}' replaces the stored one of that name, which had {}; results are "
        "kept; to keep both studies, give this one another name (--study)\n",
        printable(kept.name), other);
}

study::ExploreOptions explore_options(const ExploreOptions& options, StudyStatus& status) {
    study::ExploreOptions explore;
    explore.engine = options.engine;
    explore.processes = processes(options);
    explore.estimates_routers = options.estimate;
    explore.is_cancelled = is_interrupted;
    explore.on_replaced = tell_replaced;
    explore.simulate = study::process_worker_pool({explore.processes, is_interrupted});
    explore.on_progress = [&status](const study::ExploreProgress& progress) {
        status.show(progress);
    };
    return explore;
}

/// The folder with the work and the outcomes of cluster jobs.
std::string slurm_folder(const ExploreOptions& options) { return options.db + ".slurm"; }

/// Options for that, and for progress messages.
study::SlurmOptions slurm_options(const ExploreOptions& options, StudyStatus& status) {
    const auto on_queue = [&status](std::size_t running, std::size_t waiting) {
        status.show_queue(running, waiting);
    };
    return {slurm_folder(options), on_queue, is_interrupted};
}

/// Takes over jobs that an earlier study left on the cluster, before this one measures anything
/// here.
void choose_worker_pool(study::ExploreOptions& explore, const ExploreOptions& options,
                        Database& database, StudyStatus& status) {
    if (options.db.empty()) return;
    const study::SlurmOptions slurm = slurm_options(options, status);
    take_over(slurm, [&](const study::DesignPoint& point, const study::PointOutcome& outcome) {
        keep_outcome(database, digest(point), point_row(point), outcome);
    });
    if (options.slurm) explore.simulate = slurm_worker_pool(slurm);
}

int explore_in(Database& database, const ExploreOptions& options, const study::Study& study) {
    watch_for_interrupts();
    try {
        StudyStatus status;
        study::ExploreOptions explore = explore_options(options, status);
        choose_worker_pool(explore, options, database, status);
        if (options.dry_run) {
            explore.on_designs = [&status](std::uint64_t designs) { status.show_designs(designs); };
            const auto estimate = study::estimate(study, database, explore);
            clear_status();
            tell(options, estimate_json, print_estimate, study, estimate);
            return kExitOk;
        }
        const auto result = study::explore(study, database, explore);
        clear_status();
        tell(options, explore_json, print_explore, study, result);
        if (!options.plot.empty()) {
            std::cout.flush();
            const StudyRow row = database.studies().back();
            draw_front(options.plot, row, database.designs(row));
        }
        if (result.crashed == 0) return kExitOk;
        std::cout.flush();
        if (is_out_of_memory(result.crash)) {
            throw MemoryError(fmt::format(
                "{} of the designs could not be measured (rerun the command to try again): {}",
                grouped(result.crashed), printable(result.crash)));
        }
        std::cerr << fmt::format(
            "error: {} of the designs could not be measured: {} (rerun the command to try again)\n",
            grouped(result.crashed), printable(result.crash));
        return kExitFailed;
    } catch (const study::Cancelled&) {
        clear_status();
        std::cerr << "error: interrupted"
                  << (options.db.empty() ? "" : "; rerun the command to resume") << '\n';
        return kExitInterrupted;
    }
}

int explore_study(const ExploreOptions& options, const std::string& path) {
    study::Study study = study::load_study(path, options.overrides);
    if (!options.study.empty()) study.name = options.study;
    if (options.slurm) {
        if (options.db.empty()) {
            throw ConfigError({"--slurm", 0, 0}, "needs a database", "--db FILE");
        }
        study::require_slurm(slurm_folder(options));  // before a file is made
    }
    if (!options.plot.empty()) {
        if (!options.db.empty()) note_input(options.db);  // nothing may be drawn over it
        plot_at(options.plot);                            // refused now, not after all runs
    }
    Database database(options.db, Database::Access::kWrite);
    try {
        return explore_in(database, options, study);
    } catch (const ConfigError&) {
        database.discard_if_unused();
        throw;
    }
}

/// Throws ConfigError for an option that would do nothing, such as one for a file that would not be
/// written. `what` follows explore, and takes the options `taken`, separated by blanks.
void require_taken(const ExploreOptions& options, const std::string& what,
                   const std::string& taken) {
    const std::string words = " --db --json-errors " + taken + ' ';  // the latter needs --json
    for (const std::string& option : options.given()) {
        if (words.find(' ' + option + ' ') != std::string::npos) continue;
        throw ConfigError({option, 0, 0}, fmt::format("explore {} does not accept it", what),
                          "it accepts --db " + taken);
    }
}

/// Requires `count` arguments after the word.
void require_words(const ExploreOptions& options, std::size_t count, const std::string& usage) {
    if (options.words.size() == count + 1) return;
    throw ConfigError({"explore " + options.words.front(), 0, 0},
                      fmt::format("takes {} argument{}, found {}", count, count == 1 ? "" : "s",
                                  options.words.size() - 1),
                      usage);
}

/// Throws ConfigError for a word that is not a study, but nearly a view.
void require_no_misspelled_view(const std::string& word) {
    std::error_code unknown;
    if (std::filesystem::exists(word, unknown)) return;
    std::vector<std::string> names;
    for (const View& view : views()) names.push_back(view.word);
    const std::string near = nearest(word, names);
    if (near.empty()) return;
    throw ConfigError({"explore " + word, 0, 0}, "there is no such study or view",
                      did_you_mean_of(near, "views", names));
}

int explore_command(const ExploreOptions& options) {
    const std::string& word = options.words.front();
    const auto view = std::find_if(views().begin(), views().end(),
                                   [&](const View& one) { return one.word == word; });
    try {
        if (view == views().end()) {
            require_no_misspelled_view(word);
            require_words(options, 0, "flitscope explore STUDY.yaml");
            require_taken(options, "STUDY.yaml",
                          "--study --set --liberty --corner --wires --clock-gates --engine "
                          "--no-verilate --jobs --slurm --plot --estimate "
                          "--dry-run --json");
            return explore_study(options, word);
        }
        if (options.db.empty()) {
            throw ConfigError({"explore " + word, 0, 0}, "needs a database", "--db FILE");
        }
        require_words(
            options, view->designs,
            fmt::format("flitscope explore {}{} --db FILE", view->with_designs(), view->needs));
        require_taken(options, word, view->takes);
        Database database(options.db, Database::Access::kRead);
        return view->show(database, options);
    } catch (const study::DatabaseError& error) {
        clear_status();
        std::cerr << "error: " << error.what() << '\n';
        return kExitFailed;
    }
}

}  // namespace

Command add_explore(CLI::App& app) {
    const auto given = std::make_shared<ExploreOptions>();
    ExploreOptions& options = *given;
    CLI::App* const command = app.add_subcommand(
        "explore", "Find the best of many designs: run a study, query its database");
    options.command = command;
    std::string meaning = "A study (testbench/app/study/README.md), or a view of a database";
    std::string type = "STUDY.yaml";
    for (const View& view : views()) {
        meaning += fmt::format("\n{}: {}", view.with_designs(), view.meaning);
        type += '|' + view.word;
    }
    command->add_option("what", options.words, meaning)->required()->type_name(type);
    add_overrides(*command, options);
    add_technology(*command, options);
    command
        ->add_option("--db", options.db,
                     "Database of the results: rerunning the command resumes the study and "
                     "reuses\nstored results")
        ->type_name("FILE");
    command
        ->add_option(
            "--study", options.study,
            "A study of the database (default: the latest; with show and diff the latest\n"
            "that has simulated the design); with STUDY.yaml its name (default: the file's)")
        ->type_name("NAME");
    command
        ->add_option(
            "--measurement", options.measurement,
            "With show: the measurement whose configuration is shown, if there are several")
        ->type_name("NAME");
    command
        ->add_option("--budget", options.budget,
                     "With best: an objective and its limits, e.g. pins=128,256,512")
        ->type_name("OBJECTIVE=V,V,...");
    command->add_option("--rows", options.rows, "With table: axis of the rows")->type_name("AXIS");
    command->add_option("--columns", options.columns, "With table: axis of the columns")
        ->type_name("AXIS");
    command
        ->add_option("--objective", options.objective,
                     "With table: objective (default: the first of the study)")
        ->type_name("OBJECTIVE");
    add_load_options(*command, options);
    add_plot(*command, options, "the front, by the first two objectives,");
    command
        ->add_flag(
            "--slurm", options.slurm,
            "Measure in jobs of a Slurm cluster, distributed through FILE.slurm next to "
            "the\ndatabase; SBATCH_PARTITION, SBATCH_ACCOUNT and SBATCH_TIMELIMIT apply to them")
        ->excludes("--jobs");
    command->add_flag(
        "--estimate", options.estimate,
        "Synthesize some of the routers, and estimate the others from these until one of\ntheir "
        "designs is worth simulating; routers on the front are always synthesized");
    command
        ->add_flag("--dry-run", options.dry_run,
                   "Only print the number of designs and their estimated run time: measures up "
                   "to\nfive designs locally, for about ten seconds; and how many syntheses they "
                   "need, and\nhow long these take")
        ->excludes("--plot");
    add_json(*command, options, "the table");
    return make_command(command, given, explore_command);
}

}  // namespace flitscope::cli
