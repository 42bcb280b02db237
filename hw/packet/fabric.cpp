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
      map_(graph),
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
        clock_.run_ahead(options.channels == nullptr ? kNever : PartOutbox::kCycles - 2);
    }
}

/// The router of `node`, whose packets are looked up in packets_.
RouterConfig CycleFabric::router_config(const Config& config, NodeId node) const {
    RouterConfig router;
    router.node = node;
    const PortId ports = graph_.router_port_count();
    if (graph_.has_per_link_endpoints()) router.first_endpoint_port = graph_.port_count();
    router.inputs.assign(ports, false);
    router.outputs.assign(ports, false);
    for (PortId port = 0; port < ports; ++port) {
        router.inputs[port] = channel_into(node, port) != kNoChannel;
        router.outputs[port] =
            !router.is_endpoint_port(port) && channel_from(node, port) != kNoChannel;
    }
    router.virtual_channels = config.fabric.virtual_channels;
    router.hold_switch = config.fabric.holds_switch();
    router.combines_allocation = config.fabric.combines_allocation();
    router.classes = ClassPolicy(config.fabric);
    router.node_may_refuse = config.traffic.reply_queue != 0;
    if (config.fabric.has_packet_flow_control()) router.whole_packets = &packets_;
    if (config.fabric.stores_packets()) router.combining_delay = config.fabric.combining_delay;
    return router;
}

ChannelProbe CycleFabric::probe_of(const Config& config, const FabricOptions& options,
                                   NodeId node) const {
    ChannelProbe probe;
    const std::vector<NodeId>& traced = config.trace.rtl_nodes;
    if (std::find(traced.begin(), traced.end(), node) != traced.end()) {
        probe.inner_signals = options.inner_signals;
    }
    if (options.channels == nullptr) return probe;
    probe.observer = observer_for(node);
    probe.packets = &packets_;
    for (PortId port = 0; port < graph_.router_port_count(); ++port) {
        probe.in.push_back(channel_into(node, port));
        probe.out.push_back(channel_from(node, port));
    }
    return probe;
}

void CycleFabric::create_routers(const Config& config, const Routing& routing,
                                 const FabricOptions& options) {
    const auto rtl_core = [this](RouterCoreSetup setup) {
        return make_rtl_router_core(rtl_, std::move(setup));
    };
    routers_.reserve(graph_.node_count());
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        routers_.push_back(std::make_unique<Router>(
            graph_.node_name("router", node).c_str(), router_config(config, node), routing,
            wheel_of(node), memory_.resource(), probe_of(config, options, node),
            rtl_.is_rtl(node) ? RouterCoreFactory(rtl_core) : make_packet_router_core));
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
        const LinkId link = map_.link_of_endpoint(id);
        const PortId port =
            link == kNoLink ? kLocalPort : graph_.endpoint_port(graph_.link(link).from_port);
        routers_[map_.node(id)]->in[port].bind(add(map_.name(id), timings.injection()));
    }
}

void CycleFabric::create_interfaces(const Config& config, const FabricOptions& options) {
    interfaces_.reserve(graph_.node_count());
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        create_interface(config, options, node);
        routers_[node]->ejection.bind(*interfaces_.back());
    }
}

void CycleFabric::create_interface(const Config& config, const FabricOptions& options,
                                   NodeId node) {
    const NetworkInterfaceConfig interface = interface_config(config, node);
    InterfaceObservers observers{observer_for(node), options.packets, 0, outbox_of(node)};
    const std::string name = graph_.node_name("interface", node);
    if (transmissions_) {
        observers.injection = map_.injection(node);
        auto made = std::make_unique<ResilientInterface>(name.c_str(), interface, wheel_of(node),
                                                         packets_, observers, *transmissions_);
        made->injection.bind(*channels_[observers.injection]);
        resilient_.push_back(made.get());
        interfaces_.push_back(std::move(made));
        return;
    }
    if (!graph_.has_per_link_endpoints()) {
        observers.injection = map_.injection(node);
        auto made = std::make_unique<NetworkInterface>(name.c_str(), interface, wheel_of(node),
                                                       packets_, observers);
        made->injection.bind(*channels_[observers.injection]);
        interfaces_.push_back(std::move(made));
        return;
    }
    auto made =
        std::make_unique<MultiPortInterface>(name.c_str(), interface, config.node.port_model,
                                             graph_, routing_, wheel_of(node), packets_, observers);
    for (PortId port = 1; port < graph_.port_count(); ++port) {
        const LinkId link = graph_.out_link(node, port);
        if (link == kNoLink) continue;
        made->injections[port].bind(*channels_[map_.injection_of(link)]);
    }
    interfaces_.push_back(std::move(made));
}

void CycleFabric::attach(NodeId node, MessageListener& listener) {
    interfaces_[node]->node.bind(listener);
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
    return end;
}

std::uint64_t CycleFabric::flits_sent(ChannelId channel) const {
    if (map_.is_ejection(channel)) {
        const LinkId link = map_.link_of_endpoint(channel);
        const PortId port = link == kNoLink ? kLocalPort : graph_.link(link).to_port;
        return interfaces_[map_.node(channel)]->flits_ejected(port);
    }
    std::uint64_t flits = 0;
    for (const FlitBuffer& buffer : channels_[channel]->buffers()) flits += buffer.pushed();
    return flits;
}

/// The channel that ends at a port of a router, or kNoChannel.
ChannelId CycleFabric::channel_into(NodeId node, PortId port) const {
    const bool has_ends = graph_.has_per_link_endpoints();
    if (port == kLocalPort) return has_ends ? kNoChannel : map_.injection(node);
    if (port < graph_.port_count()) return graph_.in_link(node, port);
    const LinkId link = graph_.out_link(node, port - graph_.endpoint_port(0));
    return link == kNoLink ? kNoChannel : map_.injection_of(link);
}

/// The channel that begins there, or kNoChannel.
ChannelId CycleFabric::channel_from(NodeId node, PortId port) const {
    const bool has_ends = graph_.has_per_link_endpoints();
    if (port == kLocalPort) return has_ends ? kNoChannel : map_.ejection(node);
    if (port < graph_.port_count()) return graph_.out_link(node, port);
    const LinkId link = graph_.in_link(node, port - graph_.endpoint_port(0));
    return link == kNoLink ? kNoChannel : map_.ejection_of(link);
}

const FlitChannel* CycleFabric::input_channel(NodeId node, PortId port) const {
    const ChannelId channel = channel_into(node, port);
    return channel == kNoChannel ? nullptr : channels_[channel].get();
}

std::uint32_t CycleFabric::wait_number(NodeId node, const PortFifo& fifo) const {
    const ChannelId channel =
        fifo.behind_output ? channel_from(node, fifo.port) : channel_into(node, fifo.port);
    return channel * virtual_channels_ + fifo.vc;
}

/// The number of a queue of replies at a node: after the FIFOs of all channels.
std::uint32_t CycleFabric::wait_number(NodeId node, const ReplyWait& reply) const {
    const auto fifos = static_cast<std::uint32_t>(channels_.size() * virtual_channels_);
    return fifos + node * virtual_channels_ + reply.queue;
}

/// Adds what a router reports of a packet; `replies` are those of its node, if that is full.
void CycleFabric::add_wait(NodeId node, const WaitReport& report,
                           const std::vector<ReplyWait>& replies, WaitGraph& graph) const {
    WaitGraph::Fifo& fifo = graph.fifos[wait_number(node, report.at)];
    fifo.waits = true;
    fifo.packet.message = packets_.message_of(report.header);
    fifo.packet.at = channel_into(node, report.at.port);
    fifo.packet.wants = channel_from(node, report.wants);
    fifo.packet.granted = report.granted;
    fifo.packet.node_is_full = report.node_is_full;
    for (const PortFifo& obstacle : report.obstacles) {
        fifo.alternatives.push_back(wait_number(node, obstacle));
    }
    if (!report.node_is_full) return;
    for (const ReplyWait& reply : replies) fifo.alternatives.push_back(wait_number(node, reply));
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
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        reports.clear();
        routers_[node]->core().report_waits(reports);
        const bool is_full = std::any_of(reports.begin(), reports.end(),
                                         [](const WaitReport& r) { return r.node_is_full; });
        std::vector<ReplyWait> replies;
        if (is_full) replies = interfaces_[node]->reply_waits();
        for (const WaitReport& report : reports) add_wait(node, report, replies, graph);
        for (const ReplyWait& reply : replies) add_wait(node, reply, graph);
    }
    return graph.deadlocked_cycle();
}

/// A router sends what it takes.
void CycleFabric::check_router(NodeId node, bool drained, std::vector<std::string>& broken) const {
    std::uint64_t taken = 0;
    std::uint64_t sent = 0;
    for (PortId port = 0; port < graph_.router_port_count(); ++port) {
        const FlitChannel* channel = input_channel(node, port);
        if (channel != nullptr) {
            for (const FlitBuffer& buffer : channel->buffers()) {
                taken += buffer.popped() - buffer.lost();
            }
        }
        const ChannelId out = channel_from(node, port);
        if (out != kNoChannel) sent += flits_sent(out);
    }
    // Ours send a flit in the cycle in which they take it; others may have room inside.
    const bool may_hold = !drained && rtl_.is_rtl(node) && rtl_.variant().is_foreign();
    if (may_hold ? taken < sent : taken != sent) {
        broken.push_back(
            fmt::format("{} took {} flits and sent {}", routers_[node]->name(), taken, sent));
    }
}

std::vector<std::string> CycleFabric::broken_invariants(bool drained) const {
    std::vector<std::string> broken;
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
        check_router(node, drained, broken);
        if (drained && interfaces_[node]->pending() != 0) {
            broken.push_back(fmt::format("{} still has {} messages to send",
                                         interfaces_[node]->name(), interfaces_[node]->pending()));
        }
    }
    for (const auto& channel : channels_) check_channel(*channel, drained, broken);
    if (drained && packets_.in_flight() != 0) {
        broken.push_back(fmt::format("{} packets never arrived", packets_.in_flight()));
    }
    return broken;
}

}  // namespace flitscope::hw
