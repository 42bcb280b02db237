// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/struct_top.h"

#include <fmt/format.h>

#include <set>

namespace flitscope {
namespace {

constexpr const char* kClockPins =
    "    input  logic clk_i,\n    input  logic rst_ni,\n    output logic ready_o";
constexpr const char* kClockConnections =
    "        .clk_i(clk_i), .rst_ni(rst_ni), .ready_o(ready_o)";

bool is_of_request(const StructPort& port, const StructMember& member) {
    return member.is_input == port.takes_requests;
}

const char* suffix(bool is_input) { return is_input ? "_i" : "_o"; }

/// The pin with the request of a port, or with the response.
std::string struct_pin(const StructPort& port, bool is_request) {
    return fmt::format("{}_{}{}", port.prefix, is_request ? "req" : "rsp",
                       suffix(is_request == port.takes_requests));
}

std::string flat_pin(const StructPort& port, const StructMember& member) {
    return fmt::format("{}_{}{}", port.prefix, member.name, suffix(member.is_input));
}

std::string range(std::uint64_t bits) { return bits == 1 ? "" : fmt::format("[{}:0] ", bits - 1); }

std::string type_of(const StructTop& top, const StructPort& port, bool is_request) {
    return fmt::format("{}_pkg::{}_{}_t", top.name, port.type, is_request ? "req" : "rsp");
}

}  // namespace

std::string StructTop::package_text() const {
    std::string text = fmt::format(
        "// Requests and responses at the ports of {}, written by flitscope export.\n\n"
        "package {}_pkg;\n\n",
        name, name);
    std::set<std::string> written;
    for (const StructPort& port : ports) {
        if (!written.insert(port.type).second) continue;
        for (const bool is_request : {true, false}) {
            text += "    typedef struct packed {\n";
            for (const StructMember& member : port.members) {
                if (is_of_request(port, member) != is_request) continue;
                text += fmt::format("        logic {}{};\n", range(member.bits), member.name);
            }
            text += fmt::format("    }} {}_{}_t;\n\n", port.type, is_request ? "req" : "rsp");
        }
    }
    return text + "endpackage\n";
}

std::string StructTop::top_text() const {
    std::string text = fmt::format(
        "// {} with a request and a response per port, written by flitscope export.\n\nmodule {} "
        "(\n{}",
        fabric, name, kClockPins);
    std::string connections;
    for (const StructPort& port : ports) {
        for (const bool is_request : {true, false}) {
            text += fmt::format(",\n    {} {} {}",
                                is_request == port.takes_requests ? "input " : "output",
                                type_of(*this, port, is_request), struct_pin(port, is_request));
        }
        for (const StructMember& member : port.members) {
            connections += fmt::format(",\n        .{}({}.{})", flat_pin(port, member),
                                       struct_pin(port, is_of_request(port, member)), member.name);
        }
    }
    return text + fmt::format("\n);\n\n    {} i_fabric (\n{}{}\n    );\n\nendmodule\n", fabric,
                              kClockConnections, connections);
}

std::string StructTop::flat_text() const {
    std::string text = fmt::format(
        "// The pins of {} through the structs of {}, written by flitscope export.\n\n"
        "module {}_flat (\n{}",
        fabric, name, name, kClockPins);
    std::string body;
    std::string connections;
    for (const StructPort& port : ports) {
        for (const bool is_request : {true, false}) {
            const std::string pin = struct_pin(port, is_request);
            body += fmt::format("    {} {};\n", type_of(*this, port, is_request), pin);
            connections += fmt::format(",\n        .{0}({0})", pin);
        }
        for (const StructMember& member : port.members) {
            const std::string pin = flat_pin(port, member);
            text += fmt::format(",\n    {} logic {}{}", member.is_input ? "input " : "output",
                                range(member.bits), pin);
            const std::string field =
                fmt::format("{}.{}", struct_pin(port, is_of_request(port, member)), member.name);
            body += member.is_input ? fmt::format("    assign {} = {};\n", field, pin)
                                    : fmt::format("    assign {} = {};\n", pin, field);
        }
    }
    for (const std::string& signal : observed) {
        const std::string of = signal.substr(signal.rfind(' ') + 1);
        body += fmt::format("    {0};\n    assign {1} = i_top.i_fabric.{1};\n", signal, of);
    }
    return text + fmt::format("\n);\n\n{}\n    {} i_top (\n{}{}\n    );\n\nendmodule\n", body, name,
                              kClockConnections, connections);
}

std::string StructTop::instance(const std::string& instance_name) const {
    return fmt::format(
        "`ifdef FLITSCOPE_STRUCTS\n    {0}_flat {2} (\n`else\n    {1} {2} (\n`endif\n", name,
        fabric, instance_name);
}

}  // namespace flitscope
