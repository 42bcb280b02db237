// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers of a network as they are built: each with the ports and the turns that it uses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/verilated/rtl_variant.h"
#include "models/routing/turns.h"

namespace flitscope::hw {

/// Routers that are built alike.
struct BuiltRouter {
    RtlVariant variant;
    std::uint32_t count = 0;
};

/// The variant that all of them are built from, with all turns: the one of simulated routers, but
/// instead of a table, whose contents never change, a constant beside each router has its routes
/// (RtlRouting::kPins).
RtlVariant built_variant(const HardwareConfig& config, const Graph& graph, const Routing& routing);

/// All routers of a network, the kind with the most turns first.
using BuiltRouters = std::vector<BuiltRouter>;

/// By router: the turns that it is built with, under the numbers that its ports have in the graph.
/// They are those of turns_taken(); in a network with faults, now or later, all turns between the
/// ports of the whole network, which routes around faults may need. All turns if a router has more
/// than kMostPortsWithTurns ports, for whose sets there may be no memory, and of routers that are
/// not ours.
std::vector<Turns> turns_built(const HardwareConfig& config, const Graph& graph,
                               const Routing& routing);
inline constexpr PortId kMostPortsWithTurns = 64;

/// By router: whether a link of a rate below 1 begins there. Only such a router is built with what
/// waits for slow links (RtlVariant::slow_links); in simulation all are, if one is.
std::vector<bool> have_slow_links(const Graph& graph);

/// The kinds of these routers, those with slow links apart. Routers that differ only in the order
/// of their local ports or of the others, such as those at both ends of a mesh's row, are of one
/// kind. If that gives more than kMostKinds, they are distinguished by their ports, and have all
/// turns between them but those back; if that does not help, they have all turns.
BuiltRouters built_routers(const HardwareConfig& config, const Graph& graph,
                           const Routing& routing);
inline constexpr std::size_t kMostKinds = 12;

/// The same routers, each kind once.
BuiltRouters merged(const BuiltRouters& routers);

/// Ports that a router is built with: those that have a turn.
PortId used_ports(const RtlVariant& variant);

/// "4*router_p5_..._t07 8*router_p5_..._t1f", which parse_built_routers() reads; empty for none.
std::string text_of(const BuiltRouters& routers);
/// Throws std::invalid_argument.
BuiltRouters parse_built_routers(const std::string& text);

}  // namespace flitscope::hw
