// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/routes_text.h"

#include <fmt/format.h>

#include <functional>
#include <optional>

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

/// The route of packets that came on virtual channel `vc` of their class, whichever that is.
RouteChoice route_on(const Machine& machine, const hw::RtlVariant& variant, RouterId router,
                     NodeId to, std::uint32_t vc) {
    RouteChoice route{kLocalPort, 0};
    RouteQuery query;
    query.at = router;
    query.destination = to;
    const std::uint32_t of_class = variant.virtual_channels / variant.classes;
    for (query.in_vc = vc; query.in_vc < variant.virtual_channels; query.in_vc += of_class) {
        const RouteChoice choice = machine.routing->route(query);
        route.port = choice.port;
        route.virtual_channels |= choice.virtual_channels;
    }
    return route;
}

/// What looks up the route of the head at an input port.
std::string lookup(const Machine& machine, const hw::RtlVariant& variant, RouterId router,
                   PortId port) {
    const std::string digits = router_digits(machine.graph, router);
    const std::optional<PathCoin> coin = machine.routing->path_coin();
    std::string begin = fmt::format(R"(    (* keep_hierarchy *) {} #(
        .Entries(fabric_pkg::Nodes), .PortBits(PortBits), .VirtualChannels(VirtualChannels),
)",
                                    coin ? "coin_routes" : "route_rom");
    if (coin) {
        const NodeId node = machine.graph.node_at(router, port);
        begin += fmt::format(
            R"(        .First(fabric_pkg::First_{0}), .Second(fabric_pkg::Second_{0}), .PerClass({2}),
        .SecondFrom({3}), .IsInjection({4}), .Key(32'h{5:08x})
    ) routes_{0}_{1} (
        .vc_i(in_vc_{0}[{1}*VcBits+:VcBits]), .header_i(in_data_{0}[{1}*FlitBits+:48]),
)",
            digits, port, variant.virtual_channels / variant.classes, coin->second_from,
            node == kNoNode ? "1'b0" : "1'b1", node == kNoNode ? 0 : coin->key(node));
    } else {
        begin += fmt::format(R"(        .Contents(fabric_pkg::Routes_{0})
    ) routes_{0}_{1} (
        .destination_i(in_data_{0}[{1}*FlitBits+:router_pkg::NodeBits]),
)",
                             digits, port);
    }
    return begin + fmt::format(R"(        .port_o(route_port_{0}[{1}*PortBits+:PortBits]),
        .vcs_o(route_vcs_{0}[{1}*VirtualChannels+:VirtualChannels])
    );
)",
                               digits, port);
}

}  // namespace

std::string router_digits(const Graph& graph, RouterId router) {
    const std::string name = graph.router_name(router);
    return name.substr(name.rfind('_') + 1);
}

std::string route_constants(const Machine& machine, const hw::RtlVariant& variant) {
    if (!has_routes(variant)) return {};
    const std::optional<PathCoin> coin = machine.routing->path_coin();
    std::string text =
        "\n    // Per router the route to every node: hexadecimal digits of the output port, then "
        "of "
        "the\n    // virtual channels allowed there; node 0 comes last.\n";
    for (RouterId router; router < machine.graph.router_count(); ++router) {
        const auto add = [&](const char* name, const RouteTo& route) {
            text += rom_constant(name + router_digits(machine.graph, router), variant,
                                 machine.graph.node_count(), route);
        };
        if (!coin) {
            add("Routes_", [&](NodeId to) { return machine.routing->route(router, to); });
            continue;
        }
        add("First_", [&](NodeId to) { return route_on(machine, variant, router, to, 0); });
        add("Second_",
            [&](NodeId to) { return route_on(machine, variant, router, to, coin->second_from); });
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
        if (turns.has_input(port)) {
            text += lookup(machine, variant, router, port);
            continue;
        }
        text += fmt::format(R"(    assign route_port_{0}[{1}*PortBits+:PortBits] = '0;
    assign route_vcs_{0}[{1}*VirtualChannels+:VirtualChannels] = '0;
)",
                            digits, port);
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
