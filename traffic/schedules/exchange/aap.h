// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// All-to-all personalized communication on binary hypercubes in edge-disjoint steps (Boppana and
// Raghavendra 1990, "AAP").
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "traffic/program/program.h"

namespace flitscope {

/// The order in which AAP goes through the sets of dimensions.
enum class AapOrder : std::uint8_t {
    /// Section 3.2: larger sets first, those of one size in lexicographic order.
    kBySize,
    /// Section 3.3: every set is followed by its complement, so that the paths of the one can be
    /// set up while the other still streams. The two are a step, for the complement and the next
    /// set always share links. (Errata 001: the printed ranges of i begin with 1.)
    kInterleaved,
    /// kInterleaved with the smaller of the two sets first, so that the shorter set-up shows and
    /// the longer one is hidden (errata 001).
    kInterleavedSmallFirst,
    /// All sets of kInterleaved in one step: headers set up the free prefix of their path, and wait
    /// there for the rest (errata 001, T_stall).
    kInterleavedWaiting,
};

/// The set of dimensions that each step crosses, as a mask of address bits; every non-empty set of
/// `dimensions` dimensions once.
std::vector<NodeId> aap_masks(std::uint32_t dimensions, AapOrder order);

/// For each mask m in turn, every node n sends one message of `bytes` to n XOR m. Under e-cube
/// routing every link of the dimensions in m then carries exactly one message each way. By size
/// every mask is a separate step; a step of a set and its complement uses no link twice either.
Program aap(std::uint32_t dimensions, std::uint64_t bytes, AapOrder order);

}  // namespace flitscope
