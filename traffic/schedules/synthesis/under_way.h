// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What links carry in a round, by the round in which it arrives: over slow links in a later one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace flitscope::synthesis {

template <class T>
class UnderWay {
public:
    /// Begins in this round, and takes `rounds` >= 1 of them.
    void add(T what, std::uint32_t rounds) {
        if (by_end_.size() < rounds) by_end_.resize(rounds);
        by_end_[rounds - 1].push_back(std::move(what));
        ++count_;
    }
    /// All that ends in this round, in the order in which it began; the next round begins.
    std::vector<T> ending() {
        if (by_end_.empty()) return {};
        std::vector<T> ended = std::move(by_end_.front());
        by_end_.pop_front();
        count_ -= ended.size();
        return ended;
    }
    bool is_empty() const { return count_ == 0; }

private:
    std::deque<std::vector<T>> by_end_;  // from this round on
    std::size_t count_ = 0;
};

}  // namespace flitscope::synthesis
