// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The values of a line of CSV. Values for flitscope contain no comma or quote, so quotes are only
// removed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "models/base/trimmed.h"

namespace flitscope {

/// Calls take(cell, begin) for each value of `text` between any of `separators`, empty ones too: a
/// part of `text` without blanks and quotes around it, and where it begins, with its quotes.
/// Continues while take() returns true.
template <class Take>
void for_each_cell(std::string_view text, std::string_view separators, const Take& take) {
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
        std::string_view cell = trimmed(text.substr(begin, end - begin));
        const char* const first = cell.data();
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
            cell = trimmed(cell.substr(1, cell.size() - 2));
        }
        if (!take(cell, first)) return;
        begin = end + 1;
    }
}

}  // namespace flitscope
