// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads liberty files: the text format in which foundries describe their cells (Liberty User Guide,
// Synopsys).
#pragma once

#include <map>
#include <string>
#include <vector>

namespace flitscope {

/// "name (arguments) { ... }". Attributes are "name : value;" and "name (values);", the latter with
/// their values joined by blanks; of one that comes several times the last counts. Left
/// out, for they are nearly all of a file: groups of timing and power, and templates.
struct LibertyGroup {
    std::string name;
    std::string argument;  ///< the arguments, joined by blanks
    std::map<std::string, std::string> attributes;
    std::vector<LibertyGroup> groups;

    /// The value of an attribute, or an empty string.
    std::string attribute(const std::string& key) const;
};

/// The outermost group of a text. Throws ConfigError with `source` and the line if it is not a
/// liberty file.
LibertyGroup parse_liberty(const std::string& text, const std::string& source);

}  // namespace flitscope
