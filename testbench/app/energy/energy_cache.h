// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Energies in the cache of synthesis results: a file in the entry of the netlist that they are of,
// and so gone when that is.
#pragma once

#include <optional>
#include <string>

#include "testbench/app/energy/router_energy.h"

namespace flitscope {

/// The energies in the entry `folder`, made from `inputs` (a digest of what else they depend on);
/// nothing if it has none that can be read.
std::optional<RouterEnergy> find_energy(const std::string& folder, const std::string& inputs);

/// Stores them there, whole or not at all. Throws ConfigError or std::runtime_error if that is not
/// possible.
void keep_energy(const std::string& folder, const std::string& inputs, const RouterEnergy& energy);

}  // namespace flitscope
