// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON text as json_text() makes it, written value by value: for lists of thousands of rows, for
// which a tree of values would cost more than the run that they describe.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "testbench/app/report/report.h"

namespace flitscope {

class JsonWriter {
public:
    void open_object() { open('{'); }
    void close_object() { close('}'); }
    void open_array() { open('['); }
    void close_array() { close(']'); }
    /// Writes the key of what comes next: printable ASCII without quotes and backslashes.
    void key(std::string_view name) {
        start();
        char* at = room(name.size() + 4);
        *at++ = '"';
        std::memcpy(at, name.data(), name.size());
        at += name.size();
        std::memcpy(at, "\": ", 3);
        end_at(at + 3);
        has_key_ = true;
    }

    void value(std::string_view text) {
        start();
        quote(text);
    }
    void value(const char* text) { value(std::string_view(text)); }
    void value(const std::string& text) { value(std::string_view(text)); }
    void value(double number);
    template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
    void value(Integer number) {
        static_assert(!std::is_same_v<Integer, bool> && !std::is_same_v<Integer, char>);
        start();
        constexpr std::size_t kDigits = 20;
        char* const at = room(kDigits);
        end_at(std::to_chars(at, at + kDigits, number).ptr);
    }
    /// A flat object.
    void value(const Json& fields) {
        open_object();
        for (const auto& [name, of] : fields.items()) {
            key(name);
            start();
            append(json_text(of));
        }
        close_object();
    }
    void value(std::nullptr_t) {
        start();
        append("null");
    }
    /// Null if there is nothing.
    template <class Value>
    void value(const std::optional<Value>& maybe) {
        if (maybe) {
            value(*maybe);
        } else {
            value(nullptr);
        }
    }

    template <class Value>
    void field(std::string_view name, const Value& of) {
        key(name);
        value(of);
    }

    /// Returns the text. All that was opened must have been closed.
    JsonText take() {
        text_.resize(size_);
        return {std::move(text_)};
    }

private:
    void open(char bracket) {
        start();
        append({&bracket, 1});
        indent_ += kIndent;
        is_empty_ = true;
    }
    void close(char bracket) {
        indent_ -= kIndent;
        if (!is_empty_) start_line();
        append({&bracket, 1});
        is_empty_ = false;
    }
    /// Up to the place of the next key, or value.
    void start() {
        if (has_key_) {
            has_key_ = false;
            return;
        }
        if (indent_ == 0) return;
        if (!is_empty_) append(",");
        is_empty_ = false;
        start_line();
    }
    void start_line() {
        char* const at = room(indent_ + 1);
        *at = '\n';
        std::memset(at + 1, ' ', indent_);
        end_at(at + 1 + indent_);
    }
    void append(std::string_view text) {
        char* const at = room(text.size());
        std::memcpy(at, text.data(), text.size());
        end_at(at + text.size());
    }
    void quote(std::string_view text);

    /// The end of the text, with room for `bytes` more.
    char* room(std::size_t bytes) {
        if (text_.size() - size_ < bytes) grow(bytes);
        return text_.data() + size_;
    }
    void end_at(const char* end) { size_ = static_cast<std::size_t>(end - text_.data()); }
    void grow(std::size_t bytes);

    static constexpr std::size_t kIndent = 2;
    std::string text_;  // with room at its end
    std::size_t size_ = 0;
    std::size_t indent_ = 0;
    bool is_empty_ = true;  // the list or object at hand
    bool has_key_ = false;
};

}  // namespace flitscope
