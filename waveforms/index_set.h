// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A set of small integers that is visited in ascending order, whatever the order of insertion: it
// makes a waveform independent of the order of events within a cycle, without sorting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitscope {

/// Two-level bitmap over 0 .. size-1. Insertion and removal are O(1); a visit costs
/// O(size / 4096 + members).
class IndexSet {
public:
    explicit IndexSet(std::size_t size) : words_(size / 64 + 1), summary_(size / 4096 + 1) {}

    void insert(std::uint32_t index) {
        words_[index / 64] |= std::uint64_t{1} << index % 64;
        summary_[index / 4096] |= std::uint64_t{1} << index / 64 % 64;
    }
    void erase(std::uint32_t index) {
        std::uint64_t& word = words_[index / 64];
        word &= ~(std::uint64_t{1} << index % 64);
        if (word == 0) summary_[index / 4096] &= ~(std::uint64_t{1} << index / 64 % 64);
    }
    bool empty() const {
        for (const std::uint64_t bits : summary_) {
            if (bits != 0) return false;
        }
        return true;
    }

    /// Calls visit(index) for every member. `visit` may insert into other sets only.
    template <typename Visit>
    void for_each(Visit visit) const {
        for (std::size_t s = 0; s < summary_.size(); ++s) {
            for (std::uint64_t words = summary_[s]; words != 0; words &= words - 1) {
                const std::size_t w = s * 64 + lowest(words);
                for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
                    visit(static_cast<std::uint32_t>(w * 64 + lowest(bits)));
                }
            }
        }
    }
    void clear() {
        for (std::size_t s = 0; s < summary_.size(); ++s) {
            for (std::uint64_t words = summary_[s]; words != 0; words &= words - 1) {
                words_[s * 64 + lowest(words)] = 0;
            }
            summary_[s] = 0;
        }
    }

private:
    static std::size_t lowest(std::uint64_t bits) {
        return static_cast<std::size_t>(__builtin_ctzll(bits));
    }

    std::vector<std::uint64_t> words_;
    std::vector<std::uint64_t> summary_;  // bit w: words_[w] has members
};

}  // namespace flitscope
