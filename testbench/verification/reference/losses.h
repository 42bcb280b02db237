// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Random machines on which packets are lost while they run, or sent again, and the cycle engine
// against the golden model on them.
#pragma once

#include <cstdint>
#include <string>

#include "testbench/verification/reference/compare.h"

namespace flitscope {

struct Machine;

/// A small machine of random_case() or operation_case() with nodes of one channel and packets,
/// some of whose links, nodes and routers die in some cycle, or whose interfaces send packets
/// again, or both. The routing of what is left cannot deadlock.
Machine loss_machine(std::uint64_t seed);

/// Counts of the losses that a campaign has seen.
struct LossTotals {
    CompareCounts compared;
    LossCounts losses;
    std::uint64_t failed = 0;    ///< runs in which something was not delivered
    std::uint64_t complete = 0;  ///< runs in which something was lost, and all was delivered
};

/// Empty when both agree on every packet that was delivered, on every busy interval, and on what
/// was lost, discarded, sent again and suppressed, and the run ended by itself: complete, or failed
/// with everything listed that is missing. Otherwise what is wrong, in words.
std::string compare_losses(const Machine& machine, const CompareRun& run, LossTotals& totals);

}  // namespace flitscope
