// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/explore_views.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "models/base/diagnostics.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/database_choice.h"
#include "testbench/app/report/design_difference.h"
#include "testbench/app/report/report.h"
#include "testbench/app/study/explore/derived.h"
#include "testbench/app/study/explore/views.h"

namespace flitscope::cli {
namespace {

using study::Database;
using study::DesignRow;
using study::StudyRow;

/// The designs of a study, with their derived figures.
std::vector<DesignRow> designs_of(Database& database, const StudyRow& study) {
    std::vector<DesignRow> designs = database.designs(study);
    add_derived(database, designs);
    return designs;
}

/// The only design whose digest begins so, in the requested study or in any.
DesignRow chosen_design(Database& database, const ExploreOptions& options,
                        const std::string& digest) {
    if (!options.study.empty()) chosen_study(database, options.db, options.study);
    std::vector<DesignRow> found = database.designs_like(digest, options.study);
    if (found.size() == 1) add_derived(database, found);
    if (found.size() == 1) return found.front();
    if (found.empty()) {
        throw ConfigError({"explore " + digest, 0, 0}, "no design has a digest with this prefix",
                          "flitscope explore export lists them all");
    }
    throw ConfigError({"explore " + digest, 0, 0},
                      fmt::format("{} designs have digests with this prefix", found.size()),
                      "write more digits");
}

int show_front(Database& database, const ExploreOptions& options) {
    const StudyRow study = chosen_study(database, options.db, options.study);
    const std::vector<DesignRow> rows = designs_of(database, study);
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

/// The measurements of a design, each with the place of its configuration in the database.
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

/// Throws ConfigError, at that option, if `name` is not one of `names`.
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
    const std::vector<DesignRow> designs = designs_of(database, study);
    const auto print = [&designs](auto& out, const auto&... facts) {
        print_budgets(out, facts..., designs);
    };
    tell(options, budgets_json, print, study, budget, best_within(study, designs, budget, limits));
    return kExitOk;
}

int show_table(Database& database, const ExploreOptions& options) {
    const StudyRow study = chosen_study(database, options.db, options.study);
    const std::vector<DesignRow> designs = designs_of(database, study);
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
    write_designs_csv(std::cout, study, designs_of(database, study));
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

}  // namespace

const std::vector<View>& views() {
    static const std::vector<View> all = {
        {"list", 0, "", "its studies", "--json", list_studies},
        {"front", 0, "", "the non-dominated designs", "--study --plot --json", show_front},
        {"axes", 0, "", "effect of each axis on each objective", "--study --json", show_effects},
        {"best", 0, " --budget OBJECTIVE=V,V,...", "the best designs within a budget",
         "--study --budget --json", show_best},
        {"table", 0, " --rows AXIS --columns AXIS", "the best of each kind, side by side",
         "--study --rows --columns --objective --json", show_table},
        {"show", 1, "", "one design as a configuration", "--study --measurement", show_design},
        {"diff", 2, "", "differences of two designs", "--study --json", show_difference},
        {"export", 0, "", "all designs as CSV", "--study", export_designs}};
    return all;
}

}  // namespace flitscope::cli
