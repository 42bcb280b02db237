// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/energy/power_analysis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>

#include "testbench/app/gate_synthesis/tool_scripts.h"
#include "testbench/app/gate_synthesis/wire_load.h"

namespace flitscope {
namespace {

constexpr const char* kTop = "flitscope_power";
constexpr const char* kClock = "clk_i";
constexpr std::uint32_t kNothing = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kSeveral = kNothing - 1;

/// Adds `other` to what is known: the result is nothing, one thing, or kSeveral.
std::uint32_t joined(std::uint32_t known, std::uint32_t other) {
    if (known == kNothing || known == other) return other;
    return other == kNothing ? known : kSeveral;
}

/// The readers and the driver of a net.
struct Connections {
    explicit Connections(const GateNetlist& netlist)
        : readers(netlist.nets), driver(netlist.nets, kNothing) {
        for (std::uint32_t c = 0; c < netlist.cells.size(); ++c) {
            for (const NetId net : netlist.cells[c].inputs) readers[net].push_back(c);
            for (const NetId net : netlist.cells[c].outputs) driver[net] = c;
        }
    }
    std::vector<std::vector<std::uint32_t>> readers;
    std::vector<std::uint32_t> driver;
};

/// A plain flip-flop; if there is none, one that ties make plain.
RegisterCell driving_register(const std::map<std::string, CellModel>& models) {
    const CellModel* tied = nullptr;
    for (const auto& [name, model] : models) {
        if (!model.as_register) continue;
        if (model.inputs.size() == 2 && model.outputs.size() == 1) return *model.as_register;
        if (tied == nullptr || (tied->as_register->inverts && !model.as_register->inverts)) {
            tied = &model;
        }
    }
    if (tied == nullptr) throw std::runtime_error("no flip-flop of the library can be a register");
    return *tied->as_register;
}

/// Names that yosys makes up are plain; others would have to be quoted for OpenSTA.
void require_plain(const std::string& name) {
    const bool is_plain = std::all_of(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (!is_plain) throw std::runtime_error(fmt::format("a cell has the name '{}'", name));
}

struct Pin {
    std::string name;
    NetId net;
};

/// The clock gates of a netlist, in its order, and the flip-flops behind each.
struct GatedRegisters {
    explicit GatedRegisters(const GateNetlist& netlist) {
        std::map<NetId, std::size_t> gate_of;
        for (const GateNetlist::Cell& cell : netlist.cells) {
            if (!cell.model->is_clock_gate) continue;
            gate_of.emplace(cell.outputs.front(), gates.size());
            gates.push_back(&cell);
        }
        lists.resize(gates.size(), "{");
        is_gated.resize(netlist.cells.size());
        for (std::size_t c = 0; c < netlist.cells.size(); ++c) {
            const GateNetlist::Cell& cell = netlist.cells[c];
            const auto gate =
                gate_of.find(cell.inputs.empty() ? GateNetlist::kZero : cell.inputs[0]);
            if (!cell.model->is_flip_flop || gate == gate_of.end()) continue;
            lists[gate->second] += " dut/" + cell.name;
            is_gated[c] = 1;
        }
        for (std::string& list : lists) list += " }";
    }
    /// A net that OpenSTA does not take for a clock has the transitions that were recorded.
    std::string stop_clocks() const {
        if (gates.empty()) return {};
        const CellModel& gate = *gates.front()->model;
        return fmt::format("set_disable_timing -from {} -to {} [get_lib_cells */{}]\n",
                           gate.inputs.front(), gate.outputs.front(), gate.name);
    }

    std::vector<const GateNetlist::Cell*> gates;
    std::vector<std::string> lists;  // of Tcl, per gate: its flip-flops
    std::vector<char> is_gated;      // per cell of the netlist
};

}  // namespace

NetActivity NetActivity::of(const GateSimulation& simulation, const GateNetlist& netlist) {
    NetActivity all;
    all.activity.resize(netlist.nets);
    all.duty.resize(netlist.nets);
    for (NetId net = 0; net < netlist.nets; ++net) {
        all.activity[net] = static_cast<float>(simulation.activity(net));
        all.duty[net] = static_cast<float>(simulation.duty(net));
    }
    return all;
}

std::vector<char> crossing_cells(const GateNetlist& netlist, std::uint32_t ports) {
    const Connections connections(netlist);
    const std::vector<NetId>& inputs = netlist.port("flit_data_i");
    const std::vector<NetId>& outputs = netlist.port("flit_data_o");
    const auto bits = static_cast<std::uint32_t>(inputs.size() / ports);
    // Backwards from the outputs: which bit of a flit a cell has an influence on.
    std::vector<std::uint32_t> bit(netlist.cells.size(), kNothing);
    std::vector<std::uint32_t> work;
    const auto influences = [&](NetId net, std::uint32_t which) {
        const std::uint32_t cell = connections.driver[net];
        if (net <= GateNetlist::kOne || cell == kNothing) return;
        const std::uint32_t now = joined(bit[cell], which);
        if (now == bit[cell]) return;
        bit[cell] = now;
        work.push_back(cell);
    };
    for (std::uint32_t i = 0; i < outputs.size(); ++i) influences(outputs[i], i % bits);
    while (!work.empty()) {
        const std::uint32_t cell = work.back();
        work.pop_back();
        for (const NetId net : netlist.cells[cell].inputs) influences(net, bit[cell]);
    }
    // Forwards from the inputs, only through cells of that bit: whose flits pass.
    std::vector<std::uint32_t> port(netlist.cells.size(), kNothing);
    const auto passes = [&](NetId net, std::uint32_t which_bit, std::uint32_t from) {
        for (const std::uint32_t cell : connections.readers[net]) {
            if (bit[cell] != which_bit || joined(port[cell], from) == port[cell]) continue;
            port[cell] = joined(port[cell], from);
            work.push_back(cell);
        }
    };
    for (std::uint32_t i = 0; i < inputs.size(); ++i) passes(inputs[i], i % bits, i / bits);
    while (!work.empty()) {
        const std::uint32_t cell = work.back();
        work.pop_back();
        for (const NetId net : netlist.cells[cell].outputs) passes(net, bit[cell], port[cell]);
    }
    std::vector<char> crossing(netlist.cells.size(), 0);
    for (std::uint32_t c = 0; c < netlist.cells.size(); ++c) {
        crossing[c] = port[c] == kSeveral && !netlist.cells[c].model->is_flip_flop ? 1 : 0;
    }
    return crossing;
}

PowerSession power_session(const GateNetlist& netlist,
                           const std::map<std::string, CellModel>& models,
                           const PoweredCells& cells_and_wires, const std::vector<char>& crossing,
                           const std::vector<NetActivity>& activities, double period_ns,
                           double output_load_pf) {
    const auto& [library, wires] = cells_and_wires;
    const RegisterCell flip_flop = driving_register(models);
    std::string ties;
    for (const auto& [pin, value] : flip_flop.tied)
        ties += fmt::format(", .{}(1'b{:d})", pin, value);
    PowerSession session;
    const GatedRegisters gated(netlist);
    std::vector<Pin> pins;  // the outputs of clock gates first
    for (const GateNetlist::Cell* const gate : gated.gates) {
        pins.push_back({fmt::format("dut/{}/{}", gate->name, gate->model->outputs.front()),
                        gate->outputs.front()});
    }
    std::vector<std::string> drivers;
    // The module around it.
    std::vector<std::string> header;
    std::vector<std::string> connections;
    std::string body;
    for (const auto& [name, port] : netlist.ports) {
        if (name == kClock) {
            header.push_back(name);
            body += fmt::format("  input {};\n", name);
        } else {
            if (!port.is_input) header.push_back(name);
            body += fmt::format("  {} [{}:0] {};\n", port.is_input ? "wire" : "output",
                                port.bits.size() - 1, name);
        }
        connections.push_back(fmt::format(".{0}({0})", name));
    }
    for (const auto& [name, port] : netlist.ports) {
        if (!port.is_input || name == kClock) continue;
        for (std::size_t b = 0; b < port.bits.size(); ++b) {
            const std::string driver = fmt::format("driver_{}_{}", name, b);
            body += fmt::format("  {} {} (.{}(clk_i), .{}({}[{}]), .{}({}[{}]){});\n",
                                flip_flop.name, driver, flip_flop.clock, flip_flop.input, name, b,
                                flip_flop.output, name, b, ties);
            pins.push_back({driver + '/' + flip_flop.input, port.bits[b]});
            pins.push_back({driver + '/' + flip_flop.output, port.bits[b]});
            drivers.push_back(driver);
        }
    }
    session.top =
        fmt::format("module {}({});\n{}  {} dut({});\nendmodule\n", kTop, fmt::join(header, ", "),
                    body, netlist.top, fmt::join(connections, ", "));
    std::string cells;
    std::string crossing_names;
    for (std::size_t c = 0; c < netlist.cells.size(); ++c) {
        const GateNetlist::Cell& cell = netlist.cells[c];
        require_plain(cell.name);
        if (gated.is_gated[c] == 0) {
            (crossing[c] != 0 ? crossing_names : cells) += " dut/" + cell.name;
        }
        const bool is_clocked = cell.model->is_flip_flop || cell.model->is_clock_gate;
        for (std::size_t i = is_clocked ? 1 : 0; i < cell.inputs.size(); ++i) {
            pins.push_back(
                {fmt::format("dut/{}/{}", cell.name, cell.model->inputs[i]), cell.inputs[i]});
        }
        for (std::size_t o = 0; o < cell.outputs.size(); ++o) {
            if (cell.outputs[o] == GateNetlist::kZero || cell.model->is_clock_gate) continue;
            pins.push_back(
                {fmt::format("dut/{}/{}", cell.name, cell.model->outputs[o]), cell.outputs[o]});
        }
    }
    session.names = "set pin_names {";
    for (const Pin& pin : pins) session.names += '\n' + pin.name;
    session.names += fmt::format(
        "\n}}\nset cell_names {{{}}}\nset crossing_names {{{}}}\nset driver_names {{{}}}\n"
        "set gated_names {{{}}}\n",
        cells, crossing_names, fmt::join(drivers, " "), fmt::join(gated.lists, "\n"));
    for (const NetActivity& activity : activities) {
        for (const Pin& pin : pins) {
            session.recorded +=
                fmt::format("{:.5g} {:.5g} ", activity.activity[pin.net], activity.duty[pin.net]);
        }
        session.recorded += '\n';
    }
    session.script = fmt::format(
        R"(read_liberty {liberty}
{setting}{read_wires}read_verilog {netlist}
read_verilog {top_file}
link_design {top}
{set_wires}create_clock -name clk -period {period} [get_ports clk_i]
set_output_delay 0 -clock clk [all_outputs]
set_load {load} [all_outputs]
report_worst_slack -digits 4
eval [read [open {names}]]
proc found {{what names}} {{
    set all {{}}
    foreach name $names {{ lappend all [$what $name] }}
    return $all
}}
proc sum {{instances corner}} {{
    set internal 0
    set switching 0
    set leakage 0
    foreach instance $instances {{
        set power [sta::instance_power $instance $corner]
        set internal [expr {{$internal + [lindex $power 0]}}]
        set switching [expr {{$switching + [lindex $power 1]}}]
        set leakage [expr {{$leakage + [lindex $power 2]}}]
    }}
    return "$internal $switching $leakage"
}}
set pins [found get_pins $pin_names]
set cells [found get_cells $cell_names]
set crossing [found get_cells $crossing_names]
set drivers [found get_cells $driver_names]
set corner [sta::cmd_corner]
set gated [lmap names $gated_names {{ found get_cells $names }}]
set lines [split [string trim [read [open {recorded}]]] "\n"]
proc record {{line}} {{
    global pins
    foreach pin $pins {{activity duty}} $line {{
        sta::set_power_pin_activity $pin $activity $duty
    }}
}}
# OpenSTA ignores what is recorded of a pin that a clock reaches. A flip-flop behind a gate is asked
# for its power with the clock, and without any, and each counts for its part of the time.
set clocked {{}}
foreach line $lines {{
    if {{[llength $gated] > 0}} {{ record $line }}
    lappend clocked [lmap flip_flops $gated {{ sum $flip_flops $corner }}]
}}
{stop_clocks}set i 0
foreach line $lines with_clock $clocked {{
    record $line
    puts "recorded $i cells [sum $cells $corner]"
    puts "recorded $i crossing [sum $crossing $corner]"
    puts "recorded $i drivers [sum $drivers $corner]"
    foreach pin [lrange $pins 0 [llength $gated]-1] {{ sta::set_power_pin_activity $pin 0 0 }}
    set power {{0 0 0}}
    foreach flip_flops $gated with $with_clock {{activity duty}} $line {{
        if {{$with eq ""}} break
        set open [expr {{$activity / 2.0}}]
        set power [lmap all $power on $with off [sum $flip_flops $corner] {{
            expr {{$all + $open * $on + (1 - $open) * $off}}
        }}]
    }}
    puts "recorded $i gated $power"
    incr i
}}
)",
        fmt::arg("liberty", kLibertyLink), fmt::arg("setting", sta_setting(library)),
        fmt::arg("read_wires", read_wires(library, wires, kWireLibrary)),
        fmt::arg("set_wires", set_wires(library, wires)), fmt::arg("netlist", kNetlist),
        fmt::arg("top", kTop), fmt::arg("period", period_ns), fmt::arg("load", output_load_pf),
        fmt::arg("top_file", kPowerTop), fmt::arg("names", kPinNames),
        fmt::arg("recorded", kRecorded), fmt::arg("stop_clocks", gated.stop_clocks()));
    return session;
}

std::vector<PowerFigures> parse_power_log(const std::string& text, std::size_t count) {
    std::vector<PowerFigures> figures(count);
    std::size_t found = 0;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("Error", 0) == 0) throw std::runtime_error(line);
        std::istringstream words(line);
        std::string word;
        std::string part;
        std::size_t which = 0;
        double internal = 0;
        double switching = 0;
        double leakage = 0;
        if (!(words >> word) || word != "recorded") continue;
        if (!(words >> which >> part >> internal >> switching >> leakage) || which >= count ||
            !std::isfinite(internal + switching + leakage)) {
            throw std::runtime_error("the report of power is not understood: " + line);
        }
        ++found;
        PowerFigures& into = figures[which];
        if (part == "drivers") {  // count only the pins that they drive
            into.dynamic += switching;
            continue;
        }
        into.dynamic += internal + switching;
        into.leakage += leakage;
        if (part == "crossing") into.crossing += internal + switching;
    }
    constexpr std::size_t kParts = 4;
    if (found != count * kParts) throw std::runtime_error("the report lacks some of the powers");
    return figures;
}

}  // namespace flitscope
