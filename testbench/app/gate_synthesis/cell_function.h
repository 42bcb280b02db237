// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Boolean functions as liberty files write them, of 64 simulations at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flitscope {

/// A function such as "(!((A B)+C))": ! before and ' after an operand negate it, ^ is exclusive or,
/// & * and a blank are and, | and + are or, binding in this order.
class CellFunction {
public:
    CellFunction() = default;
    /// `operands`: the names that may occur, in the order in which evaluate() gets their values.
    /// Throws std::invalid_argument with the text if it is not such a function.
    CellFunction(const std::string& text, const std::vector<std::string>& operands);

    /// Bit i of the result is of the i-th bits of the values.
    std::uint64_t evaluate(const std::uint64_t* values) const;

private:
    friend class CellFunctionParser;

    enum class Op : std::uint8_t { kOperand, kZero, kOne, kNot, kXor, kAnd, kOr };
    struct Step {
        Op op;
        std::uint8_t operand;
    };
    static constexpr std::size_t kDeepest = 32;

    std::vector<Step> steps_;  // operands before what is done with them
};

}  // namespace flitscope
