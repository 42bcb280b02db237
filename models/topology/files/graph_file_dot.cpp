// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphviz DOT through its own library. That keeps no places, so findings below the syntax name
// nodes in place of lines. An edge of an undirected graph is a pair of links.
#include <fmt/format.h>
#include <graphviz/cgraph.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "models/topology/files/graph_file.h"

namespace flitscope::graph_file {
namespace {

/// cgraph reads through callbacks without state of their own but this.
struct Text {
    const std::string* all = nullptr;
    std::size_t taken = 0;
};

int read_block(void* channel, char* buffer, int size) {
    Text& text = *static_cast<Text*>(channel);
    const std::size_t count =
        std::min(static_cast<std::size_t>(size), text.all->size() - text.taken);
    std::memcpy(buffer, text.all->data() + text.taken, count);
    text.taken += count;
    return static_cast<int>(count);
}

// The library reports errors through one function for the whole process, in pieces.
std::string& messages() {
    static std::string text;
    return text;
}

int note_message(char* piece) {
    messages() += piece;
    return 0;
}

struct CloseGraph {
    void operator()(Agraph_t* graph) const { agclose(graph); }
};
using Document = std::unique_ptr<Agraph_t, CloseGraph>;

class DotReader {
public:
    explicit DotReader(Assembler& assembler) : assembler_(assembler) {}

    Graph read(const std::string& text) {
        const Document document = parse(text);
        check_attributes(document.get(), AGNODE, {"row", "column"});
        check_attributes(document.get(), AGEDGE, LinkAttributes::names());
        assembler_.throw_if_findings();

        NodeNames names;
        std::vector<Agedge_t*> edges;
        for (Agnode_t* node = agfstnode(document.get()); node != nullptr;
             node = agnxtnode(document.get(), node)) {
            names.add(agnameof(node));
            for (Agedge_t* edge = agfstout(document.get(), node); edge != nullptr;
                 edge = agnxtout(document.get(), edge)) {
                edges.push_back(edge);
            }
        }
        std::sort(edges.begin(), edges.end(),
                  [](Agedge_t* a, Agedge_t* b) { return AGSEQ(a) < AGSEQ(b); });
        const std::vector<NodeId> numbers = names.number(assembler_);
        for (Agnode_t* node = agfstnode(document.get()); node != nullptr;
             node = agnxtnode(document.get(), node)) {
            read_position(node, numbers[*names.find(agnameof(node))]);
        }
        for (Agedge_t* edge : edges) {
            read_edge(edge, numbers[*names.find(agnameof(agtail(edge)))],
                      numbers[*names.find(agnameof(aghead(edge)))],
                      agisundirected(document.get()) != 0);
        }
        return assembler_.finish({});
    }

private:
    Document parse(const std::string& text) {
        Text source{&text, 0};
        Agiodisc_t io{read_block, AgIoDisc.putstr, AgIoDisc.flush};
        Agdisc_t discipline{&AgMemDisc, &AgIdDisc, &io};
        messages().clear();
        const agusererrf previous = agseterrf(note_message);
        const agerrlevel_t level = agseterr(AGWARN);
        std::string file = assembler_.path();
        agsetfile(file.data());
        Document document(agread(&source, &discipline));
        const bool another =
            document && messages().empty() && Document(agread(&source, &discipline));
        agseterr(level);
        agseterrf(previous);
        if (!document || !messages().empty()) {
            assembler_.fail(place_of_error(), "this is not DOT: " + error_text());
        } else if (another) {
            assembler_.fail({}, "the file has a second graph");
        }
        assembler_.throw_if_findings();
        return document;
    }

    /// The library says "Error: FILE: syntax error in line 3 near 'x'".
    static Place place_of_error() {
        const std::size_t at = messages().find(" in line ");
        if (at == std::string::npos) return {};
        return {std::strtoul(messages().c_str() + at + 9, nullptr, 10), 0};
    }
    std::string error_text() const {
        const std::size_t at = messages().find("syntax error");
        const std::string what = at == std::string::npos ? messages() : messages().substr(at);
        return what.empty() ? "no graph" : excerpt(what.substr(0, what.find_last_not_of('\n') + 1));
    }

    void check_attributes(Agraph_t* graph, int kind, const std::vector<std::string>& known) {
        for (Agsym_t* symbol = agnxtattr(graph, kind, nullptr); symbol != nullptr;
             symbol = agnxtattr(graph, kind, symbol)) {
            const std::string name = symbol->name;
            const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
            if (!is_known && !is_drawing_attribute(name)) {
                assembler_.fail_unknown({}, kind == AGNODE ? "node attribute" : "edge attribute",
                                        name, known);
            }
        }
    }

    /// Empty where it is not given.
    static std::string value_of(void* object, const char* name) {
        const char* const text = agget(object, const_cast<char*>(name));
        return text == nullptr ? "" : text;
    }
    void read_position(Agnode_t* node, NodeId number) {
        const std::string row = value_of(node, "row");
        const std::string column = value_of(node, "column");
        if (row.empty() != column.empty()) {
            assembler_.fail({}, fmt::format("node '{}' has only one of row and column",
                                            excerpt(agnameof(node))));
        } else if (!row.empty()) {
            const auto r = assembler_.number("row", row, {}, Assembler::place_range());
            const auto c = assembler_.number("column", column, {}, Assembler::place_range());
            if (r && c) assembler_.set_position(number, {*r, *c});
        }
    }
    void read_edge(Agedge_t* edge, NodeId from, NodeId to, bool undirected) {
        const std::size_t before = assembler_.finding_count();
        LinkAttributes attributes;
        for (const std::string& name : LinkAttributes::names()) {
            const std::string text = value_of(edge, name.c_str());
            if (!text.empty()) assembler_.read_attribute(attributes, name, text, {});
        }
        attributes.both = attributes.both || undirected;
        if (assembler_.finding_count() == before) assembler_.add_link({}, from, to, attributes);
    }

    Assembler& assembler_;
};

}  // namespace

Graph read_dot(const std::string& text, Assembler& assembler) {
    return DotReader(assembler).read(text);
}

}  // namespace flitscope::graph_file
