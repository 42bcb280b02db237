// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys whose values are cycles, or times in ns, which become cycles once the clock is known
// (resolve_times()).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "models/config/config.h"
#include "models/config/key_kinds.h"
#include "models/config/unit_values.h"
#include "models/config/value_readers.h"

namespace flitscope::kinds {

/// `key`, a number of cycles between `least` and `most`, or a time in ns, which is rounded up to
/// whole cycles if the field is an integer.
template <class Field>
ConfigKey or_time(ConfigKey key, double least, double most, Field field) {
    key.type += " or time";
    key.range += "; 40 ns";
    key.read = [=, path = key.path, number = std::move(key.read)](
                   const ConfigTree& value, Config& config, const ReadContext& context) {
        using Number = std::decay_t<decltype(field(config))>;
        TimesInNs& times = times_beside(config, path);
        times.erase(path);
        const auto ns = value.is_scalar() ? to_ns(value.text) : std::nullopt;
        if (!ns || (*ns < 0 && least >= 0)) {
            const std::size_t before = context.findings.size();
            number(value, config, context);
            if (context.findings.size() > before) add_time_hint(value, context.findings.back());
            return;
        }
        static_cast<void>(field(config));  // which opens its section
        const auto set = [field](WorkloadConfig& in, double cycles) {
            field(in) = static_cast<Number>(cycles);
        };
        times[path] = {*ns, least, most, std::is_integral_v<Number>, set};
    };
    key.write = [path = key.path, number = std::move(key.write)](const Config& config) {
        const TimesInNs& times = times_beside(config, path);
        const auto time = times.find(path);
        return time == times.end() ? number(config) : time->second.str();
    };
    return key;
}

/// A whole number of cycles, or a time.
template <class Field>
ConfigKey cycles(std::string path, IntegerRange range, std::string meaning, Field field) {
    return or_time(integer(std::move(path), range, "cycles", std::move(meaning), field),
                   static_cast<double>(range.low), static_cast<double>(range.high), field);
}

/// A number of cycles that need not be whole, or a time.
template <class Field>
ConfigKey real_cycles(std::string path, RealRange range, std::string meaning, Field field) {
    return or_time(real(std::move(path), range, "cycles", std::move(meaning), field), range.low,
                   range.high, field);
}

}  // namespace flitscope::kinds
