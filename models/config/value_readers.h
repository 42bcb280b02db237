// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads values of configurations and of other texts that users write: each is of the required kind,
// or there is a finding on it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/config_table.h"
#include "models/config/node_config.h"

namespace flitscope::kinds {

using Names = std::vector<std::string>;

bool is_digits(std::string_view text);

/// A decimal integer without sign; empty if it is not one or needs more than 64 bits.
std::optional<std::uint64_t> to_unsigned(std::string_view text);

/// A decimal number, finite; empty for everything else that a C library would take.
std::optional<double> to_real(std::string_view text);

/// What to write instead of a number in quotes, in percent or with a unit; else empty.
std::string real_hint(const ConfigTree& value, const std::string& unit);

/// Gives the finding on a number of cycles the hint how a time in another unit, such as 4 us, is
/// written in ns.
void add_time_hint(const ConfigTree& value, Diagnostic& finding);

/// Whether a hardware description can call a module so.
bool is_identifier(std::string_view text);

/// Adds the finding that the value is not as `expected`.
void mistyped(const ConfigTree& value, const ReadContext& context, const std::string& expected,
              std::string hint = {});

struct IntegerRange {
    std::uint64_t low;
    std::uint64_t high;
    std::uint64_t step = 1;

    std::string str() const {
        const std::string all = fmt::format("{} to {}", low, high);
        return step == 1 ? all : fmt::format("{}, multiple of {}", all, step);
    }
    std::string expected() const {
        return step == 1 ? fmt::format("an integer from {} to {}", low, high)
                         : fmt::format("a multiple of {} from {} to {}", step, low, high);
    }
    bool holds(std::uint64_t value) const {
        return value >= low && value <= high && value % step == 0;
    }
};

std::optional<std::uint64_t> read_integer(const ConfigTree& value, const ReadContext& context,
                                          const IntegerRange& range, const std::string& unit = {});

/// The entries of a list, each in `range`, whose length is in `length`.
std::vector<std::uint64_t> read_integers(const ConfigTree& value, const ReadContext& context,
                                         const IntegerRange& range, const IntegerRange& length);

std::optional<std::string> read_text(const ConfigTree& value, const ReadContext& context,
                                     const std::string& expected);

/// One word of `choices`; `noun` names their kind.
std::optional<std::string> read_choice(const ConfigTree& value, const ReadContext& context,
                                       const std::string& noun, const Names& choices);

/// The name of a module.
std::optional<std::string> read_identifier(const ConfigTree& value, const ReadContext& context);

/// The name of a file: relative ones are resolved against the folder of the configuration, those of
/// the command line against the current directory.
std::optional<std::string> read_path(const ConfigTree& value, const ReadContext& context);

/// Absolute, so that the written configuration can be loaded from any folder; but "./name", which
/// read_path() never gives, stays: a file in the folder of the written configuration.
std::string written_path(const std::string& path);

std::optional<Rate> read_rate(const ConfigTree& value, const ReadContext& context);

std::optional<bool> read_switch(const ConfigTree& value, const ReadContext& context,
                                const std::string& expected);

}  // namespace flitscope::kinds
