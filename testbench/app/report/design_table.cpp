// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/design_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "models/base/wrapped_text.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/study/explore/views.h"

namespace flitscope {
namespace {

using study::DesignRow;
using study::ObjectiveRow;
using Designs = std::vector<const DesignRow*>;

/// Characters of a digest that name a design in text.
constexpr std::size_t kShortDigest = 10;

std::string period_text(const DesignRow& design) {
    return fmt::format("{:.4g} {}", design.period_ns, period_of(design));
}

/// Whether all designs have the same period, which is then said once.
bool have_one_period(const Designs& designs) {
    return std::all_of(designs.begin(), designs.end(), [&](const DesignRow* design) {
        return period_text(*design) == period_text(*designs.front());
    });
}

/// "4 ns", or "3 to 4 ns, each design its own".
std::string range_text(const Designs& designs) {
    if (have_one_period(designs)) return fmt::format("{:.4g} ns", designs.front()->period_ns);
    const auto [shortest, longest] = std::minmax_element(
        designs.begin(), designs.end(),
        [](const DesignRow* a, const DesignRow* b) { return a->period_ns < b->period_ns; });
    return fmt::format("{:.4g} to {:.4g} ns, each design its own", (*shortest)->period_ns,
                       (*longest)->period_ns);
}

bool are_synthesized(const Designs& designs) {
    return std::all_of(designs.begin(), designs.end(),
                       [](const DesignRow* design) { return design->is_synthesized; });
}

const char* origin_text(const Designs& designs) {
    if (!have_one_period(designs)) {
        return are_synthesized(designs) ? "that of its synthesized router"
                                        : "that of its synthesized router, or clock_ns";
    }
    return designs.front()->is_synthesized ? "the period of the synthesized router"
                                           : "clock_ns, whatever the routers";
}

void print_note(std::ostream& out, const std::string& periods, const Designs& designs) {
    out << fmt::format("\n  times are cycles of {}: {}\n", periods, origin_text(designs));
}

}  // namespace

const char* period_of(const DesignRow& design) {
    return design.is_synthesized ? "router" : "clock_ns";
}

nlohmann::ordered_json design_json(const DesignRow& design) {
    return {{"digest", design.digest},         {"axes", design.axes},
            {"objectives", design.objectives}, {"derived", design.derived},
            {"period_ns", design.period_ns},   {"period_of", period_of(design)}};
}

void add_extent(nlohmann::ordered_json& json, const study::StudyRow& study) {
    json["overrides"] =
        study.settings ? nlohmann::ordered_json(*study.settings) : nlohmann::ordered_json();
    json["complete"] = study.is_complete;
    json["expected"] =
        study.expected == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(study.expected);
}

void print_extent(std::ostream& out, const study::StudyRow& study) {
    const std::string settings = settings_text(study);
    if (!settings.empty()) out << fmt::format("  explored with {}\n", settings);
    const std::string text = incomplete_text(study);
    if (!text.empty()) out << fmt::format("  {}\n", text);
}

std::string objective_heading(const ObjectiveRow& objective) {
    const bool is_said = objective.name.find(objective.unit) != std::string::npos;
    return is_said ? objective.name : objective.name + " [" + objective.unit + ']';
}

DesignTable::DesignTable(std::vector<std::string> said, std::vector<ObjectiveRow> objectives,
                         std::vector<const DesignRow*> designs, std::set<std::string> constant)
    : said_(std::move(said)),
      objectives_(std::move(objectives)),
      designs_(std::move(designs)),
      constant_(std::move(constant)),
      derived_(study::differing_figures(objectives_, designs_)),
      has_periods_(!have_one_period(designs_)) {}

void DesignTable::add(std::vector<std::string> said, const DesignRow* design) {
    rows_.push_back({std::move(said), design});
}

TextTable DesignTable::table(std::size_t derived) const {
    std::vector<std::string> heading = said_;
    for (const ObjectiveRow& objective : objectives_) {
        heading.push_back(objective_heading(objective));
    }
    if (!designs_.empty()) {
        for (const auto& [name, label] : designs_.front()->axes.items()) {
            if (constant_.count(name) == 0) heading.push_back(name);
        }
    }
    for (std::size_t i = 0; i < derived; ++i) heading.push_back(derived_[i].title());
    if (has_periods_) heading.emplace_back("period [ns]");
    heading.emplace_back("digest");
    TextTable table(std::move(heading));
    for (const Row& of : rows_) {
        std::vector<std::string> row = of.said;
        if (of.design == nullptr) {
            row.resize(table.columns(), "-");
            table.add(std::move(row));
            continue;
        }
        for (const ObjectiveRow& objective : objectives_) {
            row.push_back(number_text(objective.value(*of.design)));
        }
        for (const auto& [name, label] : of.design->axes.items()) {
            if (constant_.count(name) == 0) row.push_back(label.get<std::string>());
        }
        for (std::size_t i = 0; i < derived; ++i) {
            const std::optional<double> value = derived_[i].value(*of.design);
            row.push_back(value ? number_text(*value) : "-");
        }
        if (has_periods_) {
            row.push_back(are_synthesized(designs_) ? fmt::format("{:.4g}", of.design->period_ns)
                                                    : period_text(*of.design));
        }
        row.push_back(of.design->digest.substr(0, kShortDigest));
        table.add(std::move(row));
    }
    return table;
}

void DesignTable::print(std::ostream& out) const {
    std::string same;
    for (const std::string& name : designs_.empty() ? std::set<std::string>() : constant_) {
        const auto label = designs_.front()->axes.at(name).get<std::string>();
        same += fmt::format("{}{} {}", same.empty() ? "" : ", ", name, label);
    }
    if (!same.empty()) out << wrapped("all designs: " + same, 2) << '\n';
    std::size_t shown = derived_.size();
    while (shown != 0 && !table(shown).fits()) --shown;
    table(shown).print(out);
    if (has_periods_) {
        print_note(out, "the period of each design", designs_);
    } else {
        print_periods(out, designs_);
    }
    std::string left_out;
    for (std::size_t i = shown; i < derived_.size(); ++i) {
        left_out += (left_out.empty() ? "" : ", ") + derived_[i].name;
    }
    if (left_out.empty()) return;
    out << fmt::format("  no room for {} (flitscope explore show DIGEST, or --json)\n", left_out);
}

void print_periods(std::ostream& out, const Designs& designs) {
    if (!designs.empty()) print_note(out, range_text(designs), designs);
}

}  // namespace flitscope
