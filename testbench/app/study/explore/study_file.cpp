// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "models/base/input_file.h"
#include "models/config/config_loader.h"
#include "models/config/config_tree.h"
#include "testbench/app/study/explore/objectives.h"
#include "testbench/app/study/explore/study_axes.h"
#include "testbench/app/study/explore/study_measures.h"
#include "testbench/app/study/explore/study_part_reader.h"

namespace flitscope::study {
namespace {

namespace fs = std::filesystem;

class StudyReader : StudyPartReader {
public:
    StudyReader(Study& study, std::vector<Diagnostic>& findings)
        : StudyPartReader(study, findings), axes_(study, findings), measures_(study, findings) {}

    void read(const std::vector<std::string>& overrides) {
        const ConfigTree root = parse_tree(study_.text, study_.source, findings_);
        if (!root.is_map()) {
            throw ConfigError(root.is_null() ? Location{study_.source, 0, 0} : root.where,
                              "a study is a map of keys, found " + root.found(),
                              "it needs base, vary, measure and objectives");
        }
        if (root.find("fabric") != nullptr && root.find("vary") == nullptr) {
            throw ConfigError({study_.source, 0, 0}, "is a configuration, not a study",
                              "name it as the base of one (testbench/app/study/README.md)");
        }
        static const std::vector<std::string> kKeys = {"base",       "vary",        "zip",
                                                       "where",      "equal_cost",  "measure",
                                                       "objectives", "constraints", "search"};
        for (const ConfigTree& child : root.children) {
            if (std::find(kKeys.begin(), kKeys.end(), child.key) == kKeys.end()) {
                refuse_key(child, kKeys);
            }
        }
        read_base(root);
        if (const ConfigTree* tree = needed(root, "vary", "the axes: keys with their values")) {
            axes_.read_axes(*tree);
        }
        if (const ConfigTree* tree = root.find("equal_cost")) axes_.read_equal_cost(*tree);
        if (const ConfigTree* tree = root.find("zip")) axes_.read_zip(*tree);
        if (const ConfigTree* tree = root.find("where")) axes_.read_conditions(*tree);
        study_.overrides.insert(study_.overrides.end(), overrides.begin(), overrides.end());
        if (const ConfigTree* tree = root.find("measure")) {
            measures_.read_workloads(*tree);
        } else {
            study_.workloads.push_back({"run", Measurement::kRun, {}, 1, root.where});
        }
        if (const ConfigTree* tree =
                needed(root, "objectives", "the objectives: {min: [time_ns, pins]}")) {
            measures_.read_objectives(*tree);
        }
        if (const ConfigTree* tree = root.find("constraints")) measures_.read_constraints(*tree);
        if (const ConfigTree* tree = root.find("search")) measures_.read_search(*tree);
        axes_.require_effect_of_axes();
        for (const std::string& text : overrides) axes_.require_use_of(text);
    }

private:
    const ConfigTree* needed(const ConfigTree& root, const char* key, const std::string& what) {
        const ConfigTree* const tree = root.find(key);
        if (tree == nullptr) {
            report({study_.source, 0, 0}, fmt::format("key '{}' is missing", key), what);
        }
        return tree;
    }

    void read_base(const ConfigTree& root) {
        const ConfigTree* const tree = needed(root, "base", "the configuration file to start from");
        if (tree == nullptr) return;
        if (!tree->is_scalar()) {
            report(tree->where,
                   "'base' is the name of a configuration file, found " + tree->found());
            return;
        }
        const fs::path folder = fs::path(study_.source).parent_path();
        study_.base = (folder / tree->text).string();
        study_.base_where = tree->where;
        std::error_code error;
        if (!fs::is_regular_file(study_.base, error)) {
            report(tree->where, fmt::format("no such configuration file '{}'", study_.base),
                   "relative names begin at the folder of the study");
        } else if (names_study(study_.base)) {
            report(tree->where,
                   fmt::format("'base' is a configuration file, and '{}' is a study", study_.base),
                   "name the configuration that it starts from itself");
        }
    }
    /// If it cannot be read as either, the reader of configurations reports that.
    static bool names_study(const std::string& path) {
        try {
            std::vector<Diagnostic> of_others;
            return is_study(parse_tree(read_input_file(path, "configuration file", kMaxConfigBytes),
                                       path, of_others));
        } catch (const ConfigError&) {
            return false;
        }
    }

    AxisReader axes_;
    MeasureReader measures_;
};

}  // namespace

const char* name_of(SearchMethod method) {
    switch (method) {
        case SearchMethod::kExact:
            return "exact";
        case SearchMethod::kRandom:
            return "random";
        case SearchMethod::kNsga2:
            return "nsga2";
    }
    return "";
}

std::vector<std::string> Study::axis_names() const {
    std::vector<std::string> names;
    for (const Axis& axis : axes) names.insert(names.end(), axis.names.begin(), axis.names.end());
    return names;
}

std::vector<AxisLabels> Study::axis_labels() const {
    std::vector<AxisLabels> all;
    for (const Axis& axis : axes) {
        for (std::size_t i = 0; i < axis.names.size(); ++i) {
            AxisLabels& one = all.emplace_back(AxisLabels{axis.names[i], {}});
            for (const AxisValue& value : axis.values) one.labels.push_back(value.labels[i]);
        }
    }
    return all;
}

bool Study::needs(bool MetricInfo::*property) const {
    const auto has = [property](const auto& wish) { return find_metric(wish.metric)->*property; };
    return std::any_of(objectives.begin(), objectives.end(), has) ||
           std::any_of(constraints.begin(), constraints.end(), has);
}

Study load_study(const std::string& path, const std::vector<std::string>& overrides) {
    return parse_study(read_input_file(path, "study", kMaxConfigBytes), path, overrides);
}

Study parse_study(std::string text, const std::string& source,
                  const std::vector<std::string>& overrides) {
    Study study;
    study.source = source;
    study.name = fs::path(source).stem().string();
    study.text = std::move(text);
    study.settings = overrides;
    std::vector<Diagnostic> findings;
    StudyReader(study, findings).read(overrides);
    if (!findings.empty()) throw ConfigError(std::move(findings));
    return study;
}

}  // namespace flitscope::study
