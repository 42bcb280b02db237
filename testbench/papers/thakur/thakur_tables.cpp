// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables and plots of Thakur, Choudhary and Fox 1993, printed beside simulated.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "testbench/papers/thakur/thakur_study.h"

namespace flitscope::reproduce::delta_exchange {
namespace {

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

/// How far one value of a cell is from the paper's.
struct CellError {
    std::string cell;  ///< "PEX 8x8 4096"
    double relative;
};

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

class Tables {
public:
    explicit Tables(const Data& data) : data_(data) {}

    std::vector<Table> tables() const {
        return {closed_forms(data_.study),
                bounds_of_pex_gen(data_.study),
                fitted("Table 2", kPex),
                predicted("Table 3", kPexGen),
                predicted("Table 4", kShift),
                fitted("Table 5", kGen),
                predicted("Table 6", kGenOther),
                quality(),
                sharing()};
    }
    std::vector<Plot> plots() const {
        std::vector<Plot> all;
        for (const DeltaMesh& mesh : kSquareMeshes) all.push_back(square_plot(mesh));
        for (const DeltaMesh& mesh : kOtherMeshes) all.push_back(other_plot(mesh));
        return all;
    }

private:
    Table fitted(const std::string& name, const Algorithm& algorithm) const {
        Table table;
        table.title = fmt::format("{}: {}, seconds", name, algorithm.title);
        table.source = "Sec. 4; models: erratum 000.6";
        table.columns = {"mesh",      "bytes", "paper", algorithm.model_name, "model, printed f",
                         "simulated", "error"};
        for (const DeltaMesh& mesh : kSquareMeshes) {
            for (const std::uint64_t bytes : kMessageSizes) {
                const double paper = *printed_seconds(algorithm.schedule, mesh, bytes);
                const double time = data_.simulated(algorithm, mesh, bytes);
                table.rows.push_back({mesh.name(),
                                      bytes,
                                      {paper, 3},
                                      {data_.model(algorithm, mesh, bytes), 3},
                                      {data_.printed_model(algorithm, mesh, bytes), 3},
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
                std::vector<Cell> row = {
                    mesh.name(), bytes, {data_.model(algorithm, mesh, bytes), 3}};
                if (has_form) row.emplace_back(data_.printed_model(algorithm, mesh, bytes), 3);
                row.emplace_back(data_.simulated(algorithm, mesh, bytes), 3);
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
                return data_.simulated(*algorithm, mesh, bytes);
            });
            add(algorithm == &kPex ? "simulated PEX" : "simulated GEN", found);
            both.insert(both.end(), found.begin(), found.end());
        }
        add("simulated, both", both);
        add("model of PEX, floor", errors("pex", [&](const auto& mesh, auto bytes) {
                return data_.model(kPex, mesh, bytes);
            }));
        add("model of PEX, printed f", errors("pex", [&](const auto& mesh, auto bytes) {
                return data_.printed_model(kPex, mesh, bytes);
            }));
        add("model of GEN, true f", errors("gen", [&](const auto& mesh, auto bytes) {
                return data_.model(kGen, mesh, bytes);
            }));
        add("model of GEN, printed f", errors("gen", [&](const auto& mesh, auto bytes) {
                return data_.printed_model(kGen, mesh, bytes);
            }));
        std::vector<std::string> drift;
        for (const DeltaMesh& mesh : kSquareMeshes) {
            std::vector<double> sizes;
            for (const std::uint64_t bytes : kMessageSizes) {
                if (bytes < kScoredFrom) continue;
                sizes.push_back(
                    data_.simulated(kGen, mesh, bytes) / *printed_seconds("gen", mesh, bytes) - 1);
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
                                  {data_.step_ms(line), 2},
                                  {data_.step_ms(line) / data_.step_ms(0), 2}});
        }
        return table;
    }

    Series series(const std::string& name, const std::string& schedule,
                  const DeltaMesh& mesh) const {
        Series result;
        result.name = name;
        for (const std::uint64_t bytes : kMessageSizes) {
            result.points.emplace_back(bytes, data_.times.seconds(schedule, mesh, bytes));
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

    const Data& data_;
};

}  // namespace

std::vector<Table> tables(const Data& data) { return Tables(data).tables(); }

std::vector<Plot> plots(const Data& data) { return Tables(data).plots(); }

}  // namespace flitscope::reproduce::delta_exchange
