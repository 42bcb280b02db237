// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why flits of packets were sent when they were, and not a cycle earlier (hw/TIMING.md): for every
// run of flits the last of all that it had to wait for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/config/config.h"
#include "models/fabric/observers.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "testbench/app/explain/channel_lanes.h"
#include "testbench/app/explain/event_graph.h"
#include "testbench/app/explain/node_history.h"
#include "testbench/app/explain/program_times.h"
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

        /// The packet that is to begin was given it in this cycle.
        bool is_granted(Cycle now) const { return at_head && granted_in == now; }
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
    };
    /// A run of flits that begins now and could not before, for a reason to be found.
    struct Wait {
        std::size_t own = 0;   // the lane that the flits leave over,
        std::size_t from = 0;  // and that whose buffer they leave; `own`: they come from the node
        ChannelId channel = kNoChannel;  // at which they waited
        Cycle now = 0;
        Cycle asked = 0;  // as in Reason
        Cycle since = 0;  // if they waited for others, from then on

        Reason reason(EventGraph::Handle because, Cycle before, Cycle since_then,
                      Cause cause) const {
            Reason found;
            found.event.before = before;
            found.event.since = since_then;
            found.event.channel = channel;
            found.event.cause = cause;
            found.because = because;
            found.asked = asked;
            return found;
        }
        /// They waited until a flit of another run left.
        Reason for_run(const FlitRun& other, Cycle left, Cause cause) const {
            Reason found = reason(other.tag, left, std::min(since, left), cause);
            found.event.holder = other.message;
            return found;
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
    static bool goes_on_at_once(const Lane& buffer, const FlitRun& came, std::uint64_t flit,
                                Cycle now);

    Reason injected(std::size_t own, Cycle now);
    Cycle head_asks(Lane& lane);
    Cycle turn_at_node(const Lane& lane);
    static Reason unknown(ChannelId channel);
    Reason forwarded(std::size_t own, std::size_t from, Cycle now);
    Reason waited(std::size_t own, std::size_t from, std::uint64_t flit, const FlitRun& came,
                  Cycle now);
    // The causes, each on its own: nothing where it does not apply.
    std::optional<Reason> waited_for_stream(const Wait& wait) const;
    std::optional<Reason> waited_for_node(const Wait& wait) const;
    std::optional<Reason> waited_for_queue(const Wait& wait);
    std::optional<Reason> waited_for_copies(const Wait& wait, std::uint64_t credits) const;
    std::optional<Reason> waited_for_tail(const Wait& wait, const FlitRun& came) const;
    std::optional<Reason> waited_for_front(const Wait& wait) const;
    std::optional<Reason> waited_for_owner(const Wait& wait) const;
    std::optional<Reason> waited_for_grant(const Wait& wait, const Reason& moved);
    std::optional<Reason> waited_for_credit(const Wait& wait, std::size_t lane,
                                            std::uint64_t credits) const;
    std::optional<Reason> waited_for_switch(const Wait& wait);
    bool must_be_empty(std::size_t own, std::size_t from) const;
    const FlitRun* winner_before(std::size_t own, std::size_t from, Cycle now) const;
    Reason lost_to_nobody(const Wait& wait, Cycle ready);

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
