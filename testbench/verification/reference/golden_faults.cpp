// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes of the golden model's network while it runs: which packets are lost, and their remains.
#include <deque>
#include <optional>
#include <utility>

#include "models/fabric/faulted_network.h"
#include "models/topology/link.h"
#include "testbench/verification/reference/golden_network.h"

namespace flitscope {

/// Whether the packet may keep a channel that it has, when the network becomes `later`.
bool GoldenNetwork::fits(const FaultedNetwork& later, std::size_t packet, ChannelId channel,
                         std::uint32_t vc) const {
    const GoldenPacketState& state = packets_[packet];
    if (!later.graph.is_alive(state.source) || !later.graph.is_alive(state.destination)) {
        return false;
    }
    if (channel >= graph_.link_count()) return true;
    const Link& link = graph_.link(channel);
    if (later.graph.out_link(link.from, link.from_port) == kNoLink) return false;
    const RouteChoice choice = later.routing->route(link.from, state.destination);
    return choice.port == link.from_port && (choice.virtual_channels >> vc & 1U) != 0;
}

std::uint64_t GoldenNetwork::change(const FaultedNetwork& later, Cycle now) {
    for (ChannelId id = 0; id < channels_.size(); ++id) {
        for (std::uint32_t vc = 0; vc < channels_[id].fifos.size(); ++vc) {
            for (const StoredFlit& stored : channels_[id].fifos[vc].flits) {
                const std::size_t packet = stored.flit.packet;
                if (!fits(later, packet, id, vc)) packets_[packet].is_lost = true;
            }
        }
    }
    for (const Router& router : routers_) {
        for (std::size_t output = 0; output < router.taken.size(); ++output) {
            if (!router.taken[output]) continue;
            const ChannelId channel = router.out_channels[output / virtual_channels_].value();
            const auto vc = static_cast<std::uint32_t>(output % virtual_channels_);
            const std::size_t packet = *router.taken[output];
            if (!fits(later, packet, channel, vc)) packets_[packet].is_lost = true;
        }
    }

    std::uint64_t flits = 0;
    for (Channel& channel : channels_) {
        for (Fifo& fifo : channel.fifos) {
            std::deque<StoredFlit> kept;
            for (const StoredFlit& stored : fifo.flits) {
                if (!packets_[stored.flit.packet].is_lost) {
                    kept.push_back(stored);
                    continue;
                }
                fifo.free_slots.push_back(now + channel.credit_delay);
                ++flits;
            }
            fifo.flits = std::move(kept);
        }
    }
    for (Router& router : routers_) {
        for (std::size_t input = 0; input < router.held.size(); ++input) {
            if (!router.held[input]) continue;
            const OutputVc held = *router.held[input];
            std::optional<std::size_t>& packet =
                router.taken[held.port * virtual_channels_ + held.vc];
            if (!packets_[packet.value()].is_lost) continue;
            packet.reset();
            router.held[input].reset();
            router.streaming[input] = false;
        }
    }
    routing_ = later.routing.get();
    return flits;
}

}  // namespace flitscope
