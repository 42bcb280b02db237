// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "models/config/config_tree.h"
#include "models/topology/files/graph_file.h"
#include "models/topology/graph.h"

namespace flitscope::graph_file {
namespace {

class YamlReader {
public:
    explicit YamlReader(Assembler& assembler) : assembler_(assembler) {}

    Graph read(const std::string& text) {
        std::vector<Diagnostic> repeated;
        const ConfigTree root = parse_tree(text, assembler_.path(), repeated, kMaxBytes);
        for (const Diagnostic& d : repeated) assembler_.fail(place_of(d.where), d.what, d.hint);
        if (!root.is_map()) {
            assembler_.fail({1, 1}, "a graph file is a map with nodes and links",
                            "nodes: 2, then links: [{from: 0, to: 1, both: true}]");
            assembler_.throw_if_findings();
        }
        for (const ConfigTree& entry : root.children) {
            check_key(entry, {"nodes", "endpoints", "routers", "at", "nodes_per_router", "links",
                              "positions"});
        }
        const auto routers =
            root.find("routers") == nullptr ? read_nodes(root) : read_routers(root);
        if (routers) assembler_.set_router_count(*routers);
        if (const ConfigTree* const positions = root.find("positions")) {
            read_positions(*positions, routers);
        }
        const ConfigTree* const links = root.find("links");
        if (links == nullptr || !links->is_sequence()) {
            assembler_.fail(place_of(links == nullptr ? root.where : links->where),
                            "'links' is missing or not a list", "links: [{from: 0, to: 1}, ...]");
            assembler_.throw_if_findings();
        }
        for (const ConfigTree& entry : links->children) read_link(entry);
        return assembler_.finish(place_of(links->where));
    }

private:
    static Place place_of(const Location& where) { return {where.line, where.column}; }

    bool check_key(const ConfigTree& entry, const std::vector<std::string>& known) {
        const bool is_known = std::find(known.begin(), known.end(), entry.key) != known.end();
        if (!is_known) {
            assembler_.fail_unknown(place_of(entry.key_where), "key", entry.key, known);
        }
        return is_known;
    }
    std::optional<std::uint32_t> number(const ConfigTree& value, const std::string& name,
                                        const kinds::IntegerRange& range) {
        if (value.is_scalar() && !value.quoted) {
            return assembler_.number(name, value.text, place_of(value.where), range);
        }
        assembler_.fail(place_of(value.where), fmt::format("'{}' must be {}, found {}", name,
                                                           range.expected(), value.found()));
        return std::nullopt;
    }
    std::optional<double> coordinate(const ConfigTree& value, const char* name) {
        if (value.is_scalar() && !value.quoted) {
            return assembler_.coordinate(name, value.text, place_of(value.where));
        }
        assembler_.fail(place_of(value.where),
                        fmt::format("'{}' must be a number, found {}", name, value.found()));
        return std::nullopt;
    }
    std::optional<std::uint32_t> required_number(const ConfigTree& map, const char* key,
                                                 const kinds::IntegerRange& range) {
        if (const ConfigTree* const value = map.find(key)) return number(*value, key, range);
        assembler_.fail(place_of(map.where), fmt::format("'{}' is missing", key));
        return std::nullopt;
    }

    /// Routers of a file that takes a router and its node for one: their number.
    std::optional<std::uint32_t> read_nodes(const ConfigTree& root) {
        refuse(root, {"at", "nodes_per_router"}, "is for a graph of 'routers'",
               "give their number as 'routers', instead of 'nodes'");
        const auto nodes = required_number(root, "nodes", {1, kMaxNodes});
        if (const ConfigTree* const endpoints = root.find("endpoints")) {
            const auto count = number(*endpoints, "endpoints", {1, nodes.value_or(kMaxNodes)});
            if (count) assembler_.set_places(first_routers(*count));
        }
        return nodes;
    }
    static std::vector<RouterId> first_routers(std::uint32_t count) {
        std::vector<RouterId> routers;
        for (RouterId router; router < count; ++router) routers.push_back(router);
        return routers;
    }

    /// Routers of a file that says which nodes are on them: their number.
    std::optional<std::uint32_t> read_routers(const ConfigTree& root) {
        assembler_.separate_nodes();
        refuse(root, {"nodes", "endpoints"}, "contradicts 'routers'",
               "'at' or 'nodes_per_router' give the nodes of routers");
        const auto routers = required_number(root, "routers", {1, kMaxNodes});
        const ConfigTree* const each = root.find("nodes_per_router");
        if (const ConfigTree* const at = root.find("at")) {
            if (each != nullptr) {
                assembler_.fail(place_of(each->key_where), "'nodes_per_router' contradicts 'at'",
                                "leave one of them out");
            }
            read_places(*at, routers.value_or(kMaxNodes));
        } else if (each != nullptr) {
            const auto count = number(*each, "nodes_per_router", {1, kMaxNodes});
            if (count) assembler_.set_nodes_per_router(*count);
        }
        return routers;
    }
    void read_places(const ConfigTree& list, std::uint32_t routers) {
        const std::size_t nodes = list.children.size();
        if (!list.is_sequence() || nodes == 0 || nodes > kMaxNodes) {
            assembler_.fail(place_of(list.where),
                            list.is_sequence()
                                ? fmt::format("{} nodes, not 1 to {}", nodes, kMaxNodes)
                                : fmt::format("'at' must be a list, found {}", list.found()),
                            "at: [0, 0, 1, ...], the router of each node");
            return;
        }
        std::vector<RouterId> router_of;
        for (std::size_t node = 0; node < nodes; ++node) {
            const auto router =
                number(list.children[node], fmt::format("at[{}]", node), {0, routers - 1});
            if (router) router_of.emplace_back(*router);
        }
        assembler_.set_places(std::move(router_of));
    }
    /// Findings on keys that do not go with the others.
    void refuse(const ConfigTree& root, std::initializer_list<const char*> keys,
                const std::string& what, const std::string& remedy) {
        for (const char* const key : keys) {
            const ConfigTree* const entry = root.find(key);
            if (entry == nullptr) continue;
            assembler_.fail(place_of(entry->key_where), fmt::format("'{}' {}", key, what), remedy);
        }
    }

    void read_positions(const ConfigTree& list, std::optional<std::uint32_t> routers) {
        if (!list.is_sequence() || (routers && list.children.size() != *routers)) {
            const char* const vertex = assembler_.vertex();
            assembler_.fail(
                place_of(list.where),
                list.is_sequence()
                    ? fmt::format("{} positions for {} {}s", list.children.size(), *routers, vertex)
                    : fmt::format("'positions' must be a list, found {}", list.found()),
                fmt::format("positions: [[0, 0], [0, 1], ...], row and column of each {}", vertex));
            return;
        }
        for (RouterId router; router < list.children.size(); ++router) {
            const ConfigTree& entry = list.children[router];
            if (!entry.is_sequence() || entry.children.size() != 2) {
                assembler_.fail(place_of(entry.where), "a position is a list of row and column",
                                "[0, 1]");
                continue;
            }
            const auto row = coordinate(entry.children[0], "row");
            const auto column = coordinate(entry.children[1], "column");
            if (row && column) assembler_.set_position(router, {*row, *column});
        }
    }

    void read_link(const ConfigTree& entry) {
        const Place place = place_of(entry.where);
        if (!entry.is_map()) {
            assembler_.fail(place, "a link is a map", "{from: 0, to: 1}");
            return;
        }
        static const std::vector<std::string> known = [] {
            std::vector<std::string> keys = LinkAttributes::names();
            keys.insert(keys.begin(), {"from", "to"});
            return keys;
        }();
        const std::size_t before = assembler_.finding_count();
        LinkAttributes attributes;
        for (const ConfigTree& value : entry.children) {
            if (!check_key(value, known) || value.key == "from" || value.key == "to") continue;
            if (!value.is_scalar() || value.quoted) {
                assembler_.fail(
                    place_of(value.where),
                    fmt::format("'{}' must be a plain value, found {}", value.key, value.found()));
            } else {
                assembler_.read_attribute(attributes, value.key, value.text, place_of(value.where));
            }
        }
        const auto from = required_number(entry, "from", assembler_.router_range());
        const auto to = required_number(entry, "to", assembler_.router_range());
        if (assembler_.finding_count() == before) {
            assembler_.add_link(place, RouterId(*from), RouterId(*to), attributes);
        }
    }

    Assembler& assembler_;
};

}  // namespace

Graph read_yaml(const std::string& text, Assembler& assembler) {
    return YamlReader(assembler).read(text);
}

}  // namespace flitscope::graph_file
