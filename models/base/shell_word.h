// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of the user in text for a shell: scripts, completions, the command of a page.
#pragma once

#include <string>

namespace flitscope {

/// A text as one word of a shell: in single quotes, in which nothing has a meaning.
std::string shell_word(const std::string& text);

/// A text as a person would type it: unchanged if every shell reads it as a plain word, else
/// shell_word().
std::string typed_word(const std::string& text);

}  // namespace flitscope
