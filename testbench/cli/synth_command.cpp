// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/rtl_variant.h"
#include "models/base/stopwatch.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/interrupts.h"
#include "testbench/cli/progress_line.h"
#include "testbench/configuration/configuration.h"
#include "testbench/report/report.h"
#include "testbench/study/crew.h"
#include "testbench/study/syntheses.h"
#include "testbench/synth/router_estimate.h"
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

/// The router of a combination, whose part in what is wrong is said of --sweep.
hw::RtlVariant variant_of(const Options& options, const Combination& combination) {
    std::vector<std::string> overrides = options.overrides;
    overrides.insert(overrides.end(), combination.begin(), combination.end());
    try {
        return router_of(load_config(options.config, overrides));
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
        const hw::RtlVariant variant = variant_of(options, combination);
        const bool known = std::any_of(variants.begin(), variants.end(), [&](const auto& other) {
            return other.name() == variant.name();
        });
        if (!known) variants.push_back(variant);
    }
    return variants;
}

/// What is known, and estimates of the others.
std::vector<SynthesisResult> estimates(const std::vector<hw::RtlVariant>& variants,
                                       const SynthesisConditions& conditions) {
    std::vector<SynthesisResult> results;
    for (const hw::RtlVariant& variant : variants) {
        std::optional<SynthesisResult> result = cached_synthesis(variant, conditions);
        if (!result) {
            const std::vector<SynthesisResult> known = known_routers_like(variant, conditions);
            const std::size_t count = known.size();
            result = RouterEstimator(known).estimate(variant);
            if (!result) {
                throw ConfigError(
                    {"--estimate", 0, 0},
                    fmt::format("{} cannot be estimated: {} of its module, routing, router delay "
                                "and arbitration are known under these conditions",
                                variant.name(),
                                count == 0   ? "no routers"
                                : count == 1 ? "1 router"
                                             : fmt::format("{} routers", count)),
                    fmt::format("it takes {}, with smaller and larger ones than this: without "
                                "--estimate, flitscope synth --sweep makes them known",
                                RouterEstimator::kEnough));
            }
        }
        results.push_back(*std::move(result));
    }
    return results;
}

/// Synthesizes several at a time; what comes of them is in the cache then.
void synthesize_many(const std::vector<hw::RtlVariant>& variants,
                     const SynthesisConditions& conditions, unsigned processes) {
    watch_for_interrupts();
    StatusPace pace;
    const Stopwatch watch;
    const auto problems = study::synthesize_all(
        variants, conditions, {processes, is_interrupted, [&](std::size_t done, std::size_t total) {
                                   if (pace.is_due()) {
                                       show_status(fmt::format("{} of {} synthesized, {:.0f} s",
                                                               done, total, watch.seconds()));
                                   }
                               }});
    clear_status();
    if (!problems.empty()) throw std::runtime_error(problems.begin()->second);
}

/// One, with the stage that it is at.
SynthesisResult synthesize_one(const hw::RtlVariant& variant,
                               const SynthesisConditions& conditions) {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const char* stage = "";
    const SynthesisResult result =
        synthesize(variant, conditions, [&](const SynthesisProgress& progress) {
            if (progress.stage != stage || terminal) {
                std::cerr << fmt::format("{}{}: {}, {:.0f} s{}", terminal ? "\r" : "",
                                         progress.variant, progress.stage, progress.seconds,
                                         terminal ? "  " : "\n");
                stage = progress.stage;
            }
            return true;
        });
    if (terminal && !result.from_cache) std::cerr << '\n';
    return result;
}

std::vector<SynthesisResult> synthesized(const std::vector<hw::RtlVariant>& variants,
                                         const SynthesisConditions& conditions,
                                         unsigned processes) {
    std::vector<hw::RtlVariant> missing;
    for (const hw::RtlVariant& variant : variants) {
        if (!cached_synthesis(variant, conditions)) missing.push_back(variant);
    }
    if (missing.size() > 1) synthesize_many(missing, conditions, processes);
    std::vector<SynthesisResult> results;
    for (const hw::RtlVariant& variant : variants) {
        results.push_back(synthesize_one(variant, conditions));
        for (const hw::RtlVariant& one : missing) {
            if (one.name() == variant.name()) results.back().from_cache = false;
        }
    }
    return results;
}

}  // namespace

int synth_command(const Options& options) {
    const std::vector<hw::RtlVariant> variants = variants_of(options);
    SynthesisConditions conditions;
    conditions.period_ns = options.period_ns;
    conditions.input_activity = options.activity;
    conditions.library = options.liberty;
    conditions.corner = options.corner;
    std::vector<SynthesisResult> results;
    try {
        results = options.estimate ? estimates(variants, conditions)
                                   : synthesized(variants, conditions, processes(options));
    } catch (const SynthesisInterrupted& e) {
        std::cerr << "\nerror: " << e.what() << '\n';
        return kExitInterrupted;
    } catch (const study::Cancelled&) {
        clear_status();
        std::cerr << "error: interrupted; what was synthesized is kept\n";
        return kExitInterrupted;
    }
    if (options.json) {
        const Json json = {{"version", version()}, {"results", synthesis_json(results)}};
        std::cout << json_text(json) << '\n';
    } else if (options.markdown) {
        std::cout << markdown_table(results);
    } else {
        print_synthesis(std::cout, results);
    }
    return kExitOk;
}

}  // namespace flitscope::cli
