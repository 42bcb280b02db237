// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The claims of Bokhari and Nicol 1996 one by one against the simulated times. Verdicts follow from
// the numbers; the sentences say where the simulated machine is another one than theirs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "testbench/report/report_lines.h"
#include "testbench/reproduce/bokhari/bokhari_formulas.h"

namespace flitscope::reproduce::paragon_exchange {
namespace {

/// On which meshes the paper could run the naive exchange.
const std::vector<std::uint32_t> kNaiveSides = {4, 8, 12};

/// Why nothing slows a node down that has many messages under way.
constexpr const char* kNodesAreRobust =
    "The simulated node works off its sends one by one and takes in what arrives at the speed of "
    "its link, so several messages at a node cost it nothing beyond their own time.";

Finding verdict(bool holds, bool in_part) {
    if (holds) return Finding::kConfirmed;
    return in_part ? Finding::kPartly : Finding::kRefuted;
}

std::string mesh(std::uint32_t n) { return fmt::format("{0} x {0}", n); }

struct Count {
    std::size_t hits = 0;
    std::size_t cases = 0;

    void add(bool hit) {
        hits += hit ? 1 : 0;
        ++cases;
    }
    bool all() const { return hits == cases; }
    std::string text() const { return fmt::format("{} of {}", hits, cases); }
};

struct Range {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

double percent(const Breakdown& run, std::initializer_list<Cause> causes) {
    return 100 * run.share(causes);
}

/// "1,234 cycles less", or more, of these causes in `after` than in `before`.
std::string change(const Breakdown& before, const Breakdown& after,
                   std::initializer_list<Cause> causes) {
    const Cycle then = before.cycles(causes);
    const Cycle now = after.cycles(causes);
    return fmt::format("{} cycles {}", grouped(std::max(then, now) - std::min(then, now)),
                       now < then ? "less" : "more");
}

Conclusion better_than_scott(const Times& times) {
    Count better;
    Range gain;
    for (const std::uint32_t n : kSides) {
        for (const std::uint64_t bytes : kSizes) {
            const double scott = times.bounded(n, 1, bytes);
            for (const std::uint32_t level : levels(n)) {
                if (level > 1) better.add(times.bounded(n, level, bytes) < scott);
            }
            gain.add(scott / times.best(n, bytes));
        }
    }
    const Breakdown scott = times.bounded_by_cause(12, 1, kSlice);
    const Breakdown three = times.bounded_by_cause(12, 3, kSlice);
    return {"Bounded contention is always better than Scott's contention-free exchange",
            "Abstract",
            verdict(better.all(), better.hits > 0),
            fmt::format("Shorter in {} cases; the best level takes {:.1f} to {:.1f} times less "
                        "time than Scott's schedule with a barrier after every phase.",
                        better.text(), gain.low, gain.high),
            {scott, three},
            fmt::format(
                "With three messages on a link barriers take {} of the path, and packets are held "
                "up for {}.",
                change(scott, three, {Cause::kBarrier}), change(scott, three, kHeldUp))};
}

/// Whether the best level wins for all sizes but the smallest ones, and where it does.
struct AgainstNaive {
    Count wins;
    bool all_but_smallest = true;
    std::vector<std::string> from;  ///< per mesh: the smallest size that wins, as do all above
};

AgainstNaive against_naive(const Times& times, Naive order) {
    AgainstNaive result;
    for (const std::uint32_t n : kNaiveSides) {
        std::string from = "none";
        for (const std::uint64_t bytes : kSizes) {
            const bool wins = times.best(n, bytes) < 0.99 * times.naive(n, order, bytes);
            result.wins.add(wins);
            if (!wins) from = "none";
            if (wins && from == "none") from = fmt::format("{} B", bytes);
            if (!wins && bytes != kSizes.front()) result.all_but_smallest = false;
        }
        result.from.push_back(fmt::format("{} {}", mesh(n), from));
    }
    return result;
}

Conclusion outperforms_naive(const Times& times) {
    const AgainstNaive zero = against_naive(times, Naive::kFromZero);
    const AgainstNaive next = against_naive(times, Naive::kFromNext);
    std::vector<std::string> order_gains;
    for (const std::uint32_t n : kSides) {
        order_gains.push_back(fmt::format("{:.0f} % on {}",
                                          100 * (times.naive(n, Naive::kFromZero, kSlice) /
                                                     times.naive(n, Naive::kFromNext, kSlice) -
                                                 1),
                                          mesh(n)));
    }
    const Breakdown from_zero = times.naive_by_cause(12, Naive::kFromZero, kSlice);
    const Breakdown from_next = times.naive_by_cause(12, Naive::kFromNext, kSlice);
    const Breakdown unbounded = times.bounded_by_cause(12, phases(12), kSlice);
    return {
        "Bounded contention outperforms the naive exchange for all but the smallest messages",
        "Abstract, Section 7",
        verdict(zero.all_but_smallest && next.all_but_smallest,
                zero.wins.hits + next.wins.hits > 0),
        fmt::format(
            "It depends on the order in which naive nodes send, of which the paper says nothing. "
            "Where all send to 0, 1, 2, ... the best level wins by 1 % or more in {} cases (from "
            "{}); where each "
            "begins with its successor, in {} (from {}). At {} bytes the order alone is worth {}.",
            zero.wins.text(), fmt::join(zero.from, ", "), next.wins.text(),
            fmt::join(next.from, ", "), kSlice, fmt::join(order_gains, ", ")),
        {from_zero, from_next, unbounded},
        fmt::format(
            "The order decides how much packets hold each other up: {:.1f} % of the time where all "
            "send to 0 first, {:.1f} % where each begins with its successor, {:.1f} % by the "
            "schedule without barriers.",
            percent(from_zero, kHeldUp), percent(from_next, kHeldUp), percent(unbounded, kHeldUp))};
}

Conclusion quarter_better(const Times& times) {
    Count sizes;
    std::vector<std::string> most;
    for (const std::uint32_t n : {8U, 12U, 16U}) {
        Range gain;
        for (const std::uint64_t bytes : kSizes) {
            const double best =
                times.improvement(n, times.best_level(n, bytes), bytes, Naive::kFromZero);
            if (n < 16) sizes.add(best > 0.25);  // the paper has no naive times for 16 x 16
            gain.add(best);
        }
        most.push_back(
            fmt::format("{} {:+.1f} to {:+.1f} %", mesh(n), 100 * gain.low, 100 * gain.high));
    }
    return {
        "Improvements of more than 25 % over naive are possible on 8 x 8 and 12 x 12 meshes "
        "for most message sizes",
        "Section 7, Figure 11", verdict(2 * sizes.hits > sizes.cases, sizes.hits > 0),
        fmt::format("Over the naive exchange from 0, best level: {}; more than 25 % in {} "
                    "cases of the two meshes. {}",
                    fmt::join(most, ", "), sizes.text(), kNodesAreRobust)};
}

Conclusion smallest_mesh(const Times& times) {
    Range communication;
    for (const std::uint32_t level : levels(4)) {
        communication.add(times.bounded(4, level, kSlice) -
                          phases(4) / level * kParagon.barrier_us(4) / 1000);
    }
    const double spread = communication.high / communication.low - 1;
    const double fewer_barriers = (phases(4) - 1) * kParagon.barrier_us(4) / 1000;
    const double gain = times.bounded(4, 1, kSlice) - times.bounded(4, phases(4), kSlice);
    const Breakdown all_barriers = times.bounded_by_cause(4, 1, kSlice);
    const Breakdown none = times.bounded_by_cause(4, phases(4), kSlice);
    return {
        "On 4 x 4 nodes the gain comes from fewer barriers; communication time stays the same",
        "Section 7, Figure 12",
        verdict(fewer_barriers > 0.8 * gain, fewer_barriers > gain / 2),
        fmt::format("Without barriers {} bytes take {:.2f} ms less, {:.2f} ms of it the {} "
                    "barriers saved; the rest of the time varies by {:.0f} %, because a node "
                    "starts its next message while the last packet is on its way and skips "
                    "the one to itself.",
                    kSlice, gain, fewer_barriers, phases(4) - 1, 100 * spread),
        {all_barriers, none},
        fmt::format(
            "Of the {} cycles that the path is shorter without barriers these were {}; held up by "
            "others are {:.1f} and {:.1f} %.",
            grouped(all_barriers.cycles() - none.cycles()),
            grouped(all_barriers.cycles({Cause::kBarrier})), percent(all_barriers, kHeldUp),
            percent(none, kHeldUp))};
}

Conclusion minimum_at_16(const Times& times) {
    const std::uint32_t best = times.best_level(8, kSlice);
    Range near;
    for (const std::uint32_t level : {1U, 2U, 4U}) {
        near.add(times.bounded(8, level, kSlice) / lower_ms(8, level, kSlice, kParagon));
    }
    const double rise = times.bounded(8, phases(8), kSlice) / times.bounded(8, 16, kSlice) - 1;
    std::vector<Breakdown> runs;
    std::vector<std::string> held_up;
    for (const std::uint32_t level : {2U, 4U, 16U, phases(8)}) {
        runs.push_back(times.bounded_by_cause(8, level, kSlice));
        held_up.push_back(fmt::format("{:.1f}", percent(runs.back(), kHeldUp)));
    }
    return {
        "On 8 x 8 nodes times are close to the lower bound for link contention 1, 2 and 4; the "
        "minimum is at 16, beyond it they rise",
        "Section 7, Figures 8 and 13",
        verdict(best == 16 && rise > 0, near.high < 1.1),
        fmt::format("{:.2f} to {:.2f} times the lower bound at 1, 2 and 4. The minimum is at "
                    "{}; from 16 to {} the time changes by {:+.1f} %. {}",
                    near.low, near.high, best, phases(8), 100 * rise, kNodesAreRobust),
        runs,
        fmt::format(
            "Packets are held up for {} % of the time at 2, 4, 16 and {}; what takes the place "
            "of barriers is the time of a node with its own earlier messages, {:.1f} % at {}.",
            fmt::join(held_up, ", "), phases(8), percent(runs.back(), {Cause::kOwnMessage}),
            phases(8))};
}

Conclusion between_bounds(const Times& times) {
    Count above;
    Count below;
    Range of_lower;
    for (const std::uint32_t n : kSides) {
        for (const std::uint64_t bytes : kSizes) {
            for (const std::uint32_t level : levels(n)) {
                const double measured = times.bounded(n, level, bytes);
                const double lower = lower_ms(n, level, bytes, kParagon);
                above.add(measured > 0.99 * lower);
                // With one message to a link both bounds are the same prediction.
                if (level > 1) {
                    below.add(measured < 1.01 * upper_ms(n, level, bytes, kParagon));
                }
                of_lower.add(measured / lower);
            }
        }
    }
    return {"Measured times lie between the lower and the upper bound", "Section 7, Figures 13-15",
            verdict(above.all() && below.all(), below.all()),
            fmt::format("Not above the upper bound in {} cases, not below the lower one in {} (1 % "
                        "allowed); {:.2f} to {:.2f} times the lower bound. The lower bound is none "
                        "in the strict sense: it counts a node's message to itself, and a node "
                        "starts its next message while the last packet is on its way.",
                        below.text(), above.text(), of_lower.low, of_lower.high)};
}

Conclusion touches_upper(const Times& times) {
    const double of_upper = times.bounded(16, 512, kSlice) / upper_ms(16, 512, kSlice, kParagon);
    std::uint32_t worst = 2;
    const auto over = [&](std::uint32_t level) {
        return times.bounded(16, level, kSlice) / lower_ms(16, level, kSlice, kParagon);
    };
    for (const std::uint32_t level : levels(16)) {
        if (over(level) > over(worst)) worst = level;
    }
    const Breakdown at_worst = times.bounded_by_cause(16, 4, kSlice);
    const Breakdown at_512 = times.bounded_by_cause(16, 512, kSlice);
    return {
        "On 16 x 16 nodes the time almost touches the upper bound at contention (128, 512) and "
        "does not cross it",
        "Section 7, Figure 15",
        verdict(of_upper > 0.9 && of_upper < 1, of_upper < 1),
        fmt::format("{:.0f} % of the upper bound there. Contention shows all the same: at {} "
                    "the time is {:.2f} times the lower bound, packets waiting for links that "
                    "others hold.",
                    100 * of_upper, worst, over(worst)),
        {at_worst, at_512},
        fmt::format("Packets are held up for {:.1f} % of the time at 4 and {:.1f} % at 512; the "
                    "upper bound "
                    "has all messages one after the other.",
                    percent(at_worst, kHeldUp), percent(at_512, kHeldUp))};
}

Conclusion links_are_shared(const Times& times) {
    const auto overhead = [&](std::uint32_t n, std::uint32_t level,
                              const Setting& setting = kParagon) {
        const double barriers = phases(n) / level * kParagon.barrier_us(n) / 1000;
        const double messages = phases(n) / level * message_ms(kSlice);
        return (times.bounded(n, level, kSlice, setting) - barriers) / messages - 1;
    };
    const Range two = [&] {
        Range range;
        for (const std::uint32_t n : {8U, 12U, 16U}) range.add(overhead(n, 2));
        return range;
    }();
    const double three = overhead(12, 3);
    const double four = overhead(16, 4);
    const Breakdown of_one = times.bounded_by_cause(12, 1, kSlice);
    const Breakdown of_three = times.bounded_by_cause(12, 3, kSlice);
    const Breakdown in_small = times.bounded_by_cause(12, 3, kSlice, kSmallBuffers);
    const Breakdown of_four = times.bounded_by_cause(16, 4, kSlice);
    const Breakdown four_in_small = times.bounded_by_cause(16, 4, kSlice, kSmallBuffers);
    // Beside the barriers: links send without a pause, or are waited for.
    const auto on_links = [](const Breakdown& run) {
        return 100 * (run.share(kHeldUp) + run.share({Cause::kBody})) /
               (1 - run.share({Cause::kBarrier}));
    };
    return {
        "Two or three messages share a link with minor overhead",
        "Abstract",
        // No more than partly, since the buffers were chosen for it.
        two.high < 0.15 ? Finding::kPartly : Finding::kRefuted,
        fmt::format("A step of {} bytes takes {:.1f} to {:.1f} % longer with two messages on a "
                    "link, {:.0f} % with three, {:.0f} % with four. The buffers of the "
                    "simulated routers were chosen with this claim in mind: they hold a "
                    "packet. With 128 bytes it is {:.0f} % with three and {:.0f} % with four, "
                    "as packets that wait hold links that others need.",
                    kSlice, 100 * two.low, 100 * two.high, 100 * three, 100 * four,
                    100 * overhead(12, 3, kSmallBuffers), 100 * overhead(16, 4, kSmallBuffers)),
        {of_one, of_three, in_small, of_four, four_in_small},
        fmt::format(
            "Beside the barriers links set the pace (body, held up) for {:.1f} % of the time with "
            "one message, {:.1f} % with three, {:.1f} % with four; with small buffers {:.1f} "
            "% with three and {:.1f} % with four. The rest is a node's own time: assembly "
            "and startup.",
            on_links(of_one), on_links(of_three), on_links(of_four), on_links(in_small),
            on_links(four_in_small))};
}

Conclusion not_blindly(const Times& times) {
    Count all_removed;
    std::vector<std::string> others;
    for (const std::uint32_t n : kSides) {
        for (const std::uint64_t bytes : kSizes) {
            const std::uint32_t best = times.best_level(n, bytes);
            all_removed.add(best == phases(n));
            if (best == phases(n)) continue;
            others.push_back(
                fmt::format("; {} B on {}: link contention {}, {:.1f} % longer without barriers",
                            bytes, mesh(n), best,
                            100 * (times.bounded(n, phases(n), bytes) / times.best(n, bytes) - 1)));
        }
    }
    std::vector<std::string> enough;
    for (const std::uint32_t n : kSides) {
        const std::vector<std::uint32_t> all = levels(n);
        const auto first = std::find_if(all.begin(), all.end(), [&](std::uint32_t level) {
            return times.bounded(n, level, kSlice) < 1.05 * times.best(n, kSlice);
        });
        enough.push_back(fmt::format("{} on {}", *first, mesh(n)));
    }
    const Breakdown chosen = times.bounded_by_cause(16, 256, kSlice);
    const Breakdown blindly = times.bounded_by_cause(16, phases(16), kSlice);
    return {
        "It is not enough to remove all barriers blindly: the contention level has to be chosen",
        "Section 7",
        verdict(all_removed.hits == 0, !all_removed.all()),
        fmt::format(
            "Without any barrier the exchange is shortest in {} cases{}. There is little to "
            "gain at the end, though: at {} bytes the time is within 5 % of the shortest "
            "from link contention {} on. {}",
            all_removed.text(), fmt::join(others, ""), kSlice, fmt::join(enough, ", "),
            kNodesAreRobust),
        {chosen, blindly},
        fmt::format(
            "Where none are left, barriers take {} of the path, and packets are held up for {}.",
            change(chosen, blindly, {Cause::kBarrier}), change(chosen, blindly, kHeldUp))};
}

Conclusion barriers_decide(const Times& times) {
    std::vector<std::string> shares;
    std::vector<std::string> gains;
    bool handsome = true;
    for (const std::uint32_t n : {4U, 8U, 12U}) {
        const double scott = times.bounded(n, 1, kSlice);
        const double cheap = times.bounded(n, 1, kSlice, kDedicated);
        shares.push_back(
            fmt::format("{:.0f} % of {:.0f} ms on {}", 100 * (1 - cheap / scott), scott, mesh(n)));
        const double at_quarter = times.bounded(n, n / 4, kSlice, kDedicated);
        gains.push_back(fmt::format("{:.1f} ms on {} ({:.1f} ms without barriers)", at_quarter,
                                    mesh(n), times.bounded(n, phases(n), kSlice)));
        handsome = handsome && at_quarter < 0.8 * times.bounded(n, n / 4, kSlice);
    }
    const Breakdown scott = times.bounded_by_cause(12, 1, kSlice);
    const Breakdown cheap = times.bounded_by_cause(12, 1, kSlice, kDedicated);
    const Breakdown quarter = times.bounded_by_cause(12, 3, kSlice, kDedicated);
    return {
        "Synchronization decides the time of an exchange; a network of its own for barriers "
        "would pay handsomely",
        "Section 8",
        verdict(handsome, true),
        fmt::format("Barriers of 5 us instead of {} take off {} with link contention 1. With "
                    "link contention n / 4, every node sending once per step, the exchange "
                    "then takes {}.",
                    kParagon.text, fmt::join(shares, ", "), fmt::join(gains, ", ")),
        {scott, cheap, quarter},
        fmt::format(
            "Barriers are {:.1f} % of the path, of 5 us {:.1f} %; with them three messages share a "
            "link at the price of {:.1f} % held up.",
            percent(scott, {Cause::kBarrier}), percent(cheap, {Cause::kBarrier}),
            percent(quarter, kHeldUp))};
}

Conclusion combine_small(const Times& times) {
    std::vector<std::string> crossings;
    bool small_wins = true;
    bool large_loses = true;
    for (const std::uint32_t n : kSmallSides) {
        const auto combined_wins = [&](std::uint64_t bytes) {
            return times.recursive(n, bytes) < std::min(times.bounded(n, phases(n), bytes),
                                                        times.naive(n, Naive::kFromNext, bytes));
        };
        std::uint64_t last = 0;
        for (const std::uint64_t bytes : kSmallSizes) {
            if (combined_wins(bytes)) last = bytes;
        }
        small_wins = small_wins && combined_wins(kSmallSizes.front());
        large_loses = large_loses && !combined_wins(kSmallSizes.back());
        crossings.push_back(fmt::format("{} {} B ({:.1f} times faster at {} B)", mesh(n), last,
                                        times.naive(n, Naive::kFromNext, kSmallSizes.front()) /
                                            times.recursive(n, kSmallSizes.front()),
                                        kSmallSizes.front()));
    }
    const std::uint64_t small = kSmallSizes.front();
    const Breakdown direct = times.naive_by_cause(8, Naive::kFromNext, small);
    const Breakdown combined = times.recursive_by_cause(8, small);
    const Breakdown direct_large = times.naive_by_cause(8, Naive::kFromNext, kSlice);
    const Breakdown combined_large = times.recursive_by_cause(8, kSlice);
    return {"Direct exchanges are best for large messages, combining ones for small messages",
            "Sections 3 and 8",
            verdict(small_wins && large_loses, small_wins || large_loses),
            fmt::format("Recursive doubling is the faster one up to {}, among sizes in steps of "
                        "four.",
                        fmt::join(crossings, ", ")),
            {direct, combined, direct_large, combined_large},
            fmt::format(
                "At {} bytes combined messages are {:.1f} % startup, "
                "and direct ones wait for {:.1f} % of the time while their node starts and sends "
                "earlier ones; at {} bytes combined ones are {:.1f} % assembly, for a block is "
                "sent again and again. Held up by others are {:.1f} % of the time at most.",
                small, percent(combined, {Cause::kStartup}), percent(direct, {Cause::kOwnMessage}),
                kSlice, percent(combined_large, {Cause::kAssembly}),
                std::max({percent(direct, kHeldUp), percent(combined, kHeldUp),
                          percent(direct_large, kHeldUp), percent(combined_large, kHeldUp)}))};
}

}  // namespace

std::vector<Conclusion> conclusions(const Times& times) {
    return {better_than_scott(times), outperforms_naive(times), quarter_better(times),
            smallest_mesh(times),     minimum_at_16(times),     between_bounds(times),
            touches_upper(times),     links_are_shared(times),  not_blindly(times),
            barriers_decide(times),   combine_small(times)};
}

}  // namespace flitscope::reproduce::paragon_exchange
