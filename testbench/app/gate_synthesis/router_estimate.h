// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates the cost of a router from those that were synthesized: a thousand designs need not be a
// thousand syntheses. Estimates are marked as such, with their accuracy.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hw/verilated/rtl_variant.h"
#include "testbench/app/gate_synthesis/synthesis.h"

namespace flitscope {

/// Fits what routers are made of to the figures of known ones, by least squares of relative errors:
/// area and energy per cycle to buffers, crossbar and allocators, which grow with the turns that a
/// router is built with, the period to the logarithms of ports and virtual channels and to the kind
/// of allocation; buffers hardly affect it. Only routers of one module, routing, router delay and
/// arbitration are compared, and nothing is estimated beyond the known ones: ports, virtual
/// channels, depth, width and allocation are within their range.
class RouterEstimator {
public:
    /// Minimum number of known routers for an estimate: one for each fitted term, and some to
    /// measure the error.
    static constexpr std::size_t kEnough = 12;

    /// `known`: all under the same conditions.
    explicit RouterEstimator(const std::vector<SynthesisResult>& known);

    /// Nothing if too few are known, or `variant` is beyond them. A known router is estimated like
    /// all others.
    std::optional<SynthesisResult> estimate(const hw::RtlVariant& variant) const;
    /// Why there is no estimate, as a part of a sentence.
    std::string obstacle(const hw::RtlVariant& variant) const;

private:
    /// Area, period, energy per cycle.
    static constexpr std::size_t kFitted = 3;

    /// Routers that are compared with each other.
    struct Kind {
        std::vector<SynthesisResult> known;
        std::array<std::vector<double>, kFitted> weights;  ///< of the terms
        std::array<double, kFitted> errors{};              ///< the largest
    };
    const Kind* kind_of(const hw::RtlVariant& variant) const;

    std::vector<Kind> kinds_;
};

/// Chooses the routers of `wanted` to synthesize so that all others can be estimated: as many of
/// each kind as it takes, far from each other and from those in `known`. All, if estimating is not
/// worth it.
std::vector<hw::RtlVariant> routers_to_know(const std::vector<hw::RtlVariant>& wanted,
                                            const std::vector<hw::RtlVariant>& known);

/// All results in the cache, under these conditions, for routers with the module, routing, router
/// delay and arbitration of `variant`. Runs nothing.
std::vector<SynthesisResult> known_routers_like(const hw::RtlVariant& variant,
                                                const SynthesisConditions& conditions);

}  // namespace flitscope
