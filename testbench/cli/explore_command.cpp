// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

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
#include "testbench/cli/command_helpers.h"
#include "testbench/cli/command_table.h"
#include "testbench/cli/database_choice.h"
#include "testbench/cli/interrupts.h"
#include "testbench/cli/progress_line.h"
#include "testbench/report/design_difference.h"
#include "testbench/report/plot.h"
#include "testbench/report/report.h"
#include "testbench/report/report_lines.h"
#include "testbench/study/explore/database.h"
#include "testbench/study/explore/exploration.h"
#include "testbench/study/slurm/slurm_crew.h"

namespace flitscope::cli {
namespace {

struct ExploreOptions : Options {
    std::vector<std::string> words;  // a study, or what to show of a database
    std::string db;                  // of explored designs
    std::string study;               // in it; empty: the latest
    std::string measurement;         // of a design; empty: the first
    std::string budget;              // METRIC=VALUE,VALUE,...
    std::string rows;                // axis
    std::string columns;             // axis
    std::string objective;           // of a table; empty: the first
    bool slurm = false;              // points are measured by jobs of a cluster
    bool estimate = false;           // routers are estimated where that will do
    bool dry_run = false;
    const CLI::App* command = nullptr;

    /// The options of the command line.
    std::vector<std::string> given() const {
        std::vector<std::string> names;
        for (const CLI::Option* const option : command->get_options()) {
            if (option->count() != 0 && !option->get_positional()) {
                names.push_back(option->get_name());
            }
        }
        return names;
    }
};

using study::Database;
using study::DesignRow;
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

/// What the kept study had that this one has not; empty where they are one, as far as is known.
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
        "note: the study '{}' replaces the kept one of that name, which had {}; outcomes stay, and "
        "a copy of the file under another name keeps both\n",
        printable(kept.name), other);
}

study::ExploreOptions explore_options(const ExploreOptions& options, StudyStatus& status) {
    study::ExploreOptions explore;
    explore.engine = options.engine;
    explore.processes = processes(options);
    explore.estimates_routers = options.estimate;
    explore.is_cancelled = is_interrupted;
    explore.on_replaced = tell_replaced;
    explore.simulate = study::process_crew({explore.processes, is_interrupted});
    explore.on_progress = [&status](const study::ExploreProgress& progress) {
        status.show(progress);
    };
    return explore;
}

/// Options for where jobs of a cluster find their work and leave their outcomes.
study::SlurmOptions slurm_options(const ExploreOptions& options, StudyStatus& status) {
    const auto on_queue = [&status](std::size_t running, std::size_t waiting) {
        status.show_queue(running, waiting);
    };
    return {options.db + ".slurm", on_queue, is_interrupted};
}

/// Whatever a study measures here from now on, what an earlier one has left with the cluster comes
/// first.
void choose_crew(study::ExploreOptions& explore, const ExploreOptions& options, Database& database,
                 StudyStatus& status) {
    if (options.db.empty()) return;
    const study::SlurmOptions slurm = slurm_options(options, status);
    take_over(slurm, [&](const study::Point& point, const study::PointOutcome& outcome) {
        keep_outcome(database, digest(point), point_row(point), outcome);
    });
    if (options.slurm) explore.simulate = slurm_crew(slurm);
}

int explore_study(const ExploreOptions& options, const std::string& path) {
    const study::Study study = study::load_study(path, options.overrides);
    if (options.slurm) {
        if (options.db.empty()) {
            throw ConfigError({"--slurm", 0, 0}, "needs a database", "--db FILE");
        }
        study::require_slurm();  // before a file is made
    }
    if (!options.plot.empty()) {
        if (!options.db.empty()) note_input(options.db);  // nothing may be drawn over it
        plot_at(options.plot);                            // refused now, not after all runs
    }
    Database database(options.db, Database::Access::kWrite);
    watch_for_interrupts();
    try {
        StudyStatus status;
        study::ExploreOptions explore = explore_options(options, status);
        choose_crew(explore, options, database, status);
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
            throw MemoryError(
                fmt::format("{} of the designs could not be measured (the same command tries "
                            "again): {}",
                            grouped(result.crashed), printable(result.crash)));
        }
        std::cerr << fmt::format(
            "error: {} of the designs could not be measured: {} (the same command tries again)\n",
            grouped(result.crashed), printable(result.crash));
        return kExitFailed;
    } catch (const study::Cancelled&) {
        clear_status();
        std::cerr << "error: interrupted"
                  << (options.db.empty() ? "" : "; the same command goes on") << '\n';
        return kExitInterrupted;
    }
}

/// The only design whose digest begins so, of the study that is asked for or of any.
DesignRow chosen_design(Database& database, const ExploreOptions& options,
                        const std::string& digest) {
    if (!options.study.empty()) chosen_study(database, options.db, options.study);
    const std::vector<DesignRow> found = database.designs_like(digest, options.study);
    if (found.size() == 1) return found.front();
    if (found.empty()) {
        throw ConfigError({"explore " + digest, 0, 0}, "no design has a digest that begins so",
                          "flitscope explore export lists them all");
    }
    throw ConfigError({"explore " + digest, 0, 0},
                      fmt::format("{} designs have digests that begin so", found.size()),
                      "write more of it");
}

int show_front(Database& database, const ExploreOptions& options) {
    const StudyRow study = chosen_study(database, options.db, options.study);
    const std::vector<DesignRow> rows = database.designs(study);
    if (!options.plot.empty()) draw_front(options.plot, study, rows);
    tell(options, front_json, print_front, study, rows);
    return kExitOk;
}

/// A configuration that `run` takes, and above it what came of it.
int show_design(Database& database, const ExploreOptions& options) {
    const std::string& digest = options.words[1];
    const DesignRow row = chosen_design(database, options, digest);
    const std::vector<study::MemberRow> members = database.members(row.digest);
    if (members.empty()) {
        throw ConfigError({"explore show " + digest, 0, 0},
                          fmt::format("the design could not be built: {}", row.reason),
                          "there is no configuration to show");
    }
    const auto chosen = std::find_if(members.begin(), members.end(), [&](const auto& member) {
        return options.measurement.empty() || member.workload == options.measurement;
    });
    std::vector<std::string> names;
    for (const study::MemberRow& member : members) names.push_back(member.workload);
    if (chosen == members.end()) {
        throw ConfigError({"--measurement " + options.measurement, 0, 0},
                          "the design has no measurement of that name",
                          fmt::format("it has: {}", fmt::join(names, ", ")));
    }
    print_whole([&](std::ostream& out) { print_design(out, database, row, members, *chosen); });
    return kExitOk;
}

/// What was measured of a design, each with the place of its configuration in the database.
std::vector<MeasuredConfig> measured_configs(Database& database, const ExploreOptions& options,
                                             const DesignRow& design) {
    std::vector<MeasuredConfig> configs;
    for (const study::MemberRow& member : database.members(design.digest)) {
        configs.push_back(
            {member.workload, config_of(database, member.point),
             fmt::format("--db {}: table point, '{}': config", options.db, member.point)});
    }
    return configs;
}

/// Shows the difference of two designs: keys, and figures.
int show_difference(Database& database, const ExploreOptions& options) {
    const DesignRow a = chosen_design(database, options, options.words[1]);
    const DesignRow b = chosen_design(database, options, options.words[2]);
    tell(options, difference_json, print_difference,
         difference(a, measured_configs(database, options, a), b,
                    measured_configs(database, options, b)));
    return kExitOk;
}

int show_effects(Database& database, const ExploreOptions& options) {
    const StudyRow study = chosen_study(database, options.db, options.study);
    const std::vector<DesignRow> designs = database.designs(study);
    const auto print = [&designs](auto& out, const auto&... facts) {
        print_effects(out, facts..., designs);
    };
    tell(options, effects_json, print, study, study::axis_effects(study, designs));
    return kExitOk;
}

/// Throws ConfigError, at that option, where `name` is none of `names`.
void require_one_of(const std::string& option, const std::string& name, const char* what,
                    const std::vector<std::string>& names) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    throw ConfigError({name.empty() ? option : option + ' ' + name, 0, 0},
                      name.empty() ? fmt::format("an {} of the study is needed", what)
                                   : fmt::format("the study has no {} '{}'", what, name),
                      fmt::format("it has: {}", fmt::join(names, ", ")));
}

std::vector<std::string> objectives_of(const StudyRow& study) {
    std::vector<std::string> names;
    for (const study::ObjectiveRow& objective : study.objectives) names.push_back(objective.name);
    return names;
}

int show_best(Database& database, const ExploreOptions& options) {
    const StudyRow study = chosen_study(database, options.db, options.study);
    const std::size_t equals = options.budget.find('=');
    const std::string budget = options.budget.substr(0, equals);
    require_one_of("--budget", budget, "objective", objectives_of(study));
    const std::vector<double> limits = read_numbers(
        "--budget " + options.budget,
        equals == std::string::npos ? "" : options.budget.substr(equals + 1), "limit",
        [](double limit) { return limit > 0; }, "--budget " + budget + "=128,256");
    const auto choices = best_within(study, database.designs(study), budget, limits);
    tell(options, budgets_json, print_budgets, study, budget, choices);
    return kExitOk;
}

int show_table(Database& database, const ExploreOptions& options) {
    const StudyRow study = chosen_study(database, options.db, options.study);
    const std::vector<DesignRow> designs = database.designs(study);
    std::vector<std::string> axes;
    if (!designs.empty()) {
        for (const auto& [name, label] : designs.front().axes.items()) axes.push_back(name);
    }
    require_one_of("--rows", options.rows, "axis", axes);
    require_one_of("--columns", options.columns, "axis", axes);
    const std::vector<std::string> objectives = objectives_of(study);
    const std::string& objective =
        options.objective.empty() ? objectives.front() : options.objective;
    require_one_of("--objective", objective, "objective", objectives);
    const auto table = cross_table(study, designs, options.rows, options.columns, objective);
    tell(options, cross_json, print_cross, study, objective, table);
    return kExitOk;
}

int export_designs(Database& database, const ExploreOptions& options) {
    const StudyRow study = chosen_study(database, options.db, options.study);
    write_designs_csv(std::cout, study, database.designs(study));
    if (const std::string incomplete = incomplete_text(study); !incomplete.empty()) {
        std::cerr << "note: " << incomplete << '\n';  // a table for programs has no place for it
    }
    return kExitOk;
}

int list_studies(Database& database, const ExploreOptions& options) {
    std::vector<StoredStudy> studies;
    for (const StudyRow& study : database.studies()) {
        studies.push_back({study, database.designs(study)});
    }
    tell(options, studies_json, print_studies, studies);
    return kExitOk;
}

/// A view of a database.
struct View {
    std::string word;
    std::size_t designs;  ///< named after the word, by their digests
    std::string needs;    ///< options, beside the database
    std::string meaning;
    std::string takes;  ///< options, all but that of the database
    int (*show)(Database& database, const ExploreOptions& options);

    std::string with_designs() const {
        std::string text = word;
        for (std::size_t i = 0; i < designs; ++i) text += " DIGEST";
        return text;
    }
};

const std::vector<View>& views() {
    static const std::vector<View> all = {
        {"list", 0, "", "its studies", "--json", list_studies},
        {"front", 0, "", "the designs that no other one dominates", "--study --plot --json",
         show_front},
        {"axes", 0, "", "how much each axis moves each objective", "--study --json", show_effects},
        {"best", 0, " --budget OBJECTIVE=V,V,...", "the best designs within a budget",
         "--study --budget --json", show_best},
        {"table", 0, " --rows AXIS --columns AXIS", "the best of each kind, side by side",
         "--study --rows --columns --objective --json", show_table},
        {"show", 1, "", "one design as a configuration", "--study --measurement", show_design},
        {"diff", 2, "", "what two designs differ in", "--study --json", show_difference},
        {"export", 0, "", "all designs as CSV", "--study", export_designs}};
    return all;
}

/// Throws ConfigError for an option that would do nothing, such as one for a file that would not be
/// written. `what` stands behind explore, and takes the options `taken`, with blanks between.
void require_taken(const ExploreOptions& options, const std::string& what,
                   const std::string& taken) {
    const std::string words = " --db " + taken + ' ';
    for (const std::string& option : options.given()) {
        if (words.find(' ' + option + ' ') != std::string::npos) continue;
        throw ConfigError({option, 0, 0}, fmt::format("explore {} does not take it", what),
                          "it takes --db " + taken);
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

/// Throws ConfigError for a word that is no study, but nearly a view.
void require_no_misspelled_view(const std::string& word) {
    std::error_code unknown;
    if (std::filesystem::exists(word, unknown)) return;
    std::vector<std::string> names;
    for (const View& view : views()) names.push_back(view.word);
    const std::string near = nearest(word, names);
    if (near.empty()) return;
    throw ConfigError({"explore " + word, 0, 0}, "there is no such study, nor such a view of one",
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
                          "--set --engine --offline --jobs --slurm --plot --estimate --dry-run "
                          "--json");
            return explore_study(options, word);
        }
        if (options.db.empty()) {
            throw ConfigError({"explore " + word, 0, 0}, "takes a database", "--db FILE");
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
        "explore", "Find the best of many designs: run a study, look into its database");
    options.command = command;
    std::string meaning = "A study (testbench/study/README.md), or of a database";
    std::string type = "STUDY.yaml";
    for (const View& view : views()) {
        meaning += fmt::format("\n{}: {}", view.with_designs(), view.meaning);
        type += '|' + view.word;
    }
    command->add_option("what", options.words, meaning)->required()->type_name(type);
    add_overrides(*command, options);
    command
        ->add_option("--db", options.db,
                     "Database in which outcomes are kept: the same command goes on where it was\n"
                     "stopped, and what is known is not simulated again")
        ->type_name("FILE");
    command
        ->add_option("--study", options.study,
                     "A study of the database (default: the latest; with show and diff the latest\n"
                     "that has simulated the design)")
        ->type_name("NAME");
    command
        ->add_option("--measurement", options.measurement,
                     "With show: whose configuration, of a design with several measurements")
        ->type_name("NAME");
    command
        ->add_option("--budget", options.budget,
                     "With best: an objective and its limits, e.g. pins=128,256,512")
        ->type_name("OBJECTIVE=V,V,...");
    command->add_option("--rows", options.rows, "With table: an axis")->type_name("AXIS");
    command->add_option("--columns", options.columns, "With table: another one")->type_name("AXIS");
    command
        ->add_option("--objective", options.objective,
                     "With table: which one (default: the first of the study)")
        ->type_name("OBJECTIVE");
    add_load_options(*command, options);
    add_plot(*command, options, "the front, by the first two objectives,");
    command
        ->add_flag("--slurm", options.slurm,
                   "Measure in jobs of a Slurm cluster, handed out through FILE.slurm beside the\n"
                   "database; SBATCH_PARTITION, SBATCH_ACCOUNT and SBATCH_TIMELIMIT are theirs")
        ->excludes("--jobs");
    command->add_flag("--estimate", options.estimate,
                      "Synthesize some of the routers, and estimate the others from these until a\n"
                      "design of theirs is worth a simulation: those of the front are synthesized");
    command
        ->add_flag("--dry-run", options.dry_run,
                   "Only say how many designs there are, and about how long they take: measures\n"
                   "up to five designs, here and for about ten seconds")
        ->excludes("--plot");
    add_json(*command, options, "the table");
    return make_command(command, given, explore_command);
}

}  // namespace flitscope::cli
