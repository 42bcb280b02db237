// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// When the messages of a node begin: Bernoulli, periodic or bursty. Whatever the kind, at most one
// begins in a cycle, and the mean rate is the configured one.
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "models/config/traffic_config.h"
#include "traffic/patterns/rng.h"

namespace flitscope {

/// The process by which messages arrive at nodes of one rate.
///
/// - bernoulli: in every cycle a message begins with the same probability.
/// - periodic: a 64-bit phase advances by that probability x 2^64 in every cycle, and a message
///   begins when it wraps. Two gaps differ by at most one cycle, and n cycles have that share of n
///   messages, rounded up or down.
/// - bursty: a Markov source with two states. In the on state messages begin as if with Bernoulli
///   arrivals at `burst_rate`, in the off state none. The on state lasts burst_cycles on average,
///   the off state burst_cycles (burst_rate / rate - 1), both geometrically distributed from one
///   cycle on. If the latter would be less than one cycle it is one, and the on state is longer
///   instead. The state of cycle 0 is drawn from the stationary distribution.
class Arrivals {
public:
    /// Arrivals at a node that offers `rate` flits per cycle in messages of `mean_flits` on
    /// average.
    Arrivals(const TrafficConfig& traffic, double rate, double mean_flits);

    double messages_per_cycle() const { return probability_; }
    /// Variance of the number of messages in a long time, divided by its mean: at most 1 for
    /// Bernoulli and periodic arrivals, for which 1 is given.
    double dispersion() const;
    /// Cycles until a node's state is independent of an earlier one: the relaxation time of the two
    /// states, 0 for other kinds.
    double correlation_cycles() const;

private:
    friend class ArrivalStream;

    ArrivalKind kind_;
    double probability_;           // that a message begins in a cycle
    double on_share_ = 1;          // bursty: share of the cycles
    double leaves_on_ = 0;         // bursty: probability per cycle
    double leaves_off_ = 1;        // bursty
    Geometric gap_;                // cycles without a message between two, bursty: in the on state
    std::uint64_t step_ = 0;       // periodic: step of the phase
    std::uint64_t starts_on_ = 0;  // bursty: threshold
    Geometric on_more_;            // bursty: cycles of the on state beyond the first
    Geometric off_more_;           // bursty: length of the off state - 1
};

/// The cycles in which the messages of one node begin. Bernoulli arrivals draw once per message,
/// periodic ones once in all.
class ArrivalStream {
public:
    /// No message begins in cycle `end` or later. `arrivals` must outlive it.
    ArrivalStream(const Arrivals& arrivals, Cycle end, Rng& rng);

    /// Later than the one before; kNever after the last.
    Cycle next(Rng& rng);

private:
    Cycle after_gap(std::uint64_t gap);

    const Arrivals* arrivals_;
    Cycle end_;
    Cycle cycle_ = 0;           // the first in which the next message may begin
    std::uint64_t phase_ = 0;   // periodic
    Cycle burst_end_ = kNever;  // bursty: the first cycle after the on state
};

}  // namespace flitscope
