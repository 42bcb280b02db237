// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The associative operations that semigroup and prefix computations combine values with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traffic/computations/computation_plan.h"

namespace flitscope {

/// An associative operation with the values that it is tried on.
struct ValueOperation {
    std::string name;  ///< traffic.operation
    bool commutes = true;
    Operator combine;
    /// Value `index` of those that `seed` gives.
    Value (*draw)(std::uint64_t seed, std::uint64_t index) = nullptr;
    std::string (*text)(const Value& value) = nullptr;
};

/// sum, max, min, xor; and two that do not commute: concat, the concatenation of intervals, which
/// is permanently broken if they are not adjacent, and affine, the composition of the functions x
/// -> a x + b modulo the prime 2^31 - 1.
const std::vector<ValueOperation>& value_operations();

/// Finds an operation by name. Throws std::invalid_argument if there is no such operation.
const ValueOperation& value_operation(const std::string& name);

/// `combine` if both sides have a value, else the one present.
Operator or_either(Operator combine);

}  // namespace flitscope
