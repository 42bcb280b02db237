// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shortest paths of a network: by links, in a breadth-first search, and by delays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

class Graph;

/// Direction of a search: from routers, or to them.
enum class Way : std::uint8_t { kFrom, kTo };

/// The links that a search follows from each router, router after router.
class SearchLinks {
public:
    SearchLinks(const Graph& graph, Way way);

    std::size_t routers() const { return first_.size() - 1; }
    std::uint32_t begin(RouterId router) const { return first_[router]; }
    std::uint32_t end(RouterId router) const { return first_[router + 1]; }
    LinkId link(std::uint32_t place) const { return links_[place]; }
    RouterId next(std::uint32_t place) const { return next_[place]; }

private:
    std::vector<std::uint32_t> first_;
    std::vector<LinkId> links_;
    std::vector<RouterId> next_;
};

class DistanceSearch {
public:
    DistanceSearch(const Graph& graph, Way way) : links_(graph, way) {}

    /// Distances of all routers from (to) `router`; valid until the next search. UINT32_MAX if
    /// there is no path.
    const std::vector<std::uint32_t>& distances(RouterId router);

private:
    SearchLinks links_;
    std::vector<std::uint32_t> distance_;
    std::vector<RouterId> open_;
};

/// Dijkstra's algorithm.
class DelaySearch {
public:
    /// `hops`: the delay of each link.
    DelaySearch(const Graph& graph, Way way, std::vector<Cycle> hops)
        : links_(graph, way), hops_(std::move(hops)) {}

    /// Delays of all routers from (to) `router`, which has 0; valid until the next search. kNever
    /// if there is no path. Saturates.
    const std::vector<Cycle>& delays(RouterId router);

private:
    SearchLinks links_;
    std::vector<Cycle> hops_;
    std::vector<Cycle> delay_;
};

}  // namespace flitscope
