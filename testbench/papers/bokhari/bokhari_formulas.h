// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The measurements of the reproduction of Bokhari and Nicol 1996, and the predictions of their
// Table 1: the paper's bounds and its simulations.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce::paragon_exchange {

/// Sides n of the n x n meshes.
inline const std::vector<std::uint32_t> kSides = {4, 8, 12, 16};
/// Bytes of a message in Figures 7 to 11; the last one is the slice of Figures 12 to 15.
inline const std::vector<std::uint64_t> kSizes = {1024, 2048, 4096, 8192, 15232};
inline constexpr std::uint64_t kSlice = 15232;
/// Message sizes in bytes for which combining may pay (Section 8), on meshes of 2^k nodes.
inline const std::vector<std::uint64_t> kSmallSizes = {16, 64, 256, 1024, 4096, 15232};
inline const std::vector<std::uint32_t> kSmallSides = {4, 8, 16};

/// The machine with barriers of slope lg n + fixed us, and with other buffers if `buffer_depth` is
/// not 0.
struct Setting {
    std::string_view name;  ///< in the keys of experiments
    std::string_view text;
    double slope;
    double fixed;
    std::uint32_t buffer_depth = 0;  ///< flits

    double barrier_us(std::uint32_t n) const;
};
/// Table 1 prints 27.1 lg n - 134, which is negative on all its meshes (errata 002).
inline constexpr Setting kParagon = {"271", "271 lg n - 134 us", 271, -134};
inline constexpr Setting kCheaper = {"127", "127.1 lg n - 134 us", 127.1, -134};
/// A dedicated network for barriers, as Section 8 requires.
inline constexpr Setting kDedicated = {"5us", "5 us", 0, 5};
/// Routers that hold little of a packet.
inline constexpr Setting kSmallBuffers = {"small", "271 lg n - 134 us", 271, -134, 8};

/// The phases that a step may hold: divisors of all n^3 / 4 phases, among them n / 4.
std::vector<std::uint32_t> levels(std::uint32_t n);
inline std::uint32_t phases(std::uint32_t n) { return n * n * n / 4; }
/// Messages that a node sends in a step of `level` phases.
inline std::uint32_t node_contention(std::uint32_t n, std::uint32_t level) {
    return level <= n / 4 ? 1 : level / (n / 4);
}

/// Those at which the steps are assigned to two meshes in turn.
std::vector<std::uint32_t> levels_on_planes(std::uint32_t n);

/// An uncontended message of `bytes`, Table 1, in ms.
double message_ms(std::uint64_t bytes);
/// Section 7: every step as long as one message, or, beyond n / 4, as the messages of one node.
double lower_ms(std::uint32_t n, std::uint32_t level, std::uint64_t bytes, const Setting& setting);
/// Section 7: all phases one after the other.
double upper_ms(std::uint32_t n, std::uint32_t level, std::uint64_t bytes, const Setting& setting);

/// All simulations, without the causes that claims need.
std::vector<Experiment> experiments();

enum class Naive : std::uint8_t { kFromNext, kFromZero };

/// Simulated times in ms.
class Times {
public:
    /// `outcomes` are looked into as long as this lives.
    explicit Times(const Outcomes& outcomes);
    explicit Times(Outcomes&&) = delete;

    // All with a barrier after the last step, too, as the predictions count.
    double bounded(std::uint32_t n, std::uint32_t level, std::uint64_t bytes,
                   const Setting& setting = kParagon) const;
    /// On two meshes side by side, of a slice.
    double on_two_planes(std::uint32_t n, std::uint32_t level) const;
    double naive(std::uint32_t n, Naive order, std::uint64_t bytes,
                 const Setting& setting = kParagon) const;
    double recursive(std::uint32_t n, std::uint64_t bytes) const;
    /// The level of the shortest time.
    std::uint32_t best_level(std::uint32_t n, std::uint64_t bytes,
                             const Setting& setting = kParagon) const;
    double best(std::uint32_t n, std::uint64_t bytes, const Setting& setting = kParagon) const {
        return bounded(n, best_level(n, bytes, setting), bytes, setting);
    }
    /// By how much it is shorter than the naive exchange, as a fraction of that.
    double improvement(std::uint32_t n, std::uint32_t level, std::uint64_t bytes,
                       Naive order) const;

private:
    double ms(const std::string& key) const;

    const Outcomes& outcomes_;
    double clock_ns_;
};

}  // namespace flitscope::reproduce::paragon_exchange
