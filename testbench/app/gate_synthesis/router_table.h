// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables with a row per router: its parameters, and whatever figures there are of it.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/verilated/built_routers.h"
#include "models/base/text_table.h"
#include "models/routing/turns.h"

namespace flitscope {

/// "mesh", "hypercube", "table", "pins".
const char* routing_name(hw::RtlRouting routing);

template <class Row>
struct RouterColumn {
    const char* title;
    bool only_if_rows_differ;
    std::function<std::string(const Row&)> text;
};
template <class Row>
using RouterColumns = std::vector<RouterColumn<Row>>;

/// The columns of the parameters of `Row::variant`, then `figures`.
template <class Row>
RouterColumns<Row> behind_parameters(RouterColumns<Row> figures) {
    using R = const Row&;
    RouterColumns<Row> all = {
        {"module", true, [](R r) { return r.variant.module; }},
        {"ports", false, [](R r) { return std::to_string(hw::used_ports(r.variant)); }},
        {"turns", true,
         [](R r) {
             return std::to_string(turns_of_hex(r.variant.ports, r.variant.turns).count());
         }},
        {"VCs", false, [](R r) { return std::to_string(r.variant.virtual_channels); }},
        {"depth", false, [](R r) { return std::to_string(r.variant.depth); }},
        {"bits", true, [](R r) { return std::to_string(r.variant.flit_bits); }},
        {"delay", true, [](R r) { return std::to_string(r.variant.router_delay); }},
        {"routing", true, [](R r) { return std::string(routing_name(r.variant.routing)); }},
        {"entries", true, [](R r) { return std::to_string(r.variant.table_entries); }},
        {"hold", true, [](R r) { return std::string(r.variant.hold ? "yes" : "no"); }},
        {"speedup", true, [](R r) { return std::to_string(r.variant.input_speedup); }},
        {"outputs", true, [](R r) { return std::to_string(r.variant.output_speedup); }},
        {"queue", true, [](R r) { return std::to_string(r.variant.output_queue); }},
        {"classes", true, [](R r) { return std::to_string(r.variant.classes); }},
        {"rank:weight", true, [](R r) { return hw::class_policy_text(r.variant); }},
        {"combined", true, [](R r) { return std::string(r.variant.combined ? "yes" : "no"); }},
    };
    std::move(figures.begin(), figures.end(), std::back_inserter(all));
    return all;
}

template <class Row>
TextTable router_table(const RouterColumns<Row>& columns, const std::vector<Row>& rows) {
    std::vector<std::string> heading;
    std::vector<std::vector<std::string>> cells(rows.size());
    for (const RouterColumn<Row>& column : columns) {
        std::vector<std::string> texts;
        std::transform(rows.begin(), rows.end(), std::back_inserter(texts), column.text);
        const std::set<std::string> distinct(texts.begin(), texts.end());
        if (column.only_if_rows_differ && distinct.size() < 2) continue;
        heading.emplace_back(column.title);
        for (std::size_t i = 0; i < rows.size(); ++i) cells[i].push_back(std::move(texts[i]));
    }
    TextTable table(std::move(heading));
    for (auto& row : cells) table.add(std::move(row));
    return table;
}

/// Sorts by ports, virtual channels, kind of allocation and depth.
template <class Row>
void sort_by_parameters(std::vector<Row>& rows) {
    const auto order = [](const Row& row) {
        const hw::RtlVariant& v = row.variant;
        return std::make_tuple(hw::used_ports(v), v.virtual_channels, v.input_speedup,
                               v.output_speedup, v.output_queue, v.classes, v.class_policy, v.hold,
                               v.combined, v.depth);
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Row& a, const Row& b) { return order(a) < order(b); });
}

}  // namespace flitscope
