// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/rtl_variant.h"
#include "testbench/cli/commands.h"
#include "testbench/configuration/configuration.h"
#include "testbench/energy/energy_report.h"
#include "testbench/report/report.h"
#include "testbench/synth/link_synthesis.h"
#include "testbench/synth/router_of.h"
#include "testbench/synth/synthesis_report.h"

namespace flitscope::cli {
namespace {

/// One way of setting the keys that are swept: overrides as for --set.
using Combination = std::vector<std::string>;

/// The values between commas; those in brackets, braces and quotes belong to a value.
std::vector<std::string> split_values(const std::string& text) {
    std::vector<std::string> values(1);
    std::size_t depth = 0;
    char quote = '\0';
    for (const char c : text) {
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        } else if (c == ',' && depth == 0) {
            values.emplace_back();
            continue;
        }
        values.back() += c;
    }
    return values;
}

std::vector<Combination> combinations(const std::vector<std::string>& sweeps) {
    std::vector<Combination> all(1);
    for (const std::string& sweep : sweeps) {
        const std::size_t equals = sweep.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == sweep.size()) {
            throw ConfigError({"--sweep " + sweep, 0, 0}, "this is not a key and its values",
                              "write KEY=VALUE,VALUE,...");
        }
        std::vector<Combination> longer;
        for (const Combination& before : all) {
            for (const std::string& value : split_values(sweep.substr(equals + 1))) {
                longer.push_back(before);
                longer.back().push_back(sweep.substr(0, equals + 1) + value);
            }
        }
        all = std::move(longer);
    }
    return all;
}

/// What `find` finds of a combination, whose part in what is wrong is said of --sweep.
template <class Find>
auto found_of(const Options& options, const Combination& combination, const Find& find) {
    std::vector<std::string> overrides = options.overrides;
    overrides.insert(overrides.end(), combination.begin(), combination.end());
    try {
        return find(load_config(options.config, overrides));
    } catch (const ConfigError& error) {
        std::vector<Diagnostic> findings = error.findings();
        for (Diagnostic& finding : findings) {
            for (const std::string& swept : combination) {
                if (finding.where.source == "--set " + swept) {
                    finding.where.source = "--sweep " + swept;
                }
            }
        }
        throw ConfigError(std::move(findings));
    }
}

/// The variants of all combinations, each once; every configuration is checked before the first
/// one is synthesized.
std::vector<hw::RtlVariant> variants_of(const Options& options) {
    std::vector<hw::RtlVariant> variants;
    for (const Combination& combination : combinations(options.sweeps)) {
        const hw::RtlVariant variant = found_of(options, combination, router_of);
        const bool known = std::any_of(variants.begin(), variants.end(), [&](const auto& other) {
            return other.name() == variant.name();
        });
        if (!known) variants.push_back(variant);
    }
    return variants;
}

/// The links of all combinations, each variant once.
std::vector<LinkVariant> links_of_all(const Options& options) {
    std::map<std::string, LinkVariant> links;
    for (const Combination& combination : combinations(options.sweeps)) {
        for (const LinkVariant& variant : found_of(options, combination, links_of).variants()) {
            links.emplace(variant.name(), variant);
        }
    }
    std::vector<LinkVariant> all;
    for (const auto& [name, variant] : links) all.push_back(variant);
    return all;
}

}  // namespace

int synth_command(const Options& options) {
    const std::vector<hw::RtlVariant> variants = variants_of(options);
    SynthesisConditions conditions;
    conditions.period_ns = options.period_ns;
    conditions.input_activity = options.activity;
    conditions.library = options.liberty;
    conditions.corner = options.corner;
    const bool terminal = isatty(STDERR_FILENO) != 0;
    std::vector<SynthesisResult> results;
    std::vector<EnergyOfVariant> energies;
    std::vector<LinkArea> links;
    try {
        for (const hw::RtlVariant& variant : variants) {
            const char* stage = "";
            const std::size_t number = results.size() + 1;
            const auto show = [&](const SynthesisProgress& progress) {
                if (progress.stage != stage || terminal) {
                    std::cerr << fmt::format("{}{} ({} of {}): {}, {:.0f} s{}",
                                             terminal ? "\r" : "", progress.variant, number,
                                             variants.size(), progress.stage, progress.seconds,
                                             terminal ? "  " : "\n");
                    stage = progress.stage;
                }
                return true;
            };
            results.push_back(synthesize(variant, conditions, show));
            if (options.energy) {
                energies.push_back({variant, router_energy(variant, conditions, show)});
            }
            const bool is_kept = results.back().from_cache &&
                                 (energies.empty() || energies.back().energy.from_cache);
            if (terminal && !is_kept) std::cerr << '\n';
        }
        // Of the library whose figures others look up.
        if (conditions.library == SynthesisConditions().library) {
            for (const LinkVariant& variant : links_of_all(options)) {
                links.push_back({variant, synthesize_link(variant)});
            }
        }
    } catch (const SynthesisInterrupted& e) {
        std::cerr << "\nerror: " << e.what() << '\n';
        return kExitInterrupted;
    }
    if (options.json) {
        Json json = {{"version", version()},
                     {"results", synthesis_json(results)},
                     {"links", links_json(links)}};
        for (std::size_t i = 0; i < energies.size(); ++i) {
            json["results"][i]["energy"] = router_energy_json(energies[i].energy);
        }
        std::cout << json_text(json) << '\n';
    } else if (options.markdown) {
        std::cout << (options.energy ? energy_markdown_table(energies) : markdown_table(results));
    } else {
        print_synthesis(std::cout, results);
        print_links(std::cout, links);
        if (options.energy) std::cout << '\n';
        print_energies(std::cout, energies);
    }
    return kExitOk;
}

}  // namespace flitscope::cli
