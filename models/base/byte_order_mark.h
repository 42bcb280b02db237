// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The mark that editors and spreadsheets put in front of UTF-8. Readers skip it.
#pragma once

#include <cstddef>
#include <string_view>

namespace flitscope {

/// Bytes of the mark that `text` begins with; 0 without a mark.
inline std::size_t byte_order_mark(std::string_view text) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    return text.substr(0, kMark.size()) == kMark ? kMark.size() : 0;
}

}  // namespace flitscope
