// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The settings of a machine.
#pragma once

#include <cstdint>
#include <optional>

#include "models/config/fabric_config.h"
#include "models/config/faults_config.h"
#include "models/config/node_config.h"
#include "models/config/packet_format.h"
#include "models/config/technology_config.h"

namespace flitscope {

/// How long a network takes for messages follows from these settings, whatever the messages are.
struct HardwareConfig {
    FabricConfig fabric;
    std::optional<FaultsConfig> faults;
    NodeConfig node;
    double clock_ns = 1;
    /// The period of the synthesized router is the clock's, instead of clock_ns
    /// (resolve_synthesized() gives it).
    bool clock_is_synthesized = false;
    TechnologyConfig technology;  ///< of figures of synthesis; a run depends on it only by these

    /// The delays of wires follow from the figures of the synthesized router, which
    /// resolve_synthesized() gives. Until then there is no graph.
    bool wires_need_synthesis() const {
        const LinkDelayConfig& wires = fabric.link_delay;
        return wires.is_physical() && (clock_is_synthesized || wires.pitch_is_derived);
    }
    PacketFormat packet_format() const {
        // The header of a circuit goes ahead and sets it up.
        const std::uint32_t header = fabric.switches_circuits() ? 0 : node.header_flits;
        return {fabric.flit_bits, header, node.packet_bytes};
    }
};

}  // namespace flitscope
