// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/golden_lash.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace flitscope {
namespace {

class GoldenLash final : GoldenPaths {
public:
    explicit GoldenLash(const GoldenPaths& paths) : GoldenPaths(paths) {}

    std::optional<GoldenTable> table(const Routing* preferred) const {
        for (unsigned layers = 1; layers <= virtual_channels_; ++layers) {
            if (auto table = lash_of(layers, preferred)) return table;
        }
        for (unsigned layers = 2; layers <= virtual_channels_; ++layers) {
            if (auto table = climbing_lash_of(layers, preferred)) return table;
        }
        return std::nullopt;
    }

private:
    std::optional<GoldenTable> lash_of(unsigned layers, const Routing* preferred) const {
        GoldenTable table(graph_);
        std::vector<std::set<Dependency>> dependencies(layers);
        std::vector<unsigned> sizes(layers, 0);
        std::map<NodeId, unsigned> layer_of;
        for (const NodeId destination : destinations()) {
            unsigned layer = 0;
            while (layer < layers && !fits(destination, dependencies[layer], preferred, table)) {
                ++layer;
            }
            if (layer == layers) return std::nullopt;
            layer_of[destination] = layer;
            ++sizes[layer];
        }
        if (layers == 1) return table;
        const std::vector<VcMask> masks = masks_of(sizes);
        table.change_channels(
            [&](RouterId, NodeId destination, VcMask) { return masks[layer_of[destination]]; });
        return table;
    }

    /// One virtual channel per layer; each further one to that with most destinations per channel.
    std::vector<VcMask> masks_of(const std::vector<unsigned>& sizes) const {
        std::vector<unsigned> counts(sizes.size(), 1);
        for (std::size_t given = sizes.size(); given < virtual_channels_; ++given) {
            std::size_t most = 0;
            for (std::size_t i = 1; i < sizes.size(); ++i) {
                if (sizes[i] * counts[most] > sizes[most] * counts[i]) most = i;
            }
            ++counts[most];
        }
        std::vector<VcMask> masks;
        unsigned first = 0;
        for (const unsigned count : counts) {
            unsigned mask = 0;
            for (unsigned vc = first; vc < first + count; ++vc) mask |= 1U << vc;
            masks.push_back(static_cast<VcMask>(mask));
            first += count;
        }
        return masks;
    }

    /// As above, but each hop is in the layer of the hop behind it, or in the one below where no
    /// next link closes no cycle there.
    std::optional<GoldenTable> climbing_lash_of(unsigned layers, const Routing* preferred) const {
        GoldenTable table(graph_);
        std::vector<std::set<Dependency>> all(layers);
        std::vector<unsigned> sizes(layers, 0);
        std::map<std::pair<RouterId, NodeId>, unsigned> layer_of;
        for (const NodeId destination : destinations()) {
            const RouterId last = router_of(destination);
            const std::vector<unsigned> hops = hops_to(last, [](const Link&) { return true; });
            std::map<RouterId, LinkId> taken;
            layer_of[{last, destination}] = layers - 1;
            table.set(last, destination, {kLocalPort});
            for (const RouterId router : in_order_of_search(last)) {
                const auto layer_behind = [&](LinkId id) {
                    return layer_of[{graph_.link(id).to, destination}];
                };
                const auto dependency = [&](LinkId id) {
                    return Dependency{id, taken[graph_.link(id).to]};
                };
                const auto is_there = [&](LinkId id) {
                    return graph_.link(id).to == last ||
                           all[layer_behind(id)].count(dependency(id)) != 0;
                };
                std::vector<LinkId> candidates =
                    ranked_links(router, destination, hops, preferred, is_there);
                const auto found =
                    std::find_if(candidates.begin(), candidates.end(), [&](LinkId id) {
                        if (is_there(id)) return true;
                        const Dependency added = dependency(id);
                        return !leads_to(all[layer_behind(id)], added.second, added.first);
                    });
                LinkId link = 0;
                unsigned layer = 0;
                if (found != candidates.end()) {
                    link = *found;
                    layer = layer_behind(link);
                    if (!is_there(link)) all[layer].insert(dependency(link));
                } else {
                    link = *std::max_element(
                        candidates.begin(), candidates.end(),
                        [&](LinkId a, LinkId b) { return layer_behind(a) < layer_behind(b); });
                    if (layer_behind(link) == 0) return std::nullopt;
                    layer = layer_behind(link) - 1;
                }
                taken[router] = link;
                layer_of[{router, destination}] = layer;
                ++sizes[layer];
                table.set(router, destination, {graph_.link(link).from_port});
            }
        }
        const std::vector<VcMask> masks = masks_of(sizes);
        table.change_channels([&](RouterId at, NodeId destination, VcMask) {
            return masks[layer_of[{at, destination}]];
        });
        return table;
    }

    /// The next links of shortest paths: the preferred one, those that are there, then the others.
    std::vector<LinkId> ranked_links(RouterId router, NodeId destination,
                                     const std::vector<unsigned>& hops, const Routing* preferred,
                                     const std::function<bool(LinkId)>& is_there) const {
        std::vector<std::pair<int, LinkId>> ranked;
        for (const LinkId id : links_from_[router]) {
            const Link& link = graph_.link(id);
            if (hops[link.to] + 1 != hops[router]) continue;
            const bool is_preferred = preferred != nullptr &&
                                      preferred->route(router, destination).port == link.from_port;
            ranked.emplace_back(is_preferred ? 0 : is_there(id) ? 1 : 2, id);
        }
        std::stable_sort(ranked.begin(), ranked.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<LinkId> links;
        for (const auto& [rank, id] : ranked) links.push_back(id);
        return links;
    }

    /// Adds paths to the destination, and their dependencies, if the layer can hold them.
    bool fits(NodeId destination, std::set<Dependency>& layer, const Routing* preferred,
              GoldenTable& table) const {
        const RouterId last = router_of(destination);
        const std::vector<unsigned> hops = hops_to(last, [](const Link&) { return true; });
        std::set<Dependency> dependencies = layer;
        std::map<RouterId, LinkId> taken;
        for (const RouterId router : in_order_of_search(last)) {
            const auto dependency = [&](LinkId id) {
                return Dependency{id, taken[graph_.link(id).to]};
            };
            const auto is_there = [&](LinkId id) {
                return graph_.link(id).to == last || dependencies.count(dependency(id)) != 0;
            };
            const std::vector<LinkId> candidates =
                ranked_links(router, destination, hops, preferred, is_there);
            const auto found = std::find_if(candidates.begin(), candidates.end(), [&](LinkId id) {
                if (is_there(id)) return true;
                const Dependency added = dependency(id);
                return !leads_to(dependencies, added.second, added.first);
            });
            if (found == candidates.end()) return false;
            if (!is_there(*found)) dependencies.insert(dependency(*found));
            taken[router] = *found;
        }
        table.set(last, destination, {kLocalPort});  // ejected in the same layer
        for (const auto& [router, link] : taken) {
            table.set(router, destination, {graph_.link(link).from_port});
        }
        layer = std::move(dependencies);
        return true;
    }

    /// As a breadth-first search against the links comes by, those into a router by their ports.
    std::vector<RouterId> in_order_of_search(RouterId last) const {
        std::vector<RouterId> order{last};
        std::set<RouterId> seen{last};
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (PortId port = places_.local_ports(); port < graph_.port_count(); ++port) {
                const LinkId id = graph_.in_link(order[i], port);
                if (id == kNoLink || !seen.insert(graph_.link(id).from).second) continue;
                order.push_back(graph_.link(id).from);
            }
        }
        order.erase(order.begin());
        return order;
    }
};

}  // namespace

std::optional<GoldenTable> golden_lash(const GoldenPaths& paths, const Routing* preferred) {
    return GoldenLash(paths).table(preferred);
}

}  // namespace flitscope
