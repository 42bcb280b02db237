// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear equations that cannot all hold.
#pragma once

#include <cstddef>
#include <vector>

namespace flitscope {

struct LinearFit {
    /// The coefficients with the least sum of squared errors; of several such sets the one with the
    /// least sum of squares.
    std::vector<double> coefficients;
    std::size_t rank = 0;  ///< less than their number: there are several such sets
};

/// Solves `rows` times the coefficients = `values`; there is at least one row, and all are equally
/// long.
LinearFit fit_linearly(const std::vector<std::vector<double>>& rows,
                       const std::vector<double>& values);

}  // namespace flitscope
