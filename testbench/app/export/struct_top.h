// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Two structs per port of an exported fabric, a request and a response, over its flat pins: for
// designs that wire structs, and tools that read them (yosys 0.23 and Icarus Verilog 11 do not
// all).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flitscope {

/// A pin of a port, as the fabric sees it, and the member of a struct that it becomes.
struct StructMember {
    std::string name;  ///< without the _i or _o of the pin
    bool is_input = false;
    std::uint64_t bits = 1;
};

/// A port with the pins PREFIX_MEMBER_i and _o, of types TYPE_req_t and TYPE_rsp_t.
struct StructPort {
    std::string prefix;  ///< "node_05", "node_05_s_axi"
    std::string type;
    bool takes_requests = true;  ///< req_i and rsp_o, else the fabric makes requests
    std::vector<StructMember> members;
};

struct StructTop {
    std::string fabric;  ///< module with flat pins
    std::string name;    ///< of the top; NAME_pkg has the types
    /// Declarations of signals of `fabric` that its test bench reads.
    std::vector<std::string> observed;
    std::vector<StructPort> ports;

    /// The types.
    std::string package_text() const;
    /// The top.
    std::string top_text() const;
    /// NAME_flat, for the test bench: the pins of `fabric` again, but through the structs.
    std::string flat_text() const;
    /// The begin of an instance of `fabric` in the test bench, or of NAME_flat if the macro
    /// FLITSCOPE_STRUCTS is defined.
    std::string instance(const std::string& instance_name) const;
};

}  // namespace flitscope
