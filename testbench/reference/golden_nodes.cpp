// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs and network interfaces of the golden model. The order of a node's sends is derived here
// from Program::transfers, independently of traffic/'s NodePrograms.
#include "testbench/reference/golden_nodes.h"

#include <algorithm>
#include <utility>

#include "models/config/packet_format.h"
#include "models/fabric/message.h"

namespace flitscope {

GoldenPackets::GoldenPackets(const Config& config, const Program& program) {
    const PacketFormat format = config.packet_format();
    std::vector<Transfer> transfers(program.transfers.begin(), program.transfers.end());
    for (MessageId m = 0; config.traffic.reply_bytes && m < program.transfers.size(); ++m) {
        Transfer reply;
        reply.source = program.transfers[m].destination;
        reply.destination = program.transfers[m].source;
        reply.bytes = *config.traffic.reply_bytes;
        reply.message_class = program.transfers[m].message_class;
        for (std::size_t k = 0; k < config.fabric.classes.size(); ++k) {
            if (config.fabric.classes[k] != config.traffic.reply_class) continue;
            reply.message_class = static_cast<MessageClass>(k);
        }
        transfers.push_back(reply);
    }
    for (MessageId message = 0; message < transfers.size(); ++message) {
        const Transfer& transfer = transfers[message];
        first.push_back(all.size());
        for (std::uint32_t index = 0; index < format.packets(transfer.bytes); ++index) {
            GoldenPacketState packet;
            packet.record.message = message;
            packet.record.index = index;
            packet.source = transfer.source;
            packet.destination = transfer.destination;
            packet.flits = format.flits(transfer.bytes, index);
            packet.message_class = transfer.message_class;
            packet.is_request = config.traffic.reply_bytes && message < program.transfers.size();
            packet.copy_of = all.size();
            all.push_back(packet);
        }
    }
    first.push_back(all.size());
}

GoldenProgram::GoldenProgram(const Config& config, const Program& program,
                             const GoldenPackets& packets)
    : program_(program),
      packets_(packets),
      recv_overhead_(config.node.recv_overhead),
      reply_delay_(config.traffic.reply_delay),
      send_startup_(config.node.send_startup) {
    nodes_.resize(program.nodes);
    if (program.ordering == Ordering::kOperations) {
        const Operations& all = *program.operations;
        operations_.resize(all.size());
        waits_.resize(all.size());
        sends_of_.resize(program.transfers.size());
        posted_.resize(program.nodes);
        unclaimed_.resize(program.nodes);
        for (OperationId id = 0; id < all.size(); ++id) {
            if (all[id].kind == Operation::Kind::kSend) sends_of_[all[id].message] = id;
            all.visit_successors(id, [&](const Successor& successor) {
                waits_[successor.operation].push_back(
                    {successor.operation, id, successor.on_begin});
            });
        }
        return;
    }
    for (MessageId message = 0; message < program.transfers.size(); ++message) {
        if (config.traffic.reply_bytes) unanswered_.push_back(message);
        const Transfer& transfer = program.transfers[message];
        nodes_[transfer.source].sends.push_back(message);
        nodes_[transfer.source].parts[transfer.step].sends.push_back(message);
        nodes_[transfer.destination].parts[transfer.step].receives.push_back(message);
    }
    if (program.ordering != Ordering::kTimed) return;
    for (Node& node : nodes_) {
        std::stable_sort(node.sends.begin(), node.sends.end(),
                         [&program](MessageId a, MessageId b) {
                             return program.transfers[a].time < program.transfers[b].time;
                         });
    }
}

std::optional<Cycle> GoldenProgram::injected(MessageId message) const {
    const Cycle cycle = packets_.all[packets_.first[message + 1] - 1].record.tail_injected;
    if (cycle == kNever) return std::nullopt;
    return cycle;
}

std::optional<Cycle> GoldenProgram::delivered(MessageId message) const {
    // On several virtual channels a packet may overtake another: the message is there when all are.
    Cycle last = 0;
    for (std::size_t i = packets_.first[message]; i < packets_.first[message + 1]; ++i) {
        const std::optional<std::size_t> copy = packets_.all[i].arrived_as;
        if (!copy) return std::nullopt;
        last = std::max(last, packets_.all[*copy].record.tail_delivered);
    }
    return last;
}

std::optional<Cycle> GoldenProgram::end_of_step(const Part& part, Cycle begin) const {
    Cycle end = begin;
    for (const MessageId message : part.sends) {
        const std::optional<Cycle> cycle = injected(message);
        if (!cycle) return std::nullopt;
        end = std::max(end, *cycle + 1);
    }
    for (const MessageId message : part.receives) {
        const std::optional<Cycle> cycle = delivered(message);
        if (!cycle) return std::nullopt;
        end = std::max(end, *cycle + recv_overhead_ + 1);
    }
    return end;
}

std::vector<MessageId> GoldenProgram::begin_sends(Cycle now) {
    std::vector<MessageId> begun;
    if (program_.ordering == Ordering::kSteps && program_.barrier_cycles) {
        step_with_barrier(now, begun);
        return begun;
    }
    if (program_.ordering == Ordering::kOperations) {
        for (NodeId id = 0; id < program_.nodes; ++id) play_operations(id, now, begun);
        return begun;
    }
    for (Node& node : nodes_) {
        if (program_.ordering == Ordering::kSteps) {
            step_without_barrier(node, now, begun);
        } else {
            step_timed(node, now, begun);
        }
    }
    begin_replies(now, begun);  // behind what their nodes begin in the same cycle
    return begun;
}

void GoldenProgram::begin_replies(Cycle now, std::vector<MessageId>& begun) {
    std::vector<MessageId> still_unanswered;
    for (const MessageId request : unanswered_) {
        const std::optional<Cycle> cycle = delivered(request);
        if (cycle && *cycle + recv_overhead_ + 1 + reply_delay_ <= now) {
            begun.push_back(static_cast<MessageId>(program_.transfers.size()) + request);
        } else {
            still_unanswered.push_back(request);
        }
    }
    unanswered_ = std::move(still_unanswered);
}

void GoldenProgram::step_without_barrier(Node& node, Cycle now,
                                         std::vector<MessageId>& begun) const {
    // A loop, because a step that only awaits messages which are there already takes no time.
    while (true) {
        std::optional<Cycle> begin = 0;
        auto next = node.parts.begin();
        if (node.step) {
            begin = end_of_step(node.parts.at(*node.step), node.begin);
            next = node.parts.upper_bound(*node.step);
        }
        if (next == node.parts.end() || !begin || *begin > now) return;
        node.step = next->first;
        node.begin = *begin;
        begun.insert(begun.end(), next->second.sends.begin(), next->second.sends.end());
    }
}

void GoldenProgram::step_with_barrier(Cycle now, std::vector<MessageId>& begun) {
    Cycle begin = 0;
    std::optional<StepId> next;
    for (const Node& node : nodes_) {
        if (barrier_step_ && node.parts.count(*barrier_step_) != 0) {
            const std::optional<Cycle> end =
                end_of_step(node.parts.at(*barrier_step_), barrier_begin_);
            if (!end) return;
            begin = std::max(begin, *end + *program_.barrier_cycles);
        }
        const auto later =
            barrier_step_ ? node.parts.upper_bound(*barrier_step_) : node.parts.begin();
        if (later != node.parts.end() && (!next || later->first < *next)) next = later->first;
    }
    if (!next || begin > now) return;
    barrier_step_ = next;
    barrier_begin_ = begin;
    for (const Node& node : nodes_) {
        const auto part = node.parts.find(*next);
        if (part == node.parts.end()) continue;
        begun.insert(begun.end(), part->second.sends.begin(), part->second.sends.end());
    }
}

void GoldenProgram::step_timed(Node& node, Cycle now, std::vector<MessageId>& begun) const {
    while (node.next_send < node.sends.size()) {
        const MessageId message = node.sends[node.next_send];
        const Transfer& transfer = program_.transfers[message];
        Cycle begin = std::max(transfer.time, node.begin);
        for (const MessageId awaited : transfer.after) {
            if (transfer.streams) break;  // its flits wait, one by one
            const std::optional<Cycle> cycle = delivered(awaited);
            if (!cycle) return;
            begin = std::max(begin, *cycle + recv_overhead_ + 1);
        }
        if (begin > now) return;
        node.begin = begin;
        ++node.next_send;
        begun.push_back(message);
    }
}

/// First what needs no message that arrived in the cycle before, then what follows from that.
void GoldenProgram::play_operations(NodeId id, Cycle now, std::vector<MessageId>& begun) {
    settle(id, now, begun);
    for (MessageId message = 0; message < program_.transfers.size(); ++message) {
        const Transfer& transfer = program_.transfers[message];
        if (transfer.destination != id || now == 0 || delivered(message) != now - 1) continue;
        const Unclaimed arrived{transfer.source, (*program_.operations)[sends_of_[message]].tag};
        std::vector<OperationId>& posted = posted_[id];
        const auto taker = std::find_if(posted.begin(), posted.end(), [&](OperationId receive) {
            return takes((*program_.operations)[receive], arrived);
        });
        if (taker == posted.end()) {
            unclaimed_[id].push_back(arrived);
        } else {
            operations_[*taker].matched = now;
            posted.erase(taker);
        }
    }
    settle(id, now, begun);
}

bool GoldenProgram::takes(const Operation& receive, const Unclaimed& message) {
    return (receive.source == kAnySource || receive.source == message.source) &&
           (receive.tag == kAnyTag || receive.tag == message.tag);
}

void GoldenProgram::settle(NodeId id, Cycle now, std::vector<MessageId>& begun) {
    do {
        finish_operations(id, now);
    } while (begin_operation(id, now, begun));
}

/// The cycle from which on an operation has completed, once that is known.
std::optional<Cycle> GoldenProgram::end_of(OperationId operation) const {
    const Operation& what = (*program_.operations)[operation];
    const OperationState& state = operations_[operation];
    if (!state.starts) return std::nullopt;
    switch (what.kind) {
        case Operation::Kind::kCompute:
            return *state.starts + what.cycles;
        case Operation::Kind::kReceive:
            return *state.starts + recv_overhead_;
        case Operation::Kind::kSend:
            break;
    }
    if (program_.operations->completion == SendCompletion::kBuffered) {
        return *state.starts + send_startup_;
    }
    const std::optional<Cycle> tail = injected(what.message);
    if (!tail) return std::nullopt;
    return *tail + 1;
}

void GoldenProgram::finish_operations(NodeId id, Cycle now) {
    const Operations& all = *program_.operations;
    bool goes_on = true;
    while (goes_on) {
        goes_on = false;
        for (OperationId i = all.first(id); i < all.last(id); ++i) {
            OperationState& state = operations_[i];
            const std::optional<Cycle> end = end_of(i);
            if (!state.is_done && end && *end <= now) {
                state.is_done = true;
                goes_on = true;
            }
            if (!state.ready && is_met(i)) {
                state.ready = now;
                goes_on = true;
            }
        }
    }
}

bool GoldenProgram::is_met(OperationId operation) const {
    const auto& waits = waits_[operation];
    return std::all_of(waits.begin(), waits.end(), [this](const OperationDependency& d) {
        return d.on_begin ? operations_[d.on].begin.has_value() : operations_[d.on].is_done;
    });
}

/// Begins the one that has been ready for longest of those that can begin, if any.
bool GoldenProgram::begin_operation(NodeId id, Cycle now, std::vector<MessageId>& begun) {
    const Operations& all = *program_.operations;
    std::map<std::uint16_t, Cycle> busy_until;  // per stream
    for (OperationId i = all.first(id); i < all.last(id); ++i) {
        if (!operations_[i].starts) continue;
        Cycle held = 0;
        switch (all[i].kind) {
            case Operation::Kind::kCompute:
                held = all[i].cycles;
                break;
            case Operation::Kind::kReceive:
                held = recv_overhead_;
                break;
            case Operation::Kind::kSend:
                held = send_startup_;
                break;
        }
        Cycle& until = busy_until[all[i].stream];
        until = std::max(until, *operations_[i].starts + held);
    }
    const auto is_busy = [&](std::uint16_t stream) { return busy_until[stream] > now; };
    std::optional<OperationId> next;
    Cycle since = 0;
    for (OperationId i = all.first(id); i < all.last(id); ++i) {
        const OperationState& state = operations_[i];
        const bool receives = all[i].kind == Operation::Kind::kReceive;
        std::optional<Cycle> waiting_since;
        if (receives && state.ready && !state.begin) {
            waiting_since = state.ready;  // to be posted, which takes no stream
        } else if (state.starts || is_busy(all[i].stream)) {
            continue;
        } else {
            waiting_since = receives ? state.matched : state.ready;
        }
        if (!waiting_since || (next && since <= *waiting_since)) continue;
        next = i;
        since = *waiting_since;
    }
    if (!next) return false;
    const Operation& what = all[*next];
    OperationState& state = operations_[*next];
    if (what.kind != Operation::Kind::kReceive) {
        state.begin = state.starts = now;
        if (what.kind == Operation::Kind::kSend) begun.push_back(what.message);
        return true;
    }
    if (state.begin) {
        state.starts = now;
        return true;
    }
    state.begin = now;
    std::vector<Unclaimed>& there = unclaimed_[id];
    const auto found = std::find_if(there.begin(), there.end(),
                                    [&](const Unclaimed& message) { return takes(what, message); });
    if (found == there.end()) {
        posted_[id].push_back(*next);
    } else {
        state.matched = now;
        there.erase(found);
    }
    return true;
}

GoldenInterfaces::GoldenInterfaces(const Config& config, const Graph& graph, const Routing& routing,
                                   const Program& program, GoldenPackets& packets,
                                   LossCounts& losses)
    : config_(config.node),
      classes_(config.fabric),
      graph_(graph),
      routing_(routing),
      program_(program),
      map_(graph),
      packets_(packets),
      losses_(losses),
      interfaces_(graph.node_count()),
      assembly_from_(packets.first.size() - 1, kNever) {
    for (Interface& interface : interfaces_) interface.budgets = classes_.full_budgets();
}

/// Whether the node's memory is slower than an injection channel.
bool GoldenInterfaces::assembles() const {
    return config_.injection_rate.numerator < config_.injection_rate.denominator;
}

/// For the packet at the front of the queue, whose predecessors have all been injected.
Cycle GoldenInterfaces::earliest_injection(const Queue& queue,
                                           const GoldenPacketState& packet) const {
    const bool awaits_tail = config_.serial_startup && !assembles() && packet.record.index == 0;
    if (!awaits_tail) return packet.earliest_injection;
    return std::max(packet.record.begin, queue.message_end) + config_.send_startup;
}

/// The injection channel of a packet.
ChannelId GoldenInterfaces::channel_of(std::size_t packet) const {
    const GoldenPacketState& state = packets_.all[packet];
    if (config_.port_model == PortModel::kSingle) return map_.injection(state.source);
    PortId port = program_.transfers[state.record.message].port;
    if (port == 0) port = routing_.route(state.source, state.destination).port;
    return map_.injection_of(graph_.out_link(state.source, port));
}

void GoldenInterfaces::begin_send(MessageId message, Cycle now) {
    const std::size_t first = packets_.first[message];
    Interface& interface = interfaces_[packets_.all[first].source];
    const bool per_port = config_.port_model == PortModel::kIndependent;
    const LinkId link = per_port ? map_.link_of_endpoint(channel_of(first)) : kNoLink;
    Queue& queue = interface.queues[per_port ? graph_.link(link).from_port
                                             : packets_.all[first].message_class];
    const bool joins =
        config_.port_model == PortModel::kSameValue && program_.transfers[message].is_copy;
    const Rate rate = config_.injection_rate;
    const Cycle startup = config_.send_startup;

    const Cycle started = now + startup;
    const Cycle assembly_begin = config_.serial_startup
                                     ? std::max(now, queue.assembly_end) + startup
                                     : std::max(started, queue.assembly_end);
    const std::size_t end = packets_.first[message + 1];
    assembly_from_[message] = assembly_begin;
    std::uint64_t flits = 0;
    for (std::size_t i = first; i < end; ++i) {
        GoldenPacketState& packet = packets_.all[i];
        packet.record.begin = now;
        packet.earliest_injection = started;
        if (joins) {  // packet by packet with those of the message before it
            Together& others = queue.packets[queue.packets.size() - (end - i)];
            packet.earliest_injection = packets_.all[others.front()].earliest_injection;
            assembly_from_[message] = assembly_from_[packets_.all[others.front()].record.message];
            others.push_back(i);
            continue;
        }
        if (assembles()) {
            flits += packet.flits;
            const std::uint64_t scaled = flits * rate.denominator;
            packet.earliest_injection =
                assembly_begin + (scaled + rate.numerator - 1) / rate.numerator;
            queue.assembly_end = packet.earliest_injection;
        }
        queue.packets.push_back({i});
    }
}

/// Whether `flit` of every packet that this one streams was ejected in an earlier cycle.
bool GoldenInterfaces::has_arrived(std::size_t packet, std::uint64_t flit,
                                   const GoldenNetwork& network, Cycle now) const {
    const MessageId message = packets_.all[packet].record.message;
    if (message >= program_.transfers.size()) return true;  // a reply
    const Transfer& transfer = program_.transfers[message];
    if (!transfer.streams) return true;
    for (const MessageId before : transfer.after) {
        const std::vector<Cycle>& ejected = network.ejections(packets_.first[before]);
        if (ejected.size() <= flit || ejected[flit] >= now) return false;
    }
    return true;
}

/// The virtual channel on which a packet could send its next flit.
std::optional<std::uint32_t> GoldenInterfaces::choose(std::size_t packet, bool is_head,
                                                      const GoldenNetwork& network,
                                                      Cycle now) const {
    const ChannelId channel = channel_of(packet);
    const std::uint32_t of = packets_.all[packet].message_class;
    const auto known = injections_.find({channel, of});
    const Injection injection = known == injections_.end() ? Injection{} : known->second;
    if (!is_head) {
        if (!network.has_credit(channel, injection.vc, now)) return std::nullopt;
        return injection.vc;
    }
    const std::uint64_t flits =
        network.has_packet_flow_control() ? packets_.all[packet].flits : std::uint64_t{1};
    for (std::uint32_t k = 0; k < classes_.channels(); ++k) {
        const std::uint32_t vc =
            of * classes_.channels() + (injection.first_vc + k) % classes_.channels();
        if (network.has_credit(channel, vc, now, flits)) return vc;
    }
    return std::nullopt;
}

/// Of the queues that could send a flit one of a preferred class does.
void GoldenInterfaces::choose_class(Interface& interface) const {
    std::vector<std::uint32_t> competing;
    for (const auto& [of, queue] : interface.queues) {
        if (!queue.sends_on.empty()) competing.push_back(of);
    }
    std::optional<std::uint32_t> chosen;
    for (std::uint32_t k = 0; k < classes_.count() && !chosen; ++k) {
        const std::uint32_t of = (interface.pointer + k) % classes_.count();
        const bool competes = std::find(competing.begin(), competing.end(), of) != competing.end();
        if (competes && classes_.is_preferred(of, competing, interface.budgets)) chosen = of;
    }
    for (auto& [of, queue] : interface.queues) {
        if (of != chosen) queue.sends_on.clear();
    }
}

void GoldenInterfaces::find_dead(const LaterNetwork& later) {
    later_ = &later;
    for (NodeId node = 0; node < interfaces_.size(); ++node) {
        for (const auto& entry : interfaces_[node].queues) {
            if (entry.second.flits_sent == 0) continue;
            GoldenPacketState& current = packets_.all[entry.second.packets.front().front()];
            if (is_dead(node) || is_dead(current.destination)) current.is_lost = true;
        }
    }
}

void GoldenInterfaces::cut_off() {
    for (Interface& interface : interfaces_) {
        for (auto& entry : interface.queues) {
            Queue& queue = entry.second;
            if (queue.flits_sent == 0) continue;
            queue.is_cut = packets_.all[queue.packets.front().front()].is_lost;
        }
    }
}

/// Of the packets that are to be sent again the one whose tail was injected first.
std::optional<std::size_t> GoldenInterfaces::overdue(const Interface& interface, Cycle now) const {
    std::optional<std::size_t> first;
    if (!config_.retransmit) return first;
    for (const std::size_t index : interface.sent) {
        const GoldenPacketState& packet = packets_.all[index];
        if (packet.last_tail + config_.retransmit->timeout > now) continue;
        if (packet.copies == config_.retransmit->tries || is_dead(packet.destination)) continue;
        if (packet.arrived_as && packets_.all[*packet.arrived_as].record.tail_delivered < now) {
            continue;  // it is acknowledged
        }
        if (!first || packet.last_tail < packets_.all[*first].last_tail) first = index;
    }
    return first;
}

/// Between two packets: which one comes next, and whether it can in this cycle.
void GoldenInterfaces::decide_next(const Interface& interface, Queue& queue,
                                   const GoldenNetwork& network, Cycle now) const {
    if (const std::optional<std::size_t> again = overdue(interface, now)) {
        const auto vc = choose(*again, true, network, now);
        if (!vc) return;
        queue.repeats = again;
        queue.sends_on = {*vc};
        return;
    }
    if (queue.packets.empty()) return;
    const std::size_t first = queue.packets.front().front();
    if (earliest_injection(queue, packets_.all[first]) > now) return;
    if (is_dead(packets_.all[first].destination)) {
        queue.discards = true;
        return;
    }
    if (!has_arrived(first, 0, network, now)) return;
    for (const std::size_t packet : queue.packets.front()) {
        const auto vc = choose(packet, true, network, now);
        if (!vc) {  // all of them, or none
            queue.sends_on.clear();
            return;
        }
        queue.sends_on.push_back(*vc);
    }
}

void GoldenInterfaces::decide(const GoldenNetwork& network, Cycle now) {
    for (NodeId node = 0; node < interfaces_.size(); ++node) {
        for (auto& entry : interfaces_[node].queues) {
            Queue& queue = entry.second;
            queue.sends_on.clear();
            queue.repeats.reset();
            queue.discards = false;
            if (queue.is_cut || is_dead(node)) continue;
            if (queue.flits_sent == 0) {
                decide_next(interfaces_[node], queue, network, now);
                continue;
            }
            const std::size_t first = queue.packets.front().front();
            if (!has_arrived(first, queue.flits_sent, network, now)) continue;
            for (const std::size_t packet : queue.packets.front()) {
                const auto vc = choose(packet, false, network, now);
                if (!vc) {  // all of them, or none
                    queue.sends_on.clear();
                    break;
                }
                queue.sends_on.push_back(*vc);
            }
        }
        if (classes_.count() > 1) choose_class(interfaces_[node]);
    }
}

/// The tail of the current packet has been injected, or counts as injected.
void GoldenInterfaces::end_packet(Interface& interface, Queue& queue, Cycle now) {
    for (const std::size_t index : queue.packets.front()) {
        GoldenPacketState& packet = packets_.all[index];
        packet.record.tail_injected = now;
        packets_.all[packet.copy_of].last_tail = now;
        if (packet.copy_of != index) continue;
        queue.message_end = now + 1;
        if (!packet.is_discarded) interface.sent.push_back(index);
    }
    queue.packets.pop_front();
    queue.flits_sent = 0;
}

void GoldenInterfaces::apply(GoldenNetwork& network, Cycle now) {
    for (Interface& interface : interfaces_) {
        for (auto& entry : interface.queues) {
            Queue& queue = entry.second;
            if (queue.is_cut) {
                queue.is_cut = false;
                end_packet(interface, queue, now);
                continue;
            }
            if (queue.discards) {
                packets_.all[queue.packets.front().front()].is_discarded = true;
                ++losses_.packets_discarded;
                end_packet(interface, queue, now);
                continue;
            }
            if (queue.repeats) {
                GoldenPacketState copy = packets_.all[*queue.repeats];
                ++packets_.all[*queue.repeats].copies;
                ++losses_.packets_repeated;
                copy.record.head_delivered = kNever;
                copy.record.tail_delivered = kNever;
                copy.is_lost = false;
                copy.arrived_as.reset();
                queue.packets.push_front({packets_.all.size()});
                packets_.all.push_back(copy);
            }
            if (queue.sends_on.empty()) continue;
            const Together together = queue.packets.front();
            const std::uint32_t of = packets_.all[together.front()].message_class;
            if (classes_.count() > 1) {
                classes_.count(of, interface.budgets);
                interface.pointer = (of + 1) % classes_.count();
            }
            bool tail = false;
            for (std::size_t k = 0; k < together.size(); ++k) {
                GoldenPacketState& packet = packets_.all[together[k]];
                GoldenFlit flit;
                flit.packet = together[k];
                flit.number = queue.flits_sent;
                flit.head = queue.flits_sent == 0;
                flit.tail = queue.flits_sent + 1 == packet.flits;
                tail = flit.tail;
                const ChannelId channel = channel_of(together[k]);
                network.send(channel, queue.sends_on[k], flit, now);
                const MessageId message = packet.record.message;
                const bool is_reply = message >= program_.transfers.size();
                if (tail && is_reply && together[k] + 1 == packets_.first[message + 1]) {
                    network.free_reply_slot(packet.source);
                }
                if (!flit.head) continue;
                packet.record.head_injected = now;
                packet.sequence = interface.departed++;
                Injection& injection = injections_[{channel, packet.message_class}];
                injection.vc = queue.sends_on[k];
                injection.first_vc = (injection.vc + 1) % classes_.channels();
            }
            ++queue.flits_sent;
            if (tail) end_packet(interface, queue, now);
        }
    }
}

}  // namespace flitscope
