// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why flits of packets were sent when they were, and not a cycle earlier (hw/TIMING.md): for every
// run of flits the last of all that it had to wait for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/config/hardware_config.h"
#include "models/fabric/message.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "testbench/app/explain/event_graph.h"
#include "testbench/app/explain/fabric_history.h"
#include "testbench/app/explain/message_times.h"
#include "testbench/app/explain/node_history.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;
struct HardwareConfig;

/// If several reasons hold in one cycle, the first one counts, in this order: the needs of the flit
/// itself (to arrive, also as a stream; to be stored; at its node, startup and assembly), a packet
/// in front in the same buffer or queue, the packet that held the channel, the credit, arbitration.
/// So other packets are blamed only if they alone were in the way.
class PacketHistory final : public FabricHistory<EventGraph::Handle>, public EventGraph::Holder {
public:
    /// All references must outlive the history. `times` is null if slack is not asked for.
    PacketHistory(const HardwareConfig& config, const Graph& graph, const Program& program,
                  const Routing& routing, EventGraph& events, NodeHistory& nodes,
                  MessageTimes* times);

    void on_packet(const PacketRecord& packet) override;

    void mark_events(EventGraph& graph) const override;

private:
    /// The event that let the message of an injection channel begin.
    struct Departing {
        EventGraph::Handle started;  // its startup is over,
        EventGraph::Handle ready;    // and the head of the packet at hand may go
    };
    /// The state of a DepartureQueue.
    struct Departed {
        EventGraph::Handle done;  // it has nothing to do with the message before,
        EventGraph::Handle tail;  // and sent the last tail
    };
    /// The reason why a run of flits begins when it does.
    struct Reason {
        Event event;
        EventGraph::Handle because;
        Cycle asked = 0;  // for a head: when it requested the channel
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
        Reason for_run(const Run& other, Cycle left, Cause cause) const {
            Reason found = reason(other.tag, left, std::min(since, left), cause);
            found.event.holder = other.message;
            return found;
        }
        /// Nothing if something else was in the way last.
        std::optional<Reason> for_last(const Obstacle& last, Cause cause) const {
            if (last.run == nullptr || last.over != now) return std::nullopt;
            return for_run(*last.run, last.left, cause);
        }
    };

    void take_up(ChannelId injection, const Message& message) override;
    EventGraph::Handle inject(std::size_t own, Cycle now) override;
    EventGraph::Handle forward(std::size_t own, std::size_t from, std::uint64_t flit,
                               const Run* came, Cycle now) override;
    void left(const Lane& injection, Cycle cycle) override;
    void arrived(const Lane& ejection, Cycle cycle) override;
    bool is_told(const Lane& ejection) override { return unreleased_[ejection.owner.id] != 0; }

    EventGraph::Handle begun(std::size_t own, std::size_t from, Reason reason, Cycle now);
    EventGraph::Handle passed(MessageId message, Cycle from, Cycle to, Cause cause,
                              EventGraph::Handle because);
    EventGraph::Handle took_turn(ChannelId injection, MessageId message, Cycle from, Cycle to,
                                 EventGraph::Handle because);
    Departed& departed(ChannelId injection) {
        return departed_[departures_.queue_number(injection)];
    }

    Cycle gone(std::size_t lane, std::uint64_t flits, Cycle now) const;
    void note_gaps(std::size_t own, std::size_t from, Cycle asked, Cycle now);
    static bool goes_on_at_once(const Lane& buffer, const Run& came, std::uint64_t flit, Cycle now);

    Reason injected(std::size_t own, Cycle now);
    Cycle head_asks(const Lane& lane);
    Cycle turn_at_node(const Lane& lane) const;
    static Reason unknown(ChannelId channel);
    Reason forwarded(std::size_t own, std::size_t from, Cycle now);
    Reason waited(std::size_t own, std::size_t from, std::uint64_t flit, const Run& came,
                  Cycle now);
    // The causes, one by one: nothing if it does not apply.
    std::optional<Reason> waited_for_stream(const Wait& wait) const;
    std::optional<Reason> waited_for_node(const Wait& wait) const;
    std::optional<Reason> waited_for_queue(const Wait& wait);
    std::optional<Reason> waited_for_copies(const Wait& wait, std::uint64_t credits) const;
    std::optional<Reason> waited_as_head(const Wait& wait, std::uint64_t flit, const Run& came,
                                         const Reason& moved);
    std::optional<Reason> waited_for_grant(const Wait& wait, const Reason& moved);
    std::optional<Reason> waited_for_link(const Wait& wait) const;
    std::optional<Reason> waited_for_switch(const Wait& wait);
    bool must_be_empty(std::size_t own, std::size_t from) const;
    const Run* winner_before(std::size_t own, std::size_t from, Cycle now) const;
    Reason lost_to_nobody(const Wait& wait, Cycle ready);

    const Graph& graph_;
    const Program& program_;
    const Routing& routing_;
    EventGraph& events_;
    NodeHistory& nodes_;
    MessageTimes* times_;  // null: slack is not asked for
    PacketFormat format_;
    NodeConfig node_;
    bool is_adaptive_;
    std::uint32_t channels_per_switch_input_;
    bool owns_from_departure_;  // a head its channel: combined allocation

    std::vector<Departing> departing_;  // per channel, of injection channels
    std::vector<Departed> departed_;    // per queue
    std::vector<std::vector<ChannelId>>
        siblings_;  // per node that sends copies: its injection channels
    std::unordered_map<MessageId, std::uint32_t> arrived_;  // packets of messages of several
    // Packets that have arrived and have not released their channel, or the other way round:
    // engines may report either first.
    std::vector<std::int32_t> unreleased_;  // per message
};

}  // namespace flitscope
