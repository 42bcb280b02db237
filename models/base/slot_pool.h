// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbered places for things that come and go. Places that were given back are used again, so a
// long run needs no more memory than what is there at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitscope {

template <class T>
class SlotPool {
public:
    /// Returns the number of the place that now holds `value`.
    std::uint32_t add(const T& value) {
        if (free_.empty()) {
            items_.push_back(value);
            return static_cast<std::uint32_t>(items_.size() - 1);
        }
        const std::uint32_t index = free_.back();
        free_.pop_back();
        items_[index] = value;
        return index;
    }
    /// Gives a place back; what it holds stays until the place is used again.
    void remove(std::uint32_t index) { free_.push_back(index); }

    T& operator[](std::uint32_t index) { return items_[index]; }
    const T& operator[](std::uint32_t index) const { return items_[index]; }
    /// Places in use.
    std::size_t size() const { return items_.size() - free_.size(); }

private:
    std::vector<T> items_;
    std::vector<std::uint32_t> free_;
};

}  // namespace flitscope
