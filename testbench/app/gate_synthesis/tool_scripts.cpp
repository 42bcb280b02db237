// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/tool_scripts.h"

#include <fmt/format.h>

#include "testbench/app/gate_synthesis/wire_load.h"

namespace flitscope {
namespace {

constexpr double kInputSlewNs = 0.1;
constexpr double kOutputLoadPf = 0.02;  // about two gate inputs

// A period that no circuit of this kind meets. So abc makes each as fast as it can; with a target
// that is met it would stop there, and the minimum period would say more about the target.
constexpr int kAbcTargetPs = 1000;

/// Restructure for depth, map, buffer large fanouts, then size the gates along the critical paths
/// up and all others down. Without buffers and sizing, large fanouts make it 4 times as slow.
/// dch -x and not -f: as good, and a seventh of the time on 200,000 nodes. yosys requires commas
/// instead of blanks.
std::string abc_script() {
    return fmt::format(
        "+strash;ifraig;dc2;strash;if,-g,-K,6;strash;dch,-x;map,-B,0.9,-D,{0};topo;"
        "buffer,-c,-N,16;upsize,-D,{0};dnsize,-D,{0};stime,-p",
        kAbcTargetPs);
}

std::string parameters(const hw::RtlVariant& variant) {
    std::string text = fmt::format(
        "-chparam Ports {} -chparam VirtualChannels {} -chparam Depth {} -chparam FlitBits {} "
        "-chparam RouterDelay {} -chparam Routing {}",
        variant.ports, variant.virtual_channels, variant.depth, variant.flit_bits,
        variant.router_delay, hw::rtl_routing_parameter(variant));
    // Without a table the default is kept: a module may not accept a table without entries.
    if (variant.table_entries != 0) {
        text += fmt::format(" -chparam TableEntries {}", variant.table_entries);
    }
    if (variant.hold) text += " -chparam Hold 1'b1";
    if (variant.combined) text += " -chparam Combined 1'b1";
    if (variant.input_speedup != 1) {
        text += fmt::format(" -chparam InputSpeedup {}", variant.input_speedup);
    }
    if (variant.output_speedup != 1) {
        text += fmt::format(" -chparam OutputSpeedup {} -chparam OutputQueue {}",
                            variant.output_speedup, variant.output_queue);
    }
    if (variant.classes != 1) text += " -chparam Classes " + hw::rtl_classes_parameter(variant);
    if (!variant.turns.empty()) {
        text += fmt::format(" -chparam Turns {}'h{}", variant.ports * variant.ports, variant.turns);
    }
    return text;
}

/// What `synth -noabc -nofsm -flatten` does, with clock gates where registers are still words.
/// A gate is shared by all registers with the same enable.
std::string synth_with_gates(const std::string& name, const ClockGateCell& gate) {
    return fmt::format(R"(synth -noabc -nofsm -flatten -top {name} -run begin:fine
memory_map
opt -undriven -fine
techmap -map {map}
opt -undriven -fine
opt_merge -share_all t:{cell}
opt_clean
synth -noabc -nofsm -run fine:
)",
                       fmt::arg("name", name), fmt::arg("map", kClockGateMap),
                       fmt::arg("cell", gate.name));
}

/// RTL to a flat netlist of library cells that is called `name`, and a count of them.
std::string map_to_cells(const std::string& module, const std::string& parameters,
                         const std::string& name, const std::vector<RtlSource>& sources,
                         const MappedCells& cells) {
    std::string files;
    for (const RtlSource& source : sources) files += fmt::format(" {}/{}", kRtlFolder, source.name);
    std::string script;
    const auto line = [&script](const std::string& text) { script += text + '\n'; };
    // -defer: no module is elaborated with parameters that are not used.
    line("read_verilog -sv -defer" + files);
    if (cells.clock_gate) {
        line("read_verilog -lib <<END\n" + clock_gate_declaration(*cells.clock_gate) + "END");
    }
    line(fmt::format("hierarchy -check -top {} {}", module, parameters));
    line("rename -top " + name);
    // abc runs once, below; nothing may recode registers that look like a state machine.
    if (cells.clock_gate) {
        script += synth_with_gates(name, *cells.clock_gate);
    } else {
        line("synth -noabc -nofsm -flatten -top " + name);
    }
    if (register_map_of(cells.library).empty()) {
        line(fmt::format("dfflibmap -liberty {}", kLibertyLink));
    } else {
        line("dfflegalize -cell $_DFF_P_ 01");
        line(fmt::format("techmap -map {}", kRegisterMap));
    }
    line(fmt::format("abc -exe ./{} -liberty {} -D {} -constr {} -script {}", kAbcLink,
                     kLibertyLink, kAbcTargetPs, kAbcConstraints, abc_script()));
    // Bit by bit, so that what is constant goes: OpenSTA does not read an assignment of constants
    // to several nets.
    line("splitnets");
    line("opt_clean -purge");
    line(fmt::format("tee -o {} stat -liberty {}", kCellReport, kLibertyLink));
    line(fmt::format("write_verilog -noattr -noexpr -nohex -simple-lhs {}", kNetlist));
    return script;
}

}  // namespace

std::string yosys_script(const hw::RtlVariant& variant, const std::vector<RtlSource>& sources,
                         const MappedCells& cells) {
    return map_to_cells(variant.module, parameters(variant), variant.name(), sources, cells);
}

std::string link_script(const LinkVariant& variant, const std::vector<RtlSource>& sources,
                        const MappedCells& cells) {
    const bool is_slow = variant.rate_cycles > 1;
    const std::string cycles =
        is_slow ? fmt::format(" -chparam Cycles {}", variant.rate_cycles) : std::string();
    return map_to_cells(
        is_slow ? "slow_link" : "link",
        fmt::format("-chparam VirtualChannels {} -chparam FlitBits {} -chparam Delay {}{}",
                    variant.virtual_channels, variant.flit_bits, variant.delay, cycles),
        variant.name(), sources, cells);
}

std::string register_map_of(const CellLibrary& library) {
    const RegisterCell& cell = library.registers.at(library.register_cell);
    return cell.is_known_to_yosys ? std::string() : register_map(cell);
}

std::string abc_constraints(const CellLibrary& library) {
    constexpr double kFemto = 1000;  // abc counts in fF
    return fmt::format("set_driving_cell {}\nset_load {} [all_outputs]\n", library.driving_cell,
                       kOutputLoadPf * kFemto);
}

std::string sta_setting(const CellLibrary& library) {
    std::string setting;
    // OpenSTA uses the units of the library by default.
    if (!library.is_in_ns_and_pf) setting += "set_cmd_units -time ns -capacitance pF -power W\n";
    if (!library.corner.empty()) {
        setting += fmt::format("set_operating_conditions {}\n", library.corner);
    }
    return setting;
}

double output_load_pf() { return kOutputLoadPf; }

std::string sta_script(const hw::RtlVariant& variant, const CellLibrary& library,
                       const SynthesisConditions& conditions, double period_ns) {
    // One power report per session: a second one of OpenSTA 2.0 starts from the activities of the
    // first, and is wrong.
    //
    // Reset is over, and the address of a router does not change; were reset to toggle like data,
    // all registers would be in reset half of the time.
    const char* const constants = variant.routing == hw::RtlRouting::kPins
                                      ? "node_i* fields_i* table_write_i table_address_i*"
                                      : "node_i* fields_i* table_*";
    return fmt::format(R"(read_liberty {liberty}
{setting}{read_wires}read_verilog {netlist}
link_design {top}
{set_wires}create_clock -name clk -period {period} [get_ports clk_i]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
set_input_transition {slew} [all_inputs]
set_load {load} [all_outputs]
report_worst_slack -digits 4
report_checks -path_delay max -format full -digits 3
set_power_activity -input -activity {activity}
set_power_activity -input_ports [get_ports rst_ni] -activity 0 -duty 1
set constant [get_ports -quiet {{{constants}}}]
if {{[llength $constant] > 0}} {{ set_power_activity -input_ports $constant -activity 0 }}
report_power -digits 6
)",
                       fmt::arg("liberty", kLibertyLink), fmt::arg("setting", sta_setting(library)),
                       fmt::arg("read_wires", read_wires(library, conditions.wires, kWireLibrary)),
                       fmt::arg("set_wires", set_wires(library, conditions.wires)),
                       fmt::arg("netlist", kNetlist), fmt::arg("top", variant.name()),
                       fmt::arg("constants", constants), fmt::arg("period", period_ns),
                       fmt::arg("slew", kInputSlewNs), fmt::arg("load", kOutputLoadPf),
                       fmt::arg("activity", conditions.input_activity));
}

}  // namespace flitscope
