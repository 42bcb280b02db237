// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The text of a file that was not named on the command line: the output of a tool, an entry of a
// cache, a file that was read before. For files that users name there is input_file.h.
#pragma once

#include <optional>
#include <string>

namespace flitscope {

/// The whole text of a file; nothing if it cannot be read, or has more bytes than a quarter of
/// usable_memory().
std::optional<std::string> file_text(const std::string& path);

/// Like file_text(), but throws std::runtime_error instead of returning nothing.
std::string read_file(const std::string& path);

}  // namespace flitscope
