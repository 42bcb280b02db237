// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/owner_table.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

namespace flitscope {

std::uint32_t OwnerTable::find(const Owner& owner) {
    const bool is_full = owners_.size() == kMost;
    if (2 * owners_.size() >= places_.size()) grow();
    const std::size_t place = place_of(owner);
    std::uint32_t number = places_[place];
    if (number == 0 && !is_full) {
        owners_.push_back(owner);
        number = static_cast<std::uint32_t>(owners_.size());
        places_[place] = number;
    }
    // A full table remembers no more messages, so its memory has a bound.
    if (owner.message >= by_message_.size() && !is_full) {
        by_message_.resize(owner.message + 1, kUnknown);
    }
    if (owner.message < by_message_.size()) by_message_[owner.message] = number;
    return number;
}

/// The place at which the number of an owner is, or would be.
std::size_t OwnerTable::place_of(const Owner& owner) const {
    const std::uint64_t key =
        std::uint64_t{owner.step} << 32 | std::uint32_t{owner.source} << 16 | owner.destination;
    const std::size_t last = places_.size() - 1;
    std::size_t place = (key * 0x9E3779B97F4A7C15U) >> 32 & last;  // Fibonacci hashing
    for (; places_[place] != 0; place = (place + 1) & last) {
        const Owner& other = owners_[places_[place] - 1];
        if (other.source == owner.source && other.destination == owner.destination &&
            other.step == owner.step) {
            break;
        }
    }
    return place;
}

void OwnerTable::grow() {
    const std::size_t places = std::max<std::size_t>(64, 2 * places_.size());
    places_.assign(places, 0);
    for (std::uint32_t number = 1; number <= owners_.size(); ++number) {
        places_[place_of(owners_[number - 1])] = number;
    }
}

std::vector<ValueWord> OwnerTable::words(std::size_t most) const {
    std::vector<ValueWord> words{{value(0, false), "see_message"},
                                 {value(0, true), "see_message_blocked"}};
    for (std::uint32_t number = 1; number <= owners_.size() && words.size() < most; ++number) {
        const Owner& owner = owners_[number - 1];
        const std::string who = std::to_string(owner.source) + '>' +
                                std::to_string(owner.destination) + "_s" +
                                std::to_string(owner.step);
        words.push_back({value(number, false), who});
        words.push_back({value(number, true), who + "_blocked"});
    }
    return words;
}

std::string OwnerTable::filter() const {
    constexpr std::size_t kMostBytes = 160;  // for an owner's two lines
    std::string text(kMostBytes * (1 + owners_.size()), '\0');
    char* out = text.data();
    const auto put = [&out](std::string_view words) {
        std::memcpy(out, words.data(), words.size());
        out += words.size();
    };
    const auto put_number = [&out](std::uint32_t number) {
        out = std::to_chars(out, out + 10, number).ptr;
    };
    // For those without a place: the state, and where to look.
    put("0 ");
    put(kBusyColor);
    put("see message\n1 ");
    put(kBlockedColor);
    put("see message blocked\n");
    for (std::uint32_t number = 1; number <= owners_.size(); ++number) {
        const Owner& owner = owners_[number - 1];
        put_number(value(number, false));
        *out++ = ' ';
        put(kBusyColor);
        const char* const words = out;
        put_number(owner.source);
        *out++ = '>';
        put_number(owner.destination);
        put(" s");
        put_number(owner.step);
        const std::string_view who(words, static_cast<std::size_t>(out - words));
        *out++ = '\n';
        put_number(value(number, true));
        *out++ = ' ';
        put(kBlockedColor);
        put(who);
        put(" blocked\n");
    }
    text.resize(static_cast<std::size_t>(out - text.data()));
    return text;
}

}  // namespace flitscope
