// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves names and numbers to links, and lists the valid ones for an invalid one.
#include "waveforms/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
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
        add_dimensions();
        check_window();
        if (!findings_.empty()) throw ConfigError(std::move(findings_));
        TraceSelection selection;
        selection.from = trace_.from;
        selection.until = trace_.until;
        selection.details = trace_.details;
        const bool all = trace_.links.empty() && trace_.nodes.empty() && trace_.dimensions.empty();
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

    std::string node_range() const {
        if (graph_.node_count() == 1) return "the only node is 0";
        return fmt::format("the nodes are 0 to {}", graph_.node_count() - 1);
    }

    void add_links() {
        for (const std::string& text : trace_.links) {
            const std::vector<std::pair<NodeId, NodeId>> ends = finder_.find_ends(text);
            // If names with '-' allow several pairs, one that a link joins is meant.
            const auto is_joined = [&](const std::pair<NodeId, NodeId>& pair) {
                return joins(graph_, pair.first, pair.second);
            };
            const auto joined = std::find_if(ends.begin(), ends.end(), is_joined);
            if (ends.empty()) {
                add_name(text);
            } else {
                const auto [from, to] = joined == ends.end() ? ends.front() : *joined;
                add_pair(text, from, to);
            }
        }
    }

    static bool joins(const Graph& graph, NodeId from, NodeId to) {
        if (from >= graph.node_count()) return false;
        for (PortId port = 0; port < graph.port_count(); ++port) {
            const LinkId id = graph.out_link(from, port);
            if (id != kNoLink && graph.link(id).to == to) return true;
        }
        return false;
    }

    void add_pair(const std::string& text, NodeId from, NodeId to) {
        for (const NodeId node : {from, to}) {
            if (node >= graph_.node_count()) {
                fail("waveform.links", fmt::format("link {}: there is no node {}", text, node),
                     node_range());
                return;
            }
        }
        std::vector<std::string> present;
        for (PortId port = 0; port < graph_.port_count(); ++port) {
            const LinkId id = graph_.out_link(from, port);
            if (id == kNoLink) continue;
            present.push_back(finder_.has_names() ? graph_.given_link_name(id)
                                                  : fmt::format("{}-{}", from, graph_.link(id).to));
            if (graph_.link(id).to != to) continue;
            chosen_[id] = true;
        }
        if (joins(graph_, from, to)) return;
        const bool is_dead = joins(graph_.whole(), from, to);
        fail("waveform.links",
             fmt::format(is_dead ? "the link from node {} to node {} has failed (section faults)"
                                 : "there is no link from node {} to node {}",
                         finder_.name_of(from), finder_.name_of(to)),
             present.empty() ? fmt::format("no link leaves node {}", finder_.name_of(from))
                             : fmt::format("links that leave node {}: {}", finder_.name_of(from),
                                           fmt::join(present, ", ")));
    }

    void add_name(const std::string& name) {
        if (names_.empty()) {
            for (LinkId id = 0; id < graph_.link_count(); ++id) names_[graph_.link_name(id)] = id;
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
                               finder_.has_names()
                                   ? ", or its nodes by their names, which flitscope topology lists"
                                   : "");
        }
        fail("waveform.links", fmt::format("there is no link \"{}\"", name), std::move(hint));
    }

    void add_nodes() {
        for (const NodeId node : trace_.nodes) {
            if (node >= graph_.node_count()) {
                fail("waveform.nodes", fmt::format("there is no node {}", node), node_range());
                continue;
            }
            for (PortId port = 0; port < graph_.port_count(); ++port) {
                for (const LinkId id : {graph_.out_link(node, port), graph_.in_link(node, port)}) {
                    if (id != kNoLink) chosen_[id] = true;
                }
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
        for (const NodeId node : trace_.nodes) chosen[node] = true;
        if (trace_.nodes.empty()) {
            for (const LinkId id : links) {
                chosen[graph_.link(id).from] = true;
                chosen[graph_.link(id).to] = true;
            }
        }
        std::vector<NodeId> nodes;
        for (NodeId node = 0; node < graph_.endpoint_count(); ++node) {
            if (chosen[node]) nodes.push_back(node);
        }
        return nodes;
    }

    const Config& config_;
    const TraceConfig& trace_;
    const Graph& graph_;
    const NodeFinder finder_;
    std::vector<bool> chosen_;             // per link
    std::map<std::string, LinkId> names_;  // names of all links, made when first needed
    std::vector<Diagnostic> findings_;
};

}  // namespace

TraceSelection select_channels(const Config& config, const Graph& graph) {
    return Selector(config, graph).run();
}

}  // namespace flitscope
