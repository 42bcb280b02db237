// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/computations/semigroup.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace flitscope {
namespace {

using Sides = std::vector<std::uint32_t>;

NodeId product(const Sides& sides) {
    return std::accumulate(sides.begin(), sides.end(), NodeId{1}, std::multiplies<>());
}

std::vector<NodeId> all_nodes(NodeId count) {
    std::vector<NodeId> nodes(count);
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    return nodes;
}

/// A side cut into segments: the begin of each, and the end of the last one.
class Segments {
public:
    Segments(std::uint32_t side, std::uint32_t length, bool joins_single_tail = false) {
        for (std::uint32_t at = 0; at < side; at += length) bounds_.push_back(at);
        if (joins_single_tail && bounds_.size() > 1 && bounds_.back() + 1 == side) {
            bounds_.pop_back();
        }
        bounds_.push_back(side);
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(bounds_.size() - 1); }
    std::uint32_t begin(std::uint32_t i) const { return bounds_[i]; }
    std::uint32_t end(std::uint32_t i) const { return bounds_[i + 1]; }
    std::uint32_t longest() const {
        std::uint32_t longest = 0;
        for (std::uint32_t i = 0; i < count(); ++i) longest = std::max(longest, end(i) - begin(i));
        return longest;
    }
    std::uint32_t index_of(std::uint32_t position) const {
        const auto next = std::upper_bound(bounds_.begin(), bounds_.end() - 1, position);
        return static_cast<std::uint32_t>(next - bounds_.begin() - 1);
    }

private:
    std::vector<std::uint32_t> bounds_;
};

/// Combines into every node of `line` its value and those after it, from the last one on.
StepId chain(PlanAssembler& plan, const std::vector<NodeId>& line, StepId start, RegisterId id,
             OperatorId combine) {
    for (std::size_t i = line.size() - 1; i > 0; --i) {
        plan.move(start++, {line[i], line[i - 1], id, id, Receive::kCombineRight, combine});
    }
    return start;
}

/// An express mesh of one or two dimensions as rows and columns.
class Plane {
public:
    Plane(const ExpressShape& shape, bool joins_single_tail)
        : columns_(shape.sides.back()),
          x_(columns_, shape.segment),
          y_(shape.sides.size() == 2 ? shape.sides[0] : 1, shape.segment, joins_single_tail) {}

    NodeId at(std::uint32_t row, std::uint32_t column) const { return row * columns_ + column; }
    const Segments& x() const { return x_; }
    const Segments& y() const { return y_; }

    /// Nodes in submesh-row-major order.
    std::vector<NodeId> submesh_order() const {
        std::vector<NodeId> nodes;
        for (std::uint32_t i = 0; i < y_.count(); ++i) {
            for (std::uint32_t j = 0; j < x_.count(); ++j) {
                for (std::uint32_t row = y_.begin(i); row < y_.end(i); ++row) {
                    for (std::uint32_t column = x_.begin(j); column < x_.end(j); ++column) {
                        nodes.push_back(at(row, column));
                    }
                }
            }
        }
        return nodes;
    }

    /// Every row of every submesh to its first node.
    StepId reduce_rows(PlanAssembler& plan, StepId start, RegisterId id, OperatorId combine) const {
        for (std::uint32_t row = 0; row < y_.end(y_.count() - 1); ++row) {
            for (std::uint32_t j = 0; j < x_.count(); ++j) {
                std::vector<NodeId> line;
                for (std::uint32_t column = x_.begin(j); column < x_.end(j); ++column) {
                    line.push_back(at(row, column));
                }
                chain(plan, line, start, id, combine);
            }
        }
        return start + x_.longest() - 1;
    }
    /// Then the first column of every submesh to its first node, or to the node `top` gives for it.
    template <typename Top>
    StepId reduce_columns(PlanAssembler& plan, StepId start, RegisterId id, OperatorId combine,
                          Top top) const {
        for (std::uint32_t i = 0; i < y_.count(); ++i) {
            for (std::uint32_t j = 0; j < x_.count(); ++j) {
                std::vector<NodeId> line{top(at(y_.begin(i), x_.begin(j)))};
                for (std::uint32_t row = y_.begin(i) + 1; row < y_.end(i); ++row) {
                    line.push_back(at(row, x_.begin(j)));
                }
                chain(plan, line, start, id, combine);
            }
        }
        return start + y_.longest() - 1;
    }

private:
    std::uint32_t columns_;
    Segments x_;
    Segments y_;
};

/// Sparse, full and hierarchical layouts, of any number of dimensions.
SemigroupPlan by_levels(const ExpressShape& shape, const Operator& combine) {
    Sides pitches{1};
    const std::uint32_t levels = shape.layout == ExpressLayout::kHierarchy ? shape.levels : 1;
    for (std::uint32_t level = 0; level < levels; ++level) {
        pitches.push_back(pitches.back() * shape.segment);
    }
    const NodeId nodes = product(shape.sides);
    std::vector<NodeId> strides(shape.sides.size());
    NodeId stride = 1;
    for (std::size_t dim = strides.size(); dim-- > 0; stride *= shape.sides[dim]) {
        strides[dim] = stride;
    }
    const auto coordinate = [&](NodeId node, std::size_t dim) {
        return node / strides[dim] % shape.sides[dim];
    };

    PlanAssembler plan(nodes);
    const RegisterId id = plan.new_register();
    const OperatorId by = plan.add(combine);
    StepId start = 0;
    for (std::size_t level = 0; level < pitches.size(); ++level) {
        const bool is_top = level + 1 == pitches.size();
        const std::uint32_t pitch = pitches[level];
        const auto block = [&](std::size_t dim) {
            return is_top ? shape.sides[dim] : std::min(pitches[level + 1], shape.sides[dim]);
        };
        for (std::size_t dim = strides.size(); dim-- > 0;) {
            StepId end = start;
            for (NodeId node = 0; node < nodes; ++node) {
                bool begins_line = coordinate(node, dim) % block(dim) == 0;
                for (std::size_t other = 0; other < strides.size(); ++other) {
                    const std::uint32_t multiple = other > dim ? block(other) : pitch;
                    begins_line = begins_line && coordinate(node, other) % multiple == 0;
                }
                if (!begins_line) continue;
                std::vector<NodeId> line;
                const std::uint32_t first = coordinate(node, dim);
                const std::uint32_t past = std::min(first + block(dim), shape.sides[dim]);
                for (std::uint32_t at = first; at < past; at += pitch) {
                    line.push_back(node + (at - first) * strides[dim]);
                }
                end = std::max(end, chain(plan, line, start, id, by));
            }
            start = end;
        }
    }

    std::vector<NodeId> sequence = all_nodes(nodes);
    std::sort(sequence.begin(), sequence.end(), [&](NodeId a, NodeId b) {
        for (std::size_t level = pitches.size(); level-- > 0;) {
            for (std::size_t dim = 0; dim < strides.size(); ++dim) {
                const std::uint32_t of_a = coordinate(a, dim) / pitches[level];
                const std::uint32_t of_b = coordinate(b, dim) / pitches[level];
                if (of_a != of_b) return of_a < of_b;
            }
        }
        return false;
    });
    return {plan.take(), id, 0, id, std::move(sequence)};
}

/// Degree 5 by shifted links: in a row from column jL + 1 to (j + 1) L, in a column from row jL + 2
/// to (j + 1) L + 1 (errata, section D). If the last submeshes have a single row, there is no link
/// to the row after it; they are merged with those before them.
SemigroupPlan by_shifted_links(const ExpressShape& shape, const Operator& combine) {
    if (shape.sides.size() > 2) {
        throw std::invalid_argument("semigroup_by_submeshes: shifted links have two dimensions");
    }
    const Plane plane(shape, true);
    PlanAssembler plan(product(shape.sides));
    const RegisterId id = plan.new_register();
    const RegisterId transit = plan.new_register();
    const RegisterId moved = plan.new_register();
    const OperatorId by = plan.add(combine);
    StepId start = plane.reduce_rows(plan, 0, id, by);
    start = plane.reduce_columns(plan, start, id, by, [](NodeId node) { return node; });
    const std::uint32_t columns = plane.x().count();
    for (std::uint32_t j = columns - 1; j > 0; --j) {
        for (std::uint32_t i = 0; i < plane.y().count(); ++i) {
            const std::uint32_t row = plane.y().begin(i);
            const std::uint32_t to = plane.x().begin(j - 1);
            const NodeId between = plane.at(row, to + 1);
            plan.move(start, {plane.at(row, plane.x().begin(j)), between, id, transit,
                              Receive::kStore, PlanAssembler::kCopy});
            plan.move(start + 1,
                      {between, plane.at(row, to), transit, id, Receive::kCombineRight, by});
        }
        start += 2;
    }
    const std::uint32_t rows = plane.y().count();
    if (rows > 1) {
        for (std::uint32_t i = 0; i < rows; ++i) {
            const std::uint32_t row = plane.y().begin(i);
            plan.move(start, {plane.at(row, 0), plane.at(row + 1, 0), id, moved, Receive::kStore,
                              PlanAssembler::kCopy});
        }
        ++start;
        for (std::uint32_t i = rows - 1; i > 0; --i) {
            const std::uint32_t to = plane.y().begin(i - 1) + 1;
            const NodeId between = plane.at(to + 1, 0);
            plan.move(start, {plane.at(plane.y().begin(i) + 1, 0), between, moved, transit,
                              Receive::kStore, PlanAssembler::kCopy});
            plan.move(start + 1,
                      {between, plane.at(to, 0), transit, moved, Receive::kCombineRight, by});
            start += 2;
        }
        plan.move(start, {plane.at(1, 0), 0, moved, id, Receive::kStore, PlanAssembler::kCopy});
    }
    return {plan.take(), id, 0, id, plane.submesh_order()};
}

/// Terminals of two routers, each with its node: A has the links of the row, its twin B those of
/// the column. A terminal has one value, at A; the result ends at the twin of node 0.
SemigroupPlan by_twins(const ExpressShape& shape, const Operator& combine) {
    const Plane plane(shape, false);
    const CompoundShape twins = shape.compound();
    PlanAssembler plan(twins.routers());
    const RegisterId id = plan.new_register();
    const OperatorId by = plan.add(combine);
    StepId start = plane.reduce_rows(plan, 0, id, by);
    start =
        plane.reduce_columns(plan, start, id, by, [&](NodeId node) { return twins.twin(node); });
    const Segments& x = plane.x();
    const Segments& y = plane.y();
    const auto terminal = [&](std::uint32_t i, std::uint32_t j) {
        return plane.at(y.begin(i), x.begin(j));
    };
    for (std::uint32_t i = 0; i < y.count(); ++i) {
        const bool is_single_row = y.end(i) == y.begin(i) + 1;  // its twins have received nothing
        for (std::uint32_t j = 0; j < x.count() && !is_single_row; ++j) {
            const NodeId node = terminal(i, j);
            plan.move(start, {twins.twin(node), node, id, id, Receive::kCombineRight, by});
        }
    }
    ++start;
    for (std::uint32_t i = 0; i < y.count(); ++i) {
        std::vector<NodeId> line;
        for (std::uint32_t j = 0; j < x.count(); ++j) line.push_back(terminal(i, j));
        chain(plan, line, start, id, by);
    }
    start += x.count() - 1;
    std::vector<NodeId> line;
    for (std::uint32_t i = 0; i < y.count(); ++i) {
        const NodeId node = terminal(i, 0);
        line.push_back(twins.twin(node));
        plan.move(start, {node, line.back(), id, id, Receive::kStore, PlanAssembler::kCopy});
    }
    chain(plan, line, start + 1, id, by);
    return {plan.take(), id, twins.twin(0), id, plane.submesh_order()};
}

}  // namespace

SemigroupPlan semigroup_by_rows(const ComputationGrid& grid, const Operator& combine) {
    PlanAssembler plan(grid.nodes());
    const RegisterId id = plan.new_register();
    grid.reduce(plan, 0, id, plan.add(combine));
    return {plan.take(), id, 0, id, all_nodes(grid.nodes())};
}

SemigroupPlan semigroup_by_submeshes(const ExpressShape& shape, const Operator& combine) {
    if (shape.layout == ExpressLayout::kShifted) return by_shifted_links(shape, combine);
    if (shape.layout == ExpressLayout::kCompound) return by_twins(shape, combine);
    return by_levels(shape, combine);
}

SemigroupPlan semigroup_by_submesh_rows(const ExpressShape& shape, const Operator& combine,
                                        bool as_printed) {
    if (shape.sides.size() != 2 || !shape.joins_terminals()) {
        throw std::invalid_argument("semigroup_by_submesh_rows: needs two dimensions, sparse");
    }
    const Plane plane(shape, false);
    const Segments& x = plane.x();
    const Segments& y = plane.y();
    const std::uint32_t rows = y.longest();
    PlanAssembler plan(product(shape.sides));
    const RegisterId id = plan.new_register();
    const OperatorId by = plan.add(combine);
    std::vector<RegisterId> row_ids{id};  // register of the k-th row of a submesh, at its terminal
    while (row_ids.size() < rows) row_ids.push_back(plan.new_register());

    // Phase 1: the rows, then up the first column one after the other, the nearest one first.
    StepId start = plane.reduce_rows(plan, 0, id, by);
    const RegisterId transit = plan.new_register();
    for (std::uint32_t i = 0; i < y.count(); ++i) {
        for (std::uint32_t j = 0; j < x.count(); ++j) {
            const auto node = [&](std::uint32_t k) { return plane.at(y.begin(i) + k, x.begin(j)); };
            for (std::uint32_t k = 1; k < y.end(i) - y.begin(i); ++k) {
                for (std::uint32_t hop = 0; hop < k; ++hop) {
                    const bool arrives = hop + 1 == k;
                    plan.move(start + hop, {node(k - hop), node(k - hop - 1),
                                            hop == 0 ? id : transit, arrives ? row_ids[k] : transit,
                                            Receive::kStore, PlanAssembler::kCopy});
                }
            }
        }
    }
    start += rows - 1;

    // Phase 2: from right to left, row after row.
    const std::uint32_t columns = x.count();
    for (std::uint32_t i = 0; i < y.count(); ++i) {
        for (std::uint32_t k = 0; k < y.end(i) - y.begin(i); ++k) {
            std::vector<NodeId> line;
            for (std::uint32_t j = 0; j < columns; ++j) {
                line.push_back(plane.at(y.begin(i), x.begin(j)));
            }
            chain(plan, line, start + k, row_ids[k], by);
        }
    }
    start += columns + rows - 2;

    // Phase 3: up the terminals of column 0.
    std::vector<NodeId> line;
    for (std::uint32_t i = 0; i < y.count(); ++i) line.push_back(plane.at(y.begin(i), 0));
    const auto combine_rows = [&](NodeId node, StepId step) {
        for (std::uint32_t k = 1; k < rows; ++k) plan.operate(step, {node, id, id, row_ids[k], by});
    };
    if (as_printed) {
        for (std::uint32_t k = 0; k < rows; ++k) chain(plan, line, start + k, row_ids[k], by);
        combine_rows(line.front(), plan.steps());
    } else {
        for (const NodeId node : line) combine_rows(node, start);
        chain(plan, line, start, id, by);
    }
    return {plan.take(), id, 0, id, all_nodes(product(shape.sides))};
}

}  // namespace flitscope
