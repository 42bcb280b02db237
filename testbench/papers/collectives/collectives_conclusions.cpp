// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/report/report_lines.h"
#include "testbench/papers/collectives/collectives_study.h"

namespace flitscope::reproduce::library_collectives {
namespace {

/// A claim that is asked of every network: `ask` gives the cases there and adds to the evidence.
Conclusion on_every_network(std::string claim, std::string source,
                            const std::vector<Study>& studies,
                            const std::function<std::pair<Cases, std::string>(const Study&)>& ask) {
    Conclusion conclusion;
    conclusion.claim = std::move(claim);
    conclusion.source = std::move(source);
    std::vector<std::string> evidence;
    for (const Study& study : studies) {
        const auto [cases, text] = ask(study);
        conclusion.cases.add(cases);
        evidence.push_back(fmt::format("{}: {}", study.network().name, text));
    }
    conclusion.evidence = fmt::format("{}.", fmt::join(evidence, "; "));
    return conclusion;
}

using OfSize = std::function<bool(std::uint64_t bytes)>;

/// A case for every size that is long.
Cases of_long(const OfSize& holds) {
    Cases cases;
    for (const std::uint64_t bytes : sizes()) {
        if (bytes >= kLong) cases.add(holds(bytes));
    }
    return cases;
}

/// Of a claim about short and long messages, with what to choose as evidence.
std::pair<Cases, std::string> of_short_and_long(const Study& study, const OfSize& of_short,
                                                const OfSize& holds_of_long) {
    Cases short_ones;
    for (const std::uint64_t bytes : sizes()) {
        if (bytes <= kShort) short_ones.add(of_short(bytes));
    }
    const Cases long_ones = of_long(holds_of_long);
    Cases both = short_ones;
    both.add(long_ones);
    return {both, fmt::format("{} short sizes and {} long ones ({})", short_ones.text(),
                              long_ones.text(), choice(study))};
}

std::string compared(const Study& study, const std::string& a, const std::string& b,
                     std::uint64_t bytes) {
    return fmt::format("{} {}, {} {} cycles at {}", a, grouped(study.outcome(a, bytes).cycles), b,
                       grouped(study.outcome(b, bytes).cycles), text_of(bytes));
}

}  // namespace

std::vector<Conclusion> conclusions(const std::vector<Study>& broadcasts,
                                    const std::vector<Study>& allreduces) {
    std::vector<Conclusion> all;
    all.push_back(on_every_network(
        fmt::format("Short messages (here: every size to {}) are broadcast fastest down a binomial "
                    "tree, long "
                    "ones (here: every size from {} on) by scatter and allgather",
                    text_of(kShort), text_of(kLong)),
        "Thakur, Rabenseifner and Gropp 2005, broadcast", broadcasts, [&](const Study& study) {
            return of_short_and_long(
                study, [&](std::uint64_t bytes) { return study.is_best("binomial", bytes); },
                [&](std::uint64_t bytes) {
                    return study.best(bytes).compare(0, 7, "scatter") == 0;
                });
        }));
    all.push_back(on_every_network(
        fmt::format("A tree that follows the dimensions, so that no step shares a link, broadcasts "
                    "long messages (here: every size from {} on) faster than a binomial tree over "
                    "node numbers on meshes and tori",
                    text_of(kLong)),
        "McKinley et al. 1994; Barnett et al. 1996", {broadcasts.begin(), broadcasts.begin() + 3},
        [&](const Study& study) {
            const Cases faster = of_long([&](std::uint64_t bytes) {
                return study.cycles("dimension_order", bytes) < study.cycles("binomial", bytes);
            });
            return std::pair(faster,
                             fmt::format("at {} sizes; {}", faster.text(),
                                         compared(study, "dimension_order", "binomial", kLong)));
        }));
    const auto held_up = [](const Breakdown& run) { return 100 * run.share(kHeldUp); };
    const Breakdown tree = broadcasts.front().breakdown("dimension_order", kLong);
    const Breakdown binomial = broadcasts.front().breakdown("binomial", kLong);
    all.back().breakdowns = {tree, binomial};
    all.back().meaning = fmt::format(
        "Held up by others: {:.1f} % of the tree by dimensions, {:.1f} % of the binomial tree; "
        "without these the latter would take {:.2f} times as long as the former.",
        held_up(tree), held_up(binomial),
        static_cast<double>(binomial.cycles() - binomial.cycles(kHeldUp)) /
            static_cast<double>(tree.cycles() - tree.cycles(kHeldUp)));
    all.push_back(on_every_network(
        fmt::format("A pipeline along a chain of links broadcasts very long messages (here: {}) in "
                    "little more (here: a quarter at most) than the time in which a node can "
                    "receive them, whatever the network",
                    text_of(kVeryLong)),
        "Watts and van de Geijn 1995; Patarasuk, Yuan and Faraj 2008", broadcasts,
        [&](const Study& study) {
            const auto ratio = [&](std::uint64_t bytes) {
                return study.cycles("pipelined_chain", bytes) * kFlitBytes /
                       static_cast<double>(bytes);
            };
            return std::pair(
                Cases{ratio(kVeryLong) <= 1.25},
                fmt::format("{:.2f} times the cycles of its flits at {}, {:.2f} at {}",
                            ratio(kLong), text_of(kLong), ratio(kVeryLong), text_of(kVeryLong)));
        }));
    const Breakdown chain = broadcasts.front().breakdown("pipelined_chain", kLong);
    const Breakdown long_chain = broadcasts.front().breakdown("pipelined_chain", kVeryLong);
    all.back().breakdowns = {chain, long_chain};
    all.back().meaning = fmt::format(
        "Startups, one after the other, take {:.1f} and {:.1f} % of the time; held up by others "
        "are {:.1f} and {:.1f} %.",
        100 * chain.share({Cause::kStartup}), 100 * long_chain.share({Cause::kStartup}),
        held_up(chain), held_up(long_chain));
    all.push_back(on_every_network(
        fmt::format("Short vectors (here: every size to {}) are all-reduced fastest by recursive "
                    "doubling, long "
                    "ones (here: every size from {} on) by recursive halving and doubling "
                    "(Rabenseifner)",
                    text_of(kShort), text_of(kLong)),
        "Thakur, Rabenseifner and Gropp 2005, reduce and allreduce", allreduces,
        [&](const Study& study) {
            return of_short_and_long(
                study,
                [&](std::uint64_t bytes) { return study.is_best("recursive_doubling", bytes); },
                [&](std::uint64_t bytes) { return study.is_best("rabenseifner", bytes); });
        }));
    all.push_back(on_every_network(
        fmt::format("The ring all-reduce is free of contention on any network that has a ring, and "
                    "takes the least time for very long vectors (here: {})",
                    text_of(kVeryLong)),
        "Patarasuk and Yuan 2009", allreduces, [&](const Study& study) {
            const double contention = study.cycles("ring", kVeryLong) /
                                      static_cast<double>(model(study, "ring", kVeryLong));
            return std::pair(Cases{contention < 1.01, study.is_best("ring", kVeryLong)},
                             fmt::format("{:.2f} of the time without contention; {}", contention,
                                         compared(study, "ring", "rabenseifner", kVeryLong)));
        }));
    const Breakdown ring = allreduces.front().breakdown("ring", kVeryLong);
    const Breakdown halving = allreduces.front().breakdown("rabenseifner", kVeryLong);
    all.back().breakdowns = {ring, halving};
    all.back().meaning =
        fmt::format("Held up by others: {:.1f} % of the ring, {:.1f} % of rabenseifner.",
                    held_up(ring), held_up(halving));
    return all;
}

}  // namespace flitscope::reproduce::library_collectives
