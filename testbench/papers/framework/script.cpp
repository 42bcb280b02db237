// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/framework/script.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace flitscope::reproduce {
namespace {

using YAML::Node;
using AtEach = std::function<void(Names&)>;

std::string text_at(const Node& node, const char* key, const Names& names) {
    const Node text = node[key];
    return text ? filled(text.as<std::string>(), names) : std::string();
}

// ---- Values -------------------------------------------------------------------------------------

/// A number or a word, as written, or a record of these.
Value plain_value(const Node& node) {
    if (node.IsMap()) {
        Record record;
        for (const auto& field : node) {
            record.emplace_back(field.first.as<std::string>(), plain_value(field.second));
        }
        return record;
    }
    if (node.IsSequence()) {
        List list;
        for (const Node& one : node) list.push_back(plain_value(one));
        return list;
    }
    const std::string text = node.as<std::string>();
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return !text.empty() && end == text.c_str() + text.size() ? Value(number) : Value(text);
}

/// "[1, 2, words]", "2..n", or a formula of a list.
List list_of(const Node& node, const Names& names) {
    if (node.IsSequence()) return plain_value(node).list();
    List list;
    const std::string text = node.as<std::string>();
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) return value_of(text, names).list();
    const double last = value_of(text.substr(dots + 2), names).number();
    for (double i = value_of(text.substr(0, dots), names).number(); i <= last; ++i) {
        list.emplace_back(i);
    }
    return list;
}

/// A text if there are brackets, else a formula.
Value value_at(const Node& node, const Names& names) {
    if (node.IsSequence() || node.IsMap()) return plain_value(node);
    const std::string text = node.as<std::string>();
    return text.find('{') == std::string::npos ? value_of(text, names) : filled(text, names);
}

// ---- Sweeps -------------------------------------------------------------------------------------

/// Calls `at_each` for every combination of the variables from `variable` on.
void for_each(YAML::const_iterator variable, YAML::const_iterator end, Names& names,
              const AtEach& at_each) {
    if (variable == end) return at_each(names);
    for (const Value& value : list_of(variable->second, names)) {
        Names inner(&names);
        inner.set(variable->first.as<std::string>(), value);
        for_each(std::next(variable), end, inner, at_each);
    }
}

void for_each(const Node& variables, Names& names, const AtEach& at_each) {
    if (!variables) return at_each(names);
    for_each(variables.begin(), variables.end(), names, at_each);
}

/// Runs sweeps: for every combination of the variables in `for` it executes the other keys, in
/// their order.
class Sweeps {
public:
    explicit Sweeps(const Outcomes* outcomes) : outcomes_(outcomes) {}

    /// Collections are set in `around`.
    void go(const Node& sweep, Names& around, const AtEach& at_each) const {
        begin_collections(sweep, around);
        for_each(sweep["for"], around, [&](Names& names) {
            if (is_done(sweep, names, around)) at_each(names);
        });
    }

private:
    static void begin_collections(const Node& sweep, Names& around) {
        for (const auto& one : sweep["cases"]) around.set(one.first.as<std::string>(), Cases());
        for (const auto& one : sweep["lists"]) around.set(one.first.as<std::string>(), List());
    }

    /// False if the condition of an `if` does not hold.
    bool is_done(const Node& sweep, Names& names, Names& around) const {
        for (const auto& part : sweep) {
            const std::string key = part.first.as<std::string>();
            const Node& what = part.second;
            if (key == "if" && value_at(what, names).number() == 0) return false;
            if (key == "let") let(what, names);
            if (key == "runs") name_runs(what, names);
            if (key == "cases") count(what, names, around);
            if (key == "lists") collect(what, names, around);
            if (key != "over" && key != "then") continue;
            for (const Node& inner : what) go(inner, names, [](Names&) {});
        }
        return true;
    }
    static void let(const Node& values, Names& names) {
        for (const auto& one : values) {
            names.set(one.first.as<std::string>(), value_at(one.second, names));
        }
    }
    void name_runs(const Node& runs, Names& names) const {
        for (const auto& one : runs) {
            const std::string key = filled(one.second.as<std::string>(), names);
            names.set(one.first.as<std::string>(), Run{&outcomes_->at(key), key});
        }
    }
    static void count(const Node& conditions, const Names& names, Names& around) {
        for (const auto& one : conditions) {
            const std::string name = one.first.as<std::string>();
            Cases cases = around.value(name).cases();
            cases.add(value_at(one.second, names).cases());
            around.set(name, cases);
        }
    }
    static void collect(const Node& values, const Names& names, Names& around) {
        for (const auto& one : values) {
            const std::string name = one.first.as<std::string>();
            List list = around.value(name).list();
            list.push_back(value_at(one.second, names));
            around.set(name, std::move(list));
        }
    }

    const Outcomes* outcomes_;  // nullptr if nothing has run
};

// ---- Experiments --------------------------------------------------------------------------------

/// The global parts of a script: `let`, the lists of causes, and `runs` if outcomes are known.
void name_all(const Node& script, const Outcomes* outcomes, Names& names) {
    List held_up;
    for (const Cause cause : kHeldUp) held_up.emplace_back(cause_name(cause));
    names.set("held_up", held_up);
    names.set("none", Value());
    names.set("no_case", Cases());
    Node first;
    if (script["let"]) first["let"] = script["let"];
    Sweeps(outcomes).go(first, names, [](Names&) {});
    if (outcomes == nullptr) return;
    for (const auto& run : script["runs"]) {
        const std::string key = filled(run.second[0].as<std::string>(), names);
        const bool has_text = run.second.size() > 1;
        names.set(run.first.as<std::string>(),
                  Run{&outcomes->at(key),
                      has_text ? filled(run.second[1].as<std::string>(), names) : key});
    }
}

Experiment experiment_of(const Node& node, const Names& names) {
    Experiment experiment;
    experiment.key = text_at(node, "key", names);
    experiment.yaml = text_at(node, "configuration", names);
    if (node["engine"]) experiment.engine = text_at(node, "engine", names);
    experiment.weight = value_at(node["weight"], names).number();
    return experiment;
}

/// One for every combination, or those of `experiments` within it.
void add_experiments(const Node& described, Names& names, std::vector<Experiment>& experiments) {
    Sweeps(nullptr).go(described, names, [&](Names& inner) {
        if (!described["experiments"]) {
            experiments.push_back(experiment_of(described, inner));
            return;
        }
        for (const Node& one : described["experiments"]) add_experiments(one, inner, experiments);
    });
}

// ---- Tables and plots ---------------------------------------------------------------------------

class Tables {
public:
    explicit Tables(const Sweeps& sweeps) : sweeps_(sweeps) {}

    Table of(const Node& node, Names& names) const {
        Table table;
        table.title = text_at(node, "title", names);
        table.source = text_at(node, "source", names);
        for (const Node& column : node["columns"]) add_column(column, names, table);
        add_rows(node, node["columns"], names, table);
        for (const Node& note : node["notes"]) {
            std::string text = filled(note.as<std::string>(), names);
            if (!text.empty()) table.notes.push_back(std::move(text));
        }
        return table;
    }

private:
    void add_column(const Node& column, Names& names, Table& table) const {
        if (column.IsMap() && column["for"]) {
            for_each(column["for"], names, [&](Names& inner) {
                table.columns.push_back(text_at(column, "name", inner));
            });
            return;
        }
        const Node name = column.IsMap() ? column.begin()->first : column;
        table.columns.push_back(filled(name.as<std::string>(), names));
    }
    /// A row for every combination, or those of the blocks within it.
    void add_rows(const Node& block, const Node& cells, Names& names, Table& table) const {
        sweeps_.go(block, names, [&](Names& inner) {
            if (!block["rows"]) {
                table.rows.push_back(row_of(cells, inner));
                return;
            }
            for (const Node& rows : block["rows"]) add_rows(rows, rows["cells"], inner, table);
        });
    }
    std::vector<Cell> row_of(const Node& cells, Names& names) const {
        std::vector<Cell> row;
        const auto add = [&row](const Node& cell, const Names& inner) {
            row.push_back(cell_of(cell.as<std::string>(), inner));
        };
        for (const Node& cell : cells) {
            if (!cell.IsMap()) {
                add(cell, names);
            } else if (cell["for"]) {
                sweeps_.go(cell, names, [&](Names& inner) { add(cell["cell"], inner); });
            } else {
                add(cell.begin()->second, names);
            }
        }
        return row;
    }

    const Sweeps& sweeps_;
};

Plot plot_of(const Node& node, Names& names, const Sweeps& sweeps) {
    Plot plot;
    plot.name = text_at(node, "name", names);
    plot.title = text_at(node, "title", names);
    plot.x_label = text_at(node, "x", names);
    plot.y_label = text_at(node, "y", names);
    const std::string logarithmic = text_at(node, "log", names);
    plot.log_x = logarithmic.find('x') != std::string::npos;
    plot.log_y = logarithmic.find('y') != std::string::npos;
    if (node["in_docs"]) plot.is_in_docs = value_at(node["in_docs"], names).number() != 0;
    for (const Node& described : node["series"]) {
        sweeps.go(described, names, [&](Names& inner) {
            Series series;
            series.name = text_at(described, "name", inner);
            series.is_measured =
                !described["model"] || value_at(described["model"], inner).number() == 0;
            const Node points = described["points"];
            sweeps.go(points, inner, [&](Names& at) {
                series.points.emplace_back(value_at(points["x"], at).number(),
                                           value_at(points["y"], at).number());
            });
            plot.series.push_back(std::move(series));
        });
    }
    return plot;
}

/// One plot for every `each`, or those of `plots` within it, as far as they are wanted.
void add_plots(const Node& described, Names& names, const Sweeps& sweeps, const Wanted& wanted,
               std::vector<Plot>& plots) {
    for_each(described["each"], names, [&](Names& at) {
        if (described["plots"]) {
            for (const Node& inner : described["plots"]) {
                add_plots(inner, at, sweeps, wanted, plots);
            }
            return;
        }
        Names inner(&at);
        const std::string known_as =
            text_at(described, "name", inner) + ": " + text_at(described, "title", inner);
        if (wanted.has(known_as)) plots.push_back(plot_of(described, inner, sweeps));
    });
}

// ---- Claims -------------------------------------------------------------------------------------

/// A condition, cases, or the parts of a sentence, each of which is one case or several.
Cases cases_of(const Node& holds, const Names& names) {
    Cases cases;
    if (!holds.IsSequence()) return value_at(holds, names).cases();
    for (const Node& part : holds) cases.add(value_at(part, names).cases());
    return cases;
}

Conclusion conclusion_of(const Node& claim, Names& names, const Sweeps& sweeps) {
    Conclusion conclusion;
    sweeps.go(claim, names, [](Names&) {});
    conclusion.claim = text_at(claim, "claim", names);
    conclusion.source = text_at(claim, "where", names);
    conclusion.cases = cases_of(claim["holds"], names);
    conclusion.evidence = text_at(claim, "evidence", names);
    for (const Node& shown : claim["shows"]) {
        const Run run = names.value(shown.as<std::string>()).run();
        conclusion.breakdowns.push_back({run.text, run.outcome->by_cause.value()});
    }
    conclusion.meaning = text_at(claim, "meaning", names);
    if (const Node physical = claim["in_ns"]) {
        sweeps.go(physical, names, [](Names&) {});
        conclusion.physical = PhysicalFinding{cases_of(physical["holds"], names),
                                              text_at(physical, "evidence", names)};
    }
    return conclusion;
}

}  // namespace

std::vector<Experiment> scripted_experiments(const char* script, const Names& names) {
    const Node all = YAML::Load(script);
    Names own(&names);
    name_all(all, nullptr, own);
    std::vector<Experiment> experiments;
    for (const Node& described : all["experiments"]) add_experiments(described, own, experiments);
    record_causes_of_runs(script, names, experiments);
    return experiments;
}

void record_causes_of_runs(const char* script, const Names& names,
                           std::vector<Experiment>& experiments) {
    const Node all = YAML::Load(script);
    Names own(&names);
    name_all(all, nullptr, own);
    std::vector<std::string> keys;
    for (const auto& run : all["runs"]) {
        if (run.second.size() > 1) keys.push_back(filled(run.second[0].as<std::string>(), own));
    }
    record_causes(experiments, keys);
}

Report scripted_report(const char* script, const Names& names, const Outcomes& outcomes,
                       const Wanted& wanted) {
    const Node all = YAML::Load(script);
    const Sweeps sweeps(&outcomes);
    Names own(&names);
    name_all(all, wanted.is_all() ? &outcomes : nullptr, own);  // `runs` are for conclusions
    for (const Node& sweep : all["measured"]) sweeps.go(sweep, own, [](Names&) {});
    Report report;
    for (const Node& described : all["tables"]) {
        for_each(described["each"], own, [&](Names& at) {
            Names inner(&at);
            if (!wanted.has(text_at(described, "title", inner))) return;
            report.tables.push_back(Tables(sweeps).of(described, inner));
        });
    }
    for (const Node& described : all["plots"]) {
        add_plots(described, own, sweeps, wanted, report.plots);
    }
    if (!wanted.is_all()) return report;
    for (const Node& claim : all["claims"]) {
        Names inner(&own);
        report.conclusions.push_back(conclusion_of(claim, inner, sweeps));
    }
    return report;
}

}  // namespace flitscope::reproduce
