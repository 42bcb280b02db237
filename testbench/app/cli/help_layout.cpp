// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/help_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>

#include "models/base/wrapped_text.h"

namespace flitscope::cli {
namespace {

/// Whether the line is "csv: ...", "links.csv: ..." or "show DIGEST: ...": at most three words
/// before a colon.
bool begins_entry(const std::string& line) {
    constexpr std::ptrdiff_t kMostBlanks = 2;
    const std::string what = line.substr(0, line.find(": "));
    const auto is_part = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == ' ';
    };
    return what.size() < line.size() && std::all_of(what.begin(), what.end(), is_part) &&
           std::count(what.begin(), what.end(), ' ') <= kMostBlanks;
}

}  // namespace

std::vector<std::string> paragraphs_of(const std::string& text) {
    std::vector<std::string> paragraphs;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (paragraphs.empty() || begins_entry(line)) {
            paragraphs.push_back(line);
        } else {
            paragraphs.back() += ' ' + line;
        }
    }
    return paragraphs;
}

std::vector<std::string> shown_names(const CLI::Option& option) {
    std::vector<std::string> names;
    if (!option.get_lnames().empty()) names.push_back("--" + option.get_lnames().front());
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    return names;
}

std::string HelpLayout::entry(const std::string& name, const std::string& description) const {
    constexpr std::size_t kWidth = 95;
    const std::size_t indent = get_column_width();
    std::string text;
    for (const std::string& paragraph : paragraphs_of(description)) {
        text += wrapped(paragraph, indent, kWidth);
    }
    const std::string head = "  " + name;
    if (text.empty() || head.size() >= indent) return head + '\n' + text;
    return head + text.substr(head.size());
}

std::string HelpLayout::make_option(const CLI::Option* option, bool is_positional) const {
    const std::vector<std::string> names = shown_names(*option);
    const std::string name = is_positional
                                 ? make_option_name(option, true)
                                 : fmt::format("{}", fmt::join(names.rbegin(), names.rend(), ","));
    return entry(name + make_option_opts(option), make_option_desc(option));
}

std::string HelpLayout::make_subcommand(const CLI::App* command) const {
    return entry(command->get_display_name(), command->get_description());
}

std::string HelpLayout::make_option_usage(const CLI::Option* argument) const {
    const bool may_come_twice =
        argument->get_expected_min() == 1 && argument->get_expected_max() == 2;
    if (!may_come_twice) return CLI::Formatter::make_option_usage(argument);
    return fmt::format("{0} [{0}]", make_option_name(argument, true));
}

}  // namespace flitscope::cli
