// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/framework/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "models/base/wrapped_text.h"
#include "models/config/link_delay_config.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"

namespace flitscope::reproduce {
namespace {

constexpr std::size_t kTextWidth = 100;

/// "partly, 10 of 12": the finding with its cases, if there are several.
std::string finding_text(const Cases& cases) {
    const char* const finding = word(cases.finding());
    return cases.all() == 1 ? finding : fmt::format("{}, {}", finding, cases.text());
}

/// Numbers are right-aligned, words left-aligned.
std::string line_of(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths,
                    const std::vector<bool>& are_words) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        if (c != 0) line += "  ";
        line += are_words[c] ? fmt::format("{:<{}}", cells[c].text, widths[c])
                             : fmt::format("{:>{}}", cells[c].text, widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

void print_table(std::ostream& out, const Table& table) {
    out << '\n' << table.title;
    if (!table.source.empty()) out << " (" << table.source << ')';
    out << '\n';
    std::vector<std::size_t> widths;
    std::vector<bool> are_words;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        std::size_t width = table.columns[c].size();
        bool words = !table.rows.empty();
        for (const std::vector<Cell>& row : table.rows) {
            width = std::max(width, row.at(c).text.size());
            if (!row.at(c).value.is_string()) words = false;
        }
        widths.push_back(width);
        are_words.push_back(words);
    }
    out << line_of({table.columns.begin(), table.columns.end()}, widths, are_words) << '\n';
    for (const std::vector<Cell>& row : table.rows) out << line_of(row, widths, are_words) << '\n';
    for (const std::string& note : table.notes) out << wrapped(note, 2);
}

/// For claims about contention or synchronisation; nothing without such claims.
void print_breakdowns(std::ostream& out, const std::vector<Conclusion>& conclusions) {
    bool is_begun = false;
    for (const Conclusion& c : conclusions) {
        for (const Breakdown& breakdown : c.breakdowns) {
            if (!is_begun) {
                out << "\nWhere the time goes, of claims about contention or synchronisation:\n\n"
                       "| claim | run | cycles | of these | what that says |\n"
                       "|---|---|---|---|---|\n";
                is_begun = true;
            }
            const bool is_first = &breakdown == &c.breakdowns.front();
            out << fmt::format("| {} | {} | {} | {} | {} |\n", is_first ? c.claim : "",
                               breakdown.run, grouped(breakdown.cycles()), breakdown.text(),
                               is_first ? c.meaning : "");
        }
    }
}

/// The change of a finding.
const char* change_word(const Cases& in_cycles, const Cases& in_ns) {
    const Finding before = in_cycles.finding();
    const Finding after = in_ns.finding();
    if (before == after) return "holds";
    const bool is_reversed = before != Finding::kPartly && after != Finding::kPartly;
    return is_reversed ? "is reversed" : "changes";
}

/// For claims that depend on wires or clocks; nothing without such claims.
void print_physical(std::ostream& out, const std::vector<Conclusion>& conclusions) {
    bool is_begun = false;
    for (const Conclusion& c : conclusions) {
        if (!c.physical) continue;
        if (!is_begun) {
            out << "\nThe same in nanoseconds:\n\n"
                   "| claim | finding in cycles | in nanoseconds | what was measured |\n"
                   "|---|---|---|---|\n";
            is_begun = true;
        }
        out << fmt::format("| {} | {} | **{}**: {} | {} |\n", c.claim, finding_text(c.cases),
                           change_word(c.cases, c.physical->cases), finding_text(c.physical->cases),
                           c.physical->evidence);
    }
}

}  // namespace

void print_report(std::ostream& out, const Paper& paper, const Report& report) {
    out << paper.title << '\n'
        << std::string(std::min(paper.title.size(), kTextWidth), '=') << '\n';
    for (const Table& table : report.tables) print_table(out, table);
    if (!report.conclusions.empty()) out << "\nConclusions\n";
    for (const Conclusion& conclusion : report.conclusions) {
        const Cases& cases = conclusion.cases;
        out << wrapped(
            fmt::format("{:<10} {} ({}){}", word(cases.finding()), conclusion.claim,
                        conclusion.source, cases.all() == 1 ? "" : ": holds in " + cases.text()),
            2);
        out << wrapped(conclusion.evidence, 13);
        if (const auto& physical = conclusion.physical) {
            out << wrapped(fmt::format("in ns: {}, {}. {}", change_word(cases, physical->cases),
                                       finding_text(physical->cases), physical->evidence),
                           13);
        }
        for (const Breakdown& breakdown : conclusion.breakdowns) {
            out << wrapped(fmt::format("- {}, {} cycles: {}", breakdown.run,
                                       grouped(breakdown.cycles()), breakdown.text()),
                           13);
        }
        if (!conclusion.meaning.empty()) out << wrapped(conclusion.meaning, 13);
    }
}

Json report_json(const Paper& paper, const Report& report) {
    Json json;
    json["paper"] = paper.name;
    json["title"] = paper.title;
    json["tables"] = Json::array();
    for (const Table& table : report.tables) {
        Json rows = Json::array();
        for (const std::vector<Cell>& row : table.rows) {
            Json cells = Json::array();
            for (const Cell& cell : row) cells.push_back(cell.value);
            rows.push_back(std::move(cells));
        }
        json["tables"].push_back({{"title", table.title},
                                  {"source", table.source},
                                  {"columns", table.columns},
                                  {"rows", std::move(rows)},
                                  {"notes", table.notes}});
    }
    json["plots"] = Json::array();
    for (const Plot& plot : report.plots) {
        Json series = Json::array();
        for (const Series& s : plot.series) {
            Json points = Json::array();
            for (const PlotPoint& point : s.points) points.push_back({point.x, point.y});
            series.push_back(
                {{"name", s.name}, {"measured", s.is_measured}, {"points", std::move(points)}});
        }
        json["plots"].push_back({{"name", plot.name},
                                 {"title", plot.title},
                                 {"x", plot.x_label},
                                 {"y", plot.y_label},
                                 {"series", std::move(series)}});
    }
    json["conclusions"] = Json::array();
    for (const Conclusion& c : report.conclusions) {
        json["conclusions"].push_back({{"claim", c.claim},
                                       {"source", c.source},
                                       {"finding", word(c.cases.finding())},
                                       {"evidence", c.evidence}});
        if (c.physical) {
            json["conclusions"].back()["physical"] = {
                {"finding", word(c.physical->cases.finding())},
                {"change", change_word(c.cases, c.physical->cases)},
                {"evidence", c.physical->evidence}};
        }
        if (c.breakdowns.empty()) continue;
        Json runs = Json::array();
        for (const Breakdown& breakdown : c.breakdowns) {
            runs.push_back({{"run", breakdown.run},
                            {"cycles", breakdown.cycles()},
                            {"causes", causes_json(breakdown.by_cause)}});
        }
        json["conclusions"].back()["runs"] = std::move(runs);
        json["conclusions"].back()["meaning"] = c.meaning;
    }
    return json;
}

namespace {

/// Number of claims of each paper by finding.
void print_summary(std::ostream& out, const std::vector<Paper>& papers,
                   const std::vector<Report>& reports) {
    out << "| | claims | confirmed | partly | refuted |\n|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < papers.size(); ++i) {
        const std::vector<Conclusion>& all = reports[i].conclusions;
        const auto count = [&all](Finding finding) {
            return std::count_if(all.begin(), all.end(), [finding](const Conclusion& c) {
                return c.cases.finding() == finding;
            });
        };
        out << fmt::format("| `{}` | {} | {} | {} | {} |\n", papers[i].name, all.size(),
                           count(Finding::kConfirmed), count(Finding::kPartly),
                           count(Finding::kRefuted));
    }
}

}  // namespace

void print_conclusions(std::ostream& out, const std::vector<Paper>& papers,
                       const std::vector<Report>& reports, const Outcomes& outcomes) {
    out << "# What the papers conclude, and what the runs say\n\n"
           "Made by `./dev reproduce --update` from the outcomes in kept/; do not edit. The "
           "tables\n"
           "behind every sentence are printed by `flitscope reproduce`.\n\n"
           "All claims are judged by one rule. A claim is asked of cases, which the last column "
           "names: networks,\n"
           "sizes of messages, steps, or the parts of a sentence that says several things. It is "
           "*confirmed* where it\n"
           "holds in all of them, *partly* right where it does in half of them at least, and "
           "*refuted* otherwise; the\n"
           "counts stand beside the finding. A claim about most of something is one case: more "
           "than half.\n\n";
    print_summary(out, papers, reports);
    out << "\n"
           "Where the time of a run goes is told along its critical path, as `flitscope explain` "
           "does, every\n"
           "cycle under one [cause](../app/explain/README.md#how-to-read-it). *Held up* are the "
           "cycles "
           "in which other\n"
           "packets are in the way inside the network: `head_of_line`, `vc_busy`, `credit_stall`, "
           "`switch_stall`,\n"
           "`route_choice`. `source_queue` is a node's time with its earlier messages, whatever "
           "these "
           "meet.\n\n"
           "In nanoseconds, claims that take all wires for one step are asked again: a wire takes "
        << LinkDelayConfig().ns_per_mm
        << " ns per\n"
           "millimetre ([where from](../../models/topology/README.md#wires-in-millimetres)), nodes "
           "are so many\n"
           "millimetres apart, and each network has the clock of its router in 0.18 um cells: of "
           "those that it is\n"
           "[built of](../../hw/rtl/README.md#routers-as-they-are-built) the one with the most "
           "turns, with FIFOs of 4 flits and\n"
           "routes found by comparing coordinates ([kept/routers.csv](kept/routers.csv)). What "
           "long FIFOs, route tables or port models "
           "would cost the clock is\n"
           "left out, of all networks alike. A finding *holds*, *changes*, or *is reversed*, by "
           "the "
           "same measure.\n";
    for (std::size_t i = 0; i < papers.size(); ++i) {
        const Paper& paper = papers[i];
        const Report& report = reports[i];
        const Effort effort = outcomes.effort(paper.experiments());
        out << fmt::format(
            "\n## {}\n\n`flitscope reproduce {}`: {} simulations ({} by the TLM engine), {} "
            "messages, {:.1f} million flit-hops; {} tables, {} plots.\n",
            paper.title, paper.name, effort.runs, effort.tlm_runs, grouped(effort.messages),
            static_cast<double>(effort.flit_hops) / 1e6, report.tables.size(), report.plots.size());
        out << "\n| claim | where | finding | what was measured |\n|---|---|---|---|\n";
        for (const Conclusion& c : report.conclusions) {
            out << fmt::format("| {} | {} | **{}** | {} |\n", c.claim, c.source,
                               finding_text(c.cases), c.evidence);
        }
        print_physical(out, report.conclusions);
        print_breakdowns(out, report.conclusions);
        for (const Plot& plot : report.plots) {
            if (plot.is_in_docs) {
                out << fmt::format("\n![{}](pictures/{}.svg)\n", plot.title, plot.name);
            }
        }
    }
}

}  // namespace flitscope::reproduce
