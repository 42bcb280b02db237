// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the report on Cheung and Lau (1995) is made of: what was measured, by the parts of its keys,
// and the tables, plots and conclusions that follow.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/papers/cheung/cheung_experiments.h"
#include "testbench/papers/frame/paper.h"
#include "testbench/papers/frame/routers.h"

namespace flitscope::reproduce::cheung_lau {

inline constexpr int kOneStep = 0;  ///< in place of a pitch

/// Outcomes by the parts of their keys.
class Measured {
public:
    explicit Measured(const Outcomes& outcomes) : outcomes_(outcomes) {}

    const Outcome& at(const std::string& key, bool is_linear) const {
        return outcomes_.at(full_key(key, is_linear));
    }
    Cycle growth(const char* network, std::uint32_t s, bool is_linear,
                 std::uint32_t bytes = kSmall) const {
        return at(growth_key(network_of(network), s, bytes), is_linear).cycles;
    }
    /// Nanoseconds with wires of so many millimetres per node pitch; with kOneStep every wire takes
    /// a cycle.
    double ns(const char* network, std::uint32_t s, int pitch_mm,
              std::uint32_t bytes = kSmall) const {
        const Network& of = network_of(network);
        const std::string key = growth_key(of, s, bytes);
        return nanoseconds(key, pitch_mm, of.router);
    }
    double length_ns(std::uint32_t length, int pitch_mm) const {
        return nanoseconds(length_key(length), pitch_mm, kLineRouter);
    }
    double exponent_ns(const char* network, int pitch_mm) const {
        const auto [from, to] = kExponentRoots;
        return std::log(ns(network, to, pitch_mm) / ns(network, from, pitch_mm)) /
               std::log(std::pow(1.0 * to / from, 4));
    }
    /// b in cycles ~ N^b, between the meshes of two sides.
    double exponent(const char* network, std::uint32_t from, std::uint32_t to,
                    bool is_linear) const {
        const auto cycles = [&](std::uint32_t s) {
            return static_cast<double>(growth(network, s, is_linear));
        };
        return std::log(cycles(to) / cycles(from)) / std::log(std::pow(1.0 * to / from, 4));
    }
    const Outcome& row(std::uint32_t s, const std::string& key, bool is_linear) const {
        return at(row_key(s, key), is_linear);
    }

private:
    double nanoseconds(const std::string& key, int pitch_mm, const std::string& router) const {
        const Outcome& outcome =
            pitch_mm == kOneStep ? at(key, false) : outcomes_.at(physical_key(key, pitch_mm));
        return static_cast<double>(outcome.cycles) * router_clock_ns(router);
    }

    const Outcomes& outcomes_;
};

/// Steps of communication and of local combination together, for `values` on s^4 nodes.
std::uint32_t total_steps(const Measured& measured, std::uint32_t s, std::uint32_t values);

/// Rounds of median finding, over many seeds.
struct Rounds {
    double mean = 0;
    std::uint32_t p95 = 0;
};

/// Of these, by the rule of the nodes, without a simulator.
struct MedianRounds {
    Rounds of_256;   ///< numbers
    Rounds of_4096;  ///< numbers
};
inline constexpr std::uint32_t kSeedsOf256 = 2000;
inline constexpr std::uint32_t kSeedsOf4096 = 400;

MedianRounds measure_median_rounds();

// ---- What the conclusions share -----------------------------------------------------------------

inline std::string text(double number) { return fmt::format("{:.2f}", number); }
inline std::string whole(double ns) { return fmt::format("{:.0f} ns", ns); }

/// `text` of every pitch: "130 ns at 4 mm, 170 ns at 16 mm".
template <class Text>
std::string by_pitch(const Text& text_at) {
    std::vector<std::string> all;
    for (const int pitch : kPitchesMm) {
        all.push_back(fmt::format("{} at {} mm", text_at(pitch), pitch));
    }
    return fmt::format("{}", fmt::join(all, ", "));
}

/// A case for every pitch.
template <class Holds>
Cases over_pitches(const Holds& holds) {
    Cases cases;
    for (const int pitch : kPitchesMm) cases.add(holds(pitch));
    return cases;
}

// Section 3: which length of express links is best, and what they are worth.
Table diameter_table();
Conclusion conclusion_on_lengths(const Measured& measured);
Conclusion conclusion_at_equal_cost(const Measured& measured);

std::vector<Table> tables(const Measured& measured, const MedianRounds& rounds);
std::vector<Plot> plots(const Measured& measured);
std::vector<Conclusion> conclusions(const Measured& measured, const MedianRounds& rounds);

}  // namespace flitscope::reproduce::cheung_lau
