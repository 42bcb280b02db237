// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the packet at the front of each FIFO of the fabric waits for.
#include "models/fabric/wait_graph.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/packet/fabric.h"

namespace flitscope::hw {

std::vector<WaitingPacket> CycleFabric::find_deadlock() const {
    const std::uint32_t vcs = virtual_channels_;
    // FIFO number: channel * vcs + vc, for links and injection channels.
    WaitGraph graph;
    graph.fifos.resize(channels_.size() * vcs);
    struct Input {
        std::uint32_t fifo;
        PortId port;
        std::uint32_t vc;
        InputStatus status;
    };
    std::vector<Input> inputs;
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        inputs.clear();
        for (PortId port = 0; port < graph_.router_port_count(); ++port) {
            if (input_channel(node, port) == nullptr) continue;
            for (std::uint32_t vc = 0; vc < vcs; ++vc) {
                inputs.push_back({channel_into(node, port) * vcs + vc, port, vc,
                                  routers_[node]->core().input_status(port, vc)});
            }
        }
        const auto is_empty = [&](std::uint32_t f) {
            return channels_[f / vcs]->buffers()[f % vcs].empty();
        };
        const auto room_in = [&](std::uint32_t f) {
            const FlitBuffer& fifo = channels_[f / vcs]->buffers()[f % vcs];
            return fifo.depth() - (fifo.pushed() - fifo.popped());
        };
        // Where packets are passed on as a whole: the most credits that any head here waits for.
        // Whoever is next for an output waits for as many as it needs itself, and the others for
        // it.
        std::uint64_t wanted_room = 1;
        for (const Input& input : inputs) {
            if (!whole_packets_ || input.status.state != InputStatus::State::kRequesting) continue;
            const std::uint32_t packet = packets_.find(input.status.header);
            wanted_room = std::max(wanted_room, packets_[packet].flits_injected);
        }
        /// What has to advance before `choice` can be had; false when nothing has to.
        const auto add_obstacles = [&](const RouteChoice& choice, bool empty_only,
                                       std::vector<std::uint32_t>& obstacles) {
            std::uint32_t open = choice.virtual_channels & ((1U << vcs) - 1);
            for (const Input& holder : inputs) {
                if (holder.status.state != InputStatus::State::kSending) continue;
                if (holder.status.port != choice.port) continue;
                if ((choice.virtual_channels >> holder.status.out_vc & 1) == 0) continue;
                open &= ~(1U << holder.status.out_vc);
                obstacles.push_back(holder.fifo);
            }
            for (std::uint32_t vc = 0; vc < vcs; ++vc) {
                if ((open >> vc & 1) == 0) continue;
                const std::uint32_t behind = channel_from(node, choice.port) * vcs + vc;
                const bool lacks_room = whole_packets_ &&
                                        !map_.is_ejection(channel_from(node, choice.port)) &&
                                        room_in(behind) < wanted_room;
                if (!lacks_room && (!empty_only || is_empty(behind))) return false;
                obstacles.push_back(behind);
            }
            return true;
        };
        for (const Input& input : inputs) {
            const InputStatus& status = input.status;
            if (status.state == InputStatus::State::kIdle || is_empty(input.fifo)) continue;
            WaitGraph::Fifo& fifo = graph.fifos[input.fifo];
            if (status.state == InputStatus::State::kSending) {
                const ChannelId out = channel_from(node, status.port);
                if (map_.is_ejection(out)) continue;
                if (!channels_[out]->buffers()[status.out_vc].full()) continue;
                fifo.packet.wants = out;
                fifo.packet.granted = true;
                fifo.alternatives.push_back(out * vcs + status.out_vc);
            } else {
                const RouteChoices choices =
                    routers_[node]->choices(input.port, input.vc, status.header);
                bool waits = true;
                for (std::size_t c = 0; waits && c < choices.size(); ++c) {
                    const bool empty_only = choices.has_escape() && c < choices.escape();
                    waits = add_obstacles(choices[c], empty_only, fifo.alternatives);
                }
                if (!waits) {  // the next cycle grants it
                    fifo.alternatives.clear();
                    continue;
                }
                fifo.packet.wants = channel_from(node, choices[0].port);
            }
            fifo.waits = true;
            fifo.packet.at = input.fifo / vcs;
            fifo.packet.message = packets_.message_of(status.header);
        }
    }
    return graph.deadlocked_cycle();
}

}  // namespace flitscope::hw
