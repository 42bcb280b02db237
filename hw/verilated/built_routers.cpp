// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/verilated/built_routers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "models/config/faults_config.h"
#include "models/config/hardware_config.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope::hw {
namespace {

using Renaming = std::vector<PortId>;

Renaming same_names(PortId ports) {
    Renaming names(ports);
    std::iota(names.begin(), names.end(), PortId{0});
    return names;
}

/// Logic compares coordinates: only the two directions of a dimension can change places.
Turns order_of_mesh(Turns turns) {
    for (PortId plus = 1; plus + 1 < turns.ports(); plus += 2) {
        Renaming swapped = same_names(turns.ports());
        std::swap(swapped[plus], swapped[plus + 1]);
        Turns other = turns.renamed(swapped);
        if (other.hex() < turns.hex()) turns = std::move(other);
    }
    return turns;
}

/// Routes lead to any port: those of nodes, then those of links, are sorted by what distinguishes
/// them: the number of their turns and, round by round, the ranks of the ports that these lead to
/// and come from.
Turns order_of_routes(const Turns& turns, PortId local_ports) {
    const PortId ports = turns.ports();
    std::vector<std::size_t> rank(ports);
    std::fill_n(rank.begin(), local_ports, 1);  // stay before the others
    constexpr int kRounds = 4;
    for (int round = 0; round < kRounds; ++round) {
        using Look = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;
        std::vector<std::pair<std::size_t, Look>> looks;
        for (PortId port = 0; port < ports; ++port) {
            Look look;
            for (PortId other = 0; other < ports; ++other) {
                if (turns.has(port, other)) look.first.push_back(rank[other]);
                if (turns.has(other, port)) look.second.push_back(rank[other]);
            }
            std::sort(look.first.begin(), look.first.end());
            std::sort(look.second.begin(), look.second.end());
            looks.emplace_back(rank[port], std::move(look));
        }
        std::map<std::pair<std::size_t, Look>, std::size_t> numbers;
        for (const auto& look : looks) numbers.emplace(look, 0);
        std::size_t next = 0;
        for (auto& [look, number] : numbers) number = next++;
        for (PortId port = 0; port < ports; ++port) rank[port] = numbers.at(looks[port]);
    }
    Renaming order = same_names(ports);
    const auto links = order.begin() + local_ports;
    const auto is_before = [&](PortId a, PortId b) { return rank[a] > rank[b]; };
    std::stable_sort(order.begin(), links, is_before);
    std::stable_sort(links, order.end(), is_before);
    Renaming names(ports);
    for (PortId place = 0; place < ports; ++place) names[order[place]] = place;
    return turns.renamed(names);
}

/// The same for all routers that differ only in the order of their ports; for some of them, if that
/// is hard to detect, it may be a different one.
Turns in_order(const Turns& turns, RtlRouting routing, PortId local_ports) {
    switch (routing) {
        case RtlRouting::kMesh:
            return order_of_mesh(turns);
        case RtlRouting::kHypercube:
            return turns;
        case RtlRouting::kTable:
        case RtlRouting::kPins:
            return order_of_routes(turns, local_ports);
    }
    return turns;
}

/// Turns, and whether links are slow.
using Traits = std::pair<std::string, bool>;

BuiltRouters kinds_of(const RtlVariant& variant, PortId local_ports,
                      const std::vector<Turns>& turns, const std::vector<bool>& are_slow) {
    std::map<Traits, std::uint32_t> counts;  // by turns as they are
    for (std::size_t i = 0; i < turns.size(); ++i) ++counts[{turns[i].hex(), are_slow[i]}];
    std::map<Traits, BuiltRouter> kinds;  // by turns in order
    for (const auto& [traits, count] : counts) {
        const Turns ordered =
            in_order(turns_of_hex(variant.ports, traits.first), variant.routing, local_ports);
        const Traits sorted{ordered.hex(), traits.second};
        BuiltRouter& kind = kinds.emplace(sorted, BuiltRouter{variant, 0}).first->second;
        if (!ordered.is_all()) kind.variant.turns = ordered.hex();
        kind.variant.slow_links = traits.second;
        kind.count += count;
    }
    BuiltRouters routers;
    for (auto& [traits, kind] : kinds) routers.push_back(std::move(kind));
    const auto size = [](const BuiltRouter& kind) {
        return turns_of_hex(kind.variant.ports, kind.variant.turns).count();
    };
    std::stable_sort(routers.begin(), routers.end(),
                     [&](const BuiltRouter& a, const BuiltRouter& b) { return size(a) > size(b); });
    return routers;
}

std::vector<Turns> turns_by_ports(const Graph& whole) {
    std::vector<Turns> turns;
    for (RouterId router; router < whole.router_count(); ++router) {
        turns.push_back(turns_between_ports(whole, router));
    }
    return turns;
}

/// Whether all turns are built whatever is used.
bool has_all_turns(const HardwareConfig& config, const Graph& graph) {
    return !config.fabric.rtl_module().is_own() || graph.port_count() > kMostPortsWithTurns;
}

}  // namespace

RtlVariant built_variant(const HardwareConfig& config, const Graph& graph, const Routing& routing) {
    RtlVariant variant = rtl_variant(config, graph, routing);
    if (variant.routing == RtlRouting::kTable && !variant.is_foreign()) {
        variant.routing = RtlRouting::kPins;
        variant.table_entries = 0;
    }
    return variant;
}

std::vector<Turns> turns_built(const HardwareConfig& config, const Graph& graph,
                               const Routing& routing) {
    const Graph& whole = graph.whole();
    if (has_all_turns(config, graph)) {
        return std::vector<Turns>(whole.router_count(), turns_of_hex(graph.port_count(), ""));
    }
    // Two orders of dimensions take all turns together.
    const bool takes_all = config.faults || routing.path_coin();
    return takes_all ? turns_by_ports(whole) : turns_taken(whole, routing);
}

std::vector<bool> have_slow_links(const Graph& graph) {
    const Graph& whole = graph.whole();
    std::vector<bool> are_slow(whole.router_count());
    for (const Link& link : whole.links()) {
        if (link.rate_cycles > 1) are_slow[link.from.number()] = true;
    }
    return are_slow;
}

namespace {

BuiltRouters with_all_turns(RtlVariant variant, const std::vector<bool>& are_slow) {
    const auto slow =
        static_cast<std::uint32_t>(std::count(are_slow.begin(), are_slow.end(), true));
    const auto others = static_cast<std::uint32_t>(are_slow.size()) - slow;
    if (variant.is_foreign()) return {{variant, slow + others}};
    BuiltRouters routers;
    if (slow > 0) routers.push_back({variant, slow});
    variant.slow_links = false;
    if (others > 0) routers.push_back({variant, others});
    return routers;
}

BuiltRouters routers_of_a_plane(const HardwareConfig& config, const Graph& graph,
                                const Routing& routing) {
    const RtlVariant variant = built_variant(config, graph, routing);
    const PortId locals = graph.local_ports();
    const std::vector<bool> are_slow = have_slow_links(graph);
    if (has_all_turns(config, graph)) return with_all_turns(variant, are_slow);
    BuiltRouters routers = kinds_of(variant, locals, turns_built(config, graph, routing), are_slow);
    if (routers.size() > kMostKinds) {
        routers = kinds_of(variant, locals, turns_by_ports(graph.whole()), are_slow);
    }
    if (routers.size() > kMostKinds) return with_all_turns(variant, are_slow);
    return routers;
}

}  // namespace

BuiltRouters built_routers(const HardwareConfig& config, const Graph& graph,
                           const Routing& routing) {
    BuiltRouters routers = routers_of_a_plane(config, graph, routing);
    for (BuiltRouter& kind : routers) kind.count *= graph.planes();
    return routers;
}

BuiltRouters merged(const BuiltRouters& routers) {
    BuiltRouters kinds;
    for (const BuiltRouter& one : routers) {
        const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const BuiltRouter& kind) {
            return kind.variant.name() == one.variant.name();
        });
        if (same == kinds.end()) {
            kinds.push_back(one);
        } else {
            same->count += one.count;
        }
    }
    return kinds;
}

PortId used_ports(const RtlVariant& variant) {
    const Turns turns = turns_of_hex(variant.ports, variant.turns);
    PortId used = 0;
    for (PortId port = 0; port < variant.ports; ++port) used += turns.uses(port) ? 1 : 0;
    return used;
}

std::string text_of(const BuiltRouters& routers) {
    std::string text;
    for (const BuiltRouter& kind : routers) {
        text += fmt::format("{}{}*{}", text.empty() ? "" : " ", kind.count, kind.variant.name());
    }
    return text;
}

BuiltRouters parse_built_routers(const std::string& text) {
    BuiltRouters routers;
    std::istringstream words(text);
    std::string word;
    while (words >> word) {
        std::istringstream in(word);
        std::uint32_t count = 0;
        char times = ' ';
        std::string name;
        in >> count >> times >> name;
        const auto variant = parse_rtl_variant(name);
        if (times != '*' || !variant) throw std::invalid_argument("not routers: " + word);
        routers.push_back({*variant, count});
    }
    return routers;
}

}  // namespace flitscope::hw
