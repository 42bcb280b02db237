// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The closed forms of Boppana and Raghavendra 1990, as printed and as corrected (errata 001).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "traffic/schedules/exchange/aap.h"

namespace flitscope::reproduce::aap_forms {

/// The costs that set the time of a message over i links: xi + i tau + i + k - 1 cycles for k
/// elements.
struct Costs {
    Cycle startup = 10;  ///< xi
    Cycle setup = 2;     ///< tau
    Cycle elements = 100;

    Cycle message(Cycle links) const { return startup + links * setup + links + elements - 1; }
    Cycle transfer(Cycle links) const { return links + elements - 1; }
};

inline Cycle nodes(std::uint32_t n) { return Cycle{1} << n; }

inline Cycle binomial(Cycle n, Cycle i) {
    Cycle value = 1;
    for (Cycle j = 1; j <= i; ++j) value = value * (n - i + j) / j;
    return value;
}

/// Section 3.2.
inline Cycle total_by_size(std::uint32_t n, const Costs& costs) {
    Cycle total = 0;
    for (Cycle links = 1; links <= n; ++links) total += binomial(n, links) * costs.message(links);
    return total;
}

/// The second and the third form of eta = T_aap / T_min in section 3.2.
inline std::vector<double> printed_etas(std::uint32_t n, const Costs& costs) {
    const auto k = static_cast<double>(costs.elements);
    const auto all = static_cast<double>(nodes(n));
    const double startup = static_cast<double>(costs.startup) - 1;
    const double half = (1 + static_cast<double>(costs.setup)) * n / 2;
    return {1 + startup / k + half / k * all / (all - 1),
            1 + (half + startup) / k + half / (k * (all - 1))};
}

/// Section 3.3 as printed: every set-up but the first two is hidden.
inline Cycle printed_interleaved(std::uint32_t n, const Costs& costs) {
    return (costs.elements - 1) * (nodes(n) - 1) + n * nodes(n) / 2 +
           2 * (costs.startup + n * costs.setup) - costs.setup;
}

/// Corrected: the set-up of the second set of each pair is hidden (errata 001, T_strict).
inline Cycle total_of_pairs(std::uint32_t n, const Costs& costs, bool small_first) {
    Cycle total = costs.message(n);
    for (Cycle i = 1; 2 * i <= n; ++i) {
        const Cycle pairs = 2 * i == n ? binomial(n, i) / 2 : binomial(n, i);
        const Cycle shown = small_first ? i : n - i;
        total += pairs * (costs.startup + shown * costs.setup);
        total += pairs * (costs.transfer(i) + costs.transfer(n - i));
    }
    return total;
}

/// Corrected: a header waits on the free prefix of its path, and the rest of the set-up is visible
/// (errata 001, T_stall).
inline Cycle total_of_waiting(std::uint32_t n, const Costs& costs) {
    Cycle total = costs.startup + n * costs.setup;
    NodeId before = 0;
    for (const NodeId mask : aap_masks(n, AapOrder::kInterleaved)) {
        const NodeId busy = mask & before;
        const NodeId left = busy == 0 ? 0 : mask & ~((busy & -busy) - 1);
        total += costs.setup * static_cast<Cycle>(__builtin_popcount(left));
        total += costs.transfer(static_cast<Cycle>(__builtin_popcount(mask)));
        before = mask;
    }
    return total;
}

inline Cycle model_of(const std::string& variant, std::uint32_t n, const Costs& costs) {
    if (variant == "interleaved_waiting") return total_of_waiting(n, costs);
    return total_of_pairs(n, costs, variant == "interleaved_small_first");
}

/// Transitions between steps whose paths share no link, and all transitions.
inline std::pair<std::uint32_t, std::uint32_t> disjoint_transitions(std::uint32_t n) {
    const std::vector<NodeId> masks = aap_masks(n, AapOrder::kInterleaved);
    std::uint32_t disjoint = 0;
    for (std::size_t i = 1; i < masks.size(); ++i) {
        disjoint += (masks[i] & masks[i - 1]) == 0 ? 1 : 0;
    }
    return {disjoint, static_cast<std::uint32_t>(masks.size() - 1)};
}

// ---- Intel iPSC/860 -----------------------------------------------------------------------------

// 65 + 0.425 k + 10 i us for k bytes over i links. In units of 0.25 us these are whole numbers for
// every k divisible by 10, when an element is 10/17 bytes: xi - 1 = 260, tau + 1 = 40.
inline constexpr double kUnit = 0.25;  // us

inline Costs ipsc860(Cycle bytes) { return {261, 39, bytes * 17 / 10}; }
inline double ipsc860_time(Cycle bytes, Cycle links) {
    return 65 + 0.425 * static_cast<double>(bytes) + 10 * static_cast<double>(links);
}
inline double ipsc860_total(std::uint32_t n, Cycle bytes) {
    double total = 0;
    for (Cycle links = 1; links <= n; ++links) {
        total += static_cast<double>(binomial(n, links)) * ipsc860_time(bytes, links);
    }
    return total;
}
inline double ipsc860_bound(std::uint32_t n, Cycle bytes) {
    return 0.425 * static_cast<double>(bytes) * static_cast<double>(nodes(n) - 1);
}

}  // namespace flitscope::reproduce::aap_forms
