// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What Section 3 of Cheung and Lau 1995 claims: the best length of express links, which it derives
// from the diameter, and what these links are worth beside an ordinary mesh.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/performance/topology_metrics.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/papers/cheung/cheung_report.h"

namespace flitscope::reproduce::cheung_lau {
namespace {

using Lengths = std::vector<std::uint32_t>;

/// The lengths with the least of what `count` counts.
Lengths best_of(const Lengths& lengths, const std::function<double(std::uint32_t)>& count) {
    Lengths best;
    double least = 0;
    for (const std::uint32_t length : lengths) {
        const double counted = count(length);
        if (!best.empty() && counted > least) continue;
        if (!best.empty() && counted < least) best.clear();
        least = counted;
        best.push_back(length);
    }
    return best;
}

bool has(const Lengths& lengths, std::uint32_t length) {
    return std::find(lengths.begin(), lengths.end(), length) != lengths.end();
}

// ---- Diameters ----------------------------------------------------------------------------------

/// Diameters by the length of the express links, from 2 places to half a line.
class Diameters {
public:
    /// `root`: the length that the paper derives, the root of a line.
    Diameters(std::uint32_t root, std::uint32_t dimensions)
        : root_(root), side_(root * root), dimensions_(dimensions) {
        for (std::uint32_t length = 2; length <= side_ / 2; ++length) {
            const std::string dims = dimensions == 1 ? std::to_string(side_) : square(side_);
            const Config config = parse_config(
                fmt::format("fabric: {{topology: {{{}}}}}\n", express(dims, length)), "cheung");
            lengths_.push_back(length);
            diameters_.push_back(measure_topology(build_topology(config)).diameter);
        }
    }

    std::uint32_t root() const { return root_; }
    std::uint32_t at(std::uint32_t length) const { return diameters_.at(length - 2); }
    std::uint32_t least() const { return *std::min_element(diameters_.begin(), diameters_.end()); }
    Lengths best() const {
        return best_of(lengths_, [this](std::uint32_t length) { return at(length); });
    }
    double nodes() const { return std::pow(side_, dimensions_); }
    std::string name() const {
        return dimensions_ == 1 ? fmt::format("a line of {}", side_)
                                : fmt::format("{0} x {0}", side_);
    }

private:
    std::uint32_t root_;
    std::uint32_t side_;
    std::uint32_t dimensions_;
    Lengths lengths_;
    Lengths diameters_;
};

/// Lines and squares, of each a small one and a larger one, so that growth shows.
const std::vector<Diameters>& diameters() {
    static const std::vector<Diameters> kAll = {Diameters(8, 1), Diameters(16, 1), Diameters(4, 2),
                                                Diameters(8, 2)};
    return kAll;
}
const Diameters& line_diameters() { return diameters()[1]; }
const Diameters& square_diameters() { return diameters()[3]; }

/// b in diameter ~ N^b, from the smaller network to the larger, of least diameters.
double exponent(const Diameters& smaller, const Diameters& larger) {
    return std::log(1.0 * larger.least() / smaller.least()) /
           std::log(larger.nodes() / smaller.nodes());
}

/// The diameter with the derived length over the least.
double excess(const Diameters& of) { return 1.0 * of.at(of.root()) / of.least(); }

std::string minimum_of(const Diameters& of) {
    return fmt::format("{} with {} against {} with {} on {}", of.least(),
                       fmt::join(of.best(), ", "), of.at(of.root()), of.root(), of.name());
}

// ---- Improvement over the mesh ------------------------------------------------------------------

constexpr double kSignificant = 1.5;

std::uint32_t nodes_of(std::uint32_t s) { return s * s * s * s; }

/// A way to run the comparison.
struct Measure {
    bool is_linear;
    std::uint32_t bytes;

    std::string name() const {
        return fmt::format("{} bytes{}", bytes, is_linear ? " with linear wire delay" : "");
    }
    /// Times as long as on the express mesh.
    double ratio(const Measured& measured, const char* network, std::uint32_t s) const {
        return static_cast<double>(measured.growth(network, s, is_linear, bytes)) /
               static_cast<double>(measured.growth("express", s, is_linear, bytes));
    }
};
constexpr Measure kMeasures[] = {{false, kSmall}, {true, kSmall}, {false, kLarge}, {true, kLarge}};

/// "1.39, 1.67 (enough from N = 625 on)": times as long on the mesh as on the express mesh.
std::string gains(const std::function<double(std::uint32_t)>& of_root) {
    std::vector<std::string> all;
    std::uint32_t from = 0;
    for (const std::uint32_t s : kClaimedRoots) {
        const double gain = of_root(s);
        all.push_back(text(gain));
        if (gain <= kSignificant) {
            from = 0;
        } else if (from == 0) {
            from = nodes_of(s);
        }
    }
    return fmt::format("{} ({})", fmt::join(all, ", "),
                       from == 0 ? std::string("not enough at the end")
                                 : fmt::format("enough from N = {} on", from));
}

/// Up to which N the folded torus is faster than the express mesh.
std::string lead_of_torus(const Measured& measured, const Measure& measure) {
    std::uint32_t last = 0;
    for (const std::uint32_t s : kClaimedRoots) {
        if (measure.ratio(measured, "torus", s) < 1) last = nodes_of(s);
    }
    return last == 0 ? fmt::format("nowhere for {}", measure.name())
                     : fmt::format("up to N = {} for {}", last, measure.name());
}

std::string of_measures(const std::function<std::string(const Measure&)>& text_of) {
    std::vector<std::string> all;
    for (const Measure& measure : kMeasures) all.push_back(text_of(measure));
    return fmt::format("{}", fmt::join(all, "; "));
}

PhysicalFinding physical_cost(const Measured& measured) {
    const auto ratio = [&](const char* network, std::uint32_t s, int pitch, std::uint32_t bytes) {
        return measured.ns(network, s, pitch, bytes) / measured.ns("express", s, pitch, bytes);
    };
    Cases cases;
    std::vector<std::string> ranges;
    for (const std::uint32_t bytes : {kSmall, kLarge}) {
        for (const int pitch : kPitchesMm) {
            const auto of_mesh = [&](std::uint32_t s) { return ratio("mesh", s, pitch, bytes); };
            for (const std::uint32_t s : kClaimedRoots) cases.add(of_mesh(s) > kSignificant);
            ranges.push_back(fmt::format("{} for {} bytes at {} mm", gains(of_mesh), bytes, pitch));
        }
    }
    const auto on_4096 = [&](const char* network) {
        const auto at = [&](std::uint32_t bytes) {
            return by_pitch(
                [&](int pitch) { return text(ratio(network, kPhysicalRoot, pitch, bytes)); });
        };
        return fmt::format("{} for {} bytes and {} for {}", at(kSmall), kSmall, at(kLarge), kLarge);
    };
    const auto period = [](const char* network) {
        return router_clock_ns(network_of(network).router);
    };
    return {cases,
            fmt::format("On the same N the mesh (clock {} ns) takes more than {} times as long as "
                        "the express mesh ({} ns) in {} cases: {}. On N = {} the torus ({} ns, for "
                        "its two virtual channels) takes {} times as long, a HOW of window 3 ({} "
                        "ns) {}.",
                        period("mesh"), kSignificant, period("express"), cases.text(),
                        fmt::join(ranges, "; "), nodes_of(kPhysicalRoot), period("torus"),
                        on_4096("torus"), period("how"), on_4096("how"))};
}

}  // namespace

Table diameter_table() {
    Table table;
    table.title = "Diameter by the length of the express links";
    table.source = "Section 3; shortest paths, no simulation";
    table.columns = {"L"};
    for (const Diameters& of : diameters()) table.columns.push_back(of.name());
    for (const std::uint32_t length : {2U,  3U,  4U,  5U,  6U,  7U,  8U,  9U,  10U, 12U,
                                       14U, 15U, 16U, 17U, 18U, 20U, 24U, 32U, 64U, 128U}) {
        std::vector<Cell> row = {length};
        for (const Diameters& of : diameters()) {
            // No express link is longer than half a line.
            row.push_back(2 * length > of.root() * of.root() ? Cell() : Cell(of.at(length)));
        }
        table.rows.push_back(std::move(row));
    }
    std::vector<std::string> minima;
    for (const Diameters& of : diameters()) minima.push_back(minimum_of(of));
    table.notes = {
        fmt::format("The least of all lengths against that of the length which the "
                    "paper derives: {}.",
                    fmt::join(minima, "; "))};
    return table;
}

Conclusion conclusion_on_lengths(const Measured& measured) {
    const auto cycles = [&](bool is_linear) {
        return [&measured, is_linear](std::uint32_t length) {
            return static_cast<double>(measured.at(length_key(length), is_linear).cycles);
        };
    };
    const auto steps = [&](std::uint32_t length) {
        return measured.at(length_key(length), false).steps;
    };
    const auto in_ns = [&](int pitch) {
        return
            [&measured, pitch](std::uint32_t length) { return measured.length_ns(length, pitch); };
    };
    const std::uint32_t root = line_diameters().root();
    const Lengths by_steps = best_of(kLengths, steps);
    const Lengths by_cycles = best_of(kLengths, cycles(false));
    const Lengths linear = best_of(kLengths, cycles(true));
    const Cases measures{has(by_steps, root), has(by_cycles, root),
                         has(line_diameters().best(), root),
                         has(square_diameters().best(), square_diameters().root())};
    Conclusion conclusion{
        "The best length of the express links is N^1/2 on a line and N^1/4 on a square", "3",
        measures,
        fmt::format(
            "By {} measures: steps and cycles of Algorithm 1 on a line, diameters of a line and a "
            "square. On {} nodes the fewest steps, {}, are those of length {}. The cycles are "
            "fewest, {}, with lengths {}, where steps overlap; with linear wire delay with {}: {} "
            "cycles, and {} with {}. The diameter, from which the paper derives the length, is {}; "
            "{}. With the derived length it is {} and {} times the least, of the claimed order but "
            "not the minimum: from {} to {} nodes the least diameter grows as N^{} on lines, from "
            "{} to {} as N^{} on squares.",
            measures.text(), kLine, steps(by_steps.front()), fmt::join(by_steps, ", "),
            cycles(false)(by_cycles.front()), fmt::join(by_cycles, ", "), fmt::join(linear, ", "),
            cycles(true)(linear.front()), cycles(true)(root), root, minimum_of(line_diameters()),
            minimum_of(square_diameters()), text(excess(line_diameters())),
            text(excess(square_diameters())), diameters()[0].nodes(), diameters()[1].nodes(),
            text(exponent(diameters()[0], diameters()[1])), diameters()[2].nodes(),
            diameters()[3].nodes(), text(exponent(diameters()[2], diameters()[3])))};
    const auto best_ns = [&](int pitch) { return best_of(kLengths, in_ns(pitch)); };
    conclusion.physical = {
        over_pitches([&](int pitch) { return has(best_ns(pitch), root); }),
        fmt::format(
            "The least time of Algorithm 1 on the line: {}; with length {} {}, and {} where "
            "any wire takes a cycle.",
            by_pitch([&](int pitch) {
                return fmt::format("{} with {}", whole(in_ns(pitch)(best_ns(pitch).front())),
                                   fmt::join(best_ns(pitch), ", "));
            }),
            root, by_pitch([&](int pitch) {
                const double ns = in_ns(pitch)(root);
                return fmt::format("{} ({:+.1f} %)", whole(ns),
                                   100 * (ns / in_ns(pitch)(best_ns(pitch).front()) - 1));
            }),
            whole(in_ns(kOneStep)(root)))};
    return conclusion;
}

Conclusion conclusion_at_equal_cost(const Measured& measured) {
    Cases cases;
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t s : kClaimedRoots) {
        nodes.push_back(nodes_of(s));
        for (const Measure& measure : kMeasures) {
            cases.add(measure.ratio(measured, "mesh", s) > kSignificant);
        }
    }
    const auto of_how = [&](const Measure& measure) {
        return text(measure.ratio(measured, "how", kPhysicalRoot));
    };
    Conclusion conclusion{
        "Express links are a significant improvement over ordinary meshes from a few hundred to "
        "tens of thousands of nodes (here at equal cost in pins)",
        "3", cases,
        fmt::format(
            "With {} wires per node, on N = {} the mesh takes more than {} times the "
            "cycles of the express mesh in {} cases: {}. The folded torus, of the same "
            "cost, is faster than the express mesh {}. A HOW of window 3 takes {} times as "
            "long on N = {} for {} bytes and {} for {}.",
            kPins, fmt::join(nodes, ", "), kSignificant, cases.text(),
            of_measures([&](const Measure& m) {
                const auto of_mesh = [&](std::uint32_t s) { return m.ratio(measured, "mesh", s); };
                return fmt::format("{} for {}", gains(of_mesh), m.name());
            }),
            of_measures([&](const Measure& m) { return lead_of_torus(measured, m); }),
            of_how(kMeasures[0]), nodes_of(kPhysicalRoot), kSmall, of_how(kMeasures[2]), kLarge)};
    conclusion.physical = physical_cost(measured);
    return conclusion;
}

}  // namespace flitscope::reproduce::cheung_lau
