// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `node`: how nodes and their interfaces send and receive.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "models/config/unit_values.h"

namespace flitscope {

/// node.port_model: what a node may send concurrently (hw/TIMING.md, "Port models"; the
/// communication models of Ziavras et al., Section 4).
enum class PortModel : std::uint8_t {
    kSingle = 0,       ///< one channel to the router, one from it
    kOneOutput = 1,    ///< over one channel (model 1 of the paper)
    kSameValue = 2,    ///< over several channels, the same value (model 2)
    kIndependent = 3,  ///< over all channels, different values (model 3)
};

/// The values, in the order of the enumeration; the default comes first.
inline constexpr std::array kPortModels{PortModel::kSingle, PortModel::kOneOutput,
                                        PortModel::kSameValue, PortModel::kIndependent};

/// The word that configurations and reports have for a value.
std::string name_of(PortModel model);

/// Flits per cycle as an exact fraction, 0 < numerator <= denominator.
struct Rate {
    std::uint32_t numerator = 1;
    std::uint32_t denominator = 1;

    /// Less than a flit in every cycle.
    bool is_slow() const { return numerator < denominator; }
};

/// Interfaces retransmit packets that are not acknowledged (hw/TIMING.md, "Faults while running").
struct RetransmitConfig {
    std::uint32_t timeout = 10'000;  ///< cycles from the injection of the tail
    std::uint32_t tries = 3;         ///< maximum number of retransmissions of a packet
};

struct NodeConfig {
    std::uint32_t send_overhead = 0;  ///< cycles
    std::uint32_t recv_overhead = 0;  ///< cycles
    Rate injection_bandwidth;
    std::uint64_t packet_bytes = 0;  ///< 0 = one packet per message
    std::uint32_t header_flits = 1;
    /// Whether the startup of a message begins only when the one before it has been assembled.
    bool serialize_overhead = false;
    PortModel port_model = PortModel::kSingle;
    std::optional<RetransmitConfig> retransmit;
    TimesInNs times_in_ns;  ///< of keys of `node`, in place of the cycles above (resolve_times())

    /// Packets are put together more slowly than channels take their flits.
    bool assembles() const {
        return injection_bandwidth.numerator != injection_bandwidth.denominator;
    }
    /// Every link has its own injection and ejection channel.
    bool has_channels_per_link() const { return port_model != PortModel::kSingle; }
};

}  // namespace flitscope
