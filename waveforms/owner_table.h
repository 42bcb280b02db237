// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The values of `owner` signals: small numbers for the packets that hold channels, and their
// meanings, as a file by which GTKWave shows texts in colours instead of the numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/limits.h"
#include "models/base/types.h"
#include "waveforms/wave_sink.h"

namespace flitscope {

// Colours of filters, by their names in X11. They are distinguishable with red-green blindness.
// They are dark, since the text is white.
inline constexpr std::string_view kBusyColor = "?DodgerBlue3?";
inline constexpr std::string_view kBlockedColor = "?OrangeRed3?";

/// The packet that holds a channel. As small as possible, since every channel has two.
struct Owner {
    std::uint16_t source = 0;
    std::uint16_t destination = 0;
    MessageId message = 0;
    std::uint32_t step = 0;  ///< from 1
};
static_assert(kMaxNodes <= 1U << 16);

class OwnerTable {
public:
    /// The most numbers. So a viewer loads the table at once, however long the run was.
    static constexpr std::uint32_t kMost = 65'535;
    /// Bits of value().
    static constexpr std::uint32_t kBits = 17;

    /// The number of the owner's source, destination and step, from 1 in the order of first calls;
    /// 0 when there are kMost others.
    std::uint32_t number(const Owner& owner) {
        const bool is_known = owner.message < by_message_.size();
        const std::uint32_t number = is_known ? by_message_[owner.message] : kUnknown;
        return number != kUnknown ? number : find(owner);
    }
    /// The value of an `owner` signal for an owner.
    static std::uint32_t value(std::uint32_t number, bool blocked) { return 2 * number + blocked; }

    /// One line for each value: the value in base 10, then the text with its colour: "7 ?...?3>17
    /// s5 blocked" (GTKWave's manual, "Translate filters").
    std::string filter() const;
    /// The same words, without colours: those of the first `most` values.
    std::vector<ValueWord> words(std::size_t most) const;

private:
    static constexpr std::uint32_t kUnknown = UINT32_MAX;

    std::uint32_t find(const Owner& owner);

    std::size_t place_of(const Owner& owner) const;
    void grow();

    std::vector<Owner> owners_;              // that of number n is at n - 1
    std::vector<std::uint32_t> by_message_;  // numbers, as far as requested
    // Numbers by source, destination and step: hashed with linear probing; 0: free.
    std::vector<std::uint32_t> places_;
};

}  // namespace flitscope
