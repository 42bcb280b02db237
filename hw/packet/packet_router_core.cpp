// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/packet_router_core.h"

#include <algorithm>
#include <utility>

#include "hw/packet/packet_router_core_faults.h"
#include "hw/packet/packet_router_core_reports.h"

namespace flitscope::hw {

template <std::size_t kWords, bool kSingleVc, bool kObserved>
PacketRouterCore<kWords, kSingleVc, kObserved>::PacketRouterCore(RouterCoreSetup setup)
    : clock_(setup.clock),
      ejection_(setup.ejection),
      routing_(setup.routing),
      node_(setup.config.node),
      ports_(setup.config.ports()),
      first_endpoint_port_(setup.config.first_endpoint_port),
      vcs_(setup.config.virtual_channels),
      module_(setup.clock.add(*this)),
      path_choice_(setup.routing.path_choice()),
      by_destination_(path_choice_ == PathChoice::kFixed && !setup.config.combining_delay),
      node_may_refuse_(setup.config.node_may_refuse),
      hold_(setup.config.hold_switch),
      combined_(setup.config.combines_allocation),
      whole_packets_(setup.config.whole_packets),
      stores_(setup.config.combining_delay.has_value()),
      combining_delay_(setup.config.combining_delay.value_or(0)),
      probe_(std::move(setup.probe)) {
    while (stride_ < vcs_) {
        stride_ *= 2;
        ++stride_log2_;
    }
    first_ejection_ = first_endpoint_port_ << stride_log2_;
    const ClassPolicy& classes = setup.config.classes;
    own_network_.fill(kAllVirtualChannels);
    for (std::uint32_t vc = 0; classes.has_classes() && vc < vcs_; ++vc) {
        const auto own = static_cast<ClassMask>(1U << classes.class_of(vc));
        own_network_[vc] = static_cast<std::uint8_t>(classes.channels_of(own));
    }
    if (classes.prefers()) classes_ = std::make_unique<ClassArbiters>(classes, ports_);
    inputs_ = allocate<Input>(setup.memory, std::size_t{ports_} * stride_);
    outputs_ = allocate<Output>(setup.memory, std::size_t{ports_} * stride_);
    port_ = allocate<PortState>(setup.memory, ports_);
    pointers_ = allocate<SwitchPointers>(setup.memory, ports_);
    for (PortId port = 0; port < ports_; ++port) {
        for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
            const unsigned index = (port << stride_log2_) + vc;
            const std::size_t given = std::size_t{port} * vcs_ + vc;
            if (FlitBuffer* const fifo = setup.outputs[given]) outputs_[index].to.attach(*fifo);
            if (FlitBuffer* const fifo = setup.inputs[given]) {
                inputs_[index].from.attach(*fifo);
                inputs_[index].from.await(sleeper(index));
            }
        }
    }
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
Cycle PacketRouterCore<kWords, kSingleVc, kObserved>::tick(Cycle now) {
    next_ = kNever;
    if (const Mask heads = awake_ - holding_; heads.any()) route(heads, now);
    Mask offered;
    if (contested_.any()) {
        if (!kSingleVc && combined_) {
            offered = offer_virtual_channels(now);
        } else {
            const Mask granted = allocate_virtual_channels(now);
            holding_ |= granted;
            awake_ |= granted;
        }
    }
    const Mask holders = awake_ & holding_;
    if constexpr (kSingleVc) {
        // An output belongs to one input, so the switch has nothing to allocate.
        const Cycle until = std::max(now, clock_.ahead_until());
        holders.for_each([this, now, until](unsigned i) { stream(i, now, until); });
    } else {
        SwitchRequests requests = request_switch(holders, now);
        if (offered.any()) offered.for_each([&](unsigned i) { add(i, requests); });
        const Mask grants = allocate_switch(requests);
        if (offered.any()) take_offers(grants & offered, now);
        traverse(grants, now);
        if (hold_) streaming_ = grants & holding_;  // behind a tail nothing is held
    }
    if constexpr (kObserved) report_stops(now);
    return next_;
}

/// Step 1: visible heads ask for what their routes name.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::route(const Mask& heads, Cycle now) {
    if (by_destination_) {
        route_by_destination(heads, now);
    } else if (stores_) {
        route_packets<true>(heads, now);
    } else {
        route_packets<false>(heads, now);
    }
}

/// Where the destination alone says which output port.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::route_by_destination(const Mask& heads,
                                                                          Cycle now) {
    heads.for_each([this, now](unsigned i) {
        Input& input = inputs_[i];
        if (!is_here(i, now)) return;
        const Flit head = input.from.front();
        const RouteChoice choice = routing_.route(node_, Header::destination_of(head.word));
        input.header = head.word;
        request(i, choice);
        awake_.clear(i);  // the grant wakes it
    });
}

/// Whether input virtual channel `i`, which holds nothing, has a head that may ask. If not, it
/// sleeps, or `next_` notes when it will.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline bool PacketRouterCore<kWords, kSingleVc, kObserved>::is_here(unsigned i, Cycle now) {
    const Input& input = inputs_[i];
    if (!input.from.visible(now)) {
        sleep_for_flit(i);
        return false;
    }
    if (input.free_from <= now) return true;
    next_ = std::min(next_, input.free_from);  // when the tail before it has gone
    return false;
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::request(unsigned i,
                                                                    RouteChoice choice) {
    inputs_[i].port = choice.port;
    inputs_[i].allowed_vcs = choice.virtual_channels;
    if constexpr (!kSingleVc) inputs_[i].allowed_vcs &= own_network_[vc_of(i)];
    port_[choice.port].requests.set(i);
    contested_.set(choice.port);
}

/// Step 1 where the request does not follow from the destination alone. With several choices it
/// lasts for one cycle, so those of the last one are withdrawn.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
template <bool kStores>
void PacketRouterCore<kWords, kSingleVc, kObserved>::route_packets(const Mask& heads, Cycle now) {
    RouteChoices choices;
    heads.for_each([this, now, &choices](unsigned i) {
        Input& input = inputs_[i];
        if (!is_here(i, now)) return;
        input.header = input.from.front().word;
        const RouteQuery query = query_of(i, input.header);
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

template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline RouteQuery PacketRouterCore<kWords, kSingleVc, kObserved>::query_of(
    unsigned i, std::uint64_t header) const {
    const Header packet = Header::unpack(header);
    return {node_, port_of(i), vc_of(i), packet.source, packet.destination, packet.sequence};
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
        bool open = output.free_from <= now;
        if (!open) next_ = std::min(next_, output.free_from);
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
/// channel `i`, or under wormhole switching for its head. If not, `next_` notes when it will, or
/// the router is woken then.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::has_room(unsigned o, unsigned i, Cycle now) {
    if (!outputs_[o].to.attached() || (whole_packets_ == nullptr && !combined_)) return true;
    const std::uint64_t flits = whole_packets_ == nullptr ? 1 : length_of(inputs_[i].header);
    const Sleeper request{&awake_.word(i), 0, module_};  // no input to look at
    return outputs_[o].to.has_credit_or_wakes(now, flits, request, next_);
}

/// Whether the packet in input virtual channel `i` may be given a channel of output `port` as far
/// as the node is concerned. If not, the router is woken when it may.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::is_taken_by_node(PortId port, unsigned i,
                                                                      Cycle now) {
    if (!node_may_refuse_ || !is_endpoint_port(port)) return true;
    const Sleeper request{&awake_.word(i), 0, module_};  // no input to look at
    return ejection_->takes_or_wakes(inputs_[i].header, now, request, next_);
}

/// Input virtual channel `i` has been given one of output `port`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::tell_node(PortId port, unsigned i) {
    if (is_endpoint_port(port)) ejection_->granted(inputs_[i].header);
}

/// Step 2: free output virtual channels are given to heads that ask for them. With one virtual
/// channel combined allocation does the same, but for the credit that the head needs: whoever has
/// the output has the switch.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::allocate_virtual_channels(
    Cycle now) {
    const bool needs_room = whole_packets_ != nullptr || combined_ || node_may_refuse_;
    return needs_room ? allocate_outputs<true>(now) : allocate_outputs<false>(now);
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
template <bool kNeedsRoom>
BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::allocate_outputs(Cycle now) {
    Mask granted;
    contested_.for_each([this, now, &granted](unsigned port) {
        PortState& state = port_[port];
        bool is_one_coming = false;  // without a request or a release that would tell us
        for (std::uint32_t vc = 0; vc < vcs_ && state.requests.any(); ++vc) {
            const unsigned o = (port << stride_log2_) + vc;
            Output& output = outputs_[o];
            if (output.free_from > now) {
                if (output.free_from == kNever) continue;
                next_ = std::min(next_, output.free_from);
                is_one_coming = true;
                continue;
            }
            Mask candidates = state.requests;
            if constexpr (!kSingleVc) {
                state.requests.for_each([this, vc, &candidates](unsigned i) {
                    if ((inputs_[i].allowed_vcs >> vc & 1) == 0) candidates.clear(i);
                });
                if (!candidates.any()) continue;
            }
            if constexpr (kNeedsRoom) {
                if (node_may_refuse_ && is_endpoint_port(port)) {
                    candidates.for_each([this, port, now, &candidates, &is_one_coming](unsigned i) {
                        if (is_taken_by_node(port, i, now)) return;
                        candidates.clear(i);
                        is_one_coming = true;
                    });
                    if (!candidates.any()) continue;
                }
            }
            const unsigned winner = candidates.round_robin(output.pointer);
            if constexpr (kNeedsRoom) {
                if (!has_room(o, winner, now)) {
                    is_one_coming = true;
                    continue;
                }
            }
            output.pointer = winner + 1;
            output.free_from = kNever;
            inputs_[winner].output = o;
            state.requests.clear(winner);
            granted.set(winner);
            if (node_may_refuse_) tell_node(port, winner);
            if constexpr (kObserved) {
                probe_.observer->on_grant(probe_.out[port], vc,
                                          probe_.packets->message_of(inputs_[winner].header), now);
            }
        }
        // Until a request comes or an output virtual channel is freed.
        if (!is_one_coming) contested_.clear(port);
    });
    return granted;
}

/// Combined allocation, step 2: every head is offered the next of the output virtual channels that
/// it asks for, are free and have a usable credit. Several may be offered the same.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::offer_virtual_channels(Cycle now) {
    Mask offered;
    contested_.for_each([this, now, &offered](unsigned port) {
        const PortState& state = port_[port];
        unsigned wanted = 0;
        state.requests.for_each([&](unsigned i) { wanted |= inputs_[i].allowed_vcs; });
        unsigned usable = 0;
        bool is_one_free = false;
        for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
            Output& output = outputs_[(port << stride_log2_) + vc];
            if ((wanted >> vc & 1) == 0 || output.free_from > now) continue;
            is_one_free = true;
            const Sleeper requests{&awake_.word(0), 0, module_};  // no input to look at
            if (!output.to.attached() || output.to.has_credit_or_wakes(now, 1, requests, next_)) {
                usable |= 1U << vc;
            }
        }
        // Until a request comes or an output virtual channel is freed.
        if (!is_one_free) contested_.clear(port);
        state.requests.for_each([&](unsigned i) {
            const unsigned open = inputs_[i].allowed_vcs & usable;
            if (open == 0 || !is_taken_by_node(port, i, now)) return;
            const unsigned after = open & ~0U << state.vc_pointer;
            const auto vc = static_cast<unsigned>(__builtin_ctz(after != 0 ? after : open));
            inputs_[i].output = (port << stride_log2_) + vc;
            offered.set(i);
        });
    });
    return offered;
}

/// Combined allocation, step 5: heads that leave own what they were offered from now on.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::take_offers(const Mask& heads,
                                                                        Cycle now) {
    heads.for_each([this, now](unsigned i) {
        const unsigned o = inputs_[i].output;
        PortState& state = port_[port_of(o)];
        outputs_[o].free_from = kNever;
        state.vc_pointer = vc_of(o) + 1;
        state.requests.clear(i);
        if (node_may_refuse_) tell_node(port_of(o), i);
        if constexpr (kObserved) {
            probe_.observer->on_grant(probe_.out[port_of(o)], vc_of(o),
                                      probe_.packets->message_of(inputs_[i].header), now);
        }
    });
    holding_ |= heads;
    awake_ |= heads;
}

/// Step 3: the input virtual channels that could send, and whether they are in each other's way.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
typename PacketRouterCore<kWords, kSingleVc, kObserved>::SwitchRequests
PacketRouterCore<kWords, kSingleVc, kObserved>::request_switch(const Mask& holders, Cycle now) {
    SwitchRequests requests;
    holders.for_each([&](unsigned i) {
        if (ready(i, now)) add(i, requests);
    });
    return requests;
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::add(unsigned i,
                                                                SwitchRequests& requests) const {
    const PortId from = port_of(i);
    const PortId to = inputs_[i].port;
    requests.inputs.set(i);
    requests.compete =
        requests.compete || requests.from_ports.test(from) || requests.to_ports.test(to);
    requests.from_ports.set(from);
    requests.to_ports.set(to);
}

/// Step 3: of these, one per input port and one per output port.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::allocate_switch(
    SwitchRequests& requests) {
    if (!requests.compete) return requests.inputs;
    Mask kept;
    if (hold_) {
        kept = requests.inputs & streaming_;
        yield_to_streams(kept, requests.inputs);
    }
    return arbitrate(requests.inputs, kept);
}

/// Takes out whoever would need a port that an input virtual channel keeps because it streams. The
/// latter sends, so the router looks again in the next cycle. Combined allocation looks at the
/// outputs after the inputs, so there those that would need an output of a stream propose in vain.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::yield_to_streams(const Mask& kept,
                                                                      Mask& inputs) const {
    Mask from_ports;
    Mask to_ports;
    kept.for_each([&](unsigned i) {
        from_ports.set(port_of(i));
        if (!combined_) to_ports.set(port_of(inputs_[i].output));
    });
    (inputs - kept).for_each([&](unsigned i) {
        if (from_ports.test(port_of(i)) || to_ports.test(port_of(inputs_[i].output))) {
            inputs.clear(i);
        }
    });
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

/// Step 3 where several inputs compete for a port; those `kept` stream.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::arbitrate(const Mask& inputs,
                                                                          const Mask& kept) {
    Mask winners = kept;
    Mask wanted;  // output ports that somebody proposes to
    for (PortId port = 0; port < ports_; ++port) {
        auto bits = static_cast<unsigned>(inputs.field(port << stride_log2_, stride_));
        if (bits == 0) continue;
        if (classes_) bits = preferred_channels(port, bits);
        const unsigned after = bits & ~0U << pointers_[port].input;
        const auto vc = static_cast<unsigned>(__builtin_ctz(after != 0 ? after : bits));
        port_[port].proposed = (port << stride_log2_) + vc;
        const PortId target = inputs_[port_[port].proposed].port;
        if (!wanted.test(target)) port_[target].proposers = Mask{};
        wanted.set(target);
        port_[target].proposers.set(port);
    }
    kept.for_each([this, &wanted](unsigned i) { wanted.clear(inputs_[i].port); });
    wanted.for_each([this, &winners](unsigned target) {
        if (classes_) keep_preferred(target);
        const unsigned port = port_[target].proposers.round_robin(pointers_[target].output);
        winners.set(port_[port].proposed);
    });
    return winners;
}

/// Of the virtual channels of an input port, those of classes that go first.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
unsigned PacketRouterCore<kWords, kSingleVc, kObserved>::preferred_channels(PortId port,
                                                                            unsigned vcs) const {
    const ClassPolicy& policy = classes_->policy;
    ClassMask competing = 0;
    for (unsigned left = vcs; left != 0; left &= left - 1) {
        competing |= static_cast<ClassMask>(
            1U << policy.class_of(static_cast<std::uint32_t>(__builtin_ctz(left))));
    }
    return vcs & policy.channels_of(classes_->inputs[port].preferred(competing));
}

/// Leaves those of the proposals to an output port that are of classes that go first.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::keep_preferred(PortId output) {
    const auto class_of = [this](unsigned port) {
        return classes_->policy.class_of(vc_of(port_[port].proposed));
    };
    Mask& proposers = port_[output].proposers;
    ClassMask competing = 0;
    proposers.for_each(
        [&](unsigned port) { competing |= static_cast<ClassMask>(1U << class_of(port)); });
    const ClassMask preferred = classes_->outputs[output].preferred(competing);
    proposers.for_each([&](unsigned port) {
        if ((preferred >> class_of(port) & 1) == 0) proposers.clear(port);
    });
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

/// The pointers of both ports move past the winner.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::move_pointers(unsigned i) {
    const PortId port = port_of(i);
    const PortId to = inputs_[i].port;
    pointers_[to].output = static_cast<std::uint16_t>(port + 1);
    pointers_[port].input = static_cast<std::uint16_t>(vc_of(i) + 1);
    if (!classes_) return;
    const MessageClass sender = classes_->policy.class_of(vc_of(i));
    classes_->inputs[port].sent(sender);
    classes_->outputs[to].sent(sender);
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::send(unsigned i, Cycle now) {
    Input& input = inputs_[i];
    const unsigned o = input.output;
    FlitWriter& to = outputs_[o].to;
    next_ = now + 1;  // for the flit behind it, and for whoever was not served in this cycle
    if constexpr (kObserved) report_send(i, now);
    if (to.attached()) {
        if (input.from.forward(to, now, clock_)) release(i, now);
        return;
    }
    const Flit flit = input.from.front();
    input.from.pop(now, clock_);
    if (flit.tail) release(i, now);
    ejection_->eject(flit, o - first_ejection_, now);
}

/// The same for all flits of the packet in input virtual channel `i` that go up to cycle `until`
/// and whose times are known. With one virtual channel the output is the packet's until its tail
/// goes, so each of them goes as soon as it is visible, has a credit, and the one before is gone;
/// the time stamps of both FIFOs tell, and whoever is at their other ends does not see a flit or a
/// credit before its time. The node, which is told of messages and not of times, gets a tail in its
/// own cycle.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::stream(unsigned i, Cycle now, Cycle until) {
    Input& input = inputs_[i];
    const unsigned o = input.output;
    FlitWriter& to = outputs_[o].to;
    Cycle at = std::max(now, input.free_from);
    StreamEnd end = StreamEnd::kTail;
    if (to.attached()) {
        end = input.from.stream(to, until, at, clock_, [this, i](Cycle cycle) {
            if constexpr (kObserved) report_send(i, cycle);
        });
    } else {
        // With a channel for every link a node may pass on what it is still being sent.
        if (first_endpoint_port_ != kLocalPort) until = now;
        end = input.from.stream(
            [this, i, o](const Flit& flit, Cycle cycle) {
                if constexpr (kObserved) report_send(i, cycle);
                ejection_->eject(flit, o - first_ejection_, cycle);
            },
            now, until, at, clock_);
    }
    input.free_from = at;
    if constexpr (kObserved) report_pause(o, at);
    switch (end) {
        case StreamEnd::kTail:
            release(i, at - 1);
            if (const Cycle visible = input.from.visible_from(); visible != kNever) {
                next_ = std::min(next_, std::max(at, visible));
                break;
            }
            [[fallthrough]];
        case StreamEnd::kNoFlit:
            input.from.await(sleeper(i));
            awake_.clear(i);
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
    const unsigned o = inputs_[i].output;
    if constexpr (kObserved) report_tail(o, tail);
    outputs_[o].free_from = tail + 1;
    holding_.clear(i);
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
