// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/faults/faults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
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
#include "models/topology/faults/working_network.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

using Ends = std::pair<RouterId, RouterId>;

/// Channels that a text can mean.
struct NamedChannels {
    Ends ends;
    std::optional<std::uint32_t> rank;  ///< one of them; without it all between the ends
};

/// The parts before and after the last '_', if the latter is a number.
std::optional<std::pair<std::string_view, std::uint32_t>> split_number(std::string_view text) {
    const std::size_t middle = text.rfind('_');
    if (middle == text.npos) return std::nullopt;
    const auto number = to_node_number(text.substr(middle + 1));
    if (!number) return std::nullopt;
    return std::pair(text.substr(0, middle), *number);
}

/// "link_003_004", "link_003_004_1": one channel.
std::optional<NamedChannels> parse_link_name(std::string_view text) {
    constexpr std::string_view kPrefix = "link_";
    if (text.substr(0, kPrefix.size()) != kPrefix) return std::nullopt;
    text.remove_prefix(kPrefix.size());
    const auto last = split_number(text);
    if (!last) return std::nullopt;
    if (const auto from = to_node_number(last->first)) {
        return NamedChannels{Ends(*from, last->second), 0};
    }
    const auto ends = split_number(last->first);
    const auto from = ends ? to_node_number(ends->first) : std::nullopt;
    if (!from) return std::nullopt;
    return NamedChannels{Ends(*from, ends->second), last->second};
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

/// Routers in parts that grow together.
class DisjointSets {
public:
    explicit DisjointSets(std::uint32_t routers) {
        for (RouterId router; router < routers; ++router) above_.push_back(router);
    }

    /// Returns whether the two were in different parts.
    bool join(RouterId a, RouterId b) {
        a = top(a);
        b = top(b);
        above_[a] = b;
        return a != b;
    }

private:
    RouterId top(RouterId router) {
        while (above_[router] != router) router = above_[router] = above_[above_[router]];
        return router;
    }

    std::vector<RouterId> above_;
};

class Faults {
public:
    Faults(const WorkloadConfig& config, const Graph& graph)
        : config_(config),
          faults_(*config.faults),
          graph_(graph),
          finder_(graph.given_names()),
          working_(graph),
          router_word_(graph.places().router_word()),
          findings_(config.source) {}

    void kill_named() {
        for (const std::string& text : faults_.links) kill_channel(text);
        for (const NodeId node : faults_.nodes) kill_node_or_switch(node);
        for (const std::string& text : faults_.routers) kill_router(text);
        findings_.throw_if_any();
        require_ways();
    }

    void kill_random_nodes() {
        std::vector<Part> parts;
        for (NodeId node = 0; node < graph_.node_count(); ++node) {
            if (working_.is_alive(node)) parts.push_back({node, {}});
        }
        for (RouterId router; router < graph_.router_count(); ++router) {
            const bool is_switch = graph_.nodes_at(router).empty();
            if (is_switch && working_.is_alive(router)) parts.push_back({kNoNode, router});
        }
        const std::uint64_t wanted =
            amount("faults.random_nodes", faults_.random_nodes, parts.size(), "nodes");
        shuffle(parts, faults_.seed);
        std::uint64_t killed = 0;
        // A part that cannot be spared now may be once others have died.
        for (bool goes_on = true; goes_on && killed < wanted;) {
            goes_on = false;
            for (const Part& part : parts) {
                if (killed == wanted) break;
                if (!is_alive(part) || !can_lose(part)) continue;
                kill(part);
                ++killed;
                goes_on = true;
            }
        }
        require_all("faults.random_nodes", "nodes", killed, wanted);
    }

    void kill_random_links() {
        std::set<std::pair<Ends, LinkId>> living;  // in the order of routers
        for (LinkId id = 0; id < graph_.link_count(); ++id) {
            const Link& link = graph_.link(id);
            if (!working_.is_alive(link)) continue;
            // The lower number of the two: kNoLink is the largest.
            const LinkId first = std::min(id, other_link(graph_, id));
            living.insert({std::minmax(link.from, link.to), first});
        }
        std::vector<LinkId> channels;
        for (const auto& [ends, first] : living) channels.push_back(first);
        const std::uint64_t wanted =
            amount("faults.random_links", faults_.random_links, channels.size(), "channels");
        shuffle(channels, split_mix(faults_.seed));
        std::vector<bool> is_needed(channels.size());
        if (faults_.keep_connected && wanted > 0) is_needed = needed(channels);
        std::uint64_t killed = 0;
        for (std::size_t i = 0; i < channels.size() && killed < wanted; ++i) {
            if (is_needed[i]) continue;
            working_.kill_channel(channels[i]);
            ++killed;
        }
        require_all("faults.random_links", "channels", killed, wanted);
    }

    /// Throws ConfigError, which names the cut, if nodes cannot reach each other.
    void require_ways() const {
        const NodeId nodes = working_.working_node_count();
        if (nodes == 0) {
            throw ConfigError(config_.where("faults"), "all nodes have failed", "keep one working");
        }
        const std::vector<NodeId> side = working_.cut_off();
        if (side.empty()) return;
        throw ConfigError(
            config_.where("faults"),
            fmt::format("the faults cut the network in parts: {} {} and {} cannot "
                        "all reach each other; failed between them: {}",
                        side.size() == 1 ? "node" : "nodes", listed(side),
                        nodes - side.size() == 1 ? "the other one"
                                                 : fmt::format("the other {}", nodes - side.size()),
                        dead_around(side)),
            has_random() ? "set faults.keep_connected: true, another seed, or fewer faults"
                         : "keep one of them working, or let these nodes fail, too");
    }

    bool kills_any() const {
        const auto has = [](const std::vector<bool>& dead) {
            return std::find(dead.begin(), dead.end(), true) != dead.end();
        };
        return has(working_.dead_nodes()) || has(working_.dead_routers()) ||
               has(working_.dead_links());
    }
    Graph left() const {
        return graph_.without(working_.dead_links(), working_.dead_routers(),
                              working_.dead_nodes());
    }

private:
    /// A part that can fail at random: a node, or a switch, whose node is kNoNode.
    struct Part {
        NodeId node;
        RouterId router;
    };

    bool has_random() const {
        return !faults_.random_links.is_zero() || !faults_.random_nodes.is_zero();
    }

    /// If node n is attached to router n, the numbers after the nodes are those of the switches.
    void kill_node_or_switch(NodeId number) {
        const NodePlaces& places = graph_.places();
        if (number < graph_.node_count()) {
            working_.kill_node(number);
        } else if (const auto router = places.router_numbered(number)) {
            working_.kill_router(*router);
        } else {
            findings_.add(
                {config_.where("faults.nodes"), fmt::format("node {} does not exist", number),
                 fmt::format(
                     "nodes are 0 .. {}{}", places.numbers() - 1,
                     places.is_one_each() ? "" : "; switches are named by faults.routers")});
        }
    }

    void kill_router(const std::string& text) {
        if (const auto router = finder_.find(text, graph_.router_count())) {
            working_.kill_router(RouterId(*router));
            return;
        }
        findings_.add({config_.where("faults.routers"),
                       fmt::format("there is no router '{}'", text),
                       finder_.remedy(text, router_numbers("router"))});
    }

    std::string router_numbers(const char* word) const {
        return fmt::format("{}s are 0 .. {}", word, graph_.router_count() - 1);
    }

    /// By the names of their routers; none if these have only numbers.
    std::vector<std::string> given_link_names() const {
        std::vector<std::string> names;
        for (LinkId id = 0; finder_.has_names() && id < graph_.link_count(); ++id) {
            names.push_back(graph_.given_link_name(id));
        }
        return names;
    }

    /// Possible meanings of a text: "3-4", all links between the two; "3-4_1", "link_003_004_1".
    std::vector<NamedChannels> meanings(const std::string& text) const {
        std::vector<NamedChannels> all;
        for (const auto& [a, b] : finder_.find_ends(text)) all.push_back({Ends(a, b), {}});
        if (const auto parts = split_number(text)) {
            for (const auto& [a, b] : finder_.find_ends(parts->first)) {
                all.push_back({Ends(a, b), parts->second});
            }
        }
        if (const auto named = parse_link_name(text)) all.push_back(*named);
        return all;
    }

    /// Whether there are any.
    bool kill(const NamedChannels& named) {
        const auto [a, b] = named.ends;
        if (a >= graph_.router_count() || b >= graph_.router_count()) return false;
        if (!named.rank) return working_.kill_links_between(a, b);
        LinkId link = graph_.link_between(a, b, *named.rank);
        if (link == kNoLink) link = graph_.link_between(b, a, *named.rank);
        if (link != kNoLink) working_.kill_channel(link);
        return link != kNoLink;
    }

    void kill_channel(const std::string& text) {
        constexpr const char* kKey = "faults.links";
        const std::vector<NamedChannels> possible = meanings(text);
        if (possible.empty()) {
            findings_.add({config_.where(kKey), fmt::format("'{}' names no link", text),
                           did_you_mean(nearest(text, given_link_names()),
                                        fmt::format("write the two {}s, 3-4, or the name, "
                                                    "link_003_004",
                                                    router_word_))});
            return;
        }
        // If names with '-' allow several pairs, those that a link joins are meant.
        for (const NamedChannels& named : possible) {
            if (kill(named)) return;
        }
        const auto [a, b] = possible.front().ends;
        for (const RouterId router : {a, b}) {
            if (router < graph_.router_count()) continue;
            findings_.add(
                {config_.where(kKey),
                 fmt::format("{} {} of link '{}' does not exist", router_word_, router, text),
                 router_numbers(router_word_)});
            return;
        }
        std::vector<std::string> neighbours;
        for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
            const LinkId id = graph_.out_link(a, port);
            if (id != kNoLink) neighbours.push_back(finder_.name_of(graph_.link(id).to));
        }
        findings_.add({config_.where(kKey),
                       fmt::format("'{}': no {} joins {}s {} and {}", text,
                                   possible.front().rank ? "link of that number" : "link",
                                   router_word_, finder_.name_of(a), finder_.name_of(b)),
                       neighbours.empty()
                           ? fmt::format("no link leaves {} {}", router_word_, finder_.name_of(a))
                           : fmt::format("links of {} {} lead to {}", router_word_,
                                         finder_.name_of(a), listed(neighbours))});
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

    /// Which of all channels would disconnect routers if they died in this order, skipping those
    /// that would.
    std::vector<bool> needed(const std::vector<LinkId>& channels) {
        std::vector<bool> result(channels.size());
        if (working_.leads_both_ways()) {
            // The indispensable channels are a spanning forest of those that come last (Kruskal
            // 1956, construction A'): backwards, each channel that joins two parts.
            DisjointSets parts(graph_.router_count());
            for (std::size_t i = channels.size(); i-- > 0;) {
                const Link& link = graph_.link(channels[i]);
                result[i] = parts.join(link.from, link.to);
            }
            return result;
        }
        WorkingNetwork less = working_;
        for (std::size_t i = 0; i < channels.size(); ++i) {
            result[i] = !less.can_lose_channel(channels[i]);
            if (!result[i]) less.kill_channel(channels[i]);
        }
        return result;
    }

    bool is_alive(const Part& part) const {
        return part.node == kNoNode ? working_.is_alive(part.router) : working_.is_alive(part.node);
    }
    void kill(const Part& part) {
        if (part.node == kNoNode) {
            working_.kill_router(part.router);
        } else {
            working_.kill_node(part.node);
        }
    }
    bool can_lose(const Part& part) {
        if (!faults_.keep_connected) return true;
        if (part.node == kNoNode) return working_.can_lose_router(part.router);
        return working_.working_node_count() > 1 && working_.can_lose_node(part.node);
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

    /// The channels and routers that are dead at the edge of `side`.
    std::string dead_around(const std::vector<NodeId>& side) const {
        // With the switches that belong to it.
        std::vector<bool> inside(graph_.router_count());
        std::vector<RouterId> open;
        for (const NodeId node : side) {
            open.push_back(graph_.router_of(node));
            inside[open.back()] = true;
        }
        while (!open.empty()) {
            const RouterId at = open.back();
            open.pop_back();
            for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
                const LinkId id = graph_.out_link(at, port);
                if (id == kNoLink || working_.dead_links()[id]) continue;
                const RouterId to = graph_.link(id).to;
                if (!graph_.nodes_at(to).empty() || inside[to]) continue;
                inside[to] = true;
                open.push_back(to);
            }
        }
        std::set<Ends> links;
        std::set<RouterId> routers;
        for (const Link& link : graph_.links()) {
            if (inside[link.from] == inside[link.to] || working_.is_alive(link)) continue;
            const RouterId other = inside[link.from] ? link.to : link.from;
            if (!working_.is_alive(other)) {
                routers.insert(other);
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
        if (!routers.empty()) {
            parts.push_back(
                fmt::format("{}{} {}", router_word_, routers.size() == 1 ? "" : "s",
                            listed(std::vector<RouterId>(routers.begin(), routers.end()))));
        }
        return fmt::format("{}", fmt::join(parts, ", "));
    }

    const WorkloadConfig& config_;
    const FaultsConfig& faults_;
    const Graph& graph_;
    const NodeFinder finder_;
    WorkingNetwork working_;
    const char* const router_word_;  // in messages: routers have the numbers of nodes, or their own
    FindingList findings_;
};

}  // namespace

Graph with_faults(const WorkloadConfig& config, Graph graph) {
    if (!config.faults || config.faults->is_empty()) return graph;
    // Ways around faults are found by tables; so are nodes that would be cut off, in bounded time.
    const std::uint32_t nodes = std::max(graph.router_count(), graph.node_count());
    if (nodes > kMostTableNodes) {
        throw ConfigError(config.where("faults"),
                          fmt::format("no routing supports faults in a network of {} nodes", nodes),
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

}  // namespace flitscope
