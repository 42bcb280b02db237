// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/clock_gate_cell.h"

#include <fmt/format.h>

namespace flitscope {
namespace {

/// A gate is as large as two multiplexers, but a leaf of the clock tree more. Narrower registers of
/// a router, the marks of fronts, are single bits.
constexpr int kFewestBits = 4;

/// "latch_posedge", "latch_posedge_precontrol_obs": what follows says how tests open it and what
/// they see of it.
bool has_latch_for_rising_edge(const std::string& type) {
    static const std::string kType = "latch_posedge";
    return type == kType || type.rfind(kType + '_', 0) == 0;
}

}  // namespace

std::optional<ClockGateCell> clock_gate_cell(const LibertyGroup& cell) {
    if (!has_latch_for_rising_edge(cell.attribute("clock_gating_integrated_cell"))) {
        return std::nullopt;
    }
    ClockGateCell gate;
    gate.name = cell.argument;
    for (const LibertyGroup& pin : cell.groups) {
        if (pin.name != "pin") continue;
        const auto is = [&pin](const char* role) { return pin.attribute(role) == "true"; };
        if (is("clock_gate_clock_pin")) {
            gate.clock = pin.argument;
        } else if (is("clock_gate_enable_pin")) {
            gate.enable = pin.argument;
        } else if (is("clock_gate_out_pin")) {
            gate.output = pin.argument;
        } else if (is("clock_gate_test_pin")) {
            gate.tied.emplace_back(pin.argument, false);
        } else if (pin.attribute("direction") == "input") {
            return std::nullopt;
        }
    }
    if (gate.clock.empty() || gate.enable.empty() || gate.output.empty()) return std::nullopt;
    return gate;
}

std::string clock_gate_declaration(const ClockGateCell& cell) {
    std::string pins = fmt::format("input \\{} , input \\{} ", cell.clock, cell.enable);
    for (const auto& [pin, value] : cell.tied) pins += fmt::format(", input \\{} ", pin);
    return fmt::format("module \\{} ({}, output \\{} );\nendmodule\n", cell.name, pins,
                       cell.output);
}

std::string clock_gate_map(const ClockGateCell& cell) {
    std::string ties;
    for (const auto& [pin, value] : cell.tied) ties += fmt::format(", .\\{} (1'b{:d})", pin, value);
    return fmt::format(R"((* techmap_celltype = "$dffe" *)
module gated_register (CLK, EN, D, Q);
  parameter WIDTH = 0;
  parameter CLK_POLARITY = 1;
  parameter EN_POLARITY = 1;
  input CLK, EN;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire _TECHMAP_FAIL_ = WIDTH < {fewest} || !CLK_POLARITY;
  wire clock;
  \{name} gate (.\{clock} (CLK), .\{enable} (EN_POLARITY ? EN : ~EN), .\{output} (clock){ties});
  \$dff #(.WIDTH(WIDTH), .CLK_POLARITY(1'b1)) register (.CLK(clock), .D(D), .Q(Q));
endmodule
)",
                       fmt::arg("fewest", kFewestBits), fmt::arg("name", cell.name),
                       fmt::arg("clock", cell.clock), fmt::arg("enable", cell.enable),
                       fmt::arg("output", cell.output), fmt::arg("ties", ties));
}

}  // namespace flitscope
