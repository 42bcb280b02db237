// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>

#include "hw/verilated/rtl_variant.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/cosim.h"
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

const char* outcome(const CosimResult& result) {
    if (result.difference) return "different";
    return result.interrupted() ? "interrupted" : "equal";
}

}  // namespace

Json cosim_json(const Machine& machine, const CosimResult& result) {
    Json json;
    json["version"] = version();
    json["outcome"] = outcome(result);
    json["status"] = result.difference ? Json() : Json(name_of(result.systemc.verdict));
    json["topology"] = machine.graph.description();
    add_size(json, machine.graph);
    json["schedule"] = machine.traffic_name();
    json["seed"] = machine.config.seed;
    json["rtl_routers"] = result.rtl_routers;
    json["rtl_variant"] = hw::rtl_variant(machine.config, machine.graph, *machine.routing).name();
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
