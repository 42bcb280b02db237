// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Files compressed by gzip (RFC 1952), as users name them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "models/base/spool.h"

namespace flitscope {

/// Whether a file begins as one of gzip does.
bool is_gzip(std::string_view bytes);

/// The content of a gzip file, all of its members one after the other. `source` names the file in
/// findings. Throws ConfigError if the file is damaged, ends early, or has more than `max_bytes` of
/// content; std::runtime_error if there is no room for that.
Spool gunzip(std::string_view bytes, const std::string& source, std::size_t max_bytes);

}  // namespace flitscope
