// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics on bad input: place, fault, and remedy. Several findings are gathered and reported
// together, so that a user does not meet them one by one.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace flitscope {

/// A place in the user's input. `line` and `column` count from 1; 0 means "the whole source".
struct Location {
    std::string source;  ///< file name as the user wrote it, or "--set key=value"
    std::size_t line = 0;
    std::size_t column = 0;

    /// "file:line:column", or only the source if there is no line; printable().
    std::string str() const;
};

/// One finding: place, problem, remedy (the remedy may be empty).
struct Diagnostic {
    Location where;
    std::string what;
    std::string hint;

    /// "file:line:column: error: what (hint)", printable().
    std::string str() const;
};

/// The user's input cannot be used. Carries every finding of the stage that threw; the command
/// line prints them all and exits with code 2.
class ConfigError : public std::runtime_error {
public:
    explicit ConfigError(std::vector<Diagnostic> findings);
    ConfigError(Location where, std::string what, std::string hint = {});

    const std::vector<Diagnostic>& findings() const { return findings_; }

private:
    std::vector<Diagnostic> findings_;
};

/// The entry of `candidates` nearest to `word` by edit distance, or an empty string if none is near
/// enough for a typing error.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace flitscope
