// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of `fabric.topology`, and when each of them applies.
#pragma once

#include "models/config/key_kinds.h"
#include "models/topology/topologies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace flitscope::kinds {

/// A list of integers, or one integer that stands for a list of one.
template <class Field>
ConfigKey integer_or_list(std::string path, IntegerRange range, IntegerRange length,
                          std::string meaning, Field field) {
    ConfigKey key = integers(std::move(path), range, length, std::move(meaning), field);
    key.type = "integer or list of integers";
    key.read = [=, read_list = key.read](const ConfigTree& value, Config& config,
                                         const ReadContext& context) {
        if (!value.is_scalar()) return read_list(value, config, context);
        using Number = typename std::decay_t<decltype(field(config))>::value_type;
        const auto number = read_integer(value, context, range);
        if (number) field(config) = {static_cast<Number>(*number)};
    };
    return key;
}

/// For one of several topology kinds.
inline Condition topology_kinds_among(const Names& kinds) {
    std::string when = "topology kind `" + kinds.front() + '`';
    for (std::size_t i = 1; i < kinds.size(); ++i) {
        when += (i + 1 < kinds.size() ? ", `" : " or `") + kinds[i] + '`';
    }
    return {std::move(when), [kinds](const Config& config) -> std::string {
                const std::string& set = config.fabric.topology.kind;
                const bool is_among =
                    set.empty() || std::find(kinds.begin(), kinds.end(), set) != kinds.end();
                return is_among ? "" : "topology kind '" + set + '\'';
            }};
}

inline Condition hierarchies() {
    return {"layout `hierarchy`", [](const Config& config) -> std::string {
                const TopologyConfig& topology = config.fabric.topology;
                if (topology.kind.empty()) return "";
                if (topology.kind != "express_mesh")
                    return "topology kind '" + topology.kind + '\'';
                if (topology.layout == ExpressLayout::kHierarchy) return "";
                return "layout '" + name_of(topology.layout) + '\'';
            }};
}

inline void add_topology_keys(std::vector<ConfigKey>& keys) {
    constexpr std::uint64_t kMostDims = 32;
    const auto in = [](auto member) {
        return [=](auto& config) -> auto& { return config.fabric.topology.*member; };
    };
    Names kinds;
    for (const TopologyKind& kind : topology_kinds()) kinds.push_back(kind.name);
    keys.push_back(choice("fabric.topology.kind", "topology kind", kinds, "family of the network",
                          in(&TopologyConfig::kind))
                       .required());
    keys.push_back(
        integers("fabric.topology.dims", {1, kMaxNodes}, {1, kMostDims},
                 fmt::format("nodes per dimension, the last varies fastest; at most {} nodes in "
                             "all",
                             kMaxNodes),
                 in(&TopologyConfig::dims))
            .only_for(topology_kinds_among({"mesh", "torus", "ghc", "how", "express_mesh"}))
            .required());
    keys.push_back(flag("fabric.topology.folded",
                        "rings laid out flat, with wires of at most two places, in place of one "
                        "wire back over the whole side",
                        in(&TopologyConfig::folded))
                       .only_for(topology_kinds_among({"torus"})));
    keys.push_back(integer("fabric.topology.dimensions", {0, 16}, "", "2^dimensions nodes",
                           in(&TopologyConfig::dimensions))
                       .only_for(topology_kinds_among({"hypercube"}))
                       .required());
    keys.push_back(integer_or_list("fabric.topology.window", {1, kMaxNodes - 1}, {1, kMostDims},
                                   "places to either side that a node has links to, below the "
                                   "side; one for all dimensions or one for each",
                                   in(&TopologyConfig::windows))
                       .only_for(topology_kinds_among({"how"}))
                       .required());
    keys.push_back(integer("fabric.topology.segment", {2, kMaxNodes - 1}, "node pitches",
                           "from one terminal of express links to the next, below the sides; of "
                           "a hierarchy the factor from level to level",
                           in(&TopologyConfig::segment))
                       .only_for(topology_kinds_among({"express_mesh"}))
                       .required());
    keys.push_back(
        enumeration("fabric.topology.layout", "layout", kExpressLayouts,
                    "express links in every line, in one line out of every `segment`, there "
                    "but shifted to keep the degree at 5, there with terminals of two nodes "
                    "of degree 5, or in levels",
                    in(&TopologyConfig::layout))
            .only_for(topology_kinds_among({"express_mesh"})));
    keys.push_back(integer("fabric.topology.levels", {1, 15}, "",
                           "levels of express links: segment, segment^2, ... long",
                           in(&TopologyConfig::levels))
                       .only_for(hierarchies()));
    keys.push_back(path_key("fabric.topology.file",
                            "graph file; relative to the folder of the configuration file",
                            in(&TopologyConfig::file))
                       .only_for(topology_kinds_among({"custom"}))
                       .required());
}

}  // namespace flitscope::kinds
