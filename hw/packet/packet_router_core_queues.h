// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 4 of a cycle of our router with several outputs of the switch per port: the flits that were
// accepted enter the queues of output ports, whose first flits leave (hw/TIMING.md, "Switch
// outputs"). A flit knows when it leaves as soon as it enters, so the FIFO downstream gets it then,
// with the time stamp of its arrival; what is left for later is what others see of it: observers,
// and nodes. A router with one output of the switch per port has no state for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {

template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::make_queues(const RouterConfig& config) {
    queued_.reset(new Queueing{OutputQueues(ports_, std::size_t{ports_} << stride_log2_),
                               std::vector<Mask>(config.output_speedup), config.ejection_flits});
    for (PortId port = 0; port < ports_; ++port) {
        Mask& inputs = queued_->inputs[port % config.output_speedup];
        for (unsigned vc = 0; vc < vcs_; ++vc) inputs.set((port << stride_log2_) + vc);
    }
}

/// Takes out those of `inputs` that hold a virtual channel of the ejection channel at `port` of
/// which as many flits are queued as may be. One of them leaves in this cycle.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::stay_behind_full_ejections(
    PortId port, Mask& inputs) const {
    (inputs & holders_of(port)).for_each([this, &inputs](unsigned i) {
        const std::uint32_t flits = queued_->queues.flits_on(claims_[i].output);
        if (flits == queued_->ejection_flits) inputs.clear(i);
    });
}

/// Those that were granted the switch enter the queues, in the order of switch outputs.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::queue_up(const Mask& grants, Cycle now) {
    for (const Mask& inputs : queued_->inputs) {
        (grants & inputs).for_each([this, now](unsigned i) {
            move_pointers(i);
            enter_queue(i, now);
        });
    }
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::enter_queue(unsigned i, Cycle now) {
    Input& input = inputs_[i];
    const unsigned o = claims_[i].output;
    const PortId port = claims_[i].port;
    FlitWriter& to = outputs_[o].to;
    const Cycle leaves = std::max(now, paced_->free_from[port]);
    paced_->free_from[port] = leaves + paced_->cycles[port];
    const Flit flit = input.from.front();
    queued_->queues.enter(port, {flit, i, o, leaves});
    if (to.attached()) to.push(flit, leaves, clock_);
    input.from.pop(now, clock_);
    here_.clear_if(i, !input.from.visible(now));
    if (flit.tail) {
        release(i, now);
    } else if (to.attached() && !to.has_credit(now + 1)) {
        lack_credit(i);
    }
}

/// The flits whose turn it is leave the queues.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::leave_queues(Cycle now) {
    OutputQueues& queues = queued_->queues;
    for (PortId port = 0; !queues.empty() && port < ports_; ++port) {
        if (queues.empty(port)) continue;
        if (queues.front(port).leaves == now) {
            const OutputQueues::Queued leaving = queues.leave(port, now);
            if constexpr (kObserved) {
                report_send(leaving.input, leaving.output, now);
                if (leaving.flit.tail) report_queued_tail(leaving.output, now);
            }
            if (!outputs_[leaving.output].to.attached()) eject(leaving.flit, leaving.output, now);
        }
        if (!queues.empty(port)) next_ = std::min(next_, queues.front(port).leaves);
    }
}

/// A tail leaves a queue: its channel is that of the packet that was granted it in the meantime.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::report_queued_tail(unsigned o, Cycle now) {
    report_tail(o, now);
    const std::optional<Message> next = queued_->queues.deferred_grant(o);
    if (next) probe_.observer->on_grant(probe_.out[port_of(o)], vc_of(o), *next, now + 1);
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
std::uint64_t PacketRouterCore<kWords, kSingleVc, kObserved>::flits_queued(PortId output) const {
    return queued_ ? queued_->queues.size(output) : 0;
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
Cycle PacketRouterCore<kWords, kSingleVc, kObserved>::end_of_departures() const {
    return queued_ ? queued_->queues.end() : 0;
}

}  // namespace flitscope::hw
