// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Layout of help: the texts of options and commands, in lines that fit a terminal. Line breaks in
// these texts are only those of the source: only the entries of a list ("csv: one row per load")
// begin a new line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace flitscope::cli {

/// The text without line breaks: the part before a list, and each of its entries.
std::vector<std::string> paragraphs_of(const std::string& text);

/// "--output", "-o": the names of an option that users are shown, none of an argument. Long names
/// after the first one are those that it had in earlier versions: they are accepted, and not shown.
std::vector<std::string> shown_names(const CLI::Option& option);

class HelpLayout final : public CLI::Formatter {
public:
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_subcommand(const CLI::App* command) const override;
    /// Writes the usage of an argument that may occur once or twice: "what [what]".
    std::string make_option_usage(const CLI::Option* argument) const override;

private:
    std::string entry(const std::string& name, const std::string& description) const;
};

}  // namespace flitscope::cli
