// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels and routers of the golden model, and how they carry out what was granted
// (golden_allocation.cpp). The numbers in comments are the steps of hw/TIMING.md, "One cycle of a
// router".
#include "testbench/verification/reference/golden_network.h"

#include <deque>
#include <optional>

#include "models/config/config.h"
#include "models/config/node_config.h"
#include "models/topology/graph.h"

namespace flitscope {

GoldenNetwork::GoldenNetwork(const Config& config, const Graph& graph, const GoldenPlaces& places,
                             const Routing& routing, std::vector<GoldenPacketState>& packets)
    : graph_(graph),
      places_(places),
      routing_(&routing),
      packets_(packets),
      virtual_channels_(config.fabric.virtual_channels),
      channels_per_switch_input_(config.fabric.virtual_channels / config.fabric.input_speedup),
      output_speedup_(config.fabric.output_speedup),
      output_queue_(config.fabric.output_queue),
      buffer_depth_(config.fabric.buffer_depth),
      hold_(config.fabric.switch_arbitration == SwitchArbitration::kPerPacket),
      combined_(config.fabric.allocation == Allocation::kCombined),
      whole_packets_(config.fabric.switching == Switching::kVirtualCutThrough ||
                     config.fabric.switching == Switching::kStoreAndForward),
      stores_(config.fabric.switching == Switching::kStoreAndForward),
      combining_delay_(config.fabric.combining_delay),
      reply_queue_(config.traffic.reply_queue),
      classes_(config.fabric),
      ports_(graph.port_count()),
      reply_slots_(places.node_count(), config.traffic.reply_queue) {
    const PortId network_ports = graph.port_count();
    if (config.node.port_model != PortModel::kSingle) {
        // Port k of the network has its injection and ejection channel at port P - 1 + k.
        first_endpoint_port_ = network_ports;
        ports_ = 2 * network_ports - 1;
        ejections_.resize(packets.size());
    }
    switch_inputs_ = std::size_t{ports_} * config.fabric.input_speedup;
    const ChannelMap map = ChannelMap::of_one_plane(graph);
    make_channels(config.fabric, map);
    routers_.resize(graph.router_count());
    for (RouterId id; id < graph.router_count(); ++id) make_router(id, map);
}

/// With all credits at home.
void GoldenNetwork::make_channels(const FabricConfig& fabric, const ChannelMap& map) {
    const bool credits = fabric.link_protocol == LinkProtocol::kCredits;
    Fifo empty;
    empty.free_slots.assign(fabric.buffer_depth, 0);
    channels_.resize(map.count());
    for (LinkId id = 0; id < graph_.link_count(); ++id) {
        Channel& channel = channels_[map.link(id)];
        channel.rate_cycles = graph_.link(id).rate_cycles;
        // The last part of a flit is k - 1 cycles behind the first.
        channel.flit_delay = fabric.router_delay + graph_.link(id).delay + channel.rate_cycles - 1;
        channel.credit_delay = graph_.link(id).delay;
        channel.fifos.assign(virtual_channels_, empty);
        if (!credits) add_slices(channel, fabric.router_delay - 1 + graph_.link(id).delay - 1);
    }
    for (ChannelId id = graph_.link_count(); id < map.count(); ++id) {
        Channel& channel = channels_[id];
        if (map.is_ejection(id)) {
            channel.consumes = true;
            continue;
        }
        channel.flit_delay = fabric.router_delay;
        channel.credit_delay = 1;
        channel.fifos.assign(virtual_channels_, empty);
        if (!credits) add_slices(channel, fabric.router_delay - 1);
    }
}

/// Valid and ready, with so many register slices.
void GoldenNetwork::add_slices(Channel& channel, std::uint32_t slices) {
    channel.flit_delay = channel.credit_delay = 1 + slices;
    for (Fifo& fifo : channel.fifos) fifo.free_slots.resize(fifo.free_slots.size() + 2 * slices, 0);
}

void GoldenNetwork::make_router(RouterId id, const ChannelMap& map) {
    const PortId network_ports = graph_.port_count();
    Router& router = routers_[id];
    router.in_channels.resize(ports_);
    router.out_channels.resize(ports_);
    for (NodeId node = 0; first_endpoint_port_ == 0 && node < places_.node_count(); ++node) {
        if (places_.router_of(node) != id) continue;
        router.in_channels[places_.port_of(node)] = map.injection(node);
        router.out_channels[places_.port_of(node)] = map.ejection(node);
    }
    for (PortId port = places_.local_ports(); port < network_ports; ++port) {
        const PortId end = network_ports - 1 + port;
        if (const LinkId in = graph_.in_link(id, port); in != kNoLink) {
            router.in_channels[port] = map.link(in);
            if (first_endpoint_port_ != 0) router.out_channels[end] = map.ejection_of(in);
        }
        if (const LinkId out = graph_.out_link(id, port); out != kNoLink) {
            router.out_channels[port] = map.link(out);
            if (first_endpoint_port_ != 0) router.in_channels[end] = map.injection_of(out);
        }
    }
    const std::size_t vcs = static_cast<std::size_t>(ports_) * virtual_channels_;
    router.held.resize(vcs);
    router.taken.resize(vcs);
    router.chosen.resize(vcs);
    router.grant_pointers.resize(vcs, 0);
    router.input_pointers.resize(switch_inputs_, 0);
    router.output_pointers.resize(std::size_t{ports_} * output_speedup_, 0);
    router.vc_pointers.resize(ports_, 0);
    router.input_budgets.assign(switch_inputs_, classes_.full_budgets());
    router.output_budgets.assign(router.output_pointers.size(), classes_.full_budgets());
    router.streaming.resize(vcs, false);
}

/// The node that a local port belongs to.
NodeId GoldenNetwork::node_at(RouterId router, PortId port) const {
    // Where links have their own ports, a router has one node.
    return places_.node_at(router, first_endpoint_port_ == 0 ? port : kLocalPort);
}

bool GoldenNetwork::has_credit(ChannelId id, std::uint32_t vc, Cycle now,
                               std::uint64_t flits) const {
    const Channel& channel = channels_[id];
    if (channel.consumes) return true;
    const std::deque<Cycle>& slots = channel.fifos[vc].free_slots;
    return slots.size() >= flits && slots[flits - 1] <= now;  // slots are freed in order of time
}

/// Whether the queue at an output has room for one flit of each switch output; that of an ejection
/// channel has room for B flits of each virtual channel.
bool GoldenNetwork::queue_takes(ChannelId id, std::uint32_t vc) const {
    const Channel& channel = channels_[id];
    const auto of_vc = std::count_if(channel.queue.begin(), channel.queue.end(),
                                     [vc](const QueuedFlit& queued) { return queued.vc == vc; });
    if (channel.consumes && static_cast<std::uint64_t>(of_vc) >= buffer_depth_) return false;
    return channel.queue.size() + output_speedup_ <= output_queue_;
}

/// Whether no flit, of any virtual channel, was sent in the last k - 1 cycles.
bool GoldenNetwork::takes_flit(ChannelId id, Cycle now) const {
    const Channel& channel = channels_[id];
    return !channel.last_sent || *channel.last_sent + channel.rate_cycles <= now;
}

/// Whether all credits are home.
bool GoldenNetwork::is_empty(ChannelId id, std::uint32_t vc, Cycle now) const {
    const Channel& channel = channels_[id];
    if (channel.consumes) return true;
    const Fifo& fifo = channel.fifos[vc];
    const bool is_one_queued =
        std::any_of(channel.queue.begin(), channel.queue.end(),
                    [vc](const QueuedFlit& queued) { return queued.vc == vc; });
    return !is_one_queued && fifo.flits.empty() && fifo.free_slots.back() <= now;
}

/// The places that are filled, or whose credit is on its way.
std::uint64_t GoldenNetwork::queued(LinkId link, VcMask virtual_channels, Cycle now) const {
    const Channel& channel = channels_[link];
    std::uint64_t places = 0;
    for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
        if ((virtual_channels >> vc & 1U) == 0) continue;
        const Fifo& fifo = channel.fifos[vc];
        places += fifo.flits.size();
        for (const Cycle usable_from : fifo.free_slots) places += usable_from > now ? 1 : 0;
    }
    return places;
}

/// The front flit of a FIFO that is not empty.
const GoldenNetwork::StoredFlit& GoldenNetwork::front(const Router& router,
                                                      std::size_t input) const {
    const ChannelId channel = router.in_channels[input / virtual_channels_].value();
    return channels_[channel].fifos[input % virtual_channels_].flits.front();
}

const GoldenNetwork::StoredFlit* GoldenNetwork::visible_front(const Router& router,
                                                              std::size_t input, Cycle now) const {
    const std::optional<ChannelId> channel = router.in_channels[input / virtual_channels_];
    if (!channel) return nullptr;
    const std::deque<StoredFlit>& flits =
        channels_[*channel].fifos[input % virtual_channels_].flits;
    if (flits.empty() || flits.front().visible_from > now) return nullptr;
    return &flits.front();
}

void GoldenNetwork::decide(Cycle now) {
    for (RouterId id; id < routers_.size(); ++id) {
        routers_[id].grants.clear();
        routers_[id].traversals.clear();
        if (combined_) {
            allocate_combined(id, now);
            continue;
        }
        allocate_virtual_channels(id, now);
        allocate_switch(routers_[id], now);
    }
}

std::size_t GoldenNetwork::apply(Cycle now) {
    std::size_t delivered = 0;
    for (RouterId id; id < routers_.size(); ++id) {
        Router& router = routers_[id];
        router.streaming.assign(router.streaming.size(), false);
        for (const Grant& grant : router.grants) {
            const std::size_t output = grant.output.port * virtual_channels_ + grant.output.vc;
            router.held[grant.input] = grant.output;
            router.chosen[grant.input].reset();
            router.taken[output] = front(router, grant.input).flit.packet;
            router.grant_pointers[output] = (grant.input + 1) % router.held.size();
            const bool is_request = packets_[*router.taken[output]].is_request;
            if (reply_queue_ != 0 && is_local(grant.output.port) && is_request) {
                --reply_slots_[node_at(id, grant.output.port)];
            }
            router.vc_pointers[grant.output.port] = (grant.output.vc + 1) % virtual_channels_;
        }
        for (const Grant& traversal : router.traversals) traverse(router, traversal, now);
        for (PortId port = 0; port < ports_; ++port) {
            if (leave(router, port, now)) ++delivered;
        }
    }
    return delivered;
}

/// Steps 4 and 5, up to the queue of the output port.
void GoldenNetwork::traverse(Router& router, const Grant& traversal, Cycle now) {
    const PortId in_port = static_cast<PortId>(traversal.input / virtual_channels_);
    const auto in_vc = static_cast<std::uint32_t>(traversal.input % virtual_channels_);
    const OutputVc output = traversal.output;
    const std::size_t switch_input = traversal.input / channels_per_switch_input_;
    router.input_pointers[switch_input] =
        (traversal.input % channels_per_switch_input_ + 1) % channels_per_switch_input_;
    const std::size_t end = switch_output(traversal.input, output.port);
    router.output_pointers[end] = (switch_input + 1) % switch_inputs_;
    classes_.count(class_at(traversal.input), router.input_budgets[switch_input]);
    classes_.count(class_at(traversal.input), router.output_budgets[end]);

    // 4. Traversal.
    const GoldenFlit flit = pop(*router.in_channels[in_port], in_vc, now);
    const ChannelId out = *router.out_channels[output.port];
    take_credit(out, output.vc);
    channels_[out].queue.push_back({flit, output.vc});

    router.streaming[traversal.input] = !flit.tail;

    // 5. Release.
    if (flit.tail) {
        router.held[traversal.input].reset();
        router.taken[output.port * virtual_channels_ + output.vc].reset();
    }
}

/// The rest of step 4, and 6: the first flit of the queue of an output port leaves, if the link is
/// free. Returns whether a packet has been delivered.
bool GoldenNetwork::leave(Router& router, PortId port, Cycle now) {
    if (!router.out_channels[port]) return false;
    const ChannelId out = *router.out_channels[port];
    Channel& channel = channels_[out];
    if (channel.queue.empty()) return false;
    if (channel.last_sent && *channel.last_sent + channel.rate_cycles > now) return false;
    const GoldenFlit flit = channel.queue.front().flit;
    transmit(out, channel.queue.front().vc, flit, now);
    channel.queue.pop_front();

    // 6. Ejection.
    if (!is_local(port)) return false;
    if (!ejections_.empty()) ejections_[flit.packet].push_back(now);
    GoldenPacket& record = packets_[flit.packet].record;
    if (flit.head) record.head_delivered = now;
    if (!flit.tail) return false;
    record.tail_delivered = now;
    GoldenPacketState& original = packets_[packets_[flit.packet].copy_of];
    if (original.arrived_as) return false;  // a duplicate
    original.arrived_as = flit.packet;
    return true;
}

GoldenFlit GoldenNetwork::pop(ChannelId id, std::uint32_t vc, Cycle now) {
    Channel& channel = channels_[id];
    Fifo& fifo = channel.fifos[vc];
    const GoldenFlit flit = fifo.flits.front().flit;
    fifo.flits.pop_front();
    fifo.free_slots.push_back(now + channel.credit_delay);
    return flit;
}

void GoldenNetwork::send(ChannelId id, std::uint32_t vc, const GoldenFlit& flit, Cycle now) {
    take_credit(id, vc);
    transmit(id, vc, flit, now);
}

void GoldenNetwork::take_credit(ChannelId id, std::uint32_t vc) {
    Channel& channel = channels_[id];
    if (!channel.consumes) channel.fifos[vc].free_slots.pop_front();
}

/// A flit that has its credit goes on the wire.
void GoldenNetwork::transmit(ChannelId id, std::uint32_t vc, const GoldenFlit& flit, Cycle now) {
    Channel& channel = channels_[id];
    if (!channel.consumes) {
        channel.fifos[vc].flits.push_back({flit, now + channel.flit_delay});
    }
    ++channel.flits_sent;
    channel.last_sent = now;
    channel.last_message = packets_[flit.packet].record.message;
    if (!channel.busy.empty() && channel.busy.back().last_plus_one == now) {
        channel.busy.back().last_plus_one = now + 1;
    } else {
        channel.busy.push_back({now, now + 1});
    }
}

}  // namespace flitscope
