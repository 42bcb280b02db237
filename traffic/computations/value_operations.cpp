// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/computations/value_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/base/split_mix.h"

namespace flitscope {
namespace {

constexpr std::int64_t kPrime = (std::int64_t{1} << 31) - 1;

std::int64_t random_number(std::uint64_t seed, std::uint64_t index, std::uint64_t range) {
    return static_cast<std::int64_t>(split_mix(split_mix(seed) ^ index) % range);
}

Value draw_number(std::uint64_t seed, std::uint64_t index) {
    return Value({random_number(seed, index, 1'000'000)});
}

std::string number_text(const Value& value) { return std::to_string(value.words[0]); }

/// Words of an interval: first index, one past the last, whether it is broken.
Value draw_interval(std::uint64_t, std::uint64_t index) {
    const auto first = static_cast<std::int64_t>(index);
    return Value({first, first + 1, 0});
}

Value concatenate(const Value& left, const Value& right) {
    const bool adjacent = left.words[1] == right.words[0];
    const bool broken = left.words[2] != 0 || right.words[2] != 0 || !adjacent;
    return Value({left.words[0], right.words[1], broken ? 1 : 0});
}

std::string interval_text(const Value& value) {
    if (value.words[2] != 0) return "values out of order";
    if (value.words[1] == value.words[0] + 1) return fmt::format("value {}", value.words[0]);
    return fmt::format("values {} to {}", value.words[0], value.words[1] - 1);
}

Value draw_function(std::uint64_t seed, std::uint64_t index) {
    return Value({1 + random_number(seed, 2 * index, kPrime - 1),
                  random_number(seed, 2 * index + 1, kPrime)});
}

/// `right` after `left`.
Value compose(const Value& left, const Value& right) {
    return Value({left.words[0] * right.words[0] % kPrime,
                  (right.words[0] * left.words[1] + right.words[1]) % kPrime});
}

std::string function_text(const Value& value) {
    return fmt::format("{} x + {}", value.words[0], value.words[1]);
}

template <typename Function>
Operator on_numbers(Function function) {
    return or_either([function](const Value& a, const Value& b) {
        return Value({function(a.words[0], b.words[0])});
    });
}

}  // namespace

const std::vector<ValueOperation>& value_operations() {
    using Number = std::int64_t;
    static const std::vector<ValueOperation> kAll = {
        {"sum", true, on_numbers([](Number a, Number b) { return a + b; }), draw_number,
         number_text},
        {"max", true, on_numbers([](Number a, Number b) { return std::max(a, b); }), draw_number,
         number_text},
        {"min", true, on_numbers([](Number a, Number b) { return std::min(a, b); }), draw_number,
         number_text},
        {"xor", true, on_numbers([](Number a, Number b) { return a ^ b; }), draw_number,
         number_text},
        {"concat", false, or_either(concatenate), draw_interval, interval_text},
        {"affine", false, or_either(compose), draw_function, function_text},
    };
    return kAll;
}

const ValueOperation& value_operation(const std::string& name) {
    for (const ValueOperation& operation : value_operations()) {
        if (operation.name == name) return operation;
    }
    throw std::invalid_argument("value_operation: there is no operation " + name);
}

Operator or_either(Operator combine) {
    return [combine = std::move(combine)](const Value& left, const Value& right) {
        if (!left.is_set) return right;
        return right.is_set ? combine(left, right) : left;
    };
}

}  // namespace flitscope
