// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cycle-accurate fabric in parts that several threads tick (hw/README.md, "Threads").
#include <algorithm>
#include <stdexcept>

#include "hw/packet/fabric.h"
#include "models/topology/partition.h"

namespace flitscope::hw {
namespace {

/// The minimum routers per part that keep a thread busy in a cycle: a verilated one takes ten times
/// as long as ours.
constexpr std::uint32_t kWorthRouters = 128;
constexpr std::uint32_t kWorthRtlRouters = 32;

/// Puts what happened in a cycle in the order in which one thread ticks the modules, whose numbers
/// `number_of` gives.
template <class Told, class NumberOf>
void sort_by_module(std::vector<Told>& told, const NumberOf& number_of) {
    std::stable_sort(told.begin(), told.end(), [&number_of](const Told& a, const Told& b) {
        return number_of(a.interface->number()) < number_of(b.interface->number());
    });
}

}  // namespace

/// Whether modules of different routers share nothing in a cycle but FIFOs and deferred events.
bool CycleFabric::can_be_split(const FabricOptions& options) const {
    // All parts share the books of lost packets, and perhaps state inside foreign models; and a
    // trace of inner signals is written in order.
    const bool is_foreign = rtl_.count() != 0 && rtl_.variant().is_foreign();
    return !transmissions_ && !is_foreign && options.inner_signals == nullptr;
}

std::vector<std::uint32_t> CycleFabric::find_parts(const FabricOptions& options) const {
    if (!can_be_split(options)) return {};
    if (!options.parts.empty()) return options.parts;
    const std::uint32_t worth =
        rtl_.count() * 2 > graph_.router_count() ? kWorthRtlRouters : kWorthRouters;
    const std::uint32_t parts = std::min(options.threads, graph_.router_count() / worth);
    if (parts < 2) return {};
    return partition(graph_, parts);
}

void CycleFabric::split(const FabricOptions& options) {
    part_of_ = find_parts(options);
    std::uint32_t parts = 1;
    if (!part_of_.empty()) {
        if (part_of_.size() != graph_.router_count()) {
            throw std::invalid_argument("CycleFabric: a part for every router");
        }
        parts = *std::max_element(part_of_.begin(), part_of_.end()) + 1;
        packets_.share();
    } else if (channel_observer_ == nullptr) {
        return;  // nothing is put off
    }
    clock_.split(
        parts, options.threads, [this] { return settle(); },
        options.parts.empty() ? ClockDomain::kWorthCalling : 0);
    for (std::uint32_t part = 0; part < parts; ++part) {
        outboxes_.push_back(std::make_unique<PartitionOutbox>());
    }
}

/// Tells nodes and observers what happened in the cycle. Returns the next one of which something is
/// known already.
Cycle CycleFabric::settle() {
    const Cycle now = clock_.now();
    Cycle next = kNever;
    for (const auto& outbox : outboxes_) {
        if (channel_observer_ != nullptr) outbox->tell(*channel_observer_, now);
        next = std::min(next, outbox->next_event(now));
        outbox->empty_into(arriving_, arrived_, injected_);
    }
    // Routers are ticked before interfaces.
    const auto router_of = [this](NodeId node) { return graph_.router_of(node).number(); };
    sort_by_module(arriving_, router_of);
    for (const PartitionOutbox::Arrived& told : arriving_) {
        told.interface->begin_arrival(*told.arrival, told.cycle);
    }
    sort_by_module(arrived_, router_of);
    for (const PartitionOutbox::Arrived& told : arrived_) {
        told.interface->end_arrival(*told.arrival, told.cycle);
    }
    sort_by_module(injected_, [](NodeId node) { return node; });
    for (const PartitionOutbox::Injected& told : injected_) {
        told.interface->end_injection(told.message, told.cycle);
    }
    arriving_.clear();
    arrived_.clear();
    injected_.clear();
    return next;
}

}  // namespace flitscope::hw
