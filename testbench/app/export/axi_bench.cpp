// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/axi_bench.h"

#include <algorithm>
#include <optional>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/export/axi_ports.h"
#include "testbench/app/export/struct_top.h"

namespace flitscope {
namespace {

// The payload of a channel is one vector, its first pin highest.

/// Bits of the pins of a channel, as a sum; `pin`: of those after it.
std::string bits_after(const AxiPort& port, const std::string& channel, const AxiPin* pin) {
    std::string sum = "0";
    for (const AxiPin& each : axi_pins()) {
        if (pin != nullptr && &each <= pin) continue;
        if (each.channel() == channel && port.has(each) && !each.is_handshake()) {
            sum += std::string(" + ") + each.width;
        }
    }
    return sum;
}
std::string channel_bits(const AxiPort& port, const AxiPin& pin) {
    return bits_after(port, pin.channel(), nullptr);
}
std::string bits_below(const AxiPort& port, const AxiPin& pin) {
    return bits_after(port, pin.channel(), &pin);
}

/// "t_aw", "t_aw_valid" of a target.
std::string vector_name(const AxiPort& port, const AxiPin& pin) {
    return (port.is_manager ? "" : "t_") + (pin.is_handshake() ? pin.bridge_name() : pin.channel());
}

/// What the test bench uses of each target, in the order of their ports: of its first range what
/// begins at the end of a burst that wraps, at most 64 bytes.
std::vector<InterconnectTarget> bench_ranges(const InterconnectConfig& map) {
    constexpr std::uint64_t kWrap = 64;
    std::vector<InterconnectTarget> ranges;
    for (const AxiPort& port : axi_ports(map)) {
        if (port.is_manager) continue;
        InterconnectTarget range = *std::find_if(
            map.targets.begin(), map.targets.end(),
            [&](const InterconnectTarget& target) { return target.node == port.node; });
        const std::uint64_t skipped = std::min((kWrap - range.base % kWrap) % kWrap, range.size);
        range.base += skipped;
        range.size -= skipped;
        ranges.push_back(range);
    }
    return ranges;
}

/// Words that the test bench's managers have for an ID in a target (axi_bursts.sv): 16, else 8,
/// else the map has no room for it: 0.
std::uint32_t bench_words(const InterconnectConfig& map) {
    constexpr std::uint64_t kUsedIds = 4;
    constexpr std::uint64_t kWordBytes = 8;
    std::uint64_t least = ~std::uint64_t{0};
    for (const InterconnectTarget& range : bench_ranges(map)) least = std::min(least, range.size);
    for (const std::uint32_t words : {16U, 8U}) {
        if (map.initiators.size() * kUsedIds * words * kWordBytes <= least) return words;
    }
    return 0;
}

/// An address of a page that belongs to no target.
std::optional<std::uint64_t> hole(const InterconnectConfig& map) {
    constexpr std::uint64_t kPage = 4096;
    std::vector<std::uint64_t> candidates = {0};
    for (const InterconnectTarget& target : map.targets) {
        candidates.push_back((last_address(target) / kPage + 1) * kPage);
    }
    for (const std::uint64_t candidate : candidates) {
        const bool fits = axi_address_bits(map) == 64 || candidate >> axi_address_bits(map) == 0;
        const bool taken = std::any_of(
            map.targets.begin(), map.targets.end(), [&](const InterconnectTarget& target) {
                return candidate <= last_address(target) && candidate + (kPage - 1) >= target.base;
            });
        if (fits && !taken) return candidate;
    }
    return std::nullopt;
}

}  // namespace

void require_axi_bench(const Machine& machine) {
    const InterconnectConfig& map = *machine.config.interconnect;
    if (bench_words(map) != 0) return;
    throw ConfigError(machine.config.where("interconnect.targets"),
                      "a target has too few addresses for the test bench",
                      fmt::format("each needs {} bytes or more, from a multiple of 64 on: 256 "
                                  "for every initiator",
                                  256 * map.initiators.size()));
}

std::string axi_nodes(const Machine& machine, const StructTop* structs) {
    const Graph& graph = machine.graph;
    std::string text = axi_module_head(
        "The channels of axi_fabric as vectors over managers and targets", machine, "axi_nodes");
    for (const AxiPort& kind : {AxiPort{0, true}, AxiPort{0, false}}) {
        const char* const count =
            kind.is_manager ? "axi_bench_pkg::Managers" : "axi_bench_pkg::Targets";
        std::string declared;  // the channel whose payload is
        for (const AxiPin& pin : axi_pins()) {
            const bool is_again = !pin.is_handshake() && pin.channel() == declared;
            if (!kind.has(pin) || is_again) continue;
            text += axi_declaration(kind, pin, vector_name(kind, pin),
                                    pin.is_handshake()
                                        ? count
                                        : fmt::format("{}*({})", count, channel_bits(kind, pin)));
            if (!pin.is_handshake()) declared = pin.channel();
        }
    }
    text += fmt::format(
        "\n);\n\n{}        .clk_i(clk_i), .rst_ni(rst_ni), .ready_o(ready_o)",
        structs != nullptr ? structs->instance("i_axi") : std::string("    axi_fabric i_axi (\n"));
    std::uint32_t managers = 0;
    std::uint32_t targets = 0;
    for (const AxiPort& port : axi_ports(*machine.config.interconnect)) {
        const std::uint32_t number = port.is_manager ? managers++ : targets++;
        for (const AxiPin& pin : axi_pins()) {
            if (!port.has(pin)) continue;
            const std::string vector = vector_name(port, pin) + port.suffix(pin);
            text += fmt::format(
                ",\n        .{}{}{}({})", port.prefix(graph), pin.name, port.suffix(pin),
                pin.is_handshake()
                    ? fmt::format("{}[{}]", vector, number)
                    : fmt::format("{}[{}*({})+{}+:{}]", vector, number, channel_bits(port, pin),
                                  bits_below(port, pin), pin.width));
        }
    }
    return text + "\n    );\n\nendmodule\n";
}

std::string axi_bench_package(const Machine& machine) {
    const InterconnectConfig& map = *machine.config.interconnect;
    const std::vector<InterconnectTarget> ranges = bench_ranges(map);
    const std::uint32_t bits = axi_address_bits(map);
    const auto gap = hole(map);
    return fmt::format(
        R"(// What the test bench knows of the fabric, written by flitscope export.

package axi_bench_pkg;

    localparam int AddressBits = {0};
    localparam int IdBits = {1};
    localparam int Managers = {2};
    localparam int Targets = {3};
    localparam int Words = {7};  // of an ID of a manager in each
    localparam logic [Targets*AddressBits-1:0] Bases = {4};
    /// A page without a target.
    localparam bit HasHole = 1'b{5:d};
    localparam logic [AddressBits-1:0] Hole = {0}'h{6:x};

endpackage
)",
        bits, kAxiIdBits, map.initiators.size(), ranges.size(),
        concatenated(ranges, bits, [](const auto& range) { return range.base; }), gap.has_value(),
        gap.value_or(0), bench_words(map));
}

}  // namespace flitscope
