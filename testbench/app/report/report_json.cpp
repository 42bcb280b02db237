// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "hw/verilated/built_routers.h"
#include "models/base/digest.h"
#include "models/base/file_text.h"
#include "models/base/input_file.h"
#include "models/base/rounded.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/fabric/faulted_network.h"
#include "models/performance/bounds.h"
#include "models/performance/channels.h"
#include "models/performance/fault_cost.h"
#include "models/performance/topology_metrics.h"
#include "models/topology/faults/faults.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/gate_synthesis/synthesis_report.h"
#include "testbench/app/report/node_flits.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"
#include "testbench/app/run/input_files.h"
#include "traffic/patterns/load_units.h"
#include "traffic/program/operations.h"
#include "traffic/program/program_report.h"

namespace flitscope {

const char* version() { return FLITSCOPE_VERSION; }

void add_size(Json& json, const Graph& graph) {
    json["nodes"] = graph.working_node_count();
    if (graph.planes() > 1) json["planes"] = graph.planes();
    json["routers"] = graph.working_router_count();
}

Json latency_json(const LatencyStatistics& latency) {
    if (latency.count() == 0) {
        return {{"mean", nullptr},
                {"p50", nullptr},
                {"p95", nullptr},
                {"p99", nullptr},
                {"max", nullptr}};
    }
    return {{"mean", latency.mean()},
            {"p50", latency.percentile(50)},
            {"p95", latency.percentile(95)},
            {"p99", latency.percentile(99)},
            {"max", latency.max()}};
}

namespace {

Json bounds_json(const LowerBounds& bounds) {
    return {{"injection", bounds.injection},
            {"ejection", bounds.ejection},
            {"link", bounds.link},
            {"bisection", bounds.bisection},
            {"latency", bounds.latency}};
}

Json utilization_json(const Graph& graph, const SimulationResult& result) {
    const ChannelMap map(graph);
    ChannelId busiest = kNoChannel;
    std::uint64_t most = 0;
    std::uint64_t busy = 0;
    const std::vector<ChannelId> links = map.links();
    for (const ChannelId id : links) {
        const std::uint64_t cycles = result.window_flits[id] * map.rate_cycles(id);
        busy += cycles;
        if (busiest != kNoChannel && cycles <= most) continue;
        busiest = id;
        most = cycles;
    }
    const auto cycles = static_cast<double>(std::max<Cycle>(result.window.length(), 1));
    const auto count = static_cast<double>(std::max<std::size_t>(links.size(), 1));
    return {{"mean", static_cast<double>(busy) / cycles / count},
            {"max", static_cast<double>(most) / cycles},
            {"busiest", busiest == kNoChannel ? Json() : Json(map.name(busiest))},
            {"from", result.window.from},
            {"until", result.window.until}};
}

void add_measured_traffic(Json& json, const Machine& machine, const SimulationResult& result) {
    const MeasuredTraffic& measured = *result.measured;
    json["offered_flits_per_node_cycle"] = measured.offered();
    json["accepted_flits_per_node_cycle"] = measured.accepted();
    json["sending_nodes"] = measured.senders;
    if (machine.graph.working_node_count() != machine.graph.node_count()) {
        json["messages_to_failed_nodes_dropped"] = measured.generated.dropped;
    }
    json["offered_flits_per_sending_node_cycle"] = measured.offered_by_senders();
    json["accepted_flits_per_sending_node_cycle"] = measured.accepted_of_senders();
    json["accepted_gbps_per_sending_node"] =
        rounded(LoadUnits(machine.config).gbps(measured.accepted_of_senders()));
    const std::optional<bool> overloaded = is_overloaded(result);
    json["overloaded"] = overloaded ? Json(*overloaded) : Json();
    json["short_measurement"] = is_short_measurement(result);
    json["backlog_growth_flits"] = measured.backlog_growth();
    if (const auto range = injected_range(machine, result)) {
        json["injected_by_sending_node"] = {{"min", range->least.rate},
                                            {"min_node", range->least.node},
                                            {"max", range->most.rate},
                                            {"max_node", range->most.node}};
    }
}

/// The size of a trace, and when its ranks have done everything (null while they have not).
Json operations_json(const Machine& machine, const SimulationResult& result) {
    const Operations& operations = *machine.program->operations;
    Json json = {{"ranks", operations.ranks()}, {"operations", operations.size()},
                 {"end_cycles", nullptr},       {"end_ns", nullptr},
                 {"last_rank", nullptr},        {"notes", machine.program->notes}};
    if (const NodeOperations* const last = result.last_to_end()) {
        json["end_cycles"] = last->end;
        json["end_ns"] = static_cast<double>(last->end) * machine.config.clock_ns;
        json["last_rank"] = last->rank;
    }
    return json;
}

Json classes_json(const Machine& machine, const SimulationResult& result) {
    Json list = Json::array();
    for (std::size_t k = 0; k < result.classes.size(); ++k) {
        const ClassTraffic& of = result.classes[k];
        Json entry = {{"name", machine.config.fabric.classes[k]},
                      {"messages_delivered", of.delivered},
                      {"latency", latency_json(of.latency)}};
        if (result.measured) {
            entry["measured_messages"] = of.latency.count();
            entry["accepted_flits_per_node_cycle"] = result.measured->accepted(of.flits);
        }
        list.push_back(std::move(entry));
    }
    return list;
}

Json steady_json(const SteadyOutcome& steady, bool has_latency) {
    const bool is_sure = steady.status == SteadyStatus::kStable;
    return {{"status", name_of(steady.status)},
            {"warmup_cycles", steady.warmup},
            {"measured_cycles", steady.cycles},
            {"mean_latency", has_latency ? Json(steady.latency.mean) : Json()},
            {"half_width", is_sure ? Json(steady.latency.half_width) : Json()},
            {"offered_flits", steady.generated},
            {"delivered_flits", steady.delivered}};
}

// Kept out of reports of networks without faults, which are as they were.
void add_faults(const Machine& machine, Json& json) {
    const bool come_later = machine.later != nullptr;
    const Graph& graph = come_later ? machine.later->graph : machine.graph;
    const Routing& routing = come_later ? *machine.later->routing : *machine.routing;
    if (!graph.has_faults()) return;
    const FaultCost cost = measure_faults(machine.config, graph, routing);
    const auto hops = [](const RoutingMetrics& metrics) {
        return Json{{"mean", metrics.mean_hops}, {"max", metrics.max_hops}};
    };
    json["faults"] = {{"failed_links", dead_channels(graph)},
                      {"failed_nodes", dead_nodes(graph)},
                      {"route_hops", hops(cost.left)},
                      {"fault_free_routing", cost.fault_free_routing},
                      {"fault_free_route_hops", hops(cost.whole)},
                      {"longer_share", cost.longer()}};
    if (!graph.places().is_one_each()) {
        json["faults"]["failed_routers"] = Json::array();
        for (const RouterId router : dead_routers(graph)) {
            json["faults"]["failed_routers"].push_back(router.number());
        }
    }
    if (!come_later) return;
    json["faults"]["at"] = machine.later->at;
    json["faults"]["routing"] = routing.name();
}

Json losses_json(const LossCounts& losses) {
    return {{"faults_active", losses.has_failed},
            {"packets_lost", losses.packets_lost},
            {"flits_lost", losses.flits_lost},
            {"packets_discarded", losses.packets_discarded},
            {"packets_sent_again", losses.packets_repeated},
            {"duplicates_suppressed", losses.duplicates}};
}

/// The files that a configuration names, as this process has read them. Sources of routers, which
/// other programs read, as they are now. Without their folders, like traffic_name().
Json inputs_json(const Config& config) {
    Json inputs = Json::array();
    for (const std::string& file : input_files(config)) {
        std::optional<std::string> digest = input_digest(file);
        if (!digest) {
            if (const std::optional<std::string> text = file_text(file)) digest = digest_of(*text);
        }
        const std::string name = std::filesystem::path(file).filename().string();
        inputs.push_back({{"file", name}, {"digest", digest ? Json(*digest) : Json()}});
    }
    return inputs;
}

void add_dropped(Json& json, const Program& program) {
    if (program.dropped != 0) json["messages_dropped"] = program.dropped;
    if (program.dropped_dead != 0) json["messages_of_failed_nodes_dropped"] = program.dropped_dead;
}

/// Deliveries and their latencies.
void add_deliveries(const Machine& machine, const SimulationResult& result, Json& json) {
    json["messages_expected"] = result.messages_expected;
    json["messages_delivered"] = result.messages_delivered;
    json["bytes_delivered"] = result.bytes_delivered;
    json["flits_delivered"] = result.flits_delivered;
    json["flit_hops"] = result.flit_hops;
    if (result.losses) json["losses"] = losses_json(*result.losses);
    json["link_utilization"] = utilization_json(machine.graph, result);
    json["latency"] = latency_json(result.latency);
    json["head_latency"] = latency_json(result.head_latency);
    json["network_latency"] = latency_json(result.network_latency);
    if (!result.classes.empty()) json["classes"] = classes_json(machine, result);
    if (result.replies) {
        json["round_trip"] = latency_json(result.replies->round_trip);
        json["requests_delivered"] = result.replies->requests_delivered;
        json["replies_delivered"] = result.replies->replies_delivered;
    }
}

void add_program(const Machine& machine, const SimulationResult& result, Json& json) {
    json["lower_bounds"] = bounds_json(machine.bounds);
    if (machine.program->operations != nullptr) {
        json["trace"] = operations_json(machine, result);
    } else {
        json["steps"] = scheduled_steps(*machine.program);
    }
    add_dropped(json, *machine.program);
    if (machine.program->computation != nullptr) {
        json["computation"] = {{"computed", result.computed},
                               {"correct_results", result.correct_results}};
    }
}

/// The load of a pattern, and its measurements.
void add_loads(const Machine& machine, const SimulationResult& result, Json& json) {
    if (machine.pattern) {
        const double rate = machine.config.traffic.injection_rate;
        json["configured_flits_per_node_cycle"] = rate;
        // A load that was given in Gbit/s as it was given.
        json["configured_gbps_per_sending_node"] = rounded(LoadUnits(machine.config).gbps(rate));
    }
    if (result.measured) {
        add_measured_traffic(json, machine, result);
        json["measured_messages"] = result.latency.count();
        if (result.replies) json["measured_round_trips"] = result.replies->round_trip.count();
        if (result.steady) json["steady"] = steady_json(*result.steady, result.latency.count() > 0);
    } else if (machine.pattern) {  // the run ended in the warm-up
        json["offered_flits_per_node_cycle"] = nullptr;
        json["accepted_flits_per_node_cycle"] = nullptr;
        json["measured_messages"] = 0;
    }
}

Json router_json(const Machine& machine, double mean_hops) {
    Json router = {
        {"variant", hw::built_variant(machine.config, machine.graph, *machine.routing).name()}};
    if (const auto cost = router_cost(machine)) {
        std::vector<SynthesisResult> results;
        router["kinds"] = Json::array();
        for (const auto& [count, one] : cost->kinds) {
            results.push_back(one);
            router["kinds"].push_back({{"variant", one.variant.name()},
                                       {"count", count},
                                       {"ports", hw::used_ports(one.variant)},
                                       {"area_um2", one.area_um2},
                                       {"cells", one.cells},
                                       {"flip_flops", one.flip_flops},
                                       {"min_period_ns", one.min_period_ns},
                                       {"power_mw", one.power_mw},
                                       {"power_period_ns", one.power_period_ns}});
        }
        router["area_um2"] = cost->largest_um2;
        router["total_area_um2"] = cost->area_um2;
        router["total_cells"] = cost->cells;
        router["total_flip_flops"] = cost->flip_flops;
        router["total_power_mw"] = cost->power_mw;
        router["min_period_ns"] = cost->min_period_ns;
        router["library"] = results.front().library_name();
        router["conditions"] = conditions_text(results);
        if (const auto energy = static_energy(machine, mean_hops)) {
            router["energy"] = {{"idle_pj_per_cycle", energy->idle_pj},
                                {"flit_mean_pj", energy->flit_pj}};
        }
    }
    return router;
}

/// To the figures of the router, which they add to.
void add_link_registers(const Machine& machine, Json& json) {
    // Register slices are not those registers.
    if (machine.config.fabric.has_valid_ready_links()) return;
    const LinkRegisters links = link_registers(machine);
    json["link_registers"] = {{"flip_flops", links.flip_flops}};
    if (links.area_um2) {
        json["link_registers"]["area_um2"] = *links.area_um2;
        if (json["router"].contains("total_area_um2")) {
            json["fabric_area_um2"] =
                json["router"]["total_area_um2"].get<double>() + *links.area_um2;
        }
    }
}

/// Names, and where nodes are attached unless it is node n on router n.
void add_places(Json& json, const Graph& graph) {
    const bool is_one_each = graph.places().is_one_each();
    if (!graph.given_names().empty()) {
        json["names"] = graph.given_names();
        if (!is_one_each) json["node_names"] = graph.given_node_names();
    }
    if (is_one_each) return;
    const auto [least, most] = nodes_per_router(graph);
    json["nodes_per_router"] = {{"min", least}, {"max", most}};
    json["local_ports"] = graph.local_ports();
    json["at"] = Json::array();
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        json["at"].push_back(graph.router_of(node).number());
    }
}

Json wires_json(const Machine& machine, const WireFigures& wires) {
    const auto range = [](const WireFigures::Range& of) {
        return Json({{"min", of.least}, {"mean", of.mean}, {"max", of.most}});
    };
    return {{"pitch_mm", machine.config.fabric.link_delay.pitch_mm},
            {"row_pitch_mm", machine.config.fabric.link_delay.row_mm()},
            {"chip_mm", {wires.chip.width_mm, wires.chip.height_mm}},
            {"ns_per_mm", machine.config.fabric.link_delay.ns_per_mm},
            {"clock_ns", machine.config.clock_ns},
            {"total_mm", wires.total_mm},
            {"mm", range(wires.mm)},
            {"delay_ns", range(wires.ns)},
            {"delay_cycles", range(wires.cycles)}};
}

}  // namespace

std::string json_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Json run_json(const Machine& machine, const SimulationResult& result) {
    const Graph& graph = machine.graph;
    Json json;
    json["version"] = version();
    json["status"] = name_of(result.verdict);
    json["topology"] = graph.description();
    add_size(json, graph);
    json["links"] = graph.link_count();
    json["routing"] = machine.routing->name();
    add_faults(machine, json);
    json["switching"] = name_of(machine.config.fabric.switching);
    json["flit_bits"] = machine.config.fabric.flit_bits;
    json["schedule"] = machine.traffic_name();
    json["engine"] = result.engine;
    json["engine_reason"] = result.engine_reason;
    json["rtl_routers"] = result.rtl_routers;
    json["seed"] = machine.config.seed;
    if (Json inputs = inputs_json(machine.config); !inputs.empty()) json["inputs"] = inputs;
    json["cycles"] = result.cycles;
    json["simulated_cycles"] = result.simulated_cycles;
    json["clock_ns"] = machine.config.clock_ns;
    json["time_us"] = static_cast<double>(result.cycles) * machine.config.clock_ns / 1000;
    if (const auto cost = slower_router(machine)) {
        json["synthesized"] = {
            {"period_ns", cost->min_period_ns},
            {"time_us", static_cast<double>(result.cycles) * cost->min_period_ns / 1000}};
    }
    add_deliveries(machine, result, json);
    json["lower_bound_cycles"] = result.lower_bound_cycles;
    if (machine.program) add_program(machine, result, json);
    add_loads(machine, result, json);
    if (!result.sendings.empty()) json["energy"] = energy_json(machine, result);
    json["problems"] = result.problems;
    json["wall_seconds"] = result.wall_seconds;
    json["flit_hops_per_second"] =
        result.wall_seconds > 0 ? static_cast<double>(result.flit_hops) / result.wall_seconds : 0;
    return json;
}

Json topology_json(const Machine& machine) {
    const FabricConfig& fabric = machine.config.fabric;
    const TopologyMetrics m = measure_topology(machine.graph);
    const RoutingMetrics r = measure_routing(machine.graph, *machine.routing);
    Json json = {
        {"version", version()},
        {"topology", machine.graph.description()},
        {"nodes", m.nodes},
        {"routers", machine.graph.working_router_count()},
        {"channels", m.channels},
        {"links", m.links},
        {"degree", {{"min", m.degree_min}, {"max", m.degree_max}}},
        {"diameter", m.diameter},
        {"average_distance", m.average_distance},
        {"distance_sources", m.distance_sources},
        {"bisection", m.bisection},
        {"bisection_method", m.bisection_proof.empty() ? "cut" : "exact"},
        {"bisection_proof", m.bisection_proof},
        {"flit_bits", fabric.channel_bits()},
        {"pin_out", std::uint64_t{most_links_per_direction(machine.graph)} * fabric.channel_bits()},
        {"bisection_wires", m.bisection_links * fabric.channel_bits()},
        {"wire_length", m.wire_length},
        {"longest_wire", m.longest_wire},
        {"mcw", m.collective_width},
        {"layers", m.layers},
        {"contacts", m.contacts},
        {"routing", machine.routing->name()},
        {"virtual_channels", fabric.virtual_channels},
        {"deadlock_free", cycle_of_links(machine).empty()},
        {"route_hops", {{"mean", r.mean_hops}, {"max", r.max_hops}}},
        {"route_loss",
         {{"mean_extra_hops", r.mean_extra_hops},
          {"max_extra_hops", r.max_extra_hops},
          {"detour_share", r.detour_share}}},
        {"route_destinations", r.destinations},
        {"router", router_json(machine, r.mean_hops)}};
    if (m.switches != 0) json["switches"] = m.switches;
    if (machine.graph.planes() > 1) json["planes"] = machine.graph.planes();
    add_places(json, machine.graph);
    add_faults(machine, json);
    add_link_registers(machine, json);
    if (const auto wires = wire_figures(machine)) json["wires"] = wires_json(machine, *wires);
    return json;
}

Json schedule_json(const Machine& machine) {
    const Program& program = *machine.program;
    const MessageOrder order = step_order(program);
    Json steps = Json::array();
    for (const StepReport& step : step_reports(machine)) {
        Json transfers = Json::array();
        for (std::uint32_t i = 0; i < step.transfers; ++i) {
            const Transfer& t = program.transfers[order[step.first + i]];
            transfers.push_back({t.source, t.destination});
        }
        steps.push_back({{"step", step.step + 1},
                         {"max_link_contention", step.max_link_contention},
                         {"busiest_link", step.busiest_link == kNoLink
                                              ? Json()
                                              : Json(machine.graph.link_name(step.busiest_link))},
                         {"max_sends", step.max_sends},
                         {"max_receives", step.max_receives},
                         {"flits", step.flits},
                         {"transfers", std::move(transfers)}});
    }
    Json json;
    json["version"] = version();
    json["schedule"] = machine.traffic_name();
    json["topology"] = machine.graph.description();
    add_size(json, machine.graph);
    json["messages"] = program.transfers.size();
    add_dropped(json, program);
    json["complete_exchange"] = check_complete_exchange(program).complete();
    json["lower_bound_cycles"] = machine.bounds.max();
    json["lower_bounds"] = bounds_json(machine.bounds);
    json["steps"] = std::move(steps);
    return json;
}

}  // namespace flitscope
