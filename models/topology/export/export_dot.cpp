// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "models/base/html_text.h"
#include "models/topology/export/export.h"
#include "models/topology/export/placement.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

constexpr double kNodeSize = 24;            // diameter in points, if a node is a router
constexpr double kBoxSize = 44;             // for a router that shows its nodes,
constexpr std::size_t kBoxCharacters = 11;  // and the characters of a line in it
constexpr double kArrowSize = 7;            // length of the tip

using Curve = std::array<Point, 4>;  // a cubic Bezier curve

std::string text_of(Point p) { return fmt::format("{:.1f},{:.1f}", p.x, p.y); }

/// Ascending numbers, three and more without a gap as one: "8-11", "64".
std::vector<std::string> runs_of_numbers(const NodesOfRouter& nodes) {
    std::vector<std::string> runs;
    for (const NodeId* first = nodes.begin(); first != nodes.end();) {
        const NodeId* last = first;
        while (last + 1 != nodes.end() && *(last + 1) == *last + 1) ++last;
        if (last - first < 2) last = first;
        runs.push_back(first == last ? std::to_string(*first)
                                     : fmt::format("{}-{}", *first, *last));
        first = last + 1;
    }
    return runs;
}

/// The look of all wires of one length.
struct Style {
    std::string color;
    double width = 1;
    std::size_t channels = 0;
};

class Drawing {
public:
    explicit Drawing(const Graph& graph) : graph_(graph), placement_(graph) {
        for (const Link& link : graph.links()) {
            styles_[length_of(link)].channels += stands_for_channel(link) ? 1 : 0;
        }
        choose_styles();
    }

    void write(std::ostream& out) const {
        out << "digraph {\n"
               "  graph [outputorder=edgesfirst, fontname=\"Helvetica\", fontsize=13, pad=0.2, "
               "label=<"
            << caption() << ">];\n"
            << fmt::format(
                   "  node [shape={}, fixedsize=true, width={:.3f}, height={:.3f}, "
                   "style={}, fillcolor=white, fontname=\"Helvetica\", fontsize={}];\n",
                   shows_nodes() ? "box" : "circle", size_of_router() / 72, size_of_router() / 72,
                   shows_nodes() ? "\"filled,rounded\"" : "filled",
                   graph_.router_count() > 1000 ? 8 : 10)
            << "  edge [arrowsize=0.6];\n";
        for (RouterId router; router < graph_.router_count(); ++router) {
            const Position& at = graph_.position(router);
            const char* const look =
                graph_.is_alive(router)
                    ? ""
                    : ", style=\"filled,dashed\", color=\"#bbbbbb\", fontcolor=\"#bbbbbb\"";
            const std::string name =
                graph_.given_names().empty()
                    ? ""
                    : fmt::format(", xlabel=<{}>", html_text(graph_.given_names()[router]));
            out << fmt::format("  {} [row={}, column={}{}, pos=\"{}\"{}{}{}];\n", router, at.row,
                               at.column, role_of(router), text_of(placement_.place(router)),
                               label_of(router), name, look);
        }
        for (const Link& link : graph_.links()) {
            if (!is_second_of_pair(link)) write_link(out, link);
        }
        out << "}\n";
    }

private:
    std::string role_of(RouterId router) const {
        if (graph_.places().is_one_each()) {
            return graph_.nodes_at(router).empty() ? ", endpoint=false" : "";
        }
        return fmt::format(", nodes={}", graph_.nodes_at(router).size());
    }

    bool shows_nodes() const { return !graph_.places().is_one_each(); }
    double size_of_router() const { return shows_nodes() ? kBoxSize : kNodeSize; }

    /// The router, and below it its nodes: "R3" and "8-11 64".
    std::string label_of(RouterId router) const {
        if (!shows_nodes()) return "";
        constexpr std::size_t kLines = 3;
        const NodesOfRouter nodes = graph_.nodes_at(router);
        std::vector<std::string> lines;
        for (const std::string& run : runs_of_numbers(nodes)) {
            if (lines.empty() || lines.back().size() + 1 + run.size() > kBoxCharacters) {
                lines.push_back(run);
            } else {
                lines.back() += ' ' + run;
            }
        }
        if (lines.size() > kLines) lines = {fmt::format("{} nodes", nodes.size())};
        const std::string below =
            lines.empty()
                ? ""
                : fmt::format("<font point-size=\"7\"><br/>{}</font>", fmt::join(lines, "<br/>"));
        return fmt::format(", label=<R{}{}>", router, below);
    }

    /// Length of the wire; 0 between routers that share a place.
    std::uint32_t length_of(const Link& link) const { return span_of(link) == 0 ? 0 : link.length; }
    std::uint32_t span_of(const Link& link) const {
        return distance(graph_.position(link.from), graph_.position(link.to));
    }

    /// The link with which `link` is one channel, or null.
    const Link* back_of(const Link& link) const {
        const LinkId id = graph_.opposite(link);
        return id == kNoLink ? nullptr : &graph_.link(id);
    }
    /// The longer of the two links of a channel, whose length is that of the channel.
    bool stands_for_channel(const Link& link) const {
        const Link* const back = back_of(link);
        if (back == nullptr || length_of(*back) < length_of(link)) return true;
        return length_of(*back) == length_of(link) && link.from < link.to;
    }
    /// The opposite link, if it differs in nothing but direction: both are drawn as one.
    const Link* opposite(const Link& link) const {
        const Link* const back = back_of(link);
        const bool same = back != nullptr && back->length == link.length &&
                          back->delay == link.delay && back->rate_cycles == link.rate_cycles;
        return same ? back : nullptr;
    }
    bool is_second_of_pair(const Link& link) const {
        return link.to < link.from && opposite(link) != nullptr;
    }

    void choose_styles() {
        static const std::vector<std::string> palette = {
            "#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#17becf", "#e377c2"};
        const auto coloured = static_cast<std::size_t>(std::count_if(
            styles_.begin(), styles_.end(), [](const auto& s) { return s.first > 1; }));
        std::size_t rank = 0;
        for (auto& [length, style] : styles_) {
            if (length == 0) {
                style.color = "#000000";
                style.width = 4;
            } else if (length == 1) {
                style.color = "#999999";
            } else {
                style.width = 1.5;
                // From blue to red if the palette is too small.
                style.color =
                    coloured <= palette.size()
                        ? palette[rank]
                        : fmt::format("{:.3f} 0.9 0.8", 0.65 * (1 - 1.0 * rank / coloured));
                ++rank;
            }
        }
    }

    std::string size() const {
        const std::uint32_t routers = graph_.working_router_count();
        return graph_.places().is_one_each()  // then routers are called nodes
                   ? fmt::format("{} nodes", routers)
                   : fmt::format("{} nodes, {} routers", graph_.working_node_count(), routers);
    }

    std::string caption() const {
        constexpr std::size_t kListed = 9;
        std::size_t channels = 0;
        for (const auto& [length, style] : styles_) channels += style.channels;
        std::string text =
            fmt::format("<font point-size=\"6\"> <br/></font><b>{}</b>, {}, {} channels<br/>",
                        html_text(graph_.description()), size(), channels);
        std::size_t listed = 0;
        const std::size_t skipped = styles_.size() > kListed ? styles_.size() - kListed : 0;
        for (const auto& [length, style] : styles_) {
            ++listed;
            if (skipped > 0 && listed >= kListed && listed < styles_.size()) {
                if (listed == kListed) text += "   ...";
                continue;
            }
            const std::string what = length == 0 ? "same place" : fmt::format("length {}", length);
            text += fmt::format("{}<font color=\"{}\">&#8212; {}: {}</font>",
                                listed == 1 ? "" : "   ", style.color, what, style.channels);
        }
        return text;
    }

    Curve curve(const Link& link) const {
        const Point a = placement_.place(link.from);
        const Point b = placement_.place(link.to);
        const Point way = b - a;
        double bend = placement_.bend(link);
        const LinkId back = graph_.out_link(link.to, link.to_port);
        if (bend == 0 && opposite(link) == nullptr && back != kNoLink &&
            graph_.link(back).to == link.from) {
            bend = kNodePitch * 0.1;  // next to its unlike opposite
        }
        const Point normal =
            way.length() == 0 ? Point{} : (1 / way.length()) * Point{-way.y, way.x};
        const Point lift = (bend / 0.75) * normal;  // a Bezier curve reaches 3/4 of it
        const double along = bend == 0 ? 1.0 / 3 : 0.12;
        return {a, a + along * way + lift, b - along * way + lift, b};
    }

    void write_link(std::ostream& out, const Link& link) const {
        const bool both = opposite(link) != nullptr;
        Curve c = curve(link);
        std::string tip;
        if (!both) {
            const Point last = c[3] - c[2];
            const Point direction = (1 / std::max(last.length(), 1.0)) * last;
            const Point end = c[3] - size_of_router() / 2 * direction;
            tip = fmt::format("e,{} ", text_of(end));
            c[3] = end - kArrowSize * direction;
        }
        const Style& style = styles_.at(length_of(link));
        out << fmt::format(
            "  {} -> {} [from_port={}, to_port={}, length={}, delay={}, {}{}color=\"{}\", "
            "penwidth={}, pos=\"{}{} {} {} {}\"];\n",
            link.from, link.to, link.from_port, link.to_port, link.length, link.delay,
            link.rate_cycles == 1 ? "" : fmt::format("rate=\"1/{}\", ", link.rate_cycles),
            both ? "both=true, dir=none, " : "", style.color, style.width, tip, text_of(c[0]),
            text_of(c[1]), text_of(c[2]), text_of(c[3]));
    }

    const Graph& graph_;
    Placement placement_;
    std::map<std::uint32_t, Style> styles_;  // by length
};

}  // namespace

void write_graph_dot(std::ostream& out, const Graph& graph) { Drawing(graph).write(out); }

}  // namespace flitscope
