// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/delay_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/performance/idle_latency.h"
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
    : is_window_known_(window.has_value()),
      window_(window.value_or(DelayWindow())),
      log_bytes_(log_bytes),
      keeps_packets_(keeps_packets),
      channels_(machine.graph),
      format_(machine.config.packet_format()),
      node_(machine.config.node),
      is_adaptive_(machine.routing->path_choice() == PathChoice::kAdaptive),
      has_packet_credits_(machine.config.fabric.has_packet_flow_control()),
      stores_(machine.config.fabric.stores_packets()),
      combining_delay_(machine.config.fabric.combining_delay),
      lanes_(machine.config.fabric, machine.graph),
      sources_(machine.graph.node_count()),
      of_channels_(channels_.count()) {
    for (ChannelId channel = 0; channel < channels_.count(); ++channel) {
        of_channels_[channel].channel = channel;
    }
}

void DelayRecorder::on_send(const Message& message, Cycle begin) {
    sources_[message.source].sends.push_back({message.id, begin});
}

void DelayRecorder::on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                             Cycle cycle) {
    Lane& lane = lanes_[lanes_.number(channel, vc)];
    lane.owner = message.id;
    lane.bytes = message.bytes;
    lane.granted = lane.sent.count(cycle);
    lane.granted_in = cycle;
    lane.at_head = true;
    if (channels_.is_injection(channel)) take_up(sources_[channels_.node(channel)], message);
}

/// A packet of `message` is next: finds out when the startup and the assembly of the message were
/// (hw/TIMING.md, "Startup" and "Assembly").
void DelayRecorder::take_up(Source& source, const Message& message) {
    if (source.packet != source.packets) return;
    // Messages go in the order in which they are handed over; those withdrawn come once more.
    while (!source.sends.empty() && source.sends.front().message != message.id) {
        source.sends.pop_front();
    }
    if (source.sends.empty()) throw std::logic_error("a packet of a message that nobody sent");
    source.at_hand = source.sends.front();
    source.sends.pop_front();
    source.packet = 0;
    source.packets = format_.packets(message.bytes);
    source.assembled = 0;
    const Cycle begin = source.at_hand.begin;
    source.turn = node_.serial_startup ? std::max(begin, source.done) : begin;
    source.started = source.turn + node_.send_startup;
    source.assembly = node_.serial_startup || !node_.assembles()
                          ? source.started
                          : std::max(source.started, source.done);
}

void DelayRecorder::on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                                  std::uint32_t popped_vc, Cycle cycle) {
    const std::size_t own = lanes_.number(channel, vc);
    const std::size_t from = lanes_.number(popped, popped_vc);
    Lane& lane = lanes_[own];
    Tag tag;
    if (popped == channel) {
        if (lane.at_head) inject(channel, lane, cycle);
        tag = {lane.packet, Cause::kCredit, channel};
    } else {
        const Lane& buffer = lanes_[from];
        const std::uint64_t flit = buffer.popped.count(cycle);
        const Run* const came = buffer.sent.of_flit(flit, cycle);
        if (came == nullptr) throw std::logic_error("a flit that nobody sent");
        tag = came->tag;
        if (lane.at_head) {
            forward(own, buffer, popped, *came, flit, cycle);
        } else {
            go_on(own, *came, came->when(flit) + buffer.timing.delay, cycle, tag);
        }
    }
    lanes_.begin(own, from, cycle, tag, lane.owner);
}

void DelayRecorder::on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    lanes_.end(lanes_.number(channel, vc), cycle);
}

void DelayRecorder::on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    Lane& lane = lanes_[lanes_.number(channel, vc)];
    lane.released_in = cycle;
    if (channels_.is_injection(channel)) {
        Source& source = sources_[channels_.node(channel)];
        source.packet_gone = cycle;
        if (++source.packet < source.packets) return;
        source.message_gone = cycle;
        // Where it assembles, inject() has said when that was over.
        if (!node_.assembles()) source.done = cycle;
    }
    if (!channels_.is_ejection(channel)) return;
    lane.owner = kNoMessage;
    const PacketDelay& delay = under_way_[lane.packet].delay;
    change_occupancy(cycle, -1);
    told(delay.message, delay.index, nullptr, &lane.packet);
}

void DelayRecorder::on_packet(const PacketRecord& packet) {
    told(packet.message.id, packet.index, &packet, nullptr);
}

/// A packet leaves its node.
void DelayRecorder::inject(ChannelId channel, Lane& lane, Cycle now) {
    Source& source = sources_[channels_.node(channel)];
    lane.flits = format_.flits(lane.bytes, source.packet);
    lane.packet = under_way_.add({});
    UnderWay& packet = under_way_[lane.packet];
    packet.flits = lane.flits;
    packet.delay.message = lane.owner;
    packet.delay.index = source.packet;
    packet.delay.begin = source.at_hand.begin;
    source.assembled += lane.flits;
    Cycle ready = source.started;
    if (node_.assembles()) {
        ready = source.done =
            source.assembly + assembly_cycles(source.assembled, node_.injection_rate);
    }
    CycleCount cycles(packet.delay, channel, packet.delay.begin, now);
    cycles.until(source.turn, Cause::kOwnMessage);
    cycles.until(source.started, Cause::kStartup);
    cycles.until(source.assembly, Cause::kOwnMessage);
    cycles.until(ready, Cause::kAssembly);
    cycles.until(source.message_gone, Cause::kOwnMessage);
    cycles.until(source.packet_gone, Cause::kBody);
    cycles.until(now, Cause::kCredit);
    if (injected_.size() <= lane.packet) injected_.resize(lane.packet + 1, kNever);
    injected_[lane.packet] = now;
    change_occupancy(now, 1);
}

/// A head goes on from the buffer at the end of `source` over the channel of `own`.
void DelayRecorder::forward(std::size_t own, const Lane& buffer, ChannelId source, const Run& came,
                            std::uint64_t flit, Cycle now) {
    Lane& lane = lanes_[own];
    const ChannelId channel = lane.channel;
    const Cycle sent = came.when(flit);
    const Cycle arrived = sent + buffer.timing.delay;
    lane.packet = came.tag.packet;
    lane.flits = came.packet_flits;
    PacketDelay& delay = under_way_[lane.packet].delay;
    delay.parts.push_back({source, Cause::kMoving, arrived - sent});
    if (channels_.is_link(channel)) ++delay.hops;
    if (arrived >= now) return;  // as most do, it goes on as soon as it is there
    CycleCount cycles(delay, channel, arrived, now);
    if (stores_ && !channels_.is_injection(source) && !channels_.is_ejection(channel)) {
        const std::uint64_t last = came.packet + came.packet_flits - 1;
        if (const Run* const tail = buffer.sent.of_flit(last, now)) {
            cycles.until(tail->when(last) + buffer.timing.delay + combining_delay_, Cause::kStore);
        }
    }
    if (flit != 0) {
        const Run* const in_front = buffer.popped.of_flit(flit - 1, now);
        if (in_front != nullptr) cycles.until(in_front->when(flit - 1) + 1, Cause::kBufferFront);
    }
    cycles.until(std::min(lane.released_in, lane.granted_in), Cause::kChannelHeld);
    if (is_adaptive_) {
        cycles.until(lane.granted_in, Cause::kChoice);
    } else if (has_packet_credits_) {
        cycles.until(lane.granted_in, Cause::kCredit);
    }
    cycles.until(lanes_.credit(own, 1, now).usable, Cause::kCredit);
    cycles.until(now, Cause::kArbitration);
}

/// The body of a packet goes on after a pause.
void DelayRecorder::go_on(std::size_t own, const Run& came, Cycle arrived, Cycle now, Tag& tag) {
    const Lane& lane = lanes_[own];
    const ChannelId channel = lane.channel;
    if (arrived < now) {
        tag.stall = lanes_.credit(own, 1, now).usable == now ? Cause::kCredit : Cause::kArbitration;
        tag.stalled_at = channel;
    }
    if (!channels_.is_ejection(channel)) return;
    const Cycle paused = lane.sent.back().end;
    PacketDelay& delay = under_way_[lane.packet].delay;
    CycleCount before(delay, came.tag.stalled_at, paused, now);
    before.until(arrived, came.tag.stall);
    CycleCount here(delay, channel, std::max(paused, arrived), now);
    here.until(now, Cause::kArbitration);
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
    finish(simulated_cycles);
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
    finish(simulated_cycles);
    return summed_up(simulated_cycles);
}

/// The run is over.
void DelayRecorder::finish(Cycle simulated_cycles) {
    // What ends with the last cycle may not have been told by all.
    for (ChannelId channel = channels_.first_ejection(); channel < channels_.count(); ++channel) {
        for (std::uint32_t vc = 0; vc < lanes_.virtual_channels(); ++vc) {
            const Lane& lane = lanes_[lanes_.number(channel, vc)];
            if (lane.owner == kNoMessage || lane.at_head) continue;
            const std::uint32_t index = under_way_[lane.packet].delay.index;
            const bool is_told = std::any_of(
                half_told_.begin(), half_told_.end(),
                [&](const Delivered& d) { return d.message == lane.owner && d.index == index; });
            if (is_told) on_release(channel, vc, simulated_cycles);
        }
    }
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
