// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/json_writer.h"

#include <algorithm>

namespace flitscope {

void JsonWriter::value(double number) {
    start();
    text_ += Json(number).dump();
}

void JsonWriter::quote(std::string_view text) {
    const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
        return c >= ' ' && c <= '~' && c != '"' && c != '\\';
    });
    if (is_plain) {
        text_ += '"';
        text_ += text;
        text_ += '"';
    } else {
        text_ += json_text(Json(text));
    }
}

}  // namespace flitscope
