// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <utility>
#include <vector>

#include "testbench/cli/commands.h"
#include "testbench/configuration/configuration.h"
#include "testbench/report/comparison.h"
#include "testbench/report/report.h"
#include "testbench/synth/router_of.h"

namespace flitscope::cli {
namespace {

std::vector<Contender> contenders(const Options& options) {
    if (options.nodes != 0) return usual_networks(options.nodes, options.overrides);
    std::vector<Contender> result;
    std::vector<Diagnostic> findings;
    for (const std::string& path : options.configs) {
        try {
            result.push_back({std::filesystem::path(path).stem().string(),
                              load_config(path, options.overrides)});
        } catch (const ConfigError& error) {
            findings.insert(findings.end(), error.findings().begin(), error.findings().end());
        }
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    return result;
}

/// The clock counts for wires alone here, so that no other router need have been synthesized.
std::vector<Contender> with_known_wires(std::vector<Contender> contenders) {
    std::vector<Diagnostic> findings;
    for (Contender& contender : contenders) {
        if (!contender.config.wires_need_synthesis()) continue;
        try {
            resolve_synthesized(contender.config);
        } catch (const ConfigError& error) {
            findings.insert(findings.end(), error.findings().begin(), error.findings().end());
        }
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    return contenders;
}

}  // namespace

int compare_command(const Options& options) {
    if (options.nodes == 0 && options.configs.empty()) {
        throw ConfigError({"compare", 0, 0}, "nothing to compare",
                          "name configuration files, or a number of nodes with --nodes");
    }
    const Json rows = compare_networks(with_known_wires(contenders(options)));
    if (options.csv) {
        write_comparison_csv(std::cout, rows);
    } else if (options.json) {
        const Json json = {{"version", version()}, {"networks", rows}};
        std::cout << json_text(json) << '\n';
    } else {
        print_comparison(std::cout, rows);
    }
    return kExitOk;
}

}  // namespace flitscope::cli
