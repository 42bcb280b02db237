// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/value_readers.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <system_error>
#include <utility>

#include "models/base/printable.h"
#include "models/base/words.h"
#include "models/config/node_config.h"

namespace flitscope::kinds {

namespace {

constexpr std::uint64_t kLargestDenominator = 1'000'000;

/// A hint for a number with a unit, such as 4KB: what to write instead. Empty if `text` is not such
/// a number.
std::string unit_hint(const std::string& text, const std::string& unit) {
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
    return fmt::format("the unit is {}: write only the number", unit);
}

/// An integer that is written as a number with a point or an exponent, such as 1e6: the digits.
std::string whole_number_hint(const std::string& text) {
    constexpr double kLargestExact = 9'007'199'254'740'992.0;  // 2^53
    const std::optional<double> number = is_digits(text) ? std::nullopt : to_real(text);
    const bool is_whole = number && !std::signbit(*number) && *number <= kLargestExact &&
                          std::floor(*number) == *number;
    return is_whole ? fmt::format("write {:.0f}", *number) : "";
}

std::string integer_hint(const ConfigTree& value, const std::string& unit) {
    if (!value.is_scalar()) return {};
    if (value.quoted) return is_digits(value.text) ? "remove the quotes" : "";
    if (is_digits(value.text) && value.text.size() > 1 && value.text.front() == '0') {
        return "write it without leading zeros";  // YAML 1.1 would read it as octal
    }
    if (std::string hint = whole_number_hint(value.text); !hint.empty()) return hint;
    const bool marked = value.text.find_first_of("xX_") != std::string::npos;
    return marked && value.text.find_first_of("0123456789") == 0 ? "write decimal digits only"
                                                                 : unit_hint(value.text, unit);
}

/// Converts a number of `suffix` to `unit`: the factor, or the dividend for frequencies.
struct OtherUnit {
    const char* unit;
    const char* suffix;
    double factor;
    bool is_frequency = false;
};

constexpr OtherUnit kOtherUnits[] = {
    {"ns", "ns", 1},  {"ns", "ps", 1e-3},     {"ns", "us", 1e3},        {"ns", "ms", 1e6},
    {"ns", "s", 1e9}, {"ns", "ghz", 1, true}, {"ns", "mhz", 1e3, true}, {"ns", "khz", 1e6, true},
    {"mm", "mm", 1},  {"mm", "um", 1e-3},     {"mm", "cm", 10},         {"mm", "m", 1e3},
};

/// The list of a text such as 8x8, 8 8 or 8.
std::string list_hint(const ConfigTree& value) {
    constexpr const char* kExample = "write [1, 2]";
    if (!value.is_scalar()) return kExample;
    std::string list;
    bool separated = false;
    for (const char c : value.text) {
        if (std::string_view("xX*, ").find(c) != std::string_view::npos) {
            separated = !list.empty();
        } else if (is_digits({&c, 1})) {
            list += (separated ? ", " : "") + std::string(1, c);
            separated = false;
        } else {
            return kExample;
        }
    }
    return list.empty() || separated ? kExample : fmt::format("write [{}]", excerpt(list));
}

/// p/q or a decimal number as an exact fraction; empty when the text is neither. A number of more
/// than 18 digits gives a fraction whose denominator is too large, as its own would be.
std::optional<std::pair<std::uint64_t, std::uint64_t>> to_fraction(std::string_view text) {
    constexpr int kMostDigits = 18;
    const std::size_t slash = text.find('/');
    if (slash != text.npos) {
        const auto p = to_unsigned(text.substr(0, slash));
        const auto q = to_unsigned(text.substr(slash + 1));
        if (!p || !q) return std::nullopt;
        return std::pair{*p, *q};
    }
    if (!to_real(text) || text.front() == '-') return std::nullopt;
    if (text.front() == '+') text.remove_prefix(1);
    const std::size_t mantissa = std::min(text.find_first_of("eE"), text.size());
    int exponent = 0;
    if (mantissa < text.size()) {
        std::string_view power = text.substr(mantissa + 1);
        if (power.front() == '+') power.remove_prefix(1);
        std::from_chars(power.data(), power.data() + power.size(), exponent);
        text = text.substr(0, mantissa);
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string_view whole = text.substr(0, point);
    std::string_view part = text.substr(std::min(point + 1, text.size()));
    while (!part.empty() && part.back() == '0') part.remove_suffix(1);
    std::string digits = std::string(whole) + std::string(part);
    const std::int64_t places = static_cast<std::int64_t>(part.size()) - exponent;
    if (places < -kMostDigits) return std::pair{std::uint64_t{2}, std::uint64_t{1}};  // over 1
    if (places < 0) digits.append(static_cast<std::size_t>(-places), '0');
    if (digits.size() > kMostDigits || places > kMostDigits) {
        return std::pair{std::uint64_t{1}, UINT64_MAX};
    }
    std::uint64_t q = 1;
    for (std::int64_t i = 0; i < places; ++i) q *= 10;
    return std::pair{to_unsigned(digits).value_or(0), q};
}

}  // namespace

bool is_digits(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::uint64_t> to_unsigned(std::string_view text) {
    std::uint64_t result = 0;
    if (!is_digits(text)) return std::nullopt;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), result);
    if (parsed.ec != std::errc{}) return std::nullopt;
    return result;
}

std::optional<double> to_real(std::string_view text) {
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

std::string real_hint(const ConfigTree& value, const std::string& unit) {
    if (!value.is_scalar()) return {};
    const std::string& text = value.text;
    if (value.quoted) return to_real(text) ? "remove the quotes" : "";
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::size_t begin = std::min(text.find_first_not_of(' ', end), text.size());
    const std::optional<double> number = to_real(std::string_view(text).substr(0, end));
    const std::string suffix = lower_case(std::string_view(text).substr(begin));
    if (!number || suffix.empty()) return {};
    if (suffix == "%") return fmt::format("write {:.6g}", *number / 100);
    for (const char c : suffix) {
        if (std::isalpha(static_cast<unsigned char>(c)) == 0) return {};
    }
    for (const OtherUnit& other : kOtherUnits) {
        if (other.unit != unit || other.suffix != suffix) continue;
        if (other.is_frequency && *number == 0) break;
        return fmt::format("the unit is {}: write {:.6g}", unit,
                           other.is_frequency ? other.factor / *number : other.factor * *number);
    }
    return unit.empty() ? "" : fmt::format("the unit is {}: write only the number", unit);
}

void add_time_hint(const ConfigTree& value, Diagnostic& finding) {
    const std::string_view number = "the unit is ns: write ";
    const std::string hint = real_hint(value, "ns");
    const bool is_time = hint.rfind(number, 0) == 0 && is_digits(hint.substr(number.size(), 1));
    if (is_time) finding.hint = hint + " ns";
}

bool is_identifier(std::string_view text) {
    const auto is_part = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), is_part) &&
           !is_digits(text.substr(0, 1));
}

void mistyped(const ConfigTree& value, const ReadContext& context, const std::string& expected,
              std::string hint) {
    context.findings.push_back(
        {value.where,
         fmt::format("'{}' must be {}, found {}", context.name, expected, value.found()),
         std::move(hint)});
}

std::optional<std::uint64_t> read_integer(const ConfigTree& value, const ReadContext& context,
                                          const IntegerRange& range, const std::string& unit) {
    const std::string hint = integer_hint(value, unit);
    const bool plain = value.is_scalar() && !value.quoted && hint.empty();
    const std::optional<std::uint64_t> number = plain ? to_unsigned(value.text) : std::nullopt;
    if (number && range.holds(*number)) return number;
    mistyped(value, context, range.expected(), hint);
    return std::nullopt;
}

std::vector<std::uint64_t> read_integers(const ConfigTree& value, const ReadContext& context,
                                         const IntegerRange& range, const IntegerRange& length) {
    std::vector<std::uint64_t> list;
    if (!value.is_sequence()) {
        mistyped(value, context, "a list of integers", list_hint(value));
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

std::optional<std::string> read_text(const ConfigTree& value, const ReadContext& context,
                                     const std::string& expected) {
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    if (value.is_scalar() && !value.text.empty() &&
        std::none_of(value.text.begin(), value.text.end(), is_control)) {
        return value.text;
    }
    mistyped(value, context, expected);
    return std::nullopt;
}

std::optional<std::string> read_choice(const ConfigTree& value, const ReadContext& context,
                                       const std::string& noun, const Names& choices) {
    auto text = read_text(value, context, fmt::format("one of {}", fmt::join(choices, ", ")));
    if (!text || std::find(choices.begin(), choices.end(), *text) != choices.end()) return text;
    context.findings.push_back({value.where, fmt::format("unknown {} '{}'", noun, excerpt(*text)),
                                suggest_choice(*text, choices)});
    return std::nullopt;
}

std::optional<std::string> read_identifier(const ConfigTree& value, const ReadContext& context) {
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

std::optional<std::string> read_path(const ConfigTree& value, const ReadContext& context) {
    if (!value.is_scalar() || value.text.empty()) {
        mistyped(value, context, "a file name");
        return std::nullopt;
    }
    const std::filesystem::path file(value.text);  // with any character that a folder may have
    const bool resolve = file.is_relative() && !value.from_command_line();
    const std::filesystem::path full = resolve ? context.folder / file : file;
    return full.lexically_normal().string();
}

std::string written_path(const std::string& path) {
    if (path.empty()) return "";
    if (path.rfind("./", 0) == 0) return yaml_scalar(path);
    std::error_code failed;
    const auto full = std::filesystem::absolute(path, failed);
    return yaml_scalar(failed ? path : full.lexically_normal().string());
}

std::optional<Rate> read_rate(const ConfigTree& value, const ReadContext& context) {
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
    if (hint.empty()) hint = real_hint(value, "");
    mistyped(value, context, "a fraction such as 1/2 or a decimal number, above 0 and at most 1",
             hint);
    return std::nullopt;
}

std::optional<bool> read_switch(const ConfigTree& value, const ReadContext& context,
                                const std::string& expected) {
    if (value.is_scalar() && !value.quoted && (value.text == "true" || value.text == "false")) {
        return value.text == "true";
    }
    mistyped(value, context, expected);
    return std::nullopt;
}

}  // namespace flitscope::kinds
