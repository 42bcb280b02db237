// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where two explained runs differ: by cause, place, step or distance, and channel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/explain/cause.h"
#include "testbench/app/explain/packet_delays.h"

namespace flitscope {

struct Explanation;
struct Machine;

/// Cycles of a run, or of a part of it: of its critical path, or of all packets of a pattern.
struct CauseSums {
    Cycle cycles = 0;
    CauseCycles by_cause{};

    void add(Cause cause, Cycle more) {
        cycles += more;
        by_cause[static_cast<std::size_t>(cause)] += more;
    }
};

/// A step of a program in one run.
struct StepUse {
    Cycle path = 0;  ///< cycles of the critical path
    // Begin and end of the first and the last node that takes part.
    Cycle first_begin = kNever;
    Cycle last_begin = 0;
    Cycle first_end = kNever;
    Cycle last_end = 0;

    /// How far apart the nodes begin it.
    Cycle skew() const { return last_begin - first_begin; }
};

/// A channel in one run; for a pattern, in its measurement.
struct ChannelUse {
    /// Program: cycles in which packets held it and it sent nothing. Pattern: cycles that packets
    /// waited for it.
    Cycle waited = 0;
    Cycle busy = 0;  ///< in which it sent, or took a flit over a slow link
    Cycle path = 0;  ///< of the critical path; a program's
};

/// Something of two runs: nothing in the run that does not have it.
template <class Use>
struct InBoth {
    std::optional<Use> first;
    std::optional<Use> second;
};

struct ExplainedDifference {
    /// What is compared of a run.
    struct Run {
        CauseSums all;
        std::uint64_t packets = 0;  ///< of a pattern that count; a program has none
        Cycle window = 0;           ///< cycles to which ChannelUse::busy refers
        double clock_ns = 1;

        /// Cycles as the comparison counts them: those of a path, or the mean of a packet.
        double counted(Cycle cycles) const {
            return static_cast<double>(cycles) /
                   static_cast<double>(packets == 0 ? std::uint64_t{1} : packets);
        }
        /// The share of the window in which a channel is busy.
        double busy_share(const ChannelUse& use) const {
            return static_cast<double>(use.busy) / static_cast<double>(std::max<Cycle>(window, 1));
        }
    };
    struct Place {
        std::string name;  ///< "dimension 0", "links", "injection", "ejection", "nodes", "program"
        InBoth<CauseSums> runs;
    };
    struct Step {
        std::uint32_t step = 0;  ///< from 0
        InBoth<StepUse> runs;
    };
    struct Distance {
        std::uint32_t hops = 0;
        InBoth<DelaySums> runs;
    };
    struct Channel {
        std::string name;
        InBoth<ChannelUse> runs;
    };

    Run first;
    Run second;
    bool is_of_patterns = false;
    /// Sum up to `all` of each run, by cause, too. Dimensions first.
    std::vector<Place> places;
    std::vector<Step> steps;          ///< of programs, by number
    std::vector<Distance> distances;  ///< of patterns, by number of links
    /// The channels that are used or waited for, most of the difference first.
    std::vector<Channel> channels;

    /// Second less first, in cycles as they are counted, and in ns. A run that lacks something
    /// spends no cycles on it.
    double change(std::optional<Cycle> in_first, std::optional<Cycle> in_second) const;
    double change_ns(std::optional<Cycle> in_first, std::optional<Cycle> in_second) const;
    /// A cycle is as long in both.
    bool has_one_clock() const { return first.clock_ns == second.clock_ns; }
    /// Nothing of all this differs but the length of a cycle.
    bool is_same_in_cycles() const;
    bool is_none() const { return has_one_clock() && is_same_in_cycles(); }
};

/// Compares two runs of programs that completed and were explained with slack and with
/// SimulationOptions::count_blocked.
ExplainedDifference difference(const Machine& first_machine, const Explanation& first,
                               const Machine& second_machine, const Explanation& second);
/// Compares two runs of patterns.
ExplainedDifference difference(const Machine& first_machine, const ExplainedTraffic& first,
                               const Machine& second_machine, const ExplainedTraffic& second);

}  // namespace flitscope
