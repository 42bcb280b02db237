// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which broadcast and which all-reduce is the fastest for messages of which size, on four networks
// of 64 nodes: a study of the algorithms that message-passing libraries choose from today.
#include "testbench/papers/collectives/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "testbench/papers/collectives/collectives_study.h"

namespace flitscope::reproduce {
namespace {

using namespace library_collectives;

Table measured(const Study& study) {
    Table table;
    table.title =
        fmt::format("{} on {}: cycles by message size", study.schedule(), study.network().name);
    table.source = "* fastest";
    table.columns = {"size"};
    for (const std::string& name : study.names()) table.columns.push_back(name);
    table.columns.emplace_back("slowest / fastest");
    for (const std::uint64_t bytes : sizes()) {
        Cell size(text_of(bytes));
        size.value = bytes;
        std::vector<Cell> row{size};
        double slowest = 0;
        for (const std::string& name : study.names()) {
            Cell cell(study.outcome(name, bytes).cycles);
            cell.text += study.is_best(name, bytes) ? " *" : "  ";
            row.push_back(cell);
            slowest = std::max(slowest, study.cycles(name, bytes));
        }
        row.emplace_back(slowest / study.cycles(study.best(bytes), bytes), 2);
        table.rows.push_back(std::move(row));
    }
    table.notes.push_back(fmt::format("Choose {}.", choice(study)));
    return table;
}

Table against_model(const std::vector<Study>& studies, std::uint64_t bytes) {
    Table table;
    table.title =
        fmt::format("Contention at {}: measured over the time without contention", text_of(bytes));
    table.columns = {"algorithm", "model"};
    for (const Network& network : networks()) table.columns.push_back(network.name);
    for (std::size_t i = 0; i < studies.size(); i += networks().size()) {
        for (const std::string& name : studies[i].names()) {
            std::vector<Cell> row{studies[i].schedule() + ' ' + name,
                                  model(studies[i], name, bytes)};
            for (std::size_t n = 0; n < networks().size(); ++n) {
                const Study& study = studies[i + n];
                row.emplace_back(
                    study.cycles(name, bytes) / static_cast<double>(model(study, name, bytes)), 2);
            }
            table.rows.push_back(std::move(row));
        }
    }
    table.notes.push_back(
        "The model: for every step a startup, a header, the cycles of one link and a receipt; and "
        "the flits that the busiest node sends or receives one after the other.");
    return table;
}

Plot curves(const Study& study) {
    Plot plot;
    std::string place = study.network().name;
    std::replace(place.begin(), place.end(), ' ', '_');
    plot.name = fmt::format("collectives_{}_{}", study.schedule(), place);
    plot.title = fmt::format("{} on {}, startup {} cycles, receipt {}", study.schedule(),
                             study.network().name, kStartup, kReceive);
    plot.x_label = "message, bytes";
    plot.y_label = "cycles";
    plot.log_x = true;
    plot.log_y = true;
    plot.is_in_docs = study.network().name == "mesh 8x8";
    for (const std::string& name : study.names()) {
        Series series{name, {}};
        for (const std::uint64_t bytes : sizes()) {
            series.points.emplace_back(static_cast<double>(bytes), study.cycles(name, bytes));
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

Report report(const Outcomes& outcomes) {
    Report report;
    std::vector<Study> broadcasts;
    std::vector<Study> allreduces;
    for (const Network& network : networks()) {
        broadcasts.emplace_back(outcomes, "broadcast", network);
        allreduces.emplace_back(outcomes, "allreduce", network);
    }
    std::vector<Study> all = broadcasts;
    all.insert(all.end(), allreduces.begin(), allreduces.end());
    for (const Study& study : all) {
        report.tables.push_back(measured(study));
        report.plots.push_back(curves(study));
    }
    report.tables.push_back(against_model(all, 1 << 20));
    report.conclusions = conclusions(broadcasts, allreduces);
    return report;
}

}  // namespace

Paper collectives() {
    return {"collectives",
            fmt::format("Broadcast and all-reduce by message size, {} nodes, startup {} cycles, "
                        "receipt {}, links of 8 bytes per cycle",
                        kNodes, kStartup, kReceive),
            experiments, report};
}

}  // namespace flitscope::reproduce
