// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/route_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/byte_order_mark.h"
#include "models/base/csv_cells.h"
#include "models/base/finding_list.h"
#include "models/base/input_file.h"
#include "models/base/node_finder.h"
#include "models/base/printable.h"
#include "models/base/trimmed.h"
#include "models/routing/path_table.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

constexpr std::size_t kMaxRouteBytes = std::size_t{256} << 20;
constexpr const char* kHeader = "begin with the line: at,to,next or at,to,next,vcs";

/// A row of the file: the link that packets take, and the virtual channels that they may have.
struct Hop {
    LinkId link = kNoLink;
    VcMask virtual_channels = kAllVirtualChannels;
    std::size_t line = 0;
};

class RouteFile {
public:
    RouteFile(const std::string& path, const Graph& graph, std::uint32_t virtual_channels)
        : path_(path),
          graph_(graph),
          virtual_channels_(virtual_channels),
          routers_(graph.given_names()),
          nodes_(graph.given_node_names()),
          hops_(graph.router_count()),
          to_all_(graph.router_count()),
          findings_(path) {}

    std::unique_ptr<Routing> read(std::string_view text) {
        text.remove_prefix(byte_order_mark(text));
        for (std::size_t line = 1; !text.empty(); ++line) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            read_line(text.substr(0, end), line);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (columns_.empty()) find({path_, 0, 0}, "the file of routes has no header", kHeader);
        findings_.throw_if_any();
        auto table = fill();
        findings_.throw_if_any();
        return table;
    }

private:
    struct Cell {
        std::string text;
        Location where;
    };

    void find(Location where, std::string what, std::string hint) {
        findings_.add({std::move(where), std::move(what), std::move(hint)});
    }

    void read_line(std::string_view line, std::size_t number) {
        const std::string_view content = trimmed(line);
        if (content.empty() || content.front() == '#') return;
        std::vector<Cell> cells;
        for_each_cell(line, ",", [&](std::string_view cell, const char* begin) {
            const auto column = static_cast<std::size_t>(begin - line.data()) + 1;
            cells.push_back({std::string(cell), {path_, number, column}});
            return cells.size() <= 4;
        });
        columns_.empty() ? read_header(cells) : read_hop(cells, number);
    }

    void read_header(const std::vector<Cell>& cells) {
        const std::vector<std::string> all{"at", "to", "next", "vcs"};
        for (const Cell& cell : cells) columns_.push_back(cell.text);
        const bool fits = columns_.size() >= 3 && columns_.size() <= all.size() &&
                          std::equal(columns_.begin(), columns_.end(), all.begin());
        if (fits) return;
        find(cells.front().where,
             fmt::format("'{}' is not the header of a file of routes",
                         excerpt(fmt::format("{}", fmt::join(columns_, ",")))),
             kHeader);
        findings_.throw_if_any();
    }

    void read_hop(const std::vector<Cell>& cells, std::size_t line) {
        // `vcs` may be left out if it means all.
        const bool fits =
            cells.size() == columns_.size() || (columns_.size() == 4 && cells.size() == 3);
        if (!fits) {
            find(cells.front().where,
                 fmt::format("{} values for {} columns", cells.size(), columns_.size()),
                 fmt::format("write {}", fmt::join(columns_, ",")));
            return;
        }
        const auto router = number(cells[0], routers_, graph_.router_count(), "router");
        if (!router) return;
        const RouterId at(*router);
        Hop hop;
        hop.line = line;
        hop.link = link(cells[2], at);
        if (hop.link == kNoLink) return;
        if (cells.size() > 3 && !cells[3].text.empty()) {
            const auto mask = channels(cells[3]);
            if (!mask) return;
            hop.virtual_channels = *mask;
        }
        if (cells[1].text == "*") {
            add(to_all_[at], hop, cells[0].where,
                fmt::format("at {} to any node", routers_.name_of(at)));
            return;
        }
        const auto to = number(cells[1], nodes_, graph_.node_count(), "destination");
        if (!to) return;
        if (at == graph_.router_of(*to)) {
            find(cells[1].where, fmt::format("node {} is where it goes", nodes_.name_of(*to)),
                 "remove the line: packets that have arrived leave the network");
            return;
        }
        add(hops_[at][*to], hop, cells[0].where,
            fmt::format("at {} to {}", routers_.name_of(at), nodes_.name_of(*to)));
    }

    void add(Hop& there, const Hop& hop, const Location& where, const std::string& what) {
        if (there.link != kNoLink) {
            find(where, fmt::format("the route {} is in line {} already", what, there.line),
                 "keep one of the two");
            return;
        }
        there = hop;
    }

    std::optional<std::uint32_t> number(const Cell& cell, const NodeFinder& finder,
                                        std::uint32_t count, const char* what) {
        const std::optional<std::uint32_t> found = finder.find(cell.text);
        if (found && *found < count) return found;
        find(cell.where, fmt::format("'{}' is no {}", excerpt(cell.text), what),
             finder.has_names() ? finder.remedy(cell.text)
                                : fmt::format("{}s are 0 .. {}", what, count - 1));
        return std::nullopt;
    }

    /// The link of that name from `at`, or the only one from there to the router of that name, or
    /// between these ends; kNoLink: there is none.
    LinkId link(const Cell& cell, RouterId at) {
        std::set<RouterId> next;
        if (const auto router = routers_.find(cell.text)) next.emplace(*router);
        for (const auto& [from, to] : routers_.find_ends(cell.text)) {
            if (at == RouterId(from)) next.emplace(to);
        }
        std::vector<LinkId> fitting;
        std::vector<std::string> names;
        for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
            const LinkId id = graph_.out_link(at, port);
            if (id == kNoLink) continue;
            const Link& link = graph_.link(id);
            const bool is_alone = graph_.link_between(at, link.to, 1) == kNoLink;
            names.push_back(routers_.has_names() && is_alone ? graph_.given_link_name(id)
                                                             : graph_.link_name(id));
            const bool is_numbered = link.rank > 0 && cell.text == graph_.short_link_name(id);
            if (cell.text == graph_.link_name(id) || is_numbered) return id;
            if (next.count(link.to) != 0) fitting.push_back(id);
        }
        if (fitting.size() == 1) return fitting.front();
        find(cell.where,
             fmt::format(fitting.empty() ? "no link leads from {} to '{}'"
                                         : "several links lead from {} to '{}'",
                         routers_.name_of(at), excerpt(cell.text)),
             names.empty() ? fmt::format("no link leaves {}", routers_.name_of(at))
                           : fmt::format("links that leave it: {}", fmt::join(names, ", ")));
        return kNoLink;
    }

    /// "0", "0-1", "0 2": numbers and ranges between blanks.
    std::optional<VcMask> channels(const Cell& cell) {
        std::uint32_t mask = 0;
        bool is_sound = true;
        for_each_cell(cell.text, " ", [&](std::string_view part, const char*) {
            const std::size_t dash = std::min(part.find('-'), part.size());
            const auto first = to_node_number(part.substr(0, dash));
            const auto last = dash == part.size() ? first : to_node_number(part.substr(dash + 1));
            is_sound = first && last && *first <= *last && *last < virtual_channels_;
            for (NodeId vc = is_sound ? *first : 1; is_sound && vc <= *last; ++vc) mask |= 1U << vc;
            return is_sound;
        });
        if (is_sound) return static_cast<VcMask>(mask);
        find(cell.where, fmt::format("'{}' names no virtual channels", excerpt(cell.text)),
             fmt::format("channels are 0 .. {} (of each class); write 0, 0-1 or 0 2",
                         virtual_channels_ - 1));
        return std::nullopt;
    }

    const Hop& hop(RouterId at, NodeId to) const {
        const auto found = hops_[at].find(to);
        return found != hops_[at].end() ? found->second : to_all_[at];
    }

    /// The table of all routes of nodes that send, followed to their ends.
    std::unique_ptr<TableRouting> fill() {
        auto table = std::make_unique<TableRouting>(kRoutesFromFile, graph_);
        std::vector<NodeId> arrives(
            graph_.router_count());  // per router; + 1: at the last destination
        for (NodeId to = 0; to < graph_.node_count(); ++to) {
            if (!graph_.is_alive(to)) continue;
            for (NodeId from = 0; from < graph_.node_count(); ++from) {
                if (!graph_.is_alive(from) || !follow(from, to, arrives)) continue;
                const RouterId last = graph_.router_of(to);
                const std::uint16_t* const ports = table->towards(to);
                for (RouterId at = graph_.router_of(from); at != last && ports[at] == kLocalPort;) {
                    const Hop& taken = hop(at, to);
                    const Link& link = graph_.link(taken.link);
                    table->towards(to)[at] = static_cast<std::uint16_t>(link.from_port);
                    if (taken.virtual_channels != kAllVirtualChannels) {
                        table->set_virtual_channels(at, to, taken.virtual_channels);
                    }
                    at = link.to;
                }
            }
        }
        return table;
    }

    /// Whether the route arrives; a finding if it does not.
    bool follow(NodeId from, NodeId to, std::vector<NodeId>& arrives) {
        std::vector<RouterId> path;
        bool is_sound = true;
        for (RouterId at = graph_.router_of(from);
             at != graph_.router_of(to) && arrives[at] != to + 1;) {
            const Hop& next = hop(at, to);
            if (next.link == kNoLink) {
                find({path_, 0, 0},
                     fmt::format("no route at {} to {}, on the way from {}", routers_.name_of(at),
                                 nodes_.name_of(to), nodes_.name_of(from)),
                     fmt::format("add a line such as: {},{},NEXT",
                                 plain_name(graph_.given_names(), at),
                                 plain_name(graph_.given_node_names(), to)));
                is_sound = false;
                break;
            }
            if (path.size() >= graph_.router_count()) {
                find({path_, next.line, 1},
                     fmt::format("the route from {} to {} ends in a loop through {}",
                                 nodes_.name_of(from), nodes_.name_of(to), routers_.name_of(at)),
                     "change one of the lines of the loop");
                is_sound = false;
                break;
            }
            path.push_back(at);
            at = graph_.link(next.link).to;
        }
        if (is_sound) {
            for (const RouterId at : path) arrives[at] = to + 1;
        }
        return is_sound;
    }

    /// As a line has it.
    static std::string plain_name(const std::vector<std::string>& names, std::uint32_t number) {
        return names.empty() ? std::to_string(number) : names[number];
    }

    const std::string& path_;
    const Graph& graph_;
    std::uint32_t virtual_channels_;
    NodeFinder routers_;
    NodeFinder nodes_;
    std::vector<std::string> columns_;
    std::vector<std::map<NodeId, Hop>> hops_;  // per router, by destination
    std::vector<Hop> to_all_;                  // per router: to all others
    FindingList findings_;
};

}  // namespace

std::unique_ptr<Routing> load_routes(const std::string& path, const Graph& graph,
                                     std::uint32_t virtual_channels, const Location& named_at) {
    const std::string text = read_input_file(path, "file of routes", kMaxRouteBytes, named_at);
    return RouteFile(path, graph, virtual_channels).read(text);
}

}  // namespace flitscope
