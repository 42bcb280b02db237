// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Spreads the paths of a table over next links that are equally good, destination by destination.
// For each either the routers that are farthest from it choose first, each among its own links, so
// that the traffic through a router is known when its turn comes; or one node after the other
// chooses its whole path, as far as routers on it have not chosen yet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/config/fabric_config.h"
#include "models/routing/path_table.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

/// "shortest_path", or "shortest_path/flow": the name in reports of a table with that spread.
std::string spread_name(const std::string& routing, Spread spread);

class PathSpreader {
public:
    PathSpreader(const Graph& graph, Spread spread);

    /// Chooses the port of every router with a distance above 0 that is not kUnreached, among its
    /// links that `admits` lets pass and that lead one hop nearer to the destination: the lowest
    /// port of those that are least busy with what they have and with this. Without a spread
    /// `ports` stays as it is; where whole paths are chosen, also that of routers on no node's
    /// path. To be called once per destination, in the order of their numbers.
    template <class Admits>
    void spread(const std::vector<std::uint32_t>& distance, const Admits& admits,
                std::uint16_t* ports) {
        if (spread_ == Spread::kNone) return;
        begin(distance);
        const auto is_next = [&](const Link& link) {
            return distance[link.to] + 1 == distance[link.from] && admits(link);
        };
        if (spread_ == Spread::kPaths) {
            take_paths(distance, is_next, ports);
            return;
        }
        for (const RouterId router : farthest_first_) {
            LinkId best = kNoLink;
            for (std::uint32_t i = first_[router]; i < first_[router + 1]; ++i) {
                if (!is_next(graph_.link(out_[i]))) continue;
                if (best == kNoLink || cycles_with_next(out_[i]) < cycles_with_next(best)) {
                    best = out_[i];
                }
            }
            ports[router] = static_cast<std::uint16_t>(graph_.link(best).from_port);
            take(best);
        }
    }

private:
    /// How busy a path is with what it takes: its busiest link, then all of its links.
    using Business = std::pair<std::uint64_t, std::uint64_t>;

    /// Every node that sends takes the least busy path, the lowest port among equals.
    template <class IsNext>
    void take_paths(const std::vector<std::uint32_t>& distance, const IsNext& is_next,
                    std::uint16_t* ports) {
        std::fill(taken_.begin(), taken_.end(), kNoLink);
        for (NodeId node = 0; node < graph_.node_count(); ++node) {
            const RouterId first = graph_.router_of(node);
            if (!graph_.is_alive(node) || distance[first] == kUnreached) continue;
            if (distance[first] != 0 && taken_[first] == kNoLink) {
                ++search_;
                least_busy(first, distance, is_next);
            }
            for (RouterId at = first; distance[at] != 0;) {
                if (taken_[at] == kNoLink) {
                    taken_[at] = best_[at];
                    ports[at] = static_cast<std::uint16_t>(graph_.link(taken_[at]).from_port);
                }
                ++count_[taken_[at]];
                at = graph_.link(taken_[at]).to;
            }
        }
    }

    /// Notes the best next link of every router on paths from `at`, and returns how busy that is.
    template <class IsNext>
    Business least_busy(RouterId at, const std::vector<std::uint32_t>& distance,
                        const IsNext& is_next) {
        if (distance[at] == 0) return {0, 0};
        if (found_in_[at] == search_) return business_[at];
        best_[at] = kNoLink;
        for (std::uint32_t i = first_[at]; i < first_[at + 1]; ++i) {
            const LinkId id = out_[i];
            if (taken_[at] != kNoLink ? id != taken_[at] : !is_next(graph_.link(id))) continue;
            Business business = least_busy(graph_.link(id).to, distance, is_next);
            const std::uint64_t cycles = cycles_with_next(id);
            business = {std::max(business.first, cycles), business.second + cycles};
            if (best_[at] != kNoLink && business >= business_[at]) continue;
            best_[at] = id;
            business_[at] = business;
        }
        found_in_[at] = search_;
        return business_[at];
    }

    /// Sorts the routers, and has every living node that sends send one unit.
    void begin(const std::vector<std::uint32_t>& distance);
    /// What choosing the link would add to it for the present destination.
    std::uint64_t next_on(LinkId id) const {
        return spread_ == Spread::kFlow ? passing_[graph_.link(id).from] : 1;
    }
    /// How long the link would be busy with a flit of each: a slow one is longer.
    std::uint64_t cycles_with_next(LinkId id) const {
        return (count_[id] + next_on(id)) * graph_.link(id).rate_cycles;
    }
    /// Counts what goes over the link to the present destination.
    void take(LinkId id);

    const Graph& graph_;
    Spread spread_;
    std::vector<std::uint32_t> first_;  // per router, of the links that leave it,
    std::vector<LinkId> out_;           // in the order of ports
    std::vector<std::uint64_t> count_;  // per link: destinations (ports), or pairs of nodes (flow)
    std::vector<RouterId> farthest_first_;
    std::vector<std::uint64_t>
        passing_;  // per router: senders whose path to the destination is here
    // Per router, where whole paths are chosen: its link to the destination, once that is chosen;
    // and by the last search that came by its best one, and how busy the path over that is.
    std::vector<LinkId> taken_;
    std::vector<LinkId> best_;
    std::vector<Business> business_;
    std::vector<std::uint64_t> found_in_;
    std::uint64_t search_ = 0;
};

}  // namespace flitscope
