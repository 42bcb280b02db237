// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `technology`: in which cells, with which wires, and with or without clock gates,
// routers and links are priced.
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
    bool clock_gates = false;  ///< wide registers with an enable are clocked only when it is set

    bool is_standard() const { return *this == TechnologyConfig(); }
    /// "ihp-sg13g2, corner slow, wires fanout, clock gates".
    std::string text() const;

    bool operator<(const TechnologyConfig& other) const { return fields() < other.fields(); }
    bool operator==(const TechnologyConfig& other) const { return fields() == other.fields(); }
    bool operator!=(const TechnologyConfig& other) const { return !(*this == other); }

private:
    std::tuple<const std::string&, const std::string&, WireLoad, bool> fields() const {
        return {library, corner, wires, clock_gates};
    }
};

/// Whether `library` says a file, not a name: it has a dot or a slash.
bool is_library_file(const std::string& library);

}  // namespace flitscope
