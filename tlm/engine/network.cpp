// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "models/config/hardware_config.h"
#include "models/fabric/channel_timing.h"
#include "models/topology/graph.h"

namespace flitscope::burst {

Network::Network(const HardwareConfig& config, const Graph& graph, const Routing& routing,
                 const FabricContext& context, PacketObserver* packets, ChannelListener* listener)
    : graph_(graph),
      map_(ChannelMap::of_one_plane(graph)),
      virtual_channels_(config.fabric.virtual_channels),
      combined_(config.fabric.combines_allocation()),
      whole_packets_(config.fabric.has_packet_flow_control()),
      context_(context) {
    create_routers(config, routing);
    create_interfaces(config, packets);
    bind(listener);
}

ChannelParameters Network::parameters_of(const HardwareConfig& config, ChannelId channel) const {
    const ChannelTiming timing = ChannelTimings(config.fabric).of(graph_, channel);
    ChannelParameters parameters;
    parameters.channel = channel;
    parameters.depth = timing.depth;
    parameters.delay = timing.delay;
    parameters.credit_delay = timing.credit_delay;
    parameters.rate_cycles = timing.rate_cycles;
    return parameters;
}

void Network::create_routers(const HardwareConfig& config, const Routing& routing) {
    routers_.reserve(graph_.router_count());
    const auto parameters_at = [&](ChannelId channel) {
        return channel == kNoChannel ? std::nullopt : std::optional(parameters_of(config, channel));
    };
    for (RouterId id; id < graph_.router_count(); ++id) {
        RouterParameters router;
        router.id = id;
        router.local_ports = graph_.local_ports();
        router.virtual_channels = virtual_channels_;
        router.combined = combined_;
        router.whole_packets = whole_packets_;
        if (config.fabric.stores_packets()) router.combining_delay = config.fabric.combining_delay;
        for (PortId port = 0; port < graph_.port_count(); ++port) {
            router.inputs.push_back(parameters_at(map_.into(id, port)));
            router.outputs.push_back(parameters_at(map_.from(id, port)));
        }
        routers_.push_back(memory_.make<Router>(graph_.router_name(id).c_str(), router, routing,
                                                context_, memory_));
    }
}

void Network::create_interfaces(const HardwareConfig& config, PacketObserver* packets) {
    const Packetizer queue(config.packet_format(), config.node.send_overhead,
                           config.node.injection_bandwidth, config.node.serialize_overhead);
    interfaces_.reserve(graph_.node_count());
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        interfaces_.push_back(memory_.make<NetworkInterface>(
            graph_.node_name("interface", node).c_str(),
            parameters_of(config, map_.injection(node)), virtual_channels_, whole_packets_, queue,
            pool_, context_, memory_, packets));
    }
}

void Network::bind(ChannelListener* listener) {
    for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
        for (const Link& link : graph_.links()) {
            join(*routers_[link.from]->output(link.from_port, vc),
                 *routers_[link.to]->input(link.to_port, vc), listener);
        }
        for (NodeId node = 0; node < graph_.node_count(); ++node) {
            const NetworkInterface& interface = *interfaces_[node];
            const Router& router = *routers_[graph_.router_of(node)];
            const PortId port = graph_.local_port(node);
            join(interface.injection(vc), *router.input(port, vc), listener);
            bind(*router.output(port, vc), interface.ejection(vc), listener);
        }
    }
}

void Network::join(Sender& sender, Receiver& receiver, ChannelListener* listener) {
    if (listener != nullptr) {
        bind(sender, receiver.socket(), listener);
    } else {
        sender.join(receiver);
    }
}

void Network::bind(const Sender& sender, ReceiveSocket& receiver, ChannelListener* listener) {
    if (listener == nullptr) {
        sender.socket().bind(receiver);
        return;
    }
    const std::string name = fmt::format("monitor_{}_{}", sender.channel(), sender.vc());
    monitors_.push_back(
        std::make_unique<ChannelMonitor>(name.c_str(), sender.channel(), sender.vc(), *listener));
    sender.socket().bind(monitors_.back()->from_sender);
    monitors_.back()->to_receiver.bind(receiver);
}

const Sender& Network::sender(ChannelId channel, std::uint32_t vc) const {
    if (map_.is_injection(channel)) return interfaces_[map_.node(channel)]->injection(vc);
    if (map_.is_ejection(channel)) {
        return *routers_[map_.router(channel)]->output(map_.port(channel), vc);
    }
    const Link& link = graph_.link(channel);
    return *routers_[link.from]->output(link.from_port, vc);
}

std::uint64_t Network::flits_sent(ChannelId channel) const {
    // Between two wake-ups the flits of the cycle that was last simulated have been sent.
    const Tick behind = context_.scheduler.now() + 1;
    std::uint64_t flits = 0;
    for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
        flits += static_cast<std::uint64_t>(sender(channel, vc).flits_sent(behind));
    }
    return flits;
}

/// Calls visit(router, receiver) for every input virtual channel, in order of router, port and VC.
template <class Visit>
void Network::for_each_fifo(Visit&& visit) const {
    for (RouterId router; router < graph_.router_count(); ++router) {
        for (PortId port = 0; port < graph_.port_count(); ++port) {
            for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
                const Receiver* const receiver = routers_[router]->input(port, vc);
                if (receiver != nullptr) visit(router, *receiver);
            }
        }
    }
}

std::vector<std::string> Network::broken_invariants(bool drained) const {
    const Tick behind = context_.scheduler.now() + 1;
    std::vector<std::string> broken;
    std::vector<FlitIndex> balance(graph_.router_count(), 0);
    for_each_fifo([&](RouterId router, const Receiver& receiver) {
        const FlitIndex in = receiver.flits_in(behind);
        const FlitIndex out = receiver.flits_out(behind);
        const Sender& from = sender(receiver.channel(), receiver.vc());
        const FlitIndex sent = from.flits_sent(behind);
        balance[router] += out;
        const auto report = [&](const std::string& what) {
            broken.push_back(routers_[router]->name_of(receiver) + what);
        };
        if (in != sent) report(fmt::format(" got {} flits of {}", in, sent));
        if (out > in || in - out > from.all_credits()) {
            report(fmt::format(" holds {} flits in {} slots", in - out, from.all_credits()));
        } else if (drained && in != out) {
            report(fmt::format(" still holds {} flits, so as many credits are not home", in - out));
        }
    });
    for (RouterId router; router < graph_.router_count(); ++router) {
        for (PortId port = 0; port < graph_.port_count(); ++port) {
            for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
                const Sender* const output = routers_[router]->output(port, vc);
                if (output != nullptr) balance[router] -= output->flits_sent(behind);
            }
        }
        if (balance[router] != 0) {
            broken.push_back(fmt::format("{} took {} flits more than it sent",
                                         routers_[router]->name(), balance[router]));
        }
        for (const NodeId node : graph_.nodes_at(router)) {
            const NetworkInterface& interface = *interfaces_[node];
            if (!drained || interface.pending() == 0) continue;
            broken.push_back(fmt::format("{} still has {} messages to send", interface.name(),
                                         interface.pending()));
        }
    }
    if (drained && pool_.in_flight() != 0) {
        broken.push_back(fmt::format("{} packets never arrived", pool_.in_flight()));
    }
    return broken;
}

/// Per router, the room at the end of a free output that heads wait for. If packets are passed on
/// as a whole that is the maximum that any of them needs: the head that is next waits for it, and
/// the others for that head.
std::vector<FlitIndex> Network::wanted_room(Tick behind) const {
    std::vector<FlitIndex> room(graph_.router_count(), combined_ || whole_packets_ ? 1 : 0);
    if (!whole_packets_) return room;
    for_each_fifo([&](RouterId router, const Receiver& receiver) {
        if (!receiver.has_packet() || receiver.popper() != nullptr) return;
        if (receiver.requested_from >= behind) return;  // not there yet
        room[router] = std::max(room[router], receiver.front_flits());
    });
    return room;
}

bool Network::lacks_room(const Sender& to, FlitIndex room, Tick behind) const {
    if (map_.is_ejection(to.channel())) return false;
    const Link& link = graph_.link(to.channel());
    const Receiver& next = *routers_[link.to]->input(link.to_port, to.vc());
    return next.flits_in(behind) - next.flits_out(behind) + room > to.all_credits();
}

bool Network::waits_for_credit(const Receiver& receiver, Tick behind, WaitGraph::Fifo& fifo) const {
    const Sender& popper = *receiver.popper();
    // It moves, or waits for flits that do, or for a credit that is on its way.
    if (popper.state() == Sender::State::kSending || map_.is_ejection(popper.channel()) ||
        receiver.flits_in(behind) == receiver.flits_out(behind)) {
        return false;
    }
    if (!lacks_room(popper, 1, behind)) return false;
    fifo.packet.wants = popper.channel();
    fifo.packet.granted = true;
    fifo.alternatives.push_back(fifo_of(popper));
    return true;
}

bool Network::waits_for_choices(RouterId router, const Receiver& receiver, FlitIndex wanted,
                                Tick behind, WaitGraph::Fifo& fifo) const {
    if (receiver.requested_from >= behind) return false;  // not there yet
    RouteChoices choices;
    routers_[router]->route(receiver, choices);
    for (std::size_t c = 0; c < choices.size(); ++c) {
        const bool empty_only = choices.has_escape() && c < choices.escape();
        const Sender& output = *routers_[router]->output(choices[c].port, 0);
        const FlitIndex room = empty_only ? output.all_credits() : wanted;
        if (!waits_for_choice(router, choices[c], room, behind, fifo)) return false;
    }
    fifo.packet.wants = routers_[router]->output(choices[0].port, 0)->channel();
    return true;
}

bool Network::waits_for_choice(RouterId router, const RouteChoice& choice, FlitIndex room,
                               Tick behind, WaitGraph::Fifo& fifo) const {
    std::vector<const Receiver*> holders;
    std::vector<std::uint32_t> full;  // FIFOs of channels that no packet holds
    for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
        if ((choice.virtual_channels >> vc & 1) == 0) continue;
        const Sender& output = *routers_[router]->output(choice.port, vc);
        if (output.state() != Sender::State::kFree) {
            holders.push_back(output.source());
        } else if (lacks_room(output, room, behind)) {
            full.push_back(fifo_of(output));
        } else {
            return false;  // the next cycle grants it
        }
    }
    // The report follows the first holder, in order of their inputs.
    std::sort(holders.begin(), holders.end(),
              [](const auto* a, const auto* b) { return a->index() < b->index(); });
    for (const Receiver* const holder : holders) fifo.alternatives.push_back(fifo_of(*holder));
    fifo.alternatives.insert(fifo.alternatives.end(), full.begin(), full.end());
    return true;
}

std::vector<WaitingPacket> Network::find_deadlock() const {
    // If no event is left, flits on a wire count as arrived.
    const Tick behind = context_.scheduler.idle() ? kUnknown : context_.scheduler.now() + 1;
    const std::vector<FlitIndex> wanted = wanted_room(behind);
    WaitGraph graph;
    graph.fifos.resize(map_.first_ejection() * std::size_t{virtual_channels_});
    for_each_fifo([&](RouterId router, const Receiver& receiver) {
        if (!receiver.has_packet()) return;
        WaitGraph::Fifo& fifo = graph.fifos[fifo_of(receiver)];
        fifo.waits = receiver.popper() != nullptr
                         ? waits_for_credit(receiver, behind, fifo)
                         : waits_for_choices(router, receiver, wanted[router], behind, fifo);
        if (!fifo.waits) return;
        fifo.packet.at = receiver.channel();
        fifo.packet.message = receiver.front().record.message;
    });
    return graph.deadlocked_cycle();
}

}  // namespace flitscope::burst
