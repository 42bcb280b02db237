// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shortest paths on meshes with express links, which may first lead back to a terminal.
#include <cstddef>
#include <cstdint>

#include "models/routing/channel_halves.h"
#include "models/routing/coordinates.h"
#include "models/routing/routing_factory.h"

namespace flitscope {
namespace {

std::uint32_t apart(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }

/// A packet that saves hops goes over ordinary links to a terminal, over express links to another
/// one, and over ordinary links to its destination; every leg in dimension order. If all lines have
/// express links (the full layout) it does so line by line, the fastest-varying dimension first; if
/// only the lines of terminals have them (sparse), with all its coordinates at once.
///
/// The first leg is on the lower half of the virtual channels, ordinary links with no express link
/// ahead on the upper half. The legs can be distinguished at every router: each hop of the path
/// that `best` finds brings the packet nearer by one, so the rest of that path is found again at
/// the next router, and is still shorter than the direct way until the packet has left its last
/// express link. Between two terminals one express link beats `segment` >= 2 ordinary ones, so no
/// shortest path has more than the three legs: nothing is lost against the shortest paths of the
/// graph.
class ExpressShortest final : public Routing {
public:
    ExpressShortest(const Graph& graph, bool every_line, std::uint32_t virtual_channels)
        : Routing(graph.shared_places()),
          coordinates_(graph),
          wiring_(*graph.wiring()),
          dims_(graph.dims().size()),
          segment_(wiring_.dimensions().front().spans.back()),
          every_line_(every_line),
          to_terminal_(ChannelHalves(virtual_channels).lower.mask),
          from_terminal_(ChannelHalves(virtual_channels).upper.mask) {}

    std::string name() const override { return "express_shortest"; }

    RouteChoice hop(RouterId at, NodeId destination) const override {
        const std::uint16_t* const here = coordinates_.of(at);
        const std::uint16_t* const there = coordinates_.of(router_of(destination));
        std::size_t first = 0;
        while (first < dims_ && here[first] == there[first]) ++first;
        if (first == dims_) return {kLocalPort};
        if (!every_line_) first = 0;
        const std::size_t end = every_line_ ? first + 1 : dims_;

        std::uint32_t direct = 0;
        std::uint32_t by_express = 0;
        for (std::size_t k = first; k < end; ++k) {
            direct += apart(here[k], there[k]);
            by_express += best(k, here[k], there[k]).hops;
        }
        if (by_express < direct) {
            for (std::size_t k = first; k < end; ++k) {
                const std::uint32_t entry = best(k, here[k], there[k]).entry;
                if (entry == here[k]) continue;
                return {port(k, kOrdinary, entry < here[k], here[k]), to_terminal_};
            }
            for (std::size_t k = first; k < end; ++k) {
                const std::uint32_t exit = best(k, here[k], there[k]).exit;
                if (exit != here[k]) return {port(k, kExpress, exit < here[k], here[k])};
            }
        }
        for (std::size_t k = first;; ++k) {
            if (here[k] == there[k]) continue;
            return {port(k, kOrdinary, there[k] < here[k], here[k]), from_terminal_};
        }
    }

    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        const std::uint32_t lower = lowest_channel(to_terminal_);
        const std::uint32_t upper = lowest_channel(from_terminal_);
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            const std::size_t along = dims_ - 1 - link.dimension;
            const bool minus = link.to < link.from;
            const bool is_express = id == out(graph, link.from, along, kExpress, minus);
            for (std::size_t k = 0; k < dims_; ++k) {
                for (const bool backwards : {false, true}) {
                    const LinkId ordinary = out(graph, link.to, k, kOrdinary, backwards);
                    const LinkId express = out(graph, link.to, k, kExpress, backwards);
                    const bool straight = k == along && backwards == minus;
                    const bool later = k > along;
                    const auto tell = [&](std::uint32_t vc, LinkId wanted, std::uint32_t of) {
                        if (wanted != kNoLink) visit({id, vc}, {wanted, of});
                    };
                    const bool same_leg = straight || later;
                    if (is_express) {
                        if (same_leg) tell(0, express, 0);
                        if (every_line_ ? k >= along : true) tell(0, ordinary, upper);
                        if (every_line_ && later) tell(0, ordinary, lower);
                        continue;
                    }
                    if (every_line_ ? straight : same_leg) tell(lower, ordinary, lower);
                    if (every_line_ ? k == along : true) tell(lower, express, 0);
                    if (same_leg) tell(upper, ordinary, upper);
                    if (every_line_ && later) {
                        tell(upper, ordinary, lower);
                        tell(upper, express, 0);
                    }
                }
            }
        }
    }

private:
    static constexpr std::size_t kOrdinary = 0;
    static constexpr std::size_t kExpress = 1;

    /// The shortest way along a line that is at a terminal at two places, possibly the same.
    struct Path {
        std::uint32_t hops = UINT32_MAX;
        std::uint32_t express_hops = 0;
        std::uint32_t entry = 0;
        std::uint32_t exit = 0;
    };

    /// The shortest path; among equally short ones that with the fewest express links. Only
    /// terminals next to either end are candidates.
    Path best(std::size_t k, std::uint32_t from, std::uint32_t to) const {
        const std::uint32_t side = wiring_.dimensions()[dims_ - 1 - k].side;
        Path found;
        const auto each_terminal = [&](std::uint32_t place, auto&& visit) {
            const std::uint32_t before = place - place % segment_;
            visit(before);
            if (before + segment_ < side) visit(before + segment_);
        };
        each_terminal(from, [&](std::uint32_t entry) {
            each_terminal(to, [&](std::uint32_t exit) {
                const std::uint32_t express = apart(entry, exit) / segment_;
                const std::uint32_t hops = apart(from, entry) + express + apart(exit, to);
                if (hops > found.hops) return;
                if (hops == found.hops && express >= found.express_hops) return;
                found = {hops, express, entry, exit};
            });
        });
        return found;
    }
    LinkId out(const Graph& graph, RouterId router, std::size_t k, std::size_t span_index,
               bool minus) const {
        return graph.out_hop(router, dims_ - 1 - k, span_index, minus);
    }
    PortId port(std::size_t k, std::size_t span_index, bool minus, std::uint32_t place) const {
        return wiring_.port(dims_ - 1 - k, span_index, minus, place);
    }

    Coordinates coordinates_;
    GridWiring wiring_;
    std::size_t dims_;  // counted from the fastest-varying one
    std::uint32_t segment_;
    bool every_line_;
    VcMask to_terminal_;
    VcMask from_terminal_;
};

}  // namespace

std::unique_ptr<Routing> make_express_shortest(const Graph& graph, bool every_line,
                                               std::uint32_t virtual_channels) {
    return std::make_unique<ExpressShortest>(graph, every_line, virtual_channels);
}

}  // namespace flitscope
