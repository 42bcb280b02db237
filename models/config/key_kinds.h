// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of values that a configuration key can have: how each is read, checked and written.
// Owners make their part of the table (config_table.h) of them.
#pragma once

#include "models/config/config_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace flitscope::kinds {

inline constexpr std::uint64_t kLargestDenominator = 1'000'000;
inline constexpr std::uint64_t kLargestBytes = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kMostEntries = kMaxConfigBytes;  ///< of a list

using Names = std::vector<std::string>;

inline void mistyped(const ConfigTree& value, const ReadContext& context,
                     const std::string& expected, std::string hint = {}) {
    context.findings.push_back(
        {value.where,
         fmt::format("'{}' must be {}, found {}", context.name, expected, value.found()),
         std::move(hint)});
}

inline bool is_digits(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A decimal integer without sign; empty when it is none or needs more than 64 bits.
inline std::optional<std::uint64_t> to_unsigned(std::string_view text) {
    std::uint64_t result = 0;
    if (!is_digits(text)) return std::nullopt;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), result);
    if (parsed.ec != std::errc{}) return std::nullopt;
    return result;
}

/// A decimal number, finite; empty for everything else that a C library would take.
inline std::optional<double> to_real(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    if (text.empty() || text.find_first_not_of("0123456789.eE+-") != text.npos) {
        return std::nullopt;
    }
    double result = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, result);
    if (parsed.ec != std::errc{} || parsed.ptr != end || !std::isfinite(result)) {
        return std::nullopt;
    }
    return result;
}

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

/// A hint for a number with a unit, such as 4KB: what to write instead. Empty if `text` is no such
/// number.
inline std::string unit_hint(const std::string& text, const std::string& unit) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::size_t begin = std::min(text.find_first_not_of(' ', end), text.size());
    const auto number = to_unsigned(std::string_view(text).substr(0, end));
    std::string suffix = text.substr(begin);
    const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
    if (!number || suffix.empty() || unit.empty() ||
        !std::all_of(suffix.begin(), suffix.end(), is_letter)) {
        return {};
    }
    if (unit == "bytes") {
        constexpr std::string_view kPrefixes = "KMG";
        const std::size_t power = kPrefixes.find(
            static_cast<char>(std::toupper(static_cast<unsigned char>(suffix.front()))));
        const std::string rest = suffix.substr(1);
        const bool is_size = rest.empty() || rest == "B" || rest == "b" || rest == "iB";
        if (power != kPrefixes.npos && is_size && *number < (std::uint64_t{1} << 30)) {
            return fmt::format("sizes are bytes: write {}", *number << (10 * (power + 1)));
        }
    }
    return fmt::format("the unit is {}: write the number alone", unit);
}

inline std::string integer_hint(const ConfigTree& value, const std::string& unit) {
    if (!value.is_scalar()) return {};
    if (value.quoted) return is_digits(value.text) ? "remove the quotes" : "";
    if (is_digits(value.text) && value.text.size() > 1 && value.text.front() == '0') {
        return "write it without leading zeros";  // YAML 1.1 would read it as octal
    }
    const bool marked = value.text.find_first_of("xX_") != std::string::npos;
    return marked && value.text.find_first_of("0123456789") == 0 ? "write decimal digits only"
                                                                 : unit_hint(value.text, unit);
}

inline std::optional<std::uint64_t> read_integer(const ConfigTree& value,
                                                 const ReadContext& context,
                                                 const IntegerRange& range,
                                                 const std::string& unit = {}) {
    const std::string hint = integer_hint(value, unit);
    const bool plain = value.is_scalar() && !value.quoted && hint.empty();
    const std::optional<std::uint64_t> number = plain ? to_unsigned(value.text) : std::nullopt;
    if (number && range.holds(*number)) return number;
    mistyped(value, context, range.expected(), hint);
    return std::nullopt;
}

/// The entries that are in `range`, of a list whose length is in `length`.
inline std::vector<std::uint64_t> read_integers(const ConfigTree& value, const ReadContext& context,
                                                const IntegerRange& range,
                                                const IntegerRange& length) {
    std::vector<std::uint64_t> list;
    if (!value.is_sequence()) {
        mistyped(value, context, "a list of integers", "write [1, 2]");
        return list;
    }
    if (!length.holds(value.children.size())) {
        context.findings.push_back({value.where,
                                    fmt::format("'{}' must have {} entries, found {}", context.name,
                                                length.str(), value.children.size()),
                                    ""});
        return list;
    }
    for (std::size_t i = 0; i < value.children.size(); ++i) {
        const ReadContext entry{fmt::format("{}[{}]", context.name, i), context.folder,
                                context.findings};
        const auto number = read_integer(value.children[i], entry, range);
        if (number) list.push_back(*number);
    }
    return list;
}

inline std::optional<std::string> read_text(const ConfigTree& value, const ReadContext& context,
                                            const std::string& expected) {
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    if (value.is_scalar() && !value.text.empty() &&
        std::none_of(value.text.begin(), value.text.end(), is_control)) {
        return value.text;
    }
    mistyped(value, context, expected);
    return std::nullopt;
}

/// The field of a key as a function of the configuration, const or not.
template <class... Members>
auto at(Members... members) {
    return [=](auto& config) -> auto& { return (config.*....*members); };
}

/// The field `member` of a section that need not be there, std::optional as `section` finds it:
/// read where there is none it has its default, written it opens the section.
template <class Section, class Member>
auto in_section(Section section, Member member) {
    return [=](auto& config) -> auto& {
        auto& values = section(config);
        if constexpr (std::is_const_v<std::remove_reference_t<decltype(config)>>) {
            using Values = typename std::decay_t<decltype(values)>::value_type;
            static const Values kDefaults;
            const Values* const set = values ? &*values : &kDefaults;
            return set->*member;
        } else {
            if (!values) values.emplace();
            return (*values).*member;
        }
    };
}

/// One word of `choices`; `noun` is what they are.
inline std::optional<std::string> read_choice(const ConfigTree& value, const ReadContext& context,
                                              const std::string& noun, const Names& choices) {
    auto text = read_text(value, context, fmt::format("one of {}", fmt::join(choices, ", ")));
    if (!text || std::find(choices.begin(), choices.end(), *text) != choices.end()) return text;
    context.findings.push_back({value.where, fmt::format("unknown {} '{}'", noun, excerpt(*text)),
                                suggest_choice(*text, choices)});
    return std::nullopt;
}

/// The names of the values of an enumeration.
template <class Values>
Names names_of(const Values& values) {
    Names names;
    for (const auto value : values) names.push_back(name_of(value));
    return names;
}

/// One of the `values` of an enumeration, by its name_of().
template <class Values>
std::optional<typename Values::value_type> read_enumeration(const ConfigTree& value,
                                                            const ReadContext& context,
                                                            const std::string& noun,
                                                            const Values& values) {
    const auto text = read_choice(value, context, noun, names_of(values));
    return text ? value_named(values, *text) : std::nullopt;
}

/// Whether a hardware description can call a module so.
inline bool is_identifier(std::string_view text) {
    const auto is_part = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), is_part) &&
           !is_digits(text.substr(0, 1));
}

/// The name of a module.
inline std::optional<std::string> read_identifier(const ConfigTree& value,
                                                  const ReadContext& context) {
    constexpr std::size_t kLongest = 128;  // names of files are made of it
    if (!value.is_scalar() || !is_identifier(value.text)) {
        mistyped(value, context,
                 "a name of letters, digits and underscores that begins with no digit");
        return std::nullopt;
    }
    if (value.text.size() > kLongest) {
        mistyped(value, context, fmt::format("a name of at most {} characters", kLongest));
        return std::nullopt;
    }
    return value.text;
}

/// The name of a file: relative ones begin at the folder of the configuration, those of the command
/// line where that was given.
inline std::optional<std::string> read_path(const ConfigTree& value, const ReadContext& context) {
    if (!value.is_scalar() || value.text.empty()) {
        mistyped(value, context, "a file name");
        return std::nullopt;
    }
    const std::filesystem::path file(value.text);  // with any character that a folder may have
    const bool resolve = file.is_relative() && !value.from_command_line();
    const std::filesystem::path full = resolve ? context.folder / file : file;
    return full.lexically_normal().string();
}

/// Absolute, so that the written configuration can be loaded from any folder.
inline std::string written_path(const std::string& path) {
    if (path.empty()) return "";
    std::error_code failed;
    const auto full = std::filesystem::absolute(path, failed);
    return yaml_scalar(failed ? path : full.lexically_normal().string());
}

/// p/q or a decimal number as an exact fraction; empty when the text is neither. A number of more
/// than 18 digits gives a fraction whose denominator is too large, as its own would be.
inline std::optional<std::pair<std::uint64_t, std::uint64_t>> to_fraction(std::string_view text) {
    constexpr std::size_t kMostDigits = 18;
    const std::size_t slash = text.find('/');
    if (slash != text.npos) {
        const auto p = to_unsigned(text.substr(0, slash));
        const auto q = to_unsigned(text.substr(slash + 1));
        if (!p || !q) return std::nullopt;
        return std::pair{*p, *q};
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string_view whole = text.substr(0, point);
    std::string_view part = text.substr(std::min(point + 1, text.size()));
    if (!is_digits(whole) || (point < text.size() && !is_digits(part))) return std::nullopt;
    while (!part.empty() && part.back() == '0') part.remove_suffix(1);
    const std::string digits = std::string(whole) + std::string(part);
    if (digits.size() > kMostDigits) return std::pair{std::uint64_t{1}, UINT64_MAX};
    std::uint64_t q = 1;
    for (std::size_t i = 0; i < part.size(); ++i) q *= 10;
    return std::pair{to_unsigned(digits).value_or(0), q};
}

inline std::optional<Rate> read_rate(const ConfigTree& value, const ReadContext& context) {
    // Quotes are fine around a fraction, which other YAML readers see as text; not around 0.5.
    const bool quoted_number = value.quoted && value.text.find('/') == std::string::npos;
    const auto fraction =
        value.is_scalar() && !quoted_number ? to_fraction(value.text) : std::nullopt;
    std::string hint = quoted_number ? "remove the quotes" : "";
    if (fraction && fraction->first > 0 && fraction->first <= fraction->second) {
        const std::uint64_t divisor = std::gcd(fraction->first, fraction->second);
        if (fraction->second / divisor <= kLargestDenominator) {
            return Rate{static_cast<std::uint32_t>(fraction->first / divisor),
                        static_cast<std::uint32_t>(fraction->second / divisor)};
        }
        hint = fmt::format("the reduced denominator may be at most {}; write a third as 1/3",
                           kLargestDenominator);
    }
    mistyped(value, context, "a fraction such as 1/2 or a decimal number, above 0 and at most 1",
             hint);
    return std::nullopt;
}

// ---- Kinds of keys. `field` maps a configuration, const or not, to the field of the key. --------

template <class Field>
ConfigKey integer(std::string path, IntegerRange range, std::string unit, std::string meaning,
                  Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        using Number = std::remove_reference_t<decltype(field(config))>;
        const auto number = read_integer(value, context, range, unit);
        if (number) field(config) = static_cast<Number>(*number);
    };
    const auto write = [=](const Config& config) { return fmt::format("{}", field(config)); };
    return {std::move(path), "integer", range.str(), unit, std::move(meaning), read, write};
}

/// One that need not be there.
template <class Field>
ConfigKey optional_integer(std::string path, IntegerRange range, std::string unit,
                           std::string meaning, Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        if (const auto number = read_integer(value, context, range, unit)) field(config) = *number;
    };
    const auto write = [=](const Config& config) {
        const auto& number = field(config);
        return number ? std::to_string(*number) : std::string();
    };
    return {std::move(path), "integer", range.str(), unit, std::move(meaning), read, write};
}

template <class Field>
ConfigKey integers(std::string path, IntegerRange range, IntegerRange length, std::string meaning,
                   Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        auto& list = field(config);
        using Number = typename std::remove_reference_t<decltype(list)>::value_type;
        list.clear();
        for (const std::uint64_t number : read_integers(value, context, range, length)) {
            list.push_back(static_cast<Number>(number));
        }
    };
    const auto write = [=](const Config& config) {
        return fmt::format("[{}]", fmt::join(field(config), ", "));
    };
    return {std::move(path),
            "list of integers",
            range.str() + " each",
            "",
            std::move(meaning),
            read,
            write};
}

template <class Field>
ConfigKey texts(std::string path, std::string range, std::string meaning, Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        if (!value.is_sequence()) {
            mistyped(value, context, "a list of names", "write [a, b]");
            return;
        }
        field(config).clear();
        for (std::size_t i = 0; i < value.children.size(); ++i) {
            const ReadContext entry{fmt::format("{}[{}]", context.name, i), context.folder,
                                    context.findings};
            const auto text = read_text(value.children[i], entry, "a name");
            if (text) field(config).push_back(*text);
        }
    };
    const auto write = [=](const Config& config) {
        Names names;
        for (const std::string& name : field(config)) names.push_back(yaml_scalar(name));
        return fmt::format("[{}]", fmt::join(names, ", "));
    };
    return {
        std::move(path), "list of names", std::move(range), "", std::move(meaning), read, write};
}

/// A key whose value is one of `choices`.
inline ConfigKey word_key(std::string path, Names choices, std::string meaning,
                          decltype(ConfigKey::read) read, decltype(ConfigKey::write) write) {
    ConfigKey key{std::move(path),
                  "word",
                  fmt::format("{}", fmt::join(choices, ", ")),
                  "",
                  std::move(meaning),
                  std::move(read),
                  std::move(write)};
    key.choices = std::move(choices);
    return key;
}

/// Adds what others call `ours` to words for ConfigKey::knows().
inline void add_other_names(std::vector<std::pair<std::string, std::string>>& words,
                            const std::string& ours, std::initializer_list<const char*> theirs) {
    for (const char* const word : theirs) {
        words.emplace_back(word, fmt::format("that is '{}' here", ours));
    }
}

/// One word of `choices`. A bool field stands for the second of two choices.
template <class Field>
ConfigKey choice(std::string path, const std::string& noun, Names choices, std::string meaning,
                 Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        using Stored = std::remove_reference_t<decltype(field(config))>;
        const auto text = read_choice(value, context, noun, choices);
        if (!text) return;
        if constexpr (std::is_same_v<Stored, bool>) {
            field(config) = *text == choices[1];
        } else {
            field(config) = *text;
        }
    };
    const auto write = [=](const Config& config) -> std::string {
        using Stored = std::decay_t<decltype(field(config))>;
        if constexpr (std::is_same_v<Stored, bool>) {
            return choices[field(config) ? 1 : 0];
        } else {
            return field(config);
        }
    };
    return word_key(std::move(path), std::move(choices), std::move(meaning), read, write);
}

/// One of the `values` of an enumeration, by its name_of().
template <class Values, class Field>
ConfigKey enumeration(std::string path, const std::string& noun, const Values& values,
                      std::string meaning, Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        const auto chosen = read_enumeration(value, context, noun, values);
        if (chosen) field(config) = *chosen;
    };
    const auto write = [=](const Config& config) { return name_of(field(config)); };
    return word_key(std::move(path), names_of(values), std::move(meaning), read, write);
}

template <class Field>
ConfigKey path_key(std::string path, std::string meaning, Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        if (const auto file = read_path(value, context)) field(config) = *file;
    };
    const auto write = [=](const Config& config) { return written_path(field(config)); };
    return {std::move(path), "file name", "any", "", std::move(meaning), read, write};
}

struct RealRange {
    double low;
    double high;
    bool above_low = false;  ///< `low` itself is outside

    std::string str() const {
        return above_low ? fmt::format("above {}, at most {}", low, high)
                         : fmt::format("{} to {}", low, high);
    }
    bool holds(double value) const {
        return value <= high && (above_low ? value > low : value >= low);
    }
};

template <class Field>
ConfigKey real(std::string path, RealRange range, std::string unit, std::string meaning,
               Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        const bool plain = value.is_scalar() && !value.quoted;
        const std::optional<double> number = plain ? to_real(value.text) : std::nullopt;
        if (number && range.holds(*number)) {
            field(config) = *number;
            return;
        }
        mistyped(value, context,
                 range.above_low ? "a number " + range.str() : "a number from " + range.str(),
                 value.quoted && to_real(value.text) ? "remove the quotes" : "");
    };
    const auto write = [=](const Config& config) { return fmt::format("{}", field(config)); };
    return {std::move(path),    "number", range.str(), std::move(unit),
            std::move(meaning), read,     write};
}

inline std::optional<bool> read_switch(const ConfigTree& value, const ReadContext& context,
                                       const std::string& expected) {
    if (value.is_scalar() && !value.quoted && (value.text == "true" || value.text == "false")) {
        return value.text == "true";
    }
    mistyped(value, context, expected);
    return std::nullopt;
}

template <class Field>
ConfigKey flag(std::string path, std::string meaning, Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        const auto on = read_switch(value, context, "true or false");
        if (on) field(config) = *on;
    };
    const auto write = [=](const Config& config) { return field(config) ? "true" : "false"; };
    return {std::move(path), "switch", "true, false", "", std::move(meaning), read, write};
}

template <class Field>
ConfigKey rate(std::string path, std::string unit, std::string meaning, Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        const auto fraction = read_rate(value, context);
        if (fraction) field(config) = *fraction;
    };
    const auto write = [=](const Config& config) {
        const Rate& value = field(config);
        return value.denominator == 1 ? fmt::format("{}", value.numerator)
                                      : fmt::format("{}/{}", value.numerator, value.denominator);
    };
    return {std::move(path),
            "fraction",
            "above 0, at most 1; 1/2 or 0.5",
            std::move(unit),
            std::move(meaning),
            read,
            write};
}

}  // namespace flitscope::kinds
