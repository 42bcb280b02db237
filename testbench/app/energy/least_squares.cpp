// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/energy/least_squares.h"

#include <utility>

#include "testbench/app/gate_synthesis/linear_fit.h"

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
    std::vector<double> values;
    for (const Equation& equation : equations) values.push_back(equation.value * equation.weight);
    const auto weighted = [&](const std::vector<std::size_t>& used) {
        std::vector<std::vector<double>> rows;
        for (const Equation& equation : equations) {
            std::vector<double>& row = rows.emplace_back();
            for (const std::size_t i : used) row.push_back(equation.terms[i] * equation.weight);
        }
        return rows;
    };
    // Every set of terms: those that are left out are 0. The best one without a negative
    // coefficient is the solution (Karush, Kuhn and Tucker); there are few terms.
    for (std::size_t set = 1; set < std::size_t{1} << terms; ++set) {
        std::vector<std::size_t> used;
        for (std::size_t i = 0; i < terms; ++i) {
            if ((set >> i & 1) != 0) used.push_back(i);
        }
        const LinearFit fit = fit_linearly(weighted(used), values);
        if (fit.rank < used.size()) continue;  // no single solution
        std::vector<double> all(terms, 0);
        bool is_allowed = true;
        for (std::size_t i = 0; i < used.size(); ++i) {
            all[used[i]] = fit.coefficients[i];
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
