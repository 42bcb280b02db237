// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/router_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "hw/verilated/rtl_limitations.h"
#include "hw/verilated/rtl_variant.h"
#include "testbench/app/build/machine.h"

namespace flitscope {
namespace {

struct Parameter {
    std::string declared;  ///< without its value
    std::string value;
};

struct Pin {
    const char* direction;
    std::string range;  ///< empty: one bit
    const char* name;
    std::string note;
};

/// Everything between the name of the module and its last line.
struct Contents {
    std::vector<Parameter> parameters;
    std::vector<Parameter> constants;  ///< that follow from these
    std::vector<Pin> pins;
    std::string body;
    std::string keys;  ///< of its section in the configuration, after `sources`
    std::string inner;
};

/// Where a head says where it goes, with a header of so many bits beside the flits, 0: in flits.
std::string header_text(std::uint32_t header_bits) {
    const char* const destination = "// Bits 15:0 of a head's data are the destination";
    if (header_bits == 0) return fmt::format("{}.\n", destination);
    return fmt::format("{}, bits {}:0 of all data the header beside\n// the flit.\n", destination,
                       header_bits - 1);
}

/// "hw/rtl/README.md", "The pin protocol".
Contents flit_router(const hw::RtlVariant& variant) {
    Contents module;
    module.parameters = {{"int Ports", std::to_string(variant.ports)},
                         {"int VirtualChannels", std::to_string(variant.virtual_channels)},
                         {"int Depth", std::to_string(variant.depth)},
                         {"int FlitBits", std::to_string(variant.flit_bits)},
                         {"int RouterDelay", std::to_string(variant.router_delay)},
                         {"int Routing", std::to_string(static_cast<int>(variant.routing))}};
    if (variant.table_entries != 0) {
        module.parameters.push_back({"int TableEntries", std::to_string(variant.table_entries)});
    }
    if (variant.hold) module.parameters.push_back({"bit Hold", "1'b1"});
    if (variant.combined) module.parameters.push_back({"bit Combined", "1'b1"});
    module.constants = {{"int Inputs", "Ports * VirtualChannels"},
                        {"int PortBits", "$clog2(Ports)"},
                        {"int VcBits", "VirtualChannels > 1 ? $clog2(VirtualChannels) : 1"}};
    const bool is_mesh = variant.routing == hw::RtlRouting::kMesh;
    module.pins = {{"input", "", "clk_i", ""},
                   {"input", "", "rst_ni", "synchronous"},
                   {"input", "15:0", "node_i", "constant, as the next"},
                   {"input", is_mesh ? "(Ports-1)/2*16-1:0" : "(Ports-1)*16-1:0", "fields_i", ""},
                   {"input", "", "table_write_i", "in reset, if there is a table"},
                   {"input", "15:0", "table_address_i", "destination"},
                   {"input", "PortBits-1:0", "table_port_i", "output port there"},
                   {"input", "VirtualChannels-1:0", "table_vcs_i", "and its virtual channels"},
                   {"input", "Ports-1:0", "flit_valid_i", "the ports of nodes come first"},
                   {"input", "Ports*VcBits-1:0", "flit_vc_i", ""},
                   {"input", "Ports-1:0", "flit_head_i", ""},
                   {"input", "Ports-1:0", "flit_tail_i", ""},
                   {"input", "Ports*FlitBits-1:0", "flit_data_i", ""},
                   {"output", "Inputs-1:0", "credit_o", "a flit left the FIFO of that input"},
                   {"output", "Ports-1:0", "flit_valid_o", ""},
                   {"output", "Ports*VcBits-1:0", "flit_vc_o", ""},
                   {"output", "Ports-1:0", "flit_head_o", ""},
                   {"output", "Ports-1:0", "flit_tail_o", ""},
                   {"output", "Ports*FlitBits-1:0", "flit_data_o", ""},
                   {"input", "Inputs-1:0", "credit_i", "a place is free at that output"}};
    module.inner = "router";
    module.body = "    router #(\n";
    for (const Parameter& parameter : module.parameters) {
        const std::string name = parameter.declared.substr(parameter.declared.find(' ') + 1);
        const bool is_last = &parameter == &module.parameters.back();
        module.body += fmt::format("        .{0}({0}){1}\n", name, is_last ? "" : ",");
    }
    module.body += "    ) i_router (.*);\n";
    return module;
}

/// Coordinates say the same on every virtual channel: a router for each.
constexpr const char* kRouterPerChannel =
    R"(    for (genvar v = 0; v < VirtualChannels; v++) begin : gen_vc
        logic [Ports-1:0] valid_i, ready_i, valid_o, ready_o;
        logic [Ports*FlitBits-1:0] flit_i, flit_o;
        for (genvar p = 0; p < Ports; p++) begin : gen_port
            localparam int C = p * VirtualChannels + v;
            assign valid_i[p] = in_valid[C];
            assign in_ready[C] = ready_i[p];
            assign flit_i[p*FlitBits+:FlitBits] = in_flit[C*FlitBits+:FlitBits];
            assign out_valid[C] = valid_o[p];
            assign ready_o[p] = out_ready[C];
            assign out_flit[C*FlitBits+:FlitBits] = flit_o[p*FlitBits+:FlitBits];
        end
        valid_ready_router #(
            .Ports(Ports), .DataBits(DataBits)
        ) i_router (
            .in_valid(valid_i), .in_ready(ready_i), .in_flit(flit_i),
            .out_valid(valid_o), .out_ready(ready_o), .out_flit(flit_o), .*
        );
    end
)";

/// "hw/rtl/README.md", "A router with valid and ready".
Contents valid_ready_router(const hw::RtlVariant& variant, bool has_table) {
    const bool has_several = variant.virtual_channels > 1;
    const std::string vcs = has_several ? "VirtualChannels" : "1";
    Contents module;
    module.parameters = {{"int unsigned Ports", std::to_string(variant.ports)}};
    if (has_several) {
        module.parameters.push_back(
            {"int unsigned VirtualChannels", std::to_string(variant.virtual_channels)});
    }
    module.parameters.push_back({"int unsigned DataBits", std::to_string(variant.flit_bits)});
    module.constants = {
        {"int unsigned Channels", has_several ? "Ports * VirtualChannels" : "Ports"},
        {"int unsigned FlitBits", "DataBits + 2"}};
    module.pins = {{"input", "", "clk", ""},
                   {"input", "", "rst", "synchronous, active high"},
                   {"input", "15:0", "my_node", "constant"}};
    if (has_table) {
        module.pins.insert(module.pins.end(),
                           {{"input", "", "table_write", "in reset"},
                            {"input", "15:0", "table_address", "destination"},
                            {"input", "$clog2(Ports)-1:0", "table_port", "output port there"},
                            {"input", vcs + "-1:0", "table_vcs", "and its virtual channels"}});
    } else {
        module.pins.push_back({"input", "(Ports-1)/2*16-1:0", "coordinate_masks",
                               "constant: bits of each in a node"});
    }
    module.pins.insert(
        module.pins.end(),
        {{"input", "Channels-1:0", "in_valid", "port * virtual channels + virtual channel"},
         {"output", "Channels-1:0", "in_ready", "the ports of nodes come first"},
         {"input", "Channels*FlitBits-1:0", "in_flit", "{head, tail, data}"},
         {"output", "Channels-1:0", "out_valid", "depends on neither out_ready nor an input"},
         {"input", "Channels-1:0", "out_ready", ""},
         {"output", "Channels*FlitBits-1:0", "out_flit", ""}});
    module.keys = ", protocol: valid_ready";
    if (has_table) {
        module.keys += ", routes: table";
        module.inner = "valid_ready_table_router";
        module.body = fmt::format(
            "    valid_ready_table_router #(\n"
            "        .Ports(Ports), .VirtualChannels({}), .DataBits(DataBits), .Destinations({})\n"
            "    ) i_router (.*);\n",
            vcs, variant.table_entries);
    } else {
        module.inner = "valid_ready_router";
        module.body = has_several ? kRouterPerChannel
                                  : "    valid_ready_router #(\n        .Ports(Ports), "
                                    ".DataBits(DataBits)\n    ) i_router (.*);\n";
    }
    return module;
}

std::string declaration(const Pin& pin, std::size_t range_width, std::size_t name_width,
                        bool is_last) {
    const std::string range = pin.range.empty() ? "" : fmt::format("[{}]", pin.range);
    const std::string name = fmt::format("{}{}", pin.name, is_last ? "" : ",");
    std::string line = fmt::format("    {:6} logic {:{}} {:{}}", pin.direction, range, range_width,
                                   name, name_width);
    if (!pin.note.empty()) line += "  // " + pin.note;
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

std::string text_of(const Contents& module, const std::string& name) {
    std::string text = fmt::format("module {} #(\n", name);
    for (const Parameter& parameter : module.parameters) {
        text += fmt::format("    parameter {} = {},\n", parameter.declared, parameter.value);
    }
    for (const Parameter& constant : module.constants) {
        const bool is_last = &constant == &module.constants.back();
        text += fmt::format("    localparam {} = {}{}\n", constant.declared, constant.value,
                            is_last ? "" : ",");
    }
    text += ") (\n";
    std::size_t range_width = 0;
    std::size_t name_width = 0;
    for (const Pin& pin : module.pins) {
        range_width = std::max(range_width, pin.range.size() + 2);
        name_width = std::max(name_width, std::string(pin.name).size() + 1);
    }
    for (const Pin& pin : module.pins) {
        text += declaration(pin, range_width, name_width, &pin == &module.pins.back());
    }
    return text + ");\n\n" + module.body + "\nendmodule\n";
}

}  // namespace

std::string router_template(const Machine& machine, const std::string& name) {
    Machine foreign = machine;
    RtlModule chosen;
    chosen.protocol = machine.config.fabric.rtl_module().protocol;
    chosen.routes = machine.config.fabric.rtl_module().routes;
    chosen.top = name;
    foreign.config.fabric.router = RouterChoice(chosen);
    foreign.config.fabric.router_overrides.clear();
    if (const auto refusal =
            hw::verilated_refusal(foreign.config, foreign.graph, *foreign.routing)) {
        throw ConfigError({refusal->diagnostic(foreign.config)});
    }
    const hw::RtlVariant variant = hw::rtl_variant(foreign.config, foreign.graph, *foreign.routing);
    const bool has_table = chosen.routes == RtlRoutes::kTable;
    Contents module =
        variant.valid_ready ? valid_ready_router(variant, has_table) : flit_router(variant);
    // Set for every router of the fabric, or for each by its place.
    for (const auto& [own, value] : machine.config.fabric.router_parameters) {
        module.parameters.push_back({"int " + own, std::to_string(value)});
    }
    for (const auto& [own, place] : machine.config.fabric.router_places) {
        module.parameters.push_back({"int " + own, "0"});
    }
    return fmt::format(
        "// A router for {},\n"
        "// with the pins of hw/rtl/README.md, \"{}\".\n{}"
        "// In it is flitscope's {}, so that it runs as it is: put yours in its place.\n"
        "// Under `fabric` of the configuration:\n"
        "//     router: {{top: {}, sources: [{}.sv]{}}}\n\n{}",
        machine.graph.description(),
        variant.valid_ready ? "A router with valid and ready" : "The pin protocol",
        header_text(machine.config.fabric.header_bits), module.inner, name, name, module.keys,
        text_of(module, name));
}

}  // namespace flitscope
