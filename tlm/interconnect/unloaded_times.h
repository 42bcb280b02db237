// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How long messages take that meet no other, for annotated timing.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "models/performance/zero_load_paths.h"

namespace flitscope {

class UnloadedTimes {
public:
    /// All arguments must outlive this object. `queueing`: cycles that are added to each message.
    UnloadedTimes(const HardwareConfig& config, const Graph& graph, const Routing& routing,
                  Cycle queueing);

    /// Cycles from the begin of the send to the delivery of the tail. Packets of one message may
    /// wait for each other, which is counted as ZeroLoadMessage does; if the routing chooses among
    /// paths, the quickest one counts.
    Cycle of(NodeId from, NodeId to, std::uint64_t bytes);

private:
    ZeroLoadPaths paths_;
    ZeroLoadMessage message_;
    PacketFormat format_;
    Cycle queueing_;
    std::unordered_map<std::uint64_t, ZeroLoadPath> known_;  // by source and destination
};

}  // namespace flitscope
