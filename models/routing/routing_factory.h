// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// From the routing key of a configuration to a routing function.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/config/config_table.h"
#include "models/config/fabric_config.h"
#include "models/routing/route_flow.h"
#include "models/routing/routing.h"
#include "models/topology/families/dragonfly_shape.h"
#include "models/topology/families/express_shape.h"
#include "models/topology/families/fat_tree_shape.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

/// Corrects the coordinates one dimension after the other, the fastest-varying first: XY routing
/// on a mesh, e-cube (lowest differing bit first) on a binary hypercube; for every kind of graph
/// with coordinates. Deadlock-free, on tori of more than four nodes per ring with two virtual
/// channels or more (datelines). Minimal except on express meshes.
std::unique_ptr<Routing> make_dimension_order(const Graph& graph,
                                              std::uint32_t virtual_channels = 1);

/// Dimension order on tori whose packets are spread evenly over both halves of the virtual channels
/// of a link (at least two); deadlock-free.
std::unique_ptr<Routing> make_balanced_dimension_order(const Graph& torus,
                                                       std::uint32_t virtual_channels);

/// Dimension order for the compound layout of express meshes; deadlock-free with two virtual
/// channels.
std::unique_ptr<Routing> make_compound_order(const Graph& compound_mesh,
                                             std::uint32_t virtual_channels);

/// A table of shortest paths, for any graph; among equals that of `spread`. It says nothing of
/// switches that no such path of a node passes. Not deadlock-free in general: the
/// channel-dependency check decides.
std::unique_ptr<Routing> make_shortest_path(const Graph& graph, Spread spread = Spread::kNone);

/// A table of shortest paths, for any graph, in layers of virtual channels: every destination has
/// one, and none can deadlock. As few layers as are found, at most `virtual_channels`, that share
/// these; nullptr if that is too few. Among equal paths it takes those of `preferred`, a fixed
/// routing, if they are among them and a layer can hold them (nullptr: none).
std::unique_ptr<Routing> make_lash(const Graph& graph, std::uint32_t virtual_channels,
                                   const Routing* preferred, Spread spread = Spread::kNone);
/// The minimum number of layers, from `least` to `most`, with which make_lash() succeeds; 0: none.
std::uint32_t lash_layers(const Graph& graph, std::uint32_t least, std::uint32_t most,
                          const Routing* preferred);

/// A table of paths that go up a breadth-first tree from the first working node, then down, links
/// outside the tree included: deadlock-free on every graph whose links all have an opposite, at the
/// price of detours and of load near the root (Schroeder et al. 1991). Among equal ways up, and
/// among equal ways down, that of `spread`.
std::unique_ptr<Routing> make_up_down(const Graph& graph, Spread spread = Spread::kNone);

/// Up*/down* on fat trees: shortest paths, spread evenly over the roots, or up on any way that is
/// free (`adapts`). All nodes are below stage 0.
std::unique_ptr<Routing> make_fat_tree_up_down(const Graph& fat_tree, bool adapts = false);

/// Shortest paths over a global channel of dragonflies; deadlock-free. There must be at least two
/// virtual channels.
std::unique_ptr<Routing> make_dragonfly_minimal(const Graph& dragonfly,
                                                std::uint32_t virtual_channels);

/// The basis for choosing between the minimal path on a dragonfly and one over another group.
enum class DragonflyChoice : std::uint8_t {
    kUgalLocal,    ///< the queues of the outputs of the source's router
    kUgalGlobal,   ///< those of the global channels, wherever in the group
    kProgressive,  ///< as kUgalLocal, and again after a local channel of the minimal path
};
/// UGAL and progressive adaptive routing on dragonflies; deadlock-free. There must be at least
/// three virtual channels, for kProgressive four.
std::unique_ptr<Routing> make_dragonfly_adaptive(const Graph& dragonfly,
                                                 std::uint32_t virtual_channels, std::uint64_t seed,
                                                 DragonflyChoice choice);

/// Minimal adaptive routing on meshes that leaves out some turns, deadlock-free with any number of
/// virtual channels: all hops to the west (- along the fastest-varying dimension) first, for two
/// dimensions; all hops in - directions first; no turn from east in even columns and none to west
/// in odd ones (Chiu 2000), for two dimensions.
std::unique_ptr<Routing> make_west_first(const Graph& mesh);
std::unique_ptr<Routing> make_negative_first(const Graph& mesh);
std::unique_ptr<Routing> make_odd_even(const Graph& mesh);

/// Minimal adaptive routing on meshes, tori, HOWs and generalized hypercubes: any hop of a shortest
/// path, dimension order on virtual channel 0 (tori: 0 and 1) if none is available. Needs at least
/// one more virtual channel.
std::unique_ptr<Routing> make_minimal_adaptive(const Graph& graph);

/// O1TURN on meshes of two dimensions: each packet goes at random along the row or along the column
/// first, each order on one half of the virtual channels (at least two).
std::unique_ptr<Routing> make_o1turn(const Graph& mesh, std::uint32_t virtual_channels,
                                     std::uint64_t seed);

/// Valiant's routing: in dimension order (on dragonflies as dragonfly_minimal) to a node chosen at
/// random, then to the destination. Each phase has one half of the virtual channels; there must be
/// at least two, on tori and dragonflies four.
std::unique_ptr<Routing> make_valiant(const Graph& graph, std::uint32_t virtual_channels,
                                      std::uint64_t seed);

/// Shortest paths on express meshes, those with express links in `every_line` (full) or in the
/// lines of terminals (sparse); deadlock-free with two virtual channels or more.
std::unique_ptr<Routing> make_express_shortest(const Graph& graph, bool every_line,
                                               std::uint32_t virtual_channels);

/// The routing that `config.fabric.routing` names. "auto" is express_shortest if it applies,
/// dimension_order if nodes have coordinates (in compound meshes with two virtual channels),
/// up_down on fat trees, dragonfly_minimal on dragonflies with two virtual channels; on other
/// graphs, and if links or nodes have failed, the best of compared_routings().
/// Throws ConfigError when routing and network do not fit.
std::unique_ptr<Routing> make_routing(const WorkloadConfig& config, const Graph& graph);

/// A table that `auto` has tried.
struct RoutingCandidate {
    std::string name;      ///< "lash/flow"
    std::string obstacle;  ///< why it cannot be taken; empty: it cannot deadlock
    UniformFlow flow;      ///< if it cannot deadlock
    bool is_taken = false;
};
/// The tables that `auto` compares, in the order in which equals are preferred: of those that
/// cannot deadlock it takes the one with the highest bound on uniform traffic, then with the fewest
/// hops. Empty if a routing is named, or the family of the network has its own.
std::vector<RoutingCandidate> compared_routings(const WorkloadConfig& config, const Graph& graph);

/// The value of `fabric.routing` that lets the network decide.
inline constexpr const char* kAutomaticRouting = "auto";

struct RoutingKind {
    std::string name;
    std::string summary;
    bool is_table = false;  ///< filled for this graph: finds ways around faults, and has a spread
};
const std::vector<RoutingKind>& routing_kinds();

/// The key of the routing algorithm.
ConfigKeys routing_keys();
/// The key that permits a run although the deadlock check found a cycle.
ConfigKeys deadlock_check_keys();

}  // namespace flitscope
