// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Breakdown of the time of the runs behind a conclusion.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {
namespace {

constexpr double kCostOfCauses = 3;  // of a run whose critical path is recorded, relative to others

}  // namespace

void record_causes(std::vector<Experiment>& experiments, const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
        const auto it =
            std::find_if(experiments.begin(), experiments.end(),
                         [&key](const Experiment& experiment) { return experiment.key == key; });
        if (it == experiments.end()) throw std::out_of_range("no experiment has the key " + key);
        if (it->by_cause) continue;
        it->by_cause = true;
        it->weight *= kCostOfCauses;
    }
}

Cycle Breakdown::cycles() const {
    return std::accumulate(by_cause.begin(), by_cause.end(), Cycle{0});
}

Cycle Breakdown::cycles(std::initializer_list<Cause> causes) const {
    Cycle sum = 0;
    for (const Cause cause : causes) sum += cycles_of(by_cause, cause);
    return sum;
}

double Breakdown::share(std::initializer_list<Cause> causes) const {
    return static_cast<double>(cycles(causes)) / static_cast<double>(std::max<Cycle>(cycles(), 1));
}

std::string Breakdown::text() const {
    constexpr double kLeast = 0.0005;
    std::vector<std::string> parts;
    for (const Cause cause : ranked_causes(by_cause)) {
        if (share({cause}) < kLeast) break;
        parts.push_back(fmt::format("{} {:.1f} %", cause_name(cause), 100 * share({cause})));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

Breakdown Outcomes::breakdown(const std::string& key, std::string run) const {
    const Outcome& outcome = at(key);
    if (!outcome.by_cause) throw std::out_of_range("the causes are not known of " + key);
    return {std::move(run), *outcome.by_cause};
}

}  // namespace flitscope::reproduce
