// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear regression with coefficients that cannot be negative.
#pragma once

#include <cstddef>
#include <vector>

namespace flitscope {

/// One equation: the sum of `terms` times their coefficients is `value`. Its error times `weight`
/// is squared.
struct Equation {
    std::vector<double> terms;
    double value = 0;
    double weight = 1;
};

/// The coefficients, all 0 or more, with the least sum of squared weighted errors.
/// Terms that cannot be distinguished share what they explain in some way; terms that are 0 in all
/// equations get 0. All equations have the same number of terms, at most 8.
std::vector<double> least_squares(const std::vector<Equation>& equations);

}  // namespace flitscope
