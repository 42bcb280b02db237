// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimal adaptive routing on meshes that is free of deadlock because some turns are never taken:
// west-first and negative-first (Glass and Ni 1992), odd-even (Chiu 2000).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "models/base/limits.h"
#include "models/routing/coordinates.h"
#include "models/routing/routing_factory.h"

namespace flitscope {
namespace {

/// A hop. Dimensions are counted from the fastest-varying one, whose - direction is west.
struct Move {
    std::size_t dim = 0;
    bool minus = false;

    bool is_west() const { return dim == 0 && minus; }
    bool is_east() const { return dim == 0 && !minus; }
};

/// Position, destination and source of a packet.
struct Way {
    const std::uint16_t* here;
    const std::uint16_t* there;
    const std::uint16_t* source;
};

class TurnModel : public Routing {
public:
    explicit TurnModel(const Graph& graph)
        : Routing(graph.shared_places()),
          coordinates_(graph),
          wiring_(*graph.wiring()),
          dims_(graph.dims().size()) {}

    PathChoice path_choice() const override { return PathChoice::kAdaptive; }

    /// The slowest-varying dimension first, as far as the turns allow.
    RouteChoice hop(RouterId at, NodeId destination) const override {
        RouteChoice last{kLocalPort};
        each_move(way_of(at, at, destination),
                  [&](Move move, std::uint32_t) { last = {port(move, coordinates_.of(at))}; });
        return last;
    }

    /// The dimension with more hops to go first; among equals the fastest-varying one.
    void hops(const RouteQuery& query, RouteChoices& choices) const override {
        struct Candidate {
            PortId port = kLocalPort;
            std::uint32_t hops = 0;
        };
        std::array<Candidate, kMostDims> candidates;
        std::size_t count = 0;
        const Way way = way_of(query.at, router_of(query.source), query.destination);
        each_move(way, [&](Move move, std::uint32_t hops) {
            std::size_t place = count++;
            for (; place > 0 && candidates[place - 1].hops < hops; --place) {
                candidates[place] = candidates[place - 1];
            }
            candidates[place] = {port(move, coordinates_.of(query.at)), hops};
        });
        choices.clear();
        if (count == 0) choices.add({kLocalPort});
        for (std::size_t i = 0; i < count; ++i) choices.add({candidates[i].port});
    }

    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            const Move last{dims_ - 1 - link.dimension, link.to < link.from};
            for (std::size_t dim = 0; dim < dims_; ++dim) {
                for (const bool minus : {false, true}) {
                    const Move next{dim, minus};
                    if (dim == last.dim && minus != last.minus) continue;
                    if (!may_turn(last, next, coordinates_.of(link.to))) continue;
                    const LinkId wanted = graph.out_hop(link.to, dims_ - 1 - dim, 0, minus);
                    if (wanted != kNoLink) visit({id, 0}, {wanted, 0});
                }
            }
        }
    }

private:
    /// Whether a packet may ever take `next` after `last`, which led to `here`; two moves that a
    /// minimal path may have one after the other.
    virtual bool may_turn(Move last, Move next, const std::uint16_t* here) const = 0;
    /// Whether a packet may take a hop that brings it nearer. At least one such hop it may take,
    /// and whatever may follow is a turn that may_turn() allows.
    virtual bool may_take(Move move, const Way& way) const = 0;

    Way way_of(RouterId at, RouterId source, NodeId destination) const {
        return {coordinates_.of(at), coordinates_.of(router_of(destination)),
                coordinates_.of(source)};
    }
    PortId port(Move move, const std::uint16_t* here) const {
        return wiring_.port(dims_ - 1 - move.dim, 0, move.minus, here[move.dim]);
    }
    /// Calls visit(move, hops to go in its dimension) for all that the packet may take.
    template <class Visit>
    void each_move(const Way& way, Visit&& visit) const {
        for (std::size_t dim = 0; dim < dims_; ++dim) {
            const std::uint32_t here = way.here[dim];
            const std::uint32_t there = way.there[dim];
            if (here == there) continue;
            const Move move{dim, there < here};
            if (may_take(move, way)) visit(move, move.minus ? here - there : there - here);
        }
    }

    Coordinates coordinates_;
    GridWiring wiring_;

protected:
    std::size_t dims_;
};

/// All hops to the west come first.
class WestFirst final : public TurnModel {
public:
    using TurnModel::TurnModel;
    std::string name() const override { return "west_first"; }

private:
    bool may_turn(Move last, Move next, const std::uint16_t*) const override {
        return !next.is_west() || last.is_west();
    }
    bool may_take(Move move, const Way& way) const override {
        return way.there[0] >= way.here[0] || move.is_west();
    }
};

/// All hops in - directions come first.
class NegativeFirst final : public TurnModel {
public:
    using TurnModel::TurnModel;
    std::string name() const override { return "negative_first"; }

private:
    bool may_turn(Move last, Move next, const std::uint16_t*) const override {
        return last.minus || !next.minus;
    }
    bool may_take(Move move, const Way& way) const override {
        if (move.minus) return true;
        for (std::size_t dim = 0; dim < dims_; ++dim) {
            if (way.there[dim] < way.here[dim]) return false;
        }
        return true;
    }
};

/// No turn from east to a column at even places, and none from a column to west at odd ones. So a
/// packet that goes east leaves the row at odd places only (or where it begins), and must not reach
/// an even destination column in another row; one that goes west leaves the row at even places
/// only.
class OddEven final : public TurnModel {
public:
    using TurnModel::TurnModel;
    std::string name() const override { return "odd_even"; }

private:
    static bool is_odd(std::uint16_t place) { return place % 2 != 0; }

    bool may_turn(Move last, Move next, const std::uint16_t* here) const override {
        if (last.is_east() && next.dim != 0) return is_odd(here[0]);
        if (last.dim != 0 && next.is_west()) return !is_odd(here[0]);
        return true;
    }
    bool may_take(Move move, const Way& way) const override {
        const std::uint16_t here = way.here[0];
        const std::uint16_t there = way.there[0];
        if (there > here) {
            if (move.dim != 0) return is_odd(here) || here == way.source[0];
            return way.here[1] == way.there[1] || is_odd(there) || there - here != 1;
        }
        return there == here || move.dim == 0 || !is_odd(here);
    }
};

}  // namespace

std::unique_ptr<Routing> make_west_first(const Graph& mesh) {
    return std::make_unique<WestFirst>(mesh);
}

std::unique_ptr<Routing> make_negative_first(const Graph& mesh) {
    return std::make_unique<NegativeFirst>(mesh);
}

std::unique_ptr<Routing> make_odd_even(const Graph& mesh) {
    return std::make_unique<OddEven>(mesh);
}

}  // namespace flitscope
