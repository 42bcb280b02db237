// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The text of a file that nobody named on the command line: what a tool has left, an entry of a
// cache, a file that was read before. For those that users name there is input_file.h.
#pragma once

#include <optional>
#include <string>

namespace flitscope {

/// All of a file; nothing where it cannot be read.
std::optional<std::string> file_text(const std::string& path);

/// The same. Throws std::runtime_error where it cannot be read.
std::string read_file(const std::string& path);

}  // namespace flitscope
