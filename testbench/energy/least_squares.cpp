// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/energy/least_squares.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace flitscope {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// Gauss with pivots; the last column is the right side. Nothing where it has no single solution.
std::optional<std::vector<double>> solved(Matrix m) {
    const std::size_t n = m.size();
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(m[i][i]));
    constexpr double kSingular = 1e-12;
    for (std::size_t column = 0; column < n; ++column) {
        std::size_t pivot = column;
        for (std::size_t row = column; row < n; ++row) {
            if (std::abs(m[row][column]) > std::abs(m[pivot][column])) pivot = row;
        }
        if (std::abs(m[pivot][column]) <= kSingular * largest) return std::nullopt;
        std::swap(m[pivot], m[column]);
        for (std::size_t row = 0; row < n; ++row) {
            if (row == column) continue;
            const double factor = m[row][column] / m[column][column];
            for (std::size_t k = column; k <= n; ++k) m[row][k] -= factor * m[column][k];
        }
    }
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = m[i][n] / m[i][i];
    return x;
}

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
    // Every set of terms: those that are left out are 0. The best one without a negative
    // coefficient is the solution (Karush, Kuhn and Tucker); there are few terms.
    for (std::size_t set = 1; set < std::size_t{1} << terms; ++set) {
        std::vector<std::size_t> used;
        for (std::size_t i = 0; i < terms; ++i) {
            if ((set >> i & 1) != 0) used.push_back(i);
        }
        Matrix normal(used.size(), std::vector<double>(used.size() + 1, 0));
        for (const Equation& equation : equations) {
            const double weight = equation.weight * equation.weight;
            for (std::size_t i = 0; i < used.size(); ++i) {
                const double term = equation.terms[used[i]] * weight;
                for (std::size_t j = 0; j < used.size(); ++j) {
                    normal[i][j] += term * equation.terms[used[j]];
                }
                normal[i].back() += term * equation.value;
            }
        }
        const auto x = solved(std::move(normal));
        if (!x) continue;
        std::vector<double> all(terms, 0);
        bool is_allowed = true;
        for (std::size_t i = 0; i < used.size(); ++i) {
            all[used[i]] = (*x)[i];
            is_allowed = is_allowed && (*x)[i] >= 0;
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
