// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How long syntheses are likely to take.
#pragma once

#include <vector>

#include "hw/verilated/rtl_variant.h"
#include "models/config/technology_config.h"

namespace flitscope::study {

/// Of the registers of a link.
constexpr double kLinkSynthesisSeconds = 1;
/// What a synthesis and the energies of the router take, over the synthesis alone.
constexpr double kWithEnergy = 2;

/// The time of a synthesis grows with the buffers of the router, a little faster than in
/// proportion. How fast this machine is is taken from those in the cache that are alike.
class SynthesisTime {
public:
    /// `routers`: whose times are asked for. Throws as cached_synthesis() does.
    SynthesisTime(const std::vector<hw::RtlVariant>& routers, const TechnologyConfig& technology);

    double seconds(const hw::RtlVariant& router) const;

private:
    double scale_ = 1;
};

}  // namespace flitscope::study
