// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/computations/computation_plan.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <utility>

#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

constexpr std::size_t kMostFindings = 10;

/// Finds violations of the one-port model.
class Checker {
public:
    Checker(const ComputationPlan& plan, const Graph& graph) : plan_(plan) {
        for (const Link& link : graph.links()) links_.insert({link.from, link.to});
    }

    std::vector<std::string> check() {
        for (const LocalOperation& operation : plan_.before) look_at(operation);
        for (step_ = 0; step_ < plan_.steps.size(); ++step_) {
            look_at(plan_.steps[step_].moves);
            for (const LocalOperation& operation : plan_.steps[step_].after) look_at(operation);
        }
        return std::move(findings_);
    }

private:
    void fail(std::string text) {
        if (findings_.size() < kMostFindings) findings_.push_back(std::move(text));
    }
    bool exists(RegisterId id) const { return id < plan_.registers; }

    void look_at(const LocalOperation& operation) {
        if (operation.node < plan_.nodes && exists(operation.target) && exists(operation.left) &&
            exists(operation.right) && operation.combine < plan_.operators.size()) {
            return;
        }
        fail(fmt::format("step {}: an operation of node {} uses what does not exist", step_ + 1,
                         operation.node));
    }

    void look_at(const std::vector<ValueMove>& moves) {
        std::set<NodeId> senders;
        std::set<NodeId> receivers;
        std::set<std::pair<NodeId, NodeId>> used;
        for (const ValueMove& move : moves) {
            const auto say = [&](const char* what) {
                fail(fmt::format("step {}: {} sends to {}{}", step_ + 1, move.from, move.to, what));
            };
            if (links_.count({move.from, move.to}) == 0) say(", to whom it has no link");
            if (!senders.insert(move.from).second) say(" while it sends another one");
            if (!receivers.insert(move.to).second) say(", who receives from another one");
            used.insert({move.from, move.to});
            if (used.count({move.to, move.from}) != 0) say(" over a channel used the other way");
            if (!exists(move.read) || !exists(move.write) ||
                move.combine >= plan_.operators.size()) {
                say(" from or to what does not exist");
            }
        }
    }

    const ComputationPlan& plan_;
    std::set<std::pair<NodeId, NodeId>> links_;
    std::size_t step_ = 0;
    std::vector<std::string> findings_;
};

}  // namespace

void Registers::receive(const ComputationPlan& plan, const ValueMove& move, const Value& value) {
    Value& target = at(move.to, move.write);
    const Operator& combine = plan.operators[move.combine];
    switch (move.receive) {
        case Receive::kStore:
            target = value;
            break;
        case Receive::kCombineLeft:
            target = combine(value, target);
            break;
        case Receive::kCombineRight:
            target = combine(target, value);
            break;
    }
}

void Registers::apply(const ComputationPlan& plan, const LocalOperation& operation) {
    at(operation.node, operation.target) = plan.operators[operation.combine](
        at(operation.node, operation.left), at(operation.node, operation.right));
}

std::vector<std::string> check_plan(const ComputationPlan& plan, const Graph& graph) {
    return Checker(plan, graph).check();
}

Registers execute(const Computation& computation) {
    const ComputationPlan& plan = computation.plan;
    Registers registers = computation.initial;
    for (const LocalOperation& operation : plan.before) registers.apply(plan, operation);
    std::vector<Value> sent;
    for (const ComputationStep& step : plan.steps) {
        sent.clear();
        for (const ValueMove& move : step.moves) sent.push_back(registers.at(move.from, move.read));
        for (std::size_t i = 0; i < sent.size(); ++i) {
            registers.receive(plan, step.moves[i], sent[i]);
        }
        for (const LocalOperation& operation : step.after) registers.apply(plan, operation);
    }
    return registers;
}

std::vector<std::string> wrong_results(const Computation& computation, const Registers& registers) {
    std::vector<std::string> findings;
    std::size_t wrong = 0;
    const auto text = [&](const Value& value) {
        return value.is_set ? computation.text(value) : std::string("nothing");
    };
    for (const Expectation& expected : computation.expected) {
        const Value& held = registers.at(expected.node, expected.id);
        if (held == expected.value || ++wrong > kMostFindings) continue;
        findings.push_back(fmt::format("{}: node {} holds {} instead of {}", computation.name,
                                       expected.node, text(held), text(expected.value)));
    }
    if (wrong > kMostFindings) {
        findings.push_back(fmt::format("and {} more nodes", wrong - kMostFindings));
    }
    return findings;
}

std::string describe_results(const Computation& computation) {
    if (computation.expected.empty()) return computation.name + ": no results";
    const Expectation& first = computation.expected.front();
    const std::size_t count = computation.expected.size();
    return fmt::format("{}: node {} holds {}, {}equal to direct computation", computation.name,
                       first.node, first.value.is_set ? computation.text(first.value) : "nothing",
                       count == 1 ? "" : fmt::format("all {} results ", count));
}

Program to_program(Computation computation, std::uint64_t bytes) {
    Program program;
    program.name = computation.name;
    program.nodes = computation.plan.nodes;
    const std::vector<ComputationStep>& steps = computation.plan.steps;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        for (const ValueMove& move : steps[step].moves) {
            program.send(move.from, move.to, bytes, static_cast<StepId>(step));
        }
    }
    program.computation = std::make_shared<const Computation>(std::move(computation));
    return program;
}

}  // namespace flitscope
