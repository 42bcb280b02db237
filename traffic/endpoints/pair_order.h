// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks at a destination that the packets of each sender arrive in order: few senders are kept in
// a small table, many in a row with an entry per node. So memory grows with the communicating
// pairs, not with the square of the number of nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

/// The sequence number that the next packet of a pair of nodes must at least have; 0 at first.
class PairOrder {
public:
    /// `nodes` = 0: unknown.
    explicit PairOrder(NodeId nodes) : nodes_(nodes), rows_(nodes) {}

    std::uint64_t next(NodeId source, NodeId destination) const {
        if (source < nodes_ && destination < nodes_) return rows_[destination].next(source);
        const auto found = pairs_.find(key(source, destination));
        return found == pairs_.end() ? 0 : found->second;
    }
    /// Sets next(), and returns the old value.
    std::uint64_t exchange(NodeId source, NodeId destination, std::uint64_t next) {
        if (source < nodes_ && destination < nodes_) {
            return rows_[destination].exchange(source, next, nodes_);
        }
        return std::exchange(pairs_[key(source, destination)], next);
    }

    /// Memory used, in bytes.
    std::size_t bytes() const {
        std::size_t bytes = pairs_.size() * sizeof(std::pair<std::uint64_t, std::uint64_t>);
        for (const Row& row : rows_) bytes += row.bytes();
        return bytes;
    }

private:
    static std::uint64_t key(NodeId source, NodeId destination) {
        return std::uint64_t{destination} << 32 | source;
    }

    /// Numbers of as many bytes each as the largest of them takes.
    class Numbers {
    public:
        bool empty() const { return bytes_.empty(); }
        std::size_t bytes() const { return bytes_.capacity(); }
        void resize(std::size_t count) { bytes_.resize(count * width_); }
        std::uint64_t get(std::size_t at) const {
            std::uint64_t number = 0;
            for (std::size_t i = width_; i-- > 0;) number = number << 8 | bytes_[at * width_ + i];
            return number;
        }
        void set(std::size_t at, std::uint64_t number) {
            if (width_ < sizeof number && number >> 8 * width_ != 0) widen(number);
            for (std::size_t i = 0; i < width_; ++i) {
                bytes_[at * width_ + i] = static_cast<std::uint8_t>(number >> 8 * i);
            }
        }

    private:
        void widen(std::uint64_t number) {
            Numbers wide;
            wide.width_ = width_;
            while (wide.width_ < sizeof number && number >> 8 * wide.width_ != 0) wide.width_ *= 2;
            const std::size_t count = bytes_.size() / width_;
            wide.resize(count);
            for (std::size_t at = 0; at < count; ++at) wide.set(at, get(at));
            *this = std::move(wide);
        }

        std::size_t width_ = 2;
        std::vector<std::uint8_t> bytes_;
    };

    /// The senders of one destination.
    class Row {
    public:
        std::uint64_t next(NodeId source) const {
            if (!all_.empty()) return all_.get(source);
            return places_.empty() ? 0 : places_[place_of(source)].next;
        }
        std::uint64_t exchange(NodeId source, std::uint64_t next, NodeId nodes) {
            // Half of the places stay free, so a search ends soon.
            if (all_.empty() && 2 * (used_ + 1) > places_.size()) grow(nodes);
            if (!all_.empty()) {
                const std::uint64_t before = all_.get(source);
                all_.set(source, next);
                return before;
            }
            Place& place = places_[place_of(source)];
            if (place.source == kNobody) {
                place.source = source;
                ++used_;
            }
            return std::exchange(place.next, next);
        }
        std::size_t bytes() const { return places_.capacity() * sizeof(Place) + all_.bytes(); }

    private:
        static constexpr NodeId kNobody = UINT32_MAX;
        struct Place {
            NodeId source = kNobody;
            std::uint64_t next = 0;
        };

        /// The place of `source`, or a free one for it, which has 0.
        std::size_t place_of(NodeId source) const {
            const std::size_t mask = places_.size() - 1;
            std::size_t at = (source * std::size_t{0x9E3779B1}) >> 7 & mask;
            while (places_[at].source != source && places_[at].source != kNobody) {
                at = (at + 1) & mask;
            }
            return at;
        }
        /// Doubles the places, or makes a row of all nodes if that is not larger.
        void grow(NodeId nodes) {
            const std::vector<Place> before = std::exchange(places_, {});
            const std::size_t places = before.empty() ? 4 : 2 * before.size();
            if (places * sizeof(Place) >= nodes * sizeof(std::uint64_t)) {
                all_.resize(nodes);
                for (const Place& place : before) {
                    if (place.source != kNobody) all_.set(place.source, place.next);
                }
                return;
            }
            places_.resize(places);
            for (const Place& place : before) {
                if (place.source != kNobody) places_[place_of(place.source)] = place;
            }
        }

        std::vector<Place> places_;  // a power of two of them
        std::size_t used_ = 0;
        Numbers all_;  // per source; empty while places_ are enough
    };

    NodeId nodes_;
    std::vector<Row> rows_;  // per destination
    std::unordered_map<std::uint64_t, std::uint64_t> pairs_;
};

}  // namespace flitscope
