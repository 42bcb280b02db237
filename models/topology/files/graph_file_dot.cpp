// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphviz DOT, as its own library understands it: scopes, defaults, chains, subgraphs as ends of
// edges, strict graphs, keys. That library cannot be given files of unknown origin: long names
// crash it, and texts and products of subgraphs take it minutes and gigabytes. An edge of an
// undirected graph is a pair of links.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/base/printable.h"
#include "models/topology/files/dot_scanner.h"
#include "models/topology/files/graph_file.h"
#include "models/topology/files/vertices.h"
#include "models/topology/graph.h"

namespace flitscope::graph_file {
namespace {

/// The attributes of nodes or of edges: a value for each name. An empty one counts as none.
struct Value {
    std::string text;
    Place place;
};
using Values = std::map<std::string, Value>;

void put(Values& values, const Values& later) {
    for (const auto& [name, value] : later) values[name] = value;
}

/// The attributes set in a scope, and those that hold in it: these over those of the scope around
/// it.
struct Defaults {
    Values own;
    Values all;

    void set(const Values& values) {
        put(own, values);
        put(all, values);
    }
    void enter(const Defaults& around) {
        all = around.all;
        put(all, own);
    }
};

/// A graph or a subgraph.
struct Scope {
    Scope* parent = nullptr;
    Defaults of_nodes;
    Defaults of_edges;
    std::set<std::size_t> nodes;  ///< in the order in which they first appear in the file
    std::map<std::string, std::shared_ptr<Scope>> named;  ///< a second part of one continues it
};

struct Edge {
    std::size_t tail = 0;
    std::size_t head = 0;
    std::size_t values = 0;  ///< which of DotReader::edge_values_; edges of a statement share them
    Place place;
};

/// The ends of edges: all nodes of a subgraph, or nodes between commas.
struct Ends {
    std::shared_ptr<const Scope> subgraph;
    std::vector<std::size_t> nodes;

    std::size_t size() const { return subgraph ? subgraph->nodes.size() : nodes.size(); }
    template <class Visit>
    void each(const Visit& visit) const {
        if (subgraph) {
            for (const std::size_t node : subgraph->nodes) visit(node);
        } else {
            for (const std::size_t node : nodes) visit(node);
        }
    }
};

class DotReader {
public:
    DotReader(const std::string& text, Assembler& assembler)
        : assembler_(assembler), scanner_(text, assembler) {
        take();
    }

    Graph read() {
        read_graph();
        assembler_.throw_if_findings();
        std::vector<VertexAttributes> attributes;
        for (const Node& node : nodes_) attributes.push_back(attributes_of(node));
        vertices_.number(assembler_, std::move(attributes));
        for (std::size_t node = 0; node < nodes_.size(); ++node) read_position(node);
        for (const Edge& edge : edges_) read_edge(edge);
        return assembler_.finish({});
    }

private:
    struct Node {
        std::string name;
        Values values;
        Place place;
    };

    // ---- Tokens ---------------------------------------------------------------------------------

    DotToken take() {
        DotToken taken = std::move(token_);
        token_ = scanner_.next();
        return taken;
    }
    bool skip(const char* sign) {
        if (!token_.is(sign)) return false;
        take();
        return true;
    }
    void need(const char* sign) {
        if (!skip(sign)) scanner_.refuse(token_);
    }
    std::string need_id() {
        if (token_.kind != DotToken::Kind::kId) scanner_.refuse(token_);
        return take().text;
    }

    // ---- Statements -----------------------------------------------------------------------------

    void read_graph() {
        if (token_.kind == DotToken::Kind::kEnd) {
            assembler_.fail({}, "this is not DOT: no graph");
            return;
        }
        is_strict_ = token_.is_keyword("strict");
        if (is_strict_) {
            assembler_.forbid_parallel_links();
            take();
        }
        is_directed_ = token_.is_keyword("digraph");
        if (!is_directed_ && !token_.is_keyword("graph")) scanner_.refuse(token_);
        take();
        if (token_.kind == DotToken::Kind::kId) take();
        Scope root;
        read_body(root);
        if (token_.kind == DotToken::Kind::kEnd) return;
        const bool is_graph = token_.is_keyword("strict") || token_.is_keyword("graph") ||
                              token_.is_keyword("digraph");
        if (!is_graph) scanner_.refuse(token_);
        assembler_.fail(token_.place, "the file has a second graph");
    }

    void read_body(Scope& scope) {
        constexpr std::size_t kMostDepth = 100;
        const Place begin = token_.place;
        need("{");
        if (++depth_ > kMostDepth) {
            assembler_.fail(begin,
                            fmt::format("subgraphs are nested more than {} deep", kMostDepth));
            assembler_.throw_if_findings();
        }
        while (!token_.is("}")) {
            read_statement(scope);
            skip(";");
        }
        --depth_;
        take();
    }

    void read_statement(Scope& scope) {
        if (token_.is_keyword("graph")) {
            take();
            if (!token_.is("[")) scanner_.refuse(token_);
            read_attributes();  // how to draw
        } else if (token_.is_keyword("node") || token_.is_keyword("edge")) {
            const bool is_node = take().text == "node";
            if (!token_.is("[")) scanner_.refuse(token_);
            (is_node ? scope.of_nodes : scope.of_edges).set(known_of(is_node, read_attributes()));
        } else {
            read_nodes_or_edges(scope);
        }
    }

    void read_nodes_or_edges(Scope& scope) {
        const Place begin = token_.place;
        const bool is_subgraph = token_.is("{") || token_.is_keyword("subgraph");
        std::vector<Ends> chain;
        if (is_subgraph) {
            chain.push_back(read_subgraph(scope));
        } else {
            const Place at = token_.place;
            std::string first = need_id();
            if (skip("=")) {  // graph attribute: how to draw
                need_id();
                return;
            }
            chain.push_back(read_nodes(scope, std::move(first), at));
        }
        while (token_.is("->") || token_.is("--")) {
            if (token_.is("->") != is_directed_) scanner_.refuse(token_);
            take();
            const bool is_inner = token_.is("{") || token_.is_keyword("subgraph");
            const Place at = token_.place;
            chain.push_back(is_inner ? read_subgraph(scope) : read_nodes(scope, need_id(), at));
        }
        const bool is_edge = chain.size() > 1;
        const Values values = token_.is("[") ? known_of(!is_edge, read_attributes()) : Values();
        if (is_edge) {
            add_edges(scope, chain, values, begin);
        } else {
            for (const std::size_t node : chain.front().nodes) put(nodes_[node].values, values);
        }
    }

    /// Nodes between commas; `first` has been taken.
    Ends read_nodes(Scope& scope, std::string first, Place at) {
        Ends ends;
        for (;;) {
            ends.nodes.push_back(node_of(scope, first, at));
            for (int ports = 0; ports < 2 && skip(":"); ++ports) need_id();  // drawing position
            if (!skip(",")) return ends;
            at = token_.place;
            first = need_id();
        }
    }

    Ends read_subgraph(Scope& scope) {
        auto inner = std::make_shared<Scope>();
        if (token_.is_keyword("subgraph")) {
            take();
            if (token_.kind == DotToken::Kind::kId) {
                std::shared_ptr<Scope>& named = scope.named[take().text];
                if (!named) named = inner;
                inner = named;
            }
        }
        inner->parent = &scope;
        inner->of_nodes.enter(scope.of_nodes);
        inner->of_edges.enter(scope.of_edges);
        read_body(*inner);
        return {std::move(inner), {}};
    }

    Values read_attributes() {
        Values values;
        while (skip("[")) {
            while (!skip("]")) {
                const Place at = token_.place;
                const std::string name = need_id();
                need("=");
                values[name] = {need_id(), at};
                if (!skip(",")) skip(";");
            }
        }
        return values;
    }

    // ---- Nodes and edges ------------------------------------------------------------------------

    std::size_t node_of(Scope& scope, const std::string& name, Place at) {
        const std::optional<std::size_t> known = vertices_.find(name);
        const std::size_t node = known ? *known : vertices_.add(name);
        if (!known) {
            if (node == kMaxNodes) {
                assembler_.fail(at, fmt::format("more than {} nodes", kMaxNodes));
                assembler_.throw_if_findings();
            }
            nodes_.push_back({name, scope.of_nodes.all, at});
        }
        for (Scope* s = &scope; s != nullptr && s->nodes.insert(node).second;) s = s->parent;
        return node;
    }

    void add_edges(const Scope& scope, const std::vector<Ends>& chain, const Values& values,
                   Place place) {
        const auto key = values.find("key");
        const std::string name = key == values.end() ? "" : key->second.text;
        Values all = scope.of_edges.all;
        put(all, values);
        edge_values_.push_back(std::move(all));
        const std::size_t shared = edge_values_.size() - 1;
        for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
            stated_ += std::uint64_t{chain[i].size()} * chain[i + 1].size();
            if (stated_ > kMostLinks) {
                assembler_.fail(place, fmt::format("more than {} edges", kMostLinks));
                assembler_.throw_if_findings();
            }
            if (chain[i + 1].size() == 0) continue;
            chain[i].each([&](std::size_t tail) {
                chain[i + 1].each([&](std::size_t head) {
                    add_edge({tail, head, shared, place}, name, values);
                });
            });
        }
    }

    /// An edge of a strict graph, and one with a key, that is there already gets the values.
    void add_edge(const Edge& edge, const std::string& key, const Values& values) {
        if (is_strict_ || !key.empty()) {
            const bool swaps = !is_directed_ && edge.head < edge.tail;
            const auto [known, is_new] =
                unique_.try_emplace({swaps ? edge.head : edge.tail, swaps ? edge.tail : edge.head,
                                     is_strict_ ? "" : key},
                                    edges_.size());
            if (!is_new && values.empty()) return;
            if (!is_new) {
                Values all = edge_values_[edges_[known->second].values];
                put(all, values);
                edges_[known->second].values = edge_values_.size();
                edge_values_.push_back(std::move(all));
                return;
            }
        }
        edges_.push_back(edge);
    }

    /// Those of `values` that say something about the machine; adds findings for unknown ones.
    Values known_of(bool is_node, const Values& values) {
        static const std::vector<std::string> of_nodes = [] {
            std::vector<std::string> names = VertexAttributes::names();
            names.insert(names.begin(), {"row", "column"});
            return names;
        }();
        const std::vector<std::string>& known = is_node ? of_nodes : LinkAttributes::names();
        Values result;
        for (const auto& [name, value] : values) {
            const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
            const bool is_key = !is_node && name == "key";
            if (is_known || is_key) {
                result[name] = value;
            } else if (!is_drawing_attribute(name) && unknown_.insert({is_node, name}).second) {
                assembler_.fail_unknown(value.place, is_node ? "node attribute" : "edge attribute",
                                        name, known);
            }
        }
        return result;
    }

    // ---- The graph ------------------------------------------------------------------------------

    static const Value* given(const Values& values, const std::string& name) {
        const auto found = values.find(name);
        return found == values.end() || found->second.text.empty() ? nullptr : &found->second;
    }

    VertexAttributes attributes_of(const Node& node) {
        VertexAttributes attributes;
        attributes.place = node.place;
        for (const std::string& name : VertexAttributes::names()) {
            const Value* const value = given(node.values, name);
            if (value != nullptr) attributes.read(assembler_, name, value->text, value->place);
        }
        return attributes;
    }

    void read_position(std::size_t index) {
        const Node& node = nodes_[index];
        const Value* const row = given(node.values, "row");
        const Value* const column = given(node.values, "column");
        if ((row == nullptr) != (column == nullptr)) {
            assembler_.fail(node.place, fmt::format("node '{}' has only one of row and column",
                                                    excerpt(node.name)));
        } else if (row != nullptr) {
            const auto r = assembler_.coordinate("row", row->text, row->place);
            const auto c = assembler_.coordinate("column", column->text, column->place);
            const auto router = vertices_.placed(assembler_, row->place, index);
            if (r && c && router) assembler_.set_position(*router, {*r, *c});
        }
    }

    void read_edge(const Edge& edge) {
        const std::size_t before = assembler_.finding_count();
        LinkAttributes attributes;
        for (const std::string& name : LinkAttributes::names()) {
            const Value* const value = given(edge_values_[edge.values], name);
            if (value != nullptr) {
                assembler_.read_attribute(attributes, name, value->text, value->place);
            }
        }
        attributes.both = attributes.both || !is_directed_;
        const auto from = vertices_.end_of_link(assembler_, edge.place, edge.tail);
        const auto to = vertices_.end_of_link(assembler_, edge.place, edge.head);
        if (assembler_.finding_count() != before) return;
        assembler_.add_link(edge.place, *from, *to, attributes);
    }

    Assembler& assembler_;
    DotScanner scanner_;
    DotToken token_;  ///< not yet taken
    std::size_t depth_ = 0;
    bool is_strict_ = false;
    bool is_directed_ = false;
    Vertices vertices_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::uint64_t stated_ = 0;  ///< edges, those of a strict graph as often as they are stated
    std::vector<Values> edge_values_;
    std::map<std::tuple<std::size_t, std::size_t, std::string>, std::size_t> unique_;
    std::set<std::pair<bool, std::string>> unknown_;  ///< reported once
};

}  // namespace

Graph read_dot(const std::string& text, Assembler& assembler) {
    return DotReader(text, assembler).read();
}

}  // namespace flitscope::graph_file
