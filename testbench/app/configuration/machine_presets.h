// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Machines of the papers as presets: a table of defaults for configuration keys, each with the
// place that its value comes from. A configuration names one with `machine`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config_table.h"
#include "models/config/traffic_config.h"

namespace flitscope {

/// A key that has another default on a machine.
struct PresetValue {
    std::string key;       ///< "node.send_overhead"
    std::string value;     ///< as YAML
    std::string quantity;  ///< the values in physical units; may be empty
    std::string source;    ///< publication and place, or what it was fitted to
};

/// Networks that the machine was built with.
struct PresetLimits {
    std::string kind;                  ///< topology kind; empty: any
    std::vector<std::uint32_t> sides;  ///< mesh: the most nodes per dimension
    std::uint32_t dimensions = 0;      ///< hypercube: the most dimensions
    std::string source;
};

struct MachinePreset {
    std::string name;
    std::string summary;  ///< one line
    PresetLimits limits;
    std::vector<PresetValue> values;
    /// The cost of a barrier if the configuration asks for one without a cost; the keys are
    /// traffic.barrier.per_doubling and traffic.barrier.fixed.
    BarrierConfig barrier;
    std::string barrier_quantity;
    std::string barrier_source;
};

/// All machines, `ideal` first: it changes no default.
const std::vector<MachinePreset>& machine_presets();

/// The machine called `name`, or nullptr.
const MachinePreset* find_machine_preset(const std::string& name);

/// The key `machine`, and each machine as a preset of the table.
ConfigKeys machine_keys();
std::vector<ConfigPreset> machine_config_presets();

/// Checks that the network is one that the machine was built with. Must come after the rule of
/// topologies, whose sizes it takes back if it is not.
void check_machine(RuleContext& context);

/// The tables of all machines (Markdown): key, value, quantity, source.
std::string preset_reference();

}  // namespace flitscope
