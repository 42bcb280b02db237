// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The observer of the channels that a router drives, and the numbers of these channels.
#pragma once

#include <vector>

#include "hw/common/packet_pool.h"
#include "models/base/types.h"
#include "models/fabric/inner_signals.h"
#include "models/fabric/observers.h"

namespace flitscope::hw {

struct ChannelProbe {
    ChannelObserver* observer = nullptr;  ///< null: nothing is reported
    const PacketPool* packets = nullptr;
    std::vector<ChannelId> in;   ///< per port: the channel that ends here
    std::vector<ChannelId> out;  ///< per port: the channel that this router drives
    /// set: the inner signals of a verilated router are traced
    InnerSignalObserver* inner_signals = nullptr;
};

}  // namespace flitscope::hw
