// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "hw/verilated/built_routers.h"
#include "hw/verilated/rtl_limitations.h"
#include "models/base/printable.h"
#include "models/config/link_delay_config.h"
#include "models/fabric/faulted_network.h"
#include "models/performance/channels.h"
#include "models/performance/topology_metrics.h"
#include "models/performance/wire_budget.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/gate_synthesis/synthesis.h"
#include "testbench/app/gate_synthesis/synthesis_report.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"

namespace flitscope {
namespace {

/// Text to add if figures of `all` nodes come from a sample.
std::string sample_text(NodeId sample, std::uint64_t all, const char* way) {
    if (sample == all) return "";
    return fmt::format(" (estimated: {} {} nodes)", way, sample);
}

std::string deadlock_text(const Machine& machine) {
    if (cycle_of_links(machine).empty()) return "";
    return machine.dependency_cycle.empty()
               ? fmt::format(" (CAN DEADLOCK from cycle {} on)", machine.later->at)
               : " (CAN DEADLOCK)";
}

void print_routing(std::ostream& out, const Machine& machine, std::uint64_t nodes) {
    print_faults(out, machine);
    const RoutingMetrics r = measure_routing(machine.graph, *machine.routing);
    const PathChoice choice = machine.routing->path_choice();
    const char* const which = choice == PathChoice::kPerPacket  ? ", by a packet of each pair"
                              : choice == PathChoice::kByQueues ? ", while queues are empty"
                                                                : "";
    print_line(out, "routing",
               fmt::format("{}{}: at most {} hops, {:.3f} on average{}{}", machine.routing->name(),
                           deadlock_text(machine), r.max_hops, r.mean_hops, which,
                           sample_text(r.destinations, nodes, "to")));
    print_line(out, "",
               r.max_extra_hops == 0
                   ? "every path is a shortest one"
                   : fmt::format("{:.1f} % of the paths are longer than the shortest, by at most "
                                 "{} hops; {:.3f} on average over all",
                                 100 * r.detour_share, r.max_extra_hops, r.mean_extra_hops));
}

/// Lengths in mm and delays, if the configuration gives the node pitch.
void print_wires(std::ostream& out, const Machine& machine) {
    const auto wires = wire_figures(machine);
    if (!wires) return;
    const LinkDelayConfig& model = machine.config.fabric.link_delay;
    print_line(
        out, "",
        fmt::format("{:.6g} mm in all, {:.4g} to {:.4g} mm, {:.4g} on average; {}", wires->total_mm,
                    wires->mm.least, wires->mm.most, wires->mm.mean,
                    model.has_square_tiles() ? fmt::format("{:.4g} mm a node pitch", model.pitch_mm)
                                             : fmt::format("tiles of {:.4g} x {:.4g} mm",
                                                           model.pitch_mm, model.row_mm())));
    print_line(out, "chip",
               fmt::format("{:.4g} x {:.4g} mm, {:.4g} mm2", wires->chip.width_mm,
                           wires->chip.height_mm, wires->chip.mm2()));
    print_line(out, "wire delay",
               fmt::format("{:.3g} to {:.3g} ns, {:.3g} on average, at {} ns/mm", wires->ns.least,
                           wires->ns.most, wires->ns.mean, model.ns_per_mm));
    print_line(out, "",
               fmt::format("{} to {} cycles of {} ns, {:.3g} on average", wires->cycles.least,
                           wires->cycles.most, machine.config.clock_ns, wires->cycles.mean));
}

/// The costs of the routers and the registers of links, as far as they have been synthesized.
void print_router_cost(std::ostream& out, const Machine& machine) {
    if (const auto refusal =
            hw::synthesis_refusal(machine.config, machine.graph, *machine.routing)) {
        print_line(out, "router", "no figures: " + refusal->reason);
        return;
    }
    const std::string variant =
        hw::built_variant(machine.config, machine.graph, *machine.routing).name();
    const auto cost = router_cost(machine);
    if (!cost) {
        print_line(out, "router", variant + ", not synthesized yet (flitscope synth does)");
        return;
    }
    print_line(out, "router", fmt::format("{}: {:.2f} ns", variant, cost->min_period_ns));
    print_line(out, "as built", kinds_text(*cost));
    const double routers = cost->area_um2 / kUm2PerMm2;
    print_line(out, "all routers",
               fmt::format("{:.2f} mm2, {} cells{}", routers, grouped(cost->cells),
                           machine.graph.has_faults() ? ", with dead ones, as below" : ""));
    const LinkRegisters links = link_registers(machine);
    const std::string registers = grouped(links.flip_flops) + " flip-flops";
    if (links.area_um2) {
        const double of_links = *links.area_um2 / kUm2PerMm2;
        print_line(out, "all links", fmt::format("{:.2f} mm2, {}", of_links, registers));
        print_line(out, "fabric", fmt::format("{:.2f} mm2", routers + of_links));
    } else {
        print_line(out, "all links", registers + ", not synthesized yet (flitscope synth does)");
    }
    std::vector<SynthesisResult> results;
    for (const RoutersCost::Kind& kind : cost->kinds) results.push_back(kind.one);
    print_line(out, "", conditions_text(results));
}

std::string channels_text(const Graph& graph, const TopologyMetrics& m) {
    const auto parallel = std::count_if(graph.links().begin(), graph.links().end(),
                                        [](const Link& link) { return link.rank > 0; });
    return fmt::format("{} ({} directed links{})", grouped(m.channels), grouped(m.links),
                       parallel == 0 ? ""
                                     : fmt::format(", {} of them parallel to others",
                                                   grouped(static_cast<std::uint64_t>(parallel))));
}

/// Numbers and names of the first routers, or nodes, of a graph whose file names them.
std::string given_names_text(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", i, excerpt(names[i]));
    }
    if (names.size() > kShown) text += fmt::format(", ... ({} in all: --json)", names.size());
    return text;
}

/// "2 x 2 nodes" per router of a grid, "4 nodes", "0 to 4 nodes".
std::string concentration_text(const Graph& graph) {
    const auto [least, most] = nodes_per_router(graph);
    if (least != most) return fmt::format("{} to {} nodes", least, most);
    const std::size_t dims = graph.node_dims().size();
    const bool has_blocks = graph.wiring() && !graph.wiring()->has_port_per_address_bit() &&
                            dims > 1 && dims == graph.dims().size();
    if (!has_blocks) return fmt::format("{} node{}", most, most == 1 ? "" : "s");
    std::vector<std::uint32_t> block;
    for (std::size_t dim = 0; dim < dims; ++dim) {
        block.push_back(graph.node_dims()[dim] / graph.dims()[dim]);
    }
    return fmt::format("{} nodes", fmt::join(block, " x "));
}

/// Ports and nodes of routers that have others than the node of their number.
void print_places(std::ostream& out, const Graph& graph) {
    constexpr std::uint32_t kShown = 4;
    const PortId first = graph.local_ports();
    print_line(out, "routers", grouped(graph.working_router_count()));
    print_line(out, "concentration", concentration_text(graph) + " per router");
    const auto ports = [](PortId begin, PortId end) {
        return end - begin == 1 ? fmt::format("{}", begin)
                                : fmt::format("{} to {}", begin, end - 1);
    };
    print_line(out, "ports",
               ports(0, first) + " to nodes" +
                   (first == graph.port_count()
                        ? ""
                        : fmt::format(", {} to links", ports(first, graph.port_count()))));
    std::string text;
    for (RouterId router; router < std::min(kShown, graph.router_count()); ++router) {
        const NodesOfRouter nodes = graph.nodes_at(router);
        text += fmt::format("{}router {}: {}", text.empty() ? "" : "; ", router,
                            nodes.empty() ? "none" : fmt::format("{}", fmt::join(nodes, " ")));
    }
    if (graph.router_count() > kShown) text += "; ... (all of them: --json)";
    print_line(out, "nodes of routers", text);
}

}  // namespace

void print_topology(std::ostream& out, const Machine& machine) {
    const TopologyMetrics m = measure_topology(machine.graph);
    const std::uint32_t bits = machine.config.fabric.channel_bits();
    const std::uint32_t pins = most_links_per_direction(machine.graph);
    out << fmt::format("{}\n", machine.graph.description());
    print_line(out, "nodes", grouped(m.nodes));
    const bool is_one_each = machine.graph.places().is_one_each();
    if (!is_one_each) print_places(out, machine.graph);
    const std::vector<std::string>& names = machine.graph.given_names();
    if (m.switches != 0) {
        const std::string from = names.empty() || !is_one_each
                                     ? ""
                                     : fmt::format(", numbers {} on", machine.graph.node_count());
        print_line(out, "switches", grouped(m.switches) + from);
    }
    if (!names.empty()) {
        print_line(out, "names", given_names_text(names));
        if (!is_one_each) {
            print_line(out, "names of nodes", given_names_text(machine.graph.given_node_names()));
        }
    }
    if (machine.graph.planes() > 1) {
        print_line(out, "planes",
                   fmt::format("{} side by side; figures of each, and areas of all",
                               machine.graph.planes()));
    }
    print_line(out, "channels", channels_text(machine.graph, m));
    if (const std::string slow = slow_links_text(machine.graph); !slow.empty()) {
        print_line(out, "", slow);
    }
    print_line(out, "degree",
               m.degree_min == m.degree_max ? std::to_string(m.degree_min)
                                            : fmt::format("{} to {}", m.degree_min, m.degree_max));
    print_line(out, "diameter",
               fmt::format("{} hops, {:.3f} on average{}", m.diameter, m.average_distance,
                           sample_text(m.distance_sources, m.nodes, "from")));
    print_line(
        out, "bisection",
        m.bisection_proof.empty()
            ? fmt::format("at most {} channels (cut of the canonical halves)", grouped(m.bisection))
            : fmt::format("{} channels (exact: {})", grouped(m.bisection), m.bisection_proof));
    print_line(out, "pin-out",
               fmt::format("{} wires per direction ({} link{} of {} bits)",
                           grouped(std::uint64_t{pins} * bits), pins, pins == 1 ? "" : "s", bits));
    if (const std::string budget = wire_budget_text(machine.config, machine.graph);
        !budget.empty()) {
        print_line(out, "", budget);
    }
    print_line(out, "wire",
               fmt::format("{} node pitches in all, the longest {}", grouped(m.wire_length),
                           m.longest_wire));
    print_wires(out, machine);
    print_line(out, "layout",
               fmt::format("maximum collective width {} per line, {}", grouped(m.collective_width),
                           m.layers == 1 ? "one layer"
                                         : fmt::format("{} layers with {} contacts", m.layers,
                                                       grouped(m.contacts))));
    print_routing(out, machine, m.nodes);
    print_router_cost(out, machine);
}

}  // namespace flitscope
