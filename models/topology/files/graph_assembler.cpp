// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "models/base/did_you_mean.h"
#include "models/base/printable.h"
#include "models/base/words.h"
#include "models/config/fabric_config.h"
#include "models/topology/files/graph_file.h"
#include "models/topology/graph.h"

namespace flitscope::graph_file {
namespace {

constexpr std::size_t kShownFindings = 50;
/// Ports of all routers together, as many each as the largest has: a graph keeps a table of them.
/// Most of them may have no link, so these are more than kMaxFamilyPorts.
constexpr std::uint64_t kMaxTablePorts = 1U << 26;

std::uint64_t key_of(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32 | low;
}

}  // namespace

const std::vector<std::string>& LinkAttributes::names() {
    static const std::vector<std::string> all = {"length",    "delay",   "width",
                                                 "from_port", "to_port", "both"};
    return all;
}

Assembler::Assembler(std::string path, const FabricConfig& fabric, double clock_ns)
    : path_(std::move(path)),
      delay_model_(fabric.link_delay),
      clock_ns_(clock_ns),
      flit_bits_(fabric.pin_budget == 0 && fabric.bisection_budget == 0 ? fabric.flit_bits : 0),
      findings_(path_, MoreFindings::kCount, kShownFindings) {}

void Assembler::fail(Place place, std::string what, std::string hint) {
    findings_.add({at(place), std::move(what), std::move(hint)});
}

void Assembler::fail_unknown(Place place, const char* what, const std::string& name,
                             const std::vector<std::string>& known) {
    fail(place, fmt::format("unknown {} '{}'", what, excerpt(name)),
         did_you_mean(nearest(name, known),
                      fmt::format("{}s here: {}", what, fmt::join(known, ", "))));
}

std::optional<std::uint32_t> Assembler::number(const std::string& name, std::string_view text,
                                               Place place, const kinds::IntegerRange& range) {
    const bool plain = text.size() == 1 || (!text.empty() && text.front() != '0');
    const std::optional<std::uint64_t> value = plain ? kinds::to_unsigned(text) : std::nullopt;
    if (value && range.holds(*value)) return static_cast<std::uint32_t>(*value);
    ConfigTree scalar;
    scalar.kind = text.empty() ? ConfigTree::Kind::kNull : ConfigTree::Kind::kScalar;
    scalar.where = at(place);
    scalar.text = std::string(text);
    std::vector<Diagnostic> found;
    kinds::read_integer(scalar, {name, "", found}, range);
    fail(place, std::move(found.front().what), std::move(found.front().hint));
    return std::nullopt;
}

std::optional<bool> Assembler::truth(const std::string& name, std::string_view text, Place place) {
    const std::string word = lower_case(text);  // Python writes True
    if (word == "true") return true;
    if (word == "false") return false;
    fail(place,
         fmt::format("'{}' must be true or false, found '{}'", name, excerpt(std::string(text))));
    return std::nullopt;
}

void Assembler::read_attribute(LinkAttributes& attributes, const std::string& name,
                               std::string_view text, Place place) {
    // With the linear model and a reach of 1 the delay of a wire in cycles equals its length.
    constexpr kinds::IntegerRange kLengths{1, 1U << 20};
    if (name == "both") {
        attributes.both = truth(name, text, place).value_or(false);
    } else if (name == "length") {
        attributes.length = number(name, text, place, kLengths);
    } else if (name == "delay") {
        attributes.delay = number(name, text, place, kLengths);
    } else if (name == "width") {
        attributes.width = number(name, text, place, {1, 1U << 20});
    } else {
        (name == "from_port" ? attributes.from_port : attributes.to_port) =
            number(name, text, place, {1, kMaxNodes - 1});
    }
}

kinds::IntegerRange Assembler::node_range() const {
    return {0, stated_nodes_.value_or(kMaxNodes) - 1};
}

void Assembler::set_position(NodeId node, Position position) { positions_[node] = position; }

void Assembler::add_link(Place place, NodeId from, NodeId to, const LinkAttributes& attributes) {
    if (from == to) {
        fail(place, fmt::format("link from node {} to itself", name_of(from)));
        return;
    }
    if (attributes.width && *attributes.width != flit_bits_) {
        fail(place,
             flit_bits_ == 0 ? "a link with its own width in a fabric with a wire budget"
                             : fmt::format("a link of width {} in a fabric of {}-bit flits",
                                           *attributes.width, flit_bits_),
             flit_bits_ == 0 ? "leave the width out"
                             : "every link moves one flit per cycle: leave the width out, or set "
                               "fabric.flit_bits");
        return;
    }
    if (attributes.from_port.has_value() != attributes.to_port.has_value()) {
        fail(place, "the link has only one of from_port and to_port");
        return;
    }
    if (states_ports_.value_or(attributes.from_port.has_value()) !=
        attributes.from_port.has_value()) {
        fail(place,
             fmt::format("this link has {}, those before have {}",
                         *states_ports_ ? "no ports" : "ports", *states_ports_ ? "some" : "none"),
             "state from_port and to_port of every link, or of none");
        return;
    }
    states_ports_ = attributes.from_port.has_value();
    Link link;
    link.from = from;
    link.to = to;
    link.from_port = attributes.from_port.value_or(0);
    link.to_port = attributes.to_port.value_or(0);
    link.length = attributes.length.value_or(0);
    link.delay = attributes.delay.value_or(0);
    add_directed(place, link);
    if (!attributes.both) return;
    std::swap(link.from, link.to);
    std::swap(link.from_port, link.to_port);
    add_directed(place, link);
}

void Assembler::add_directed(Place place, Link link) {
    if (!pairs_.insert(key_of(link.from, link.to)).second) {
        fail(place,
             fmt::format("link {} -> {} appears twice", name_of(link.from), name_of(link.to)));
        return;
    }
    if (*states_ports_) {
        use_port(place, link.from, link.from_port, link.to, true);
        use_port(place, link.to, link.to_port, link.from, false);
    }
    nodes_ = std::max({nodes_, link.from + 1, link.to + 1});
    if (links_.size() == kMostLinks) {
        fail(place, fmt::format("more than {} links", kMostLinks));
        throw_if_findings();
    }
    links_.push_back(link);
}

void Assembler::use_port(Place place, NodeId node, PortId port, NodeId neighbour, bool out) {
    const auto [entry, is_new] = ports_.insert({key_of(node, port), {neighbour, false, false}});
    PortUse& use = entry->second;
    bool& used = out ? use.out : use.in;
    if (used) {
        fail(place, fmt::format("{} port {} of node {} is used twice", out ? "output" : "input",
                                port, name_of(node)));
    } else if (!is_new && use.neighbour != neighbour) {
        fail(place,
             fmt::format("port {} of node {} is used twice, for nodes {} and {}", port,
                         name_of(node), name_of(use.neighbour), name_of(neighbour)),
             "a port joins a node to one other node");
    }
    used = true;
}

void Assembler::number_ports() {
    std::unordered_map<std::uint64_t, PortId> port_to;
    std::vector<PortId> used(nodes_, 0);
    const auto port = [&](NodeId node, NodeId other) {
        const auto [entry, is_new] = port_to.insert({key_of(node, other), 0});
        if (is_new) entry->second = ++used[node];
        return entry->second;
    };
    for (Link& link : links_) {
        link.from_port = port(link.from, link.to);
        link.to_port = port(link.to, link.from);
    }
}

void Assembler::place_nodes() {
    const bool stated = !positions_.empty();
    if (!stated) {
        NodeId columns = 1;
        while (std::uint64_t{columns} * columns < nodes_) ++columns;
        for (NodeId node = 0; node < nodes_; ++node) {
            positions_[node] = {node / columns, node % columns};
        }
    }
    for (NodeId node = 0; node < nodes_; ++node) {
        if (positions_.count(node) != 0) continue;
        fail({}, fmt::format("node {} has no position, others have one", name_of(node)),
             "state the row and column of every node, or of none");
        return;
    }
    for (Link& link : links_) {
        if (link.length == 0) {
            // Two nodes at one place are still joined by some wire.
            link.length =
                stated ? std::max(1U, distance(positions_[link.from], positions_[link.to])) : 1;
        }
        if (link.delay == 0) link.delay = delay_model_.delay(link.length, clock_ns_);
    }
}

std::vector<bool> Assembler::reached(bool backwards) const {
    std::vector<std::vector<NodeId>> next(nodes_);
    for (const Link& l : links_) {
        backwards ? next[l.to].push_back(l.from) : next[l.from].push_back(l.to);
    }
    std::vector<bool> seen(nodes_, false);
    std::vector<NodeId> open{0};
    seen[0] = true;
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        for (const NodeId n : next[node]) {
            if (seen[n]) continue;
            seen[n] = true;
            open.push_back(n);
        }
    }
    return seen;
}

void Assembler::check_connected(Place links) {
    for (const bool backwards : {false, true}) {
        const std::vector<bool> seen = reached(backwards);
        const auto missing = std::find(seen.begin(), seen.end(), false);
        if (missing == seen.end()) continue;
        const std::string node = name_of(static_cast<NodeId>(missing - seen.begin()));
        fail(links,
             fmt::format("node {} cannot be reached from node {}", backwards ? name_of(0) : node,
                         backwards ? node : name_of(0)),
             "every node must reach every other one; add links");
        return;
    }
}

Graph Assembler::finish(Place links) {
    throw_if_findings();
    nodes_ = stated_nodes_.value_or(nodes_);
    if (nodes_ == 0) {
        fail(links, "the graph has no nodes");
        throw_if_findings();
    }
    check_connected(links);
    if (!states_ports_.value_or(false)) number_ports();
    PortId last_port = 0;
    for (const Link& link : links_) {
        last_port = std::max({last_port, link.from_port, link.to_port});
    }
    if (std::uint64_t{nodes_} * (1 + last_port) > kMaxTablePorts) {
        fail(links,
             fmt::format("{} nodes with ports up to {} are too many ports", nodes_, last_port),
             fmt::format("nodes times ports of the largest router may be {}", kMaxTablePorts));
    }
    place_nodes();
    throw_if_findings();
    Graph graph("custom", {nodes_}, 1 + last_port);
    graph.set_description("custom " + std::filesystem::path(path_).filename().string());
    graph.set_endpoint_count(endpoints_.value_or(nodes_));
    graph.set_given_names(std::move(names_));
    for (NodeId node = 0; node < nodes_; ++node) graph.set_position(node, positions_[node]);
    for (const Link& link : links_) graph.add_link(link);
    return graph;
}

std::size_t NodeNames::add(const std::string& name) {
    const auto [entry, is_new] = index_.insert({name, names_.size()});
    if (is_new) names_.push_back(name);
    return entry->second;
}

std::optional<std::size_t> NodeNames::find(const std::string& name) const {
    const auto entry = index_.find(name);
    return entry == index_.end() ? std::nullopt : std::optional(entry->second);
}

std::vector<NodeId> NodeNames::number(Assembler& assembler,
                                      const std::vector<bool>& switches) const {
    const std::size_t count = names_.size();
    if (count > kMaxNodes) {
        assembler.fail({}, fmt::format("{} nodes, more than {}", count, kMaxNodes));
        assembler.throw_if_findings();
    }
    const std::size_t before = assembler.finding_count();
    const auto is_number = [](const std::string& name) { return kinds::is_digits(name); };
    const bool numbered = count > 0 && std::all_of(names_.begin(), names_.end(), is_number);
    if (!numbered && std::any_of(names_.begin(), names_.end(), is_number)) {
        assembler.fail({}, "some nodes have numbers for names and some have not",
                       "number all of them from 0, or give all of them names");
    }
    const auto endpoints =
        static_cast<std::size_t>(std::count(switches.begin(), switches.end(), false));
    if (count > 0 && endpoints == 0) {
        assembler.fail({}, "all nodes are switches",
                       "remove endpoint=false from a node that sends and receives");
    }
    if (numbered) check_numbers(assembler, switches);
    if (assembler.finding_count() != before) assembler.throw_if_findings();
    std::vector<NodeId> numbers(count);
    std::vector<std::string> named(count);
    std::size_t next_endpoint = 0;
    std::size_t next_switch = endpoints;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t in_order = switches[i] ? next_switch++ : next_endpoint++;
        numbers[i] = static_cast<NodeId>(numbered ? *kinds::to_unsigned(names_[i]) : in_order);
        named[numbers[i]] = names_[i];
    }
    assembler.set_node_count(static_cast<NodeId>(count));
    assembler.set_endpoint_count(static_cast<NodeId>(endpoints));
    if (!numbered) assembler.set_node_names(std::move(named));
    return numbers;
}

/// Findings on names that are numbers.
void NodeNames::check_numbers(Assembler& assembler, const std::vector<bool>& switches) const {
    const std::size_t count = names_.size();
    std::optional<std::size_t> first_switch;
    for (std::size_t number = 0; number < count; ++number) {
        const auto found = index_.find(std::to_string(number));
        if (found == index_.end()) {
            assembler.fail({},
                           fmt::format("{} nodes have numbers for names, but {} is not among them",
                                       count, number),
                           "number them from 0 without a gap, or give them names");
            return;
        }
        if (switches[found->second]) {
            if (!first_switch) first_switch = number;
        } else if (first_switch) {
            assembler.fail({},
                           fmt::format("node {} sends and receives, and node {} before it is a "
                                       "switch",
                                       number, *first_switch),
                           "give switches the last numbers, or all nodes names");
            return;
        }
    }
}

bool is_drawing_attribute(const std::string& name) {
    // https://graphviz.org/doc/info/attrs.html, those of nodes and edges.
    static const std::set<std::string> known = {"URL",
                                                "area",
                                                "arrowhead",
                                                "arrowsize",
                                                "arrowtail",
                                                "class",
                                                "color",
                                                "colorscheme",
                                                "comment",
                                                "constraint",
                                                "decorate",
                                                "dir",
                                                "distortion",
                                                "edgeURL",
                                                "edgehref",
                                                "edgetarget",
                                                "edgetooltip",
                                                "fillcolor",
                                                "fixedsize",
                                                "fontcolor",
                                                "fontname",
                                                "fontsize",
                                                "gradientangle",
                                                "group",
                                                "headURL",
                                                "head_lp",
                                                "headclip",
                                                "headhref",
                                                "headlabel",
                                                "headport",
                                                "headtarget",
                                                "headtooltip",
                                                "height",
                                                "href",
                                                "id",
                                                "image",
                                                "imagepos",
                                                "imagescale",
                                                "key",
                                                "label",
                                                "labelURL",
                                                "labelangle",
                                                "labeldistance",
                                                "labelfloat",
                                                "labelfontcolor",
                                                "labelfontname",
                                                "labelfontsize",
                                                "labelhref",
                                                "labeljust",
                                                "labelloc",
                                                "labeltarget",
                                                "labeltooltip",
                                                "layer",
                                                "len",
                                                "lhead",
                                                "lp",
                                                "ltail",
                                                "margin",
                                                "minlen",
                                                "nojustify",
                                                "ordering",
                                                "orientation",
                                                "penwidth",
                                                "peripheries",
                                                "pin",
                                                "pos",
                                                "rank",
                                                "rects",
                                                "regular",
                                                "root",
                                                "samehead",
                                                "sametail",
                                                "samplepoints",
                                                "shape",
                                                "shapefile",
                                                "showboxes",
                                                "sides",
                                                "skew",
                                                "sortv",
                                                "style",
                                                "tailURL",
                                                "tail_lp",
                                                "tailclip",
                                                "tailhref",
                                                "taillabel",
                                                "tailport",
                                                "tailtarget",
                                                "tailtooltip",
                                                "target",
                                                "tooltip",
                                                "vertices",
                                                "weight",
                                                "width",
                                                "xlabel",
                                                "xlp",
                                                "z"};
    return known.count(name) != 0;
}

}  // namespace flitscope::graph_file
