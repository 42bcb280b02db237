// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/verilated/rtl_routers.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include "hw/common/flit.h"
#include "hw/verilated/rtl_limitations.h"
#include "models/base/diagnostics.h"
#include "models/base/environment.h"
#include "models/base/input_file.h"
#include "models/base/node_finder.h"
#include "models/config/config.h"
#include "models/places/places.h"
#include "models/topology/graph.h"

namespace flitscope::hw {
namespace {

/// The libraries that differ least come first: those of the same module, ports and routing.
std::string libraries_like(const RtlVariant& variant, const std::filesystem::path& folder) {
    constexpr std::size_t kShown = 8;
    std::vector<std::string> names = built_rtl_variants(folder);
    if (names.empty()) return "no variant is built";
    const std::string wanted = variant.name();
    const auto common = [&wanted](const std::string& name) {
        const auto differ = std::mismatch(name.begin(), name.end(), wanted.begin(), wanted.end());
        return differ.first - name.begin();
    };
    std::stable_sort(names.begin(), names.end(),
                     [&common](const auto& a, const auto& b) { return common(a) > common(b); });
    const std::size_t more = names.size() - std::min(names.size(), kShown);
    names.resize(names.size() - more);
    return fmt::format("there are {}{}", fmt::join(names, ", "),
                       more == 0 ? "" : fmt::format(" and {} more", more));
}

/// Describes where a port leads.
std::string behind(const Graph& graph, RouterId router, PortId port) {
    if (graph.is_local(port)) {
        const NodeId node = graph.node_at(router, port);
        if (node == kNoNode) return "no node";
        return graph.local_ports() == 1 ? "to its own node" : fmt::format("to its node {}", node);
    }
    const LinkId link = graph.out_link(router, port);
    if (link == kNoLink) return "no link";
    return fmt::format("to {} {}", graph.places().router_word(), graph.link(link).to);
}

/// The environment may name it.
std::string named_library_folder() { return environment("FLITSCOPE_RTL_LIBRARIES"); }

RtlLibraryMaker& library_maker() {
    static RtlLibraryMaker maker;
    return maker;
}

/// A program verilates by itself, except for a folder that is named; a library leaves it to others.
std::string how_to_verilate(const std::string& variant) {
    if (library_maker()) {
        return "leave the environment variable FLITSCOPE_RTL_LIBRARIES empty, and it is verilated "
               "when it is asked for";
    }
    return "verilate it with flitscope_add_router(" + variant +
           ") of the CMake package flitscope, and name its folder in NetworkOptions::rtl_libraries";
}

/// Whether libraries are made that are missing in the folder, which may be named.
bool makes_libraries(const std::filesystem::path& named) {
    return library_maker() && named.empty() && named_library_folder().empty();
}

/// Finds the library: in the folder that was named, or in the usual one, or made just now.
std::filesystem::path find_library(const RtlVariant& variant, const Config& config,
                                   const std::filesystem::path& named) {
    const bool may_make = makes_libraries(named);
    // A name says nothing about a source that is not ours.
    if (may_make && !config.fabric.rtl_module().sources.empty())
        return library_maker()(variant, config);
    const std::filesystem::path folder = named.empty() ? rtl_library_folder() : named;
    std::filesystem::path path = folder / (variant.name() + ".so");
    // Without a folder the dynamic linker would search for the name by itself.
    std::error_code unknown;
    if (!folder.empty() && std::filesystem::exists(path, unknown)) return path;
    if (may_make) return library_maker()(variant, config);
    throw ConfigError(config.where(config.fabric.rtl_key()),
                      fmt::format("the router {} is not built: {}", variant.name(),
                                  libraries_like(variant, folder)),
                      how_to_verilate(variant.name()));
}

void require_sources(const Config& config) {
    for (const std::string& source : config.fabric.rtl_module().sources) {
        note_input(source);
        std::error_code unknown;
        if (std::filesystem::is_regular_file(source, unknown)) continue;
        const Location where = config.where(config.fabric.rtl_key());
        throw ConfigError(where, fmt::format("there is no file {}", source),
                          looked_for(source, where));
    }
    for (const std::string& folder : config.fabric.rtl_module().include) {
        std::error_code unknown;
        if (std::filesystem::is_directory(folder, unknown)) continue;
        const Location where = config.where(config.fabric.rtl_key());
        throw ConfigError(where, fmt::format("there is no folder {}", folder),
                          looked_for(folder, where));
    }
}

const RtlLibraryEntry* load(const RtlVariant& variant, const Config& config,
                            const std::filesystem::path& folder) {
    const Location where = config.where(config.fabric.rtl_key());
    const std::filesystem::path path = find_library(variant, config, folder);
    const auto refuse = [&](const std::string& what) {
        throw ConfigError(where, what, "remove it, and " + how_to_verilate(variant.name()));
    };
    // Never unloaded: its code is in use until the process ends.
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) refuse(fmt::format("cannot load {}: {}", path.string(), dlerror()));
    const auto* const entry =
        static_cast<const RtlLibraryEntry*>(dlsym(library, RtlLibraryEntry::kSymbol));
    const bool fits =
        entry != nullptr && entry->version == RtlLibraryEntry::kVersion &&
        entry->ports == variant.ports && entry->virtual_channels == variant.virtual_channels &&
        entry->depth == variant.depth && entry->router_delay == variant.router_delay &&
        entry->hold == variant.hold && entry->combined == variant.combined &&
        entry->input_speedup == variant.input_speedup &&
        entry->output_speedup == variant.output_speedup &&
        entry->output_queue == variant.output_queue &&
        entry->classes == rtl_classes_parameter(variant) && entry->slow_links == variant.slow_links;
    if (!fits) {
        refuse(fmt::format("{} is not the library of {}", path.string(), variant.name()));
    }
    return entry;
}

/// Throws ConfigError if libraries cannot be made on demand, or not one for each of so many
/// routers.
void require_separate_libraries(const Config& config, const std::filesystem::path& named,
                                std::uint32_t routers) {
    constexpr std::uint32_t kMost = 64;
    const Location where = config.where("fabric.router_parameters");
    if (!makes_libraries(named)) {
        throw ConfigError(
            where,
            "a router that has its place as a parameter is verilated once per place, "
            "which only the program does, on demand",
            "leave the environment variable FLITSCOPE_RTL_LIBRARIES empty, and run it "
            "with flitscope, or give the router pins (hw/rtl/README.md)");
    }
    if (routers <= kMost) return;
    throw ConfigError(
        where,
        fmt::format("a router that has its place as a parameter is verilated once per "
                    "place, for at most {} routers, not {}",
                    kMost, routers),
        "give it pins for its place (hw/rtl/README.md), or make the network smaller");
}

/// The value of a parameter that says where a router is.
std::int64_t value_of(RouterPlace place, const Config& config, const Graph& graph,
                      RouterId router) {
    if (place == RouterPlace::kNode) return rtl_number(graph, router);
    const auto behind = static_cast<std::size_t>(place) - static_cast<std::size_t>(RouterPlace::kX);
    if (behind >= graph.dims().size()) {
        throw ConfigError(config.where("fabric.router_parameters"),
                          fmt::format("routers of {} have {} coordinates, and no '{}'",
                                      graph.description(), graph.dims().size(), name_of(place)),
                          fmt::format("use {}", name_of(RouterPlace::kNode)));
    }
    return graph.coordinate(router, graph.dims().size() - 1 - behind);
}

/// The configuration with the parameters of one router.
Config config_at(const Config& config, const Graph& graph, RouterId router) {
    Config at = config;
    for (const auto& [name, place] : config.fabric.router_places) {
        at.fabric.router_parameters[name] = value_of(place, config, graph, router);
    }
    return at;
}

std::uint32_t count_of(const std::vector<bool>& flags) {
    return static_cast<std::uint32_t>(std::count(flags.begin(), flags.end(), true));
}

}  // namespace

RtlRouters::RtlRouters(const Config& config, const Graph& graph, const Routing& routing,
                       const std::filesystem::path& libraries)
    : is_rtl_(routers_to_be_rtl(config, graph)),
      is_traced_(graph.router_count()),
      variant_(rtl_variant(config, graph, routing)),
      graph_(graph),
      routing_(routing) {
    for (const RouterOverride& some : config.fabric.router_overrides) {
        for (const NodeId node : some.nodes) {
            require_router(config, "fabric.router_overrides", node);
        }
        for (const std::string& text : some.routers) require_router(config, text);
    }
    count_ = count_of(is_rtl_);
    for (const NodeId node : config.trace.rtl_nodes) {
        const RouterId router = require_router(config, "waveform.rtl_nodes", node);
        is_traced_[router] = true;
        if (!is_rtl_[router]) {
            throw ConfigError(config.where("waveform.rtl_nodes"),
                              fmt::format("the router of node {} is not RTL", node),
                              fmt::format("make it so: fabric.router_overrides: [{{nodes: [{}], "
                                          "router: rtl}}]",
                                          node));
        }
    }
    if (count_ == 0) return;
    require_sources(config);
    if (const auto refusal = verilated_refusal(config, graph, routing)) {
        throw ConfigError({refusal->diagnostic(config, {kInsteadOfRtl})});
    }
    fields_ = rtl_fields(variant_, graph);
    load_libraries(config, libraries);
}

/// One library for all, or one for each if parameters say where a router is.
void RtlRouters::load_libraries(const Config& config, const std::filesystem::path& folder) {
    entries_.resize(graph_.router_count());
    const bool are_alike = config.fabric.router_places.empty();
    if (!are_alike) require_separate_libraries(config, folder, count_);
    const RtlLibraryEntry* const shared = are_alike ? load(variant_, config, folder) : nullptr;
    for (RouterId router; router < graph_.router_count(); ++router) {
        if (!is_rtl_[router]) continue;
        entries_[router] =
            are_alike ? shared : load(variant_, config_at(config, graph_, router), folder);
    }
}

RouterId RtlRouters::require_router(const Config& config, const char* key, NodeId node) const {
    if (const auto router = graph_.places().router_numbered(node)) return *router;
    throw ConfigError(config.where(key), fmt::format("there is no node {}", node),
                      fmt::format("nodes are 0 to {}", graph_.places().numbers() - 1));
}

void RtlRouters::require_router(const Config& config, const std::string& text) const {
    const NodeFinder finder(graph_.given_names());
    if (finder.find(text, graph_.router_count())) return;
    throw ConfigError(
        config.where("fabric.router_overrides"), fmt::format("there is no router '{}'", text),
        finder.remedy(text, fmt::format("routers are 0 to {}", graph_.router_count() - 1)));
}

std::unique_ptr<RtlModel> RtlRouters::create(RouterId router, bool traced,
                                             const std::vector<std::uint32_t>& rate_cycles) const {
    if (!rate_cycles.empty() && !variant_.slow_links) {
        throw std::logic_error("RtlRouters: a slow link at a router without slow links");
    }
    RtlLibraryEntry::Setup setup;
    setup.router = router;
    setup.node = rtl_number(graph_, router);
    setup.destinations = graph_.node_count();
    setup.routing = &routing_;
    setup.fields = fields_.data();
    setup.field_count = static_cast<std::uint32_t>(fields_.size());
    setup.rate_cycles = rate_cycles.empty() ? nullptr : rate_cycles.data();
    setup.traced = traced;
    return entries_[router]->create(setup);
}

std::string RtlRouters::wrong_turn(RouterId router, std::uint64_t header, PortId port,
                                   std::uint32_t vc) const {
    const Header packet = Header::unpack(header);
    const std::string sent =
        fmt::format("sent packet {} of node {} for node {} out of port {} ({})", packet.sequence,
                    packet.source, packet.destination, port, behind(graph_, router, port));
    if (packet.destination >= graph_.node_count()) return sent + ", and there is no such node";
    const RouteChoice wanted = routing_.route(router, packet.destination);
    if (port != wanted.port) {
        return fmt::format("{}; {} takes port {} ({})", sent, routing_.name(), wanted.port,
                           behind(graph_, router, wanted.port));
    }
    if ((wanted.virtual_channels >> vc & 1) != 0) return {};
    return fmt::format("{} on virtual channel {}, which {} does not allow there", sent, vc,
                       routing_.name());
}

std::vector<bool> routers_to_be_rtl(const Config& config, const Graph& graph) {
    std::vector<bool> all(graph.router_count(), config.fabric.router.is_rtl());
    const NodeFinder finder(graph.given_names());
    for (const RouterOverride& some : config.fabric.router_overrides) {
        for (const NodeId node : some.nodes) {
            if (const auto router = graph.places().router_numbered(node)) {
                all[*router] = some.router.is_rtl();
            }
        }
        for (const std::string& text : some.routers) {
            if (const auto router = finder.find(text, graph.router_count())) {
                all[*router] = some.router.is_rtl();
            }
        }
    }
    return all;
}

std::uint32_t rtl_router_count(const Config& config, const Graph& graph) {
    if (!config.fabric.has_rtl_routers()) return 0;
    return count_of(routers_to_be_rtl(config, graph));
}

std::vector<std::filesystem::path> own_rtl_sources(const FabricConfig& fabric) {
    static const std::vector<std::string> kSuffixes = {".sv", ".svh", ".v", ".vh"};
    std::vector<std::filesystem::path> files;
    std::set<std::filesystem::path> seen;
    std::set<std::filesystem::path> others;
    std::vector<std::filesystem::path> folders(fabric.rtl_module().include.begin(),
                                               fabric.rtl_module().include.end());
    for (const std::string& source : fabric.rtl_module().sources) {
        const std::filesystem::path path(source);
        if (seen.insert(path).second) files.push_back(path);
        folders.push_back(path.parent_path());
    }
    for (const std::filesystem::path& folder : folders) {
        std::error_code none;
        for (const auto& file : std::filesystem::directory_iterator(folder, none)) {
            const std::string suffix = file.path().extension().string();
            if (file.is_regular_file(none) &&
                std::find(kSuffixes.begin(), kSuffixes.end(), suffix) != kSuffixes.end()) {
                others.insert(file.path());
            }
        }
    }
    for (const std::filesystem::path& path : others) {
        if (seen.count(path) == 0) files.push_back(path);
    }
    return files;
}

std::string router_arguments(const FabricConfig& fabric) {
    std::string text;
    const auto add = [&text](const char* keyword, const std::vector<std::string>& values) {
        if (values.empty()) return;
        text += fmt::format(" {}", keyword);
        for (const std::string& value : values) text += fmt::format(" [==[{}]==]", value);
    };
    std::vector<std::string> defines;
    for (const auto& [name, value] : fabric.rtl_module().defines) {
        defines.push_back(value.empty() ? name : name + '=' + value);
    }
    std::vector<std::string> parameters;
    for (const auto& [name, value] : fabric.router_parameters) {
        parameters.push_back(fmt::format("{}={}", name, value));
    }
    add("SOURCES", fabric.rtl_module().sources);
    add("INCLUDE", fabric.rtl_module().include);
    add("DEFINES", defines);
    add("PARAMETERS", parameters);
    return text;
}

void set_rtl_library_maker(RtlLibraryMaker maker) { library_maker() = std::move(maker); }

std::filesystem::path rtl_library_folder() {
    const std::string named = named_library_folder();
    return named.empty() ? verilated_routers_place() : std::filesystem::path(named);
}

std::vector<std::string> built_rtl_variants(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& file : std::filesystem::directory_iterator(folder, none)) {
        if (file.path().extension() == ".so") names.push_back(file.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace flitscope::hw
