// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "hw/verilated/rtl_variant.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/cosim.h"
#include "testbench/app/compare/delivery.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"
#include "testbench/app/run/simulation_instance.h"

namespace flitscope {
namespace {

std::string place(const Machine& machine, const Difference& d) {
    const std::string name = channel_name(machine.graph, d.channel);
    if (machine.config.fabric.virtual_channels == 1) return name;
    return fmt::format("{} virtual channel {}", name, d.vc);
}

template <class Result>
const char* outcome(const Result& result) {
    if (result.interrupted()) return "interrupted";
    return result.equal() ? "equal" : "different";
}

/// The fields of every comparison of routers.
Json comparison_json(const Machine& machine, const char* outcome, Json status,
                     std::uint32_t rtl_routers) {
    Json json;
    json["version"] = version();
    json["outcome"] = outcome;
    json["status"] = std::move(status);
    json["topology"] = machine.graph.description();
    add_size(json, machine.graph);
    json["schedule"] = machine.traffic_name();
    json["seed"] = machine.config.seed;
    json["rtl_routers"] = rtl_routers;
    json["rtl_variant"] = hw::rtl_variant(machine.config, machine.graph, *machine.routing).name();
    return json;
}

Json side_json(const SimulationResult& side) {
    return {{"status", name_of(side.verdict)},
            {"cycles", side.cycles},
            {"latency", latency_json(side.latency)},
            {"network_latency", latency_json(side.network_latency)}};
}

void print_side(std::ostream& out, const char* name, const SimulationResult& side) {
    if (side.verdict != Verdict::kComplete) {
        print_line(out, name, name_of(side.verdict));
        return;
    }
    print_line(
        out, name,
        fmt::format("makespan {} cycles, latency of a message {:.1f} in the mean, {} at most",
                    grouped(side.cycles), side.latency.mean(), grouped(side.latency.max())));
}

}  // namespace

Json delivery_json(const Machine& machine, const DeliveryResult& result) {
    Json json = comparison_json(machine, outcome(result), name_of(result.decisive().verdict),
                                result.rtl.rtl_routers);
    json["packets"] = result.packets;
    json["flits"] = result.flits;
    json["order_compared"] = result.is_ordered;
    json["differences"] = result.differences;
    json["systemc"] = side_json(result.systemc);
    json["rtl"] = side_json(result.rtl);
    json["wall_seconds"] = result.wall_seconds;
    return json;
}

void print_delivery(std::ostream& out, const Machine& machine, const DeliveryResult& result) {
    out << fmt::format("{}: {} deliveries\n", machine.traffic_name(), outcome(result));
    print_machine(out, machine);
    print_line(out, "compared",
               fmt::format("{} packets of {} flits, flits of every link, credits{}",
                           grouped(result.packets), grouped(result.flits),
                           result.is_ordered ? ", order of the packets between two nodes" : ""));
    for (const std::string& text : result.differences) print_line(out, "difference", text);
    print_side(out, "SystemC routers", result.systemc);
    print_side(out, "RTL routers", result.rtl);
    print_line(out, "simulated in", fmt::format("{:.3f} s", result.wall_seconds));
}

Json cosim_json(const Machine& machine, const CosimResult& result) {
    Json json = comparison_json(machine, outcome(result),
                                result.difference ? Json() : Json(name_of(result.systemc.verdict)),
                                result.rtl_routers);
    json["cycles"] = result.cycles;
    json["router_cycles"] = result.router_cycles;
    json["flits"] = result.flits;
    json["credits"] = result.credits;
    json["packets"] = result.packets;
    if (result.difference) {
        const Difference& d = *result.difference;
        json["difference"] = {{"cycle", d.cycle},
                              {"channel", channel_name(machine.graph, d.channel)},
                              {"virtual_channel", d.vc},
                              {"systemc", d.systemc},
                              {"rtl", d.rtl},
                              {"window", d.window}};
    }
    json["wall_seconds"] = result.wall_seconds;
    return json;
}

void print_cosim(std::ostream& out, const Machine& machine, const CosimResult& result) {
    out << fmt::format("{}: {}\n", machine.traffic_name(), outcome(result));
    print_machine(out, machine);
    print_line(out, "compared",
               fmt::format("{} cycles, {} cycles of RTL routers", grouped(result.cycles),
                           grouped(result.router_cycles)));
    print_line(
        out, "",
        fmt::format("{} flits (valid, virtual channel, head, tail, word), {} credits, {} "
                    "packets",
                    grouped(result.flits), grouped(result.credits), grouped(result.packets)));
    if (!result.difference && result.systemc.verdict != Verdict::kComplete) {
        print_line(out, "the run itself",
                   fmt::format("{}, on both sides", name_of(result.systemc.verdict)));
    }
    if (result.difference) {
        const Difference& d = *result.difference;
        print_line(out, "first difference",
                   fmt::format("cycle {}, {}", d.cycle, place(machine, d)));
        print_line(out, "  SystemC", d.systemc);
        print_line(out, "  RTL", d.rtl);
        for (std::size_t i = 0; i < d.window.size(); ++i) {
            print_line(out, i == 0 ? "  before, both" : "", d.window[i]);
        }
        if (d.window.empty()) {
            print_line(out, "  before", "the channel was idle on both sides");
        }
    }
    print_line(out, "simulated in", fmt::format("{:.3f} s", result.wall_seconds));
}

}  // namespace flitscope
