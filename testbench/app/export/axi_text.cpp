// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/axi_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/powers_of_two.h"
#include "models/config/config.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"

namespace flitscope {
namespace {

constexpr std::uint32_t kDataBits = 64;
constexpr std::uint32_t kIdBits = 4;
constexpr std::uint32_t kControlBits = 20;  // axi_pkg::ControlBits
constexpr std::uint32_t kLeastFlitBits = kDataBits + kDataBits / 8;

/// A pin of an AXI port, as the manager sees it. Bridges take len, size, burst, cache and prot as
/// one vector.
struct AxiPin {
    const char* name;
    bool is_from_manager;
    const char* width;        ///< empty: one bit
    bool has_id = false;      ///< an ID, which targets do not have
    bool is_control = false;  ///< a part of that vector
};

constexpr AxiPin kPins[] = {
    {"awid", true, "IdBits", true},
    {"awaddr", true, "AddressBits"},
    {"awlen", true, "8", false, true},
    {"awsize", true, "3", false, true},
    {"awburst", true, "2", false, true},
    {"awcache", true, "4", false, true},
    {"awprot", true, "3", false, true},
    {"awvalid", true, ""},
    {"awready", false, ""},
    {"wdata", true, "64"},
    {"wstrb", true, "8"},
    {"wlast", true, ""},
    {"wvalid", true, ""},
    {"wready", false, ""},
    {"bid", false, "IdBits", true},
    {"bresp", false, "2"},
    {"bvalid", false, ""},
    {"bready", true, ""},
    {"arid", true, "IdBits", true},
    {"araddr", true, "AddressBits"},
    {"arlen", true, "8", false, true},
    {"arsize", true, "3", false, true},
    {"arburst", true, "2", false, true},
    {"arcache", true, "4", false, true},
    {"arprot", true, "3", false, true},
    {"arvalid", true, ""},
    {"arready", false, ""},
    {"rid", false, "IdBits", true},
    {"rdata", false, "64"},
    {"rresp", false, "2"},
    {"rlast", false, ""},
    {"rvalid", false, ""},
    {"rready", true, ""},
};

/// "aw_addr" of awaddr: bridges and the test bench separate the channel.
std::string bridge_name(const AxiPin& pin) {
    const std::string name = pin.name;
    const std::size_t channel = name[0] == 'a' ? 2 : 1;
    return name.substr(0, channel) + '_' + name.substr(channel);
}

/// A node with an AXI port.
struct AxiPort {
    NodeId node = 0;
    bool is_manager = false;  ///< a manager is attached, else a subordinate

    bool has(const AxiPin& pin) const { return is_manager || !pin.has_id; }
    bool is_input(const AxiPin& pin) const { return is_manager == pin.is_from_manager; }
    const char* suffix(const AxiPin& pin) const { return is_input(pin) ? "_i" : "_o"; }
    /// "node_05_s_axi_": the port is a subordinate's where a manager is attached.
    std::string prefix(const Graph& graph) const {
        return graph.node_name("node", node) + (is_manager ? "_s_axi_" : "_m_axi_");
    }
};

// ---- For the test bench: the payload of a channel is one vector, its first pin highest
// -----------

constexpr const char* kChannels[] = {"aw", "w", "b", "ar", "r"};

std::string channel_of(const AxiPin& pin) {
    return std::string(pin.name).substr(0, pin.name[0] == 'a' ? 2 : 1);
}

bool is_handshake(const AxiPin& pin) {
    const std::string rest = pin.name + channel_of(pin).size();
    return rest == "valid" || rest == "ready";
}

std::string width_of(const AxiPin& pin) { return *pin.width == '\0' ? "1" : pin.width; }

/// Bits of the pins of a channel, as a sum; `pin`: of those after it.
std::string bits_after(const AxiPort& port, const std::string& channel, const AxiPin* pin) {
    std::string sum = "0";
    for (const AxiPin& each : kPins) {
        if (pin != nullptr && &each <= pin) continue;
        if (channel_of(each) == channel && port.has(each) && !is_handshake(each)) {
            sum += " + " + width_of(each);
        }
    }
    return sum;
}
std::string channel_bits(const AxiPort& port, const std::string& channel) {
    return bits_after(port, channel, nullptr);
}
std::string bits_below(const AxiPort& port, const AxiPin& pin) {
    return bits_after(port, channel_of(pin), &pin);
}

/// "t_aw", "t_aw_valid" of a target.
std::string vector_name(const AxiPort& port, const AxiPin& pin) {
    const std::string name = is_handshake(pin) ? bridge_name(pin) : channel_of(pin);
    return (port.is_manager ? "" : "t_") + name;
}

/// A port per initiator, then one per node of a target; a target may have several ranges.
std::vector<AxiPort> ports_of(const InterconnectConfig& map) {
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

std::uint32_t address_bits(const InterconnectConfig& map) {
    std::uint32_t bits = 32;
    for (const InterconnectTarget& target : map.targets) {
        while (bits < 64 && last_address(target) >> bits != 0) ++bits;
    }
    return bits;
}

/// Concatenates a field of every target, the last one first.
template <class Field>
std::string concatenated(const InterconnectConfig& map, std::uint32_t bits, const Field& field) {
    std::string text;
    for (std::size_t i = map.targets.size(); i-- > 0;) {
        text += fmt::format("{}'h{:x}{}", bits, field(map.targets[i]), i == 0 ? "" : ", ");
    }
    return "{" + text + "}";
}

std::string head_of(const char* what, const Machine& machine, const char* module) {
    const InterconnectConfig& map = *machine.config.interconnect;
    return fmt::format(
        "// {} of {}, written by flitscope export.\n\nmodule {} #(\n"
        "    localparam int AddressBits = {},\n    localparam int IdBits = {}\n) (\n"
        "    input  logic clk_i,\n    input  logic rst_ni,\n    output logic ready_o",
        what, machine.graph.description(), module, address_bits(map), kIdBits);
}

/// "[7:0] ", "[IdBits-1:0] "; empty for one bit.
std::string range_of(const std::string& width) {
    if (width == "1") return {};
    const bool is_number = width.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? fmt::format("[{}:0] ", std::stoul(width) - 1)
                     : fmt::format("[{}-1:0] ", width);
}

std::string declared(const AxiPort& port, const AxiPin& pin, const std::string& name,
                     const std::string& width) {
    return fmt::format(",\n    {} logic {}{}", port.is_input(pin) ? "input " : "output",
                       range_of(width), name + port.suffix(pin));
}

/// The streams of a node, of both classes, that no bridge uses.
std::string unused_streams(const std::string& node, bool has_manager, bool has_target) {
    std::string text;
    const auto tie = [&](bool used, int stream_in, int stream_out) {
        if (used) return;
        text += fmt::format(
            "    assign {{{0}_s_valid[{1}], {0}_s_last[{1}]}} = '0;\n"
            "    assign {0}_s_destination[{1}*NodeBits+:NodeBits] = '0;\n"
            "    assign {0}_s_data[{1}*FlitBits+:FlitBits] = '0;\n"
            "    assign {0}_m_ready[{2}] = 1'b1;\n",
            node, stream_in, stream_out);
    };
    tie(has_manager, 0, 1);
    tie(has_target, 1, 0);
    return text;
}

std::string bridge(const AxiPort& port, const InterconnectConfig& map, const Graph& graph) {
    const std::string node = graph.node_name("node", port.node);
    const std::string pins = port.prefix(graph);
    // Requests are class 0, replies class 1.
    const int in = port.is_manager ? 0 : 1;
    std::string text = fmt::format(
        "\n    (* keep_hierarchy *) {} #(\n        .AddressBits(AddressBits), .DataBits(64), "
        ".IdBits(IdBits), .FlitBits(FlitBits),\n        .Outstanding({}){}\n    ) {} (\n"
        "        .clk_i(clk_i), .rst_ni(ready_o)",
        port.is_manager ? "axi_manager_bridge" : "axi_subordinate_bridge", map.outstanding,
        port.is_manager ? ",\n        .Ranges(Ranges), .First(First), .Last(Last), .Nodes(Nodes)"
                        : "",
        graph.node_name(port.is_manager ? "manager" : "subordinate", port.node));
    for (const char* const channel : {"aw", "ar"}) {
        std::string parts;
        for (const char* const part : {"len", "size", "burst", "cache", "prot"}) {
            parts += fmt::format("{}{}{}{}{}", parts.empty() ? "" : ", ", pins, channel, part,
                                 port.is_manager ? "_i" : "_o");
        }
        text += fmt::format(",\n        .{}_control{}({{{}}})", channel,
                            port.is_manager ? "_i" : "_o", parts);
    }
    for (const AxiPin& pin : kPins) {
        if (pin.is_control || !port.has(pin)) continue;
        text += fmt::format(",\n        .{0}{1}({2}{3}{1})", bridge_name(pin), port.suffix(pin),
                            pins, pin.name);
    }
    text += fmt::format(
        ",\n        .s_valid_o({0}_s_valid[{1}]), .s_ready_i({0}_s_ready[{1}]), "
        ".s_last_o({0}_s_last[{1}]),\n"
        "        .s_destination_o({0}_s_destination[{1}*NodeBits+:NodeBits]),\n"
        "        .s_data_o({0}_s_data[{1}*FlitBits+:FlitBits]),\n"
        "        .m_valid_i({0}_m_valid[{2}]), .m_ready_o({0}_m_ready[{2}]), "
        ".m_last_i({0}_m_last[{2}]),\n",
        node, in, 1 - in);
    if (!port.is_manager) {
        text +=
            fmt::format("        .m_source_i({}_m_source[{}*NodeBits+:NodeBits]),\n", node, 1 - in);
    }
    return text + fmt::format("        .m_data_i({}_m_data[{}*FlitBits+:FlitBits])\n    );\n", node,
                              1 - in);
}

/// What the test bench uses of each target, in the order of their ports: of its first range what
/// begins at the end of a burst that wraps, at most 64 bytes.
std::vector<InterconnectTarget> bench_ranges(const InterconnectConfig& map) {
    constexpr std::uint64_t kWrap = 64;
    std::vector<InterconnectTarget> ranges;
    for (const AxiPort& port : ports_of(map)) {
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
        const bool fits = address_bits(map) == 64 || candidate >> address_bits(map) == 0;
        const bool taken = std::any_of(
            map.targets.begin(), map.targets.end(), [&](const InterconnectTarget& target) {
                return candidate <= last_address(target) && candidate + (kPage - 1) >= target.base;
            });
        if (fits && !taken) return candidate;
    }
    return std::nullopt;
}

}  // namespace

void require_axi(const Machine& machine) {
    const Config& config = machine.config;
    if (!config.interconnect) {
        throw ConfigError({config.source, 0, 0}, "which nodes have AXI ports is not said",
                          "name initiators and targets in the section 'interconnect'");
    }
    const InterconnectConfig& map = *config.interconnect;
    const std::uint32_t vcs = config.fabric.virtual_channels;
    if (config.fabric.classes.size() != 2 || vcs != 2) {
        throw ConfigError(config.where("fabric.virtual_channels"),
                          "AXI needs a virtual channel for requests and one for replies, which "
                          "keep their order",
                          "set fabric.virtual_channels: 2 and fabric.classes: [request, reply]");
    }
    const std::uint32_t needed =
        std::max(kLeastFlitBits, 1 + kIdBits + kControlBits + address_bits(map));
    if (config.fabric.flit_bits < needed) {
        throw ConfigError(
            config.where("fabric.flit_bits"),
            fmt::format(
                "a beat of AXI has {} bits: 64 of data with their strobes, or {} of address",
                needed, address_bits(map)),
            fmt::format("set fabric.flit_bits to {} or more", (needed + 7) / 8 * 8));
    }
    if (config.node.packet_bytes != 0) {
        throw ConfigError(config.where("node.packet_bytes"), "AXI bridges send whole bursts",
                          "leave node.packet_bytes out");
    }
    if (bench_words(map) == 0) {
        throw ConfigError(config.where("interconnect.targets"),
                          "a target has too few addresses for the test bench",
                          fmt::format("each needs {} bytes or more, from a multiple of 64 on: 256 "
                                      "for every initiator",
                                      256 * map.initiators.size()));
    }
    constexpr std::uint32_t kMostOutstanding = 256;
    if (map.outstanding > kMostOutstanding) {
        throw ConfigError(
            config.where("interconnect.outstanding"),
            fmt::format("AXI bridges keep account of at most {} transactions", kMostOutstanding),
            fmt::format("set it to {} or less", kMostOutstanding));
    }
    std::set<NodeId> managers;
    for (const NodeId node : map.initiators) {
        if (managers.insert(node).second) continue;
        throw ConfigError(config.where("interconnect.initiators"),
                          fmt::format("node {} has two initiators, and one AXI port", node),
                          "give each a node");
    }
}

std::vector<NodeId> managers_with_targets(const Machine& machine) {
    const InterconnectConfig& map = *machine.config.interconnect;
    std::vector<NodeId> nodes;
    for (const InterconnectTarget& range : bench_ranges(map)) {
        if (std::count(map.initiators.begin(), map.initiators.end(), range.node) > 0) {
            nodes.push_back(range.node);
        }
    }
    return nodes;
}

std::string axi_fabric(const Machine& machine) {
    const Graph& graph = machine.graph;
    const InterconnectConfig& map = *machine.config.interconnect;
    const std::vector<AxiPort> ports = ports_of(map);
    std::string text = head_of("The fabric with AXI4 at its nodes", machine, "axi_fabric");
    for (const AxiPort& port : ports) {
        text +=
            fmt::format(",\n\n    // ---- {}: a {} is attached", graph.node_name("node", port.node),
                        port.is_manager ? "manager" : "subordinate");
        std::string pins;
        for (const AxiPin& pin : kPins) {
            if (port.has(pin))
                pins += declared(port, pin, port.prefix(graph) + pin.name, width_of(pin));
        }
        text += pins.substr(1);  // the comma is before the comment
    }
    text += fmt::format(R"(
);

    localparam int FlitBits = fabric_pkg::FlitBits;
    localparam int NodeBits = router_pkg::NodeBits;

    // The address map: range i in field i.
    localparam int Ranges = {};
    localparam logic [Ranges*AddressBits-1:0] First = {};
    localparam logic [Ranges*AddressBits-1:0] Last = {};
    localparam logic [Ranges*NodeBits-1:0] Nodes = {};
)",
                        map.targets.size(),
                        concatenated(map, address_bits(map), [](const auto& t) { return t.base; }),
                        concatenated(map, address_bits(map), last_address),
                        concatenated(map, 16, [](const auto& t) { return t.node; }));
    std::string streams;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        const auto attached = [&](bool manager) {
            return std::any_of(ports.begin(), ports.end(), [&](const AxiPort& port) {
                return port.node == node && port.is_manager == manager;
            });
        };
        const std::string name = graph.node_name("node", node);
        text += fmt::format(R"(
    // ---- {0}: streams of requests and of replies
    logic [1:0] {0}_s_valid, {0}_s_ready, {0}_s_last, {0}_m_valid, {0}_m_ready, {0}_m_last;
    logic [1:0] unused_{0}_null, unused_{0}_more;
    logic [2*NodeBits-1:0] {0}_s_destination, {0}_m_source;
    logic [2*node_pkg::SequenceBits-1:0] unused_{0}_sequence;
    logic [2*FlitBits-1:0] {0}_s_data, {0}_m_data;
    logic unused_{0};
    assign unused_{0} = &{{1'b0, unused_{0}_null, unused_{0}_more, unused_{0}_sequence, {0}_s_ready,
                         {0}_m_valid, {0}_m_last, {0}_m_source, {0}_m_data}};
)",
                            name);
        text += unused_streams(name, attached(true), attached(false));
        streams += fmt::format(
            R"(,
        .{0}_s_valid_i({0}_s_valid), .{0}_s_ready_o({0}_s_ready), .{0}_s_last_i({0}_s_last),
        .{0}_s_null_i(2'b00), .{0}_s_destination_i({0}_s_destination), .{0}_s_length_i({{(2*node_pkg::LengthBits){{1'b0}}}}),
        .{0}_s_data_i({0}_s_data), .{0}_m_valid_o({0}_m_valid), .{0}_m_ready_i({0}_m_ready),
        .{0}_m_last_o({0}_m_last), .{0}_m_null_o(unused_{0}_null), .{0}_m_more_o(unused_{0}_more),
        .{0}_m_source_o({0}_m_source), .{0}_m_sequence_o(unused_{0}_sequence),
        .{0}_m_data_o({0}_m_data))",
            name);
    }
    for (const AxiPort& port : ports) text += bridge(port, map, graph);
    return text +
           "\n    (* keep_hierarchy *) stream_fabric i_streams (\n        .clk_i(clk_i), "
           ".rst_ni(rst_ni), .ready_o(ready_o)" +
           streams + "\n    );\n\nendmodule\n";
}

std::string axi_nodes(const Machine& machine) {
    const Graph& graph = machine.graph;
    const std::vector<AxiPort> ports = ports_of(*machine.config.interconnect);
    std::string text = head_of("The channels of axi_fabric as vectors over managers and targets",
                               machine, "axi_nodes");
    for (const AxiPort& kind : {AxiPort{0, true}, AxiPort{0, false}}) {
        const char* const count =
            kind.is_manager ? "axi_bench_pkg::Managers" : "axi_bench_pkg::Targets";
        for (const char* const channel : kChannels) {
            const std::string bits = channel_bits(kind, channel);
            for (const AxiPin& pin : kPins) {
                const std::string name = vector_name(kind, pin);
                if (channel_of(pin) != channel || !kind.has(pin)) continue;
                if (is_handshake(pin)) {
                    text += declared(kind, pin, name, count);
                } else if (text.find(' ' + name + kind.suffix(pin)) == std::string::npos) {
                    text += declared(kind, pin, name, fmt::format("{}*({})", count, bits));
                }
            }
        }
    }
    text +=
        "\n);\n\n    axi_fabric i_axi (\n        .clk_i(clk_i), .rst_ni(rst_ni), "
        ".ready_o(ready_o)";
    std::uint32_t managers = 0;
    std::uint32_t targets = 0;
    for (const AxiPort& port : ports) {
        const std::uint32_t number = port.is_manager ? managers++ : targets++;
        for (const AxiPin& pin : kPins) {
            if (!port.has(pin)) continue;
            const std::string vector = vector_name(port, pin) + port.suffix(pin);
            text += fmt::format(
                ",\n        .{}{}{}({})", port.prefix(graph), pin.name, port.suffix(pin),
                is_handshake(pin) ? fmt::format("{}[{}]", vector, number)
                                  : fmt::format("{}[{}*({})+{}+:{}]", vector, number,
                                                channel_bits(port, channel_of(pin)),
                                                bits_below(port, pin), width_of(pin)));
        }
    }
    return text + "\n    );\n\nendmodule\n";
}

std::string axi_bench_package(const Machine& machine) {
    const InterconnectConfig& map = *machine.config.interconnect;
    const std::vector<AxiPort> ports = ports_of(map);
    const auto managers = std::count_if(ports.begin(), ports.end(),
                                        [](const AxiPort& port) { return port.is_manager; });
    InterconnectConfig first = map;
    first.targets = bench_ranges(map);
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
        address_bits(map), kIdBits, managers, first.targets.size(),
        concatenated(first, address_bits(map), [](const auto& t) { return t.base; }),
        gap.has_value(), gap.value_or(0), bench_words(map));
}

}  // namespace flitscope
