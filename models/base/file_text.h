// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The text of a file that nobody named on the command line: what a tool has left, an entry of a
// cache, a file that was read before. For those that users name there is input_file.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace flitscope {

/// More has no entry of a cache that is what was written there.
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{1} << 28;

/// All of a file; nothing where it cannot be read, or has more than `most` bytes or a quarter of
/// usable_memory().
std::optional<std::string> file_text(const std::string& path, std::uint64_t most = UINT64_MAX);

/// The same. Throws std::runtime_error where there would be nothing.
std::string read_file(const std::string& path, std::uint64_t most = UINT64_MAX);

}  // namespace flitscope
