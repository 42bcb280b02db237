// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/exchange/square_phases.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace flitscope {
namespace {

using Phase = std::vector<PatternProduct>;

/// The mirror pairs of a line of `side` positions as seen from one of them, which is left over when
/// the others are matched.
class MatchedLine {
public:
    MatchedLine(std::uint32_t side, std::uint32_t left_over)
        : side_(side), half_(side / 2), left_over_(left_over) {}

    /// The pairs i + 1 before and after the one left over, one way round or the other.
    MovePattern cycle(std::uint32_t i, std::uint32_t way) const {
        const std::uint32_t before = (left_over_ + i + 1) % half_;
        const std::uint32_t behind = (left_over_ + half_ - i - 1) % half_;
        return way == 0 ? line_cycle(side_, before, behind) : line_cycle(side_, behind, before);
    }
    /// The pair left over, or one further on, changes places.
    MovePattern swap(std::uint32_t further = 0) const {
        const std::uint32_t v = (left_over_ + further) % half_;
        return {{v, side_ - 1 - v}, {side_ - 1 - v, v}};
    }
    MovePattern stay() const {
        return {{left_over_, left_over_}, {side_ - 1 - left_over_, side_ - 1 - left_over_}};
    }

private:
    std::uint32_t side_;
    std::uint32_t half_;
    std::uint32_t left_over_;
};

/// The phases with two pairs left over. Cycle i of the one line is multiplied with cycle j of the
/// other once for each of the ways round that both can go, numbered 0 to 3.
class PhasesOfPairs {
public:
    PhasesOfPairs(const MatchedLine& first, const MatchedLine& second, std::uint32_t cycles)
        : first_(first), second_(second), cycles_(cycles), taken_(cycles) {}

    std::vector<Phase> build() {
        std::array<Phase, 2> rest;  // those that the next phases leave out
        for (std::uint32_t i = 0; i < cycles_; ++i) {
            for (std::uint32_t way = 0; way < 2; ++way) rest[way].push_back(add_without(i, way));
        }
        rest[0].push_back({first_.swap(), second_.swap()});
        rest[1].push_back({first_.swap(1), second_.stay()});  // of other nodes than the next one
        rest[1].push_back({first_.stay(), second_.swap()});
        for (Phase& phase : rest) phases_.push_back(std::move(phase));
        add_whole();
        return std::move(phases_);
    }

private:
    PatternProduct product(std::uint32_t i, std::uint32_t j, std::uint32_t ways) const {
        return {first_.cycle(i, ways / 2), second_.cycle(j, ways % 2)};
    }
    /// A phase in which cycles i and -i are multiplied with the pairs left over, which change
    /// places; the others with each other. Returns the product of the two.
    PatternProduct add_without(std::uint32_t i, std::uint32_t way) {
        // So that a shift is taken at most four times, and every cycle is left out twice.
        const std::uint32_t shift = (2 * cycles_ - 2 * i) % cycles_;
        const std::uint32_t ways = taken_[shift]++;
        const std::uint32_t j = (i + shift) % cycles_;
        Phase phase;
        for (std::uint32_t other = 0; other < cycles_; ++other) {
            if (other == i) continue;
            phase.push_back(product(other, (other + shift) % cycles_, ways));
        }
        phase.push_back({first_.cycle(i, way), second_.swap()});
        phase.push_back({first_.swap(), second_.cycle(j, way)});
        phases_.push_back(std::move(phase));
        return product(i, j, ways);
    }
    /// The shifts that have not been taken, and in each of their phases two cycles that move in one
    /// dimension, next to the pair left over in the other one.
    void add_whole() {
        std::uint32_t number = 0;
        for (std::uint32_t shift = 0; shift < cycles_; ++shift) {
            for (std::uint32_t ways = taken_[shift]; ways < 4; ++ways, ++number) {
                Phase phase;
                for (std::uint32_t i = 0; i < cycles_; ++i) {
                    phase.push_back(product(i, (i + shift) % cycles_, ways));
                }
                const std::uint32_t alone = number % cycles_;
                const std::uint32_t way = number / cycles_;
                phase.push_back({first_.cycle(alone, way), second_.stay()});
                phase.push_back({first_.stay(), second_.cycle(alone, way)});
                phases_.push_back(std::move(phase));
            }
        }
    }

    const MatchedLine& first_;
    const MatchedLine& second_;
    std::uint32_t cycles_;
    std::vector<std::uint32_t> taken_;  // per shift: how often
    std::vector<Phase> phases_;
};

using Visit = std::function<void(const Phase&)>;

void visit_pairs(std::uint32_t side, const Visit& visit) {
    for (std::uint32_t v = 0; v < side / 2; ++v) {
        for (std::uint32_t w = 0; w < side / 2; ++w) {
            const MatchedLine first(side, v);
            const MatchedLine second(side, w);
            for (const Phase& phase : PhasesOfPairs(first, second, side / 4).build()) visit(phase);
        }
    }
}

/// Every class with every class, equal in patterns: in a phase each pattern of one is combined with
/// one of the other.
void visit_products(const std::vector<LineClass>& classes, const Visit& visit) {
    for (const LineClass& first : classes) {
        for (const LineClass& second : classes) {
            const std::size_t patterns = second.size();
            for (std::size_t shift = 0; shift < patterns; ++shift) {
                Phase phase;
                for (std::size_t i = 0; i < patterns; ++i) {
                    phase.push_back({first[i], second[(i + shift) % patterns]});
                }
                visit(phase);
            }
        }
    }
}

MovePattern stay_of(const MovePattern& pattern) {
    MovePattern stay;
    for (const Move& move : pattern) stay.push_back({move.from, move.from});
    return stay;
}

/// Moves in only one dimension, by the patterns of each class: along the lines of pattern i those
/// of i + shift, and across those of j the ones of j - shift - 1, which other nodes send.
void visit_single_moves(const std::vector<LineClass>& classes, const Visit& visit) {
    for (const LineClass& patterns : classes) {
        const std::size_t count = patterns.size();
        for (std::size_t shift = 0; shift < count; ++shift) {
            Phase phase;
            for (std::size_t i = 0; i < count; ++i) {
                phase.push_back({stay_of(patterns[i]), patterns[(i + shift) % count]});
                phase.push_back({patterns[(i + count - shift - 1) % count], stay_of(patterns[i])});
            }
            visit(phase);
        }
    }
}

}  // namespace

void visit_square_phases(std::uint32_t side, const Visit& visit) {
    if (side < 5 || side % 4 == 0) {
        throw std::invalid_argument("visit_square_phases: a side from 5 on, no multiple of 4");
    }
    if (side % 4 == 2) {
        visit_pairs(side, visit);
    } else if (side % 4 == 1) {
        visit_products(centred_classes(side), visit);
    } else {
        std::vector<LineClass> classes = line_classes(side);
        classes.pop_back();  // without moves
        visit_products(classes, visit);
        visit_single_moves(classes, visit);
    }
}

}  // namespace flitscope
