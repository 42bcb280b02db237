// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON in a cache, with a checksum: what is not what was written there is not believed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace flitscope {

/// The text of a file with these figures and a checksum: of them, and of `beside` where it is not
/// empty, which is not in the file.
std::string checked_json(const nlohmann::ordered_json& figures, const std::string& beside = {});

/// The figures in a file of such a text. Throws std::exception where it holds anything else, or is
/// no ordinary file.
nlohmann::ordered_json read_checked_json(const std::string& file, const std::string& beside = {});

}  // namespace flitscope
