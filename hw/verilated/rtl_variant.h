// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which parameters a SystemVerilog router is built with. Each set is a separate verilated class,
// instantiated once per router that has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/config/router_choice.h"
#include "models/routing/routing.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::hw {

/// The way in which the router finds the output port of a head flit; the values are those of the
/// parameter Routing of hw/rtl/router.sv.
enum class RtlRouting : std::uint8_t {
    kMesh = 0,       ///< dimension order by comparing coordinates, sides that are powers of two
    kHypercube = 1,  ///< e-cube: the lowest differing bit
    kTable = 2,      ///< a table with one entry per destination, any topology
    kPins = 3,       ///< looked up beside the router, any topology
};

struct RtlVariant {
    std::string module = RtlModule::kOwn;  ///< top module
    PortId ports = 1;                      ///< the local ports included
    std::uint32_t virtual_channels = 1;
    std::uint32_t depth = 1;  ///< flits per virtual channel
    /// Payload bits of a flit, and those of the header beside it; head and tail mark come on top.
    std::uint32_t flit_bits = 64;
    std::uint32_t router_delay = 1;  ///< cycles from the input pins to the first decision
    RtlRouting routing = RtlRouting::kMesh;
    std::uint32_t table_entries = 0;   ///< kTable: a power of two; otherwise 0
    bool hold = false;                 ///< switch arbitration; only with several virtual channels
    bool combined = false;             ///< allocation
    std::uint32_t input_speedup = 1;   ///< inputs of the switch per port
    std::uint32_t output_speedup = 1;  ///< outputs of the switch per port
    std::uint32_t output_queue = 1;    ///< flits of the queue behind these; 1 if it is one output
    std::uint32_t classes = 1;         ///< of messages
    /// Per class its rank, in bits 15 to 12, and its weight; empty if all are served alike.
    std::vector<std::uint16_t> class_policy;
    bool slow_links = false;  ///< outputs wait for links of rates below 1
    /// The module has valid and ready, and an adapter gives it the pins of ours. Its allocation is
    /// not specified.
    bool valid_ready = false;
    /// valid_ready: no FIFO on the way of a flit that the module takes at once.
    bool direct = false;
    /// Turns::hex() of the turns that it is built with; empty: all of them. Simulated routers
    /// always have all: unused ports and turns change no cycle.
    std::string turns;

    /// "router_p5_v1_d8_w64_r1_mesh", "router_p2_v4_d8_w64_r1_table4_hold_combined",
    /// "router_p5_v1_d8_w64_r1_mesh_slow" with slow links (which have no switch that is held),
    /// "router_p5_v4_d8_w64_r1_mesh_x2" with two inputs of the switch per port,
    /// "router_p5_v4_d8_w64_r1_mesh_o2q8" with two outputs per port and queues of 8 flits,
    /// "router_p5_v4_d8_w64_r1_mesh_c2" with two classes of messages, "..._c2_k10010003" where one
    /// goes before the other, or has weights: four hexadecimal digits of each, the last class
    /// first, "valid_ready_router_p5_v1_d8_w64_r1_mesh_valid_ready", "..._valid_ready_direct": the
    /// name of the library that holds the verilated class; hw/verilated/Routers.cmake reads the
    /// parameters from it. With turns "_t" and the hexadecimal digits follow.
    std::string name() const;
    /// Whether it is another module than our router, with the same pins.
    bool is_foreign() const { return module != RtlModule::kOwn; }
};

/// The names that RtlVariant::name() gives without turns, the top module first, as a regular
/// expression that C++ and CMake, which knows nine groups, read alike: Routers.cmake takes it from
/// here.
inline constexpr const char* kRtlVariantName =
    "([A-Za-z_][A-Za-z0-9_]*)_p([0-9]+)_v([0-9]+)_d([0-9]+)_w([0-9]+)_r([0-9]+)_(mesh|hypercube|"
    "table[0-9]+|pins)(_hold|_combined|_hold_combined|_valid_ready|_valid_ready_direct|_slow|"
    "_combined_slow)?([_cxoqk0-9a-f]*)";

/// Value of the parameter Routing of hw/rtl/router.sv: that of the routing, and
/// router_pkg::SlowLinks on top with slow links.
inline std::uint32_t rtl_routing_parameter(const RtlVariant& variant) {
    constexpr std::uint32_t kSlowLinks = 4;
    return static_cast<std::uint32_t>(variant.routing) + (variant.slow_links ? kSlowLinks : 0);
}

/// Value of the parameter Classes of hw/rtl/router.sv, as a number of Verilog.
std::string rtl_classes_parameter(const RtlVariant& variant);

/// "0:3,1:1", per class rank and weight; empty if all are served alike.
std::string class_policy_text(const RtlVariant& variant);

/// The variant of that name, or nothing if the name is not one of a variant.
std::optional<RtlVariant> parse_rtl_variant(const std::string& text);

/// The variant that the routers of a machine need: routes are computed in logic if that agrees with
/// `routing` on this graph, and looked up in a table otherwise, such as whenever a router does not
/// have exactly one node. A table names the local port of its node like any other port, so variants
/// do not depend on how many ports are local.
RtlVariant rtl_variant(const HardwareConfig& config, const Graph& graph, const Routing& routing);

/// Value of the pins node_i of a router: the first of its nodes, or its own number if it has none.
NodeId rtl_number(const Graph& graph, RouterId router);

/// Values of the pins fields_i of its routers, fastest-varying dimension first: for
/// RtlRouting::kMesh the number of bits of each coordinate in a node number; otherwise empty.
std::vector<std::uint16_t> rtl_fields(const RtlVariant& variant, const Graph& graph);

}  // namespace flitscope::hw
