// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/direct/direct_rounds.h"

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

namespace flitscope::synthesis {
namespace {

class DirectRounds {
public:
    DirectRounds(const MessageWays& ways, std::uint64_t seed)
        : ways_(ways), random_(seed), to_carry_(ways.channels()), taken_in_(ways.channels()) {
        waiting_.reserve(ways.messages());
        for (std::uint32_t message = 0; message < ways.messages(); ++message) {
            for (const MessageWays::Use& use : ways.of(message)) ++to_carry_[use.channel];
            waiting_.push_back({0, message});
        }
    }

    MessageRounds rounds() {
        MessageRounds rounds;
        std::size_t ranked = 0;  // how many waited when they were ranked
        while (!waiting_.empty()) {
            ++round_;
            // In large networks not in every round: there they change little from one to the next.
            if (ranked == 0 || waiting_.size() + ranked / kRankings < ranked) {
                ranked = waiting_.size();
                for (auto& [rank, message] : waiting_) rank = urgency(message);
                std::sort(waiting_.begin(), waiting_.end(), std::greater<>());
            }
            std::vector<std::uint32_t> taken;
            std::size_t kept = 0;
            for (const auto& entry : waiting_) {
                if (take(entry.second)) {
                    taken.push_back(entry.second);
                } else {
                    waiting_[kept++] = entry;
                }
            }
            waiting_.resize(kept);
            rounds.push_back(std::move(taken));
        }
        return rounds;
    }

private:
    static constexpr std::size_t kRankings = 128;

    /// A message is urgent where what it occupies has much before it; more than proportionally, so
    /// that the fullest counts most. Random digits behind that.
    double urgency(std::uint32_t message) {
        double sum = 0;
        for (const MessageWays::Use& use : ways_.of(message)) {
            const auto load = static_cast<double>(to_carry_[use.channel]);
            sum += load * load * load;
        }
        return sum * (1 + 1e-3 * static_cast<double>(random_() >> 11) / 9007199254740992.0);
    }

    bool take(std::uint32_t message) {
        const MessageWays::Uses uses = ways_.of(message);
        for (const MessageWays::Use& use : uses) {
            if (taken_in_[use.channel] == round_) return false;
        }
        for (const MessageWays::Use& use : uses) {
            taken_in_[use.channel] = round_;
            --to_carry_[use.channel];
        }
        return true;
    }

    const MessageWays& ways_;
    std::mt19937_64 random_;
    std::vector<std::uint64_t> to_carry_;  // of each channel, from now on
    std::vector<std::uint64_t> taken_in_;  // the last round in which it was
    std::uint64_t round_ = 0;
    std::vector<std::pair<double, std::uint32_t>> waiting_;
};

}  // namespace

MessageRounds direct_rounds(const MessageWays& ways, std::uint64_t seed) {
    return DirectRounds(ways, seed).rounds();
}

}  // namespace flitscope::synthesis
