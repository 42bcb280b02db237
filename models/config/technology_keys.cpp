// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/technology_keys.h"

#include <utility>

#include "models/config/config.h"
#include "models/config/key_kinds.h"

namespace flitscope {
namespace {

/// A key that is not written where it has its default.
ConfigKey unless_standard(ConfigKey key, std::string standard) {
    key.write = [write = key.write, standard](const Config& config) {
        std::string written = write(config);
        return written == standard ? std::string() : written;
    };
    key.shown_default = std::move(standard);
    return key;
}

ConfigKey library_key() {
    using namespace kinds;
    ConfigKey key = path_key("technology.library",
                             "cells in which routers and links are synthesized, where figures of "
                             "synthesis are asked for: a file in liberty format, or a name that "
                             "`flitscope doctor` lists or that PDK_ROOT or FLOW_HOME has a folder "
                             "for; --liberty",
                             at(&Config::technology, &TechnologyConfig::library));
    key.type = "name or file name";
    key.read = [file = key.read](const ConfigTree& value, Config& config,
                                 const ReadContext& context) {
        if (!value.is_scalar() || is_library_file(value.text) || value.text.empty()) {
            file(value, config, context);
        } else {
            config.technology.library = value.text;
        }
    };
    key.write = [file = key.write](const Config& config) {
        const std::string& library = config.technology.library;
        return is_library_file(library) ? file(config) : yaml_scalar(library);
    };
    return unless_standard(std::move(key), TechnologyConfig::kStandard);
}

ConfigKey corner_key() {
    using namespace kinds;
    const auto read = [](const ConfigTree& value, Config& config, const ReadContext& context) {
        if (auto text = read_text(value, context, "the name of a corner")) {
            config.technology.corner = std::move(*text);
        }
    };
    const auto write = [](const Config& config) {
        const std::string& corner = config.technology.corner;
        return corner.empty() ? corner : yaml_scalar(corner);
    };
    return {"technology.corner",
            "name",
            "any",
            "",
            "operating conditions of the library for timing and power, or the part of the name of "
            "the file beside it that has them (slow_1p08V_125C, or only slow); its default "
            "otherwise; --corner",
            read,
            write};
}

}  // namespace

ConfigKeys technology_keys() {
    using namespace kinds;
    ConfigKeys keys;
    keys.push_back(library_key());
    keys.push_back(corner_key());
    keys.push_back(unless_standard(
        enumeration(
            "technology.wires", "wire load", kWireLoads,
            "wires between the cells of a router, for its period, power and energies: none, "
            "those of the wire load models in the library, or a length per sink estimated "
            "from the size of the cells (hw/rtl/SYNTHESIS.md); --wires",
            at(&Config::technology, &TechnologyConfig::wires)),
        name_of(WireLoad::kNone)));
    keys.push_back(unless_standard(
        flag("technology.clock_gates",
             "clock gates of the library before registers of four bits and more with an enable, "
             "such as those of flits: less area, and no energy for clocking what does not change "
             "(hw/rtl/SYNTHESIS.md); --clock-gates",
             at(&Config::technology, &TechnologyConfig::clock_gates)),
        "false"));
    return keys;
}

}  // namespace flitscope
