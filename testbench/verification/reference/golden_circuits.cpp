// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/golden_circuits.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/config/config.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

GoldenCircuits::GoldenCircuits(const Config& config, const Graph& graph, const GoldenPlaces& places,
                               const Routing& routing, GoldenPackets& packets)
    : graph_(graph),
      places_(places),
      routing_(routing),
      packets_(packets),
      map_(ChannelMap::of_one_plane(graph)),
      startup_(config.node.send_overhead),
      setup_delay_(config.fabric.setup_delay),
      nodes_(graph.node_count()),
      channels_(map_.count()) {}

void GoldenCircuits::begin_send(MessageId message, Cycle now) {
    const std::size_t packet = packets_.first[message];
    packets_.all[packet].record.begin = now;
    nodes_[packets_.all[packet].source].queue.push_back(packet);
}

/// The header of the next message, if it is time for one.
void GoldenCircuits::begin_set_up(Node& node) {
    if (node.setting_up || node.queue.empty()) return;
    Path path;
    path.packet = node.queue.front();
    node.queue.pop_front();
    const GoldenPacketState& packet = packets_.all[path.packet];
    path.at = places_.router_of(packet.source);
    path.in_port = places_.port_of(packet.source);
    path.there_from = packet.record.begin + startup_;
    if (node.last_start) {
        path.there_from = std::max({path.there_from, *node.last_start + startup_,  //
                                    *node.last_start + 1});
    }
    path.hops.push_back({map_.injection(packet.source), 0});
    node.setting_up = path;
}

/// The channel that begins at an output, if there is one.
std::optional<ChannelId> GoldenCircuits::channel_out(RouterId router, PortId output) const {
    if (output < places_.local_ports()) {
        const NodeId node = places_.node_at(router, output);
        if (node == kNoNode) return std::nullopt;
        return map_.ejection(node);
    }
    const LinkId link = graph_.out_link(router, output);
    if (link == kNoLink) return std::nullopt;
    return link;
}

/// The output that a header asks for.
PortId GoldenCircuits::output_of(const Path& path) const {
    const NodeId destination = packets_.all[path.packet].destination;
    const RouteChoice choice =
        places_.placed(routing_.route(path.at, destination), path.at, destination);
    if (!channel_out(path.at, choice.port)) {
        throw std::logic_error("golden model: a route leads nowhere");
    }
    return choice.port;
}

/// The node whose header is given `output` of `router` in cycle `now`.
std::optional<NodeId> GoldenCircuits::winner(RouterId router, PortId output, Cycle now) const {
    const Channel& channel = channels_[channel_out(router, output).value()];
    if (channel.taken) return std::nullopt;
    std::optional<NodeId> first;
    PortId least = graph_.port_count();  // distance of its input port from the pointer
    for (NodeId source = 0; source < nodes_.size(); ++source) {
        const std::optional<Path>& path = nodes_[source].setting_up;
        if (!path || path->complete || path->at != router || path->there_from > now) continue;
        if (output_of(*path) != output) continue;
        const PortId ports = graph_.port_count();
        const PortId distance = (path->in_port + ports - channel.pointer) % ports;
        if (distance >= least) continue;
        least = distance;
        first = source;
    }
    return first;
}

void GoldenCircuits::extend(const Grant& grant, Cycle now) {
    Path& path = *nodes_[grant.source].setting_up;
    const ChannelId id = channel_out(path.at, grant.output).value();
    channels_[id].taken = message_of(path);
    channels_[id].pointer = (path.in_port + 1) % graph_.port_count();
    if (map_.is_ejection(id)) {
        path.hops.push_back({id, path.length == 0 ? 0 : path.length - 1});
        path.complete = true;
        return;
    }
    const Link& link = graph_.link(id);
    path.hops.push_back({id, path.length});
    path.length += link.delay;
    path.at = link.to;
    path.in_port = link.to_port;
    path.there_from = now + setup_delay_;
}

/// True when the tail is delivered.
bool GoldenCircuits::send_elements(Path& path, Cycle now, GoldenCycle* cycle) {
    GoldenPacketState& packet = packets_.all[path.packet];
    const std::uint64_t elements = packet.flits;
    for (const Hop& hop : path.hops) {
        const Cycle first = path.start + hop.offset;
        if (now < first || now >= first + elements) continue;
        Channel& channel = channels_[hop.channel];
        ++channel.flits_sent;
        if (cycle != nullptr) {
            cycle->sent.push_back({hop.channel, 0, hop.channel, 0, packet.record.message,
                                   packet.record.index, now - first});
        }
        if (channel.busy.empty() || channel.busy.back().last_plus_one != now) {
            channel.busy.push_back({now, now});
        }
        channel.busy.back().last_plus_one = now + 1;
        GoldenPacket& record = packet.record;
        if (map_.is_injection(hop.channel)) {
            if (now == first) record.head_injected = now;
            if (now + 1 == first + elements) record.tail_injected = now;
        } else if (map_.is_ejection(hop.channel)) {
            if (now == first) record.head_delivered = now;
            if (now + 1 == first + elements) {
                record.tail_delivered = now;
                packet.arrived_as = packet.copy_of;
            }
        }
    }
    return packet.record.tail_delivered == now;
}

GoldenWait GoldenCircuits::wait_of(const Path& path) const {
    return {path.hops.front().channel, message_of(path), 0, 0, {}};
}

/// Before the grants are given.
void GoldenCircuits::note_headers(const std::vector<Grant>& grants, Cycle now,
                                  GoldenWitness& witness) const {
    for (NodeId source = 0; source < nodes_.size(); ++source) {
        const std::optional<Path>& path = nodes_[source].setting_up;
        if (!path || path->complete) continue;
        if (path->hops.size() == 1) witness.starts[message_of(*path)].startup_to = path->there_from;
        GoldenWait wait = wait_of(*path);
        if (path->there_from > now) {
            wait.lacks.push_back({GoldenLack::kHeader, 0, 0, 0});
        } else {
            const ChannelId channel = channel_out(path->at, output_of(*path)).value();
            if (const auto holder = channels_[channel].taken) {
                wait.lacks.push_back({GoldenLack::kTaken, channel, 0, *holder});
            }
            for (const Grant& grant : grants) {
                const Path& other = *nodes_[grant.source].setting_up;
                if (grant.source == source || channel_out(other.at, grant.output) != channel) {
                    continue;
                }
                wait.lacks.push_back({GoldenLack::kGiven, channel, 0, message_of(other)});
            }
        }
        if (!wait.lacks.empty()) witness.cycles.back().waits.push_back(std::move(wait));
    }
}

/// After the grants are given.
void GoldenCircuits::note_senders(GoldenCycle& cycle) const {
    for (const Node& node : nodes_) {
        if (!node.sending || !node.setting_up || !node.setting_up->complete) continue;
        GoldenWait wait = wait_of(*node.setting_up);
        wait.lacks.push_back({GoldenLack::kSender, wait.at, 0, message_of(*node.sending)});
        cycle.waits.push_back(std::move(wait));
    }
}

std::size_t GoldenCircuits::play(Cycle now, GoldenWitness* witness) {
    for (Node& node : nodes_) begin_set_up(node);
    std::vector<Grant> grants;
    for (RouterId router; router < graph_.router_count(); ++router) {
        for (PortId output = 0; output < graph_.port_count(); ++output) {
            if (!channel_out(router, output)) continue;
            if (const auto source = winner(router, output, now))
                grants.push_back({*source, output});
        }
    }
    if (witness != nullptr) note_headers(grants, now, *witness);
    for (const Grant& grant : grants) extend(grant, now);
    GoldenCycle* const cycle = witness == nullptr ? nullptr : &witness->cycles.back();
    if (cycle != nullptr) note_senders(*cycle);
    std::size_t delivered = 0;
    for (Node& node : nodes_) {
        if (!node.sending && node.setting_up && node.setting_up->complete) {
            node.sending.swap(node.setting_up);
            node.sending->start = now;
            node.last_start = now;
        }
        if (!node.sending || !send_elements(*node.sending, now, cycle)) continue;
        for (const Hop& hop : node.sending->hops) channels_[hop.channel].taken.reset();
        node.sending.reset();
        ++delivered;
    }
    return delivered;
}

}  // namespace flitscope
