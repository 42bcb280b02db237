// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/rtl_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

#include "hw/verilated/built_routers.h"
#include "hw/verilated/rtl_limitations.h"
#include "models/base/diagnostics.h"
#include "models/fabric/planes.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/export/axi_bench.h"
#include "testbench/app/export/axi_text.h"
#include "testbench/app/export/fabric_text.h"
#include "testbench/app/export/rtl_packaging.h"
#include "testbench/app/export/stream_text.h"
#include "testbench/app/export/struct_top.h"
#include "testbench/app/gate_synthesis/toolchain.h"

namespace flitscope {
namespace {

/// A line per flit, as flit_t of replay.sv, for $readmemh.
std::string flits_text(const std::vector<FlitEvent>& flits) {
    std::string text;
    for (const FlitEvent& flit : flits) {
        text +=
            fmt::format("{:08x}_{:04x}_{:04x}_{:08x}_{:08x}_{:x}{:x}_{:016x}\n", flit.cycle,
                        flit.node, flit.source, flit.packet, flit.position, flit.vc,
                        (flit.more ? 4 : 0) + (flit.head ? 2 : 0) + (flit.tail ? 1 : 0), flit.word);
    }
    return text;
}

std::string replay_package(const Replay& replay) {
    return fmt::format(R"(// The run that the test bench repeats, written by flitscope export.

package replay_pkg;

    localparam int Flits = {};
    localparam int Beats = {};  // of these that carry payload, and headers of packets without any
    localparam int LastCycle = {};  // of the last delivery

endpackage
)",
                       replay.injected.size(), beat_count(replay), replay.last_cycle);
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

/// What the README of a folder says of the pins of nodes.
struct PinWords {
    const char* top;             ///< module
    const char* bench;           ///< its test bench, and the folder of hw/rtl that it is in
    const char* path_of_fabric;  ///< in the top, with a slash behind it
    const char* inputs;          ///< pins, but for clock and reset, for OpenSTA
    const char* files;           ///< rows of the table of files
    const char* stalls;          ///< what else the test bench can do
    const char* pins;
};

constexpr PinWords kFlitPins = {
    "fabric",
    "replay",
    "",
    "inject_*_i* eject_credit_i*",
    "| `{0}fabric.sv` | the top: an instance per router and link, and the pins of every node |",
    "",
    R"(Pins: flits and credits as at a router (hw/rtl/README.md of flitscope, "The pin protocol"), those of node
n at bit n of every field. Hold `rst_ni` low for 4 cycles; inject once `ready_o` is high. A node may have
`Depth` flits per virtual channel on their way into its router, and gets one credit back for each that
has left the FIFO. It must take every flit that is ejected, and return the credit of each once. `flitscope
export --nodes stream` puts network interfaces with valid and ready before these pins.)"};

constexpr PinWords kStreamPins = {
    "stream_fabric",
    "stream_replay",
    "i_fabric/",
    "node_*_i*",
    "| `{0}stream_fabric.sv` | the top: the fabric, and a network interface per node |\n"
    "| `{0}fabric.sv` | an instance per router and link |",
    R"(
With `+stalls=SEED` after the last command of either, nodes offer beats in 60 and take them in 40 of 100
cycles: every packet still has to arrive once, whole and in order, in whatever cycle.
)",
    R"(Pins, per node (hw/TIMING.md of flitscope, "Streams at the nodes"): `s_*` takes messages, a stream per
message class, `m_*` gives packets, a stream per virtual channel; bit or field k of a vector is that of
stream k. A beat of `FlitBits` bits moves in a cycle with valid and ready; neither ready of `s_*` nor valid
of `m_*` depends on a pin in the same cycle. Offer the beats of a message in order, `s_last` with the last one
and `s_destination` with the first; a message without payload is one beat with `s_null`. If packets are
cut (`PacketFlits` above 0), `s_length`, the beats of the message, goes with the first one. Headers are added, and taken
off. Packets of one source arrive in order if a class has one virtual channel; with several, and from
several sources in any case, `m_source`, `m_sequence` and `m_more` say what belongs together. Nodes must
take replies in the end for requests to go on. Hold `rst_ni` low for 4 cycles; `s_ready` rises when the
fabric is ready.)"};

constexpr PinWords kAxiPins = {
    "axi_fabric",
    "axi_traffic",
    "i_streams/i_fabric/",
    "node_*_i*",
    "| `{0}axi_fabric.sv` | the top: the fabric, and an AXI4 port per initiator and target |\n"
    "| `{0}stream_fabric.sv` | the fabric with a network interface per node |\n"
    "| `{0}fabric.sv` | an instance per router and link |",
    "",
    R"(Pins, per node: `s_axi` where a manager is attached, `m_axi` where a subordinate is (a memory, say). AXI4 with
64 bits of data, without lock, qos, region and user signals; exclusive accesses would get OKAY. The address map is
constant; an address without a target gets DECERR. Transactions of one ID keep their order: one waits while
others of its ID and direction are under way to another target. A subordinate sees no IDs, and has to answer in
order; all pins are registers, and no ready depends on a pin. Managers have to take their replies, and to send
the data of a write whose address was taken, whatever else they wait for. Hold `rst_ni` low for 4 cycles.)"};

const PinWords& words_of(NodePins pins) {
    switch (pins) {
        case NodePins::kStreams:
            return kStreamPins;
        case NodePins::kAxi:
            return kAxiPins;
        default:
            return kFlitPins;
    }
}

std::string traffic_of(const Machine& machine, NodePins pins, const Replay& replay) {
    if (!needs_replay(pins)) return "managers and memories that do what chance says";
    return fmt::format("{} packets of `{}`, {} flits in all", replay.packets,
                       machine.traffic_name(), replay.injected.size());
}

/// What verilator 5.006 needs for these sources.
std::string verilator_options(const Machine& machine, const hw::RtlVariant& variant,
                              const RtlExportOptions& options) {
    constexpr std::uint32_t kUnrolled = 64;  // iterations of a loop, by default
    std::uint32_t deepest = variant.depth;
    std::string text;
    if (options.nodes == NodePins::kAxi) {
        deepest = std::max(deepest, machine.config.interconnect->outstanding);
    }
    if (deepest > kUnrolled) {
        text += fmt::format("--unroll-count {} --unroll-stmts 100000 ", deepest);
    }
    return text;
}

/// What it needs besides to simulate them: optimizing, it takes the constant of an open_input for 1
/// in a fabric with AXI.
std::string simulation_options(NodePins pins) { return pins == NodePins::kAxi ? "-O0 " : ""; }

/// For verilator: rules that these sources break on purpose. Patterns are of these files only,
/// since a design may read them with others.
std::string lint_waivers(const std::vector<std::string>& sources) {
    std::string text =
        "`verilator_config\n\n// Assertions sample the reset, which is asynchronous, with the "
        "clock.\n";
    for (const std::string& source : sources) {
        text += fmt::format("lint_off -rule SYNCASYNCNET -file \"*{}\"\n", source);
    }
    return text;
}

/// Begins the options of verilator.
std::string names_of(const std::vector<std::string>& waivers) {
    std::string text;
    for (const std::string& name : waivers) text += name + ' ';
    return text;
}

/// What the README of a folder says of the other top.
std::string struct_words(const RtlExportOptions& options, const std::optional<StructTop>& structs,
                         const std::string& verilator, const std::string& bench) {
    if (!structs) return {};
    const std::string top = options.prefix + structs->name;
    return fmt::format(R"(
`{0}.sv` is another top, with a request and a response per port (`{0}_pkg.sv`): packed structs whose members
have the names of these pins. In verilator, which reads it as it is, and the test bench through it:

```sh
verilator --lint-only -Wall {1}--top-module {0} -f structs.f

verilator --binary -j 0 --timing --assert {3}{1}+define+FLITSCOPE_STRUCTS --top-module {2} --Mdir obj_structs -f structs_replay.f
obj_structs/V{2}
```

Icarus Verilog 11 does not read it, so it is not in `filelist.f`.
)",
                       top, verilator, bench, simulation_options(options.nodes));
}

std::string read_me(const Machine& machine, const hw::RtlVariant& variant,
                    const RtlExportOptions& options, const Replay& replay,
                    const std::optional<StructTop>& structs, const SourceLists& sources) {
    const PinWords& words = words_of(options.nodes);
    const std::string verilator =
        names_of(sources.waivers) + verilator_options(machine, variant, options);
    return fmt::format(
        R"(# {machine} in SystemVerilog

Written by `flitscope export`. {routers} routers ({variant}), {links} links with {registers} registers
for flits, {nodes} nodes.

| file | what it is |
|---|---|
{files}
| `{prefix}fabric_pkg.sv` | parameters{tables} |
| `rtl/` | the modules that it consists of, the same for every fabric |
| `filelist.f` | these, in the order in which they are read; relative to this folder |
| `Bender.yml`, `{package}.core`, `config.mk` | the same lists for Bender, FuseSoC and OpenROAD-flow-scripts |
| `fabric.sdc`, `timing.tcl` | clock and pins; timing analysis |
| `replay/`, `replay.f` | test bench: {traffic} |
| `config.yaml` | the configuration that all of it was made from |

In this folder:

```sh
verilator --lint-only -Wall {options}--top-module {top} -f filelist.f

verilator --binary -j 0 --timing --assert {simulation}{options}--top-module {bench} -f replay.f
obj_dir/V{bench}

iverilog -g2012 -DSYNTHESIS -s {bench} -o replay.vvp -c replay.f
sed -i '/^Ewait_/s/, E_0x0;/;/' replay.vvp
vvp -n replay.vvp
```

verilator compiles with all processors (-j 0), which takes minutes where there are many routers.

Both print PASS, or FAIL with what was expected and found, and end with an exit code that is
not 0 then. Icarus Verilog 11 does not read assertions with names: -DSYNTHESIS leaves them out. And it
wakes all always_comb of a design when it wakes one, so that the simulation never leaves its first
instant: the sed takes that out of what it has compiled. That it is "sorry" for constant selects means
no harm: it only watches more than it would have to.
{stalls}
To gates, here the generic ones of yosys 0.23:

```sh
yosys -p "read_verilog -sv -defer $(tr '\n' ' ' < filelist.f); synth -top {top}; stat"
```

To the cells of a library in liberty format, uncompressed, and their timing by OpenSTA (`timing.tcl` reads the
netlist and `fabric.sdc`):

```sh
export LIB=cells.lib
yosys -p "read_verilog -sv -defer $(tr '\n' ' ' < filelist.f); synth -noabc -top {top}; dfflibmap -liberty $LIB; abc -liberty $LIB; opt_clean -purge; stat -liberty $LIB; write_verilog -noattr -noexpr -simple-lhs netlist.v"
sta -no_splash -exit timing.tcl
```

{pins}
{structs}
The reset is {reset}.

A bench of
your own drives them either as `replay/{bench}.sv` does, with `=` at the falling edge, or with `<=` from
`always_ff`; not with `<=` in an `initial` block, which verilator takes for `=`, and of which 5.006 lets
single bits and parts of a vector come late.
)",
        fmt::arg("machine", machine.graph.description()),
        fmt::arg("routers", machine.graph.router_count()), fmt::arg("variant", variant.name()),
        fmt::arg("links", machine.graph.link_count()),
        fmt::arg("registers", link_registers(machine.graph)),
        fmt::arg("nodes", machine.graph.node_count()),
        fmt::arg("tables", variant.routing == hw::RtlRouting::kPins
                               ? ", and the routes of every router, constants that `route_rom` "
                                 "looks up for the head at each of its inputs"
                               : ""),
        fmt::arg("top", options.prefix + words.top),
        fmt::arg("package", options.prefix + (structs ? structs->name : words.top)),
        fmt::arg("bench", options.prefix + words.bench),
        fmt::arg("files", fmt::format(fmt::runtime(words.files), options.prefix)),
        fmt::arg("prefix", options.prefix), fmt::arg("stalls", words.stalls),
        fmt::arg("pins", words.pins), fmt::arg("simulation", simulation_options(options.nodes)),
        fmt::arg("options", verilator),
        fmt::arg("structs",
                 struct_words(options, structs, verilator, options.prefix + words.bench)),
        fmt::arg("reset", options.has_asynchronous_reset
                              ? "asynchronous; its end is synchronized inside"
                              : "synchronous"),
        fmt::arg("traffic", traffic_of(machine, options.nodes, replay)));
}

}  // namespace

void require_rtl(const Machine& machine, NodePins pins) {
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
    if (pins != NodePins::kFlits) require_streams(machine);
    if (pins == NodePins::kAxi) require_axi(machine);
}

bool needs_replay(NodePins pins) { return pins != NodePins::kAxi; }

std::vector<ExportedFile> rtl_files(const Machine& machine, const RtlExportOptions& options,
                                    const Replay& replay) {
    if (replay.last_cycle > std::numeric_limits<std::int32_t>::max() ||
        replay.injected.size() > std::numeric_limits<std::int32_t>::max()) {
        throw ConfigError({machine.config.source, 0, 0},
                          "the run has too many cycles or flits for a test bench",
                          "shorten the traffic");
    }
    const hw::RtlVariant variant =
        hw::built_variant(machine.config, machine.graph, *machine.routing);
    const bool streams = options.nodes != NodePins::kFlits;
    const bool axi = options.nodes == NodePins::kAxi;
    const PinWords& words = words_of(options.nodes);
    std::vector<ExportedFile> files;
    SourceLists sources;
    const auto add = [&files](std::string path, std::string text) {
        files.push_back({std::move(path), std::move(text)});
    };
    const auto add_source = [&](std::vector<std::string>& list, const std::string& path,
                                std::string text) {
        if (options.has_asynchronous_reset) text = with_asynchronous_reset(text);
        list.push_back(path);
        add(path, std::move(text));
    };
    std::vector<const char*> folders = {"", "fabric"};
    if (streams) folders.push_back("node");
    if (axi) folders.push_back("axi");
    for (const char* const folder : folders) {
        for (RtlSource& source : read_rtl_sources(folder)) {
            add_source(sources.design, "rtl/" + source.name, std::move(source.text));
        }
    }
    add_source(sources.design, "fabric_pkg.sv", fabric_package(machine, variant));
    add_source(sources.design, "fabric.sv",
               fabric_top(machine, variant, options.has_asynchronous_reset,
                          axi ? managers_with_targets(machine) : std::vector<NodeId>{}));
    if (streams) add_source(sources.design, "stream_fabric.sv", stream_fabric(machine));
    if (axi) add_source(sources.design, "axi_fabric.sv", axi_fabric(machine));

    std::optional<StructTop> structs;
    if (options.has_structs) structs = axi ? axi_structs(machine) : stream_structs(machine);
    if (structs) {
        add_source(sources.structs, structs->name + "_pkg.sv", structs->package_text());
        add_source(sources.structs, structs->name + ".sv", structs->top_text());
        add_source(sources.struct_bench, fmt::format("replay/{}_flat.sv", structs->name),
                   structs->flat_text());
    }

    std::vector<std::string> data;
    const auto add_data = [&](const char* path, std::string text) {
        data.emplace_back(path);
        add(path, std::move(text));
    };
    if (axi) {
        add_source(sources.bench, "replay/axi_bench_pkg.sv", axi_bench_package(machine));
        add_source(sources.bench, "replay/axi_nodes.sv",
                   axi_nodes(machine, structs ? &*structs : nullptr));
    } else {
        add_source(sources.bench, "replay/replay_pkg.sv", replay_package(replay));
        add_data("replay/injections.hex", flits_text(replay.injected));
        add_data("replay/deliveries.hex", flits_text(replay.delivered));
    }
    if (options.nodes == NodePins::kStreams) {
        add_source(sources.bench, "replay/stream_nodes.sv",
                   stream_nodes(machine, structs ? &*structs : nullptr));
        add_data("replay/beats.hex", beats_text(machine, variant, replay));
    }
    std::vector<const char*> benches = {"checkers", words.bench};
    if (!axi) benches.insert(benches.begin(), "replay_types");
    for (const char* const folder : benches) {
        for (RtlSource& source : read_rtl_sources(folder)) {
            add_source(sources.bench, "replay/" + source.name, std::move(source.text));
        }
    }

    add_prefix(options.prefix, files,
               {&sources.design, &sources.bench, &sources.structs, &sources.struct_bench});
    const std::string flat_top = options.prefix + words.top;
    const std::string top = structs ? options.prefix + structs->name : flat_top;
    const std::string bench = options.prefix + words.bench;
    add("filelist.f", list_of(sources.design));
    add("replay.f", list_of(sources.design) + list_of(sources.bench));
    if (structs) {
        const std::string with_structs = list_of(sources.design) + list_of(sources.structs);
        add("structs.f", with_structs);
        add("structs_replay.f",
            with_structs + list_of(sources.struct_bench) + list_of(sources.bench));
    }
    if (options.has_asynchronous_reset) {
        sources.waivers.emplace_back("lint.vlt");
        add("lint.vlt", lint_waivers(sources.design));
    }
    add("Bender.yml", bender_manifest(top, sources));
    add("config.mk", openroad_config(flat_top, sources));
    add(top + ".core",
        fusesoc_core(top, bench, sources, data, verilator_options(machine, variant, options),
                     simulation_options(options.nodes)));
    add("fabric.sdc", fabric_constraints(machine, words.inputs, options.io_share,
                                         options.has_asynchronous_reset));
    add("timing.tcl",
        timing_script(flat_top, options.has_asynchronous_reset
                                    ? fmt::format("{}i_reset/rst_no", words.path_of_fabric)
                                    : ""));
    add("config.yaml", to_yaml(machine.config));
    add("README.md", read_me(machine, variant, options, replay, structs, sources));
    return files;
}

}  // namespace flitscope
