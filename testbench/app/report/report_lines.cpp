// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/report_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

#include "hw/verilated/built_routers.h"
#include "hw/verilated/rtl_limitations.h"
#include "hw/verilated/rtl_routers.h"
#include "hw/verilated/rtl_variant.h"
#include "models/base/printable.h"
#include "models/base/rounded.h"
#include "models/config/config.h"
#include "models/fabric/faulted_network.h"
#include "models/fabric/switching.h"
#include "models/performance/channels.h"
#include "models/performance/fault_cost.h"
#include "models/performance/wire_budget.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/gate_synthesis/router_of.h"
#include "testbench/app/gate_synthesis/synthesis_cache.h"
#include "testbench/app/report/report_check.h"
#include "traffic/patterns/load_units.h"
#include "traffic/program/operations.h"

namespace flitscope {

std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3) {
        digits.insert(static_cast<std::size_t>(i), ",");
    }
    return digits;
}

std::string percent(double share) { return fmt::format("{:.6g} %", 100 * share); }

std::string number_text(double number) {
    constexpr double kLong = 1000;
    if (number < kLong) return fmt::format("{:.4g}", number);
    return grouped(static_cast<std::uint64_t>(std::llround(number)));
}

std::string duration_text(double seconds) {
    const auto s = static_cast<long>(seconds + 0.5);
    if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::optional<RoutersCost> router_cost(const Machine& machine) {
    try {
        if (hw::synthesis_refusal(machine.config, machine.graph, *machine.routing)) {
            return std::nullopt;
        }
        const Graph& graph = machine.graph;
        const auto variant = hw::built_variant(machine.config, graph, *machine.routing);
        // Which turns a large network takes is long to find out, and every run asks.
        if (!SynthesisCache::has_entries_of(variant)) return std::nullopt;
        return cached_cost(hw::built_routers(machine.config, graph, *machine.routing),
                           machine.config.technology);
    } catch (const ConfigError&) {
        return std::nullopt;  // no sources, so no figures; nothing that a topology depends on
    }
}

LinkRegisters link_registers(const Machine& machine) {
    const FabricLinks links = fabric_links(machine.config.fabric, machine.graph.whole());
    LinkRegisters registers;
    for (const auto& [kind, count] : links.counts) {
        registers.flip_flops += count * links.variant(kind).flip_flops();
    }
    try {
        registers.area_um2 = links.total_um2([&](const LinkVariant& variant) {
            return cached_link(variant, machine.config.technology);
        });
    } catch (const ConfigError&) {
        // no sources, so no figures
    }
    return registers;
}

std::optional<WireFigures> wire_figures(const Machine& machine) {
    const LinkDelayConfig& wires = machine.config.fabric.link_delay;
    const Graph& graph = machine.graph;
    if (!wires.is_physical() || graph.link_count() == 0) return std::nullopt;
    const auto range = [&](const auto& of_link) {
        WireFigures::Range all{of_link(graph.link(0)), 0, of_link(graph.link(0))};
        for (const Link& link : graph.links()) {
            const double value = of_link(link);
            all.least = std::min(all.least, value);
            all.most = std::max(all.most, value);
            all.mean += value;
        }
        all.mean /= static_cast<double>(graph.link_count());
        return all;
    };
    WireFigures figures;
    figures.mm = range([&](const Link& link) { return link.mm; });
    figures.ns = range([&](const Link& link) { return wires.ns(link.mm); });
    figures.cycles = range([](const Link& link) { return static_cast<double>(link.delay); });
    for (const LinkId id : channel_links(graph)) figures.total_mm += graph.link(id).mm;
    figures.chip = chip_size(graph, wires);
    return figures;
}

std::optional<RoutersCost> slower_router(const Machine& machine) {
    constexpr double kRounding = 0.001;  // a clock has whole picoseconds
    auto cost = router_cost(machine);
    if (cost && cost->min_period_ns <= machine.config.clock_ns + kRounding) return std::nullopt;
    return cost;
}

std::string short_clock_text(const Machine& machine, const RoutersCost& routers) {
    return fmt::format("{} ns is too short for the router, which needs {:.2f} ns",
                       machine.config.clock_ns, routers.min_period_ns);
}

std::string time_text(Cycle cycles, double clock_ns) {
    const double us = static_cast<double>(cycles) * clock_ns / 1000;
    return us < 0.01 ? fmt::format("{:.3g} us", us) : fmt::format("{:.3f} us", us);
}

std::string csv_text(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

std::string given_name_text(const Graph& graph, ChannelId channel) {
    if (graph.given_names().empty()) return {};
    const ChannelMap channels(graph);
    const LinkId link =
        channels.is_link(channel) ? channels.link_of(channel) : channels.link_of_endpoint(channel);
    return fmt::format(" ({})",
                       excerpt(link == kNoLink ? graph.given_node_names()[channels.node(channel)]
                                               : graph.given_link_name(link)));
}

std::string rate_text(double rate) {
    constexpr double kLow = 0.001;
    return rate == 0 || rate >= kLow ? fmt::format("{:.4f}", rate) : fmt::format("{:.3g}", rate);
}

std::string planes_text(const Graph& graph) {
    return graph.planes() == 1 ? "" : fmt::format("{} planes, each: ", graph.planes());
}

std::string size_text(const Graph& graph) {
    const auto counted = [](std::uint32_t count, const char* what, const char* plural) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : plural);
    };
    const NodeId nodes = graph.working_node_count();
    const std::uint32_t switches = graph.working_switches();
    const std::uint32_t with_nodes = graph.working_router_count() - switches;
    std::string text = fmt::format("{} nodes", nodes);
    if (with_nodes != nodes) text += " on " + counted(with_nodes, "router", "s");
    if (switches != 0) text += " and " + counted(switches, "switch", "es");
    return text;
}

std::pair<std::uint32_t, std::uint32_t> nodes_per_router(const Graph& graph) {
    std::pair<std::uint32_t, std::uint32_t> range{graph.node_count(), 0};
    for (RouterId router; router < graph.router_count(); ++router) {
        const std::uint32_t nodes = graph.nodes_at(router).size();
        range = {std::min(range.first, nodes), std::max(range.second, nodes)};
    }
    return range;
}

void print_line(std::ostream& out, const std::string& name, const std::string& text) {
    out << fmt::format("  {:<18}{}\n", name, text);
}

/// The load of a pattern in bits, if its clock is known.
std::string payload_text(const Config& config) {
    if (config.clock_is_synthesized) return {};
    return fmt::format(" ({} of payload)",
                       gbps_text(LoadUnits(config), config.traffic.injection_rate));
}

std::string lengths_text(const TrafficConfig& traffic) {
    if (traffic.message_lengths.empty())
        return fmt::format("{} bytes", grouped(traffic.message_bytes));
    std::uint64_t all = 0;
    for (const auto& [bytes, weight] : traffic.message_lengths) all += weight;
    std::vector<std::string> lengths;
    for (const auto& [bytes, weight] : traffic.message_lengths) {
        lengths.push_back(fmt::format("{} bytes ({} of {})", grouped(bytes), weight, all));
    }
    return fmt::format("{}", fmt::join(lengths, " or "));
}

std::string gbps_text(const LoadUnits& units, double rate) {
    return fmt::format("{:.4g} Gbit/s", units.gbps(rate));
}

std::string replies_text(const TrafficConfig& traffic) {
    if (!traffic.reply_bytes) return {};
    const std::string after = traffic.reply_delay == 0
                                  ? ""
                                  : fmt::format(" after {} cycles", grouped(traffic.reply_delay));
    const std::string limit =
        traffic.outstanding == 0
            ? ""
            : fmt::format(", up to {} outstanding per node", grouped(traffic.outstanding));
    return fmt::format(", replies of {} bytes{}{}", grouped(*traffic.reply_bytes), after, limit);
}

std::string arrivals_text(const TrafficConfig& traffic) {
    switch (traffic.arrivals) {
        case ArrivalKind::kBernoulli:
            break;
        case ArrivalKind::kPeriodic:
            return ", periodic";
        case ArrivalKind::kBursty:
            return fmt::format(", in bursts of {} cycles at {} flits/cycle", traffic.burst_cycles,
                               traffic.burst_rate);
    }
    return {};
}

std::string dropped_text(const Program& program) {
    std::string text;
    if (program.dropped != 0) {
        text += fmt::format(", {} of nodes to themselves dropped", grouped(program.dropped));
    }
    if (program.dropped_dead != 0) {
        text += fmt::format(", {} of failed nodes dropped", grouped(program.dropped_dead));
    }
    return text;
}

namespace {

/// The delays that the links have, and the rule if it is not a constant.
std::string wire_delay_text(const Config& config, const Graph& graph) {
    const LinkDelayConfig& wires = config.fabric.link_delay;
    const auto& links = graph.links();
    std::string delays = std::to_string(wires.cycles);
    if (!links.empty()) {
        const auto [least, most] =
            std::minmax_element(links.begin(), links.end(),
                                [](const Link& a, const Link& b) { return a.delay < b.delay; });
        delays = std::to_string(least->delay);
        if (least->delay != most->delay) delays += fmt::format(" to {}", most->delay);
    }
    switch (wires.model) {
        case LinkDelayModel::kConstant:
            return delays;
        case LinkDelayModel::kLinear:
            return fmt::format("{} = ceil(length/{})", delays, wires.reach);
        case LinkDelayModel::kPhysical:
            return fmt::format(
                "{} = ceil({} x {} ns/mm / {} ns)", delays,
                wires.has_square_tiles() ? fmt::format("length x {:.4g} mm", wires.pitch_mm) : "mm",
                wires.ns_per_mm, config.clock_ns);
    }
    return {};
}

std::string counted(std::uint64_t count, const char* what) {
    return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

/// Describes the size of a trace.
std::string operations_text(const Machine& machine) {
    const Operations& operations = *machine.program->operations;
    return fmt::format("{}: {}, {}, {}", machine.traffic_name(),
                       counted(operations.ranks(), "rank"), counted(operations.size(), "operation"),
                       counted(machine.program->transfers.size(), "message"));
}

}  // namespace

std::string slow_links_text(const Graph& graph) {
    std::map<std::uint32_t, std::uint64_t> slow;
    for (const Link& link : graph.links()) {
        if (link.rate_cycles > 1) ++slow[link.rate_cycles];
    }
    std::vector<std::string> phrases;
    for (const auto& [cycles, links] : slow) {
        phrases.push_back(fmt::format("{} of rate 1/{}", counted(links, "link"), cycles));
    }
    return fmt::format("{}", fmt::join(phrases, " and "));
}

namespace {

std::vector<std::string> router_phrases(const Machine& machine) {
    const FabricConfig& f = machine.config.fabric;
    const std::string link_delay = "link delay " + wire_delay_text(machine.config, machine.graph);
    std::vector<std::string> phrases{machine.routing->name() + " routing"};
    if (f.switches_circuits()) {
        phrases.push_back(fmt::format("flits of {} bits", f.flit_bits));
        phrases.push_back(link_delay);
        phrases.push_back(switching_text(f));
        return phrases;
    }
    std::string channels = counted(f.virtual_channels, "virtual channel");
    if (f.has_classes()) {
        channels +=
            fmt::format(", {} for each of {} classes", f.channels_per_class(), f.class_count());
    }
    if (f.holds_switch()) channels += " that hold the switch";
    phrases.push_back(channels);
    phrases.push_back(fmt::format("{} flits of {} bits each", f.buffer_depth, f.flit_bits));
    if (f.header_bits != 0)
        phrases.push_back(fmt::format("{} bits of headers beside them", f.header_bits));
    phrases.push_back(fmt::format("router delay {}", f.router_delay));
    phrases.push_back(link_delay);
    if (std::string slow = slow_links_text(machine.graph); !slow.empty()) {
        phrases.push_back(std::move(slow));
    }
    if (f.has_valid_ready_links()) phrases.emplace_back("links with valid and ready");
    if (f.input_speedup > 1) phrases.push_back(fmt::format("input speedup {}", f.input_speedup));
    if (f.has_output_queues()) {
        phrases.push_back(fmt::format("output speedup {} into queues of {} flits", f.output_speedup,
                                      f.output_queue));
    }
    if (f.combines_allocation()) phrases.emplace_back("combined allocation");
    if (f.has_packet_flow_control()) phrases.push_back(switching_text(f));
    return phrases;
}

/// What a user's own routers are given, after their name.
std::string router_parameters_text(const FabricConfig& fabric) {
    std::string text;
    for (const auto& [name, value] : fabric.router_parameters) {
        text += fmt::format(", {} = {}", name, value);
    }
    for (const auto& [name, place] : fabric.router_places) {
        text += fmt::format(", {} = {} of each", name, name_of(place));
    }
    return text;
}

}  // namespace

void print_faults(std::ostream& out, const Machine& machine) {
    if (machine.graph.has_faults()) {
        const FaultCost cost = measure_faults(machine.config, machine.graph, *machine.routing);
        print_line(out, "faults", fault_cost_text(cost, *machine.routing));
    }
    if (machine.later == nullptr) return;
    const FaultedNetwork& later = *machine.later;
    const FaultCost cost = measure_faults(machine.config, later.graph, *later.routing);
    print_line(
        out, "faults",
        fmt::format("from cycle {} on: {}", later.at, fault_cost_text(cost, *later.routing)));
}

void print_network(std::ostream& out, const Machine& machine) {
    print_line(out, "topology",
               fmt::format("{}{}, {}, {} directed links", planes_text(machine.graph),
                           machine.graph.description(), size_text(machine.graph),
                           machine.graph.link_count()));
    print_faults(out, machine);
    print_line(out, "router", fmt::format("{}", fmt::join(router_phrases(machine), ", ")));
    if (const std::string budget = wire_budget_text(machine.config, machine.graph);
        !budget.empty()) {
        print_line(out, "wires", budget);
    }
    if (const std::uint32_t rtl = hw::rtl_router_count(machine.config, machine.graph); rtl != 0) {
        print_line(
            out, "",
            fmt::format("{} of {} routers RTL: {}{}", rtl, machine.graph.router_count(),
                        hw::rtl_variant(machine.config, machine.graph, *machine.routing).name(),
                        router_parameters_text(machine.config.fabric)));
    }
}

StepId scheduled_steps(const Program& program) {
    const StepId count = program.step_count();
    return count == 0 ? 0 : program.schedule_step(count - 1) + 1;
}

std::string order_text(const Program& program) {
    const StepId steps = scheduled_steps(program);
    return is_timetable(program)
               ? fmt::format("by the clock, up to cycle {}", grouped(last_begin(program)))
               : fmt::format("in {} step{}", steps, steps == 1 ? "" : "s");
}

void print_machine(std::ostream& out, const Machine& machine) {
    print_network(out, machine);
    if (machine.program && machine.program->operations != nullptr) {
        print_line(out, "traffic", operations_text(machine));
        for (const std::string& note : machine.program->notes) print_line(out, "note", note);
    } else if (machine.program) {
        const std::vector<bool>& handshakes = machine.program->handshakes;
        const bool with_handshakes =
            std::find(handshakes.begin(), handshakes.end(), true) != handshakes.end();
        print_line(
            out, "traffic",
            fmt::format("{}: {} messages {}{}{}", machine.traffic_name(),
                        grouped(machine.program->transfers.size()), order_text(*machine.program),
                        with_handshakes ? ", handshakes among them" : "",
                        dropped_text(*machine.program)));
    } else if (machine.pattern) {
        const TrafficConfig& t = machine.config.traffic;
        const std::string measurement =
            machine.config.steady
                ? fmt::format("until the mean latency is known within +-{}",
                              percent(machine.config.steady->half_width))
                : fmt::format("{} cycles warm-up, {} measured", grouped(t.warmup_cycles),
                              grouped(t.measure_cycles));
        print_line(out, "traffic",
                   fmt::format("{}: {} flits/node/cycle{} in messages of {}{}{}, {}",
                               machine.traffic_name(), rounded(t.injection_rate),
                               payload_text(machine.config), lengths_text(t), replies_text(t),
                               arrivals_text(t), measurement));
    }
}

}  // namespace flitscope
