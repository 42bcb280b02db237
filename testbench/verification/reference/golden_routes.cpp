// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/golden_routes.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/fat_tree_shape.h"
#include "models/topology/graph.h"
#include "testbench/verification/reference/golden_dragonfly.h"
#include "testbench/verification/reference/golden_places.h"
#include "testbench/verification/reference/random_networks.h"

namespace flitscope {
namespace {

constexpr unsigned kFar = 1'000'000;

/// What a packet asks for, by router and destination.
class GoldenTable final : public Routing {
public:
    explicit GoldenTable(const Graph& graph) : Routing(graph.shared_places()) {}

    std::string name() const override { return "golden"; }
    void set(RouterId at, NodeId destination, RouteChoice choice) {
        choices_[{at, destination}] = choice;
    }
    void add_missing(const GoldenTable& other) {
        choices_.insert(other.choices_.begin(), other.choices_.end());
    }
    void change_channels(const std::function<VcMask(RouterId, NodeId, VcMask)>& change) {
        for (auto& [key, choice] : choices_) {
            choice.virtual_channels = change(key.first, key.second, choice.virtual_channels);
        }
    }

protected:
    RouteChoice hop(RouterId at, NodeId destination) const override {
        const auto found = choices_.find({at, destination});
        return found == choices_.end() ? RouteChoice{} : found->second;
    }

private:
    std::map<std::pair<RouterId, NodeId>, RouteChoice> choices_;
};

using Dependency = std::pair<LinkId, LinkId>;  // a packet holds the first, and waits for the second

/// Whether `from` leads to `to` over any number of dependencies.
bool leads_to(const std::set<Dependency>& dependencies, LinkId from, LinkId to) {
    std::set<LinkId> seen{from};
    std::vector<LinkId> open{from};
    while (!open.empty()) {
        const LinkId at = open.back();
        open.pop_back();
        if (at == to) return true;
        for (auto next = dependencies.lower_bound({at, 0});
             next != dependencies.end() && next->first == at; ++next) {
            if (seen.insert(next->second).second) open.push_back(next->second);
        }
    }
    return false;
}

/// A ring of a torus, walked place by place.
struct Ring {
    unsigned side;

    /// + the shorter way; from places that are even modulo half the side where both are as long.
    bool goes_up(unsigned here, unsigned there) const {
        if (side == 2) return here < there;
        const unsigned up = (there + side - here) % side;
        const unsigned down = side - up;
        return up == down ? here % (side / 2) % 2 == 0 : up < down;
    }
    unsigned next(unsigned here, unsigned there) const {
        return (here + (goes_up(here, there) ? 1 : side - 1)) % side;
    }
    unsigned hops(unsigned here, unsigned there) const {
        const unsigned up = (there + side - here) % side;
        return goes_up(here, there) ? up : side - up;
    }
    bool crosses(unsigned here, unsigned there) const {
        return goes_up(here, there) != (here < there);
    }
    bool takes_lower(unsigned here, unsigned there) const {
        if (crosses(here, there)) return true;
        for (unsigned other = 0; other < side; ++other) {
            const bool is_with_it = other != there && goes_up(other, there) == goes_up(here, there);
            if (is_with_it && crosses(other, there)) return false;
        }
        return hops(here, there) > std::max(1U, (3 * side + 10) / 20);
    }
};

class GoldenRoutes {
public:
    GoldenRoutes(const Config& config, const Graph& graph)
        : graph_(graph),
          places_(config.fabric.topology, graph),
          virtual_channels_(config.fabric.virtual_channels / config.fabric.class_count()),
          links_from_(graph.router_count()) {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            links_from_[graph.link(id).from].push_back(id);
        }
        for (auto& links : links_from_) {  // in the order of ports
            std::sort(links.begin(), links.end(), [&graph](LinkId a, LinkId b) {
                return graph.link(a).from_port < graph.link(b).from_port;
            });
        }
    }

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

    /// nullopt: the virtual channels do not suffice. `preferred` has a say at every router.
    std::optional<GoldenTable> lash(const Routing* preferred) const {
        for (unsigned layers = 1; layers <= virtual_channels_; ++layers) {
            if (auto table = lash_of(layers, preferred)) return table;
        }
        for (unsigned layers = 2; layers <= virtual_channels_; ++layers) {
            if (auto table = climbing_lash_of(layers, preferred)) return table;
        }
        return std::nullopt;
    }

    /// Dimension order on tori with balanced datelines: the fastest-varying dimension first, the
    /// shorter way round.
    GoldenTable balanced_rings() const {
        GoldenTable table(graph_);
        const std::uint32_t half = virtual_channels_ / 2;
        const auto lower = static_cast<VcMask>((1U << half) - 1);
        const auto upper = static_cast<VcMask>(~lower);
        for (RouterId at; at < graph_.router_count(); ++at) {
            for (const NodeId destination : destinations()) {
                const RouterId last = router_of(destination);
                if (at == last) continue;
                std::size_t dim = graph_.dims().size() - 1;
                while (graph_.coordinate(at, dim) == graph_.coordinate(last, dim)) --dim;
                const Ring ring{graph_.dims()[dim]};
                const unsigned here = graph_.coordinate(at, dim);
                const unsigned there = graph_.coordinate(last, dim);
                for (const LinkId id : links_from_[at]) {
                    const Link& link = graph_.link(id);
                    const bool is_next = link.dimension == dim &&
                                         graph_.coordinate(link.to, dim) == ring.next(here, there);
                    if (!is_next) continue;
                    const bool is_lower = ring.takes_lower(here, there);
                    table.set(at, destination, {link.from_port, is_lower ? lower : upper});
                }
            }
        }
        return table;
    }

    /// Whether a file of routes means that link of the router: by the number of the router it leads
    /// to, or by its name, link_000_001 or link_000_001_2.
    static bool is_named(const Link& link, const std::string& text) {
        std::istringstream parts(text);
        std::vector<std::string> words;
        for (std::string word; std::getline(parts, word, '_');) words.push_back(word);
        if (words.size() == 1) return link.to.number() == std::stoul(text);
        const std::size_t rank = words.size() > 3 ? std::stoul(words[3]) : 0;
        return link.to.number() == std::stoul(words[2]) && link.rank == rank;
    }

    /// The lines of a file of routes that says all by numbers.
    GoldenTable from_file(const std::string& path) const {
        GoldenTable for_one(graph_);
        GoldenTable for_all(graph_);
        std::ifstream file(path);
        std::string line;
        std::getline(file, line);
        while (std::getline(file, line)) {
            std::istringstream cells(line);
            std::string at;
            std::string to;
            std::string next;
            std::string channels;
            std::getline(cells, at, ',');
            std::getline(cells, to, ',');
            std::getline(cells, next, ',');
            std::getline(cells, channels, ',');
            const RouterId router(static_cast<std::uint32_t>(std::stoul(at)));
            RouteChoice choice;
            for (const LinkId id : links_from_[router]) {
                const Link& link = graph_.link(id);
                if (is_named(link, next)) choice.port = link.from_port;
            }
            std::istringstream numbers(channels);
            unsigned mask = 0;
            for (unsigned vc = 0; numbers >> vc;) mask |= 1U << vc;
            if (mask != 0) choice.virtual_channels = static_cast<VcMask>(mask);
            for (const NodeId destination : destinations()) {
                if (router_of(destination) == router) continue;
                if (to == "*") {
                    for_all.set(router, destination, choice);
                } else if (destination == std::stoul(to)) {
                    for_one.set(router, destination, choice);
                }
            }
        }
        for_one.add_missing(for_all);
        return for_one;
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
        if (spread == Spread::kNone) return lash(whole);
        const GoldenTable preferred = shortest_path(spread);
        return lash(&preferred);
    }

private:
    RouterId router_of(NodeId node) const { return places_.router_of(node); }

    /// The nodes that send and receive.
    std::vector<NodeId> destinations() const {
        std::vector<NodeId> nodes;
        for (NodeId node = 0; node < graph_.node_count(); ++node) {
            if (graph_.is_alive(node)) nodes.push_back(node);
        }
        return nodes;
    }

    /// Hops of every router to that of a destination, over links that `admits` lets pass.
    std::vector<unsigned> hops_to(RouterId last,
                                  const std::function<bool(const Link&)>& admits) const {
        std::vector<unsigned> hops(graph_.router_count(), kFar);
        hops[last] = 0;
        for (bool changes = true; changes;) {
            changes = false;
            for (const Link& link : graph_.links()) {
                if (!admits(link) || hops[link.to] + 1 >= hops[link.from]) continue;
                hops[link.from] = hops[link.to] + 1;
                changes = true;
            }
        }
        return hops;
    }

    /// Routers by the number of hops.
    std::vector<RouterId> nearest_first(const std::vector<unsigned>& hops) const {
        std::vector<RouterId> routers;
        for (RouterId router; router < graph_.router_count(); ++router) {
            if (hops[router] != 0 && hops[router] != kFar) routers.push_back(router);
        }
        std::stable_sort(routers.begin(), routers.end(),
                         [&hops](RouterId a, RouterId b) { return hops[a] < hops[b]; });
        return routers;
    }

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

    const Graph& graph_;
    GoldenPlaces places_;
    unsigned virtual_channels_;
    std::vector<std::vector<LinkId>> links_from_;
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
    if (fabric.routing == "dimension_order_balanced") return routes.balanced_rings();
    if (fabric.routing == "file") return routes.from_file(fabric.routes_file);
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
