// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses untrusted JSON with a limit on its depth: code that walks through it calls itself once per
// level.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace flitscope {

/// Throws ordered_json::exception where the text is not JSON, or has values within more than a
/// hundred others.
nlohmann::ordered_json parse_json(const std::string& text);

}  // namespace flitscope
