// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a waveform of occupancy shows: the values of signals that differ from those in the file, and
// all of them at the start of its window.
#include <algorithm>
#include <optional>
#include <utility>

#include "waveforms/binary_digits.h"
#include "waveforms/occupancy_file.h"

namespace flitscope {

/// The value of `owner` for a unit that is not idle. A channel with several virtual channels shows
/// the packet that sends; if none does, the one in the first virtual channel that is held.
std::uint32_t OccupancyFile::owner_value(std::uint32_t index, State state) {
    if (units_[index].is_sum) {
        do {
            ++index;
        } while (units_[index].state() != state);
    }
    Unit& unit = units_[index];
    if (unit.owner_number == kNone) unit.owner_number = owners_.number(unit.owner);
    return OwnerTable::value(unit.owner_number, state == State::kBlocked);
}

/// Hands them on, many at a time.
void OccupancyFile::put_changes() {
    if (change_count_ != 0) sink_->changes(changes_.data(), std::exchange(change_count_, 0));
}

/// Writes differences from the file; at first all.
void OccupancyFile::write_unit(std::uint32_t index) {
    Unit& unit = units_[index];
    const State state = unit.state();
    const State shown = std::exchange(unit.shown_state, state);
    write_owner(index, shown);
    if (state != shown) write_state(unit, shown);
    if (!unit.has_details) return;
    write_message(unit, shown);
    if (unit.shows_fifo) write_buffered(unit, shown);
    if (!labels_.empty()) write_access(index);
}

void OccupancyFile::write_access(std::uint32_t index) {
    const SignalId first = units_[index].first_signal + scopes_[index].signals;
    UnitLabel& label = labels_[index];
    const bool is_owned_now = is_owned(units_[index].state());
    const std::optional<MessageLabel> now = is_owned_now ? label.now : std::nullopt;
    const std::optional<MessageLabel> shown = std::exchange(label.shown, now);
    const bool all = !std::exchange(label.is_shown, true) || now.has_value() != shown.has_value();
    const auto write = [&](AccessSignal signal, auto value) {
        if (!all && (!now || value(*now) == value(*shown))) return;
        put(now ? value(*now) : 0, first + static_cast<SignalId>(signal),
            kAccessWidths[static_cast<std::size_t>(signal)], now ? Level::kNone : Level::kHighZ);
    };
    write(AccessSignal::kAccess,
          [](const MessageLabel& of) { return static_cast<std::uint64_t>(of.kind); });
    write(AccessSignal::kAddress, [](const MessageLabel& of) { return of.address; });
    write(AccessSignal::kInitiator,
          [](const MessageLabel& of) { return std::uint64_t{of.initiator}; });
}

void OccupancyFile::write_owner(std::uint32_t index, State shown) {
    Unit& unit = units_[index];
    const State state = unit.state();
    if (is_owned(state)) {
        const std::uint32_t value = owner_value(index, state);
        if (!is_owned(shown) || value != unit.shown_value) {
            put(unit, ChannelSignal::kOwner, value);
        }
        unit.shown_value = value;
    } else if (shown != State::kIdle) {
        put(unit, ChannelSignal::kOwner, 0, Level::kHighZ);
    }
}

/// Two bits; the overview counts links that are blocked.
void OccupancyFile::write_state(Unit& unit, State shown) {
    const bool is_first = shown == State::kNotShown;
    const bool is_busy = unit.state() == State::kBusy;
    const bool is_blocked = unit.state() == State::kBlocked;
    if (is_first || is_busy != (shown == State::kBusy)) put(unit, ChannelSignal::kBusy, is_busy);
    const bool turned = is_blocked != (shown == State::kBlocked);
    if (is_first || turned) put(unit, ChannelSignal::kBlocked, is_blocked);
    if (turned && unit.is_link()) {
        overview_.blocked(unit.group, is_blocked ? +1 : -1);
        count_blocked(unit, is_blocked, std::max(cycle_, from_));
    }
}

void OccupancyFile::count_blocked(const Unit& unit, bool begins, Cycle cycle) {
    blocked_cycles_[static_cast<std::size_t>(&unit - units_.data())] += begins ? -cycle : cycle;
}

void OccupancyFile::write_message(Unit& unit, State shown) {
    const Owner& now = unit.owner;
    const Owner& old = unit.shown_owner;
    if (is_owned(unit.state())) {
        const bool all = !is_owned(shown);
        if (!all && now.message == old.message) return;
        if (all || now.source != old.source) put(unit, ChannelSignal::kSource, now.source);
        if (all || now.destination != old.destination) {
            put(unit, ChannelSignal::kDestination, now.destination);
        }
        put(unit, ChannelSignal::kMessage, numbers_.of(now.message));
        if (all || now.step != old.step) put(unit, ChannelSignal::kStep, now.step);
        unit.shown_owner = now;
    } else if (shown != State::kIdle) {
        for (const ChannelSignal signal : {ChannelSignal::kSource, ChannelSignal::kDestination,
                                           ChannelSignal::kMessage, ChannelSignal::kStep}) {
            put(unit, signal, 0, Level::kHighZ);
        }
    }
}

void OccupancyFile::write_buffered(Unit& unit, State shown) {
    if (shown != State::kNotShown && unit.buffered == unit.shown_buffered) return;
    // A foreign router may send a flit later than it pops it: it then counts as buffered a little
    // too long, and the count may exceed the depth.
    const std::uint32_t most = (1U << width_of(ChannelSignal::kBuffered)) - 1;
    const std::uint32_t buffered = std::min(unit.buffered, most);
    put(unit, ChannelSignal::kBuffered, buffered);
    most_buffered_ = std::max(most_buffered_, buffered);
    unit.shown_buffered = unit.buffered;
}

template <bool kAll>
void OccupancyFile::write_overview() {
    if (shown_groups_.empty()) return;
    const auto write = [this](ShownGroup& shown, const Overview::Group& now) {
        if (kAll || now.flits != shown.flits) {
            // As with `buffered`, a router that is not ours may seem to have too many.
            const auto flits = static_cast<std::uint64_t>(std::max<std::int64_t>(now.flits, 0));
            put(std::min(flits, shown.most_flits), shown.first_signal,
                bit_length(shown.most_flits));
        }
        if (kAll || now.blocked != shown.blocked) {
            put(now.blocked, shown.first_signal + 1, bit_length(now.links));
        }
        shown.flits = now.flits;
        shown.blocked = now.blocked;
    };
    const std::vector<Overview::Group>& groups = overview_.groups();
    Overview::Group all;
    for (const Overview::Group& group : groups) {
        all.links += group.links;
        all.flits += group.flits;
        all.blocked += group.blocked;
    }
    write(shown_groups_.front(), all);
    const Overview::Steps steps = overview_.steps();
    const auto write_step = [this](SignalId signal, std::uint32_t now, std::uint32_t shown) {
        if (!kAll && now == shown) return;
        put(now, signal, 32, now == 0 ? Level::kHighZ : Level::kNone);
    };
    write_step(steps_signal_, steps.oldest, shown_steps_.oldest);
    write_step(steps_signal_ + 1, steps.newest, shown_steps_.newest);
    shown_steps_ = steps;
    for (std::size_t i = 1; i < shown_groups_.size(); ++i) write(shown_groups_[i], groups[i - 1]);
}

bool OccupancyFile::is_on(std::uint32_t index, const PathMark* mark) const {
    return mark != nullptr && mark->channel && whole_[*mark->channel] == index;
}

template <bool kAll>
void OccupancyFile::write_critical(std::uint32_t index) {
    const TracedScope& scope = scopes_[index];
    if (!scope.has_critical) return;
    const bool was = is_on(index, path_.shown());
    const bool is = is_on(index, path_.now());
    const SignalId signal = units_[index].first_signal + scope.signals;
    if (is && (kAll || !was || path_.now()->cause != path_.shown()->cause)) {
        put(path_.now()->cause, signal, cause_bits());
    } else if (!is && (kAll || was)) {
        put(0, signal, cause_bits(), Level::kHighZ);
    }
}

template <bool kAll>
void OccupancyFile::write_path() {
    if (!kAll && path_.now() == path_.shown()) return;
    // The texts of a path in one cycle; nothing if there are none.
    struct Words {
        std::optional<std::uint64_t> cause;
        std::optional<std::uint64_t> channel;
        std::optional<std::uint64_t> message;
    };
    const auto words = [this](const PathMark* mark) {
        Words found;
        if (mark == nullptr) return found;
        found.cause = mark->cause;
        found.channel = mark->channel;
        if (mark->message != kNoMessage) found.message = numbers_.of(mark->message);
        return found;
    };
    const Words now = words(path_.now());
    const Words shown = words(path_.shown());
    const auto write = [this](SignalId signal, std::uint32_t width,
                              const std::optional<std::uint64_t>& to,
                              const std::optional<std::uint64_t>& from) {
        if (!kAll && to == from) return;
        put(to.value_or(0), signal, width, to ? Level::kNone : Level::kHighZ);
    };
    write(path_signal_, cause_bits(), now.cause, shown.cause);
    write(path_signal_ + 1, channel_bits(), now.channel, shown.channel);
    write(path_signal_ + 2, width_of(ChannelSignal::kMessage), now.message, shown.message);
    path_.show();
}

/// Advances along the path to its place in this cycle.
void OccupancyFile::follow_path() {
    if (path_.due() > cycle_) return;
    const auto touch = [this](const PathMark* mark) {
        if (mark == nullptr || !mark->channel) return;
        const std::uint32_t unit = whole_[*mark->channel];
        if (unit != kNone) touched_.insert(unit);
    };
    touch(path_.now());
    path_.follow(cycle_);
    touch(path_.now());
}

/// Writes the changes of this cycle.
void OccupancyFile::write_changes() {
    follow_path();
    const bool is_marked = !path_.marks().empty();
    sink_->set_time(ticks(cycle_));
    touched_.for_each([this, is_marked](std::uint32_t index) {
        write_unit(index);
        if (is_marked) write_critical<false>(index);
    });
    write_overview<false>();
    if (is_marked) write_path<false>();
    put_changes();
}

void OccupancyFile::begin_file() {
    inner_.write_declarations(*sink_);
    sink_->close_scope();  // fabric
    sink_->begin(ticks(from_));
}

/// The complete state at the beginning of the window, except inner signals.
void OccupancyFile::write_everything() {
    opened_ = true;
    begin_file();
    follow_path();
    for (std::uint32_t index = 0; index < units_.size(); ++index) {
        write_unit(index);
        write_critical<true>(index);
    }
    write_overview<true>();
    if (!path_.causes().empty()) write_path<true>();
    put_changes();
    dumping_ = true;
    if (inner_.empty()) end_dump();
}

void OccupancyFile::end_dump() {
    dumping_ = false;
    inner_.write_everything(*sink_);
    sink_->end_dump();
}

/// The words of the values, for formats that have some.
void OccupancyFile::set_words() {
    constexpr std::size_t kMostWords = 4096;
    sink_->set_words(WordTable::kOwner, OwnerTable::kBits, owners_.words(kMostWords));
    if (!labels_.empty()) {
        std::vector<ValueWord> kinds;
        for (const char* const kind : MessageLabel::kKinds) kinds.push_back({kinds.size(), kind});
        sink_->set_words(WordTable::kAccess, kAccessWidths[0], kinds);
    }
    if (path_.causes().empty()) return;
    std::vector<ValueWord> causes;
    for (const PathCause& cause : path_.causes()) causes.push_back({causes.size(), cause.name});
    sink_->set_words(WordTable::kCause, cause_bits(), causes);
    std::vector<ValueWord> channels;
    for (const ChannelId channel : path_.channels()) {
        channels.push_back({channel, channels_.name(channel)});
    }
    if (channels.empty()) channels.push_back({0, channels_.name(0)});
    sink_->set_words(WordTable::kChannel, channel_bits(), channels);
}

void OccupancyFile::complete(Cycle last) {
    closed_ = true;
    if (dumping_) end_dump();
    if (!opened_) {
        begin_file();
        constexpr char kUnknown = static_cast<char>(Level::kUnknown);
        for (SignalId signal = 0; signal < signals_; ++signal) {
            sink_->bits(signal, {&kUnknown, 1});
        }
        inner_.write_unknown(*sink_);
        sink_->end_dump();
    }
    for (const Unit& unit : units_) {
        if (unit.is_link() && unit.shown_state == State::kBlocked) {
            count_blocked(unit, false, last);
        }
    }
    set_words();
    last_tick_ = ticks(last);
    sink_->close(last_tick_);
}

}  // namespace flitscope
