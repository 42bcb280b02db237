// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/turns.h"

#include <algorithm>
#include <stdexcept>

#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

constexpr std::size_t kBitsPerDigit = 4;
constexpr const char* kDigits = "0123456789abcdef";

std::size_t digits_of(std::size_t bits) { return (bits + kBitsPerDigit - 1) / kBitsPerDigit; }

/// The turns that packets to one destination take. Their paths are a tree, so each router is
/// visited once, however many sources send through it.
class Tree {
public:
    Tree(const Graph& graph, const Routing& routing, std::vector<Turns>& turns)
        : graph_(graph), routing_(routing), turns_(turns), passed_(graph.router_count()) {}

    void add(NodeId destination) {
        std::fill(passed_.begin(), passed_.end(), false);
        for (NodeId source = 0; source < graph_.node_count(); ++source) {
            if (source == destination || !graph_.is_alive(source)) continue;
            follow(source, destination);
        }
    }

private:
    void follow(NodeId source, NodeId destination) {
        RouterId at = graph_.router_of(source);
        PortId in = graph_.local_port(source);
        while (true) {
            const PortId out = routing_.route(at, destination).port;
            turns_[at].add(in, out);
            if (graph_.is_local(out) || passed_[at]) return;
            passed_[at] = true;
            const Link& link = graph_.link(graph_.out_link(at, out));
            at = link.to;
            in = link.to_port;
        }
    }

    const Graph& graph_;
    const Routing& routing_;
    std::vector<Turns>& turns_;
    std::vector<bool> passed_;  ///< the rest of the path from here is known
};

/// Dimension order gives its turns from link to link; and a node sends to all neighbours of its
/// router.
std::vector<Turns> turns_of_dimensions(const Graph& graph, const Routing& routing) {
    std::vector<Turns> turns(graph.router_count(), Turns(graph.port_count()));
    for (const Link& link : graph.links()) {
        for (const NodeId node : graph.nodes_at(link.from)) {
            turns[link.from].add(graph.local_port(node), link.from_port);
        }
        for (const NodeId node : graph.nodes_at(link.to)) {
            turns[link.to].add(link.to_port, graph.local_port(node));
        }
    }
    for (NodeId from = 0; from < graph.node_count(); ++from) {
        const RouterId router = graph.router_of(from);
        for (const NodeId to : graph.nodes_at(router)) {
            if (to != from) turns[router].add(graph.local_port(from), graph.local_port(to));
        }
    }
    routing.visit_dependencies(graph, [&](VirtualLink holds, VirtualLink wants) {
        const Link& in = graph.link(holds.link);
        turns[in.to].add(in.to_port, graph.link(wants.link).from_port);
    });
    return turns;
}

}  // namespace

bool Turns::has_input(PortId port) const {
    for (PortId out = 0; out < ports_; ++out) {
        if (has(port, out)) return true;
    }
    return false;
}

bool Turns::uses(PortId port) const {
    for (PortId other = 0; other < ports_; ++other) {
        if (has(port, other) || has(other, port)) return true;
    }
    return false;
}

std::size_t Turns::count() const {
    return static_cast<std::size_t>(std::count(has_.begin(), has_.end(), true));
}

Turns Turns::renamed(const std::vector<PortId>& renamed) const {
    Turns other(ports_);
    for (PortId out = 0; out < ports_; ++out) {
        for (PortId in = 0; in < ports_; ++in) {
            if (has(in, out)) other.add(renamed[in], renamed[out]);
        }
    }
    return other;
}

std::string Turns::hex() const {
    std::string text;
    for (std::size_t digit = digits_of(has_.size()); digit-- > 0;) {
        unsigned value = 0;
        for (std::size_t bit = kBitsPerDigit; bit-- > 0;) {
            const std::size_t i = digit * kBitsPerDigit + bit;
            value = 2 * value + (i < has_.size() && has_[i] ? 1 : 0);
        }
        text += kDigits[value];
    }
    return text;
}

Turns turns_of_hex(PortId ports, const std::string& hex) {
    Turns turns(ports);
    const std::size_t bits = std::size_t{ports} * ports;
    const auto is_set = [&](std::size_t bit) {
        const std::size_t digit = hex.size() - 1 - bit / kBitsPerDigit;
        const std::size_t value = std::string(kDigits).find(hex[digit]);
        if (value == std::string::npos) throw std::invalid_argument("not hexadecimal: " + hex);
        return (value >> bit % kBitsPerDigit & 1) != 0;
    };
    if (!hex.empty() && hex.size() != digits_of(bits)) {
        throw std::invalid_argument("not the turns of this many ports: " + hex);
    }
    for (std::size_t bit = 0; bit < kBitsPerDigit * digits_of(bits); ++bit) {
        if (!hex.empty() && !is_set(bit)) continue;
        if (bit < bits) {
            turns.add(static_cast<PortId>(bit % ports), static_cast<PortId>(bit / ports));
        } else if (!hex.empty()) {
            throw std::invalid_argument("turns beyond the last port: " + hex);
        }
    }
    return turns;
}

std::vector<Turns> turns_taken(const Graph& graph, const Routing& routing) {
    if (routing.takes_dimensions_in_order()) return turns_of_dimensions(graph, routing);
    std::vector<Turns> turns(graph.router_count(), Turns(graph.port_count()));
    Tree tree(graph, routing, turns);
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
        if (graph.is_alive(destination)) tree.add(destination);
    }
    return turns;
}

Turns turns_between_ports(const Graph& graph, RouterId router) {
    Turns turns(graph.port_count());
    const auto has_node = [&](PortId port) { return graph.node_at(router, port) != kNoNode; };
    for (PortId in = 0; in < graph.port_count(); ++in) {
        if (!has_node(in) && graph.in_link(router, in) == kNoLink) continue;
        for (PortId out = 0; out < graph.port_count(); ++out) {
            const bool leads = has_node(out) || graph.out_link(router, out) != kNoLink;
            if (in != out && leads) turns.add(in, out);
        }
    }
    return turns;
}

}  // namespace flitscope
