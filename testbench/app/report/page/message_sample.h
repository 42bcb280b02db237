// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The lives of messages and their stays on links, for as many as fit: if there are too many, every
// second message is left out, chosen by a hash of its number, and so on. So a kept message has its
// whole path, and the selection does not depend on the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "models/fabric/observers.h"
#include "models/topology/channel_map.h"
#include "testbench/app/run/message_log.h"

namespace flitscope {

class Graph;

struct MessageTimes {
    MessageId id = 0;
    NodeId source = 0;
    NodeId destination = 0;
    StepId step = 0;
    std::uint64_t bytes = 0;
    Cycle begin = 0;           ///< begin of its send
    Cycle injected = kNever;   ///< head of the packet that was first; kNever: none left the node
    Cycle delivered = kNever;  ///< tail of the last packet; kNever: some were not
};

/// A packet on a link, which it held in the cycles `begin` .. `end` - 1.
struct LinkStay {
    LinkId link = 0;
    std::uint32_t vc = 0;
    MessageId message = 0;
    Cycle begin = 0;
    Cycle end = 0;
    Cycle busy = 0;  ///< cycles in which it sent a flit; in the others it was blocked
};

class MessageSample final : public ChannelObserver, public PacketObserver, public SendObserver {
public:
    /// Keeps at most `most` messages and stays, together: of messages that got a channel. `graph`
    /// must outlive the sample.
    MessageSample(const Graph& graph, std::uint32_t virtual_channels, const PacketFormat& format,
                  std::size_t most);

    void on_send(const Message& message, Cycle begin) override;
    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override;
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override;
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_packet(const PacketRecord& packet) override;

    /// Ends everything that is still open in `end`, the number of cycles simulated.
    void finish(Cycle end);

    /// One message out of this many is kept; a power of two.
    std::uint64_t one_of() const { return mask_ + 1; }
    /// The messages, by begin, then number.
    std::vector<MessageTimes> messages() const;
    /// The stays, by link, then begin, then virtual channel.
    std::vector<LinkStay> stays() const;

private:
    struct Life {
        MessageTimes times;
        std::uint32_t packets = 0;  // delivered
        Cycle last = 0;             // last tail
    };
    struct Lane {
        LinkStay stay;
        bool is_held = false;
        Cycle sending_since = kNever;
    };

    bool keeps(MessageId message) const;
    std::size_t at(ChannelId channel, std::uint32_t vc) const {
        return static_cast<std::size_t>(channel) * vcs_ + vc;
    }
    /// Null for an injection or ejection channel.
    Lane* lane(ChannelId channel, std::uint32_t vc);
    void release(Lane& lane, Cycle cycle);
    void thin();

    ChannelMap map_;
    std::uint32_t vcs_;
    PacketFormat format_;
    std::size_t most_;
    std::uint64_t mask_ = 0;
    std::vector<Lane> lanes_;           // lanes of links, per virtual channel
    std::vector<MessageId> injecting_;  // of all channels; the same; until its packet sends
    /// The begins of messages that nodes have handed over and that have got no channel yet: a few
    /// of each node.
    std::unordered_map<MessageId, Cycle> waiting_;
    std::unordered_map<MessageId, Life> messages_;
    std::vector<LinkStay> stays_;
};

}  // namespace flitscope
