// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why flits of packets were sent when they were, and not a cycle earlier (hw/TIMING.md): for every
// run of flits the last of all that it had to wait for.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/config/config.h"
#include "models/fabric/observers.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "testbench/explain/channel_lanes.h"
#include "testbench/explain/event_graph.h"
#include "testbench/explain/node_history.h"
#include "testbench/explain/program_times.h"
#include "traffic/program/program.h"

namespace flitscope {

/// Of several reasons that hold in one cycle the first one counts, in this order: what the flit
/// needs itself (to arrive, as a stream, too; to be stored; at its node, startup and assembly), a
/// packet in front in the same buffer or queue, the packet that held the channel, the credit,
/// arbitration. So other packets are blamed only if they alone were in the way.
class PacketHistory final : public ChannelObserver,
                            public PacketObserver,
                            public EventGraph::Holder {
public:
    /// All references must outlive the history. `times` is null if slack is not asked for.
    PacketHistory(const Config& config, const Graph& graph, const Program& program,
                  const Routing& routing, EventGraph& events, NodeHistory& nodes,
                  ProgramTimes* times);

    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override;
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override;
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override;

    void on_packet(const PacketRecord& packet) override;

    void mark_events(EventGraph& graph) const override;

    /// Packets whose end has not been reported ended in the last of `end` cycles.
    void finish(Cycle end);

private:
    /// A lane whose runs have the event that let them begin.
    struct Lane : BasicLane<EventGraph::Handle> {
        Cycle granted_in = kNever;
        Cycle released_in = kNever;
        bool is_owned = false;
        Message owner;                    // the present one, or the last
        MessageId previous = kNoMessage;  // whose packet had it before
    };
    using FlitRuns = Lane::Runs;
    using FlitRun = FlitRuns::Run;
    /// Messages that an interface sends one after the other.
    struct Queue {
        Cycle done = 0;  // from this cycle on it has nothing to do with the message before
        EventGraph::Handle done_because;
        EventGraph::Handle tail;  // sent the last tail,
        Cycle tail_in = 0;
        MessageId tail_message = kNoMessage;
    };
    /// The message that goes over an injection channel.
    struct Departure {
        std::uint32_t packet = 0;
        std::uint32_t packets = 0;    // all of them gone: the next one is of another message
        std::uint64_t assembled = 0;  // flits, with the packet at hand
        Cycle begin = 0;              // of its send
        NodeHistory::Begin started;   // its startup is over,
        NodeHistory::Begin ready;     // and the head of the packet at hand may go
    };
    /// The reason why a run of flits begins when it does.
    struct Reason {
        Event event;
        EventGraph::Handle because;
        Cycle asked = 0;  // of a head: when it came to ask for the channel

        void wait_for(const FlitRun& other, Cycle until, Cause cause) {
            event.before = until;
            event.holder = other.message;
            event.cause = cause;
            because = other.tag;
        }
    };

    Queue& queue_of(ChannelId injection) {
        return queues_[has_queue_per_channel_ ? injection : channels_.node(injection)];
    }

    void take_up(ChannelId channel, const Message& message);
    NodeHistory::Begin started(const Queue& queue, MessageId message, NodeHistory::Begin begin);
    void finish_packet(ChannelId injection, Lane& lane, Cycle tail);
    void arrive(ChannelId ejection, Lane& lane, Cycle tail);

    Cycle gone(std::size_t lane, std::uint64_t flits, Cycle now) const;
    void note_gaps(std::size_t own, std::size_t from, Cycle asked, Cycle now);
    void injected(std::size_t own, Cycle now, Reason& reason);
    static bool goes_on_at_once(const Lane& buffer, const FlitRun& came, std::uint64_t flit,
                                Cycle now);
    void forwarded(std::size_t own, std::size_t from, Cycle now, Reason& reason);
    void waited(std::size_t own, std::size_t from, std::uint64_t flit, const FlitRun& came,
                Cycle now, Reason& reason);
    bool waited_for_tail(std::size_t own, std::size_t from, const FlitRun& came, Cycle now,
                         Reason& reason) const;
    bool waited_for_front(std::size_t own, std::size_t from, Cycle now, Reason& reason) const;
    bool waited_for_owner(std::size_t own, Cycle now, Reason& reason) const;
    void waited_for_grant(std::size_t own, std::size_t from, const FlitRun& came, Cycle sent,
                          Cycle now, Reason& reason);
    bool waited_for_switch(std::size_t own, std::size_t from, Cycle now, Reason& reason);
    bool must_be_empty(std::size_t own, std::size_t from) const;
    void lost_to_nobody(std::size_t own, std::size_t from, Cycle ready, Reason& reason);
    bool waited_for_credit(std::size_t own, std::uint64_t credits, Cycle now, Reason& reason) const;
    bool waited_for_stream(std::size_t own, Cycle now, Reason& reason) const;
    bool waited_for_copies(std::size_t own, std::uint64_t credits, Cycle now, Reason& reason) const;
    bool lost_arbitration(std::size_t own, std::size_t from, Cycle now, Reason& reason) const;

    const Graph& graph_;
    const Program& program_;
    const Routing& routing_;
    EventGraph& events_;
    NodeHistory& nodes_;
    ProgramTimes* times_;  // null: slack is not asked for
    ChannelMap channels_;
    PacketFormat format_;
    NodeConfig node_;
    bool is_adaptive_;
    bool owns_from_departure_;  // a head its channel: combined allocation
    bool has_packet_credits_;   // heads need credits for the whole packet
    bool stores_;
    Cycle combining_delay_;
    bool has_queue_per_channel_;

    ChannelLanes<Lane> lanes_;
    std::vector<Queue> queues_;          // per node, or per channel
    std::vector<Departure> departures_;  // per channel, of injection channels
    std::vector<std::vector<ChannelId>>
        siblings_;  // per node that sends copies: its injection channels
    std::unordered_map<MessageId, std::uint32_t> arrived_;  // packets of messages of several
    // Packets that have arrived and have not released their channel, or the other way round: which
    // is told first is the engine's own affair.
    std::vector<std::int32_t> unreleased_;  // per message
};

}  // namespace flitscope
