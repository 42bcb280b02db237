// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/run_keys.h"

#include <limits>
#include <utility>

#include "models/base/limits.h"
#include "models/config/config.h"
#include "models/config/key_kinds.h"
#include "models/config/technology_keys.h"

namespace flitscope {

namespace {

/// A number, or the word for the result of `flitscope synth`.
ConfigKey clock_key() {
    using namespace kinds;
    constexpr const char* kSynthesized = "synth";
    ConfigKey key = real("clock_ns", {0.001, 1e6}, "ns",
                         "clock period (SystemC time, as a virtual platform sees it, is rounded to "
                         "whole ps); `synth`: that of the synthesized router",
                         at(&Config::clock_ns));
    key.type = "number or `synth`";
    key.read = [number = key.read](const ConfigTree& value, Config& config,
                                   const ReadContext& context) {
        config.clock_is_synthesized = value.is_scalar() && value.text == kSynthesized;
        if (!config.clock_is_synthesized) number(value, config, context);
    };
    key.write = [number = key.write](const Config& config) {
        return config.clock_is_synthesized ? kSynthesized : number(config);
    };
    return key;
}

}  // namespace

ConfigKeys run_keys() {
    using namespace kinds;
    constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
    ConfigKeys keys;
    keys.push_back(integer("limits.max_cycles", {1, kLongTime}, "cycles",
                           "a run that is not done by then stops with exit code 3",
                           at(&Config::limits, &LimitsConfig::max_cycles)));
    keys.push_back(clock_key());
    for (ConfigKey& key : technology_keys()) keys.push_back(std::move(key));
    keys.push_back(
        integer("seed", {0, kLargest}, "", "seed of all random streams", at(&Config::seed)));
    return keys;
}

}  // namespace flitscope
