// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of configuration keys, then what is derived from it: look-up, suggestions and the
// reference.
#include "models/config/config_schema.h"

#include "models/config/interconnect_keys.h"
#include "models/config/key_kinds.h"
#include "models/config/machine_presets.h"
#include "models/config/router_keys.h"
#include "models/config/topology_keys.h"
#include "models/config/traffic_keys.h"
#include "models/fabric/port_model.h"
#include "models/fabric/switching.h"
#include "models/routing/routing_factory.h"
#include "models/topology/topologies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace flitscope {

namespace {

using kinds::Names;

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kLargestBytes = std::uint64_t{1} << 32;
constexpr std::uint64_t kLongTime = 1'000'000'000'000'000;  // cycles; sums stay below 2^64
constexpr std::uint64_t kMostDims = 32;
constexpr std::uint64_t kMostEntries = kMaxConfigBytes;
constexpr std::uint64_t kMostWires = 1U << 30;

/// The field of a key as a function of the configuration, const or not.
template <class... Members>
auto at(Members... members) {
    return [=](auto& config) -> auto& { return (config.*....*members); };
}

// ---- When keys apply ----------------------------------------------------------------------------

Condition no_wire_budget() {
    return {"a fabric without `pin_budget` and `bisection_budget`",
            [](const Config& config) -> std::string {
                if (config.fabric.pin_budget != 0) return "'fabric.pin_budget', which sets it";
                if (config.fabric.bisection_budget != 0) {
                    return "'fabric.bisection_budget', which sets it";
                }
                return "";
            }};
}

Condition store_and_forward() {
    return {"switching `store_and_forward`", [](const Config& config) -> std::string {
                if (config.fabric.stores_packets()) return "";
                return "switching '" + name_of(config.fabric.switching) + '\'';
            }};
}

Condition circuit_switching() {
    return {"switching `circuit`", [](const Config& config) -> std::string {
                if (config.fabric.switches_circuits()) return "";
                return "switching '" + name_of(config.fabric.switching) + '\'';
            }};
}

/// What a fabric of circuits has no use for.
Condition packet_switching() {
    return {"switching of packets", [](const Config& config) -> std::string {
                return config.fabric.switches_circuits() ? "switching 'circuit'" : "";
            }};
}

Condition link_model(bool linear) {
    return {linear ? "model `linear`" : "model `constant`",
            [linear](const Config& config) -> std::string {
                if (config.fabric.link_delay.linear == linear) return "";
                return linear ? "link delay model 'constant'" : "link delay model 'linear'";
            }};
}

Condition with_interconnect() {
    return {"a configuration with `interconnect`", [](const Config& config) -> std::string {
                return config.interconnect ? "" : "a configuration without 'interconnect'";
            }};
}

InterconnectConfig& interconnect(Config& config) {
    if (!config.interconnect) config.interconnect.emplace();
    return *config.interconnect;
}

const InterconnectConfig& interconnect(const Config& config) {
    static const InterconnectConfig kDefaults;
    return config.interconnect ? *config.interconnect : kDefaults;
}

// ---- The table ----------------------------------------------------------------------------------

using Keys = std::vector<ConfigKey>;

void add_machine(Keys& keys) {
    Names names;
    for (const MachinePreset& machine : machine_presets()) names.push_back(machine.name);
    keys.push_back(kinds::choice("machine", "machine", names,
                                 "preset: other defaults for the other keys (MACHINES.md), and the "
                                 "networks that the machine was built with",
                                 at(&Config::machine)));
}

void add_fabric(Keys& keys) {
    using namespace kinds;
    const auto in = [](auto... members) { return at(&Config::fabric, members...); };
    const auto link_delay = [=](auto member) { return in(&FabricConfig::link_delay, member); };
    add_topology_keys(keys);
    Names routings{"auto"};
    for (const RoutingKind& routing : routing_kinds()) routings.push_back(routing.name);
    keys.push_back(choice("fabric.routing", "routing", routings,
                          "routing algorithm; `auto` takes the one of the topology",
                          in(&FabricConfig::routing)));
    keys.push_back(enumeration("fabric.router", "router", kRouterKinds,
                               "description of the routers", in(&FabricConfig::router)));
    keys.push_back(router_overrides(
        "fabric.router_overrides",
        "nodes with another router than the rest, for example `[{nodes: [5, 9], router: rtl}]`; of "
        "several entries that name a node the last one counts",
        in(&FabricConfig::router_overrides)));
    keys.push_back(identifier("fabric.rtl_module",
                              "top module of the RTL routers: `router` or one of your own behind "
                              "the same pins (hw/rtl/README.md)",
                              in(&FabricConfig::rtl_module)));
    keys.push_back(integer("fabric.virtual_channels", {1, 8}, "", "virtual channels per channel",
                           in(&FabricConfig::virtual_channels)));
    keys.push_back(
        enumeration("fabric.switch_arbitration", "switch arbitration", kSwitchArbitrations,
                    "who sends where virtual channels compete: they take turns flit by flit, "
                    "or one goes on while it has flits and credits, up to its tail",
                    in(&FabricConfig::switch_arbitration))
            .only_for(packet_switching()));
    keys.push_back(
        enumeration("fabric.switching", "switching method", kSwitchings,
                    "when a router passes a packet on: flit by flit as credits come, where "
                    "there is room for all of it, or once all of it has arrived besides; or "
                    "not at all, where every message has a path of its own",
                    in(&FabricConfig::switching)));
    keys.push_back(integer("fabric.combining_delay", {0, 1'000'000}, "cycles",
                           "from the arrival of a packet's tail in a router to its request for the "
                           "next link",
                           in(&FabricConfig::combining_delay))
                       .only_for(store_and_forward()));
    keys.push_back(integer("fabric.setup_delay", {1, 1'000'000}, "cycles",
                           "of a header, over each link of the path that it sets up",
                           in(&FabricConfig::setup_delay))
                       .only_for(circuit_switching()));
    keys.push_back(integer("fabric.buffer_depth", {1, 65536}, "flits",
                           "flit buffer of each virtual channel", in(&FabricConfig::buffer_depth))
                       .only_for(packet_switching()));
    keys.push_back(integer("fabric.flit_bits", {16, 1024, 8}, "bits",
                           "width of a flit and of every channel", in(&FabricConfig::flit_bits))
                       .only_for(no_wire_budget()));
    keys.push_back(integer("fabric.pin_budget", {0, kMostWires}, "wires",
                           "wires of the node with the most links, per direction, that set "
                           "`flit_bits`: pin_budget / degree, down to a multiple of 8; 0 = none",
                           in(&FabricConfig::pin_budget)));
    keys.push_back(integer("fabric.bisection_budget", {0, kMostWires}, "wires",
                           "wires over the bisection, per direction, that set `flit_bits`: "
                           "bisection_budget / channels over it, down to a multiple of 8; 0 = "
                           "none",
                           in(&FabricConfig::bisection_budget)));
    keys.push_back(integer("fabric.router_delay", {1, 1024}, "cycles",
                           "from a router's output to the next router's decision, without the wire",
                           in(&FabricConfig::router_delay))
                       .only_for(packet_switching()));
    keys.push_back(choice("fabric.link_delay.model", "link delay model", {"constant", "linear"},
                          "the same delay for every wire, or ceil(length / reach)",
                          link_delay(&LinkDelayConfig::linear)));
    keys.push_back(integer("fabric.link_delay.cycles", {1, 1024}, "cycles", "delay of every wire",
                           link_delay(&LinkDelayConfig::cycles))
                       .only_for(link_model(false)));
    keys.push_back(integer("fabric.link_delay.reach", {1, kMaxNodes}, "node pitches",
                           "wire length that a flit travels in a cycle",
                           link_delay(&LinkDelayConfig::reach))
                       .only_for(link_model(true)));
    keys.push_back(flag("fabric.allow_deadlock", "run although the deadlock check found a cycle",
                        in(&FabricConfig::allow_deadlock)));
}

void add_node(Keys& keys) {
    using namespace kinds;
    const auto in = [](auto member) { return at(&Config::node, member); };
    keys.push_back(integer("node.send_startup", {0, 1'000'000'000}, "cycles",
                           "from the begin of a send to its first flit",
                           in(&NodeConfig::send_startup)));
    keys.push_back(flag("node.serial_startup",
                        "whether the startup of a message begins only when the node's message "
                        "before it has been assembled",
                        in(&NodeConfig::serial_startup))
                       .only_for(packet_switching()));
    keys.push_back(integer("node.recv_overhead", {0, 1'000'000'000}, "cycles",
                           "from a delivery to the node's reaction to it",
                           in(&NodeConfig::recv_overhead)));
    keys.push_back(rate("node.injection_rate", "flits/cycle",
                        "rate at which the node's memory feeds its network interface, exact",
                        in(&NodeConfig::injection_rate)));
    keys.push_back(integer("node.packet_bytes", {0, kLargestBytes}, "bytes",
                           "largest payload of a packet; 0 = one packet per message",
                           in(&NodeConfig::packet_bytes)));
    keys.push_back(integer("node.header_flits", {1, 16}, "flits", "header of each packet",
                           in(&NodeConfig::header_flits))
                       .only_for(packet_switching()));
    keys.push_back(
        enumeration("node.port_model", "port model", kPortModels,
                    "channels between a node and its router: one each way (`single`), or one "
                    "each way for every link; then a node sends over one at a time "
                    "(`one_output`), one value over several (`same_value`), or over each by "
                    "itself (`independent`)",
                    in(&NodeConfig::port_model)));
}

void add_interconnect(Keys& keys) {
    using namespace kinds;
    const auto in = [](auto member) {
        return [=](auto& config) -> auto& { return interconnect(config).*member; };
    };
    keys.push_back(integers("interconnect.initiators", {0, kMaxNodes - 1}, {1, kMaxNodes},
                            "node of each initiator; each has a target socket, in this order",
                            in(&InterconnectConfig::initiators))
                       .only_for(with_interconnect())
                       .required());
    keys.push_back(
        interconnect_targets("interconnect.targets",
                             "address map; each target has an initiator socket, in this order, for "
                             "example `[{node: 5, base: 0x0, size: 0x10000}]`",
                             in(&InterconnectConfig::targets))
            .only_for(with_interconnect())
            .required());
    keys.push_back(integer("interconnect.header_bytes", {0, 1024}, "bytes",
                           "what a request and a response carry beside the data",
                           in(&InterconnectConfig::header_bytes))
                       .only_for(with_interconnect()));
    keys.push_back(integer("interconnect.outstanding", {1, 65536}, "",
                           "requests of an initiator that are under way at a time; the next one "
                           "is accepted when one of them has been answered",
                           in(&InterconnectConfig::outstanding))
                       .only_for(with_interconnect()));
    keys.push_back(flag("interconnect.dmi",
                        "pass requests for direct memory access on to the targets; such accesses "
                        "bypass the network",
                        in(&InterconnectConfig::dmi))
                       .only_for(with_interconnect()));
}

void add_rest(Keys& keys) {
    using namespace kinds;
    const auto in = [](auto member) { return at(&Config::trace, member); };
    keys.push_back(texts("trace.links", "5-7 or link_005_007 each", "links to trace",
                         in(&TraceConfig::links)));
    keys.push_back(integers("trace.nodes", {0, kMaxNodes - 1}, {0, kMostEntries},
                            "trace links that start or end at these nodes",
                            in(&TraceConfig::nodes)));
    keys.push_back(integers("trace.dimensions", {0, kMostDims - 1}, {0, kMostEntries},
                            "trace links of these dimensions, indices into `dims`",
                            in(&TraceConfig::dimensions)));
    keys.push_back(integers("trace.rtl_nodes", {0, kMaxNodes - 1}, {0, kMostEntries},
                            "RTL routers whose inner signals are traced as well",
                            in(&TraceConfig::rtl_nodes)));
    keys.push_back(integer("trace.from", {0, kLargest}, "cycle", "begin of the trace",
                           in(&TraceConfig::from)));
    keys.push_back(integer("trace.until", {0, kLargest}, "cycle",
                           "end of the trace, later than its begin", in(&TraceConfig::until))
                       .shows_default("the end of the run"));
    keys.push_back(flag("trace.endpoints", "also trace injection and ejection channels",
                        in(&TraceConfig::endpoints)));
    add_interconnect(keys);
    keys.push_back(integer("limits.max_cycles", {1, kLongTime}, "cycles",
                           "a run that is not done by then stops with exit code 3",
                           at(&Config::limits, &LimitsConfig::max_cycles)));
    keys.push_back(real("clock_ns", {0.001, 1e6}, "ns", "clock period; 1 ps is the finest",
                        at(&Config::clock_ns)));
    keys.push_back(integer("seed", {0, kLargest}, "", "of every random stream", at(&Config::seed)));
}

}  // namespace

ConfigKey&& ConfigKey::only_for(Condition condition) && {
    applies = std::move(condition);
    return std::move(*this);
}

ConfigKey&& ConfigKey::required() && {
    is_required = true;
    return std::move(*this);
}

ConfigKey&& ConfigKey::shows_default(std::string text) && {
    shown_default = std::move(text);
    return std::move(*this);
}

const std::vector<ConfigKey>& config_keys() {
    static const Keys kKeys = [] {
        Keys keys;
        add_machine(keys);
        add_fabric(keys);
        add_node(keys);
        kinds::add_traffic_keys(keys);
        add_rest(keys);
        return keys;
    }();
    return kKeys;
}

const std::vector<ConfigSection>& config_sections() {
    static const std::vector<ConfigSection> kSections = [] {
        ConfigSection link_delay;
        link_delay.path = "fabric.link_delay";
        link_delay.instead = "an integer: the delay of every wire in cycles";
        link_delay.meaning = "delay of the wires: model, cycles, reach";
        link_delay.scalar_key = "cycles";
        link_delay.read_scalar = [](const ConfigTree& value, Config& config,
                                    const ReadContext& context) {
            find_key("fabric.link_delay.cycles")->read(value, config, context);
        };

        ConfigSection barriers;
        barriers.path = "traffic.barrier";
        barriers.instead =
            "true (or {}): a barrier at the machine's cost (ideal: nothing); false: none";
        barriers.meaning = "barrier between steps, ceil(per_doubling * lg(nodes) + fixed) cycles";
        barriers.applies = kinds::step_programs();
        barriers.open = [](Config& config) { kinds::barrier(config); };
        barriers.is_set = [](const Config& config) { return config.traffic.barrier.has_value(); };
        barriers.read_scalar = [](const ConfigTree& value, Config& config,
                                  const ReadContext& context) {
            const auto on = kinds::read_switch(value, context, "true, false or a map");
            if (on && *on) kinds::barrier(config);
        };

        ConfigSection network_of_addresses;
        network_of_addresses.path = "interconnect";
        network_of_addresses.meaning =
            "addresses of the TLM-2.0 component (models/tlm/interconnect/INTERCONNECT.md)";
        network_of_addresses.open = [](Config& config) { config.interconnect.emplace(); };
        network_of_addresses.is_set = [](const Config& config) {
            return config.interconnect.has_value();
        };
        return std::vector<ConfigSection>{link_delay, barriers, network_of_addresses};
    }();
    return kSections;
}

const ConfigKey* find_key(const std::string& path) {
    for (const ConfigKey& key : config_keys()) {
        if (key.path == path) return &key;
    }
    return nullptr;
}

const ConfigSection* find_section(const std::string& path) {
    for (const ConfigSection& section : config_sections()) {
        if (section.path == path) return &section;
    }
    return nullptr;
}

bool is_section(const std::string& path) {
    return std::any_of(config_keys().begin(), config_keys().end(), [&](const ConfigKey& key) {
        return path.empty() || key.path.compare(0, path.size() + 1, path + '.') == 0;
    });
}

std::vector<std::string> names_in(const std::string& path) {
    const std::size_t skip = path.empty() ? 0 : path.size() + 1;
    Names names;
    for (const ConfigKey& key : config_keys()) {
        if (skip > 0 && key.path.compare(0, skip, path + '.') != 0) continue;
        const std::string name = key.path.substr(skip, key.path.find('.', skip) - skip);
        if (names.empty() || names.back() != name) names.push_back(name);
    }
    return names;
}

std::vector<std::string> all_paths() {
    Names paths;
    for (const ConfigKey& key : config_keys()) {
        for (std::size_t dot = key.path.find('.'); dot != key.path.npos;
             dot = key.path.find('.', dot + 1)) {
            const std::string section = key.path.substr(0, dot);
            if (std::find(paths.begin(), paths.end(), section) == paths.end()) {
                paths.push_back(section);
            }
        }
        paths.push_back(key.path);
    }
    return paths;
}

std::string suggest_key(const std::string& path, const std::string& name, bool full) {
    const Names paths = all_paths();
    Names leaves;
    for (const std::string& known : paths) leaves.push_back(leaf_name(known));
    const Names siblings = names_in(path);
    const auto whole = [&](const std::string& leaf) {
        const auto it = std::find(leaves.begin(), leaves.end(), leaf);
        return paths[static_cast<std::size_t>(it - leaves.begin())];
    };
    std::string near;
    if (std::find(leaves.begin(), leaves.end(), name) != leaves.end()) {
        near = whole(name);  // the right key in the wrong section
    } else if (near = nearest(name, siblings); !near.empty()) {
        if (full) near = join_path(path, near);
    } else if (near = nearest(name, leaves); !near.empty()) {
        near = whole(near);
    }
    if (!near.empty()) return "did you mean '" + near + "'?";
    return fmt::format("keys {}: {}", path.empty() ? "here" : "of '" + path + '\'',
                       fmt::join(siblings, ", "));
}

const std::vector<std::string>& traffic_sources() {
    static const Names kSources = {"traffic.schedule", "traffic.pattern", "traffic.program"};
    return kSources;
}

std::string suggest_choice(const std::string& word, const std::vector<std::string>& choices) {
    const std::string near = nearest(word, choices);
    const std::string list = fmt::format("choices: {}", fmt::join(choices, ", "));
    return near.empty() ? list : "did you mean '" + near + "'? " + list;
}

std::string join_path(const std::string& section, const std::string& name) {
    return section.empty() ? name : section + '.' + name;
}

std::string parent_path(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string leaf_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::string config_reference() {
    std::string text =
        "| Key | Type | Default | Range | Unit | Meaning |\n"
        "|---|---|---|---|---|---|\n";
    const auto add_row = [&](const std::string& path, const std::string& type,
                             const std::string& standard, const std::string& range,
                             const std::string& unit, std::string meaning,
                             const Condition& applies) {
        if (!applies.when.empty()) meaning += "; only for " + applies.when;
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", path, type, standard, range,
                            unit, meaning);
    };
    const Config defaults;
    std::string section_path;
    for (const ConfigKey& key : config_keys()) {
        const ConfigSection* section = find_section(parent_path(key.path));
        if (section != nullptr && section->path != section_path) {
            section_path = section->path;
            add_row(section->path, section->read_scalar ? "map, or see range" : "map",
                    section->is_set ? "none" : "", section->instead, "", section->meaning,
                    section->applies);
        }
        std::string standard = key.shown_default.empty() ? key.write(defaults) : key.shown_default;
        if (key.is_required) standard = "required";
        if (standard.empty()) standard = "none";
        add_row(key.path, key.type, standard, key.range, key.unit, key.meaning,
                section != nullptr && key.applies.when.empty() ? section->applies : key.applies);
    }
    return text;
}

}  // namespace flitscope
