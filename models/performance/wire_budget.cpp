// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/wire_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/config/key_kinds.h"
#include "models/config/packet_format.h"
#include "models/performance/bisection.h"
#include "models/performance/channels.h"
#include "models/topology/families/topologies.h"
#include "models/topology/faults/faults.h"

namespace flitscope {
namespace {

struct Share {
    const char* key;   ///< empty: there is no budget
    const char* name;  ///< name of the budget
    std::uint64_t budget = 0;
    std::uint64_t links = 0;  ///< that share it, in one direction
    const char* which;
    std::uint64_t header = 0;  ///< wires of a link beside those of a flit

    std::uint64_t bits() const {
        const std::uint64_t wires = budget / links;
        return wires < header ? 0 : (wires - header) / kFlitStep * kFlitStep;
    }
};

Share share_of(const WorkloadConfig& config, const Graph& graph) {
    const FabricConfig& fabric = config.fabric;
    if (fabric.pin_budget != 0) {
        return {"fabric.pin_budget",
                "pin budget",
                fabric.pin_budget,
                std::uint64_t{graph.planes()} * most_links_per_direction(graph),
                graph.planes() > 1        ? "of a router and its like on other planes"
                : graph.local_ports() > 1 ? "of a router"
                                          : "of a node",
                fabric.header_bits};
    }
    if (fabric.bisection_budget != 0) {
        return {"fabric.bisection_budget",
                "bisection budget",
                fabric.bisection_budget,
                std::uint64_t{graph.planes()} * cut_into_halves(graph).most_links(),
                "over the bisection",
                fabric.header_bits};
    }
    return {"", "", 0, 0, ""};
}

}  // namespace

void apply_wire_budget(WorkloadConfig& config, const Graph& graph) {
    const Share share = share_of(config, graph);
    if (share.links == 0) return;
    if (share.bits() < kNarrowestFlit) {
        throw ConfigError(
            config.where(share.key),
            fmt::format(
                "a {} of {} wires leaves {} to each of the {} links {} of {}, "
                "and a flit has at least {} bits{}",
                share.name, share.budget, share.budget / share.links, share.links, share.which,
                graph.description(), kNarrowestFlit,
                share.header == 0 ? "" : fmt::format(" beside its header of {}", share.header)),
            fmt::format("at least {}", (kNarrowestFlit + share.header) * share.links));
    }
    config.fabric.flit_bits =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(share.bits(), kWidestFlit));
}

Graph build_budgeted_topology(WorkloadConfig& config) {
    Graph graph = build_topology(config);
    apply_wire_budget(config, graph);
    if (config.faults && config.faults->come_later()) return graph;
    return with_faults(config, std::move(graph));
}

std::string wire_budget_text(const WorkloadConfig& config, const Graph& graph) {
    const Share share = share_of(config, graph.whole());
    if (share.budget == 0) return "";
    if (share.links == 0) {
        return fmt::format("{} of {} wires without a link to share it: {} bits", share.name,
                           share.budget, config.fabric.flit_bits);
    }
    const std::string header =
        share.header == 0 ? "" : fmt::format(" - {} of headers", share.header);
    std::string text = fmt::format("{} of {} wires / {} links {}{} = {} bits", share.name,
                                   share.budget, share.links, share.which, header, share.bits());
    if (share.bits() > kWidestFlit)
        text += fmt::format(", cut to {}, the widest flit", kWidestFlit);
    return text;
}

ConfigKeys wire_budget_keys() {
    using namespace kinds;
    constexpr std::uint64_t kMostWires = 1U << 30;
    ConfigKeys keys;
    keys.push_back(
        integer("fabric.pin_budget", {0, kMostWires}, "wires",
                "wires of the router with the most links, per direction; sets `flit_bits` "
                "to pin_budget / degree, less `header_bits`, rounded down to a multiple of 8; 0 = "
                "no budget",
                at(&Config::fabric, &FabricConfig::pin_budget))
            .replaces({"fabric.flit_bits"}));
    keys.push_back(
        integer("fabric.bisection_budget", {0, kMostWires}, "wires",
                "wires across the bisection, per direction; sets `flit_bits` to bisection_budget / "
                "channels across it, less `header_bits`, rounded down to a multiple of 8; 0 = no "
                "budget",
                at(&Config::fabric, &FabricConfig::bisection_budget))
            .replaces({"fabric.flit_bits"}));
    return keys;
}

void check_wire_budgets(RuleContext& context) {
    const FabricConfig& fabric = context.config.fabric;
    if (fabric.pin_budget == 0 || fabric.bisection_budget == 0) return;
    context.report({context.key_where("fabric.bisection_budget"),
                    fmt::format("'fabric.bisection_budget' contradicts 'fabric.pin_budget' at {}",
                                context.key_where("fabric.pin_budget").str()),
                    "set at most one of them"});
}

}  // namespace flitscope
