// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbered slots for short-lived objects. Freed slots are reused, so memory follows the most
// objects alive at a time, not the length of a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace flitscope {

/// A slot never moves: it can be read while another thread adds an element.
template <class T>
class SlotPool {
public:
    /// Returns the number of the place that now holds `value`.
    std::uint32_t add(const T& value) {
        std::uint32_t index = places_;
        if (free_.empty()) {
            auto& segment = segments_[segment_of(index)];
            if (segment == nullptr) segment.reset(new T[kFirst << segment_of(index)]);
            ++places_;
        } else {
            index = free_.back();
            free_.pop_back();
        }
        (*this)[index] = value;
        return index;
    }
    /// Frees a slot; its contents remain until it is reused.
    void remove(std::uint32_t index) { free_.push_back(index); }

    T& operator[](std::uint32_t index) { return segments_[segment_of(index)][place_in(index)]; }
    const T& operator[](std::uint32_t index) const {
        return segments_[segment_of(index)][place_in(index)];
    }
    /// Places in use.
    std::size_t size() const { return places_ - free_.size(); }

private:
    // Segment s has 2^s times as many places as the first one.
    static constexpr std::uint32_t kFirst = 64;
    static constexpr unsigned kLog2First = 6;
    static unsigned segment_of(std::uint32_t index) {
        return 63U - kLog2First -
               static_cast<unsigned>(__builtin_clzll(std::uint64_t{index} + kFirst));
    }
    static std::size_t place_in(std::uint32_t index) {
        return std::uint64_t{index} + kFirst - (std::uint64_t{kFirst} << segment_of(index));
    }

    std::array<std::unique_ptr<T[]>, 32 - kLog2First + 1> segments_;
    std::uint32_t places_ = 0;
    std::vector<std::uint32_t> free_;
};

}  // namespace flitscope
