// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/operation_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace flitscope {
namespace {

constexpr std::size_t kPosting = 0;  // index among the streams of a node

std::size_t stream_of(const Operation& operation) { return std::size_t{operation.stream} + 1; }

}  // namespace

OperationRun::OperationRun(const Operations& operations, Cycle send_overhead, Cycle recv_overhead,
                           const Transfers* messages, OperationObserver* observer,
                           const PacketFormat& format)
    : operations_(operations),
      messages_(messages),
      observer_(observer),
      send_overhead_(send_overhead),
      recv_overhead_(recv_overhead),
      format_(format),
      waits_(operations.size()),
      reading_(operations) {
    if (hears_heads() && messages == nullptr) {
        throw std::invalid_argument("OperationRun: receives of messages of unknown length");
    }
    operations.visit_nodes([&](NodeId node) {
        for (OperationId id = operations.first(node); id < operations.last(node); ++id) {
            waits_[id] = operations.waits(id);
            const Operation& operation = operations[id];
            if (operation.kind == Operation::Kind::kReceive) {
                const std::pair<bool, bool> name(operation.source != kAnySource,
                                                 operation.tag != kAnyTag);
                if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
                    names_.push_back(name);
                }
            }
            if (operation.kind != Operation::Kind::kSend) continue;
            if (operation.message >= send_of_.size()) {
                send_of_.resize(std::size_t{operation.message} + 1);
            }
            send_of_[operation.message] = id;
            if (messages == nullptr) continue;
            planes_ = std::max(planes_, messages->plane(operation.message) + 1U);
        }
    });
}

Cycle OperationRun::receive_cycles(MessageId message) const {
    return recv_overhead_ + format_.message_flits(messages_->bytes(message)) - 1;
}

void OperationPlayer::Journal::commit(std::uint64_t cycle) {
    auto end = changes_.end();
    while (end != changes_.begin() && std::prev(end)->cycle > cycle) --end;
    changes_.erase(changes_.begin(), end);
}

void OperationPlayer::Journal::roll_back(std::uint64_t cycle) {
    for (; !changes_.empty() && changes_.back().cycle > cycle; changes_.pop_back()) {
        const Change& change = changes_.back();
        if (change.word != nullptr) {
            *change.word = change.old[0];
        } else if (change.half != nullptr) {
            *change.half = static_cast<std::uint32_t>(change.old[0]);
        } else if (change.is_inserted) {
            change.keys->erase(change.old);
        } else {
            change.keys->insert(change.old);
        }
    }
}

OperationPlayer::OperationPlayer(OperationRun& run, NodeId node)
    : run_(run),
      node_(node),
      first_(run.operations_.first(node)),
      last_(run.operations_.last(node)),
      streams_(run.operations_.streams(node) + std::size_t{1}),
      planes_(run.planes()) {
    for (OperationId id = first_; id < last_; ++id) {
        if (run_.waits_[id] == 0) make_ready(id);
        if (run_.planes() == 1 || operation(id).kind != Operation::Kind::kSend) continue;
        ++planes_[run_.plane(operation(id).message)].left;
    }
    if (run_.planes() == 1) planes_[0].left = run_.operations_.sends(node);
    journal_.commit(now_);
}

/// Whether every interface that is going to get a message has one. A node that only computes and
/// receives would go ahead and come back with every message.
bool OperationPlayer::is_served() const {
    return std::all_of(planes_.begin(), planes_.end(),
                       [](const Plane& plane) { return plane.left == 0 || plane.open != 0; });
}

std::optional<OperationPlayer::Send> OperationPlayer::next() {
    while (handed_ == begun_count_) {
        if (is_served() || !step()) return std::nullopt;
    }
    return begun(handed_);
}

void OperationPlayer::hand_over() {
    const Send& send = begun(handed_++);
    if (run_.observer_ != nullptr) run_.observer_->on_hand_over(send.message, send.begin);
    Plane& plane = plane_of(send);
    --plane.left;
    ++plane.open;
}

void OperationPlayer::injected(const Send& send, Cycle cycle) {
    --plane_of(send).open;
    commit(send.begin);  // which is now in the past
    run_.reading_.read(1);
    if (run_.operations_.completion == SendCompletion::kInjected) {
        events_.insert({cycle + 1, kInjected, run_.send_of_[send.message], 0});
    }
}

std::size_t OperationPlayer::delivered(const Message& message, Cycle cycle) {
    const std::size_t open = hear(kDelivered, message, cycle, cycle + 1);
    if (handed_ == run_.operations_.sends(node_)) keep_up(cycle);
    return open;
}

std::size_t OperationPlayer::arriving(const Message& message, Cycle cycle) {
    // What another message may have ended in the cycle before can still change the next one.
    return hear(kArriving, message, cycle, cycle);
}

/// A flit of a message arrived in `cycle`. What the node did up to `certain` cannot change any
/// more.
std::size_t OperationPlayer::hear(Event event, const Message& message, Cycle cycle, Cycle certain) {
    // It is met in the next cycle, at its end.
    journal_.roll_back(cycle + 1);
    while (!noted_.empty() && noted_.back().cycle > cycle + 1) noted_.pop_back();
    journal_.enter(now_);
    commit(certain);
    std::size_t open = 0;
    for (; handed_ > begun_count_; --handed_, ++open) {
        Plane& plane = plane_of(begun(handed_ - 1));
        ++plane.left;
        --plane.open;
    }
    events_.insert({cycle + 1, event, message.id, message.source});
    return open;
}

/// What the node did up to `cycle` cannot change any more.
void OperationPlayer::commit(Cycle cycle) {
    journal_.commit(cycle);
    auto told = noted_.begin();
    for (; told != noted_.end() && told->cycle <= cycle; ++told) tell(*told);
    noted_.erase(noted_.begin(), told);
    auto end = begun_.begin();
    for (; first_begun_ < std::min(handed_, begun_count_) && end->begin <= cycle; ++first_begun_) {
        ++end;
    }
    begun_.erase(begun_.begin(), end);
}

void OperationPlayer::note(OperationEvent::Kind kind, OperationId id, MessageId message,
                           Cycle until, Cycle since) {
    noted_.push_back({now_, 0, until, id, message, kind, since});
}

/// An event is not going to be undone.
void OperationPlayer::tell(OperationEvent event) {
    const bool begins = event.kind == OperationEvent::Kind::kBegun;
    const bool is_whole = event.kind == OperationEvent::Kind::kWhole;
    if (begins || is_whole || event.kind == OperationEvent::Kind::kCompleted) {
        event.idle_since = times_.advance(event.cycle);
    }
    if (begins) times_.begin(operation(event.operation).kind, event.until);
    if (is_whole) times_.end_receive(event.until);
    if (run_.observer_ != nullptr) run_.observer_->on_event(node_, event);
}

/// No further send will advance the player, so events must not accumulate until the end.
void OperationPlayer::keep_up(Cycle cycle) {
    while (!events_.empty() && (*events_.begin())[0] <= cycle) step();
    commit(cycle);
}

void OperationPlayer::finish() {
    do {
        commit(now_);
    } while (step());
}

void OperationPlayer::enter(std::uint64_t cycle) {
    journal_.enter(cycle);
    journal_.assign(now_, cycle);
}

/// Does the next thing. False if there is nothing to do before another message arrives.
bool OperationPlayer::step() {
    const bool is_due = !events_.empty() && (*events_.begin())[0] == now_;
    // Messages come last, all of a cycle at once.
    if (is_due && ((*events_.begin())[1] < kArriving || arrival_ == now_)) {
        apply(Key(*events_.begin()));
        return true;
    }
    if (begin_next()) return true;
    if (events_.empty()) return false;
    const Key event = *events_.begin();
    if (event[0] != now_) enter(event[0]);
    apply(event);
    return true;
}

void OperationPlayer::apply(const Key& event) {
    journal_.erase(events_, event);
    const auto id = static_cast<OperationId>(event[2]);
    switch (static_cast<Event>(event[1])) {
        case kReleased: {
            journal_.assign(streams_[stream_of(operation(id))].busy, std::uint64_t{0});
            const bool awaits_injection = operation(id).kind == Operation::Kind::kSend &&
                                          run_.operations_.completion == SendCompletion::kInjected;
            if (!awaits_injection) complete(id);
            return;
        }
        case kInjected:
            complete(id);
            return;
        case kArriving:
        case kDelivered:
            if (arrival_ != now_) journal_.assign(arrival_, now_);
            if (event[1] == kDelivered && run_.hears_heads()) {
                be_whole(id);
            } else {
                arrive(id, static_cast<NodeId>(event[3]));
            }
            return;
    }
}

/// Begins the operation that has been ready for longest of those that can begin now; of equal ones
/// the first listed.
bool OperationPlayer::begin_next() {
    Stream* first = nullptr;
    for (Stream& stream : streams_) {
        if (stream.busy != 0 || stream.ready.empty()) continue;
        if (first == nullptr || *stream.ready.begin() < *first->ready.begin()) first = &stream;
    }
    if (first == nullptr) return false;
    const Key key = *first->ready.begin();
    journal_.erase(first->ready, key);
    const auto id = static_cast<OperationId>(key[1]);
    if (first == &streams_[kPosting]) {
        post(id);
    } else {
        begin(id, static_cast<MessageId>(key[2]));
    }
    return true;
}

/// Until when an operation keeps its stream that begins now; kNever: be_whole() will say so.
Cycle OperationPlayer::keeps_until(OperationId id, MessageId message) {
    const Operation& what = operation(id);
    if (what.kind != Operation::Kind::kReceive || !run_.hears_heads()) {
        return now_ + run_.busy_cycles(what);
    }
    if (whole_.count({message, 0, 0, 0}) == 0) {
        journal_.insert(coming_, {message, id, now_, 0});
        return kNever;
    }
    journal_.erase(whole_, {message, 0, 0, 0});
    return now_ + run_.receive_cycles(message);
}

void OperationPlayer::begin(OperationId id, MessageId message) {
    const Operation& what = operation(id);
    const Cycle until = keeps_until(id, message);
    note(OperationEvent::Kind::kBegun, id, message, until);
    if (what.kind == Operation::Kind::kSend) {
        begun_.resize(begun_count_ - first_begun_);
        begun_.push_back({what.message, now_});
        journal_.assign(begun_count_, begun_count_ + 1);
    }
    // A receive began when it was posted.
    if (what.kind != Operation::Kind::kReceive) meet_dependencies(id, true);
    journal_.assign(streams_[stream_of(what)].busy, std::uint64_t{1});
    if (until != kNever) journal_.insert(events_, {until, kReleased, id, 0});
}

void OperationPlayer::post(OperationId id) {
    const Operation& receive = operation(id);
    const std::optional<Key> found = find_arrived(receive);
    note(OperationEvent::Kind::kPosted, id,
         found ? static_cast<MessageId>((*found)[3]) : kNoMessage);
    meet_dependencies(id, true);
    if (found) {
        const std::uint64_t sequence = (*found)[2];
        const std::uint64_t message = (*found)[3];
        const auto source = static_cast<NodeId>(message >> 32);
        const std::uint32_t tag = operation(run_.send_of_[static_cast<MessageId>(message)]).tag;
        visit_names(source, tag, [&](std::uint64_t from, std::uint64_t with) {
            journal_.erase(arrived_, {from, with, sequence, message});
        });
        process(id, static_cast<MessageId>(message));
        return;
    }
    journal_.insert(posted_, {receive.source, receive.tag, sequence_, id});
    journal_.assign(sequence_, sequence_ + 1);
}

void OperationPlayer::arrive(MessageId message, NodeId source) {
    const std::uint32_t tag = operation(run_.send_of_[message]).tag;
    if (const std::optional<Key> found = find_posted(source, tag)) {
        const auto id = static_cast<OperationId>((*found)[3]);
        note(OperationEvent::Kind::kArrived, id, message);
        journal_.erase(posted_, *found);
        process(id, message);
        return;
    }
    note(OperationEvent::Kind::kArrived, kNoOperation, message);
    visit_names(source, tag, [&](std::uint64_t from, std::uint64_t with) {
        journal_.insert(arrived_, {from, with, sequence_, std::uint64_t{source} << 32 | message});
    });
    journal_.assign(sequence_, sequence_ + 1);
}

/// All of a message is there, whose first flit has been met by arrive().
void OperationPlayer::be_whole(MessageId message) {
    const auto found = coming_.lower_bound({message, 0, 0, 0});
    if (found == coming_.end() || (*found)[0] != message) {
        journal_.insert(whole_, {message, 0, 0, 0});
        return;
    }
    const Key coming = *found;
    journal_.erase(coming_, coming);
    const auto id = static_cast<OperationId>(coming[1]);
    const Cycle since = coming[2];
    const Cycle until =
        std::max(since + run_.receive_cycles(message), now_ + run_.busy_cycles(operation(id)));
    note(OperationEvent::Kind::kWhole, id, message, until, since);
    journal_.insert(events_, {until, kReleased, id, 0});
}

/// The message of a receive is there, or begins to be, and waits for its stream.
void OperationPlayer::process(OperationId id, MessageId message) {
    journal_.insert(streams_[stream_of(operation(id))].ready, {now_, id, message, 0});
}

/// The receive posted first that takes such a message.
std::optional<OperationPlayer::Key> OperationPlayer::find_posted(NodeId source,
                                                                 std::uint32_t tag) const {
    std::optional<Key> first;
    for (const std::uint64_t from : {source, kAnySource}) {
        for (const std::uint64_t with : {tag, kAnyTag}) {
            const auto found = posted_.lower_bound({from, with, 0, 0});
            if (found == posted_.end() || (*found)[0] != from || (*found)[1] != with) continue;
            if (!first || (*found)[2] < (*first)[2]) first = *found;
        }
    }
    return first;
}

/// The message that arrived first of those that it takes.
std::optional<OperationPlayer::Key> OperationPlayer::find_arrived(const Operation& receive) const {
    const auto found = arrived_.lower_bound({receive.source, receive.tag, 0, 0});
    const bool fits =
        found != arrived_.end() && (*found)[0] == receive.source && (*found)[1] == receive.tag;
    return fits ? std::optional(*found) : std::nullopt;
}

/// Calls `visit(source, tag)` with every name by which receives of this run may match such a
/// message.
template <class Visit>
void OperationPlayer::visit_names(NodeId source, std::uint32_t tag, Visit visit) const {
    for (const auto& [has_source, has_tag] : run_.names_) {
        visit(has_source ? source : kAnySource, has_tag ? tag : kAnyTag);
    }
}

void OperationPlayer::complete(OperationId id) {
    note(OperationEvent::Kind::kCompleted, id);
    journal_.assign(completed_, completed_ + 1);
    if (now_ > end_) journal_.assign(end_, now_);
    meet_dependencies(id, false);
}

void OperationPlayer::meet_dependencies(OperationId id, bool on_begin) {
    run_.operations_.visit_successors(id, [&](const Successor& successor) {
        if (successor.on_begin != on_begin) return;
        std::uint32_t& waits = run_.waits_[successor.operation];
        journal_.assign(waits, waits - 1);
        if (waits == 0) make_ready(successor.operation);
    });
}

void OperationPlayer::make_ready(OperationId id) {
    const bool is_posted = operation(id).kind == Operation::Kind::kReceive;
    Stream& stream = streams_[is_posted ? kPosting : stream_of(operation(id))];
    journal_.insert(stream.ready, {now_, id, operation(id).message, 0});
}

std::string OperationPlayer::waiting_for() const {
    if (has_finished()) return "";
    const Operations& operations = run_.operations_;
    if (!posted_.empty()) {
        const auto first = std::min_element(posted_.begin(), posted_.end(),
                                            [](const Key& a, const Key& b) { return a[2] < b[2]; });
        std::string text = operations.describe(static_cast<OperationId>((*first)[3])) + " waits";
        if (arrived_.empty()) return text;
        return text + fmt::format("; messages that have arrived and fit no receive: {}",
                                  arrived_.size() / run_.names_.size());
    }
    return fmt::format("{} has done {} of {} operations", operations.name_of(node_), completed_,
                       last_ - first_);
}

}  // namespace flitscope
