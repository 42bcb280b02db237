// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Columns of whole numbers as short text, for JSON: README.md, "Packed numbers", says how.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/app/report/report.h"

namespace flitscope {

enum class PackedOrder : std::uint8_t {
    kAny,     ///< each number as it is
    kRising,  ///< the difference to the one before
};

/// {"count": N, "delta": whether, "data": base64}.
Json packed(const std::vector<std::int64_t>& numbers, PackedOrder order = PackedOrder::kAny);
/// {"bytes": N, "data": base64}: a text, compressed.
Json packed_text(const std::string& text);

}  // namespace flitscope
