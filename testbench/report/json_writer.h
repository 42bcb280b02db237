// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON text as json_text() makes it, written value by value: for lists of thousands of rows, where
// the tree of values in between would cost more than the run that they tell of.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "testbench/report/report.h"

namespace flitscope {

class JsonWriter {
public:
    void open_object() { open('{'); }
    void close_object() { close('}'); }
    void open_array() { open('['); }
    void close_array() { close(']'); }
    /// Of what is written next.
    void key(std::string_view name) {
        start();
        quote(name);
        text_ += ": ";
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
        char digits[20];
        text_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    }
    /// A flat object.
    void value(const Json& fields) {
        open_object();
        for (const auto& [name, of] : fields.items()) {
            key(name);
            start();
            text_ += json_text(of);
        }
        close_object();
    }
    void value(std::nullptr_t) {
        start();
        text_ += "null";
    }
    /// Null where there is nothing.
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

    /// All that was opened must have been closed.
    JsonText take() { return {std::move(text_)}; }

private:
    void open(char bracket) {
        start();
        text_ += bracket;
        indent_ += kIndent;
        is_empty_ = true;
    }
    void close(char bracket) {
        indent_ -= kIndent;
        if (!is_empty_) start_line();
        text_ += bracket;
        is_empty_ = false;
    }
    /// Up to the place of the next key, or value.
    void start() {
        if (std::exchange(has_key_, false)) return;
        if (indent_ == 0) return;
        if (!is_empty_) text_ += ',';
        is_empty_ = false;
        start_line();
    }
    void start_line() {
        text_ += '\n';
        text_.append(indent_, ' ');
    }
    void quote(std::string_view text);

    static constexpr std::size_t kIndent = 2;
    std::string text_;
    std::size_t indent_ = 0;
    bool is_empty_ = true;  // the list or object at hand
    bool has_key_ = false;
};

}  // namespace flitscope
