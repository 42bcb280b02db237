// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/endpoints/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace flitscope {
namespace {

std::string sending_text(NodeId node) { return fmt::format("node {} is sending", node); }

}  // namespace

ProgramRun::ProgramRun(const Program& program, Cycle recv_overhead, HandOver hand_over,
                       ProgramObserver* observer, Cycle send_overhead,
                       OperationObserver* operation_observer, const PacketFormat& format)
    : program_(program),
      nodes_(program),
      recv_overhead_(recv_overhead),
      hand_over_(hand_over),
      observer_(observer),
      arrived_(program.operations == nullptr ? program.transfers.size() : 0, false),
      delivered_(program.ordering == Ordering::kTimed ? program.transfers.size() : 0, kNever) {
    if (program.operations != nullptr) {
        operations_.emplace(*program.operations, send_overhead, recv_overhead, &program.transfers,
                            operation_observer, format);
    }
    if (program.ordering != Ordering::kSteps) return;
    if (program.computation != nullptr) computation_.emplace(*program.computation);
    if (!has_barrier()) return;  // it does not matter which nodes take part in which step
    awaited_.resize(program.step_count(), 0);
    for (NodeId node = 0; node < program.nodes; ++node) {
        NodeStep entry = nodes_.first(node);
        for (; !entry.is_end(); entry = nodes_.next(node, entry)) ++awaited_[entry.step];
    }
    while (first_step_ < awaited_.size() && awaited_[first_step_] == 0) ++first_step_;
}

Message ProgramRun::message(MessageId id) const {
    const Transfers& t = program_.transfers;
    const TransferPlace at = t.place(id);
    return {id,          at.source,           at.destination,      at.step,
            t.bytes(id), t.message_class(id), MessageRole::kPlain, t.plane(id)};
}

SendOptions ProgramRun::send_options(MessageId id) const {
    const Transfers& t = program_.transfers;
    SendOptions options;
    options.port = t.port(id);
    options.is_copy = t.is_copy(id);
    if (!t.streams(id)) return options;
    // A delivered message is complete, every flit of it.
    for (const MessageId before : t.after(id)) {
        if (!arrived_[before]) options.follows.push_back(before);
    }
    return options;
}

void ProgramRun::delivered(MessageId id, Cycle cycle, bool is_early) {
    arrived_[id] = true;
    if (program_.ordering == Ordering::kTimed) {
        delivered_[id] = cycle;
    } else if (is_early) {
        early_.emplace(id, cycle);
    }
}

Cycle ProgramRun::taken(MessageId id) {
    if (program_.ordering == Ordering::kTimed) return ready_after(delivered_[id]);
    const auto found = early_.find(id);
    const Cycle ready = ready_after(found->second);
    early_.erase(found);
    return ready;
}

void ProgramRun::arrive(StepId step, Cycle ready) {
    latest_ = std::max(latest_, ready);
    if (--awaited_[step] != 0) return;
    const Cycle begin = latest_ + *program_.barrier_cycles;
    latest_ = 0;
    if (observer_ != nullptr) observer_->on_barrier(begin);
    StepId next = step + 1;
    while (next < awaited_.size() && awaited_[next] == 0) ++next;
    for (ProgramGenerator* generator : generators_) {
        if (generator->step() == next) generator->release(begin);
    }
}

ProgramGenerator::ProgramGenerator(sc_core::sc_module_name name, NodeId node, ProgramRun& run)
    : Generator(name),
      node_(node),
      run_(run),
      timed_(run.program().ordering == Ordering::kTimed),
      at_once_(run.hand_over() == ProgramRun::HandOver::kAtOnce),
      current_(run.nodes().first(node)) {
    run_.enroll(*this);
}

StepId ProgramGenerator::step() const { return finished() ? kNoStep : current().step; }

void ProgramGenerator::start_of_simulation() {
    if (finished()) return;
    if (run_.has_barrier() && current().step != run_.first_step()) return;
    release(0);
}

void ProgramGenerator::release(Cycle begin) {
    enter(begin);
    proceed();
}

/// Begins the current step in cycle `begin`, or later in a timed program.
void ProgramGenerator::enter(Cycle begin) {
    const NodeStep& step = current();
    if (run_.computation() != nullptr) run_.computation()->begin_step(node_, step.step);
    entered_ = true;
    begin_ = std::max(begin, step.not_before);
    ready_ = begin_;
    reason_ = {};
    sent_ = 0;
    injected_ = 0;
    awaited_ = 0;
    for (std::uint32_t r = 0; r < step.receive_count; ++r) {
        const MessageId id = run_.nodes().receives[step.first_receive + r];
        if (run_.has_arrived(id)) {
            be_ready(run_.taken(id), {ReadyReason::Kind::kReceived, id});
        } else {
            ++awaited_;
        }
    }
    if (timed_ || step.send_count == 0) return;
    do {
        send_next();
    } while (at_once_ && sent_ < step.send_count);
}

void ProgramGenerator::send_next() {
    const MessageId id = run_.nodes().sends[current().first_send + sent_];
    ++sent_;
    if (run_.computation() != nullptr) run_.computation()->begin_send(id);
    if (run_.observer() != nullptr) run_.observer()->on_begin(run_.message(id), begin_);
    send(run_.message(id), begin_, run_.send_options(id));
}

/// The next step begins no earlier than in `cycle`.
void ProgramGenerator::be_ready(Cycle cycle, const ReadyReason& reason) {
    // In one cycle the first reason by kind, then by message: engines differ in reporting order.
    const bool is_first = reason.kind < reason_.kind ||
                          (reason.kind == reason_.kind && reason.message < reason_.message);
    if (cycle > ready_ || (cycle == ready_ && is_first)) reason_ = reason;
    ready_ = std::max(ready_, cycle);
}

void ProgramGenerator::tell_ready() const {
    if (run_.observer() == nullptr) return;
    const NodeStep& step = current();
    std::vector<MessageId> received;
    for (std::uint32_t r = 0; r < step.receive_count; ++r) {
        received.push_back(run_.nodes().receives[step.first_receive + r]);
    }
    run_.observer()->on_ready(node_, ready_, reason_, received.data(), step.receive_count);
}

void ProgramGenerator::on_injected(const Message& message, Cycle cycle) {
    ++injected_;
    ++all_injected_;
    if (timed_) {
        if (at_once_) return;
        next_timed();
    } else {
        be_ready(cycle + 1, {ReadyReason::Kind::kInjected, message.id});
        if (sent_ < current().send_count) send_next();
    }
    proceed();
}

/// The current send of a timed program has begun, and so can the next.
void ProgramGenerator::next_timed() {
    const Cycle begin = begin_;
    go_on();
    entered_ = false;
    if (!finished()) enter(begin);
}

void ProgramGenerator::on_delivered(const Message& message, Cycle cycle) {
    const bool is_early = !awaits(message);
    run_.delivered(message.id, cycle, is_early);
    if (is_early) return;
    --awaited_;
    be_ready(run_.ready_after(cycle), {ReadyReason::Kind::kReceived, message.id});
    proceed();
}

/// Whether the current step needs it.
bool ProgramGenerator::awaits(const Message& message) const {
    if (!entered_ || finished() || awaited_ == 0) return false;
    const NodeStep& step = current();
    if (!timed_) return message.step == step.step;
    for (std::uint32_t r = 0; r < step.receive_count; ++r) {
        if (run_.nodes().receives[step.first_receive + r] == message.id) return true;
    }
    return false;
}

/// Advances until it must wait: to the next step, to the barrier, or in a timed program to the
/// send.
void ProgramGenerator::proceed() {
    while (entered_ && awaited_ == 0) {
        if (timed_) {
            if (sent_ != 0) return;
            tell_ready();
            begin_ = ready_;
            send_next();
            if (!at_once_) return;
            next_timed();
            continue;
        }
        if (injected_ != current().send_count) return;
        const StepId completed = current().step;
        use_values();
        tell_ready();
        go_on();
        entered_ = false;
        if (run_.has_barrier()) {
            run_.arrive(completed, ready_);
        } else if (!finished()) {
            enter(ready_);
        }
    }
}

/// The messages of the current step have been received.
void ProgramGenerator::use_values() {
    ComputationRun* const computation = run_.computation();
    if (computation == nullptr) return;
    const NodeStep& step = current();
    for (std::uint32_t r = 0; r < step.receive_count; ++r) {
        computation->receive(run_.nodes().receives[step.first_receive + r]);
    }
}

std::string ProgramGenerator::waiting_for(Cycle) const {
    if (finished()) {
        return all_injected_ == messages_begun() ? "" : sending_text(node_);
    }
    const NodeStep& step = current();
    if (!entered_)
        return fmt::format("node {} waits for the barrier before step {}", node_, step.step + 1);
    const std::string in_step =
        run_.program().has_steps() ? fmt::format(" in step {}", step.step + 1) : std::string();
    for (std::uint32_t r = 0; r < step.receive_count; ++r) {
        const MessageId id = run_.nodes().receives[step.first_receive + r];
        if (run_.has_arrived(id)) continue;
        return fmt::format("node {} waits{} for message {} from node {}", node_, in_step,
                           run_.program().number(id), run_.program().transfers[id].source);
    }
    return sending_text(node_) + in_step;
}

OperationGenerator::OperationGenerator(sc_core::sc_module_name name, NodeId node, ProgramRun& run)
    : Generator(name), run_(run), player_(*run.operations(), node) {
    if (run.operations()->planes() == 1) return;
    heard_.emplace();
    SC_METHOD(go_on);
    sensitive << *heard_;
    dont_initialize();
}

void OperationGenerator::on_injected(const Message& message, Cycle cycle) {
    const auto sent = std::find_if(at_hand_.begin(), at_hand_.end(),
                                   [&](const auto& send) { return send.message == message.id; });
    const OperationPlayer::Send send = *sent;
    at_hand_.erase(sent);
    player_.injected(send, cycle);
    hear();
}

void OperationGenerator::on_delivered(const Message& message, Cycle cycle) {
    open_ += player_.delivered(message, cycle);
    hear();
}

void OperationGenerator::on_arriving(const Message& message, Cycle cycle) {
    open_ += player_.arriving(message, cycle);
    hear();
}

void OperationGenerator::hear() {
    if (heard_) {
        heard_->notify(sc_core::SC_ZERO_TIME);
    } else {
        go_on();
    }
}

void OperationGenerator::go_on() {
    keep_those_that_stay();
    while (const std::optional<OperationPlayer::Send> next = player_.next()) {
        at_hand_.push_back(*next);
        player_.hand_over();
        send(run_.message(next->message), next->begin);
    }
}

/// Of the open ones those that come as before stay at the interfaces, and all from the first other
/// one on are taken back.
void OperationGenerator::keep_those_that_stay() {
    for (; open_ != 0; --open_) {
        const OperationPlayer::Send& old = at_hand_[at_hand_.size() - open_];
        const std::optional<OperationPlayer::Send> next = player_.next();
        if (!next || next->message != old.message || next->begin != old.begin) break;
        player_.hand_over();
    }
    for (; open_ != 0; --open_) {
        withdraw(run_.message(at_hand_.back().message));
        at_hand_.pop_back();
    }
}

std::unique_ptr<Generator> make_program_generator(const std::string& name, NodeId node,
                                                  ProgramRun& run) {
    if (run.operations() != nullptr) {
        return std::make_unique<OperationGenerator>(name.c_str(), node, run);
    }
    return std::make_unique<ProgramGenerator>(name.c_str(), node, run);
}

PatternGenerator::PatternGenerator(sc_core::sc_module_name name,
                                   std::shared_ptr<const PatternTraffic> traffic, NodeId node)
    : Generator(name),
      node_(node),
      traffic_(std::move(traffic)),
      source_(traffic_, node),
      queues_(std::size_t{traffic_->classes.count()} * traffic_->planes) {
    if (traffic_->outstanding != 0) loop_.emplace(traffic_->outstanding);
    for (std::size_t at = 0; at < queues_.size(); ++at) {
        const auto of = static_cast<MessageClass>(at / traffic_->planes);
        queues_[at].is_drawn = traffic_->classes.sends(of);
    }
}

void PatternGenerator::start_of_simulation() {
    for (Queue& queue : queues_) {
        draw(queue);
        hand_over(queue);
    }
}

/// The next message of a queue, and with it those before it of others.
void PatternGenerator::draw(Queue& queue) {
    if (!queue.ahead.empty()) {
        queue.next = queue.ahead.front();
        queue.ahead.pop_front();
        return;
    }
    while (queue.is_drawn && source_.next(queue.next.message, queue.next.begin)) {
        if (Queue& of = queue_of(queue.next.message); &of != &queue) {
            of.ahead.push_back(queue.next);
            continue;
        }
        if (loop_) {
            requests_ = &queue;
            schedule(queue, loop_->next(queue.next.begin));
        }
        return;
    }
    queue.next.begin = kNever;
}

/// The next request of a closed loop begins in `begin`: nothing if it waits for a reply. It is not
/// sent if the measurement is over by then.
void PatternGenerator::schedule(Queue& queue, std::optional<Cycle> begin) {
    queue.next.begin = kNever;
    if (!begin || *begin >= traffic_->end) return;
    queue.next.begin = *begin;
    count_request(generated_requests_, kNever);
    last_request_ = queue.next;
}

/// The earlier of our own next message and the next reply; in a tie our own goes first.
void PatternGenerator::hand_over(Queue& queue) {
    if (!queue.replies.empty() && queue.replies.front().begin < queue.next.begin) {
        send_first(queue, AtHand::kReply);
    } else if (queue.next.begin != kNever) {
        send_first(queue, AtHand::kNext);
    }
}

void PatternGenerator::send_first(Queue& queue, AtHand as) {
    queue.at_hand = as;
    send(queue.first().message, queue.first().begin);
}

/// The message at hand, which has not begun, is not the first any more.
void PatternGenerator::take_back(Queue& queue) {
    withdraw(queue.first().message);
    queue.at_hand = AtHand::kNothing;
}

void PatternGenerator::on_injected(const Message& message, Cycle) {
    Queue& queue = queue_of(message);
    const AtHand injected = std::exchange(queue.at_hand, AtHand::kNothing);
    if (injected == AtHand::kNext) draw(queue);
    if (injected == AtHand::kReply) queue.replies.pop_front();
    hand_over(queue);
}

void PatternGenerator::on_delivered(const Message& message, Cycle cycle) {
    if (!traffic_->replies) return;
    if (!Replies::is_reply(message.id)) {
        take_request(message, cycle);
    } else if (loop_) {
        take_reply(cycle);
    }
}

void PatternGenerator::take_request(const Message& request, Cycle cycle) {
    const Replies& replies = *traffic_->replies;
    const Cycle begin = replies.begin(cycle);
    const Message reply = replies.reply_to(request);
    Queue& queue = queue_of(reply);
    // A node is delivered one message at a time, and all replies take as long: they come in order.
    queue.replies.push_back({reply, begin});
    count_replies(cycle);
    replied_.push_back({begin, traffic_->is_futile(request.source, request.destination)});
    if (queue.at_hand == AtHand::kNext && begin < queue.next.begin) take_back(queue);
    if (queue.at_hand == AtHand::kNothing) hand_over(queue);
}

/// A request may begin that has waited for a reply: a cycle after the node has that, since a
/// reply at hand that gives way to it may have begun until then (MessagePort::withdraw()).
void PatternGenerator::take_reply(Cycle cycle) {
    const std::optional<Cycle> begin = loop_->release(traffic_->replies->received(cycle) + 1);
    if (!begin) return;
    Queue& queue = *requests_;
    schedule(queue, begin);
    if (queue.at_hand == AtHand::kReply && queue.next.begin <= queue.first().begin) {
        take_back(queue);
    }
    if (queue.at_hand == AtHand::kNothing) hand_over(queue);
}

/// Adds the last request of a closed loop whose begin is known, if that is before `end`.
void PatternGenerator::count_request(GeneratedTraffic& generated, Cycle end) const {
    if (last_request_.begin >= end) return;
    traffic_->count(last_request_.begin, traffic_->lengths.flits_of(last_request_.message.bytes),
                    false, generated);
}

/// Counts the replies that began before `end`.
void PatternGenerator::count_replies(Cycle end) {
    for (; !replied_.empty() && replied_.front().begin < end; replied_.pop_front()) {
        const Replied& reply = replied_.front();
        traffic_->count(reply.begin, traffic_->replies->flits(), reply.is_futile,
                        generated_replies_);
    }
}

GeneratedTraffic PatternGenerator::requests_before(Cycle end) const {
    if (!loop_) return source_.generated_before(end);
    GeneratedTraffic generated = generated_requests_;
    count_request(generated, end);
    generated.variance = traffic_->variance(node_, generated.messages);
    return generated;
}

GeneratedTraffic PatternGenerator::generated_before(Cycle end) {
    count_replies(end);
    GeneratedTraffic generated = requests_before(end);
    generated.messages += generated_replies_.messages;
    generated.begun += generated_replies_.begun;
    for (const std::size_t half : {0, 1}) {
        generated.flits[half] += generated_replies_.flits[half];
        generated.futile[half] += generated_replies_.futile[half];
    }
    return generated;
}

std::string PatternGenerator::waiting_for(Cycle end) const {
    const bool is_sending = std::any_of(queues_.begin(), queues_.end(), [end](const Queue& queue) {
        return queue.at_hand != AtHand::kNothing && queue.first().begin < end;
    });
    if (is_sending) return sending_text(node_);
    if (!loop_ || !loop_->waits()) return {};
    return fmt::format("node {} waits for a reply to one of {} requests (traffic.outstanding)",
                       node_, traffic_->outstanding);
}

}  // namespace flitscope
