// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 3 of a cycle of our router: who sends, where several virtual channels share ports.
#pragma once

#include <algorithm>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {

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

}  // namespace flitscope::hw
