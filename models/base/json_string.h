// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Text of unknown origin as a JSON string, for code that writes JSON by hand.
#pragma once

#include <string>

namespace flitscope {

/// `text` as a JSON string, quoted; invalid UTF-8 becomes U+FFFD.
std::string json_string(const std::string& text);

}  // namespace flitscope
