// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/direct/round_chain.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace flitscope::synthesis {
namespace {

class RoundChain {
public:
    explicit RoundChain(const MessageRoutes& ways) : ways_(ways), free_(ways.channels()) {}

    /// When messages would be in the channels of their ways if the round came next, in the mean.
    double mean_time(const std::vector<std::uint32_t>& round) const {
        Cycle sum = 0;
        std::size_t uses = 0;
        for (const std::uint32_t message : round) {
            const Cycle begin = earliest(message);
            uses += ways_.of(message).size();
            for (const MessageRoutes::Use& use : ways_.of(message)) sum += begin + use.offset;
        }
        return uses == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(uses);
    }
    void follow(const std::vector<std::uint32_t>& round) {
        for (const std::uint32_t message : round) {
            const Cycle begin = earliest(message);
            for (const MessageRoutes::Use& use : ways_.of(message)) {
                free_[use.channel] = begin + use.offset + ways_.busy(use);
            }
        }
    }

private:
    /// Behind all that has been in its channels.
    Cycle earliest(std::uint32_t message) const {
        Cycle begin = 0;
        for (const MessageRoutes::Use& use : ways_.of(message)) {
            const Cycle free = free_[use.channel];
            if (free > begin + use.offset) begin = free - use.offset;
        }
        return begin;
    }

    const MessageRoutes& ways_;
    std::vector<Cycle> free_;  // per channel: from when on
};

/// Rounds to draw from for every place: all of them in networks of up to 144 nodes or so, and no
/// more than take a second or two.
std::size_t rounds_to_draw(const MessageRoutes& ways) {
    constexpr std::size_t kWork = 200'000'000;  // channels looked at
    std::size_t uses = 1;
    for (std::size_t m = 0; m < ways.messages(); ++m) uses += ways.of(m).size();
    return std::max<std::size_t>(kWork / uses, 8);
}

}  // namespace

MessageRounds chained_rounds(const MessageRoutes& ways, MessageRounds rounds, std::uint64_t seed) {
    const std::size_t most = rounds_to_draw(ways);
    std::mt19937_64 random(seed);
    RoundChain chain(ways);
    for (std::size_t place = 0; place < rounds.size(); ++place) {
        const std::size_t left = rounds.size() - place;
        std::size_t best = place;
        double soonest = chain.mean_time(rounds[place]);
        for (std::size_t i = 1; place != 0 && i < std::min(most, left); ++i) {
            const std::size_t other = place + (left <= most ? i : random() % left);
            const double time = chain.mean_time(rounds[other]);
            if (time >= soonest) continue;
            soonest = time;
            best = other;
        }
        std::swap(rounds[place], rounds[best]);
        chain.follow(rounds[place]);
    }
    return rounds;
}

}  // namespace flitscope::synthesis
