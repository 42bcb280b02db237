// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The names of kinds are those of GTKWave's fstapi.
#include "waveforms/fst_hierarchy.h"

#include <fstapi.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "waveforms/fst_varint.h"

namespace flitscope {

namespace {

/// Readers take no longer text of a table.
constexpr std::size_t kMostTableText = 65'536 + 4'096;
/// Its name and the number of its words.
constexpr std::size_t kMostNumberText = 32;

void append_attribute(std::string& entries, int kind, const std::string& text,
                      std::uint64_t number) {
    entries += {static_cast<char>(FST_ST_GEN_ATTRBEGIN), static_cast<char>(FST_AT_MISC),
                static_cast<char>(kind)};
    entries += text;
    entries += '\0';
    append_varint(entries, number);
}

/// A table of words; with an empty text the next variable's reference to it.
void append_table(std::string& entries, std::uint64_t number, const std::string& text) {
    append_attribute(entries, FST_MT_ENUMTABLE, text, number);
}

/// A word that no reader has to unescape: not all do.
std::string in_table(std::string word) {
    for (char& c : word) {
        const bool is_plain = c > ' ' && c <= '~' && std::strchr("\\\"'?", c) == nullptr;
        if (!is_plain) c = '_';
    }
    return word;
}

/// All digits of a number, as tables have them.
std::string digits_of(std::uint64_t value, std::uint32_t width) {
    std::string digits(width, '0');
    for (std::uint32_t i = 0; i < width; ++i) {
        if ((value >> i & 1) != 0) digits[width - 1 - i] = '1';
    }
    return digits;
}

}  // namespace

FstHierarchy::FstHierarchy(const std::string& comment) {
    append_attribute(entries_, FST_MT_COMMENT, comment, 0);
}

void FstHierarchy::open_scope(const std::string& name) {
    entries_ += static_cast<char>(FST_ST_VCD_SCOPE);
    entries_ += static_cast<char>(FST_ST_VCD_MODULE);
    entries_ += name;
    entries_.append(2, '\0');  // after it, and a component without a name
    ++scopes_;
}

void FstHierarchy::close_scope() { entries_ += static_cast<char>(FST_ST_VCD_UPSCOPE); }

void FstHierarchy::add_variable(const std::string& name, std::uint32_t width) {
    width_ = width;
    add(name, 0);
    ++variables_;
}

void FstHierarchy::add_words(const std::string& name, WordTable table) {
    append_table(entries_, number_of(table), "");
    add(name + "_word", variables_);
    ++aliases_;
}

std::uint64_t FstHierarchy::number_of(WordTable table) {
    auto known = std::find(named_.begin(), named_.end(), table);
    if (known == named_.end()) known = named_.insert(known, table);
    return static_cast<std::uint64_t>(known - named_.begin()) + 1;
}

/// `alias`: the variable, from 1, whose values it has; 0: it has its own.
void FstHierarchy::add(const std::string& name, std::uint64_t alias) {
    entries_ += static_cast<char>(FST_VT_VCD_WIRE);
    entries_ += static_cast<char>(FST_VD_IMPLICIT);
    entries_ += ranged_name(name, width_, " ");
    entries_ += '\0';
    append_varint(entries_, width_);
    append_varint(entries_, alias);
}

void FstHierarchy::set_words(WordTable table, std::uint32_t width,
                             const std::vector<ValueWord>& words) {
    // No variable has it: a reader would take it for that of the next one.
    if (std::find(named_.begin(), named_.end(), table) == named_.end()) return;
    constexpr std::array<const char*, 4> kNames{"owner", "cause", "channel", "access"};
    std::string all_words;
    std::string values;
    std::size_t count = 0;
    for (const ValueWord& word : words) {
        const std::string plain = in_table(word.word);
        const std::size_t more = plain.size() + width + 2;
        if (kMostNumberText + all_words.size() + values.size() + more > kMostTableText) break;
        all_words += ' ' + plain;
        values += ' ' + digits_of(word.value, width);
        ++count;
    }
    append_table(tables_, number_of(table),
                 kNames[static_cast<std::size_t>(table) - 1] + (' ' + std::to_string(count)) +
                     all_words + values);
}

}  // namespace flitscope
