// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The claims of Ziavras et al. one by one against what the runs come to.
#include "testbench/papers/ziavras/ziavras_conclusions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace flitscope::reproduce::how_networks {
namespace {

/// Of models 2 and 3 together, or of all.
Tally sum(const Tally (&by_model)[4], unsigned first, unsigned last) {
    Tally total;
    for (unsigned model = first; model <= last; ++model) {
        const Tally& t = by_model[model];
        total.cases += t.cases;
        total.steps_stated += t.steps_stated;
        total.steps_as_printed += t.steps_as_printed;
        total.steps_known += t.steps_known;
        total.steps_as_corrected += t.steps_as_corrected;
        total.stored_exactly += t.stored_exactly;
        total.wormhole_below_printed += t.wormhole_below_printed;
        total.wormhole_above_printed += t.wormhole_above_printed;
        total.wormhole_above_corrected += t.wormhole_above_corrected;
        total.below_bound += t.below_bound;
        total.most_of_ports = std::max(total.most_of_ports, t.most_of_ports);
        if (t.worst_printed > total.worst_printed) {
            total.worst_printed = t.worst_printed;
            total.worst = t.worst;
        }
    }
    return total;
}

/// Cases whose steps by store and forward are as printed.
Cases steps_as_printed(const Tally& tally) {
    return Cases::of(tally.steps_as_printed, tally.steps_stated);
}

Cases wormhole_not_above(const Tally& tally) {
    return Cases::of(tally.cases - tally.wormhole_above_printed, tally.cases);
}

Cases wormhole_not_below(const Tally& tally) {
    return Cases::of(tally.cases - tally.wormhole_below_printed, tally.cases);
}

Cases wormhole_as_printed(const Tally& tally) {
    return Cases::of(tally.cases - tally.wormhole_above_printed - tally.wormhole_below_printed,
                     tally.cases);
}

/// "2.9 times as long (...)", where anything takes longer than printed.
std::string at_worst(const Tally& tally) {
    return tally.worst.empty() ? std::string()
                               : fmt::format(", at worst {:.1f} times as long ({})",
                                             tally.worst_printed, tally.worst);
}

/// The broadcast on s x s nodes, by model.
void conclude_flat_broadcasts(const Tally (&by_model)[4], std::vector<Conclusion>& conclusions) {
    const Tally one = sum(by_model, 1, 1);
    const Tally more = sum(by_model, 2, 3);
    const Tally all = sum(by_model, 1, 3);
    conclusions.push_back(
        {"In two dimensions a one-to-all broadcast takes twice the steps of a line, store and "
         "forward",
         "5.1", steps_as_printed(all),
         fmt::format("Measured steps equal 2 (s1 + s2) or 2 ceil((s - 1) / w) in {} runs.",
                     steps_as_printed(all).text())});
    conclusions.push_back(
        {"In two dimensions a node with one output broadcasts by wormhole in 2 (s1 + s2) hops and "
         "one message length",
         "5.1, model 1", wormhole_not_above(one),
         fmt::format("In no more on {} networks{}; 2 s1 m + 2 s2 is exceeded on {}.",
                     wormhole_not_above(one).text(), at_worst(one), one.wormhole_above_corrected)});
    conclusions.push_back(
        {"In two dimensions a broadcast by wormhole with several outputs takes 2 ceil((s - 1) / "
         "w) hops and one message length",
         "5.1, models 2, 3", wormhole_as_printed(more),
         fmt::format("Exactly that many hops and m - 1 cycles in {} runs; {} take longer{}.",
                     wormhole_as_printed(more).text(), more.wormhole_above_printed,
                     at_worst(more))});
}

void conclude_broadcasts(const Tallies& tallies, const WormholeBreakdowns& breakdowns,
                         std::vector<Conclusion>& conclusions) {
    const Tally one = sum(tallies[0][0], 1, 1);
    const Tally more = sum(tallies[0][0], 2, 3);
    const Tally all = sum(tallies[0][0], 1, 3);
    conclusions.push_back(
        {"One-to-all broadcast takes s1 + s2 steps with one output and ceil((p - 1) / w) with "
         "more, store and forward",
         "4.1", steps_as_printed(all),
         fmt::format("Measured steps equal the printed count in {} runs, and the cycles equal "
                     "t_s + S m t_w + (S - 1) t_c in {}.",
                     steps_as_printed(all).text(), all.stored_exactly)});
    conclusions.push_back(
        {"By wormhole a node with one output broadcasts in s1 + s2 hops and one message length",
         "4.1, model 1",
         wormhole_not_above(one),
         fmt::format(
             "In no more on {} lines{}; the corrected s1 m + s2 is exceeded on {}. A node with one "
             "output sends all m flits again for every child.",
             wormhole_not_above(one).text(), at_worst(one), one.wormhole_above_corrected),
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
         "4.1, models 2, 3", wormhole_as_printed(more),
         fmt::format("Exactly that many hops and m - 1 cycles in {} runs.",
                     wormhole_as_printed(more).text())});
    conclude_flat_broadcasts(tallies[1][0], conclusions);
}

void conclude_all_to_all_broadcasts(const Tallies& tallies, std::vector<Conclusion>& conclusions) {
    Cases ring_and_ports = steps_as_printed(tallies[0][1][1]);
    ring_and_ports.add(steps_as_printed(tallies[0][1][3]));
    conclusions.push_back(
        {"All-to-all broadcast takes p - 1 steps round a ring with one output and "
         "ceil((p - 1) / w) with independent ports",
         "4.2, models 1, 3", ring_and_ports,
         fmt::format("Measured in {} runs.", ring_and_ports.text())});
    const Tally& same = tallies[0][1][2];
    conclusions.push_back(
        {"All-to-all broadcast with one value at a time splits x stages, x the largest integer "
         "less than (p - 1) / 2w",
         "4.2, model 2", steps_as_printed(same),
         fmt::format("The printed count holds on {} lines, x = floor((p - 1) / 2w) on {}: where "
                     "2w divides p - 1 one stage more has to be split.",
                     steps_as_printed(same).text(), same.steps_as_corrected)});
    const Tally flat_all = sum(tallies[1][1], 1, 3);
    conclusions.push_back(
        {"In two dimensions an all-to-all broadcast takes the steps of a line 1 + s times", "5.2",
         steps_as_printed(flat_all),
         fmt::format("By store and forward in {} runs.", steps_as_printed(flat_all).text())});
    const Tally& flat = tallies[1][1][2];
    conclusions.push_back(
        {"In two dimensions an all-to-all broadcast with one value at a time takes 2 m t_w "
         "(ceil((s - 1) / w) + x) (1 + s) by wormhole",
         "5.2, model 2", wormhole_not_below(flat),
         fmt::format(
             "It takes as long on {} networks, less on the others; without the factor 2 the time "
             "is exceeded on {}.",
             wormhole_not_below(flat).text(), flat.wormhole_above_corrected)});
}

void conclude_personalized(const Tallies& tallies, const WormholeBreakdowns& breakdowns,
                           std::vector<Conclusion>& conclusions) {
    const Tally scatter = sum(tallies[0][2], 1, 3);
    conclusions.push_back(
        {"One-to-all personalized communication takes p - 1 steps round a ring and ceil((p - 1) / "
         "w) with independent ports, as many as the source needs",
         "4.3", steps_as_printed(scatter),
         fmt::format("Measured in {} runs; by wormhole {} take longer than as many message lengths "
                     "and a hop.",
                     steps_as_printed(scatter).text(), scatter.wormhole_above_corrected)});
    const Tally& flat_scatter = tallies[1][2][3];
    conclusions.push_back(
        {"In two dimensions it takes s ceil((s - 1) / w) steps with independent ports",
         "5.3, model 3", steps_as_printed(flat_scatter),
         fmt::format("Measured on {} networks; that is up to {:.2f} times the steps in which the "
                     "source could send its messages on all its channels.",
                     steps_as_printed(flat_scatter).text(), flat_scatter.most_of_ports)});
    const Tally ring = sum(tallies[0][3], 1, 1);
    conclusions.push_back(
        {"All-to-all personalized communication in both directions of a ring takes c^2 + f steps, "
         "c and f half of p - 1 rounded up and down",
         "4.4, models 1, 2", steps_as_printed(ring),
         fmt::format("The printed count holds on {} lines, floor(p^2 / 4) on {}: the last stage "
                     "of even p saves p / 2 steps, not one.",
                     steps_as_printed(ring).text(), ring.steps_as_corrected)});
    const Tally lanes = sum(tallies[0][3], 3, 3);
    conclusions.push_back(
        {"With independent ports it takes 2 ceil((p - 1) / w) - 1 steps",
         "4.4, model 3",
         steps_as_printed(lanes),
         fmt::format(
             "The lanes take as many steps on {} lines only (the generalized hypercubes), "
             "for each lane link carries the blocks of w sources; on {} the printed count is "
             "below what the bisection allows. The corrected count holds on {} of the {} "
             "with a closed form.",
             steps_as_printed(lanes).text(), lanes.below_bound, lanes.steps_as_corrected,
             lanes.steps_known),
         {breakdowns.exchange},
         fmt::format("Packets of others are in the way for {:.1f} % of the time; for {:.0f} % a "
                     "lane sends other blocks of its own first (own_message).",
                     100 * breakdowns.exchange.share(kHeldUp),
                     100 * breakdowns.exchange.share({Cause::kOwnMessage}))});
    const Tally flat = sum(tallies[1][3], 1, 3);
    conclusions.push_back(
        {"In two dimensions it takes s + 1 operations of one dimension with one value at a time "
         "and p with independent ports",
         "5.4", steps_as_printed(flat),
         fmt::format("The printed steps hold in {} runs; 2 s operations in {} of the {} with a "
                     "closed form.",
                     steps_as_printed(flat).text(), flat.steps_as_corrected, flat.steps_known)});
}

/// As in cycles, over the range that there is: no ratio grows by more than its share of 1.5 from 64
/// to 1024 nodes.
PhysicalFinding physical_costs(const CostRatios& cycles, const PhysicalCosts& costs) {
    const double most = std::sqrt(1.5);
    Cases bounded;
    std::vector<std::string> texts;
    for (std::size_t o = 0; o < 4; ++o) {
        bool is_bounded = true;
        std::vector<std::string> at;
        for (std::size_t p = 0; p < std::size(kPitchesMm); ++p) {
            const std::vector<double>& ratio = costs.ratios[p][o];
            is_bounded = is_bounded && ratio[1] < most * ratio[0];
            at.push_back(fmt::format("{:.2f}, {:.2f} at {} mm", ratio[0], ratio[1], kPitchesMm[p]));
        }
        bounded.add(is_bounded);
        texts.push_back(fmt::format("{} {} (in cycles {:.2f}, {:.2f})", kOperations[o].name,
                                    fmt::join(at, " and "), cycles.of[o][0].second,
                                    cycles.of[o][1].second));
    }
    std::vector<std::string> clocks;
    for (const PhysicalCosts::Periods& of : costs.periods) {
        clocks.push_back(
            fmt::format("{} and {} ns on {} nodes", of.how_ns, of.gh_ns, of.side * of.side));
    }
    return {bounded,
            fmt::format("Routers of HOW and GH with channels of 16 bits need {}. Cost of HOW over "
                        "that of GH at 64 and 256 "
                        "nodes: {}. It grows by less than a factor of {:.2f} for {} operations.",
                        fmt::join(clocks, ", "), fmt::join(texts, "; "), most, bounded.text())};
}

void conclude_costs(const CostRatios& ratios, const PhysicalCosts& physical,
                    std::vector<Conclusion>& conclusions) {
    const auto text = [&](std::size_t operation) {
        const auto& of = ratios.of[operation];
        return fmt::format("{} {:.2f}, {:.2f}, {:.2f}", kOperations[operation].name, of[0].second,
                           of[1].second, of[2].second);
    };
    constexpr double kMostGrowth = 1.5;
    Cases bounded;
    for (const auto& of : ratios.of) bounded.add(of[2].second < kMostGrowth * of[0].second);
    conclusions.push_back(
        {"Time x pin-out is asymptotically the same for HOW and GH", "6, Table 2", bounded,
         fmt::format(
             "Cost of HOW over that of GH at 64, 256 and 1024 nodes: {}; {}; {}; {}. It grows by "
             "less than a factor of {} for {} operations. The GH needs only 2 s steps for the "
             "last, which the table does not have.",
             text(0), text(1), text(2), text(3), kMostGrowth, bounded.text())});
    conclusions.back().physical = physical_costs(ratios, physical);
}

}  // namespace

std::vector<Conclusion> conclusions(const TopologyTally& topology, const Tallies& tallies,
                                    const CostRatios& ratios, const PhysicalCosts& physical,
                                    const WormholeBreakdowns& breakdowns) {
    std::vector<Conclusion> all;
    all.push_back({"Channels of HOW networks are n p^(n-1) w (2p - w - 1) / 2", "2, Table 1",
                   topology.channels,
                   fmt::format("Counted on {} networks.", topology.channels.text())});
    all.push_back(
        {"Their bisection width is p^(n-1) w (w + 1) / 2", "2", topology.bisections_printed,
         fmt::format("Holds on {} networks, those with w <= p / 2; the corrected form on {}.",
                     topology.bisections_printed.text(), topology.bisections_corrected.text())});
    Cases widths = topology.widths_of_hows;
    widths.add(topology.widths_of_hypercubes);
    all.push_back(
        {"The maximum collective width of a line is w / 2 (w / 2 + 1) or ((w + 1) / 2)^2 for "
         "w < (p + 1) / 2, and (p - 3) f + p - 1 - 2 f^2, f = floor((p - 1) / 4), of a GH",
         "3, Theorem 1", widths,
         fmt::format("Counted on all lines of 2 to {} nodes: true of {} HOWs and {} GHs. For the "
                     "windows between, of which the theorem says nothing, the general formula of "
                     "the errata holds, which is true of {} lines altogether.",
                     kWidestLine, topology.widths_of_hows.text(),
                     topology.widths_of_hypercubes.text(), topology.widths_corrected.text())});
    conclude_broadcasts(tallies, breakdowns, all);
    conclude_all_to_all_broadcasts(tallies, all);
    conclude_personalized(tallies, breakdowns, all);
    conclude_costs(ratios, physical, all);
    return all;
}

}  // namespace flitscope::reproduce::how_networks
