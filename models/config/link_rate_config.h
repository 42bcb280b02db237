// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `fabric.link_rate`: links that take less than a flit per cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/config/node_config.h"

namespace flitscope {

/// Links of which a family of networks has two kinds, and one is slow; rates are 1/k.
struct LinkRateConfig {
    Rate global;                         ///< dragonfly: of the channels between groups
    std::vector<std::uint32_t> die;      ///< routers of a die along each dimension of a grid;
                                         ///< empty: there is one die
    Rate between;                        ///< of the links from one die to another one,
    std::optional<std::uint32_t> delay;  ///< their delay in cycles, instead of `link_delay`,
    double pj_per_bit = 0;               ///< the energy of their transceivers,
    double gap_mm = 0;                   ///< and how far dies are apart, if wires are physical
};

}  // namespace flitscope
