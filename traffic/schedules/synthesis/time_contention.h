// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The number of messages in a channel at a time if they begin by the clock, counted without a
// simulator.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/performance/zero_load_paths.h"
#include "models/routing/routing.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// The most messages that share a channel, in a round or at a time.
struct RoundContention {
    std::uint64_t link = 0;     ///< messages over one directed link
    std::uint64_t send = 0;     ///< messages that a node sends over one channel
    std::uint64_t receive = 0;  ///< the same for receives
};

/// The first cycle, or round, of a stay in a channel, and the first one after it.
using Stay = std::pair<std::uint64_t, std::uint64_t>;
/// The maximum number of stays at a time.
std::uint64_t most_at_a_time(const std::vector<Stay>& stays);

/// Counts contention if routes are fixed. Nodes have one channel each way, or one for every link,
/// which then is that of the first or the last link of a message. Every message moves
/// as through an idle network, which is exact if no two share a channel. It is in a channel from
/// its first flit there to its last one; if its node assembles packets slower than they leave, and
/// no shallow FIFO keeps them back, packet by packet.
class TimeContention {
public:
    /// All arguments must outlive this object.
    TimeContention(const HardwareConfig& config, const Graph& graph, const Routing& routing);

    /// A message over `route`, the fixed one from its first link on, whose send begins in that
    /// cycle.
    void add(NodeId from, NodeId to, const std::vector<LinkId>& route, std::uint64_t bytes,
             Cycle begin);
    /// The contention of the messages that were added.
    RoundContention most() const;

private:
    std::vector<Stay> stays(const ZeroLoadPath& path, std::uint64_t bytes) const;
    static std::uint64_t most_of(const std::vector<std::vector<Stay>>& channels);

    const HardwareConfig& config_;
    const Graph& graph_;
    ZeroLoadPaths paths_;
    std::vector<std::vector<Stay>> links_;
    std::vector<std::vector<Stay>> sends_;  // per node, or per link
    std::vector<std::vector<Stay>> receives_;
};

}  // namespace flitscope::synthesis
