// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Values in YAML on the command line, which may have quotes.
#pragma once

#include <cstddef>
#include <string>

namespace flitscope::cli {

/// Calls visit(place) for every character outside of quotes, in order.
template <class Visit>
void visit_unquoted(const std::string& text, const Visit& visit) {
    char quote = '\0';
    for (std::size_t place = 0; place < text.size(); ++place) {
        const char c = text[place];
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else {
            visit(place);
        }
    }
}

}  // namespace flitscope::cli
