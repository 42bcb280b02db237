// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// YAML text as a small tree in which every value has its location. It accepts the plain part of
// YAML (maps, lists, scalars) and refuses the rest by name, so that nothing is silently lost.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"

namespace flitscope {

/// A value, and its key if it is an entry of a map.
struct ConfigTree {
    enum class Kind { kNull, kScalar, kSequence, kMap };

    Kind kind = Kind::kNull;
    Location where;       ///< location of the value; line 0 if from the command line
    std::string text;     ///< for a scalar
    bool quoted = false;  ///< scalar in quotes, or a block of text
    std::string key;
    Location key_where;
    std::vector<ConfigTree> children;  ///< in the order of the text; the keys of a map are unique

    bool is_null() const { return kind == Kind::kNull; }
    bool is_scalar() const { return kind == Kind::kScalar; }
    bool is_sequence() const { return kind == Kind::kSequence; }
    bool is_map() const { return kind == Kind::kMap; }
    bool from_command_line() const { return where.line == 0; }

    /// The entry `name` of a map, or nullptr.
    ConfigTree* find(const std::string& name);
    const ConfigTree* find(const std::string& name) const;

    /// Describes the value for "expected ..., found ...": "'abc'", "a list", "nothing".
    std::string found() const;
};

/// Limits of the input: a configuration is a page of text, anything else is a mistake. (Graphs and
/// programs, which are read with the same parser, may be larger.)
inline constexpr std::size_t kMaxConfigBytes = 1U << 20;
inline constexpr std::size_t kMaxConfigDepth = 64;

/// Reads one YAML document. An empty text gives a null tree. A repeated key is added to `findings`
/// and its first value kept. Throws ConfigError for text that is not UTF-8 or not YAML, for several
/// documents, too much nesting or text, and for anchors, aliases, tags and merge keys.
ConfigTree parse_tree(const std::string& text, const std::string& source,
                      std::vector<Diagnostic>& findings, std::size_t max_bytes = kMaxConfigBytes);

/// Makes a tree of a value given on the command line: `where` is the place of all of it.
ConfigTree parse_override_tree(const std::string& text, const Location& where,
                               std::vector<Diagnostic>& findings);

/// Whether an unquoted word means a missing value in YAML.
bool reads_as_null(const std::string& text);

/// `text` as a YAML scalar that reads as this string: plain if that is safe, else quoted.
std::string yaml_scalar(const std::string& text);

/// The value as YAML on one line.
std::string yaml_flow(const ConfigTree& tree);

}  // namespace flitscope
