// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/measure/steady/steady_measurement.h"

#include <stdexcept>
#include <utility>

namespace flitscope {

SteadyMeasurement::SteadyMeasurement(const SteadyConfig& goal, PacketFormat format,
                                     std::shared_ptr<const PatternTraffic> traffic)
    : format_(format),
      message_flits_(format.message_flits(traffic->bytes)),
      traffic_(std::move(traffic)),
      state_(goal) {
    Message message;
    for (NodeId node = 0; node < traffic_->nodes; ++node) {
        sources_.emplace_back(traffic_, node);
        Cycle begin = kNever;
        if (!sources_.back().next(message, begin)) begin = kNever;
        begins_.push_back(begin);
    }
}

SteadyWindow& SteadyMeasurement::window_of(Cycle cycle) {
    const std::size_t index = cycle / kSteadyWindow;
    if (index >= windows_.size()) windows_.resize(index + 1);
    return windows_[index];
}

void SteadyMeasurement::on_packet(const PacketRecord& packet) {
    if (is_done_ || packet.message.id == kNoMessage) return;
    if (packet.tail_delivered / kSteadyWindow < state_.windows()) {
        throw std::logic_error("SteadyMeasurement: a delivery was told too late");
    }
    SteadyWindow& window = window_of(packet.tail_delivered);
    window.delivered += packet.flits;
    if (packet.index == 0) {
        head_latencies_.push_back({packet.head_delivered, packet.head_delivered - packet.begin});
    }
    const std::uint32_t packets = format_.packets(packet.message.bytes);
    if (packets > 1) {
        if (++arrived_[packet.message.id] < packets) return;
        arrived_.erase(packet.message.id);
    }
    const Cycle latency = packet.tail_delivered - packet.begin;
    window.latency.sum += static_cast<double>(latency);
    window.latency.count += 1;
    latencies_.push_back({packet.tail_delivered, latency});
}

void SteadyMeasurement::generate_until(Cycle end) {
    Message message;
    for (NodeId node = 0; node < traffic_->nodes; ++node) {
        while (begins_[node] < end) {
            window_of(begins_[node]).generated += message_flits_;
            if (!sources_[node].next(message, begins_[node])) begins_[node] = kNever;
        }
    }
}

Cycle SteadyMeasurement::next() const {
    return is_done_ ? kNever : state_.next_check() * kSteadyWindow;
}

bool SteadyMeasurement::inspect(Cycle now) {
    if (now < next()) return is_done_;
    const std::size_t count = now / kSteadyWindow;
    generate_until(count * kSteadyWindow);
    for (std::size_t i = state_.windows(); i < count; ++i) {
        state_.add(window_of(i * kSteadyWindow));
    }
    is_done_ = state_.evaluate();
    return is_done_;
}

LatencyStatistics SteadyMeasurement::statistics_of(const std::vector<Sample>& samples) const {
    const Cycle from = outcome().warmup;
    const Cycle until = from + outcome().cycles;
    LatencyStatistics statistics;
    for (const Sample& sample : samples) {
        if (sample.delivered >= from && sample.delivered < until) statistics.add(sample.latency);
    }
    return statistics;
}

}  // namespace flitscope
