// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/technology_config.h"

namespace flitscope {

std::string name_of(WireLoad wires) {
    switch (wires) {
        case WireLoad::kNone:
            return "none";
        case WireLoad::kLibrary:
            return "library";
        case WireLoad::kFanout:
            return "fanout";
    }
    return {};
}

std::string TechnologyConfig::text() const {
    std::string words = library;
    if (!corner.empty()) words += ", corner " + corner;
    if (wires != WireLoad::kNone) words += ", wires " + name_of(wires);
    if (clock_gates) words += ", clock gates";
    return words;
}

bool is_library_file(const std::string& library) {
    return library.find_first_of("./") != std::string::npos;
}

}  // namespace flitscope
