// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Any shortest path, with dimension order on dedicated virtual channels as the escape (Duato 1993).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "models/base/limits.h"
#include "models/routing/coordinates.h"
#include "models/routing/routing_factory.h"

namespace flitscope {
namespace {

/// The escape is virtual channel 0; if lines are rings, 0 before the end of a ring and 1 after it.
class MinimalAdaptive final : public Routing {
public:
    explicit MinimalAdaptive(const Graph& graph)
        : Routing(graph.shared_places()),
          coordinates_(graph),
          wiring_(*graph.wiring()),
          dims_(graph.dims().size()),
          escapes_(wiring_.has_rings() ? 2 : 1),
          escape_(make_dimension_order(graph, escapes_)) {}

    std::string name() const override { return "minimal_adaptive"; }
    PathChoice path_choice() const override { return PathChoice::kAdaptive; }

    RouteChoice hop(RouterId at, NodeId destination) const override {
        if (at == router_of(destination)) return {kLocalPort};
        RouteChoice choice = escape_->route(at, destination);
        choice.virtual_channels &= escape_mask();
        return choice;
    }

    /// The dimension with more hops to go first, among equals the fastest-varying one; + before -
    /// round a ring; longer hops first.
    void hops(const RouteQuery& query, RouteChoices& choices) const override {
        choices.clear();
        if (query.at == router_of(query.destination)) {
            choices.add({kLocalPort});
            return;
        }
        std::array<Way, kMostDims> ways;
        std::size_t count = 0;
        for (std::size_t k = 0; k < dims_; ++k) {
            const Way way = way_along(k, coordinates_.of(query.at)[k],
                                      coordinates_.of(router_of(query.destination))[k]);
            if (way.hops == 0) continue;
            std::size_t place = count++;
            for (; place > 0 && ways[place - 1].hops < way.hops; --place) {
                ways[place] = ways[place - 1];
            }
            ways[place] = way;
        }
        const auto adaptive = static_cast<VcMask>(~escape_mask());
        for (std::size_t i = 0; i < count; ++i) {
            const Way& way = ways[i];
            for (const bool minus : {false, true}) {
                if (minus ? !way.minus : !way.plus) continue;
                for (std::uint32_t span = way.longest; span >= way.shortest; --span) {
                    choices.add({wiring_.port(dims_ - 1 - way.k, span - 1, minus,
                                              coordinates_.of(query.at)[way.k]),
                                 adaptive});
                }
            }
        }
        choices.add_escape(hop(query.at, query.destination));
    }

    /// After a hop on the escape a packet may take any others before it requests the escape again:
    /// on along the dimension, and then (in the order of the escape) along later ones. Its progress
    /// is a place: "moves so along k and is now at coordinate c, in any line", or "has completed
    /// all dimensions before k". With these the list is as long as that of the links.
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        const std::uint32_t longest_side =
            *std::max_element(graph.dims().begin(), graph.dims().end());
        const auto moving = [&](std::size_t k, bool minus, std::uint32_t vc, std::uint32_t at) {
            const std::size_t place = ((k * 2 + (minus ? 1 : 0)) * 2 + vc) * longest_side + at;
            return VirtualLink{static_cast<LinkId>(graph.link_count() + place), 0};
        };
        const auto from_dimension = [&](std::size_t k) {
            const std::size_t place = dims_ * 4 * longest_side + k;
            return VirtualLink{static_cast<LinkId>(graph.link_count() + place), 0};
        };
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            const std::size_t k = dims_ - 1 - link.dimension;
            const std::uint32_t from = graph.coordinate(link.from, link.dimension);
            const std::uint32_t to = graph.coordinate(link.to, link.dimension);
            const bool is_ring = wiring_.dimensions()[link.dimension].wraps;
            const bool minus =
                is_ring ? link.from_port == wiring_.port(link.dimension, 0, true, from) : to < from;
            const bool crosses = minus ? to > from : to < from;
            for (std::uint32_t vc = 0; vc < (crosses ? 1 : escapes_); ++vc) {
                visit({id, vc}, moving(k, minus, crosses ? 1 : vc, to));
                visit(moving(k, minus, vc, from), {id, vc});
                visit(from_dimension(k), {id, vc});
            }
        }
        for (std::size_t k = 0; k < dims_; ++k) {
            if (k + 1 < dims_) visit(from_dimension(k), from_dimension(k + 1));
            const GridDimension& line = wiring_.dimensions()[dims_ - 1 - k];
            for (const bool minus : {false, true}) {
                for (std::uint32_t vc = 0; vc < escapes_; ++vc) {
                    for (std::uint32_t at = 0; at < line.side; ++at) {
                        const VirtualLink here = moving(k, minus, vc, at);
                        if (k + 1 < dims_) visit(here, from_dimension(k + 1));
                        const bool at_end = minus ? at == 0 : at + 1 == line.side;
                        if (!at_end) {
                            visit(here, moving(k, minus, vc, minus ? at - 1 : at + 1));
                        } else if (line.wraps && vc == 0) {
                            visit(here, moving(k, minus, 1, minus ? line.side - 1 : 0));
                        }
                    }
                }
            }
        }
    }

private:
    /// The ways of a packet along a dimension: the fewest hops that are left, and the hops it may
    /// choose from, as positions that they pass.
    struct Way {
        std::size_t k = 0;
        std::uint32_t hops = 0;
        std::uint32_t shortest = 1;
        std::uint32_t longest = 1;
        bool plus = false;
        bool minus = false;
    };

    Way way_along(std::size_t k, std::uint32_t here, std::uint32_t there) const {
        const GridDimension& line = wiring_.dimensions()[dims_ - 1 - k];
        Way way;
        way.k = k;
        if (line.wraps) {
            const std::uint32_t forward = there >= here ? there - here : there + line.side - here;
            way.hops = std::min(forward, line.side - forward);
            way.plus = forward == way.hops;
            way.minus = line.side - forward == way.hops;
            return way;
        }
        const std::uint32_t distance = here < there ? there - here : here - there;
        const std::uint32_t window = line.spans.back();
        way.hops = (distance + window - 1) / window;
        way.longest = std::min(distance, window);
        way.shortest = way.hops == 0 ? 0 : distance - window * (way.hops - 1);
        way.plus = here < there;
        way.minus = here > there;
        return way;
    }
    VcMask escape_mask() const { return static_cast<VcMask>((1U << escapes_) - 1); }

    Coordinates coordinates_;
    GridWiring wiring_;
    std::size_t dims_;  // counted from the fastest-varying one
    std::uint32_t escapes_;
    std::unique_ptr<Routing> escape_;
};

}  // namespace

std::unique_ptr<Routing> make_minimal_adaptive(const Graph& graph) {
    return std::make_unique<MinimalAdaptive>(graph);
}

}  // namespace flitscope
