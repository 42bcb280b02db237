// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of the machines. Cycles are those of the machine's own clock_ns.
#include "testbench/app/configuration/machine_presets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "models/config/config.h"
#include "models/config/key_kinds.h"
#include "models/config/topology_config.h"
#include "models/topology/families/attached_nodes.h"
#include "models/topology/families/topology_families.h"

namespace flitscope {
namespace {

constexpr const char* kFitted =
    "fitted to Tables 2 and 5 of Thakur, Choudhary and Fox 1993, 4 to 16 KB "
    "(testbench/tools/fit_delta.py)";

MachinePreset ideal() {
    return {"ideal", "no historical machine: the defaults of the keys", {}, {}, {}, "", ""};
}

/// Intel Touchstone Delta, 1991.
MachinePreset delta() {
    MachinePreset machine;
    machine.name = "delta";
    machine.summary = "Intel Touchstone Delta: mesh up to 16 x 32, i860 nodes (Thakur et al. 1993)";
    machine.limits = {"mesh", {16, 32}, 0, "Thakur, Choudhary and Fox 1993, section 2"};
    machine.values = {
        {"fabric.routing", "dimension_order", "XY", "Thakur, Choudhary and Fox 1993, section 2"},
        {"fabric.switching", "wormhole", "", "Thakur, Choudhary and Fox 1993, section 2"},
        {"clock_ns", "200", "with flits of 2 bytes: links of 10 MB/s", kFitted},
        {"fabric.flit_bits", "16", "2 bytes",
         "chosen: small flits keep the latency per link far below the startup, as the paper "
         "assumes (section 2)"},
        {"fabric.buffer_depth", "64", "128 bytes", kFitted},
        {"node.packet_bytes", "1024", "",
         "chosen: 512 fits a little better and takes twice the simulation"},
        {"node.injection_bandwidth", "2/5", "4 MB/s", kFitted},
        {"node.send_overhead", "550", "110 us", kFitted},
        {"traffic.handshake", "true", "", kFitted},
    };
    machine.barrier = {550, 0};
    machine.barrier_quantity = "110 us per doubling of the nodes";
    machine.barrier_source = "derived: an empty message per doubling of the nodes";
    return machine;
}

/// Intel Paragon XP/S, 512 nodes at Caltech, 1996.
MachinePreset paragon() {
    constexpr const char* kTable1 = "Bokhari and Nicol 1996, Table 1: 231 + 0.022 m us";
    MachinePreset machine;
    machine.name = "paragon";
    machine.summary =
        "Intel Paragon XP/S: mesh up to 16 x 32, message processors (Bokhari and Nicol 1996)";
    machine.limits = {"mesh", {16, 32}, 0, "Bokhari and Nicol 1996: the 512 nodes at Caltech"};
    machine.values = {
        {"fabric.routing", "dimension_order", "row, then column",
         "Bokhari and Nicol 1996, section 2"},
        {"fabric.switching", "wormhole", "", "Bokhari and Nicol 1996, section 2"},
        {"clock_ns", "88", "with flits of 16 bytes: links of 182 MB/s",
         "175 MB/s in each direction (TOP500 report 1995, "
         "netlib.org/benchmark/top500/reports/report95/Architec/node4.html, for the Paragon MP), "
         "raised to four times the rate of a node"},
        {"fabric.flit_bits", "128", "16 bytes", "chosen"},
        {"fabric.buffer_depth", "128", "2 KB: a packet",
         "chosen: with less, three messages do not share a link \"with minor overhead\" as in "
         "Bokhari and Nicol 1996, abstract"},
        {"node.packet_bytes", "1792", "40 us of a node's memory, 10 us of a link",
         "chosen: the 15232 bytes of Figures 12 to 15 are 8.5 of them"},
        {"node.injection_bandwidth", "113/448",
         "0.022 us per byte: 112 flits of payload and a header in 448 cycles", kTable1},
        {"node.send_overhead", "2560", "225 us",
         "Bokhari and Nicol 1996, Table 1: the 231 us less the last half packet of 15232 bytes and "
         "the routers on its path"},
        {"node.serialize_overhead", "true", "",
         "Bokhari and Nicol 1996, section 5: the lower bound charges each message of a node"},
    };
    machine.barrier = {1539.7727, -1522.7273};
    machine.barrier_quantity = "271 lg n - 134 us on n x n nodes";
    machine.barrier_source =
        "Bokhari and Nicol 1996, Table 1, reconstructed: printed as 27.1 lg n - 134, which is "
        "negative on every mesh of the paper; the slope is in the range 127.1 to 271";
    return machine;
}

/// Intel iPSC/860, 1990.
MachinePreset ipsc860() {
    constexpr const char* kSection32 =
        "Boppana and Raghavendra 1990, section 3.2: 65 + 0.425 k + 10 i us for k bytes over i "
        "links, k <= 100";
    MachinePreset machine;
    machine.name = "ipsc860";
    machine.summary = "Intel iPSC/860: hypercube up to 7 dimensions (Boppana and Raghavendra 1990)";
    machine.limits = {"hypercube", {}, 7, "Boppana and Raghavendra 1990, section 3.2"};
    machine.values = {
        {"fabric.routing", "dimension_order", "e-cube", "Boppana and Raghavendra 1990, section 2"},
        {"fabric.switching", "circuit", "", "Boppana and Raghavendra 1990, section 2"},
        {"fabric.setup_delay", "11", "10.2 us per link, with the cycle that data take over it",
         kSection32},
        {"clock_ns", "850", "with flits of 2 bytes: 0.425 us per byte", kSection32},
        {"fabric.flit_bits", "16", "2 bytes", "chosen: the narrowest there is"},
        {"node.send_overhead", "76", "65 us: with the header's flit, 64.6 + 0.85", kSection32},
    };
    machine.barrier = {88, 0};
    machine.barrier_quantity = "75 us per dimension";
    machine.barrier_source = "derived: an empty message to a neighbour per dimension, 65 + 10 us";
    return machine;
}

std::string limits_text(const PresetLimits& limits) {
    if (limits.kind.empty()) return "any network";
    if (limits.dimensions != 0) {
        return fmt::format("a hypercube of at most {} dimensions", limits.dimensions);
    }
    return fmt::format("a {} of at most {} nodes", limits.kind, fmt::join(limits.sides, " x "));
}

bool fits(const TopologyConfig& topology, const PresetLimits& limits) {
    if (topology.kind != limits.kind) return false;
    if (limits.dimensions != 0) return topology.dimensions <= limits.dimensions;
    if (topology.dims.size() > limits.sides.size()) return false;
    return std::equal(topology.dims.rbegin(), topology.dims.rend(), limits.sides.rbegin(),
                      [](std::uint32_t side, std::uint32_t most) { return side <= most; });
}

}  // namespace

const std::vector<MachinePreset>& machine_presets() {
    static const std::vector<MachinePreset> kMachines = {ideal(), delta(), paragon(), ipsc860()};
    return kMachines;
}

const MachinePreset* find_machine_preset(const std::string& name) {
    for (const MachinePreset& machine : machine_presets()) {
        if (machine.name == name) return &machine;
    }
    return nullptr;
}

ConfigKeys machine_keys() {
    kinds::Names names;
    for (const MachinePreset& machine : machine_presets()) names.push_back(machine.name);
    ConfigKeys keys;
    keys.push_back(kinds::choice("machine", "machine", names,
                                 "preset of a machine: its defaults for the other keys "
                                 "(MACHINES.md), and the networks that it was built with",
                                 kinds::at(&Config::machine)));
    return keys;
}

std::vector<ConfigPreset> machine_config_presets() {
    std::vector<ConfigPreset> presets;
    for (const MachinePreset& machine : machine_presets()) {
        ConfigPreset preset{machine.name, {}, [&machine](Config& config) {
                                config.machine = machine.name;
                                config.traffic.machine_barrier = machine.barrier;
                            }};
        for (const PresetValue& value : machine.values) {
            preset.values.emplace_back(value.key, value.value);
        }
        presets.push_back(std::move(preset));
    }
    return presets;
}

void check_machine(RuleContext& context) {
    const Config& config = context.config;
    const TopologyConfig& topology = config.fabric.topology;
    const MachinePreset* machine = find_machine_preset(config.machine);
    if (machine == nullptr || machine->limits.kind.empty() || topology.kind.empty()) return;
    if (!context.is_sound("fabric.topology") || !topology_findings(config).empty()) return;
    const bool is_concentrated = nodes_per_router(topology) != 1;
    const bool has_node_each = !is_concentrated && topology.extra_nodes.empty();
    const bool is_small = fits(topology, machine->limits);
    if (is_small && has_node_each) return;
    const char* const size = machine->limits.dimensions != 0 ? "dimensions" : "dims";
    const char* const more = is_concentrated ? "concentration" : "extra_nodes";
    const bool other_kind = topology.kind != machine->limits.kind;
    const std::string key = std::string("fabric.topology.") + (other_kind ? "kind"
                                                               : is_small ? more
                                                                          : size);
    context.report(
        {config.where(key),
         fmt::format("machine '{}' was {}{}", machine->name, limits_text(machine->limits),
                     is_small ? ", with a node on each router" : ""),
         "choose such a network, or set machine: ideal and take over the keys that you need "
         "(flitscope machines)"});
    context.nodes = 0;
}

std::string preset_reference() {
    std::string text;
    for (const MachinePreset& machine : machine_presets()) {
        text += fmt::format("{}## {}\n\n{}.\n", text.empty() ? "" : "\n", machine.name,
                            machine.summary);
        if (machine.values.empty()) continue;
        text += fmt::format("Network: {} ({}).\n\n", limits_text(machine.limits),
                            machine.limits.source);
        text += "| Key | Value | Equivalent | Source |\n|---|---|---|---|\n";
        const auto add_row = [&text](const PresetValue& value) {
            text += fmt::format("| `{}` | {} | {} | {} |\n", value.key, value.value, value.quantity,
                                value.source);
        };
        for (const PresetValue& value : machine.values) add_row(value);
        add_row({"traffic.barrier.per_doubling",
                 fmt::format("{:.6g}", machine.barrier.per_doubling), machine.barrier_quantity,
                 machine.barrier_source});
        add_row({"traffic.barrier.fixed", fmt::format("{:.6g}", machine.barrier.fixed),
                 "see the row above", "as above"});
    }
    return text;
}

}  // namespace flitscope
