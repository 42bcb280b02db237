// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/pattern_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "models/performance/bounds.h"
#include "models/performance/steady_load.h"
#include "traffic/patterns/message_lengths.h"

namespace flitscope {
namespace {

constexpr NodeId kMostNodes = 4096;
constexpr double kRounding = 1e-9;  // of sums of shares

std::size_t busiest_of(const std::vector<double>& loads) {
    return static_cast<std::size_t>(std::max_element(loads.begin(), loads.end()) - loads.begin());
}

/// Drawn destinations of a large network: what nodes send and receive alone.
void add_nodes(PatternLoad& load, const Config& config, const Pattern& pattern, NodeId nodes) {
    std::vector<double> sent(nodes);
    std::vector<double> received(nodes);
    const ReceivedRates rates = pattern.received();
    for (NodeId node = 0; node < nodes; ++node) {
        sent[node] = config.traffic.injection_rate * pattern.offered(node);
        received[node] = config.traffic.injection_rate * rates.of(node);
    }
    load.sender = static_cast<NodeId>(busiest_of(sent));
    load.injection = sent[load.sender];
    load.receiver = static_cast<NodeId>(busiest_of(received));
    load.ejection = received[load.receiver];
}

}  // namespace

PatternLoad pattern_load(const Config& config, const Graph& graph, const Routing& routing,
                         const Pattern& pattern) {
    PatternLoad load;
    const NodeId nodes = graph.endpoint_count();
    const double rate = config.traffic.injection_rate;
    const MessageLengths lengths(config);
    load.injection_capacity = lengths.mean_flits() / lengths.mean([&](const MessageLength& length) {
        return source_cycles(config, length.flits);
    });
    if (nodes < 2) return load;
    if (!pattern.fixed() && nodes > kMostNodes) {
        add_nodes(load, config, pattern, nodes);
        return load;
    }
    SteadyLoad steady(graph, routing);
    std::vector<double> rates(graph.node_count());  // switches send nothing
    for (NodeId node = 0; node < nodes; ++node) {
        if (pattern.fixed()) {
            Rng unused(0, 0);
            if (pattern.sends(node)) steady.add(node, pattern.destination(node, unused), rate);
            continue;
        }
        for (NodeId source = 0; source < nodes; ++source) {
            const double offered = rate * pattern.offered(source);
            rates[source] = offered > 0 ? offered * pattern.share(source, node) : 0;
        }
        steady.add(node, rates);
    }
    load.sender = static_cast<NodeId>(busiest_of(steady.sent()));
    load.injection = steady.sent()[load.sender];
    load.receiver = static_cast<NodeId>(busiest_of(steady.received()));
    load.ejection = steady.received()[load.receiver];
    load.has_links = steady.knows_links() && graph.link_count() != 0;
    if (load.has_links) {
        load.busiest = static_cast<LinkId>(busiest_of(steady.links()));
        load.link = steady.links()[load.busiest];
    } else {
        load.cut = steady.cut();
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
    if (exceeds(link, 1)) {
        all.push_back(fmt::format("{} is asked for {:.4g} flits/cycle and can carry 1",
                                  graph.link_name(busiest), link));
    }
    if (exceeds(cut, 1)) {
        all.push_back(
            fmt::format("the links of the canonical cut are asked for {:.4g} flits/cycle "
                        "each, whatever the paths, and can carry 1",
                        cut));
    }
    return all;
}

}  // namespace flitscope
