// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One dimension after the other, the fastest-varying first.
#include <algorithm>
#include <set>
#include <vector>

#include "models/base/limits.h"
#include "models/base/powers_of_two.h"
#include "models/routing/channel_halves.h"
#include "models/routing/coordinates.h"
#include "models/routing/routing_factory.h"

namespace flitscope {
namespace {

/// Along every line it takes hops that do not overshoot: where all places are alike as few as
/// possible, the longer ones first, on HOWs and generalized hypercubes a shortest path. On express
/// meshes it takes the longest one, never goes back to a terminal, and uses express links if its
/// row or column has them.
class GridDimensionOrder final : public Routing {
public:
    explicit GridDimensionOrder(const Graph& graph)
        : Routing(graph.shared_places()),
          coordinates_(graph),
          wiring_(*graph.wiring()),
          dims_(graph.dims().size()) {
        for (std::size_t k = 0; k < dims_; ++k) {
            const GridDimension& line = wiring_.dimensions()[dims_ - 1 - k];
            spans_.push_back(wiring_.has_equal_places() ? fewest_hops(line) : longest_hops(line));
        }
        if (!wiring_.has_equal_places()) {
            find_hops(graph);
        } else if (wiring_.has_ports_alike()) {
            find_ports();
        }
    }

    std::string name() const override { return "dimension_order"; }
    bool takes_dimensions_in_order() const override { return true; }

    RouteChoice hop(RouterId at, NodeId destination) const override {
        const std::uint16_t* const here = coordinates_.of(at);
        const std::uint16_t* const there = coordinates_.of(router_of(destination));
        for (std::size_t k = 0; k < dims_; ++k) {
            if (there[k] == here[k]) continue;
            const bool minus = there[k] < here[k];
            const std::uint32_t distance = minus ? here[k] - there[k] : there[k] - here[k];
            if (!ports_.empty()) return {ports_[k][2 * distance + (minus ? 1 : 0)]};
            std::size_t span = spans_[k][distance];
            if (!hops_.empty()) {
                const std::uint32_t hops = hops_[(at * dims_ + k) * 2 + (minus ? 1 : 0)];
                span = floor_log2(hops & ((2U << span) - 1));
            }
            return {wiring_.port(dims_ - 1 - k, span, minus, here[k])};
        }
        return {kLocalPort};
    }

    /// A packet goes straight on or turns into a later dimension.
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        std::vector<std::vector<NextHops>> next;
        for (std::size_t dim = 0; dim < dims_; ++dim) next.push_back(next_hops(dim));
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            const GridDimension& line = wiring_.dimensions()[link.dimension];
            const auto coordinate = [&](RouterId router) {
                return graph.coordinate(router, link.dimension);
            };
            const bool minus = coordinate(link.to) < coordinate(link.from);
            const std::uint32_t span = minus ? coordinate(link.from) - coordinate(link.to)
                                             : coordinate(link.to) - coordinate(link.from);
            const auto may_take = [&](std::size_t dim, std::size_t i, bool backwards) {
                const LinkId wanted = graph.out_hop(link.to, dim, i, backwards);
                if (wanted != kNoLink && leads(graph, wanted, dim, backwards)) {
                    visit({id, 0}, {wanted, 0});
                }
            };
            const auto taken = std::lower_bound(line.spans.begin(), line.spans.end(), span);
            for (const std::size_t hop : next[link.dimension][taken - line.spans.begin()]) {
                may_take(link.dimension, hop, minus);
            }
            for (std::size_t dim = 0; dim < link.dimension; ++dim) {
                for (std::size_t hop = 0; hop < wiring_.dimensions()[dim].spans.size(); ++hop) {
                    may_take(dim, hop, false);
                    may_take(dim, hop, true);
                }
            }
        }
    }

private:
    /// The span index of a hop for each distance; that for 0 is not used.
    using SpanOfDistance = std::vector<std::uint16_t>;
    /// Span indices of the hops that may follow another one. If they ever do, they do so to the
    /// place behind them: a part of a shortest way, longest first, is one.
    using NextHops = std::set<std::size_t>;

    static SpanOfDistance longest_hops(const GridDimension& line) {
        SpanOfDistance spans(line.side, 0);
        for (std::uint32_t distance = 1; distance < line.side; ++distance) {
            const auto next = std::upper_bound(line.spans.begin(), line.spans.end(), distance);
            spans[distance] = static_cast<std::uint16_t>(next - line.spans.begin() - 1);
        }
        return spans;
    }
    /// Of several shortest ways the one whose first hop is longest.
    static SpanOfDistance fewest_hops(const GridDimension& line) {
        SpanOfDistance spans = longest_hops(line);
        if (line.spans.size() == line.spans.back()) return spans;
        std::vector<std::uint32_t> hops(line.side, 0);
        for (std::uint32_t distance = 1; distance < line.side; ++distance) {
            const auto left = [&](std::size_t i) { return hops[distance - line.spans[i]]; };
            std::uint16_t best = spans[distance];
            for (std::uint16_t i = best; i-- > 0;) {
                if (left(i) < left(best)) best = i;
            }
            spans[distance] = best;
            hops[distance] = 1 + left(best);
        }
        return spans;
    }
    /// By span index. Where places differ any hop may follow.
    std::vector<NextHops> next_hops(std::size_t dim) const {
        const GridDimension& line = wiring_.dimensions()[dim];
        const SpanOfDistance& spans = spans_[dims_ - 1 - dim];
        std::vector<NextHops> next(line.spans.size());
        for (std::size_t i = 0; i < line.spans.size(); ++i) {
            for (std::size_t hop = 0; !hops_.empty() && hop < line.spans.size(); ++hop) {
                next[i].insert(hop);
            }
            for (std::uint32_t rest = 1; hops_.empty() && rest + line.spans[i] < line.side;
                 ++rest) {
                if (spans[rest + line.spans[i]] == i) next[i].insert(spans[rest]);
            }
        }
        return next;
    }

    /// Whether the link leads along `dim` in that direction: several may share a port number.
    static bool leads(const Graph& graph, LinkId id, std::size_t dim, bool minus) {
        const Link& link = graph.link(id);
        return link.dimension == dim && (link.to < link.from) == minus;
    }
    /// Notes the port for each distance and direction, if all places of a line have the same ports.
    void find_ports() {
        for (std::size_t k = 0; k < dims_; ++k) {
            ports_.emplace_back(2 * spans_[k].size());
            for (std::size_t distance = 1; distance < spans_[k].size(); ++distance) {
                for (const bool minus : {false, true}) {
                    ports_[k][2 * distance + (minus ? 1 : 0)] =
                        wiring_.port(dims_ - 1 - k, spans_[k][distance], minus, 0);
                }
            }
        }
    }
    /// Notes which hops each router has: bit i for spans[i].
    void find_hops(const Graph& graph) {
        hops_.resize(graph.router_count() * dims_ * 2);
        for (const Link& link : graph.links()) {
            const auto& spans = wiring_.dimensions()[link.dimension].spans;
            const std::uint32_t from = graph.coordinate(link.from, link.dimension);
            const std::uint32_t to = graph.coordinate(link.to, link.dimension);
            const std::uint32_t span = from < to ? to - from : from - to;
            const auto i = std::find(spans.begin(), spans.end(), span) - spans.begin();
            const std::size_t k = dims_ - 1 - link.dimension;
            hops_[(link.from * dims_ + k) * 2 + (to < from ? 1 : 0)] |= 1U << i;
        }
    }

    Coordinates coordinates_;
    GridWiring wiring_;
    std::size_t dims_;
    // Dimensions are counted from the fastest-varying one here.
    std::vector<SpanOfDistance> spans_;
    std::vector<std::uint32_t> hops_;         // if places differ: find_hops()
    std::vector<std::vector<PortId>> ports_;  // if they do not: find_ports()
};

/// Dimension order for lines of which some are rings: the shorter way round every ring; where both
/// are equally long, + from places that are even modulo half the side, so that a node and its
/// antipode go round together (bounded_contention() counts on that). With two virtual channels or
/// more a packet that has still to cross the end of a ring takes the lower half, every packet that
/// has crossed it the upper half (datelines: Dally and Seitz 1987).
///
/// A packet that does not cross the end may take either half, as long as it never changes from the
/// upper to the lower one: lower channels wait for each other along the ring up to its end, upper
/// ones from its beginning on, which they never cross. Plain datelines give it the upper half.
/// Balanced ones give it the lower half up to its last hops; the upper one to all destinations to
/// which packets come that have crossed the end, so that the half follows from place and
/// destination. Then every link but that across the end has about as many packets on either half.
class TorusDimensionOrder final : public Routing {
public:
    TorusDimensionOrder(const Graph& graph, std::uint32_t virtual_channels, bool balances)
        : Routing(graph.shared_places()),
          coordinates_(graph),
          wiring_(*graph.wiring()),
          dims_(graph.dims().size()),
          balances_(balances),
          lower_(ChannelHalves(virtual_channels).lower.mask),
          upper_(ChannelHalves(virtual_channels).upper.mask) {
        for (std::size_t k = 0; k < dims_; ++k) sides_.push_back(graph.dims()[dims_ - 1 - k]);
    }

    std::string name() const override {
        return balances_ ? "dimension_order_balanced" : "dimension_order";
    }
    bool takes_dimensions_in_order() const override { return true; }

    RouteChoice hop(RouterId at, NodeId destination) const override {
        const std::uint16_t* const here = coordinates_.of(at);
        const std::uint16_t* const there = coordinates_.of(router_of(destination));
        for (std::size_t k = 0; k < dims_; ++k) {
            if (there[k] == here[k]) continue;
            const bool minus = goes_minus(here[k], there[k], sides_[k]);
            return {wiring_.port(dims_ - 1 - k, 0, minus, here[k]),
                    half(here[k], there[k], sides_[k], minus)};
        }
        return {kLocalPort};
    }

    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            const std::uint32_t side = sides_[dims_ - 1 - link.dimension];
            const std::uint32_t here = graph.coordinate(link.from, link.dimension);
            const std::uint32_t next = graph.coordinate(link.to, link.dimension);
            const bool minus = link.from_port == wiring_.port(link.dimension, 0, true, here);
            // By half (one may represent both): on the link, and on the one after it.
            bool goes_on[kMaxVirtualChannels][kMaxVirtualChannels] = {};
            bool may_turn[kMaxVirtualChannels] = {};
            for (std::uint32_t there = 0; there < side; ++there) {
                if (there == here || goes_minus(here, there, side) != minus) continue;
                const std::uint32_t vc = lowest_channel(half(here, there, side, minus));
                if (there == next) {
                    may_turn[vc] = true;
                } else {
                    goes_on[vc][lowest_channel(half(next, there, side, minus))] = true;
                }
            }
            for (const std::uint32_t vc : halves()) {
                for (const std::uint32_t later : halves()) {
                    if (!goes_on[vc][later]) continue;
                    visit({id, vc}, {graph.out_link(link.to, link.from_port), later});
                }
                if (may_turn[vc]) visit_turns(graph, {id, vc}, visit);
            }
        }
    }

private:
    /// Into all later dimensions, on either half.
    void visit_turns(const Graph& graph, VirtualLink holds, const DependencyVisitor& visit) const {
        const Link& link = graph.link(holds.link);
        for (std::size_t dim = 0; dim < link.dimension; ++dim) {
            for (const bool backwards : {false, true}) {
                const LinkId wanted = graph.out_hop(link.to, dim, 0, backwards);
                if (wanted == kNoLink) continue;
                for (const std::uint32_t vc : halves()) visit(holds, {wanted, vc});
            }
        }
    }

    /// The lowest channel of each half.
    std::vector<std::uint32_t> halves() const {
        if (lower_ == upper_) return {lowest_channel(lower_)};
        return {lowest_channel(lower_), lowest_channel(upper_)};
    }

    /// The channels for the hop from `here` towards `there`.
    VcMask half(std::uint32_t here, std::uint32_t there, std::uint32_t side, bool minus) const {
        const bool crosses = minus ? there > here : there < here;
        if (crosses) return lower_;
        if (!balances_) return upper_;
        const std::uint32_t last = minus ? 0 : side - 1;  // before the end
        const bool others_crossed = there != last && goes_minus(last, there, side) == minus;
        const std::uint32_t left = minus ? here - there : there - here;
        return others_crossed || left <= last_hops(side) ? upper_ : lower_;
    }

    /// As many as about half of the packets on a link are on: their destinations are the nearest of
    /// the k / 2 beyond the link, to which most packets go.
    static std::uint32_t last_hops(std::uint32_t side) {
        return std::max(1U, (3 * side + 10) / 20);  // (1 - 1 / sqrt(2)) k / 2
    }

    static bool goes_minus(std::uint32_t here, std::uint32_t there, std::uint32_t side) {
        if (side == 2) return there < here;
        const std::uint32_t forward = there >= here ? there - here : there + side - here;
        if (2 * forward == side) return here % (side / 2) % 2 != 0;
        return 2 * forward > side;
    }

    Coordinates coordinates_;
    GridWiring wiring_;
    std::size_t dims_;
    bool balances_;
    std::vector<std::uint32_t> sides_;  // fastest-varying dimension first
    VcMask lower_;
    VcMask upper_;
};

/// Dimension order on lines of two places: the hops that are left show in the bits of router
/// numbers.
class ECube final : public Routing {
public:
    explicit ECube(const Graph& graph)
        : Routing(graph.shared_places()), first_port_(graph.local_ports()) {}

    std::string name() const override { return "dimension_order"; }
    bool takes_dimensions_in_order() const override { return true; }

    RouteChoice hop(RouterId at, NodeId destination) const override {
        const std::uint32_t differing = at ^ router_of(destination);
        if (differing == 0) return {kLocalPort};
        return {first_port_ + static_cast<PortId>(__builtin_ctz(differing))};
    }

    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            for (PortId port = link.from_port + 1; port < graph.port_count(); ++port) {
                visit({id, 0}, {graph.out_link(link.to, port), 0});
            }
        }
    }

private:
    PortId first_port_;
};

}  // namespace

std::unique_ptr<Routing> make_dimension_order(const Graph& graph, std::uint32_t virtual_channels) {
    if (graph.wiring()->has_port_per_address_bit()) return std::make_unique<ECube>(graph);
    if (graph.wiring()->has_rings()) {
        return std::make_unique<TorusDimensionOrder>(graph, virtual_channels, false);
    }
    return std::make_unique<GridDimensionOrder>(graph);
}

std::unique_ptr<Routing> make_balanced_dimension_order(const Graph& torus,
                                                       std::uint32_t virtual_channels) {
    return std::make_unique<TorusDimensionOrder>(torus, virtual_channels, true);
}

}  // namespace flitscope
