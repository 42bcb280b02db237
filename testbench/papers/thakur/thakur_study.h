// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What tables and conclusions of the reproduction of Thakur, Choudhary and Fox 1993 look at: the
// meshes, the contention of every schedule, counted once, and the times of the runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "testbench/papers/frame/paper.h"
#include "testbench/papers/thakur/thakur_formulas.h"

namespace flitscope::reproduce::delta_exchange {

inline constexpr DeltaMesh kSquareMeshes[] = {{4, 4}, {8, 8}, {16, 8}, {16, 16}, {16, 32}};
inline constexpr DeltaMesh kOtherMeshes[] = {{4, 5}, {6, 8}, {16, 9}, {16, 14}, {16, 30}};
inline constexpr const char* kSquareSchedules[] = {"pex", "gen"};
inline constexpr const char* kOtherSchedules[] = {"pex-gen", "pex-gen-shift", "gen"};
inline constexpr std::uint32_t kLines[] = {2, 4, 8, 16,
                                           32};    ///< nodes in a row, for single contentions
inline constexpr std::size_t kExplainedLines = 4;  ///< of these: with contention of 1 to 8
inline constexpr std::uint64_t kLineBytes = 16384;
inline constexpr std::uint64_t kSmallBytes = 256;
inline constexpr std::uint64_t kLargeBytes = 16384;
inline constexpr std::uint64_t kScoredFrom =
    4096;  ///< bytes: smaller cells are printed with 1 digit or 2

/// Keys of the runs whose time the conclusions split by cause.
std::vector<std::string> keys_with_causes();

/// The experiment's key, and its configuration.
std::string key(const std::string& schedule, const DeltaMesh& mesh, std::uint64_t bytes);
std::string configuration(const std::string& machine, const std::string& schedule,
                          const DeltaMesh& mesh, std::uint64_t bytes);

using Contention = std::vector<std::uint32_t>;  ///< per step, of the busiest link
using ClosedForm = std::uint32_t (*)(const DeltaMesh&, std::uint32_t);

Contention by_closed_form(ClosedForm form, const DeltaMesh& mesh);
std::uint32_t largest(const Contention& steps);
std::uint64_t sum(const Contention& steps);

/// Steps in which `compare(a, b)` holds.
template <class Compare>
std::uint32_t steps_where(const Contention& a, const Contention& b, Compare compare) {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += compare(a[i], b[i]);
    return count;
}

/// The mesh of the next powers of two, whose PEX is said to bound PEX-GEN.
DeltaMesh enclosing(const DeltaMesh& mesh);

double median(std::vector<double> values);

/// Everything about contention that tables and conclusions need, counted once by routing every
/// message.
class ContentionStudy {
public:
    ContentionStudy();
    const Contention& of(const std::string& schedule, const DeltaMesh& mesh) const {
        return counted_.at(schedule + mesh.name());
    }

private:
    void count(const std::string& schedule, const DeltaMesh& mesh);

    std::map<std::string, Contention> counted_;
};

/// The runs, as seconds on the machine.
class Times {
public:
    explicit Times(const Outcomes& outcomes);
    double seconds(const std::string& schedule, const DeltaMesh& mesh, std::uint64_t bytes) const;
    /// The breakdown of one of keys_with_causes().
    Breakdown breakdown(const std::string& schedule, const DeltaMesh& mesh,
                        std::uint64_t bytes) const;

private:
    const Outcomes& outcomes_;
    double clock_ns_;
};

/// The figures of one algorithm in a table.
struct Algorithm {
    const char* schedule;
    const char* title;
    StepModel model;
    const char* model_name;
    /// The model with the contention as the paper prints it; null where it prints none.
    ClosedForm printed_form = nullptr;
    StepModel printed_model = {};
};

inline constexpr Algorithm kPex = {"pex",          "PEX on power-of-two meshes", kPexModel,
                                   "model, floor", pex_contention_printed,       kPexModelPrinted};
inline constexpr Algorithm kGen = {"gen",           "GEN on power-of-two meshes", kGenModel,
                                   "model, true f", gen_contention_printed,       kGenModelPrinted};
inline constexpr Algorithm kGenOther = {"gen",           "GEN on other meshes",  kGenModel,
                                        "model, true f", gen_contention_printed, kGenModelPrinted};
inline constexpr Algorithm kPexGen = {"pex-gen", "PEX-GEN", kPexModel, "model, routed f"};
inline constexpr Algorithm kShift = {"pex-gen-shift", "PEX-GEN-SHIFT", kPexModel,
                                     "model, routed f"};

/// All data of the study.
struct Data {
    explicit Data(const Outcomes& outcomes) : times(outcomes) {}

    // Seconds by the model, by the model with the contention as printed, and of the run.
    double model(const Algorithm& algorithm, const DeltaMesh& mesh, std::uint64_t bytes) const;
    double printed_model(const Algorithm& algorithm, const DeltaMesh& mesh,
                         std::uint64_t bytes) const;
    double simulated(const Algorithm& algorithm, const DeltaMesh& mesh, std::uint64_t bytes) const;
    /// Milliseconds of a step of PEX in a row of nodes in which f messages share the busiest links:
    /// the row of 2 f nodes has f steps more than that of f nodes, all of this contention.
    double step_ms(std::size_t line) const;

    ContentionStudy study;
    Times times;
};

// The parts of the report.
std::vector<Table> tables(const Data& data);
std::vector<Plot> plots(const Data& data);
std::vector<Conclusion> conclusions(const Data& data);

}  // namespace flitscope::reproduce::delta_exchange
