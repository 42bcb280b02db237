// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which routers of a machine are verilated, and the shared library that they come from. The build
// makes one library per variant; it is loaded when a configuration asks for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/verilated/rtl_model.h"
#include "hw/verilated/rtl_variant.h"

namespace flitscope {
class Graph;
struct Config;
struct FabricConfig;
struct WorkloadConfig;
}  // namespace flitscope

namespace flitscope::hw {

class RtlRouters {
public:
    /// Throws ConfigError when `fabric.router_overrides` or `waveform.rtl_nodes` name a node that
    /// does not exist (or whose router is not RTL), and when the library is missing or does not
    /// fit: which ones there are, and how to build it. `graph` and `routing` must outlive the
    /// routers. Libraries are those of the folder `libraries`; empty: rtl_library_folder().
    RtlRouters(const Config& config, const Graph& graph, const Routing& routing,
               const std::filesystem::path& libraries = {});

    /// Number of routers that are RTL; if it is 0 no library is loaded.
    std::uint32_t count() const { return count_; }
    bool is_rtl(RouterId router) const { return is_rtl_[router]; }
    /// Whether the inner signals of the router are to be traced (waveform.rtl_nodes).
    bool is_traced(RouterId router) const { return is_traced_[router]; }
    const RtlVariant& variant() const { return variant_; }
    /// The library of a router that is RTL.
    const RtlLibraryEntry& entry(RouterId router) const { return *entries_[router]; }

    /// The router, out of reset and knowing its place in the network. `rate_cycles`: as in
    /// RouterConfig.
    std::unique_ptr<RtlModel> create(RouterId router, bool traced,
                                     const std::vector<std::uint32_t>& rate_cycles) const;

    /// Says what is wrong by the routing if the router sends the packet with this header word out
    /// of `port` on virtual channel `vc`; empty if nothing is.
    std::string wrong_turn(RouterId router, std::uint64_t header, PortId port,
                           std::uint32_t vc) const;

private:
    RouterId require_router(const Config& config, const char* key, NodeId node) const;
    void require_router(const Config& config, const std::string& text) const;
    void load_libraries(const Config& config, const std::filesystem::path& folder);

    std::vector<bool> is_rtl_;
    std::vector<bool> is_traced_;
    std::uint32_t count_ = 0;
    RtlVariant variant_;
    std::vector<const RtlLibraryEntry*> entries_;  // per router; null: it is not RTL
    const Graph& graph_;
    const Routing& routing_;
    std::vector<std::uint16_t> fields_;  // RtlRouting::kMesh: bits of each coordinate
};

/// Per router, whether it is to be RTL, whether or not that is possible: the last entry of
/// `fabric.router_overrides` that names it, or one of its nodes, decides.
std::vector<bool> routers_to_be_rtl(const Config& config, const Graph& graph);
/// Number of such routers of a machine.
std::uint32_t rtl_router_count(const Config& config, const Graph& graph);

/// Makes the library of a variant that is not in the usual folder or has its own sources, and
/// returns its file. May throw ConfigError.
using RtlLibraryMaker =
    std::function<std::filesystem::path(const RtlVariant& variant, const WorkloadConfig& config)>;

/// The sources of a router that the user supplies: the listed ones in order, then, sorted, the
/// other Verilog and SystemVerilog files of their folders, in which unlisted modules and included
/// files are looked for.
std::vector<std::filesystem::path> own_rtl_sources(const FabricConfig& fabric);
/// What flitscope_add_router() of CMake is told of it besides its name: " SOURCES [==[FILE]==]",
/// with paths as the configuration has them.
std::string router_arguments(const FabricConfig& fabric);

/// Has libraries made by `maker` from now on, unless the environment or the options of the fabric
/// name a folder. Call before anything is simulated.
void set_rtl_library_maker(RtlLibraryMaker maker);

/// The folder with the libraries: $FLITSCOPE_RTL_LIBRARIES, else verilated_routers_place().
std::filesystem::path rtl_library_folder();

/// The names of the variants in a folder, sorted.
std::vector<std::string> built_rtl_variants(
    const std::filesystem::path& folder = rtl_library_folder());

}  // namespace flitscope::hw
