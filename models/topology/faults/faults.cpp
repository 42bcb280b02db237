// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/faults/faults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "models/base/did_you_mean.h"
#include "models/base/finding_list.h"
#include "models/base/limits.h"
#include "models/base/node_finder.h"
#include "models/base/shuffle.h"
#include "models/base/split_mix.h"
#include "models/config/config.h"
#include "models/config/faults_config.h"
#include "models/config/interconnect_config.h"
#include "models/topology/faults/living_network.h"

namespace flitscope {
namespace {

/// The two numbers of "link_003_004".
std::optional<std::pair<NodeId, NodeId>> parse_link_name(std::string_view text) {
    constexpr std::string_view kPrefix = "link_";
    if (text.substr(0, kPrefix.size()) != kPrefix) return std::nullopt;
    text.remove_prefix(kPrefix.size());
    const std::size_t middle = text.find('_');
    if (middle == text.npos) return std::nullopt;
    const auto from = to_node_number(text.substr(0, middle));
    const auto to = to_node_number(text.substr(middle + 1));
    if (!from || !to) return std::nullopt;
    return std::pair(*from, *to);
}

/// A list whose start a message shows.
template <class Items>
std::string listed(const Items& items) {
    constexpr std::size_t kShown = 16;
    const auto shown = static_cast<std::ptrdiff_t>(std::min(items.size(), kShown));
    std::string text = fmt::format("{}", fmt::join(items.begin(), items.begin() + shown, ", "));
    if (items.size() > kShown) text += fmt::format(", ... ({} in all)", items.size());
    return text;
}

/// Nodes in parts that grow together.
class DisjointSets {
public:
    explicit DisjointSets(NodeId nodes) : above_(nodes) {
        std::iota(above_.begin(), above_.end(), NodeId{0});
    }

    /// Returns whether the two were in different parts.
    bool join(NodeId a, NodeId b) {
        a = top(a);
        b = top(b);
        above_[a] = b;
        return a != b;
    }

private:
    NodeId top(NodeId node) {
        while (above_[node] != node) node = above_[node] = above_[above_[node]];
        return node;
    }

    std::vector<NodeId> above_;
};

class Faults {
public:
    Faults(const WorkloadConfig& config, const Graph& graph)
        : config_(config),
          faults_(*config.faults),
          graph_(graph),
          finder_(graph.given_names()),
          living_(graph),
          findings_(config.source) {}

    void kill_named() {
        for (const std::string& text : faults_.links) kill_channel(text);
        for (const NodeId node : faults_.nodes) {
            if (require_node("faults.nodes", fmt::format("node {}", node), node)) {
                living_.kill_node(node);
            }
        }
        findings_.throw_if_any();
        require_ways();
    }

    void kill_random_nodes() {
        std::vector<NodeId> nodes;
        for (NodeId node = 0; node < graph_.node_count(); ++node) {
            if (living_.is_alive(node)) nodes.push_back(node);
        }
        const std::uint64_t wanted =
            amount("faults.random_nodes", faults_.random_nodes, nodes.size(), "nodes");
        shuffle(nodes, faults_.seed);
        std::uint64_t killed = 0;
        // A node that cannot be spared now may be once others have died.
        for (bool goes_on = true; goes_on && killed < wanted;) {
            goes_on = false;
            for (const NodeId node : nodes) {
                if (killed == wanted) break;
                if (!living_.is_alive(node) || !can_lose(node)) continue;
                living_.kill_node(node);
                ++killed;
                goes_on = true;
            }
        }
        require_all("faults.random_nodes", "nodes", killed, wanted);
    }

    void kill_random_links() {
        std::set<std::pair<NodeId, NodeId>> pairs;  // in the order of nodes
        for (const Link& link : graph_.links()) {
            if (living_.is_alive(link)) pairs.insert(std::minmax(link.from, link.to));
        }
        std::vector<std::pair<NodeId, NodeId>> channels(pairs.begin(), pairs.end());
        const std::uint64_t wanted =
            amount("faults.random_links", faults_.random_links, channels.size(), "channels");
        shuffle(channels, split_mix(faults_.seed));
        std::vector<bool> is_needed(channels.size());
        if (faults_.keep_connected && wanted > 0) is_needed = needed(channels);
        std::uint64_t killed = 0;
        for (std::size_t i = 0; i < channels.size() && killed < wanted; ++i) {
            if (is_needed[i]) continue;
            living_.kill_links_between(channels[i].first, channels[i].second);
            ++killed;
        }
        require_all("faults.random_links", "channels", killed, wanted);
    }

    /// Throws ConfigError, which names the cut, if endpoints cannot reach each other.
    void require_ways() const {
        NodeId endpoints = 0;
        for (NodeId node = 0; node < graph_.endpoint_count(); ++node) {
            endpoints += living_.is_alive(node) ? 1 : 0;
        }
        if (endpoints == 0) {
            throw ConfigError(config_.where("faults"), "all nodes have failed", "keep one working");
        }
        const std::vector<NodeId> side = living_.cut_off();
        if (side.empty()) return;
        throw ConfigError(config_.where("faults"),
                          fmt::format("the faults cut the network in parts: {} {} and {} cannot "
                                      "all reach each other; failed between them: {}",
                                      side.size() == 1 ? "node" : "nodes", listed(side),
                                      endpoints - side.size() == 1
                                          ? "the other one"
                                          : fmt::format("the other {}", endpoints - side.size()),
                                      dead_around(side)),
                          has_random()
                              ? "set faults.keep_connected: true, another seed, or fewer faults"
                              : "keep one of them working, or let these nodes fail, too");
    }

    bool kills_any() const {
        const auto has = [](const std::vector<bool>& dead) {
            return std::find(dead.begin(), dead.end(), true) != dead.end();
        };
        return has(living_.dead_nodes()) || has(living_.dead_links());
    }
    Graph left() const { return graph_.without(living_.dead_links(), living_.dead_nodes()); }

private:
    bool has_random() const {
        return !faults_.random_links.is_zero() || !faults_.random_nodes.is_zero();
    }

    bool require_node(const char* key, const std::string& what, NodeId node) {
        if (node < graph_.node_count()) return true;
        findings_.add({config_.where(key), fmt::format("{} does not exist", what),
                       fmt::format("nodes are 0 .. {}", graph_.node_count() - 1)});
        return false;
    }

    /// By the names of their nodes; none if these have only numbers.
    std::vector<std::string> given_link_names() const {
        std::vector<std::string> names;
        for (LinkId id = 0; finder_.has_names() && id < graph_.link_count(); ++id) {
            names.push_back(graph_.given_link_name(id));
        }
        return names;
    }

    void kill_channel(const std::string& text) {
        constexpr const char* kKey = "faults.links";
        std::vector<std::pair<NodeId, NodeId>> ends = finder_.find_ends(text);
        if (const auto named = parse_link_name(text)) ends.push_back(*named);
        if (ends.empty()) {
            findings_.add({config_.where(kKey), fmt::format("'{}' names no link", text),
                           did_you_mean(nearest(text, given_link_names()),
                                        "write the two nodes, 3-4, or the name, link_003_004")});
            return;
        }
        // If names with '-' allow several pairs, those that a link joins are meant.
        for (const auto& [a, b] : ends) {
            const bool exist = a < graph_.node_count() && b < graph_.node_count();
            if (exist && living_.kill_links_between(a, b)) return;
        }
        const auto [a, b] = ends.front();
        for (const NodeId node : {a, b}) {
            if (!require_node(kKey, fmt::format("node {} of link '{}'", node, text), node)) return;
        }
        std::vector<std::string> neighbours;
        for (PortId port = 1; port < graph_.port_count(); ++port) {
            const LinkId id = graph_.out_link(a, port);
            if (id != kNoLink) neighbours.push_back(finder_.name_of(graph_.link(id).to));
        }
        findings_.add({config_.where(kKey),
                       fmt::format("'{}': no link joins nodes {} and {}", text, finder_.name_of(a),
                                   finder_.name_of(b)),
                       neighbours.empty()
                           ? fmt::format("no link leaves node {}", finder_.name_of(a))
                           : fmt::format("links of node {} lead to {}", finder_.name_of(a),
                                         listed(neighbours))});
    }

    std::uint64_t amount(const char* key, const FaultAmount& asked, std::uint64_t all,
                         const char* what) const {
        const std::uint64_t wanted = asked.of(all);
        if (wanted <= all) return wanted;
        throw ConfigError(
            config_.where(key),
            fmt::format("{} {} are to fail at random, and only {} are working", wanted, what, all),
            fmt::format("at most {}", all));
    }

    /// Which of all channels would disconnect nodes if they died in this order, skipping those that
    /// would.
    std::vector<bool> needed(const std::vector<std::pair<NodeId, NodeId>>& channels) {
        std::vector<bool> result(channels.size());
        if (living_.leads_both_ways()) {
            // The indispensable channels are a spanning forest of those that come last (Kruskal
            // 1956, construction A'): backwards, each channel that joins two parts.
            DisjointSets parts(graph_.node_count());
            for (std::size_t i = channels.size(); i-- > 0;) {
                result[i] = parts.join(channels[i].first, channels[i].second);
            }
            return result;
        }
        LivingNetwork less = living_;
        for (std::size_t i = 0; i < channels.size(); ++i) {
            result[i] = !less.can_lose_links_between(channels[i].first, channels[i].second);
            if (!result[i]) less.kill_links_between(channels[i].first, channels[i].second);
        }
        return result;
    }

    bool can_lose(NodeId node) {
        if (!faults_.keep_connected) return true;
        if (node < graph_.endpoint_count()) {
            const std::vector<bool>& dead = living_.dead_nodes();
            const auto end = dead.begin() + graph_.endpoint_count();
            if (std::count(dead.begin(), end, false) == 1) return false;
        }
        return living_.can_lose_node(node);
    }

    void require_all(const char* key, const char* what, std::uint64_t killed,
                     std::uint64_t wanted) const {
        if (killed == wanted) return;
        throw ConfigError(config_.where(key),
                          fmt::format("{} {} are to fail at random, and in the order of seed {} at "
                                      "most {} can fail without disconnecting others",
                                      wanted, what, faults_.seed, killed),
                          "ask for fewer, or set faults.keep_connected: false");
    }

    /// The channels and nodes that are dead at the edge of `side`.
    std::string dead_around(const std::vector<NodeId>& side) const {
        // With the switches that belong to it.
        std::vector<bool> inside(graph_.node_count());
        for (const NodeId node : side) inside[node] = true;
        std::vector<NodeId> open = side;
        while (!open.empty()) {
            const NodeId at = open.back();
            open.pop_back();
            for (PortId port = 1; port < graph_.port_count(); ++port) {
                const LinkId id = graph_.out_link(at, port);
                if (id == kNoLink || living_.dead_links()[id]) continue;
                const NodeId to = graph_.link(id).to;
                if (to < graph_.endpoint_count() || inside[to]) continue;
                inside[to] = true;
                open.push_back(to);
            }
        }
        std::set<std::pair<NodeId, NodeId>> links;
        std::set<NodeId> nodes;
        for (const Link& link : graph_.links()) {
            if (inside[link.from] == inside[link.to] || living_.is_alive(link)) continue;
            const NodeId other = inside[link.from] ? link.to : link.from;
            if (!living_.is_alive(other)) {
                nodes.insert(other);
            } else {
                links.insert(std::minmax(link.from, link.to));
            }
        }
        std::vector<std::string> parts;
        if (!links.empty()) {
            std::vector<std::string> names;
            for (const auto& [a, b] : links) names.push_back(fmt::format("{}-{}", a, b));
            parts.push_back(
                fmt::format("{} {}", names.size() == 1 ? "link" : "links", listed(names)));
        }
        if (!nodes.empty()) {
            parts.push_back(fmt::format("{} {}", nodes.size() == 1 ? "node" : "nodes",
                                        listed(std::vector<NodeId>(nodes.begin(), nodes.end()))));
        }
        return fmt::format("{}", fmt::join(parts, ", "));
    }

    const WorkloadConfig& config_;
    const FaultsConfig& faults_;
    const Graph& graph_;
    const NodeFinder finder_;
    LivingNetwork living_;
    FindingList findings_;
};

}  // namespace

Graph with_faults(const WorkloadConfig& config, Graph graph) {
    if (!config.faults || config.faults->is_empty()) return graph;
    // Ways around faults are found by tables; so are nodes that would be cut off, in bounded time.
    if (graph.node_count() > kMostTableNodes) {
        throw ConfigError(
            config.where("faults"),
            fmt::format("no routing supports faults in a network of {} nodes", graph.node_count()),
            fmt::format("at most {} nodes", kMostTableNodes));
    }
    Faults faults(config, graph);
    faults.kill_named();
    faults.kill_random_nodes();
    faults.kill_random_links();
    if (!faults.kills_any()) return graph;
    faults.require_ways();
    return faults.left();
}

std::string channel_name(const Link& link) {
    return fmt::format("{}-{}", std::min(link.from, link.to), std::max(link.from, link.to));
}

std::vector<LinkId> dead_links(const Graph& graph) {
    std::vector<LinkId> dead;
    const Graph& whole = graph.whole();
    for (LinkId id = 0; id < whole.link_count(); ++id) {
        const Link& link = whole.link(id);
        if (!graph.is_alive(link.from) || !graph.is_alive(link.to)) continue;
        if (graph.out_link(link.from, link.from_port) == kNoLink) dead.push_back(id);
    }
    return dead;
}

std::vector<std::string> dead_channels(const Graph& graph) {
    std::vector<std::string> names;
    std::set<std::pair<NodeId, NodeId>> named;
    for (const LinkId id : dead_links(graph)) {
        const Link& link = graph.whole().link(id);
        if (named.insert(std::minmax(link.from, link.to)).second) {
            names.push_back(channel_name(link));
        }
    }
    return names;
}

std::vector<NodeId> dead_nodes(const Graph& graph) {
    std::vector<NodeId> nodes;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (!graph.is_alive(node)) nodes.push_back(node);
    }
    return nodes;
}

void require_living_interconnect(const Config& config, const Graph& graph) {
    const InterconnectConfig& interconnect = *config.interconnect;
    const auto require = [&](const char* what, const char* key, NodeId node) {
        if (graph.is_alive(node)) return;
        throw ConfigError(
            config.where(key),
            fmt::format("{} at node {}, which has failed (section faults)", what, node),
            "let it live, or use another node");
    };
    for (const NodeId node : interconnect.initiators) {
        require("an initiator is", "interconnect.initiators", node);
    }
    for (const InterconnectTarget& target : interconnect.targets) {
        require("a target is", "interconnect.targets", target.node);
    }
}

ConfigError dead_node_error(const Location& where, const std::string& what) {
    return {where, what + " is dead (section faults)",
            "set faults.traffic: drop to leave out the messages of failed nodes"};
}

}  // namespace flitscope
