// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of table routings: the table, and searches that fill it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

inline constexpr std::uint32_t kUnreached = UINT32_MAX;

/// The links that arrive at a router, in order of ports.
class Neighbours {
public:
    explicit Neighbours(const Graph& graph)
        : first_(graph.router_count() + 1, 0), links_(graph.link_count()) {
        for (const Link& link : graph.links()) ++first_[link.to + 1];
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (RouterId router; router < graph.router_count(); ++router) {
            for (PortId port = graph.local_ports(); port < graph.port_count(); ++port) {
                const LinkId id = graph.in_link(router, port);
                if (id != kNoLink) links_[next[router]++] = graph.link(id);
            }
        }
    }
    struct Range {
        const Link* first;
        const Link* last;

        const Link* begin() const { return first; }
        const Link* end() const { return last; }
    };
    Range into(RouterId router) const {
        return {links_.data() + first_[router], links_.data() + first_[router + 1]};
    }

private:
    std::vector<std::uint32_t> first_;
    std::vector<Link> links_;
};

class TableRouting final : public Routing {
public:
    TableRouting(std::string name, const Graph& graph)
        : Routing(graph.shared_places()),
          name_(std::move(name)),
          routers_(graph.router_count()),
          port_(std::size_t{routers_} * graph.node_count(), kLocalPort),
          virtual_channels_(graph.node_count(), kAllVirtualChannels) {}

    std::string name() const override { return name_; }
    RouteChoice hop(RouterId at, NodeId destination) const override {
        const std::size_t place = std::size_t{destination} * routers_ + at;
        return {port_[place],
                of_places_.empty() ? virtual_channels_[destination] : of_places_[place]};
    }

    /// The ports towards `destination`, per router; kLocalPort at its own, and if it cannot be
    /// reached.
    std::uint16_t* towards(NodeId destination) {
        return &port_[std::size_t{destination} * routers_];
    }
    /// Sets the virtual channels that packets to `destination` may be given on their way.
    void set_virtual_channels(NodeId destination, VcMask mask) {
        virtual_channels_[destination] = mask;
    }
    /// Likewise, but only for their hop from `at`. After this the above must not be called.
    void set_virtual_channels(RouterId at, NodeId destination, VcMask mask) {
        if (of_places_.empty()) {
            for (const VcMask of_all : virtual_channels_) {
                of_places_.insert(of_places_.end(), routers_, of_all);
            }
        }
        of_places_[std::size_t{destination} * routers_ + at] = mask;
    }

private:
    std::string name_;
    std::uint32_t routers_;
    std::vector<std::uint16_t> port_;       // destination by destination
    std::vector<VcMask> virtual_channels_;  // by destination
    std::vector<VcMask> of_places_;         // as port_; empty: all as virtual_channels_
};

/// Enters the port of `link` if it leads nearer to the destination than the table's port, or as
/// near through a lower port.
class Relaxation {
public:
    Relaxation(std::vector<std::uint32_t>& distance, std::uint16_t* ports)
        : distance_(distance), ports_(ports) {}
    /// Returns whether the link's source had not been reached.
    bool operator()(const Link& link) {
        const std::uint32_t through = distance_[link.to] + 1;
        const bool is_new = distance_[link.from] == kUnreached;
        if (is_new || through < distance_[link.from] ||
            (through == distance_[link.from] && link.from_port < ports_[link.from])) {
            distance_[link.from] = through;
            ports_[link.from] = static_cast<std::uint16_t>(link.from_port);
        }
        return is_new;
    }

private:
    std::vector<std::uint32_t>& distance_;
    std::uint16_t* ports_;
};

/// The routers that a breadth-first search against the links reaches from one destination after the
/// other.
class Search {
public:
    explicit Search(const Graph& graph) : neighbours_(graph), distance_(graph.router_count()) {}

    /// Fills `ports` with the way to `destination` for all that reach it over links that `admits`
    /// accepts. Returns them, the destination first.
    template <class Admits>
    const std::vector<RouterId>& run(RouterId destination, std::uint16_t* ports,
                                     const Admits& admits) {
        std::fill(distance_.begin(), distance_.end(), kUnreached);
        distance_[destination] = 0;
        reached_.assign(1, destination);
        Relaxation relax(distance_, ports);
        for (std::size_t i = 0; i < reached_.size(); ++i) {
            for (const Link& link : neighbours_.into(reached_[i])) {
                if (admits(link) && relax(link)) reached_.push_back(link.from);
            }
        }
        return reached_;
    }

    const Neighbours& neighbours() const { return neighbours_; }
    /// Hops to the last destination, or kUnreached.
    std::vector<std::uint32_t>& distance() { return distance_; }

private:
    Neighbours neighbours_;
    std::vector<std::uint32_t> distance_;
    std::vector<RouterId> reached_;
};

}  // namespace flitscope
