// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/thakur/thakur_formulas.h"

#include <algorithm>
#include <iterator>

#include "models/base/powers_of_two.h"

namespace flitscope::reproduce {
namespace {

/// Messages over a link of a ring of n when all go `steps` places the shorter way.
std::uint32_t shorter_way(std::uint32_t steps, std::uint32_t n) {
    return std::min(steps % n, n - steps % n);
}

struct PrintedColumn {
    const char* schedule;
    const char* mesh;
    double seconds[std::size(kMessageSizes)];
};

constexpr PrintedColumn kPrinted[] = {
    {"pex", "4x4", {0.004, 0.008, 0.023, 0.034, 0.064}},
    {"pex", "8x8", {0.022, 0.064, 0.114, 0.228, 0.441}},
    {"pex", "16x8", {0.045, 0.120, 0.355, 0.692, 1.413}},
    {"pex", "16x16", {0.094, 0.290, 0.999, 2.068, 4.145}},
    {"pex", "16x32", {0.203, 0.860, 3.218, 6.794, 13.61}},
    {"gen", "4x4", {0.004, 0.008, 0.018, 0.037, 0.069}},
    {"gen", "8x8", {0.016, 0.042, 0.145, 0.290, 0.576}},
    {"gen", "16x8", {0.042, 0.123, 0.461, 0.933, 1.947}},
    {"gen", "16x16", {0.089, 0.346, 1.220, 2.511, 5.052}},
    {"gen", "16x32", {0.283, 1.217, 3.944, 8.007, 16.15}},
};

}  // namespace

std::string DeltaMesh::name() const { return std::to_string(rows) + 'x' + std::to_string(columns); }

std::uint32_t pex_contention(const DeltaMesh& mesh, std::uint32_t i) {
    return 1U << floor_log2(std::max(i % mesh.columns, i / mesh.columns));
}

std::uint32_t pex_contention_printed(const DeltaMesh& mesh, std::uint32_t i) {
    std::uint32_t power = 1;
    while (power < std::max(i % mesh.columns, i / mesh.columns)) power *= 2;
    return power;
}

std::uint32_t gen_contention(const DeltaMesh& mesh, std::uint32_t i) {
    const std::uint32_t along_row = i % mesh.columns;
    const std::uint32_t down = i / mesh.columns;
    const std::uint32_t carried = along_row > 0 ? shorter_way(down + 1, mesh.rows) : 0;
    return std::max(
        {std::min(along_row, mesh.columns - along_row), shorter_way(down, mesh.rows), carried});
}

std::uint32_t gen_contention_printed(const DeltaMesh& mesh, std::uint32_t i) {
    const std::uint32_t along_row = i % mesh.columns;
    return std::min(along_row, mesh.columns - along_row) +
           std::min(i / mesh.columns, (mesh.nodes() - i) / mesh.columns);
}

double StepModel::seconds(const std::vector<std::uint32_t>& contention, std::uint64_t bytes) const {
    double us = 0;
    for (const std::uint32_t f : contention) {
        us += alpha + static_cast<double>(bytes) * std::max(beta, f * beta_sat);
    }
    return us * 1e-6;
}

std::optional<double> printed_seconds(const std::string& schedule, const DeltaMesh& mesh,
                                      std::uint64_t bytes) {
    const auto* const size = std::find(std::begin(kMessageSizes), std::end(kMessageSizes), bytes);
    if (size == std::end(kMessageSizes)) return std::nullopt;
    for (const PrintedColumn& column : kPrinted) {
        if (schedule == column.schedule && mesh.name() == column.mesh) {
            return column.seconds[size - std::begin(kMessageSizes)];
        }
    }
    return std::nullopt;
}

}  // namespace flitscope::reproduce
