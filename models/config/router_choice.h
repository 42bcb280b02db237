// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys `fabric.router` and `fabric.router_overrides`: which router each node has.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

/// fabric.router: which description of the router a node has.
enum class RouterKind : std::uint8_t { kSystemC, kRtl };

/// fabric.router.protocol: the protocol by which an external RTL router receives and sends flits
/// (hw/rtl/README.md).
enum class RtlProtocol : std::uint8_t {
    kFlit,        ///< as ours does: virtual channels, credits
    kValidReady,  ///< with valid and ready, through valid_ready_adapter.sv
};

/// fabric.router.routes: how an external RTL router with valid and ready finds the output of a
/// packet (hw/rtl/README.md).
enum class RtlRoutes : std::uint8_t {
    kCoordinates,  ///< by comparing coordinates: on a mesh, in dimension order
    kTable,        ///< by a table that is written before the run: on any network
};

/// fabric.router_parameters: a value that follows from the place of the router.
enum class RouterPlace : std::uint8_t {
    kNode,  ///< the number of its node
    kX,     ///< its position in the fastest-varying dimension,
    kY,     ///< in the next one
    kZ,     ///< and in the one after that
};

/// The values of each, in the order of the enumeration; the default comes first.
inline constexpr std::array kRouterKinds{RouterKind::kSystemC, RouterKind::kRtl};
inline constexpr std::array kRtlProtocols{RtlProtocol::kFlit, RtlProtocol::kValidReady};
inline constexpr std::array kRtlRoutes{RtlRoutes::kCoordinates, RtlRoutes::kTable};
inline constexpr std::array kRouterPlaces{RouterPlace::kNode, RouterPlace::kX, RouterPlace::kY,
                                          RouterPlace::kZ};

/// The word that configurations and reports have for a value.
std::string name_of(RouterKind router);
std::string name_of(RtlProtocol protocol);
std::string name_of(RtlRoutes routes);
std::string name_of(RouterPlace place);

/// A router in SystemVerilog, flitscope's or the user's own (hw/rtl/README.md).
struct RtlModule {
    static constexpr const char* kOwn = "router";

    std::string top = kOwn;  ///< name of the top module
    /// Its files in the order in which they are compiled, resolved against the config's folder;
    /// empty if flitscope has the module, or its library is already there.
    std::vector<std::string> sources;
    RtlProtocol protocol = RtlProtocol::kFlit;
    /// Folders in which included files are looked for, resolved likewise.
    std::vector<std::string> include{};
    /// Names and values of macros; a value may be empty.
    std::vector<std::pair<std::string, std::string>> defines{};
    RtlRoutes routes = RtlRoutes::kCoordinates;  ///< kValidReady

    bool is_own() const { return top == kOwn; }
};
inline bool operator==(const RtlModule& a, const RtlModule& b) {
    return a.top == b.top && a.sources == b.sources && a.include == b.include &&
           a.defines == b.defines && a.protocol == b.protocol && a.routes == b.routes;
}

/// The router at a node: one of flitscope's descriptions, or another module.
struct RouterChoice {
    RouterKind kind = RouterKind::kSystemC;
    RtlModule module;  ///< kRtl

    RouterChoice() = default;
    // Either one is a choice: `router = RouterKind::kRtl`, `router = RtlModule{"mine"}`.
    RouterChoice(RouterKind chosen) : kind(chosen) {}
    RouterChoice(RtlModule chosen) : kind(RouterKind::kRtl), module(std::move(chosen)) {}

    bool is_rtl() const { return kind == RouterKind::kRtl; }
};

/// Nodes whose router is another one than the rest of the fabric has.
struct RouterOverride {
    std::vector<NodeId> nodes;
    RouterChoice router;
    std::vector<std::string> routers{};  ///< numbers or names
};

}  // namespace flitscope
