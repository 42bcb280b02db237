// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The links of a search, round by round: which are free, and what they carry. A slow link is busy
// for several rounds, and delivers its chunk in the last of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "traffic/schedules/synthesis/neighbours.h"

namespace flitscope::synthesis {

template <class T>
class UnderWay {
public:
    /// `network` must outlive this object.
    explicit UnderWay(const Neighbours& network)
        : network_(network), free_from_(network.links.size()) {}

    /// The round, from 0.
    std::size_t now() const { return now_; }
    bool is_free(std::uint32_t link) const { return free_from_[link] <= now_; }
    /// The link, which is free, takes it in this round.
    void carry(std::uint32_t link, T what) {
        const std::uint32_t rounds = network_.links[link].rounds;
        free_from_[link] = now_ + rounds;
        if (by_end_.size() < rounds) by_end_.resize(rounds);
        by_end_[rounds - 1].push_back(std::move(what));
        ++count_;
    }
    /// All that arrives in this round, in the order in which it began; the next round begins.
    std::vector<T> end_round() {
        ++now_;
        if (by_end_.empty()) return {};
        std::vector<T> arrived = std::move(by_end_.front());
        by_end_.pop_front();
        count_ -= arrived.size();
        return arrived;
    }
    bool is_empty() const { return count_ == 0; }

private:
    const Neighbours& network_;
    std::size_t now_ = 0;
    std::vector<std::size_t> free_from_;  // per link, a round
    std::deque<std::vector<T>> by_end_;   // from this round on
    std::size_t count_ = 0;
};

}  // namespace flitscope::synthesis
