// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/packet_router_core.h"

#include <algorithm>
#include <utility>

#include "hw/packet/packet_router_core_channels.h"
#include "hw/packet/packet_router_core_events.h"
#include "hw/packet/packet_router_core_faults.h"
#include "hw/packet/packet_router_core_queues.h"
#include "hw/packet/packet_router_core_rates.h"
#include "hw/packet/packet_router_core_reports.h"
#include "hw/packet/packet_router_core_requests.h"
#include "hw/packet/packet_router_core_switch.h"
#include "models/base/powers_of_two.h"

namespace flitscope::hw {

template <std::size_t kWords, bool kSingleVc, bool kObserved>
PacketRouterCore<kWords, kSingleVc, kObserved>::PacketRouterCore(RouterCoreSetup setup)
    : clock_(setup.clock),
      routing_(setup.routing),
      router_(setup.config.router),
      ports_(setup.config.ports()),
      local_(setup.config.local),
      vcs_(setup.config.virtual_channels),
      module_(setup.clock.add(*this)),
      path_choice_(setup.routing.path_choice()),
      by_destination_(path_choice_ == PathChoice::kFixed && !setup.config.combining_delay),
      node_may_refuse_(setup.config.node_may_refuse),
      hold_(setup.config.hold_switch),
      combined_(setup.config.combines_allocation),
      has_input_speedup_(setup.config.input_speedup > 1),
      whole_packets_(setup.config.whole_packets),
      stores_(setup.config.combining_delay.has_value()),
      combining_delay_(setup.config.combining_delay.value_or(0)),
      probe_(std::move(setup.probe)),
      queues_(setup.config.queues),
      routes_(setup.routing, setup.config.router, by_destination_ ? setup.memory : nullptr) {
    stride_ = static_cast<unsigned>(next_power_of_two(vcs_));
    stride_log2_ = floor_log2(stride_);
    const ClassPolicy& classes = setup.config.classes;
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) own_network_[vc] = classes.network_of(vc);
    const std::uint32_t channels = vcs_ / setup.config.input_speedup;
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
        const std::uint32_t first = vc - vc % channels;
        switch_inputs_[vc] = {static_cast<VcMask>(((1U << channels) - 1) << first),
                              static_cast<std::uint8_t>(first),
                              static_cast<std::uint8_t>(first + channels)};
    }
    const std::size_t inputs = std::size_t{ports_} << stride_log2_;
    const std::size_t outputs = std::size_t{ports_} * setup.config.output_speedup;
    if (classes.prefers()) classes_ = std::make_unique<ClassArbiters>(classes, inputs, outputs);
    if (setup.config.output_speedup > 1) make_queues(setup.config);
    if (!setup.config.rate_cycles.empty() || queued_) make_paced_ports(setup.config);
    inputs_ = allocate<Input>(setup.memory, inputs);
    outputs_ = allocate<Output>(setup.memory, inputs);
    states_ = allocate<OutputState>(setup.memory, inputs);
    port_ = allocate<PortState>(setup.memory, ports_);
    input_pointers_ = allocate<std::uint16_t>(setup.memory, inputs);
    std::fill_n(input_pointers_, inputs, std::uint16_t{0});
    switch_outputs_ = allocate<SwitchOutput>(setup.memory, kSingleVc ? 0 : outputs);
    claims_ = allocate<Claim>(setup.memory, inputs);
    ejections_ = allocate<Ejection>(setup.memory, local_.count);
    for (PortId k = 0; k < local_.count; ++k) {
        EjectionSink* const sink = setup.ejections[k];
        const bool has_before = k > 0 && sink == setup.ejections[k - 1];
        const unsigned first =
            has_before ? ejections_[k - 1].first : (local_.first + k) << stride_log2_;
        ejections_[k] = {sink, first};
    }
    make_events(setup);
    for (PortId port = 0; port < ports_; ++port) {
        for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
            const unsigned index = (port << stride_log2_) + vc;
            const std::size_t given = std::size_t{port} * vcs_ + vc;
            if (FlitBuffer* const fifo = setup.outputs[given]) outputs_[index].to.attach(*fifo);
            if (FlitBuffer* const fifo = setup.inputs[given]) {
                inputs_[index].from.attach(*fifo);
                listen(index);
            }
        }
    }
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
Cycle PacketRouterCore<kWords, kSingleVc, kObserved>::tick(Cycle now) {
    next_ = kNever;
    take_events(now);
    const Mask heads = kSingleVc ? awake_ - holding_ : here_ - holding_ - asking_;
    if (heads.any()) route(heads, now);
    Mask offered;
    if (contested_.any()) {
        if (!kSingleVc && combined_) {
            offered = offer_virtual_channels(now);
        } else {
            hold(allocate_virtual_channels(now), now);
        }
    }
    if constexpr (kSingleVc) {
        const Mask holders = awake_ & holding_;
        // An output belongs to one input, so the switch has nothing to allocate.
        const Cycle until = std::max(now, clock_.ahead_until());
        if (paced_) {
            stream_at_rates(holders, now, until);
        } else {
            holders.for_each([this, now, until](unsigned i) { stream<false>(i, now, until); });
        }
    } else {
        Mask ready = here_ & credit_;
        if (paced_) ready = at_free_links(ready, now);
        const Mask grants = allocate_switch(ready, offered, now);
        if (paced_ && !queued_) use_links(grants, now);
        if (offered.any()) {
            take_offers(grants & offered, now);
            if ((offered - grants).any()) next_ = now + 1;
        }
        if (queued_) {
            queue_up(grants, now);
            leave_queues(now);
        } else {
            traverse(grants, now);
        }
        // Whether an input is ready for the next cycle is as good as random, so it is computed
        // without a branch.
        ready = here_ & credit_;
        if (paced_) ready = at_free_links(ready, now + 1);
        const bool is_next = ready.any() || (is_far_ && grants.any());
        next_ = std::min(next_, is_next ? now + 1 : kNever);
        if (hold_) {
            streaming_ = grants & holding_;  // after a tail nothing is held
            streaming_until_ = now + 1;
        }
    }
    if constexpr (kObserved) report_stops(now);
    return next_;
}

/// Step 4: those that were granted the switch send.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::traverse(const Mask& grants,
                                                                     Cycle now) {
    grants.for_each([this, now](unsigned i) {
        move_pointers(i);
        send(i, now);
    });
}

/// The pointers of both ends of the switch move past the winner.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::move_pointers(unsigned i) {
    const unsigned vc = vc_of(i);
    const unsigned to = claims_[i].switch_output;
    unsigned from = i - vc;
    unsigned past = from + stride_;
    if (has_input_speedup_) {
        past = from + switch_inputs_[vc].past;
        from += switch_inputs_[vc].first;
    }
    switch_outputs_[to].pointer = past;
    input_pointers_[from] = static_cast<std::uint16_t>(vc + 1);
    if (!classes_) return;
    const MessageClass sender = classes_->policy.class_of(vc);
    classes_->inputs[from].sent(sender);
    classes_->outputs[to].sent(sender);
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::send(unsigned i, Cycle now) {
    Input& input = inputs_[i];
    const unsigned o = claims_[i].output;
    FlitWriter& to = outputs_[o].to;
    if constexpr (kObserved) report_send(i, o, now);
    if (to.attached()) {
        const bool is_tail = input.from.forward(to, now, clock_);
        here_.clear_if(i, !input.from.visible(now));
        if (is_tail) {
            release(i, now);
        } else if (!to.has_credit(now + 1)) {
            lack_credit(i);
        }
        return;
    }
    const Flit flit = input.from.front();
    input.from.pop(now, clock_);
    here_.clear_if(i, !input.from.visible(now));
    if (flit.tail) release(i, now);
    eject(flit, o, now);
}

/// Sends all flits of the packet at input `i` up to cycle `until` whose times are known. With one
/// virtual channel the output is the packet's until its tail goes, so each flit goes as soon as it
/// is visible, has a credit, and the one before is gone. The time stamps of both FIFOs give that
/// cycle, and hide a flit or a credit from the modules at their other ends until then. The node,
/// which gets messages without times, gets a tail in the tail's own cycle. A slow link (`kSlow`,
/// then `until` is `now`) gets each flit in a visit of its own.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
template <bool kSlow>
void PacketRouterCore<kWords, kSingleVc, kObserved>::stream(unsigned i, Cycle now, Cycle until) {
    Input& input = inputs_[i];
    const unsigned o = claims_[i].output;
    FlitWriter& to = outputs_[o].to;
    Cycle at = std::max(now, input.free_from);
    if constexpr (kSlow) at = std::max(at, paced_->free_from[port_of(o)]);
    StreamEnd end = StreamEnd::kTail;
    if (to.attached()) {
        end = input.from.stream(to, until, at, clock_, [this, i, o](Cycle cycle) {
            if constexpr (kObserved) report_send(i, o, cycle);
            if constexpr (kSlow) {
                paced_->free_from[port_of(o)] = cycle + paced_->cycles[port_of(o)];
            }
        });
    } else {
        // With a channel for every link a node may pass on what it is still being sent.
        if (local_.first != 0) until = now;
        end = input.from.stream(
            [this, i, o](const Flit& flit, Cycle cycle) {
                if constexpr (kObserved) report_send(i, o, cycle);
                eject(flit, o, cycle);
            },
            now, until, at, clock_);
    }
    if (kSlow && end != StreamEnd::kTail) {
        at = std::max(at, paced_->free_from[port_of(o)]);
    } else {
        input.free_from = at;
    }
    if (at > now) clock_.reach(std::min(at - 1, until));
    if constexpr (kObserved) report_pause(o, at);
    switch (end) {
        case StreamEnd::kTail:
            release(i, at - 1);
            [[fallthrough]];
        case StreamEnd::kNoFlit:
            sleep_for_flit(i, at);
            break;
        case StreamEnd::kNoCredit:
            to.await(sleeper(i));
            awake_.clear(i);
            break;
        case StreamEnd::kLater:
            next_ = std::min(next_, at);
            break;
    }
}

/// Step 5: a tail leaves input virtual channel `i` in cycle `tail`. It stays awake: the next head
/// in its FIFO may ask in the next cycle.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::release(unsigned i, Cycle tail) {
    const unsigned o = claims_[i].output;
    if constexpr (kObserved) {
        if (!queued_) report_tail(o, tail);  // else it is still to leave
    }
    states_[o].free_from = tail + 1;
    let_go(i);
    if (!kSingleVc && here_.test(i)) next_ = std::min(next_, tail + 1);
    const bool is_asked_for = port_[port_of(o)].requests.any();
    if (is_asked_for) contested_.set(port_of(o));
    // Adaptive packets ask for what is free.
    if (is_asked_for || path_choice_ == PathChoice::kAdaptive) next_ = std::min(next_, tail + 1);
}

namespace {

template <std::size_t kWords>
ArenaPtr<RouterCore> make_core(RouterCoreSetup setup) {
    const auto of = [&setup](auto* core) {
        using Core = std::remove_pointer_t<decltype(core)>;
        std::pmr::memory_resource* const memory = setup.memory;
        return place_router_core<Core>(memory, std::move(setup));
    };
    const bool observed = setup.probe.observer != nullptr;
    if (setup.config.virtual_channels == 1) {
        if (observed) return of(static_cast<PacketRouterCore<kWords, true, true>*>(nullptr));
        return of(static_cast<PacketRouterCore<kWords, true, false>*>(nullptr));
    }
    if (observed) return of(static_cast<PacketRouterCore<kWords, false, true>*>(nullptr));
    return of(static_cast<PacketRouterCore<kWords, false, false>*>(nullptr));
}

}  // namespace

ArenaPtr<RouterCore> make_packet_router_core(RouterCoreSetup setup) {
    const std::uint64_t inputs =
        setup.config.ports() * next_power_of_two(setup.config.virtual_channels);
    if (inputs <= BitMask<1>::kBits) return make_core<1>(std::move(setup));
    if (inputs <= BitMask<4>::kBits) return make_core<4>(std::move(setup));
    return make_core<kMostMaskWords>(std::move(setup));
}

}  // namespace flitscope::hw
