// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The AXI4 ports of an exported fabric, pin by pin: where managers and subordinates are attached,
// by the section `interconnect`.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/config/interconnect_config.h"

namespace flitscope {

class Graph;
struct Machine;

inline constexpr std::uint32_t kAxiIdBits = 4;

/// A pin of an AXI port, as the manager sees it. Bridges take len, size, burst, cache and prot as
/// one vector.
struct AxiPin {
    const char* name;  ///< "awaddr"
    bool is_from_manager;
    const char* width = "1";
    bool has_id = false;      ///< an ID, which targets do not have
    bool is_control = false;  ///< a part of that vector

    /// "aw".
    std::string channel() const;
    bool is_handshake() const;
    /// "aw_addr": bridges and the test bench separate the channel.
    std::string bridge_name() const;
};

/// All of them, channel by channel.
const std::vector<AxiPin>& axi_pins();

/// A node with an AXI port.
struct AxiPort {
    NodeId node = 0;
    bool is_manager = false;  ///< a manager is attached, else a subordinate

    bool has(const AxiPin& pin) const { return is_manager || !pin.has_id; }
    bool is_input(const AxiPin& pin) const { return is_manager == pin.is_from_manager; }
    const char* suffix(const AxiPin& pin) const { return is_input(pin) ? "_i" : "_o"; }
    /// "node_05_s_axi_": the port is a subordinate's where a manager is attached.
    std::string prefix(const Graph& graph) const;
};

/// A port per initiator, then one per node of a target; a target may have several ranges.
std::vector<AxiPort> axi_ports(const InterconnectConfig& map);

std::uint64_t last_address(const InterconnectTarget& target);
/// Of all addresses, at least 32.
std::uint32_t axi_address_bits(const InterconnectConfig& map);

/// A constant of SystemVerilog with a field of `bits` bits for every range, that of the first one
/// lowest.
template <class Field>
std::string concatenated(const std::vector<InterconnectTarget>& ranges, std::uint32_t bits,
                         const Field& field) {
    std::string text;
    for (std::size_t i = ranges.size(); i-- > 0;) {
        text += fmt::format("{}'h{:x}{}", bits, field(ranges[i]), i == 0 ? "" : ", ");
    }
    return "{" + text + "}";
}

/// The begin of a module, up to the pins that all have.
std::string axi_module_head(const char* what, const Machine& machine, const char* module);
/// Another pin of it, named `name` but for its suffix; `width` is a number or an expression.
std::string axi_declaration(const AxiPort& port, const AxiPin& pin, const std::string& name,
                            const std::string& width);

}  // namespace flitscope
