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

DelayRecorder::DelayRecorder(const Machine& machine, const DelayWindow& window, bool keeps_packets)
    : DelayRecorder(machine, window, keeps_packets, 0) {}

DelayRecorder::DelayRecorder(const Machine& machine, std::size_t log_bytes)
    : DelayRecorder(machine, std::nullopt, false, log_bytes) {}

DelayRecorder::DelayRecorder(const Machine& machine, const std::optional<DelayWindow>& window,
                             bool keeps_packets, std::size_t log_bytes)
    : FabricHistory(machine.config, machine.graph),
      is_window_known_(window.has_value()),
      window_(window.value_or(DelayWindow())),
      log_bytes_(log_bytes),
      keeps_packets_(keeps_packets),
      is_adaptive_(machine.routing->path_choice() == PathChoice::kAdaptive),
      sends_(machine.graph.node_count()),
      of_channels_(channels_.count()) {
    for (ChannelId channel = 0; channel < channels_.count(); ++channel) {
        of_channels_[channel].channel = channel;
    }
}

void DelayRecorder::on_send(const Message& message, Cycle begin) {
    sends_[message.source].push_back({message.id, begin});
}

/// The begin of the send of a message. They go in the order in which they are handed over; those
/// withdrawn come once more.
Cycle DelayRecorder::begin_of(const Message& message) {
    std::deque<Sent>& sends = sends_[message.source];
    while (!sends.empty() && sends.front().message != message.id) sends.pop_front();
    if (sends.empty()) throw std::logic_error("a packet of a message that nobody sent");
    const Cycle begin = sends.front().begin;
    sends.pop_front();
    return begin;
}

void DelayRecorder::take_up(ChannelId injection, const Message& message) {
    if (departures_[injection].is_over()) {
        departures_.begin(injection, message, begin_of(message));
    }
    departures_.take_up(injection, message);
}

RunDelay DelayRecorder::inject(std::size_t own, Cycle now) {
    const Lane& lane = lanes_[own];
    const ChannelId channel = lane.channel;
    if (!lane.at_head) return {lane.sent.back().tag.packet, Cause::kCredit, channel};
    const Departure& departure = departures_[channel];
    const DepartureQueue& queue = departures_.queue(channel);
    const std::uint32_t place = under_way_.add({});
    UnderWay& packet = under_way_[place];
    packet.flits = lane.flits;
    packet.delay.message = lane.owner.id;
    packet.delay.index = departure.packet;
    packet.delay.begin = departure.begin;
    CycleCount cycles(packet.delay, channel, departure.begin, now);
    cycles.until(departure.turn, Cause::kOwnMessage);
    cycles.until(departure.started, Cause::kStartup);
    cycles.until(departure.assembly, Cause::kOwnMessage);
    cycles.until(departure.ready, Cause::kAssembly);
    cycles.until(queue.message_gone, Cause::kOwnMessage);
    cycles.until(queue.packet_gone, Cause::kBody);
    cycles.until(now, Cause::kCredit);
    if (injected_.size() <= place) injected_.resize(place + 1, kNever);
    injected_[place] = now;
    change_occupancy(now, 1);
    return {place, Cause::kCredit, channel};
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

/// A head goes on.
void DelayRecorder::pass_head(std::size_t own, std::size_t from, std::uint64_t flit,
                              const Run& came, Cycle now) {
    const Lane& lane = lanes_[own];
    const Lane& buffer = lanes_[from];
    const Cycle sent = came.when(flit);
    const Cycle arrived = sent + buffer.timing.delay;
    PacketDelay& delay = under_way_[came.tag.packet].delay;
    delay.parts.push_back({buffer.channel, Cause::kMoving, arrived - sent});
    if (channels_.is_link(lane.channel)) ++delay.hops;
    if (arrived >= now) return;  // as most do, it goes on as soon as it is there
    CycleCount cycles(delay, lane.channel, arrived, now);
    cycles.until(stored(own, from, came, now).over, Cause::kStore);
    cycles.until(in_front(from, flit, now).over, Cause::kBufferFront);
    cycles.until(held(own).over, Cause::kChannelHeld);
    if (is_adaptive_) {
        cycles.until(lane.granted_in, Cause::kChoice);
    } else if (has_packet_credits_) {
        cycles.until(lane.granted_in, Cause::kCredit);
    }
    cycles.until(credit(own, 1, now).over, Cause::kCredit);
    cycles.until(now, Cause::kArbitration);
}

/// The body of a packet goes on after a pause.
void DelayRecorder::pass_body(std::size_t own, std::size_t from, std::uint64_t flit,
                              const Run& came, Cycle now, RunDelay& delay) {
    const Lane& lane = lanes_[own];
    const Cycle arrived = came.when(flit) + lanes_[from].timing.delay;
    if (arrived < now) {
        const bool is_credit = credit(own, 1, now).over == now;
        delay.stall = is_credit ? Cause::kCredit : Cause::kArbitration;
        delay.stalled_at = lane.channel;
    }
    if (!channels_.is_ejection(lane.channel)) return;
    const Cycle paused = lane.sent.back().end;
    PacketDelay& packet = under_way_[came.tag.packet].delay;
    CycleCount before(packet, came.tag.stalled_at, paused, now);
    before.until(arrived, came.tag.stall);
    CycleCount here(packet, lane.channel, std::max(paused, arrived), now);
    here.until(now, Cause::kArbitration);
}

void DelayRecorder::on_packet(const PacketRecord& packet) {
    told(packet.message.id, packet.index, &packet, nullptr);
}

void DelayRecorder::arrived(const Lane& ejection, Cycle cycle) {
    const std::uint32_t place = ejection.sent.back().tag.packet;
    const PacketDelay& delay = under_way_[place].delay;
    change_occupancy(cycle, -1);
    told(delay.message, delay.index, nullptr, &place);
}

bool DelayRecorder::is_told(const Lane& ejection) const {
    const PacketDelay& delay = under_way_[ejection.sent.back().tag.packet].delay;
    return std::any_of(half_told_.begin(), half_told_.end(), [&](const Delivered& half) {
        return half.message == delay.message && half.index == delay.index;
    });
}

/// The channel and the packet's record tell of a delivery, in either order.
void DelayRecorder::told(MessageId message, std::uint32_t index, const PacketRecord* record,
                         const std::uint32_t* packet) {
    for (std::size_t i = 0; i < half_told_.size(); ++i) {
        const Delivered& other = half_told_[i];
        if (other.message != message || other.index != index) continue;
        deliver(record != nullptr ? *record : *other.record,
                packet != nullptr ? *packet : *other.packet);
        half_told_[i] = half_told_.back();
        half_told_.pop_back();
        return;
    }
    Delivered half{message, index, {}, {}};
    if (record != nullptr) half.record = *record;
    if (packet != nullptr) half.packet = *packet;
    half_told_.push_back(half);
}

void DelayRecorder::deliver(const PacketRecord& record, std::uint32_t packet) {
    UnderWay& arrived = under_way_[packet];
    PacketDelay& delay = arrived.delay;
    const ChannelId ejection = channels_.ejection(record.message.destination);
    if (arrived.flits > 1) delay.parts.push_back({ejection, Cause::kBody, arrived.flits - 1});
    delay.tail_delivered = record.tail_delivered;
    Cycle sum = 0;
    for (const PacketPart& part : delay.parts) sum += part.cycles;
    if (delay.begin != record.begin || sum != record.tail_delivered - record.begin) {
        throw std::logic_error(fmt::format(
            "packet {} of message {}: causes for {} cycles of a latency of {}", record.index,
            record.message.id, sum, record.tail_delivered - record.begin));
    }
    if (is_window_known_) {
        tally(delay, record.head_injected);
    } else if (is_log_whole_) {
        log(delay, record.head_injected);
    }
    if (keeps_packets_) packets_.push_back(std::move(delay));
    injected_[packet] = kNever;
    under_way_.remove(packet);
}

void DelayRecorder::log(const PacketDelay& delay, Cycle head_injected) {
    constexpr Cycle kMost = (1U << 24U) - 1;
    std::size_t count = 0;
    for (const PacketPart& part : delay.parts) count += (part.cycles + kMost - 1) / kMost;
    const std::size_t before = logged_parts_.size();
    logged_parts_.resize(before + count);
    LoggedPart* logged = &logged_parts_[before];
    for (const PacketPart& part : delay.parts) {
        for (Cycle left = part.cycles; left != 0;) {
            const auto cycles = static_cast<std::uint32_t>(std::min(left, kMost));
            *logged++ = {part.channel, cycles << 8U | static_cast<std::uint32_t>(part.cause)};
            left -= cycles;
        }
    }
    log_.push_back({delay.begin, head_injected, delay.tail_delivered, delay.hops,
                    static_cast<std::uint32_t>(count)});
    if (log_.size() * sizeof(Logged) + logged_parts_.size() * sizeof(LoggedPart) > log_bytes_) {
        is_log_whole_ = false;
        log_ = {};
        logged_parts_ = {};
    }
}

/// The window is known now.
void DelayRecorder::tally_log() {
    const LoggedPart* part = logged_parts_.data();
    PacketDelay delay;
    for (const Logged& logged : log_) {
        const LoggedPart* const end = part + logged.parts;
        delay.begin = logged.begin;
        delay.tail_delivered = logged.tail_delivered;
        delay.hops = logged.hops;
        delay.parts.clear();
        for (; part != end; ++part) {
            delay.parts.push_back({part->channel,
                                   static_cast<Cause>(part->cycles_and_cause & 0xFFU),
                                   part->cycles_and_cause >> 8U});
        }
        tally(delay, logged.head_injected);
    }
}

/// A packet that was delivered.
void DelayRecorder::tally(const PacketDelay& delay, Cycle head_injected) {
    const Cycle tail = delay.tail_delivered;
    resided_ += in_window(head_injected, tail + 1);
    if (in_window(tail, tail + 1) != 0) {
        ++delays_.occupancy.delivered;
        delays_.occupancy.residence += tail + 1 - head_injected;
    }
    count(delay);
}

/// A packet that was delivered, where it is one of those that count.
void DelayRecorder::count(const PacketDelay& delay) {
    const Cycle when = window_.is_of_delivery ? delay.tail_delivered : delay.begin;
    if (in_window(when, when + 1) == 0) return;
    const CauseCycles by_cause = delay.by_cause();
    add(delays_.all, delay, by_cause);
    add(delays_.by_hops[delay.hops], delay, by_cause);
    delays_.latency.add(delay.tail_delivered - delay.begin);
    for (const PacketPart& part : delay.parts) {
        ChannelDelays& channel = of_channels_[part.channel];
        channel.by_cause[static_cast<std::size_t>(part.cause)] += part.cycles;
        if (part.cause != Cause::kMoving && part.cause != Cause::kBody) {
            channel.waited += part.cycles;
        }
    }
}

Cycle DelayRecorder::in_window(Cycle from, Cycle until) const {
    from = std::max(from, window_.cycles.from);
    until = std::min(until, window_.cycles.until);
    return until > from ? until - from : 0;
}

void DelayRecorder::change_occupancy(Cycle cycle, int by) {
    if (is_window_known_) {
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
    // Nothing is under way from the last delivery to the end of a measurement that goes on.
    change_occupancy(std::max(simulated_cycles, cycles.until), 0);
    if (is_window_known_ || cycles.from % kSteadyWindow != 0 || cycles.until % kSteadyWindow != 0) {
        throw std::logic_error("packet delays: not a window that a run has found");
    }
    if (!is_log_whole_) return std::nullopt;
    is_window_known_ = true;
    window_ = found;
    delays_.occupancy.packet_cycles = packet_cycles_until_[cycles.until / kSteadyWindow] -
                                      packet_cycles_until_[cycles.from / kSteadyWindow];
    tally_log();
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
    occupancy.window = window_.cycles;
    if (!window_.is_of_delivery) {  // set beforehand: the run may have ended within it
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
