// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "testbench/papers/boppana/boppana_experiments.h"
#include "testbench/papers/boppana/boppana_report.h"

namespace flitscope::reproduce::hypercube_exchange {
namespace {

using namespace aap_forms;

std::string met(double error) {
    return error < kExact ? std::string("to the cycle")
                          : fmt::format("within {:.2f} %", 100 * error);
}

/// Where the time of the largest exchange goes.
struct Breakdowns {
    explicit Breakdowns(const Outcomes& outcomes)
        : plain(outcomes.breakdown(size_key("by_size", kLargest),
                                   fmt::format("n = {}, by size", kLargest))),
          in_pairs(outcomes.breakdown(size_key("interleaved", kLargest),
                                      fmt::format("n = {}, in pairs", kLargest))),
          with_waits(outcomes.breakdown(size_key("interleaved_waiting", kLargest),
                                        fmt::format("n = {}, headers that wait", kLargest))) {}

    Breakdown plain;
    Breakdown in_pairs;
    Breakdown with_waits;
};

std::uint64_t overhead(const Breakdown& run) {
    return run.cycles({Cause::kStartup, Cause::kSetUp});
}

Conclusion on_disjoint_paths(const Findings& findings, const Breakdowns& runs) {
    const bool nobody_waits = findings.nobody_waits.finding() == Finding::kConfirmed;
    return {
        "The paths of every step are edge-disjoint, so a step takes as long as one message.",
        "3.1",
        findings.nobody_waits,
        fmt::format("For {} numbers of dimensions, 2 to {}, the mean time of a message is that of "
                    "one that meets nobody{}.",
                    findings.nobody_waits.text(), kLargest,
                    nobody_waits
                        ? std::string(": no header ever waits")
                        : fmt::format("; it differs by up to {:.2f} cycles", findings.worst_wait)),
        {runs.plain},
        fmt::format("{} cycles of the path are spent behind another message.",
                    runs.plain.cycles(kHeldUp))};
}

Conclusion on_closed_form(const Outcomes& outcomes, const Findings& findings,
                          const Breakdowns& runs) {
    return {
        "AAP takes k(N-1) + (xi-1)(N-1) + (1+tau) nN/2.",
        "3.2",
        findings.as_closed_form,
        fmt::format("The simulated hardware meets it {}, exactly for {} numbers of dimensions, 2 "
                    "to {}; it takes {} cycles for n = {}.",
                    met(findings.worst_by_size), findings.as_closed_form.text(), kLargest,
                    outcomes.at(size_key("by_size", kLargest)).cycles, kLargest),
        {runs.plain},
        fmt::format("The path has the terms of the formula: {} cycles of startup, xi (N - 1) = {}; "
                    "{} of set-up, tau nN/2 = {}; in the other {} flits move.",
                    runs.plain.cycles({Cause::kStartup}), kCosts.startup * (nodes(kLargest) - 1),
                    runs.plain.cycles({Cause::kSetUp}),
                    kCosts.setup * kLargest * nodes(kLargest) / 2,
                    runs.plain.cycles({Cause::kBody, Cause::kMoving}))};
}

Conclusion on_long_messages(const Outcomes& outcomes) {
    const double short_eta = simulated_eta(outcomes, kEtaElements.front());
    const double long_eta = simulated_eta(outcomes, kEtaElements.back());
    return {"For long messages eta approaches 1.",
            "3.2",
            {long_eta < 1.01 && short_eta > long_eta},
            fmt::format("On {} nodes measured eta falls from {:.3f} for {} elements to {:.3f} "
                        "for {}.",
                        nodes(kEtaSize), short_eta, kEtaElements.front(), long_eta,
                        kEtaElements.back())};
}

Conclusion on_the_ipsc860(const Outcomes& outcomes) {
    const double ipsc = kUnit * number(outcomes.at(ipsc_key("by_size", 7, 100)).cycles);
    const double eta = ipsc / ipsc860_bound(7, 100);
    const bool is_within = eta <= 4;
    const bool as_printed = std::abs(eta - 3.37) < 0.005;
    return {
        "On 128 nodes of an iPSC/860, 100 bytes per message, AAP is within a factor of 4 "
        "of the lower bound: eta = 3.37.",
        "3.2",
        {is_within, as_printed},
        fmt::format("{:.1f} us, eta = {:.4f}: {} the factor{}.", ipsc, eta,
                    is_within ? "within" : "not within",
                    as_printed ? "" : ", but the printed third digit is wrong")};
}

Conclusion on_hidden_setups(const Outcomes& outcomes, const Findings& findings,
                            const Breakdowns& runs) {
    const Cycle pairs = outcomes.at(size_key("interleaved", kLargest)).cycles;
    const Cycle waiting = outcomes.at(size_key("interleaved_waiting", kLargest)).cycles;
    const Cycle printed = printed_interleaved(kLargest, kCosts);
    const auto [disjoint, transitions] = disjoint_transitions(kLargest);
    return {
        "Interleaved with their duals, all steps but the first two have their set-up "
        "hidden: T_aap'.",
        "3.3",
        findings.printed_is_met,
        fmt::format("Met for {} numbers of dimensions from 4 on. Only {} of {} transitions for n = "
                    "{} are between disjoint steps. "
                    "Measured {} cycles in pairs and {} with headers that wait, {} as "
                    "printed; the corrected forms are met {}.",
                    findings.printed_is_met.text(), disjoint, transitions, kLargest, pairs, waiting,
                    printed, met(findings.worst_variants)),
        {runs.in_pairs, runs.with_waits},
        fmt::format("What is hidden is not on the path: of {} cycles of set-up {} are left in "
                    "pairs and {} with headers that wait. Their headers are held up for {:.1f} and "
                    "{:.1f} % of the time by messages that still send, and are set up meanwhile.",
                    runs.plain.cycles({Cause::kSetUp}), runs.in_pairs.cycles({Cause::kSetUp}),
                    runs.with_waits.cycles({Cause::kSetUp}), 100 * runs.in_pairs.share(kHeldUp),
                    100 * runs.with_waits.share(kHeldUp))};
}

Conclusion on_interleaving(const Outcomes& outcomes, const Breakdowns& runs) {
    const Cycle by_size = outcomes.at(size_key("by_size", kLargest)).cycles;
    const Cycle pairs = outcomes.at(size_key("interleaved", kLargest)).cycles;
    const Cycle waiting = outcomes.at(size_key("interleaved_waiting", kLargest)).cycles;
    const auto saved = [](Cycle before, Cycle after) {
        return 100 * (1 - number(after) / number(before));
    };
    return {
        "Interleaving reduces the effect of the overheads.",
        "3.3",
        {pairs < by_size, waiting < by_size},
        fmt::format("For n = {} it saves {:.1f} % of the time in pairs and {:.1f} % with headers "
                    "that wait.",
                    kLargest, saved(by_size, pairs), saved(by_size, waiting)),
        {runs.plain},
        fmt::format("Startup and set-up take {} of its cycles; {} are left on the path in pairs, "
                    "{} with headers that wait.",
                    overhead(runs.plain), overhead(runs.in_pairs), overhead(runs.with_waits))};
}

Conclusion on_short_messages(const Outcomes& outcomes) {
    const Cycle ipsc_plain = outcomes.at(ipsc_key("by_size", 7, 100)).cycles;
    const Cycle ipsc_pairs = outcomes.at(ipsc_key("interleaved", 7, 100)).cycles;
    const Cycle ipsc_small = outcomes.at(ipsc_key("interleaved_small_first", 7, 100)).cycles;
    const Cycle ipsc_waiting = outcomes.at(ipsc_key("interleaved_waiting", 7, 100)).cycles;
    const Breakdown short_plain =
        outcomes.breakdown(ipsc_key("by_size", 7, 100), "iPSC/860, n = 7, 100 bytes, by size");
    const Breakdown short_pairs =
        outcomes.breakdown(ipsc_key("interleaved", 7, 100), "the same in pairs");
    const Breakdown short_waits =
        outcomes.breakdown(ipsc_key("interleaved_waiting", 7, 100), "with headers that wait");
    return {
        "Where messages are too short to hide a set-up (k <= xi + (n-1) tau), the "
        "overhead is still reduced.",
        "3.3",
        {ipsc_pairs < ipsc_plain},
        fmt::format("100 bytes on 128 nodes of an iPSC/860, where 289 would be needed: "
                    "{:.1f} us in place of {:.1f} in pairs, {:.1f} with the smaller set "
                    "first, {:.1f} with headers that wait.",
                    kUnit * number(ipsc_pairs), kUnit * number(ipsc_plain),
                    kUnit * number(ipsc_small), kUnit * number(ipsc_waiting)),
        {short_plain, short_pairs, short_waits},
        fmt::format(
            "Startup and set-up are {:.0f} % of the time. Interleaved, a node is bound by "
            "its own sends: {:.0f} and {:.0f} % of the time the last message waits for "
            "earlier ones of its node (own_message), {:.0f} and {:.0f} % for those of others.",
            100 * short_plain.share({Cause::kStartup, Cause::kSetUp}),
            100 * short_pairs.share({Cause::kOwnMessage}),
            100 * short_waits.share({Cause::kOwnMessage}), 100 * short_pairs.share(kHeldUp),
            100 * short_waits.share(kHeldUp))};
}

Conclusion on_switching(const Outcomes& outcomes) {
    const Cycle stored = outcomes.at(switching_key("store_and_forward", kLargestOfPackets)).cycles;
    const Cycle circuit = outcomes.at(size_key("by_size", kLargestOfPackets)).cycles;
    const Cycle wormhole = outcomes.at(switching_key("wormhole", kLargestOfPackets)).cycles;
    const auto switched = [&](const std::string& key, const char* name) {
        return outcomes.breakdown(key, fmt::format("n = {}, {}", kLargestOfPackets, name));
    };
    const Breakdown by_circuit = switched(size_key("by_size", kLargestOfPackets), "circuits");
    const Breakdown by_wormhole =
        switched(switching_key("wormhole", kLargestOfPackets), "wormhole");
    const Breakdown by_storing =
        switched(switching_key("store_and_forward", kLargestOfPackets), "store and forward");
    return {
        "Circuit switching (or wormhole routing) avoids the delays of store and forward "
        "where messages pass through nodes.",
        "1",
        {stored > circuit, stored > wormhole},
        fmt::format("On {} nodes the exchange takes {:.2f} times as long by store and "
                    "forward, {:.2f} times by wormhole.",
                    nodes(kLargestOfPackets), number(stored) / number(circuit),
                    number(wormhole) / number(circuit)),
        {by_circuit, by_wormhole, by_storing},
        fmt::format("{} cycles of store and forward are spent storing packets on their way, {:.0f} "
                    "% of the {} that it takes longer than circuits.",
                    by_storing.cycles({Cause::kStore}),
                    100 * number(by_storing.cycles({Cause::kStore})) / number(stored - circuit),
                    stored - circuit)};
}

/// The claim is about operations, so the best algorithm of each method counts.
Conclusion on_other_operations(const Outcomes& outcomes) {
    constexpr double kAboutAsLong = 0.1;
    const std::vector<OperationRun> runs = other_operations(outcomes);
    Cases same;
    std::vector<std::string> best;
    std::vector<Cycle> best_stored;
    for (std::size_t i = 0; i + 1 < operations().size(); ++i) {
        Cycle circuit = kNever;
        Cycle stored = kNever;
        for (const OperationRun& run : runs) {
            if (run.operation != i) continue;
            circuit = std::min(circuit, run.by_circuit);
            stored = std::min(stored, run.by_storing);
        }
        const double more = number(stored) / number(circuit) - 1;
        same.add(std::abs(more) < kAboutAsLong);
        best_stored.push_back(stored);
        best.push_back(fmt::format("{} {} and {} cycles ({:+.1f} %)", operations()[i].name, circuit,
                                   stored, 100 * more));
    }
    Cases neighbours;
    Cases circuits_gain;
    double most = 0;
    std::vector<std::string> farther;
    for (const OperationRun& run : runs) {
        neighbours.add(run.is_to_neighbours());
        if (run.is_to_neighbours()) {
            most = std::max(most, run.ratio() - 1);
            continue;
        }
        circuits_gain.add(run.by_circuit < best_stored[run.operation]);
        farther.push_back(
            fmt::format("{} ({:.2f} links on average) {} and {} cycles, {:.2f} times "
                        "as long",
                        run.algorithm, run.links, run.by_circuit, run.by_storing, run.ratio()));
    }
    return {
        "For the other three operations circuit switching takes about as long as "
        "store and forward with one port.",
        "2", same,
        fmt::format("By circuits and by store and forward, each with its best algorithm, {} nodes: "
                    "{}; within {:.0f} % for {} operations. {} algorithms send to neighbours only, "
                    "where the methods differ by the headers alone, {:.1f} % at most. Where "
                    "messages cross more links, store and forward takes longer: {}. By these "
                    "circuits are faster than the best store and forward in {} cases.",
                    nodes(kOperationSize), fmt::join(best, ", "), 100 * kAboutAsLong, same.text(),
                    neighbours.text(), 100 * most, fmt::join(farther, "; "), circuits_gain.text())};
}

}  // namespace

std::vector<Conclusion> conclusions(const Outcomes& outcomes, const Findings& findings) {
    const Breakdowns runs(outcomes);
    return {on_disjoint_paths(findings, runs),
            on_closed_form(outcomes, findings, runs),
            on_long_messages(outcomes),
            on_the_ipsc860(outcomes),
            on_hidden_setups(outcomes, findings, runs),
            on_interleaving(outcomes, runs),
            on_short_messages(outcomes),
            on_switching(outcomes),
            on_other_operations(outcomes)};
}

}  // namespace flitscope::reproduce::hypercube_exchange
