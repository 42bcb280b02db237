// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a destination has to remember of those who have sent to it, to see that their packets come
// in order: of few senders a small table, of many a row with a place for each node. So the memory
// of a network follows from who talks to whom, and not from the number of nodes squared.
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

    /// Valid until the next call.
    std::uint64_t& of(NodeId source, NodeId destination) {
        if (source < nodes_ && destination < nodes_) return rows_[destination].of(source, nodes_);
        return pairs_[std::uint64_t{destination} << 32 | source];
    }

    /// Memory of what is remembered.
    std::size_t bytes() const {
        std::size_t bytes = pairs_.size() * sizeof(std::pair<std::uint64_t, std::uint64_t>);
        for (const Row& row : rows_) bytes += row.bytes();
        return bytes;
    }

private:
    /// Of one destination.
    class Row {
    public:
        std::uint64_t& of(NodeId source, NodeId nodes) {
            if (!all_.empty()) return all_[source];
            // Half of the places stay free, so a search ends soon.
            if (2 * (used_ + 1) > places_.size()) {
                grow(nodes);
                if (!all_.empty()) return all_[source];
            }
            Place& place = find(source);
            if (place.source == kNobody) {
                place.source = source;
                ++used_;
            }
            return place.next;
        }
        std::size_t bytes() const {
            return places_.capacity() * sizeof(Place) + all_.capacity() * sizeof(std::uint64_t);
        }

    private:
        static constexpr NodeId kNobody = UINT32_MAX;
        struct Place {
            NodeId source = kNobody;
            std::uint64_t next = 0;
        };

        /// The place of `source`, or a free one for it.
        Place& find(NodeId source) {
            const std::size_t mask = places_.size() - 1;
            std::size_t at = (source * std::size_t{0x9E3779B1}) >> 7 & mask;
            while (places_[at].source != source && places_[at].source != kNobody) {
                at = (at + 1) & mask;
            }
            return places_[at];
        }
        /// To twice the places, or to a row of all nodes where that is no larger.
        void grow(NodeId nodes) {
            const std::vector<Place> before = std::exchange(places_, {});
            const std::size_t places = before.empty() ? 4 : 2 * before.size();
            if (places * sizeof(Place) >= nodes * sizeof(std::uint64_t)) {
                all_.resize(nodes, 0);
                for (const Place& place : before) {
                    if (place.source != kNobody) all_[place.source] = place.next;
                }
                return;
            }
            places_.resize(places);
            for (const Place& place : before) {
                if (place.source != kNobody) find(place.source) = place;
            }
        }

        std::vector<Place> places_;  // a power of two of them
        std::size_t used_ = 0;
        std::vector<std::uint64_t> all_;  // per source; empty while places_ are enough
    };

    NodeId nodes_;
    std::vector<Row> rows_;  // per destination
    std::unordered_map<std::uint64_t, std::uint64_t> pairs_;
};

}  // namespace flitscope
