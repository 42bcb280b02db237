// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/direct/timetable_search.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace flitscope::synthesis {
namespace {

/// For a search without a time limit, and for a turn of each of its ways.
constexpr std::uint64_t kWork = 24'000'000;
constexpr std::uint64_t kWorkOfTurn = 2'000'000;
/// For all orders arranged: ten seconds. If messages leave many gaps that are too small for others,
/// with slow nodes' packets or in poor orders, a place is found only after hundreds.
constexpr std::uint64_t kMostLooks = 300'000'000;

constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TimetableSearch::TimetableSearch(const MessageRoutes& ways, std::uint64_t seed, Cycle latest)
    : ways_(ways),
      latest_(latest),
      random_(seed),
      timetable_(ways),
      ejected_(ways.messages(), 1),
      counted_(ways.messages()) {}

bool TimetableSearch::offer(const MessageRounds& rounds) {
    std::vector<std::uint32_t> places(rounds.size());
    std::iota(places.begin(), places.end(), 0U);
    MessageRounds before = rounds;
    before.swap(rounds_);
    Timetable timetable(ways_);
    const Rank rank = arrange(places, std::min(end_, latest_), timetable);
    if (rank >= rank_) {
        rounds_ = std::move(before);
        return false;
    }
    rank_ = rank;
    places_ = std::move(places);
    keep(rank.first, timetable);
    return true;
}

TimetableSearch::Rank TimetableSearch::arrange(const std::vector<std::uint32_t>& places,
                                               Cycle latest, Timetable& timetable) {
    Rank rank{0, 0};
    const std::uint64_t before = looks_;
    for (const std::uint32_t place : places) {
        for (const std::uint32_t message : rounds_[place]) {
            timetable.place(message, timetable.earliest(message));
            work_ += ways_.of(message).size();
            looks_ = before + timetable.looks();
            const Cycle end = timetable.end(message);
            const bool costs_too_much = looks_ > kMostLooks && can_stop_looking();
            if (end > latest || costs_too_much) return {kNever, kNever};
            rank.first = std::max(rank.first, end);
            rank.second += end;
        }
    }
    return rank;
}

void TimetableSearch::keep(Cycle end, const Timetable& timetable) {
    if (end >= end_) return;
    end_ = end;
    begins_ = timetable.begins();
    deadline_ = kNever;  // ejections begin anew
}

bool TimetableSearch::may_go_on() const {
    if (end_ <= ways_.least_end()) return false;
    return goes_on_ ? goes_on_() : work_ < most_work_ && looks_ < kMostLooks;
}

void TimetableSearch::improve(const std::function<bool()>& goes_on) {
    if (end_ == kNever) return;
    goes_on_ = goes_on;
    most_work_ = work_ + kWork;
    while (may_go_on()) {
        for (const std::uint64_t until = work_ + kWorkOfTurn; work_ < until && may_go_on();) {
            exchange_rounds();
        }
        if (deadline_ == kNever) begin_ejections();
        bool is_sooner = false;
        for (const std::uint64_t until = work_ + kWorkOfTurn; work_ < until && may_go_on();) {
            if (!eject()) continue;
            keep(last_end(), timetable_);
            begin_ejections();
            is_sooner = true;
        }
        if (is_sooner || step_ == 1) continue;
        step_ /= 2;
        deadline_ = kNever;
    }
    goes_on_ = {};
}

Cycle TimetableSearch::last_end() const {
    Cycle end = 0;
    for (std::uint32_t m = 0; m < ways_.messages(); ++m) end = std::max(end, timetable_.end(m));
    return end;
}

/// Two rounds change places, or one goes to another place.
void TimetableSearch::exchange_rounds() {
    std::vector<std::uint32_t> places = places_;
    const auto a = static_cast<std::ptrdiff_t>(random_() % places.size());
    const auto b = static_cast<std::ptrdiff_t>(random_() % places.size());
    work_ += places.size();
    if (random_() % 2 == 0) {
        std::swap(places[static_cast<std::size_t>(a)], places[static_cast<std::size_t>(b)]);
    } else if (a < b) {
        std::rotate(places.begin() + a, places.begin() + a + 1, places.begin() + b + 1);
    } else {
        std::rotate(places.begin() + b, places.begin() + a, places.begin() + a + 1);
    }
    Timetable timetable(ways_);
    const Rank rank = arrange(places, rank_.first, timetable);
    if (rank > rank_) return;
    rank_ = rank;
    places_ = std::move(places);
    keep(rank.first, timetable);
}

/// From the best timetable on, with an earlier end than before or, if that was not reached, one not
/// quite so early.
void TimetableSearch::begin_ejections() {
    const Cycle gap = end_ - ways_.least_end();
    step_ = std::clamp<Cycle>(step_ == 0 ? gap / 8 : step_, 1, std::max<Cycle>(gap, 1));
    deadline_ = end_ - step_;
    timetable_ = Timetable(ways_);
    without_.clear();
    for (std::uint32_t m = 0; m < ways_.messages(); ++m) {
        if (begins_[m] + ways_.duration(m) > deadline_) {
            without_.push_back(m);
        } else {
            timetable_.place(m, begins_[m]);
        }
    }
    std::shuffle(without_.begin(), without_.end(), random_);
}

/// Gives one message a place; true when all have one.
bool TimetableSearch::eject() {
    if (without_.empty()) return true;
    const std::uint32_t message = without_.back();
    without_.pop_back();
    work_ += ways_.of(message).size();
    const Cycle last = deadline_ - ways_.duration(message);
    const Cycle first = timetable_.earliest(message);
    if (first <= last) {
        timetable_.place(message, first);
        return without_.empty();
    }
    ++ejected_[message];
    const Cycle begin = place_to_eject_from(message, last);
    ++count_;
    std::vector<std::uint32_t> met;
    timetable_.visit_met(message, begin, [&](std::uint32_t other) {
        if (counted_[other] != count_) met.push_back(other);
        counted_[other] = count_;
        return true;
    });
    for (const std::uint32_t other : met) {
        timetable_.remove(other);
        without_.insert(
            without_.begin() + static_cast<std::ptrdiff_t>(random_() % (without_.size() + 1)),
            other);
    }
    timetable_.place(message, begin);
    return false;
}

/// The place up to `last` in which the message meets those that have been ejected least often.
Cycle TimetableSearch::place_to_eject_from(std::uint32_t message, Cycle last) {
    std::vector<Cycle> choices{0, last};
    timetable_.visit_neighbouring(message, [&](Cycle begin) {
        if (begin <= last) choices.push_back(begin);
    });
    work_ += choices.size() / 16;
    // A few of many suffice.
    constexpr std::size_t kMostChoices = 64;
    for (std::size_t i = 0; i < kMostChoices && i + 1 < choices.size(); ++i) {
        std::swap(choices[i], choices[i + random_() % (choices.size() - i)]);
    }
    choices.resize(std::min(choices.size(), kMostChoices));
    std::uint64_t least = kNoBound;
    Cycle best = choices.front();
    for (const Cycle begin : choices) {
        std::uint64_t cost = 0;
        ++count_;
        work_ += 2;
        timetable_.visit_met(message, begin, [&](std::uint32_t other) {
            if (counted_[other] != count_) cost += ejected_[other];
            counted_[other] = count_;
            return cost < least;
        });
        if (cost >= least) continue;
        least = cost;
        best = begin;
    }
    return best;
}

}  // namespace flitscope::synthesis
