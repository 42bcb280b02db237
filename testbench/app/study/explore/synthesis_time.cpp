// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/synthesis_time.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "testbench/app/gate_synthesis/router_estimate.h"

namespace flitscope::study {
namespace {

/// Seconds of a router, with mark and channel bits of 4: from 1 s for 3 ports, 2 flits and 16 bits
/// to 10 minutes for 5 ports, 8 channels, 8 flits and 64 bits (hw/rtl/SYNTHESIS.md).
double typical_seconds(const hw::RtlVariant& router) {
    constexpr double kSmallest = 120;  // bits of the first of these
    constexpr double kGrowth = 1.23;
    const double bits = static_cast<double>(router.ports) * router.virtual_channels * router.depth *
                        (router.flit_bits + 4);
    return std::pow(bits / kSmallest, kGrowth);
}

}  // namespace

SynthesisTime::SynthesisTime(const std::vector<hw::RtlVariant>& routers,
                             const TechnologyConfig& technology) {
    if (routers.empty()) return;
    std::vector<double> scales;
    for (const SynthesisResult& known : known_routers_like(routers.front(), technology)) {
        scales.push_back(known.seconds / typical_seconds(known.variant));
    }
    if (scales.empty()) return;
    const auto middle = scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 2);
    std::nth_element(scales.begin(), middle, scales.end());
    scale_ = *middle;
}

double SynthesisTime::seconds(const hw::RtlVariant& router) const {
    return scale_ * typical_seconds(router);
}

}  // namespace flitscope::study
