// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "testbench/papers/boppana/boppana_experiments.h"
#include "testbench/papers/boppana/boppana_report.h"

namespace flitscope::reproduce::hypercube_exchange {
namespace {

using namespace aap_forms;

Table by_size_table(const Outcomes& outcomes, Findings& findings) {
    Table table;
    table.title = "Algorithm AAP: time units, xi = 10, tau = 2, k = 100";
    table.source = "Sec. 3.2";
    table.columns = {"n",   "steps",         "T_aap",        "simulated", "error",
                     "eta", "eta simulated", "mean message", "simulated"};
    double forms = 0;  // largest difference between them
    for (std::uint32_t n = 2; n <= kLargest; ++n) {
        const Outcome& run = outcomes.at(size_key("by_size", n));
        const Cycle model = total_by_size(n, kCosts);
        const double bound = number(kCosts.elements * (nodes(n) - 1));
        // As latencies are counted, up to the last cycle.
        const double message = number(model) / number(nodes(n) - 1) - 1;
        for (const double form : printed_etas(n, kCosts)) {
            forms = std::max(forms, std::abs(form - number(model) / bound));
        }
        const double error = number(run.cycles) / number(model) - 1;
        findings.worst_by_size = std::max(findings.worst_by_size, std::abs(error));
        findings.as_closed_form.add(std::abs(error) < kExact);
        findings.nobody_waits.add(std::abs(run.mean_latency - message) < kExact);
        findings.worst_wait = std::max(findings.worst_wait, std::abs(run.mean_latency - message));
        table.rows.push_back({n, run.steps, model, run.cycles,
                              relative_error(number(run.cycles), number(model)),
                              Cell(number(model) / bound, 4), Cell(number(run.cycles) / bound, 4),
                              Cell(message, 2), Cell(run.mean_latency, 2)});
    }
    table.notes = {
        "mean message: cycles from the start of a send to its tail. It is the closed form of a "
        "message that meets nobody, averaged over all; a header that waits anywhere would raise "
        "it.",
        fmt::format("The three printed forms of eta agree within {:.0e}.", forms)};
    return table;
}

Table variants_table(const Outcomes& outcomes, Findings& findings) {
    Table table;
    table.title = "The interleaved variant: time units, xi = 10, tau = 2, k = 100";
    table.source = "Sec. 3.3; corrected: errata 001";
    table.columns = {"n",           "disjoint",  "T_aap' (paper)", "pairs",   "simulated", "error",
                     "small first", "simulated", "error",          "waiting", "simulated", "error"};
    for (std::uint32_t n = 2; n <= kLargest; ++n) {
        const Cycle printed = printed_interleaved(n, kCosts);
        const auto [disjoint, transitions] = disjoint_transitions(n);
        std::vector<Cell> row = {n, fmt::format("{} of {}", disjoint, transitions), printed};
        Cycle best = kNever;
        for (const std::string& variant : kVariants) {
            const Cycle run = outcomes.at(size_key(variant, n)).cycles;
            const Cycle model = model_of(variant, n, kCosts);
            const double error = number(run) / number(model) - 1;
            findings.worst_variants = std::max(findings.worst_variants, std::abs(error));
            best = std::min(best, run);
            row.insert(row.end(), {model, run, relative_error(number(run), number(model))});
        }
        if (n > 3) findings.printed_is_met.add(best <= printed);
        table.rows.push_back(std::move(row));
    }
    table.notes = {
        "disjoint: transitions between steps whose paths share no link, so that the set-up of the "
        "one can be hidden behind the messages of the other.",
        "pairs: a set and its complement per step, the set-up of the second is hidden. small "
        "first: "
        "the smaller set of the two first. waiting: no pause between steps, headers hold the free "
        "prefix of their paths; this hides the startup of the second step, too, which T_aap' "
        "counts, "
        "so it is below T_aap' for n = 2 and 3."};
    return table;
}

Table ipsc_table(const Outcomes& outcomes) {
    Table table;
    table.title = "AAP on the iPSC/860: us, 65 + 0.425 k + 10 i per message";
    table.source = "Sec. 3.2";
    table.columns = {"n", "bytes", "T_min", "T_aap", "simulated", "error", "eta", "eta simulated"};
    for (const std::uint32_t n : kIpscSizes) {
        for (const Cycle bytes : kIpscBytes) {
            const double run = kUnit * number(outcomes.at(ipsc_key("by_size", n, bytes)).cycles);
            const double model = ipsc860_total(n, bytes);
            const double bound = ipsc860_bound(n, bytes);
            table.rows.push_back({n, bytes, Cell(bound, 2), Cell(model, 2), Cell(run, 2),
                                  relative_error(run, model), Cell(model / bound, 4),
                                  Cell(run / bound, 4)});
        }
    }
    table.notes = {
        "The paper prints eta = 3.37 for n = 7 and 100 bytes.",
        "Simulated with cycles of 0.25 us and elements of 10/17 bytes, in which all three "
        "constants are whole numbers: xi = 261, tau = 39."};
    return table;
}

Table switching_table(const Outcomes& outcomes) {
    Table table;
    table.title = "The same exchange by other switching methods: cycles";
    table.source = "Sec. 1, 2";
    table.columns = {"n", "circuit", "wormhole", "store and forward",
                     "store and forward / circuit"};
    for (std::uint32_t n = 2; n <= kLargestOfPackets; ++n) {
        const Cycle circuit = outcomes.at(size_key("by_size", n)).cycles;
        const Cycle stored = outcomes.at(switching_key("store_and_forward", n)).cycles;
        table.rows.push_back({n, circuit, outcomes.at(switching_key("wormhole", n)).cycles, stored,
                              Cell(number(stored) / number(circuit), 2)});
    }
    table.notes = {
        "Same startup, same cycles per link (tau in the router, 1 on the wire), messages "
        "as one packet with a header of one flit."};
    return table;
}

Table operations_table(const Outcomes& outcomes) {
    Table table;
    table.title = fmt::format("Table 1: lower bounds, and what takes how long for N = {}, k = {}",
                              nodes(kOperationSize), kCosts.elements);
    table.source = "Sec. 2";
    table.columns = {"operation", "send/receive", "bound",   "bandwidth",
                     "bound",     "circuit",      "/ bound", "store and forward"};
    const double n = kOperationSize;
    const double all = number(nodes(kOperationSize));
    const double k = number(kCosts.elements);
    for (std::size_t i = 0; i < operations().size(); ++i) {
        const Operation& operation = operations()[i];
        const double sending = operation.sends_all ? k * (all - 1) : k;
        const Cycle run = outcomes.at(operation_key("circuit", i)).cycles;
        table.rows.push_back({operation.name, operation.sends_all ? "k(N-1)" : "k",
                              Cell(sending, 0), operation.bandwidth,
                              Cell(operation.bandwidth_bound(k, n, all), 0), run,
                              Cell(number(run) / sending, 2),
                              outcomes.at(operation_key("store_and_forward", i)).cycles});
    }
    table.notes = {
        "Run as: broadcast by dimension_order, scatter binomial, allgather recursive_doubling, "
        "AAP."};
    return table;
}

Table other_operations_table(const Outcomes& outcomes) {
    Table table;
    table.title = fmt::format("The other three operations by algorithm, N = {}, k = {}: cycles",
                              nodes(kOperationSize), kCosts.elements);
    table.source = "Sec. 2";
    table.columns = {"operation", "algorithm",         "links of a message",
                     "circuit",   "store and forward", "store and forward / circuit"};
    for (const OperationRun& run : other_operations(outcomes)) {
        table.rows.push_back({operations()[run.operation].name, run.algorithm, Cell(run.links, 2),
                              run.by_circuit, run.by_storing, Cell(run.ratio(), 2)});
    }
    table.notes = {
        "links of a message: on average. Where it is 1 all messages go to neighbours, and both "
        "methods differ by their headers only."};
    return table;
}

Plot ipsc_plot(const Outcomes& outcomes) {
    Plot plot;
    plot.name = "boppana_eta_ipsc860";
    plot.title = "AAP on the iPSC/860: time over the lower bound (fit valid to 100 bytes)";
    plot.x_label = "bytes per message";
    plot.y_label = "eta";
    plot.log_x = true;
    for (const std::uint32_t n : kIpscSizes) {
        Series model{fmt::format("n = {}, formula", n), {}, false};
        for (double k = 10; k <= 1000; k *= 1.2) {
            const auto bytes = static_cast<Cycle>(k);
            model.points.emplace_back(bytes, ipsc860_total(n, bytes) / ipsc860_bound(n, bytes));
        }
        Series run{fmt::format("n = {}, simulated", n), {}, true};
        for (const Cycle bytes : kIpscBytes) {
            const Outcome& outcome = outcomes.at(ipsc_key("by_size", n, bytes));
            run.points.emplace_back(number(bytes),
                                    kUnit * number(outcome.cycles) / ipsc860_bound(n, bytes));
        }
        plot.series.push_back(std::move(model));
        plot.series.push_back(std::move(run));
    }
    return plot;
}

Plot eta_plot(const Outcomes& outcomes) {
    Plot plot;
    plot.name = "boppana_eta";
    plot.is_in_docs = true;
    plot.title = fmt::format("AAP on {} nodes, xi = 10, tau = 2: time over the lower bound",
                             nodes(kEtaSize));
    plot.x_label = "elements per message";
    plot.y_label = "eta";
    plot.log_x = true;
    Series model{"formula", {}, false};
    for (double k = 10; k <= 3000; k *= 1.2) {
        const auto elements = static_cast<Cycle>(k);
        const Costs costs{kCosts.startup, kCosts.setup, elements};
        const double total = number(total_by_size(kEtaSize, costs));
        model.points.emplace_back(elements, total / number(elements * (nodes(kEtaSize) - 1)));
    }
    Series run{"simulated", {}, true};
    for (const Cycle elements : kEtaElements) {
        run.points.emplace_back(number(elements), simulated_eta(outcomes, elements));
    }
    plot.series = {std::move(model), std::move(run)};
    return plot;
}

Plot variants_plot(const Outcomes& outcomes) {
    Plot plot;
    plot.name = "boppana_variants";
    plot.title = "Time over the lower bound k (N - 1): xi = 10, tau = 2, k = 100";
    plot.x_label = "dimensions";
    plot.y_label = "time / lower bound";
    const auto over_bound = [](std::uint32_t n, Cycle total) {
        return number(total) / number(kCosts.elements * (nodes(n) - 1));
    };
    Series printed{"interleaved, as printed", {}, false};
    for (std::uint32_t n = 2; n <= kLargest; ++n) {
        printed.points.emplace_back(n, over_bound(n, printed_interleaved(n, kCosts)));
    }
    plot.series.push_back(std::move(printed));
    for (const char* algorithm :
         {"by_size", "interleaved", "interleaved_small_first", "interleaved_waiting"}) {
        Series run{algorithm, {}, true};
        for (std::uint32_t n = 2; n <= kLargest; ++n) {
            run.points.emplace_back(n, over_bound(n, outcomes.at(size_key(algorithm, n)).cycles));
        }
        plot.series.push_back(std::move(run));
    }
    return plot;
}

}  // namespace

double simulated_eta(const Outcomes& outcomes, Cycle elements) {
    return number(outcomes.at(eta_key(elements)).cycles) / number(elements * (nodes(kEtaSize) - 1));
}

std::vector<OperationRun> other_operations(const Outcomes& outcomes) {
    std::vector<OperationRun> runs;
    const auto add = [&](std::size_t operation, std::string algorithm, const std::string& circuit,
                         const std::string& stored) {
        const Outcome& by_circuit = outcomes.at(circuit);
        const Outcome& by_storing = outcomes.at(stored);
        // A packet has a flit more than a circuit, its header, on every link that it crosses.
        const double links =
            number(by_storing.flit_hops - by_circuit.flit_hops) / number(by_circuit.messages);
        runs.push_back(
            {operation, std::move(algorithm), by_circuit.cycles, by_storing.cycles, links});
    };
    for (std::size_t i = 0; i + 1 < operations().size(); ++i) {
        add(i, operations()[i].algorithm, operation_key("circuit", i),
            operation_key("store_and_forward", i));
        for (const Alternative& alternative : kAlternatives) {
            if (alternative.operation != i) continue;
            add(i, fmt::format("{} {}", alternative.schedule, alternative.algorithm),
                alternative_key("circuit", alternative),
                alternative_key("store_and_forward", alternative));
        }
    }
    return runs;
}

std::vector<Table> tables(const Outcomes& outcomes, Findings& findings) {
    return {operations_table(outcomes),
            other_operations_table(outcomes),
            by_size_table(outcomes, findings),
            variants_table(outcomes, findings),
            ipsc_table(outcomes),
            switching_table(outcomes)};
}

std::vector<Plot> plots(const Outcomes& outcomes) {
    return {ipsc_plot(outcomes), eta_plot(outcomes), variants_plot(outcomes)};
}

}  // namespace flitscope::reproduce::hypercube_exchange
