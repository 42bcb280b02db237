// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of reports for people: a name, then what there is to say.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>

#include "models/performance/topology_metrics.h"
#include "models/topology/families/floorplan.h"
#include "testbench/app/gate_synthesis/routers_cost.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {

class Graph;
class LoadUnits;
struct Machine;

/// "1,234,567".
std::string grouped(std::uint64_t value);
/// "95 %" of 0.95.
std::string percent(double share);

/// A number in four digits, or whole if it is long.
std::string number_text(double number);

/// "1:05" minutes, "2:00:00" hours.
std::string duration_text(double seconds);
/// So many cycles of `clock_ns` in us, with at least three digits.
std::string time_text(Cycle cycles, double clock_ns);
/// A cell of a CSV file, in quotes if it needs them.
std::string csv_text(const std::string& text);
void print_line(std::ostream& out, const std::string& name, const std::string& text);
/// A load in flits per cycle and node. Three digits distinguish low ones, unlike four places.
std::string rate_text(double rate);
/// "2 planes, each: "; empty for one.
std::string planes_text(const Graph& graph);
/// "64 nodes", "64 nodes on 16 routers", "64 nodes and 3 switches": those that are alive.
std::string size_text(const Graph& graph);
/// "48 links of rate 1/2", with several rates "8 links of rate 1/2 and 4 links of rate 1/4"; empty
/// if no link is slow.
std::string slow_links_text(const Graph& graph);
/// The least and the most nodes that a router has, working or not.
std::pair<std::uint32_t, std::uint32_t> nodes_per_router(const Graph& graph);
/// " (cpu0-hub)" for a link, " (cpu0)" for the channel of a node, by the names in the file of a
/// graph; empty if it has none.
std::string given_name_text(const Graph& graph, ChannelId channel);
/// The cost of the machine's routers as they are built, dead ones included, if all of them have
/// been synthesized under the usual conditions.
std::optional<RoutersCost> router_cost(const Machine& machine);
/// Like router_cost(), but only if the longest path of a router takes longer than the clock of the
/// configuration.
std::optional<RoutersCost> slower_router(const Machine& machine);
/// Text that says that the slowest of `routers`, a slower_router(), is too slow for the clock.
std::string short_clock_text(const Machine& machine, const RoutersCost& routers);

/// The registers of the links of a machine and, if they were synthesized, their area in um2.
struct LinkRegisters {
    std::uint64_t flip_flops = 0;
    std::optional<double> area_um2;
};
LinkRegisters link_registers(const Machine& machine);

/// Figures of physical wires.
struct WireFigures {
    struct Range {
        double least = 0;
        double mean = 0;  ///< over directed links
        double most = 0;
    };
    Range mm;
    Range ns;
    Range cycles;
    double total_mm = 0;  ///< length of all channels, both directions counted once
    ChipSize chip;
};
/// Nothing if wires are not physical, or there are none.
std::optional<WireFigures> wire_figures(const Machine& machine);
/// "64 bytes", or "64 bytes (4 of 5) or 1,024 bytes (1 of 5)": how long the messages of a pattern
/// are.
std::string lengths_text(const TrafficConfig& traffic);
/// "12.41 Gbit/s", the payload of a load in flits per node and cycle.
std::string gbps_text(const LoadUnits& units, double rate);
/// Text to add if messages are replied to.
std::string replies_text(const TrafficConfig& traffic);
/// Text to add if messages do not arrive as by Bernoulli trials.
std::string arrivals_text(const TrafficConfig& traffic);
/// Text to add to the number of messages if some were dropped; empty if none were.
std::string dropped_text(const Program& program);
/// Prints what is dead, or dies in some cycle, and how much longer paths become.
void print_faults(std::ostream& out, const Machine& machine);
/// Topology and routers.
void print_network(std::ostream& out, const Machine& machine);
/// Steps as the schedule counts them: those of handshakes belong to the exchanges that follow.
StepId scheduled_steps(const Program& program);
/// "in N steps", or of a timetable when its last message begins.
std::string order_text(const Program& program);
/// Prints the network and its traffic.
void print_machine(std::ostream& out, const Machine& machine);

}  // namespace flitscope
