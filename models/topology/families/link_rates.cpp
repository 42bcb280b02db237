// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/families/link_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/base/limits.h"
#include "models/config/config.h"
#include "models/config/key_kinds.h"
#include "models/config/link_delay_config.h"
#include "models/config/link_rate_config.h"
#include "models/config/workload_config.h"
#include "models/topology/families/dragonfly_shape.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

using namespace kinds;

template <class Member>
auto link_rate(Member member) {
    return at(&Config::fabric, &FabricConfig::link_rate, member);
}

Condition only_kind(const std::string& kind) {
    return {"topology kind `" + kind + '`', [kind](const Config& config) -> std::string {
                const std::string& set = config.fabric.topology.kind;
                return set.empty() || set == kind ? "" : "topology kind '" + set + '\'';
            }};
}

/// A grid can be cut into dies if no line of it goes round, or is folded.
Condition open_grids() {
    Names kinds;
    for (const TopologyFamily& family : topology_families()) {
        if (family.reads("dims") && !family.reads("folded")) kinds.push_back(family.name);
    }
    return {"grids without rings", [kinds](const Config& config) -> std::string {
                const std::string& set = config.fabric.topology.kind;
                const bool is_among =
                    set.empty() || std::find(kinds.begin(), kinds.end(), set) != kinds.end();
                return is_among ? "" : "topology kind '" + set + '\'';
            }};
}

Condition several_dies() {
    return {"a grid of several dies (`die`)", [](const Config& config) -> std::string {
                const std::string other = open_grids().conflict(config);
                if (!other.empty() || !config.fabric.link_rate.die.empty()) return other;
                return "no 'fabric.link_rate.die'";
            }};
}

Condition physical_dies() {
    return {"several dies (`die`) and link delay model `physical`",
            [](const Config& config) -> std::string {
                std::string other = several_dies().conflict(config);
                const LinkDelayConfig& wires = config.fabric.link_delay;
                if (!other.empty() || wires.is_physical()) return other;
                return "link delay model '" + name_of(wires.model) + '\'';
            }};
}

/// A number that is not written for 0.
ConfigKey amount(const char* path, const char* unit, std::string meaning,
                 double LinkRateConfig::*member) {
    const auto field = link_rate(member);
    ConfigKey key = real(path, {0, 1000}, unit, std::move(meaning), field);
    key.write = [field, write = key.write](const Config& config) {
        return field(config) == 0 ? std::string() : write(config);
    };
    return key;
}

/// A rate 1/k, not written for 1.
ConfigKey slow_rate(const char* path, std::string meaning, Rate LinkRateConfig::*member) {
    const auto field = link_rate(member);
    ConfigKey key = rate(path, "flits/cycle", std::move(meaning), field);
    key.range = fmt::format("1/k, k from 1 to {}", kMostRateCycles);
    key.read = [field](const ConfigTree& value, Config& config, const ReadContext& context) {
        const auto fraction = read_rate(value, context);
        if (!fraction) return;
        if (fraction->numerator == 1 && fraction->denominator <= kMostRateCycles) {
            field(config) = *fraction;
            return;
        }
        mistyped(value, context, fmt::format("1/k with k from 1 to {}", kMostRateCycles),
                 "1/4: one flit in four cycles");
    };
    key.write = [field, write = key.write](const Config& config) {
        return field(config).is_slow() ? write(config) : std::string();
    };
    return key;
}

ConfigKey die_key() {
    const auto field = link_rate(&LinkRateConfig::die);
    ConfigKey key = integers("fabric.link_rate.die", {1, kMaxNodes}, {1, kMostDims},
                             "routers of a die along each dimension, which divide those of the "
                             "grid; links from one die to another one have `rate` and `delay`",
                             field);
    key.write = [field, write = key.write](const Config& config) {
        return field(config).empty() ? std::string() : write(config);
    };
    return std::move(key).only_for(open_grids());
}

/// Whether a link of a grid leads from one die to another one.
bool is_between_dies(const Graph& graph, const Link& link, const std::vector<std::uint32_t>& die) {
    for (std::size_t dim = 0; dim < die.size(); ++dim) {
        const std::uint32_t from = graph.coordinate(link.from, dim) / die[dim];
        if (from != graph.coordinate(link.to, dim) / die[dim]) return true;
    }
    return false;
}

void require_dies(const WorkloadConfig& config, const Graph& graph) {
    const std::vector<std::uint32_t>& die = config.fabric.link_rate.die;
    const std::vector<std::uint32_t>& dims = graph.dims();
    if (!graph.wiring()) {
        throw ConfigError(config.where("fabric.link_rate.die"),
                          graph.description() + " has no grid of routers that dies could divide",
                          "leave it out, or take another fabric.topology.layout");
    }
    if (die.size() != dims.size()) {
        throw ConfigError(config.where("fabric.link_rate.die"),
                          fmt::format("'fabric.link_rate.die' needs a number for each of the {} "
                                      "dimensions, found {}",
                                      dims.size(), die.size()));
    }
    for (std::size_t dim = 0; dim < dims.size(); ++dim) {
        if (dims[dim] % die[dim] == 0) continue;
        throw ConfigError(
            config.where("fabric.link_rate.die"),
            fmt::format("{} routers along a dimension are no whole number of dies of {}", dims[dim],
                        die[dim]),
            "use a divisor of the side");
    }
}

/// Moves every die away from the one before it.
void open_gaps(Graph& graph, const WorkloadConfig& config) {
    const LinkRateConfig& rates = config.fabric.link_rate;
    const LinkDelayConfig& wires = config.fabric.link_delay;
    if (rates.gap_mm == 0 || !wires.is_physical()) return;
    const std::size_t dims = graph.dims().size();
    if (dims > 2) {
        throw ConfigError(
            config.where("fabric.link_rate.gap_mm"),
            fmt::format("'fabric.link_rate.gap_mm' is for dies in a row or in rows and "
                        "columns, not for {} dimensions",
                        dims),
            "leave it out, and give the links between dies their 'delay'");
    }
    for (RouterId router; router < graph.router_count(); ++router) {
        Site site = graph.site(router);
        const auto dies_before = [&](std::size_t dim) {
            return double{1} * (graph.coordinate(router, dim) / rates.die[dim]);
        };
        site.column += dies_before(dims - 1) * rates.gap_mm / wires.pitch_mm;
        if (dims == 2) site.row += dies_before(0) * rates.gap_mm / wires.row_mm();
        graph.set_site(router, site);
    }
}

}  // namespace

ConfigKeys link_rate_keys() {
    ConfigKeys keys;
    keys.push_back(slow_rate("fabric.link_rate.global",
                             "rate of the channels between groups of a dragonfly",
                             &LinkRateConfig::global)
                       .only_for(only_kind("dragonfly")));
    keys.push_back(die_key());
    keys.push_back(slow_rate("fabric.link_rate.rate", "rate of the links between dies",
                             &LinkRateConfig::between)
                       .only_for(several_dies()));
    keys.push_back(optional_integer("fabric.link_rate.delay", {1, kLongestDelay}, "cycles",
                                    "delay of the links between dies, instead of `link_delay`",
                                    link_rate(&LinkRateConfig::delay))
                       .only_for(several_dies()));
    keys.push_back(
        amount("fabric.link_rate.pj_per_bit", "pJ/bit",
               "energy of the transceivers of a link between dies, for every bit of a flit",
               &LinkRateConfig::pj_per_bit)
            .only_for(several_dies()));
    keys.push_back(amount("fabric.link_rate.gap_mm", "mm",
                          "distance from a die to the next, which makes the wires between them "
                          "longer",
                          &LinkRateConfig::gap_mm)
                       .only_for(physical_dies()));
    return keys;
}

ConfigSection link_rate_section() {
    ConfigSection section;
    section.path = "fabric.link_rate";
    section.meaning =
        "links that take one flit in k cycles, as narrow wires between chips do (hw/TIMING.md, "
        "\"Slow links\"); links of your own graph have their rates in its file";
    section.is_set = [](const Config& config) {
        const LinkRateConfig& rates = config.fabric.link_rate;
        return rates.global.is_slow() || !rates.die.empty();
    };
    return section;
}

void part_dies(Graph& graph, const WorkloadConfig& config) {
    if (config.fabric.link_rate.die.empty()) return;
    require_dies(config, graph);
    open_gaps(graph, config);
}

double transceiver_pj(const FabricConfig& fabric, const Graph& graph, const Link& link) {
    const LinkRateConfig& rates = fabric.link_rate;
    const bool has_one = rates.pj_per_bit > 0 && is_between_dies(graph, link, rates.die);
    return has_one ? rates.pj_per_bit * fabric.channel_bits() : 0;
}

void apply_link_rates(Graph& graph, const WorkloadConfig& config) {
    const LinkRateConfig& rates = config.fabric.link_rate;
    if (const auto* const dragonfly = graph.shape<DragonflyShape>()) {
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            const Link& link = graph.link(id);
            if (dragonfly->group(link.from) == dragonfly->group(link.to)) continue;
            graph.set_rate(id, rates.global.denominator);
        }
    }
    if (rates.die.empty()) return;
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        if (!is_between_dies(graph, graph.link(id), rates.die)) continue;
        graph.set_rate(id, rates.between.denominator);
        if (rates.delay) graph.set_delay(id, *rates.delay);
    }
}

void require_rates_supported(const Graph& graph, const WorkloadConfig& config) {
    if (!graph.has_slow_links()) return;
    if (config.fabric.switches_circuits()) {
        throw ConfigError(config.where("fabric.switching"),
                          "circuits do not support links of a rate below 1: an element crosses "
                          "every link of its path in each cycle",
                          "set another fabric.switching, or a rate of 1");
    }
    if (config.fabric.holds_switch()) {
        throw ConfigError(config.where("fabric.switch_arbitration"),
                          "a packet cannot hold the switch (switch_arbitration: per_packet) to a "
                          "link of a rate below 1, which takes no flit in the next cycle",
                          "set fabric.switch_arbitration: round_robin, or a rate of 1");
    }
}

}  // namespace flitscope
