// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/network_interface.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace flitscope::hw {
namespace {

std::size_t lane_count(const NetworkInterfaceConfig& config) {
    if (!config.classes.has_classes()) return 1;
    return config.virtual_channels / config.classes.channels_per_class;
}

}  // namespace

NetworkInterface::NetworkInterface(sc_core::sc_module_name name,
                                   const NetworkInterfaceConfig& config, WakeupWheel& clock,
                                   PacketPool& packets, const InterfaceObservers& observers)
    : PacketInterface(name, config, clock, packets, observers),
      lanes_(lane_count(config), Lane(config)),
      arrivals_(config.virtual_channels),
      replies_(config.reply_queue, lanes_.size()),
      classes_(config.classes) {}

void NetworkInterface::end_of_elaboration() {
    const auto channels = static_cast<std::uint32_t>(config_.virtual_channels / lanes_.size());
    for (std::uint32_t k = 0; k < lanes_.size(); ++k) {
        lanes_[k].channel.attach(*injection.operator->(), channels, observers_.channels,
                                 observers_.injection, k * channels);
    }
}

void NetworkInterface::send(const Message& message, Cycle begin, const SendOptions& options) {
    if (options.port != kLocalPort || !options.follows.empty()) {
        throw std::invalid_argument("NetworkInterface: one channel, and whole messages");
    }
    if (message.message_class >= lanes_.size()) {
        throw std::invalid_argument("NetworkInterface: no such class of messages");
    }
    require_room(message, *injection.operator->());
    Packetizer& queue = lanes_[message.message_class].queue;
    queue.add(message, begin);
    wake_for(queue);
}

std::size_t NetworkInterface::pending() const {
    return std::accumulate(
        lanes_.begin(), lanes_.end(), std::size_t{0},
        [](std::size_t sum, const Lane& lane) { return sum + lane.queue.messages(); });
}

Cycle NetworkInterface::tick(Cycle now) {
    Cycle next = kNever;
    if (lanes_.front().tail_is_ahead()) {
        next = await_tail(lanes_.front(), now);
    } else if (Lane* const lane = choose_lane(now, next)) {
        send_flit(*lane, now);
        next = lanes_.size() == 1 ? go_on(*lane, now) : now + 1;
    }
    for (Lane& lane : lanes_) lane.channel.report_stop(now, next);
    return next;
}

/// Whether the front flit of `lane` may go. If not, `next` is no later than the cycle in which it
/// may, or we are woken then.
inline bool NetworkInterface::can_send(Lane& lane, Cycle now, Cycle& next) {
    if (lane.position != 0) {
        if (lane.free_from <= now) return lane.channel.can_send(now, sleeper(), next);
        next = std::min(next, lane.free_from);
        return false;
    }
    if (lane.queue.empty()) return false;
    if (lane.queue.head_ready() > now) {
        next = std::min(next, lane.queue.head_ready());
        return false;
    }
    return lane.channel.choose(flits_to_begin(lane.queue), now, sleeper(), next);
}

/// The lane whose front flit goes in this cycle; null when none can.
inline NetworkInterface::Lane* NetworkInterface::choose_lane(Cycle now, Cycle& next) {
    if (lanes_.size() == 1) return can_send(lanes_[0], now, next) ? lanes_.data() : nullptr;
    ClassMask ready = 0;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
        if (can_send(lanes_[k], now, next)) ready |= static_cast<ClassMask>(1U << k);
    }
    if (ready == 0) return nullptr;
    const ClassMask preferred = classes_.preferred(ready);
    while ((preferred >> pointer_ & 1) == 0) pointer_ = (pointer_ + 1) % lanes_.size();
    Lane& lane = lanes_[pointer_];
    classes_.sent(static_cast<MessageClass>(pointer_));
    pointer_ = (pointer_ + 1) % lanes_.size();
    return &lane;
}

inline void NetworkInterface::start_packet(Lane& lane, Cycle now) {
    const Message& message = lane.queue.message();
    if (lane.queue.packet_index() == 0) {
        lane.message_state = packets_.add_message(lane.queue.packet_count());
    }
    lane.length = lane.queue.flits();
    lane.departure = depart(lane.queue, message, lane.message_state, now);
    lane.channel.begin_packet(message, now);
}

inline void NetworkInterface::send_flit(Lane& lane, Cycle now) {
    if (lane.position == 0) start_packet(lane, now);
    const Flit flit = lane.departure.flit(lane.position, lane.length);
    ++lane.position;
    lane.channel.send(flit, now, clock_);
    if (flit.tail) finish_packet(lane, now);
}

/// Goes on with the only lane after a flit that went in cycle `now`. Returns the next cycle in
/// which to be ticked.
inline Cycle NetworkInterface::go_on(Lane& lane, Cycle now) {
    if (lane.position == 0) return next_head(lane, now);
    // A router with several virtual channels cannot be notified of flits far ahead (Events).
    const bool may_run_ahead = clock_.ahead_until() >= now && config_.virtual_channels == 1;
    return may_run_ahead ? send_ahead(lane, now) : now + 1;
}

/// The first cycle after `now` in which the head of the next packet may leave; kNever: a message
/// that comes wakes us.
inline Cycle NetworkInterface::next_head(const Lane& lane, Cycle now) {
    return lane.queue.empty() ? kNever : std::max(now + 1, lane.queue.head_ready());
}

/// Sends, after a flit that went in cycle `now`, those of the same packet whose credits are known,
/// each in its own cycle. Returns the next cycle in which to be ticked.
Cycle NetworkInterface::send_ahead(Lane& lane, Cycle now) {
    Cycle at = now + 1;
    while (lane.position != 0 && lane.position < lane.length) {
        const Cycle credit = lane.channel.credit_from();
        if (credit == kNever) break;
        at = std::max(at, credit);
        if (at > clock_.ahead_until()) break;
        lane.channel.send(lane.departure.flit(lane.position, lane.length), at, clock_);
        ++lane.position;
        ++at;
    }
    lane.free_from = at;
    clock_.reach(std::min(at - 1, clock_.ahead_until()));
    return lane.tail_is_ahead() ? at - 1 : at;
}

/// The tail was sent ahead of time. Others see the packet end in the tail's own cycle. Returns the
/// next cycle in which to be ticked.
Cycle NetworkInterface::await_tail(Lane& lane, Cycle now) {
    const Cycle tail = lane.free_from - 1;
    if (now < tail) return tail;
    finish_packet(lane, now);
    return next_head(lane, now);
}

/// The tail has gone: the next packet of the message, or the next message.
void NetworkInterface::finish_packet(Lane& lane, Cycle now) {
    PacketRecord& record = packets_[lane.departure.packet].record;
    record.tail_injected = now;
    lane.position = 0;
    const Message& message = record.message;
    if (!lane.queue.advance(now)) return;
    if (replies_.is_limited() && message.role == MessageRole::kReply) {
        replies_.free(message.message_class, now, clock_);
    }
    tell_injected(message, now);
}

bool NetworkInterface::takes_or_wakes(std::uint64_t header, Cycle now, const Sleeper& sleeper,
                                      Cycle& next) {
    if (packets_.message_of(header).role != MessageRole::kRequest) return true;
    return replies_.has_room_or_wakes(now, sleeper, next);
}

bool NetworkInterface::takes(std::uint64_t header) const {
    return packets_.message_of(header).role != MessageRole::kRequest || replies_.has_room();
}

void NetworkInterface::granted(std::uint64_t header) {
    const Message message = packets_.message_of(header);
    if (message.role != MessageRole::kRequest) return;
    replies_.take(config_.reply_class.value_or(message.message_class));
}

/// Messages of a lane leave in order, and a generator hands over the next one when the one before
/// has gone: so a reply that is owed waits for whatever is first in its lane. An empty lane will
/// get it: its request is still on the way in.
std::vector<ReplyWait> NetworkInterface::reply_waits() const {
    std::vector<ReplyWait> waits;
    for (std::uint32_t k = 0; k < lanes_.size(); ++k) {
        if (replies_.owed(k) == 0) continue;
        const Lane& lane = lanes_[k];
        ReplyWait& wait = waits.emplace_back();
        wait.queue = k;
        if (lane.queue.empty() || lane.tail_is_ahead()) continue;
        wait.granted = lane.position != 0;
        wait.message = lane.queue.message();
        wait.channels = lane.channel.obstacles(wait.granted, flits_to_begin(lane.queue));
        wait.waits = !wait.channels.empty();
    }
    return waits;
}

void NetworkInterface::eject(const Flit& flit, std::uint32_t vc, Cycle now) {
    Arrival& arrival = arrivals_[vc];
    ++flits_ejected_;
    arrival.take(flit, config_.node, now);
    // No head comes ahead of its cycle: it gets an output when it can be seen.
    if (flit.tail || (flit.head && tells_heads())) tell_arrival(arrival, flit, now);
}

}  // namespace flitscope::hw
