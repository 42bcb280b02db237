// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A packet that is arriving at a network interface: every word of it is checked as it comes.
#pragma once

#include <cstdint>

#include "hw/common/flit.h"
#include "hw/common/packet_pool.h"
#include "models/base/types.h"
#include "models/fabric/message.h"

namespace flitscope::hw {

/// Takes the flits of one ejection virtual channel, packet after packet, or the elements of one
/// circuit after the other.
class Arrival {
public:
    /// The header of a packet for `node` is here; its words follow.
    void begin(std::uint64_t header, NodeId node) {
        // A head inside another packet means that two packets were mixed up on the way.
        corrupt_ = position_ != 0 ? 1 : 0;
        position_ = 0;
        header_ = header;
        words_ = PayloadWords(header);
        if (Header::destination_of(header) != node) ++corrupt_;
    }
    /// A flit of a packet, its header the first, that was ejected at `node` in cycle `now`.
    void take(const Flit& flit, NodeId node, Cycle now) {
        if (flit.head) {
            begin(flit.word, node);
            head_ = now;
        } else if (position_ == 0 || flit.word != words_.word(position_)) {
            ++corrupt_;
        }
        ++position_;
        last_ = now;
    }
    /// An element of a circuit, whose header came before by begin(); the first one is the head.
    void take_element(const Flit& element, Cycle now) {
        if (position_ == 0) head_ = now;
        if (element.head != (position_ == 0)) ++corrupt_;
        ++position_;
        if (element.word != words_.word(position_)) ++corrupt_;
        last_ = now;
    }

    std::uint64_t header() const { return header_; }
    /// Flits taken of the packet; 0 between packets.
    std::uint64_t position() const { return position_; }

    /// The cycle of the last flit taken.
    Cycle last() const { return last_; }

    /// The tail was taken in cycle `now`: ends the packet, which leaves `packets` after a call of
    /// `tell(record, complete)`; complete: it was the last one of its message to arrive.
    template <class Tell>
    void finish(PacketPool& packets, Cycle now, const Tell& tell) {
        const std::uint32_t index = packets.find(header_);
        if (index == PacketPool::kNone) {
            PacketRecord stray;
            stray.message.id = kNoMessage;  // it was never sent, or has come before
            end(stray, now);
            tell(stray, false);
            return;
        }
        Packet& packet = packets[index];
        if (position_ != packet.flits_injected) ++corrupt_;
        end(packet.record, now);
        tell(packet.record, packets.arrivals().arrived(packet.message_state));
        packets.remove(index);
    }

    /// The rest of the packet will not come, or is of no use.
    void abandon() {
        position_ = 0;
        corrupt_ = 0;
    }

private:
    /// Completes the record of the packet.
    void end(PacketRecord& record, Cycle now) {
        record.flits = position_;
        record.head_delivered = head_;
        record.tail_delivered = now;
        record.corrupt_flits = corrupt_;
        abandon();
    }

    PayloadWords words_;
    std::uint64_t header_ = 0;
    std::uint64_t position_ = 0;
    std::uint64_t corrupt_ = 0;
    Cycle head_ = 0;
    Cycle last_ = 0;
};

}  // namespace flitscope::hw
