// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/circuit/circuit_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "models/config/workload_config.h"
#include "models/fabric/switching.h"
#include "models/fabric/wait_graph.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope::hw {

CircuitFabric::CircuitFabric(sc_core::sc_module_name name, const WorkloadConfig& config,
                             const Graph& graph, const Routing& routing,
                             const FabricOptions& options)
    : sc_module(name),
      ClockedFabric(config.clock_ns, options.scan_order),
      graph_(graph),
      map_(graph),
      packets_(graph.node_count()) {
    require_circuits(config, routing);
    create_routers(options, routing);
    create_links(config.fabric.setup_delay);
    create_interfaces(config, options);
}

void CircuitFabric::create_routers(const FabricOptions& options, const Routing& routing) {
    const PortId ports = graph_.port_count();
    routers_.reserve(graph_.node_count());
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        CircuitRouterConfig router;
        router.node = node;
        router.inputs.assign(ports, false);
        router.outputs.assign(ports, true);
        for (PortId port = 1; port < ports; ++port) {
            router.inputs[port] = graph_.in_link(node, port) != kNoLink;
            router.outputs[port] = graph_.out_link(node, port) != kNoLink;
        }
        ChannelProbe probe;
        if (options.channels != nullptr) {
            probe.observer = options.channels;
            probe.packets = &packets_;
            probe.out.assign(ports, map_.ejection(node));
            for (PortId port = 1; port < ports; ++port) {
                probe.out[port] = graph_.out_link(node, port);
            }
        }
        routers_.push_back(std::make_unique<CircuitRouter>(
            graph_.node_name("router", node).c_str(), router, routing, clock_, std::move(probe)));
    }
}

void CircuitFabric::create_links(std::uint32_t setup_delay) {
    links_.reserve(graph_.link_count());
    for (LinkId id = 0; id < graph_.link_count(); ++id) {
        const Link& link = graph_.link(id);
        links_.push_back(
            std::make_unique<CircuitLink>(graph_.link_name(id).c_str(), setup_delay, link.delay));
        CircuitRouter& from = *routers_[link.from];
        CircuitRouter& to = *routers_[link.to];
        from.out[link.from_port].bind(*links_.back());
        links_.back()->to.bind(to.input(link.to_port));
        to.in[link.to_port].bind(*links_.back());
        links_.back()->from.bind(from.output(link.from_port));
    }
}

void CircuitFabric::create_interfaces(const WorkloadConfig& config, const FabricOptions& options) {
    interfaces_.reserve(graph_.node_count());
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        NetworkInterfaceConfig interface;
        interface.node = node;
        interface.format = config.packet_format();
        interface.send_overhead = config.node.send_overhead;
        const InterfaceObservers observers{options.channels, options.packets, map_.injection(node)};
        interfaces_.push_back(std::make_unique<CircuitInterface>(
            graph_.node_name("interface", node).c_str(), interface, clock_, packets_, observers));
        CircuitRouter& router = *routers_[node];
        for (std::uint32_t wire = 0; wire < kInjectionWires; ++wire) {
            interfaces_.back()->injection_wires[wire].bind(router.injection_input(wire));
            router.injection_wires[wire].bind(interfaces_.back()->injection_wire_source(wire));
        }
        router.out[kLocalPort].bind(*interfaces_.back());
        interfaces_.back()->arriving.bind(router.output(kLocalPort));
    }
}

void CircuitFabric::attach(NodeId node, MessageListener& listener) {
    interfaces_[node]->node.bind(listener);
}

Cycle CircuitFabric::cycles_of_moves() const {
    Cycle end = 0;
    for (const auto& router : routers_) {
        if (router->taken() != 0) end = std::max(end, router->last_move() + 1);
    }
    return end;
}

std::uint64_t CircuitFabric::flits_sent(ChannelId channel) const {
    if (map_.is_link(channel)) {
        const Link& link = graph_.link(channel);
        return routers_[link.from]->passed(link.from_port);
    }
    const CircuitInterface& interface = *interfaces_[map_.node(channel)];
    return map_.is_injection(channel) ? interface.flits_injected() : interface.flits_ejected();
}

std::vector<std::string> CircuitFabric::broken_invariants(bool drained) const {
    std::vector<std::string> broken;
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        const CircuitRouter& router = *routers_[node];
        std::uint64_t sent = flits_sent(map_.ejection(node));
        std::uint64_t came = flits_sent(map_.injection(node));
        for (PortId port = 1; port < graph_.port_count(); ++port) {
            if (graph_.out_link(node, port) != kNoLink) sent += router.passed(port);
            if (const LinkId in = graph_.in_link(node, port); in != kNoLink) came += flits_sent(in);
        }
        if (router.taken() != came || router.taken() != sent + router.held()) {
            broken.push_back(fmt::format("{} was sent {} flits, took {}, sent {} and holds {}",
                                         router.name(), came, router.taken(), sent, router.held()));
        }
        if (!drained) continue;
        if (router.occupied() != 0) {
            broken.push_back(fmt::format("{} still has {} outputs in use or asked for",
                                         router.name(), router.occupied()));
        }
        if (interfaces_[node]->pending() != 0) {
            broken.push_back(fmt::format("{} still has {} messages to send",
                                         interfaces_[node]->name(), interfaces_[node]->pending()));
        }
    }
    if (drained && packets_.in_flight() != 0) {
        broken.push_back(fmt::format("{} messages never arrived", packets_.in_flight()));
    }
    return broken;
}

/// Only a header that has stopped makes others wait for ever: a path that is complete is used as
/// soon as its sender has sent the message before, whose path is complete as well.
std::vector<WaitingPacket> CircuitFabric::find_deadlock() const {
    WaitGraph graph;
    graph.fifos.resize(map_.count());
    std::unordered_map<std::uint64_t, ChannelId> stops_at;
    std::vector<std::pair<ChannelId, std::uint64_t>> holders;
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        for (const CircuitRouter::Waiting& header : routers_[node]->waiting(clock_.now())) {
            const ChannelId at = header.in_port == kLocalPort
                                     ? map_.injection(node)
                                     : ChannelId{graph_.in_link(node, header.in_port)};
            WaitingPacket& packet = graph.fifos[at].packet;
            packet.message = packets_.message_of(header.header);
            packet.at = at;
            packet.wants = header.out_port == kLocalPort
                               ? map_.ejection(node)
                               : ChannelId{graph_.out_link(node, header.out_port)};
            stops_at[header.header] = at;
            holders.emplace_back(at, header.holder);
        }
    }
    for (const auto& [at, holder] : holders) {
        const auto found = stops_at.find(holder);
        if (found == stops_at.end()) continue;
        graph.fifos[at].waits = true;
        graph.fifos[at].alternatives.push_back(found->second);
    }
    return graph.deadlocked_cycle();
}

}  // namespace flitscope::hw
