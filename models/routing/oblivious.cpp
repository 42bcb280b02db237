// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Oblivious routing at random: every packet has one path, chosen by a hash of its number. Its
// virtual channel shows which part of the path it is on.
#include <cstdint>
#include <utility>

#include "models/routing/channel_halves.h"
#include "models/routing/coordinates.h"
#include "models/routing/packet_hash.h"
#include "models/routing/routing_factory.h"

namespace flitscope {
namespace {

/// Along the row first or along the column first (Seo et al. 2005), each order on its own half.
/// A coin chooses, as routers compute the choice by gates.
class O1Turn final : public Routing {
public:
    O1Turn(const Graph& mesh, std::uint32_t virtual_channels, std::uint64_t seed)
        : Routing(mesh.shared_places()),
          coordinates_(mesh),
          wiring_(*mesh.wiring()),
          row_first_(ChannelHalves(virtual_channels).lower),
          column_first_(ChannelHalves(virtual_channels).upper),
          coin_{seed, column_first_.first} {}

    std::string name() const override { return "o1turn"; }
    PathChoice path_choice() const override { return PathChoice::kPerPacket; }
    std::optional<PathCoin> path_coin() const override { return coin_; }

    RouteChoice hop(RouterId at, NodeId destination) const override {
        return along(0, at, destination);
    }
    RouteChoice hop(const RouteQuery& query) const override {
        const bool column = query.is_injected ? coin_.takes_second(query.source, query.sequence)
                                              : query.in_vc >= coin_.second_from;
        return along(column ? 1 : 0, query.at, query.destination);
    }

    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            const std::size_t dim = 1 - link.dimension;
            const auto may_take = [&](std::size_t along, bool minus, const ChannelRange& half) {
                const LinkId wanted = graph.out_hop(link.to, along, 0, minus);
                if (wanted != kNoLink) visit({id, half.first}, {wanted, half.first});
            };
            const bool straight = link.to < link.from;
            may_take(link.dimension, straight, row_first_);
            may_take(link.dimension, straight, column_first_);
            for (const bool minus : {false, true}) {
                may_take(dim, minus, dim == 0 ? row_first_ : column_first_);
            }
        }
    }

private:
    /// Dimension `first` (0: along the row) before the other one.
    RouteChoice along(std::size_t first, RouterId at, NodeId destination) const {
        const std::uint16_t* const here = coordinates_.of(at);
        const std::uint16_t* const there = coordinates_.of(router_of(destination));
        for (const std::size_t k : {first, 1 - first}) {
            if (here[k] == there[k]) continue;
            const RouteChoice choice{wiring_.port(1 - k, 0, there[k] < here[k], here[k])};
            return (first == 0 ? row_first_ : column_first_).place(choice);
        }
        return {kLocalPort};
    }

    Coordinates coordinates_;
    GridWiring wiring_;
    ChannelRange row_first_;
    ChannelRange column_first_;
    PathCoin coin_;
};

/// Goes to a router chosen at random, then to the destination (Valiant 1982), each phase in
/// dimension order, or over one global channel of a dragonfly, on its own half. A packet that
/// passes its destination has arrived.
class Valiant final : public Routing {
public:
    Valiant(const Graph& graph, std::uint32_t virtual_channels, std::uint64_t seed)
        : Routing(graph.shared_places()),
          seed_(seed),
          away_{ChannelHalves(virtual_channels).lower, nullptr},
          home_{ChannelHalves(virtual_channels).upper, nullptr} {
        for (Phase* const phase : {&away_, &home_}) {
            phase->order = graph.shape<DragonflyShape>() != nullptr
                               ? make_dragonfly_minimal(graph, phase->half.count)
                               : make_dimension_order(graph, phase->half.count);
        }
    }

    std::string name() const override { return "valiant"; }
    PathChoice path_choice() const override { return PathChoice::kPerPacket; }

    RouteChoice hop(RouterId at, NodeId destination) const override {
        if (at == router_of(destination)) return {kLocalPort};
        return home_.route(at, destination);
    }
    RouteChoice hop(const RouteQuery& query) const override {
        if (query.at == router_of(query.destination)) return {kLocalPort};
        const bool is_home = !query.is_injected && query.in_vc >= home_.half.first;
        const RouterId turn(
            static_cast<std::uint32_t>(packet_hash(seed_, query) % places()->router_count()));
        if (is_home || query.at == turn) return home_.route(query.at, query.destination);
        return away_.route(query.at, places()->nodes_at(turn)[0]);
    }

    /// Between the phases a packet may be at any router; each is a separate place.
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        for (const Phase* const phase : {&away_, &home_}) {
            phase->order->visit_dependencies(graph, [&](VirtualLink holds, VirtualLink wants) {
                visit({holds.link, holds.vc + phase->half.first},
                      {wants.link, wants.vc + phase->half.first});
            });
        }
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const LinkId behind = graph.link_count() + graph.link(id).to;
            const LinkId before = graph.link_count() + graph.link(id).from;
            for (std::uint32_t vc = 0; vc < away_.half.count; ++vc) {
                visit({id, away_.half.first + vc}, {behind, 0});
            }
            for (std::uint32_t vc = 0; vc < home_.half.count; ++vc) {
                visit({before, 0}, {id, home_.half.first + vc});
            }
        }
    }

private:
    struct Phase {
        ChannelRange half;
        std::unique_ptr<Routing> order;

        /// Wants `to` to be elsewhere.
        RouteChoice route(RouterId at, NodeId to) const { return half.place(order->route(at, to)); }
    };

    std::uint64_t seed_;
    Phase away_;
    Phase home_;
};

}  // namespace

std::unique_ptr<Routing> make_o1turn(const Graph& mesh, std::uint32_t virtual_channels,
                                     std::uint64_t seed) {
    return std::make_unique<O1Turn>(mesh, virtual_channels, seed);
}

std::unique_ptr<Routing> make_valiant(const Graph& graph, std::uint32_t virtual_channels,
                                      std::uint64_t seed) {
    return std::make_unique<Valiant>(graph, virtual_channels, seed);
}

}  // namespace flitscope
