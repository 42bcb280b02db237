// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

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
            check_key(entry, {"nodes", "endpoints", "links", "positions"});
        }
        const auto nodes = required_number(root, "nodes", {1, kMaxNodes});
        if (nodes) assembler_.set_node_count(*nodes);
        if (const ConfigTree* const endpoints = root.find("endpoints")) {
            const auto count = number(*endpoints, "endpoints", {1, nodes.value_or(kMaxNodes)});
            if (count) assembler_.set_endpoint_count(*count);
        }
        if (const ConfigTree* const positions = root.find("positions")) {
            read_positions(*positions, nodes);
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
    std::optional<std::uint32_t> required_number(const ConfigTree& map, const char* key,
                                                 const kinds::IntegerRange& range) {
        if (const ConfigTree* const value = map.find(key)) return number(*value, key, range);
        assembler_.fail(place_of(map.where), fmt::format("'{}' is missing", key));
        return std::nullopt;
    }

    void read_positions(const ConfigTree& list, std::optional<NodeId> nodes) {
        if (!list.is_sequence() || (nodes && list.children.size() != *nodes)) {
            assembler_.fail(
                place_of(list.where),
                list.is_sequence()
                    ? fmt::format("{} positions for {} nodes", list.children.size(), *nodes)
                    : fmt::format("'positions' must be a list, found {}", list.found()),
                "positions: [[0, 0], [0, 1], ...], row and column of each node");
            return;
        }
        for (std::size_t node = 0; node < list.children.size(); ++node) {
            const ConfigTree& entry = list.children[node];
            if (!entry.is_sequence() || entry.children.size() != 2) {
                assembler_.fail(place_of(entry.where), "a position is a list of row and column",
                                "[0, 1]");
                continue;
            }
            const auto row = number(entry.children[0], "row", Assembler::place_range());
            const auto column = number(entry.children[1], "column", Assembler::place_range());
            if (row && column) assembler_.set_position(static_cast<NodeId>(node), {*row, *column});
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
        const auto from = required_number(entry, "from", assembler_.node_range());
        const auto to = required_number(entry, "to", assembler_.node_range());
        if (assembler_.finding_count() == before) {
            assembler_.add_link(place, *from, *to, attributes);
        }
    }

    Assembler& assembler_;
};

}  // namespace

Graph read_yaml(const std::string& text, Assembler& assembler) {
    return YamlReader(assembler).read(text);
}

}  // namespace flitscope::graph_file
