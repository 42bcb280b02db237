// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/cell_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <stdexcept>

namespace flitscope {

/// Recursive descent; writes the steps in postfix order.
class CellFunctionParser {
public:
    CellFunctionParser(const std::string& text, const std::vector<std::string>& operands,
                       CellFunction& function)
        : text_(text), operands_(operands), function_(function) {
        parse_or();
        skip_blanks();
        if (at_ != text_.size()) fail();
    }

private:
    using Op = CellFunction::Op;

    void parse_or() {
        parse_and();
        while (accepts("+|")) {
            parse_and();
            join(Op::kOr);
        }
    }
    void parse_and() {
        parse_xor();
        while (accepts("*&") || begins_operand()) {
            parse_xor();
            join(Op::kAnd);
        }
    }
    void parse_xor() {
        parse_operand();
        while (accepts("^")) {
            parse_operand();
            join(Op::kXor);
        }
    }
    void parse_operand() {
        bool is_negated = false;
        while (accepts("!")) is_negated = !is_negated;
        if (accepts("(")) {
            if (++open_ > CellFunction::kDeepest) fail();
            parse_or();
            if (!accepts(")")) fail();
            --open_;
        } else {
            push_name();
        }
        while (accepts("'")) is_negated = !is_negated;
        if (is_negated) function_.steps_.push_back({Op::kNot, 0});
    }
    void push_name() {
        skip_blanks();
        std::string name;
        while (at_ < text_.size() && is_in_name(text_[at_])) name += text_[at_++];
        if (++depth_ > CellFunction::kDeepest) fail();
        if (name == "0" || name == "1") {
            function_.steps_.push_back({name == "0" ? Op::kZero : Op::kOne, 0});
            return;
        }
        const auto found = std::find(operands_.begin(), operands_.end(), name);
        if (found == operands_.end()) fail();
        function_.steps_.push_back(
            {Op::kOperand, static_cast<std::uint8_t>(found - operands_.begin())});
    }
    void join(Op op) {
        function_.steps_.push_back({op, 0});
        --depth_;
    }

    static bool is_in_name(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    }
    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
            ++at_;
        }
    }
    bool accepts(const char* signs) {
        skip_blanks();
        if (at_ == text_.size() || std::string(signs).find(text_[at_]) == std::string::npos) {
            return false;
        }
        ++at_;
        return true;
    }
    bool begins_operand() {
        skip_blanks();
        return at_ < text_.size() &&
               (is_in_name(text_[at_]) || text_[at_] == '!' || text_[at_] == '(');
    }
    [[noreturn]] void fail() const {
        throw std::invalid_argument(
            fmt::format("'{}' is not a function of the pins of its cell", text_));
    }

    const std::string& text_;
    const std::vector<std::string>& operands_;
    CellFunction& function_;
    std::size_t at_ = 0;
    std::size_t open_ = 0;   // brackets
    std::size_t depth_ = 0;  // of the stack that evaluates it
};

CellFunction::CellFunction(const std::string& text, const std::vector<std::string>& operands) {
    if (operands.size() > std::numeric_limits<decltype(Step::operand)>::max()) {
        throw std::invalid_argument(fmt::format("'{}' is of a cell with too many pins", text));
    }
    CellFunctionParser(text, operands, *this);
}

std::uint64_t CellFunction::evaluate(const std::uint64_t* values) const {
    std::array<std::uint64_t, kDeepest + 1> stack;
    std::size_t top = 0;  // of it used
    for (const Step step : steps_) {
        switch (step.op) {
            case Op::kOperand:
                stack[top++] = values[step.operand];
                break;
            case Op::kZero:
                stack[top++] = 0;
                break;
            case Op::kOne:
                stack[top++] = ~std::uint64_t{0};
                break;
            case Op::kNot:
                stack[top - 1] = ~stack[top - 1];
                break;
            case Op::kXor:
                --top;
                stack[top - 1] ^= stack[top];
                break;
            case Op::kAnd:
                --top;
                stack[top - 1] &= stack[top];
                break;
            case Op::kOr:
                --top;
                stack[top - 1] |= stack[top];
                break;
        }
    }
    return top == 0 ? 0 : stack[top - 1];
}

}  // namespace flitscope
