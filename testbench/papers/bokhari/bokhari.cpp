// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Bokhari and Nicol 1996: complete exchange of bounded contention on the Paragon, its Table 2 and
// the figures of its Section 7 as tables and curves.
#include "testbench/papers/bokhari/bokhari.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/papers/bokhari/bokhari_formulas.h"
#include "traffic/program/program_report.h"
#include "traffic/schedules/exchange/bounded_contention.h"

namespace flitscope::reproduce {
namespace {

using namespace paragon_exchange;

std::string square(std::uint32_t n) { return fmt::format("{0} x {0}", n); }
std::string bytes_text(std::uint64_t bytes) { return fmt::format("{} B", bytes); }
std::string level_text(std::uint32_t n, std::uint32_t level) {
    return fmt::format("({}, {})", node_contention(n, level), level);
}
Cell percent(double fraction) {
    Cell cell(100 * fraction, 1);
    cell.text = fmt::format("{:+.1f}", 100 * fraction);
    return cell;
}

/// Table 1 against what one step of Scott's schedule takes.
Table table_1(const Times& times) {
    Table table{"Table 1: a contention-free exchange (link contention 1) against its closed form",
                "Table 1 as corrected: 231 + 0.022 m us, barrier 271 lg n - 134 us",
                {"mesh", "bytes", "closed form [ms]", "simulated [ms]", "error"},
                {},
                {"The printed barrier, 27.1 lg n - 134 us, is negative on all these meshes; 271 is "
                 "the reconstruction of errata 002, 127.1 the other end of what is plausible.",
                 "The paper states the message time for 8640 bytes up; smaller ones use the same "
                 "line."}};
    for (const std::uint32_t n : kSides) {
        for (const std::uint64_t bytes : kSizes) {
            const double expected = lower_ms(n, 1, bytes, kParagon);
            const double measured = times.bounded(n, 1, bytes);
            table.rows.push_back({square(n), bytes, Cell(expected, 2), Cell(measured, 2),
                                  relative_error(measured, expected)});
        }
    }
    return table;
}

/// The printed Table 2: side, contention, steps.
const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>& printed_steps() {
    static const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> printed = {
        {{4, 1}, 16},    {{8, 1}, 128},   {{8, 2}, 64},    {{12, 1}, 432},  {{12, 3}, 144},
        {{16, 1}, 1024}, {{16, 2}, 512},  {{16, 4}, 256},  {{20, 1}, 2000}, {{20, 2}, 1000},
        {{20, 5}, 400},  {{24, 1}, 3456}, {{24, 2}, 1728}, {{24, 3}, 1152}, {{24, 6}, 576},
        {{28, 1}, 5488}, {{28, 7}, 784},  {{32, 1}, 8192}, {{32, 2}, 4096}, {{32, 4}, 2048},
        {{32, 8}, 1024}};
    return printed;
}

/// Steps, contention and active nodes by walking every route; no simulation.
Table table_2() {
    Table table{"Table 2: steps as contention is allowed to increase",
                "Table 2; every route of every step walked",
                {"mesh", "c", "printed", "n^3 / 4c", "steps", "link contention", "node contention",
                 "nodes that send", "complete"},
                {},
                {"The paper's rule, c divides n / 4, leaves entries blank that our order fills for "
                 "every divisor of n, and forbids the printed 20 x 20, c = 2.",
                 "Section 5 says that a fraction 4 / n of the nodes is inactive; that is the "
                 "fraction of those that send with c = 1."}};
    for (std::uint32_t n = 4; n <= 32; n += 4) {
        const Graph graph = build_mesh({n, n});
        const auto routing = make_dimension_order(graph, 1);
        for (std::uint32_t c = 1; c <= n / 4; ++c) {
            if (n % c != 0) continue;
            const Program program = bounded_contention(graph, 1, c);
            const std::vector<StepReport> steps = analyse(program, graph, *routing, {});
            StepReport most;
            for (const StepReport& step : steps) {
                most.transfers = std::max(most.transfers, step.transfers);
                most.max_link_contention =
                    std::max(most.max_link_contention, step.max_link_contention);
                most.max_sends = std::max({most.max_sends, step.max_sends, step.max_receives});
            }
            const auto printed = printed_steps().find({n, c});
            table.rows.push_back({square(n), c,
                                  printed == printed_steps().end() ? Cell() : Cell(printed->second),
                                  n / 4 % c == 0 ? Cell(phases(n) / c) : Cell(),
                                  std::uint64_t{steps.size()}, most.max_link_contention,
                                  most.max_sends, fmt::format("{} of {}", most.transfers, n * n),
                                  check_complete_exchange(program).complete() ? "yes" : "no"});
        }
    }
    return table;
}

Conclusion steps_of_table_2(const Table& table) {
    Cases printed;
    Cases bounded;
    for (const std::vector<Cell>& row : table.rows) {
        bounded.add(row[5].value == row[1].value && row[6].value == 1 && row[8].text == "yes");
        if (!row[2].value.is_null()) printed.add(row[2].value == row[4].value);
    }
    Cases all = printed;
    all.add(bounded);
    return {
        "n^3 / 4c steps suffice for link contention c and one message per node, where c divides "
        "n / 4",
        "Section 5, Table 2", all,
        fmt::format("{} printed entries are met, 20 x 20 with c = 2 among them, which the rule "
                    "excludes; contention is c and every node sends once in {} schedules.",
                    printed.text(), bounded.text())};
}

/// Figures 7 to 10: time by contention and message size, beside the naive exchange.
Table surface(const Times& times, std::uint32_t n) {
    Table table{fmt::format("Figure {}: exchange on {} nodes, ms", 6 + n / 4, square(n)),
                "(node contention, link contention) by message size",
                {"contention"},
                {},
                {}};
    for (const std::uint64_t bytes : kSizes) table.columns.push_back(bytes_text(bytes));
    for (const std::uint32_t level : levels(n)) {
        std::vector<Cell> row = {level_text(n, level)};
        for (const std::uint64_t bytes : kSizes) {
            row.emplace_back(times.bounded(n, level, bytes), 2);
        }
        table.rows.push_back(std::move(row));
    }
    for (const auto& [name, order] : {std::pair{"naive from 0", Naive::kFromZero},
                                      std::pair{"naive from next", Naive::kFromNext}}) {
        std::vector<Cell> row = {name};
        for (const std::uint64_t bytes : kSizes) row.emplace_back(times.naive(n, order, bytes), 2);
        table.rows.push_back(std::move(row));
    }
    if (n == 16) {
        table.notes.emplace_back(
            "On the Paragon the naive exchange failed beyond 12 x 12 nodes, and (256, 1024) here, "
            "for want of memory in the operating system; simulated nodes have enough.");
    }
    return table;
}

/// Figure 11: improvement over the naive exchange.
Table improvements(const Times& times, Naive order) {
    const bool from_zero = order == Naive::kFromZero;
    Table table{fmt::format("Figure 11: improvement of bounded contention over naive, which {}, %",
                            from_zero ? "sends to 0, 1, 2, ..."
                                      : "sends to its successors n + 1, n + 2, ..."),
                "the paper leaves the order open",
                {"mesh", "contention"},
                {},
                {}};
    for (const std::uint64_t bytes : kSizes) table.columns.push_back(bytes_text(bytes));
    for (const std::uint32_t n : kSides) {
        for (const std::uint32_t level : levels(n)) {
            std::vector<Cell> row = {square(n), level_text(n, level)};
            for (const std::uint64_t bytes : kSizes) {
                row.push_back(percent(times.improvement(n, level, bytes, order)));
            }
            table.rows.push_back(std::move(row));
        }
        std::vector<Cell> best = {square(n), "best level"};
        for (const std::uint64_t bytes : kSizes) {
            best.emplace_back(level_text(n, times.best_level(n, bytes)));
        }
        table.rows.push_back(std::move(best));
    }
    return table;
}

/// Figures 12 to 15: measured between the predictions.
Table slice(const Times& times, std::uint32_t n) {
    Table table{
        fmt::format("Figure {}: slice at {} bytes, {} nodes, ms", 11 + n / 4, kSlice, square(n)),
        "predictions by Table 1, corrected; in the last columns with 127.1 lg n - 134 us",
        {"contention", "steps", "lower", "simulated", "upper", "of lower", "lower 127",
         "simulated 127", "upper 127"},
        {},
        {}};
    for (const std::uint32_t level : levels(n)) {
        const double lower = lower_ms(n, level, kSlice, kParagon);
        const double measured = times.bounded(n, level, kSlice);
        table.rows.push_back({level_text(n, level), phases(n) / level, Cell(lower, 2),
                              Cell(measured, 2), Cell(upper_ms(n, level, kSlice, kParagon), 2),
                              relative_error(measured, lower),
                              Cell(lower_ms(n, level, kSlice, kCheaper), 2),
                              n == 16 ? Cell() : Cell(times.bounded(n, level, kSlice, kCheaper), 2),
                              Cell(upper_ms(n, level, kSlice, kCheaper), 2)});
    }
    return table;
}

Table barriers(const Times& times) {
    Table table{fmt::format("What barriers cost, exchange of {} bytes, ms", kSlice),
                "Section 8: a network of their own for barriers",
                {"mesh", "barrier", "us", "Scott (1, 1)", "link contention n / 4", "best",
                 "best level", "naive from 0", "naive from next"},
                {},
                {}};
    for (const std::uint32_t n : kSides) {
        for (const Setting& setting : {kParagon, kCheaper, kDedicated}) {
            if (n == 16 && setting.name != kParagon.name) continue;
            table.rows.push_back({square(n), std::string(setting.text),
                                  Cell(setting.barrier_us(n), 0),
                                  Cell(times.bounded(n, 1, kSlice, setting), 2),
                                  Cell(times.bounded(n, n / 4, kSlice, setting), 2),
                                  Cell(times.best(n, kSlice, setting), 2),
                                  level_text(n, times.best_level(n, kSlice, setting)),
                                  Cell(times.naive(n, Naive::kFromZero, kSlice), 2),
                                  Cell(times.naive(n, Naive::kFromNext, kSlice), 2)});
        }
    }
    return table;
}

Table buffers(const Times& times) {
    Table table{fmt::format("What buffers are worth, exchange of {} bytes, ms", kSlice),
                "sensitivity; Table 1 says nothing about routers",
                {"mesh", "buffers", "link contention n / 4", "no barriers", "naive from 0",
                 "naive from next", "gain over 0 [%]", "gain over next [%]"},
                {},
                {"A buffer of a whole packet frees the links behind a packet that waits."}};
    for (const std::uint32_t n : kSides) {
        for (const Setting& setting : {kParagon, kSmallBuffers}) {
            const double bounded = times.bounded(n, phases(n), kSlice, setting);
            const double zero = times.naive(n, Naive::kFromZero, kSlice, setting);
            const double next = times.naive(n, Naive::kFromNext, kSlice, setting);
            table.rows.push_back({square(n), setting.buffer_depth == 0 ? "2 KB" : "128 B",
                                  Cell(times.bounded(n, n / 4, kSlice, setting), 2),
                                  Cell(bounded, 2), Cell(zero, 2), Cell(next, 2),
                                  percent(1 - bounded / zero), percent(1 - bounded / next)});
        }
    }
    return table;
}

Table combining(const Times& times) {
    Table table{
        "Combining small messages: recursive doubling against direct messages, ms",
        "Section 8: the multiphase algorithm for small messages",
        {"mesh", "bytes", "recursive doubling", "bounded, no barriers", "naive from next",
         "shortest"},
        {},
        {"Combining costs no time in a node here, where the paper speaks of the overhead of "
         "permuting data; the multiphase algorithm chooses between these ways and others "
         "between them."}};
    for (const std::uint32_t n : kSmallSides) {
        for (const std::uint64_t bytes : kSmallSizes) {
            const double combined = times.recursive(n, bytes);
            const double direct = std::min(times.bounded(n, phases(n), bytes),
                                           times.naive(n, Naive::kFromNext, bytes));
            table.rows.push_back({square(n), bytes, Cell(combined, 2),
                                  Cell(times.bounded(n, phases(n), bytes), 2),
                                  Cell(times.naive(n, Naive::kFromNext, bytes), 2),
                                  combined < direct ? "combined" : "direct"});
        }
    }
    return table;
}

// ---- Curves -------------------------------------------------------------------------------------

Plot surface_plot(const Times& times, std::uint32_t n) {
    Plot plot{fmt::format("bokhari_figure_{}", 6 + n / 4),
              fmt::format("Bounded contention and naive (from 0), {} nodes", square(n)),
              "link contention",
              "time [ms]",
              true,
              true,
              {}};
    for (const std::uint64_t bytes : kSizes) {
        Series series{bytes_text(bytes), {}, true};
        Series naive{"naive " + bytes_text(bytes), {}, false};
        for (const std::uint32_t level : levels(n)) {
            series.points.emplace_back(level, times.bounded(n, level, bytes));
            naive.points.emplace_back(level, times.naive(n, Naive::kFromZero, bytes));
        }
        plot.series.push_back(std::move(series));
        plot.series.push_back(std::move(naive));
    }
    return plot;
}

Plot improvement_plot(const Times& times, std::uint32_t n) {
    Plot plot{fmt::format("bokhari_figure_11_{}x{}", n, n),
              fmt::format("Improvement over naive (from 0), {} nodes", square(n)),
              "message [bytes]",
              "improvement [%]",
              true,
              false,
              {}};
    for (const std::uint32_t level : levels(n)) {
        if (level < n / 4) continue;  // far below zero
        Series series{level_text(n, level), {}, true};
        for (const std::uint64_t bytes : kSizes) {
            series.points.emplace_back(bytes,
                                       100 * times.improvement(n, level, bytes, Naive::kFromZero));
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

Plot slice_plot(const Times& times, std::uint32_t n) {
    Plot plot{fmt::format("bokhari_figure_{}", 11 + n / 4),
              fmt::format("{} bytes, {} nodes: simulated and predicted", kSlice, square(n)),
              "link contention",
              "time [ms]",
              true,
              false,
              {{"simulated", {}, true},
               {"lower bound", {}, false},
               {"upper bound", {}, false},
               {"naive from 0", {}, false},
               {"naive from next", {}, false}}};
    for (const std::uint32_t level : levels(n)) {
        const double values[] = {
            times.bounded(n, level, kSlice), lower_ms(n, level, kSlice, kParagon),
            upper_ms(n, level, kSlice, kParagon), times.naive(n, Naive::kFromZero, kSlice),
            times.naive(n, Naive::kFromNext, kSlice)};
        for (std::size_t s = 0; s < plot.series.size(); ++s) {
            plot.series[s].points.emplace_back(level, values[s]);
        }
    }
    plot.is_in_docs = n == 8 || n == 16;
    return plot;
}

Report report(const Outcomes& outcomes) {
    const Times times(outcomes);
    Report report;
    report.tables.push_back(table_1(times));
    report.tables.push_back(table_2());
    report.conclusions.push_back(steps_of_table_2(report.tables.back()));
    for (const std::uint32_t n : kSides) {
        report.tables.push_back(surface(times, n));
        report.plots.push_back(surface_plot(times, n));
    }
    report.tables.push_back(improvements(times, Naive::kFromZero));
    report.tables.push_back(improvements(times, Naive::kFromNext));
    for (const std::uint32_t n : kSides) {
        report.tables.push_back(slice(times, n));
        report.plots.push_back(slice_plot(times, n));
        report.plots.push_back(improvement_plot(times, n));
    }
    report.tables.push_back(barriers(times));
    report.tables.push_back(buffers(times));
    report.tables.push_back(combining(times));
    for (Conclusion& conclusion : conclusions(times)) {
        report.conclusions.push_back(std::move(conclusion));
    }
    return report;
}

}  // namespace

Paper bokhari() {
    return {"bokhari",
            "Bokhari and Nicol, Balancing Contention and Synchronization on the Intel Paragon "
            "(1996)",
            experiments, report};
}

}  // namespace flitscope::reproduce
