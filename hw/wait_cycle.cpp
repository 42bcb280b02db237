// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the packet at the front of each FIFO of the fabric waits for.
#include "models/fabric/wait_graph.h"

#include <cstdint>
#include <vector>

#include "hw/fabric.h"

namespace flitscope::hw {

std::vector<WaitingPacket> CycleFabric::wait_cycle() const {
    const std::uint32_t vcs = virtual_channels_;
    // FIFO number: channel * vcs + vc, for links and injection channels.
    WaitGraph graph;
    graph.fifos.resize(channels_.size() * vcs);
    const auto channel_into = [this](NodeId node, PortId port) {
        return port == kLocalPort ? map_.injection(node) : ChannelId{graph_.in_link(node, port)};
    };
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        const RouterPipeline& pipeline = routers_[node]->pipeline();
        const auto each_input = [&](auto&& visit) {
            for (PortId port = 0; port < graph_.port_count(); ++port) {
                if (input_channel(node, port) == nullptr) continue;
                for (std::uint32_t vc = 0; vc < vcs; ++vc) {
                    visit(channel_into(node, port) * vcs + vc, pipeline.input_status(port, vc),
                          input_channel(node, port)->buffers()[vc]);
                }
            }
        };
        each_input([&](std::uint32_t f, const InputStatus& status, const FlitBuffer& buffer) {
            if (status.state == InputStatus::State::kIdle || buffer.empty()) return;
            WaitGraph::Fifo& fifo = graph.fifos[f];
            if (status.state == InputStatus::State::kSending) {
                if (status.port == kLocalPort) return;
                const LinkId out = graph_.out_link(node, status.port);
                if (!channels_[out]->buffers()[status.out_vc].full()) return;
                fifo.packet.wants = out;
                fifo.packet.granted = true;
                fifo.alternatives.push_back(out * vcs + status.out_vc);
            } else {
                fifo.packet.wants = status.port == kLocalPort ? map_.ejection(node)
                                                              : graph_.out_link(node, status.port);
                std::uint32_t taken = 0;
                each_input([&](std::uint32_t other, const InputStatus& holder, const FlitBuffer&) {
                    if (holder.state != InputStatus::State::kSending ||
                        holder.port != status.port ||
                        (status.allowed_vcs >> holder.out_vc & 1) == 0) {
                        return;
                    }
                    ++taken;
                    fifo.alternatives.push_back(other);
                });
                const auto allowed = static_cast<std::uint32_t>(
                    __builtin_popcount(status.allowed_vcs & ((1U << vcs) - 1)));
                if (taken < allowed) {  // a virtual channel is free: the next cycle grants it
                    fifo.alternatives.clear();
                    return;
                }
            }
            fifo.waits = true;
            fifo.packet.at = f / vcs;
            fifo.packet.message = packets_.message_of(status.header);
        });
    }
    return graph.deadlocked_cycle();
}

}  // namespace flitscope::hw
