// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `technology`: in which cells, and with which wires, routers and links are priced.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>

namespace flitscope {

/// technology.wires: what the wires between the cells of a router add to their loads.
enum class WireLoad : std::uint8_t {
    kNone,     ///< nothing
    kLibrary,  ///< what the wire load models of the library say
    kFanout    ///< a length per sink, estimated from the number and the size of the cells
};

/// In the order of the enumeration; the default comes first.
inline constexpr std::array kWireLoads{WireLoad::kNone, WireLoad::kLibrary, WireLoad::kFanout};

/// The word that configurations and reports have for a value.
std::string name_of(WireLoad wires);

struct TechnologyConfig {
    static constexpr const char* kStandard = "osu018";

    std::string library = kStandard;  ///< a name, or a file in liberty format
    std::string corner;  ///< its operating conditions, or a file beside it; may be empty
    WireLoad wires = WireLoad::kNone;

    bool is_standard() const {
        return library == kStandard && corner.empty() && wires == WireLoad::kNone;
    }
    /// "ihp-sg13g2, corner slow, wires fanout".
    std::string text() const;
};
inline bool operator<(const TechnologyConfig& a, const TechnologyConfig& b) {
    return std::tie(a.library, a.corner, a.wires) < std::tie(b.library, b.corner, b.wires);
}
inline bool operator==(const TechnologyConfig& a, const TechnologyConfig& b) {
    return std::tie(a.library, a.corner, a.wires) == std::tie(b.library, b.corner, b.wires);
}
inline bool operator!=(const TechnologyConfig& a, const TechnologyConfig& b) { return !(a == b); }

/// Whether `library` says a file, not a name: it has a dot or a slash.
bool is_library_file(const std::string& library);

}  // namespace flitscope
