// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The search for a timetable that ends soon.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "traffic/schedules/synthesis/direct/direct_rounds.h"
#include "traffic/schedules/synthesis/direct/message_routes.h"
#include "traffic/schedules/synthesis/direct/timetable.h"

namespace flitscope::synthesis {

/// Orders of the messages are offered, each of which makes a timetable: every message in turn gets
/// the first place in which it meets none of those before it, be it a gap that they have left. The
/// best one is then improved in two ways by turns:
///
/// - The rounds of the order change their places.
/// - A slightly earlier end is set. Messages that end after it lose their place, and each takes
///   another one before the end, from which it ejects those that it meets there: those that have
///   been ejected least often, so that the search does not go in circles (Nagata and Bräysy 2009,
///   guided ejection search).
class TimetableSearch {
public:
    /// `ways` must outlive it. The same seed and calls find the same timetable. A timetable that
    /// ends after `latest` is useless.
    TimetableSearch(const MessageRoutes& ways, std::uint64_t seed, Cycle latest = kNever);

    /// Offers an order, with each message once. Returns whether it is the best so far; an order
    /// that is not is abandoned when it has cost much.
    bool offer(const MessageRounds& rounds);
    /// Improves the best order while `goes_on` returns true, which is called some hundred times a
    /// second in networks of up to 256 nodes; if it is empty, for an effort that takes some seconds
    /// there. An order must have been offered.
    void improve(const std::function<bool()>& goes_on);

    /// kNever: none has been found.
    Cycle end() const { return end_; }
    /// Stays and channels that were looked at to arrange orders.
    std::uint64_t looks() const { return looks_; }
    /// Begins of all messages.
    const std::vector<Cycle>& begins() const { return begins_; }

private:
    /// Rank of an order: the last end, then the sum of all ends.
    using Rank = std::pair<Cycle, Cycle>;

    /// Makes a timetable in the order of `places`, of rounds_; kNever as soon as it ends after
    /// `latest`.
    Rank arrange(const std::vector<std::uint32_t>& places, Cycle latest, Timetable& timetable);
    void keep(Cycle end, const Timetable& timetable);
    void exchange_rounds();
    void begin_ejections();
    bool eject();
    Cycle last_end() const;
    Cycle place_to_eject_from(std::uint32_t message, Cycle last);
    bool may_go_on() const;
    bool can_stop_looking() const { return end_ != kNever || latest_ != kNever; }

    const MessageRoutes& ways_;
    Cycle latest_;
    std::uint64_t looks_ = 0;
    std::mt19937_64 random_;
    Cycle end_ = kNever;
    std::vector<Cycle> begins_;

    MessageRounds rounds_;
    std::vector<std::uint32_t> places_;
    Rank rank_{kNever, kNever};

    Timetable timetable_;  // in which messages are ejected
    Cycle deadline_ = kNever;
    Cycle step_ = 0;
    std::vector<std::uint32_t> without_;  // a place
    std::vector<std::uint64_t> ejected_;  // how often, and one
    std::vector<std::uint64_t> counted_;  // when a message was counted, among those met
    std::uint64_t count_ = 0;

    std::uint64_t work_ = 0;  // channels looked at
    std::uint64_t most_work_ = 0;
    std::function<bool()> goes_on_;
};

}  // namespace flitscope::synthesis
