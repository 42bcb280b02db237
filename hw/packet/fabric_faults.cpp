// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cycle-accurate fabric whose network changes while it runs (hw/TIMING.md, "Faults while
// running"). All of it happens between two cycles.
#include <algorithm>

#include "hw/packet/fabric.h"

namespace flitscope::hw {

/// The end of the last cycle of the old network is an inspection in addition to those asked for.
void CycleFabric::start(const RunControl& control) {
    if (later_ == nullptr) {
        ClockedFabric::start(control);
        return;
    }
    const Cycle last = later_->at - 1;
    RunControl both = control;
    both.first_inspection = std::min(last, control.inspect ? control.first_inspection : kNever);
    both.inspect = [this, last, inspect = control.inspect,
                    next = control.inspect ? control.first_inspection : kNever](Cycle now) mutable {
        if (now >= next) next = inspect(now);
        if (next == RunControl::kStop) return RunControl::kStop;
        if (now < last) return std::min(next, last);
        if (!transmissions_->counts.has_failed) change_network();
        return next;
    };
    ClockedFabric::start(both);
}

/// Whether the packet with this header continues, as far as that depends on its having the channel.
bool CycleFabric::stays(std::uint64_t header, ChannelId channel, std::uint32_t vc) const {
    const Header packet = Header::unpack(header);
    if (!later_->are_alive(packet.source, packet.destination)) return false;
    return !map_.is_link(channel) || later_->takes(graph_.link(channel), vc, packet.destination);
}

/// The headers of all packets that are lost.
std::unordered_set<std::uint64_t> CycleFabric::find_lost() const {
    std::unordered_set<std::uint64_t> lost;
    const auto judge = [&](std::uint64_t header, ChannelId channel, std::uint32_t vc) {
        if (!stays(header, channel, vc)) lost.insert(header);
    };
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        if (const auto header = resilient_[node]->header_being_sent()) {
            judge(*header, map_.injection(node), 0);
        }
    }
    for (RouterId router; router < graph_.router_count(); ++router) {
        const std::vector<HeldOutput> held = routers_[router]->core().held_outputs();
        for (const HeldOutput& output : held) {
            judge(output.header, map_.from(router, output.port), output.vc);
        }
        for (PortId port = 0; port < graph_.port_count(); ++port) {
            const FlitChannel* const channel = input_channel(router, port);
            if (channel == nullptr) continue;
            for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
                // Flits before the first head belong to the packet that continues from here.
                const auto holder =
                    std::find_if(held.begin(), held.end(), [&](const HeldOutput& output) {
                        return output.at.port == port && output.at.vc == vc;
                    });
                std::uint64_t of = holder == held.end() ? 0 : holder->header;
                for (const Flit& flit : channel->buffers()[vc].flits()) {
                    if (flit.head) of = flit.word;
                    judge(of, map_.into(router, port), vc);
                }
            }
        }
    }
    return lost;
}

void CycleFabric::change_network() {
    const std::unordered_set<std::uint64_t> lost = find_lost();
    const IsLost is_lost = [&lost](std::uint64_t header) { return lost.count(header) != 0; };
    LossCounts& counts = transmissions_->counts;
    const auto flits_lost = [this] {
        std::uint64_t flits = 0;
        for (const auto& channel : channels_) {
            for (const FlitBuffer& buffer : channel->buffers()) flits += buffer.lost();
        }
        return flits;
    };
    changing_routing_->change();
    transmissions_->change(*later_);
    for (const auto& router : routers_) router->core().change_network(is_lost, later_->at);
    for (ResilientInterface* const interface : resilient_) interface->change(is_lost);
    packets_.remove_if(is_lost, [&](const Packet& packet) {
        ++counts.packets_lost;
        const Message& message = packet.record.message;
        const bool is_wanted = later_->are_alive(message.source, message.destination);
        if (transmissions_->repeats() == nullptr) {
            if (is_wanted) counts.flits_forgone += packet.flits_injected;
            return;
        }
        Transmission& of = (*transmissions_)[packet.transmission];
        --of.copies;
        const bool is_last = of.copies == 0 && of.tries_left == 0 && of.delivered == kNever;
        if (is_wanted && is_last) counts.flits_forgone += packet.flits_injected;
        transmissions_->tidy(packet.transmission);
    });
    counts.flits_lost = flits_lost();
}

}  // namespace flitscope::hw
