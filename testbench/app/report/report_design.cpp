// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

#include "models/base/printable.h"
#include "testbench/app/report/report.h"
#include "testbench/app/study/explore/derived.h"
#include "testbench/app/study/explore/exploration.h"

namespace flitscope {
namespace {

/// Every line of it a comment: reasons quote logs of tools, names may have ends of lines.
void print_comment(std::ostream& out, const std::string& text) {
    const std::string lines = printable(text, true);
    for (std::size_t from = 0; from < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', from), lines.size());
        out << fmt::format("# {}\n", lines.substr(from, end - from));
        from = end + 1;
    }
}

void print_figures(std::ostream& out, const study::PointOutcome& outcome) {
    for (const study::Metric& metric : outcome.metrics) {
        out << fmt::format("#   {:<24} {:.10g}{}{}\n", metric.name, metric.value,
                           metric.unit.empty() ? "" : " " + metric.unit,
                           metric.half_width ? fmt::format(" +- {:.3g}", *metric.half_width) : "");
    }
}

}  // namespace

std::string config_of(study::Database& database, const std::string& point) {
    std::string config = database.config(point);
    return config.empty() ? database.config(study::appraisal_digest(point)) : config;
}

void print_design(std::ostream& out, study::Database& database, const study::DesignRow& design,
                  const std::vector<study::MemberRow>& members,
                  const study::MemberRow& measurement) {
    std::vector<std::string> names;
    for (const study::MemberRow& member : members) names.push_back(member.workload);
    print_comment(
        out,
        fmt::format(
            "Design {}, measurement {}{}", design.digest, measurement.workload,
            names.size() == 1 ? "" : fmt::format(" (--measurement {})", fmt::join(names, " or "))));
    print_comment(out, fmt::format("{}{}", name_of(design.state),
                                   design.reason.empty() ? "" : ": " + design.reason));
    for (const auto& [name, value] : design.objectives.items()) {
        out << fmt::format("# {}: {:.10g}\n", name, value.get<double>());
    }
    for (const study::DerivedFigure& figure : study::derived_figures()) {
        const std::optional<double> value = figure.value(design);
        if (!value || design.objectives.contains(figure.name)) continue;
        out << fmt::format("# {}: {:.10g}\n", figure.heading(), *value);
    }
    if (const auto outcome = database.find(measurement.point)) print_figures(out, *outcome);
    out << config_of(database, measurement.point);
}

}  // namespace flitscope
