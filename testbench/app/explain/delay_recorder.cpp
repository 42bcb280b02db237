// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/delay_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "testbench/app/measure/steady/steady_state.h"

namespace flitscope {
namespace {

/// Distributes the cycles of a packet up to `now`.
class CycleCount {
public:
    CycleCount(PacketDelay& delay, ChannelId channel, Cycle from, Cycle now)
        : delay_(delay), channel_(channel), at_(from), now_(now) {}

    /// Counts the remaining cycles before `end` for `cause`.
    void until(Cycle end, Cause cause) {
        end = std::min(end, now_);
        if (end <= at_) return;
        delay_.parts.push_back({channel_, cause, end - at_});
        at_ = end;
    }

private:
    PacketDelay& delay_;
    ChannelId channel_;
    Cycle at_;
    Cycle now_;
};

void add(DelaySums& sums, const PacketDelay& delay, const CauseCycles& by_cause) {
    ++sums.packets;
    sums.cycles += delay.tail_delivered - delay.begin;
    for (std::size_t i = 0; i < kCauses; ++i) sums.by_cause[i] += by_cause[i];
}

}  // namespace

DelayRecorder::DelayRecorder(const Machine& machine, const std::optional<DelayWindow>& window,
                             std::size_t kept_bytes)
    : FabricHistory(machine.config, machine.graph),
      window_(window),
      kept_bytes_(kept_bytes),
      is_adaptive_(machine.routing->path_choice() == PathChoice::kAdaptive),
      classes_(machine.config.fabric.class_count()),
      sends_(std::size_t{machine.graph.node_count()} * classes_),
      of_channels_(channels_.count()) {
    if (classes_ > 1) delays_.by_class.resize(classes_);
    for (ChannelId channel = 0; channel < channels_.count(); ++channel) {
        of_channels_[channel].channel = channel;
    }
}

DelayRecorder::DelayRecorder(const Machine& machine,
                             std::function<void(const PacketDelay&)> delivered)
    : DelayRecorder(machine, DelayWindow{{0, kNever}, false}) {
    delivered_ = std::move(delivered);
}

void DelayRecorder::on_send(const Message& message, Cycle begin) {
    sends_of(message).push_back({message.id, begin});
}

/// The begin of the send of a message. Those of a class go in the order in which they are handed
/// over; those withdrawn come once more.
Cycle DelayRecorder::begin_of(const Message& message) {
    std::deque<Sent>& sends = sends_of(message);
    while (!sends.empty() && sends.front().message != message.id) sends.pop_front();
    if (sends.empty()) throw std::logic_error("a packet of a message that nobody sent");
    const Cycle begin = sends.front().begin;
    sends.pop_front();
    return begin;
}

void DelayRecorder::take_up(ChannelId injection, const Message& message) {
    if (departures_.departure(injection, message.message_class).is_over()) {
        departures_.begin(injection, message, begin_of(message));
    }
    departures_.take_up(injection, message);
}

/// The first cycle with a credit for the head that leaves a node over lane `own`: on any virtual
/// channel of its class, since it waits from then on for the turn of the class alone.
Cycle DelayRecorder::credit_at_node(std::size_t own, Cycle now) const {
    const std::uint64_t credits = has_packet_credits_ ? lanes_[own].flits : 1;
    const std::size_t channels = virtual_channels_ / classes_;
    const std::size_t first = own - own % channels;
    Cycle over = kNever;
    for (std::size_t lane = first; lane < first + channels; ++lane) {
        if (was_never_full(lane, credits, now)) return 0;
        const Obstacle full = credit(lane, credits, now);
        if (full.run != nullptr) over = std::min(over, full.over);  // else it still is
    }
    return over;
}

RunDelay DelayRecorder::inject(std::size_t own, Cycle now) {
    const Lane& lane = lanes_[own];
    const ChannelId channel = lane.channel;
    if (!lane.at_head) {
        // Of several classes one sends.
        const bool lost = credit(own, 1, now).over < now;
        return {lane.sent.back().tag.packet, lost ? Cause::kSwitchStall : Cause::kCreditStall,
                channel};
    }
    const MessageClass of = lane.owner.message_class;
    const Departure& departure = departures_.departure(channel, of);
    const DepartureQueue& queue = departures_.queue(channel, of);
    const std::uint32_t place = under_way_.add({});
    UnderWay& packet = under_way_[place];
    packet.flits = lane.flits;
    packet.delay.message = lane.owner.id;
    packet.delay.message_class = of;
    packet.delay.index = departure.packet;
    packet.delay.begin = departure.begin;
    CycleCount cycles(packet.delay, channel, departure.begin, now);
    cycles.until(departure.turn, Cause::kSourceQueue);
    cycles.until(departure.started, Cause::kStartup);
    cycles.until(departure.assembly, Cause::kSourceQueue);
    cycles.until(departure.ready, Cause::kAssembly);
    cycles.until(queue.message_gone, Cause::kSourceQueue);
    cycles.until(queue.packet_gone, Cause::kSerialization);
    cycles.until(credit_at_node(own, now), Cause::kCreditStall);
    cycles.until(now, Cause::kSwitchStall);
    if (injected_.size() <= place) injected_.resize(place + 1, kNever);
    injected_[place] = now;
    change_occupancy(now, 1);
    return {place, Cause::kCreditStall, channel};
}

RunDelay DelayRecorder::forward(std::size_t own, std::size_t from, std::uint64_t flit,
                                const Run* came, Cycle now) {
    if (came == nullptr) throw std::logic_error("a flit that nobody sent");
    RunDelay delay = came->tag;
    if (lanes_[own].at_head) {
        pass_head(own, from, flit, *came, now);
    } else {
        pass_body(own, from, flit, *came, now, delay);
    }
    return delay;
}

/// A head advances.
void DelayRecorder::pass_head(std::size_t own, std::size_t from, std::uint64_t flit,
                              const Run& came, Cycle now) {
    const Lane& lane = lanes_[own];
    const Lane& buffer = lanes_[from];
    const Cycle sent = came.when(flit);
    const Cycle arrived = sent + buffer.timing.delay;
    PacketDelay& delay = under_way_[came.tag.packet].delay;
    delay.parts.push_back({buffer.channel, Cause::kTraversal, arrived - sent});
    if (channels_.is_link(lane.channel)) ++delay.hops;
    if (arrived >= now) return;  // as most do, it leaves as soon as it is there
    CycleCount cycles(delay, lane.channel, arrived, now);
    cycles.until(stored(own, from, came, now).over, Cause::kStore);
    cycles.until(in_front(from, flit, now).over, Cause::kHeadOfLine);
    cycles.until(held(own).over, Cause::kVcBusy);
    if (is_adaptive_) {
        cycles.until(lane.granted_in, Cause::kRouteChoice);
    } else if (has_packet_credits_) {
        cycles.until(lane.granted_in, Cause::kCreditStall);
    }
    cycles.until(credit(own, 1, now).over, Cause::kCreditStall);
    cycles.until(now, Cause::kSwitchStall);
}

/// The body of a packet continues after a pause.
void DelayRecorder::pass_body(std::size_t own, std::size_t from, std::uint64_t flit,
                              const Run& came, Cycle now, RunDelay& delay) {
    const Lane& lane = lanes_[own];
    const Cycle arrived = came.when(flit) + lanes_[from].timing.delay;
    if (arrived < now) {
        const Obstacle link = slow_link(own, now);
        const bool follows_own = link.over == now && link.run->message == lane.owner.id;
        const bool is_credit = credit(own, 1, now).over == now;
        delay.stall = is_credit     ? Cause::kCreditStall
                      : follows_own ? Cause::kSerialization
                                    : Cause::kSwitchStall;
        delay.stalled_at = lane.channel;
    }
    if (!channels_.is_ejection(lane.channel)) return;
    const Cycle paused = lane.sent.back().end;
    PacketDelay& packet = under_way_[came.tag.packet].delay;
    CycleCount before(packet, came.tag.stalled_at, paused, now);
    before.until(arrived, came.tag.stall);
    CycleCount here(packet, lane.channel, std::max(paused, arrived), now);
    here.until(now, Cause::kSwitchStall);
}

bool DelayRecorder::is_of(const PacketRecord& record, const PacketDelay& delay) {
    return record.message.id == delay.message && record.index == delay.index;
}

void DelayRecorder::on_packet(const PacketRecord& packet) {
    const auto place = std::find_if(arrived_.begin(), arrived_.end(), [&](std::uint32_t at) {
        return is_of(packet, under_way_[at].delay);
    });
    if (place == arrived_.end()) {
        records_.push_back(packet);
        return;
    }
    deliver(packet, *place);
    *place = arrived_.back();
    arrived_.pop_back();
}

void DelayRecorder::arrived(const Lane& ejection, Cycle cycle) {
    change_occupancy(cycle, -1);
    const std::uint32_t place = ejection.sent.back().tag.packet;
    const auto record = record_of(place);
    if (record == records_.end()) {
        arrived_.push_back(place);
        return;
    }
    deliver(*record, place);
    *record = records_.back();
    records_.pop_back();
}

bool DelayRecorder::is_told(const Lane& ejection) {
    return record_of(ejection.sent.back().tag.packet) != records_.end();
}

std::vector<PacketRecord>::iterator DelayRecorder::record_of(std::uint32_t place) {
    return std::find_if(records_.begin(), records_.end(), [&](const PacketRecord& record) {
        return is_of(record, under_way_[place].delay);
    });
}

void DelayRecorder::deliver(const PacketRecord& record, std::uint32_t place) {
    const UnderWay& packet = under_way_[place];
    PacketDelay& delay = under_way_[place].delay;
    const ChannelId ejection = channels_.ejection(record.message.destination);
    if (packet.flits > 1)
        delay.parts.push_back({ejection, Cause::kSerialization, packet.flits - 1});
    delay.head_injected = record.head_injected;
    delay.tail_delivered = record.tail_delivered;
    Cycle sum = 0;
    for (const PacketPart& part : delay.parts) sum += part.cycles;
    if (delay.begin != record.begin || sum != record.tail_delivered - record.begin) {
        throw std::logic_error(fmt::format(
            "packet {} of message {}: causes for {} cycles of a latency of {}", record.index,
            record.message.id, sum, record.tail_delivered - record.begin));
    }
    if (window_) tally(delay);
    if (delivered_) delivered_(delay);
    packet_bytes_ += sizeof delay + delay.parts.size() * sizeof(PacketPart);
    if (packet_bytes_ <= kept_bytes_) {
        packets_.push_back(delay);
    } else if (!packets_.empty()) {
        packets_ = {};
    }
    injected_[place] = kNever;
    under_way_.remove(place);
}

/// A packet that was delivered.
void DelayRecorder::tally(const PacketDelay& delay) {
    const Cycle tail = delay.tail_delivered;
    resided_ += in_window(delay.head_injected, tail + 1);
    if (in_window(tail, tail + 1) != 0) {
        ++delays_.occupancy.delivered;
        delays_.occupancy.residence += tail + 1 - delay.head_injected;
    }
    count(delay);
}

/// A delivered packet, if it is one of those that count.
void DelayRecorder::count(const PacketDelay& delay) {
    const Cycle when = window_->is_of_delivery ? delay.tail_delivered : delay.begin;
    if (in_window(when, when + 1) == 0) return;
    const CauseCycles by_cause = delay.by_cause();
    add(delays_.all, delay, by_cause);
    add(delays_.by_hops[delay.hops], delay, by_cause);
    if (classes_ > 1) add(delays_.by_class[delay.message_class], delay, by_cause);
    delays_.latency.add(delay.tail_delivered - delay.begin);
    for (const PacketPart& part : delay.parts) {
        ChannelDelays& channel = of_channels_[part.channel];
        channel.by_cause[static_cast<std::size_t>(part.cause)] += part.cycles;
        if (part.cause != Cause::kTraversal && part.cause != Cause::kSerialization) {
            channel.waited += part.cycles;
        }
    }
}

Cycle DelayRecorder::in_window(Cycle from, Cycle until) const {
    from = std::max(from, window_->cycles.from);
    until = std::min(until, window_->cycles.until);
    return until > from ? until - from : 0;
}

void DelayRecorder::change_occupancy(Cycle cycle, int by) {
    if (window_) {
        delays_.occupancy.packet_cycles += present_ * in_window(counted_until_, cycle);
    } else {
        for (;;) {
            const Cycle begin = packet_cycles_until_.size() * kSteadyWindow;
            if (begin > cycle) break;
            packet_cycles_until_.push_back(packet_cycles_ + present_ * (begin - counted_until_));
        }
        packet_cycles_ += present_ * (cycle - counted_until_);
    }
    counted_until_ = cycle;
    present_ += static_cast<std::uint64_t>(by);
}

std::optional<PacketDelays> DelayRecorder::take(Cycle simulated_cycles, const DelayWindow& found) {
    end(simulated_cycles);
    const CycleWindow& cycles = found.cycles;
    // Nothing is under way from the last delivery to the end of a measurement that continues.
    change_occupancy(std::max(simulated_cycles, cycles.until), 0);
    if (window_ || cycles.from % kSteadyWindow != 0 || cycles.until % kSteadyWindow != 0) {
        throw std::logic_error("packet delays: not a window that a run has found");
    }
    if (packet_bytes_ > kept_bytes_) return std::nullopt;
    window_ = found;
    delays_.occupancy.packet_cycles = packet_cycles_until_[cycles.until / kSteadyWindow] -
                                      packet_cycles_until_[cycles.from / kSteadyWindow];
    for (const PacketDelay& delay : packets_) tally(delay);
    return summed_up(simulated_cycles);
}

PacketDelays DelayRecorder::take(Cycle simulated_cycles) {
    end(simulated_cycles);
    return summed_up(simulated_cycles);
}

/// The run is over.
void DelayRecorder::end(Cycle simulated_cycles) {
    finish(simulated_cycles);
    change_occupancy(simulated_cycles, 0);
}

PacketDelays DelayRecorder::summed_up(Cycle simulated_cycles) {
    for (const Cycle injected : injected_) {
        if (injected != kNever) resided_ += in_window(injected, simulated_cycles);
    }
    if (resided_ != delays_.occupancy.packet_cycles) {
        throw std::logic_error(fmt::format("packets were in the network for {} cycles and say {}",
                                           delays_.occupancy.packet_cycles, resided_));
    }
    Occupancy& occupancy = delays_.occupancy;
    occupancy.window = window_->cycles;
    if (!window_->is_of_delivery) {  // set beforehand: the run may have ended within it
        occupancy.window.until =
            std::max(occupancy.window.from, std::min(occupancy.window.until, simulated_cycles));
    }
    for (const ChannelDelays& channel : of_channels_) {
        const bool is_used = std::any_of(channel.by_cause.begin(), channel.by_cause.end(),
                                         [](Cycle cycles) { return cycles != 0; });
        if (is_used) delays_.channels.push_back(channel);
    }
    std::stable_sort(
        delays_.channels.begin(), delays_.channels.end(),
        [](const ChannelDelays& a, const ChannelDelays& b) { return a.waited > b.waited; });
    return std::move(delays_);
}

}  // namespace flitscope
