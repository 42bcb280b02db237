// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `fabric.link_delay`: the delay of flits on a wire.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace flitscope {

/// fabric.link_delay.model: the model of the delay of a wire (hw/TIMING.md, "Channels").
enum class LinkDelayModel : std::uint8_t {
    kConstant,  ///< nothing: every wire has the same
    kLinear,    ///< its length in node pitches
    kPhysical,  ///< its length in millimetres, and the clock
};

/// The values, in the order of the enumeration; the default comes first.
inline constexpr std::array kLinkDelayModels{LinkDelayModel::kConstant, LinkDelayModel::kLinear,
                                             LinkDelayModel::kPhysical};

/// The word that configurations and reports have for a value.
std::string name_of(LinkDelayModel model);

/// The longest delay that a wire may be given, in cycles: 2^20.
inline constexpr std::uint32_t kLongestDelay = 1U << 20;

struct LinkDelayConfig {
    LinkDelayModel model = LinkDelayModel::kConstant;
    std::uint32_t cycles = 1;  ///< constant: delay of every wire
    std::uint32_t reach = 1;   ///< linear: node pitches per cycle
    /// Physical: millimetres from a node to the next in its row, the width of its tile. Unknown
    /// until it is derived.
    double pitch_mm = 0;
    double row_pitch_mm = 0;  ///< from a row to the next, the height of the tile; 0: `pitch_mm`
    /// Physical: the tile is a square of the area of the synthesized router and `node_mm2`, instead
    /// of `pitch_mm` (resolve_synthesized() gives it).
    bool pitch_is_derived = false;
    double node_mm2 = 0;        ///< physical, derived: area of a tile without its router
    double ns_per_mm = 0.0585;  ///< physical: a wire with repeaters, linear in its length
    double pf_per_mm = 0.35;    ///< physical: capacitance charged by a wire transition

    bool is_physical() const { return model == LinkDelayModel::kPhysical; }
    double row_mm() const { return row_pitch_mm == 0 ? pitch_mm : row_pitch_mm; }
    bool has_square_tiles() const { return row_mm() == pitch_mm; }
    /// Physical: millimetres of a wire along that many rows and columns; 0 otherwise. A wire along
    /// none, between two routers at one place, has the width of a tile.
    double mm(double rows, double columns) const;
    /// Nanoseconds on a wire of `mm`.
    double ns(double mm) const { return mm * ns_per_mm; }
    /// Cycles of `clock_ns` on a wire of `length` tiles or, physical, of `mm`, at least 1; the
    /// largest number if they exceed it.
    std::uint32_t delay(std::uint32_t length, double mm, double clock_ns) const;
};

}  // namespace flitscope
