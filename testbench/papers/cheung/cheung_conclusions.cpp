// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/config/link_delay_config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/papers/cheung/cheung_report.h"
#include "traffic/computations/computations.h"

namespace flitscope::reproduce::cheung_lau {
namespace {

/// On how many nodes `values` are combined fastest: the root s of P = s^4, of those measured. The
/// steps on the hardware do not depend on how many values a node has.
std::uint32_t best_root(const Measured& measured, std::uint32_t values) {
    return *std::min_element(
        kProcessorRoots.begin(), kProcessorRoots.end(), [&](std::uint32_t a, std::uint32_t b) {
            return total_steps(measured, a, values) < total_steps(measured, b, values);
        });
}

Conclusion conclusion_on_values(const Measured& measured) {
    const std::uint32_t best = best_root(measured, kValues);
    const double ideal = std::pow(kValues, 0.8);
    std::vector<std::uint32_t> sums;
    constexpr std::uint32_t kFewest = 256;
    constexpr std::uint32_t kMost = 16384;
    for (std::uint32_t values = kFewest; values <= kMost; values *= 4) {
        sums.push_back(total_steps(measured, best_root(measured, values), values));
    }
    const double exponent = std::log(1.0 * sums.back() / sums.front()) / std::log(kMost / kFewest);
    constexpr double kLikeN02 = 0.22;
    const bool is_near = std::abs(best - std::pow(ideal, 0.25)) <= 1;
    return {
        "With several values per node N^4/5 nodes are best, and take O(N^1/5)",
        "5",
        {is_near, exponent < kLikeN02},
        fmt::format("For {} values the best of {} sizes is P = {} with {} steps and "
                    "combinations together (N^4/5 = {:.0f}); P = N takes {}. For N = {} to {}, "
                    "by fours, the best sums are {}, those of 4 s - 4 steps; here they grow as "
                    "N^{}, in the limit as N^0.20 (asked for: less than N^{}).",
                    kValues, kProcessorRoots.size(), best * best * best * best,
                    total_steps(measured, best, kValues), ideal, total_steps(measured, 8, kValues),
                    kFewest, kMost, fmt::join(sums, ", "), text(exponent), kLikeN02)};
}

/// What Algorithm 4 as printed makes of values that must stay in order: what is wrong, or nothing.
std::string fault_as_printed() {
    const Config config = parse_config(
        fmt::format("fabric: {{topology: {{{}}}}}\ntraffic: {{schedule: semigroup, algorithm: "
                    "row_major_printed, operation: concat}}\n",
                    express(square(16), 4, "sparse")),
        "cheung");
    const Computation computation = build_computation(config, build_topology(config));
    const std::vector<std::string> wrong = wrong_results(computation, execute(computation));
    return wrong.empty() ? "" : wrong.front();
}

/// Rows whose steps are those of the errata, on both sides where there are both.
Cases steps_as_expected(const Measured& measured, const std::vector<std::string>& keys) {
    Cases steps;
    for (const std::uint32_t s : kRoots) {
        for (const Row& row : rows(s)) {
            if (std::find(keys.begin(), keys.end(), row.key) == keys.end()) continue;
            steps.add(measured.row(s, row.key, false).steps == row.corrected);
        }
    }
    return steps;
}

/// " The steps are those of the formulas in 4 of 4 runs."
std::string as_in_formulas(const Cases& steps) {
    return fmt::format(" The steps are those of the formulas in {} runs.", steps.text());
}

std::string steps_of(const Measured& measured, const std::string& key) {
    return fmt::format("{} and {}", measured.row(4, key, false).steps,
                       measured.row(8, key, false).steps);
}

/// Exponents b of cycles ~ N^b, from N = 1296 to 10000.
struct Exponents {
    explicit Exponents(const Measured& measured)
        : constant(measured.exponent("express", 6, 10, false)),
          linear(measured.exponent("express", 6, 10, true)),
          of_mesh(measured.exponent("mesh", 6, 10, false)) {}

    double of_steps = std::log(36.0 / 20) / std::log(std::pow(10.0 / 6, 4));  ///< of 4 s - 4
    double constant;  ///< any wire takes a cycle
    double linear;    ///< a cycle per place
    double of_mesh;
};

/// As 4 s - 4 grows.
bool grows_like_steps(double exponent, const Exponents& grows) {
    return std::abs(exponent - grows.of_steps) < 0.02 && exponent < 0.35;
}

std::string exponents_by_pitch(const Measured& measured, const char* network) {
    return by_pitch(
        [&, network](int pitch) { return "N^" + text(measured.exponent_ns(network, pitch)); });
}

Conclusion conclusion_on_growth(const Measured& measured) {
    const Exponents grows(measured);
    const Cases steps = steps_as_expected(measured, {"alg2"});
    Cases parts = steps;
    parts.add(grows_like_steps(grows.constant, grows));
    Conclusion conclusion{
        "Semigroup computation takes Theta(N^1/4) on a mesh with express links whose wires all "
        "take one step",
        "4, 5, Table 1", parts,
        fmt::format("{} steps on n = 16 and 64, as 4 s - 4 says in {} runs; from N = 1296 to 10000 "
                    "the cycles "
                    "grow as N^{} ({} follows from 4 s - 4, 0.25 in the limit), on the ordinary "
                    "mesh as N^{}.",
                    steps_of(measured, "alg2"), steps.text(), text(grows.constant),
                    text(grows.of_steps), text(grows.of_mesh))};
    conclusion.physical = {
        over_pitches([&](int pitch) {
            return grows_like_steps(measured.exponent_ns("express", pitch), grows);
        }),
        fmt::format("From N = 1296 to 10000 the time grows as {} (one step: N^{}), on the ordinary "
                    "mesh as {}.",
                    exponents_by_pitch(measured, "express"), text(grows.constant),
                    exponents_by_pitch(measured, "mesh"))};
    return conclusion;
}

Conclusion conclusion_on_delay(const Measured& measured) {
    constexpr double kHardly = 0.05;
    const Exponents grows(measured);
    Conclusion conclusion{
        "The propagation delay of express links may be taken as one step, whatever their length",
        "2",
        {grows.linear - grows.of_steps < kHardly},
        fmt::format(
            "Where a wire takes a cycle per place, the exponent over the same range is {}, that of "
            "the steps {} (asked for: less than {} above it): the way over the mesh cannot be "
            "shorter than its places. Express links still "
            "save the routers on it: {} cycles against {} of the mesh on N = 4096, {} "
            "with one step for any wire.",
            text(grows.linear), text(grows.of_steps), kHardly, measured.growth("express", 8, true),
            measured.growth("mesh", 8, true), measured.growth("express", 8, false))};
    const auto on_4096 = [&](const char* network, std::uint32_t bytes) {
        return by_pitch([&, network, bytes](int pitch) {
            return whole(measured.ns(network, kPhysicalRoot, pitch, bytes));
        });
    };
    conclusion.physical = {
        over_pitches([&](int pitch) {
            return measured.exponent_ns("express", pitch) - grows.of_steps < kHardly;
        }),
        fmt::format("On N = 4096 {}, and {} where any wire takes a cycle: in a cycle of {} ns a "
                    "signal passes {:.0f} mm, and an express link is {} node pitches long. The "
                    "exponents are {}.",
                    on_4096("express", kSmall), whole(measured.ns("express", 8, kOneStep)),
                    router_clock_ns(network_of("express").router),
                    router_clock_ns(network_of("express").router) / LinkDelayConfig().ns_per_mm,
                    kPhysicalRoot, exponents_by_pitch(measured, "express"))};
    return conclusion;
}

}  // namespace

std::vector<Conclusion> conclusions(const Measured& measured, const MedianRounds& rounds) {
    std::vector<Conclusion> all;
    const Cases alg3 = steps_as_expected(measured, {"alg3"});
    all.push_back(conclusion_on_growth(measured));
    all.push_back(conclusion_on_delay(measured));
    all.push_back(conclusion_on_lengths(measured));
    all.push_back(
        {"One express line out of every N^1/4 is enough", "6", alg3,
         fmt::format("Algorithm 3 takes {} steps and {} cycles on n = 64, Algorithm 2 with express "
                     "links everywhere {} steps and {} cycles.",
                     measured.row(8, "alg3", false).steps, measured.row(8, "alg3", false).cycles,
                     measured.row(8, "alg2", false).steps, measured.row(8, "alg2", false).cycles) +
             as_in_formulas(alg3)});
    const std::string fault = fault_as_printed();
    all.push_back(
        {"Algorithm 4 handles values in row-major order under operations that do not commute",
         "6",
         {fault.empty()},
         fmt::format("As printed it does not ({}). With the rows of a submesh combined before "
                     "phase 3 it does, in {} steps instead of {} on n = 16 and 64.",
                     fault, steps_of(measured, "alg4"), steps_of(measured, "alg4_as_printed"))});
    const Cases degree_5 = steps_as_expected(measured, {"shifted", "compound"});
    all.push_back(
        {"Nodes of degree 5 are enough for the same order of time", "7", degree_5,
         fmt::format("Shifted links: {} steps; compound nodes: {}; degree 8: {} on n = 16 and 64.",
                     steps_of(measured, "shifted"), steps_of(measured, "compound"),
                     steps_of(measured, "alg3")) +
             as_in_formulas(degree_5)});
    const Outcome& two_levels = measured.row(8, "hierarchy2", false);
    const Outcome& two_linear = measured.row(8, "hierarchy2", true);
    const Cases levels = steps_as_expected(measured, {"hierarchy2", "hierarchy5"});
    all.push_back(
        {"r levels of express links take O(N^(1 / 2(r + 1)))", "8", levels,
         fmt::format("On n = 64: {} steps with one level, {} with two, {} with five; {}, {} and {} "
                     "cycles, with linear wire delay {}, {} and {}.",
                     measured.row(8, "alg3", false).steps, two_levels.steps,
                     measured.row(8, "hierarchy5", false).steps,
                     measured.row(8, "alg3", false).cycles, two_levels.cycles,
                     measured.row(8, "hierarchy5", false).cycles,
                     measured.row(8, "alg3", true).cycles, two_linear.cycles,
                     measured.row(8, "hierarchy5", true).cycles) +
             as_in_formulas(levels)});
    all.push_back(conclusion_on_values(measured));
    const Cases omitted = steps_as_expected(measured, {"prefix", "median_row", "closest"});
    all.push_back(
        {"Prefix, median row and closest neighbours take Theta(N^1/4)", "9", omitted,
         fmt::format("Steps on n = 16 and 64: prefix {}, median row {}, closest neighbours {}, all "
                     "of their results right (the paper omits the algorithms; these are ours).",
                     steps_of(measured, "prefix"), steps_of(measured, "median_row"),
                     steps_of(measured, "closest")) +
             as_in_formulas(omitted)});
    const Cases median = steps_as_expected(measured, {"median"});
    all.push_back(
        {"Median finding takes O(N^1/4 log N)", "9", median,
         fmt::format("{} steps on n = 16 and 64; {} rounds on average for 256 numbers, {} for "
                     "4096: {} more for 16 times as many, as 2 ln N has it ({}).",
                     steps_of(measured, "median"), text(rounds.of_256.mean),
                     text(rounds.of_4096.mean), text(rounds.of_4096.mean - rounds.of_256.mean),
                     text(2 * std::log(16.0))) +
             as_in_formulas(median)});
    all.push_back(conclusion_at_equal_cost(measured));
    return all;
}

}  // namespace flitscope::reproduce::cheung_lau
