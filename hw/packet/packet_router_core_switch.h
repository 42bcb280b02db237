// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 3 of a cycle of our router: which inputs send, if several virtual channels share ports.
#pragma once

#include <algorithm>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {

/// Step 3: chooses one input virtual channel per switch input and per switch output from those that
/// could send. Only those that share one of these with another packet that holds or is `offered` an
/// output compete.
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

/// Takes out the inputs that would need an end of the switch which an input virtual channel keeps
/// because it streams. The stream sends, so the router looks again in the next cycle. Combined
/// allocation looks at the outputs after the inputs, so there inputs that need the output of a
/// stream propose in vain.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::yield_to_streams(const Mask& kept,
                                                                      Mask& inputs) const {
    Mask beside;
    Mask to_ports;
    kept.for_each([&](unsigned i) {
        beside |= at_same_input(inputs, i);
        if (!combined_) to_ports.set(port_of(claims_[i].output));
    });
    (inputs - kept).for_each([&](unsigned i) {
        if (beside.test(i) || to_ports.test(port_of(claims_[i].output))) inputs.clear(i);
    });
}

/// Step 3 if several inputs compete for an end of the switch; those `kept` stream.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::arbitrate(const Mask& inputs,
                                                                          const Mask& kept) {
    Mask winners = kept;
    Mask wanted;  // switch outputs with a proposal
    for (Mask left = inputs; left.any();) {
        const PortId port = port_of(left.first());
        const unsigned first = port << stride_log2_;
        auto bits = static_cast<unsigned>(left.field(first, stride_));
        left.clear_field(first, stride_);
        if (has_input_speedup_) {
            propose_each(first, bits, wanted);
        } else {
            propose(first, first, bits, wanted);
        }
    }
    kept.for_each([this, &wanted](unsigned i) { wanted.clear(claims_[i].switch_output); });
    wanted.for_each([this, &winners](unsigned target) {
        if (classes_) keep_preferred(target);
        const SwitchOutput& output = switch_outputs_[target];
        winners.set(output.proposals.round_robin(output.pointer));
    });
    return winners;
}

/// The switch inputs of the port with first input virtual channel `first` propose some of its
/// virtual channels `bits`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::propose_each(unsigned first, unsigned bits,
                                                                  Mask& wanted) {
    while (bits != 0) {
        const SwitchInput& from = switch_inputs_[static_cast<unsigned>(__builtin_ctz(bits))];
        propose(first + from.first, first, bits & from.channels, wanted);
        bits &= ~unsigned{from.channels};
    }
}

/// Switch input `from` of that port proposes one of `bits`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::propose(unsigned from, unsigned first,
                                                                    unsigned bits, Mask& wanted) {
    if (classes_) bits = preferred_channels(from, bits);
    const unsigned after = bits & ~0U << input_pointers_[from];
    const auto vc = static_cast<unsigned>(__builtin_ctz(after != 0 ? after : bits));
    const unsigned target = claims_[first + vc].switch_output;
    Mask& proposals = switch_outputs_[target].proposals;
    proposals.keep_if(wanted.test(target));
    wanted.set(target);
    proposals.set(first + vc);
}

/// Those of the virtual channels of a switch input whose classes go first.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
unsigned PacketRouterCore<kWords, kSingleVc, kObserved>::preferred_channels(unsigned switch_input,
                                                                            unsigned vcs) const {
    const ClassPolicy& policy = classes_->policy;
    ClassMask competing = 0;
    for (unsigned left = vcs; left != 0; left &= left - 1) {
        competing |= static_cast<ClassMask>(
            1U << policy.class_of(static_cast<std::uint32_t>(__builtin_ctz(left))));
    }
    return vcs & policy.channels_of(classes_->inputs[switch_input].preferred(competing));
}

/// Leaves those of the proposals to a switch output that are of classes that go first.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::keep_preferred(unsigned output) {
    const auto class_of = [this](unsigned i) { return classes_->policy.class_of(vc_of(i)); };
    Mask& proposals = switch_outputs_[output].proposals;
    ClassMask competing = 0;
    proposals.for_each([&](unsigned i) { competing |= static_cast<ClassMask>(1U << class_of(i)); });
    const ClassMask preferred = classes_->outputs[output].preferred(competing);
    proposals.for_each([&](unsigned i) {
        if ((preferred >> class_of(i) & 1) == 0) proposals.clear(i);
    });
}

}  // namespace flitscope::hw
