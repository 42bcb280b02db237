// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Base of the network interfaces of packet-switched fabrics, whether a node has one channel each
// way or one for every link: makes packets and their flits, and checks that they fit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "hw/common/flit_channel.h"
#include "hw/common/node_interface.h"
#include "hw/packet/injection_channel.h"
#include "models/fabric/packetizer.h"

namespace flitscope::hw {

/// A queue of messages by which a node owes a reply.
struct ReplyWait {
    std::uint32_t queue = 0;  ///< less than the number of virtual channels
    bool waits = false;       ///< its first packet lacks credit; otherwise it continues by itself
    // If it waits:
    Message message;       ///< the first one in the queue, which may be another than the reply
    bool granted = false;  ///< some of the packet has left, and holds the virtual channel
    /// virtual channels of the injection channel: any of them has to advance
    std::vector<std::uint32_t> channels;
};

class PacketInterface : public NodeInterface, public EjectionChannel {
public:
    /// Flits taken out of the network so far through the endpoint of the router's `port`;
    /// kLocalPort if there is one channel.
    virtual std::uint64_t flits_ejected(PortId port) const = 0;
    /// The queues by which a node owes replies. If it is full of requests, any of them has to
    /// advance before it takes one more. Empty if the node takes all that comes.
    virtual std::vector<ReplyWait> reply_waits() const { return {}; }

protected:
    using NodeInterface::NodeInterface;

    /// A packet on its way into the network.
    struct Departure {
        std::uint32_t packet = 0;  // in packets_
        std::uint64_t header = 0;
        PayloadWords words;

        /// Flit `position` of the packet, which has `length` flits.
        Flit flit(std::uint64_t position, std::uint64_t length) const {
            return {position == 0 ? header : words.word(position), position == 0,
                    position + 1 == length};
        }
    };
    /// Makes the packet at hand in `queue`, whose head leaves now. It is one of `message`, whose
    /// arrivals count in `message_state`.
    Departure depart(const Packetizer& queue, const Message& message, std::uint32_t message_state,
                     Cycle now) {
        return depart(message, queue.packet_index(), queue.packet_count(), queue.begin(),
                      queue.flits(), message_state, now);
    }
    /// Makes packet `index` of the `count` of `message`, of `flits` flits; the send of the message
    /// began in `begin`.
    Departure depart(const Message& message, std::uint32_t index, std::uint32_t count, Cycle begin,
                     std::uint64_t flits, std::uint32_t message_state, Cycle now) {
        const std::uint64_t sequence = sequence_;
        const std::uint64_t header =
            Header{message.destination, config_.node, static_cast<std::uint32_t>(sequence_++),
                   index + 1 < count}
                .pack();
        // All members at once: clearing a packet first takes as long as the rest.
        const Packet packet{{message, index, sequence, 0, begin, now, 0, 0, 0, 0},
                            header,
                            flits,
                            message_state,
                            0,
                            false};
        return {packets_.add(packet), header, PayloadWords(header)};
    }

    /// Begins a packet whose head was taken, if the node hears of that, and ends one whose tail
    /// was. One call as the last thing, so that other flits do not even pay for a frame on the
    /// stack.
    void tell_arrival(Arrival& arrival, const Flit& flit, Cycle now);
    /// Ends a packet whose tail was taken. Not inline, so that other flits do not pay for it.
    void finish_arrival(Arrival& arrival, Cycle now);

    /// Credits that the head of the packet at hand in `queue` needs.
    std::uint64_t flits_to_begin(const Packetizer& queue) const {
        return config_.whole_packets ? queue.flits() : 1;
    }
    /// Throws std::invalid_argument if packets of `message`, sent as a whole, do not fit into the
    /// FIFOs of `injection`.
    void require_room(const Message& message, FlitSink& injection) const {
        if (config_.whole_packets &&
            config_.format.longest_packet(message.bytes) > injection.sink(0).depth()) {
            throw std::invalid_argument("NetworkInterface: a packet is longer than a FIFO");
        }
    }
    /// Wakes us for the head of a message that has been put into `queue`.
    void wake_for(const Packetizer& queue) {
        if (queue.messages() > 1) return;  // not the first in the queue
        clock_.wake(module_, std::max(soonest(), queue.head_ready()));
    }
    /// Wakes us when a credit comes back.
    Sleeper sleeper() { return {&awake_, module_}; }

private:
    std::uint64_t awake_ = 0;     // sleepers need a bit to raise
    std::uint64_t sequence_ = 0;  // packets sent by this node
};

}  // namespace flitscope::hw
