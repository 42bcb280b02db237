// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 3 of a cycle of our router: which inputs send, if several virtual channels share ports.
#pragma once

#include <algorithm>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {

/// Step 3: chooses one input per input port and per output port from those that could send. Only
/// inputs that share a port with another packet that holds or is `offered` an output compete.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::allocate_switch(
    const Mask& ready, const Mask& offered, Cycle now) {
    Mask could = ready;
    could |= offered;
    Mask competing = offered.any() ? could : could & shared_;
    if (competing.at_most_one()) return could;
    const Mask free = could - competing;
    Mask kept;
    if (hold_ && streaming_until_ == now) {
        kept = competing & streaming_;
        yield_to_streams(kept, competing);
    }
    Mask winners = arbitrate(competing, kept);
    winners |= free;
    return winners;
}

/// Takes out the inputs that would need a port which an input virtual channel keeps because it
/// streams. The stream sends, so the router looks again in the next cycle. Combined allocation
/// looks at the outputs after the inputs, so there inputs that need the output of a stream propose
/// in vain.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::yield_to_streams(const Mask& kept,
                                                                      Mask& inputs) const {
    Mask from_ports;
    Mask to_ports;
    kept.for_each([&](unsigned i) {
        from_ports.set(port_of(i));
        if (!combined_) to_ports.set(port_of(claims_[i].output));
    });
    (inputs - kept).for_each([&](unsigned i) {
        if (from_ports.test(port_of(i)) || to_ports.test(port_of(claims_[i].output))) {
            inputs.clear(i);
        }
    });
}

/// Step 3 if several inputs compete for a port; those `kept` stream.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::arbitrate(const Mask& inputs,
                                                                          const Mask& kept) {
    Mask winners = kept;
    Mask wanted;  // output ports with a proposal
    for (Mask left = inputs; left.any();) {
        const PortId port = port_of(left.first());
        const unsigned first = port << stride_log2_;
        auto bits = static_cast<unsigned>(left.field(first, stride_));
        left.clear_field(first, stride_);
        if (classes_) bits = preferred_channels(port, bits);
        const unsigned after = bits & ~0U << pointers_[port].input;
        const auto vc = static_cast<unsigned>(__builtin_ctz(after != 0 ? after : bits));
        port_[port].proposed = first + vc;
        const PortId target = claims_[first + vc].port;
        port_[target].proposers.keep_if(wanted.test(target));
        wanted.set(target);
        port_[target].proposers.set(port);
    }
    kept.for_each([this, &wanted](unsigned i) { wanted.clear(claims_[i].port); });
    wanted.for_each([this, &winners](unsigned target) {
        if (classes_) keep_preferred(target);
        const unsigned port = port_[target].proposers.round_robin(pointers_[target].output);
        winners.set(port_[port].proposed);
    });
    return winners;
}

/// Those of the virtual channels of an input port whose classes go first.
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
