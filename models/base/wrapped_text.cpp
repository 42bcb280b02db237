// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/wrapped_text.h"

#include <algorithm>

namespace flitscope {

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
    std::string lines;
    std::size_t column = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = std::min(text.find(' ', from), text.size());
        const std::size_t length = to - from;
        if (column != 0 && column + 1 + length > width) {
            lines += '\n';
            column = 0;
        }
        lines += column == 0 ? std::string(indent, ' ') : " ";
        column += (column == 0 ? indent : 1) + length;
        lines += text.substr(from, length);
        from = to + 1;
    }
    return lines + '\n';
}

}  // namespace flitscope
