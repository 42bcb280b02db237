// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Our router's logic: one cycle is route, allocate virtual channels, allocate the switch, traverse
// (hw/TIMING.md, "One cycle of a router"). README.md says which state passes between stages as
// values, which is in members, and why.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <type_traits>
#include <vector>

#include "hw/common/bit_mask.h"
#include "hw/common/class_arbiter.h"
#include "hw/common/output_queues.h"
#include "hw/common/router_core.h"
#include "hw/packet/remembered_routes.h"

namespace flitscope::hw {

/// Number of 64-bit words that hold one bit per input virtual channel of the largest router.
inline constexpr std::size_t kMostMaskWords = 32;

/// `kWords` 64-bit words hold one bit per input virtual channel; `kSingleVc` drops the switch
/// allocation, which has nothing to decide with one virtual channel; `kObserved` reports events.
///
/// Input virtual channels, and output virtual channels, are numbered port * stride + vc with the
/// stride a power of two. Events tell when a flit becomes visible or a credit usable
/// (packet_router_core_events.h): with one per port, which inputs to visit (`awake_`); with
/// several, which have a flit and a credit.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
class PacketRouterCore final : public RouterCore {
public:
    explicit PacketRouterCore(RouterCoreSetup setup);

    Cycle tick(Cycle now) override;
    std::uint64_t flits_queued(PortId output) const override;
    Cycle end_of_departures() const override;
    void report_waits(std::vector<WaitReport>& reports) const override;
    std::vector<HeldOutput> held_outputs() const override;
    void change_network(const IsLost& is_lost, Cycle now) override;

private:
    using Mask = BitMask<kWords>;

    // Each fits one cache line: memory accesses limit the speed of a fabric.
    struct alignas(64) Input {
        FlitReader from;
        std::uint64_t header = 0;  // header of the packet that requests or holds an output
        Cycle free_from = 0;       // the cycle after the last flit that was sent ahead of time
        VcMask allowed_vcs = 0;    // that it may be given of the port it requests
    };
    struct alignas(64) Output {
        FlitWriter to;  // not attached: ejection
    };
    static_assert(sizeof(Input) == 64 && sizeof(Output) == 64);
    /// Per local port.
    struct Ejection {
        EjectionSink* sink = nullptr;
        unsigned first = 0;  // the output virtual channel that is the sink's number 0
    };
    /// Per input virtual channel; kept out of Input so that looking up its output touches few cache
    /// lines. Aligned, so that its place is found with a shift.
    struct alignas(8) Claim {
        std::uint16_t output = 0;         // output virtual channel that it holds or is offered
        std::uint16_t port = 0;           // output port that it requests, or that of `output`
        std::uint16_t switch_output = 0;  // the one of that port at which it competes
    };
    /// Per output virtual channel: state that only heads and tails need.
    struct OutputState {
        unsigned pointer = 0;   // round robin over input virtual channels
        Cycle free_from = 0;    // kNever: held by a packet whose tail has no known cycle
        Cycle sends_until = 0;  // if in sending_: it sends in every cycle up to here
    };
    struct PortState {
        Mask requests;            // input virtual channels that request this output port
        unsigned vc_pointer = 0;  // combined allocation: round robin over virtual channels
    };
    /// Several virtual channels: per output of the switch. Number o of a port is port + o * ports_;
    /// with one each, a switch output has the number of its port.
    struct SwitchOutput {
        Mask holders;          // input virtual channels that hold a channel of its port
        Mask proposals;        // this cycle: those proposed to it
        unsigned pointer = 0;  // round robin over all input virtual channels, by switch input
    };
    /// Events of one cycle; one bit for each of 64 input virtual channels.
    struct Events {
        std::uint64_t flits = 0;    // a flit becomes visible
        std::uint64_t credits = 0;  // a credit that it lacks becomes usable
    };
    /// Per number of a virtual channel: the switch input that it shares with others of its port.
    struct SwitchInput {
        VcMask channels = 0;     // its virtual channels, which are neighbours
        std::uint8_t first = 0;  // the first of them, by which the switch input is numbered
        std::uint8_t past = 0;   // one past the last
    };
    /// The switch's arbiters if some message classes have priority.
    struct ClassArbiters {
        ClassArbiters(const ClassPolicy& classes, std::size_t inputs_of_switch,
                      std::size_t outputs_of_switch)
            : policy(classes),
              inputs(inputs_of_switch, ClassArbiter(classes)),
              outputs(outputs_of_switch, ClassArbiter(classes)) {}

        ClassPolicy policy;
        std::vector<ClassArbiter> inputs;   // per switch input, numbered as its first channel
        std::vector<ClassArbiter> outputs;  // per switch output
    };
    /// The output ports that do not take a flit in every cycle: those to links of a rate below 1,
    /// and those with queues (packet_router_core_rates.h).
    struct PacedPorts {
        std::vector<std::uint32_t> cycles;  // per port: of its link for a flit
        std::vector<Cycle> free_from;       // per port: when the next flit may leave over the link
        /// Per port: so many cycles before that, it takes the flit. 0: no queue.
        std::vector<std::uint32_t> ahead;
        Mask ports;
    };
    /// Several switch outputs per port (packet_router_core_queues.h).
    struct Queueing {
        OutputQueues queues;
        std::vector<Mask> inputs;          // per number of a switch output: its inputs
        std::uint32_t ejection_flits = 0;  // of a virtual channel, in the queue of an ejection
    };

    template <class T>
    static T* allocate(std::pmr::memory_resource* memory, std::size_t count) {
        static_assert(std::is_trivially_destructible_v<T>);
        auto* const items = static_cast<T*>(memory->allocate(count * sizeof(T), alignof(T)));
        std::uninitialized_default_construct_n(items, count);
        return items;
    }

    // Stage 1: route. A request stays until it is granted.
    void route(const Mask& heads, Cycle now);
    void route_by_destination(const Mask& heads, Cycle now);
    template <bool kStores>
    void route_packets(const Mask& heads, Cycle now);
    bool is_here(unsigned input, Cycle now);
    void rest(unsigned input);
    void request(unsigned input, RouteChoice choice);
    void request_open(unsigned input, const RouteChoices& choices, Cycle now);
    unsigned score(RouteChoice& choice, bool empty_only, Cycle now);
    bool is_stored(unsigned input, PortId port, Cycle now);
    RouteQuery query_of(unsigned input, std::uint64_t header) const;

    // Stage 2: virtual-channel allocation. Returns the inputs that are granted one.
    Mask allocate_virtual_channels(Cycle now);
    template <bool kNeedsRoom>
    Mask allocate_outputs(Cycle now);
    bool has_room(unsigned output, unsigned input, Cycle now);
    bool pass_on(unsigned input, unsigned output, Cycle now);
    bool is_taken_by_node(PortId port, unsigned input, Cycle now);
    void tell_node(PortId port, unsigned input);
    std::uint64_t length_of(std::uint64_t header) const;

    // Stage 2 of combined allocation. Returns the heads that could leave, each with an offer of an
    // output virtual channel; take_offers() is for those that do leave.
    Mask offer_virtual_channels(Cycle now);
    void take_offers(const Mask& heads, Cycle now);

    // Which inputs could send (packet_router_core_events.h).
    void make_events(const RouterCoreSetup& setup);
    void listen(unsigned input);
    Sleeper sleeper(unsigned input, std::uint64_t Events::*word);
    void take_events(Cycle now);
    void look_at_all(Cycle now);
    void look_for_flits(unsigned input, Cycle now);
    void look_for_credit(unsigned input, Cycle now);
    void lack_credit(unsigned input);
    void share(unsigned input);
    void unshare(unsigned input);
    void leave_to_others(unsigned input);
    void hold(const Mask& granted, Cycle now);
    void let_go(unsigned input);

    // Stage 3: switch allocation.
    void sleep_for_flit(unsigned input, Cycle from = 0);
    Mask allocate_switch(const Mask& ready, const Mask& offered, Cycle now);
    void yield_to_streams(const Mask& kept, Mask& inputs) const;
    Mask arbitrate(const Mask& inputs, const Mask& kept);
    void propose_each(unsigned first, unsigned bits, Mask& wanted);
    void propose(unsigned from, unsigned first, unsigned bits, Mask& wanted);
    unsigned preferred_channels(unsigned switch_input, unsigned vcs) const;
    void keep_preferred(unsigned switch_output);

    // Links of a rate below 1 (packet_router_core_rates.h).
    void make_paced_ports(const RouterConfig& config);
    Mask holders_of(PortId port) const;
    bool is_busy_or_wakes(PortId port, Cycle now);
    Mask at_free_links(const Mask& inputs, Cycle now);
    void use_links(const Mask& grants, Cycle now);
    void stream_at_rates(const Mask& holders, Cycle now, Cycle until);

    // Queues of output ports (packet_router_core_queues.h).
    void make_queues(const RouterConfig& config);
    void queue_up(const Mask& grants, Cycle now);
    void enter_queue(unsigned input, Cycle now);
    void leave_queues(Cycle now);
    void stay_behind_full_ejections(PortId port, Mask& inputs) const;

    // Stage 4: traversal, and 5: release.
    void traverse(const Mask& grants, Cycle now);
    void move_pointers(unsigned input);
    void send(unsigned input, Cycle now);
    template <bool kSlow>
    void stream(unsigned input, Cycle now, Cycle until);
    void release(unsigned input, Cycle tail);

    // Faults while running (packet_router_core_faults.h).
    std::vector<bool> lost_flits(unsigned input, const IsLost& is_lost) const;
    void report_losses(unsigned input, const std::vector<bool>& lost, Cycle now) const;
    void lose_output(unsigned input, Cycle now);

    // Reports to observers and to the search for deadlocks (packet_router_core_reports.h).
    void report_grant(unsigned input, unsigned output, Cycle now);
    void report_send(unsigned input, unsigned output, Cycle at);
    void report_tail(unsigned output, Cycle tail);
    void report_queued_tail(unsigned output, Cycle now);
    void report_pause(unsigned output, Cycle next);
    void report_stops(Cycle now);
    bool asks(unsigned input) const;
    std::uint64_t wanted_room() const;
    bool waits_for_credit(unsigned input, WaitReport& report) const;
    bool waits_for_choices(unsigned input, std::uint64_t room, WaitReport& report) const;
    bool add_obstacles(const RouteChoice& choice, bool empty_only, std::uint64_t room,
                       WaitReport& report) const;
    bool blocks(unsigned output, bool empty_only, std::uint64_t room) const;
    bool is_refused(PortId port, std::uint64_t header) const;

    /// Wakes input virtual channel `input` when a flit or a credit comes.
    Sleeper sleeper(unsigned input) { return sleeper(input, &Events::flits); }
    /// Wakes the router without naming an input.
    Sleeper request_sleeper() { return {&unread_, module_}; }
    PortId port_of(unsigned index) const { return kSingleVc ? index : index >> stride_log2_; }
    unsigned vc_of(unsigned index) const { return kSingleVc ? 0 : index & (stride_ - 1); }
    /// Those of `inputs` that share a switch input with `index`, which is one of them if it is in.
    Mask at_same_input(const Mask& inputs, unsigned index) const {
        const unsigned vc = vc_of(index);
        return inputs.part(index - vc, switch_inputs_[vc].channels);
    }
    const Ejection& ejection(PortId local_port) const {
        return ejections_[local_port - local_.first];
    }
    void eject(const Flit& flit, unsigned output, Cycle now) {
        const Ejection& to = ejection(port_of(output));
        to.sink->eject(flit, output - to.first, now);
    }

    // The members that every tick reads come first, in one cache line if a mask is one word. The
    // arrays are in the memory that the router was given, and are freed with it.
    Mask awake_;           // single: input virtual channels to look at
    Mask here_;            // several: inputs whose front flit is visible
    Mask credit_;          // several: inputs that hold an output virtual channel with a credit
    Mask asking_;          // several: inputs that request until they are granted
    Mask shared_;          // several: those of holding_ that share one end of the switch
    Mask holding_;         // input virtual channels that hold an output virtual channel
    Mask contested_;       // output ports with requests that may be granted
    Cycle next_ = kNever;  // the next cycle in which something may happen, as far as seen
    Input* inputs_ = nullptr;
    Output* outputs_ = nullptr;
    OutputState* states_ = nullptr;
    std::uint16_t* input_pointers_ = nullptr;  // per switch input: round robin over its channels
    SwitchOutput* switch_outputs_ = nullptr;
    Claim* claims_ = nullptr;
    Events* events_ = nullptr;        // a ring over cycles, per word of a mask
    std::uint32_t event_cycles_ = 0;  // length of that ring, a power of two
    bool looks_ = false;              // several: the next tick looks at the FIFOs instead
    bool is_far_ = false;             // several: every tick looks at the FIFOs
    WakeupWheel& clock_;

    Mask sending_;  // observation only: output virtual channels that send, as far as is known

    Ejection* ejections_ = nullptr;
    PortState* port_ = nullptr;
    const Routing& routing_;
    RouterId router_;
    PortId ports_;
    LocalPorts local_;  // as in RouterConfig
    std::uint32_t vcs_;
    unsigned stride_ = 1;
    unsigned stride_log2_ = 0;
    std::uint32_t module_;  // our name in the clock domain
    PathChoice path_choice_;
    // the destination determines what a head requests, as soon as it is visible
    bool by_destination_;
    bool node_may_refuse_;  // as in RouterConfig
    bool hold_;
    bool combined_;                    // as RouterConfig::combines_allocation
    bool has_input_speedup_;           // several switch inputs per port
    const PacketPool* whole_packets_;  // as in RouterConfig
    bool stores_;                      // store and forward
    Cycle combining_delay_;
    std::array<SwitchInput, kMaxVirtualChannels> switch_inputs_{};
    // per virtual channel, the virtual channels of its class
    std::array<VcMask, kMaxVirtualChannels> own_network_{};
    std::unique_ptr<ClassArbiters> classes_;  // null: all are alike
    std::unique_ptr<PacedPorts> paced_;       // null: every port takes a flit in every cycle
    std::unique_ptr<Queueing> queued_;        // null: one switch output per port, and no queues
    Mask streaming_;             // with hold_: inputs that sent a flit other than a tail in a cycle
    Cycle streaming_until_ = 0;  // these keep their ports in the next cycle, which is this one
    ChannelProbe probe_;
    const LinkQueues* queues_;  // as in RouterConfig
    RememberedRoutes routes_;   // of a routing of fixed paths
    std::uint64_t unread_ = 0;  // for sleepers without an input
};

/// The core of a router with any number of ports and virtual channels.
ArenaPtr<RouterCore> make_packet_router_core(RouterCoreSetup setup);

}  // namespace flitscope::hw
