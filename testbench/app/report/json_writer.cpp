// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/json_writer.h"

#include <algorithm>

namespace flitscope {

void JsonWriter::value(double number) {
    start();
    append(Json(number).dump());
}

void JsonWriter::quote(std::string_view text) {
    const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
        return c >= ' ' && c <= '~' && c != '"' && c != '\\';
    });
    if (!is_plain) {
        append(json_text(Json(text)));
        return;
    }
    char* at = room(text.size() + 2);
    *at++ = '"';
    std::memcpy(at, text.data(), text.size());
    at += text.size();
    *at++ = '"';
    end_at(at);
}

void JsonWriter::grow(std::size_t bytes) {
    constexpr std::size_t kFirst = 4096;
    text_.resize(std::max({kFirst, 2 * text_.size(), size_ + bytes}));
}

}  // namespace flitscope
