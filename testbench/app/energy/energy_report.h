// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The energies of routers for the user: a table, JSON, Markdown for the docs.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbench/app/energy/router_energy.h"

namespace flitscope {

struct EnergyOfVariant {
    hw::RtlVariant variant;
    RouterEnergy energy;
};

/// The conditions of the figures, in one line.
std::string energy_conditions_text(const std::vector<EnergyOfVariant>& all);

/// Prints one row per router, and the conditions below.
void print_energies(std::ostream& out, const std::vector<EnergyOfVariant>& all);

nlohmann::ordered_json router_energy_json(const RouterEnergy& energy);

/// The table in Markdown, sorted like that of markdown_table().
std::string energy_markdown_table(std::vector<EnergyOfVariant> all);

}  // namespace flitscope
