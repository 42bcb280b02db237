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
      map_(ChannelMap::of_one_plane(graph)),
      packets_(graph.node_count()) {
    require_circuits(config, routing);
    create_routers(options, routing);
    create_links(config.fabric.setup_delay);
    create_interfaces(config, options);
}

void CircuitFabric::create_routers(const FabricOptions& options, const Routing& routing) {
    const PortId ports = graph_.port_count();
    routers_.reserve(graph_.router_count());
    for (RouterId router; router < graph_.router_count(); ++router) {
        CircuitRouterConfig config;
        config.router = router;
        config.local_ports = graph_.local_ports();
        ChannelProbe probe;
        probe.observer = options.channels;
        probe.packets = &packets_;
        for (PortId port = 0; port < ports; ++port) {
            config.inputs.push_back(map_.into(router, port) != kNoChannel);
            config.outputs.push_back(map_.from(router, port) != kNoChannel);
            if (options.channels != nullptr) probe.out.push_back(map_.from(router, port));
        }
        routers_.push_back(std::make_unique<CircuitRouter>(
            graph_.router_name(router).c_str(), config, routing, clock_, std::move(probe)));
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
        const std::uint32_t input = to.input_number(link.to_port);
        links_.back()->to.bind(to.input(input));
        to.in[input].bind(*links_.back());
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
        CircuitRouter& router = *routers_[graph_.router_of(node)];
        const PortId port = graph_.local_port(node);
        for (std::uint32_t wire = 0; wire < kInjectionWires; ++wire) {
            const std::uint32_t input = router.input_number(port, wire);
            interfaces_.back()->injection_wires[wire].bind(router.input(input));
            router.in[input].bind(interfaces_.back()->injection_wire_source(wire));
        }
        router.out[port].bind(*interfaces_.back());
        interfaces_.back()->arriving.bind(router.output(port));
    }
}

void CircuitFabric::attach(NodeId node, MessageListener& listener) {
    interfaces_[node]->attach(listener);
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

void CircuitFabric::check_router(RouterId router, bool drained,
                                 std::vector<std::string>& broken) const {
    const CircuitRouter& module = *routers_[router];
    std::uint64_t sent = 0;
    std::uint64_t came = 0;
    for (PortId port = 0; port < graph_.port_count(); ++port) {
        const ChannelId in = map_.into(router, port);
        const ChannelId out = map_.from(router, port);
        if (in != kNoChannel) came += flits_sent(in);
        if (out != kNoChannel) sent += flits_sent(out);
    }
    if (module.taken() != came || module.taken() != sent + module.held()) {
        broken.push_back(fmt::format("{} was sent {} flits, took {}, sent {} and holds {}",
                                     module.name(), came, module.taken(), sent, module.held()));
    }
    if (drained && module.occupied() != 0) {
        broken.push_back(fmt::format("{} still has {} outputs in use or asked for", module.name(),
                                     module.occupied()));
    }
}

std::vector<std::string> CircuitFabric::broken_invariants(bool drained) const {
    std::vector<std::string> broken;
    for (RouterId router; router < graph_.router_count(); ++router) {
        check_router(router, drained, broken);
        for (const NodeId node : graph_.nodes_at(router)) {
            const CircuitInterface& interface = *interfaces_[node];
            if (!drained || interface.pending() == 0) continue;
            broken.push_back(fmt::format("{} still has {} messages to send", interface.name(),
                                         interface.pending()));
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
    for (RouterId router; router < graph_.router_count(); ++router) {
        for (const CircuitRouter::Waiting& header : routers_[router]->waiting(clock_.now())) {
            const ChannelId at = map_.into(router, header.in_port);
            WaitingPacket& packet = graph.fifos[at].packet;
            packet.message = packets_.message_of(header.header);
            packet.at = at;
            packet.wants = map_.from(router, header.out_port);
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
