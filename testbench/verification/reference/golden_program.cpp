// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of a node's sends is derived here from Program::transfers, independently of traffic/'s
// NodePrograms.
#include "testbench/verification/reference/golden_program.h"

#include <algorithm>
#include <utility>

#include "models/base/types.h"
#include "models/config/config.h"
#include "models/config/packet_format.h"
#include "models/fabric/message.h"

namespace flitscope {

GoldenPackets::GoldenPackets(const Config& config, const Program& program) {
    const PacketFormat format = config.packet_format();
    std::vector<Transfer> transfers(program.transfers.begin(), program.transfers.end());
    for (MessageId m = 0; config.traffic.reply_bytes && m < program.transfers.size(); ++m) {
        Transfer reply{program.transfers[m].destination, program.transfers[m].source,
                       *config.traffic.reply_bytes};
        reply.message_class = program.transfers[m].message_class;
        reply.plane = program.transfers[m].plane;
        for (std::size_t k = 0; k < config.fabric.classes.size(); ++k) {
            if (config.fabric.classes[k] != config.traffic.reply_class) continue;
            reply.message_class = static_cast<MessageClass>(k);
        }
        transfers.push_back(reply);
    }
    for (MessageId message = 0; message < transfers.size(); ++message) {
        const Transfer& transfer = transfers[message];
        first.push_back(all.size());
        planes_.push_back(transfer.plane);
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
      format_(config.packet_format()),
      reply_delay_(config.traffic.reply_delay),
      outstanding_(config.traffic.reply_bytes ? config.traffic.outstanding : 0),
      loop_end_(config.traffic.warmup_cycles + config.traffic.measure_cycles),
      send_overhead_(config.node.send_overhead) {
    nodes_.resize(program.nodes);
    if (program.ordering == Ordering::kOperations) {
        const Operations& all = *program.operations;
        operations_.resize(all.size());
        waits_.resize(all.size());
        sends_of_.resize(program.transfers.size());
        whole_.resize(program.transfers.size());
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

std::optional<Cycle> GoldenProgram::arriving(MessageId message) const {
    Cycle first = kNever;
    for (std::size_t i = packets_.first[message]; i < packets_.first[message + 1]; ++i) {
        first = std::min(first, packets_.all[i].record.head_delivered);
    }
    if (first == kNever) return std::nullopt;
    return first;
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
        } else if (outstanding_ != 0) {
            step_closed(node, now, begun);
        } else {
            step_timed(node, now, begun);
        }
    }
    begin_replies(now, begun);  // after what their nodes begin in the same cycle
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

/// The times of the program are those of a source that never stops: what counts is how long after
/// the request before a request is due.
void GoldenProgram::step_closed(Node& node, Cycle now, std::vector<MessageId>& begun) const {
    if (node.next_send == node.sends.size() || now >= loop_end_) return;
    const MessageId message = node.sends[node.next_send];
    Cycle gap = program_.transfers[message].time;
    if (node.next_send > 0) gap -= program_.transfers[node.sends[node.next_send - 1]].time;
    if (node.begin + gap > now) return;
    std::size_t waiting = 0;
    for (std::size_t i = 0; i < node.next_send; ++i) {
        const auto reply = static_cast<MessageId>(program_.transfers.size() + node.sends[i]);
        const std::optional<Cycle> cycle = delivered(reply);
        if (!cycle || *cycle + recv_overhead_ + 2 > now) ++waiting;
    }
    if (waiting >= outstanding_) return;
    node.begin = now;
    ++node.next_send;
    begun.push_back(message);
}

std::size_t GoldenProgram::given_up(Cycle now) const {
    if (outstanding_ == 0 || now != loop_end_) return 0;
    std::size_t packets = 0;
    for (const Node& node : nodes_) {
        for (std::size_t i = node.next_send; i < node.sends.size(); ++i) {
            for (const std::size_t message :
                 {std::size_t{node.sends[i]}, program_.transfers.size() + node.sends[i]}) {
                packets += packets_.first[message + 1] - packets_.first[message];
            }
        }
    }
    return packets;
}

/// First what needs nothing that arrived in the cycle before, then what follows from that.
void GoldenProgram::play_operations(NodeId id, Cycle now, std::vector<MessageId>& begun) {
    settle(id, now, begun);
    const bool by_transfer = program_.operations->receive_time == ReceiveTime::kTransfer;
    for (MessageId message = 0; message < program_.transfers.size() && now != 0; ++message) {
        if (program_.transfers[message].destination != id) continue;
        const auto arrived = by_transfer ? arriving(message) : delivered(message);
        if (arrived == now - 1) take_arrival(id, message, now);
        if (by_transfer && delivered(message) == now - 1) whole_[message] = now;
    }
    settle(id, now, begun);
}

/// A message is there, or begins to be: for the receive that was posted first, or for later ones.
void GoldenProgram::take_arrival(NodeId id, MessageId message, Cycle now) {
    const Unclaimed arrived{program_.transfers[message].source,
                            (*program_.operations)[sends_of_[message]].tag, message};
    std::vector<OperationId>& posted = posted_[id];
    const auto taker = std::find_if(posted.begin(), posted.end(), [&](OperationId receive) {
        return takes((*program_.operations)[receive], arrived);
    });
    if (taker == posted.end()) {
        unclaimed_[id].push_back(arrived);
        return;
    }
    operations_[*taker].matched = now;
    operations_[*taker].message = message;
    posted.erase(taker);
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

/// For how long an operation keeps its stream, at least.
Cycle GoldenProgram::held(OperationId operation) const {
    const Operation& what = (*program_.operations)[operation];
    switch (what.kind) {
        case Operation::Kind::kReceive: {
            if (program_.operations->receive_time == ReceiveTime::kOverhead) return recv_overhead_;
            const MessageId message = operations_[operation].message;
            return recv_overhead_ + format_.message_flits(program_.transfers[message].bytes) - 1;
        }
        case Operation::Kind::kSend:
            return send_overhead_;
        case Operation::Kind::kCompute:
            break;
    }
    return what.cycles;
}

/// The cycle in which an operation that has begun to keep its stream frees it, once that is known.
std::optional<Cycle> GoldenProgram::frees(OperationId operation) const {
    const OperationState& state = operations_[operation];
    const Cycle least = *state.starts + held(operation);
    const bool by_transfer = program_.operations->receive_time == ReceiveTime::kTransfer;
    const bool receives = (*program_.operations)[operation].kind == Operation::Kind::kReceive;
    if (!by_transfer || !receives) return least;
    const std::optional<Cycle> whole = whole_[state.message];
    if (!whole) return std::nullopt;
    return std::max(least, *whole + recv_overhead_);
}

bool GoldenProgram::has_operations_left() const {
    return std::any_of(operations_.begin(), operations_.end(),
                       [](const OperationState& state) { return !state.is_done; });
}

std::vector<GoldenOperation> GoldenProgram::operations() const {
    std::vector<GoldenOperation> all;
    for (OperationId id = 0; id < operations_.size(); ++id) {
        const OperationState& state = operations_[id];
        GoldenOperation one;
        one.ready = state.ready.value_or(kNever);
        one.begin = state.begin.value_or(kNever);
        one.matched = state.matched.value_or(kNever);
        one.message = state.message;
        if (state.starts) {
            one.starts = *state.starts;
            one.frees = frees(id).value_or(kNever);
        }
        one.end = end_of(id).value_or(kNever);
        all.push_back(one);
    }
    return all;
}

/// The cycle from which on an operation has completed, once that is known.
std::optional<Cycle> GoldenProgram::end_of(OperationId operation) const {
    const Operation& what = (*program_.operations)[operation];
    const OperationState& state = operations_[operation];
    if (!state.starts) return std::nullopt;
    const bool is_buffered = program_.operations->completion == SendCompletion::kBuffered;
    if (what.kind != Operation::Kind::kSend || is_buffered) return frees(operation);
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
        Cycle& until = busy_until[all[i].stream];
        until = std::max(until, frees(i).value_or(kNever));
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
        state.message = found->message;
        there.erase(found);
    }
    return true;
}

}  // namespace flitscope
