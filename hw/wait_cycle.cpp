// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom: finds packets that can never move again, in a fabric that has come to rest
// or in one that still runs elsewhere.
#include <cstdint>
#include <vector>

#include "hw/fabric.h"

namespace flitscope::hw {
namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;

/// The FIFOs of a fabric and what the packet at the front of each waits for. A FIFO can advance
/// when one of its alternatives can; what is left when everything that can advance is crossed off
/// is deadlocked.
struct WaitGraph {
    struct Fifo {
        bool waits = false;  // else empty, or free to move
        std::uint64_t header = 0;
        ChannelId wants = 0;
        bool granted = false;
        std::vector<std::uint32_t> alternatives;  // FIFOs any of which would have to advance
    };
    std::vector<Fifo> fifos;

    std::vector<std::uint32_t> deadlocked_cycle() const {
        std::vector<bool> stuck(fifos.size());
        std::vector<std::vector<std::uint32_t>> waiters(fifos.size());
        std::vector<std::uint32_t> free;
        for (std::uint32_t f = 0; f < fifos.size(); ++f) {
            stuck[f] = fifos[f].waits;
            if (!stuck[f]) free.push_back(f);
            for (const std::uint32_t other : fifos[f].alternatives) waiters[other].push_back(f);
        }
        while (!free.empty()) {
            const std::uint32_t f = free.back();
            free.pop_back();
            for (const std::uint32_t waiter : waiters[f]) {
                if (!stuck[waiter]) continue;
                stuck[waiter] = false;
                free.push_back(waiter);
            }
        }
        for (std::uint32_t f = 0; f < fifos.size(); ++f) {
            if (stuck[f]) return walk(f);
        }
        return {};
    }

private:
    /// Every stuck FIFO waits for stuck ones only, so walking from one must come round.
    std::vector<std::uint32_t> walk(std::uint32_t start) const {
        std::vector<std::uint32_t> path;
        std::vector<std::uint32_t> seen_at(fifos.size(), kNobody);
        std::uint32_t f = start;
        while (seen_at[f] == kNobody) {
            seen_at[f] = static_cast<std::uint32_t>(path.size());
            path.push_back(f);
            f = fifos[f].alternatives.front();
        }
        path.erase(path.begin(), path.begin() + seen_at[f]);
        return path;
    }
};

}  // namespace

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
                fifo.wants = out;
                fifo.granted = true;
                fifo.alternatives.push_back(out * vcs + status.out_vc);
            } else {
                fifo.wants = status.port == kLocalPort ? map_.ejection(node)
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
            fifo.header = status.header;
        });
    }
    std::vector<WaitingPacket> cycle;
    for (const std::uint32_t f : graph.deadlocked_cycle()) {
        const WaitGraph::Fifo& fifo = graph.fifos[f];
        cycle.push_back({packets_.message_of(fifo.header), f / vcs, fifo.wants, fifo.granted});
    }
    return cycle;
}

}  // namespace flitscope::hw
