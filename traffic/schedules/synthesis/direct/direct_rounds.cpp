// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/direct/direct_rounds.h"

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

namespace flitscope::synthesis {
namespace {

class DirectRounds {
public:
    DirectRounds(const MessageRoutes& ways, std::uint64_t seed)
        : ways_(ways),
          random_(seed),
          to_carry_(ways.channels()),
          taken_in_(ways.channels()),
          is_sent_(ways.messages()) {
        waiting_.reserve(ways.messages());
        for (std::uint32_t message = 0; message < ways.messages(); ++message) {
            for (const MessageRoutes::Use& use : ways.of(message)) ++to_carry_[use.channel];
            waiting_.push_back({0, message});
        }
    }

    MessageRounds rounds() {
        MessageRounds rounds;
        const std::size_t sets = sets_per_round();
        std::size_t ranked = 0;  // how many waited when they were ranked
        while (!waiting_.empty()) {
            // In large networks not in every round: there they change little from one to the next.
            if (ranked == 0 || waiting_.size() + ranked / kRankings < ranked) {
                ranked = waiting_.size();
                for (auto& [rank, message] : waiting_) rank = urgency(message);
                std::sort(waiting_.begin(), waiting_.end(), std::greater<>());
            }
            best_ = Set{};
            for (std::size_t i = 0; i < sets; ++i) try_set(i != 0);
            send(best_.messages);
            rounds.push_back(std::move(best_.messages));
        }
        return rounds;
    }

private:
    static constexpr std::size_t kRankings = 128;

    /// A message is urgent if its channels have much left to carry; more than proportionally, so
    /// that the fullest counts most. Random low-order digits break ties.
    double urgency(std::uint32_t message) {
        double sum = 0;
        for (const MessageRoutes::Use& use : ways_.of(message)) {
            const auto load = static_cast<double>(to_carry_[use.channel]);
            sum += load * load * load;
        }
        return sum * (1 + 1e-3 * static_cast<double>(random_() >> 11) / 9007199254740992.0);
    }

    /// Messages that share no channel, and the load of their channels.
    struct Set {
        std::vector<std::uint32_t> messages;
        double load = -1;
    };

    /// Number of sets tried per round: fewer if messages and rounds are many.
    std::size_t sets_per_round() const {
        constexpr std::uint64_t kMessages = 100'000'000;  // to be looked at, all in all
        constexpr std::uint64_t kMost = 64;
        std::uint64_t rounds = 1;
        for (const std::uint64_t messages : to_carry_) rounds = std::max(rounds, messages);
        return std::clamp<std::uint64_t>(kMessages / (rounds * waiting_.size() + 1), 1, kMost);
    }

    /// Every message that fits is taken, the most urgent first, except that with `passes_over`
    /// every fourth waits until all others have been tried: an early one excludes many, not always
    /// the right ones.
    void try_set(bool passes_over) {
        ++set_;
        Set set{{}, 0};
        passed_.clear();
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            if (i % 32 == 0 && passes_over) bits = random_();
            if (passes_over && (bits >> 2 * (i % 32) & 3) == 0) {
                passed_.push_back(waiting_[i].second);
            } else {
                take(waiting_[i].second, set);
            }
        }
        for (const std::uint32_t message : passed_) take(message, set);
        if (set.load > best_.load) best_ = std::move(set);
    }

    void take(std::uint32_t message, Set& set) {
        const MessageRoutes::Uses uses = ways_.of(message);
        for (const MessageRoutes::Use& use : uses) {
            if (taken_in_[use.channel] == set_) return;
        }
        for (const MessageRoutes::Use& use : uses) {
            taken_in_[use.channel] = set_;
            // Steeper than urgency: the fullest channel must not be idle.
            const auto load = static_cast<double>(to_carry_[use.channel]);
            const double cube = load * load * load;
            set.load += cube * cube;
        }
        set.messages.push_back(message);
    }

    void send(const std::vector<std::uint32_t>& messages) {
        for (const std::uint32_t message : messages) {
            is_sent_[message] = true;
            for (const MessageRoutes::Use& use : ways_.of(message)) --to_carry_[use.channel];
        }
        waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(),
                                      [this](const auto& entry) { return is_sent_[entry.second]; }),
                       waiting_.end());
    }

    const MessageRoutes& ways_;
    std::mt19937_64 random_;
    std::vector<std::uint64_t> to_carry_;  // per channel, from now on
    std::vector<std::uint64_t> taken_in_;  // the last set in which it was
    std::uint64_t set_ = 0;
    Set best_;
    std::vector<std::uint32_t> passed_;
    std::vector<bool> is_sent_;  // per message
    std::vector<std::pair<double, std::uint32_t>> waiting_;
};

}  // namespace

MessageRounds direct_rounds(const MessageRoutes& ways, std::uint64_t seed) {
    return DirectRounds(ways, seed).rounds();
}

}  // namespace flitscope::synthesis
