// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Used if packets are lost or retransmitted: the state of packets that the interfaces of a fabric
// share, and their fates (hw/TIMING.md, "Faults while running").
#pragma once

#include <cstdint>
#include <optional>

#include "hw/common/wakeup_wheel.h"
#include "models/base/slot_pool.h"
#include "models/base/types.h"
#include "models/config/node_config.h"
#include "models/fabric/faulted_network.h"
#include "models/fabric/loss_counts.h"
#include "models/fabric/message.h"
#include "models/topology/graph.h"

namespace flitscope::hw {

/// A packet that its source keeps until it is acknowledged: the state common to all its copies.
struct Transmission {
    Message message;
    std::uint32_t index = 0;  ///< within its message
    std::uint64_t flits = 0;
    Cycle begin = 0;                  ///< begin of the send of its message
    std::uint32_t message_state = 0;  ///< as Packet::message_state
    std::uint32_t tries_left = 0;
    std::uint32_t copies = 0;  ///< under way
    bool is_awaited = false;   ///< its source may still send it again
    Cycle delivered = kNever;  ///< cycle in which the first copy arrived
    std::uint32_t source = 0;  ///< the interface, as the clock domain calls it
};

class Transmissions {
public:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    explicit Transmissions(const std::optional<RetransmitConfig>& repeats) : repeats_(repeats) {}

    /// How packets are sent again; null: not at all.
    const RetransmitConfig* repeats() const { return repeats_ ? &*repeats_ : nullptr; }

    std::uint32_t add(const Transmission& transmission) { return all_.add(transmission); }
    Transmission& operator[](std::uint32_t index) { return all_[index]; }
    /// Forgets a packet that is no longer needed. Call when a copy has arrived or is lost, or when
    /// the source has given up.
    void tidy(std::uint32_t index) {
        if (all_[index].copies == 0 && !all_[index].is_awaited) all_.remove(index);
    }

    // For after a change of the network.

    void change(const FaultedNetwork& network) {
        network_ = &network;
        counts.has_failed = true;
    }
    bool is_dead(NodeId node) const {
        return network_ != nullptr && !network_->graph.is_alive(node);
    }

    LossCounts counts;

private:
    std::optional<RetransmitConfig> repeats_;
    SlotPool<Transmission> all_;
    const FaultedNetwork* network_ = nullptr;  // null: not changed yet
};

}  // namespace flitscope::hw
