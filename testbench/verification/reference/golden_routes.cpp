// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/golden_routes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/fat_tree_shape.h"
#include "models/topology/graph.h"
#include "testbench/verification/reference/golden_dragonfly.h"
#include "testbench/verification/reference/golden_lash.h"
#include "testbench/verification/reference/golden_paths.h"
#include "testbench/verification/reference/golden_rings.h"
#include "testbench/verification/reference/golden_route_file.h"
#include "testbench/verification/reference/golden_table.h"
#include "testbench/verification/reference/random_networks.h"

namespace flitscope {
namespace {

/// The tables of shortest paths and of up*/down*, and the one that `auto` takes.
class GoldenRoutes final : public GoldenPaths {
public:
    using GoldenPaths::GoldenPaths;

    GoldenTable shortest_path(Spread spread) const {
        GoldenTable table(graph_);
        std::map<LinkId, std::uint64_t> counts;
        for (const NodeId destination : destinations()) {
            const auto any = [](const Link&) { return true; };
            fill(table, destination, hops_to(router_of(destination), any), any, spread, counts);
        }
        // It says nothing of switches that no path of a node passes.
        GoldenTable passed(graph_);
        for (const NodeId source : destinations()) {
            for (const NodeId destination : destinations()) {
                for (RouterId at = router_of(source); at != router_of(destination);) {
                    const RouteChoice choice = table.route(at, destination);
                    passed.set(at, destination, choice);
                    at = graph_.link(graph_.out_link(at, choice.port)).to;
                }
            }
        }
        return passed;
    }

    /// nullopt: some link leads one way.
    std::optional<GoldenTable> up_down(Spread spread) const {
        std::set<std::pair<RouterId, RouterId>> ways;
        for (const Link& link : graph_.links()) ways.insert({link.from, link.to});
        for (const auto& [from, to] : ways) {
            if (ways.count({to, from}) == 0) return std::nullopt;
        }
        RouterId root;
        while (!graph_.is_alive(root)) ++root;
        const std::vector<unsigned> level = hops_to(root, [](const Link&) { return true; });
        const auto is_down = [&level](const Link& link) {
            return std::pair(level[link.from], link.from.number()) <
                   std::pair(level[link.to], link.to.number());
        };
        GoldenTable table(graph_);
        std::map<LinkId, std::uint64_t> counts;
        for (const NodeId destination : destinations()) {
            const RouterId last = router_of(destination);
            const std::vector<unsigned> down = hops_to(last, is_down);
            // Down if that leads there; up to where it does otherwise.
            const auto admits = [&](const Link& link) {
                if (down[link.from] != kFar) return is_down(link) && down[link.to] != kFar;
                return !is_down(link);
            };
            fill(table, destination, hops_to(last, admits), admits, spread, counts);
        }
        return table;
    }

    bool can_deadlock(const Routing& routing) const {
        std::set<Dependency> dependencies;
        std::map<std::pair<LinkId, VcMask>, LinkId> channels;  // by class
        const auto channel = [&](LinkId link, VcMask mask) {
            return channels.insert({{link, mask}, static_cast<LinkId>(channels.size())})
                .first->second;
        };
        for (const NodeId source : destinations()) {
            for (const NodeId destination : destinations()) {
                LinkId holds = kNoLink;
                for (RouterId at = router_of(source); at != router_of(destination);) {
                    const RouteChoice choice = routing.route(at, destination);
                    const LinkId link = graph_.out_link(at, choice.port);
                    const LinkId wants = channel(link, choice.virtual_channels);
                    if (holds != kNoLink) dependencies.insert({holds, wants});
                    holds = wants;
                    at = graph_.link(link).to;
                }
            }
        }
        return std::any_of(dependencies.begin(), dependencies.end(), [&](const Dependency& d) {
            return leads_to(dependencies, d.second, d.first);
        });
    }

    /// Cycles in which the busiest link takes a flit of each pair of nodes over it, and pairs over
    /// all links.
    std::pair<std::uint64_t, std::uint64_t> pairs_over_links(const Routing& routing) const {
        std::map<LinkId, std::uint64_t> pairs;
        std::uint64_t most = 0;
        std::uint64_t all = 0;
        for (const NodeId source : destinations()) {
            for (const NodeId destination : destinations()) {
                for (RouterId at = router_of(source); at != router_of(destination);) {
                    const LinkId link = graph_.out_link(at, routing.route(at, destination).port);
                    most = std::max(most, ++pairs[link] * graph_.link(link).rate_cycles);
                    ++all;
                    at = graph_.link(link).to;
                }
            }
        }
        return {most, all};
    }

    /// The best of all tables that cannot deadlock; `whole` is what `auto` takes without the
    /// faults.
    GoldenTable best(const Routing* whole) const {
        std::optional<GoldenTable> best;
        std::pair<std::uint64_t, std::uint64_t> least;
        const auto compare = [&](std::optional<GoldenTable> table) {
            if (!table || can_deadlock(*table)) return;
            const auto pairs = pairs_over_links(*table);
            if (best && pairs >= least) return;
            best = std::move(table);
            least = pairs;
        };
        for (const Spread spread : kSpreads) compare(shortest_path(spread));
        for (const Spread spread : kSpreads) compare(lash_spread(spread, whole));
        for (const Spread spread : kSpreads) compare(up_down(spread));
        return best ? std::move(*best) : shortest_path(Spread::kNone);
    }

    std::optional<GoldenTable> lash_spread(Spread spread, const Routing* whole) const {
        if (spread == Spread::kNone) return golden_lash(*this, whole);
        const GoldenTable preferred = shortest_path(spread);
        return golden_lash(*this, &preferred);
    }

private:
    void fill(GoldenTable& table, NodeId destination, const std::vector<unsigned>& hops,
              const std::function<bool(const Link&)>& admits, Spread spread,
              std::map<LinkId, std::uint64_t>& counts) const {
        if (spread == Spread::kPaths) {
            fill_by_paths(table, destination, hops, admits, counts);
            return;
        }
        std::vector<std::uint64_t> senders(graph_.router_count(), 0);
        for (const NodeId node : destinations()) ++senders[router_of(node)];
        std::vector<RouterId> farthest_first = nearest_first(hops);
        std::reverse(farthest_first.begin(), farthest_first.end());
        for (const RouterId router : farthest_first) {
            LinkId best = kNoLink;
            const std::uint64_t more = spread == Spread::kPorts ? 1 : senders[router];
            for (const LinkId id : links_from_[router]) {
                const Link& link = graph_.link(id);
                if (!admits(link) || hops[link.to] + 1 != hops[router]) continue;
                const bool is_less = best != kNoLink && spread != Spread::kNone &&
                                     (counts[id] + more) * link.rate_cycles <
                                         (counts[best] + more) * graph_.link(best).rate_cycles;
                if (best == kNoLink || is_less) best = id;
            }
            table.set(router, destination, {graph_.link(best).from_port});
            senders[graph_.link(best).to] += senders[router];
            counts[best] += more;
        }
    }

    /// One node after the other chooses its path, as far as no router has chosen.
    void fill_by_paths(GoldenTable& table, NodeId destination, const std::vector<unsigned>& hops,
                       const std::function<bool(const Link&)>& admits,
                       std::map<LinkId, std::uint64_t>& counts) const {
        const RouterId last = router_of(destination);
        std::map<RouterId, LinkId> chosen;
        for (const NodeId source : destinations()) {
            // How busy the best path of each router is, and its first link; nearest first.
            std::map<RouterId, std::tuple<std::uint64_t, std::uint64_t, LinkId>> best;
            best[last] = {0, 0, kNoLink};
            for (const RouterId router : nearest_first(hops)) {
                for (const LinkId id : links_from_[router]) {
                    const Link& link = graph_.link(id);
                    if (!admits(link) || hops[link.to] + 1 != hops[router]) continue;
                    if (chosen.count(router) != 0 && chosen[router] != id) continue;
                    const auto& [most, all, next] = best[link.to];
                    const std::uint64_t cycles = (counts[id] + 1) * link.rate_cycles;
                    const auto busy = std::tuple(std::max(most, cycles), all + cycles, id);
                    const auto found = best.find(router);
                    const bool is_less =
                        found == best.end() ||
                        std::pair(std::get<0>(busy), std::get<1>(busy)) <
                            std::pair(std::get<0>(found->second), std::get<1>(found->second));
                    if (is_less) best[router] = busy;
                }
            }
            for (RouterId at = router_of(source); at != last;) {
                chosen[at] = std::get<2>(best[at]);
                ++counts[chosen[at]];
                at = graph_.link(chosen[at]).to;
            }
        }
        // Routers on no path: through the lowest port.
        for (const RouterId router : nearest_first(hops)) {
            for (const LinkId id : links_from_[router]) {
                const Link& link = graph_.link(id);
                if (!admits(link) || hops[link.to] + 1 != hops[router]) continue;
                table.set(router, destination,
                          {graph_.link(chosen.insert({router, id}).first->second).from_port});
                break;
            }
        }
    }
};

/// What `auto` takes without the faults, to whose paths lash keeps around them; nullptr: there are
/// none.
std::unique_ptr<Routing> without_faults(const Config& config, const Graph& graph) {
    if (!graph.has_faults()) return nullptr;
    Config whole = config;
    whole.fabric.routing = "auto";
    whole.fabric.spread = Spread::kNone;
    std::unique_ptr<Routing> routing = golden_routes(whole, graph.whole());
    return routing != nullptr ? std::move(routing) : make_routing(whole, graph.whole());
}

std::optional<GoldenTable> table_of(const Config& config, const Graph& graph) {
    const FabricConfig& fabric = config.fabric;
    const GoldenRoutes routes(config, graph);
    const bool is_whole_family = !is_random_graph(fabric.topology) && !graph.has_faults();
    if (fabric.routing == "shortest_path") return routes.shortest_path(fabric.spread);
    if (fabric.routing == "dimension_order_balanced") return golden_balanced_rings(routes);
    if (fabric.routing == "file") return golden_route_file(routes, fabric.routes_file);
    if (fabric.routing == "up_down") {
        if (is_whole_family && graph.shape<FatTreeShape>() != nullptr) return std::nullopt;
        return routes.up_down(fabric.spread);
    }
    if (fabric.routing != "lash" && (fabric.routing != "auto" || is_whole_family)) {
        return std::nullopt;
    }
    const std::unique_ptr<Routing> whole = without_faults(config, graph);
    if (fabric.routing == "lash") return routes.lash_spread(fabric.spread, whole.get());
    return routes.best(whole.get());
}

}  // namespace

std::unique_ptr<Routing> golden_routes(const Config& config, const Graph& graph) {
    const FabricConfig& fabric = config.fabric;
    // There the ejection channel belongs to the link that a packet comes by.
    if (config.node.has_channels_per_link()) return nullptr;
    if (auto routing = golden_dragonfly(config, graph)) return routing;
    std::optional<GoldenTable> table = table_of(config, graph);
    if (!table) return nullptr;
    // The same channels of every class.
    const std::uint32_t own = fabric.virtual_channels / fabric.class_count();
    table->change_channels([&](RouterId, NodeId, VcMask mask) {
        unsigned all = 0;
        for (std::uint32_t k = 0; k < fabric.class_count(); ++k) {
            all |= (mask & ((1U << own) - 1)) << k * own;
        }
        return static_cast<VcMask>(all);
    });
    return std::make_unique<GoldenTable>(std::move(*table));
}

}  // namespace flitscope
