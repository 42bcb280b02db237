// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The claims of Thakur, Choudhary and Fox 1993 one by one against counted contention and simulated
// times.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "models/base/powers_of_two.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/papers/thakur/thakur_study.h"

namespace flitscope::reproduce::delta_exchange {
namespace {

// Along a critical path either links set the pace, which send without a pause or are waited for,
// or nodes, which feed them more slowly than they take flits and start their sends.
constexpr std::initializer_list<Cause> kByLinks = {Cause::kBody, Cause::kBufferFront,
                                                   Cause::kChannelHeld, Cause::kCredit};
constexpr std::initializer_list<Cause> kByNodes = {Cause::kAssembly, Cause::kStartup};

double percent(const Breakdown& run, std::initializer_list<Cause> causes) {
    return 100 * run.share(causes);
}

/// Of the longer of two runs: who sets the pace in what it takes longer.
std::string compared(const Breakdown& one, const Breakdown& other) {
    const bool is_longer = one.cycles() > other.cycles();
    const Breakdown& longer = is_longer ? one : other;
    const Breakdown& shorter = is_longer ? other : one;
    const auto more = [&](std::initializer_list<Cause> causes) {
        return (static_cast<double>(longer.cycles(causes)) -
                static_cast<double>(shorter.cycles(causes))) /
               1e6;
    };
    return fmt::format(
        "Links set the pace (body, held up) for {:.1f} and {:.1f} % of the time. Of the {:.2f} "
        "million cycles that {} takes longer, links have {:+.2f} and nodes (assembly, startup) "
        "{:+.2f} million.",
        percent(one, kByLinks), percent(other, kByLinks),
        static_cast<double>(longer.cycles() - shorter.cycles()) / 1e6, longer.run, more(kByLinks),
        more(kByNodes));
}

class Conclusions {
public:
    explicit Conclusions(const Data& data) : data_(data) {}

    std::vector<Conclusion> all() const {
        return {closed_form_of_pex(),  closed_form_of_gen(), bound_of_pex(),
                bound_by_pex(),        two_messages(),       gen_for_small(),
                pex_for_large(),       shift_over_pex_gen(), gen_over_shift(),
                columns_not_a_power(), powers_exceeded(),    growth()};
    }

private:
    Breakdown breakdown(const std::string& schedule, const DeltaMesh& mesh,
                        std::uint64_t bytes = kLargeBytes) const {
        return data_.times.breakdown(schedule, mesh, bytes);
    }
    /// A conclusion on two runs, with what the one takes longer than the other by cause.
    static Conclusion with_both(Conclusion conclusion, const Breakdown& one,
                                const Breakdown& other) {
        conclusion.breakdowns = {one, other};
        conclusion.meaning = compared(one, other);
        return conclusion;
    }

    double gen_over_pex(const DeltaMesh& mesh, std::uint64_t bytes) const {
        return data_.times.seconds("gen", mesh, bytes) / data_.times.seconds("pex", mesh, bytes);
    }
    /// The same by the tables of the paper, which were measured.
    static double printed_gen_over_pex(const DeltaMesh& mesh, std::uint64_t bytes) {
        return *printed_seconds("gen", mesh, bytes) / *printed_seconds("pex", mesh, bytes);
    }

    /// How often the simulation has the same winner as the measured tables, which have three
    /// decimals: where both times are printed the same there is none.
    Cases winners_named() const {
        Cases winners;
        for (const DeltaMesh& mesh : kSquareMeshes) {
            for (const std::uint64_t bytes : kMessageSizes) {
                const double measured = printed_gen_over_pex(mesh, bytes);
                if (measured != 1) {
                    winners.add((measured > 1) == (gen_over_pex(mesh, bytes) > 1));
                }
            }
        }
        return winners;
    }

    Conclusion closed_form_of_pex() const {
        std::uint32_t floor_off = 0;
        std::uint32_t ceil_off = 0;
        std::uint32_t steps = 0;
        for (const DeltaMesh& mesh : kSquareMeshes) {
            const Contention& routed = data_.study.of("pex", mesh);
            floor_off +=
                steps_where(by_closed_form(pex_contention, mesh), routed, std::not_equal_to<>());
            ceil_off += steps_where(by_closed_form(pex_contention_printed, mesh), routed,
                                    std::not_equal_to<>());
            steps += static_cast<std::uint32_t>(routed.size());
        }
        return {
            "An exact expression for the contention of step i of PEX is 2^ceil(lg max(i mod c, "
            "i / c)).",
            "Sec. 3.1", Cases::of(steps - ceil_off, steps),
            fmt::format("Off in {} of {} steps; with floor in place of ceil, in {}.", ceil_off,
                        steps, floor_off)};
    }

    Conclusion closed_form_of_gen() const {
        std::uint32_t over = 0;
        std::uint32_t under = 0;
        std::uint32_t steps = 0;
        std::uint32_t corrected_off = 0;
        const auto add = [&](const DeltaMesh& mesh) {
            const Contention& routed = data_.study.of("gen", mesh);
            const Contention printed = by_closed_form(gen_contention_printed, mesh);
            over += steps_where(printed, routed, std::greater<>());
            under += steps_where(printed, routed, std::less<>());
            corrected_off +=
                steps_where(by_closed_form(gen_contention, mesh), routed, std::not_equal_to<>());
            steps += static_cast<std::uint32_t>(routed.size());
        };
        for (const DeltaMesh& mesh : kSquareMeshes) add(mesh);
        for (const DeltaMesh& mesh : kOtherMeshes) add(mesh);
        return {
            "The contention of step i of GEN is the sum of min(i mod c, c - i mod c) and "
            "min(i / c, (p - i) / c).",
            "Sec. 3.4", Cases::of(steps - over - under, steps),
            fmt::format("Above the contention in {} of {} steps and below it in {}: an upper "
                        "bound. The larger of both, with the carry, is off in {}.",
                        over, steps, under, corrected_off)};
    }

    Conclusion bound_of_pex() const {
        Cases meshes;
        std::vector<std::string> found;
        for (const DeltaMesh& mesh : kSquareMeshes) {
            const std::uint32_t most = largest(data_.study.of("pex", mesh));
            meshes.add(most <= std::max(mesh.rows, mesh.columns) / 2);
            found.push_back(fmt::format("{} on {}", most, mesh.name()));
        }
        return {"At most max(r, c) / 2 messages of a step of PEX contend for a link.", "Sec. 3.1",
                meshes,
                fmt::format("True on {} meshes; the largest contention is {}.", meshes.text(),
                            fmt::join(found, ", "))};
    }

    Conclusion bound_by_pex() const {
        Cases meshes;
        std::vector<std::string> above;
        for (const DeltaMesh& mesh : kOtherMeshes) {
            const std::uint32_t bound = largest(data_.study.of("pex", enclosing(mesh)));
            const std::uint32_t plain = largest(data_.study.of("pex-gen", mesh));
            const std::uint32_t shifted = largest(data_.study.of("pex-gen-shift", mesh));
            meshes.add(std::max(plain, shifted) <= bound);
            if (std::max(plain, shifted) <= bound) continue;
            above.push_back(
                fmt::format("{} and {} where PEX has {} ({})", plain, shifted, bound, mesh.name()));
        }
        return {"The contention of PEX-GEN and PEX-GEN-SHIFT is bounded by that of PEX.",
                "Sec. 3.2, 3.3", meshes,
                fmt::format("It holds on {} meshes; elsewhere the largest contention is {}.",
                            meshes.text(), fmt::join(above, ", "))};
    }

    Conclusion two_messages() const {
        constexpr double kFree = 0.1;
        const double two = data_.step_ms(1) / data_.step_ms(0);
        const double four = data_.step_ms(2) / data_.step_ms(1);
        std::vector<Breakdown> rows;
        for (std::size_t line = 0; line < kExplainedLines; ++line) {
            rows.push_back(breakdown("pex", {1, kLines[line]}, kLineBytes));
        }
        const std::string meaning = fmt::format(
            "A message by itself is {:.1f} % assembly and startup: nodes feed links more slowly "
            "than these take flits, which leaves room for a second message. Links set the pace "
            "(body, held up) for {:.1f} % of the time in the row of 4 nodes, {:.1f} % in that of "
            "8, {:.1f} % in that of 16, where up to two, four and eight messages share a link.",
            percent(rows[0], kByNodes), percent(rows[1], kByLinks), percent(rows[2], kByLinks),
            percent(rows[3], kByLinks));
        return {
            "Two messages share a link of the Delta without taking longer (gamma = 1).",
            "Sec. 2",
            {two <= 1 + kFree},
            fmt::format("In a row of nodes a step of {} KB takes {:.2f} ms with one message per "
                        "link, {:.2f} ms with two ({:+.0f} %), {:.2f} ms with four (a factor of "
                        "{:.2f} beside two).",
                        kLineBytes / 1024, data_.step_ms(0), data_.step_ms(1), 100 * (two - 1),
                        data_.step_ms(2), four),
            std::move(rows),
            meaning};
    }

    Conclusion gen_for_small() const {
        const DeltaMesh& mesh = kSquareMeshes[0];
        const double gen = data_.times.seconds("gen", mesh, kSmallBytes);
        const double pex = data_.times.seconds("pex", mesh, kSmallBytes);
        const Breakdown of_gen = breakdown("gen", mesh, kSmallBytes);
        const Breakdown of_pex = breakdown("pex", mesh, kSmallBytes);
        return {"Below 64 nodes and 1 KB GEN is the best on power-of-two meshes.",
                "Sec. 5",
                {gen < pex},
                fmt::format("{} nodes, 256 bytes: GEN {:.2f} ms, PEX {:.2f} ms.", mesh.name(),
                            1e3 * gen, 1e3 * pex),
                {of_gen, of_pex},
                fmt::format("The path of PEX has {} cycles of startup, that of GEN {}; packets are "
                            "held up for {} and {} cycles: {} decide.",
                            grouped(of_pex.cycles({Cause::kStartup})),
                            grouped(of_gen.cycles({Cause::kStartup})),
                            grouped(of_pex.cycles(kHeldUp)), grouped(of_gen.cycles(kHeldUp)),
                            of_pex.cycles({Cause::kStartup}) + of_gen.cycles(kHeldUp) >
                                    of_gen.cycles({Cause::kStartup}) + of_pex.cycles(kHeldUp)
                                ? "startups"
                                : "links")};
    }

    Conclusion pex_for_large() const {
        Cases cells;
        Cases printed;
        std::vector<std::string> lost;
        std::vector<std::string> gains;
        for (const DeltaMesh& mesh : kSquareMeshes) {
            if (mesh.nodes() < 64) continue;
            for (const std::uint64_t bytes : kMessageSizes) {
                if (bytes <= 1024) continue;
                const bool holds = gen_over_pex(mesh, bytes) > 1;
                cells.add(holds);
                printed.add(printed_gen_over_pex(mesh, bytes) > 1);
                if (!holds) lost.push_back(fmt::format("{} at {} KB", mesh.name(), bytes / 1024));
            }
            gains.push_back(
                fmt::format("{:.2f} on {}", gen_over_pex(mesh, kLargeBytes), mesh.name()));
        }
        const Cases winners = winners_named();
        return with_both(
            {"From 64 nodes on and above 1 KB PEX is better than GEN.", "Sec. 4, 5", cells,
             fmt::format("PEX is faster in {} cells{}; at 16 KB GEN takes longer by a factor of "
                         "{}. In Tables 2 and 5, which the machine measured, PEX is faster in {} "
                         "of these cells{}. Over all cells of both tables without a tie the "
                         "simulation names the measured winner in {}.",
                         cells.text(),
                         lost.empty() ? "" : fmt::format(" (not {})", fmt::join(lost, ", ")),
                         fmt::join(gains, ", "), printed.text(),
                         printed.held() > cells.held()
                             ? ": where it fails, the model differs from the machine"
                             : "",
                         winners.text())},
            breakdown("pex", {16, 16}), breakdown("gen", {16, 16}));
    }

    Conclusion shift_over_pex_gen() const {
        Cases cells;
        std::vector<double> ratios;
        for (const DeltaMesh& mesh : kOtherMeshes) {
            for (const std::uint64_t bytes : kMessageSizes) {
                ratios.push_back(data_.times.seconds("pex-gen-shift", mesh, bytes) /
                                 data_.times.seconds("pex-gen", mesh, bytes));
                cells.add(ratios.back() < 1);
            }
        }
        const auto [best, worst] = std::minmax_element(ratios.begin(), ratios.end());
        return with_both(
            {"PEX-GEN-SHIFT is better than PEX-GEN in most cases.", "Sec. 4", Cases::most_of(cells),
             fmt::format("Faster in {} cells; it takes {:.2f} to {:.2f} of the time of PEX-GEN, in "
                         "the median {:.2f}.",
                         cells.text(), *best, *worst, median(ratios))},
            breakdown("pex-gen-shift", {16, 14}), breakdown("pex-gen", {16, 14}));
    }

    /// q - p beside q decides: the claim is about both ends of its range.
    Conclusion gen_over_shift() const {
        Cases meshes;
        std::vector<std::string> found;
        for (const DeltaMesh& mesh : kOtherMeshes) {
            const auto q = static_cast<std::uint32_t>(next_power_of_two(mesh.nodes()));
            std::uint32_t gen_wins = 0;
            for (const std::uint64_t bytes : kMessageSizes) {
                gen_wins += data_.times.seconds("gen", mesh, bytes) <
                                    data_.times.seconds("pex-gen-shift", mesh, bytes)
                                ? 1
                                : 0;
            }
            const bool is_far = 4 * (q - mesh.nodes()) >= q;
            const bool gen_is_better = 2 * gen_wins > std::size(kMessageSizes);
            meshes.add(is_far == gen_is_better);
            found.push_back(fmt::format("{} ({} of {} missing): GEN at {} of {} sizes", mesh.name(),
                                        q - mesh.nodes(), q, gen_wins, std::size(kMessageSizes)));
        }
        return with_both(
            {"GEN is better than PEX-GEN-SHIFT when many nodes are missing to the next power of "
             "two, and PEX-GEN-SHIFT when few are.",
             "Sec. 4, 5", meshes,
             fmt::format("As claimed on {} meshes, many being a quarter or more: {}.",
                         meshes.text(), fmt::join(found, "; "))},
            breakdown("gen", {16, 9}), breakdown("pex-gen-shift", {16, 9}));
    }

    Conclusion columns_not_a_power() const {
        Cases sizes;
        for (const std::uint64_t bytes : kMessageSizes) {
            sizes.add(data_.times.seconds("pex-gen", {16, 30}, bytes) >
                      data_.times.seconds("pex", {16, 32}, bytes));
        }
        return with_both(
            {"PEX-GEN on 16 x 30 nodes takes longer than PEX on 16 x 32.", "Sec. 4", sizes,
             fmt::format(
                 "Longer at {} sizes; at 16 KB {:.2f} s and {:.2f} s. Summed over the steps the "
                 "contention is {} and {}.",
                 sizes.text(), data_.times.seconds("pex-gen", {16, 30}, 16384),
                 data_.times.seconds("pex", {16, 32}, 16384),
                 sum(data_.study.of("pex-gen", {16, 30})), sum(data_.study.of("pex", {16, 32})))},
            breakdown("pex-gen", {16, 30}), breakdown("pex", {16, 32}));
    }

    /// The paper's two examples.
    Conclusion powers_exceeded() const {
        constexpr std::uint64_t kBytes = 16384;
        constexpr double kAlmostTwice = 1.75;
        constexpr double kAboutAsLong = 0.15;
        const double above = data_.times.seconds("pex-gen", {16, 9}, kBytes) /
                             data_.times.seconds("pex", {16, 8}, kBytes);
        const double below = data_.times.seconds("pex-gen", {16, 14}, kBytes) /
                             data_.times.seconds("pex", {16, 16}, kBytes);
        const Cases parts{above > kAlmostTwice, std::abs(below - 1) < kAboutAsLong};
        return with_both(
            {"PEX-GEN takes almost twice as long on 16 x 9 nodes as PEX on 16 x 8, and about as "
             "long on 16 x 14 as PEX on 16 x 16.",
             "Sec. 4", parts,
             fmt::format(
                 "At 16 KB {:.2f} and {:.2f} times as long; almost twice: {} or more, about "
                 "as long: within {:.0f} %.",
                 above, below, kAlmostTwice, 100 * kAboutAsLong)},
            breakdown("pex-gen", {16, 9}), breakdown("pex", {16, 8}));
    }

    Conclusion growth() const {
        const double small =
            data_.times.seconds("pex", {16, 32}, 256) / data_.times.seconds("pex", {16, 16}, 256);
        const double large = data_.times.seconds("pex", {16, 32}, 16384) /
                             data_.times.seconds("pex", {16, 16}, 16384);
        const double paper =
            *printed_seconds("pex", {16, 32}, 16384) / *printed_seconds("pex", {16, 16}, 16384);
        constexpr double kAlmostLinear = 2.5;
        const Cases sizes{small < kAlmostLinear, large < kAlmostLinear};
        return with_both(
            {"The time of PEX grows almost linearly with the number of processors.", "Sec. 4",
             sizes,
             fmt::format("From 256 to 512 nodes by a factor of {:.2f} at 256 bytes and {:.2f} at "
                         "16 KB, where contention grows with the mesh (the paper's own Table 2: "
                         "{:.2f}): less than {} at {} sizes.",
                         small, large, paper, kAlmostLinear, sizes.text())},
            breakdown("pex", {16, 16}), breakdown("pex", {16, 32}));
    }

    const Data& data_;
};

}  // namespace

std::vector<Conclusion> conclusions(const Data& data) { return Conclusions(data).all(); }

}  // namespace flitscope::reproduce::delta_exchange
