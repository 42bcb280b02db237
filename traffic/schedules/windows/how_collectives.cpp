// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/windows/how_collectives.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "traffic/schedules/windows/how_line.h"

namespace flitscope {
namespace {

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
    LineSteps steps(const HowLine& line, std::uint32_t root) const {
        return line.steps(collective_, ports_, root);
    }

    /// Adds the steps of a line after the present ones; `lines` lines at once, `place` and `block`
    /// map the positions and blocks of a line.
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
    HowLine row_;
    HowLine column_;
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

/// The maximum sum of hops of the paths from one position to all others.
std::uint64_t hops_of_root(std::uint64_t p, std::uint64_t w, bool is_ring) {
    if (is_ring) return p * p / 4;
    std::uint64_t hops = 0;
    // The furthest node of a window decides for all of it.
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
