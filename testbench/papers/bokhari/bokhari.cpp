// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Bokhari and Nicol 1996: complete exchange of bounded contention on the Paragon.
#include "testbench/papers/bokhari/bokhari.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/papers/bokhari/bokhari_formulas.h"
#include "testbench/papers/framework/script.h"
#include "traffic/program/program_report.h"
#include "traffic/schedules/exchange/bounded_contention.h"

namespace flitscope::reproduce {

extern const char* const kBokhariScript;  // made by CMake

// The script's words for settings, and for orders: 0 or next.
template <>
paragon_exchange::Setting taken(const Value& value) {
    using namespace paragon_exchange;
    static const std::map<std::string, Setting> kAll = {{"paragon", kParagon},
                                                        {"cheaper", kCheaper},
                                                        {"dedicated", kDedicated},
                                                        {"small", kSmallBuffers}};
    return kAll.at(value.word());
}

template <>
paragon_exchange::Naive taken(const Value& value) {
    using paragon_exchange::Naive;
    return value.text() == "next" ? Naive::kFromNext : Naive::kFromZero;
}

namespace {

using namespace paragon_exchange;

/// One schedule of Table 2, by walking every route: n, c, the steps by the paper's rule if c
/// divides n / 4, and steps, contention of links, and actions of the nodes.
Record walked_schedule(std::uint32_t n, std::uint32_t c) {
    const Graph graph = build_mesh({n, n});
    const auto routing = make_dimension_order(graph, 1);
    const Program program = bounded_contention(graph, 1, c);
    const std::vector<StepReport> steps = analyse(program, graph, *routing, {});
    StepReport most;
    for (const StepReport& step : steps) {
        most.transfers = std::max(most.transfers, step.transfers);
        most.max_link_contention = std::max(most.max_link_contention, step.max_link_contention);
        most.max_sends = std::max({most.max_sends, step.max_sends, step.max_receives});
    }
    return {{"n", n},
            {"c", c},
            {"by_rule", n / 4 % c == 0 ? Value(phases(n) / c) : Value()},
            {"steps", steps.size()},
            {"links", most.max_link_contention},
            {"sends", most.max_sends},
            {"active", most.transfers},
            {"is_complete", check_complete_exchange(program).complete()}};
}

List walked_schedules() {
    List all;
    for (std::uint32_t n = 4; n <= 32; n += 4) {
        for (std::uint32_t c = 1; c <= n / 4; ++c) {
            if (n % c == 0) all.emplace_back(walked_schedule(n, c));
        }
    }
    return all;
}

/// "1,234 cycles less", or more.
std::string change(Cycle before, Cycle after) {
    return fmt::format("{} cycles {}", grouped(std::max(before, after) - std::min(before, after)),
                       after < before ? "less" : "more");
}

/// The smallest of the sizes in Figures 7 to 11 at which the best level is shorter than the naive
/// exchange by 1 % or more, as it is at all above.
std::string wins_from(const Times& times, Naive order, std::uint32_t n) {
    std::string from = "none";
    for (const std::uint64_t bytes : kSizes) {
        const bool wins = times.best(n, bytes) < 0.99 * times.naive(n, order, bytes);
        if (!wins) from = "none";
        if (wins && from == "none") from = fmt::format("{} B", bytes);
    }
    return from;
}

/// The overhead of a step beyond a barrier and a message, as a fraction of the latter.
double overhead(const Times& times, const Setting& setting, std::uint32_t n, std::uint32_t level) {
    const double barriers = phases(n) / level * kParagon.barrier_us(n) / 1000;
    const double messages = phases(n) / level * message_ms(kSlice);
    return (times.bounded(n, level, kSlice, setting) - barriers) / messages - 1;
}

void define_predictions(Names& names) {
    using Level = std::uint32_t;
    names.define("walked_schedules", walked_schedules);
    names.define("levels", levels);
    names.define("phases", phases);
    names.define("levels_on_planes", levels_on_planes);
    names.define("change", change);
    names.define("level_text", [](std::uint32_t n, Level level) {
        return fmt::format("({}, {})", node_contention(n, level), level);
    });
    names.define("barrier_text", [](const Setting& setting) { return std::string(setting.text); });
    names.define("barrier_us",
                 [](const Setting& setting, std::uint32_t n) { return setting.barrier_us(n); });
    names.define("lower", [](std::uint32_t n, Level level, std::uint64_t bytes) {
        return lower_ms(n, level, bytes, kParagon);
    });
    names.define("upper", [](std::uint32_t n, Level level, std::uint64_t bytes) {
        return upper_ms(n, level, bytes, kParagon);
    });
    names.define("lower_with",
                 [](const Setting& setting, std::uint32_t n, Level level, std::uint64_t bytes) {
                     return lower_ms(n, level, bytes, setting);
                 });
    names.define("upper_with",
                 [](const Setting& setting, std::uint32_t n, Level level, std::uint64_t bytes) {
                     return upper_ms(n, level, bytes, setting);
                 });
}

void define_times(const Times& times, Names& names) {
    using Level = std::uint32_t;
    using Bytes = std::uint64_t;
    names.define("bounded", [&](std::uint32_t n, Level level, Bytes bytes) {
        return times.bounded(n, level, bytes);
    });
    names.define("bounded_with",
                 [&](const Setting& setting, std::uint32_t n, Level level, Bytes bytes) {
                     return times.bounded(n, level, bytes, setting);
                 });
    names.define("on_two_planes",
                 [&](std::uint32_t n, Level level) { return times.on_two_planes(n, level); });
    names.define("naive", [&](Naive order, std::uint32_t n, Bytes bytes) {
        return times.naive(n, order, bytes);
    });
    names.define("naive_with", [&](const Setting& setting, Naive order, std::uint32_t n,
                                   Bytes bytes) { return times.naive(n, order, bytes, setting); });
    names.define("recursive",
                 [&](std::uint32_t n, Bytes bytes) { return times.recursive(n, bytes); });
    // The quicker one of the exchanges that send every message by itself.
    names.define("direct_ms", [&](std::uint32_t n, Bytes bytes) {
        return std::min(times.bounded(n, phases(n), bytes),
                        times.naive(n, Naive::kFromNext, bytes));
    });
    names.define("best", [&](std::uint32_t n, Bytes bytes) { return times.best(n, bytes); });
    names.define("best_level",
                 [&](std::uint32_t n, Bytes bytes) { return times.best_level(n, bytes); });
    names.define("best_level_with", [&](const Setting& setting, std::uint32_t n, Bytes bytes) {
        return times.best_level(n, bytes, setting);
    });
    names.define("improvement", [&](Naive order, std::uint32_t n, Level level, Bytes bytes) {
        return times.improvement(n, level, bytes, order);
    });
    names.define("wins_from",
                 [&](Naive order, std::uint32_t n) { return wins_from(times, order, n); });
    names.define("overhead", [&](const Setting& setting, std::uint32_t n, Level level) {
        return overhead(times, setting, n, level);
    });
}

std::vector<Experiment> all_experiments() {
    std::vector<Experiment> all = experiments();
    record_causes_of_runs(kBokhariScript, Names(), all);
    return all;
}

Report report(const Outcomes& outcomes, const Wanted& wanted) {
    const Times times(outcomes);
    Names names;
    define_predictions(names);
    define_times(times, names);
    return scripted_report(kBokhariScript, names, outcomes, wanted);
}

}  // namespace

Paper bokhari() {
    return {"bokhari",
            "Bokhari and Nicol, Balancing Contention and Synchronization on the Intel Paragon "
            "(1996)",
            all_experiments, report};
}

}  // namespace flitscope::reproduce
