// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Compression by zlib, for whatever writes it into a file.
#pragma once

#include <string>

namespace flitscope {

/// `bytes` as a zlib stream; `level` 1 (quick) to 9 (short). Throws std::bad_alloc if zlib gets no
/// memory.
std::string zlib_stream(const std::string& bytes, int level);

}  // namespace flitscope
