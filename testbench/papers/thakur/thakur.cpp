// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Thakur, Choudhary and Fox 1993: complete exchange on the Intel Touchstone Delta. The machine was
// fitted to Tables 2 and 5; Tables 3, 4 and 6 are predictions.
#include "testbench/papers/thakur/thakur.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/base/powers_of_two.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/papers/framework/script.h"
#include "testbench/papers/thakur/thakur_formulas.h"

namespace flitscope::reproduce {

extern const char* const kThakurScript;  // made by CMake

/// "16x8".
template <>
DeltaMesh taken(const Value& value) {
    const std::string& name = value.word();
    const std::size_t by = name.find('x');
    return {static_cast<std::uint32_t>(std::stoul(name.substr(0, by))),
            static_cast<std::uint32_t>(std::stoul(name.substr(by + 1)))};
}

namespace {

using Contention = std::vector<std::uint32_t>;  ///< per step, on the busiest link
using ClosedForm = std::uint32_t (*)(const DeltaMesh&, std::uint32_t);

constexpr std::uint64_t kLineBytes = 16384;
constexpr const char* kAnyDelta =
    "machine: delta\nfabric: {topology: {kind: mesh, dims: [4, 4]}}\ntraffic: {schedule: gen}\n";

Contention by_closed_form(ClosedForm form, const DeltaMesh& mesh) {
    Contention result;
    for (std::uint32_t i = 1; i < mesh.nodes(); ++i) result.push_back(form(mesh, i));
    return result;
}

/// The paper's data on an algorithm: its contention and its model, as corrected and as printed.
struct Algorithm {
    ClosedForm corrected;
    ClosedForm printed;
    StepModel model;
    StepModel printed_model;
};

/// PEX-GEN and PEX-GEN-SHIFT have the model of PEX.
const Algorithm& algorithm_of(const std::string& schedule) {
    static const Algorithm kPex = {pex_contention, pex_contention_printed, kPexModel,
                                   kPexModelPrinted};
    static const std::map<std::string, Algorithm> kOthers = {
        {"gen", {gen_contention, gen_contention_printed, kGenModel, kGenModelPrinted}}};
    const auto found = kOthers.find(schedule);
    return found == kOthers.end() ? kPex : found->second;
}

Contention corrected(const std::string& schedule, const DeltaMesh& mesh) {
    return by_closed_form(algorithm_of(schedule).corrected, mesh);
}
Contention printed(const std::string& schedule, const DeltaMesh& mesh) {
    return by_closed_form(algorithm_of(schedule).printed, mesh);
}

std::uint32_t largest(const Contention& steps) {
    return *std::max_element(steps.begin(), steps.end());
}

/// Steps in which `compare(a, b)` holds.
template <class Compare>
std::uint32_t steps_where(const Contention& a, const Contention& b, Compare compare) {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += compare(a[i], b[i]);
    return count;
}

/// The mesh of the next powers of two, whose PEX is said to bound PEX-GEN.
DeltaMesh enclosing(const DeltaMesh& mesh) {
    return {static_cast<std::uint32_t>(next_power_of_two(mesh.rows)),
            static_cast<std::uint32_t>(next_power_of_two(mesh.columns))};
}

/// The contention of schedules, each counted once by routing every message.
class Routed {
public:
    const Contention& of(const std::string& schedule, const DeltaMesh& mesh) {
        Contention& steps = counted_[schedule + mesh.name()];
        if (!steps.empty()) return steps;
        const std::string config = fmt::format(
            "fabric: {{topology: {{kind: mesh, dims: [{}, {}]}}}}\n"
            "traffic: {{schedule: {}, message_bytes: 0}}\n",
            mesh.rows, mesh.columns, schedule);
        for (const StepReport& step : step_reports(build_machine(parse_config(config, schedule)))) {
            steps.push_back(static_cast<std::uint32_t>(step.max_link_contention));
        }
        return steps;
    }

private:
    std::map<std::string, Contention> counted_;
};

/// The seconds of exchanges.
class Seconds {
public:
    Seconds(const Outcomes& outcomes, Routed& routed)
        : outcomes_(outcomes),
          routed_(routed),
          clock_ns_(parse_config(kAnyDelta, "thakur").clock_ns) {}

    /// `source`: "simulated", "paper" if it prints them, "model", and "printed model", with the
    /// contention as the paper prints it.
    std::optional<double> by(const std::string& source, const std::string& schedule,
                             const DeltaMesh& mesh, std::uint64_t bytes) const {
        const Algorithm& algorithm = algorithm_of(schedule);
        if (source == "simulated") return simulated(schedule, mesh, bytes);
        if (source == "paper") return printed_seconds(schedule, mesh, bytes);
        if (source == "model") return algorithm.model.seconds(routed_.of(schedule, mesh), bytes);
        if (source != "printed model") throw std::logic_error("no seconds by " + source);
        return algorithm.printed_model.seconds(printed(schedule, mesh), bytes);
    }
    /// Milliseconds of a step of PEX in a row of nodes in which `shared` messages share the busiest
    /// links: the row of 2 f nodes has f steps more than that of f nodes, all of this contention.
    double step_ms(std::uint32_t shared) const {
        const double with = simulated("pex", {1, 2 * shared}, kLineBytes);
        if (shared == 1) return 1e3 * with;
        return 1e3 * (with - simulated("pex", {1, shared}, kLineBytes)) / shared;
    }

private:
    double simulated(const std::string& schedule, const DeltaMesh& mesh,
                     std::uint64_t bytes) const {
        const std::string key = fmt::format("thakur/{}/{}/{}", schedule, mesh.name(), bytes);
        return static_cast<double>(outcomes_.at(key).cycles) * clock_ns_ * 1e-9;
    }

    const Outcomes& outcomes_;
    Routed& routed_;
    double clock_ns_;
};

using Text = const std::string&;
using Mesh = const DeltaMesh&;

Names formulas() {
    Names names;
    names.define("rows", [](Mesh mesh) { return mesh.rows; });
    names.define("columns", [](Mesh mesh) { return mesh.columns; });
    names.define("enclosing", [](Mesh mesh) { return enclosing(mesh).name(); });
    names.define("power_above", [](Mesh mesh) { return next_power_of_two(mesh.nodes()); });
    names.define("model_step_ms", [](std::uint32_t shared) {
        return 1e3 * kPexModel.seconds({shared}, kLineBytes);
    });
    names.define("in_capitals", [](std::string word) {
        for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        return word;
    });
    return names;
}

void define_contention(Routed& routed, Names& names) {
    names.define("steps", [&](Text name, Mesh mesh) { return routed.of(name, mesh).size(); });
    names.define("largest", [&](Text name, Mesh mesh) { return largest(routed.of(name, mesh)); });
    names.define("sum", [&](Text name, Mesh mesh) {
        const Contention& steps = routed.of(name, mesh);
        return std::accumulate(steps.begin(), steps.end(), std::uint64_t{0});
    });
    names.define("above_pex", [&](Text name, Mesh mesh) {
        return steps_where(routed.of(name, mesh), routed.of("pex", enclosing(mesh)),
                           std::greater<>());
    });
    // Steps in which closed forms differ from, are below or above the routed load.
    names.define("corrected_off", [&](Text name, Mesh mesh) {
        return steps_where(corrected(name, mesh), routed.of(name, mesh), std::not_equal_to<>());
    });
    names.define("printed_below", [&](Text name, Mesh mesh) {
        return steps_where(printed(name, mesh), routed.of(name, mesh), std::less<>());
    });
    names.define("printed_above", [&](Text name, Mesh mesh) {
        return steps_where(printed(name, mesh), routed.of(name, mesh), std::greater<>());
    });
    names.define("printed_largest",
                 [](Text name, Mesh mesh) { return largest(printed(name, mesh)); });
}

std::vector<Experiment> experiments() { return scripted_experiments(kThakurScript, formulas()); }

Report report(const Outcomes& outcomes, const Wanted& wanted) {
    Routed routed;
    const Seconds seconds(outcomes, routed);
    Names names = formulas();
    define_contention(routed, names);
    names.define("seconds", [&](Text source, Text schedule, Mesh mesh, std::uint64_t bytes) {
        return seconds.by(source, schedule, mesh, bytes);
    });
    // Ratio of the time of one schedule to that of another.
    names.define("ratio", [&](Text source, Text one, Text other, Mesh mesh, std::uint64_t bytes) {
        return *seconds.by(source, one, mesh, bytes) / *seconds.by(source, other, mesh, bytes);
    });
    names.define("step_ms", [&](std::uint32_t shared) { return seconds.step_ms(shared); });
    return scripted_report(kThakurScript, names, outcomes, wanted);
}

}  // namespace

Paper thakur() {
    return {"thakur", "Thakur, Choudhary, Fox: Complete Exchange on a Wormhole Routed Mesh (1993)",
            experiments, report};
}

}  // namespace flitscope::reproduce
