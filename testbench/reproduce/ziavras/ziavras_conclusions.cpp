// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The claims of Ziavras et al. one by one against what the runs come to.
#include "testbench/reproduce/ziavras/ziavras_conclusions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace flitscope::reproduce::how_networks {
namespace {

/// Confirmed where all `cases` are, refuted where none is.
Finding finding_of(unsigned confirmed, unsigned cases) {
    if (confirmed == cases) return Finding::kConfirmed;
    return confirmed == 0 ? Finding::kRefuted : Finding::kPartly;
}

/// Of models 2 and 3 together, or of all.
Tally sum(const Tally (&by_model)[4], unsigned first, unsigned last) {
    Tally total;
    for (unsigned model = first; model <= last; ++model) {
        const Tally& t = by_model[model];
        total.cases += t.cases;
        total.steps_as_printed += t.steps_as_printed;
        total.steps_known += t.steps_known;
        total.steps_as_corrected += t.steps_as_corrected;
        total.stored_exactly += t.stored_exactly;
        total.wormhole_below_printed += t.wormhole_below_printed;
        total.wormhole_above_printed += t.wormhole_above_printed;
        total.wormhole_above_corrected += t.wormhole_above_corrected;
        total.below_bound += t.below_bound;
        if (t.worst_printed > total.worst_printed) {
            total.worst_printed = t.worst_printed;
            total.worst = t.worst;
        }
    }
    return total;
}

void conclude_broadcasts(const Tallies& tallies, const WormholeBreakdowns& breakdowns,
                         std::vector<Conclusion>& conclusions) {
    const Tally one = sum(tallies[0][0], 1, 1);
    const Tally more = sum(tallies[0][0], 2, 3);
    conclusions.push_back(
        {"One-to-all broadcast takes s1 + s2 steps with one output and ceil((p - 1) / w) with "
         "more, store and forward",
         "4.1", finding_of(one.steps_as_printed + more.steps_as_printed, one.cases + more.cases),
         fmt::format(
             "Measured steps equal the printed count on {} of {} lines, and the cycles equal "
             "t_s + S m t_w + (S - 1) t_c on {}.",
             one.steps_as_printed + more.steps_as_printed, one.cases + more.cases,
             one.stored_exactly + more.stored_exactly)});
    conclusions.push_back(
        {"By wormhole a node with one output broadcasts in s1 + s2 hops and one message length",
         "4.1, model 1",
         finding_of(one.cases - one.wormhole_above_printed, one.cases),
         fmt::format(
             "{} of {} lines take longer, at worst {:.1f} times as long ({}); the corrected "
             "s1 m + s2 is exceeded on {}. A node with one output sends all m flits again "
             "for every child.",
             one.wormhole_above_printed, one.cases, one.worst_printed, one.worst,
             one.wormhole_above_corrected),
         {breakdowns.one_output, breakdowns.outputs},
         fmt::format("Injection is serialised: with one output {:.0f} % of the time the node sends "
                     "to other children first (own_message), with several {:.0f} %; packets of "
                     "others are in the way for {:.1f} and {:.1f} %.",
                     100 * breakdowns.one_output.share({Cause::kOwnMessage}),
                     100 * breakdowns.outputs.share({Cause::kOwnMessage}),
                     100 * breakdowns.one_output.share(kHeldUp),
                     100 * breakdowns.outputs.share(kHeldUp))});
    conclusions.push_back(
        {"With several outputs a broadcast by wormhole takes ceil((p - 1) / w) hops and one "
         "message length",
         "4.1, models 2, 3",
         finding_of(more.cases - more.wormhole_above_printed - more.wormhole_below_printed,
                    more.cases),
         fmt::format("Exactly that many hops and m - 1 cycles on {} of {} lines.",
                     more.cases - more.wormhole_above_printed - more.wormhole_below_printed,
                     more.cases)});
    const Tally same = sum(tallies[0][1], 2, 2);
    conclusions.push_back(
        {"All-to-all broadcast with one value at a time splits x stages, x the largest integer "
         "less than (p - 1) / 2w",
         "4.2, model 2", finding_of(same.steps_as_printed, same.cases),
         fmt::format(
             "The printed count holds on {} of {} lines, x = floor((p - 1) / 2w) on {}: where "
             "2w divides p - 1 one stage more has to be split.",
             same.steps_as_printed, same.cases, same.steps_as_corrected)});
    const Tally flat = sum(tallies[1][1], 2, 2);
    conclusions.push_back(
        {"In two dimensions an all-to-all broadcast with one value at a time takes 2 m t_w "
         "(ceil((s - 1) / w) + x) (1 + s) by wormhole",
         "5.2, model 2", finding_of(flat.cases - flat.wormhole_below_printed, flat.cases),
         fmt::format(
             "{} of {} networks take less; without the factor 2 the time is exceeded on {}.",
             flat.wormhole_below_printed, flat.cases, flat.wormhole_above_corrected)});
}

void conclude_personalized(const Tallies& tallies, const WormholeBreakdowns& breakdowns,
                           std::vector<Conclusion>& conclusions) {
    const Tally scatter = sum(tallies[0][2], 1, 3);
    conclusions.push_back(
        {"One-to-all personalized communication takes p - 1 steps round a ring and ceil((p - 1) / "
         "w) with independent ports, as many as the source needs",
         "4.3", finding_of(scatter.steps_as_printed, scatter.cases),
         fmt::format("Measured on {} of {} lines; by wormhole {} take longer than as many message "
                     "lengths and a hop.",
                     scatter.steps_as_printed, scatter.cases, scatter.wormhole_above_corrected)});
    const Tally ring = sum(tallies[0][3], 1, 1);
    conclusions.push_back(
        {"All-to-all personalized communication in both directions of a ring takes c^2 + f steps, "
         "c and f half of p - 1 rounded up and down",
         "4.4, models 1, 2", finding_of(ring.steps_as_printed, ring.cases),
         fmt::format(
             "The printed count holds on {} of {} lines, floor(p^2 / 4) on {}: the last stage "
             "of even p saves p / 2 steps, not one.",
             ring.steps_as_printed, ring.cases, ring.steps_as_corrected)});
    const Tally lanes = sum(tallies[0][3], 3, 3);
    conclusions.push_back(
        {"With independent ports it takes 2 ceil((p - 1) / w) - 1 steps",
         "4.4, model 3",
         finding_of(lanes.steps_as_printed, lanes.cases),
         fmt::format(
             "The lanes take as many steps on {} of {} lines only (the generalized hypercubes), "
             "for each lane link carries the blocks of w sources; on {} the printed count is "
             "below what the bisection allows. The corrected count holds on {} of the {} "
             "with a closed form.",
             lanes.steps_as_printed, lanes.cases, lanes.below_bound, lanes.steps_as_corrected,
             lanes.steps_known),
         {breakdowns.exchange},
         fmt::format("Packets of others are in the way for {:.1f} % of the time; for {:.0f} % a "
                     "lane sends other blocks of its own first (own_message).",
                     100 * breakdowns.exchange.share(kHeldUp),
                     100 * breakdowns.exchange.share({Cause::kOwnMessage}))});
    const Tally flat_ring = sum(tallies[1][3], 1, 1);
    const Tally flat_lanes = sum(tallies[1][3], 3, 3);
    conclusions.push_back(
        {"In two dimensions it takes s + 1 operations of one dimension with one value at a time "
         "and p with independent ports",
         "5.4",
         finding_of(flat_ring.steps_as_printed + flat_lanes.steps_as_printed,
                    flat_ring.cases + flat_lanes.cases),
         fmt::format(
             "The printed steps hold on {} of {} networks; 2 s operations on {} of the {} with "
             "a closed form.",
             flat_ring.steps_as_printed + flat_lanes.steps_as_printed,
             flat_ring.cases + flat_lanes.cases,
             flat_ring.steps_as_corrected + flat_lanes.steps_as_corrected,
             flat_ring.steps_known + flat_lanes.steps_known)});
}

/// As in cycles, over the range that there is: no ratio grows by more than its share of 1.5 from 64
/// to 1024 nodes.
PhysicalFinding physical_costs(const CostRatios& cycles, const PhysicalCosts& costs) {
    const double most = std::sqrt(1.5);
    unsigned bounded = 0;
    std::vector<std::string> texts;
    for (std::size_t o = 0; o < 4; ++o) {
        bool is_bounded = true;
        std::vector<std::string> at;
        for (std::size_t p = 0; p < std::size(kPitchesMm); ++p) {
            const std::vector<double>& ratio = costs.ratios[p][o];
            is_bounded = is_bounded && ratio[1] < most * ratio[0];
            at.push_back(fmt::format("{:.2f}, {:.2f} at {} mm", ratio[0], ratio[1], kPitchesMm[p]));
        }
        bounded += is_bounded ? 1 : 0;
        texts.push_back(fmt::format("{} {} (in cycles {:.2f}, {:.2f})", kOperations[o].name,
                                    fmt::join(at, " and "), cycles.of[o][0].second,
                                    cycles.of[o][1].second));
    }
    std::vector<std::string> clocks;
    for (const PhysicalCosts::Periods& of : costs.periods) {
        clocks.push_back(
            fmt::format("{} and {} ns on {} nodes", of.how_ns, of.gh_ns, of.side * of.side));
    }
    return {finding_of(bounded, 4),
            fmt::format("Routers of HOW and GH with channels of 16 bits need {}. Cost of HOW over "
                        "that of GH at 64 and 256 "
                        "nodes: {}.",
                        fmt::join(clocks, ", "), fmt::join(texts, "; "))};
}

void conclude_costs(const CostRatios& ratios, const PhysicalCosts& physical,
                    std::vector<Conclusion>& conclusions) {
    const auto text = [&](std::size_t operation) {
        const auto& of = ratios.of[operation];
        return fmt::format("{} {:.2f}, {:.2f}, {:.2f}", kOperations[operation].name, of[0].second,
                           of[1].second, of[2].second);
    };
    unsigned bounded = 0;
    for (const auto& of : ratios.of) bounded += of[2].second < 1.5 * of[0].second ? 1 : 0;
    conclusions.push_back(
        {"Time x pin-out is asymptotically the same for HOW and GH", "6, Table 2",
         finding_of(bounded, 4),
         fmt::format(
             "Cost of HOW over that of GH at 64, 256 and 1024 nodes: {}; {}; {}; {}. The GH "
             "needs only 2 s steps for the last, which the table does not have.",
             text(0), text(1), text(2), text(3))});
    conclusions.back().physical = physical_costs(ratios, physical);
}

}  // namespace

std::vector<Conclusion> conclusions(const TopologyTally& topology, const Tallies& tallies,
                                    const CostRatios& ratios, const PhysicalCosts& physical,
                                    const WormholeBreakdowns& breakdowns) {
    std::vector<Conclusion> all;
    all.push_back(
        {"Channels of HOW networks are n p^(n-1) w (2p - w - 1) / 2", "2, Table 1",
         finding_of(topology.channels, topology.cases),
         fmt::format("Counted on {} of {} networks.", topology.channels, topology.cases)});
    all.push_back(
        {"Their bisection width is p^(n-1) w (w + 1) / 2", "2",
         finding_of(topology.bisections_printed, topology.cases),
         fmt::format("Holds on {} of {} networks, those with w <= p / 2; the corrected form on {}.",
                     topology.bisections_printed, topology.cases, topology.bisections_corrected)});
    conclude_broadcasts(tallies, breakdowns, all);
    conclude_personalized(tallies, breakdowns, all);
    conclude_costs(ratios, physical, all);
    return all;
}

}  // namespace flitscope::reproduce::how_networks
