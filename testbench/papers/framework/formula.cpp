// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/framework/formula.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "testbench/app/report/report_lines.h"

namespace flitscope::reproduce {
namespace {

template <class T>
const T& as_kind(const Value& value, const char* kind) {
    const T* const found = std::get_if<T>(&value.is);
    if (found == nullptr) throw std::logic_error(fmt::format("'{}' is no {}", value.text(), kind));
    return *found;
}

bool is_none(const Value& value) {
    const auto* const number = std::get_if<double>(&value.is);
    return number != nullptr && std::isnan(*number);
}

bool are_equal(const Value& a, const Value& b) {
    if (a.is.index() != b.is.index()) return false;
    if (std::holds_alternative<std::string>(a.is)) return a.word() == b.word();
    return a.number() == b.number();
}

// ---- Parts of a run -----------------------------------------------------------------------------

/// A cause, or those of the list of that name.
std::vector<Cause> causes_called(const std::string& name, const Names& names) {
    if (const auto cause = find_cause(name)) return {*cause};
    const Value* const group = names.find(name);
    if (group == nullptr) throw std::logic_error("a run has no " + name);
    std::vector<Cause> causes;
    for (const Value& one : group->list()) causes.push_back(find_cause(one.word()).value());
    return causes;
}

Value part_of_path(const Outcome& run, const std::string& part, const Names& names) {
    if (!run.by_cause) throw std::logic_error("the causes of this run are not recorded");
    const std::size_t dot = part.find('.');
    const bool is_cycles = dot != std::string::npos && part.substr(dot) == ".cycles";
    Cycle sum = 0;
    for (const Cause cause : causes_called(part.substr(0, dot), names)) {
        sum += cycles_of(*run.by_cause, cause);
    }
    if (is_cycles) return sum;
    const Cycle all = Breakdown{"", *run.by_cause}.cycles();
    return 100 * (static_cast<double>(sum) / static_cast<double>(std::max<Cycle>(all, 1)));
}

Value part_of_run(const Outcome& run, const std::string& part, const Names& names) {
    if (part == "cycles") return run.cycles;
    if (part == "steps") return run.steps;
    if (part == "messages") return run.messages;
    if (part == "flit_hops") return run.flit_hops;
    if (part == "mean_latency") return run.mean_latency;
    if (part == "results") return run.results;
    return part_of_path(run, part, names);
}

// ---- Functions ----------------------------------------------------------------------------------

double error_of(double measured, double reference) {
    if (reference == 0) return std::numeric_limits<double>::quiet_NaN();
    return (measured - reference) / reference;
}

std::vector<double> sorted(const List& list) {
    std::vector<double> numbers;
    for (const Value& value : list) numbers.push_back(value.number());
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

double median(const List& list) {
    const std::vector<double> numbers = sorted(list);
    const std::size_t half = numbers.size() / 2;
    return numbers.size() % 2 != 0 ? numbers.at(half)
                                   : (numbers.at(half - 1) + numbers.at(half)) / 2;
}

std::size_t index_of_most(const List& numbers) {
    const auto most =
        std::max_element(numbers.begin(), numbers.end(),
                         [](const Value& a, const Value& b) { return a.number() < b.number(); });
    return static_cast<std::size_t>(most - numbers.begin());
}

double total(const List& list) {
    double sum = 0;
    for (const Value& value : list) sum += value.number();
    return sum;
}

std::string joined(const List& list, const std::string& between) {
    std::vector<std::string> texts;
    for (const Value& value : list) texts.push_back(value.text());
    return fmt::format("{}", fmt::join(texts, between));
}

const Names& usual_functions() {
    static const Names kAll = [] {
        Names names;
        names.define("abs", [](double x) { return std::abs(x); });
        names.define("log", [](double x) { return std::log(x); });
        names.define("log2", [](double x) { return std::log2(x); });
        names.define("pow", [](double x, double y) { return std::pow(x, y); });
        names.define("ceil", [](double x) { return std::ceil(x); });
        names.define("floor", [](double x) { return std::floor(x); });
        names.define("min", [](double x, double y) { return std::min(x, y); });
        names.define("max", [](double x, double y) { return std::max(x, y); });
        names.define("error", error_of);
        names.define("first", [](const Value& list) { return list.list().at(0); });
        names.define("last",
                     [](const Value& list) { return list.list().at(list.list().size() - 1); });
        names.define("size", [](const Value& list) { return list.list().size(); });
        names.define("least", [](const Value& list) { return sorted(list.list()).at(0); });
        names.define("most", [](const Value& list) { return sorted(list.list()).back(); });
        names.define("total", [](const Value& list) { return total(list.list()); });
        names.define("median", [](const Value& list) { return median(list.list()); });
        names.define("join", [](const Value& list, const std::string& between) {
            return joined(list.list(), between);
        });
        names.define("is_there", [](const Value& value) { return !is_none(value); });
        names.define("where_most", [](const Value& list, const Value& numbers) {
            return list.list().at(index_of_most(numbers.list()));
        });
        names.define("has", [](const Value& list, const Value& value) {
            return std::any_of(list.list().begin(), list.list().end(),
                               [&](const Value& one) { return are_equal(one, value); });
        });
        names.define("cases", Cases::of);
        names.define("mostly", [](const Value& cases) { return Cases::most_of(cases.cases()); });
        return names;
    }();
    return kAll;
}

// ---- Formulas -----------------------------------------------------------------------------------

/// A formula that is read from the left to the right and computed on the way.
class Reader {
public:
    Reader(const std::string& text, const Names& names) : text_(text), names_(names) {}

    Value all() {
        Value value = any_of();
        skip_spaces();
        if (at_ != text_.size()) fail();
        return value;
    }

private:
    [[noreturn]] void fail() const {
        throw std::logic_error(fmt::format("'{}' is no formula from '{}' on", text_,
                                           text_.substr(std::min(at_, text_.size()))));
    }
    void skip_spaces() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
            ++at_;
        }
    }
    /// Whether `sign` is next; then skips it.
    bool took(std::string_view sign) {
        skip_spaces();
        if (text_.compare(at_, sign.size(), sign) != 0) return false;
        at_ += sign.size();
        return true;
    }
    void require(std::string_view sign) {
        if (!took(sign)) fail();
    }

    Value any_of() {
        Value value = all_of();
        while (took("or ")) {
            const Value other = all_of();
            value = value.number() != 0 || other.number() != 0;
        }
        return value;
    }
    Value all_of() {
        Value value = comparison();
        while (took("and ")) {
            const Value other = comparison();
            value = value.number() != 0 && other.number() != 0;
        }
        return value;
    }
    Value comparison() {
        const Value left = sum();
        if (took("<=")) return left.number() <= sum().number();
        if (took(">=")) return left.number() >= sum().number();
        if (took("==")) return are_equal(left, sum());
        if (took("!=")) return !are_equal(left, sum());
        if (took("<")) return left.number() < sum().number();
        if (took(">")) return left.number() > sum().number();
        return left;
    }
    Value sum() {
        Value value = product();
        for (;;) {
            if (took("+")) {
                value = value.number() + product().number();
            } else if (took("-")) {
                value = value.number() - product().number();
            } else {
                return value;
            }
        }
    }
    Value product() {
        Value value = factor();
        for (;;) {
            if (took("*")) {
                value = value.number() * factor().number();
            } else if (took("/")) {
                value = value.number() / factor().number();
            } else {
                return value;
            }
        }
    }
    Value factor() {
        if (took("-")) return -factor().number();
        if (took("(")) {
            Value value = any_of();
            require(")");
            return value;
        }
        if (took("'")) return quoted();
        const char next = at_ < text_.size() ? text_[at_] : '\0';
        if (std::isdigit(static_cast<unsigned char>(next)) != 0) return digits();
        if (std::isalpha(static_cast<unsigned char>(next)) != 0) return named();
        fail();
    }
    Value quoted() {
        const std::size_t end = text_.find('\'', at_);
        if (end == std::string::npos) fail();
        const std::string word = text_.substr(at_, end - at_);
        at_ = end + 1;
        return word;
    }
    Value digits() {
        char* end = nullptr;
        const double number = std::strtod(text_.c_str() + at_, &end);
        at_ = static_cast<std::size_t>(end - text_.c_str());
        return number;
    }
    Value named() {
        const std::size_t begin = at_;
        const auto is_in_name = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
        };
        while (at_ < text_.size() && is_in_name(text_[at_])) ++at_;
        const std::string name = text_.substr(begin, at_ - begin);
        if (!took("(")) return is_asked_ ? names_.value(name) : Value(0);
        if (name == "if") return choice();
        List arguments;
        if (!took(")")) {
            do {
                arguments.push_back(any_of());
            } while (took(","));
            require(")");
        }
        if (!is_asked_) return 0;
        // These two depend on the names here.
        if (name == "filled") return filled(arguments.at(0).word(), names_);
        if (name == "value") return value_of(arguments.at(0).text(), names_);
        return names_.call(name, arguments);
    }
    Value choice() {
        const bool was_asked = is_asked_;
        const bool condition = any_of().number() != 0;
        require(",");
        is_asked_ = was_asked && condition;
        Value yes = any_of();
        require(",");
        is_asked_ = was_asked && !condition;
        Value no = any_of();
        is_asked_ = was_asked;
        require(")");
        return condition ? yes : no;
    }

    const std::string& text_;
    const Names& names_;
    std::size_t at_ = 0;
    bool is_asked_ = true;  ///< else it is the part of a choice that was not taken
};

std::string formatted(const Value& value, const std::string& format) {
    if (format.empty()) return value.text();
    if (format == ",") return grouped(static_cast<std::uint64_t>(value.number()));
    return fmt::format(fmt::runtime("{:" + format + "}"), value.number());
}

/// Position of `sign` in `text`, from `begin` on, outside of 'words'; npos if absent.
std::size_t find_unquoted(const std::string& text, char sign, std::size_t begin) {
    bool is_quoted = false;
    for (std::size_t i = begin; i < text.size(); ++i) {
        if (text[i] == '\'') is_quoted = !is_quoted;
        if (text[i] == sign && !is_quoted) return i;
    }
    return std::string::npos;
}

}  // namespace

double Value::number() const { return as_kind<double>(*this, "number"); }

const std::string& Value::word() const { return as_kind<std::string>(*this, "word"); }

const Run& Value::run() const { return as_kind<Run>(*this, "run"); }

const List& Value::list() const { return as_kind<List>(*this, "list"); }

Cases Value::cases() const {
    if (const auto* const condition = std::get_if<double>(&is)) return {*condition != 0};
    return as_kind<Cases>(*this, "condition");
}

std::string Value::text() const {
    if (const auto* const number = std::get_if<double>(&is)) return fmt::format("{}", *number);
    if (const auto* const word = std::get_if<std::string>(&is)) return *word;
    if (const auto* const cases = std::get_if<Cases>(&is)) return cases->text();
    if (const auto* const list = std::get_if<List>(&is)) return joined(*list, ", ");
    if (const auto* const record = std::get_if<Record>(&is)) return record->front().second.text();
    return run().text;
}

const Value* Names::find(const std::string& name) const {
    const auto found = values_.find(name);
    if (found != values_.end()) return &found->second;
    return around_ == nullptr ? nullptr : around_->find(name);
}

Value Names::value(const std::string& name) const {
    if (const Value* const whole = find(name)) return *whole;
    const std::size_t dot = name.find('.');
    const Value* const owner = find(name.substr(0, dot));
    if (owner == nullptr || dot == std::string::npos) throw std::logic_error("no name is " + name);
    const std::string part = name.substr(dot + 1);
    if (const auto* const run = std::get_if<Run>(&owner->is)) {
        return part == "text" ? Value(run->text) : part_of_run(*run->outcome, part, *this);
    }
    if (const auto* const record = std::get_if<Record>(&owner->is)) {
        for (const auto& [field, value] : *record) {
            if (field == part) return value;
        }
        throw std::logic_error("no name is " + name);
    }
    const Cases& cases = as_kind<Cases>(*owner, "run");
    if (part == "held") return cases.held();
    if (part == "all") return cases.all();
    throw std::logic_error("no name is " + name);
}

Value Names::call(const std::string& name, const List& arguments) const {
    for (const Names* names = this; names != nullptr; names = names->around_) {
        const auto found = names->functions_.find(name);
        if (found != names->functions_.end()) return found->second(arguments);
    }
    if (this == &usual_functions()) throw std::logic_error("no function is " + name);
    return usual_functions().call(name, arguments);
}

void Names::require_count(const std::string& name, std::size_t given, std::size_t wanted) {
    if (given == wanted) return;
    throw std::logic_error(fmt::format("{} takes {} arguments, not {}", name, wanted, given));
}

Value value_of(const std::string& formula, const Names& names) {
    try {
        return Reader(formula, names).all();
    } catch (const std::logic_error& error) {
        throw std::logic_error(fmt::format("{}, in '{}'", error.what(), formula));
    }
}

std::string filled(const std::string& text, const Names& names) {
    std::string all;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_bracket = text[i] == '{' || text[i] == '}';
        if (!is_bracket || (i + 1 < text.size() && text[i + 1] == text[i])) {
            all += text[i];
            i += is_bracket ? 1 : 0;
            continue;
        }
        const std::size_t end = find_unquoted(text, '}', i);
        if (end == std::string::npos) throw std::logic_error("no bracket ends in " + text);
        const std::string inside = text.substr(i + 1, end - i - 1);
        const std::size_t colon = std::min(find_unquoted(inside, ':', 0), inside.size());
        const std::string format = colon < inside.size() ? inside.substr(colon + 1) : "";
        all += formatted(value_of(inside.substr(0, colon), names), format);
        i = end;
    }
    return all;
}

Cell cell_of(const std::string& cell, const Names& names) {
    const std::size_t end = std::min(find_unquoted(cell, ';', 0), cell.size());
    const std::string formula = cell.substr(0, end);
    if (formula.find('{') != std::string::npos) return {filled(cell, names)};
    const Value value = value_of(formula, names);
    if (is_none(value)) return {};
    if (!std::holds_alternative<double>(value.is)) return {value.text()};
    const auto whole = static_cast<std::uint64_t>(value.number());
    if (end == cell.size()) return {whole};
    const std::string format = cell.substr(cell.find_first_not_of(' ', end + 1));
    Cell result;
    if (format.find('{') != std::string::npos) {
        result.text = filled(format, names);
        result.value = whole;
        return result;
    }
    result.value = value.number();
    result.text =
        format == "%" ? fmt::format("{:+.1f} %", 100 * value.number()) : formatted(value, format);
    return result;
}

}  // namespace flitscope::reproduce
