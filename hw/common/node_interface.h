// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The common part of the network interfaces of all fabrics: the message seam, the notifications,
// and the end of a packet's way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <systemc>

#include "hw/common/arrival.h"
#include "hw/common/class_arbiter.h"
#include "hw/common/packet_pool.h"
#include "hw/common/partition_outbox.h"
#include "hw/common/wakeup_wheel.h"
#include "models/base/types.h"
#include "models/config/node_config.h"
#include "models/config/packet_format.h"
#include "models/fabric/message_port.h"
#include "models/fabric/observers.h"

namespace flitscope::hw {

struct NetworkInterfaceConfig {
    NodeId node = 0;
    std::uint32_t virtual_channels = 1;
    PacketFormat format;
    std::uint32_t send_overhead = 0;          ///< cycles
    Rate injection_bandwidth;                 ///< flits per cycle at which packets are assembled
    bool serialize_overhead = false;          ///< a startup waits for the end of the message before
    ClassPolicy classes;                      ///< classes of messages
    std::uint32_t reply_queue = 0;            ///< requests taken at a time; 0: any number
    std::optional<MessageClass> reply_class;  ///< class of all replies; else that of the request
    bool whole_packets = false;  ///< a packet begins only if there are credits for all of it
};

/// The observers of an interface; each may be null.
struct InterfaceObservers {
    ChannelObserver* channels = nullptr;
    PacketObserver* packets = nullptr;
    ChannelId injection = 0;  ///< our injection channel, if there is one
    /// If set, news for `packets` and the node wait in it until begin_arrival(), end_arrival() and
    /// end_injection() are called.
    PartitionOutbox* outbox = nullptr;
};

class NodeInterface : public sc_core::sc_module, public MessagePort, public Clocked {
public:
    sc_core::sc_port<MessageListener, 1, sc_core::SC_ZERO_OR_MORE_BOUND> node{"node"};

    using MessagePort::send;
    /// Messages not yet fully injected; in a circuit fabric, those whose path has not been torn
    /// down.
    virtual std::size_t pending() const = 0;

    /// Binds the node, which says whether it hears of first flits.
    void attach(MessageListener& listener) {
        node.bind(listener);
        tells_heads_ = listener.hears_heads();
    }
    /// Tells the node, if it is the first one of its message, of a packet whose head was taken in
    /// cycle `now`.
    void begin_arrival(const Arrival& arrival, Cycle now) {
        const std::uint32_t index = packets_.find(arrival.header());
        if (index == PacketPool::kNone) return;  // its end says that it was never sent
        const Packet& packet = packets_[index];
        if (!packets_.arrivals().begins(packet.message_state)) return;
        node->on_arriving(packet.record.message, now);
    }
    /// Ends a packet whose tail was taken in cycle `now`: it leaves the network. Tells observers,
    /// and the node if its message is complete.
    void end_arrival(Arrival& arrival, Cycle now) {
        arrival.finish(packets_, now, [this, now](const PacketRecord& record, bool complete) {
            if (observers_.packets != nullptr) observers_.packets->on_packet(record);
            if (complete && node.size() != 0) node->on_delivered(record.message, now);
        });
    }
    /// Tells the node that the last tail of `message` entered the network in `cycle`, or will.
    void end_injection(const Message& message, Cycle cycle) {
        if (node.size() != 0) node->on_injected(message, cycle);
    }
    NodeId number() const { return config_.node; }

protected:
    NodeInterface(sc_core::sc_module_name name, const NetworkInterfaceConfig& config,
                  WakeupWheel& clock, PacketPool& packets, const InterfaceObservers& observers)
        : sc_module(name),
          config_(config),
          clock_(clock),
          packets_(packets),
          observers_(observers),
          module_(clock.add(*this)) {}

    /// The soonest cycle in which to do what is asked of us now: in this one we may already have
    /// been ticked.
    Cycle soonest() const { return clock_.started() ? clock_.now() + 1 : 0; }
    void tell_injected(const Message& message, Cycle cycle) {
        if (observers_.outbox != nullptr) {
            observers_.outbox->injected(*this, message, cycle);
        } else {
            end_injection(message, cycle);
        }
    }

    /// Whether the node hears of first flits.
    bool tells_heads() const { return tells_heads_; }

    const NetworkInterfaceConfig config_;
    WakeupWheel& clock_;
    PacketPool& packets_;
    const InterfaceObservers observers_;
    const std::uint32_t module_;  // our name in the clock domain

private:
    bool tells_heads_ = false;
};

}  // namespace flitscope::hw
