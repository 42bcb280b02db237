// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/energy/least_squares.h"

#include <Eigen/QR>
#include <utility>

namespace flitscope {
namespace {

double squared_error(const std::vector<Equation>& equations, const std::vector<double>& x) {
    double sum = 0;
    for (const Equation& equation : equations) {
        double error = -equation.value;
        for (std::size_t i = 0; i < x.size(); ++i) error += equation.terms[i] * x[i];
        sum += error * error * equation.weight * equation.weight;
    }
    return sum;
}

}  // namespace

std::vector<double> least_squares(const std::vector<Equation>& equations) {
    const std::size_t terms = equations.empty() ? 0 : equations.front().terms.size();
    std::vector<double> best(terms, 0);
    double least = squared_error(equations, best);
    const auto height = static_cast<Eigen::Index>(equations.size());
    const auto weighted = [&](const std::vector<std::size_t>& used) {
        Eigen::MatrixXd rows(height, static_cast<Eigen::Index>(used.size()));
        for (Eigen::Index row = 0; row < rows.rows(); ++row) {
            const Equation& equation = equations[static_cast<std::size_t>(row)];
            for (Eigen::Index i = 0; i < rows.cols(); ++i) {
                rows(row, i) = equation.terms[used[static_cast<std::size_t>(i)]] * equation.weight;
            }
        }
        return rows;
    };
    Eigen::VectorXd values(height);
    for (Eigen::Index row = 0; row < height; ++row) {
        const Equation& equation = equations[static_cast<std::size_t>(row)];
        values[row] = equation.value * equation.weight;
    }
    // Every set of terms: those that are left out are 0. The best one without a negative
    // coefficient is the solution (Karush, Kuhn and Tucker); there are few terms.
    for (std::size_t set = 1; set < std::size_t{1} << terms; ++set) {
        std::vector<std::size_t> used;
        for (std::size_t i = 0; i < terms; ++i) {
            if ((set >> i & 1) != 0) used.push_back(i);
        }
        const auto solver = weighted(used).colPivHouseholderQr();
        if (solver.rank() < static_cast<Eigen::Index>(used.size())) continue;  // no single solution
        const Eigen::VectorXd x = solver.solve(values);
        std::vector<double> all(terms, 0);
        bool is_allowed = true;
        for (std::size_t i = 0; i < used.size(); ++i) {
            all[used[i]] = x[static_cast<Eigen::Index>(i)];
            is_allowed = is_allowed && all[used[i]] >= 0;
        }
        if (!is_allowed) continue;
        const double error = squared_error(equations, all);
        if (error < least) {
            least = error;
            best = std::move(all);
        }
    }
    return best;
}

}  // namespace flitscope
