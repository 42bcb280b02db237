// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Binds the checkers of this folder: for verilator and commercial simulators. Icarus Verilog 11 has no
// `bind`; there a checker is an instance like any other.

`ifndef SYNTHESIS
bind router router_pins_checker #(
    .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(Depth), .FlitBits(FlitBits)
) i_pins_checker (.*);
`endif
