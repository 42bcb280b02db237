// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// An express mesh by its parameters, for its builder and for code that uses its layout.
#pragma once

#include <cstdint>
#include <vector>

#include "models/config/topology_config.h"
#include "models/topology/families/compound_shape.h"

namespace flitscope {

struct ExpressShape {
    std::vector<std::uint32_t> sides;  ///< the last one varies fastest
    std::uint32_t segment = 2;
    ExpressLayout layout = ExpressLayout::kFull;
    std::uint32_t levels = 1;  ///< hierarchy

    /// Express links join terminals at the multiples of `segment`, in every line or in those
    /// through terminals.
    bool joins_terminals() const {
        return layout == ExpressLayout::kFull || layout == ExpressLayout::kSparse;
    }
    bool is_compound() const { return layout == ExpressLayout::kCompound; }
    /// The shape of a compound layout.
    CompoundShape compound() const { return {sides[0], sides[1], segment}; }
};

}  // namespace flitscope
