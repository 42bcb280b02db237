// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/unit_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/value_readers.h"
#include "models/config/workload_config.h"

namespace flitscope {

double whole_cycles(double ns, double clock_ns) {
    const double cycles = ns / clock_ns;
    // Of decimals that are whole cycles already.
    const double rounding = std::clamp(1e-15 * std::abs(cycles), 1e-9, 1e-3);
    return std::ceil(cycles - rounding) + 0.0;  // no -0
}

std::string TimeInNs::str() const { return fmt::format("{} ns", ns); }

std::string name_of(LoadUnit unit) {
    switch (unit) {
        case LoadUnit::kGbps:
            return "Gbit/s";
        case LoadUnit::kPerNs:
            return "/ns";
    }
    return {};
}

std::string UnitLoad::str() const { return fmt::format("{} {}", number, name_of(unit)); }

namespace kinds {
namespace {

/// A number and what stands behind it.
struct Measure {
    double number = 0;
    std::string_view unit;
};

/// Empty where the text does not begin with a number.
std::optional<Measure> to_measure(std::string_view text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
    const std::size_t unit = std::min(text.find_first_not_of(' ', end), text.size());
    const std::optional<double> number = to_real(text.substr(0, end));
    if (!number) return std::nullopt;
    return Measure{*number, text.substr(unit)};
}

constexpr std::string_view kOfSaturation = "of saturation";

/// What a load of 1 in the unit `name` is in `unit`.
struct OtherLoadUnit {
    const char* name;
    LoadUnit unit;
    double factor;
};

constexpr OtherLoadUnit kOtherLoadUnits[] = {
    {"Gb/s", LoadUnit::kGbps, 1},    {"Gbps", LoadUnit::kGbps, 1},
    {"gbps", LoadUnit::kGbps, 1},    {"GB/s", LoadUnit::kGbps, 8},
    {"GBps", LoadUnit::kGbps, 8},    {"Mbit/s", LoadUnit::kGbps, 1e-3},
    {"Mb/s", LoadUnit::kGbps, 1e-3}, {"Mbps", LoadUnit::kGbps, 1e-3},
    {"MB/s", LoadUnit::kGbps, 8e-3}, {"Tbit/s", LoadUnit::kGbps, 1e3},
    {"Tb/s", LoadUnit::kGbps, 1e3},  {"per ns", LoadUnit::kPerNs, 1},
    {"1/ns", LoadUnit::kPerNs, 1},   {"/us", LoadUnit::kPerNs, 1e-3},
    {"/s", LoadUnit::kPerNs, 1e-9},
};

}  // namespace

std::optional<double> to_ns(std::string_view text) {
    const std::optional<Measure> measure = to_measure(text);
    if (!measure || measure->unit != "ns") return std::nullopt;
    return measure->number;
}

std::optional<UnitLoad> to_load(std::string_view text) {
    const std::optional<Measure> measure = to_measure(text);
    if (!measure || measure->number <= 0) return std::nullopt;
    for (const LoadUnit unit : kLoadUnits) {
        if (measure->unit == name_of(unit)) return UnitLoad{measure->number, unit};
    }
    return std::nullopt;
}

std::optional<double> to_share(std::string_view text) {
    const std::optional<Measure> measure = to_measure(text);
    if (!measure || measure->number <= 0 || measure->unit != kOfSaturation) return std::nullopt;
    return measure->number;
}

std::string share_text(double share) { return fmt::format("{} {}", share, kOfSaturation); }

std::string load_hint(std::string_view text) {
    const std::optional<Measure> measure = to_measure(text);
    if (!measure) return {};
    for (const OtherLoadUnit& other : kOtherLoadUnits) {
        if (measure->unit != other.name) continue;
        return fmt::format("write {:.6g} {}", other.factor * measure->number, name_of(other.unit));
    }
    return {};
}

}  // namespace kinds

namespace {

bool is_of_traffic(const std::string& key) { return key.rfind("traffic.", 0) == 0; }

}  // namespace

TimesInNs& times_beside(WorkloadConfig& config, const std::string& key) {
    return is_of_traffic(key) ? config.traffic.times_in_ns : config.node.times_in_ns;
}

const TimesInNs& times_beside(const WorkloadConfig& config, const std::string& key) {
    return is_of_traffic(key) ? config.traffic.times_in_ns : config.node.times_in_ns;
}

namespace {

/// That a time is no number of cycles that its key may have.
Diagnostic unfit_time(const WorkloadConfig& config, const std::string& key, const TimeInNs& time,
                      double cycles) {
    return {config.where(key),
            fmt::format("'{}' of {} is {:.12g} cycles of {} ns, and must be {:.12g} to {:.12g}",
                        key, time.str(), cycles, config.clock_ns, time.least, time.most),
            cycles < time.least ? "a longer time" : "a shorter time"};
}

}  // namespace

void resolve_times(WorkloadConfig& config) {
    if (config.clock_is_synthesized) return;
    std::vector<Diagnostic> findings;
    for (const TimesInNs* const times : {&config.node.times_in_ns, &config.traffic.times_in_ns}) {
        for (const auto& [key, time] : *times) {
            const double cycles =
                time.is_whole ? whole_cycles(time.ns, config.clock_ns) : time.ns / config.clock_ns;
            if (cycles >= time.least && cycles <= time.most) {
                time.set(config, cycles);
            } else {
                findings.push_back(unfit_time(config, key, time, cycles));
            }
        }
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
}

}  // namespace flitscope
