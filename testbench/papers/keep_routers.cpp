// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthesizes the routers whose clocks `flitscope reproduce` counts in, those of the networks in
// testbench/papers/kept/routers.csv, and writes that file. Called by testbench/tools/reproduce.sh.
// What was synthesized before takes no time; all of it anew some ten minutes.
#include <fmt/format.h>

#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

#include "models/config/config.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/gate_synthesis/synthesis.h"
#include "testbench/papers/framework/paper.h"
#include "testbench/papers/framework/routers.h"
#include "testbench/papers/papers.h"

namespace flitscope::reproduce {
namespace {

std::map<std::string, std::string> configurations() {
    std::map<std::string, std::string> by_key;
    for (const Paper& paper : papers()) {
        for (const Experiment& one : paper.experiments()) by_key[one.key] = one.yaml;
    }
    return by_key;
}

void write_routers(std::ostream& out) {
    const std::map<std::string, std::string> configs = configurations();
    out << "network,experiment,variant,period_ns,area_um2\n";
    for (const NetworkRouter& kept : kept_routers()) {
        const auto config = configs.find(kept.experiment);
        if (config == configs.end()) {
            throw std::runtime_error(fmt::format("kept/routers.csv: {} has no experiment {}",
                                                 kept.network, kept.experiment));
        }
        std::cerr << kept.network << '\n';
        const SynthesisResult result =
            synthesize(router_with_most_turns(parse_config(config->second, kept.experiment)), {});
        out << fmt::format("{},{},{},{},{}\n", kept.network, kept.experiment, result.variant.name(),
                           result.min_period_ns, result.area_um2);
    }
}

}  // namespace
}  // namespace flitscope::reproduce

extern "C" int sc_main(int, char**) { return 0; }  // libsystemc refers to it

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: keep_routers OUTPUT\n";
        return 2;
    }
    try {
        std::ofstream out(argv[1]);
        flitscope::reproduce::write_routers(out);
        return out.flush() ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "error: keep_routers: " << error.what() << '\n';
        return 1;
    }
}
