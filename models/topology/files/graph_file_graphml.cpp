// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// GraphML through expat, which gives the place of every element and does not recurse. An undirected
// edge is a pair of links.
#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <new>

#include "models/base/printable.h"
#include "models/base/trimmed.h"
#include "models/topology/files/graph_file.h"
#include "models/topology/files/vertices.h"
#include "models/topology/graph.h"

namespace flitscope::graph_file {
namespace {

const std::vector<std::string>& place_names() {
    static const std::vector<std::string> names = {"row", "column"};
    return names;
}

/// All that a node can have.
const std::vector<std::string>& node_attribute_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = VertexAttributes::names();
        all.insert(all.begin(), place_names().begin(), place_names().end());
        return all;
    }();
    return names;
}

class GraphmlReader {
public:
    explicit GraphmlReader(Assembler& assembler)
        : assembler_(assembler), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
        if (parser_ == nullptr) throw std::bad_alloc();
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(
            parser_.get(),
            [](void* self, const char* name, const char** attributes) {
                guarded(self, [&](GraphmlReader& reader) { reader.begin(name, attributes); });
            },
            [](void* self, const char* name) {
                guarded(self, [&](GraphmlReader& reader) { reader.end(name); });
            });
        XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
            guarded(self, [&](GraphmlReader& reader) {
                reader.text_.append(text, static_cast<std::size_t>(size));
            });
        });
    }

    Graph read(const std::string& text) {
        const auto size = static_cast<int>(text.size());  // at most kMaxBytes
        const XML_Status status = XML_Parse(parser_.get(), text.data(), size, 1);
        if (failure_) std::rethrow_exception(failure_);
        if (status != XML_STATUS_OK) {
            assembler_.fail(here(), fmt::format("this is not XML: {}",
                                                XML_ErrorString(XML_GetErrorCode(parser_.get()))));
        } else if (!seen_graph_) {
            assembler_.fail({}, "the file has no <graph> in a <graphml>");
        }
        assembler_.throw_if_findings();
        return build();
    }

private:
    struct Key {
        std::string name;
        std::string target;  // "node", "edge", "all", ...
        std::optional<std::string> otherwise;
    };
    struct Data {
        std::string text;
        Place place;
    };
    struct Node {
        Place place;
        std::map<std::string, Data> data;
    };
    struct Edge {
        Place place;
        std::string source;
        std::string target;
        bool both = false;
        std::map<std::string, Data> data;
    };

    /// An exception of a handler must not pass through expat, which is in C: it is kept until expat
    /// returns.
    template <class Handler>
    static void guarded(void* self, const Handler& handler) {
        auto& reader = *static_cast<GraphmlReader*>(self);
        if (reader.failure_) return;
        try {
            handler(reader);
        } catch (...) {
            reader.failure_ = std::current_exception();
            XML_StopParser(reader.parser_.get(), XML_FALSE);
        }
    }

    Place here() const {
        return {XML_GetCurrentLineNumber(parser_.get()),
                XML_GetCurrentColumnNumber(parser_.get()) + 1};
    }
    static std::optional<std::string> find(const char** attributes, const std::string& name) {
        for (; *attributes != nullptr; attributes += 2) {
            if (name == attributes[0]) return attributes[1];
        }
        return std::nullopt;
    }
    std::string require(const char** attributes, const char* element, const char* name) {
        const std::optional<std::string> value = find(attributes, name);
        if (!value) {
            assembler_.fail(here(), fmt::format("<{}> without the attribute '{}'", element, name));
        }
        return value.value_or("");
    }

    void begin(const std::string& name, const char** attributes) {
        ++depth_;
        text_.clear();
        if (depth_ == 1) {
            if (name != "graphml")
                assembler_.fail(here(), "the file does not begin with <graphml>");
            return;
        }
        if (name == "key") {
            begin_key(attributes);
        } else if (name == "graph") {
            if (seen_graph_) {
                assembler_.fail(here(), "a second <graph>",
                                "a network is one graph without others "
                                "in it");
            }
            seen_graph_ = true;
            undirected_ = find(attributes, "edgedefault").value_or("directed") == "undirected";
        } else if (name == "node") {
            begin_node(attributes);
        } else if (name == "edge") {
            begin_edge(attributes);
        } else if (name == "hyperedge") {
            assembler_.fail(here(), "a <hyperedge>", "a link joins two nodes");
        } else if (name == "data") {
            data_key_ = require(attributes, "data", "key");
            data_place_ = here();
            data_depth_ = depth_;
        }
    }

    void begin_key(const char** attributes) {
        Key key;
        key.name = find(attributes, "attr.name").value_or("");
        key.target = find(attributes, "for").value_or("all");
        key_ = require(attributes, "key", "id");
        // Without a name it belongs to the program that wrote it.
        if (!key.name.empty() && !is_drawing_attribute(key.name)) {
            if (key.target == "node") check_known(key.name, node_attribute_names());
            if (key.target == "edge") check_known(key.name, LinkAttributes::names());
        }
        keys_[key_] = std::move(key);
    }
    void check_known(const std::string& name, const std::vector<std::string>& known) {
        if (std::find(known.begin(), known.end(), name) != known.end()) return;
        assembler_.fail_unknown(here(), "attribute", name, known);
    }

    void begin_node(const char** attributes) {
        const std::string id = require(attributes, "node", "id");
        if (vertices_.find(id)) {
            assembler_.fail(here(), fmt::format("a second node '{}'", excerpt(id)));
        }
        vertices_.add(id);
        nodes_.push_back({here(), {}});
        data_of_ = &nodes_.back().data;
    }

    void begin_edge(const char** attributes) {
        Edge edge;
        edge.place = here();
        edge.source = require(attributes, "edge", "source");
        edge.target = require(attributes, "edge", "target");
        const std::optional<std::string> directed = find(attributes, "directed");
        edge.both = directed ? *directed == "false" : undirected_;
        edges_.push_back(std::move(edge));
        data_of_ = &edges_.back().data;
    }

    void end(const std::string& name) {
        if (name == "default" && keys_.count(key_) != 0) {
            keys_[key_].otherwise = text_;
        } else if (name == "data" && data_depth_ == depth_ && data_of_ != nullptr) {
            end_data();
        } else if (name == "node" || name == "edge") {
            data_of_ = nullptr;
        }
        --depth_;
    }
    void end_data() {
        const auto key = keys_.find(data_key_);
        if (key == keys_.end()) {
            assembler_.fail(data_place_,
                            fmt::format("no <key> has the id '{}'", excerpt(data_key_)));
        } else {
            data_of_->insert_or_assign(key->second.name, Data{text_, data_place_});
        }
    }

    /// An attribute of nodes or edges, and its default.
    struct Attribute {
        std::string name;
        std::optional<std::string> otherwise;
    };
    /// The attributes among `names` that keys declare for `target`, each once: a file may have as
    /// many keys as nodes and edges.
    std::vector<Attribute> attributes_of(const char* target,
                                         const std::vector<std::string>& names) const {
        std::vector<Attribute> attributes;
        for (const auto& [id, key] : keys_) {
            const bool is_known = std::find(names.begin(), names.end(), key.name) != names.end();
            if (!is_known || (key.target != target && key.target != "all")) continue;
            auto at =
                std::find_if(attributes.begin(), attributes.end(),
                             [&name = key.name](const Attribute& a) { return a.name == name; });
            if (at == attributes.end()) at = attributes.insert(at, {key.name, std::nullopt});
            if (key.otherwise) at->otherwise = key.otherwise;
        }
        return attributes;
    }

    /// Reads the value in `data`, or the default of the key.
    template <class Read>
    void read_data(const std::map<std::string, Data>& data, Place place,
                   const std::vector<Attribute>& attributes, const Read& read) {
        const auto hand_on = [&](const std::string& name, const std::string& text, Place at) {
            const std::string value(trimmed(text));
            if (!value.empty()) read(name, value, at);
        };
        for (const auto& [name, otherwise] : attributes) {
            const auto found = data.find(name);
            if (found != data.end()) {
                hand_on(name, found->second.text, found->second.place);
            } else if (otherwise) {
                hand_on(name, *otherwise, place);
            }
        }
    }

    Graph build() {
        vertices_.number(assembler_, read_vertices());
        node_attributes_ = attributes_of("node", place_names());
        edge_attributes_ = attributes_of("edge", LinkAttributes::names());
        for (std::size_t i = 0; i < nodes_.size(); ++i) read_position(i);
        for (const Edge& edge : edges_) read_edge(edge);
        return assembler_.finish({});
    }
    /// In the order of the file.
    std::vector<VertexAttributes> read_vertices() {
        const std::vector<Attribute> known = attributes_of("node", VertexAttributes::names());
        std::vector<VertexAttributes> vertices;
        for (const Node& node : nodes_) {
            VertexAttributes attributes;
            attributes.place = node.place;
            read_data(node.data, node.place, known,
                      [&](const std::string& name, const std::string& text, Place place) {
                          attributes.read(assembler_, name, text, place);
                      });
            vertices.push_back(std::move(attributes));
        }
        return vertices;
    }
    void read_position(std::size_t index) {
        const Node& node = nodes_[index];
        std::optional<double> row;
        std::optional<double> column;
        const std::size_t before = assembler_.finding_count();
        read_data(node.data, node.place, node_attributes_,
                  [&](const std::string& name, const std::string& text, Place place) {
                      (name == "row" ? row : column) = assembler_.coordinate(name, text, place);
                  });
        if (row && column) {
            const auto router = vertices_.placed(assembler_, node.place, index);
            if (router) assembler_.set_position(*router, {*row, *column});
        } else if ((row || column) && assembler_.finding_count() == before) {
            assembler_.fail(node.place, "the node has only one of row and column");
        }
    }
    void read_edge(const Edge& edge) {
        const std::size_t before = assembler_.finding_count();
        LinkAttributes attributes;
        read_data(edge.data, edge.place, edge_attributes_,
                  [&](const std::string& name, const std::string& text, Place place) {
                      assembler_.read_attribute(attributes, name, text, place);
                  });
        attributes.both = attributes.both || edge.both;
        const auto source = find_end(edge, edge.source);
        const auto target = find_end(edge, edge.target);
        if (assembler_.finding_count() != before) return;
        assembler_.add_link(edge.place, *source, *target, attributes);
    }
    std::optional<RouterId> find_end(const Edge& edge, const std::string& name) {
        if (const auto index = vertices_.find(name)) {
            return vertices_.end_of_link(assembler_, edge.place, *index);
        }
        assembler_.fail(edge.place, fmt::format("no node '{}'", excerpt(name)));
        return std::nullopt;
    }

    Assembler& assembler_;
    std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
    std::exception_ptr failure_;  // exception thrown by a handler
    std::size_t depth_ = 0;
    std::string text_;
    bool seen_graph_ = false;
    bool undirected_ = false;
    std::string key_;
    std::map<std::string, Key> keys_;
    std::vector<Attribute> node_attributes_;  // when all keys have been read
    std::vector<Attribute> edge_attributes_;
    std::string data_key_;
    Place data_place_;
    std::size_t data_depth_ = 0;
    std::map<std::string, Data>* data_of_ = nullptr;  // data of the open element
    Vertices vertices_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
};

}  // namespace

Graph read_graphml(const std::string& text, Assembler& assembler) {
    return GraphmlReader(assembler).read(text);
}

}  // namespace flitscope::graph_file
