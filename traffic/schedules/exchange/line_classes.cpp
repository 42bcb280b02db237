// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/exchange/line_classes.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace flitscope {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// The k-th perfect matching of the complete graph on h vertices, h even, k = 1 to h - 1 (circle
/// method).
std::vector<Pair> factor(std::uint32_t h, std::uint32_t k) {
    const std::uint32_t q = h - 1;
    const auto rep = [q](std::uint32_t z) { return (z + q - 1) % q + 1; };
    std::vector<Pair> edges{{0, k}};
    for (std::uint32_t i = 1; i < h / 2; ++i) edges.emplace_back(rep(k + i), rep(k + q - i));
    return edges;
}

/// The matching of the complete graph on q vertices, q odd, that leaves out vertex v.
std::vector<Pair> near_factor(std::uint32_t q, std::uint32_t v) {
    std::vector<Pair> edges;
    for (std::uint32_t i = 1; i <= (q - 1) / 2; ++i) {
        edges.emplace_back((v + i) % q, (v + q - i) % q);
    }
    return edges;
}

/// Position v, the centre and the mirror image of v go round.
MovePattern centre_cycle(std::uint32_t side, std::uint32_t v) {
    return {{v, side / 2}, {side / 2, side - 1 - v}, {side - 1 - v, v}};
}
/// They go round the other way.
MovePattern reversed(MovePattern cycle) {
    for (Move& move : cycle) std::swap(move.from, move.to);
    return cycle;
}

void append(MovePattern& moves, const MovePattern& more) {
    moves.insert(moves.end(), more.begin(), more.end());
}

/// The classes of a line. x' = side - 1 - x is the mirror image of x.
class LineBuilder {
public:
    explicit LineBuilder(std::uint32_t side) : side_(side), half_(side / 2), centre_(side / 2) {}

    std::vector<LineClass> build() {
        if (side_ == 1) {
            add({{{0, 0}}});
        } else if (side_ == 5) {
            for (std::uint32_t shift = 0; shift < side_; ++shift) {
                MovePattern moves;
                for (std::uint32_t x = 0; x < side_; ++x) moves.push_back({x, (x + shift) % side_});
                add(split(moves));
            }
        } else if (side_ % 4 == 0) {
            build_multiple_of_four();
        } else if (side_ % 4 == 1) {
            build_one_more();
        } else {
            build_from_near_factors();
        }
        return std::move(classes_);
    }

private:
    std::uint32_t mirror(std::uint32_t x) const { return side_ - 1 - x; }
    MovePattern cycle(const Pair& edge) const { return line_cycle(side_, edge.first, edge.second); }
    static Pair turned(const Pair& edge) { return {edge.second, edge.first}; }
    /// x and x' change places while y and y' keep theirs.
    MovePattern swap(std::uint32_t x, std::uint32_t y) const {
        return {{x, mirror(x)}, {mirror(x), x}, {y, y}, {mirror(y), mirror(y)}};
    }
    void add(LineClass line_class) { classes_.push_back(std::move(line_class)); }

    void build_multiple_of_four() {
        for (const bool second : {false, true}) {
            LineClass self;
            for (const Pair& edge : factor(half_, 1)) {
                const Pair p = second ? turned(edge) : edge;
                self.push_back(swap(p.first, p.second));
            }
            add(std::move(self));
        }
        for (std::uint32_t k = 1; k < half_; ++k) {
            for (const bool second : {false, true}) {
                LineClass cycles;
                for (const Pair& edge : factor(half_, k)) {
                    cycles.push_back(cycle(second ? turned(edge) : edge));
                }
                add(std::move(cycles));
            }
        }
    }

    /// side = 4q + 1: as for 4q, with the centre put into one move of each class.
    void build_one_more() {
        MovePattern rest{{0, 0}, {mirror(0), centre_}, {centre_, mirror(0)}};
        for (std::uint32_t k = 1; k < half_; ++k) {
            const std::vector<Pair> edges = factor(half_, k);
            const auto [x, y] = edges.back();
            for (const bool second : {false, true}) {
                MovePattern moves;
                for (const Pair& edge : edges) {
                    append(moves, cycle(second ? turned(edge) : edge));
                }
                if (second) {
                    detour(moves, {mirror(y), mirror(x)});
                } else {
                    detour(moves, {x, y});
                }
                add(split(moves));
            }
            rest.push_back({x, y});
            rest.push_back({mirror(y), mirror(x)});
        }
        for (const bool second : {false, true}) {
            MovePattern self;
            for (const Pair& edge : factor(half_, 1)) {
                const Pair p = second ? turned(edge) : edge;
                append(self, swap(p.first, p.second));
            }
            if (second) {
                detour(self, {0, 0});
            } else {
                self.push_back({centre_, centre_});
            }
            add(split(self));
        }
        add(split(rest));
    }

    /// side = 4q + 2 and 4q + 3: an odd number of mirror pairs, one of which is left over in turn;
    /// with a centre the three of them go round, else the two change places.
    void build_from_near_factors() {
        const bool has_centre = side_ % 2 != 0;
        for (std::uint32_t v = 0; v < half_; ++v) {
            const std::uint32_t w = mirror(v);
            LineClass first;
            LineClass second;
            for (const Pair& edge : near_factor(half_, v)) {
                first.push_back(cycle(edge));
                second.push_back(cycle(turned(edge)));
            }
            if (has_centre) {
                first.push_back(centre_cycle(side_, v));
                second.push_back(reversed(centre_cycle(side_, v)));
            } else {
                first.push_back({{v, w}, {w, v}});
                if (second.empty()) second.emplace_back();
                append(second.front(), {{v, v}, {w, w}});
            }
            add(std::move(first));
            add(std::move(second));
        }
        if (!has_centre) return;
        MovePattern identity;
        for (std::uint32_t x = 0; x < side_; ++x) identity.push_back({x, x});
        add({identity});
    }

    /// Sends a move by way of the centre.
    void detour(MovePattern& moves, const Move& move) const {
        for (Move& m : moves) {
            if (m.from != move.from || m.to != move.to) continue;
            m.to = centre_;
            moves.push_back({centre_, move.to});
            return;
        }
    }

    /// Cuts a permutation into patterns: intervals of each direction go to the first pattern whose
    /// last one has ended.
    static LineClass split(const MovePattern& moves) {
        LineClass patterns(1);
        for (const bool to_right : {true, false}) {
            std::vector<Move> intervals;
            for (const Move& move : moves) {
                if (move.from == move.to) {
                    if (to_right) patterns[0].push_back(move);
                } else if ((move.from < move.to) == to_right) {
                    intervals.push_back(move);
                }
            }
            std::sort(intervals.begin(), intervals.end(), [](const Move& a, const Move& b) {
                return std::min(a.from, a.to) < std::min(b.from, b.to);
            });
            std::vector<std::uint32_t> ends;
            for (const Move& move : intervals) {
                const std::uint32_t begin = std::min(move.from, move.to);
                const auto track = std::find_if(ends.begin(), ends.end(),
                                                [begin](std::uint32_t e) { return e <= begin; });
                const auto number = static_cast<std::size_t>(track - ends.begin());
                if (track == ends.end()) ends.push_back(0);
                ends[number] = std::max(move.from, move.to);
                if (number >= patterns.size()) patterns.resize(number + 1);
                patterns[number].push_back(move);
            }
        }
        return patterns;
    }

    std::uint32_t side_;
    std::uint32_t half_;
    std::uint32_t centre_;
    std::vector<LineClass> classes_;
};

/// The classes of a ring. Position u and its antipode u + half are a pair; a turn goes once round
/// the ring in one direction.
class RingBuilder {
public:
    explicit RingBuilder(std::uint32_t side) : half_(side / 2) {}

    std::vector<LineClass> build() {
        if (half_ % 2 == 0) {
            build_even();
        } else {
            build_odd();
        }
        return std::move(classes_);
    }

    /// Builds the classes with turns of one direction.
    std::vector<LineClass> build_directed(bool plus) {
        const auto swaps = [plus](std::uint32_t u) { return (u % 2 == 0) == plus; };
        if (half_ % 2 == 0) {
            for (std::uint32_t k = 1; k < half_; ++k) add(turns(factor(half_, k), plus), {});
            Turns pairs;
            for (std::uint32_t u = 0; u < half_; u += 2) {
                pairs.push_back(swaps(u) ? swap(u) : stay(u));
                append(pairs.back(), swaps(u) ? stay(u + 1) : swap(u + 1));
            }
            add(pairs, {});
        } else {
            for (std::uint32_t v = 0; v < half_; ++v) {
                Turns patterns = turns(near_factor(half_, v), plus);
                patterns.push_back(swaps(v) ? swap(v) : stay(v));
                add(patterns, {});
            }
        }
        return std::move(classes_);
    }

private:
    using Turns = std::vector<MovePattern>;

    /// x, y, their antipodes and back to x: + if x < y.
    MovePattern turn(const Pair& edge, bool plus) const {
        const auto [x, y] = std::minmax(edge.first, edge.second);
        MovePattern moves{{x, y}, {y, x + half_}, {x + half_, y + half_}, {y + half_, x}};
        if (!plus) {
            for (Move& move : moves) std::swap(move.from, move.to);
        }
        return moves;
    }
    Turns turns(const std::vector<Pair>& edges, bool plus) const {
        Turns all;
        for (const Pair& edge : edges) all.push_back(turn(edge, plus));
        return all;
    }
    MovePattern swap(std::uint32_t u) const { return {{u, u + half_}, {u + half_, u}}; }
    MovePattern stay(std::uint32_t u) const { return {{u, u}, {u + half_, u + half_}}; }

    /// A pattern takes a + turn and a - turn.
    void add(const Turns& plus, const Turns& minus, const MovePattern& stays = {}) {
        LineClass patterns(std::max({plus.size(), minus.size(), std::size_t{1}}));
        for (const Turns* turns : {&plus, &minus}) {
            for (std::size_t i = 0; i < turns->size(); ++i) append(patterns[i], (*turns)[i]);
        }
        append(patterns[0], stays);
        classes_.push_back(std::move(patterns));
    }

    void build_even() {
        for (std::uint32_t k = 1; k < half_; ++k) {
            const std::vector<Pair> edges = factor(half_, k);
            for (const std::size_t first : {0U, 1U}) {
                Turns plus;
                Turns minus;
                for (std::size_t i = 0; i < edges.size(); ++i) {
                    const bool is_plus = i % 2 == first;
                    (is_plus ? plus : minus).push_back(turn(edges[i], is_plus));
                }
                add(plus, minus);
            }
        }
        for (const bool lower : {true, false}) {
            Turns plus;
            Turns minus;
            MovePattern stays;
            for (std::uint32_t u = 0; u < half_; ++u) {
                if ((u < half_ / 2) == lower) {
                    (u % 2 == 0 ? plus : minus).push_back(swap(u));
                } else {
                    append(stays, stay(u));
                }
            }
            add(plus, minus, stays);
        }
    }

    void build_odd() {
        for (std::uint32_t v = 0; v < half_; ++v) {
            const std::vector<Pair> edges = near_factor(half_, v);
            const std::size_t few = edges.size() / 2;
            for (const bool second : {false, true}) {
                Turns turns[2];  // +, -
                for (std::size_t i = 0; i < edges.size(); ++i) {
                    // The direction of the swap has the smaller part of the adjacent edges.
                    const bool plus = ((i < few) == (v % 2 == 0)) != second;
                    turns[plus ? 0 : 1].push_back(turn(edges[i], plus));
                }
                if (second) {
                    add(turns[0], turns[1], stay(v));
                } else {
                    turns[v % 2].push_back(swap(v));
                    add(turns[0], turns[1]);
                }
            }
        }
    }

    std::uint32_t half_;
    std::vector<LineClass> classes_;
};

RingBuilder ring_builder(std::uint32_t side) {
    if (side == 0 || side % 2 != 0) {
        throw std::invalid_argument("ring classes: the side must be even");
    }
    return RingBuilder(side);
}

}  // namespace

MovePattern line_cycle(std::uint32_t side, std::uint32_t x, std::uint32_t y) {
    const std::uint32_t last = side - 1;
    return {{x, y}, {y, last - x}, {last - x, last - y}, {last - y, x}};
}

std::vector<LineClass> line_classes(std::uint32_t side) {
    if (side == 0) throw std::invalid_argument("line_classes: a line has at least one position");
    return LineBuilder(side).build();
}

std::vector<LineClass> centred_classes(std::uint32_t side) {
    if (side < 5 || side % 4 != 1) {
        throw std::invalid_argument("centred_classes: the side must be 4q + 1, q >= 1");
    }
    // The mirror pairs, then the centre: an odd number, one of which is left over.
    const std::uint32_t centre = side / 2;
    std::vector<LineClass> classes;
    for (std::uint32_t v = 0; v <= centre; ++v) {
        LineClass first;
        LineClass second;
        for (const auto& [x, y] : near_factor(centre + 1, v)) {
            const bool has_centre = x == centre || y == centre;
            const MovePattern cycle =
                has_centre ? centre_cycle(side, std::min(x, y)) : line_cycle(side, x, y);
            first.push_back(cycle);
            second.push_back(reversed(cycle));
        }
        first.front().push_back({v, v});
        if (v != centre) first.front().push_back({side - 1 - v, side - 1 - v});
        classes.push_back(std::move(first));
        classes.push_back(std::move(second));
    }
    return classes;
}

std::vector<LineClass> ring_classes(std::uint32_t side) { return ring_builder(side).build(); }

std::vector<LineClass> directed_ring_classes(std::uint32_t side) {
    std::vector<LineClass> classes = ring_builder(side).build_directed(true);
    for (LineClass& minus : ring_builder(side).build_directed(false)) {
        classes.push_back(std::move(minus));
    }
    return classes;
}

}  // namespace flitscope
