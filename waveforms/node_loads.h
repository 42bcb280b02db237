// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many flits each node puts into the network in the window of a trace, whichever channels the
// trace shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/types.h"
#include "models/topology/channel_map.h"

namespace flitscope {

class NodeLoads {
public:
    struct Load {
        NodeId node = 0;
        double rate = 0;  ///< flits per cycle
    };
    /// Of several nodes the first.
    struct Range {
        Load least;
        Load most;
    };

    /// The window is [from, until).
    NodeLoads(const Graph& graph, std::uint32_t virtual_channels, Cycle from, Cycle until);

    // A channel sends a flit in every cycle from its begin to before its end.
    void begin(ChannelId channel, std::uint32_t vc, Cycle cycle) {
        if (channels_.is_injection(channel)) begun_[slot(channel, vc)] = cycle;
    }
    void end(ChannelId channel, std::uint32_t vc, Cycle cycle);

    /// Of the nodes that put in anything, in a run that was simulated up to before `end`; nothing
    /// if they are fewer than two.
    std::optional<Range> range(Cycle end) const;

private:
    std::size_t slot(ChannelId channel, std::uint32_t vc) const {
        return static_cast<std::size_t>(channel) * virtual_channels_ + vc;
    }

    ChannelMap channels_;
    std::uint32_t virtual_channels_;
    Cycle from_;
    Cycle until_;
    std::vector<Cycle> begun_;          // per slot of a channel
    std::vector<std::uint64_t> flits_;  // per node
};

}  // namespace flitscope
