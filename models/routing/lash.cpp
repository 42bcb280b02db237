// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Layered shortest paths (LASH: Skeie, Lysne and Theiss 2002). LASH gives every pair of nodes a
// layer of virtual channels such that no layer has a cycle of waiting packets; here every
// destination has one, so that a path still follows from router and destination and fits in a table
// of every engine. Which of several shortest paths is taken is chosen so that layers suffice.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/path_spreader.h"
#include "models/routing/path_table.h"
#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

/// Which link a packet may hold while it waits for which, always without a cycle: keeps the links
/// in an order in which all waiting leads forward, and repairs it per dependency (Pearce and Kelly
/// 2006).
class Layer {
public:
    explicit Layer(LinkId links) : wants_(links), held_(links), place_(links), seen_(links) {
        for (LinkId id = 0; id < links; ++id) place_[id] = id;
    }

    bool has(LinkId holds, LinkId wants) const {
        const std::vector<LinkId>& list = wants_[holds];
        return std::find(list.begin(), list.end(), wants) != list.end();
    }

    /// Adds a dependency that is not there yet, unless it closes a cycle; returns whether it did.
    bool add(LinkId holds, LinkId wants) {
        if (place_[wants] <= place_[holds] && !make_room(holds, wants)) return false;
        wants_[holds].push_back(wants);
        held_[wants].push_back(holds);
        added_.emplace_back(holds, wants);
        return true;
    }

    /// Keeps what was added since the last call of either.
    void commit() { added_.clear(); }
    /// Takes it back; the order remains valid for the rest.
    void roll_back() {
        for (; !added_.empty(); added_.pop_back()) {
            wants_[added_.back().first].pop_back();
            held_[added_.back().second].pop_back();
        }
    }

private:
    /// Orders the successors of `wants` after the predecessors of `holds`; false if these meet.
    bool make_room(LinkId holds, LinkId wants) {
        if (holds == wants) return false;
        const std::uint32_t low = place_[wants];
        const std::uint32_t high = place_[holds];
        std::vector<LinkId> ahead =
            collect(wants, wants_, [=](LinkId id) { return place_[id] <= high; });
        const bool meet = seen_[holds];
        std::vector<LinkId> behind;
        if (!meet) {
            behind = collect(holds, held_, [=](LinkId id) { return place_[id] >= low; });
        }
        for (const LinkId id : ahead) seen_[id] = false;
        for (const LinkId id : behind) seen_[id] = false;
        if (meet) return false;
        const auto by_place = [this](LinkId a, LinkId b) { return place_[a] < place_[b]; };
        std::sort(ahead.begin(), ahead.end(), by_place);
        std::sort(behind.begin(), behind.end(), by_place);
        behind.insert(behind.end(), ahead.begin(), ahead.end());
        std::vector<std::uint32_t> places;
        for (const LinkId id : behind) places.push_back(place_[id]);
        std::sort(places.begin(), places.end());
        for (std::size_t i = 0; i < behind.size(); ++i) place_[behind[i]] = places[i];
        return true;
    }

    /// Marks as seen all nodes reached by `next` from `start` that `admits` accepts.
    template <class Admits>
    std::vector<LinkId> collect(LinkId start, const std::vector<std::vector<LinkId>>& next,
                                const Admits& admits) {
        std::vector<LinkId> found{start};
        seen_[start] = true;
        for (std::size_t i = 0; i < found.size(); ++i) {
            for (const LinkId id : next[found[i]]) {
                if (seen_[id] || !admits(id)) continue;
                seen_[id] = true;
                found.push_back(id);
            }
        }
        return found;
    }

    std::vector<std::vector<LinkId>> wants_;
    std::vector<std::vector<LinkId>> held_;
    std::vector<std::uint32_t> place_;
    std::vector<bool> seen_;
    std::vector<std::pair<LinkId, LinkId>> added_;
};

class LayeredPaths {
public:
    LayeredPaths(const Graph& graph, const Routing* preferred, Spread spread = Spread::kNone)
        : graph_(graph),
          preferred_(preferred),
          name_(spread_name("lash", spread)),
          search_(graph),
          unused_(graph.router_count()),
          out_(graph.router_count()) {}

    /// A table over that many layers, in one of which every destination is; nullptr: they do not
    /// suffice.
    std::unique_ptr<TableRouting> table(std::uint32_t layers, std::uint32_t virtual_channels) {
        auto table = std::make_unique<TableRouting>(name_, graph_);
        std::vector<Layer> all(layers, Layer(graph_.link_count()));
        std::vector<NodeId> sizes(layers);
        std::vector<std::size_t> layer_of(graph_.node_count());
        for (NodeId destination = 0; destination < graph_.node_count(); ++destination) {
            if (!graph_.is_alive(destination)) continue;
            const std::vector<RouterId>& nearest_first = search_.run(
                graph_.router_of(destination), unused_.data(), [](const Link&) { return true; });
            // The first that takes it: destinations that are spread evenly do not fit as well.
            const auto found = std::find_if(all.begin(), all.end(), [&](Layer& layer) {
                return fill(destination, nearest_first, layer, table->towards(destination));
            });
            if (found == all.end()) return nullptr;
            layer_of[destination] = static_cast<std::size_t>(found - all.begin());
            ++sizes[layer_of[destination]];
        }
        if (layers == 1) return table;
        const std::vector<VcMask> masks = masks_of(sizes, virtual_channels);
        for (NodeId destination = 0; destination < graph_.node_count(); ++destination) {
            table->set_virtual_channels(destination, masks[layer_of[destination]]);
        }
        return table;
    }

    /// A table over that many layers through which packets climb: if a hop would close a cycle in
    /// the layer of the next hop, it is in the layer below; nullptr: there are too few layers.
    std::unique_ptr<TableRouting> climbing_table(std::uint32_t layers,
                                                 std::uint32_t virtual_channels) {
        auto table = std::make_unique<TableRouting>(name_, graph_);
        std::vector<Layer> all(layers, Layer(graph_.link_count()));
        std::vector<NodeId> sizes(layers);
        const std::uint32_t routers = graph_.router_count();
        std::vector<std::uint8_t> layer_of(std::size_t{graph_.node_count()} * routers);
        layer_.resize(routers);
        for (NodeId destination = 0; destination < graph_.node_count(); ++destination) {
            if (!graph_.is_alive(destination)) continue;
            const std::vector<RouterId>& nearest_first = search_.run(
                graph_.router_of(destination), unused_.data(), [](const Link&) { return true; });
            std::uint8_t* const layers_to = &layer_of[std::size_t{destination} * routers];
            layer_[nearest_first.front()] = layers - 1;
            layers_to[nearest_first.front()] = static_cast<std::uint8_t>(layers - 1);
            for (std::size_t i = 1; i < nearest_first.size(); ++i) {
                const RouterId router = nearest_first[i];
                const LinkId taken = climbing_link(router, destination, all);
                if (taken == kNoLink) return nullptr;
                out_[router] = taken;
                table->towards(destination)[router] =
                    static_cast<std::uint16_t>(graph_.link(taken).from_port);
                layers_to[router] = static_cast<std::uint8_t>(layer_[router]);
                ++sizes[layer_[router]];
            }
        }
        const std::vector<VcMask> masks = masks_of(sizes, virtual_channels);
        for (NodeId destination = 0; destination < graph_.node_count(); ++destination) {
            for (RouterId router; router < routers; ++router) {
                const std::size_t place = std::size_t{destination} * routers + router;
                table->set_virtual_channels(router, destination, masks[layer_of[place]]);
            }
        }
        return table;
    }

private:
    /// Virtual channels of layers with `sizes` destinations: one each, and each further one to the
    /// layer with the most destinations per channel.
    static std::vector<VcMask> masks_of(const std::vector<NodeId>& sizes,
                                        std::uint32_t virtual_channels) {
        std::vector<std::uint32_t> counts(sizes.size(), 1);
        const auto needs_more = [&](std::size_t a, std::size_t b) {
            return std::uint64_t{sizes[a]} * counts[b] > std::uint64_t{sizes[b]} * counts[a];
        };
        for (std::size_t given = sizes.size(); given < virtual_channels; ++given) {
            std::size_t most = 0;
            for (std::size_t layer = 1; layer < sizes.size(); ++layer) {
                if (needs_more(layer, most)) most = layer;
            }
            ++counts[most];
        }
        std::vector<VcMask> masks;
        std::uint32_t first = 0;
        for (const std::uint32_t count : counts) {
            masks.push_back(static_cast<VcMask>(((1U << count) - 1) << first));
            first += count;
        }
        return masks;
    }

    /// Fills `ports` with shortest paths that add no cycle to `layer`; returns whether any were
    /// found; if not, nothing is added.
    bool fill(NodeId destination, const std::vector<RouterId>& nearest_first, Layer& layer,
              std::uint16_t* ports) {
        for (std::size_t i = 1; i < nearest_first.size(); ++i) {
            const RouterId router = nearest_first[i];
            const LinkId taken = next_link(router, destination, layer);
            if (taken == kNoLink) {
                layer.roll_back();
                return false;
            }
            out_[router] = taken;
            ports[router] = static_cast<std::uint16_t>(graph_.link(taken).from_port);
        }
        layer.commit();
        return true;
    }

    /// Chooses a link of shortest paths, and the layer of the router's hop over it: the first link
    /// that closes no cycle in the layer of the next hop, or else the one whose next hop has the
    /// highest layer, in the layer below that; kNoLink: all next hops are in the lowest layer.
    LinkId climbing_link(RouterId router, NodeId destination, std::vector<Layer>& all) {
        const RouterId last = graph_.router_of(destination);
        find_candidates(router, destination, [&](LinkId id) {
            const RouterId to = graph_.link(id).to;
            return to == last || all[layer_[to]].has(id, out_[to]);
        });
        LinkId best = kNoLink;
        for (const auto& [rank, id] : candidates_) {
            const RouterId to = graph_.link(id).to;
            Layer& layer = all[layer_[to]];
            if (to == last || layer.has(id, out_[to]) || layer.add(id, out_[to])) {
                layer.commit();
                layer_[router] = layer_[to];
                return id;
            }
            if (best == kNoLink || layer_[to] > layer_[graph_.link(best).to]) best = id;
        }
        const std::uint32_t behind = layer_[graph_.link(best).to];
        if (behind == 0) return kNoLink;
        layer_[router] = behind - 1;
        return best;
    }

    /// Chooses a link of shortest paths: the preferred one, or one that adds no new wait, or the
    /// first that is possible; kNoLink: none is.
    LinkId next_link(RouterId router, NodeId destination, Layer& layer) {
        const RouterId last = graph_.router_of(destination);
        find_candidates(router, destination, [&](LinkId id) {
            const RouterId to = graph_.link(id).to;
            return to == last || layer.has(id, out_[to]);
        });
        for (const auto& [rank, id] : candidates_) {
            const RouterId to = graph_.link(id).to;
            if (to == last || layer.has(id, out_[to]) || layer.add(id, out_[to])) return id;
        }
        return kNoLink;
    }

    /// Lists the links of shortest paths: the preferred one, those that are free, then the others.
    template <class IsFree>
    void find_candidates(RouterId router, NodeId destination, const IsFree& is_free) {
        candidates_.clear();
        const PortId preferred =
            preferred_ == nullptr ? kLocalPort : preferred_->route(router, destination).port;
        const std::vector<std::uint32_t>& distance = search_.distance();
        for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
            const LinkId id = graph_.out_link(router, port);
            if (id == kNoLink) continue;
            const RouterId to = graph_.link(id).to;
            if (distance[to] == kUnreached || distance[to] + 1 != distance[router]) continue;
            candidates_.emplace_back(port == preferred ? 0 : is_free(id) ? 1 : 2, id);
        }
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    }

    const Graph& graph_;
    const Routing* preferred_;
    std::string name_;
    Search search_;
    std::vector<std::uint16_t> unused_;
    std::vector<LinkId> out_;           // per router, towards the present destination,
    std::vector<std::uint32_t> layer_;  // and its layer if packets climb
    std::vector<std::pair<int, LinkId>> candidates_;
};

}  // namespace

std::unique_ptr<Routing> make_lash(const Graph& graph, std::uint32_t virtual_channels,
                                   const Routing* preferred, Spread spread) {
    LayeredPaths paths(graph, preferred, spread);
    for (std::uint32_t layers = 1; layers <= virtual_channels; ++layers) {
        if (auto table = paths.table(layers, virtual_channels)) return table;
    }
    for (std::uint32_t layers = 2; layers <= virtual_channels; ++layers) {
        if (auto table = paths.climbing_table(layers, virtual_channels)) return table;
    }
    return nullptr;
}

std::uint32_t lash_layers(const Graph& graph, std::uint32_t least, std::uint32_t most,
                          const Routing* preferred) {
    LayeredPaths paths(graph, preferred);
    for (std::uint32_t layers = least; layers <= most; ++layers) {
        if (paths.table(layers, layers) || paths.climbing_table(layers, layers)) return layers;
    }
    return 0;
}

}  // namespace flitscope
