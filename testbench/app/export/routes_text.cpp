// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/routes_text.h"

#include <fmt/format.h>

#include <functional>

#include "models/base/powers_of_two.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"

namespace flitscope {
namespace {

bool has_routes(const hw::RtlVariant& variant) { return variant.routing == hw::RtlRouting::kPins; }

std::uint32_t hex_digits(std::uint32_t bits) { return (bits + 3) / 4; }

/// The route from a router to a node.
using RouteTo = std::function<RouteChoice(NodeId)>;

/// The parameter Contents of a route_rom, with its type: an entry per destination, the last one
/// first, with the digits of port and virtual channels.
std::string rom_constant(const std::string& name, const hw::RtlVariant& variant,
                         NodeId destinations, const RouteTo& route) {
    const std::uint32_t port = hex_digits(index_bits(variant.ports));
    const std::uint32_t vcs = hex_digits(variant.virtual_channels);
    const std::uint64_t bits = 4 * (port + vcs) * next_power_of_two(destinations);
    std::string text =
        fmt::format("    localparam logic [{}:0] {} =\n        {}'h", bits - 1, name, bits);
    for (NodeId i = destinations; i-- > 0;) {
        const RouteChoice choice = route(i);
        const std::uint32_t allowed =
            choice.virtual_channels & ((1U << variant.virtual_channels) - 1);
        text += fmt::format("{:0{}x}{:0{}x}{}", choice.port, port, allowed, vcs, i == 0 ? "" : "_");
    }
    return text + ";\n";
}

}  // namespace

std::string router_digits(const Graph& graph, RouterId router) {
    const std::string name = graph.router_name(router);
    return name.substr(name.rfind('_') + 1);
}

std::string route_constants(const Machine& machine, const hw::RtlVariant& variant) {
    if (!has_routes(variant)) return {};
    const NodeId nodes = machine.graph.node_count();
    std::string text =
        "\n    // Per router the route to every node: hexadecimal digits of the output port, then "
        "of "
        "the\n    // virtual channels allowed there; node 0 comes last.\n";
    for (RouterId router; router < machine.graph.router_count(); ++router) {
        text += rom_constant("Routes_" + router_digits(machine.graph, router), variant, nodes,
                             [&](NodeId to) { return machine.routing->route(router, to); });
    }
    return text;
}

std::string route_lookups(const Machine& machine, const hw::RtlVariant& variant, RouterId router,
                          const Turns& turns) {
    if (!has_routes(variant)) return {};
    const std::string digits = router_digits(machine.graph, router);
    std::string text = fmt::format(
        "    logic [Ports*PortBits-1:0] route_port_{0};\n"
        "    logic [Ports*VirtualChannels-1:0] route_vcs_{0};\n",
        digits);
    for (PortId port = 0; port < variant.ports; ++port) {
        const char* const lookup = turns.has_input(port)
                                       ? R"(    (* keep_hierarchy *) route_rom #(
        .Entries(fabric_pkg::Nodes), .PortBits(PortBits), .VirtualChannels(VirtualChannels),
        .Contents(fabric_pkg::Routes_{0})
    ) routes_{0}_{1} (
        .destination_i(in_data_{0}[{1}*FlitBits+:router_pkg::NodeBits]),
        .port_o(route_port_{0}[{1}*PortBits+:PortBits]),
        .vcs_o(route_vcs_{0}[{1}*VirtualChannels+:VirtualChannels])
    );
)"
                                       : R"(    assign route_port_{0}[{1}*PortBits+:PortBits] = '0;
    assign route_vcs_{0}[{1}*VirtualChannels+:VirtualChannels] = '0;
)";
        text += fmt::format(fmt::runtime(lookup), digits, port);
    }
    return text;
}

std::string route_pins(const hw::RtlVariant& variant, const std::string& digits) {
    return has_routes(variant)
               ? fmt::format(".table_port_i(route_port_{0}),\n        .table_vcs_i(route_vcs_{0})",
                             digits)
               : ".table_port_i({PortBits{1'b0}}),\n"
                 "        .table_vcs_i({VirtualChannels{1'b0}})";
}

}  // namespace flitscope
