// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The golden model's channels and routers (hw/TIMING.md, "Channels" and "One cycle of a router").
// Every cycle is computed in two phases: decide reads the state, apply changes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "models/base/types.h"
#include "models/routing/link_queues.h"
#include "models/routing/routing.h"
#include "models/topology/channel_map.h"
#include "testbench/verification/reference/golden_classes.h"
#include "testbench/verification/reference/golden_model.h"
#include "testbench/verification/reference/golden_places.h"
#include "testbench/verification/reference/golden_witness.h"

namespace flitscope {

class Graph;
struct Config;
struct FabricConfig;
struct FaultedNetwork;

/// A packet of the program, and its state.
struct GoldenPacketState {
    GoldenPacket record;
    NodeId source = 0;
    NodeId destination = 0;
    std::uint64_t flits = 0;
    MessageClass message_class = 0;
    bool is_request = false;            ///< its destination replies
    std::uint32_t sequence = 0;         ///< packets that its source injected before it
    Cycle earliest_injection = kNever;  ///< for the head, known once the send has begun

    // Faults while running.
    bool is_lost = false;       ///< it was under way when the network changed
    bool is_discarded = false;  ///< it was not sent, for its destination was dead
    std::size_t copy_of = 0;    ///< for a retransmitted packet: the first one, else itself
    /// For a first packet: which of its copies was delivered first.
    std::optional<std::size_t> arrived_as;
    std::uint32_t copies = 0;  ///< for a first one: how often it has been retransmitted
    Cycle last_tail = kNever;  ///< for a first one: when the tail of it, or its last copy, left
};

struct GoldenFlit {
    std::size_t packet = 0;    ///< index into the packets of the run
    std::uint64_t number = 0;  ///< within its packet
    bool head = false;
    bool tail = false;
};

class GoldenNetwork : private LinkQueues {
public:
    /// `packets` gets the delivery times written; references must outlive the network.
    GoldenNetwork(const Config& config, const Graph& graph, const GoldenPlaces& places,
                  const Routing& routing, std::vector<GoldenPacketState>& packets);

    std::uint32_t virtual_channels() const { return virtual_channels_; }
    const GoldenClasses& classes() const { return classes_; }

    /// Whether `channel` could send `flits` flits on `vc` from cycle `now` on as far as its FIFO is
    /// concerned.
    bool has_credit(ChannelId channel, std::uint32_t vc, Cycle now, std::uint64_t flits = 1) const;
    /// Whether a packet is forwarded only if there is room for all of it.
    bool has_packet_flow_control() const { return whole_packets_; }

    /// A node may take one request more, from the next cycle on. Only for the apply phase.
    void free_reply_slot(NodeId node) { ++reply_slots_[node]; }

    /// The network is `later` from cycle `now` on, which has not been decided: notes which packets
    /// are lost and takes their flits out. Returns how many flits.
    std::uint64_t change(const FaultedNetwork& later, Cycle now);
    /// Decides cycle `now` of every router from the present state, and changes nothing else.
    void decide(Cycle now);
    /// Between decide(now) and apply(now): notes what apply will send, and what all others lack.
    void note(Cycle now, GoldenCycle& cycle) const;
    /// Cycles in which the flits of `packet` were ejected so far, in order.
    const std::vector<Cycle>& ejections(std::size_t packet) const { return ejections_[packet]; }

    /// Carries out what decide(now) decided. Returns the number of packets delivered by it.
    std::size_t apply(Cycle now);

    /// Sends `flit` into `channel` on `vc` in cycle `now`. Only for the apply phase.
    void send(ChannelId channel, std::uint32_t vc, const GoldenFlit& flit, Cycle now);

    const std::vector<BusyInterval>& busy(ChannelId channel) const {
        return channels_[channel].busy;
    }
    std::uint64_t flits_sent(ChannelId channel) const { return channels_[channel].flits_sent; }

private:
    struct StoredFlit {
        GoldenFlit flit;
        Cycle visible_from = 0;
    };
    /// A flit that has passed the switch.
    struct QueuedFlit {
        GoldenFlit flit;
        std::uint32_t vc = 0;
    };
    struct Fifo {
        std::deque<StoredFlit> flits;
        std::deque<Cycle> free_slots;  ///< per free slot: the cycle from which it may be filled
    };
    struct Channel {
        Cycle flit_delay = 0;     ///< d
        Cycle credit_delay = 0;   ///< c
        Cycle rate_cycles = 1;    ///< k
        bool consumes = false;    ///< an ejection channel: no FIFO
        std::vector<Fifo> fifos;  ///< per virtual channel
        /// Between the switch and this channel; with one switch output, empty between two cycles.
        std::deque<QueuedFlit> queue;
        std::vector<BusyInterval> busy;
        std::uint64_t flits_sent = 0;
        std::optional<Cycle> last_sent;       ///< the cycle in which the last flit was sent,
        MessageId last_message = kNoMessage;  ///< which was of this message
    };
    struct OutputVc {
        PortId port = 0;
        std::uint32_t vc = 0;
    };
    struct Grant {
        std::size_t input = 0;  ///< port * V + vc
        OutputVc output;
    };
    struct Router {
        std::vector<std::optional<ChannelId>> in_channels;   ///< per port
        std::vector<std::optional<ChannelId>> out_channels;  ///< per port
        std::vector<std::optional<OutputVc>> held;           ///< per input virtual channel
        /// Per output virtual channel (port * V + vc): the packet that holds it.
        std::vector<std::optional<std::size_t>> taken;
        /// Routing by queues, per input virtual channel: what the head at its front has chosen.
        std::vector<std::optional<RouteChoice>> chosen;
        std::vector<std::size_t> grant_pointers;    ///< per output virtual channel
        std::vector<std::size_t> input_pointers;    ///< per switch input, over its virtual channels
        std::vector<std::size_t> output_pointers;   ///< per switch output, over switch inputs
        std::vector<std::uint32_t> vc_pointers;     ///< per output port, over its virtual channels
        std::vector<GoldenBudgets> input_budgets;   ///< per switch input
        std::vector<GoldenBudgets> output_budgets;  ///< per switch output
        /// Input virtual channels that sent a flit other than a tail in the last cycle.
        std::vector<bool> streaming;
        std::vector<Grant> grants;      ///< decided in this cycle
        std::vector<Grant> traversals;  ///< decided in this cycle
    };

    void make_channels(const FabricConfig& fabric, const ChannelMap& map);
    static void add_slices(Channel& channel, std::uint32_t slices);
    void make_router(RouterId id, const ChannelMap& map);

    const StoredFlit* visible_front(const Router& router, std::size_t input, Cycle now) const;
    bool fits(const FaultedNetwork& later, std::size_t packet, ChannelId channel,
              std::uint32_t vc) const;
    bool is_local(PortId port) const {
        return first_endpoint_port_ == 0 ? port < places_.local_ports()
                                         : port >= first_endpoint_port_;
    }
    NodeId node_at(RouterId router, PortId port) const;
    RouteChoice ask_with_endpoints(const RouteQuery& query) const;
    RouteQuery query_of(RouterId id, std::size_t input, const GoldenPacketState& packet) const;
    std::optional<RouteChoice> ask(const RouteQuery& query, Cycle now) const;
    RouteChoices choices_for(const RouteQuery& query) const;
    bool is_refused(RouterId id, std::size_t input, PortId port,
                    const std::map<NodeId, std::uint64_t>& taken) const;
    bool is_stored(const Router& router, std::size_t input, Cycle now) const;
    bool is_stored(const Router& router, std::size_t input, std::size_t packet, Cycle now) const;
    bool is_empty(ChannelId channel, std::uint32_t vc, Cycle now) const;
    std::uint64_t queued(LinkId link, VcMask virtual_channels, Cycle now) const override;
    std::vector<std::optional<RouteChoice>> requests(RouterId id, Cycle now);
    void allocate_virtual_channels(RouterId id, Cycle now);
    void allocate_switch(Router& router, Cycle now) const;
    void allocate_combined(RouterId id, Cycle now);
    std::vector<std::size_t> channels_from_pointer(const Router& router, std::size_t in) const;
    std::optional<std::size_t> first_preferred(const std::vector<std::size_t>& inputs,
                                               const GoldenBudgets& budgets) const;
    std::optional<OutputVc> offer(const Router& router, const RouteChoice& choice, Cycle now) const;
    bool sends_on(const Router& router, std::size_t input, Cycle now) const;
    std::uint32_t class_at(std::size_t input) const {
        return classes_.of_channel(static_cast<std::uint32_t>(input % virtual_channels_));
    }
    bool takes_flit(ChannelId channel, Cycle now) const;
    bool queue_takes(ChannelId channel, std::uint32_t vc) const;
    bool is_ready(const Router& router, const std::vector<std::optional<OutputVc>>& held,
                  std::size_t input, Cycle now) const;
    /// The switch output, numbered port * output_speedup + number, of a flit from `input`.
    std::size_t switch_output(std::size_t input, PortId port) const {
        return port * output_speedup_ + input / virtual_channels_ % output_speedup_;
    }
    GoldenFlit pop(ChannelId channel, std::uint32_t vc, Cycle now);
    void traverse(Router& router, const Grant& traversal, Cycle now);
    bool leave(Router& router, PortId port, Cycle now);
    void take_credit(ChannelId channel, std::uint32_t vc);
    void transmit(ChannelId channel, std::uint32_t vc, const GoldenFlit& flit, Cycle now);

    // The parts of note().
    GoldenWait wait_of(const GoldenFlit& flit, ChannelId at) const;
    const StoredFlit& front(const Router& router, std::size_t input) const;
    MessageId message_at_front(const Router& router, std::size_t input) const;
    void note_input(RouterId id, std::size_t input, Cycle now, GoldenCycle& cycle) const;
    void note_grant(RouterId id, std::size_t input, Cycle now, GoldenWait& wait) const;
    void note_choice(RouterId id, std::size_t input, const RouteChoice& choice, bool must_be_empty,
                     Cycle now, GoldenWait& wait) const;
    void note_switch(const Router& router, const Grant& held, Cycle now, GoldenWait& wait) const;
    void note_rivals(const Router& router, const Grant& held, GoldenWait& wait) const;

    const Graph& graph_;
    const GoldenPlaces& places_;
    const Routing* routing_;
    std::vector<GoldenPacketState>& packets_;
    std::uint32_t virtual_channels_;
    std::uint32_t channels_per_switch_input_;
    std::uint32_t output_speedup_;
    std::uint32_t output_queue_;  ///< flits of the queue of an output port
    std::uint32_t buffer_depth_;
    bool hold_;
    bool combined_;
    bool whole_packets_;
    bool stores_;
    Cycle combining_delay_;
    std::uint64_t reply_queue_;
    GoldenClasses classes_;
    PortId ports_;
    std::size_t switch_inputs_ = 0;   ///< of a router, numbered port * input_speedup + number
    PortId first_endpoint_port_ = 0;  ///< ports at the ends of links; 0: links have none
    std::vector<std::vector<Cycle>> ejections_;  ///< per packet, if messages can follow others
    std::vector<Channel> channels_;
    std::vector<Router> routers_;
    std::vector<std::uint64_t> reply_slots_;  ///< per node: requests that it can take
};

}  // namespace flitscope
