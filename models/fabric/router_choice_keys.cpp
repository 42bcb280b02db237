// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/router_choice_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/limits.h"
#include "models/config/config.h"
#include "models/config/entry_reader.h"
#include "models/config/fabric_config.h"
#include "models/config/key_kinds.h"
#include "models/config/node_keys.h"
#include "models/config/router_choice.h"
#include "models/fabric/rtl_file_list.h"

namespace flitscope {
namespace {

using namespace kinds;

/// A file that verilator reads by itself, which headers are not.
std::optional<std::string> read_source(const ConfigTree& value, const ReadContext& context) {
    auto file = read_path(value, context);
    if (!file) return std::nullopt;
    const std::string suffix = std::filesystem::path(*file).extension().string();
    if (suffix == ".sv" || suffix == ".v" || suffix == ".f") return file;
    mistyped(value, context, "the name of a .sv or .v file, or of a list of them, .f");
    return std::nullopt;
}

/// Reads the entries of a list of names, of what `like` is an example.
template <class ReadEntry>
void read_list(const ConfigTree& list, const ReadContext& context, const char* what,
               const char* like, const ReadEntry& read_entry) {
    if (!list.is_sequence()) {
        mistyped(list, context, fmt::format("a list of {}", what), fmt::format("write {}", like));
        return;
    }
    if (list.children.empty()) {
        context.findings.push_back({list.where, fmt::format("'{}' is empty", context.name),
                                    fmt::format("write {}", like)});
    }
    for (std::size_t i = 0; i < list.children.size(); ++i) {
        const ReadContext entry{fmt::format("{}[{}]", context.name, i), context.folder,
                                context.findings};
        read_entry(list.children[i], entry);
    }
}

void read_sources(const ConfigTree& list, const ReadContext& context, RtlModule& module) {
    read_list(list, context, "files", "[my_router.sv]",
              [&](const ConfigTree& child, const ReadContext& inner) {
                  const auto file = read_source(child, inner);
                  if (!file) return;
                  if (std::filesystem::path(*file).extension() == ".f") {
                      read_file_list(*file, child.where, inner.findings, module);
                  } else {
                      module.sources.push_back(*file);
                  }
              });
}

/// Macros of the preprocessor: names with numbers or words, or with nothing.
void read_defines(const ConfigTree& map, const ReadContext& context, RtlModule& module) {
    if (!map.is_map()) {
        mistyped(map, context, "a map of macros", "write {NAME: 4}");
        return;
    }
    for (const ConfigTree& child : map.children) {
        const std::string value = child.is_null() ? "" : child.text;
        const ReadContext inner{context.name + '.' + child.key, context.folder, context.findings};
        const bool is_plain = child.is_scalar() || child.is_null();
        if (!is_plain || !is_identifier(child.key) || !is_macro_value(value)) {
            mistyped(child, inner, "a macro", "write NAME: 4, NAME: word or NAME:");
            continue;
        }
        module.defines.emplace_back(child.key, value);
    }
}

std::optional<RouterChoice> read_module(const ConfigTree& map, const ReadContext& context) {
    const EntryReader read(map, context,
                           {"top", "sources", "include", "defines", "protocol", "routes"});
    RtlModule module;
    read("top", "name of the top module", [&](const ConfigTree& child, const ReadContext& inner) {
        const auto name = read_identifier(child, inner);
        if (!name) return;
        module.top = *name;
        if (!module.is_own()) return;
        inner.findings.push_back(
            {child.where,
             fmt::format("'{}' is the router of flitscope, which has sources and protocol",
                         RtlModule::kOwn),
             fmt::format("write {}: {}, or the name of your module", context.name,
                         name_of(RouterKind::kRtl))});
    });
    read.optional("sources", [&](const ConfigTree& child, const ReadContext& inner) {
        read_sources(child, inner, module);
    });
    read.optional("include", [&](const ConfigTree& child, const ReadContext& inner) {
        read_list(child, inner, "folders", "[include]",
                  [&](const ConfigTree& entry, const ReadContext& of_entry) {
                      const auto folder = read_path(entry, of_entry);
                      if (folder) module.include.push_back(*folder);
                  });
    });
    read.optional("defines", [&](const ConfigTree& child, const ReadContext& inner) {
        read_defines(child, inner, module);
    });
    read.optional("protocol", [&](const ConfigTree& child, const ReadContext& inner) {
        module.protocol =
            read_enumeration(child, inner, "protocol", kRtlProtocols).value_or(module.protocol);
    });
    read.optional("routes", [&](const ConfigTree& child, const ReadContext& inner) {
        module.routes =
            read_enumeration(child, inner, "routes", kRtlRoutes).value_or(module.routes);
        if (module.protocol == RtlProtocol::kValidReady) return;
        inner.findings.push_back(
            {child.where, "a router with the pins of ours is told by parameters how to route",
             fmt::format("remove 'routes', or set protocol: {}",
                         name_of(RtlProtocol::kValidReady))});
    });
    if (!read.is_sound()) return std::nullopt;
    return RouterChoice(std::move(module));
}

std::optional<RouterChoice> read_router(const ConfigTree& value, const ReadContext& context) {
    if (value.is_map()) return read_module(value, context);
    const auto kind = read_enumeration(value, context, "router", kRouterKinds);
    if (!kind) return std::nullopt;
    return RouterChoice(*kind);
}

std::string written_router(const RouterChoice& router) {
    const RtlModule& module = router.module;
    if (!router.is_rtl() || module.is_own()) return name_of(router.kind);
    std::string text = "{top: " + yaml_scalar(module.top);
    const auto add_paths = [&text](const char* key, const std::vector<std::string>& paths) {
        if (paths.empty()) return;
        Names written;
        for (const std::string& path : paths) written.push_back(written_path(path));
        text += fmt::format(", {}: [{}]", key, fmt::join(written, ", "));
    };
    add_paths("sources", module.sources);
    add_paths("include", module.include);
    if (!module.defines.empty()) {
        Names macros;
        for (const auto& [name, value] : module.defines) {
            macros.push_back(name + ": " + (value.empty() ? "" : yaml_scalar(value)));
        }
        text += fmt::format(", defines: {{{}}}", fmt::join(macros, ", "));
    }
    if (module.routes != kRtlRoutes.front()) text += ", routes: " + name_of(module.routes);
    return fmt::format("{}, protocol: {}}}", text, name_of(module.protocol));
}

const char* const kRouterType =
    "enum, or map of `top` (name), `sources` (list of file names), `include` (list of folders), "
    "`defines` (map of names and values), `protocol` (word) and `routes` (word)";
std::string router_range() {
    return fmt::format("{}; protocol: {}; routes: {}", fmt::join(names_of(kRouterKinds), ", "),
                       fmt::join(names_of(kRtlProtocols), ", "),
                       fmt::join(names_of(kRtlRoutes), ", "));
}

ConfigKey router_key() {
    ConfigKey key;
    key.path = "fabric.router";
    key.type = kRouterType;
    key.range = router_range();
    key.meaning =
        "implementation of the routers: the built-in router in SystemC or in RTL; or your own RTL, "
        "given by its top module and its sources in compilation order, with the pins of the "
        "built-in router (`flit`, the default), or with valid and ready at every port, which "
        "compares coordinates, on a mesh, or has a routing table (hw/rtl/README.md)";
    key.read = [](const ConfigTree& value, Config& config, const ReadContext& context) {
        if (auto router = read_router(value, context)) config.fabric.router = std::move(*router);
    };
    key.write = [](const Config& config) { return written_router(config.fabric.router); };
    return key;
}

std::optional<RouterOverride> read_router_override(const ConfigTree& value,
                                                   const ReadContext& context,
                                                   std::vector<NamedNode>& named,
                                                   const SetNode& set) {
    constexpr IntegerRange kCount{1, kMaxNodes};
    if (!value.is_map()) {
        mistyped(value, context, "a map of nodes and router", "write {nodes: [5], router: rtl}");
        return std::nullopt;
    }
    const EntryReader read(value, context, {"nodes", "routers", "router"});
    RouterOverride result;
    read.optional("routers", [&](const ConfigTree& child, const ReadContext& inner) {
        result.routers = read_names(child, inner);
    });
    if (value.find("nodes") != nullptr || value.find("routers") == nullptr) {
        read("nodes",
             fmt::format("numbers of the nodes that have this router: {} each; or routers: [...]",
                         kNodeNumbers.str()),
             [&](const ConfigTree& child, const ReadContext& inner) {
                 result.nodes = read_nodes(child, inner, kCount, named, set);
             });
    }
    read("router",
         fmt::format("router of these nodes: {}", fmt::join(names_of(kRouterKinds), ", ")),
         [&](const ConfigTree& child, const ReadContext& inner) {
             if (auto router = read_router(child, inner)) result.router = std::move(*router);
         });
    if (!read.is_sound()) return std::nullopt;
    return result;
}

template <class Field>
ConfigKey router_overrides(std::string path, std::string meaning, Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        if (!value.is_sequence()) {
            mistyped(value, context, "a list of maps", "write [{nodes: [5], router: rtl}]");
            return;
        }
        field(config).clear();
        for (std::size_t i = 0; i < value.children.size(); ++i) {
            const ReadContext inner{fmt::format("{}[{}]", context.name, i), context.folder,
                                    context.findings};
            const auto set = [=, at = field(config).size()](Config& in, std::size_t index,
                                                            NodeId node) {
                auto& entries = field(in);
                if (at >= entries.size() || index >= entries[at].nodes.size()) return;
                entries[at].nodes[index] = node;
            };
            const auto entry =
                read_router_override(value.children[i], inner, config.named_nodes, set);
            if (entry) field(config).push_back(*entry);
        }
    };
    const auto write = [=](const Config& config) {
        Names entries;
        for (const RouterOverride& entry : field(config)) {
            std::string places;
            if (!entry.nodes.empty() || entry.routers.empty()) {
                places += fmt::format("nodes: [{}], ", fmt::join(entry.nodes, ", "));
            }
            if (!entry.routers.empty()) {
                places += fmt::format("routers: {}, ", written_names(entry.routers));
            }
            entries.push_back(
                fmt::format("{{{}router: {}}}", places, written_router(entry.router)));
        }
        return fmt::format("[{}]", fmt::join(entries, ", "));
    };
    return {
        std::move(path),
        "list of maps, each of `nodes` (list of integers or names), `routers` (list of names), "
        "or both, and `router` (as `fabric.router`)",
        fmt::format("nodes: at least one, 0 to {} each; routers: numbers or names", kMaxNodes - 1),
        "",
        std::move(meaning),
        read,
        write};
}

/// The condition of the key of parameters.
Condition with_own_router() {
    return {"a router of your own", [](const Config& config) -> std::string {
                return config.fabric.rtl_module().is_own() ? "routers of flitscope" : "";
            }};
}

constexpr const char* kParameters = "fabric.router_parameters";

/// Parameters that flitscope sets, by what the configuration says elsewhere.
const Names& given_parameters(RtlProtocol protocol) {
    static const Names kFlit = {"Ports",   "VirtualChannels", "Depth", "FlitBits", "RouterDelay",
                                "Routing", "TableEntries",    "Hold",  "Combined"};
    static const Names kValidReady = {"Ports", "DataBits", "VirtualChannels"};
    return protocol == RtlProtocol::kFlit ? kFlit : kValidReady;
}

std::optional<std::int64_t> parameter_of(const ConfigTree& value) {
    const char* const end = value.text.data() + value.text.size();
    std::int64_t number = 0;
    const auto [read, error] = std::from_chars(value.text.data(), end, number);
    if (!value.is_scalar() || value.quoted || error != std::errc() || read != end) return {};
    return number;
}

std::optional<RouterPlace> place_of(const ConfigTree& value) {
    if (!value.is_scalar()) return std::nullopt;
    for (const RouterPlace place : kRouterPlaces) {
        if (value.text == name_of(place)) return place;
    }
    return std::nullopt;
}

void read_parameters(const ConfigTree& map, Config& config, const ReadContext& context) {
    if (!map.is_map()) {
        mistyped(map, context, "a map of parameters", "write {InFifoDepth: 4}");
        return;
    }
    for (const ConfigTree& child : map.children) {
        const ReadContext inner{context.name + '.' + child.key, context.folder, context.findings};
        const auto number = parameter_of(child);
        const auto place = place_of(child);
        if ((!number && !place) || !is_identifier(child.key)) {
            mistyped(child, inner, "a parameter with an integer, or with the place of the router",
                     fmt::format("write InFifoDepth: 4, or one of {}",
                                 fmt::join(names_of(kRouterPlaces), ", ")));
        } else if (number) {
            config.fabric.router_parameters[child.key] = *number;
        } else {
            config.fabric.router_places[child.key] = *place;
        }
    }
}

std::string written_parameters(const Config& config) {
    Names written;
    for (const auto& [name, number] : config.fabric.router_parameters) {
        written.push_back(fmt::format("{}: {}", name, number));
    }
    for (const auto& [name, place] : config.fabric.router_places) {
        written.push_back(fmt::format("{}: {}", name, name_of(place)));
    }
    return fmt::format("{{{}}}", fmt::join(written, ", "));
}

/// Only a router whose sources are there can be built with parameters, and others than flitscope
/// sets.
void check_router_parameters(RuleContext& context) {
    const FabricConfig& fabric = context.config.fabric;
    Names names;
    for (const auto& [name, number] : fabric.router_parameters) names.push_back(name);
    for (const auto& [name, place] : fabric.router_places) names.push_back(name);
    if (names.empty()) return;
    const Location where = context.config.where(kParameters);
    if (fabric.rtl_module().sources.empty()) {
        context.report({where, "parameters are for a router that is built from its sources",
                        "name them: fabric.router: {top: my_router, sources: [my_router.sv]}"});
    }
    for (const std::string& name : names) {
        const Names& given = given_parameters(fabric.rtl_module().protocol);
        if (std::find(given.begin(), given.end(), name) == given.end()) continue;
        context.report(
            {where, fmt::format("'{}' is a parameter that flitscope sets from other keys", name),
             "leave it out (hw/rtl/README.md, \"The pin protocol\")"});
    }
}

}  // namespace

ConfigKeys router_choice_keys() {
    ConfigKeys keys;
    keys.push_back(router_key());
    keys.push_back(router_overrides(
        "fabric.router_overrides",
        "routers that differ from the rest, those of nodes or by their own numbers, for example "
        "`[{nodes: [5, 9], router: rtl}]`; if several entries name a router, the last one applies; "
        "all RTL routers of a fabric are of one kind",
        at(&Config::fabric, &FabricConfig::router_overrides)));
    ConfigKey parameters{kParameters,
                         "map of names to integers or words",
                         fmt::format("words: {}", fmt::join(names_of(kRouterPlaces), ", ")),
                         "",
                         "parameters of your own RTL router besides those that all have, for "
                         "example `{InFifoDepth: 4}`; as an axis of a study every value is another "
                         "router; with a word the parameter is the number of the router's node, or "
                         "a coordinate of it (hw/rtl/README.md)",
                         read_parameters,
                         written_parameters};
    keys.push_back(std::move(parameters).only_for(with_own_router()));
    return keys;
}

void check_routers(RuleContext& context) {
    check_router_parameters(context);
    const FabricConfig& fabric = context.config.fabric;
    const RtlModule& first = fabric.rtl_module();
    for (const RouterOverride& entry : fabric.router_overrides) {
        if (!entry.router.is_rtl() || entry.router.module == first) continue;
        const std::string path = "fabric.router_overrides";
        context.report({context.config.where(path),
                        fmt::format("'{}' asks for the RTL routers {} and {}, and a fabric has RTL "
                                    "routers of one kind",
                                    path, written_router(first), written_router(entry.router)),
                        "make the others systemc"});
        return;
    }
}

}  // namespace flitscope
