// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Values that a configuration gives in units of the world outside the machine: times in
// nanoseconds, loads as payload in Gbit/s or as messages per ns. What they are in cycles and flits
// follows from the clock, the width of a flit and the format of packets. They are kept as they were
// given, so that they stay what they are when one of these changes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace flitscope {

struct WorkloadConfig;

/// Whole cycles of `clock_ns` that last no less than `ns`.
double whole_cycles(double ns, double clock_ns);

/// A time in ns in place of a number of cycles.
struct TimeInNs {
    double ns = 0;
    double least = 0;  ///< cycles that the key may have, and
    double most = 0;
    bool is_whole = true;  ///< rounded up to whole cycles
    std::function<void(WorkloadConfig&, double cycles)> set;

    std::string str() const;  ///< "40 ns"
};

/// By key: "node.send_overhead".
using TimesInNs = std::map<std::string, TimeInNs>;

enum class LoadUnit : std::uint8_t {
    kGbps,   ///< payload in Gbit/s, replies included
    kPerNs,  ///< messages per ns; with replies those of requests
};

inline constexpr std::array kLoadUnits{LoadUnit::kGbps, LoadUnit::kPerNs};

/// "Gbit/s" or "/ns".
std::string name_of(LoadUnit unit);

/// Load of a node that generates traffic.
struct UnitLoad {
    double number = 0;  ///< above 0
    LoadUnit unit = LoadUnit::kGbps;

    std::string str() const;  ///< "6.4 Gbit/s"
};

namespace kinds {

/// The nanoseconds of a text such as "40 ns"; empty for every other text.
std::optional<double> to_ns(std::string_view text);

/// The load of a text such as "6.4 Gbit/s" or "0.02 /ns"; empty for every other text.
std::optional<UnitLoad> to_load(std::string_view text);

/// The share of a text such as "0.3 of saturation", above 0; empty for every other text.
std::optional<double> to_share(std::string_view text);
std::string share_text(double share);

/// "6.4 Gbit/s" for a load in a unit that is spelt or scaled in another way, such as 6.4Gbps or
/// 0.8 GB/s; empty if the text is none.
std::string load_hint(std::string_view text);

}  // namespace kinds

/// The times of the section that `key` is in, `node` or `traffic`.
TimesInNs& times_beside(WorkloadConfig& config, const std::string& key);
const TimesInNs& times_beside(const WorkloadConfig& config, const std::string& key);

/// Puts cycles in place of the times in ns. Before resolve_synthesized() has given a synthesized
/// clock there are none, and nothing changes. Throws ConfigError for a time that is more or less
/// cycles than its key may have.
void resolve_times(WorkloadConfig& config);

}  // namespace flitscope
