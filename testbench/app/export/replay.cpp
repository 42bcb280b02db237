// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/replay.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "hw/common/flit.h"
#include "models/config/packet_format.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/cosim.h"
#include "testbench/app/compare/run_record.h"
#include "testbench/app/run/engines.h"

namespace flitscope {
namespace {

/// A cycle in which a channel sends a flit, and on which virtual channel.
struct Sending {
    Cycle cycle = 0;
    std::uint32_t vc = 0;
};

/// Notes every flit of the injection and ejection channels.
class EndpointRecorder final : public ChannelObserver {
public:
    EndpointRecorder(const Graph& graph, std::uint32_t virtual_channels)
        : map_(graph),
          vcs_(virtual_channels),
          open_(std::size_t{map_.count()} * vcs_, kNever),
          sendings_(map_.count()) {}

    void on_grant(ChannelId, std::uint32_t, const Message&, Cycle) override {}
    void on_release(ChannelId, std::uint32_t, Cycle) override {}
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId, std::uint32_t,
                       Cycle cycle) override {
        if (!map_.is_link(channel)) open_[std::size_t{channel} * vcs_ + vc] = cycle;
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        if (map_.is_link(channel)) return;
        const Cycle first = std::exchange(open_[std::size_t{channel} * vcs_ + vc], kNever);
        for (Cycle at = first; at < cycle; ++at) sendings_[channel].push_back({at, vc});
    }

    /// The sendings of a channel, in the order of the cycles. The run ended in cycle `end`.
    const std::vector<Sending>& sorted(ChannelId channel, Cycle end) {
        for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
            if (open_[std::size_t{channel} * vcs_ + vc] != kNever) {
                on_send_end(channel, vc, end);
            }
        }
        std::vector<Sending>& all = sendings_[channel];
        std::sort(all.begin(), all.end(),
                  [](const Sending& a, const Sending& b) { return a.cycle < b.cycle; });
        return all;
    }

private:
    ChannelMap map_;
    std::uint32_t vcs_;
    std::vector<Cycle> open_;
    std::vector<std::vector<Sending>> sendings_;
};

void require(bool condition) {
    if (!condition) throw std::logic_error("channels and packets of the run do not agree");
}

/// The flits of a packet at one end of the network.
class PacketFlits {
public:
    PacketFlits(const PacketRecord& record, const PacketFormat& format)
        : header_({record.message.destination, record.message.source,
                   static_cast<std::uint32_t>(record.sequence),
                   record.index + 1 < format.packets(record.message.bytes)}),
          words_(header_.pack()),
          flits_(record.flits),
          begin_(record.begin) {}

    FlitEvent event(std::uint64_t position, NodeId node, Sending sending) const {
        FlitEvent event;
        event.cycle = sending.cycle;
        event.node = node;
        event.source = header_.source;
        event.destination = header_.destination;
        event.packet = header_.sequence;
        event.more = header_.more;
        event.begin = begin_;
        event.position = position;
        event.vc = sending.vc;
        event.head = position == 0;
        event.tail = position + 1 == flits_;
        event.word = position == 0 ? header_.pack() : words_.word(position);
        return event;
    }

private:
    hw::Header header_;
    hw::PayloadWords words_;
    std::uint64_t flits_;
    Cycle begin_;
};

/// Adds the flits of the packets of a node to `events`. They may alternate on its channel, but not
/// on one virtual channel. `head` and `tail` are the cycles of a packet on this channel.
void add_flits(const std::vector<const PacketRecord*>& packets, const PacketFormat& format,
               Cycle PacketRecord::*head, Cycle PacketRecord::*tail, NodeId node,
               const std::vector<Sending>& sendings, std::vector<FlitEvent>& events) {
    const std::size_t before = events.size();
    for (const PacketRecord* const packet : packets) {
        const PacketFlits flits(*packet, format);
        auto at = std::lower_bound(
            sendings.begin(), sendings.end(), packet->*head,
            [](const Sending& sending, Cycle cycle) { return sending.cycle < cycle; });
        require(at != sendings.end() && at->cycle == packet->*head);
        const std::uint32_t vc = at->vc;
        for (std::uint64_t i = 0; i < packet->flits; ++i, ++at) {
            while (at != sendings.end() && at->vc != vc) ++at;
            require(at != sendings.end());
            events.push_back(flits.event(i, node, *at));
        }
        require(events.back().cycle == packet->*tail);
    }
    require(events.size() - before == sendings.size());
}

void sort_events(std::vector<FlitEvent>& events) {
    std::sort(events.begin(), events.end(), [](const FlitEvent& a, const FlitEvent& b) {
        return std::tie(a.cycle, a.node) < std::tie(b.cycle, b.node);
    });
}

}  // namespace

SimulationResult record_replay(const Machine& machine, const SimulationOptions& options,
                               Replay& replay) {
    const Machine reference = all_systemc(machine);
    EndpointRecorder channels(reference.graph, reference.config.fabric.virtual_channels);
    PacketRecorder packets;
    SimulationOptions observed = options;
    observed.channels = &channels;
    observed.packets = &packets;
    SimulationResult result = simulate(reference, reference_engine().name, observed);
    if (result.verdict != Verdict::kComplete) return result;
    const ChannelMap map(reference.graph);
    const PacketFormat format = reference.config.packet_format();
    const NodeId nodes = reference.graph.node_count();
    std::vector<std::vector<const PacketRecord*>> from(nodes);
    std::vector<std::vector<const PacketRecord*>> to(nodes);
    for (const PacketRecord& packet : packets.sorted()) {
        from[packet.message.source].push_back(&packet);
        to[packet.message.destination].push_back(&packet);
        replay.last_cycle = std::max(replay.last_cycle, packet.tail_delivered);
        ++replay.packets;
    }
    for (NodeId node = 0; node < nodes; ++node) {
        const Cycle end = result.simulated_cycles;
        add_flits(from[node], format, &PacketRecord::head_injected, &PacketRecord::tail_injected,
                  node, channels.sorted(map.injection(node), end), replay.injected);
        add_flits(to[node], format, &PacketRecord::head_delivered, &PacketRecord::tail_delivered,
                  node, channels.sorted(map.ejection(node), end), replay.delivered);
    }
    sort_events(replay.injected);
    sort_events(replay.delivered);
    return result;
}

}  // namespace flitscope
