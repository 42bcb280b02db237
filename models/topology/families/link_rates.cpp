// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/families/link_rates.h"

#include <fmt/format.h>

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

Condition several_dies() {
    return {"a mesh of several dies (`die`)", [](const Config& config) -> std::string {
                const std::string other = only_kind("mesh").conflict(config);
                if (!other.empty() || !config.fabric.link_rate.die.empty()) return other;
                return "no 'fabric.link_rate.die'";
            }};
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
                             "mesh; links from one die to another one have `rate` and `delay`",
                             field);
    key.write = [field, write = key.write](const Config& config) {
        return field(config).empty() ? std::string() : write(config);
    };
    return std::move(key).only_for(only_kind("mesh"));
}

/// Whether a link of a mesh leads from one die to another one.
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
    require_dies(config, graph);
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
