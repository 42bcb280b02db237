// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves names and numbers to links, and lists the valid ones for an invalid one.
#include "waveforms/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/node_finder.h"
#include "models/config/config.h"
#include "models/config/trace_config.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

namespace {

class Selector {
public:
    Selector(const Config& config, const Graph& graph)
        : config_(config),
          trace_(config.trace),
          graph_(graph),
          finder_(graph.given_names()),
          chosen_(graph.link_count(), false) {}

    TraceSelection run() {
        add_links();
        add_nodes();
        add_routers();
        add_dimensions();
        check_window();
        if (!findings_.empty()) throw ConfigError(std::move(findings_));
        TraceSelection selection;
        selection.from = trace_.from;
        selection.until = trace_.until;
        selection.details = trace_.details;
        const bool all = trace_.links.empty() && !names_places() && trace_.dimensions.empty();
        for (LinkId id = 0; id < graph_.link_count(); ++id) {
            if (all || chosen_[id]) selection.links.push_back(id);
        }
        if (trace_.endpoints) selection.endpoints = endpoints(selection.links, all);
        return selection;
    }

private:
    void fail(const char* key, std::string what, std::string hint) {
        findings_.push_back({config_.where(key), std::move(what), std::move(hint)});
    }

    /// Some node or router is to be traced.
    bool names_places() const { return !trace_.nodes.empty() || !trace_.routers.empty(); }

    const char* end_word() const { return graph_.places().router_word(); }

    static std::string range(const char* word, std::uint32_t count) {
        if (count == 1) return fmt::format("the only {} is 0", word);
        return fmt::format("the {}s are 0 to {}", word, count - 1);
    }

    void add_links() {
        for (const std::string& text : trace_.links) {
            const auto ends = finder_.find_ends(text);
            // If names with '-' allow several pairs, one that a link joins is meant.
            const auto is_joined = [&](const auto& pair) {
                return joins(graph_, RouterId(pair.first), RouterId(pair.second));
            };
            const auto joined = std::find_if(ends.begin(), ends.end(), is_joined);
            if (ends.empty()) {
                add_name(text);
            } else {
                const auto [from, to] = joined == ends.end() ? ends.front() : *joined;
                add_pair(text, RouterId(from), RouterId(to));
            }
        }
    }

    static bool joins(const Graph& graph, RouterId from, RouterId to) {
        if (from >= graph.router_count()) return false;
        for (PortId port = 0; port < graph.port_count(); ++port) {
            const LinkId id = graph.out_link(from, port);
            if (id != kNoLink && graph.link(id).to == to) return true;
        }
        return false;
    }

    void add_pair(const std::string& text, RouterId from, RouterId to) {
        for (const RouterId router : {from, to}) {
            if (router >= graph_.router_count()) {
                fail("waveform.links",
                     fmt::format("link {}: there is no {} {}", text, end_word(), router),
                     range(end_word(), graph_.router_count()));
                return;
            }
        }
        std::vector<std::string> present;
        for (PortId port = 0; port < graph_.port_count(); ++port) {
            const LinkId id = graph_.out_link(from, port);
            if (id == kNoLink) continue;
            present.push_back(graph_.short_link_name(id));
            if (graph_.link(id).to != to) continue;
            chosen_[id] = true;
        }
        if (joins(graph_, from, to)) return;
        const bool is_dead = joins(graph_.whole(), from, to);
        const std::string start = fmt::format("{} {}", end_word(), finder_.name_of(from));
        const std::string end = fmt::format("{} {}", end_word(), finder_.name_of(to));
        fail("waveform.links",
             fmt::format(is_dead ? "the link from {} to {} has failed (section faults)"
                                 : "there is no link from {} to {}",
                         start, end),
             present.empty()
                 ? "no link leaves " + start
                 : fmt::format("links that leave {}: {}", start, fmt::join(present, ", ")));
    }

    void add_name(const std::string& name) {
        if (names_.empty()) {
            for (LinkId id = 0; id < graph_.link_count(); ++id) {
                names_[graph_.link_name(id)] = id;
                // Without a number, all links between the two are meant (add_links).
                if (graph_.link(id).rank > 0) names_[graph_.short_link_name(id)] = id;
            }
        }
        if (const auto found = names_.find(name); found != names_.end()) {
            chosen_[found->second] = true;
            return;
        }
        std::vector<std::string> candidates;
        candidates.reserve(names_.size());
        for (const auto& entry : names_) candidates.push_back(entry.first);
        for (LinkId id = 0; finder_.has_names() && id < graph_.link_count(); ++id) {
            candidates.push_back(graph_.given_link_name(id));
        }
        const std::string meant = nearest(name, candidates);
        std::string hint = "did you mean " + meant + "?";
        if (meant.empty() && candidates.empty()) hint = "this network has no links";
        if (meant.empty() && !candidates.empty()) {
            const Link& first = graph_.link(0);
            hint = fmt::format("write a link as \"{}-{}\" or {}{}", first.from, first.to,
                               graph_.link_name(0),
                               finder_.has_names() ? fmt::format(", or its {}s by their names, "
                                                                 "which flitscope topology lists",
                                                                 end_word())
                                                   : "");
        }
        fail("waveform.links", fmt::format("there is no link \"{}\"", name), std::move(hint));
    }

    void add_nodes() {
        for (const NodeId node : trace_.nodes) {
            if (const auto router = graph_.places().router_numbered(node)) {
                add_links_of(*router);
            } else {
                fail("waveform.nodes", fmt::format("there is no node {}", node),
                     range("node", graph_.places().numbers()));
            }
        }
    }

    void add_routers() {
        for (const std::string& text : trace_.routers) {
            if (const auto router = finder_.find(text, graph_.router_count())) {
                routers_.emplace_back(*router);
                add_links_of(routers_.back());
            } else {
                fail("waveform.routers", fmt::format("there is no router \"{}\"", text),
                     finder_.remedy(text, range("router", graph_.router_count())));
            }
        }
    }

    void add_links_of(RouterId router) {
        for (PortId port = 0; port < graph_.port_count(); ++port) {
            for (const LinkId id : {graph_.out_link(router, port), graph_.in_link(router, port)}) {
                if (id != kNoLink) chosen_[id] = true;
            }
        }
    }

    void add_dimensions() {
        if (trace_.dimensions.empty()) return;
        std::set<std::uint32_t> present;
        for (const Link& link : graph_.links()) {
            if (link.dimension != kNoDimension) {
                present.insert(graph_.dimension_number(link.dimension));
            }
        }
        for (const std::uint32_t dimension : trace_.dimensions) {
            if (present.count(dimension) == 0) {
                fail("waveform.dimensions", fmt::format("no link is in dimension {}", dimension),
                     present.empty()
                         ? "the links of this network have no dimensions"
                         : fmt::format("dimensions with links: {}", fmt::join(present, ", ")));
                continue;
            }
            for (LinkId id = 0; id < graph_.link_count(); ++id) {
                const std::uint32_t own = graph_.link(id).dimension;
                if (graph_.dimension_number(own) == dimension) chosen_[id] = true;
            }
        }
    }

    void check_window() {
        if (trace_.from < trace_.until) return;
        fail("waveform.until",
             fmt::format("the window from cycle {} until cycle {} is empty", trace_.from,
                         trace_.until),
             "`until` is the first cycle after the trace: make it larger than `from`");
    }

    std::vector<NodeId> endpoints(const std::vector<LinkId>& links, bool all) const {
        std::vector<bool> chosen(graph_.node_count(), all);
        const auto choose_at = [&](RouterId router) {
            for (const NodeId node : graph_.nodes_at(router)) chosen[node] = true;
        };
        for (const NodeId node : trace_.nodes) {
            if (node < graph_.node_count()) chosen[node] = true;
        }
        for (const RouterId router : routers_) choose_at(router);
        if (!names_places()) {
            for (const LinkId id : links) {
                choose_at(graph_.link(id).from);
                choose_at(graph_.link(id).to);
            }
        }
        std::vector<NodeId> nodes;
        for (NodeId node = 0; node < graph_.node_count(); ++node) {
            if (chosen[node]) nodes.push_back(node);
        }
        return nodes;
    }

    const Config& config_;
    const TraceConfig& trace_;
    const Graph& graph_;
    const NodeFinder finder_;
    std::vector<bool> chosen_;             // per link
    std::vector<RouterId> routers_;        // those of the key
    std::map<std::string, LinkId> names_;  // names of all links, made when first needed
    std::vector<Diagnostic> findings_;
};

}  // namespace

TraceSelection select_channels(const Config& config, const Graph& graph) {
    return Selector(config, graph).run();
}

}  // namespace flitscope
