// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/measure/steady/steady_measurement.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "models/config/config.h"
#include "models/performance/distances.h"
#include "models/performance/saturating.h"
#include "models/performance/zero_load_paths.h"
#include "models/topology/graph.h"

namespace flitscope {

Cycle idle_arrival(const Config& config, const Graph& graph, const PatternTraffic& traffic) {
    std::uint64_t flits = traffic.replies ? traffic.replies->flits() : 0;
    for (const MessageLength& length : traffic.lengths.all()) {
        flits = std::max(flits, length.flits);
    }
    const Cycle message = longest_idle(config, graph, flits);
    if (!traffic.replies) return message;
    return saturating_add(saturating_add(message, traffic.replies->begin(0)), message);
}

SteadyMeasurement::SteadyMeasurement(const Config& config, const Graph& graph,
                                     std::shared_ptr<const PatternTraffic> traffic, bool keeps_ends)
    : confidence_(config.steady->confidence),
      keeps_ends_(keeps_ends),
      format_(config.packet_format()),
      traffic_(std::move(traffic)),
      state_(*config.steady,
             {traffic_->variance_per_cycle(), traffic_->correlation_cycles(),
              idle_arrival(config, graph, *traffic_), traffic_->rarest_interval_cycles()}) {
    if (traffic_->replies) round_trips_.emplace(*traffic_->replies);
}

void SteadyMeasurement::add_source(PatternSource& source) {
    if (traffic_->outstanding != 0) return;  // then sources depend on the network
    source.count_in(generated_);
    sources_.push_back(&source);
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
    const bool has_classes = traffic_->classes.count() > 1;
    if (has_classes) {
        class_flits_.resize(windows_.size(),
                            std::vector<std::uint64_t>(traffic_->classes.count(), 0));
        class_flits_[packet.tail_delivered / kSteadyWindow][packet.message.message_class] +=
            packet.flits;
    }
    Cycle head_latency = packet.head_delivered - packet.begin;
    Cycle injected = packet.head_injected;
    const std::uint32_t packets = format_.packets(packet.message.bytes);
    if (packets > 1) {
        Arriving& message = arriving_[packet.message.id];
        if (packet.index == 0) message.head_latency = head_latency;
        message.injected = std::min(message.injected, injected);
        if (++message.packets < packets) return;
        head_latency = message.head_latency;
        injected = message.injected;
        arriving_.erase(packet.message.id);
    }
    const Cycle latency = packet.tail_delivered - packet.begin;
    window.latency.sum += static_cast<double>(latency);
    window.latency.count += 1;
    deliveries_.push_back(
        {packet.tail_delivered, latency, head_latency, packet.tail_delivered - injected});
    if (has_classes) classes_.push_back(packet.message.message_class);
    if (keeps_ends_) ends_.emplace_back(packet.message.source, packet.message.destination);
    if (round_trips_) take_exchange(packet);
}

/// A request has arrived, which is when its reply is generated, or a reply.
void SteadyMeasurement::take_exchange(const PacketRecord& last) {
    const Cycle delivered = last.tail_delivered;
    if (!Replies::is_reply(last.message.id) && traffic_->outstanding == 0) {
        replied_.push_back(traffic_->replies->begin(delivered));
    }
    const std::optional<Cycle> began = round_trips_->delivered(last).began;
    if (began) round_trips_done_.push_back({delivered, delivered - *began});
}

void SteadyMeasurement::generate_until(Cycle end) {
    if (traffic_->outstanding != 0) {
        // A closed loop offers what it gets: its backlog is limited.
        for (std::size_t i = state_.windows(); i < end / kSteadyWindow; ++i) {
            SteadyWindow& window = window_of(i * kSteadyWindow);
            window.generated = window.delivered;
        }
        return;
    }
    for (PatternSource* const source : sources_) source->count_before(end);
    for (Cycle begin = state_.windows() * kSteadyWindow; begin < end; begin += kSteadyWindow) {
        window_of(begin).generated += generated_.take(begin);
    }
    for (; !replied_.empty() && replied_.front() < end; replied_.pop_front()) {
        window_of(replied_.front()).generated += traffic_->replies->flits();
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

void SteadyMeasurement::finish() {
    while (next() <= kMostEmpty) inspect(next());
}

bool SteadyMeasurement::is_measured(Cycle delivered) const {
    const Cycle from = outcome().warmup;
    return delivered >= from && delivered < from + outcome().cycles;
}

void SteadyMeasurement::add_to_windows(std::vector<statistics::Interval>& windows, Cycle delivered,
                                       Cycle cycles) const {
    windows.resize(measured_windows());
    statistics::Interval& window = windows[(delivered - outcome().warmup) / kSteadyWindow];
    window.sum += static_cast<double>(cycles);
    window.count += 1;
}

statistics::Estimate SteadyMeasurement::mean_of(
    const std::vector<statistics::Interval>& windows) const {
    statistics::Estimate mean = statistics::batch_means(windows, confidence_);
    double count = 0;
    for (const statistics::Interval& window : windows) count += window.count;
    // Batches of a message or two say little about the next ones.
    constexpr double kLeast = 10 * statistics::kBatches;
    if (count < kLeast) mean.half_width = std::numeric_limits<double>::infinity();
    return mean;
}

std::vector<ClassTraffic> SteadyMeasurement::classes() const {
    std::vector<ClassTraffic> result(traffic_->classes.count());
    for (std::size_t i = 0; i < classes_.size(); ++i) {
        ClassTraffic& of = result[classes_[i]];
        ++of.delivered;
        if (is_measured(deliveries_[i].delivered)) of.latency.add(deliveries_[i].latency);
    }
    const std::size_t first = outcome().warmup / kSteadyWindow;
    const std::size_t end = (outcome().warmup + outcome().cycles) / kSteadyWindow;
    for (std::size_t w = first; w < std::min(end, class_flits_.size()); ++w) {
        for (std::size_t k = 0; k < result.size(); ++k) result[k].flits += class_flits_[w][k];
    }
    return result;
}

std::vector<HopStatistics> SteadyMeasurement::by_hops(const Graph& graph) const {
    // By source: each takes one search, whatever the size of the network.
    std::vector<std::size_t> messages;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
        if (is_measured(deliveries_[i].delivered)) messages.push_back(i);
    }
    std::sort(messages.begin(), messages.end(),
              [this](std::size_t a, std::size_t b) { return ends_[a].first < ends_[b].first; });
    struct Class {
        LatencyStatistics latency;
        std::vector<statistics::Interval> windows;
    };
    std::map<std::uint32_t, Class> classes;
    DistanceSearch search(graph, Way::kFrom);
    const std::vector<std::uint32_t>* distances = nullptr;
    RouterId searched;
    for (const std::size_t i : messages) {
        const RouterId source = graph.router_of(ends_[i].first);
        if (distances == nullptr || source != searched) {
            distances = &search.distances(source);
            searched = source;
        }
        Class& of_message = classes[(*distances)[graph.router_of(ends_[i].second)]];
        const Delivery& delivery = deliveries_[i];
        of_message.latency.add(delivery.latency);
        add_to_windows(of_message.windows, delivery.delivered, delivery.latency);
    }
    std::vector<HopStatistics> result;
    for (auto& [hops, messages_of] : classes) {
        result.push_back({hops, std::move(messages_of.latency), mean_of(messages_of.windows)});
    }
    return result;
}

}  // namespace flitscope
