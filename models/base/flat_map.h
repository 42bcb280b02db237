// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A hash map whose entries are in one block of memory, for small values that come and go by the
// million: a map of nodes would allocate each and follow two pointers to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace flitscope {

/// Multiplies, so that neighbouring numbers are far apart.
struct NumberHash {
    std::uint64_t operator()(std::uint64_t number) const {
        return number * std::uint64_t{0x9e3779b97f4a7c15U};
    }
};

/// Linear probing; at most half of the places are taken. References to values hold until the next
/// call that adds or erases. `Hash` gives 64 bits, of which the upper ones count.
template <class Key, class Value, class Hash = NumberHash>
class FlatMap {
public:
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    /// The value of a key; null: there is none.
    Value* find(const Key& key) {
        if (places_.empty()) return nullptr;
        Place& place = places_[place_of(key)];
        return place.is_taken ? &place.value : nullptr;
    }
    const Value* find(const Key& key) const { return const_cast<FlatMap*>(this)->find(key); }
    /// The value of a key, which is added if there is none.
    Value& operator[](const Key& key) {
        if (2 * (size_ + 1) > places_.size()) grow();
        Place& place = places_[place_of(key)];
        if (!place.is_taken) {
            place = {key, {}, true};
            ++size_;
        }
        return place.value;
    }
    /// Removes a key, if it is there.
    void erase(const Key& key) {
        if (places_.empty()) return;
        std::size_t hole = place_of(key);
        if (!places_[hole].is_taken) return;
        --size_;
        const std::size_t mask = places_.size() - 1;
        // Those behind it move up, unless they would come before the place that they hash to.
        for (std::size_t at = (hole + 1) & mask; places_[at].is_taken; at = (at + 1) & mask) {
            if (((at - start_of(places_[at].key)) & mask) < ((at - hole) & mask)) continue;
            places_[hole] = std::move(places_[at]);
            hole = at;
        }
        places_[hole] = {};
    }
    /// Calls visit(key, value) for all entries, in no order that means anything.
    template <class Visit>
    void visit(const Visit& visit) const {
        for (const Place& place : places_) {
            if (place.is_taken) visit(place.key, place.value);
        }
    }

private:
    struct Place {
        Key key{};
        Value value{};
        bool is_taken = false;
    };

    std::size_t start_of(const Key& key) const { return Hash()(key) >> shift_; }
    /// The place that has a key, or is to get it.
    std::size_t place_of(const Key& key) const {
        const std::size_t mask = places_.size() - 1;
        std::size_t at = start_of(key);
        while (places_[at].is_taken && !(places_[at].key == key)) at = (at + 1) & mask;
        return at;
    }
    void grow() {
        constexpr std::size_t kFirst = 16;
        std::vector<Place> before(places_.empty() ? kFirst : 2 * places_.size());
        before.swap(places_);
        shift_ = 64;
        for (std::size_t places = places_.size(); places > 1; places /= 2) --shift_;
        for (Place& place : before) {
            if (place.is_taken) places_[place_of(place.key)] = std::move(place);
        }
    }

    std::vector<Place> places_;  // 2^k
    std::size_t size_ = 0;
    unsigned shift_ = 64;  // 64 - k
};

}  // namespace flitscope
