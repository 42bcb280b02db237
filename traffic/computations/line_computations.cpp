// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/computations/line_computations.h"

#include <algorithm>

namespace flitscope {
namespace {

/// Positions of the longest segment.
std::uint32_t longest_segment(const LineForm& form) { return std::min(form.segment, form.side); }

}  // namespace

PlanAssembler::PlanAssembler(NodeId nodes) {
    plan_.nodes = nodes;
    plan_.operators.push_back([](const Value& left, const Value&) { return left; });
}

OperatorId PlanAssembler::add(Operator combine) {
    plan_.operators.push_back(std::move(combine));
    return static_cast<OperatorId>(plan_.operators.size() - 1);
}

ComputationStep& PlanAssembler::step_of(StepId step) {
    if (step >= plan_.steps.size()) plan_.steps.resize(step + std::size_t{1});
    return plan_.steps[step];
}

void PlanAssembler::operate(StepId step, const LocalOperation& operation) {
    (step == 0 ? plan_.before : step_of(step - 1).after).push_back(operation);
}

void PlanAssembler::hop(const GridLine& line, StepId step, const Hop& hop, RegisterId read,
                        RegisterId write) {
    move(step, {line.at(hop.from), line.at(hop.to), read, write, Receive::kStore, 0});
}

/// Hops towards position 0, every sender once. A value from a higher position is the product of
/// those after the receiver's.
PlanAssembler::Steps PlanAssembler::reduction(const LineForm& form) {
    Steps steps;
    if (form.is_ring) {
        // Both ways round. The way without the wrap is the shorter one, so that its values, which
        // come first in the order, have arrived when the others do.
        const std::uint32_t direct = (form.side - 2) / 2;
        const std::uint32_t wrapped = form.side - 1 - direct;
        steps.resize(wrapped);
        for (std::uint32_t k = 0; k < direct; ++k) steps[k].push_back({direct - k, direct - k - 1});
        for (std::uint32_t k = 0; k < wrapped; ++k) {
            const std::uint32_t from = direct + 1 + k;
            steps[k].push_back({from, (from + 1) % form.side});
        }
        return steps;
    }
    const std::uint32_t longest = longest_segment(form);
    const auto each_segment = [&](const auto& visit) {
        for (std::uint32_t t = 0; t < form.terminals(); ++t) visit(t * form.segment, form.end(t));
    };
    for (std::uint32_t apart = 1; form.is_dense && apart < longest; apart *= 2) {
        steps.emplace_back();
        each_segment([&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t at = begin; at + apart < end; at += 2 * apart) {
                steps.back().push_back({at + apart, at});
            }
        });
    }
    for (std::uint32_t offset = longest - 1; !form.is_dense && offset > 0; --offset) {
        steps.emplace_back();
        each_segment([&](std::uint32_t begin, std::uint32_t end) {
            if (begin + offset < end) steps.back().push_back({begin + offset, begin + offset - 1});
        });
    }
    for (std::uint32_t t = form.terminals() - 1; t > 0; --t) {
        steps.push_back({{t * form.segment, (t - 1) * form.segment}});
    }
    return steps;
}

StepId PlanAssembler::reduce(const GridLine& line, StepId start, RegisterId id,
                             OperatorId combine) {
    for (const std::vector<Hop>& hops : reduction(line.form)) {
        for (const Hop& hop : hops) {
            const Receive side = hop.from > hop.to ? Receive::kCombineRight : Receive::kCombineLeft;
            move(start, {line.at(hop.from), line.at(hop.to), id, id, side, combine});
        }
        ++start;
    }
    return start;
}

StepId PlanAssembler::broadcast(const GridLine& line, StepId start, RegisterId id) {
    Steps steps = reduction(line.form);
    std::reverse(steps.begin(), steps.end());
    for (const std::vector<Hop>& hops : steps) {
        for (const Hop& back : hops) hop(line, start, {back.to, back.from}, id, id);
        ++start;
    }
    return start;
}

StepId PlanAssembler::spread(const GridLine& line, StepId start, std::uint32_t terminal,
                             RegisterId id, const Arrival& on_arrival) {
    const std::uint32_t begin = terminal * line.form.segment;
    const std::uint32_t length = line.form.end(terminal) - begin;
    const auto give = [&](std::uint32_t from, std::uint32_t to) {
        hop(line, start, {begin + from, begin + to}, id, id);
        if (on_arrival) on_arrival(begin + to, start + 1);
    };
    std::uint32_t informed = 1;
    while (informed < length) {
        if (line.form.is_dense) {
            const std::uint32_t more = std::min(informed, length - informed);
            for (std::uint32_t i = 0; i < more; ++i) give(i, i + informed);
            informed += more;
        } else {
            give(informed - 1, informed);
            ++informed;
        }
        ++start;
    }
    return start;
}

StepId PlanAssembler::broadcast_from_end(const GridLine& line, StepId start, RegisterId id) {
    const LineForm& form = line.form;
    const std::uint32_t last = form.terminals() - 1;
    const std::uint32_t terminal = last * form.segment;
    if (form.is_ring) {
        hop(line, start++, {form.side - 1, 0}, id, id);
        return broadcast(line, start, id);
    }
    if (form.is_dense) {
        if (form.side - 1 != terminal) hop(line, start++, {form.side - 1, terminal}, id, id);
    } else {
        for (std::uint32_t at = form.side - 1; at > terminal; --at) {
            hop(line, start++, {at, at - 1}, id, id);
        }
    }
    StepId end = start;
    for (std::uint32_t t = last + 1; t-- > 0;) {
        const bool sends_on = t > 0;
        if (sends_on) hop(line, start, {t * form.segment, (t - 1) * form.segment}, id, id);
        const bool knows = t == last && !form.is_dense;  // the value came through this segment
        if (!knows) end = std::max(end, spread(line, start + (sends_on ? 1 : 0), t, id, {}));
        if (sends_on) ++start;
    }
    return std::max(start, end);
}

StepId PlanAssembler::scan_segments(const GridLine& line, StepId start,
                                    const ScanRegisters& registers, Direction direction,
                                    const Arrival& on_arrival) {
    const LineForm& form = line.form;
    const std::uint32_t longest = longest_segment(form);
    const bool rightwards = direction == Direction::kRightwards;
    for (std::uint32_t k = 1; k < longest; k = form.is_dense ? 2 * k : k + 1) {
        for (std::uint32_t t = 0; t < form.terminals(); ++t) {
            const std::uint32_t begin = t * form.segment;
            const std::uint32_t end = form.end(t);
            const auto give = [&](std::uint32_t low, std::uint32_t high) {
                hop(line, start, rightwards ? Hop{low, high} : Hop{high, low}, registers.inclusive,
                    registers.carry);
                on_arrival(rightwards ? high : low, start + 1);
            };
            if (form.is_dense) {
                for (std::uint32_t at = begin; at + k < end; ++at) give(at, at + k);
            } else if (begin + k < end) {
                const std::uint32_t from = rightwards ? begin + k - 1 : end - 1 - k;
                give(from, from + 1);
            }
        }
        ++start;
    }
    return start;
}

StepId PlanAssembler::scan(const GridLine& line, StepId start, const ScanRegisters& registers,
                           OperatorId combine, Direction direction) {
    const LineForm& form = line.form;
    const bool rightwards = direction == Direction::kRightwards;
    const RegisterId inclusive = registers.inclusive;
    const RegisterId carry = registers.carry;
    const RegisterId total = registers.total;
    // A carry precedes everything in the registers, or with kLeftwards follows it.
    const Arrival prepend = [&](std::uint32_t position, StepId step) {
        for (const RegisterId id : {registers.exclusive, registers.inclusive}) {
            operate(step, {line.at(position), id, rightwards ? registers.carry : id,
                           rightwards ? id : registers.carry, combine});
        }
    };
    start = scan_segments(line, start, registers, direction, prepend);
    const std::uint32_t terminals = form.terminals();
    if (terminals == 1) return start;
    const auto terminal = [&](std::uint32_t t) { return t * form.segment; };
    if (rightwards) {
        for (std::uint32_t t = 1; t < terminals; ++t) {
            hop(line, start, {terminal(t) - 1, terminal(t)}, inclusive, carry);
        }
        ++start;
        for (std::uint32_t t = 1; t + 1 < terminals; ++t) {
            move(start++, {line.at(terminal(t)), line.at(terminal(t + 1)), carry, carry,
                           Receive::kCombineLeft, combine});
        }
    } else {
        // The total is that of a segment and all after it.
        operate(start, {line.at(terminal(terminals - 1)), total, inclusive, inclusive, kCopy});
        for (std::uint32_t t = terminals - 1; t > 0; --t) {
            hop(line, start++, {terminal(t), terminal(t - 1)}, total, carry);
            operate(start, {line.at(terminal(t - 1)), total, inclusive, carry, combine});
        }
    }
    StepId end = start;
    const std::uint32_t skipped = rightwards ? 0 : terminals - 1;  // nothing is before it
    for (std::uint32_t t = 0; t < terminals; ++t) {
        if (t == skipped) continue;
        prepend(terminal(t), start);
        end = std::max(end, spread(line, start, t, carry, prepend));
    }
    return end;
}

}  // namespace flitscope
