// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "models/base/input_file.h"
#include "models/base/printable.h"
#include "models/config/config.h"
#include "models/config/config_tree.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/input_files.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/explore/objectives.h"

namespace flitscope::study {
namespace {

/// Sections that the key of KEY=VALUE is in.
std::ptrdiff_t depth_of(const std::string& setting) {
    return std::count(setting.begin(), std::find(setting.begin(), setting.end(), '='), '.');
}

}  // namespace

Space::Space(const Study& study, std::string engine)
    : study_(study),
      engine_(std::move(engine)),
      parse_(config_parser(read_input_file(study.base, "configuration file", kMaxConfigBytes),
                           study.base, std::filesystem::path(study.base).parent_path().string())) {
    for (const Axis& axis : study.axes) {
        if (size_ > (std::uint64_t{1} << 63) / axis.values.size()) {
            throw ConfigError(axis.where, "the product of the axes has more than 2^63 designs",
                              "let fewer keys vary");
        }
        size_ *= axis.values.size();
    }
}

Choices Space::choices(std::uint64_t index) const {
    Choices choices(study_.axes.size());
    for (std::size_t axis = choices.size(); axis-- > 0;) {
        const std::uint64_t values = study_.axes[axis].values.size();
        choices[axis] = static_cast<std::size_t>(index % values);
        index /= values;
    }
    return choices;
}

std::vector<std::string> Space::labels(const Choices& choices) const {
    std::vector<std::string> labels;
    for (std::size_t axis = 0; axis < choices.size(); ++axis) {
        const auto& of_axis = study_.axes[axis].values[choices[axis]].labels;
        labels.insert(labels.end(), of_axis.begin(), of_axis.end());
    }
    return labels;
}

bool Space::is_wanted(const std::vector<std::string>& labels) const {
    return std::all_of(study_.conditions.begin(), study_.conditions.end(),
                       [&](const Expression& condition) { return condition.holds(labels); });
}

std::vector<Choices> Space::wanted() const {
    std::vector<Choices> all;
    for (std::uint64_t index = 0; index < size_; ++index) {
        Choices choices = this->choices(index);
        if (is_wanted(labels(choices))) all.push_back(std::move(choices));
    }
    if (all.empty()) refuse_conditions();
    return all;
}

/// Reports that there is no design, and the condition that by itself excludes all, if any.
void Space::refuse_conditions() const {
    for (const Expression& condition : study_.conditions) {
        bool admits_any = false;
        for (std::uint64_t index = 0; index < size_ && !admits_any; ++index) {
            admits_any = condition.holds(labels(choices(index)));
        }
        if (admits_any) continue;
        throw ConfigError(
            condition.where(),
            fmt::format("no design fulfils the condition '{}'", excerpt(condition.text())),
            "the study is empty");
    }
    throw ConfigError({study_.source, 0, 0}, "no design fulfils all conditions of 'where'",
                      "the study is empty");
}

std::vector<Space::Setting> Space::settings(const Choices& choices) const {
    std::vector<Setting> settings;
    for (const std::string& text : study_.overrides)
        settings.push_back({text, {"--set " + text, 0, 0}});
    for (Setting& setting : settings) {
        for (const auto& [text, where] : study_.places) {
            if (text == setting.text) setting.where = where;
        }
    }
    for (std::size_t axis = 0; axis < choices.size(); ++axis) {
        const AxisValue& value = study_.axes[axis].values[choices[axis]];
        for (const std::string& text : value.overrides) settings.push_back({text, value.where});
    }
    // A section replaces all that is in it: keys in it are set after it, wherever they vary.
    std::stable_sort(settings.begin(), settings.end(), [](const Setting& a, const Setting& b) {
        return depth_of(a.text) < depth_of(b.text);
    });
    return settings;
}

std::string Space::placed(std::string text, const Choices& choices) const {
    return placed(std::move(text), settings(choices));
}

DesignPoint Space::point(const Choices& choices, std::size_t workload) const {
    const std::vector<Setting> design = settings(choices);
    const Workload& measured = study_.workloads[workload];
    std::vector<std::string> overrides;
    for (const Setting& setting : design) overrides.push_back(setting.text);
    overrides.insert(overrides.end(), measured.overrides.begin(), measured.overrides.end());
    try {
        Config config = parse_(overrides);
        if (measured.measurement == Measurement::kSaturation) {
            if (!config.steady) config.steady.emplace();
            config.traffic.load_in_units.reset();  // which may be more than this design carries
            config.traffic.share_of_saturation.reset();
        }
        if (measured.measurement == Measurement::kRun) require_suited(config);
        require_input_files(config);
        DesignPoint point{std::move(config), measured.measurement, engine_};
        point.by_energy = study_.needs(&MetricInfo::needs_energy);
        return point;
    } catch (const ConfigError& error) {
        std::vector<Diagnostic> findings = error.findings();
        for (Diagnostic& finding : findings) {
            finding.where = place_of(finding.where, design);
            finding.what = placed(std::move(finding.what), design);
        }
        throw ConfigError(std::move(findings));
    }
}

/// Refuses what has no value of a metric of the study, before it is simulated.
void Space::require_suited(const Config& config) const {
    const auto require = [&](const std::string& name) {
        const MetricInfo& metric = *find_metric(name);
        const auto found = metric.unsuited ? metric.unsuited(config) : std::nullopt;
        if (!found) return;
        throw ConfigError(config.where(found->key), found->why + ", so there is no " + name,
                          found->remedy);
    };
    for (const Objective& objective : study_.objectives) require(objective.metric);
    for (const Limits& limits : study_.constraints) require(limits.metric);
}

std::string Space::placed(std::string text, const std::vector<Setting>& design) {
    for (const Setting& setting : design) {
        const std::string source = "--set " + setting.text;
        const std::size_t at = text.find(source);
        if (at != text.npos) text.replace(at, source.size(), setting.where.str());
    }
    return text;
}

/// The place in the study for what the loader places at "--set KEY=VALUE".
Location Space::place_of(const Location& where, const std::vector<Setting>& design) const {
    for (const Setting& setting : design) {
        if (where.source == "--set " + setting.text) return setting.where;
    }
    for (const auto& [text, place] : study_.places) {  // for a measurement
        if (where.source == "--set " + text) return place;
    }
    return where;
}

}  // namespace flitscope::study
