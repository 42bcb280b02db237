// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/arrivals.h"

#include <algorithm>

namespace flitscope {
namespace {

bool is_bursty(const TrafficConfig& traffic) { return traffic.arrivals == ArrivalKind::kBursty; }

/// Whether traffic has bursts, with pauses between them.
bool has_pauses(const TrafficConfig& traffic, double rate) {
    return is_bursty(traffic) && rate > 0 && rate < traffic.burst_rate;
}

/// Mean length of the off state, before it is raised to at least one cycle.
double pause(const TrafficConfig& traffic, double rate) {
    return traffic.burst_cycles * (traffic.burst_rate / rate - 1);
}

double probability_of_leaving_on(const TrafficConfig& traffic, double rate) {
    if (!has_pauses(traffic, rate)) return 0;
    return pause(traffic, rate) < 1 ? traffic.burst_rate / rate - 1 : 1 / traffic.burst_cycles;
}

double probability_of_leaving_off(const TrafficConfig& traffic, double rate) {
    return has_pauses(traffic, rate) ? 1 / std::max(pause(traffic, rate), 1.0) : 1;
}

}  // namespace

Arrivals::Arrivals(const TrafficConfig& traffic, double rate, double mean_flits)
    : kind_(traffic.arrivals),
      probability_(rate / mean_flits),
      on_share_(is_bursty(traffic) ? rate / traffic.burst_rate : 1),
      leaves_on_(probability_of_leaving_on(traffic, rate)),
      leaves_off_(probability_of_leaving_off(traffic, rate)),
      gap_(has_pauses(traffic, rate) ? traffic.burst_rate / mean_flits : probability_),
      step_(threshold_of(probability_)),
      starts_on_(threshold_of(on_share_)),
      on_more_(leaves_on_),
      off_more_(leaves_off_) {}

double Arrivals::dispersion() const {
    // The states of two cycles k apart have the covariance on_share (1 - on_share) r^k; its sum
    // over all k > 0, twice, is the excess over independent cycles.
    const double correlation = 1 - leaves_on_ - leaves_off_;
    if (leaves_on_ == 0 || correlation <= 0) return 1;
    return 1 + 2 * probability_ / on_share_ * (1 - on_share_) * correlation / (1 - correlation);
}

double Arrivals::correlation_cycles() const {
    return leaves_on_ == 0 ? 0 : 1 / (leaves_on_ + leaves_off_);
}

ArrivalStream::ArrivalStream(const Arrivals& arrivals, Cycle end, Rng& rng)
    : arrivals_(&arrivals), end_(end) {
    const bool never =
        arrivals.kind_ == ArrivalKind::kPeriodic ? arrivals.step_ == 0 : arrivals.gap_.never();
    if (never || arrivals.off_more_.never()) {
        cycle_ = end_;
    } else if (arrivals.kind_ == ArrivalKind::kPeriodic) {
        phase_ = rng.bits();
    } else if (!arrivals.on_more_.never()) {
        // Both states are without memory: the rest of the first one is as long as a whole one.
        if (rng.bits() >= arrivals.starts_on_) cycle_ = 1 + arrivals.off_more_.draw(rng);
        burst_end_ = cycle_ + 1 + arrivals.on_more_.draw(rng);
    }
}

Cycle ArrivalStream::next(Rng& rng) {
    if (arrivals_->kind_ != ArrivalKind::kPeriodic) {
        while (cycle_ < end_) {
            const std::uint64_t gap = arrivals_->gap_.draw(rng);
            if (gap < burst_end_ - cycle_) return after_gap(gap);
            cycle_ = burst_end_ + 1 + arrivals_->off_more_.draw(rng);
            burst_end_ = cycle_ + 1 + arrivals_->on_more_.draw(rng);
        }
        return kNever;
    }
    if (cycle_ >= end_) return kNever;
    // Steps until the phase wraps, less one. A probability of 1 would be a step of 2^64.
    const std::uint64_t gap = arrivals_->probability_ >= 1 ? 0 : ~phase_ / arrivals_->step_;
    phase_ += arrivals_->step_ * (gap + 1);
    return after_gap(gap);
}

Cycle ArrivalStream::after_gap(std::uint64_t gap) {
    if (gap >= end_ - cycle_) {
        cycle_ = end_;
        return kNever;
    }
    const Cycle begin = cycle_ + gap;
    cycle_ = begin + 1;
    return begin;
}

}  // namespace flitscope
