// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/rtl_export.h"

#include <fmt/format.h>

#include <iterator>
#include <limits>

#include "hw/verilated/rtl_limitations.h"
#include "models/base/diagnostics.h"
#include "models/fabric/planes.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/export/fabric_text.h"
#include "testbench/app/gate_synthesis/toolchain.h"

namespace flitscope {
namespace {

/// A line per flit, as flit_t of replay.sv, for $readmemh.
std::string flits_text(const std::vector<FlitEvent>& flits) {
    std::string text;
    for (const FlitEvent& flit : flits) {
        text += fmt::format("{:08x}_{:04x}_{:04x}_{:08x}_{:08x}_{:x}{:x}_{:016x}\n", flit.cycle,
                            flit.node, flit.source, flit.packet, flit.position, flit.vc,
                            (flit.head ? 2 : 0) + (flit.tail ? 1 : 0), flit.word);
    }
    return text;
}

std::string replay_package(const Replay& replay) {
    return fmt::format(R"(// The run that replay.sv repeats, written by flitscope export.

package replay_pkg;

    localparam int Flits = {};
    localparam int LastCycle = {};  // of the last delivery

endpackage
)",
                       replay.injected.size(), replay.last_cycle);
}

std::string list_of(const std::vector<std::string>& paths) {
    std::string text;
    for (const std::string& path : paths) text += path + '\n';
    return text;
}

std::uint64_t link_registers(const Graph& graph) {
    std::uint64_t registers = 0;
    for (const Link& link : graph.links()) registers += link.delay;
    return registers;
}

std::string read_me(const Machine& machine, const hw::RtlVariant& variant, const Replay& replay) {
    return fmt::format(
        R"(# {machine} in SystemVerilog

Written by `flitscope export`. {routers} routers ({variant}), {links} links with {registers} registers
for flits, {nodes} nodes.

| file | what it is |
|---|---|
| `fabric.sv` | the top: one instance per router and link; per node a side to inject at and one to eject at |
| `fabric_pkg.sv` | parameters{tables} |
| `rtl/` | the modules that it consists of, the same for every fabric |
| `filelist.f` | these, in the order in which they are read; relative to this folder |
| `fabric.sdc` | clock and pins |
| `replay/`, `replay.f` | test bench: {packets} packets of `{traffic}`, {flits} flits in all |
| `config.yaml` | the configuration that all of it was made from |

In this folder:

```sh
verilator --lint-only -Wall --top-module fabric -f filelist.f

verilator --binary -j 0 --timing --assert --top-module replay -f replay.f
obj_dir/Vreplay

iverilog -g2012 -DSYNTHESIS -s replay -o replay.vvp -c replay.f
sed -i '/^Ewait_/s/, E_0x0;/;/' replay.vvp
vvp -n replay.vvp
```

verilator compiles with all processors (-j 0), which takes minutes where there are many routers.

Both print PASS, or FAIL with packet, node, expected and found cycle, and end with an exit code that is
not 0 then. Icarus Verilog 11 does not read assertions with names: -DSYNTHESIS leaves them out. And it
wakes all always_comb of a design when it wakes one, so that the simulation never leaves its first
instant: the sed takes that out of what it has compiled. That it is "sorry" for constant selects means
no harm: it only watches more than it would have to.

To gates, here the generic ones of yosys 0.23; for cells of a library go on with its `dfflibmap` and
`abc`, and `fabric.sdc` for the clock:

```sh
yosys -p "read_verilog -sv -defer $(tr '\n' ' ' < filelist.f); synth -top fabric; stat"
```

Pins: flits and credits as at a router (hw/rtl/README.md of flitscope, "The pin protocol"), those of node
n at bit n of every field. Hold `rst_ni` low for 4 cycles; inject once `ready_o` is high. A node may have
`Depth` flits per virtual channel on their way into its router, and gets one credit back for each that
has left the FIFO. It must take every flit that is ejected, and return the credit of each once. A bench of
your own drives them either as `replay/replay.sv` does, with `=` at the falling edge, or with `<=` from
`always_ff`; not with `<=` in an `initial` block, which verilator takes for `=`, and of which 5.006 lets
single bits and parts of a vector come late.
)",
        fmt::arg("machine", machine.graph.description()),
        fmt::arg("routers", machine.graph.router_count()), fmt::arg("variant", variant.name()),
        fmt::arg("links", machine.graph.link_count()),
        fmt::arg("registers", link_registers(machine.graph)),
        fmt::arg("nodes", machine.graph.node_count()),
        fmt::arg("tables", variant.routing == hw::RtlRouting::kTable
                               ? ", and a routing table per router, which is loaded at reset"
                               : ""),
        fmt::arg("packets", replay.packets), fmt::arg("traffic", machine.traffic_name()),
        fmt::arg("flits", replay.injected.size()));
}

}  // namespace

void require_rtl(const Machine& machine) {
    require_one_plane(machine.config, "an exported fabric");
    const Config& config = machine.config;
    auto refusal = hw::synthesis_refusal(config, machine.graph, *machine.routing);
    // The test bench has the flits of the simulator, with its header.
    if (!refusal) refusal = hw::verilated_refusal(config, machine.graph, *machine.routing);
    if (refusal) throw ConfigError({refusal->diagnostic(config)});
    if (config.steady) {
        throw ConfigError(
            config.where("steady"),
            "such a run ends with packets under way, which a test bench cannot expect",
            "--set steady=none measures for traffic.measure_cycles instead");
    }
    if (config.node.retransmit) {
        throw ConfigError(config.where("node.retransmit"),
                          "a test bench does not support retransmitted packets",
                          "leave node.retransmit out");
    }
}

std::vector<ExportedFile> rtl_files(const Machine& machine, const Replay& replay) {
    if (replay.last_cycle > std::numeric_limits<std::int32_t>::max() ||
        replay.injected.size() > std::numeric_limits<std::int32_t>::max()) {
        throw ConfigError({machine.config.source, 0, 0},
                          "the run has too many cycles or flits for a test bench",
                          "shorten the traffic");
    }
    const hw::RtlVariant variant = hw::rtl_variant(machine.config, machine.graph, *machine.routing);
    std::vector<ExportedFile> files;
    std::vector<std::string> listed;
    const auto add = [&files](std::string path, std::string text) {
        files.push_back({std::move(path), std::move(text)});
    };
    for (const char* const folder : {"", "fabric"}) {
        for (RtlSource& source : read_rtl_sources(folder)) {
            listed.push_back("rtl/" + source.name);
            add(listed.back(), std::move(source.text));
        }
    }
    add("fabric_pkg.sv", fabric_package(machine, variant));
    add("fabric.sv", fabric_top(machine, variant));
    add("fabric.sdc", fabric_constraints(machine));
    listed.insert(listed.end(), {"fabric_pkg.sv", "fabric.sv"});
    add("filelist.f", list_of(listed));
    for (RtlSource& source : read_rtl_sources("replay")) {
        add("replay/" + source.name, std::move(source.text));
    }
    add("replay/replay_pkg.sv", replay_package(replay));
    add("replay/injections.hex", flits_text(replay.injected));
    add("replay/deliveries.hex", flits_text(replay.delivered));
    listed.insert(listed.end(), {"replay/replay_pkg.sv", "replay/replay.sv"});
    add("replay.f", list_of(listed));
    add("config.yaml", to_yaml(machine.config));
    add("README.md", read_me(machine, variant, replay));
    return files;
}

}  // namespace flitscope
