// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts of packets lost when a network changes during a run, and of retransmissions (hw/TIMING.md,
// "Faults while running").
#pragma once

#include <cstdint>

namespace flitscope {

/// Counts of faults while running and retransmission.
struct LossCounts {
    bool has_failed = false;         ///< the cycle of the faults has been reached
    std::uint64_t packets_lost = 0;  ///< under way when the network changed
    std::uint64_t flits_lost = 0;    ///< theirs that were in the network
    /// All flits of packets between living nodes that were lost and are not sent again.
    std::uint64_t flits_forgone = 0;
    std::uint64_t packets_discarded = 0;  ///< at their source, for their destination was dead
    std::uint64_t packets_repeated = 0;   ///< sent once more, counted each time
    std::uint64_t duplicates = 0;         ///< packets that arrived after a copy of theirs
};

}  // namespace flitscope
