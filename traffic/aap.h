// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// All-to-all personalized communication on binary hypercubes in edge-disjoint steps (Boppana and
// Raghavendra 1990, "AAP").
#pragma once

#include <cstdint>
#include <vector>

#include "models/types.h"
#include "traffic/program.h"

namespace flitscope {

/// In what order AAP goes through the sets of dimensions.
enum class AapOrder : std::uint8_t {
    /// Section 3.2: larger sets first, those of one size in lexicographic order.
    kBySize,
    /// Section 3.3: every set is followed by its complement, so that the paths of every second step
    /// can be set up while the step before still streams. (The range of the printed order begins
    /// with 1, and a step (n-i, last) is followed by (n-i, 0): errata 001.)
    kInterleaved,
};

/// The set of dimensions that each step crosses, as a mask of address bits; every non-empty set of
/// `dimensions` dimensions once.
std::vector<NodeId> aap_masks(std::uint32_t dimensions, AapOrder order);

/// In the step of mask m, every node n sends one message of `bytes` to n XOR m. Under e-cube
/// routing every link of the dimensions in m then carries exactly one message each way.
Program aap(std::uint32_t dimensions, std::uint64_t bytes, AapOrder order);

}  // namespace flitscope
