// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/axi_ports.h"

#include <set>

#include "models/config/config.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"

namespace flitscope {
namespace {

/// "[7:0] ", "[IdBits-1:0] "; empty for one bit.
std::string range_of(const std::string& width) {
    if (width == "1") return {};
    const bool is_number = width.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? fmt::format("[{}:0] ", std::stoul(width) - 1)
                     : fmt::format("[{}-1:0] ", width);
}

}  // namespace

std::string AxiPin::channel() const { return std::string(name).substr(0, name[0] == 'a' ? 2 : 1); }

bool AxiPin::is_handshake() const {
    const std::string rest = name + channel().size();
    return rest == "valid" || rest == "ready";
}

std::string AxiPin::bridge_name() const { return channel() + '_' + (name + channel().size()); }

const std::vector<AxiPin>& axi_pins() {
    static const std::vector<AxiPin> pins = {
        {"awid", true, "IdBits", true},
        {"awaddr", true, "AddressBits"},
        {"awlen", true, "8", false, true},
        {"awsize", true, "3", false, true},
        {"awburst", true, "2", false, true},
        {"awcache", true, "4", false, true},
        {"awprot", true, "3", false, true},
        {"awvalid", true},
        {"awready", false},
        {"wdata", true, "64"},
        {"wstrb", true, "8"},
        {"wlast", true},
        {"wvalid", true},
        {"wready", false},
        {"bid", false, "IdBits", true},
        {"bresp", false, "2"},
        {"bvalid", false},
        {"bready", true},
        {"arid", true, "IdBits", true},
        {"araddr", true, "AddressBits"},
        {"arlen", true, "8", false, true},
        {"arsize", true, "3", false, true},
        {"arburst", true, "2", false, true},
        {"arcache", true, "4", false, true},
        {"arprot", true, "3", false, true},
        {"arvalid", true},
        {"arready", false},
        {"rid", false, "IdBits", true},
        {"rdata", false, "64"},
        {"rresp", false, "2"},
        {"rlast", false},
        {"rvalid", false},
        {"rready", true},
    };
    return pins;
}

std::string AxiPort::prefix(const Graph& graph) const {
    return graph.node_name("node", node) + (is_manager ? "_s_axi_" : "_m_axi_");
}

std::vector<AxiPort> axi_ports(const InterconnectConfig& map) {
    std::vector<AxiPort> ports;
    for (const NodeId node : map.initiators) ports.push_back({node, true});
    std::set<NodeId> seen;
    for (const InterconnectTarget& target : map.targets) {
        if (seen.insert(target.node).second) ports.push_back({target.node, false});
    }
    return ports;
}

std::uint64_t last_address(const InterconnectTarget& target) {
    return target.base + (target.size - 1);
}

std::uint32_t axi_address_bits(const InterconnectConfig& map) {
    std::uint32_t bits = 32;
    for (const InterconnectTarget& target : map.targets) {
        while (bits < 64 && last_address(target) >> bits != 0) ++bits;
    }
    return bits;
}

std::string axi_module_head(const char* what, const Machine& machine, const char* module) {
    return fmt::format(
        "// {} of {}, written by flitscope export.\n\nmodule {} #(\n"
        "    localparam int AddressBits = {},\n    localparam int IdBits = {}\n) (\n"
        "    input  logic clk_i,\n    input  logic rst_ni,\n    output logic ready_o",
        what, machine.graph.description(), module, axi_address_bits(*machine.config.interconnect),
        kAxiIdBits);
}

std::string axi_declaration(const AxiPort& port, const AxiPin& pin, const std::string& name,
                            const std::string& width) {
    return fmt::format(",\n    {} logic {}{}", port.is_input(pin) ? "input " : "output",
                       range_of(width), name + port.suffix(pin));
}

}  // namespace flitscope
