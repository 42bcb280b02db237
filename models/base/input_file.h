// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads files that users name: a whole file, or a finding that says why not. The paths read are
// recorded, so that no output replaces an input.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "models/base/diagnostics.h"
#include "models/base/spool.h"

namespace flitscope {

/// The contents of `path`. Throws ConfigError, placed at `named_at` (where the user named the file;
/// the file itself when empty), when there is no such file, when it is a folder, cannot be read or
/// is larger than `max_bytes` or a quarter of usable_memory(). `what` says what kind of file it
/// should be ("graph file").
std::string read_input_file(const std::string& path, const char* what, std::size_t max_bytes,
                            const Location& named_at = {});

/// The path that a relative name of an input, written by the user at `named_at`, resolved to: a
/// remedy if there is no such file. Empty if the name itself shows it.
std::string looked_for(const std::string& path, const Location& named_at);

/// Reads a file that may be larger than the memory (but no pipe or device, which may have no end).
/// The file is copied first, so later writes to it do no harm. Throws std::runtime_error if there
/// is no room for the copy.
Spool spool_input_file(const std::string& path, const char* what, std::size_t max_bytes,
                       const Location& named_at = {});

/// The digest (digest.h) of the contents that this process last read from `path` in these ways;
/// nothing if it has not read it.
std::optional<std::string> input_digest(const std::string& path);

/// Whether two paths lead to one file, which need not be there yet.
bool lead_to_one_file(const std::string& path, const std::string& other);

/// Remembers a file that others read for this process: a database, the source of a router. It need
/// not be there yet.
void note_input(const std::string& path);

/// Throws ConfigError, placed at `where`, if `path` is a file that this process has read
/// (read_input_file(), note_input()), under whatever name: it belongs to the user, and an output
/// would replace it.
void require_no_input(const std::string& path, const Location& where);

}  // namespace flitscope
