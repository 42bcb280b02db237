// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/families/topology_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/base/limits.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/config/key_kinds.h"
#include "models/config/link_delay_config.h"
#include "models/config/topology_config.h"
#include "models/topology/families/attached_nodes.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

using namespace kinds;

/// A list of integers, or one integer as a list of one.
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

/// The condition that the family of the network reads fabric.topology.`key`.
Condition families_with(const std::string& key) {
    Names kinds;
    for (const TopologyFamily& family : topology_families()) {
        if (family.reads(key)) kinds.push_back(family.name);
    }
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

Condition hierarchies() {
    Condition layouts = families_with("levels");
    return {"layout `hierarchy`", [layouts](const Config& config) -> std::string {
                const TopologyConfig& topology = config.fabric.topology;
                std::string other = layouts.conflict(config);
                if (topology.kind.empty() || !other.empty()) return other;
                if (topology.layout == ExpressLayout::kHierarchy) return "";
                return "layout '" + name_of(topology.layout) + '\'';
            }};
}

/// Words of other tools and books for families of networks.
std::vector<std::pair<std::string, std::string>> names_of_families() {
    const char* const flattened =
        "a flattened butterfly is a 'ghc' (generalized hypercube) here: {kind: ghc, dims: [4, 4], "
        "concentration: [2, 2]}";
    const char* const concentrated =
        "that is a 'mesh' with several nodes on a router here: {kind: mesh, dims: [4, 4], "
        "concentration: [2, 2]}";
    return {{"flatfly", flattened},
            {"flatfly_onchip", flattened},
            {"flattened_butterfly", flattened},
            {"fully_connected", "that is a 'ghc' of one dimension here"},
            {"ring", "that is a 'torus' of one dimension here"},
            {"line", "that is a 'mesh' of one dimension here"},
            {"cube", "a binary cube is a 'hypercube' here, a k-ary n-cube a 'torus'"},
            {"fattree", "that is 'fat_tree' here"},
            {"clos", "a folded Clos network is a 'fat_tree' here"},
            {"cmesh", concentrated},
            {"concentrated_mesh", concentrated},
            {"anynet", "your own graph is 'custom' here"}};
}

/// The field of a key that only one family has.
struct ParameterField {
    std::string name;

    std::uint32_t& operator()(Config& config) const {
        return config.fabric.topology.parameters[name];
    }
    std::uint32_t operator()(const Config& config) const {
        return config.fabric.topology.parameter(name);
    }
};

Condition link_model(LinkDelayModel model) {
    return {"model `" + name_of(model) + '`', [model](const Config& config) -> std::string {
                const LinkDelayModel set = config.fabric.link_delay.model;
                return set == model ? "" : "link delay model '" + name_of(set) + '\'';
            }};
}

Condition derived_pitch() {
    const Condition physical = link_model(LinkDelayModel::kPhysical);
    return {"pitch_mm `area`", [physical](const Config& config) -> std::string {
                const LinkDelayConfig& wires = config.fabric.link_delay;
                std::string other = physical.conflict(config);
                if (!other.empty() || wires.pitch_is_derived) return other;
                return fmt::format("pitch_mm '{}'", wires.pitch_mm);
            }};
}

/// Not written for one node per router.
ConfigKey concentration_key() {
    const auto field = at(&Config::fabric, &FabricConfig::topology, &TopologyConfig::concentration);
    ConfigKey key = integer_or_list(
        std::string("fabric.topology.") + kConcentration, {1, kMaxNodes}, {1, kMostDims},
        "nodes on every router: how many along each dimension of a grid, [2, 2], so that node "
        "numbers are row-major over dims x concentration; in a line, a hypercube or a dragonfly "
        "one number",
        field);
    key.write = [field](const Config& config) {
        const std::vector<std::uint32_t>& block = field(config);
        const auto is_one = [](std::uint32_t nodes) { return nodes == 1; };
        if (std::all_of(block.begin(), block.end(), is_one)) return std::string();
        return block.size() == 1 ? std::to_string(block.front())
                                 : fmt::format("[{}]", fmt::join(block, ", "));
    };
    return std::move(key).only_for(families_with(kConcentration)).shows_default("1");
}

/// A list of integers for all dimensions, or a list of such lists.
ConfigKey offsets_key() {
    const auto field = at(&Config::fabric, &FabricConfig::topology, &TopologyConfig::offsets);
    constexpr IntegerRange kRange{2, kMaxNodes - 1};
    ConfigKey key;
    key.path = "fabric.topology.offsets";
    key.type = "list of integers, or list of such lists";
    key.range = kRange.str() + " each";
    key.meaning =
        "lengths of the links beyond those to neighbours, ascending, less than the side: a link "
        "joins any two routers of a line that are so far apart; one list for all dimensions, "
        "[2, 4], or one for each, [[], [2, 4]]; empty: a mesh";
    key.read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        const auto is_list = [](const ConfigTree& entry) { return entry.is_sequence(); };
        const bool has_lists = value.is_sequence() && !value.children.empty() &&
                               std::all_of(value.children.begin(), value.children.end(), is_list);
        const std::vector<ConfigTree> lists = has_lists ? value.children : std::vector{value};
        field(config).clear();
        for (const ConfigTree& list : lists) {
            auto& offsets = field(config).emplace_back();
            for (const std::uint64_t offset :
                 read_integers(list, context, kRange, {0, kMaxNodes})) {
                offsets.push_back(static_cast<std::uint32_t>(offset));
            }
        }
    };
    key.write = [=](const Config& config) {
        Names lists;
        for (const auto& list : field(config)) {
            lists.push_back(fmt::format("[{}]", fmt::join(list, ", ")));
        }
        return lists.size() == 1 ? lists.front() : fmt::format("[{}]", fmt::join(lists, ", "));
    };
    return std::move(key).only_for(families_with("offsets")).required();
}

constexpr IntegerRange kRouters{0, kMaxNodes - 1};

std::vector<ExtraNode> read_extra_nodes(const ConfigTree& value, const ReadContext& context) {
    std::vector<ExtraNode> nodes;
    if (!value.is_map()) {
        for (const std::uint64_t router : read_integers(value, context, kRouters, {0, kMaxNodes})) {
            nodes.push_back({"", static_cast<std::uint32_t>(router)});
        }
        return nodes;
    }
    for (const ConfigTree& child : value.children) {
        const ReadContext entry{context.name + '.' + child.key, context.folder, context.findings};
        if (is_digits(child.key)) {
            context.findings.push_back({child.key_where,
                                        fmt::format("a node with the name '{}'", child.key),
                                        "numbers are node numbers: write a name, {mem0: 0}"});
        } else if (const auto router = read_integer(child, entry, kRouters, "router")) {
            nodes.push_back({child.key, static_cast<std::uint32_t>(*router)});
        }
    }
    return nodes;
}

ConfigKey extra_nodes_key() {
    const auto field = at(&Config::fabric, &FabricConfig::topology, &TopologyConfig::extra_nodes);
    ConfigKey key;
    key.path = "fabric.topology.extra_nodes";
    key.type = "list of integers, or map of names to integers";
    key.range = kRouters.str() + " each";
    key.meaning =
        "routers with a node more, such as a memory controller: [0, 3], or {mem0: 0, mem1: 3}; "
        "these nodes have the numbers after the others, in this order";
    key.read = [field](const ConfigTree& value, Config& config, const ReadContext& context) {
        field(config) = read_extra_nodes(value, context);
    };
    key.write = [field](const Config& config) {
        Names entries;
        bool has_names = false;
        for (const ExtraNode& node : field(config)) {
            has_names = !node.name.empty();
            entries.push_back(has_names ? fmt::format("{}: {}", yaml_scalar(node.name), node.router)
                                        : std::to_string(node.router));
        }
        if (entries.empty()) return std::string();
        const std::string list = fmt::format("{}", fmt::join(entries, ", "));
        return has_names ? '{' + list + '}' : '[' + list + ']';
    };
    return key;
}

template <class Member>
auto link_delay(Member member) {
    return at(&Config::fabric, &FabricConfig::link_delay, member);
}

ConfigKey link_delay_cycles() {
    return integer("fabric.link_delay.cycles", {1, kLongestDelay}, "cycles", "delay of every wire",
                   link_delay(&LinkDelayConfig::cycles))
        .only_for(link_model(LinkDelayModel::kConstant));
}

/// The side of a square tile, its width and height, or the word for deriving it from the area of
/// the router.
ConfigKey pitch_key() {
    constexpr const char* kDerived = "area";
    ConfigKey key = real(
        "fabric.link_delay.pitch_mm", {0.001, 1000}, "mm",
        "distance between adjacent nodes, the side of the square tile of a node; a list of two: "
        "its width and height; `area`: the side of a tile that holds `node_mm2` and the "
        "synthesized router, or the node's share of all routers",
        link_delay(&LinkDelayConfig::pitch_mm));
    key.type = "number, list of two numbers or `area`";
    key.read = [number = key.read](const ConfigTree& value, Config& config,
                                   const ReadContext& context) {
        LinkDelayConfig& wires = config.fabric.link_delay;
        wires.row_pitch_mm = 0;
        wires.pitch_is_derived = value.is_scalar() && value.text == kDerived;
        if (wires.pitch_is_derived) return;
        if (!value.is_sequence()) return number(value, config, context);
        if (value.children.size() != 2) {
            return mistyped(value, context, "a number, or a list of two: [width, height]");
        }
        number(value.children[1], config, context);
        const double height = wires.pitch_mm;
        number(value.children[0], config, context);
        wires.row_pitch_mm = height;
    };
    key.write = [number = key.write](const Config& config) -> std::string {
        const LinkDelayConfig& wires = config.fabric.link_delay;
        if (wires.pitch_is_derived) return kDerived;
        if (wires.has_square_tiles()) return number(config);
        return fmt::format("[{}, {}]", wires.pitch_mm, wires.row_pitch_mm);
    };
    return std::move(key).only_for(link_model(LinkDelayModel::kPhysical)).required();
}

}  // namespace

ConfigKeys topology_keys() {
    ConfigKeys keys;
    const auto in = [](auto member) {
        return [=](auto& config) -> auto& { return config.fabric.topology.*member; };
    };
    Names kinds;
    for (const TopologyFamily& family : topology_families()) kinds.push_back(family.name);
    keys.push_back(choice("fabric.topology.kind", "topology kind", kinds, "family of the network",
                          in(&TopologyConfig::kind))
                       .knows(names_of_families())
                       .required());
    keys.push_back(
        integers("fabric.topology.dims", {1, kMaxNodes}, {1, kMostDims},
                 fmt::format(
                     "routers per dimension; the last dimension varies fastest; at most {} nodes "
                     "in all",
                     kMaxNodes),
                 in(&TopologyConfig::dims))
            .only_for(families_with("dims"))
            .required());
    keys.push_back(flag("fabric.topology.folded",
                        "folded layout of the rings, with wires of at most two node pitches, "
                        "instead of one wraparound wire across the whole side",
                        in(&TopologyConfig::folded))
                       .only_for(families_with("folded")));
    keys.push_back(integer("fabric.topology.dimensions", {0, 16}, "", "2^dimensions routers",
                           in(&TopologyConfig::dimensions))
                       .only_for(families_with("dimensions"))
                       .required());
    keys.push_back(integer_or_list("fabric.topology.window", {1, kMaxNodes - 1}, {1, kMostDims},
                                   "reach of a router's links to either side, in routers, less "
                                   "than the side; one value for all dimensions or one for each",
                                   in(&TopologyConfig::windows))
                       .only_for(families_with("window"))
                       .required());
    keys.push_back(offsets_key());
    keys.push_back(integer("fabric.topology.segment", {2, kMaxNodes - 1}, "node pitches",
                           "distance from one terminal of express links to the next, less than the "
                           "sides; in a hierarchy, the factor from level to level",
                           in(&TopologyConfig::segment))
                       .only_for(families_with("segment"))
                       .required());
    keys.push_back(enumeration("fabric.topology.layout", "layout", kExpressLayouts,
                               "placement of the express links: in every line; in one line out of "
                               "every `segment`; the same, but shifted to keep the degree at 5; "
                               "the same with terminals of two routers of degree 5; or in levels",
                               in(&TopologyConfig::layout))
                       .only_for(families_with("layout")));
    keys.push_back(integer("fabric.topology.levels", {1, 15}, "",
                           "levels of express links: segment, segment^2, ... long",
                           in(&TopologyConfig::levels))
                       .only_for(hierarchies()));
    keys.push_back(concentration_key());
    keys.push_back(extra_nodes_key());
    for (const TopologyFamily& family : topology_families()) {
        for (const TopologyParameter& parameter : family.parameters) {
            keys.push_back(integer("fabric.topology." + parameter.name,
                                   {parameter.least, parameter.most}, "", parameter.meaning,
                                   ParameterField{parameter.name})
                               .only_for(families_with(parameter.name))
                               .required());
        }
    }
    keys.push_back(path_key("fabric.topology.file",
                            "graph file; relative to the folder of the configuration file",
                            in(&TopologyConfig::file))
                       .only_for(families_with("file"))
                       .required());
    return keys;
}

ConfigKeys link_delay_keys() {
    ConfigKeys keys;
    keys.push_back(
        enumeration("fabric.link_delay.model", "link delay model", kLinkDelayModels,
                    "delay model of wires: the same delay for every wire, ceil(length / reach), or "
                    "ceil(length x pitch_mm x ns_per_mm / clock_ns)",
                    link_delay(&LinkDelayConfig::model)));
    keys.push_back(link_delay_cycles());
    keys.push_back(integer("fabric.link_delay.reach", {1, kMaxNodes}, "node pitches",
                           "wire length that a flit travels in a cycle",
                           link_delay(&LinkDelayConfig::reach))
                       .only_for(link_model(LinkDelayModel::kLinear)));
    keys.push_back(pitch_key());
    keys.push_back(real("fabric.link_delay.node_mm2", {0, 1e5}, "mm2",
                        "area of the node, the part of a tile that is not router",
                        link_delay(&LinkDelayConfig::node_mm2))
                       .only_for(derived_pitch())
                       .required());
    keys.push_back(real("fabric.link_delay.ns_per_mm", {0.001, 1000}, "ns/mm",
                        "delay of a wire with repeaters; the default holds for global wires at "
                        "0.18 um (models/topology/README.md)",
                        link_delay(&LinkDelayConfig::ns_per_mm))
                       .only_for(link_model(LinkDelayModel::kPhysical)));
    keys.push_back(real("fabric.link_delay.pf_per_mm", {0, 1000}, "pF/mm",
                        "capacitance of a wire, for the energy of runs; the default holds for "
                        "global wires at 0.18 um (models/topology/README.md)",
                        link_delay(&LinkDelayConfig::pf_per_mm))
                       .only_for(link_model(LinkDelayModel::kPhysical)));
    return keys;
}

ConfigSection link_delay_section() {
    ConfigSection section;
    section.path = "fabric.link_delay";
    section.instead = "an integer: the delay of every wire in cycles";
    section.meaning = "delay of the wires: the model and its parameters";
    section.scalar_key = "cycles";
    section.read_scalar = link_delay_cycles().read;
    return section;
}

namespace {

/// Nodes of the grid are called by their numbers; empty if no extra node has a name.
std::vector<std::string> names_of_extra_nodes(const TopologyConfig& topology) {
    const auto& extras = topology.extra_nodes;
    const bool has_names = std::any_of(extras.begin(), extras.end(),
                                       [](const ExtraNode& node) { return !node.name.empty(); });
    const std::optional<TopologySize> size = topology_size(topology);
    if (!has_names || !size || size->nodes < extras.size()) return {};
    std::vector<std::string> names;
    for (NodeId node = 0; node < size->nodes - extras.size(); ++node) {
        names.push_back(std::to_string(node));
    }
    append_names(extras, names);
    return names;
}

}  // namespace

std::vector<std::string> given_node_names(const Config& config) {
    const TopologyConfig& topology = config.fabric.topology;
    const TopologyFamily* const family = find_topology_family(topology.kind);
    if (family == nullptr) return {};
    if (family->load == nullptr) return names_of_extra_nodes(topology);
    Graph graph = family->load(config);
    attach_nodes(graph, config);
    return graph.places().is_one_each() ? graph.node_and_switch_names() : graph.given_node_names();
}

void check_topology(RuleContext& context) {
    if (!context.is_sound("fabric.topology")) return;
    std::vector<Diagnostic> found = topology_findings(context.config);
    if (found.empty()) {
        const TopologySize size =
            topology_size(context.config.fabric.topology).value_or(TopologySize{});
        context.nodes = size.nodes;
        context.routers = size.routers;
        context.dimensions = size.dimensions;
    }
    for (Diagnostic& finding : found) context.report(std::move(finding));
}

}  // namespace flitscope
