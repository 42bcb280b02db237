// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Dragonflies: minimal, or over another group, by queue lengths. UGAL (Kim, Dally, Scott and Abts
// 2008, Section 4.2, there UGAL-L VC_H and UGAL-G) chooses at the source, progressive adaptive
// routing (Jiang, Kim and Dally 2009) once more after a local channel. hw/TIMING.md, "Routing by
// queues", has the rules.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/channel_halves.h"
#include "models/routing/link_queues.h"
#include "models/routing/packet_hash.h"
#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

/// The legs of a path in the order in which a packet takes them, each optional: the first two in
/// the group of the source. A packet waits only for channels of later legs than those that it
/// holds, so no cycle closes.
enum class Leg : std::uint8_t {
    kMayLeave,      ///< progressive: a local channel of the minimal path, which it may still leave
    kDetour,        ///< a local channel towards the detour
    kGlobalDetour,  ///< the global channel to the group between
    kToLast,        ///< a local channel in the group between; UGAL: or of the minimal path
    kGlobalToLast,  ///< the global channel to the group of the destination
    kLast,          ///< the local channel there
};
constexpr std::size_t kLegs = 6;

constexpr const char* kNames[] = {"ugal_local", "ugal_global", "progressive_adaptive"};

bool is_global(Leg leg) { return leg == Leg::kGlobalDetour || leg == Leg::kGlobalToLast; }

class DragonflyAdaptive final : public Routing {
public:
    DragonflyAdaptive(const Graph& graph, std::uint32_t virtual_channels, std::uint64_t seed,
                      DragonflyChoice choice)
        : Routing(graph.shared_places()),
          shape_(*graph.shape<DragonflyShape>()),
          first_port_(graph.local_ports()),
          seed_(seed),
          choice_(choice),
          minimal_(make_dragonfly_minimal(graph, 2)),
          exits_(std::size_t{shape_.routers()} * shape_.link_ports()) {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            exits_[place_of(link.from, link.from_port)] = {id, link.to};
        }
        const std::uint32_t locals = is_progressive() ? 4 : 3;
        std::uint32_t local = 0;
        channels(Leg::kMayLeave) = {0, 0, 0};  // without such a leg
        for (const Leg leg : {Leg::kMayLeave, Leg::kDetour, Leg::kToLast, Leg::kLast}) {
            if (leg == Leg::kMayLeave && !is_progressive()) continue;
            channels(leg) = class_channels(virtual_channels, locals, local++);
        }
        channels(Leg::kGlobalDetour) = class_channels(virtual_channels, 2, 0);
        channels(Leg::kGlobalToLast) = class_channels(virtual_channels, 2, 1);
    }

    std::string name() const override { return kNames[static_cast<std::size_t>(choice_)]; }
    PathChoice path_choice() const override { return PathChoice::kByQueues; }

    /// In the group of the source.
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return minimal(at, shape_.group(at), destination);
    }
    /// Minimal, unless the packet is on a detour.
    RouteChoice hop(const RouteQuery& query) const override {
        if (came_on(query, Leg::kDetour)) return to_channel(query.at, *detour_of(query));
        return minimal(query.at, group_of(query.source), query.destination);
    }
    RouteChoice hop(const RouteQuery& query, const LinkQueues& queues, Cycle now) const override {
        const RouteChoice usual = hop(query);
        if (!query.is_injected && !came_on(query, Leg::kMayLeave)) return usual;
        const std::optional<std::uint32_t> channel = detour_of(query);
        if (!channel) return usual;
        const RouteChoice other = to_channel(query.at, *channel);
        const Way usual_way = way_over(query.at, std::nullopt, query.destination);
        const Way other_way = way_over(query.at, channel, query.destination);
        const bool by_global = choice_ == DragonflyChoice::kUgalGlobal;
        const LinkId usual_link = by_global ? usual_way.global : usual_way.first;
        const LinkId other_link = by_global ? other_way.global : other_way.first;
        // On one link both have the same queue, except for that on their own virtual channels.
        const bool is_same = usual_link == other_link;
        const auto cost = [&](LinkId link, const RouteChoice& choice, const Way& way) {
            const VcMask counted = is_same ? choice.virtual_channels : kAllVirtualChannels;
            return queues.queued(link, counted, now) * way.hops;
        };
        const bool is_minimal =
            cost(usual_link, usual, usual_way) <= cost(other_link, other, other_way);
        return is_minimal ? usual : other;
    }

    /// From leg to leg, at each router, whatever source and destination.
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        const std::vector<Turn> all = turns();
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const RouterId at = graph.link(id).to;
            const bool over_global = is_global_port(graph.link(id).from_port);
            for (PortId port = first_port_; port < graph.port_count(); ++port) {
                const LinkId wanted = graph.out_link(at, port);
                if (wanted == kNoLink) continue;
                for (const auto& [leg, next] : all) {
                    if (is_global(leg) != over_global || is_global(next) != is_global_port(port)) {
                        continue;
                    }
                    visit({id, channels(leg).first}, {wanted, channels(next).first});
                }
            }
        }
    }

private:
    struct Exit {
        LinkId link = kNoLink;
        RouterId to;
    };
    /// A path from a router on.
    struct Way {
        LinkId first = kNoLink;
        LinkId global = kNoLink;  ///< its first global channel
        std::uint64_t hops = 0;
    };
    using Turn = std::pair<Leg, Leg>;

    /// Legs that follow each other on some path.
    std::vector<Turn> turns() const {
        std::vector<Turn> all = {{Leg::kDetour, Leg::kGlobalDetour},
                                 {Leg::kGlobalDetour, Leg::kToLast},
                                 {Leg::kGlobalDetour, Leg::kGlobalToLast},
                                 {Leg::kToLast, Leg::kGlobalToLast},
                                 {Leg::kGlobalToLast, Leg::kLast}};
        if (is_progressive()) {
            all.insert(all.end(), {{Leg::kMayLeave, Leg::kDetour},
                                   {Leg::kMayLeave, Leg::kGlobalDetour},
                                   {Leg::kMayLeave, Leg::kGlobalToLast}});
        }
        return all;
    }

    RouteChoice minimal(RouterId at, std::uint32_t source_group, NodeId destination) const {
        if (at == router_of(destination)) return {kLocalPort};
        const PortId port = minimal_->route(at, destination).port;
        if (is_global_port(port)) return on(Leg::kGlobalToLast, port);
        if (shape_.group(at) == group_of(destination)) return on(Leg::kLast, port);
        const bool may_leave = is_progressive() && shape_.group(at) == source_group;
        return on(may_leave ? Leg::kMayLeave : Leg::kToLast, port);
    }
    RouteChoice to_channel(RouterId at, std::uint32_t channel) const {
        const std::uint32_t owner = shape_.owner(channel);
        if (shape_.place(at) == owner) {
            return on(Leg::kGlobalDetour, first_port_ + shape_.global_port(channel));
        }
        const PortId port = first_port_ + DragonflyShape::port_to(shape_.place(at), owner);
        return on(Leg::kDetour, port);
    }
    /// The global channel by which the detour of a packet leaves the group of its source, if it has
    /// one.
    std::optional<std::uint32_t> detour_of(const RouteQuery& query) const {
        const std::uint32_t from = group_of(query.source);
        const std::uint32_t to = group_of(query.destination);
        if (from == to || shape_.groups == 2) return std::nullopt;
        const std::uint32_t others = shape_.groups - 2;
        const std::uint64_t lot = packet_hash(seed_, query);
        auto between = static_cast<std::uint32_t>(lot % others);
        for (const std::uint32_t passed : {std::min(from, to), std::max(from, to)}) {
            if (between >= passed) ++between;
        }
        const std::uint64_t round = lot / others % shape_.channels_per_pair();
        return shape_.channel(from, between, static_cast<std::uint32_t>(round));
    }
    /// The path from `at` on: over that channel of the group, or minimal.
    Way way_over(RouterId at, std::optional<std::uint32_t> channel, NodeId destination) const {
        Way way;
        while (at != router_of(destination)) {
            const PortId port = channel && way.global == kNoLink
                                    ? to_channel(at, *channel).port
                                    : minimal_->route(at, destination).port;
            const Exit& exit = exits_[place_of(at, port)];
            if (way.hops++ == 0) way.first = exit.link;
            if (way.global == kNoLink && is_global_port(port)) way.global = exit.link;
            at = exit.to;
        }
        return way;
    }

    /// Whether the packet arrived on a local channel of `leg`.
    bool came_on(const RouteQuery& query, Leg leg) const {
        if (query.is_injected || is_global_port(query.in_port)) return false;
        const ChannelRange& own = channels(leg);
        return query.in_vc - own.first < own.count;
    }
    RouteChoice on(Leg leg, PortId port) const { return {port, channels(leg).mask}; }
    bool is_progressive() const { return choice_ == DragonflyChoice::kProgressive; }
    bool is_global_port(PortId port) const { return port >= first_port_ + shape_.global_port(0); }
    std::uint32_t group_of(NodeId node) const { return shape_.group(router_of(node)); }
    std::size_t place_of(RouterId router, PortId port) const {
        return std::size_t{router} * shape_.link_ports() + (port - first_port_);
    }
    const ChannelRange& channels(Leg leg) const { return channels_[static_cast<std::size_t>(leg)]; }
    ChannelRange& channels(Leg leg) { return channels_[static_cast<std::size_t>(leg)]; }

    DragonflyShape shape_;
    PortId first_port_;
    std::uint64_t seed_;
    DragonflyChoice choice_;
    std::unique_ptr<Routing> minimal_;
    std::vector<Exit> exits_;  // per router and link port
    std::array<ChannelRange, kLegs> channels_{};
};

}  // namespace

std::unique_ptr<Routing> make_dragonfly_adaptive(const Graph& dragonfly,
                                                 std::uint32_t virtual_channels, std::uint64_t seed,
                                                 DragonflyChoice choice) {
    return std::make_unique<DragonflyAdaptive>(dragonfly, virtual_channels, seed, choice);
}

}  // namespace flitscope
