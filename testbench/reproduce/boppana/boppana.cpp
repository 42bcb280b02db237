// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Boppana and Raghavendra 1990: algorithm AAP and its interleaved variant with circuit switching.
#include "testbench/reproduce/boppana/boppana.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "testbench/reproduce/boppana/boppana_formulas.h"
#include "testbench/reproduce/frame/paper.h"

namespace flitscope::reproduce {
namespace {

using namespace aap_forms;

constexpr Costs kCosts;
constexpr std::uint32_t kLargest = 8;  ///< dimensions
const std::vector<std::string> kVariants = {"interleaved", "interleaved_small_first",
                                            "interleaved_waiting"};
const std::vector<std::uint32_t> kIpscSizes = {3, 5, 7};
const std::vector<Cycle> kIpscBytes = {10, 20, 50, 100};

// ---- Experiments --------------------------------------------------------------------------------

/// Flits of the smallest width; `elements` of them are the payload of a message.
std::string machine_yaml(std::uint32_t n, const Costs& costs, const std::string& fabric,
                         const std::string& traffic) {
    return fmt::format(
        "fabric: {{topology: {{kind: hypercube, dimensions: {}}}, flit_bits: 16, {}}}\n"
        "node: {{send_startup: {}}}\n"
        "traffic: {{message_bytes: {}, {}}}\n",
        n, fabric, costs.startup, 2 * costs.elements, traffic);
}

std::string circuits(const Costs& costs) {
    return fmt::format("switching: circuit, setup_delay: {}", costs.setup);
}

/// The same time per link: tau in the router, and one cycle on the wire.
std::string packets(const std::string& switching, const Costs& costs, Cycle depth) {
    return fmt::format("switching: {}, router_delay: {}, buffer_depth: {}", switching, costs.setup,
                       depth);
}

std::string aap_traffic(const std::string& algorithm) {
    return "schedule: aap, algorithm: " + algorithm;
}

/// In seconds, by flits and links.
double weight(std::uint32_t n, const Costs& costs) {
    const auto hops = static_cast<double>(nodes(n) * nodes(n) * n / 2 * costs.elements);
    return 0.02 + hops / 8e6;
}

std::string size_key(const char* algorithm, std::uint32_t n) {
    return fmt::format("boppana/{}/{}", algorithm, n);
}
std::string eta_key(Cycle elements) { return fmt::format("boppana/eta/{}", elements); }
std::string ipsc_key(const std::string& algorithm, std::uint32_t n, Cycle bytes) {
    return fmt::format("boppana/ipsc860/{}/{}/{}", algorithm, n, bytes);
}
std::string switching_key(const char* switching, std::uint32_t n) {
    return fmt::format("boppana/{}/aap/{}", switching, n);
}

struct Operation {
    const char* name;
    const char* traffic;
    bool sends_all;  ///< a node sends, or receives, N - 1 messages
    const char* bandwidth;
    double (*bandwidth_bound)(double k, double n, double nodes);
};

const std::vector<Operation>& operations() {
    static const std::vector<Operation> kAll = {
        {"one-to-all broadcast", "schedule: broadcast, algorithm: dimension_order", false, "k/n",
         [](double k, double n, double) { return k / n; }},
        {"one-to-all personalized", "schedule: scatter, algorithm: binomial", true, "k/2",
         [](double k, double, double) { return k / 2; }},
        {"all-to-all broadcast", "schedule: allgather, algorithm: recursive_doubling", true,
         "k(N-1)/n", [](double k, double n, double nodes) { return k * (nodes - 1) / n; }},
        {"all-to-all personalized", "schedule: aap, algorithm: by_size", true, "kN/2",
         [](double k, double, double nodes) { return k * nodes / 2; }}};
    return kAll;
}
constexpr std::uint32_t kOperationSize = 5;

std::string operation_key(const char* switching, std::size_t number) {
    return fmt::format("boppana/table1/{}/{}", switching, number);
}

const std::vector<Cycle> kEtaElements = {10, 30, 100, 300, 1000, 3000};
constexpr std::uint32_t kEtaSize = 5;
constexpr std::uint32_t kLargestOfPackets = 6;

/// Of the runs whose time the conclusions split by cause.
std::vector<std::string> keys_with_causes() {
    return {size_key("by_size", kLargest),
            size_key("interleaved", kLargest),
            size_key("interleaved_waiting", kLargest),
            ipsc_key("by_size", 7, 100),
            ipsc_key("interleaved", 7, 100),
            ipsc_key("interleaved_waiting", 7, 100),
            size_key("by_size", kLargestOfPackets),
            switching_key("wormhole", kLargestOfPackets),
            switching_key("store_and_forward", kLargestOfPackets)};
}

std::vector<Experiment> experiments() {
    std::vector<Experiment> all;
    const auto add = [&all](std::string key, std::string yaml, double seconds) {
        all.push_back({std::move(key), std::move(yaml), "auto", seconds});
    };
    const auto add_aap = [&add](std::string key, std::uint32_t n, const Costs& costs,
                                const std::string& algorithm) {
        add(std::move(key), machine_yaml(n, costs, circuits(costs), aap_traffic(algorithm)),
            weight(n, costs));
    };
    for (std::uint32_t n = 2; n <= kLargest; ++n) {
        add_aap(size_key("by_size", n), n, kCosts, "by_size");
        for (const std::string& variant : kVariants) {
            add_aap(size_key(variant.c_str(), n), n, kCosts, variant);
        }
    }
    for (const Cycle elements : kEtaElements) {
        add_aap(eta_key(elements), kEtaSize, {kCosts.startup, kCosts.setup, elements}, "by_size");
    }
    for (const std::uint32_t n : kIpscSizes) {
        for (const Cycle bytes : kIpscBytes) {
            add_aap(ipsc_key("by_size", n, bytes), n, ipsc860(bytes), "by_size");
        }
    }
    for (const std::string& variant : kVariants) {
        add_aap(ipsc_key(variant, 7, 100), 7, ipsc860(100), variant);
    }
    for (std::uint32_t n = 2; n <= kLargestOfPackets; ++n) {
        for (const char* switching : {"wormhole", "store_and_forward"}) {
            const Cycle depth = std::string(switching) == "wormhole" ? 8 : kCosts.elements + 1;
            add(switching_key(switching, n),
                machine_yaml(n, kCosts, packets(switching, kCosts, depth), aap_traffic("by_size")),
                weight(n, kCosts));
        }
    }
    const Cycle longest = nodes(kOperationSize) / 2 * kCosts.elements + 1;
    for (std::size_t i = 0; i < operations().size(); ++i) {
        const std::string traffic = operations()[i].traffic;
        const std::uint32_t n = kOperationSize;
        add(operation_key("circuit", i), machine_yaml(n, kCosts, circuits(kCosts), traffic), 0.1);
        add(operation_key("store_and_forward", i),
            machine_yaml(n, kCosts, packets("store_and_forward", kCosts, longest), traffic), 0.1);
    }
    record_causes(all, keys_with_causes());
    return all;
}

// ---- Report -------------------------------------------------------------------------------------

double number(Cycle value) { return static_cast<double>(value); }

/// What the measured totals come to, for the conclusions.
struct Findings {
    double worst_by_size = 0;    ///< error against the closed form
    double worst_variants = 0;   ///< against the corrected forms
    double worst_wait = 0;       ///< cycles: mean latency of a message against its closed form
    bool printed_is_met = true;  ///< T_aap' by the best variant, for every n > 3
};

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
        findings.worst_wait = std::max(findings.worst_wait, std::abs(run.mean_latency - message));
        table.rows.push_back({n, run.steps, model, run.cycles,
                              relative_error(number(run.cycles), number(model)),
                              Cell(number(model) / bound, 4), Cell(number(run.cycles) / bound, 4),
                              Cell(message, 2), Cell(run.mean_latency, 2)});
    }
    table.notes = {
        "mean message: cycles from the begin of a send to its tail. It is the closed form of a "
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
            const Cycle run = outcomes.at(size_key(variant.c_str(), n)).cycles;
            const Cycle model = model_of(variant, n, kCosts);
            const double error = number(run) / number(model) - 1;
            findings.worst_variants = std::max(findings.worst_variants, std::abs(error));
            best = std::min(best, run);
            row.insert(row.end(), {model, run, relative_error(number(run), number(model))});
        }
        if (n > 3 && best > printed) findings.printed_is_met = false;
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

double simulated_eta(const Outcomes& outcomes, Cycle elements) {
    return number(outcomes.at(eta_key(elements)).cycles) / number(elements * (nodes(kEtaSize) - 1));
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

Finding finding(bool holds) { return holds ? Finding::kConfirmed : Finding::kRefuted; }

std::vector<Conclusion> conclusions(const Outcomes& outcomes, const Findings& findings) {
    std::vector<Conclusion> all;
    constexpr double kExact = 1e-9;
    const auto met = [](double error) {
        return error < kExact ? std::string("to the cycle")
                              : fmt::format("within {:.2f} %", 100 * error);
    };
    const bool nobody_waits = findings.worst_wait < kExact;
    const Breakdown plain =
        outcomes.breakdown(size_key("by_size", kLargest), fmt::format("n = {}, by size", kLargest));
    const Breakdown in_pairs = outcomes.breakdown(size_key("interleaved", kLargest),
                                                  fmt::format("n = {}, in pairs", kLargest));
    const Breakdown with_waits =
        outcomes.breakdown(size_key("interleaved_waiting", kLargest),
                           fmt::format("n = {}, headers that wait", kLargest));
    const auto overhead = [](const Breakdown& run) {
        return run.cycles({Cause::kStartup, Cause::kSetUp});
    };
    all.push_back(
        {"The paths of every step are edge-disjoint, so a step takes as long as one message.",
         "3.1",
         finding(nobody_waits),
         fmt::format("For 2 to {} dimensions the mean time of a message {} that of one that meets "
                     "nobody{}.",
                     kLargest,
                     nobody_waits
                         ? "is exactly"
                         : fmt::format("differs by up to {:.2f} cycles from", findings.worst_wait),
                     nobody_waits ? ": no header ever waits" : ""),
         {plain},
         fmt::format("{} cycles of the path are spent behind another message.",
                     plain.cycles(kHeldUp))});
    all.push_back(
        {"AAP takes k(N-1) + (xi-1)(N-1) + (1+tau) nN/2.",
         "3.2",
         finding(findings.worst_by_size < kExact),
         fmt::format("The simulated hardware meets it {} for 2 to {} dimensions; it takes "
                     "{} cycles for n = {}.",
                     met(findings.worst_by_size), kLargest,
                     outcomes.at(size_key("by_size", kLargest)).cycles, kLargest),
         {plain},
         fmt::format(
             "The path has the terms of the formula: {} cycles of startup, xi (N - 1) = {}; "
             "{} of set-up, tau nN/2 = {}; in the other {} flits move.",
             plain.cycles({Cause::kStartup}), kCosts.startup * (nodes(kLargest) - 1),
             plain.cycles({Cause::kSetUp}), kCosts.setup * kLargest * nodes(kLargest) / 2,
             plain.cycles({Cause::kBody, Cause::kMoving}))});
    const double short_eta = simulated_eta(outcomes, kEtaElements.front());
    const double long_eta = simulated_eta(outcomes, kEtaElements.back());
    all.push_back(
        {"For long messages eta approaches 1.", "3.2",
         finding(long_eta < 1.01 && short_eta > long_eta),
         fmt::format("On {} nodes measured eta falls from {:.3f} for {} elements to {:.3f} "
                     "for {}.",
                     nodes(kEtaSize), short_eta, kEtaElements.front(), long_eta,
                     kEtaElements.back())});

    const double ipsc = kUnit * number(outcomes.at(ipsc_key("by_size", 7, 100)).cycles);
    const double eta = ipsc / ipsc860_bound(7, 100);
    const bool as_printed = std::abs(eta - 3.37) < 0.005;
    all.push_back(
        {"On 128 nodes of an iPSC/860, 100 bytes per message, AAP is within a factor of 4 "
         "of the lower bound: eta = 3.37.",
         "3.2",
         eta > 4      ? Finding::kRefuted
         : as_printed ? Finding::kConfirmed
                      : Finding::kPartly,
         fmt::format("{:.1f} us, eta = {:.4f}: within the factor{}.", ipsc, eta,
                     as_printed ? "" : ", but the printed third digit is wrong")});

    const Cycle by_size = outcomes.at(size_key("by_size", kLargest)).cycles;
    const Cycle pairs = outcomes.at(size_key("interleaved", kLargest)).cycles;
    const Cycle waiting = outcomes.at(size_key("interleaved_waiting", kLargest)).cycles;
    const Cycle printed = printed_interleaved(kLargest, kCosts);
    const auto [disjoint, transitions] = disjoint_transitions(kLargest);
    all.push_back(
        {"Interleaved with their duals, all steps but the first two have their set-up "
         "hidden: T_aap'.",
         "3.3",
         finding(findings.printed_is_met),
         fmt::format("Only {} of {} transitions for n = {} are between disjoint steps. "
                     "Measured {} cycles in pairs and {} with headers that wait, {} as "
                     "printed; the corrected forms are met {}.",
                     disjoint, transitions, kLargest, pairs, waiting, printed,
                     met(findings.worst_variants)),
         {in_pairs, with_waits},
         fmt::format(
             "What is hidden is not on the path: of {} cycles of set-up {} are left in "
             "pairs and {} with headers that wait. Their headers are held up for {:.1f} and "
             "{:.1f} % of the time by messages that still send, and are set up meanwhile.",
             plain.cycles({Cause::kSetUp}), in_pairs.cycles({Cause::kSetUp}),
             with_waits.cycles({Cause::kSetUp}), 100 * in_pairs.share(kHeldUp),
             100 * with_waits.share(kHeldUp))});
    const auto saved = [](Cycle before, Cycle after) {
        return 100 * (1 - number(after) / number(before));
    };
    all.push_back(
        {"Interleaving reduces the effect of the overheads.",
         "3.3",
         finding(pairs < by_size && waiting < pairs),
         fmt::format("For n = {} it saves {:.1f} % of the time in pairs and {:.1f} % with "
                     "headers that wait.",
                     kLargest, saved(by_size, pairs), saved(by_size, waiting)),
         {plain},
         fmt::format("Startup and set-up take {} of its cycles; {} are left on the path in pairs, "
                     "{} with headers that wait.",
                     overhead(plain), overhead(in_pairs), overhead(with_waits))});
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
    all.push_back(
        {"Where messages are too short to hide a set-up (k <= xi + (n-1) tau), the "
         "overhead is still reduced.",
         "3.3",
         finding(ipsc_pairs < ipsc_plain),
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
             100 * short_waits.share(kHeldUp))});

    const Cycle stored = outcomes.at(switching_key("store_and_forward", kLargestOfPackets)).cycles;
    const Cycle circuit = outcomes.at(size_key("by_size", kLargestOfPackets)).cycles;
    const auto switched = [&](const std::string& key, const char* name) {
        return outcomes.breakdown(key, fmt::format("n = {}, {}", kLargestOfPackets, name));
    };
    const Breakdown by_circuit = switched(size_key("by_size", kLargestOfPackets), "circuits");
    const Breakdown by_wormhole =
        switched(switching_key("wormhole", kLargestOfPackets), "wormhole");
    const Breakdown by_storing =
        switched(switching_key("store_and_forward", kLargestOfPackets), "store and forward");
    all.push_back(
        {"Circuit switching (or wormhole routing) avoids the delays of store and forward "
         "where messages pass through nodes.",
         "1",
         finding(stored > circuit),
         fmt::format("On {} nodes the exchange takes {:.2f} times as long by store and "
                     "forward, {:.2f} times by wormhole.",
                     nodes(kLargestOfPackets), number(stored) / number(circuit),
                     number(outcomes.at(switching_key("wormhole", kLargestOfPackets)).cycles) /
                         number(circuit)),
         {by_circuit, by_wormhole, by_storing},
         fmt::format(
             "{} cycles of store and forward are spent storing packets on their way, {:.0f} "
             "% of the {} that it takes longer than circuits.",
             by_storing.cycles({Cause::kStore}),
             100 * number(by_storing.cycles({Cause::kStore})) / number(stored - circuit),
             stored - circuit)});
    double farthest = 0;
    for (std::size_t i = 0; i + 1 < operations().size(); ++i) {
        const double ratio = number(outcomes.at(operation_key("store_and_forward", i)).cycles) /
                             number(outcomes.at(operation_key("circuit", i)).cycles);
        farthest = std::max(farthest, std::abs(ratio - 1));
    }
    all.push_back(
        {"For the other three operations circuit switching takes about as long as "
         "store and forward with one port.",
         "2", finding(farthest < 0.1),
         fmt::format("On {} nodes the three differ by {:.1f} % at most.", nodes(kOperationSize),
                     100 * farthest)});
    return all;
}

Report report(const Outcomes& outcomes) {
    Report report;
    Findings findings;
    report.tables = {operations_table(outcomes), by_size_table(outcomes, findings),
                     variants_table(outcomes, findings), ipsc_table(outcomes),
                     switching_table(outcomes)};
    report.plots = {ipsc_plot(outcomes), eta_plot(outcomes), variants_plot(outcomes)};
    report.conclusions = conclusions(outcomes, findings);
    return report;
}

}  // namespace

Paper boppana() {
    return {"boppana",
            "R. V. Boppana and C. S. Raghavendra, On Optimal and Practical Routing Methods for a "
            "Massive Data Movement Operation on Hypercubes, USC CENG 90-20, 1990",
            experiments, report};
}

}  // namespace flitscope::reproduce
