// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
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
    static const std::vector<std::string> all = {"length",    "delay",   "rate", "width",
                                                 "from_port", "to_port", "both", "count"};
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

std::optional<double> Assembler::coordinate(const std::string& name, std::string_view text,
                                            Place place) {
    constexpr double kLast = kMaxNodes - 1;
    const std::optional<double> value = kinds::to_real(text);
    if (value && *value >= 0 && *value <= kLast) return value;
    fail(place, fmt::format("'{}' must be a number from 0 to {}, found '{}'", name, kLast,
                            excerpt(std::string(text))));
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

std::optional<std::uint32_t> Assembler::rate(std::string_view text, Place place) {
    if (text == "1") return 1;
    constexpr std::string_view kOneIn = "1/";
    if (text.substr(0, kOneIn.size()) == kOneIn) {
        const std::string_view cycles = text.substr(kOneIn.size());
        const bool plain = !cycles.empty() && cycles.front() != '0';
        const std::optional<std::uint64_t> value =
            plain ? kinds::to_unsigned(cycles) : std::nullopt;
        if (value && *value <= kMostRateCycles) return static_cast<std::uint32_t>(*value);
    }
    fail(place,
         fmt::format("'rate' must be 1/k with k from 1 to {}, found '{}'", kMostRateCycles,
                     excerpt(std::string(text))),
         "1/4: one flit in four cycles");
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
        attributes.delay = number(name, text, place, {1, kLongestDelay});
    } else if (name == "rate") {
        attributes.rate_cycles = rate(text, place);
    } else if (name == "width") {
        attributes.width = number(name, text, place, {1, 1U << 20});
    } else if (name == "count") {
        attributes.count = number(name, text, place, {1, kMaxNodes - 1}).value_or(1);
    } else {
        (name == "from_port" ? attributes.from_port : attributes.to_port) =
            number(name, text, place, {1, kMaxNodes - 1});
    }
}

void Assembler::set_nodes_per_router(std::uint32_t count) {
    nodes_per_router_ = count;
    separate_nodes();
}

void Assembler::set_names(std::vector<std::string> routers, std::vector<std::string> nodes) {
    names_ = std::move(routers);
    node_names_ = std::move(nodes);
}

kinds::IntegerRange Assembler::router_range() const {
    return {0, stated_routers_.value_or(kMaxNodes) - 1};
}

void Assembler::add_link(Place place, RouterId from, RouterId to,
                         const LinkAttributes& attributes) {
    if (from == to) {
        fail(place, fmt::format("link from {} {} to itself", vertex_, name_of(from)));
        return;
    }
    if (attributes.width && *attributes.width != flit_bits_) {
        fail(place,
             flit_bits_ == 0 ? "a link with its own width in a fabric with a wire budget"
                             : fmt::format("a link of width {} in a fabric of {}-bit flits",
                                           *attributes.width, flit_bits_),
             flit_bits_ == 0 ? "leave the width out"
                             : "every link moves whole flits: leave the width out, set "
                               "fabric.flit_bits, or give a narrow link a rate, such as 1/2");
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
    if (*states_ports_ && attributes.count > 1) {
        fail(place, fmt::format("{} links with the same ports", attributes.count),
             "list them one by one, each with its ports");
        return;
    }
    Link link;
    link.from = from;
    link.to = to;
    link.from_port = attributes.from_port.value_or(0);
    link.to_port = attributes.to_port.value_or(0);
    link.length = attributes.length.value_or(0);
    link.delay = attributes.delay.value_or(0);
    link.rate_cycles = attributes.rate_cycles.value_or(1);
    Link back = link;
    std::swap(back.from, back.to);
    std::swap(back.from_port, back.to_port);
    for (std::uint32_t i = 0; i < attributes.count; ++i) {
        add_directed(place, link);
        if (attributes.both) add_directed(place, back);
    }
}

void Assembler::add_directed(Place place, Link link) {
    link.rank = count_between_[key_of(link.from, link.to)]++;
    if (link.rank > 0 && !allows_parallel_links_) {
        fail(place,
             fmt::format("link {} -> {} appears twice", name_of(link.from), name_of(link.to)),
             "leave `strict` out if several links join them");
        return;
    }
    if (*states_ports_) {
        use_port(place, link.from, link.from_port, link.to, true);
        use_port(place, link.to, link.to_port, link.from, false);
    }
    routers_ = std::max({routers_, link.from + 1, link.to + 1});
    if (links_.size() == kMostLinks) {
        fail(place, fmt::format("more than {} links", kMostLinks));
        throw_if_findings();
    }
    links_.push_back(link);
}

void Assembler::use_port(Place place, RouterId router, PortId port, RouterId neighbour, bool out) {
    const auto [entry, is_new] = ports_.insert({key_of(router, port), {neighbour, false, false}});
    PortUse& use = entry->second;
    bool& used = out ? use.out : use.in;
    if (used) {
        fail(place, fmt::format("{} port {} of {} {} is used twice", out ? "output" : "input", port,
                                vertex_, name_of(router)));
    } else if (!is_new && use.neighbour != neighbour) {
        fail(place,
             fmt::format("port {} of {} {} is used twice, for {}s {} and {}", port, vertex_,
                         name_of(router), vertex_, name_of(use.neighbour), name_of(neighbour)),
             fmt::format("a port joins a {} to one other {}", vertex_, vertex_));
    }
    used = true;
}

void Assembler::number_ports() {
    // Links of equal rank in opposite directions are one channel.
    std::unordered_map<std::uint64_t, PortId> port_to;
    std::vector<PortId> used(routers_, 0);
    const auto port = [&](RouterId router, RouterId other, std::uint32_t rank) {
        const std::uint32_t ends = router.number() * kMaxNodes + other.number();
        const auto [entry, is_new] = port_to.insert({key_of(rank, ends), 0});
        if (is_new) entry->second = ++used[router];
        return entry->second;
    };
    for (Link& link : links_) {
        link.from_port = port(link.from, link.to, link.rank);
        link.to_port = port(link.to, link.from, link.rank);
    }
}

void Assembler::place_routers() {
    const bool stated = !sites_.empty();
    if (!stated) {
        std::uint32_t columns = 1;
        while (std::uint64_t{columns} * columns < routers_) ++columns;
        for (std::uint32_t router = 0; router < routers_; ++router) {
            sites_[router] = {double{1} * (router / columns), double{1} * (router % columns)};
        }
    }
    for (RouterId router; router < routers_; ++router) {
        if (sites_.count(router) != 0) continue;
        fail({}, fmt::format("{} {} has no position, others have one", vertex_, name_of(router)),
             fmt::format("state the row and column of every {}, or of none", vertex_));
        return;
    }
    for (Link& link : links_) {
        Site run{0, double{1} * link.length};
        if (link.length == 0) {
            if (stated) run = run_between(sites_[link.from], sites_[link.to]);
            // Two routers at one place are still joined by some wire.
            link.length = std::max(1U, static_cast<std::uint32_t>(std::ceil(run.row + run.column)));
        }
        link.mm = delay_model_.mm(run.row, run.column);
        if (link.delay == 0) link.delay = delay_model_.delay(link.length, link.mm, clock_ns_);
    }
}

std::vector<bool> Assembler::reached(bool backwards) const {
    std::vector<std::vector<RouterId>> next(routers_);
    for (const Link& l : links_) {
        backwards ? next[l.to].push_back(l.from) : next[l.from].push_back(l.to);
    }
    std::vector<bool> seen(routers_, false);
    std::vector<RouterId> open{RouterId(0)};
    seen[0] = true;
    while (!open.empty()) {
        const RouterId router = open.back();
        open.pop_back();
        for (const RouterId n : next[router]) {
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
        const std::string first = name_of(RouterId(0));
        const std::string other =
            name_of(RouterId(static_cast<std::uint32_t>(missing - seen.begin())));
        fail(links,
             fmt::format("{} {} cannot be reached from {} {}", vertex_, backwards ? first : other,
                         vertex_, backwards ? other : first),
             fmt::format("every {} must reach every other one; add links", vertex_));
        return;
    }
}

NodePlaces Assembler::place_nodes(Place links) {
    const std::uint64_t nodes = std::uint64_t{routers_} * nodes_per_router_;
    if (!router_of_ && nodes > kMaxNodes) {
        fail(links, fmt::format("{} routers of {} nodes each have more than {} nodes", routers_,
                                nodes_per_router_, kMaxNodes));
        throw_if_findings();
    }
    if (!router_of_) {
        router_of_.emplace();
        for (NodeId node = 0; node < nodes; ++node) {
            router_of_->emplace_back(node / nodes_per_router_);
        }
    }
    return NodePlaces(std::move(*router_of_), routers_);
}

/// Stated ports follow the local ones; those of the graph follow one, until it has its nodes.
void Assembler::use_stated_ports(Place links, PortId local_ports) {
    for (Link& link : links_) {
        if (std::min(link.from_port, link.to_port) < local_ports) {
            const bool is_from = link.from_port < local_ports;
            fail(links,
                 fmt::format("port {} of router {} has a link, and ports 0 to {} are for nodes",
                             is_from ? link.from_port : link.to_port,
                             name_of(is_from ? link.from : link.to), local_ports - 1),
                 fmt::format("number the ports of links from {} on, or state none", local_ports));
            throw_if_findings();
        }
        link.from_port -= local_ports - 1;
        link.to_port -= local_ports - 1;
    }
}

void Assembler::check_ports(Place links, PortId last_port, PortId local_ports) {
    const PortId last = last_port + local_ports - 1;  // link ports follow those of nodes
    if (last >= kMaxNodes) {
        fail(links, fmt::format("a {} with ports up to {}", vertex_, last),
             fmt::format("a {} has at most {} ports", vertex_, kMaxNodes));
        return;
    }
    if (std::uint64_t{routers_} * (1 + last) <= kMaxTablePorts) return;
    fail(links,
         fmt::format("{} {}s with ports up to {} are too many ports", routers_, vertex_, last),
         fmt::format("{}s times ports of the largest router may be {}", vertex_, kMaxTablePorts));
}

Graph Assembler::finish(Place links) {
    throw_if_findings();
    routers_ = stated_routers_.value_or(routers_);
    if (routers_ == 0) {
        fail(links, fmt::format("the graph has no {}s", vertex_));
        throw_if_findings();
    }
    check_connected(links);
    NodePlaces places = place_nodes(links);
    states_ports_.value_or(false) ? use_stated_ports(links, places.local_ports()) : number_ports();
    PortId last_port = 0;
    for (const Link& link : links_) {
        last_port = std::max({last_port, link.from_port, link.to_port});
    }
    check_ports(links, last_port, places.local_ports());
    place_routers();
    throw_if_findings();
    Graph graph("custom", {routers_}, 1 + last_port);
    graph.set_description("custom " + std::filesystem::path(path_).filename().string());
    for (RouterId router; router < routers_; ++router) {
        const Site& site = sites_[router];
        const auto nearest = [](double place) {
            return static_cast<std::uint32_t>(std::lround(place));
        };
        graph.set_position(router, {nearest(site.row), nearest(site.column)});
        graph.set_site(router, site);
    }
    for (const Link& link : links_) graph.add_link(link);
    if (node_names_.empty() && !names_.empty()) {
        for (NodeId node = 0; node < places.node_count(); ++node) {
            node_names_.push_back(places.is_one_each() ? names_[node] : std::to_string(node));
        }
    }
    graph.set_given_names(std::move(names_), std::move(node_names_));
    const NodeId nodes = places.node_count();
    graph.attach(std::move(places), {nodes});
    return graph;
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
