// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Text in lines that fit a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace flitscope {

/// Breaks `text` at blanks into lines of at most `width` characters, each with `indent` blanks
/// before it and a line feed. A longer word gets its own line.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = 100);

}  // namespace flitscope
