// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of values that a configuration key can have: how each is read, checked and written.
// Owners make their part of the table (config_table.h) of them.
#pragma once

#include "models/config/config_table.h"
#include "models/config/node_config.h"
#include "models/config/value_named.h"
#include "models/config/value_readers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace flitscope {
struct Config;
}  // namespace flitscope

namespace flitscope::kinds {

inline constexpr std::uint64_t kLargestBytes = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kMostEntries = kMaxConfigBytes;  ///< entries of a list

/// The field of a key as a function of the configuration, const or not.
template <class... Members>
auto at(Members... members) {
    return [=](auto& config) -> auto& { return (config.*....*members); };
}

/// The field `member` of an optional section, std::optional as `section` finds it: read without the
/// section it has its default; writing it creates the section.
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

/// A list of names; those that are sound.
inline Names read_names(const ConfigTree& value, const ReadContext& context) {
    Names names;
    if (!value.is_sequence()) {
        mistyped(value, context, "a list of names", "write [a, b]");
        return names;
    }
    for (std::size_t i = 0; i < value.children.size(); ++i) {
        const ReadContext entry{fmt::format("{}[{}]", context.name, i), context.folder,
                                context.findings};
        auto text = read_text(value.children[i], entry, "a name");
        if (text) names.push_back(std::move(*text));
    }
    return names;
}
inline std::string written_names(const Names& names) {
    Names scalars;
    for (const std::string& name : names) scalars.push_back(yaml_scalar(name));
    return fmt::format("[{}]", fmt::join(scalars, ", "));
}

template <class Field>
ConfigKey texts(std::string path, std::string range, std::string meaning, Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        field(config) = read_names(value, context);
    };
    const auto write = [=](const Config& config) { return written_names(field(config)); };
    return {
        std::move(path), "list of names", std::move(range), "", std::move(meaning), read, write};
}

/// A key whose value is one of `choices`.
inline ConfigKey word_key(std::string path, Names choices, std::string meaning,
                          decltype(ConfigKey::read) read, decltype(ConfigKey::write) write) {
    ConfigKey key{std::move(path),
                  "enum",
                  fmt::format("{}", fmt::join(choices, ", ")),
                  "",
                  std::move(meaning),
                  std::move(read),
                  std::move(write)};
    key.choices = std::move(choices);
    return key;
}

/// Adds other tools' words for `ours` to those of ConfigKey::knows().
inline void add_other_names(std::vector<std::pair<std::string, std::string>>& words,
                            const std::string& ours, std::initializer_list<const char*> theirs) {
    for (const char* const word : theirs) {
        words.emplace_back(word, fmt::format("that is '{}' here", ours));
    }
}

/// One word of `choices`. A bool field is true for the second of two choices.
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
    return {std::move(path), ConfigKey::kFileName, "any", "", std::move(meaning), read, write};
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
                 real_hint(value, unit));
    };
    const auto write = [=](const Config& config) { return fmt::format("{}", field(config)); };
    return {std::move(path), "number", range.str(), unit, std::move(meaning), read, write};
}

template <class Field>
ConfigKey flag(std::string path, std::string meaning, Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        const auto on = read_switch(value, context, "true or false");
        if (on) field(config) = *on;
    };
    const auto write = [=](const Config& config) { return field(config) ? "true" : "false"; };
    return {std::move(path), "boolean", "true, false", "", std::move(meaning), read, write};
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
