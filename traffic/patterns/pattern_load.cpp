// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/pattern_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "models/config/workload_config.h"
#include "models/performance/bounds.h"
#include "models/performance/steady_load.h"
#include "models/topology/graph.h"
#include "traffic/patterns/message_lengths.h"
#include "traffic/patterns/replies.h"

namespace flitscope {
namespace {

constexpr NodeId kMostNodes = 4096;
constexpr double kRounding = 1e-9;  // rounding of sums of shares

std::size_t busiest_of(const std::vector<double>& loads) {
    return static_cast<std::size_t>(std::max_element(loads.begin(), loads.end()) - loads.begin());
}

/// The mean with every link weighted by the flits that take it.
double taken_mean(const std::vector<double>& loads) {
    double flits = 0;
    double squares = 0;
    for (const double load : loads) {
        flits += load;
        squares += load * load;
    }
    return flits > 0 ? squares / flits : 0;
}

/// The load of nodes and links, as flows of flits per cycle.
class Asked {
public:
    Asked(const WorkloadConfig& config, const Graph& graph, const Pattern& pattern)
        : config_(config),
          pattern_(pattern),
          nodes_(graph.node_count()),
          lengths_(config),
          replies_(replies_of(config)),
          request_share_(lengths_.mean_flits() / exchange_flits(lengths_, replies_)) {}

    /// Flits of the messages of `node`, dropped ones too, and of the replies to them.
    double requests(NodeId node) const { return rate() * pattern_.offered(node) * request_share_; }
    double replies_to(NodeId node) const { return of_replies(rate() * pattern_.offered(node)); }

    /// Adds up all flows.
    void add_to(SteadyLoad& steady) const {
        if (pattern_.fixed()) {
            Rng unused(0, 0);
            for (NodeId node = 0; node < nodes_; ++node) {
                if (!pattern_.sends(node)) continue;
                const NodeId destination = pattern_.destination(node, unused);
                if (pattern_.is_dead(destination)) continue;
                steady.add(node, destination, requests(node));
                if (replies_) steady.add(destination, node, replies_to(node));
            }
            return;
        }
        std::vector<double> rates(nodes_);
        for (NodeId node = 0; node < nodes_; ++node) {
            if (pattern_.is_dead(node)) continue;
            for (NodeId source = 0; source < nodes_; ++source) {
                const double flits = requests(source);
                rates[source] = flits > 0 ? flits * pattern_.share(source, node) : 0;
                if (!replies_) continue;
                const double replied = replies_to(node);
                if (replied > 0) rates[source] += replied * pattern_.share(node, source);
            }
            steady.add(node, rates);
        }
    }
    /// The load that every node sends, and that it receives.
    std::vector<double> sent() const {
        const ReceivedRates requested = pattern_.received();
        std::vector<double> flits(nodes_);
        for (NodeId node = 0; node < nodes_; ++node) {
            flits[node] = kept(node) * requests(node) + of_replies(rate() * requested.of(node));
        }
        return flits;
    }
    std::vector<double> received() const {
        const ReceivedRates requested = pattern_.received();
        std::vector<double> flits(nodes_);
        for (NodeId node = 0; node < nodes_; ++node) {
            flits[node] =
                rate() * requested.of(node) * request_share_ + kept(node) * replies_to(node);
        }
        return flits;
    }
    /// Fills in the busiest nodes of those.
    void add_busiest(PatternLoad& load, const std::vector<double>& sent,
                     const std::vector<double>& received) const {
        load.receiver = static_cast<NodeId>(busiest_of(received));
        load.ejection = received[load.receiver];
        load.sender = static_cast<NodeId>(busiest_of(sent));
        load.injection = sent[load.sender];
        const double cycles =
            lengths_.mean([&](const MessageLength& l) { return source_cycles(config_, l.flits); });
        load.injection_capacity = lengths_.mean_flits() / cycles;
        if (!replies_ || load.injection == 0) return;
        // The time that a flit takes depends on the message, and so does which node is busiest.
        const double of_reply = static_cast<double>(source_cycles(config_, replies_->flits())) /
                                static_cast<double>(replies_->flits());
        std::vector<double> busy(nodes_);
        for (NodeId node = 0; node < nodes_; ++node) {
            const double requested = kept(node) * requests(node);
            busy[node] = requested / load.injection_capacity + (sent[node] - requested) * of_reply;
        }
        load.sender = static_cast<NodeId>(busiest_of(busy));
        load.injection = sent[load.sender];
        load.injection_capacity = load.injection / busy[load.sender];
    }

private:
    double rate() const { return config_.traffic.injection_rate; }
    double kept(NodeId node) const { return pattern_.sends(node) ? pattern_.kept(node) : 0; }
    double of_replies(double flits) const { return flits * (1 - request_share_); }

    const WorkloadConfig& config_;
    const Pattern& pattern_;
    NodeId nodes_;
    MessageLengths lengths_;
    std::optional<Replies> replies_;
    double request_share_;  // share of the flits of an exchange
};

/// The load if all messages cross one plane.
PatternLoad load_of_all(const WorkloadConfig& config, const Graph& graph, const Routing& routing,
                        const Pattern& pattern) {
    PatternLoad load;
    const NodeId nodes = graph.node_count();
    const Asked asked(config, graph, pattern);
    if (nodes < 2) {
        asked.add_busiest(load, {0}, {0});
        return load;
    }
    if (!pattern.fixed() && nodes > kMostNodes) {
        asked.add_busiest(load, asked.sent(), asked.received());
        return load;
    }
    SteadyLoad steady(graph, routing);
    asked.add_to(steady);
    asked.add_busiest(load, steady.sent(), steady.received());
    load.has_links = steady.knows_links() && graph.link_count() != 0;
    if (load.has_links) {
        std::vector<double> busy = steady.links();
        for (LinkId id = 0; id < graph.link_count(); ++id) busy[id] *= graph.link(id).rate_cycles;
        load.busiest = static_cast<LinkId>(busiest_of(busy));
        load.link = steady.links()[load.busiest];
        load.link_capacity = 1.0 / graph.link(load.busiest).rate_cycles;
        load.taken = taken_mean(steady.links());
    } else {
        const SteadyLoad::Cut cut = steady.cut();
        load.cut = cut.load;
        load.cut_capacity = cut.capacity;
    }
    return load;
}

}  // namespace

PatternLoad pattern_load(const WorkloadConfig& config, const Graph& graph, const Routing& routing,
                         const Pattern& pattern) {
    PatternLoad load = load_of_all(config, graph, routing, pattern);
    for (double* const flits :
         {&load.injection, &load.ejection, &load.link, &load.taken, &load.cut}) {
        *flits /= config.fabric.planes;  // the messages of a node take turns
    }
    return load;
}

std::vector<std::string> PatternLoad::overloads(const Graph& graph) const {
    std::vector<std::string> all;
    const auto exceeds = [](double asked, double capacity) {
        return asked > capacity * (1 + kRounding);
    };
    if (exceeds(injection, injection_capacity)) {
        all.push_back(fmt::format("nodes are asked to send {:.4g} flits/cycle and can send {:.4g}",
                                  injection, injection_capacity));
    }
    if (exceeds(ejection, 1)) {
        all.push_back(
            fmt::format("node {} is asked to receive {:.4g} flits/cycle and can receive 1",
                        receiver, ejection));
    }
    if (exceeds(link, link_capacity)) {
        all.push_back(fmt::format("{} is asked for {:.4g} flits/cycle and can carry {:.4g}",
                                  graph.link_name(busiest), link, link_capacity));
    }
    if (exceeds(cut, cut_capacity)) {
        all.push_back(
            fmt::format("the links of the middle cut are asked for {:.4g} flits/cycle "
                        "each, whatever the paths, and can carry {:.4g}",
                        cut, cut_capacity));
    }
    return all;
}

}  // namespace flitscope
