// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the runs of the reproduction of Ziavras et al. come to, counted while the tables are made,
// and the conclusions from it.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "testbench/papers/frame/paper.h"
#include "testbench/papers/frame/routers.h"
#include "traffic/schedules/windows/collective_plan.h"

namespace flitscope::reproduce::how_networks {

/// A collective operation of the paper.
struct Operation {
    Collective collective;
    const char* name;      ///< of the paper
    const char* schedule;  ///< ours
    const char* sections;
    const char* on_hypercube;  ///< algorithm of Table 2, or of `schedule_there`
    const char* schedule_there;
};
inline constexpr Operation kOperations[] = {
    {Collective::kOneToAll, "one-to-all broadcast", "broadcast", "4.1, 5.1", "binomial",
     "broadcast"},
    {Collective::kAllToAll, "all-to-all broadcast", "allgather", "4.2, 5.2", "recursive_doubling",
     "allgather"},
    {Collective::kOneToAllPersonalized, "one-to-all personalized", "scatter", "4.3, 5.3",
     "binomial", "scatter"},
    {Collective::kAllToAllPersonalized, "all-to-all personalized", "relayed-exchange", "4.4, 5.4",
     "", "recursive-exchange"},
};

/// Tally of the runs of one collective, for the conclusions.
struct Tally {
    unsigned cases = 0;
    unsigned steps_stated = 0;  ///< cases with a printed count
    unsigned steps_as_printed = 0;
    unsigned steps_known = 0;  ///< cases with a corrected count
    unsigned steps_as_corrected = 0;
    unsigned stored_exactly = 0;  ///< cycles by store and forward as the formula has them
    unsigned wormhole_below_printed = 0;
    unsigned wormhole_above_printed = 0;
    unsigned wormhole_above_corrected = 0;
    unsigned below_bound = 0;  ///< printed counts that the bisection forbids
    double most_of_ports = 0;  ///< largest ratio of measured steps to those that the source needs
    double worst_printed = 1;  ///< largest ratio of a measured wormhole time to the printed one
    std::string worst;
};

using Tallies = Tally[2][4][4];  ///< dimensions - 1, operation, model

/// Networks of Table 1 that agree with the formulas; the widths are those of all lines of
/// kWidestLine nodes at most.
struct TopologyTally {
    Cases channels;  ///< as printed
    Cases bisections_printed;
    Cases bisections_corrected;
    Cases widths_of_hows;        ///< as printed, w < (p + 1) / 2
    Cases widths_of_hypercubes;  ///< as printed, generalized hypercubes
    Cases widths_corrected;      ///< any w
};
inline constexpr std::uint32_t kWidestLine = 32;

/// Costs of Table 2, by side: that of HOW over that of GH, per operation.
struct CostRatios {
    std::vector<std::pair<std::uint32_t, double>> of[4];
};

/// Table 2 in nanoseconds, on 64 and 256 nodes.
struct PhysicalCosts {
    struct Periods {
        std::uint32_t side;
        double how_ns;
        double gh_ns;
    };
    std::vector<Periods> periods;
    /// Cost of HOW over that of GH by pitch, operation and network.
    std::vector<double> ratios[std::size(kPitchesMm)][4];
};

/// Breakdowns of runs by wormhole: of a broadcast with one output and with several, and of an
/// exchange with several.
struct WormholeBreakdowns {
    Breakdown one_output;
    Breakdown outputs;
    Breakdown exchange;
};

std::vector<Conclusion> conclusions(const TopologyTally& topology, const Tallies& tallies,
                                    const CostRatios& ratios, const PhysicalCosts& physical,
                                    const WormholeBreakdowns& breakdowns);

}  // namespace flitscope::reproduce::how_networks
