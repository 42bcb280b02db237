// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels and routers of the golden model. The numbers in comments are the steps of hw/TIMING.md,
// "One cycle of a router".
#include "testbench/reference/golden_network.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace flitscope {

GoldenNetwork::GoldenNetwork(const Config& config, const Graph& graph, const Routing& routing,
                             std::vector<GoldenPacketState>& packets)
    : graph_(graph),
      routing_(&routing),
      packets_(packets),
      virtual_channels_(config.fabric.virtual_channels),
      hold_(config.fabric.switch_arbitration == SwitchArbitration::kHold),
      combined_(config.fabric.allocation == Allocation::kCombined),
      whole_packets_(config.fabric.switching == Switching::kVirtualCutThrough ||
                     config.fabric.switching == Switching::kStoreAndForward),
      stores_(config.fabric.switching == Switching::kStoreAndForward),
      combining_delay_(config.fabric.combining_delay),
      reply_queue_(config.traffic.reply_queue),
      classes_(config.fabric),
      ports_(graph.port_count()) {
    const ChannelMap map(graph);
    const std::uint32_t depth = config.fabric.buffer_depth;
    const Cycle router_delay = config.fabric.router_delay;
    const PortId network_ports = graph.port_count();
    if (config.node.port_model != PortModel::kSingle) {
        // Port k of the network has its injection and ejection channel at port P - 1 + k.
        first_endpoint_port_ = network_ports;
        ports_ = 2 * network_ports - 1;
        ejections_.resize(packets.size());
    }

    Fifo empty;
    empty.free_slots.assign(depth, 0);
    channels_.resize(map.count());
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        Channel& channel = channels_[map.link(id)];
        channel.flit_delay = router_delay + graph.link(id).delay;
        channel.credit_delay = graph.link(id).delay;
        channel.fifos.assign(virtual_channels_, empty);
    }
    for (ChannelId id = graph.link_count(); id < map.count(); ++id) {
        Channel& channel = channels_[id];
        if (map.is_ejection(id)) {
            channel.consumes = true;
            continue;
        }
        channel.flit_delay = router_delay;
        channel.credit_delay = 1;
        channel.fifos.assign(virtual_channels_, empty);
    }

    routers_.resize(graph.node_count());
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        Router& router = routers_[node];
        router.in_channels.resize(ports_);
        router.out_channels.resize(ports_);
        if (first_endpoint_port_ == 0) {
            router.in_channels[kLocalPort] = map.injection(node);
            router.out_channels[kLocalPort] = map.ejection(node);
        }
        for (PortId port = 1; port < network_ports; ++port) {
            const PortId end = network_ports - 1 + port;
            if (const LinkId in = graph.in_link(node, port); in != kNoLink) {
                router.in_channels[port] = map.link(in);
                if (first_endpoint_port_ != 0) router.out_channels[end] = map.ejection_of(in);
            }
            if (const LinkId out = graph.out_link(node, port); out != kNoLink) {
                router.out_channels[port] = map.link(out);
                if (first_endpoint_port_ != 0) router.in_channels[end] = map.injection_of(out);
            }
        }
        const std::size_t vcs = static_cast<std::size_t>(ports_) * virtual_channels_;
        router.held.resize(vcs);
        router.taken.resize(vcs);
        router.grant_pointers.resize(vcs, 0);
        router.input_pointers.resize(ports_, 0);
        router.output_pointers.resize(ports_, 0);
        router.vc_pointers.resize(ports_, 0);
        router.reply_slots = reply_queue_;
        router.input_budgets.assign(ports_, classes_.full_budgets());
        router.output_budgets.assign(ports_, classes_.full_budgets());
        router.streaming.resize(vcs, false);
    }
}

bool GoldenNetwork::has_credit(ChannelId id, std::uint32_t vc, Cycle now,
                               std::uint64_t flits) const {
    const Channel& channel = channels_[id];
    if (channel.consumes) return true;
    const std::deque<Cycle>& slots = channel.fifos[vc].free_slots;
    return slots.size() >= flits && slots[flits - 1] <= now;  // slots are freed in order of time
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

/// Whether the packet may keep a channel that it has, when the network becomes `later`.
bool GoldenNetwork::fits(const LaterNetwork& later, std::size_t packet, ChannelId channel,
                         std::uint32_t vc) const {
    const GoldenPacketState& state = packets_[packet];
    if (!later.graph.is_alive(state.source) || !later.graph.is_alive(state.destination)) {
        return false;
    }
    if (channel >= graph_.link_count()) return true;
    const Link& link = graph_.link(channel);
    if (later.graph.out_link(link.from, link.from_port) == kNoLink) return false;
    const RouteChoice choice = later.routing->route(link.from, state.destination);
    return choice.port == link.from_port && (choice.virtual_channels >> vc & 1U) != 0;
}

std::uint64_t GoldenNetwork::change(const LaterNetwork& later, Cycle now) {
    for (ChannelId id = 0; id < channels_.size(); ++id) {
        for (std::uint32_t vc = 0; vc < channels_[id].fifos.size(); ++vc) {
            for (const StoredFlit& stored : channels_[id].fifos[vc].flits) {
                const std::size_t packet = stored.flit.packet;
                if (!fits(later, packet, id, vc)) packets_[packet].is_lost = true;
            }
        }
    }
    for (const Router& router : routers_) {
        for (std::size_t output = 0; output < router.taken.size(); ++output) {
            if (!router.taken[output]) continue;
            const ChannelId channel = router.out_channels[output / virtual_channels_].value();
            const auto vc = static_cast<std::uint32_t>(output % virtual_channels_);
            const std::size_t packet = *router.taken[output];
            if (!fits(later, packet, channel, vc)) packets_[packet].is_lost = true;
        }
    }

    std::uint64_t flits = 0;
    for (Channel& channel : channels_) {
        for (Fifo& fifo : channel.fifos) {
            std::deque<StoredFlit> kept;
            for (const StoredFlit& stored : fifo.flits) {
                if (!packets_[stored.flit.packet].is_lost) {
                    kept.push_back(stored);
                    continue;
                }
                fifo.free_slots.push_back(now + channel.credit_delay);
                ++flits;
            }
            fifo.flits = std::move(kept);
        }
    }
    for (Router& router : routers_) {
        for (std::size_t input = 0; input < router.held.size(); ++input) {
            if (!router.held[input]) continue;
            const OutputVc held = *router.held[input];
            std::optional<std::size_t>& packet =
                router.taken[held.port * virtual_channels_ + held.vc];
            if (!packets_[packet.value()].is_lost) continue;
            packet.reset();
            router.held[input].reset();
            router.streaming[input] = false;
        }
    }
    routing_ = later.routing.get();
    return flits;
}

void GoldenNetwork::decide(Cycle now) {
    for (NodeId node = 0; node < routers_.size(); ++node) {
        routers_[node].grants.clear();
        routers_[node].traversals.clear();
        if (combined_) {
            allocate_combined(node, now);
            continue;
        }
        allocate_virtual_channels(node, now);
        allocate_switch(routers_[node], now);
    }
}

RouteQuery GoldenNetwork::query_of(NodeId node, std::size_t input,
                                   const GoldenPacketState& packet) const {
    RouteQuery query;
    query.at = node;
    query.in_port = static_cast<PortId>(input / virtual_channels_);
    query.in_vc = static_cast<std::uint32_t>(input % virtual_channels_);
    query.source = packet.source;
    query.destination = packet.destination;
    query.sequence = packet.sequence;
    return query;
}

/// Store and forward: the tail of the packet at the front arrived combining_delay cycles ago.
bool GoldenNetwork::is_stored(const Router& router, std::size_t input, Cycle now) const {
    return is_stored(router, input, front(router, input).flit.packet, now);
}

bool GoldenNetwork::is_stored(const Router& router, std::size_t input, std::size_t packet,
                              Cycle now) const {
    const ChannelId channel = router.in_channels[input / virtual_channels_].value();
    for (const StoredFlit& stored : channels_[channel].fifos[input % virtual_channels_].flits) {
        if (stored.flit.packet != packet || !stored.flit.tail) continue;
        return stored.visible_from + combining_delay_ <= now;
    }
    return false;
}

/// Whether all credits are home.
bool GoldenNetwork::is_empty(ChannelId id, std::uint32_t vc, Cycle now) const {
    const Channel& channel = channels_[id];
    if (channel.consumes) return true;
    const Fifo& fifo = channel.fifos[vc];
    return fifo.flits.empty() && fifo.free_slots.back() <= now;
}

/// Routes from an injection channel to its link, and from the link of arrival to its ejection
/// channel.
RouteChoice GoldenNetwork::ask_with_endpoints(const RouteQuery& query) const {
    const PortId network_ports = first_endpoint_port_;
    if (query.in_port >= first_endpoint_port_) {
        const PortId link = query.in_port - (network_ports - 1);
        const RouteChoice usual = routing_->route(query.at, query.destination);
        if (usual.port == link) return usual;
        return {link, kAllVirtualChannels};
    }
    if (query.at == query.destination) return {network_ports - 1 + query.in_port};
    return routing_->route(query.at, query.destination);
}

/// The one output that a packet asks for in this cycle; none when nothing is open.
std::optional<RouteChoice> GoldenNetwork::ask(NodeId node, const RouteQuery& query,
                                              Cycle now) const {
    if (first_endpoint_port_ != 0) return ask_with_endpoints(query);
    if (routing_->path_choice() == PathChoice::kFixed) {
        return routing_->route(query.at, query.destination);
    }
    if (routing_->path_choice() == PathChoice::kPerPacket) return routing_->route(query);
    RouteChoices choices;
    routing_->route(query, choices);
    const Router& router = routers_[node];
    for (const bool escape : {false, true}) {
        const std::size_t first = escape ? choices.escape() : 0;
        const std::size_t end = escape ? choices.size() : choices.escape();
        const bool must_be_empty = !escape && choices.escape() < choices.size();
        std::optional<RouteChoice> without_credit;
        for (std::size_t i = first; i < end; ++i) {
            RouteChoice open{choices[i].port, 0};
            bool has_one = false;
            for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
                if ((choices[i].virtual_channels >> vc & 1U) == 0) continue;
                if (router.taken[open.port * virtual_channels_ + vc]) continue;
                const ChannelId out = router.out_channels[open.port].value();
                if (must_be_empty && !is_empty(out, vc, now)) continue;
                open.virtual_channels = static_cast<std::uint8_t>(open.virtual_channels | 1U << vc);
                has_one = has_one || has_credit(out, vc, now);
            }
            if (has_one) return open;
            if (open.virtual_channels != 0 && !without_credit) without_credit = open;
        }
        if (without_credit) return without_credit;
    }
    return std::nullopt;
}

/// 1. Route: what every input virtual channel asks for in this cycle.
std::vector<std::optional<RouteChoice>> GoldenNetwork::requests(NodeId node, Cycle now) const {
    const Router& router = routers_[node];
    const std::size_t inputs = router.held.size();
    std::vector<std::optional<RouteChoice>> asks(inputs);
    for (std::size_t input = 0; input < inputs; ++input) {
        const StoredFlit* front = visible_front(router, input, now);
        if (front == nullptr || !front->flit.head || router.held[input]) continue;
        asks[input] = ask(node, query_of(node, input, packets_[front->flit.packet]), now);
        if (!asks[input]) continue;
        for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
            if (classes_.of_channel(vc) == class_at(input)) continue;
            asks[input]->virtual_channels &= static_cast<std::uint8_t>(~(1U << vc));
        }
        const auto in_port = static_cast<PortId>(input / virtual_channels_);
        const bool over_links = !is_local(in_port) && !is_local(asks[input]->port);
        if (stores_ && over_links && !is_stored(router, input, now)) {
            asks[input].reset();
            continue;
        }
        if (asks[input]->port >= ports_ || !router.out_channels[asks[input]->port]) {
            throw std::logic_error("golden model: node " + std::to_string(node) +
                                   " has no output port " + std::to_string(asks[input]->port));
        }
    }
    return asks;
}

/// Whether the node cannot take the request at the front of `input`, with `taken` others in this
/// cycle.
bool GoldenNetwork::is_refused(const Router& router, std::size_t input, PortId port,
                               std::uint64_t taken) const {
    if (reply_queue_ == 0 || !is_local(port)) return false;
    return packets_[front(router, input).flit.packet].is_request && taken >= router.reply_slots;
}

void GoldenNetwork::allocate_virtual_channels(NodeId node, Cycle now) {
    Router& router = routers_[node];
    const std::size_t inputs = router.held.size();
    std::vector<std::optional<RouteChoice>> asks = requests(node, now);
    const bool any = std::any_of(asks.begin(), asks.end(),
                                 [](const std::optional<RouteChoice>& ask) { return ask; });
    if (!any) return;

    // 2. Virtual-channel allocation.
    std::uint64_t taken = 0;  // requests, by the node
    for (PortId port = 0; port < ports_; ++port) {
        for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
            const std::size_t output = port * virtual_channels_ + vc;
            if (router.taken[output]) continue;
            for (std::size_t k = 0; k < inputs; ++k) {
                const std::size_t input = (router.grant_pointers[output] + k) % inputs;
                if (!asks[input] || asks[input]->port != port) continue;
                if ((asks[input]->virtual_channels >> vc & 1U) == 0) continue;
                if (is_refused(router, input, port, taken)) continue;
                const std::uint64_t flits =
                    packets_[visible_front(router, input, now)->flit.packet].flits;
                // The head that is next waits for room, and no other overtakes it.
                if (whole_packets_ && !has_credit(*router.out_channels[port], vc, now, flits))
                    break;
                router.grants.push_back({input, {port, vc}});
                const GoldenFlit& head = front(router, input).flit;
                if (is_local(port) && packets_[head.packet].is_request) ++taken;
                asks[input].reset();  // not given another in this cycle
                break;
            }
        }
    }
}

bool GoldenNetwork::is_ready(const Router& router, const std::vector<std::optional<OutputVc>>& held,
                             std::size_t input, Cycle now) const {
    if (!held[input] || visible_front(router, input, now) == nullptr) return false;
    return has_credit(*router.out_channels[held[input]->port], held[input]->vc, now);
}

void GoldenNetwork::allocate_switch(Router& router, Cycle now) const {
    // 3. Switch allocation. A head granted in step 2 takes part.
    std::vector<std::optional<OutputVc>> held = router.held;
    for (const Grant& grant : router.grants) held[grant.input] = grant.output;

    // hold: an input that sent a flit other than a tail in the last cycle, and is ready, sends.
    std::vector<bool> input_kept(ports_, false);
    std::vector<bool> output_kept(ports_, false);
    for (std::size_t input = 0; hold_ && input < held.size(); ++input) {
        if (!router.streaming[input] || !is_ready(router, held, input, now)) continue;
        router.traversals.push_back({input, *held[input]});
        input_kept[input / virtual_channels_] = true;
        output_kept[held[input]->port] = true;
    }

    std::vector<std::optional<std::size_t>> proposals(ports_);  // input virtual channel
    for (PortId port = 0; port < ports_; ++port) {
        if (input_kept[port]) continue;
        std::vector<std::size_t> ready;  // from the pointer on
        for (std::uint32_t k = 0; k < virtual_channels_; ++k) {
            const std::uint32_t vc = (router.input_pointers[port] + k) % virtual_channels_;
            const std::size_t input = port * virtual_channels_ + vc;
            if (!is_ready(router, held, input, now) || output_kept[held[input]->port]) continue;
            ready.push_back(input);
        }
        proposals[port] = first_preferred(ready, router.input_budgets[port]);
    }
    for (PortId out = 0; out < ports_; ++out) {
        std::vector<std::size_t> proposed;
        for (PortId k = 0; k < ports_; ++k) {
            const PortId in = (router.output_pointers[out] + k) % ports_;
            if (!proposals[in] || held[*proposals[in]]->port != out) continue;
            proposed.push_back(*proposals[in]);
        }
        const auto accepted = first_preferred(proposed, router.output_budgets[out]);
        if (accepted) router.traversals.push_back({*accepted, *held[*accepted]});
    }
}

/// The first of `inputs` whose class an arbiter with these budgets prefers; none of none.
std::optional<std::size_t> GoldenNetwork::first_preferred(const std::vector<std::size_t>& inputs,
                                                          const GoldenBudgets& budgets) const {
    std::vector<std::uint32_t> competing;
    for (const std::size_t input : inputs) competing.push_back(class_at(input));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (classes_.is_preferred(competing[i], competing, budgets)) return inputs[i];
    }
    return std::nullopt;
}

/// Combined allocation, step 2: the output virtual channel that a head which asks so is offered.
std::optional<GoldenNetwork::OutputVc> GoldenNetwork::offer(const Router& router,
                                                            const RouteChoice& choice,
                                                            Cycle now) const {
    for (std::uint32_t k = 0; k < virtual_channels_; ++k) {
        const std::uint32_t vc = (router.vc_pointers[choice.port] + k) % virtual_channels_;
        if ((choice.virtual_channels >> vc & 1U) == 0) continue;
        if (router.taken[choice.port * virtual_channels_ + vc]) continue;
        if (has_credit(*router.out_channels[choice.port], vc, now))
            return OutputVc{choice.port, vc};
    }
    return std::nullopt;
}

/// hold: whether an input sent a flit other than a tail in the last cycle, and is ready.
bool GoldenNetwork::sends_on(const Router& router, std::size_t input, Cycle now) const {
    return hold_ && router.streaming[input] && is_ready(router, router.held, input, now);
}

/// Steps 2 to 5 of "Combined allocation".
void GoldenNetwork::allocate_combined(NodeId node, Cycle now) {
    Router& router = routers_[node];
    // Offer: what each input virtual channel holds, or could have.
    const std::vector<std::optional<RouteChoice>> asks = requests(node, now);
    std::vector<std::optional<OutputVc>> targets = router.held;
    for (std::size_t input = 0; input < asks.size(); ++input) {
        if (!asks[input] || is_refused(router, input, asks[input]->port, 0)) continue;
        targets[input] = offer(router, *asks[input], now);
    }

    // Propose.
    std::vector<std::optional<std::size_t>> proposals(ports_);  // input virtual channel
    for (PortId port = 0; port < ports_; ++port) {
        std::vector<std::size_t> ready;  // from the pointer on
        for (std::uint32_t k = 0; k < virtual_channels_; ++k) {
            const std::uint32_t vc = (router.input_pointers[port] + k) % virtual_channels_;
            const std::size_t input = port * virtual_channels_ + vc;
            if (sends_on(router, input, now)) proposals[port] = input;
            if (is_ready(router, targets, input, now)) ready.push_back(input);
        }
        if (!proposals[port]) proposals[port] = first_preferred(ready, router.input_budgets[port]);
    }

    // Accept: a stream, or else the first one that proposes.
    for (PortId out = 0; out < ports_; ++out) {
        std::optional<std::size_t> accepted;
        std::vector<std::size_t> proposed;
        for (PortId k = 0; k < ports_; ++k) {
            const PortId in = (router.output_pointers[out] + k) % ports_;
            if (!proposals[in] || targets[*proposals[in]]->port != out) continue;
            if (sends_on(router, *proposals[in], now)) accepted = proposals[in];
            proposed.push_back(*proposals[in]);
        }
        if (!accepted) accepted = first_preferred(proposed, router.output_budgets[out]);
        if (!accepted) continue;
        if (!router.held[*accepted]) router.grants.push_back({*accepted, *targets[*accepted]});
        router.traversals.push_back({*accepted, *targets[*accepted]});
    }
}

std::size_t GoldenNetwork::apply(Cycle now) {
    std::size_t delivered = 0;
    for (Router& router : routers_) {
        router.streaming.assign(router.streaming.size(), false);
        for (const Grant& grant : router.grants) {
            const std::size_t output = grant.output.port * virtual_channels_ + grant.output.vc;
            router.held[grant.input] = grant.output;
            router.taken[output] = front(router, grant.input).flit.packet;
            router.grant_pointers[output] = (grant.input + 1) % router.held.size();
            const bool is_request = packets_[*router.taken[output]].is_request;
            if (reply_queue_ != 0 && is_local(grant.output.port) && is_request) {
                --router.reply_slots;
            }
            router.vc_pointers[grant.output.port] = (grant.output.vc + 1) % virtual_channels_;
        }
        for (const Grant& traversal : router.traversals) {
            if (traverse(router, traversal, now)) ++delivered;
        }
    }
    return delivered;
}

bool GoldenNetwork::traverse(Router& router, const Grant& traversal, Cycle now) {
    const PortId in_port = static_cast<PortId>(traversal.input / virtual_channels_);
    const auto in_vc = static_cast<std::uint32_t>(traversal.input % virtual_channels_);
    const OutputVc output = traversal.output;
    router.input_pointers[in_port] = (in_vc + 1) % virtual_channels_;
    router.output_pointers[output.port] = (in_port + 1) % ports_;
    classes_.count(class_at(traversal.input), router.input_budgets[in_port]);
    classes_.count(class_at(traversal.input), router.output_budgets[output.port]);

    // 4. Traversal.
    const GoldenFlit flit = pop(*router.in_channels[in_port], in_vc, now);
    send(*router.out_channels[output.port], output.vc, flit, now);

    router.streaming[traversal.input] = !flit.tail;

    // 5. Release.
    if (flit.tail) {
        router.held[traversal.input].reset();
        router.taken[output.port * virtual_channels_ + output.vc].reset();
    }

    // 6. Ejection.
    if (!is_local(output.port)) return false;
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
    Channel& channel = channels_[id];
    if (!channel.consumes) {
        channel.fifos[vc].free_slots.pop_front();
        channel.fifos[vc].flits.push_back({flit, now + channel.flit_delay});
    }
    ++channel.flits_sent;
    if (!channel.busy.empty() && channel.busy.back().last_plus_one == now) {
        channel.busy.back().last_plus_one = now + 1;
    } else {
        channel.busy.push_back({now, now + 1});
    }
}

}  // namespace flitscope
