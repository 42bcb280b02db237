// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Watches a run of a pattern until its SteadyState is known.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/base/latency.h"
#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "models/fabric/observers.h"
#include "testbench/app/measure/steady/steady_state.h"
#include "traffic/endpoints/round_trips.h"
#include "traffic/endpoints/scoreboard.h"
#include "traffic/patterns/pattern_source.h"

namespace flitscope {

class Graph;
struct Config;

/// The messages between nodes of one distance.
struct HopStatistics {
    std::uint32_t hops = 0;  ///< links of a shortest path, whichever the routing takes
    LatencyStatistics latency;
    statistics::Estimate mean;  ///< by batch means
};

/// An approximate upper bound of latency on an idle network, in cycles: of the longest message or,
/// with replies, of an exchange (longest_idle()).
Cycle idle_arrival(const Config& config, const Graph& graph, const PatternTraffic& traffic);

class SteadyMeasurement final : public PacketObserver {
public:
    /// Measures `traffic` on the network of `graph`; `config.steady` must be set. `keeps_ends`:
    /// keep source and destination of every message, for by_hops().
    SteadyMeasurement(const Config& config, const Graph& graph,
                      std::shared_ptr<const PatternTraffic> traffic, bool keeps_ends);

    /// Adds the source of a node's messages before the run begins: so what is generated is known
    /// even if the network cannot take it. Every node that sends needs one.
    void add_source(PatternSource& source);

    void on_packet(const PacketRecord& packet) override;

    /// The next cycle after which to call inspect(): one after the end of a window, since the TLM
    /// engine reports some deliveries a cycle later. kNever once the run can end.
    Cycle next() const;
    /// Evaluates the run; all deliveries before cycle `now` must have been reported. True if the
    /// run can end.
    bool inspect(Cycle now);
    /// Call if a run is idle with all delivered and nothing to come: makes the remaining
    /// inspections, of empty cycles, up to steady.max_cycles, but not beyond kMostEmpty cycles.
    void finish();
    static constexpr Cycle kMostEmpty = 100'000'000;

    const SteadyOutcome& outcome() const { return state_.outcome(); }
    bool is_done() const { return is_done_; }
    /// Latency of the messages delivered after the warm-up, up to the last inspection.
    /// head_latency() is of the same messages, since some heads are reported only with their tails.
    LatencyStatistics latency() const { return statistics_of(deliveries_, &Delivery::latency); }
    LatencyStatistics head_latency() const { return statistics_of(deliveries_, &Delivery::head); }
    /// From the injection of the first head.
    LatencyStatistics network_latency() const {
        return statistics_of(deliveries_, &Delivery::network);
    }
    /// Round trip of the replies among these messages, from the start of their requests.
    LatencyStatistics round_trip() const { return statistics_of(round_trips_done_, &Trip::cycles); }
    // By batch means; with few samples the interval is infinitely wide.
    statistics::Estimate mean_network_latency() const {
        return mean_of(deliveries_, &Delivery::network);
    }
    statistics::Estimate mean_round_trip() const {
        return mean_of(round_trips_done_, &Trip::cycles);
    }
    /// The messages of latency() by class; empty if there is only one class.
    std::vector<ClassTraffic> classes() const;
    /// The messages of latency(), whose ends were kept, by distance in `graph`, nearest first.
    std::vector<HopStatistics> by_hops(const Graph& graph) const;

private:
    /// A message that has arrived, with its latencies.
    struct Delivery {
        Cycle delivered;
        Cycle latency;
        Cycle head;     ///< to the delivery of the head of its first packet
        Cycle network;  ///< from the injection of the first head
    };
    struct Trip {
        Cycle delivered;  ///< the reply
        Cycle cycles;
    };
    /// The part of a message that has arrived.
    struct Arriving {
        std::uint32_t packets = 0;
        Cycle head_latency = 0;   ///< once its first packet is among them
        Cycle injected = kNever;  ///< of their heads the first
    };
    bool is_measured(Cycle delivered) const;
    /// The window of a cycle, made if it does not exist yet.
    SteadyWindow& window_of(Cycle cycle);
    void generate_until(Cycle end);
    void take_exchange(const PacketRecord& last);
    template <class Sample>
    LatencyStatistics statistics_of(const std::vector<Sample>& samples,
                                    Cycle Sample::*cycles) const {
        LatencyStatistics statistics;
        for (const Sample& sample : samples) {
            if (is_measured(sample.delivered)) statistics.add(sample.*cycles);
        }
        return statistics;
    }
    template <class Sample>
    statistics::Estimate mean_of(const std::vector<Sample>& samples, Cycle Sample::*cycles) const {
        std::vector<statistics::Interval> windows(measured_windows());
        for (const Sample& sample : samples) {
            if (is_measured(sample.delivered)) {
                add_to_windows(windows, sample.delivered, sample.*cycles);
            }
        }
        return mean_of(windows);
    }
    /// The number of windows that were measured.
    std::size_t measured_windows() const { return outcome().cycles / kSteadyWindow; }
    /// Adds a measured sample to its window, of measured_windows().
    void add_to_windows(std::vector<statistics::Interval>& windows, Cycle delivered,
                        Cycle cycles) const;
    statistics::Estimate mean_of(const std::vector<statistics::Interval>& windows) const;

    double confidence_;
    bool keeps_ends_;
    PacketFormat format_;
    std::shared_ptr<const PatternTraffic> traffic_;
    std::vector<PatternSource*> sources_;
    FlitWindows generated_{kSteadyWindow};  // by the sources
    std::deque<Cycle> replied_;             // starts of replies that no window counts yet, in order
    std::vector<SteadyWindow> windows_;  // from cycle 0; windows after the last inspection may grow
    std::unordered_map<MessageId, Arriving> arriving_;  // messages of several packets
    std::vector<Delivery> deliveries_;
    std::vector<std::pair<NodeId, NodeId>> ends_;  // source and destination of each of these
    std::vector<MessageClass> classes_;            // of each, if there are several
    /// Flits delivered per window and class, if there are several.
    std::vector<std::vector<std::uint64_t>> class_flits_;
    std::optional<RoundTrips> round_trips_;
    std::vector<Trip> round_trips_done_;
    SteadyState state_;
    bool is_done_ = false;
};

}  // namespace flitscope
