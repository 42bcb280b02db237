// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The hierarchy of an FST file: scopes, variables, and the words for their values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "waveforms/wave_sink.h"

namespace flitscope {

class FstHierarchy {
public:
    /// `comment`: shown by readers.
    explicit FstHierarchy(const std::string& comment);

    void open_scope(const std::string& name);
    void close_scope();
    void add_variable(const std::string& name, std::uint32_t width);
    /// WaveSink::declare_words().
    void add_words(const std::string& name, WordTable table);
    /// WaveSink::set_words().
    void set_words(WordTable table, std::uint32_t width, const std::vector<ValueWord>& words);

    std::uint64_t scopes() const { return scopes_; }
    /// Those with the values of others included.
    std::uint64_t variables() const { return variables_ + aliases_; }
    /// The content of the block, not packed.
    std::string text() const { return tables_ + entries_; }

private:
    void add(const std::string& name, std::uint64_t alias);
    /// Tables have the numbers 1, 2, .. in the order in which variables name them first: readers
    /// want them so, and give up on others.
    std::uint64_t number_of(WordTable table);

    std::vector<WordTable> named_;  // tables, in order of their numbers
    std::string entries_;
    std::string tables_;  // readers want them before the variables
    std::uint64_t scopes_ = 0;
    std::uint64_t variables_ = 0;  // with values of their own
    std::uint64_t aliases_ = 0;    // with the values of others
    std::uint32_t width_ = 0;      // of the last variable
};

}  // namespace flitscope
