// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The message seam: how a node's traffic generator meets the fabric, whichever engine simulates it.
// The generator hands over one message at a time and is notified when it may hand over the next.
#pragma once

#include <systemc>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/message.h"

namespace flitscope {

/// Says by which of a node's channels a message leaves, and how it depends on other messages
/// (hw/TIMING.md, "Port models"). The default is the only choice if a node has one channel.
struct SendOptions {
    PortId port = kLocalPort;  ///< port of the router whose link it takes; kLocalPort: as routed
    bool is_copy = false;      ///< it carries the same value as the message handed over before it
    /// For streams: messages to this node that have not been delivered. Each flit of this message
    /// follows the same flit of all of them.
    std::vector<MessageId> follows;
};

/// The fabric as one node sees it.
class MessagePort : public virtual sc_core::sc_interface {
public:
    /// Hands a message to the node's network interface. `begin` is the cycle in which the send
    /// begins; it may be in the future, or in the past when the interface was busy until now.
    /// Messages leave in call order, per port with independent ports, per class with classes, per
    /// plane with planes. In each such order `begin` must not decrease, withdrawn messages aside.
    virtual void send(const Message& message, Cycle begin, const SendOptions& options) = 0;
    void send(const Message& message, Cycle begin) { send(message, begin, SendOptions{}); }
    /// Takes back the message of class `of` on that plane that was handed over last, so that
    /// another one can go first. Allowed only in a cycle in which the node is notified of a
    /// delivery or a first flit, and only for a message whose `begin` is at least two cycles later:
    /// no engine has sent any of it then.
    virtual void withdraw(MessageClass of, std::uint8_t plane) = 0;
    void withdraw(MessageClass of) { withdraw(of, 0); }
};

/// The node as the fabric sees it.
class MessageListener : public virtual sc_core::sc_interface {
public:
    /// The tail of the last packet of this node's `message` entered the network in `cycle`, or
    /// will for certain: an interface may say so as soon as it can take the next message.
    virtual void on_injected(const Message& message, Cycle cycle) = 0;
    /// The whole of `message` has arrived at this node; its last tail left the router in `cycle`.
    virtual void on_delivered(const Message& message, Cycle cycle) = 0;

    /// Whether to call on_arriving(). Asked once, when the node is bound to its interface.
    virtual bool hears_heads() const { return false; }
    /// The first flit of `message` to arrive, the head of whichever packet, left the router in
    /// `cycle`, which is the present one. Comes before on_delivered(), also if both are in one
    /// cycle. Deliveries and injections of the cycle before may be told after it: TLM is a cycle
    /// late with those. Interfaces of nodes with one channel, without retransmission or faults.
    virtual void on_arriving(const Message& message, Cycle cycle) {
        static_cast<void>(message);
        static_cast<void>(cycle);
    }
};

}  // namespace flitscope
