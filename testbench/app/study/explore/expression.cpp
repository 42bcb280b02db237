// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "models/base/did_you_mean.h"
#include "models/base/printable.h"
#include "models/base/rounded.h"
#include "models/config/config_tree.h"
#include "models/config/value_readers.h"

namespace flitscope::study {

/// An operator with its operands, an axis, or a word.
struct Expression::Node {
    std::string op;  ///< empty: an axis or a word
    std::unique_ptr<Node> left;
    std::unique_ptr<Node> right;
    std::optional<std::size_t> axis = std::nullopt;
    std::string word = {};
    bool is_quoted = false;

    bool is_plain_word() const { return op.empty() && !axis && !is_quoted; }
};

namespace {

using Node = Expression::Node;
using NodePtr = std::unique_ptr<Node>;

constexpr int kDeepest = 64;
constexpr int kMostOperators = 1000;  // as deep may the tree be that is evaluated

/// The text of a user's condition, for findings.
std::string shown(const std::string& text) {
    constexpr std::size_t kLongest = 200;
    return text.size() > kLongest ? excerpt(text) : text;
}

/// Values of rates may be fractions, as 1/3.
std::optional<double> number_in(const std::string& label) {
    const auto slash = label.find('/');
    if (slash == std::string::npos) return kinds::to_real(label);
    const auto over = kinds::to_real(label.substr(0, slash));
    const auto under = kinds::to_real(label.substr(slash + 1));
    if (!over || !under || *under == 0) return std::nullopt;
    return *over / *under;
}

class Parser {
public:
    Parser(const std::string& text, const Location& where, const std::vector<AxisLabels>& axes)
        : text_(text), where_(where), axes_(axes) {
        advance();
    }

    NodePtr parse() {
        NodePtr root = either();
        if (!token_.empty()) refuse(fmt::format("'{}' is one too many", token_));
        return root;
    }

private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw ConfigError(where_, fmt::format("'{}' is not a condition: {}", shown(text_), why),
                          "for example: fabric.topology != torus or fabric.virtual_channels >= 2");
    }

    void advance() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
            ++at_;
        }
        quoted_ = false;
        token_.clear();
        if (at_ == text_.size()) return;
        const char c = text_[at_];
        if (c == '"' || c == '\'') {
            const std::size_t end = text_.find(c, at_ + 1);
            if (end == std::string::npos) refuse("a quote is not closed");
            token_ = text_.substr(at_ + 1, end - at_ - 1);
            quoted_ = true;
            at_ = end + 1;
            return;
        }
        static constexpr std::string_view kSigns = "=!<>+*/()-";
        if (kSigns.find(c) != std::string_view::npos) {
            const bool is_pair = at_ + 1 < text_.size() && text_[at_ + 1] == '=' &&
                                 std::string_view("=!<>").find(c) != std::string_view::npos;
            token_ = text_.substr(at_, is_pair ? 2 : 1);
            if (token_ == "=" || token_ == "!")
                refuse(fmt::format("'{}' is not an operator", token_));
            at_ += token_.size();
            return;
        }
        while (at_ < text_.size()) {
            const char next = text_[at_];
            // '-' within a word belongs to it: pex-gen.
            const bool ends = std::isspace(static_cast<unsigned char>(next)) != 0 ||
                              (next != '-' && kSigns.find(next) != std::string_view::npos);
            if (ends) break;
            token_ += next;
            ++at_;
        }
    }
    bool takes(std::string_view op) {
        if (quoted_ || token_ != op) return false;
        advance();
        return true;
    }
    NodePtr make(std::string op, NodePtr left, NodePtr right) {
        if (++operators_ > kMostOperators) {
            refuse(fmt::format("it has more than {} operators", kMostOperators));
        }
        auto node = std::make_unique<Node>();
        node->op = std::move(op);
        node->left = std::move(left);
        node->right = std::move(right);
        return node;
    }

    NodePtr either() {
        NodePtr left = both();
        while (takes("or")) left = make("or", std::move(left), both());
        return left;
    }
    NodePtr both() {
        NodePtr left = comparison();
        while (takes("and")) left = make("and", std::move(left), comparison());
        return left;
    }
    NodePtr comparison() {
        if (takes("not")) return make("not", nested(&Parser::comparison), nullptr);
        NodePtr left = sum();
        for (const char* op : {"==", "!=", "<=", ">=", "<", ">"}) {
            if (!takes(op)) continue;
            NodePtr right = sum();
            require_label(*left, *right);
            require_label(*right, *left);
            require_axis(*left, *right);
            return make(op, std::move(left), std::move(right));
        }
        return left;
    }
    /// That a word compared with an axis is a label of it: a slip would go unnoticed.
    void require_label(const Node& axis, const Node& word) const {
        if (!axis.axis || !word.is_plain_word() || kinds::to_real(word.word)) return;
        const AxisLabels& of = axes_[*axis.axis];
        if (std::find(of.labels.begin(), of.labels.end(), word.word) != of.labels.end()) return;
        throw ConfigError(
            where_, fmt::format("'{}' is not a value of {} in this study", word.word, of.name),
            did_you_mean(nearest(word.word, of.labels), "put it in quotes if that is meant"));
    }
    /// That of two words one is an axis: a slip in its name would go unnoticed.
    void require_axis(const Node& left, const Node& right) const {
        const auto is_word = [](const Node& node) {
            return node.is_plain_word() ? !number_in(node.word) : node.is_quoted;
        };
        if (!is_word(left) || !is_word(right)) return;
        if (left.is_plain_word()) refuse_axis(left.word);
        if (right.is_plain_word()) refuse_axis(right.word);
    }
    [[noreturn]] void refuse_axis(const std::string& name) const {
        std::vector<std::string> names;
        for (const AxisLabels& a : axes_) names.push_back(a.name);
        throw ConfigError(
            where_, fmt::format("'{}' is not an axis of this study", name),
            did_you_mean(nearest(name, names), "conditions are about keys that vary"));
    }
    NodePtr sum() { return chain({"+", "-"}, &Parser::product); }
    NodePtr product() { return chain({"*", "/"}, &Parser::operand); }
    NodePtr chain(const std::array<const char*, 2>& ops, NodePtr (Parser::*part)()) {
        NodePtr left = (this->*part)();
        for (;;) {
            const auto op = std::find_if(ops.begin(), ops.end(),
                                         [&](const char* o) { return !quoted_ && token_ == o; });
            if (op == ops.end()) return left;
            advance();
            left = make(*op, std::move(left), (this->*part)());
        }
    }
    NodePtr operand() {
        if (takes("(")) {
            NodePtr inner = nested(&Parser::either);
            if (!takes(")")) refuse("')' is missing");
            return inner;
        }
        if (takes("-")) {
            auto zero = std::make_unique<Node>();
            zero->word = "0";
            return make("-", std::move(zero), nested(&Parser::operand));
        }
        static constexpr std::string_view kSigns = "=!<>+*/)-";
        const bool is_word =
            quoted_ || (!token_.empty() && kSigns.find(token_.front()) == std::string_view::npos &&
                        token_ != "or" && token_ != "and");
        if (!is_word) {
            refuse(token_.empty() ? "it ends too early"
                                  : fmt::format("a value is missing before '{}'", token_));
        }
        auto node = std::make_unique<Node>();
        node->word = token_;
        node->is_quoted = quoted_;
        const auto axis = std::find_if(axes_.begin(), axes_.end(),
                                       [this](const AxisLabels& a) { return a.name == token_; });
        if (!quoted_ && axis != axes_.end()) {
            node->axis = static_cast<std::size_t>(axis - axes_.begin());
        } else if (!quoted_ && token_.find('.') != std::string::npos && !kinds::to_real(token_)) {
            refuse_axis(token_);
        }
        advance();
        return node;
    }
    NodePtr nested(NodePtr (Parser::*part)()) {
        if (++depth_ > kDeepest) refuse("it is nested too deeply");
        NodePtr node = (this->*part)();
        --depth_;
        return node;
    }

    const std::string& text_;
    const Location& where_;
    const std::vector<AxisLabels>& axes_;
    std::size_t at_ = 0;
    std::string token_;
    bool quoted_ = false;
    int depth_ = 0;
    int operators_ = 0;
};

class Evaluator {
public:
    Evaluator(const std::string& text, const Location& where,
              const std::vector<std::string>& labels)
        : text_(text), where_(where), labels_(labels) {}

    bool truth(const Node& node) const {
        if (node.op == "or") return truth(*node.left) || truth(*node.right);
        if (node.op == "and") return truth(*node.left) && truth(*node.right);
        if (node.op == "not") return !truth(*node.left);
        if (node.op == "==" || node.op == "!=") {
            const std::string left = value(*node.left);
            const std::string right = value(*node.right);
            const auto a = number_in(left);
            const auto b = number_in(right);
            const bool equal = a && b ? rounded(*a) == rounded(*b) : left == right;
            return equal == (node.op == "==");
        }
        if (node.op == "<") return compared(*node.left) < compared(*node.right);
        if (node.op == "<=") return compared(*node.left) <= compared(*node.right);
        if (node.op == ">") return compared(*node.left) > compared(*node.right);
        if (node.op == ">=") return compared(*node.left) >= compared(*node.right);
        const std::string word = value(node);
        if (word == "true") return true;
        if (word == "false") return false;
        refuse(fmt::format("'{}' is neither true nor false", word));
    }

private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw ConfigError(where_, fmt::format("the condition '{}': {}", shown(text_), why));
    }
    /// The last bits of a sum do not decide.
    double compared(const Node& node) const { return rounded(number_of(node)); }
    std::string value(const Node& node) const {
        if (node.axis) return labels_[*node.axis];
        if (node.op.empty()) return node.word;
        static constexpr std::array<std::string_view, 4> kArithmetic = {"+", "-", "*", "/"};
        if (std::find(kArithmetic.begin(), kArithmetic.end(), node.op) != kArithmetic.end()) {
            return fmt::format("{}", number_of(node));
        }
        return truth(node) ? "true" : "false";
    }
    double number_of(const Node& node) const {
        if (node.op == "+") return number_of(*node.left) + number_of(*node.right);
        if (node.op == "-") return number_of(*node.left) - number_of(*node.right);
        if (node.op == "*") return number_of(*node.left) * number_of(*node.right);
        if (node.op == "/") {
            const double divisor = number_of(*node.right);
            if (divisor == 0) refuse("it divides by 0");
            return number_of(*node.left) / divisor;
        }
        const std::string word = value(node);
        const auto found = number_in(word);
        if (!found) refuse(fmt::format("'{}' is not a number", word));
        return *found;
    }

    const std::string& text_;
    const Location& where_;
    const std::vector<std::string>& labels_;
};

}  // namespace

Expression::Expression(const std::string& text, const Location& where,
                       const std::vector<AxisLabels>& axes)
    : text_(text), where_(where), root_(Parser(text_, where_, axes).parse()) {}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

bool Expression::holds(const std::vector<std::string>& labels) const {
    return Evaluator(text_, where_, labels).truth(*root_);
}

}  // namespace flitscope::study
