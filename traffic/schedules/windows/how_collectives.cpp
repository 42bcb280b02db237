// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/windows/how_collectives.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace flitscope {
namespace {

/// A block over a channel of a line, all by positions.
struct LineMove {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t source = 0;
    std::uint32_t destination = kEveryone;
};
using LineStep = std::vector<LineMove>;
using LineSteps = std::vector<LineStep>;

LineStep& step_of(LineSteps& steps, std::size_t number) {
    if (number >= steps.size()) steps.resize(number + 1);
    return steps[number];
}

/// One dimension: `p` positions, each joined to all within the window `w`.
class Line {
public:
    Line(std::uint32_t p, std::uint32_t w) : p_(p), w_(w) {}

    LineSteps steps(Collective collective, PortModel ports, std::uint32_t root) const {
        const bool one = ports == PortModel::kOneOutput;
        const bool independent = ports == PortModel::kIndependent;
        switch (collective) {
            case Collective::kOneToAll:
                return one ? broadcast_by_doubling(root) : broadcast_by_windows(root);
            case Collective::kAllToAll:
                return one ? all_to_all_ring() : all_to_all_windows(independent);
            case Collective::kOneToAllPersonalized:
                return independent ? scatter_by_windows(root) : scatter_ring(root);
            case Collective::kAllToAllPersonalized:
                return independent ? exchange_over_relay_lines() : exchange_ring();
        }
        return {};
    }

    /// The position to which the longest hop from `at` leads that does not overshoot `target`.
    std::uint32_t towards(std::uint32_t at, std::uint32_t target) const {
        return at < target ? std::min(at + w_, target) : at - std::min(at - target, w_);
    }

    /// Positions in the order of a ring of channels: 0, 2, 4, ..., 5, 3, 1.
    std::vector<std::uint32_t> ring() const {
        if (p_ > 2 && w_ == 1) {
            throw std::invalid_argument("how_collective: a window of 1 has no ring of channels");
        }
        std::vector<std::uint32_t> order;
        for (std::uint32_t at = 0; at < p_; at += 2) order.push_back(at);
        for (std::uint32_t at = p_ / 2; at-- > 0;) order.push_back(2 * at + 1);
        return order;
    }

private:
    /// Section 4.1, model 1. The informed nodes are an interval; each informs one more.
    LineSteps broadcast_by_doubling(std::uint32_t root) const {
        LineSteps steps;
        std::uint32_t low = root;
        std::uint32_t high = root;
        while (high - low + 1 < p_) {
            const std::uint32_t informed = high - low + 1;
            const std::uint32_t right = std::min(w_, p_ - 1 - high);
            const std::uint32_t left = std::min(w_, low);
            // Where not all can be reached both sides get their share.
            std::uint32_t to_right = std::min(informed, right);
            if (informed < left + right) {
                to_right = (informed * right + (left + right) - 1) / (left + right);
            }
            const std::uint32_t to_left = std::min(informed - to_right, left);
            LineStep step;
            for (std::uint32_t i = 0; i < to_right; ++i) {
                step.push_back({high - i, high - i + to_right, root});
            }
            for (std::uint32_t i = 0; i < to_left; ++i) {
                step.push_back({low + i, low + i - to_left, root});
            }
            steps.push_back(std::move(step));
            high += to_right;
            low -= to_left;
        }
        return steps;
    }

    /// Models 2 and 3: the outermost informed nodes send to the whole window.
    LineSteps broadcast_by_windows(std::uint32_t root) const {
        LineSteps steps;
        std::uint32_t low = root;
        std::uint32_t high = root;
        while (low > 0 || high + 1 < p_) {
            LineStep step;
            for (std::uint32_t i = 1; i <= w_ && high + i < p_; ++i) {
                step.push_back({high, high + i, root});
            }
            for (std::uint32_t i = 1; i <= w_ && i <= low; ++i)
                step.push_back({low, low - i, root});
            steps.push_back(std::move(step));
            high = std::min(high + w_, p_ - 1);
            low -= std::min(low, w_);
        }
        return steps;
    }

    /// Section 4.2, model 1.
    LineSteps all_to_all_ring() const {
        const std::vector<std::uint32_t> order = ring();
        LineSteps steps;
        for (std::uint32_t k = 0; k + 1 < p_; ++k) {
            LineStep step;
            for (std::uint32_t i = 0; i < p_; ++i) {
                step.push_back({order[i], order[(i + 1) % p_], order[(i + p_ - k) % p_]});
            }
            steps.push_back(std::move(step));
        }
        return steps;
    }

    /// Models 2 and 3. In stage i a node passes on what came from i windows away, in one step, or
    /// in two where it would send different values to both sides and may not.
    LineSteps all_to_all_windows(bool independent) const {
        LineSteps steps;
        const auto add = [&](LineStep& step, std::uint32_t at, bool right, std::uint32_t source) {
            for (std::uint32_t i = 1; i <= w_; ++i) {
                if (right && at + i < p_) step.push_back({at, at + i, source});
                if (!right && i <= at) step.push_back({at, at - i, source});
            }
        };
        for (std::uint32_t behind = 0; behind + 1 < p_; behind += w_) {
            LineStep rightwards;
            LineStep leftwards;
            for (std::uint32_t at = behind; at + 1 < p_; ++at) {
                add(rightwards, at, true, at - behind);
            }
            for (std::uint32_t at = 1; at + behind < p_; ++at) {
                add(leftwards, at, false, at + behind);
            }
            const bool meet = behind != 0 && 2 * behind <= p_ - 1;
            if (!meet || independent) {
                rightwards.insert(rightwards.end(), leftwards.begin(), leftwards.end());
                steps.push_back(std::move(rightwards));
            } else {
                steps.push_back(std::move(rightwards));
                steps.push_back(std::move(leftwards));
            }
        }
        return steps;
    }

    /// Section 4.3, models 1 and 2: the shorter way round a ring, one side after the other, what
    /// goes furthest first.
    LineSteps scatter_ring(std::uint32_t root) const {
        const std::vector<std::uint32_t> order = ring();
        const auto start =
            static_cast<std::uint32_t>(std::find(order.begin(), order.end(), root) - order.begin());
        LineSteps steps;
        std::size_t first = 0;
        for (const bool backwards : {true, false}) {
            for (std::uint32_t hops = backwards ? p_ / 2 : (p_ - 1) / 2; hops > 0;
                 --hops, ++first) {
                const auto place = [&](std::uint32_t hop) {
                    return order[(start + (backwards ? p_ - hop : hop)) % p_];
                };
                for (std::uint32_t hop = 0; hop < hops; ++hop) {
                    step_of(steps, first + hop)
                        .push_back({place(hop), place(hop + 1), root, place(hops)});
                }
            }
        }
        return steps;
    }

    /// Model 3: windows of destinations, the furthest first; the first hop spreads a window over
    /// the channels, later hops are as long as possible. Less than a window goes straight.
    LineSteps scatter_by_windows(std::uint32_t root) const {
        LineSteps steps;
        for (const bool left : {false, true}) {
            const std::uint32_t count = left ? root : p_ - 1 - root;
            const auto place = [&](std::uint32_t distance) {
                return left ? root - distance : root + distance;
            };
            std::size_t first = 0;
            for (std::uint32_t end = count; end > 0; ++first) {
                const std::uint32_t window = std::min(end, w_);
                for (std::uint32_t k = 0; k < window; ++k) {
                    const std::uint32_t target = end - k;
                    std::uint32_t at = 0;
                    std::uint32_t next = window - k;  // channels 1 to window
                    for (std::size_t step = first; at != target; ++step) {
                        step_of(steps, step)
                            .push_back({place(at), place(next), root, place(target)});
                        at = next;
                        next = std::min(at + w_, target);
                    }
                }
                end -= window;
            }
        }
        return steps;
    }

    /// Section 4.4, models 1 and 2: all nodes send to the node i places on in the ring, then to the
    /// one i places back.
    LineSteps exchange_ring() const {
        const std::vector<std::uint32_t> order = ring();
        LineSteps steps;
        for (std::uint32_t distance = 1; 2 * distance <= p_; ++distance) {
            for (const bool backwards : {false, true}) {
                if (backwards && 2 * distance == p_) continue;
                const std::uint32_t hop = backwards ? p_ - 1 : 1;
                for (std::uint32_t k = 0; k < distance; ++k) {
                    LineStep step;
                    for (std::uint32_t i = 0; i < p_; ++i) {
                        const std::uint32_t at = (i + k * hop) % p_;
                        step.push_back({order[at], order[(at + hop) % p_], order[i],
                                        order[(i + distance * hop) % p_]});
                    }
                    steps.push_back(std::move(step));
                }
            }
        }
        return steps;
    }

    /// Model 3: near messages go straight, others first to the relay line of their destination,
    /// the nodes that are whole windows apart from it; then along that, the furthest first.
    LineSteps exchange_over_relay_lines() const {
        struct Waiting {
            std::uint32_t source;
            std::uint32_t destination;
        };
        LineSteps steps;
        std::vector<std::vector<Waiting>>
            on_relay_line[2];  // to the right, to the left; per position
        for (auto& side : on_relay_line) side.resize(p_);
        for (std::uint32_t s = 0; s < p_; ++s) {
            std::vector<std::size_t> used(2 * w_ + 1, 0);  // per channel: steps that are taken
            for (std::uint32_t far = p_; far-- > 1;) {
                for (const bool left : {false, true}) {
                    if (left ? far > s : s + far >= p_) continue;
                    const std::uint32_t hop = far <= w_ ? far : far % w_;
                    const std::uint32_t d = left ? s - far : s + far;
                    const std::uint32_t at = left ? s - hop : s + hop;
                    if (hop != 0) {
                        step_of(steps, used[left ? w_ - hop : w_ + hop]++).push_back({s, at, s, d});
                    }
                    if (at != d) on_relay_line[left ? 1 : 0][at].push_back({s, d});
                }
            }
        }
        for (bool some = true; some;) {
            some = false;
            LineStep step;
            std::vector<std::pair<std::uint32_t, Waiting>> arrived[2];
            for (const bool left : {false, true}) {
                for (std::uint32_t at = 0; at < p_; ++at) {
                    std::vector<Waiting>& queue = on_relay_line[left ? 1 : 0][at];
                    if (queue.empty()) continue;
                    const auto furthest = std::max_element(
                        queue.begin(), queue.end(), [left](const Waiting& a, const Waiting& b) {
                            return left ? a.destination > b.destination
                                        : a.destination < b.destination;
                        });
                    const std::uint32_t next = left ? at - w_ : at + w_;
                    step.push_back({at, next, furthest->source, furthest->destination});
                    if (next != furthest->destination) {
                        arrived[left ? 1 : 0].emplace_back(next, *furthest);
                    }
                    queue.erase(furthest);
                }
                for (const auto& [at, waiting] : arrived[left ? 1 : 0]) {
                    on_relay_line[left ? 1 : 0][at].push_back(waiting);
                }
            }
            some = !step.empty();
            if (some) steps.push_back(std::move(step));
        }
        return steps;
    }

    std::uint32_t p_;
    std::uint32_t w_;
};

/// Puts the plans of lines together to that of a network.
class Composer {
public:
    Composer(const HowShape& shape, Collective collective, PortModel ports, NodeId root)
        : rows_(shape.sides.size() == 2 ? shape.sides[0] : 1),
          columns_(shape.sides.back()),
          collective_(collective),
          ports_(ports),
          root_(root),
          row_(columns_, shape.windows.back()),
          column_(rows_, shape.windows.front()),
          has_columns_(shape.sides.size() == 2) {
        plan_.nodes = rows_ * columns_;
    }

    CollectivePlan build() {
        switch (collective_) {
            case Collective::kOneToAll:
                one_to_all();
                break;
            case Collective::kAllToAll:
                all_to_all();
                break;
            case Collective::kOneToAllPersonalized:
                if (!has_columns_ || ports_ != PortModel::kIndependent) {
                    scatter();
                } else {
                    scatter_by_rounds();
                }
                break;
            case Collective::kAllToAllPersonalized:
                exchange();
                break;
        }
        return std::move(plan_);
    }

private:
    NodeId node(std::uint32_t row, std::uint32_t column) const { return row * columns_ + column; }
    std::uint32_t row_of(NodeId node) const { return node / columns_; }
    std::uint32_t column_of(NodeId node) const { return node % columns_; }
    LineSteps steps(const Line& line, std::uint32_t root) const {
        return line.steps(collective_, ports_, root);
    }

    /// Adds the steps of a line after those that are there; `lines` of them at once, `place` and
    /// `block` say what a position and a block of a line are.
    template <class Place, class MakeBlock>
    void append(const LineSteps& steps, std::uint32_t lines, const Place& place,
                const MakeBlock& block) {
        for (const LineStep& step : steps) {
            std::vector<BlockMove> moves;
            for (std::uint32_t line = 0; line < lines; ++line) {
                for (const LineMove& move : step) {
                    moves.push_back({place(line, move.from), place(line, move.to),
                                     block(line, move.source, move.destination)});
                }
            }
            plan_.steps.push_back(std::move(moves));
        }
    }

    void one_to_all() {
        const Block block{root_, kEveryone};
        append(
            steps(row_, column_of(root_)), 1,
            [&](std::uint32_t, std::uint32_t c) { return node(row_of(root_), c); },
            [&](std::uint32_t, std::uint32_t, std::uint32_t) { return block; });
        if (!has_columns_) return;
        append(
            steps(column_, row_of(root_)), columns_,
            [&](std::uint32_t c, std::uint32_t r) { return node(r, c); },
            [&](std::uint32_t, std::uint32_t, std::uint32_t) { return block; });
    }

    /// Rows exchange their blocks, then columns once for every block that a row has.
    void all_to_all() {
        append(
            steps(row_, 0), rows_, [&](std::uint32_t r, std::uint32_t c) { return node(r, c); },
            [&](std::uint32_t r, std::uint32_t source, std::uint32_t) {
                return Block{node(r, source), kEveryone};
            });
        if (!has_columns_) return;
        const LineSteps along_columns = steps(column_, 0);
        for (std::uint32_t from = 0; from < columns_; ++from) {
            append(
                along_columns, columns_,
                [&](std::uint32_t c, std::uint32_t r) { return node(r, c); },
                [&](std::uint32_t, std::uint32_t source, std::uint32_t) {
                    return Block{node(source, from), kEveryone};
                });
        }
    }

    /// One dimension, or one output: along the row, then along the column. Every node has one path
    /// from the root, so blocks that left the root in different steps never meet; the longest paths
    /// first.
    void scatter() {
        if (!has_columns_) {
            append(
                steps(row_, root_), 1, [](std::uint32_t, std::uint32_t at) { return at; },
                [&](std::uint32_t, std::uint32_t, std::uint32_t destination) {
                    return Block{root_, destination};
                });
            return;
        }
        std::vector<std::vector<NodeId>> ways;
        for (NodeId target = 0; target < plan_.nodes; ++target) {
            if (target == root_) continue;
            std::vector<NodeId> way;
            for (const std::uint32_t c :
                 ring_way(row_.ring(), column_of(root_), column_of(target))) {
                way.push_back(node(row_of(root_), c));
            }
            for (const std::uint32_t r : ring_way(column_.ring(), row_of(root_), row_of(target))) {
                if (r != row_of(root_)) way.push_back(node(r, column_of(target)));
            }
            ways.push_back(std::move(way));
        }
        std::stable_sort(ways.begin(), ways.end(),
                         [](const auto& a, const auto& b) { return a.size() > b.size(); });
        for (std::size_t first = 0; first < ways.size(); ++first) {
            const std::vector<NodeId>& way = ways[first];
            for (std::size_t hop = 0; hop + 1 < way.size(); ++hop) {
                move_in_step(first + hop, {way[hop], way[hop + 1], {root_, way.back()}});
            }
        }
    }

    /// The shorter way round a ring, both ends included.
    static std::vector<std::uint32_t> ring_way(const std::vector<std::uint32_t>& order,
                                               std::uint32_t from, std::uint32_t to) {
        const auto p = static_cast<std::uint32_t>(order.size());
        const auto find = [&order](std::uint32_t position) {
            return static_cast<std::uint32_t>(std::find(order.begin(), order.end(), position) -
                                              order.begin());
        };
        const std::uint32_t forward = (find(to) + p - find(from)) % p;
        const bool backwards = 2 * forward > p;
        std::vector<std::uint32_t> way;
        for (std::uint32_t hop = 0; hop <= (backwards ? p - forward : forward); ++hop) {
            way.push_back(order[(find(from) + (backwards ? p - hop : hop)) % p]);
        }
        return way;
    }

    /// Section 5.3, independent ports: a round for every row, the furthest first. The blocks of a
    /// row are scattered along the root's row; from there each goes down its column at once.
    void scatter_by_rounds() {
        std::vector<std::uint32_t> targets;
        for (std::uint32_t r = 0; r < rows_; ++r) targets.push_back(r);
        const auto apart = [&](std::uint32_t r) {
            return r > row_of(root_) ? r - row_of(root_) : row_of(root_) - r;
        };
        std::stable_sort(targets.begin(), targets.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return apart(a) > apart(b); });
        const LineSteps along_row = steps(row_, column_of(root_));
        std::size_t first = 0;
        for (const std::uint32_t target : targets) {
            for (std::size_t k = 0; k < along_row.size(); ++k) {
                for (const LineMove& move : along_row[k]) {
                    const NodeId destination = node(target, move.destination);
                    move_in_step(first + k, {node(row_of(root_), move.from),
                                             node(row_of(root_), move.to),
                                             {root_, destination}});
                    if (move.to == move.destination) go_down(first + k + 1, destination);
                }
            }
            go_down(first, node(target, column_of(root_)));
            first += along_row.size();
        }
    }
    /// Goes on from the root's row, with the longest hops.
    void go_down(std::size_t step, NodeId destination) {
        const std::uint32_t column = column_of(destination);
        for (std::uint32_t r = row_of(root_); r != row_of(destination); ++step) {
            const std::uint32_t next = column_.towards(r, row_of(destination));
            move_in_step(step, {node(r, column), node(next, column), {root_, destination}});
            r = next;
        }
    }
    void move_in_step(std::size_t step, const BlockMove& move) {
        if (step >= plan_.steps.size()) plan_.steps.resize(step + 1);
        plan_.steps[step].push_back(move);
    }

    /// A round for every row that blocks are for, along the rows; then one for every column that
    /// they come from, along the columns.
    void exchange() {
        const LineSteps along_rows = steps(row_, 0);
        for (std::uint32_t target = 0; target < rows_; ++target) {
            append(
                along_rows, rows_, [&](std::uint32_t r, std::uint32_t c) { return node(r, c); },
                [&](std::uint32_t r, std::uint32_t source, std::uint32_t destination) {
                    return Block{node(r, source), node(target, destination)};
                });
        }
        if (!has_columns_) return;
        const LineSteps along_columns = steps(column_, 0);
        for (std::uint32_t from = 0; from < columns_; ++from) {
            append(
                along_columns, columns_,
                [&](std::uint32_t c, std::uint32_t r) { return node(r, c); },
                [&](std::uint32_t c, std::uint32_t source, std::uint32_t destination) {
                    return Block{node(source, from), node(destination, c)};
                });
        }
    }

    std::uint32_t rows_;
    std::uint32_t columns_;
    Collective collective_;
    PortModel ports_;
    NodeId root_;
    Line row_;
    Line column_;
    bool has_columns_;
    CollectivePlan plan_;
};

}  // namespace

CollectivePlan how_collective(const HowShape& shape, Collective collective, PortModel ports,
                              NodeId root) {
    const std::size_t dims = shape.sides.size();
    bool fits = (dims == 1 || dims == 2) && shape.windows.size() == dims;
    for (std::size_t dim = 0; fits && dim < dims; ++dim) {
        fits = shape.windows[dim] > 0 && shape.windows[dim] < std::max(shape.sides[dim], 2U);
    }
    if (!fits) throw std::invalid_argument("how_collective: one or two dimensions with windows");
    return Composer(shape, collective, ports, root).build();
}

namespace {

/// Sum of the hops of the paths between all ordered pairs of positions of a line.
std::uint64_t hops_of_all(std::uint64_t p, std::uint64_t w, bool is_ring) {
    if (is_ring) return p * (p * p / 4);
    std::uint64_t hops = 0;
    for (std::uint64_t far = 1; far < p; ++far) {
        hops += 2 * (p - far) * (far / w + (far % w != 0 ? 1 : 0));
    }
    return hops;
}

/// The most hops, in sum, of the paths from one position to all others.
std::uint64_t hops_of_root(std::uint64_t p, std::uint64_t w, bool is_ring) {
    if (is_ring) return p * p / 4;
    std::uint64_t hops = 0;
    // What is furthest in a window decides for all of it.
    for (std::uint64_t far = 1; far < p; ++far) hops += (far + 2 * w - 2) / w;
    return hops;
}

}  // namespace

std::uint64_t personalized_moves(const HowShape& shape, Collective collective, PortModel ports) {
    const bool is_ring = ports != PortModel::kIndependent;
    const std::uint64_t rows = shape.sides.size() == 2 ? shape.sides[0] : 1;
    const std::uint64_t columns = shape.sides.back();
    if (collective == Collective::kOneToAllPersonalized) {
        return hops_of_root(columns, shape.windows.back(), is_ring) * rows +
               hops_of_root(rows, shape.windows.front(), is_ring) * columns;
    }
    return hops_of_all(columns, shape.windows.back(), is_ring) * rows * rows +
           hops_of_all(rows, shape.windows.front(), is_ring) * columns * columns;
}

}  // namespace flitscope
