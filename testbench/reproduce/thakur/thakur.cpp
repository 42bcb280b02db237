// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Thakur, Choudhary and Fox 1993: complete exchange on the Intel Touchstone Delta. The machine was
// fitted to Tables 2 and 5; Tables 3, 4 and 6 are predictions.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "models/base/powers_of_two.h"
#include "testbench/build/machine.h"
#include "testbench/configuration/configuration.h"
#include "testbench/reproduce/frame/paper.h"
#include "testbench/reproduce/thakur/thakur_formulas.h"

namespace flitscope::reproduce {
namespace {

constexpr DeltaMesh kSquareMeshes[] = {{4, 4}, {8, 8}, {16, 8}, {16, 16}, {16, 32}};
constexpr DeltaMesh kOtherMeshes[] = {{4, 5}, {6, 8}, {16, 9}, {16, 14}, {16, 30}};
constexpr const char* kSquareSchedules[] = {"pex", "gen"};
constexpr const char* kOtherSchedules[] = {"pex-gen", "pex-gen-shift", "gen"};
constexpr std::uint32_t kLines[] = {2, 4, 8, 16, 32};  ///< nodes in a row, for single contentions
constexpr std::uint64_t kLineBytes = 16384;
constexpr std::uint64_t kScoredFrom = 4096;  ///< bytes: smaller cells are printed with 1 digit or 2

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

Experiment exchange(const std::string& schedule, const DeltaMesh& mesh, std::uint64_t bytes) {
    constexpr double kSecondsPerPacketHop = 300e-9;
    const double nodes = mesh.nodes();
    const double hops = (mesh.rows + mesh.columns) / 3.0 + 2;
    const double packets = static_cast<double>(bytes) / 1024 + 1;
    return {key(schedule, mesh, bytes), configuration("delta", schedule, mesh, bytes), "tlm",
            nodes * nodes * packets * hops * kSecondsPerPacketHop};
}

std::vector<Experiment> experiments() {
    std::vector<Experiment> all;
    for (const std::uint64_t bytes : kMessageSizes) {
        for (const DeltaMesh& mesh : kSquareMeshes) {
            for (const char* schedule : kSquareSchedules) {
                all.push_back(exchange(schedule, mesh, bytes));
            }
        }
        for (const DeltaMesh& mesh : kOtherMeshes) {
            for (const char* schedule : kOtherSchedules) {
                all.push_back(exchange(schedule, mesh, bytes));
            }
        }
    }
    for (const std::uint32_t nodes : kLines) all.push_back(exchange("pex", {1, nodes}, kLineBytes));
    return all;
}

// ---- Contention ---------------------------------------------------------------------------------

using Contention = std::vector<std::uint32_t>;  // per step, of the busiest link

/// Counted by routing every message.
Contention routed_contention(const std::string& schedule, const DeltaMesh& mesh) {
    const Machine machine =
        build_machine(parse_config(configuration("ideal", schedule, mesh, 0), schedule));
    Contention result;
    for (const StepReport& step : machine.steps) {
        result.push_back(static_cast<std::uint32_t>(step.max_link_contention));
    }
    return result;
}

using ClosedForm = std::uint32_t (*)(const DeltaMesh&, std::uint32_t);

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

/// Everything about contention that tables and conclusions need, counted once.
class ContentionStudy {
public:
    ContentionStudy() {
        for (const DeltaMesh& mesh : kSquareMeshes) {
            for (const char* schedule : kSquareSchedules) count(schedule, mesh);
        }
        for (const DeltaMesh& mesh : kOtherMeshes) {
            for (const char* schedule : kOtherSchedules) count(schedule, mesh);
        }
        count("pex", {4, 8});  // encloses 4x5
    }
    const Contention& of(const std::string& schedule, const DeltaMesh& mesh) const {
        return counted_.at(schedule + mesh.name());
    }

private:
    void count(const std::string& schedule, const DeltaMesh& mesh) {
        counted_[schedule + mesh.name()] = routed_contention(schedule, mesh);
    }

    std::map<std::string, Contention> counted_;
};

Table closed_forms(const ContentionStudy& study) {
    Table table;
    table.title = "Contention of the steps: closed forms beside routed messages";
    table.source = "Sec. 3.1, 3.4; errata 000.1, 000.2";
    table.columns = {"schedule",       "mesh",         "steps",          "max f",         "sum f",
                     "corrected: off", "printed: off", "printed: below", "printed: max f"};
    const auto add = [&](const char* schedule, const DeltaMesh& mesh, ClosedForm corrected,
                         ClosedForm printed) {
        const Contention& routed = study.of(schedule, mesh);
        const Contention right = by_closed_form(corrected, mesh);
        const Contention wrong = by_closed_form(printed, mesh);
        table.rows.push_back({schedule, mesh.name(), static_cast<std::uint64_t>(routed.size()),
                              largest(routed), sum(routed),
                              steps_where(right, routed, std::not_equal_to<>()),
                              steps_where(wrong, routed, std::not_equal_to<>()),
                              steps_where(wrong, routed, std::less<>()), largest(wrong)});
    };
    for (const DeltaMesh& mesh : kSquareMeshes) {
        add("pex", mesh, pex_contention, pex_contention_printed);
    }
    for (const DeltaMesh& mesh : kSquareMeshes) {
        add("gen", mesh, gen_contention, gen_contention_printed);
    }
    for (const DeltaMesh& mesh : kOtherMeshes) {
        add("gen", mesh, gen_contention, gen_contention_printed);
    }
    table.notes = {
        "off: steps in which the closed form is not the contention of the busiest link; below: in "
        "which it is less. PEX: floor in place of the printed ceil. GEN: the larger of both "
        "dimensions in place of their sum."};
    return table;
}

Table bounds_of_pex_gen(const ContentionStudy& study) {
    Table table;
    table.title = "Contention of PEX-GEN and PEX-GEN-SHIFT beside PEX of the enclosing mesh";
    table.source = "Sec. 3.2, 3.3; erratum 000.3";
    table.columns = {"mesh",  "enclosing", "max f PEX", "PEX-GEN", "SHIFT", "above PEX: PEX-GEN",
                     "SHIFT", "sum f PEX", "PEX-GEN",   "SHIFT"};
    for (const DeltaMesh& mesh : kOtherMeshes) {
        const Contention& pex = study.of("pex", enclosing(mesh));
        const Contention& plain = study.of("pex-gen", mesh);
        const Contention& shifted = study.of("pex-gen-shift", mesh);
        table.rows.push_back({mesh.name(), enclosing(mesh).name(), largest(pex), largest(plain),
                              largest(shifted), steps_where(plain, pex, std::greater<>()),
                              steps_where(shifted, pex, std::greater<>()), sum(pex), sum(plain),
                              sum(shifted)});
    }
    table.notes = {"above PEX: steps in which the contention is above that of PEX in this step."};
    return table;
}

// ---- Times --------------------------------------------------------------------------------------

/// The runs, as seconds on the machine.
class Times {
public:
    explicit Times(const Outcomes& outcomes)
        : outcomes_(outcomes),
          clock_ns_(parse_config(configuration("delta", "gen", {4, 4}, 1), "thakur").clock_ns) {}

    double seconds(const std::string& schedule, const DeltaMesh& mesh, std::uint64_t bytes) const {
        const Outcome& outcome = outcomes_.at(key(schedule, mesh, bytes));
        return static_cast<double>(outcome.cycles) * clock_ns_ * 1e-9;
    }

private:
    const Outcomes& outcomes_;
    double clock_ns_;
};

/// What a table says of one algorithm.
struct Algorithm {
    const char* schedule;
    const char* title;
    StepModel model;
    const char* model_name;
    /// The model with the contention as the paper prints it; null where it prints none.
    ClosedForm printed_form = nullptr;
    StepModel printed_model = {};
};

constexpr Algorithm kPex = {"pex",          "PEX on power-of-two meshes", kPexModel,
                            "model, floor", pex_contention_printed,       kPexModelPrinted};
constexpr Algorithm kGen = {"gen",           "GEN on power-of-two meshes", kGenModel,
                            "model, true f", gen_contention_printed,       kGenModelPrinted};
constexpr Algorithm kGenOther = {"gen",           "GEN on other meshes",  kGenModel,
                                 "model, true f", gen_contention_printed, kGenModelPrinted};
constexpr Algorithm kPexGen = {"pex-gen", "PEX-GEN", kPexModel, "model, routed f"};
constexpr Algorithm kShift = {"pex-gen-shift", "PEX-GEN-SHIFT", kPexModel, "model, routed f"};

/// How far one value of a cell is from the paper's.
struct CellError {
    std::string cell;  ///< "PEX 8x8 4096"
    double relative;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

struct Score {
    double median_error;
    CellError worst;
};

Score score(const std::vector<CellError>& errors) {
    std::vector<double> sizes;
    for (const CellError& error : errors) sizes.push_back(std::abs(error.relative));
    const auto worst =
        std::max_element(errors.begin(), errors.end(), [](const CellError& a, const CellError& b) {
            return std::abs(a.relative) < std::abs(b.relative);
        });
    return {median(sizes), *worst};
}

/// Errors of the scored cells of Tables 2 and 5 under `seconds`.
template <class Seconds>
std::vector<CellError> errors(const char* schedule, Seconds seconds) {
    std::vector<CellError> result;
    for (const DeltaMesh& mesh : kSquareMeshes) {
        for (const std::uint64_t bytes : kMessageSizes) {
            if (bytes < kScoredFrom) continue;
            const double paper = *printed_seconds(schedule, mesh, bytes);
            result.push_back({fmt::format("{} {} {} KB", schedule, mesh.name(), bytes / 1024),
                              (seconds(mesh, bytes) - paper) / paper});
        }
    }
    return result;
}

class ThakurReport {
public:
    explicit ThakurReport(const Outcomes& outcomes) : times_(outcomes) {}

    Report make() {
        Report report;
        report.tables = {closed_forms(study_),
                         bounds_of_pex_gen(study_),
                         fitted("Table 2", kPex),
                         predicted("Table 3", kPexGen),
                         predicted("Table 4", kShift),
                         fitted("Table 5", kGen),
                         predicted("Table 6", kGenOther),
                         quality(),
                         sharing()};
        for (const DeltaMesh& mesh : kSquareMeshes) report.plots.push_back(square_plot(mesh));
        for (const DeltaMesh& mesh : kOtherMeshes) report.plots.push_back(other_plot(mesh));
        report.conclusions = {closed_form_of_pex(),  closed_form_of_gen(), bound_of_pex(),
                              bound_by_pex(),        two_messages(),       gen_for_small(),
                              pex_for_large(),       shift_over_pex_gen(), gen_over_shift(),
                              columns_not_a_power(), powers_exceeded(),    growth()};
        return report;
    }

private:
    double model(const Algorithm& algorithm, const DeltaMesh& mesh, std::uint64_t bytes) const {
        return algorithm.model.seconds(study_.of(algorithm.schedule, mesh), bytes);
    }
    double printed_model(const Algorithm& algorithm, const DeltaMesh& mesh,
                         std::uint64_t bytes) const {
        return algorithm.printed_model.seconds(by_closed_form(algorithm.printed_form, mesh), bytes);
    }
    double simulated(const Algorithm& algorithm, const DeltaMesh& mesh, std::uint64_t bytes) const {
        return times_.seconds(algorithm.schedule, mesh, bytes);
    }

    Table fitted(const std::string& name, const Algorithm& algorithm) const {
        Table table;
        table.title = fmt::format("{}: {}, seconds", name, algorithm.title);
        table.source = "Sec. 4; models: erratum 000.6";
        table.columns = {"mesh",      "bytes", "paper", algorithm.model_name, "model, printed f",
                         "simulated", "error"};
        for (const DeltaMesh& mesh : kSquareMeshes) {
            for (const std::uint64_t bytes : kMessageSizes) {
                const double paper = *printed_seconds(algorithm.schedule, mesh, bytes);
                const double time = simulated(algorithm, mesh, bytes);
                table.rows.push_back({mesh.name(),
                                      bytes,
                                      {paper, 3},
                                      {model(algorithm, mesh, bytes), 3},
                                      {printed_model(algorithm, mesh, bytes), 3},
                                      {time, 3},
                                      relative_error(time, paper)});
            }
        }
        return table;
    }

    Table predicted(const std::string& name, const Algorithm& algorithm) const {
        const bool has_form = algorithm.printed_form != nullptr;
        Table table;
        table.title = fmt::format("{}: {}, seconds, predicted", name, algorithm.title);
        table.source = "Sec. 4; models: erratum 000.6";
        table.columns = {"mesh", "bytes", algorithm.model_name};
        if (has_form) table.columns.emplace_back("model, printed f");
        table.columns.emplace_back("simulated");
        for (const DeltaMesh& mesh : kOtherMeshes) {
            for (const std::uint64_t bytes : kMessageSizes) {
                std::vector<Cell> row = {mesh.name(), bytes, {model(algorithm, mesh, bytes), 3}};
                if (has_form) row.emplace_back(printed_model(algorithm, mesh, bytes), 3);
                row.emplace_back(simulated(algorithm, mesh, bytes), 3);
                table.rows.push_back(std::move(row));
            }
        }
        table.notes = {"The paper's numbers are held back; nothing was fitted to them."};
        return table;
    }

    /// How well machine and models meet Tables 2 and 5.
    Table quality() const {
        Table table;
        table.title = "Errors over the cells of 4 to 16 KB of Tables 2 and 5";
        table.source = "the machine and the models were fitted to these tables";
        table.columns = {"of", "cells", "median error", "largest error", "in"};
        const auto add = [&table](const char* what, const std::vector<CellError>& cells) {
            const Score result = score(cells);
            table.rows.push_back({what,
                                  static_cast<std::uint64_t>(cells.size()),
                                  {100 * result.median_error, 1},
                                  {100 * result.worst.relative, 1},
                                  result.worst.cell});
        };
        std::vector<CellError> both;
        for (const Algorithm* algorithm : {&kPex, &kGen}) {
            const auto found = errors(algorithm->schedule, [&](const auto& mesh, auto bytes) {
                return simulated(*algorithm, mesh, bytes);
            });
            add(algorithm == &kPex ? "simulated PEX" : "simulated GEN", found);
            both.insert(both.end(), found.begin(), found.end());
        }
        add("simulated, both", both);
        add("model of PEX, floor",
            errors("pex", [&](const auto& mesh, auto bytes) { return model(kPex, mesh, bytes); }));
        add("model of PEX, printed f", errors("pex", [&](const auto& mesh, auto bytes) {
                return printed_model(kPex, mesh, bytes);
            }));
        add("model of GEN, true f",
            errors("gen", [&](const auto& mesh, auto bytes) { return model(kGen, mesh, bytes); }));
        add("model of GEN, printed f", errors("gen", [&](const auto& mesh, auto bytes) {
                return printed_model(kGen, mesh, bytes);
            }));
        std::vector<std::string> drift;
        for (const DeltaMesh& mesh : kSquareMeshes) {
            std::vector<double> sizes;
            for (const std::uint64_t bytes : kMessageSizes) {
                if (bytes < kScoredFrom) continue;
                sizes.push_back(
                    simulated(kGen, mesh, bytes) / *printed_seconds("gen", mesh, bytes) - 1);
            }
            drift.push_back(fmt::format("{:+.0f} % on {}", 100 * median(sizes), mesh.name()));
        }
        table.notes = {
            "Errors in percent. One machine gives both algorithms; each model has constants of its "
            "own for each.",
            fmt::format(
                "What is left is mostly GEN's growth with the mesh, in the median {}. Nodes "
                "that do not wait for their partners drift apart, and how much that costs "
                "depends on buffers of which nothing is printed.",
                fmt::join(drift, ", "))};
        return table;
    }

    /// Milliseconds of a step of PEX in a row of nodes in which f messages share the busiest links:
    /// the row of 2 f nodes has f steps more than that of f nodes, all of this contention.
    double step_ms(std::size_t line) const {
        const double with = times_.seconds("pex", {1, kLines[line]}, kLineBytes);
        if (line == 0) return 1e3 * with;
        const double without = times_.seconds("pex", {1, kLines[line - 1]}, kLineBytes);
        return 1e3 * (with - without) / (kLines[line] / 2.0);
    }

    Table sharing() const {
        Table table;
        table.title = fmt::format("A step of PEX in a row, f messages of {} KB over a link, ms",
                                  kLineBytes / 1024);
        table.source = "Sec. 2: gamma = 1";
        table.columns = {"f", "model", "simulated", "beside f = 1"};
        for (std::size_t line = 0; line < std::size(kLines); ++line) {
            const std::uint32_t f = kLines[line] / 2;
            table.rows.push_back({f,
                                  {1e3 * kPexModel.seconds({f}, kLineBytes), 2},
                                  {step_ms(line), 2},
                                  {step_ms(line) / step_ms(0), 2}});
        }
        return table;
    }

    Series series(const std::string& name, const std::string& schedule,
                  const DeltaMesh& mesh) const {
        Series result;
        result.name = name;
        for (const std::uint64_t bytes : kMessageSizes) {
            result.points.emplace_back(bytes, times_.seconds(schedule, mesh, bytes));
        }
        return result;
    }

    static Plot empty_plot(const DeltaMesh& mesh) {
        Plot plot;
        plot.name = "thakur_" + mesh.name();
        plot.is_in_docs = mesh.name() == "8x8" || mesh.name() == "16x32";
        plot.title = "Complete exchange on " + mesh.name() + " nodes of the Delta";
        plot.x_label = "message, bytes";
        plot.y_label = "seconds";
        plot.log_x = plot.log_y = true;
        return plot;
    }

    Plot square_plot(const DeltaMesh& mesh) const {
        Plot plot = empty_plot(mesh);
        for (const Algorithm* algorithm : {&kPex, &kGen}) {
            const std::string name = algorithm == &kPex ? "PEX" : "GEN";
            plot.series.push_back(series(name + ", simulated", algorithm->schedule, mesh));
            Series paper;
            paper.name = name + ", paper";
            paper.is_measured = false;
            for (const std::uint64_t bytes : kMessageSizes) {
                paper.points.emplace_back(bytes,
                                          *printed_seconds(algorithm->schedule, mesh, bytes));
            }
            plot.series.push_back(std::move(paper));
        }
        return plot;
    }

    Plot other_plot(const DeltaMesh& mesh) const {
        Plot plot = empty_plot(mesh);
        plot.series = {series("PEX-GEN, simulated", "pex-gen", mesh),
                       series("PEX-GEN-SHIFT, simulated", "pex-gen-shift", mesh),
                       series("GEN, simulated", "gen", mesh)};
        return plot;
    }

    // ---- Conclusions ----------------------------------------------------------------------------

    static Finding verdict(std::uint32_t held, std::uint32_t of) {
        if (held == of) return Finding::kConfirmed;
        return 2 * held > of ? Finding::kPartly : Finding::kRefuted;
    }

    Conclusion closed_form_of_pex() const {
        std::uint32_t floor_off = 0;
        std::uint32_t ceil_off = 0;
        std::uint32_t steps = 0;
        for (const DeltaMesh& mesh : kSquareMeshes) {
            const Contention& routed = study_.of("pex", mesh);
            floor_off +=
                steps_where(by_closed_form(pex_contention, mesh), routed, std::not_equal_to<>());
            ceil_off += steps_where(by_closed_form(pex_contention_printed, mesh), routed,
                                    std::not_equal_to<>());
            steps += static_cast<std::uint32_t>(routed.size());
        }
        return {
            "An exact expression for the contention of step i of PEX is 2^ceil(lg max(i mod c, "
            "i / c)).",
            "Sec. 3.1", ceil_off == 0 ? Finding::kConfirmed : Finding::kRefuted,
            fmt::format("Off in {} of {} steps; with floor in place of ceil, in {}.", ceil_off,
                        steps, floor_off)};
    }

    Conclusion closed_form_of_gen() const {
        std::uint32_t over = 0;
        std::uint32_t under = 0;
        std::uint32_t steps = 0;
        std::uint32_t corrected_off = 0;
        const auto add = [&](const DeltaMesh& mesh) {
            const Contention& routed = study_.of("gen", mesh);
            const Contention printed = by_closed_form(gen_contention_printed, mesh);
            over += steps_where(printed, routed, std::greater<>());
            under += steps_where(printed, routed, std::less<>());
            corrected_off +=
                steps_where(by_closed_form(gen_contention, mesh), routed, std::not_equal_to<>());
            steps += static_cast<std::uint32_t>(routed.size());
        };
        for (const DeltaMesh& mesh : kSquareMeshes) add(mesh);
        for (const DeltaMesh& mesh : kOtherMeshes) add(mesh);
        return {
            "The contention of step i of GEN is the sum of min(i mod c, c - i mod c) and "
            "min(i / c, (p - i) / c).",
            "Sec. 3.4", over + under == 0 ? Finding::kConfirmed : Finding::kRefuted,
            fmt::format("Above the contention in {} of {} steps and below it in {}: an upper "
                        "bound. The larger of both, with the carry, is off in {}.",
                        over, steps, under, corrected_off)};
    }

    Conclusion bound_of_pex() const {
        std::uint32_t held = 0;
        std::vector<std::string> found;
        for (const DeltaMesh& mesh : kSquareMeshes) {
            const std::uint32_t most = largest(study_.of("pex", mesh));
            held += most <= std::max(mesh.rows, mesh.columns) / 2 ? 1 : 0;
            found.push_back(fmt::format("{} on {}", most, mesh.name()));
        }
        return {"At most max(r, c) / 2 messages of a step of PEX contend for a link.", "Sec. 3.1",
                verdict(held, static_cast<std::uint32_t>(std::size(kSquareMeshes))),
                fmt::format("The largest contention is {}.", fmt::join(found, ", "))};
    }

    Conclusion bound_by_pex() const {
        std::uint32_t held = 0;
        std::vector<std::string> above;
        for (const DeltaMesh& mesh : kOtherMeshes) {
            const std::uint32_t bound = largest(study_.of("pex", enclosing(mesh)));
            const std::uint32_t plain = largest(study_.of("pex-gen", mesh));
            const std::uint32_t shifted = largest(study_.of("pex-gen-shift", mesh));
            if (std::max(plain, shifted) <= bound) {
                ++held;
            } else {
                above.push_back(fmt::format("{} and {} where PEX has {} ({})", plain, shifted,
                                            bound, mesh.name()));
            }
        }
        return {"The contention of PEX-GEN and PEX-GEN-SHIFT is bounded by that of PEX.",
                "Sec. 3.2, 3.3", above.empty() ? Finding::kConfirmed : Finding::kRefuted,
                fmt::format("It holds on {} of {} meshes; elsewhere the largest contention is {}.",
                            held, std::size(kOtherMeshes), fmt::join(above, ", "))};
    }

    Conclusion two_messages() const {
        constexpr double kFree = 0.1;
        const double two = step_ms(1) / step_ms(0);
        const double four = step_ms(2) / step_ms(1);
        return {
            "Two messages share a link of the Delta without taking longer (gamma = 1).", "Sec. 2",
            two <= 1 + kFree ? Finding::kConfirmed
            : two <= 1.5     ? Finding::kPartly
                             : Finding::kRefuted,
            fmt::format("In a row of nodes a step of {} KB takes {:.2f} ms with one message per "
                        "link, {:.2f} ms with two ({:+.0f} %), {:.2f} ms with four (a factor of "
                        "{:.2f} beside two).",
                        kLineBytes / 1024, step_ms(0), step_ms(1), 100 * (two - 1), step_ms(2),
                        four)};
    }

    Conclusion gen_for_small() const {
        const DeltaMesh& mesh = kSquareMeshes[0];
        const double gen = times_.seconds("gen", mesh, 256);
        const double pex = times_.seconds("pex", mesh, 256);
        return {"Below 64 nodes and 1 KB GEN is the best on power-of-two meshes.", "Sec. 5",
                gen < pex ? Finding::kConfirmed : Finding::kRefuted,
                fmt::format("{} nodes, 256 bytes: GEN {:.2f} ms, PEX {:.2f} ms.", mesh.name(),
                            1e3 * gen, 1e3 * pex)};
    }

    Conclusion pex_for_large() const {
        std::uint32_t held = 0;
        std::uint32_t cells = 0;
        std::vector<std::string> gains;
        for (const DeltaMesh& mesh : kSquareMeshes) {
            if (mesh.nodes() < 64) continue;
            double last = 0;
            for (const std::uint64_t bytes : kMessageSizes) {
                if (bytes <= 1024) continue;
                const double pex = times_.seconds("pex", mesh, bytes);
                last = times_.seconds("gen", mesh, bytes) / pex;
                held += last > 1 ? 1 : 0;
                ++cells;
            }
            gains.push_back(fmt::format("{:.2f} on {}", last, mesh.name()));
        }
        return {"From 64 nodes on and above 1 KB PEX is better than GEN.", "Sec. 4, 5",
                verdict(held, cells),
                fmt::format("PEX is faster in {} of {} cells; at 16 KB GEN takes longer by a "
                            "factor of {}.",
                            held, cells, fmt::join(gains, ", "))};
    }

    Conclusion shift_over_pex_gen() const {
        std::uint32_t held = 0;
        std::uint32_t cells = 0;
        std::vector<double> ratios;
        for (const DeltaMesh& mesh : kOtherMeshes) {
            for (const std::uint64_t bytes : kMessageSizes) {
                ratios.push_back(times_.seconds("pex-gen-shift", mesh, bytes) /
                                 times_.seconds("pex-gen", mesh, bytes));
                held += ratios.back() < 1 ? 1 : 0;
                ++cells;
            }
        }
        const auto [best, worst] = std::minmax_element(ratios.begin(), ratios.end());
        return {"PEX-GEN-SHIFT is better than PEX-GEN in most cases.", "Sec. 4",
                2 * held > cells ? Finding::kConfirmed : Finding::kRefuted,
                fmt::format("Faster in {} of {} cells; it takes {:.2f} to {:.2f} of the time of "
                            "PEX-GEN, in the median {:.2f}.",
                            held, cells, *best, *worst, median(ratios))};
    }

    /// q - p beside q decides: the claim is about both ends of its range.
    Conclusion gen_over_shift() const {
        std::uint32_t held = 0;
        std::uint32_t claims = 0;
        std::vector<std::string> found;
        for (const DeltaMesh& mesh : kOtherMeshes) {
            const auto q = static_cast<std::uint32_t>(next_power_of_two(mesh.nodes()));
            std::uint32_t gen_wins = 0;
            for (const std::uint64_t bytes : kMessageSizes) {
                gen_wins += times_.seconds("gen", mesh, bytes) <
                                    times_.seconds("pex-gen-shift", mesh, bytes)
                                ? 1
                                : 0;
            }
            const bool is_far = 4 * (q - mesh.nodes()) >= q;
            const bool gen_is_better = 2 * gen_wins > std::size(kMessageSizes);
            held += is_far == gen_is_better ? 1 : 0;
            ++claims;
            found.push_back(fmt::format("{} ({} of {} missing): GEN at {} of {} sizes", mesh.name(),
                                        q - mesh.nodes(), q, gen_wins, std::size(kMessageSizes)));
        }
        return {
            "GEN is better than PEX-GEN-SHIFT when many nodes are missing to the next power of "
            "two, and PEX-GEN-SHIFT when few are.",
            "Sec. 4, 5", verdict(held, claims),
            fmt::format("As claimed on {} of {} meshes, many being a quarter or more: {}.", held,
                        claims, fmt::join(found, "; "))};
    }

    Conclusion columns_not_a_power() const {
        std::uint32_t held = 0;
        for (const std::uint64_t bytes : kMessageSizes) {
            held +=
                times_.seconds("pex-gen", {16, 30}, bytes) > times_.seconds("pex", {16, 32}, bytes)
                    ? 1
                    : 0;
        }
        return {
            "PEX-GEN on 16 x 30 nodes takes longer than PEX on 16 x 32.", "Sec. 4",
            verdict(held, static_cast<std::uint32_t>(std::size(kMessageSizes))),
            fmt::format("Longer at {} of {} sizes; at 16 KB {:.2f} s and {:.2f} s. Summed over "
                        "the steps the contention is {} and {}.",
                        held, std::size(kMessageSizes), times_.seconds("pex-gen", {16, 30}, 16384),
                        times_.seconds("pex", {16, 32}, 16384), sum(study_.of("pex-gen", {16, 30})),
                        sum(study_.of("pex", {16, 32})))};
    }

    /// The paper's two examples.
    Conclusion powers_exceeded() const {
        constexpr std::uint64_t kBytes = 16384;
        const double above =
            times_.seconds("pex-gen", {16, 9}, kBytes) / times_.seconds("pex", {16, 8}, kBytes);
        const double below =
            times_.seconds("pex-gen", {16, 14}, kBytes) / times_.seconds("pex", {16, 16}, kBytes);
        const std::uint32_t held =
            (above > 1.75 ? 1U : 0U) + (std::abs(below - 1) < 0.15 ? 1U : 0U);
        return {
            "PEX-GEN takes almost twice as long on 16 x 9 nodes as PEX on 16 x 8, and about as "
            "long on 16 x 14 as PEX on 16 x 16.",
            "Sec. 4",
            held == 2   ? Finding::kConfirmed
            : held == 1 ? Finding::kPartly
                        : Finding::kRefuted,
            fmt::format("At 16 KB {:.2f} and {:.2f} times as long.", above, below)};
    }

    Conclusion growth() const {
        const double small =
            times_.seconds("pex", {16, 32}, 256) / times_.seconds("pex", {16, 16}, 256);
        const double large =
            times_.seconds("pex", {16, 32}, 16384) / times_.seconds("pex", {16, 16}, 16384);
        const double paper =
            *printed_seconds("pex", {16, 32}, 16384) / *printed_seconds("pex", {16, 16}, 16384);
        const std::uint32_t held = (small < 2.5 ? 1U : 0U) + (large < 2.5 ? 1U : 0U);
        return {
            "The time of PEX grows almost linearly with the number of processors.", "Sec. 4",
            held == 2   ? Finding::kConfirmed
            : held == 1 ? Finding::kPartly
                        : Finding::kRefuted,
            fmt::format("From 256 to 512 nodes by a factor of {:.2f} at 256 bytes and {:.2f} at "
                        "16 KB, where contention grows with the mesh (the paper's own Table 2: "
                        "{:.2f}).",
                        small, large, paper)};
    }

    ContentionStudy study_;
    Times times_;
};

Report report(const Outcomes& outcomes) { return ThakurReport(outcomes).make(); }

}  // namespace

Paper thakur() {
    return {"thakur", "Thakur, Choudhary, Fox: Complete Exchange on a Wormhole Routed Mesh (1993)",
            experiments, report};
}

}  // namespace flitscope::reproduce
