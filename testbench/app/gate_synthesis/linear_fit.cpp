// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/linear_fit.h"

#include <Eigen/QR>

namespace flitscope {

LinearFit fit_linearly(const std::vector<std::vector<double>>& rows,
                       const std::vector<double>& values) {
    const auto width = static_cast<Eigen::Index>(rows.front().size());
    Eigen::MatrixXd terms(static_cast<Eigen::Index>(rows.size()), width);
    Eigen::VectorXd right(terms.rows());
    for (Eigen::Index row = 0; row < terms.rows(); ++row) {
        const std::vector<double>& given = rows[static_cast<std::size_t>(row)];
        for (Eigen::Index i = 0; i < width; ++i) terms(row, i) = given[static_cast<std::size_t>(i)];
        right[row] = values[static_cast<std::size_t>(row)];
    }
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(terms);
    const Eigen::VectorXd solution = solver.solve(right);
    return {{solution.begin(), solution.end()}, static_cast<std::size_t>(solver.rank())};
}

}  // namespace flitscope
