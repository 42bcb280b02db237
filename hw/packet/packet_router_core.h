// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One cycle of the router: route, allocate virtual channels, allocate the switch, traverse
// (hw/TIMING.md, "One cycle of a router"). Kernel-free but for the clock domain it sleeps in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <type_traits>
#include <utility>

#include "hw/common/bit_mask.h"
#include "hw/packet/router.h"

namespace flitscope::hw {

/// `kWords` 64-bit words hold one bit per input virtual channel; `kSingleVc` drops the switch
/// allocation, which has nothing to decide with one virtual channel; `kObserved` reports events.
///
/// Input virtual channels, and likewise output virtual channels, are numbered port * stride + vc
/// with the stride a power of two. Only those in `awake_` are looked at: the others wait for a
/// flit, a credit or a grant, and whoever provides it raises their bit.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
class PacketRouterCore final : public RouterCore {
public:
    PacketRouterCore(const RouterConfig& config, const Routing& routing, ClockDomain& clock,
                     Router& ports, ChannelProbe probe, std::pmr::memory_resource* memory);

    Cycle tick(Cycle now) override;
    InputStatus input_status(PortId port, std::uint32_t vc) const override;

private:
    using Mask = BitMask<kWords>;

    // Each fits one cache line; the memory behind a fabric is what limits its speed.
    struct alignas(64) Input {
        FlitReader from;
        unsigned output = 0;           // the output virtual channel it holds, when in holding_
        std::uint64_t header = 0;      // of the packet that asks or holds
        PortId port = 0;               // the output port it asks for
        std::uint8_t allowed_vcs = 0;  // and the virtual channels it may be given there
    };
    struct alignas(64) Output {
        FlitWriter to;         // not attached: ejection
        unsigned pointer = 0;  // round robin over input virtual channels
        bool taken = false;
    };
    struct PortState {
        Mask requests;                // input virtual channels that ask for this output port
        unsigned input_pointer = 0;   // switch allocation: round robin over virtual channels
        unsigned output_pointer = 0;  // switch allocation: round robin over input ports
        unsigned proposed = 0;        // this cycle: the input virtual channel this input proposes
        Mask proposers;               // this cycle: the input ports that propose to this output
    };

    template <class T>
    static T* allocate(std::pmr::memory_resource* memory, std::size_t count) {
        static_assert(std::is_trivially_destructible_v<T>);
        auto* const items = static_cast<T*>(memory->allocate(count * sizeof(T), alignof(T)));
        std::uninitialized_default_construct_n(items, count);
        return items;
    }
    void route(Cycle now);
    template <bool kStores>
    void route_packets(Cycle now);
    void request(unsigned input, RouteChoice choice);
    void request_open(unsigned input, const RouteChoices& choices, Cycle now);
    unsigned score(unsigned input, RouteChoice& choice, bool empty_only, Cycle now);
    bool is_stored(unsigned input, PortId port, Cycle now);
    void allocate_virtual_channels(Cycle now);
    template <bool kWholePackets>
    void allocate_outputs(Cycle now);
    bool has_room(unsigned output, unsigned input, Cycle now);
    std::uint64_t length_of(std::uint64_t header) const;
    void allocate_and_traverse(Cycle now);
    void yield_to_streams(Mask& ready_inputs) const;
    Mask arbitrate(const Mask& ready_inputs, Cycle now);
    void grant_switch(unsigned input, Cycle now);
    bool ready(unsigned input, Cycle now);
    void sleep_for_flit(unsigned input);
    void send(unsigned input, Cycle now);
    void release(unsigned input);
    void report_releases(Cycle now);
    void report_sends(Cycle now);

    /// How whoever provides a flit or a credit wakes input virtual channel `input`.
    Sleeper sleeper(unsigned input) {
        return {&awake_.word(input), std::uint64_t{1} << input % 64, module_};
    }
    PortId port_of(unsigned index) const { return index >> stride_log2_; }
    /// A port of the node's own channels.
    bool is_endpoint_port(PortId port) const {
        return first_endpoint_port_ == kLocalPort ? port == kLocalPort
                                                  : port >= first_endpoint_port_;
    }
    unsigned vc_of(unsigned index) const { return index & (stride_ - 1); }

    // What every tick reads comes first, in one cache line where a mask is one word. The arrays lie
    // in the memory that the router was given, and go with it.
    Mask awake_;           // input virtual channels to look at
    Mask holding_;         // input virtual channels that hold an output virtual channel
    Mask contested_;       // output ports with requests that may be granted
    Cycle next_ = kNever;  // the next cycle in which something may happen, as far as seen
    Input* inputs_ = nullptr;
    Output* outputs_ = nullptr;
    ClockDomain& clock_;

    // Observation only: output virtual channels that sent in the last cycle, in this one, and
    // that a tail has left.
    Mask sending_;
    Mask sent_;
    Mask released_;

    EjectionSink* ejection_;
    PortState* port_ = nullptr;
    const Routing& routing_;
    NodeId node_;
    PortId ports_;
    PortId first_endpoint_port_;  // as in RouterConfig
    std::uint32_t vcs_;
    unsigned stride_ = 1;
    unsigned stride_log2_ = 0;
    unsigned first_ejection_ = 0;  // output virtual channel
    std::uint32_t module_;         // our name in the clock domain
    PathChoice path_choice_;
    bool by_destination_;  // that alone says what a head asks for, as soon as it is visible
    bool hold_;
    const PacketPool* whole_packets_;  // as in RouterConfig
    bool stores_;                      // store and forward
    Cycle combining_delay_;
    Mask streaming_;  // with hold_: inputs that sent a flit other than a tail in the last cycle
    ChannelProbe probe_;
};

template <std::size_t kWords, bool kSingleVc, bool kObserved>
PacketRouterCore<kWords, kSingleVc, kObserved>::PacketRouterCore(const RouterConfig& config,
                                                                 const Routing& routing,
                                                                 ClockDomain& clock, Router& ports,
                                                                 ChannelProbe probe,
                                                                 std::pmr::memory_resource* memory)
    : clock_(clock),
      ejection_(ports.ejection.size() != 0 ? ports.ejection.operator->() : nullptr),
      routing_(routing),
      node_(config.node),
      ports_(static_cast<PortId>(config.inputs.size())),
      first_endpoint_port_(config.first_endpoint_port),
      vcs_(config.virtual_channels),
      module_(clock.add(*this)),
      path_choice_(routing.path_choice()),
      by_destination_(path_choice_ == PathChoice::kFixed && !config.combining_delay),
      hold_(config.hold_switch),
      whole_packets_(config.whole_packets),
      stores_(config.combining_delay.has_value()),
      combining_delay_(config.combining_delay.value_or(0)),
      probe_(std::move(probe)) {
    while (stride_ < vcs_) {
        stride_ *= 2;
        ++stride_log2_;
    }
    first_ejection_ = first_endpoint_port_ << stride_log2_;
    inputs_ = allocate<Input>(memory, std::size_t{ports_} * stride_);
    outputs_ = allocate<Output>(memory, std::size_t{ports_} * stride_);
    port_ = allocate<PortState>(memory, ports_);
    for (PortId port = 0; port < ports_; ++port) {
        for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
            const unsigned index = (port << stride_log2_) + vc;
            if (ports.out.has(port)) {
                outputs_[index].to.attach(ports.out[port]->sink(vc));
            }
            if (!ports.in.has(port)) continue;
            inputs_[index].from.attach(ports.in[port]->source(vc));
            inputs_[index].from.await(sleeper(index));
        }
    }
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
Cycle PacketRouterCore<kWords, kSingleVc, kObserved>::tick(Cycle now) {
    next_ = kNever;
    if constexpr (kObserved) report_releases(now);
    if ((awake_ - holding_).any()) {
        if (by_destination_) {
            route(now);
        } else if (stores_) {
            route_packets<true>(now);
        } else {
            route_packets<false>(now);
        }
    }
    if (contested_.any()) allocate_virtual_channels(now);
    allocate_and_traverse(now);
    if constexpr (kObserved) report_sends(now);
    return next_;
}

/// Step 1: visible heads ask for the output port that their route names.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::route(Cycle now) {
    (awake_ - holding_).for_each([this, now](unsigned i) {
        Input& input = inputs_[i];
        if (!input.from.visible(now)) {
            sleep_for_flit(i);
            return;
        }
        const Flit head = input.from.front();
        const RouteChoice choice = routing_.route(node_, Header::destination_of(head.word));
        input.header = head.word;
        request(i, choice);
        awake_.clear(i);  // the grant wakes it
    });
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::request(unsigned i,
                                                                    RouteChoice choice) {
    inputs_[i].port = choice.port;
    inputs_[i].allowed_vcs = choice.virtual_channels;
    port_[choice.port].requests.set(i);
    contested_.set(choice.port);
}

/// Step 1 where the request does not follow from the destination alone. With several choices it
/// lasts for one cycle, so those of the last one are withdrawn.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
template <bool kStores>
void PacketRouterCore<kWords, kSingleVc, kObserved>::route_packets(Cycle now) {
    RouteChoices choices;
    (awake_ - holding_).for_each([this, now, &choices](unsigned i) {
        Input& input = inputs_[i];
        if (!input.from.visible(now)) {
            sleep_for_flit(i);
            return;
        }
        input.header = input.from.front().word;
        const Header header = Header::unpack(input.header);
        const RouteQuery query{node_,         port_of(i),         vc_of(i),
                               header.source, header.destination, header.sequence};
        if (path_choice_ != PathChoice::kAdaptive) {
            const RouteChoice choice = routing_.route(query);
            if (kStores && !is_stored(i, choice.port, now)) return;
            request(i, choice);
            awake_.clear(i);  // the grant wakes it
            return;
        }
        port_[input.port].requests.clear(i);
        routing_.route(query, choices);
        if (kStores && !is_stored(i, choices[0].port, now)) return;
        request_open(i, choices, now);
    });
}

/// Asks for the best choice that can be had now, if there is one. Otherwise a virtual channel has
/// to be released, which keeps the router awake, or a FIFO to run empty.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::request_open(unsigned i,
                                                                  const RouteChoices& choices,
                                                                  Cycle now) {
    RouteChoice best;
    unsigned best_score = 0;
    for (std::size_t c = 0; c < choices.size(); ++c) {
        if (c == choices.escape() && best_score > 0) break;
        RouteChoice choice = choices[c];
        const bool empty_only = choices.has_escape() && c < choices.escape();
        const unsigned choice_score = score(i, choice, empty_only, now);
        if (choice_score <= best_score) continue;
        best = choice;
        best_score = choice_score;
    }
    if (best_score == 0) return;
    request(i, best);
    next_ = now + 1;  // the next request, should this one lose
}

/// 0 when none of the virtual channels of `choice` can be had, 2 when one of them has a usable
/// credit, else 1. Leaves those that can be had in `choice`; input virtual channel `i` is woken
/// when others run empty.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
unsigned PacketRouterCore<kWords, kSingleVc, kObserved>::score(unsigned i, RouteChoice& choice,
                                                               bool empty_only, Cycle now) {
    unsigned best = 0;
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
        if ((choice.virtual_channels >> vc & 1) == 0) continue;
        Output& output = outputs_[(choice.port << stride_log2_) + vc];
        bool open = !output.taken;
        if (open && empty_only && !output.to.empty(now)) {
            open = false;
            if (const Cycle empty = output.to.empty_from(); empty != kNever) {
                next_ = std::min(next_, empty);
            } else {
                output.to.await_empty(sleeper(i));
            }
        }
        if (!open) {
            choice.virtual_channels &= static_cast<std::uint8_t>(~(1U << vc));
            continue;
        }
        const bool has_credit = !output.to.attached() || output.to.has_credit(now);
        best = std::max(best, has_credit ? 2U : 1U);
    }
    return best;
}

/// Store and forward: whether the packet at the front of input virtual channel `i` may ask for
/// output `port`. If it came over a link and goes on over one, all of it has to be here first.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::is_stored(unsigned i, PortId port, Cycle now) {
    if (is_endpoint_port(port) || is_endpoint_port(port_of(i))) return true;
    Input& input = inputs_[i];
    const std::uint64_t behind = length_of(input.header) - 1;  // where the tail is
    const Cycle tail = input.from.visible_from(behind);
    if (tail == kNever) {
        input.from.await(sleeper(i), behind);
        awake_.clear(i);
        return false;
    }
    if (tail + combining_delay_ <= now) return true;
    next_ = std::min(next_, tail + combining_delay_);
    return false;
}

/// Of a packet under way.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
std::uint64_t PacketRouterCore<kWords, kSingleVc, kObserved>::length_of(
    std::uint64_t header) const {
    return (*whole_packets_)[whole_packets_->find(header)].flits_injected;
}

/// Whether output virtual channel `o` has usable credits for all of the packet in input virtual
/// channel `i`. If not, `next_` notes when it will, or the router is woken then.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::has_room(unsigned o, unsigned i, Cycle now) {
    if (is_endpoint_port(port_of(o))) return true;
    const std::uint64_t flits = length_of(inputs_[i].header);
    const Sleeper request{&awake_.word(i), 0, module_};  // no input to look at
    return outputs_[o].to.has_credit_or_wakes(now, flits, request, next_);
}

/// Step 2: free output virtual channels are given to heads that ask for them.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::allocate_virtual_channels(Cycle now) {
    if (whole_packets_ == nullptr) {
        allocate_outputs<false>(now);
    } else {
        allocate_outputs<true>(now);
    }
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
template <bool kWholePackets>
void PacketRouterCore<kWords, kSingleVc, kObserved>::allocate_outputs(Cycle now) {
    contested_.for_each([this, now](unsigned port) {
        PortState& state = port_[port];
        bool lacks_room = false;
        for (std::uint32_t vc = 0; vc < vcs_ && state.requests.any(); ++vc) {
            const unsigned o = (port << stride_log2_) + vc;
            Output& output = outputs_[o];
            if (output.taken) continue;
            Mask candidates = state.requests;
            if constexpr (!kSingleVc) {
                state.requests.for_each([this, vc, &candidates](unsigned i) {
                    if ((inputs_[i].allowed_vcs >> vc & 1) == 0) candidates.clear(i);
                });
                if (!candidates.any()) continue;
            }
            const unsigned winner = candidates.round_robin(output.pointer);
            if constexpr (kWholePackets) {
                if (!has_room(o, winner, now)) {
                    lacks_room = true;
                    continue;
                }
            }
            output.pointer = winner + 1;
            output.taken = true;
            inputs_[winner].output = o;
            state.requests.clear(winner);
            holding_.set(winner);
            awake_.set(winner);
            if constexpr (kObserved) {
                probe_.observer->on_grant(probe_.out[port], vc,
                                          probe_.packets->message_of(inputs_[winner].header), now);
            }
        }
        // Until a request comes or an output virtual channel is freed.
        if (!lacks_room) contested_.clear(port);
    });
}

/// Steps 3 and 4: of the input virtual channels that could send, one per input port and one per
/// output port does.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::allocate_and_traverse(Cycle now) {
    const Mask candidates = awake_ & holding_;
    if constexpr (kSingleVc) {
        candidates.for_each([this, now](unsigned i) {
            if (ready(i, now)) send(i, now);
        });
        return;
    }
    Mask ready_inputs;
    Mask from_ports;
    Mask to_ports;
    bool conflict = false;
    candidates.for_each([&](unsigned i) {
        if (!ready(i, now)) return;
        ready_inputs.set(i);
        const PortId from = port_of(i);
        const PortId to = port_of(inputs_[i].output);
        conflict = conflict || from_ports.test(from) || to_ports.test(to);
        from_ports.set(from);
        to_ports.set(to);
    });
    if (conflict) {
        if (hold_) yield_to_streams(ready_inputs);
        ready_inputs = arbitrate(ready_inputs, now);
    } else {
        ready_inputs.for_each([this, now](unsigned i) { grant_switch(i, now); });
    }
    if (hold_) streaming_ = ready_inputs & holding_;  // behind a tail nothing is held
}

/// Takes out whoever would need a port that an input virtual channel keeps because it streams. The
/// latter sends, so the router looks again in the next cycle.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::yield_to_streams(Mask& ready_inputs) const {
    const Mask kept = ready_inputs & streaming_;
    Mask from_ports;
    Mask to_ports;
    kept.for_each([&](unsigned i) {
        from_ports.set(port_of(i));
        to_ports.set(port_of(inputs_[i].output));
    });
    (ready_inputs - kept).for_each([&](unsigned i) {
        if (from_ports.test(port_of(i)) || to_ports.test(port_of(inputs_[i].output))) {
            ready_inputs.clear(i);
        }
    });
}

/// Step 3 where several inputs compete for a port. Returns those that have sent.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
typename PacketRouterCore<kWords, kSingleVc, kObserved>::Mask
PacketRouterCore<kWords, kSingleVc, kObserved>::arbitrate(const Mask& ready_inputs, Cycle now) {
    Mask winners;
    Mask wanted;  // output ports that somebody proposes to
    for (PortId port = 0; port < ports_; ++port) {
        const auto bits = static_cast<unsigned>(ready_inputs.field(port << stride_log2_, stride_));
        if (bits == 0) continue;
        const unsigned after = bits & ~0U << port_[port].input_pointer;
        const auto vc = static_cast<unsigned>(__builtin_ctz(after != 0 ? after : bits));
        port_[port].proposed = (port << stride_log2_) + vc;
        const PortId target = port_of(inputs_[port_[port].proposed].output);
        if (!wanted.test(target)) port_[target].proposers = Mask{};
        wanted.set(target);
        port_[target].proposers.set(port);
    }
    wanted.for_each([this, now, &winners](unsigned target) {
        const unsigned port = port_[target].proposers.round_robin(port_[target].output_pointer);
        grant_switch(port_[port].proposed, now);
        winners.set(port_[port].proposed);
    });
    return winners;
}

/// Sends from input virtual channel `i`; the pointers of both its ports move past the winner.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::grant_switch(unsigned i, Cycle now) {
    const PortId port = port_of(i);
    port_[port_of(inputs_[i].output)].output_pointer = port + 1;
    port_[port].input_pointer = vc_of(i) + 1;
    send(i, now);
}

/// Whether input virtual channel `i`, which holds an output virtual channel, has a visible flit and
/// a usable credit. If not, it sleeps, or `next_` notes when what is on its way will be there.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline bool PacketRouterCore<kWords, kSingleVc, kObserved>::ready(unsigned i, Cycle now) {
    Input& input = inputs_[i];
    if (!input.from.visible(now)) {
        sleep_for_flit(i);
        return false;
    }
    Output& output = outputs_[input.output];
    if (!output.to.attached() || output.to.has_credit(now)) return true;
    if (const Cycle credit = output.to.credit_from(); credit != kNever) {
        next_ = std::min(next_, credit);
    } else {
        output.to.await(sleeper(i));
        awake_.clear(i);
    }
    return false;
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::sleep_for_flit(unsigned i) {
    if (const Cycle visible = inputs_[i].from.visible_from(); visible != kNever) {
        next_ = std::min(next_, visible);
    } else {
        inputs_[i].from.await(sleeper(i));
        awake_.clear(i);
    }
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::send(unsigned i, Cycle now) {
    Input& input = inputs_[i];
    const unsigned o = input.output;
    Output& output = outputs_[o];
    const Flit flit = input.from.front();
    input.from.pop(now, clock_);
    next_ = now + 1;  // for the flit behind it, and for whoever was not served in this cycle
    if constexpr (kObserved) {
        sent_.set(o);
        if (flit.tail) released_.set(o);
        if (!sending_.test(o)) {
            probe_.observer->on_send_begin(probe_.out[port_of(o)], vc_of(o), probe_.in[port_of(i)],
                                           vc_of(i), now);
        }
    }
    if (flit.tail) release(i);
    if (output.to.attached()) {
        output.to.push(flit, now, clock_);
    } else {
        ejection_->eject(flit, o - first_ejection_, now);
    }
}

/// Step 5: a tail has left input virtual channel `i`. It stays awake: the next head in its FIFO may
/// ask in the next cycle.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::release(unsigned i) {
    const unsigned o = inputs_[i].output;
    outputs_[o].taken = false;
    holding_.clear(i);
    if (port_[port_of(o)].requests.any()) contested_.set(port_of(o));
}

/// Output virtual channels that a tail left in the last cycle are free from this one on.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::report_releases(Cycle now) {
    released_.for_each([this, now](unsigned o) {
        probe_.observer->on_send_end(probe_.out[port_of(o)], vc_of(o), now);
        probe_.observer->on_release(probe_.out[port_of(o)], vc_of(o), now);
        sending_.clear(o);
    });
    released_ = Mask{};
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::report_sends(Cycle now) {
    (sending_ - sent_).for_each([this, now](unsigned o) {
        probe_.observer->on_send_end(probe_.out[port_of(o)], vc_of(o), now);
    });
    sending_ = sent_;
    sent_ = Mask{};
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
InputStatus PacketRouterCore<kWords, kSingleVc, kObserved>::input_status(PortId port,
                                                                         std::uint32_t vc) const {
    const unsigned i = (port << stride_log2_) + vc;
    const Input& input = inputs_[i];
    InputStatus status;
    if (holding_.test(i)) {
        status.state = InputStatus::State::kSending;
        status.port = port_of(input.output);
        status.out_vc = vc_of(input.output);
    } else if (port_[input.port].requests.test(i)) {
        status.state = InputStatus::State::kRequesting;
    } else if (path_choice_ == PathChoice::kAdaptive && input.from.attached() &&
               input.from.visible_from() != kNever) {
        status.state = InputStatus::State::kRequesting;
        status.header = input.from.front().word;
        return status;
    } else {
        return status;
    }
    status.header = input.header;
    return status;
}

}  // namespace flitscope::hw
