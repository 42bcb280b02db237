// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lower bounds by counting flits at channels. Each holds for every engine that obeys
// hw/TIMING.md: a channel moves at most one flit per cycle, a link of rate 1/k one in k cycles, and
// cycle 0 is the first.
#include "models/performance/bounds.h"

#include "models/config/hardware_config.h"
#include "models/performance/bisection.h"
#include "models/performance/link_load.h"
#include "models/performance/saturating.h"
#include "models/topology/graph.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <queue>

namespace flitscope {
namespace {

void add_to(std::uint64_t& sum, std::uint64_t flits) { sum = saturating_add(sum, flits); }

/// Flits that must cross the middle cut, over the links that can carry them.
class CutBound {
public:
    explicit CutBound(const Graph& graph) : graph_(graph), cut_(middle_cut(graph)) {
        for (const Link& link : graph.links()) {
            if (cut_.upper[link.from] == cut_.upper[link.to]) continue;
            ++links_[cut_.upper[link.from] ? 1 : 0][link.rate_cycles];
        }
    }

    /// Flows come with falling start.
    void add(const Flow& flow) {
        const bool from_upper = cut_.upper[graph_.router_of(flow.source)];
        if (from_upper == cut_.upper[graph_.router_of(flow.destination)]) return;
        const RatedLinks& links = links_[from_upper ? 1 : 0];
        if (links.empty()) return;  // then nothing can cross; routing reports that
        std::uint64_t& flits = flits_[from_upper ? 1 : 0];
        add_to(flits, flow.flits);
        bound_ = std::max(bound_, saturating_add(flow.begin, cycles(links, flits)));
    }
    Cycle bound() const { return bound_; }

private:
    /// Numbers of links, by the cycles that these need for a flit.
    using RatedLinks = std::map<std::uint32_t, std::uint64_t>;

    /// Least number of cycles in which the links carry so many flits.
    static Cycle cycles(const RatedLinks& links, std::uint64_t flits) {
        const auto& [fastest, count] = *links.begin();
        Cycle enough = saturating_multiply(flits / count + (flits % count != 0 ? 1 : 0), fastest);
        if (links.size() == 1 && fastest == 1) return enough;
        for (Cycle least = 0; least < enough;) {
            const Cycle middle = least + (enough - least) / 2;
            std::uint64_t carried = 0;
            for (const auto& [rate_cycles, number] : links) {
                const std::uint64_t each =
                    middle / rate_cycles + (middle % rate_cycles != 0 ? 1 : 0);
                carried = saturating_add(carried, saturating_multiply(number, each));
            }
            if (carried >= flits) {
                enough = middle;
            } else {
                least = middle + 1;
            }
        }
        return enough;
    }

    const Graph& graph_;
    NodeCut cut_;
    RatedLinks links_[2];              // from the lower side, from the upper
    std::uint64_t flits_[2] = {0, 0};  // to the upper side, to the lower
    Cycle bound_ = 0;
};

/// The time that messages take one after the other at the node that sends them, whatever else
/// they wait for.
class SourceTime {
public:
    explicit SourceTime(const HardwareConfig& config)
        : rate_(config.node.injection_bandwidth),
          startup_(config.node.send_overhead),
          circuits_(config.fabric.switches_circuits()),
          serial_(config.node.serialize_overhead),
          shares_channel_(config.node.port_model != PortModel::kOneOutput),
          pace_(config.fabric) {}

    /// The share that a message adds to the sum of its node.
    std::uint64_t share(std::uint64_t flits) const {
        // The set-up of the next circuit starts with the first flit of this one.
        if (circuits_) return std::max<std::uint64_t>(startup_, flits);
        return serial_ ? saturating_add(startup_, assembly_cycles(flits, rate_)) : flits;
    }
    /// Whether the sum has startups in it.
    bool counts_startups() const { return circuits_ || serial_; }
    Cycle cycles(std::uint64_t sum) const {
        if (circuits_ || serial_) return sum;
        const Cycle paced = shares_channel_ && sum != 0
                                ? saturating_add(pace_.span(sum, pace_.injection_loop()), 1)
                                : 0;
        return std::max(paced, assembly_cycles(sum, rate_));
    }

private:
    Rate rate_;
    Cycle startup_;
    bool circuits_;
    bool serial_;
    bool shares_channel_;  ///< not one of several queues of the node
    ChannelPace pace_;
};

/// Sums up the load of channels, added with falling start of the messages.
class ChannelSums {
public:
    explicit ChannelSums(std::size_t channels) : sums_(channels) {}

    /// Returns the sum of the channel.
    std::uint64_t add(std::size_t channel, std::uint64_t amount) {
        add_to(sums_[channel], amount);
        return sums_[channel];
    }

private:
    std::vector<std::uint64_t> sums_;
};

/// Sets the bounds that follow if each message has the network for itself: the last end, and the
/// mean latency. `flows` in any order.
void set_latency_bounds(LowerBounds& bounds, const HardwareConfig& config, ZeroLoadPaths& paths,
                        const Flows& flows) {
    const ZeroLoadMessage message(config);
    std::vector<std::uint32_t> by_source;  // one search per source
    if (!paths.are_fixed()) {
        by_source.resize(flows.size());
        std::iota(by_source.begin(), by_source.end(), 0U);
        std::stable_sort(by_source.begin(), by_source.end(), [&](std::uint32_t a, std::uint32_t b) {
            return flows[a].source < flows[b].source;
        });
    }
    double sum = 0;
    bool is_exact = true;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const Flow flow = flows[paths.are_fixed() ? i : by_source[i]];
        const ZeroLoadPath path = paths.shortest(flow.source, flow.destination, flow.first);
        const Cycle tail = message.delivered(flow.flits, path);
        is_exact = is_exact && message.is_exact(flow.flits, path);
        bounds.latency =
            std::max(bounds.latency, saturating_add(saturating_add(flow.begin, tail), 1));
        sum += static_cast<double>(tail);
    }
    if (paths.are_fixed() && flows.size() != 0) {
        bounds.mean_latency = sum / static_cast<double>(flows.size());
        bounds.mean_latency_is_exact = is_exact;
    }
}

/// Flows with falling start. The order of equal ones does not matter: a bound that grows with each
/// is greatest after the last. Most programs have flows nearly in order, so it holds only those
/// between the last one listed that may be next and the actual next one.
class FromTheEnd {
public:
    explicit FromTheEnd(const Flows& flows) : flows_(flows), left_(flows.size()) {
        Cycle latest = 0;
        for (std::size_t id = 0; id < flows.size(); ++id) {
            if (id % kBlock == 0) latest_before_.push_back(latest);
            latest = std::max(latest, flows.begin(id));
        }
    }

    template <class Visit>
    void visit(const Visit& visit) {
        while (left_ != 0 || !held_.empty()) {
            while (left_ != 0 && (held_.empty() || latest_of_left() > held_.top().cycle)) {
                --left_;
                held_.push({flows_.begin(left_), left_});
            }
            const std::size_t next = held_.top().flow;
            held_.pop();
            visit(flows_[next]);
        }
    }

private:
    static constexpr std::size_t kBlock = 4096;
    struct Begin {
        Cycle cycle;
        std::size_t flow;
        friend bool operator<(const Begin& a, const Begin& b) { return a.cycle < b.cycle; }
    };

    /// The latest start of the first `left_`, which are some.
    Cycle latest_of_left() {
        const std::size_t last = left_ - 1;
        if (last / kBlock != block_) {
            block_ = last / kBlock;
            latest_.assign(1, latest_before_[block_]);
            for (std::size_t id = block_ * kBlock; id <= last; ++id) {
                latest_.push_back(std::max(latest_.back(), flows_.begin(id)));
            }
        }
        return latest_[last % kBlock + 1];
    }

    const Flows& flows_;
    std::size_t left_;                  // the first of them have not been held
    std::priority_queue<Begin> held_;   // and not been visited
    std::vector<Cycle> latest_before_;  // per block
    std::size_t block_ = SIZE_MAX;      // block of latest_
    std::vector<Cycle> latest_;         // latest before the first, the second, ... of the block
};

/// The load of one plane.
class PlaneLoad {
public:
    PlaneLoad(const HardwareConfig& config, ZeroLoadPaths& paths)
        : paths_(paths),
          per_link_(paths.graph().has_per_link_endpoints()),
          one_queue_(config.node.port_model == PortModel::kOneOutput),
          source_(config),
          sent_(per_link_ && !one_queue_ ? paths.graph().link_count() : paths.graph().node_count()),
          received_(per_link_ ? paths.graph().link_count() : paths.graph().node_count()),
          pace_(config.fabric),
          load_(paths, &pace_),
          cut_(paths.graph()) {}
    PlaneLoad(const PlaneLoad&) = delete;
    PlaneLoad& operator=(const PlaneLoad&) = delete;

    /// Flows come with falling start.
    void add(const Flow& flow) {
        if (paths_.are_fixed()) {
            load_.add(flow.source, flow.destination, flow.flits, flow.first, flow.begin);
        }
        cut_.add(flow);
        std::size_t from = flow.source;
        std::size_t to = flow.destination;
        if (per_link_) {
            if (flow.source == flow.destination) return;  // over no channel
            const ZeroLoadPath path = paths_.path(flow.source, flow.destination, flow.first);
            if (!one_queue_) from = path.first;
            to = path.last;
        }
        const Cycle injected = source_.cycles(sent_.add(from, source_.share(flow.flits)));
        injection_ = std::max(injection_, saturating_add(flow.begin, injected));
        const Cycle ejected = received_.add(to, flow.flits);
        ejection_ = std::max(ejection_, saturating_add(flow.begin, ejected));
    }
    /// Raises the bounds to those of this plane, without startups.
    void raise(LowerBounds& bounds) const {
        bounds.injection = std::max(bounds.injection, injection_);
        bounds.ejection = std::max(bounds.ejection, ejection_);
        bounds.link = std::max(bounds.link, load_.busy_until());
        bounds.bisection = std::max(bounds.bisection, cut_.bound());
    }

private:
    ZeroLoadPaths& paths_;
    // Per injection and ejection channel, of a node or of a link.
    bool per_link_;
    bool one_queue_;
    SourceTime source_;
    ChannelSums sent_;
    ChannelSums received_;
    ChannelPace pace_;
    LinkLoad load_;
    CutBound cut_;
    Cycle injection_ = 0;
    Cycle ejection_ = 0;
};

class ListedFlows final : public Flows {
public:
    explicit ListedFlows(const std::vector<Flow>& list) : list_(list) {}

    std::size_t size() const override { return list_.size(); }
    Flow operator[](std::size_t id) const override { return list_[id]; }
    Cycle begin(std::size_t id) const override { return list_[id].begin; }

private:
    const std::vector<Flow>& list_;
};

}  // namespace

Cycle LowerBounds::max() const { return std::max({injection, ejection, link, bisection, latency}); }

LowerBounds lower_bounds(const HardwareConfig& config, ZeroLoadPaths& paths,
                         const std::vector<Flow>& flows) {
    return lower_bounds(config, paths, ListedFlows(flows));
}

LowerBounds lower_bounds(const HardwareConfig& config, ZeroLoadPaths& paths, const Flows& flows) {
    LowerBounds bounds;
    set_latency_bounds(bounds, config, paths, flows);
    std::deque<PlaneLoad> planes;
    for (std::uint32_t p = 0; p < config.fabric.planes; ++p) planes.emplace_back(config, paths);
    FromTheEnd(flows).visit([&](const Flow& flow) { planes[flow.plane].add(flow); });
    for (const PlaneLoad& plane : planes) plane.raise(bounds);
    // No flit moves before the startup of its send is over.
    const Cycle startup = flows.size() == 0 ? 0 : config.node.send_overhead;
    for (Cycle* bound : {&bounds.ejection, &bounds.link, &bounds.bisection}) {
        if (*bound != 0) *bound = saturating_add(*bound, startup);
    }
    if (!SourceTime(config).counts_startups()) {
        bounds.injection = saturating_add(bounds.injection, startup);
    }
    return bounds;
}

LowerBounds lower_bounds(const HardwareConfig& config, ZeroLoadPaths& paths,
                         const TotalFlows& flows) {
    const Graph& graph = paths.graph();
    const ChannelPace pace(config.fabric);
    LinkLoad load(paths, &pace);
    CutBound cut(graph);
    std::vector<std::uint64_t> sent(graph.router_count());
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        std::fill(sent.begin(), sent.end(), 0);
        Flow flow;
        flow.destination = destination;
        flows.visit_sources(destination, [&](NodeId source, std::uint32_t messages) {
            flow.source = source;
            flow.flits = saturating_multiply(flows.flits(), messages);
            add_to(sent[graph.router_of(source)], flow.flits);
            cut.add(flow);
        });
        if (paths.are_fixed()) load.add_all(sent, destination);
    }
    LowerBounds bounds;
    const Cycle startup = flows.each() == 0 ? 0 : config.node.send_overhead;
    const auto begun = [&](Cycle bound) { return bound == 0 ? 0 : saturating_add(bound, startup); };
    bounds.link = begun(load.busy_until());
    bounds.bisection = begun(cut.bound());
    if (!graph.has_per_link_endpoints()) {
        const SourceTime source(config);
        const Cycle injection =
            source.cycles(saturating_multiply(flows.each(), source.share(flows.flits())));
        bounds.injection = source.counts_startups() ? injection : begun(injection);
        bounds.ejection = begun(saturating_multiply(flows.each(), flows.flits()));
    }
    if (flows.steps() != 0) {
        const ZeroLoadMessage message(config);
        const Cycle delivered = saturating_add(message.delivered(flows.flits(), paths.least()), 1);
        const Cycle step =
            saturating_add(saturating_add(delivered, config.node.recv_overhead), flows.barrier());
        bounds.latency = saturating_add(saturating_multiply(flows.steps() - 1, step), delivered);
    }
    return bounds;
}

Cycle source_cycles(const HardwareConfig& config, std::uint64_t flits) {
    const SourceTime source(config);
    return source.cycles(source.share(flits));
}

}  // namespace flitscope
