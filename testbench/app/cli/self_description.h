// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptions of the program in other formats: a manual page, and completion for shells. All of it
// is taken from the description that parses the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace flitscope::cli {

/// The manual page, section 1, in the man macros of troff.
std::string manual_page(const CLI::App& app, const std::string& version);

/// The shells that completion_script() knows.
std::vector<std::string> completed_shells();
/// A script that makes `shell`, one of completed_shells(), complete commands, options, and values
/// that are one of a list.
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace flitscope::cli
