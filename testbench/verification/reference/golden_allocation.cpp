// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The grants of a router of the golden model in a cycle, steps 1 to 3 of hw/TIMING.md, "One cycle
// of a router", or those of "Combined allocation".
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/verification/reference/golden_network.h"

namespace flitscope {

RouteQuery GoldenNetwork::query_of(RouterId id, std::size_t input,
                                   const GoldenPacketState& packet) const {
    RouteQuery query;
    query.at = id;
    query.in_port = static_cast<PortId>(input / virtual_channels_);
    query.in_vc = static_cast<std::uint32_t>(input % virtual_channels_);
    query.source = packet.source;
    query.destination = packet.destination;
    query.sequence = packet.sequence;
    query.is_injected = is_local(query.in_port);
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
    if (places_.router_of(query.destination) == query.at) {
        return {network_ports - 1 + query.in_port};
    }
    return routing_->route(query.at, query.destination);
}

/// All that an adaptive routing offers.
RouteChoices GoldenNetwork::choices_for(const RouteQuery& query) const {
    RouteChoices choices;
    routing_->route(query, choices);
    RouteChoices placed;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const RouteChoice choice = places_.placed(choices[i], query.at, query.destination);
        if (i < choices.escape()) {
            placed.add(choice);
        } else {
            placed.add_escape(choice);
        }
    }
    return placed;
}

/// The one output that a packet asks for in this cycle; none when nothing is open.
std::optional<RouteChoice> GoldenNetwork::ask(const RouteQuery& query, Cycle now) const {
    if (first_endpoint_port_ != 0) return ask_with_endpoints(query);
    const auto placed = [&](const RouteChoice& choice) {
        return places_.placed(choice, query.at, query.destination);
    };
    if (routing_->path_choice() == PathChoice::kFixed) {
        return placed(routing_->route(query.at, query.destination));
    }
    if (routing_->path_choice() == PathChoice::kPerPacket) return placed(routing_->route(query));
    if (routing_->path_choice() == PathChoice::kByQueues) {
        const std::size_t input = query.in_port * virtual_channels_ + query.in_vc;
        const std::optional<RouteChoice>& chosen = routers_[query.at].chosen[input];
        return chosen ? *chosen : placed(routing_->route(query, *this, now));
    }
    const RouteChoices choices = choices_for(query);
    const Router& router = routers_[query.at];
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
                open.virtual_channels = static_cast<VcMask>(open.virtual_channels | 1U << vc);
                has_one = has_one || has_credit(out, vc, now);
            }
            if (has_one) return open;
            if (open.virtual_channels != 0 && !without_credit) without_credit = open;
        }
        if (without_credit) return without_credit;
    }
    return std::nullopt;
}

/// 1. Route: the requests of every input virtual channel in this cycle. What heads choose once and
/// for all is noted, which no other router sees.
std::vector<std::optional<RouteChoice>> GoldenNetwork::requests(RouterId id, Cycle now) {
    Router& router = routers_[id];
    const std::size_t inputs = router.held.size();
    std::vector<std::optional<RouteChoice>> asks(inputs);
    for (std::size_t input = 0; input < inputs; ++input) {
        const StoredFlit* front = visible_front(router, input, now);
        if (front == nullptr || !front->flit.head || router.held[input]) continue;
        asks[input] = ask(query_of(id, input, packets_[front->flit.packet]), now);
        if (!asks[input]) continue;
        for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
            if (classes_.of_channel(vc) == class_at(input)) continue;
            asks[input]->virtual_channels &= static_cast<VcMask>(~(1U << vc));
        }
        const auto in_port = static_cast<PortId>(input / virtual_channels_);
        const bool over_links = !is_local(in_port) && !is_local(asks[input]->port);
        if (stores_ && over_links && !is_stored(router, input, now)) {
            asks[input].reset();
            continue;
        }
        if (routing_->path_choice() == PathChoice::kByQueues) router.chosen[input] = asks[input];
        if (asks[input]->port >= ports_ || !router.out_channels[asks[input]->port]) {
            throw std::logic_error("golden model: router " + std::to_string(id.number()) +
                                   " has no output port " + std::to_string(asks[input]->port));
        }
    }
    return asks;
}

/// Whether the node at a port cannot take the request at the front of `input`; `taken` are the
/// requests that nodes take in this cycle.
bool GoldenNetwork::is_refused(RouterId id, std::size_t input, PortId port,
                               const std::map<NodeId, std::uint64_t>& taken) const {
    if (reply_queue_ == 0 || !is_local(port)) return false;
    if (!packets_[front(routers_[id], input).flit.packet].is_request) return false;
    const NodeId node = node_at(id, port);
    const auto others = taken.find(node);
    return (others == taken.end() ? 0 : others->second) >= reply_slots_[node];
}

void GoldenNetwork::allocate_virtual_channels(RouterId id, Cycle now) {
    Router& router = routers_[id];
    const std::size_t inputs = router.held.size();
    std::vector<std::optional<RouteChoice>> asks = requests(id, now);
    const bool any = std::any_of(asks.begin(), asks.end(),
                                 [](const std::optional<RouteChoice>& ask) { return ask; });
    if (!any) return;

    // 2. Virtual-channel allocation.
    std::map<NodeId, std::uint64_t> taken;  // requests, per node
    for (PortId port = 0; port < ports_; ++port) {
        for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
            const std::size_t output = port * virtual_channels_ + vc;
            if (router.taken[output]) continue;
            for (std::size_t k = 0; k < inputs; ++k) {
                const std::size_t input = (router.grant_pointers[output] + k) % inputs;
                if (!asks[input] || asks[input]->port != port) continue;
                if ((asks[input]->virtual_channels >> vc & 1U) == 0) continue;
                if (is_refused(id, input, port, taken)) continue;
                const std::uint64_t flits =
                    packets_[visible_front(router, input, now)->flit.packet].flits;
                // The head that is next waits for room, and no other overtakes it.
                if (whole_packets_ && !has_credit(*router.out_channels[port], vc, now, flits))
                    break;
                router.grants.push_back({input, {port, vc}});
                const GoldenFlit& head = front(router, input).flit;
                if (reply_queue_ != 0 && is_local(port) && packets_[head.packet].is_request) {
                    ++taken[node_at(id, port)];
                }
                asks[input].reset();  // not given another in this cycle
                break;
            }
        }
    }
}

bool GoldenNetwork::is_ready(const Router& router, const std::vector<std::optional<OutputVc>>& held,
                             std::size_t input, Cycle now) const {
    if (!held[input] || visible_front(router, input, now) == nullptr) return false;
    const ChannelId out = *router.out_channels[held[input]->port];
    const bool takes =
        output_speedup_ > 1 ? queue_takes(out, held[input]->vc) : takes_flit(out, now);
    return takes && has_credit(out, held[input]->vc, now);
}

void GoldenNetwork::allocate_switch(Router& router, Cycle now) const {
    // 3. Switch allocation. A head granted in step 2 takes part.
    std::vector<std::optional<OutputVc>> held = router.held;
    for (const Grant& grant : router.grants) held[grant.input] = grant.output;

    // hold: an input that sent a flit other than a tail in the last cycle, and is ready, sends.
    std::vector<bool> input_kept(switch_inputs_, false);
    std::vector<bool> output_kept(ports_, false);
    for (std::size_t input = 0; hold_ && input < held.size(); ++input) {
        if (!router.streaming[input] || !is_ready(router, held, input, now)) continue;
        router.traversals.push_back({input, *held[input]});
        input_kept[input / channels_per_switch_input_] = true;
        output_kept[held[input]->port] = true;
    }

    std::vector<std::optional<std::size_t>> proposals(switch_inputs_);  // input virtual channel
    for (std::size_t in = 0; in < switch_inputs_; ++in) {
        if (input_kept[in]) continue;
        std::vector<std::size_t> ready;
        for (const std::size_t input : channels_from_pointer(router, in)) {
            if (!is_ready(router, held, input, now) || output_kept[held[input]->port]) continue;
            ready.push_back(input);
        }
        proposals[in] = first_preferred(ready, router.input_budgets[in]);
    }
    for (std::size_t out = 0; out < router.output_pointers.size(); ++out) {
        std::vector<std::size_t> proposed;
        for (std::size_t k = 0; k < switch_inputs_; ++k) {
            const std::size_t in = (router.output_pointers[out] + k) % switch_inputs_;
            if (!proposals[in]) continue;
            if (switch_output(*proposals[in], held[*proposals[in]]->port) != out) continue;
            proposed.push_back(*proposals[in]);
        }
        const auto accepted = first_preferred(proposed, router.output_budgets[out]);
        if (accepted) router.traversals.push_back({*accepted, *held[*accepted]});
    }
}

/// The input virtual channels of a switch input, from its pointer on.
std::vector<std::size_t> GoldenNetwork::channels_from_pointer(const Router& router,
                                                              std::size_t in) const {
    std::vector<std::size_t> channels;
    for (std::uint32_t k = 0; k < channels_per_switch_input_; ++k) {
        channels.push_back(in * channels_per_switch_input_ +
                           (router.input_pointers[in] + k) % channels_per_switch_input_);
    }
    return channels;
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
    if (!takes_flit(*router.out_channels[choice.port], now)) return std::nullopt;
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
void GoldenNetwork::allocate_combined(RouterId id, Cycle now) {
    Router& router = routers_[id];
    // Offer: the output that each input virtual channel holds, or could have.
    const std::vector<std::optional<RouteChoice>> asks = requests(id, now);
    std::vector<std::optional<OutputVc>> targets = router.held;
    for (std::size_t input = 0; input < asks.size(); ++input) {
        if (!asks[input] || is_refused(id, input, asks[input]->port, {})) continue;
        targets[input] = offer(router, *asks[input], now);
    }

    // Propose.
    std::vector<std::optional<std::size_t>> proposals(switch_inputs_);  // input virtual channel
    for (std::size_t in = 0; in < switch_inputs_; ++in) {
        std::vector<std::size_t> ready;
        for (const std::size_t input : channels_from_pointer(router, in)) {
            if (sends_on(router, input, now)) proposals[in] = input;
            if (is_ready(router, targets, input, now)) ready.push_back(input);
        }
        if (!proposals[in]) proposals[in] = first_preferred(ready, router.input_budgets[in]);
    }

    // Accept: a stream, or else the first one that proposes.
    for (PortId out = 0; out < ports_; ++out) {
        std::optional<std::size_t> accepted;
        std::vector<std::size_t> proposed;
        for (std::size_t k = 0; k < switch_inputs_; ++k) {
            const std::size_t in = (router.output_pointers[out] + k) % switch_inputs_;
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

}  // namespace flitscope
