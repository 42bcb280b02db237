// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "models/config/config_tree.h"
#include "models/config/key_kinds.h"
#include "models/input_file.h"
#include "models/topology/topologies.h"

namespace flitscope {
namespace {

constexpr std::size_t kMaxGraphBytes = 64U << 20;

/// Reads one graph file, gathering every finding before it gives up.
class CustomGraphReader {
public:
    CustomGraphReader(std::string path, const LinkDelayConfig& model)
        : path_(std::move(path)), model_(model) {}

    Graph read(const Location& named_at) {
        const std::string text = read_input_file(path_, "graph file", kMaxGraphBytes, named_at);
        const ConfigTree root = parse_tree(text, path_, findings_, kMaxGraphBytes);
        if (!root.is_map()) {
            throw ConfigError({path_, 1, 1}, "a graph file is a map with nodes and links",
                              "nodes: 2, then links: [{from: 0, to: 1, both: true}]");
        }
        check_keys(root, {"nodes", "links"});
        nodes_ = static_cast<NodeId>(number(root, "nodes", 0, {1, kMaxNodes}, true));
        const ConfigTree* const links = root.find("links");
        if (links == nullptr || !links->is_sequence()) {
            fail(links == nullptr ? root.where : links->where, "'links' is missing or not a list",
                 "links: [{from: 0, to: 1}, ...]");
        } else {
            for (const ConfigTree& entry : links->children) read_link(entry);
        }
        if (findings_.empty()) check_connected(links->where);
        if (!findings_.empty()) throw ConfigError(std::move(findings_));
        return build();
    }

private:
    void fail(const Location& where, std::string what, std::string hint = {}) {
        findings_.push_back({where, std::move(what), std::move(hint)});
    }
    void check_keys(const ConfigTree& map, const std::vector<std::string>& known) {
        for (const ConfigTree& entry : map.children) {
            if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
            const std::string near = nearest(entry.key, known);
            fail(entry.key_where, fmt::format("unknown key '{}'", entry.key),
                 near.empty() ? fmt::format("keys here: {}", fmt::join(known, ", "))
                              : fmt::format("did you mean '{}'?", near));
        }
    }
    /// The integer under `key`; `otherwise` when it is absent or not in the range.
    std::uint64_t number(const ConfigTree& map, const char* key, std::uint64_t otherwise,
                         const kinds::IntegerRange& range, bool required) {
        const ConfigTree* const value = map.find(key);
        if (value == nullptr) {
            if (required) fail(map.where, fmt::format("'{}' is missing", key));
            return otherwise;
        }
        return kinds::read_integer(*value, {key, "", findings_}, range).value_or(otherwise);
    }

    void read_link(const ConfigTree& entry) {
        if (!entry.is_map()) {
            fail(entry.where, "a link is a map", "{from: 0, to: 1}");
            return;
        }
        const std::size_t before = findings_.size();
        check_keys(entry, {"from", "to", "length", "delay", "both"});
        const std::uint64_t last = nodes_ == 0 ? kMaxNodes - 1 : nodes_ - 1;
        Link link;
        link.from = static_cast<NodeId>(number(entry, "from", 0, {0, last}, true));
        link.to = static_cast<NodeId>(number(entry, "to", 0, {0, last}, true));
        link.length = static_cast<std::uint32_t>(number(entry, "length", 1, {1, 1U << 20}, false));
        link.delay = static_cast<std::uint32_t>(
            number(entry, "delay", model_.delay(link.length), {1, 1024}, false));
        const ConfigTree* const twin = entry.find("both");
        const bool both =
            twin != nullptr &&
            kinds::read_switch(*twin, {"both", "", findings_}, "true or false").value_or(false);
        if (findings_.size() != before) return;
        if (link.from == link.to) {
            fail(entry.where, fmt::format("link from node {} to itself", link.from));
            return;
        }
        add(entry, link);
        if (both) {
            std::swap(link.from, link.to);
            add(entry, link);
        }
    }
    void add(const ConfigTree& entry, const Link& link) {
        if (!pairs_.insert({link.from, link.to}).second) {
            fail(entry.where, fmt::format("link {} -> {} appears twice", link.from, link.to));
            return;
        }
        links_.push_back(link);
    }

    std::vector<bool> reached(NodeId start, bool backwards) const {
        std::vector<std::vector<NodeId>> next(nodes_);
        for (const Link& l : links_) {
            backwards ? next[l.to].push_back(l.from) : next[l.from].push_back(l.to);
        }
        std::vector<bool> seen(nodes_, false);
        std::vector<NodeId> open{start};
        seen[start] = true;
        while (!open.empty()) {
            const NodeId node = open.back();
            open.pop_back();
            for (const NodeId n : next[node]) {
                if (!seen[n]) {
                    seen[n] = true;
                    open.push_back(n);
                }
            }
        }
        return seen;
    }
    void check_connected(const Location& where) {
        for (const bool backwards : {false, true}) {
            const std::vector<bool> seen = reached(0, backwards);
            const auto missing = std::find(seen.begin(), seen.end(), false);
            if (missing == seen.end()) continue;
            const auto node = missing - seen.begin();
            fail(where,
                 backwards ? fmt::format("node 0 cannot be reached from node {}", node)
                           : fmt::format("node {} cannot be reached from node 0", node),
                 "every node must reach every other one; add links");
            return;
        }
    }

    Graph build() const {
        std::vector<std::vector<NodeId>> neighbours(nodes_);
        const auto port = [&neighbours](NodeId node, NodeId other) {
            auto& list = neighbours[node];
            const auto found = std::find(list.begin(), list.end(), other);
            const auto position = found - list.begin();
            if (found == list.end()) list.push_back(other);
            return static_cast<PortId>(1 + position);
        };
        std::vector<Link> links = links_;
        for (Link& l : links) {
            l.from_port = port(l.from, l.to);
            l.to_port = port(l.to, l.from);
        }
        std::size_t ports = 1;
        for (const auto& list : neighbours) ports = std::max(ports, 1 + list.size());
        Graph graph("custom", {nodes_}, static_cast<PortId>(ports));
        graph.set_description("custom " + std::filesystem::path(path_).filename().string());
        for (const Link& l : links) graph.add_link(l);
        return graph;
    }

    std::string path_;
    LinkDelayConfig model_;
    NodeId nodes_ = 0;
    std::vector<Link> links_;
    std::set<std::pair<NodeId, NodeId>> pairs_;
    std::vector<Diagnostic> findings_;
};

}  // namespace

Graph load_custom_graph(const std::string& path, const LinkDelayConfig& model,
                        const Location& named_at) {
    return CustomGraphReader(path, model).read(named_at);
}

}  // namespace flitscope
