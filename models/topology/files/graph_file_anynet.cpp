// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network files of BookSim2's topology `anynet`, read as AnyNet::readFile() there reads them,
// except that numbers are checked and anything unknown is a finding.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/base/byte_order_mark.h"
#include "models/base/printable.h"
#include "models/topology/files/graph_file.h"
#include "models/topology/graph.h"

namespace flitscope::graph_file {
namespace {

constexpr const char* kExample = "lines are such as: router 0 node 0 node 1 router 1 15";
constexpr kinds::IntegerRange kLatencies{1, 1U << 20};

struct Word {
    std::string_view text;
    Place place;

    bool names_a_kind() const { return text == "router" || text == "node"; }
};

/// Takes a line apart, word by word.
class Line {
public:
    Line(std::string_view text, std::size_t number) : text_(text), number_(number) { advance(); }

    bool is_over() const { return word_.text.empty(); }
    const Word& word() const { return word_; }
    Word take() {
        const Word taken = word_;
        advance();
        return taken;
    }

private:
    void advance() {
        constexpr std::string_view kBlanks = " \t\r";
        const std::size_t begin = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
        at_ = std::min(text_.find_first_of(kBlanks, begin), text_.size());
        word_ = {text_.substr(begin, at_ - begin), {number_, begin + 1}};
    }

    std::string_view text_;
    std::size_t number_;
    std::size_t at_ = 0;
    Word word_;
};

struct Vertex {
    bool is_router;
    std::uint32_t number;
};

class AnynetReader {
public:
    explicit AnynetReader(Assembler& assembler) : assembler_(assembler) {
        assembler_.separate_nodes();
    }

    Graph read(std::string_view text) {
        text.remove_prefix(byte_order_mark(text));
        for (std::size_t number = 1; !text.empty(); ++number) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            read_line({text.substr(0, end), number});
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        add_links();
        place_nodes();
        return assembler_.finish({1, 1});
    }

private:
    struct LinkTo {
        Place place;
        std::uint32_t latency;
    };

    void read_line(Line line) {
        if (line.is_over()) return;
        const std::optional<Vertex> head = read_vertex(line);
        while (head && !line.is_over()) {
            const Place place = line.word().place;
            const std::optional<Vertex> other = read_vertex(line);
            if (!other) return;
            std::optional<std::uint32_t> latency = 1;
            if (!line.is_over() && !line.word().names_a_kind()) {
                const Word word = line.take();
                latency = assembler_.number("latency", word.text, word.place, kLatencies);
            }
            if (latency) join(place, *head, *other, *latency);
        }
    }

    /// Nothing, and a finding, if the line does not go on with a router or a node.
    std::optional<Vertex> read_vertex(Line& line) {
        const std::optional<Vertex> vertex = read_named(line);
        is_rejected_ = is_rejected_ || !vertex;
        return vertex;
    }

    std::optional<Vertex> read_named(Line& line) {
        const Word kind = line.take();
        if (!kind.names_a_kind()) {
            assembler_.fail(
                kind.place,
                fmt::format("'{}' is neither 'router' nor 'node'", excerpt(std::string(kind.text))),
                kExample);
            return std::nullopt;
        }
        if (line.is_over()) {
            assembler_.fail(kind.place, fmt::format("a {} without a number", kind.text), kExample);
            return std::nullopt;
        }
        const Word word = line.take();
        const std::optional<std::uint32_t> number = assembler_.number(
            std::string(kind.text), word.text, word.place, assembler_.router_range());
        if (!number) return std::nullopt;
        const bool is_router = kind.text == "router";
        if (is_router) routers_.insert(*number);
        return Vertex{is_router, *number};
    }

    void join(Place place, const Vertex& head, const Vertex& other, std::uint32_t latency) {
        if (head.is_router && other.is_router) {
            link(place, head.number, other.number, latency);
        } else if (head.is_router) {
            attach(place, other.number, RouterId(head.number), latency);
        } else if (other.is_router) {
            attach(place, head.number, RouterId(other.number), latency);
        } else {
            assembler_.fail(place,
                            fmt::format("node {} is linked to node {}", head.number, other.number),
                            "a node is attached to a router");
        }
    }

    /// The link back exists as well, of one cycle unless the file gives it another latency.
    void link(Place place, std::uint32_t from, std::uint32_t to, std::uint32_t latency) {
        links_[{from, to}] = {place, latency};
        links_.insert({{to, from}, {place, 1}});
        if (links_.size() <= kMostLinks) return;
        assembler_.fail(place, fmt::format("more than {} links", kMostLinks));
        assembler_.throw_if_findings();
    }

    void attach(Place place, std::uint32_t node, RouterId router, std::uint32_t latency) {
        if (latency != 1) {
            assembler_.fail(place,
                            fmt::format("node {} is {} cycles from its router", node, latency),
                            "leave the latency out: channels of nodes have no delay of their "
                            "own (hw/TIMING.md)");
        }
        const auto [entry, is_new] = router_of_.insert({node, router});
        if (is_new || entry->second == router) return;
        assembler_.fail(place,
                        fmt::format("node {} is attached to router {} and to router {}", node,
                                    entry->second.number(), router.number()),
                        "a node has one router");
    }

    void add_links() {
        require_all_routers();
        assembler_.set_router_count(static_cast<std::uint32_t>(routers_.size()));
        for (const auto& [ends, to] : links_) {
            LinkAttributes attributes;
            attributes.delay = to.latency;
            assembler_.add_link(to.place, RouterId(ends.first), RouterId(ends.second), attributes);
        }
    }

    void require_all_routers() {
        std::uint32_t next = 0;
        for (const std::uint32_t router : routers_) {
            if (router == next++) continue;
            assembler_.fail(
                {1, 1},
                fmt::format("there is no router {}, and there is a router {}", next - 1, router),
                "number the routers from 0 on without gaps");
            assembler_.throw_if_findings();
        }
    }

    void place_nodes() {
        std::vector<RouterId> places;
        for (const auto& [node, router] : router_of_) {
            if (node != places.size()) {
                assembler_.fail({1, 1},
                                fmt::format("node {} is attached to no router, and there is a "
                                            "node {}",
                                            places.size(), node),
                                "number the nodes from 0 on without gaps");
                return;
            }
            places.push_back(router);
        }
        if (places.empty()) {
            if (is_rejected_) return;  // which may have been of a node
            assembler_.fail({1, 1}, "no router of the graph has a node", kExample);
            return;
        }
        assembler_.set_places(std::move(places));
    }

    Assembler& assembler_;
    std::set<std::uint32_t> routers_;
    bool is_rejected_ = false;                                         // something of a line
    std::map<std::uint32_t, RouterId> router_of_;                      // by node
    std::map<std::pair<std::uint32_t, std::uint32_t>, LinkTo> links_;  // by their ends
};

}  // namespace

Graph read_anynet(const std::string& text, Assembler& assembler) {
    return AnynetReader(assembler).read(text);
}

}  // namespace flitscope::graph_file
