// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/thakur/thakur_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "models/base/powers_of_two.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"

namespace flitscope::reproduce::delta_exchange {
namespace {

/// Counted by routing every message.
Contention routed_contention(const std::string& schedule, const DeltaMesh& mesh) {
    const Machine machine =
        build_machine(parse_config(configuration("ideal", schedule, mesh, 0), schedule));
    Contention result;
    for (const StepReport& step : step_reports(machine)) {
        result.push_back(static_cast<std::uint32_t>(step.max_link_contention));
    }
    return result;
}

}  // namespace

std::vector<std::string> keys_with_causes() {
    std::vector<std::string> keys;
    for (std::size_t line = 0; line < kExplainedLines; ++line) {
        keys.push_back(key("pex", {1, kLines[line]}, kLineBytes));
    }
    for (const char* const schedule : kSquareSchedules) {
        keys.push_back(key(schedule, {4, 4}, kSmallBytes));
        keys.push_back(key(schedule, {16, 16}, kLargeBytes));
    }
    for (const char* const schedule : kOtherSchedules) {
        keys.push_back(key(schedule, {16, 9}, kLargeBytes));
    }
    for (const auto& [schedule, mesh] :
         {std::pair<const char*, DeltaMesh>{"pex-gen-shift", {16, 14}},
          {"pex-gen", {16, 14}},
          {"pex-gen", {16, 30}},
          {"pex", {16, 8}},
          {"pex", {16, 32}}}) {
        keys.push_back(key(schedule, mesh, kLargeBytes));
    }
    return keys;
}

std::string key(const std::string& schedule, const DeltaMesh& mesh, std::uint64_t bytes) {
    return fmt::format("thakur/{}/{}/{}", schedule, mesh.name(), bytes);
}

std::string configuration(const std::string& machine, const std::string& schedule,
                          const DeltaMesh& mesh, std::uint64_t bytes) {
    return fmt::format(
        "machine: {}\nfabric: {{topology: {{kind: mesh, dims: [{}, {}]}}}}\n"
        "traffic: {{schedule: {}, message_bytes: {}}}\n",
        machine, mesh.rows, mesh.columns, schedule, bytes);
}

Contention by_closed_form(ClosedForm form, const DeltaMesh& mesh) {
    Contention result;
    for (std::uint32_t i = 1; i < mesh.nodes(); ++i) result.push_back(form(mesh, i));
    return result;
}

std::uint32_t largest(const Contention& steps) {
    return *std::max_element(steps.begin(), steps.end());
}

std::uint64_t sum(const Contention& steps) {
    std::uint64_t result = 0;
    for (const std::uint32_t f : steps) result += f;
    return result;
}

/// The mesh of the next powers of two, whose PEX is said to bound PEX-GEN.
DeltaMesh enclosing(const DeltaMesh& mesh) {
    return {static_cast<std::uint32_t>(next_power_of_two(mesh.rows)),
            static_cast<std::uint32_t>(next_power_of_two(mesh.columns))};
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

ContentionStudy::ContentionStudy() {
    for (const DeltaMesh& mesh : kSquareMeshes) {
        for (const char* schedule : kSquareSchedules) count(schedule, mesh);
    }
    for (const DeltaMesh& mesh : kOtherMeshes) {
        for (const char* schedule : kOtherSchedules) count(schedule, mesh);
    }
    count("pex", {4, 8});  // encloses 4x5
}
void ContentionStudy::count(const std::string& schedule, const DeltaMesh& mesh) {
    counted_[schedule + mesh.name()] = routed_contention(schedule, mesh);
}

Times::Times(const Outcomes& outcomes)
    : outcomes_(outcomes),
      clock_ns_(parse_config(configuration("delta", "gen", {4, 4}, 1), "thakur").clock_ns) {}

double Times::seconds(const std::string& schedule, const DeltaMesh& mesh,
                      std::uint64_t bytes) const {
    const Outcome& outcome = outcomes_.at(key(schedule, mesh, bytes));
    return static_cast<double>(outcome.cycles) * clock_ns_ * 1e-9;
}

Breakdown Times::breakdown(const std::string& schedule, const DeltaMesh& mesh,
                           std::uint64_t bytes) const {
    const std::string size =
        bytes < 1024 ? fmt::format("{} bytes", bytes) : fmt::format("{} KB", bytes / 1024);
    std::string name = schedule;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return outcomes_.breakdown(key(schedule, mesh, bytes),
                               mesh.rows == 1
                                   ? fmt::format("{} in a row of {}, {}", name, mesh.columns, size)
                                   : fmt::format("{} on {}, {}", name, mesh.name(), size));
}

double Data::model(const Algorithm& algorithm, const DeltaMesh& mesh, std::uint64_t bytes) const {
    return algorithm.model.seconds(study.of(algorithm.schedule, mesh), bytes);
}

double Data::printed_model(const Algorithm& algorithm, const DeltaMesh& mesh,
                           std::uint64_t bytes) const {
    return algorithm.printed_model.seconds(by_closed_form(algorithm.printed_form, mesh), bytes);
}

double Data::simulated(const Algorithm& algorithm, const DeltaMesh& mesh,
                       std::uint64_t bytes) const {
    return times.seconds(algorithm.schedule, mesh, bytes);
}

double Data::step_ms(std::size_t line) const {
    const double with = times.seconds("pex", {1, kLines[line]}, kLineBytes);
    if (line == 0) return 1e3 * with;
    const double without = times.seconds("pex", {1, kLines[line - 1]}, kLineBytes);
    return 1e3 * (with - without) / (kLines[line] / 2.0);
}

}  // namespace flitscope::reproduce::delta_exchange
