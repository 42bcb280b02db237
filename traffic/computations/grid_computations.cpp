// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/computations/grid_computations.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "models/base/split_mix.h"

namespace flitscope {
namespace {

using Number = std::int64_t;

void require_plane(const ComputationGrid& grid) {
    if (grid.dims() != 2) throw std::invalid_argument("a computation of rows needs two dimensions");
}

StepId scan_lines(PlanAssembler& plan, const ComputationGrid& grid, std::size_t dim, Lines lines,
                  StepId start, const ScanRegisters& registers, OperatorId combine,
                  Direction direction) {
    return grid.along(dim, lines, start, [&](const GridLine& line, StepId begin) {
        return plan.scan(line, begin, registers, combine, direction);
    });
}

/// Scans the grid spanned by the dimensions up to `dim`, in the order of nodes: sums of lines along
/// `dim` are scanned first; each line then continues from the sum before it.
StepId scan_grid(PlanAssembler& plan, const ComputationGrid& grid, std::size_t dim, StepId start,
                 const ScanRegisters& registers, OperatorId combine) {
    if (dim > 0) {
        const RegisterId sum = plan.new_register();
        grid.each_line(dim, Lines::kFace, [&](const GridLine& line) {
            for (std::uint32_t i = 0; i < line.form.side; ++i) {
                plan.operate(start, {line.at(i), sum, registers.inclusive, registers.inclusive,
                                     PlanAssembler::kCopy});
            }
        });
        start = grid.along(dim, Lines::kFace, start, [&](const GridLine& line, StepId begin) {
            return plan.reduce(line, begin, sum, combine);
        });
        const ScanRegisters sums = plan.new_scan(sum);
        start = scan_grid(plan, grid, dim - 1, start, sums, combine);
        grid.each_line(dim, Lines::kFace, [&](const GridLine& line) {
            for (const RegisterId id : {registers.exclusive, registers.inclusive}) {
                plan.operate(start, {line.origin, id, sums.exclusive, id, combine});
            }
        });
    }
    return scan_lines(plan, grid, dim, Lines::kFace, start, registers, combine,
                      Direction::kRightwards);
}

Value bit(std::uint64_t seed, NodeId node, std::uint64_t one_in) {
    return Value({split_mix(split_mix(seed) ^ node) % one_in == 0 ? 1 : 0});
}

// ---- Median -------------------------------------------------------------------------------------

// A number of the median computation with the node as its lower part, so that no two are equal.
constexpr Number kNode = 1 << 16;
constexpr Number kNone = -1;
constexpr Number kNoKey = INT64_MAX;

Number draw(std::uint64_t seed, NodeId node) {
    const auto number = static_cast<Number>(split_mix(split_mix(seed) ^ node) % 1'000'000'000);
    return number * kNode + node;
}

/// In every round, the number with the smallest key is the candidate.
Number key_of(std::uint64_t seed, Number round, Number number) {
    const std::uint64_t hash =
        split_mix(split_mix(split_mix(seed) + static_cast<std::uint64_t>(round)) ^
                  static_cast<std::uint64_t>(number));
    return static_cast<Number>(hash >> 1);
}

/// The state of the search at a node: Value {low, high, pivot, round}. The median is between low
/// and high, neither included; without a pivot the search has not begun.
struct Search {
    Number low = kNone;
    Number high = INT64_MAX;
    Number pivot = kNone;
    Number round = 0;

    Search() = default;
    explicit Search(const Value& v)
        : low(v.words[0]), high(v.words[1]), pivot(v.words[2]), round(v.words[3]) {}
    Value value() const { return Value({low, high, pivot, round}); }
    void go_on(Number next, Number next_round) {
        if (pivot != kNone) (next < pivot ? high : low) = pivot;
        pivot = next;
        round = next_round;
    }
};

/// The contribution of a node to a reduction: Value {numbers below the pivot, and of the candidates
/// below and above it the key and the number}.
Value contribution(std::uint64_t seed, const Search& search, Number number) {
    const bool may_be = number > search.low && number < search.high && number != search.pivot;
    if (!may_be) return Value({0, kNoKey, kNone, kNoKey, kNone});
    const Number key = key_of(seed, search.round, number);
    if (number < search.pivot || search.pivot == kNone)
        return Value({1, key, number, kNoKey, kNone});
    return Value({0, kNoKey, kNone, key, number});
}

Value gather(const Value& a, const Value& b) {
    const Value& below = a.words[1] <= b.words[1] ? a : b;
    const Value& above = a.words[3] <= b.words[3] ? a : b;
    return Value(
        {a.words[0] + b.words[0], below.words[1], below.words[2], above.words[3], above.words[4]});
}

/// The decision of node 0: Value {numbers known to be below the median, pivot, round, is it found}.
Value decide(Number rank, const Value& state, const Value& gathered) {
    const auto [before, pivot, round, found, unused] = state.words;
    if (found != 0) return state;
    if (pivot == kNone) return Value({0, gathered.words[2], 0, 0});
    const Number below = before + gathered.words[0];
    if (below == rank) return Value({below, pivot, round, 1});
    if (below > rank) return Value({before, gathered.words[2], round + 1, 0});
    return Value({below + 1, gathered.words[4], round + 1, 0});
}

Number median_rank(NodeId count) { return (count - 1) / 2; }

}  // namespace

Computation prefix(const ComputationGrid& grid, const ValueOperation& operation,
                   std::uint32_t values_per_node, std::uint64_t seed) {
    PlanAssembler plan(grid.nodes());
    const ScanRegisters registers = plan.new_scan(plan.new_register());
    scan_grid(plan, grid, grid.dims() - 1, 0, registers, plan.add(operation.combine));
    Computation result;
    const std::uint64_t count = std::uint64_t{grid.nodes()} * values_per_node;
    result.name = fmt::format("prefix {} of {} values", operation.name, count);
    result.text = operation.text;
    result.plan = plan.take();
    result.initial = Registers(grid.nodes(), result.plan.registers);
    Value before;
    for (NodeId node = 0; node < grid.nodes(); ++node) {
        Value own;
        Value all = before;
        for (std::uint32_t i = 0; i < values_per_node; ++i) {
            const Value next = operation.draw(seed, std::uint64_t{node} * values_per_node + i);
            own = operation.combine(own, next);
            all = operation.combine(all, next);
        }
        result.initial.at(node, registers.inclusive) = own;
        result.expected.push_back({node, registers.inclusive, all});
        result.expected.push_back({node, registers.exclusive, before});
        before = all;
    }
    std::reverse(result.expected.begin(), result.expected.end());
    std::swap(result.expected[0], result.expected[1]);  // the product of all values first
    return result;
}

Computation median_row(const ComputationGrid& grid, std::uint64_t seed) {
    require_plane(grid);
    const NodeId rows = grid.form(0).side;
    const NodeId columns = grid.form(1).side;
    PlanAssembler plan(grid.nodes());
    const RegisterId sum = plan.new_register();
    const RegisterId total = plan.new_register();
    const RegisterId row = plan.new_register();  // the number of the row, then the outcome
    const ScanRegisters sums = plan.new_scan(sum);
    const OperatorId add = plan.add(value_operation("sum").combine);
    // {ones up to the row before, ones up to this row}, with nothing before the first one.
    const OperatorId both = plan.add([](const Value& before, const Value& with) {
        return Value({before.is_set ? before.words[0] : -1, with.words[0]});
    });
    const OperatorId halves = plan.add([](const Value& ones, const Value& all) {
        const Number half = (all.words[0] + 1) / 2;
        return Value({ones.words[0] < half && half <= ones.words[1] ? 1 : 0});
    });
    const OperatorId name = plan.add([](const Value& is_median, const Value& number) {
        return Value({is_median.words[0], number.words[0]});
    });

    StepId start = grid.along(1, Lines::kFace, 0, [&](const GridLine& line, StepId begin) {
        return plan.reduce(line, begin, sum, add);
    });
    start = scan_lines(plan, grid, 0, Lines::kFace, start, sums, add, Direction::kRightwards);
    const NodeId last = (rows - 1) * columns;
    plan.operate(start, {last, total, sum, sum, PlanAssembler::kCopy});
    start = grid.along(0, Lines::kFace, start, [&](const GridLine& line, StepId begin) {
        return plan.broadcast_from_end(line, begin, total);
    });
    for (NodeId node = 0; node <= last; node += columns) {
        plan.operate(start, {node, sum, sums.exclusive, sum, both});
        plan.operate(start, {node, sum, sum, total, halves});
        plan.operate(start, {node, row, sum, row, name});
    }

    Computation result;
    result.name = fmt::format("median row of {} x {} bits", rows, columns);
    result.text = [](const Value& value) {
        return fmt::format("{} {}", value.words[0] != 0 ? "row" : "not row", value.words[1]);
    };
    result.plan = plan.take();
    result.initial = Registers(grid.nodes(), result.plan.registers);
    std::vector<Number> ones(rows, 0);
    Number all = 0;
    for (NodeId node = 0; node < grid.nodes(); ++node) {
        const Value value = bit(seed, node, 2);
        result.initial.at(node, sum) = value;
        ones[node / columns] += value.words[0];
        all += value.words[0];
    }
    NodeId found = 0;
    for (Number up_to = ones[0]; 2 * up_to < all; up_to += ones[found]) ++found;
    for (NodeId y = 0; y < rows; ++y) {
        result.initial.at(y * columns, row) = Value({Number{y}});
        result.expected.push_back({y * columns, row, Value({y == found ? 1 : 0, Number{y}})});
    }
    std::swap(result.expected[0], result.expected[found]);
    return result;
}

Computation closest_neighbour(const ComputationGrid& grid, std::uint64_t seed) {
    require_plane(grid);
    const NodeId columns = grid.form(1).side;
    PlanAssembler plan(grid.nodes());
    const RegisterId own = plan.new_register();    // {0, node} if there is a one
    const RegisterId place = plan.new_register();  // {row, column}
    const RegisterId seen = plan.new_register();   // {row, node} if there is a one
    const RegisterId seen_back = plan.new_register();
    const RegisterId in_column = plan.new_register();  // {distance, node} of another one
    const RegisterId nearest = plan.new_register();
    const RegisterId leftmost = plan.new_register();
    const ScanRegisters down = plan.new_scan(seen);
    const ScanRegisters up = plan.new_scan(seen_back);
    const ScanRegisters left = plan.new_scan(nearest);
    const ScanRegisters right = plan.new_scan(leftmost);
    const OperatorId last = plan.add(or_either([](const Value&, const Value& b) { return b; }));
    const OperatorId first = plan.add(or_either([](const Value& a, const Value&) { return a; }));
    const OperatorId nearer = plan.add(or_either([](const Value& a, const Value& b) {
        return std::tie(b.words[0], b.words[1]) < std::tie(a.words[0], a.words[1]) ? b : a;
    }));
    const auto shift = [&](const auto& distance) {
        return plan.add([distance](const Value& found, const Value& here) {
            if (!found.is_set) return found;
            return Value({distance(found.words[0], here), found.words[1]});
        });
    };
    const OperatorId rows_away =
        shift([](Number row, const Value& here) { return std::abs(row - here.words[0]); });
    const OperatorId less = shift([](Number d, const Value& here) { return d - here.words[1]; });
    const OperatorId more = shift([](Number d, const Value& here) { return d + here.words[1]; });

    StepId start = scan_lines(plan, grid, 0, Lines::kAll, 0, down, last, Direction::kRightwards);
    start = scan_lines(plan, grid, 0, Lines::kAll, start, up, first, Direction::kLeftwards);
    for (NodeId node = 0; node < grid.nodes(); ++node) {
        const auto apply = [&](RegisterId target, RegisterId a, RegisterId b, OperatorId by) {
            plan.operate(start, {node, target, a, b, by});
        };
        apply(down.exclusive, down.exclusive, place, rows_away);
        apply(up.exclusive, up.exclusive, place, rows_away);
        apply(in_column, down.exclusive, up.exclusive, nearer);
        apply(own, own, in_column, first);
        apply(nearest, own, place, less);
        apply(leftmost, own, place, more);
    }
    start = scan_lines(plan, grid, 1, Lines::kAll, start, left, nearer, Direction::kRightwards);
    start = scan_lines(plan, grid, 1, Lines::kAll, start, right, nearer, Direction::kLeftwards);
    for (NodeId node = 0; node < grid.nodes(); ++node) {
        const auto apply = [&](RegisterId target, RegisterId a, RegisterId b, OperatorId by) {
            plan.operate(start, {node, target, a, b, by});
        };
        apply(left.exclusive, left.exclusive, place, more);
        apply(right.exclusive, right.exclusive, place, less);
        apply(in_column, in_column, left.exclusive, nearer);
        apply(in_column, in_column, right.exclusive, nearer);
    }

    Computation result;
    result.text = [](const Value& value) {
        return fmt::format("node {} at distance {}", value.words[1], value.words[0]);
    };
    result.plan = plan.take();
    result.initial = Registers(grid.nodes(), result.plan.registers);
    std::vector<NodeId> ones;
    for (NodeId node = 0; node < grid.nodes(); ++node) {
        const Number row = node / columns;
        result.initial.at(node, place) = Value({row, Number{node % columns}});
        if (bit(seed, node, 4).words[0] == 0) continue;
        ones.push_back(node);
        result.initial.at(node, own) = Value({0, Number{node}});
        result.initial.at(node, seen) = Value({row, Number{node}});
        result.initial.at(node, seen_back) = result.initial.at(node, seen);
    }
    result.name = fmt::format("closest neighbours of {} ones among {} x {} bits", ones.size(),
                              grid.form(0).side, columns);
    for (const NodeId node : ones) {
        std::optional<std::pair<Number, Number>> found;
        for (const NodeId other : ones) {
            if (other == node) continue;
            const Number rows_apart = Number{node / columns} - Number{other / columns};
            const Number columns_apart = Number{node % columns} - Number{other % columns};
            const std::pair<Number, Number> one{std::abs(rows_apart) + std::abs(columns_apart),
                                                other};
            if (!found || one < *found) found = one;
        }
        const Value value = found ? Value({found->first, found->second}) : Value();
        result.expected.push_back({node, in_column, value});
    }
    return result;
}

std::uint32_t median_rounds(NodeId count, std::uint64_t seed) {
    std::vector<Number> numbers;
    for (NodeId node = 0; node < count; ++node) numbers.push_back(draw(seed, node));
    const Value nothing({0, kNoKey, kNone, kNoKey, kNone});
    Value state({0, kNone, 0, 0});
    Search search;
    for (std::uint32_t round = 0;; ++round) {
        Value gathered = nothing;
        for (const Number number : numbers) {
            gathered = gather(gathered, contribution(seed, search, number));
        }
        state = decide(median_rank(count), state, gathered);
        if (state.words[3] != 0) return round;
        search.go_on(state.words[1], state.words[2]);
    }
}

Computation median(const ComputationGrid& grid, std::uint64_t seed) {
    PlanAssembler plan(grid.nodes());
    const RegisterId own = plan.new_register();
    const RegisterId search = plan.new_register();
    const RegisterId gathered = plan.new_register();
    const RegisterId decision = plan.new_register();
    const RegisterId news = plan.new_register();  // the decision as it is broadcast
    const RegisterId outcome = plan.new_register();
    const Number rank = median_rank(grid.nodes());
    const OperatorId contribute = plan.add([seed](const Value& known, const Value& number) {
        return contribution(seed, Search(known), number.words[0]);
    });
    const OperatorId add = plan.add(or_either(gather));
    const OperatorId choose = plan.add(
        [rank](const Value& state, const Value& found) { return decide(rank, state, found); });
    const OperatorId follow = plan.add([](const Value& known, const Value& decided) {
        Search next(known);
        next.go_on(decided.words[1], decided.words[2]);
        return next.value();
    });
    const OperatorId finish = plan.add([](const Value& decided, const Value&) {
        return decided.words[3] != 0 ? Value({decided.words[1] / kNode}) : Value();
    });

    const std::uint32_t rounds = median_rounds(grid.nodes(), seed);
    StepId start = 0;
    for (std::uint32_t round = 0; round <= rounds; ++round) {
        for (NodeId node = 0; node < grid.nodes(); ++node) {
            plan.operate(start, {node, gathered, search, own, contribute});
        }
        start = grid.reduce(plan, start, gathered, add);
        plan.operate(start, {0, decision, decision, gathered, choose});
        if (round == rounds) break;
        plan.operate(start, {0, news, decision, decision, PlanAssembler::kCopy});
        start = grid.broadcast(plan, start, news);
        for (NodeId node = 0; node < grid.nodes(); ++node) {
            plan.operate(start, {node, search, search, news, follow});
        }
    }
    plan.operate(start, {0, outcome, decision, decision, finish});

    Computation result;
    result.name = fmt::format("median of {} numbers in {} rounds", grid.nodes(), rounds);
    result.text = [](const Value& value) { return std::to_string(value.words[0]); };
    result.plan = plan.take();
    result.initial = Registers(grid.nodes(), result.plan.registers);
    std::vector<Number> numbers;
    for (NodeId node = 0; node < grid.nodes(); ++node) {
        numbers.push_back(draw(seed, node));
        result.initial.at(node, own) = Value({numbers.back()});
        result.initial.at(node, search) = Search().value();
    }
    result.initial.at(0, decision) = Value({0, kNone, 0, 0});
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(numbers.begin(), middle, numbers.end());
    result.expected.push_back({0, outcome, Value({*middle / kNode})});
    return result;
}

}  // namespace flitscope
