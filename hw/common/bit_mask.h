// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A set of small integers in a fixed number of machine words, with the round-robin choice that
// arbiters make.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace flitscope::hw {

template <std::size_t kWords>
class BitMask {
public:
    static constexpr unsigned kBits = 64 * kWords;

    void set(unsigned i) { words_[place(i)] |= std::uint64_t{1} << i % 64; }
    void clear(unsigned i) { words_[place(i)] &= ~(std::uint64_t{1} << i % 64); }
    /// Empties the mask if `holds` is false, without a branch.
    void keep_if(bool holds) {
        for (std::uint64_t& w : words_) w &= -static_cast<std::uint64_t>(holds);
    }
    /// Takes `i` out if `holds`, without a branch.
    void clear_if(unsigned i, bool holds) {
        words_[place(i)] &= ~(static_cast<std::uint64_t>(holds) << i % 64);
    }
    /// Puts `i` in, or takes it out.
    void assign(unsigned i, bool is_member) {
        const std::uint64_t bit = std::uint64_t{1} << i % 64;
        words_[place(i)] = (words_[place(i)] & ~bit) | (is_member ? bit : 0);
    }
    bool test(unsigned i) const { return (words_[place(i)] >> i % 64 & 1) != 0; }
    bool any() const {
        std::uint64_t all = 0;
        for (const std::uint64_t w : words_) all |= w;
        return all != 0;
    }
    std::uint64_t& word(unsigned i) { return words_[place(i)]; }
    std::uint64_t word(unsigned i) const { return words_[place(i)]; }

    /// The `width` bits from `first` on; `width` divides 64 and `first` is a multiple of it.
    std::uint64_t field(unsigned first, unsigned width) const {
        return words_[place(first)] >> first % 64 & ((std::uint64_t{1} << width) - 1);
    }

    /// Those of its members that are `first` + the number of a bit of `bits`, all of them below the
    /// next multiple of 64.
    BitMask part(unsigned first, std::uint64_t bits) const {
        BitMask some;
        some.words_[place(first)] = words_[place(first)] & bits << first % 64;
        return some;
    }
    /// Clears the `width` bits from `first` on; the conditions of field() hold.
    void clear_field(unsigned first, unsigned width) {
        words_[place(first)] &= ~(((std::uint64_t{1} << width) - 1) << first % 64);
    }
    /// The smallest member. The mask must not be empty.
    unsigned first() const { return round_robin(0); }
    /// Whether the mask has at most one member.
    bool at_most_one() const {
        std::uint64_t several = 0;
        std::uint64_t before = 0;
        for (const std::uint64_t w : words_) {
            several |= (w & (w - 1)) | (before != 0 ? w : 0);
            before |= w;
        }
        return several == 0;
    }

    /// The first member at or after `from`, else the first one of all. The mask must not be empty.
    unsigned round_robin(unsigned from) const {
        if constexpr (kWords == 1) {
            // Which of them is as good as random, and costs no branch.
            const std::uint64_t after = from < 64 ? words_[0] & ~std::uint64_t{0} << from : 0;
            return ctz(after != 0 ? after : words_[0]);
        }
        std::size_t w = from / 64;
        if (w < kWords) {
            std::uint64_t bits = words_[w] & ~std::uint64_t{0} << from % 64;
            while (bits == 0 && ++w < kWords) bits = words_[w];
            if (bits != 0) return static_cast<unsigned>(w * 64) + ctz(bits);
        }
        for (w = 0; words_[w] == 0;) ++w;
        return static_cast<unsigned>(w * 64) + ctz(words_[w]);
    }

    /// Calls `f(i)` for every member, in ascending order; `f` may change the mask.
    template <class F>
    void for_each(F&& f) const {
        for (std::size_t w = 0; w < kWords; ++w) {
            for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
                f(static_cast<unsigned>(w * 64) + ctz(bits));
            }
        }
    }

    friend BitMask operator&(BitMask a, const BitMask& b) {
        for (std::size_t w = 0; w < kWords; ++w) a.words_[w] &= b.words_[w];
        return a;
    }
    BitMask& operator|=(const BitMask& other) {
        for (std::size_t w = 0; w < kWords; ++w) words_[w] |= other.words_[w];
        return *this;
    }
    /// Members of `a` that are not in `b`.
    friend BitMask operator-(BitMask a, const BitMask& b) {
        for (std::size_t w = 0; w < kWords; ++w) a.words_[w] &= ~b.words_[w];
        return a;
    }

private:
    /// The word of member `i`, whose computation a mask of one word is spared.
    static constexpr std::size_t place(unsigned i) { return kWords == 1 ? 0 : i / 64; }
    static unsigned ctz(std::uint64_t bits) { return static_cast<unsigned>(__builtin_ctzll(bits)); }

    std::array<std::uint64_t, kWords> words_{};
};

}  // namespace flitscope::hw
