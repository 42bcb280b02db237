// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/powers_of_two.h"
#include "models/base/words.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/measure/steady/steady_state.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"

namespace flitscope {
namespace {

constexpr std::size_t kTableWidth = 120;
constexpr std::string_view kBisection = "bisection";

struct Column {
    const char* label;             ///< in the table
    std::string_view csv;          ///< in the header of the CSV file
    const char* pointer;           ///< into a row; missing values are left empty
    int decimals = 0;              ///< more if the value has fewer than three significant digits
    const char* sample = nullptr;  ///< into a row: from how many nodes it is known
    double scale = 1;              ///< from the unit of the row
    bool is_of_program = false;    ///< for a pattern, the length of its measurement
    bool is_often_same = false;    ///< left out if in no network unlike the column before it
};

constexpr const char* kLoad = "/run/configured_flits_per_node_cycle";  // only of patterns

const std::vector<Column>& columns() {
    static const std::vector<Column> all = {
        {"nodes", "nodes", "/nodes"},
        {"routers", "routers", "/routers", 0, nullptr, 1, false, true},
        {"planes", "planes", "/planes"},
        {"channels", "channels", "/channels"},
        {"degree, least", "degree_min", "/degree/min"},
        {"degree, most", "degree_max", "/degree/max"},
        {"diameter", "diameter", "/diameter", 0, "/distance_sources"},
        {"average distance", "average_distance", "/average_distance", 3, "/distance_sources"},
        {"bisection", kBisection, "/bisection"},
        {"flit bits", "flit_bits", "/flit_bits"},
        {"pin-out", "pin_out", "/pin_out"},
        {"bisection wires", "bisection_wires", "/bisection_wires"},
        {"wire length", "wire_length", "/wire_length"},
        {"longest wire", "longest_wire", "/longest_wire"},
        {"MCW of a line", "mcw", "/mcw"},
        {"layers", "layers", "/layers"},
        {"contacts", "contacts", "/contacts"},
        {"virtual channels", "virtual_channels", "/virtual_channels"},
        {"route, mean hops", "route_hops_mean", "/route_hops/mean", 3, "/route_destinations"},
        {"route, most hops", "route_hops_max", "/route_hops/max", 0, "/route_destinations"},
        {"max router, um2", "router_area_um2", "/router/area_um2"},
        {"all routers, um2", "routers_area_um2", "/router/total_area_um2"},
        {"with links, um2", "fabric_area_um2", "/fabric_area_um2"},
        {"router, ns", "router_min_period_ns", "/router/min_period_ns", 2},
        {"idle, pJ/cycle", "idle_pj_per_cycle", "/router/energy/idle_pj_per_cycle"},
        {"flit, mean pJ", "flit_mean_pj", "/router/energy/flit_mean_pj", 1, "/route_destinations"},
        {"run", "run_status", "/run_status"},
        {"run, cycles", "run_cycles", "/run/cycles", 0, nullptr, 1, true},
        {"clock, ns", "clock_ns", "/run/clock_ns", 2},
        {"run, us", "run_us", "/run/time_us", 3, nullptr, 1, true},
        {"ranks end, cycles", "run_ranks_end", "/run/trace/end_cycles"},
        {"accepted by sender", "accepted_flits_per_sending_node_cycle",
         "/run/accepted_flits_per_sending_node_cycle", 4},
        {"latency, mean", "latency_mean", "/run/latency/mean", 1},
        {"energy, uJ", "energy_uj", "/run/energy/total_j", 3, nullptr, 1e6},
    };
    return all;
}

bool is_estimate(const Json& row, const Column& column) {
    return column.sample != nullptr && row.at(Json::json_pointer(column.sample)) != row.at("nodes");
}

/// How the run ended, or that a pattern asked for more than the network accepts.
std::string run_status(const Json& run) {
    const std::string verdict = run.at("status");
    if (verdict != name_of(Verdict::kComplete)) return verdict;
    if (run.contains("steady")) {
        const std::string status = run.at("steady").at("status");
        return status == name_of(SteadyStatus::kUnstable) ? kUnstable : status;
    }
    return run.value("overloaded", Json()) == Json(true) ? kOverloaded : verdict;
}

const Json* value_of(const Json& row, const Column& column) {
    if (column.is_of_program && row.contains(Json::json_pointer(kLoad))) return nullptr;
    const Json::json_pointer pointer(column.pointer);
    return row.contains(pointer) && !row.at(pointer).is_null() ? &row.at(pointer) : nullptr;
}

/// Few cycles are some nanoseconds, which would be 0.000 us.
int decimals_of(double value, const Column& column) {
    constexpr int kSignificant = 3;
    if (column.decimals == 0 || value == 0) return column.decimals;
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
    return std::max(column.decimals, kSignificant - 1 - magnitude);
}

/// The value as text, rounded.
std::string value_text(const Json& row, const Column& column) {
    const Json* const value = value_of(row, column);
    if (value == nullptr) return "";
    if (value->is_string()) return value->get<std::string>();
    if (!value->is_number_float()) return grouped(value->get<std::uint64_t>());
    const double scaled = value->get<double>() * column.scale;
    const std::string text = fmt::format("{:.{}f}", scaled, decimals_of(scaled, column));
    return column.decimals == 0 ? grouped(std::stoull(text)) : text;
}

/// The value for CSV, as exact as those of explore export.
std::string csv_value(const Json& row, const Column& column) {
    const Json* const value = value_of(row, column);
    if (value == nullptr) return "";
    if (value->is_string()) return value->get<std::string>();
    if (!value->is_number_float()) return std::to_string(value->get<std::uint64_t>());
    return fmt::format("{:.12g}", value->get<double>() * column.scale);
}

/// One network in the table: the words of its name above its values.
struct TableColumn {
    std::vector<std::string> name;
    std::vector<std::string> values;
    std::size_t width = 0;
};

TableColumn table_column(const Json& row) {
    TableColumn result;
    result.name = words_of(row.at("topology").get<std::string>());
    if (row.at("name") != row.at("topology"))
        result.name.insert(result.name.begin(), row.at("name"));
    for (const Column& column : columns()) {
        std::string text = value_text(row, column);
        if (column.csv == kBisection && row.at("bisection_method") == "cut") text.insert(0, "<=");
        if (is_estimate(row, column)) text.insert(0, "~");
        result.values.push_back(text.empty() ? "-" : text);
    }
    for (const auto* cells : {&result.name, &result.values}) {
        for (const std::string& cell : *cells) result.width = std::max(result.width, cell.size());
    }
    return result;
}

/// For a run whose clock is shorter than its router allows.
std::string hurry_text(const Json& row) {
    const Json& run = row.at("run");
    const double period_ns = run.at("synthesized").at("period_ns");
    const std::string needs =
        fmt::format("{} needs {:.2f} ns", row.at("name").get<std::string>(), period_ns);
    if (row.contains(Json::json_pointer(kLoad))) return needs;  // a pattern has no makespan
    return fmt::format("{}, with which the run takes {}", needs,
                       time_text(run.at("cycles"), period_ns));
}

/// The most usual routing, and which networks have another one: "dimension_order; lash: torus 8x8".
std::string routings_text(const Json& rows) {
    std::map<std::string, std::vector<std::string>> networks;
    for (const Json& row : rows) networks[row.at("routing")].push_back(row.at("name"));
    const auto usual = std::max_element(
        networks.begin(), networks.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    std::vector<std::string> others;
    for (const auto& [routing, names] : networks) {
        if (routing == usual->first) continue;
        others.push_back(fmt::format("{}: {}", routing, fmt::join(names, ", ")));
    }
    return usual->first + (others.empty() ? "" : fmt::format("; {}", fmt::join(others, "; ")));
}

/// The networks of `block` side by side.
void print_block(std::ostream& out, const std::vector<TableColumn>& block, std::size_t label) {
    std::size_t lines = 0;
    for (const TableColumn& column : block) lines = std::max(lines, column.name.size());
    const auto print_row = [&](const char* name, const auto& cell_of) {
        std::string text = fmt::format("{:<{}}", name, label);
        for (const TableColumn& column : block) {
            text += fmt::format("  {:>{}}", cell_of(column), column.width);
        }
        out << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
    };
    for (std::size_t i = 0; i < lines; ++i) {
        print_row("", [i](const TableColumn& column) {
            return i < column.name.size() ? column.name[i] : std::string();
        });
    }
    for (std::size_t i = 0; i < columns().size(); ++i) {
        const bool anywhere = std::any_of(block.begin(), block.end(), [i](const TableColumn& c) {
            return columns()[i].is_often_same ? c.values[i] != c.values[i - 1] : c.values[i] != "-";
        });
        if (!anywhere) continue;
        print_row(columns()[i].label, [i](const TableColumn& column) { return column.values[i]; });
    }
}

/// Prints as few blocks as fit the width, of about equally many networks.
void print_blocks(std::ostream& out, const std::vector<TableColumn>& networks) {
    std::size_t label = 0;
    for (const Column& column : columns()) {
        label = std::max(label, std::string_view(column.label).size());
    }
    const auto fits = [&](std::size_t each) {
        for (std::size_t i = 0; i < networks.size(); i += each) {
            std::size_t width = label;
            for (std::size_t k = i; k < std::min(i + each, networks.size()); ++k) {
                width += 2 + networks[k].width;
            }
            if (width > kTableWidth) return false;
        }
        return true;
    };
    std::size_t blocks = 1;
    const auto per_block = [&] { return (networks.size() + blocks - 1) / blocks; };
    while (blocks < networks.size() && !fits(per_block())) ++blocks;
    for (std::size_t i = 0; i < networks.size(); i += per_block()) {
        const auto first = networks.begin() + static_cast<std::ptrdiff_t>(i);
        const std::size_t count = std::min(per_block(), networks.size() - i);
        print_block(out, {first, first + static_cast<std::ptrdiff_t>(count)}, label);
        out << '\n';
    }
}

/// "dims: [4, 4], concentration: [2, 2]": a grid with `block` nodes of each router along every
/// dimension.
std::string grid_text(const std::vector<NodeId>& routers, NodeId block) {
    const std::string dims = fmt::format("dims: [{}]", fmt::join(routers, ", "));
    if (block == 1) return dims;
    const std::vector<NodeId> blocks(routers.size(), block);
    return fmt::format("{}, concentration: [{}]", dims, fmt::join(blocks, ", "));
}

/// The sides of a grid of routers with `block` nodes along every dimension, for these sides of a
/// grid of nodes; none if there is no such grid with further routers along each.
std::vector<NodeId> divided(std::vector<NodeId> sides, NodeId block) {
    for (NodeId& side : sides) {
        if (block > 1 && (side % block != 0 || side == block)) return {};
        side /= block;
    }
    return sides;
}

/// Adds a network: its topology, and further keys of the fabric.
using AddNetwork = std::function<void(const std::string& topology, const std::string& more)>;

/// Those that join neighbours; none without sides. Of the routings that tori have by themselves the
/// balanced one carries the most (models/routing/README.md, "Datelines").
void add_neighbour_grids(const AddNetwork& add, const std::vector<NodeId>& sides, NodeId block) {
    if (sides.empty()) return;
    add("kind: mesh, " + grid_text(sides, block), "");
    if (sides.back() > 2) {
        add("kind: torus, " + grid_text(sides, block),
            ", virtual_channels: 2, routing: dimension_order_balanced");
    }
}

/// Those that have longer links as well; none without sides.
void add_express_grids(const AddNetwork& add, const std::vector<NodeId>& sides, NodeId block) {
    if (sides.empty()) return;
    const std::string grid = grid_text(sides, block);
    const NodeId shortest = sides.front();
    if (sides.back() > 2) add("kind: ghc, " + grid, "");
    for (NodeId window = 2; window + 1 < shortest; window *= 2) {
        add(fmt::format("kind: how, {}, window: {}", grid, window), "");
    }
    const auto segment = std::max(2L, std::lround(std::sqrt(static_cast<double>(shortest))));
    for (const ExpressLayout layout :
         {ExpressLayout::kFull, ExpressLayout::kSparse, ExpressLayout::kShifted}) {
        if (segment >= shortest || (layout == ExpressLayout::kShifted && segment < 4)) continue;
        add(fmt::format("kind: express_mesh, {}, segment: {}, layout: {}", grid, segment,
                        name_of(layout)),
            "");
    }
}

/// The two factors of `nodes` that are closest to each other, the smaller first.
std::pair<NodeId, NodeId> most_square(NodeId nodes) {
    auto side = static_cast<NodeId>(std::sqrt(static_cast<double>(nodes)));
    while (nodes % side != 0) --side;
    return {side, nodes / side};
}

}  // namespace

std::vector<Contender> usual_networks(NodeId nodes, const std::vector<std::string>& overrides) {
    std::vector<Contender> contenders;
    const std::string source = fmt::format("--nodes {}", nodes);
    static const std::set<std::string> kTheirs = {"fabric",
                                                  "fabric.topology",
                                                  "fabric.topology.kind",
                                                  "fabric.topology.dims",
                                                  "fabric.topology.dimensions",
                                                  "fabric.topology.concentration"};
    for (const std::string& text : overrides) {
        if (kTheirs.count(text.substr(0, text.find('='))) == 0) continue;
        throw ConfigError({"--set " + text, 0, 0},
                          "sets the network, but --nodes compares the usual networks",
                          "name configuration files instead of --nodes");
    }
    const auto add = [&](const std::string& topology, const std::string& more) {
        const std::string text = fmt::format("fabric: {{topology: {{{}}}{}}}", topology, more);
        try {
            parse_config(text, source);
        } catch (const ConfigError&) {
            return;  // with this many nodes it has too many ports
        }
        contenders.push_back({"", parse_config(text, source, overrides), true});
    };
    const auto [rows, columns] = most_square(nodes);
    const auto edge = static_cast<NodeId>(std::lround(std::cbrt(static_cast<double>(nodes))));
    const bool is_cube = edge > 2 && std::uint64_t{edge} * edge * edge == nodes;
    for (const NodeId block : {NodeId{1}, NodeId{2}}) {
        const std::vector<NodeId> square = divided(
            rows == 1 ? std::vector<NodeId>{nodes} : std::vector<NodeId>{rows, columns}, block);
        const std::vector<NodeId> cube =
            divided(is_cube ? std::vector<NodeId>(3, edge) : std::vector<NodeId>(), block);
        add_neighbour_grids(add, square, block);
        add_neighbour_grids(add, cube, block);
        if (block == 1 && is_power_of_two(nodes)) {
            add(fmt::format("kind: hypercube, dimensions: {}", floor_log2(nodes)), "");
        }
        add_express_grids(add, square, block);
    }
    return contenders;
}

Comparison compare_networks(std::vector<Contender> contenders, std::vector<Diagnostic> findings,
                            const ComparedRuns* runs) {
    Comparison result;
    Json& rows = result.rows;
    std::vector<Machine> machines;  // those to be simulated
    for (Contender& contender : contenders) {
        if (runs == nullptr) contender.config.traffic = {};
        goes_well(contender.may_be_left_out ? result.left_out : findings, [&] {
            Machine machine = build_machine(std::move(contender.config));
            if (runs != nullptr) runs->require(machine);
            Json row = {
                {"name", contender.name.empty() ? machine.graph.description() : contender.name}};
            row.update(topology_json(machine));
            row.erase("at");  // long: for those who look at one network
            rows.push_back(std::move(row));
            if (runs != nullptr) machines.push_back(std::move(machine));
        });
    }
    if (rows.empty()) {
        std::move(result.left_out.begin(), result.left_out.end(), std::back_inserter(findings));
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    for (std::size_t i = 0; i < machines.size(); ++i) {
        rows[i]["run"] = run_json(machines[i], runs->simulate(rows[i].at("name"), machines[i]));
        rows[i]["run_status"] = run_status(rows[i]["run"]);
    }
    return result;
}

void print_comparison(std::ostream& out, const Json& rows) {
    std::vector<TableColumn> networks;
    std::set<std::uint64_t> sizes;
    std::vector<std::string> deadlocks;
    std::vector<std::string> faulty;
    std::vector<std::string> faulty_later;
    std::vector<std::string> incomplete;
    std::vector<std::string> overloaded;
    std::vector<std::string> hurried;
    bool has_bounds = false;
    bool has_estimates = false;
    bool has_loads = false;
    for (const Json& row : rows) {
        networks.push_back(table_column(row));
        sizes.insert(row.at("nodes").get<std::uint64_t>());
        if (!row.at("deadlock_free")) deadlocks.push_back(row.at("name"));
        if (row.contains("faults")) {
            (row.at("faults").contains("at") ? faulty_later : faulty).push_back(row.at("name"));
        }
        if (row.contains("run") && row.at("run").at("status") != name_of(Verdict::kComplete)) {
            incomplete.push_back(row.at("name"));
        }
        if (row.contains("run_status") &&
            (row.at("run_status") == kOverloaded || row.at("run_status") == kUnstable)) {
            overloaded.push_back(row.at("name"));
        }
        if (row.contains(Json::json_pointer("/run/synthesized"))) {
            hurried.push_back(hurry_text(row));
        }
        has_bounds = has_bounds || row.at("bisection_method") == "cut";
        has_loads = has_loads || row.contains(Json::json_pointer(kLoad));
        for (const Column& column : columns()) {
            has_estimates = has_estimates || is_estimate(row, column);
        }
    }
    print_blocks(out, networks);
    if (!rows.empty()) out << fmt::format("routing: {}\n", routings_text(rows));
    const bool has_planes = std::any_of(rows.begin(), rows.end(),
                                        [](const Json& row) { return row.contains("planes"); });
    if (has_planes) {
        out << "planes are alike: channels, wires and pins are those of one, areas and energies of "
               "all\n";
    }
    if (has_bounds) out << "<= cut of the canonical halves: the bisection has no more channels\n";
    if (has_estimates) out << "~ estimated from a sample of nodes\n";
    if (has_loads) out << "accepted by sender: flits per cycle and node that sends, as of curve\n";
    if (sizes.size() > 1) {
        out << fmt::format("! numbers of nodes differ: {}\n", fmt::join(sizes, ", "));
    }
    if (!faulty.empty()) {
        out << fmt::format("! what is left with faults: {}\n", fmt::join(faulty, "; "));
    }
    if (!faulty_later.empty()) {
        out << fmt::format("! the whole network, before its faults: {}\n",
                           fmt::join(faulty_later, "; "));
    }
    if (!deadlocks.empty()) out << fmt::format("! can deadlock: {}\n", fmt::join(deadlocks, "; "));
    if (!incomplete.empty()) {
        out << fmt::format("! the run did not complete: {}\n", fmt::join(incomplete, "; "));
    }
    if (!hurried.empty()) {
        out << fmt::format("! the clock is too short for the router: {}\n",
                           fmt::join(hurried, "; "));
    }
    if (!overloaded.empty()) {
        out << fmt::format(
            "! more is offered than accepted, so latencies grow with the measurement: {}\n",
            fmt::join(overloaded, "; "));
    }
}

void write_comparison_csv(std::ostream& out, const Json& rows) {
    std::vector<Column> shown;
    for (std::size_t i = 0; i < columns().size(); ++i) {
        const auto is_unlike = [i](const Json& row) {
            return csv_value(row, columns()[i]) != csv_value(row, columns()[i - 1]);
        };
        if (columns()[i].is_often_same && std::none_of(rows.begin(), rows.end(), is_unlike))
            continue;
        shown.push_back(columns()[i]);
    }
    out << "name,topology,routing,deadlock_free,bisection_method,distance_sources,"
           "route_destinations";
    for (const Column& column : shown) out << ',' << column.csv;
    out << '\n';
    for (const Json& row : rows) {
        out << csv_text(row.at("name")) << ',' << csv_text(row.at("topology")) << ','
            << row.at("routing").get<std::string>() << ','
            << (row.at("deadlock_free").get<bool>() ? "true" : "false") << ','
            << row.at("bisection_method").get<std::string>() << ',' << row.at("distance_sources")
            << ',' << row.at("route_destinations");
        for (const Column& column : shown) out << ',' << csv_value(row, column);
        out << '\n';
    }
}

}  // namespace flitscope
