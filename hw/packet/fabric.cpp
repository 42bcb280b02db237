// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/packet/multi_port_interface.h"
#include "hw/packet/network_interface.h"
#include "hw/packet/packet_router_core.h"
#include "hw/verilated/rtl_router_core.h"
#include "models/base/powers_of_two.h"
#include "models/config/config.h"
#include "models/fabric/port_model.h"
#include "models/fabric/wait_graph.h"

namespace flitscope::hw {
namespace {

NetworkInterfaceConfig interface_config(const Config& config, NodeId node) {
    NetworkInterfaceConfig interface;
    interface.node = node;
    interface.virtual_channels = config.fabric.virtual_channels;
    interface.format = config.packet_format();
    interface.send_overhead = config.node.send_overhead;
    interface.injection_bandwidth = config.node.injection_bandwidth;
    interface.serialize_overhead = config.node.serialize_overhead;
    interface.classes = ClassPolicy(config.fabric);
    interface.reply_queue = config.traffic.reply_queue;
    interface.reply_class = config.fabric.class_named(config.traffic.reply_class);
    interface.whole_packets = config.fabric.has_packet_flow_control();
    return interface;
}

/// Credits keep a buffer from more flits than it has slots, and come home in the end.
void check_channel(const FlitChannel& channel, bool drained, std::vector<std::string>& broken) {
    for (const FlitBuffer& buffer : channel.buffers()) {
        const std::uint64_t held = buffer.pushed() - buffer.popped();
        if (held > buffer.depth()) {
            broken.push_back(
                fmt::format("{} holds {} flits in {} slots", channel.name(), held, buffer.depth()));
        } else if (drained && held != 0) {
            broken.push_back(fmt::format("{} still holds {} flits, so as many credits are not home",
                                         channel.name(), held));
        }
    }
}

}  // namespace

void require_router_size(const Config& config, PortId ports) {
    constexpr std::uint64_t kMost = BitMask<kMostMaskWords>::kBits;
    const std::uint64_t stride = next_power_of_two(config.fabric.virtual_channels);
    if (ports * stride <= kMost) return;
    throw ConfigError(
        config.where("fabric.topology"),
        fmt::format("a router of {} ports with {} virtual channel(s) is more than the clocked "
                    "router can be: {} ports in all",
                    ports, config.fabric.virtual_channels, kMost / stride),
        "use fewer virtual channels, shorter windows or more dimensions, or the TLM engine");
}

CycleFabric::CycleFabric(sc_core::sc_module_name name, const Config& config, const Graph& graph,
                         const Routing& routing, const FabricOptions& options)
    : sc_module(name),
      ClockedFabric(config.clock_ns, options.scan_order),
      graph_(graph),
      routing_(routing),
      later_(options.later),
      map_(ChannelMap::of_one_plane(graph)),
      rtl_(config, graph, routing, options.rtl_libraries),
      virtual_channels_(config.fabric.virtual_channels),
      packets_(graph.node_count()),
      channel_observer_(options.channels) {
    if (auto obstacle = port_model_obstacle(config, routing)) {
        throw ConfigError({std::move(*obstacle)});
    }
    require_router_size(config, graph.router_port_count());
    if (graph.has_per_link_endpoints()) endpoint_routing_.emplace(graph, routing);
    if (later_ != nullptr) changing_routing_.emplace(routing, *later_->routing);
    if (later_ != nullptr || config.node.retransmit) transmissions_.emplace(config.node.retransmit);
    const Routing& routes = endpoint_routing_   ? static_cast<const Routing&>(*endpoint_routing_)
                            : changing_routing_ ? *changing_routing_
                                                : routing;
    split(options);
    create_routers(config, routes, options);
    create_channels(config);
    create_interfaces(config, options);
    // Which packets are lost depends on where flits are in a cycle. Events of channels may end in
    // the cycle after the last one.
    if (options.runs_ahead && !transmissions_) {
        clock_.run_ahead(options.channels == nullptr ? kNever : PartitionOutbox::kCycles - 2);
    }
}

/// The configuration of a router; it looks up packets in packets_.
RouterConfig CycleFabric::router_config(const Config& config, RouterId router) const {
    RouterConfig result;
    result.router = router;
    const bool has_ends = graph_.has_per_link_endpoints();
    result.local = has_ends ? LocalPorts{graph_.port_count(), graph_.port_count() - 1}
                            : LocalPorts{0, graph_.local_ports()};
    const PortId ports = graph_.router_port_count();
    result.inputs.assign(ports, false);
    result.outputs.assign(ports, false);
    for (PortId port = 0; port < ports; ++port) {
        result.inputs[port] = map_.into(router, port) != kNoChannel;
        result.outputs[port] = !result.local.has(port) && map_.from(router, port) != kNoChannel;
    }
    for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
        const LinkId link = graph_.out_link(router, port);
        if (link == kNoLink || graph_.link(link).rate_cycles == 1) continue;
        result.rate_cycles.resize(ports, 1);
        result.rate_cycles[port] = graph_.link(link).rate_cycles;
    }
    result.virtual_channels = config.fabric.virtual_channels;
    result.input_speedup = config.fabric.input_speedup;
    result.output_speedup = config.fabric.output_speedup;
    if (config.fabric.has_output_queues()) {
        result.output_queue = config.fabric.output_queue;
        result.ejection_flits = config.fabric.buffer_depth;
        for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
            const LinkId link = graph_.in_link(router, port);
            if (link == kNoLink) continue;
            const std::uint32_t cycles = result.output_queue * graph_.link(link).rate_cycles;
            result.longest_queueing = std::max(result.longest_queueing, cycles);
        }
    }
    result.hold_switch = config.fabric.holds_switch();
    result.combines_allocation = config.fabric.combines_allocation();
    result.classes = ClassPolicy(config.fabric);
    result.node_may_refuse = config.traffic.reply_queue != 0;
    if (config.fabric.has_packet_flow_control()) result.whole_packets = &packets_;
    if (config.fabric.stores_packets()) result.combining_delay = config.fabric.combining_delay;
    if (routing_.path_choice() == PathChoice::kByQueues) result.queues = this;
    return result;
}

std::uint64_t CycleFabric::queued(LinkId link, VcMask virtual_channels, Cycle now) const {
    std::uint64_t flits = 0;
    unsigned counted = virtual_channels;
    for (const FlitBuffer& buffer : channels_[link]->buffers()) {
        if ((counted & 1) != 0) flits += buffer.queued(now);
        counted >>= 1;
    }
    return flits;
}

ChannelProbe CycleFabric::probe_of(const FabricOptions& options, RouterId router) const {
    ChannelProbe probe;
    if (rtl_.is_traced(router)) probe.inner_signals = options.inner_signals;
    if (options.channels == nullptr) return probe;
    probe.observer = observer_for(router);
    probe.packets = &packets_;
    for (PortId port = 0; port < graph_.router_port_count(); ++port) {
        probe.in.push_back(map_.into(router, port));
        probe.out.push_back(map_.from(router, port));
    }
    return probe;
}

void CycleFabric::create_routers(const Config& config, const Routing& routing,
                                 const FabricOptions& options) {
    const auto rtl_core = [this](RouterCoreSetup setup) {
        return make_rtl_router_core(rtl_, std::move(setup));
    };
    routers_.reserve(graph_.router_count());
    for (RouterId router; router < graph_.router_count(); ++router) {
        routers_.push_back(std::make_unique<Router>(
            graph_.router_name(router).c_str(), router_config(config, router), routing,
            wheel_of(router), memory_.resource(), probe_of(options, router),
            rtl_.is_rtl(router) ? RouterCoreFactory(rtl_core) : make_packet_router_core));
    }
}

void CycleFabric::create_channels(const Config& config) {
    const ChannelTimings timings(config.fabric);
    const auto add = [&](const std::string& name, const ChannelTiming& timing) -> FlitChannel& {
        channels_.push_back(std::make_unique<FlitChannel>(
            name, ChannelConfig{virtual_channels_, timing}, memory_.resource()));
        return *channels_.back();
    };
    channels_.reserve(map_.count());
    for (LinkId id = 0; id < graph_.link_count(); ++id) {
        const Link& link = graph_.link(id);
        FlitChannel& channel = add(graph_.link_name(id), timings.link(link));
        if (&wheel_of(link.from) != &wheel_of(link.to)) {
            channel.span(wheel_of(link.from), wheel_of(link.to));
        }
        routers_[link.from]->out[link.from_port].bind(channel);
        routers_[link.to]->in[link.to_port].bind(channel);
    }
    for (ChannelId id = graph_.link_count(); !map_.is_ejection(id); ++id) {
        FlitChannel& channel = add(map_.name(id), timings.injection());
        const RouterId router = map_.router(id);
        // Links out of a switch have the number of such a channel, and no node that could use it.
        const PortId port = map_.port(id);
        if (map_.into(router, port) == id) routers_[router]->in[port].bind(channel);
    }
}

void CycleFabric::create_interfaces(const Config& config, const FabricOptions& options) {
    interfaces_.reserve(graph_.node_count());
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        create_interface(config, options, node);
        auto& ejections = routers_[graph_.router_of(node)]->ejections;
        if (graph_.has_per_link_endpoints()) {
            for (auto& ejection : ejections) ejection.bind(*interfaces_.back());
        } else {
            ejections[graph_.local_port(node)].bind(*interfaces_.back());
        }
    }
}

void CycleFabric::create_interface(const Config& config, const FabricOptions& options,
                                   NodeId node) {
    const NetworkInterfaceConfig interface = interface_config(config, node);
    const RouterId router = graph_.router_of(node);
    WakeupWheel& wheel = wheel_of(router);
    InterfaceObservers observers{observer_for(router), options.packets, 0, outbox_of(router)};
    const std::string name = graph_.node_name("interface", node);
    if (transmissions_) {
        observers.injection = map_.injection(node);
        auto made = std::make_unique<ResilientInterface>(name.c_str(), interface, wheel, packets_,
                                                         observers, *transmissions_);
        made->injection.bind(*channels_[observers.injection]);
        resilient_.push_back(made.get());
        interfaces_.push_back(std::move(made));
        return;
    }
    if (!graph_.has_per_link_endpoints()) {
        observers.injection = map_.injection(node);
        auto made =
            std::make_unique<NetworkInterface>(name.c_str(), interface, wheel, packets_, observers);
        made->injection.bind(*channels_[observers.injection]);
        interfaces_.push_back(std::move(made));
        return;
    }
    auto made =
        std::make_unique<MultiPortInterface>(name.c_str(), interface, config.node.port_model,
                                             graph_, routing_, wheel, packets_, observers);
    for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
        const LinkId link = graph_.out_link(router, port);
        if (link == kNoLink) continue;
        made->injections[port].bind(*channels_[map_.injection_of(link)]);
    }
    interfaces_.push_back(std::move(made));
}

void CycleFabric::attach(NodeId node, MessageListener& listener) {
    interfaces_[node]->attach(listener);
}

RunEnd CycleFabric::finish() {
    for (const auto& router : routers_) router->core().finish();
    return ClockedFabric::finish();
}

Cycle CycleFabric::cycles_of_moves() const {
    Cycle end = 0;
    for (const auto& channel : channels_) {
        for (const FlitBuffer& buffer : channel->buffers()) {
            if (buffer.pushed() != 0) end = std::max(end, buffer.last_move() + 1);
        }
    }
    for (const auto& router : routers_) end = std::max(end, router->core().end_of_departures());
    return end;
}

std::uint64_t CycleFabric::flits_sent(ChannelId channel) const {
    if (map_.is_ejection(channel)) {
        const LinkId link = map_.link_of_endpoint(channel);
        if (link != kNoLink && graph_.nodes_at(graph_.link(link).to).empty()) return 0;  // a switch
        const PortId port = link == kNoLink ? kLocalPort : graph_.link(link).to_port;
        return interfaces_[map_.node(channel)]->flits_ejected(port);
    }
    std::uint64_t flits = 0;
    for (const FlitBuffer& buffer : channels_[channel]->buffers()) flits += buffer.pushed();
    if (!map_.is_link(channel)) return flits;
    const Link& link = graph_.link(channel);
    return flits - routers_[link.from]->core().flits_queued(link.from_port);
}

const FlitChannel* CycleFabric::input_channel(RouterId router, PortId port) const {
    const ChannelId channel = map_.into(router, port);
    return channel == kNoChannel ? nullptr : channels_[channel].get();
}

std::uint32_t CycleFabric::wait_number(RouterId router, const PortFifo& fifo) const {
    const ChannelId channel =
        fifo.behind_output ? map_.from(router, fifo.port) : map_.into(router, fifo.port);
    return channel * virtual_channels_ + fifo.vc;
}

/// The number of a queue of replies at a node: after the FIFOs of all channels.
std::uint32_t CycleFabric::wait_number(NodeId node, const ReplyWait& reply) const {
    const auto fifos = static_cast<std::uint32_t>(channels_.size() * virtual_channels_);
    return fifos + node * virtual_channels_ + reply.queue;
}

/// Adds what a router reports of a packet.
void CycleFabric::add_wait(RouterId router, const WaitReport& report, WaitGraph& graph) const {
    WaitGraph::Fifo& fifo = graph.fifos[wait_number(router, report.at)];
    fifo.waits = true;
    fifo.packet.message = packets_.message_of(report.header);
    fifo.packet.at = map_.into(router, report.at.port);
    fifo.packet.wants = map_.from(router, report.wants);
    fifo.packet.granted = report.granted;
    fifo.packet.node_is_full = report.node_is_full;
    for (const PortFifo& obstacle : report.obstacles) {
        fifo.alternatives.push_back(wait_number(router, obstacle));
    }
    if (!report.node_is_full) return;
    const NodeId full = graph_.node_at(router, report.wants);
    for (const ReplyWait& reply : interfaces_[full]->reply_waits()) {
        fifo.alternatives.push_back(wait_number(full, reply));
    }
}

void CycleFabric::add_wait(NodeId node, const ReplyWait& reply, WaitGraph& graph) const {
    WaitGraph::Fifo& queue = graph.fifos[wait_number(node, reply)];
    queue.waits = reply.waits;
    queue.packet.message = reply.message;
    queue.packet.at = queue.packet.wants = map_.injection(node);
    queue.packet.granted = reply.granted;
    queue.packet.is_at_node = true;
    for (const std::uint32_t vc : reply.channels) {
        queue.alternatives.push_back(queue.packet.wants * virtual_channels_ + vc);
    }
}

std::vector<WaitingPacket> CycleFabric::find_deadlock() const {
    WaitGraph graph;
    graph.fifos.resize((channels_.size() + graph_.node_count()) * virtual_channels_);
    std::vector<WaitReport> reports;
    for (RouterId router; router < graph_.router_count(); ++router) {
        reports.clear();
        routers_[router]->core().report_waits(reports);
        for (const WaitReport& report : reports) add_wait(router, report, graph);
    }
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        for (const ReplyWait& reply : interfaces_[node]->reply_waits()) {
            add_wait(node, reply, graph);
        }
    }
    return graph.deadlocked_cycle();
}

/// A router sends what it takes.
void CycleFabric::check_router(RouterId router, bool drained,
                               std::vector<std::string>& broken) const {
    std::uint64_t taken = 0;
    std::uint64_t sent = 0;
    for (PortId port = 0; port < graph_.router_port_count(); ++port) {
        const FlitChannel* channel = input_channel(router, port);
        if (channel != nullptr) {
            for (const FlitBuffer& buffer : channel->buffers()) {
                taken += buffer.popped() - buffer.lost();
            }
        }
        const ChannelId out = map_.from(router, port);
        if (out != kNoChannel) sent += flits_sent(out);
    }
    // Ours send a flit in the cycle in which they take it; others may have room inside.
    const bool may_hold = !drained && rtl_.is_rtl(router) && rtl_.variant().is_foreign();
    if (may_hold ? taken < sent : taken != sent) {
        broken.push_back(
            fmt::format("{} took {} flits and sent {}", routers_[router]->name(), taken, sent));
    }
}

std::vector<std::string> CycleFabric::broken_invariants(bool drained) const {
    std::vector<std::string> broken;
    for (RouterId router; router < graph_.router_count(); ++router) {
        check_router(router, drained, broken);
        for (const NodeId node : graph_.nodes_at(router)) {
            const PacketInterface& interface = *interfaces_[node];
            if (!drained || interface.pending() == 0) continue;
            broken.push_back(fmt::format("{} still has {} messages to send", interface.name(),
                                         interface.pending()));
        }
    }
    for (const auto& channel : channels_) check_channel(*channel, drained, broken);
    if (drained && packets_.in_flight() != 0) {
        broken.push_back(fmt::format("{} packets never arrived", packets_.in_flight()));
    }
    return broken;
}

}  // namespace flitscope::hw
