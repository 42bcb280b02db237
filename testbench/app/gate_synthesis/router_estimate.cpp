// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/router_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "hw/verilated/built_routers.h"
#include "models/routing/turns.h"
#include "testbench/app/gate_synthesis/linear_fit.h"
#include "testbench/app/gate_synthesis/synthesis_cache.h"

namespace flitscope {
namespace {

using Terms = std::vector<double>;

struct Size {
    double vcs, depth, bits, entries;
    double ports = 0;    ///< input ports
    double turns = 0;    ///< pairs of an input and an output port
    double sources = 0;  ///< the most input ports with a turn to the same output port
};

Size size_of(const hw::RtlVariant& v) {
    Size size{static_cast<double>(v.virtual_channels), static_cast<double>(v.depth),
              static_cast<double>(v.flit_bits), static_cast<double>(v.table_entries)};
    const Turns turns = turns_of_hex(v.ports, v.turns);
    for (PortId port = 0; port < v.ports; ++port) {
        double to = 0;
        double from = 0;
        for (PortId other = 0; other < v.ports; ++other) {
            to += turns.has(port, other) ? 1 : 0;
            from += turns.has(other, port) ? 1 : 0;
        }
        size.ports += to > 0 ? 1 : 0;
        size.turns += to;
        size.sources = std::max(size.sources, from);
    }
    return size;
}

/// Sequential allocation, that is one virtual channel of an output after the other.
bool has_chain(const hw::RtlVariant& v) { return v.virtual_channels > 1 && !v.combined; }

/// Buffers, the marks and pointers of their flits, the fronts of FIFOs, the crossbar, the
/// allocators, the fixed cost of a FIFO whatever its width and depth, and the table of routes that
/// every input port reads.
Terms gates(const hw::RtlVariant& v) {
    const Size s = size_of(v);
    const double inputs = s.ports * s.vcs;
    return {inputs * s.depth * s.bits,
            inputs * s.depth,
            inputs * s.bits,
            s.turns * s.bits,
            s.turns * s.vcs * s.vcs,
            has_chain(v) ? s.turns * s.vcs * s.vcs : 0,
            inputs,
            s.ports * s.entries};
}

/// Arbiters are trees over ports and virtual channels; a chain has one over the ports per virtual
/// channel. With a single one there is nothing to allocate.
Terms path(const hw::RtlVariant& v) {
    const Size s = size_of(v);
    const double chain = has_chain(v) ? std::log2(s.sources) : 0;
    return {1,     std::log2(s.sources), std::log2(s.vcs),        s.vcs > 1 ? 1.0 : 0.0,
            chain, chain * (s.vcs - 1),  std::log2(1 + s.entries)};
}

double energy_pj(const SynthesisResult& r) { return r.power_mw * r.power_period_ns; }

struct Quantity {
    Terms (*terms)(const hw::RtlVariant&);
    std::function<double(const SynthesisResult&)> value;
};

const std::array<Quantity, 3>& quantities() {
    static const std::array<Quantity, 3> all = {
        {{gates, [](const SynthesisResult& r) { return r.area_um2; }},
         {path, [](const SynthesisResult& r) { return r.min_period_ns; }},
         {gates, energy_pj}}};
    return all;
}

bool are_alike(const hw::RtlVariant& a, const hw::RtlVariant& b) {
    return a.module == b.module && a.routing == b.routing && a.router_delay == b.router_delay &&
           a.hold == b.hold && a.input_speedup == b.input_speedup &&
           a.output_speedup == b.output_speedup && a.output_queue == b.output_queue &&
           a.classes == b.classes && a.class_policy == b.class_policy &&
           a.slow_links == b.slow_links;
}

/// A parameter by which routers of a kind differ.
struct Axis {
    const char* unit;
    std::uint32_t (*of)(const hw::RtlVariant& v);
    bool may_be_none = false;
};
constexpr std::size_t kAxes = 6;
const std::array<Axis, kAxes>& axes() {
    static const std::array<Axis, kAxes> all = {
        {{"ports", [](const hw::RtlVariant& v) { return std::uint32_t{hw::used_ports(v)}; }},
         {"virtual channels", [](const hw::RtlVariant& v) { return v.virtual_channels; }},
         {"flits per FIFO", [](const hw::RtlVariant& v) { return v.depth; }},
         {"bits per flit", [](const hw::RtlVariant& v) { return v.flit_bits; }},
         {"table entries", [](const hw::RtlVariant& v) { return v.table_entries; }, true},
         {"combined allocation", [](const hw::RtlVariant& v) { return v.combined ? 1U : 0U; },
          true}}};
    return all;
}

/// The place of a router among others: one step is a factor of two, or the other allocation.
using Place = std::array<double, kAxes>;
Place place(const hw::RtlVariant& v) {
    Place at{};
    for (std::size_t i = 0; i < kAxes; ++i) {
        at[i] = std::log2((axes()[i].may_be_none ? 1.0 : 0.0) + axes()[i].of(v));
    }
    return at;
}

/// An axis on which a router is outside the range of the others.
struct Outside {
    const Axis* axis;
    std::uint32_t least;  ///< of the others
    std::uint32_t most;
};
std::optional<Outside> outside(const hw::RtlVariant& variant,
                               const std::vector<const hw::RtlVariant*>& others) {
    for (const Axis& axis : axes()) {
        std::uint32_t least = UINT32_MAX;
        std::uint32_t most = 0;
        for (const hw::RtlVariant* other : others) {
            least = std::min(least, axis.of(*other));
            most = std::max(most, axis.of(*other));
        }
        const std::uint32_t at = axis.of(variant);
        if (at >= least && at <= most) continue;
        return Outside{&axis, least, most};
    }
    return std::nullopt;
}

/// "7 ports, and they have 3 to 5"
std::string outside_text(const hw::RtlVariant& variant, const Outside& outside) {
    const Axis& axis = *outside.axis;
    if (axis.of(variant) == 1 && outside.most == 0) {
        return fmt::format("{}, which none of them has", axis.unit);
    }
    if (axis.of(variant) == 0 && outside.least == 1) {
        return fmt::format("no {}, and all of them have", axis.unit);
    }
    return fmt::format("{} {}, and they have {}", axis.of(variant), axis.unit,
                       outside.least == outside.most
                           ? fmt::format("{}", outside.least)
                           : fmt::format("{} to {}", outside.least, outside.most));
}

std::vector<const hw::RtlVariant*> variants_of(const std::vector<SynthesisResult>& results) {
    std::vector<const hw::RtlVariant*> variants;
    for (const SynthesisResult& one : results) variants.push_back(&one.variant);
    return variants;
}

/// The weights of a quantity's terms, of all known routers but `left_out`.
std::vector<double> fit(const std::vector<SynthesisResult>& known, const Quantity& quantity,
                        const SynthesisResult* left_out = nullptr) {
    std::vector<Terms> rows;
    for (const SynthesisResult& one : known) {
        if (&one == left_out) continue;
        for (double& term : rows.emplace_back(quantity.terms(one.variant)))
            term /= quantity.value(one);
    }
    // Terms differ greatly in size; those that the known routers do not distinguish share what they
    // explain.
    std::vector<double> most(rows.front().size(), 0);
    for (const Terms& row : rows) {
        for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], std::abs(row[i]));
    }
    for (double& scale : most) scale = scale > 0 ? scale : 1;
    for (Terms& row : rows) {
        for (std::size_t i = 0; i < most.size(); ++i) row[i] /= most[i];
    }
    std::vector<double> weights =
        fit_linearly(rows, std::vector<double>(rows.size(), 1)).coefficients;
    for (std::size_t i = 0; i < most.size(); ++i) weights[i] /= most[i];
    return weights;
}

double value(const std::vector<double>& weights, const Quantity& quantity,
             const hw::RtlVariant& variant) {
    const Terms terms = quantity.terms(variant);
    return std::inner_product(terms.begin(), terms.end(), weights.begin(), 0.0);
}

/// The largest error when each known router is estimated from the others.
double largest_error(const std::vector<SynthesisResult>& known, const Quantity& quantity) {
    double largest = 0;
    for (const SynthesisResult& one : known) {
        const double truth = quantity.value(one);
        const double found = value(fit(known, quantity, &one), quantity, one.variant);
        largest = std::max(largest, std::abs(found - truth) / truth);
    }
    return largest;
}

}  // namespace

RouterEstimator::RouterEstimator(const std::vector<SynthesisResult>& known) {
    for (const SynthesisResult& one : known) {
        auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& other) {
            return are_alike(other.known.front().variant, one.variant);
        });
        if (kind == kinds_.end()) kind = kinds_.insert(kind, Kind());
        kind->known.push_back(one);
    }
    for (Kind& kind : kinds_) {
        if (kind.known.size() < kEnough) continue;
        for (std::size_t i = 0; i < kFitted; ++i) {
            kind.weights[i] = fit(kind.known, quantities()[i]);
            kind.errors[i] = largest_error(kind.known, quantities()[i]);
        }
    }
}

const RouterEstimator::Kind* RouterEstimator::kind_of(const hw::RtlVariant& variant) const {
    const auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& one) {
        return are_alike(one.known.front().variant, variant);
    });
    return kind == kinds_.end() ? nullptr : &*kind;
}

std::string RouterEstimator::obstacle(const hw::RtlVariant& variant) const {
    const Kind* const kind = kind_of(variant);
    const std::size_t count = kind == nullptr ? 0 : kind->known.size();
    const std::string such =
        fmt::format("{} of its module, routing, router delay and arbitration {} known",
                    count == 0   ? "no routers"
                    : count == 1 ? "1 router"
                                 : fmt::format("{} routers", count),
                    count == 1 ? "is" : "are");
    if (count < kEnough) return fmt::format("{}, and it takes {}", such, kEnough);
    if (const auto found = outside(variant, variants_of(kind->known))) {
        return fmt::format("{}, but it has {}", such, outside_text(variant, *found));
    }
    return such + ", which have too little in common";
}

std::optional<SynthesisResult> RouterEstimator::estimate(const hw::RtlVariant& variant) const {
    const Kind* const kind = kind_of(variant);
    if (kind == nullptr || kind->known.size() < kEnough) return std::nullopt;
    if (outside(variant, variants_of(kind->known))) return std::nullopt;
    std::array<double, kFitted> values{};
    for (std::size_t i = 0; i < kFitted; ++i) {
        values[i] = value(kind->weights[i], quantities()[i], variant);
        if (values[i] <= 0) return std::nullopt;  // a fit of routers that have little in common
    }
    SynthesisResult estimate;
    estimate.variant = variant;
    estimate.conditions = kind->known.front().conditions;
    estimate.library = kind->known.front().library;
    estimate.tied = kind->known.front().tied;
    estimate.area_um2 = values[0];
    estimate.min_period_ns = values[1];
    estimate.power_period_ns =
        power_period_ns(estimate.conditions.period_ns, estimate.min_period_ns);
    estimate.power_mw = values[2] / estimate.power_period_ns;
    estimate.estimated = {kind->errors[0], kind->errors[1], kind->errors[2], kind->known.size()};
    return estimate;
}

std::vector<hw::RtlVariant> routers_to_know(const std::vector<hw::RtlVariant>& wanted,
                                            const std::vector<hw::RtlVariant>& known) {
    std::vector<hw::RtlVariant> chosen;
    std::vector<bool> is_settled(wanted.size(), false);
    for (std::size_t first = 0; first < wanted.size(); ++first) {
        if (is_settled[first]) continue;
        std::vector<const hw::RtlVariant*> open;
        for (std::size_t i = first; i < wanted.size(); ++i) {
            if (!are_alike(wanted[first], wanted[i])) continue;
            is_settled[i] = true;
            open.push_back(&wanted[i]);
        }
        std::vector<const hw::RtlVariant*> there;
        for (const hw::RtlVariant& one : known) {
            if (are_alike(one, wanted[first])) there.push_back(&one);
        }
        // The farthest from those that are there comes next; first that from the middle of all.
        const auto distance = [](const Place& a, const Place& b) {
            double sum = 0;
            for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
            return sum;
        };
        Place middle{};
        for (const hw::RtlVariant* one : open) {
            const auto at = place(*one);
            for (std::size_t i = 0; i < at.size(); ++i) {
                middle[i] += at[i] / static_cast<double>(open.size());
            }
        }
        const auto remoteness = [&](const hw::RtlVariant& variant) {
            if (there.empty()) return distance(place(variant), middle);
            double nearest = std::numeric_limits<double>::infinity();
            for (const hw::RtlVariant* other : there) {
                nearest = std::min(nearest, distance(place(variant), place(*other)));
            }
            return nearest;
        };
        const auto is_covered = [&] {
            return there.size() >= RouterEstimator::kEnough &&
                   std::all_of(open.begin(), open.end(),
                               [&](const hw::RtlVariant* one) { return !outside(*one, there); });
        };
        while (!open.empty() && !is_covered()) {
            auto farthest = open.begin();
            for (auto it = std::next(farthest); it != open.end(); ++it) {
                if (remoteness(**it) > remoteness(**farthest)) farthest = it;
            }
            chosen.push_back(**farthest);
            there.push_back(*farthest);
            open.erase(farthest);
        }
    }
    return chosen;
}

std::vector<SynthesisResult> known_routers_like(const hw::RtlVariant& variant,
                                                const SynthesisConditions& conditions) {
    std::vector<SynthesisResult> known;
    for (const hw::RtlVariant& other : SynthesisCache::variants()) {
        if (!are_alike(other, variant)) continue;
        if (auto result = cached_synthesis(other, conditions)) known.push_back(*std::move(result));
    }
    return known;
}

}  // namespace flitscope
