// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/energy/energy_cache.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "models/base/file_text.h"
#include "models/base/output_file.h"

namespace flitscope {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFile = "/energy.json";
constexpr const char* kInputs = "inputs";

/// Calls `visit` with the name of every figure and where it is.
template <class Energy, class Visit>
void for_each_figure(Energy& energy, Visit visit) {
    visit("write_pj", energy.write_pj);
    visit("read_pj", energy.read_pj);
    visit("cross_pj", energy.cross_pj);
    visit("arbitrate_pj", energy.arbitrate_pj);
    visit("start_pj", energy.start_pj);
    visit("idle_pj", energy.idle_pj);
    visit("leakage_mw", energy.leakage_mw);
    visit("link_flit_pj", energy.link.flit_pj);
    visit("link_idle_pj", energy.link.idle_pj);
    visit("link_leakage_mw", energy.link.leakage_mw);
    visit("further_flit_pj", energy.further.flit_pj);
    visit("further_idle_pj", energy.further.idle_pj);
    visit("further_leakage_mw", energy.further.leakage_mw);
    visit("wire_toggles", energy.wire_toggles);
    visit("start_toggles", energy.start_toggles);
    visit("voltage", energy.voltage);
    visit("error", energy.error);
    visit("active_error", energy.active_error);
    visit("seconds", energy.seconds);
}

}  // namespace

std::optional<RouterEnergy> find_energy(const std::string& folder, const std::string& inputs) {
    RouterEnergy energy;
    energy.from_cache = true;
    try {
        const auto json = ordered_json::parse(file_text(folder + kFile).value_or(""));
        if (json.at(kInputs) != inputs) return std::nullopt;
        for_each_figure(energy,
                        [&](const char* name, double& figure) { json.at(name).get_to(figure); });
        return energy;
    } catch (const ordered_json::exception&) {  // none there, or none that can be read
        return std::nullopt;
    }
}

void keep_energy(const std::string& folder, const std::string& inputs, const RouterEnergy& energy) {
    ordered_json json;
    json[kInputs] = inputs;
    for_each_figure(energy, [&](const char* name, double figure) { json[name] = figure; });
    write_whole_file(folder + kFile, [&](std::ostream& out) { out << json.dump(2) << '\n'; });
}

}  // namespace flitscope
