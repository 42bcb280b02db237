// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Printed results and predictions of Thakur, Choudhary and Fox (1993): the contention of a step in
// closed form, the time of an exchange by it, and the times that they measured on the Delta.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flitscope::reproduce {

/// r rows of c columns, nodes numbered row by row.
struct DeltaMesh {
    std::uint32_t rows;
    std::uint32_t columns;

    std::uint32_t nodes() const { return rows * columns; }
    std::string name() const;  ///< "16x8"
};

// Messages over the busiest link in step i, 1 <= i < nodes.

/// PEX (3.1), sides powers of two: 2^floor(lg max(i mod c, i / c)). The paper prints ceil
/// (erratum 000.1).
std::uint32_t pex_contention(const DeltaMesh& mesh, std::uint32_t i);
std::uint32_t pex_contention_printed(const DeltaMesh& mesh, std::uint32_t i);

/// GEN (3.4): the larger of both dimensions, with the carry into the next row. The paper prints the
/// sum of two different links' loads, an upper bound (erratum 000.2).
std::uint32_t gen_contention(const DeltaMesh& mesh, std::uint32_t i);
std::uint32_t gen_contention_printed(const DeltaMesh& mesh, std::uint32_t i);

/// The model of section 2: a step takes alpha + L max(beta, f beta_sat).
struct StepModel {
    double alpha;     ///< us
    double beta;      ///< us per byte
    double beta_sat;  ///< us per byte and message on a link

    /// Seconds for messages of `bytes` in steps with these contentions.
    double seconds(const std::vector<std::uint32_t>& contention, std::uint64_t bytes) const;
};

// Least-squares fits of the logarithms of Tables 2 and 5 (erratum 000.6).
inline constexpr StepModel kPexModel = {202, 0.250, 0.126};
inline constexpr StepModel kPexModelPrinted = {202, 0.237, 0.067};
inline constexpr StepModel kGenModel = {113, 0.189, 0.189};
inline constexpr StepModel kGenModelPrinted = {108, 0.161, 0.157};

inline constexpr std::uint64_t kMessageSizes[] = {256, 1024, 4096, 8192, 16384};  ///< bytes

/// Tables 2 (PEX) and 5 (GEN), in seconds; nothing for other cells, whose values are held back.
std::optional<double> printed_seconds(const std::string& schedule, const DeltaMesh& mesh,
                                      std::uint64_t bytes);

}  // namespace flitscope::reproduce
