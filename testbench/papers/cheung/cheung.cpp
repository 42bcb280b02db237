// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cheung and Lau 1995: computations on meshes with express links, their steps and the cost of these
// when wires are free, when they take time in proportion to their length, and at equal cost.
#include "testbench/papers/cheung/cheung.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/performance/topology_metrics.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/papers/framework/routers.h"
#include "testbench/papers/framework/script.h"
#include "traffic/computations/computations.h"
#include "traffic/computations/grid_computations.h"

namespace flitscope::reproduce {

extern const char* const kCheungScript;  // made by CMake

namespace {

// As in the script.
constexpr int kOneStep = 0;  // instead of a pitch
constexpr std::uint32_t kSmall = 8;
constexpr std::uint32_t kLine = 256;
constexpr const char* kLineRouter = "cheung/line";
/// The meshes that exponents are taken between: N = 1296 and 10000.
constexpr std::uint32_t kExponentRoots[] = {6, 10};
constexpr std::uint32_t kProcessorRoots[] = {2, 3, 4, 5, 6, 7, 8};

/// A network at equal cost, from a record of the script.
struct Network {
    std::string key;
    std::string router;
};

}  // namespace

template <>
Network taken(const Value& value) {
    Network network;
    for (const auto& [field, word] : std::get<Record>(value.is)) {
        if (field == "key") network.key = word.word();
        if (field == "router") network.router = word.word();
    }
    return network;
}

namespace {

// ---- Outcomes by the parts of their keys --------------------------------------------------------

class Measured {
public:
    explicit Measured(const Outcomes& outcomes) : outcomes_(outcomes) {}

    Cycle growth(const Network& network, std::uint32_t s, bool is_linear,
                 std::uint32_t bytes) const {
        return at(growth_key(network, s, bytes), is_linear).cycles;
    }
    /// Nanoseconds with wires of `pitch_mm` millimetres per node pitch; with kOneStep every wire
    /// takes a cycle.
    double ns(const Network& network, std::uint32_t s, int pitch_mm, std::uint32_t bytes) const {
        return nanoseconds(growth_key(network, s, bytes), pitch_mm, network.router);
    }
    double length_ns(std::uint32_t length, int pitch_mm) const {
        return nanoseconds(fmt::format("length/{:03}", length), pitch_mm, kLineRouter);
    }
    /// b in cycles ~ N^b, and in ns ~ N^b.
    double exponent(const Network& network, bool is_linear) const {
        return exponent_of([&](std::uint32_t s) {
            return static_cast<double>(growth(network, s, is_linear, kSmall));
        });
    }
    double exponent_ns(const Network& network, int pitch_mm) const {
        return exponent_of([&](std::uint32_t s) { return ns(network, s, pitch_mm, kSmall); });
    }
    /// "12 and 28": the steps of a computation on n = 16 and 64.
    std::string steps_of(const std::string& computation) const {
        const auto steps = [&](std::uint32_t n) {
            return at(fmt::format("steps/{}/{}", n, computation), false).steps;
        };
        return fmt::format("{} and {}", steps(16), steps(64));
    }
    /// Steps of communication and of local combination together, for `values` on s^4 nodes.
    std::uint32_t total_steps(std::uint32_t s, std::uint32_t values) const {
        const std::uint32_t nodes = s * s * s * s;
        return at(fmt::format("values/{}", s), false).steps + (values + nodes - 1) / nodes - 1;
    }
    /// The number of nodes on which `values` are combined fastest: the root s of P = s^4, among
    /// those measured. The steps on the hardware do not depend on how many values a node has.
    std::uint32_t best_root(std::uint32_t values) const {
        return *std::min_element(std::begin(kProcessorRoots), std::end(kProcessorRoots),
                                 [&](std::uint32_t a, std::uint32_t b) {
                                     return total_steps(a, values) < total_steps(b, values);
                                 });
    }

private:
    static std::string growth_key(const Network& network, std::uint32_t s, std::uint32_t bytes) {
        return fmt::format("growth/{}/{}/{}", network.key, s * s, bytes);
    }
    const Outcome& at(const std::string& key, bool is_linear) const {
        return outcomes_.at("cheung/" + key + (is_linear ? "/linear" : "/constant"));
    }
    double nanoseconds(const std::string& key, int pitch_mm, const std::string& router) const {
        const Outcome& outcome = pitch_mm == kOneStep
                                     ? at(key, false)
                                     : outcomes_.at("cheung/" + key + pitch_key(pitch_mm));
        return static_cast<double>(outcome.cycles) * router_clock_ns(router);
    }
    template <class Time>
    static double exponent_of(const Time& time) {
        const auto [from, to] = kExponentRoots;
        return std::log(time(to) / time(from)) / std::log(std::pow(1.0 * to / from, 4));
    }

    const Outcomes& outcomes_;
};

/// "1.39, 1.67 (enough from N = 625 on)": times as long as on the express mesh, by size.
std::string gains(const Value& ratios, const Value& nodes, double significant) {
    std::vector<std::string> all;
    std::string from;
    for (std::size_t i = 0; i < ratios.list().size(); ++i) {
        const double gain = ratios.list()[i].number();
        all.push_back(fmt::format("{:.2f}", gain));
        if (gain <= significant) {
            from.clear();
        } else if (from.empty()) {
            from = nodes.list().at(i).text();
        }
    }
    return fmt::format("{} ({})", fmt::join(all, ", "),
                       from.empty() ? std::string("not enough at the end")
                                    : fmt::format("enough from N = {} on", from));
}

// ---- Without a simulator ------------------------------------------------------------------------

/// The error of Algorithm 4 as printed on values that must stay in order, or nothing.
std::string fault_as_printed() {
    const Config config = parse_config(
        "fabric: {topology: {kind: express_mesh, dims: [16, 16], segment: 4, layout: sparse}}\n"
        "traffic: {schedule: semigroup, algorithm: row_major_printed, operation: concat}\n",
        "cheung");
    const Computation computation = build_computation(config, build_topology(config));
    const std::vector<std::string> wrong = wrong_results(computation, execute(computation));
    return wrong.empty() ? "" : wrong.front();
}

/// Rounds of median finding over many seeds, by the rule of the nodes: their mean and 95th
/// percentile.
Record rounds(NodeId numbers, std::uint32_t seeds) {
    std::vector<std::uint32_t> all;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        all.push_back(median_rounds(numbers, seed));
        sum += all.back();
    }
    std::sort(all.begin(), all.end());
    return {{"mean", sum / seeds}, {"p95", all[seeds * 95 / 100]}};
}

/// Mean rounds of quickselect for the middle one of `numbers`: one d places from it becomes a pivot
/// when it is the first to be chosen of the d + 1 from there on, with probability 1 / (d + 1).
double expected_rounds(NodeId numbers) {
    double sum = -1;
    for (NodeId k = 1; k <= numbers / 2 + 1; ++k) sum += (k <= numbers / 2 ? 2.0 : 1.0) / k;
    return sum;
}

/// Diameters by the length of the express links, from 2 places to half a line.
class Diameters {
public:
    /// `root`: the length that the paper derives, the root of a line.
    Diameters(std::uint32_t root, std::uint32_t dimensions)
        : root_(root), side_(root * root), dimensions_(dimensions) {
        for (std::uint32_t length = 2; length <= side_ / 2; ++length) {
            const std::string dims =
                dimensions == 1 ? std::to_string(side_) : fmt::format("{0}, {0}", side_);
            const Config config = parse_config(
                fmt::format("fabric: {{topology: {{kind: express_mesh, dims: [{}], segment: {}, "
                            "layout: full}}}}\n",
                            dims, length),
                "cheung");
            diameters_.push_back(measure_topology(build_topology(config)).diameter);
        }
    }

    std::uint32_t at(std::uint32_t length) const { return diameters_.at(length - 2); }
    std::uint32_t at_root() const { return at(root_); }
    std::uint32_t least() const { return *std::min_element(diameters_.begin(), diameters_.end()); }
    std::vector<std::uint32_t> best() const {
        std::vector<std::uint32_t> lengths;
        for (std::uint32_t length = 2; length <= side_ / 2; ++length) {
            if (at(length) == least()) lengths.push_back(length);
        }
        return lengths;
    }
    std::string name() const {
        return dimensions_ == 1 ? fmt::format("a line of {}", side_)
                                : fmt::format("{0} x {0}", side_);
    }
    /// "30 with 14, 18 against 37 with 16 on a line of 256".
    std::string minimum() const {
        return fmt::format("{} with {} against {} with {} on {}", least(), fmt::join(best(), ", "),
                           at_root(), root_, name());
    }
    Record record(std::size_t number) const {
        return {{"name", name()},       {"number", number},
                {"root", root_},        {"nodes", std::pow(side_, dimensions_)},
                {"least", least()},     {"best", best()},
                {"at_root", at_root()}, {"minimum", minimum()}};
    }

private:
    std::uint32_t root_;
    std::uint32_t side_;
    std::uint32_t dimensions_;
    std::vector<std::uint32_t> diameters_;
};

/// Lines and squares, of each a small one and a larger one, so that growth shows.
const std::vector<Diameters>& diameters() {
    static const std::vector<Diameters> kAll = {Diameters(8, 1), Diameters(16, 1), Diameters(4, 2),
                                                Diameters(8, 2)};
    return kAll;
}

List diameter_records() {
    List all;
    for (const Diameters& of : diameters()) all.emplace_back(of.record(all.size()));
    return all;
}

// ---- The names of the script --------------------------------------------------------------------

Names formulas() {
    Names names;
    names.set("ns_per_mm", LinkDelayConfig().ns_per_mm);
    names.define("median_rounds", median_rounds);
    names.define("rounds", rounds);
    names.define("expected_rounds", expected_rounds);
    names.define("fault_as_printed", fault_as_printed);
    names.define("diameters", diameter_records);
    names.define("diameter_of",
                 [](std::size_t number) { return diameters().at(number).record(number); });
    names.define("diameter", [](std::size_t number, std::uint32_t length) {
        return diameters().at(number).at(length);
    });
    names.define("gains", gains);
    names.define("router_clock_ns", router_clock_ns);
    names.define("router_name", router_name);
    names.define("router_turns", router_turns);
    names.define("pitch_key", pitch_key);
    names.define("physical_wires", physical_wires);
    return names;
}

std::vector<Experiment> experiments() { return scripted_experiments(kCheungScript, formulas()); }

Report report(const Outcomes& outcomes, const Wanted& wanted) {
    const Measured measured(outcomes);
    using Of = const Network&;
    Names names = formulas();
    names.define("growth", [&](Of network, std::uint32_t s, bool is_linear, std::uint32_t bytes) {
        return measured.growth(network, s, is_linear, bytes);
    });
    names.define("ns", [&](Of network, std::uint32_t s, int pitch_mm, std::uint32_t bytes) {
        return measured.ns(network, s, pitch_mm, bytes);
    });
    names.define("length_ns", [&](std::uint32_t length, int pitch_mm) {
        return measured.length_ns(length, pitch_mm);
    });
    names.define("exponent",
                 [&](Of network, bool is_linear) { return measured.exponent(network, is_linear); });
    names.define("exponent_ns",
                 [&](Of network, int pitch_mm) { return measured.exponent_ns(network, pitch_mm); });
    names.define("steps_of", [&](const std::string& key) { return measured.steps_of(key); });
    names.define("total_steps", [&](std::uint32_t s, std::uint32_t values) {
        return measured.total_steps(s, values);
    });
    names.define("best_root", [&](std::uint32_t values) { return measured.best_root(values); });
    return scripted_report(kCheungScript, names, outcomes, wanted);
}

}  // namespace

Paper cheung() {
    return {"cheung",
            "S. Cheung and F. C. M. Lau, Efficient Computations on Meshes with Express Links, 1995",
            experiments, report};
}

}  // namespace flitscope::reproduce
