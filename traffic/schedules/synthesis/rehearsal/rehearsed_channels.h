// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The channels of a rehearsal: the virtual channels that packets hold, and their times.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/performance/channel_pace.h"
#include "models/routing/routing.h"
#include "models/topology/channel_map.h"
#include "traffic/schedules/synthesis/rehearsal/event_queue.h"
#include "traffic/schedules/synthesis/rehearsal/rehearsed_nodes.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

class RehearsedChannels {
public:
    /// All references must outlive this object.
    RehearsedChannels(const HardwareConfig& config, const Graph& graph, const Routing& routing,
                      RehearsedNodes& nodes, EventQueue& events);

    /// kPacket: it requests a virtual channel of the injection channel.
    void add(const RehearsedPacket& packet, ChannelId injection);
    /// kRelease: the tail of the owner has left, and has cleared the FIFO before.
    void release(ChannelId channel, std::uint32_t lane);
    /// kArrival: the head of a worm is in the FIFO that it was sent to.
    void arrive(std::uint32_t worm);
    /// kWire, and whatever else changes a channel before it is settled.
    void touch(ChannelId channel);

    /// After the events of a cycle: all channels that have changed. Returns the number of packets
    /// that have begun to go through one.
    std::uint64_t settle();

private:
    static constexpr std::uint32_t kNobody = UINT32_MAX;

    /// A virtual channel of a channel.
    struct LaneId {
        ChannelId channel = kNoChannel;
        std::uint32_t lane = 0;
    };
    /// Who has it, and the worms in its FIFO, the first one in front.
    struct Lane {
        std::uint32_t owner = kNobody;
        LaneId from;  ///< in whose FIFO the owner is; none for injection channels
        std::vector<std::uint32_t> fifo;
        std::uint64_t room = 0;  ///< flits
        std::uint32_t pointer = 0;
    };
    struct Channel {
        Cycle delay = 0;                ///< from sending to visibility
        Cycle loop = 0;                 ///< until a slot can be filled again
        std::uint32_t rate_cycles = 1;  ///< for a flit
        RouterId to;
        PortId to_port = kLocalPort;
        bool is_ejection = false;
        bool is_touched = false;
        Cycle wire_free = 0;
        std::vector<std::uint32_t> waiting;  ///< worms that request a lane
        std::vector<std::uint32_t> granted;  ///< worms that have one and have not begun
    };
    /// A worm's stay in a channel; from `leaves` + 1 on another worm can have it.
    struct Hold {
        LaneId of;
        Cycle leaves = 0;
    };
    /// A packet on its way.
    struct Worm {
        RehearsedPacket packet;
        LaneId in;  ///< in whose FIFO its head is, or will be; none at its node
        bool has_arrived = false;
        // The lane that it requests, or has and has not begun.
        LaneId next;
        VcMask lanes = kAllVirtualChannels;
        std::uint32_t input = 0;  ///< input virtual channel
        std::vector<Hold> holds;  ///< those whose end is not known
        Cycle tail = 0;  ///< when its tail leaves the last of these, if nothing keeps it back
    };

    Lane& lane(LaneId id) { return lanes_[std::size_t{id.channel} * lane_count_ + id.lane]; }
    std::uint32_t new_worm();
    void ask(std::uint32_t worm);
    void grant(ChannelId channel);
    bool begin_granted(ChannelId channel);
    void begin(std::uint32_t worm);
    void hold(Worm& worm, LaneId at, Cycle tail);
    std::uint64_t taken(std::uint64_t flits) const;
    Cycle wire_cycles(std::uint64_t flits, const Channel& channel, Cycle tail) const;

    const HardwareConfig& config_;
    const Graph& graph_;
    const Routing& routing_;
    RehearsedNodes& nodes_;
    EventQueue& events_;
    const ChannelMap map_;
    const ChannelPace pace_;
    const std::uint32_t lane_count_;
    const std::uint64_t depth_;

    std::vector<Channel> channels_;
    std::vector<Lane> lanes_;  // by channel
    std::vector<ChannelId> touched_;
    std::vector<Worm> worms_;
    std::vector<std::uint32_t> free_worms_;
};

}  // namespace flitscope::synthesis
