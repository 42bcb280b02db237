// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/golden_dragonfly.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/base/split_mix.h"
#include "models/config/config.h"
#include "models/config/topology_config.h"
#include "models/routing/link_queues.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/verification/reference/golden_places.h"

namespace flitscope {
namespace {

using Path = std::vector<LinkId>;

class GoldenDragonfly final : public Routing {
public:
    GoldenDragonfly(const Config& config, const Graph& graph)
        : Routing(graph.shared_places()),
          graph_(graph),
          places_(config.fabric.topology, graph),
          name_(config.fabric.routing),
          seed_(config.seed),
          groups_(config.fabric.topology.parameter("groups")),
          group_size_(config.fabric.topology.parameter("group_size")),
          own_channels_(config.fabric.virtual_channels / config.fabric.class_count()) {}

    std::string name() const override { return name_; }
    PathChoice path_choice() const override { return PathChoice::kByQueues; }

protected:
    RouteChoice hop(RouterId at, NodeId destination) const override {
        const Path path = minimal_path(at, destination);
        return path.empty() ? RouteChoice{} : RouteChoice{graph_.link(path.front()).from_port};
    }

    RouteChoice hop(const RouteQuery& query, const LinkQueues& queues, Cycle now) const override {
        const std::uint32_t source_group = group(places_.router_of(query.source));
        const Path minimal = minimal_path(query.at, query.destination);
        if (minimal.empty()) return {};
        const RouteChoice on_minimal = choice(query, minimal.front(), false);
        if (!has_detour(query) || group(query.at) != source_group) return on_minimal;
        const Path detour = detour_path(query);
        const RouteChoice on_detour = choice(query, detour.front(), true);
        if (!query.is_injected) {
            const std::uint32_t own = query.in_vc % own_channels_;
            const bool came_on_detour = in_class(own, is_progressive() ? 1 : 0, locals());
            if (came_on_detour) return on_detour;
            if (!is_progressive()) return on_minimal;
        }
        const auto counted = [&](const Path& path) {
            return is_global() ? first_global(path) : path.front();
        };
        VcMask minimal_channels = kAllVirtualChannels;
        VcMask detour_channels = kAllVirtualChannels;
        if (counted(minimal) == counted(detour)) {
            minimal_channels = on_minimal.virtual_channels;
            detour_channels = on_detour.virtual_channels;
        }
        const auto product = [&](const Path& path, VcMask channels) {
            return queues.queued(counted(path), channels, now) * path.size();
        };
        return product(minimal, minimal_channels) > product(detour, detour_channels) ? on_detour
                                                                                     : on_minimal;
    }

private:
    bool is_progressive() const { return name_ == "progressive_adaptive"; }
    bool is_global() const { return name_ == "ugal_global"; }
    std::uint32_t locals() const { return is_progressive() ? 4 : 3; }

    std::uint32_t group(RouterId router) const { return router / group_size_; }
    bool is_global_link(LinkId id) const {
        return group(graph_.link(id).from) != group(graph_.link(id).to);
    }
    LinkId first_global(const Path& path) const {
        return *std::find_if(path.begin(), path.end(),
                             [this](LinkId id) { return is_global_link(id); });
    }
    LinkId local_link(RouterId from, RouterId to) const {
        for (LinkId id = 0; id < graph_.link_count(); ++id) {
            if (graph_.link(id).from == from && graph_.link(id).to == to) return id;
        }
        return kNoLink;
    }
    /// The global channels from one group to another, in the order of their numbers.
    Path channels_between(std::uint32_t from, std::uint32_t to) const {
        Path links;
        for (LinkId id = 0; id < graph_.link_count(); ++id) {
            if (group(graph_.link(id).from) == from && group(graph_.link(id).to) == to) {
                links.push_back(id);
            }
        }
        std::sort(links.begin(), links.end(), [this](LinkId a, LinkId b) {
            const Link& x = graph_.link(a);
            const Link& y = graph_.link(b);
            return std::pair(x.from.number(), x.from_port) <
                   std::pair(y.from.number(), y.from_port);
        });
        return links;
    }

    Path minimal_path(RouterId at, NodeId destination) const {
        const RouterId last = places_.router_of(destination);
        Path path;
        while (at != last) {
            path.push_back(minimal_link(at, last, destination));
            at = graph_.link(path.back()).to;
        }
        return path;
    }
    LinkId minimal_link(RouterId at, RouterId last, NodeId destination) const {
        if (group(at) == group(last)) return local_link(at, last);
        const Path all = channels_between(group(at), group(last));
        Path own;
        for (const LinkId id : all) {
            if (graph_.link(id).from == at) own.push_back(id);
        }
        const bool chooses_own = all.size() > group_size_ && !own.empty();
        const LinkId global =
            chooses_own ? own[destination % own.size()] : all[last % group_size_ % all.size()];
        const RouterId begin = graph_.link(global).from;
        return begin == at ? global : local_link(at, begin);
    }

    bool has_detour(const RouteQuery& query) const {
        return groups_ > 2 && group(places_.router_of(query.source)) !=
                                  group(places_.router_of(query.destination));
    }
    /// From a router of the group of the source.
    Path detour_path(const RouteQuery& query) const {
        const std::uint32_t from = group(places_.router_of(query.source));
        const std::uint32_t to = group(places_.router_of(query.destination));
        std::vector<std::uint32_t> others;
        for (std::uint32_t other = 0; other < groups_; ++other) {
            if (other != from && other != to) others.push_back(other);
        }
        const std::uint64_t x =
            split_mix(split_mix(split_mix(seed_) ^ query.source) ^ query.sequence);
        const Path channels = channels_between(from, others[x % others.size()]);
        const LinkId global = channels[x / others.size() % channels.size()];
        Path path;
        const RouterId begin = graph_.link(global).from;
        if (begin != query.at) path.push_back(local_link(query.at, begin));
        path.push_back(global);
        const Path rest = minimal_path(graph_.link(global).to, query.destination);
        path.insert(path.end(), rest.begin(), rest.end());
        return path;
    }

    /// Class `k` of `n` among the channels of a message class.
    bool in_class(std::uint32_t vc, std::uint32_t k, std::uint32_t n) const {
        return vc >= k * own_channels_ / n && vc < (k + 1) * own_channels_ / n;
    }
    /// The row of the table for a link that a packet takes next.
    RouteChoice choice(const RouteQuery& query, LinkId id, bool on_detour) const {
        const std::uint32_t source_group = group(places_.router_of(query.source));
        const std::uint32_t last_group = group(places_.router_of(query.destination));
        const Link& link = graph_.link(id);
        std::uint32_t k = 0;
        std::uint32_t n = locals();
        if (is_global_link(id)) {
            k = group(link.to) == last_group ? 1 : 0;
            n = 2;
        } else if (group(link.from) == last_group) {
            k = is_progressive() ? 3 : 2;
        } else if (group(link.from) != source_group) {
            k = is_progressive() ? 2 : 1;
        } else if (on_detour) {
            k = is_progressive() ? 1 : 0;
        } else {
            k = is_progressive() ? 0 : 1;
        }
        const std::uint32_t first = query.in_vc / own_channels_ * own_channels_;
        unsigned mask = 0;
        for (std::uint32_t vc = 0; vc < own_channels_; ++vc) {
            if (in_class(vc, k, n)) mask |= 1U << (first + vc);
        }
        return {link.from_port, static_cast<VcMask>(mask)};
    }

    const Graph& graph_;
    GoldenPlaces places_;
    std::string name_;
    std::uint64_t seed_;
    std::uint32_t groups_;
    std::uint32_t group_size_;
    std::uint32_t own_channels_;
};

}  // namespace

std::unique_ptr<Routing> golden_dragonfly(const Config& config, const Graph& graph) {
    const std::set<std::string> names = {"ugal_local", "ugal_global", "progressive_adaptive"};
    if (names.count(config.fabric.routing) == 0) return nullptr;
    return std::make_unique<GoldenDragonfly>(config, graph);
}

}  // namespace flitscope
