// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/ziavras/ziavras_formulas.h"

#include <algorithm>

namespace flitscope::reproduce {
namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

bool is_one(PortModel model) { return model == PortModel::kOneOutput; }
bool is_independent(PortModel model) { return model == PortModel::kIndependent; }

/// Both directions of a ring, Section 4.4 as printed.
std::uint64_t printed_ring_exchange(std::uint64_t p) {
    const std::uint64_t large = ceil_div(p - 1, 2);
    return large * large + (p - 1) / 2;
}

/// The largest integer less than (p - 1) / 2w, as printed for model 2.
std::uint64_t printed_splits(const HowCase& how) {
    return how.side < 2 ? 0 : ceil_div(how.side - 1, 2 * how.window) - 1;
}

/// Steps of one line, printed.
std::optional<std::uint64_t> printed_line(const HowCase& how, Collective collective,
                                          PortModel model) {
    const std::uint64_t p = how.side;
    const DoublingSteps doubling = doubling_steps(how);
    switch (collective) {
        case Collective::kOneToAll:
            return is_one(model) ? doubling.first + doubling.second : how.blocks();
        case Collective::kAllToAll:
            if (is_one(model)) return p - 1;
            return how.blocks() + (is_independent(model) ? 0 : printed_splits(how));
        case Collective::kOneToAllPersonalized:
            return is_independent(model) ? how.blocks() : p - 1;
        case Collective::kAllToAllPersonalized:
            return is_independent(model) ? 2 * how.blocks() - 1 : printed_ring_exchange(p);
    }
    return std::nullopt;
}

/// Steps of one line, corrected.
std::optional<std::uint64_t> corrected_line(const HowCase& how, Collective collective,
                                            PortModel model) {
    const std::uint64_t p = how.side;
    const std::uint64_t w = how.window;
    if (collective == Collective::kAllToAll && model == PortModel::kSameValue) {
        return how.blocks() + (p - 1) / (2 * w);
    }
    if (collective != Collective::kAllToAllPersonalized) {
        return printed_line(how, collective, model);
    }
    if (!is_independent(model)) return p * p / 4;
    if (w + 1 == p) return 1;
    if (p % w != 0) return std::nullopt;
    const std::uint64_t relay_line = p / w;
    const std::uint64_t to_relay_lines = w == 1 ? 1 : how.blocks();  // with one line all are on it
    return to_relay_lines + w * (relay_line * relay_line / 4) - 1;
}

}  // namespace

std::uint32_t ceil_lg(std::uint32_t number) {
    std::uint32_t lg = 0;
    while (std::uint64_t{1} << lg < number) ++lg;
    return lg;
}

DoublingSteps doubling_steps(const HowCase& how) {
    if (how.window + 1 >= how.side) return {ceil_lg(how.side), 0};
    const std::uint32_t first = ceil_lg(how.window + 1);
    const std::uint32_t filled = 1U << first;
    const std::uint32_t left = how.side > filled ? how.side - filled : 0;
    return {first, (left + how.window - 1) / how.window};
}

namespace {

/// Steps on s x s nodes from those of a line: `scatter` in all, `exchanges` operations of a line.
std::optional<std::uint64_t> over_lines(const HowCase& how, Collective collective,
                                        std::optional<std::uint64_t> line,
                                        std::optional<std::uint64_t> scatter,
                                        std::uint64_t exchanges) {
    if (how.dimensions == 1 || !line) return line;
    switch (collective) {
        case Collective::kOneToAll:
            return 2 * *line;
        case Collective::kAllToAll:
            return (1 + std::uint64_t{how.side}) * *line;
        case Collective::kOneToAllPersonalized:
            return scatter;
        case Collective::kAllToAllPersonalized:
            return exchanges * *line;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> printed_steps(const HowCase& how, Collective collective,
                                           PortModel model) {
    const auto line = printed_line(how, collective, model);
    const std::uint64_t s = how.side;
    // The scatter is not described for models 1 and 2.
    const auto scatter = is_independent(model) && line ? std::optional(s * *line) : std::nullopt;
    return over_lines(how, collective, line, scatter, is_independent(model) ? s * s : s + 1);
}

std::optional<std::uint64_t> corrected_steps(const HowCase& how, Collective collective,
                                             PortModel model) {
    const auto line = corrected_line(how, collective, model);
    const std::uint64_t s = how.side;
    const auto scatter =
        is_independent(model) ? (line ? std::optional(s * *line) : std::nullopt) : s * s - 1;
    return over_lines(how, collective, line, scatter, 2 * s);
}

std::optional<WormholeTime> printed_wormhole(const HowCase& how, Collective collective,
                                             PortModel model) {
    const auto steps = printed_steps(how, collective, model);
    if (!steps) return std::nullopt;
    if (collective == Collective::kOneToAll) return WormholeTime{1, *steps};
    const bool two = how.dimensions == 2;
    if (two && collective == Collective::kAllToAll && model == PortModel::kSameValue) {
        return WormholeTime{2 * *steps, 1};
    }
    if (two && collective == Collective::kOneToAllPersonalized) return std::nullopt;
    if (two && collective == Collective::kAllToAllPersonalized && is_independent(model)) {
        const std::uint64_t s = how.side;
        return WormholeTime{s * s * 2 * how.blocks(), 1};
    }
    return WormholeTime{*steps, 1};
}

std::optional<WormholeTime> corrected_wormhole(const HowCase& how, Collective collective,
                                               PortModel model) {
    const auto steps = corrected_steps(how, collective, model);
    if (!steps) return std::nullopt;
    if (collective != Collective::kOneToAll) return WormholeTime{*steps, 1};
    if (!is_one(model)) return WormholeTime{1, *steps};
    const DoublingSteps doubling = doubling_steps(how);
    // s1 m + s2 flits: all but the first hop of a line are sequential.
    return WormholeTime{std::uint64_t{how.dimensions} * doubling.first,
                        std::uint64_t{how.dimensions} * (1 + doubling.second)};
}

std::uint64_t printed_middle_cut(const HowCase& how) {
    return std::uint64_t{how.window} * (how.window + 1) / 2;
}

std::uint64_t middle_cut(const HowCase& how) {
    const std::uint64_t p = how.side;
    const std::uint64_t w = how.window;
    if (w <= p / 2) return printed_middle_cut(how);
    return p * p / 4 - (p - 1 - w) * (p - w) / 2;
}

std::uint64_t corrected_bisection(const HowCase& how) {
    return middle_cut(how) * (how.dimensions == 2 ? how.side : 1);
}

std::uint64_t printed_bisection(const HowCase& how) {
    return printed_middle_cut(how) * (how.dimensions == 2 ? how.side : 1);
}

std::uint64_t printed_channels(const HowCase& how) {
    const std::uint64_t p = how.side;
    const std::uint64_t w = how.window;
    return how.dimensions * (how.dimensions == 2 ? p : 1) * w * (2 * p - w - 1) / 2;
}

std::optional<std::uint64_t> printed_collective_width(const HowCase& how) {
    const std::uint64_t p = how.side;
    const std::uint64_t w = how.window;
    if (2 * w < p + 1) return w % 2 == 0 ? w / 2 * (w / 2 + 1) : (w + 1) / 2 * ((w + 1) / 2);
    if (w + 1 != p) return std::nullopt;
    const std::uint64_t phi = (p - 1) / 4;
    return (p - 1) + (p - 3) * phi - 2 * phi * phi;
}

std::uint64_t corrected_collective_width(const HowCase& how) {
    std::uint64_t most = 0;
    for (std::uint32_t k = 0; k + 1 < how.side; ++k) {
        std::uint64_t tracks = 0;
        for (std::uint32_t i = k % 2; i <= k; i += 2) {
            const std::uint32_t reach = std::min(how.window, how.side - 1 - i);
            tracks += reach > k - i ? reach - (k - i) : 0;
        }
        most = std::max(most, tracks);
    }
    return most;
}

std::uint64_t exchange_bound(const HowCase& how) {
    const std::uint64_t p = how.side;
    const std::uint64_t nodes = how.dimensions == 2 ? p * p : p;
    const std::uint64_t half = how.dimensions == 2 ? p / 2 * p : p / 2;
    return ceil_div(half * (nodes - half), corrected_bisection(how));
}

}  // namespace flitscope::reproduce
