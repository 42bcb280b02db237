// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The notes of packet networks and nodes of the golden model for a witness. They read the state in
// which a cycle is decided, and the decisions; nothing here changes either.
#include <algorithm>
#include <utility>

#include "testbench/verification/reference/golden_interfaces.h"
#include "testbench/verification/reference/golden_network.h"
#include "testbench/verification/reference/golden_program.h"

namespace flitscope {

GoldenWait GoldenNetwork::wait_of(const GoldenFlit& flit, ChannelId at) const {
    const GoldenPacket& packet = packets_[flit.packet].record;
    return {at, packet.message, packet.index, flit.number, {}};
}

MessageId GoldenNetwork::message_at_front(const Router& router, std::size_t input) const {
    return packets_[front(router, input).flit.packet].record.message;
}

void GoldenNetwork::note(Cycle now, GoldenCycle& cycle) const {
    for (RouterId id; id < routers_.size(); ++id) {
        const Router& router = routers_[id];
        for (const Grant& traversal : router.traversals) {
            const GoldenFlit& flit = front(router, traversal.input).flit;
            const GoldenPacket& packet = packets_[flit.packet].record;
            cycle.sent.push_back({*router.out_channels[traversal.output.port], traversal.output.vc,
                                  *router.in_channels[traversal.input / virtual_channels_],
                                  static_cast<std::uint32_t>(traversal.input % virtual_channels_),
                                  packet.message, packet.index, flit.number});
        }
        for (std::size_t input = 0; input < router.held.size(); ++input) {
            if (router.in_channels[input / virtual_channels_]) note_input(id, input, now, cycle);
        }
    }
}

/// Notes the packets in a FIFO that do not send: the one at its front, and the heads after it.
void GoldenNetwork::note_input(RouterId id, std::size_t input, Cycle now,
                               GoldenCycle& cycle) const {
    const Router& router = routers_[id];
    const ChannelId at = *router.in_channels[input / virtual_channels_];
    const auto is_local_input = is_local(static_cast<PortId>(input / virtual_channels_));
    const auto& flits = channels_[at].fifos[input % virtual_channels_].flits;
    for (std::size_t i = 0; i < flits.size(); ++i) {
        if (i != 0 && !flits[i].flit.head) continue;
        GoldenWait wait = wait_of(flits[i].flit, at);
        const bool goes_on = places_.router_of(packets_[flits[i].flit.packet].destination) != id;
        if (flits[i].visible_from > now) wait.lacks.push_back({GoldenLack::kVisible, at, 0, 0});
        if (flits[i].flit.head && stores_ && !is_local_input && goes_on &&
            !is_stored(router, input, flits[i].flit.packet, now)) {
            wait.lacks.push_back({GoldenLack::kStored, at, 0, 0});
        }
        if (i != 0) {
            wait.lacks.push_back({GoldenLack::kFront, at, 0, message_at_front(router, input)});
        } else if (wait.lacks.empty()) {
            note_grant(id, input, now, wait);
        }
        const bool sends = std::any_of(router.traversals.begin(), router.traversals.end(),
                                       [&](const Grant& t) { return i == 0 && t.input == input; });
        if (!sends) cycle.waits.push_back(std::move(wait));
    }
}

/// The front flit is visible and, if required, stored.
void GoldenNetwork::note_grant(RouterId id, std::size_t input, Cycle now, GoldenWait& wait) const {
    const Router& router = routers_[id];
    if (router.held[input]) {
        note_switch(router, {input, *router.held[input]}, now, wait);
        return;
    }
    for (const Grant& grant : router.grants) {
        if (grant.input != input) continue;
        note_switch(router, grant, now, wait);
        return;
    }
    const RouteQuery query = query_of(id, input, packets_[front(router, input).flit.packet]);
    if (routing_->path_choice() != PathChoice::kAdaptive) {
        note_choice(id, input, *ask(query, now), false, now, wait);
        return;
    }
    const RouteChoices choices = choices_for(query);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const bool must_be_empty = choices.has_escape() && i < choices.escape();
        note_choice(id, input, choices[i], must_be_empty, now, wait);
    }
}

/// Notes what keeps a head from the virtual channels of a choice. Nothing, if an adaptive routing
/// preferred another one.
void GoldenNetwork::note_choice(RouterId id, std::size_t input, const RouteChoice& choice,
                                bool must_be_empty, Cycle now, GoldenWait& wait) const {
    const Router& router = routers_[id];
    const ChannelId out = *router.out_channels[choice.port];
    const GoldenPacketState& packet = packets_[front(router, input).flit.packet];
    const bool is_adaptive = routing_->path_choice() == PathChoice::kAdaptive;
    for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
        if ((choice.virtual_channels >> vc & 1U) == 0) continue;
        if (const auto holder = router.taken[choice.port * virtual_channels_ + vc]) {
            const MessageId whose = packets_[*holder].record.message;
            wait.lacks.push_back({GoldenLack::kTaken, out, vc, whose});
            continue;
        }
        const auto given =
            std::find_if(router.grants.begin(), router.grants.end(), [&](const Grant& grant) {
                return grant.output.port == choice.port && grant.output.vc == vc;
            });
        if (given != router.grants.end()) {
            const MessageId whose = message_at_front(router, given->input);
            wait.lacks.push_back({GoldenLack::kGiven, out, vc, whose});
            continue;
        }
        if (must_be_empty && !is_empty(out, vc, now)) {
            wait.lacks.push_back({GoldenLack::kEmpty, out, vc, 0});
        }
        if (whole_packets_ && !has_credit(out, vc, now, packet.flits)) {
            wait.lacks.push_back({GoldenLack::kRoom, out, vc, 0});
        } else if ((is_adaptive || combined_) && !has_credit(out, vc, now)) {
            wait.lacks.push_back({GoldenLack::kCredit, out, vc, 0});
        } else if (combined_ && !takes_flit(out, now)) {
            wait.lacks.push_back({GoldenLack::kLink, out, vc, channels_[out].last_message});
        } else if (!is_adaptive && combined_) {
            note_rivals(router, {input, {choice.port, vc}}, wait);
        } else if (!is_adaptive) {
            wait.lacks.push_back({GoldenLack::kHeldUp, out, vc, kNoMessage});
        }
    }
}

/// The packet has, or has been given, its output virtual channel.
void GoldenNetwork::note_switch(const Router& router, const Grant& held, Cycle now,
                                GoldenWait& wait) const {
    const ChannelId out = *router.out_channels[held.output.port];
    if (!has_credit(out, held.output.vc, now)) {
        wait.lacks.push_back({GoldenLack::kCredit, out, held.output.vc, 0});
        return;
    }
    if (!takes_flit(out, now)) {
        wait.lacks.push_back({GoldenLack::kLink, out, held.output.vc, channels_[out].last_message});
        return;
    }
    note_rivals(router, held, wait);
}

/// Notes which packets have the switch instead of one that could send there and does not.
void GoldenNetwork::note_rivals(const Router& router, const Grant& held, GoldenWait& wait) const {
    const ChannelId out = *router.out_channels[held.output.port];
    const std::size_t before = wait.lacks.size();
    for (const Grant& other : router.traversals) {
        if (other.input == held.input) continue;
        const MessageId whose = message_at_front(router, other.input);
        if (other.input / channels_per_switch_input_ == held.input / channels_per_switch_input_) {
            wait.lacks.push_back({GoldenLack::kInput, out, held.output.vc, whose});
        }
        if (other.output.port == held.output.port) {
            wait.lacks.push_back({GoldenLack::kOutput, out, held.output.vc, whose});
        }
    }
    if (wait.lacks.size() == before) {
        wait.lacks.push_back({GoldenLack::kSwitch, out, held.output.vc, kNoMessage});
    }
}

void GoldenProgram::note_received(MessageId message, Cycle now,
                                  std::vector<GoldenLacking>& lacks) const {
    const std::optional<Cycle> cycle = delivered(message);
    if (cycle && *cycle + recv_overhead_ + 1 <= now) return;
    lacks.push_back({GoldenLack::kReceived, 0, 0, message});
}

void GoldenProgram::note(Cycle now, GoldenCycle& cycle) const {
    // the reason why they wait is not asked for
    if (program_.ordering == Ordering::kOperations) return;
    for (NodeId id = 0; id < nodes_.size(); ++id) {
        const Node& node = nodes_[id];
        GoldenProgramWait wait{id, {}};
        if (program_.ordering == Ordering::kTimed) {
            if (node.next_send == node.sends.size()) continue;
            const Transfer& transfer = program_.transfers[node.sends[node.next_send]];
            if (transfer.time > now) wait.lacks.push_back({GoldenLack::kTime, 0, 0, 0});
            for (const MessageId awaited : transfer.after) {
                if (!transfer.streams) note_received(awaited, now, wait.lacks);
            }
        } else {
            const std::optional<StepId> step = program_.barrier_cycles ? barrier_step_ : node.step;
            if (!step) continue;
            if (const auto part = node.parts.find(*step); part != node.parts.end()) {
                for (const MessageId message : part->second.sends) {
                    const std::optional<Cycle> tail = injected(message);
                    if (tail && *tail + 1 <= now) continue;
                    wait.lacks.push_back({GoldenLack::kInjected, 0, 0, message});
                }
                for (const MessageId message : part->second.receives) {
                    note_received(message, now, wait.lacks);
                }
            }
            if (wait.lacks.empty()) wait.lacks.push_back({GoldenLack::kBarrier, 0, 0, 0});
        }
        cycle.programs.push_back(std::move(wait));
    }
}

/// The start of a packet that is next in its queue.
GoldenStart GoldenInterfaces::start_of(const Queue& queue, const GoldenPacketState& packet) const {
    const Cycle startup = config_.send_overhead;
    const Cycle begin = packet.record.begin;
    if (config_.serialize_overhead && !assembles()) {
        const Cycle from = std::max(begin, queue.message_end);
        return {from, from + startup, kNever, from + startup};
    }
    if (!assembles()) return {begin, begin + startup, kNever, begin + startup};
    const Cycle assembly = assembly_from_[packet.record.message];
    const Cycle ready = packet.earliest_injection;
    if (config_.serialize_overhead) return {assembly - startup, assembly, assembly, ready};
    return {begin, begin + startup, assembly, ready};
}

void GoldenInterfaces::note_start(const Queue& queue, std::size_t packet, bool is_next, Cycle now,
                                  GoldenWitness& witness, GoldenWait& wait) const {
    const GoldenPacketState& state = packets_.all[packet];
    if (config_.serialize_overhead && !assembles()) {
        if (state.record.index != 0) return;
        if (!is_next) {
            wait.lacks.push_back({GoldenLack::kTurn, 0, 0, 0});
            return;
        }
    }
    const GoldenStart start = start_of(queue, state);
    if (state.record.index == 0) witness.starts[state.record.message] = start;
    if (now < start.startup_from) {
        wait.lacks.push_back({GoldenLack::kTurn, 0, 0, 0});
    } else if (now < start.startup_to) {
        wait.lacks.push_back({GoldenLack::kStartup, 0, 0, 0});
    } else if (assembles() && now < start.assembly_from) {
        wait.lacks.push_back({GoldenLack::kTurn, 0, 0, 0});
    } else if (assembles() && now < state.earliest_injection) {
        wait.lacks.push_back({GoldenLack::kAssembly, 0, 0, 0});
    }
}

void GoldenInterfaces::note_stream(std::size_t packet, const GoldenNetwork& network, Cycle now,
                                   GoldenWait& wait) const {
    const Transfer& transfer = program_.transfers[packets_.all[packet].record.message];
    if (!transfer.streams) return;
    for (const MessageId before : transfer.after) {
        const std::vector<Cycle>& ejected = network.ejections(packets_.first[before]);
        if (ejected.size() > wait.flit && ejected[wait.flit] < now) continue;
        wait.lacks.push_back({GoldenLack::kStream, 0, 0, before});
    }
}

void GoldenInterfaces::note_credits(std::size_t packet, bool is_head, const GoldenNetwork& network,
                                    Cycle now, GoldenWait& wait) const {
    if (choose(packet, is_head, network, now)) return;
    const ChannelId channel = channel_of(packet);
    const bool whole = is_head && network.has_packet_flow_control();
    for (std::uint32_t vc = 0; vc < network.virtual_channels(); ++vc) {
        const std::uint32_t of = packets_.all[packet].message_class;
        if (!is_head && vc != injections_.at({channel, of}).vc) continue;
        wait.lacks.push_back({whole ? GoldenLack::kRoom : GoldenLack::kCredit, channel, vc, 0});
    }
}

void GoldenInterfaces::note(const GoldenNetwork& network, Cycle now, GoldenWitness& witness) const {
    GoldenCycle& cycle = witness.cycles.back();
    for (const Interface& interface : interfaces_) {
        for (const auto& entry : interface.queues) {
            const Queue& queue = entry.second;
            for (std::size_t place = 0; place < std::min<std::size_t>(queue.packets.size(), 2);
                 ++place) {
                const Together& together = queue.packets[place];
                const std::uint64_t flit = place == 0 ? queue.flits_sent : 0;
                for (std::size_t k = 0; k < together.size(); ++k) {
                    const GoldenPacket& record = packets_.all[together[k]].record;
                    const ChannelId channel = channel_of(together[k]);
                    GoldenWait wait{channel, record.message, record.index, flit, {}};
                    if (flit == 0) {
                        note_start(queue, together[k], place == 0, now, witness, wait);
                    }
                    note_stream(together[k], network, now, wait);
                    if (place != 0) {
                        for (const std::size_t first : queue.packets.front()) {
                            wait.lacks.push_back(
                                {GoldenLack::kQueue, 0, 0, packets_.all[first].record.message});
                        }
                    } else if (!queue.sends_on.empty()) {
                        cycle.sent.push_back({channel, queue.sends_on[k], channel,
                                              queue.sends_on[k], record.message, record.index,
                                              flit});
                        continue;
                    } else {
                        for (const std::size_t other : together) {
                            note_credits(other, flit == 0, network, now, wait);
                        }
                        // Another class sends.
                        if (wait.lacks.empty()) {
                            wait.lacks.push_back({GoldenLack::kSwitch, channel, 0, kNoMessage});
                        }
                    }
                    cycle.waits.push_back(std::move(wait));
                }
            }
        }
    }
}

}  // namespace flitscope
