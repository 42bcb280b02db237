// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Computations as steps in which nodes hand values to their neighbours, which keep them or combine
// them with their own, and a check of the one-port model that they follow (Cheung and Lau 1995,
// Section 2). Plain data: it is checked, executed and printed without a simulator.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;

/// The content of a register or a message; the operators define the meaning of the words. Empty
/// until something has been written.
struct Value {
    std::array<std::int64_t, 5> words{};
    bool is_set = false;

    Value() = default;
    Value(std::array<std::int64_t, 5> all) : words(all), is_set(true) {}  // NOLINT: a value of it

    friend bool operator==(const Value& a, const Value& b) {
        return a.is_set == b.is_set && (!a.is_set || a.words == b.words);
    }
    friend bool operator!=(const Value& a, const Value& b) { return !(a == b); }
};

using RegisterId = std::uint16_t;
using OperatorId = std::uint16_t;
/// `left` precedes `right` in the order of the values.
using Operator = std::function<Value(const Value& left, const Value& right)>;

/// How a receiver treats a value that arrived.
enum class Receive : std::uint8_t {
    kStore,         ///< register = value
    kCombineLeft,   ///< register = value o register
    kCombineRight,  ///< register = register o value
};

/// A value from a register of one node to a register of a neighbour. It is read before the step.
struct ValueMove {
    NodeId from = 0;
    NodeId to = 0;
    RegisterId read = 0;
    RegisterId write = 0;
    Receive receive = Receive::kStore;
    OperatorId combine = 0;
};

/// target = left o right, all of them registers of one node; takes no step.
struct LocalOperation {
    NodeId node = 0;
    RegisterId target = 0;
    RegisterId left = 0;
    RegisterId right = 0;
    OperatorId combine = 0;
};

struct ComputationStep {
    std::vector<ValueMove> moves;
    std::vector<LocalOperation> after;  ///< in this order, when the values have arrived
};

struct ComputationPlan {
    NodeId nodes = 0;
    RegisterId registers = 0;  ///< per node
    std::vector<Operator> operators;
    std::vector<LocalOperation> before;  ///< the first step
    std::vector<ComputationStep> steps;
};

/// The registers of all nodes.
class Registers {
public:
    Registers(NodeId nodes, RegisterId per_node)
        : per_node_(per_node), values_(std::size_t{nodes} * per_node) {}

    Value& at(NodeId node, RegisterId id) { return values_[std::size_t{node} * per_node_ + id]; }
    const Value& at(NodeId node, RegisterId id) const {
        return values_[std::size_t{node} * per_node_ + id];
    }
    /// `value` arrives at the destination of `move`.
    void receive(const ComputationPlan& plan, const ValueMove& move, const Value& value);
    void apply(const ComputationPlan& plan, const LocalOperation& operation);

private:
    RegisterId per_node_;
    std::vector<Value> values_;
};

/// A register that has to hold `value` in the end.
struct Expectation {
    NodeId node = 0;
    RegisterId id = 0;
    Value value;
};

/// A plan with its initial values and the expected results.
struct Computation {
    std::string name;  ///< "semigroup sum of 4096 values", "median of 256 numbers in 9 rounds"
    ComputationPlan plan;
    Registers initial{0, 0};
    /// Found by direct computation, without the plan; reports print the first one.
    std::vector<Expectation> expected;
    std::function<std::string(const Value&)> text;  ///< text of a value, for people
};

/// Lists violations of the model by a plan on `graph`: moves without a link, more than one send or
/// receive of a node in a step, a channel used in both directions in one step, registers and
/// operators that do not exist. Empty when all is well; at most ten findings. Tests check builders
/// with it; runs compare results instead.
std::vector<std::string> check_plan(const ComputationPlan& plan, const Graph& graph);

/// The registers when the plan has run on the values of `computation`.
Registers execute(const Computation& computation);

/// Lists the `registers` with unexpected values, a sentence each: the first ten, then the number of
/// others.
std::vector<std::string> wrong_results(const Computation& computation, const Registers& registers);

/// Describes the results of a run that are as expected: "semigroup sum of 64 values: node 0 holds
/// 3120, equal to direct computation".
std::string describe_results(const Computation& computation);

/// The plan as a step program whose messages are the moves, in their order, `bytes` each. It keeps
/// `computation`, so that playing it computes.
Program to_program(Computation computation, std::uint64_t bytes);

}  // namespace flitscope
