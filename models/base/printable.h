// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Text of unknown origin, for a terminal and for messages.
#pragma once

#include <cstddef>
#include <string>

namespace flitscope {

/// Bytes of the UTF-8 sequence at `text[i]`, or 0 if it is invalid (RFC 3629, section 4).
std::size_t utf8_length(const std::string& text, std::size_t i);

/// Whether `text` is UTF-8, as names of files need not be.
bool is_utf8(const std::string& text);

/// `text` with every control character, and every byte that is not UTF-8, as \xNN: a terminal acts
/// upon nothing in it. Ends of lines are kept with `keeps_lines`.
std::string printable(const std::string& text, bool keeps_lines = false);

/// `text` short enough, and free of line breaks, for the middle of a sentence.
std::string excerpt(const std::string& text);

}  // namespace flitscope
