// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Formulas and texts of papers, which are data: "stored.cycles / circuit.cycles > 1", "in {better}
// cases, {gain.low:.1f} to {gain.high:.1f} times". The names in them are numbers, words, cases,
// lists and runs, or functions of a paper.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "testbench/papers/framework/cases.h"
#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

struct Value;
using List = std::vector<Value>;
/// An outcome, and the name of its run for breakdowns of its time by cause.
struct Run {
    const Outcome* outcome;
    std::string text;
};
using Record = std::vector<std::pair<std::string, Value>>;  ///< fields by name

/// The value of a name. Truth is 1 or 0; a missing number is NaN.
struct Value {
    std::variant<double, std::string, Cases, List, Record, Run> is;

    Value() : is(std::numeric_limits<double>::quiet_NaN()) {}
    template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    Value(T number) : is(static_cast<double>(number)) {}  // NOLINT: for results of functions
    Value(const char* word) : is(std::string(word)) {}    // NOLINT
    Value(std::string word) : is(std::move(word)) {}      // NOLINT
    Value(Cases cases) : is(cases) {}                     // NOLINT
    Value(List list) : is(std::move(list)) {}             // NOLINT
    Value(Record record) : is(std::move(record)) {}       // NOLINT
    Value(Run run) : is(std::move(run)) {}                // NOLINT
    template <class T>
    Value(const std::optional<T>& number) : Value(number ? Value(*number) : Value()) {}  // NOLINT
    template <class T>
    Value(const std::vector<T>& list) : is(List(list.begin(), list.end())) {}  // NOLINT

    // These throw std::logic_error if it is of another kind.
    double number() const;
    const std::string& word() const;
    const List& list() const;
    const Run& run() const;
    /// Cases as they are; a condition is one case.
    Cases cases() const;
    /// For people: numbers as short as they are exact, cases as "10 of 12", lists with commas, a
    /// record as its first field.
    std::string text() const;
};

/// The argument type of a paper's function: numbers and words, and types that a paper converts from
/// a word by its own specialization.
template <class T>
T taken(const Value& value) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(value.number());
    } else if constexpr (std::is_same_v<T, std::string>) {
        return value.word();
    } else {
        return value;
    }
}

using Function = std::function<Value(const List& arguments)>;

/// The names that formulas and texts use. A name missing in one is looked up in the enclosing one.
class Names {
public:
    /// The innermost have `around`, which must outlive them.
    explicit Names(const Names* around = nullptr) : around_(around) {}

    void set(const std::string& name, Value value) { values_[name] = std::move(value); }
    /// A function of C++, of any number of arguments.
    template <class F>
    void define(const std::string& name, F function) {
        define_as(name, std::function(std::move(function)));
    }

    /// The value of a name, or of a part of one: "run.cycles", "run.barrier" (the per cent of the
    /// critical path that this cause, or these of a list of causes, take), "run.barrier.cycles",
    /// "run.text", "cases.held", "record.field". Throws std::logic_error, which names it, if it
    /// does not exist.
    Value value(const std::string& name) const;
    Value call(const std::string& name, const List& arguments) const;

    /// A measured value, also of the enclosing names; nullptr if there is no such name.
    const Value* find(const std::string& name) const;

private:
    template <class R, class... A>
    void define_as(const std::string& name, std::function<R(A...)> function) {
        functions_[name] = [name, function = std::move(function)](const List& arguments) {
            require_count(name, arguments.size(), sizeof...(A));
            return applied(function, arguments, std::index_sequence_for<A...>());
        };
    }
    template <class R, class... A, std::size_t... I>
    static Value applied(const std::function<R(A...)>& function,
                         [[maybe_unused]] const List& arguments,
                         std::index_sequence<I...> /*numbers*/) {
        return function(taken<std::decay_t<A>>(arguments[I])...);
    }
    static void require_count(const std::string& name, std::size_t given, std::size_t wanted);

    const Names* around_;
    std::map<std::string, Value> values_;
    std::map<std::string, Function> functions_;
};

/// A formula: + - * /, comparisons, `and`, `or`, brackets, numbers, 'words', names, functions of
/// the names, and these:
///   if(c, a, b), abs, log, log2, pow, ceil, floor, min, max; only one of a and b is evaluated
///   error(measured, reference)    relative excess of the one over the other
///   first(list), last(list), size(list), least(list), most(list), total(list), median(list)
///   where_most(list, numbers)     the element of the list at the largest number
///   is_there(value)               whether it is a number, cases or a word
///   has(list, value), join(list, words), cases(held, all)
///   mostly(cases)                 one case: more than half
///   filled(text), value(formula)  of a word that is one, with the names here
/// Throws std::logic_error, which quotes it, if it is invalid.
Value value_of(const std::string& formula, const Names& names);

/// A text with {formula} and {formula:format} filled in, the format as that of std::format, or a
/// comma for groups of three digits. {{ and }} are brackets.
std::string filled(const std::string& text, const Names& names);

/// A cell: "formula" for a whole number or a word, "formula; .2f" for a number in that format,
/// "formula; %" for a relative error, "formula; text" for a value with its own text, or a text with
/// {formulas}. It is empty if there is no number.
Cell cell_of(const std::string& cell, const Names& names);

}  // namespace flitscope::reproduce
