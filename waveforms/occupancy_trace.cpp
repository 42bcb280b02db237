// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Events only change the state of their unit and mark it; the marked units are compared with what
// the file shows when the cycle is complete. So neither the order of events nor changes that
// cancel (a tail and the next head in consecutive cycles) leave a mark. Inner signals of a cycle
// are known one cycle later and have the last places in the file, so they are written just before
// the channels of the next cycle.
#include "waveforms/occupancy_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/input_file.h"
#include "waveforms/binary_digits.h"
#include "waveforms/formats.h"
#include "waveforms/gtkwave_save.h"

namespace flitscope {

OccupancyTrace::OccupancyTrace(const std::string& path, const Graph& graph,
                               const TracedFabric& fabric, const TimeAxis& axis,
                               const TraceSelection& selection, std::unique_ptr<TraceSink> sink)
    : path_(path),
      graph_(graph),
      channels_(graph),
      virtual_channels_(fabric.virtual_channels),
      axis_(axis),
      sink_(std::move(sink)),
      from_(selection.from),
      until_(selection.until),
      details_(selection.details),
      end_(selection.until),
      unit_of_(static_cast<std::size_t>(channels_.count()) * virtual_channels_, kNone),
      popping_(unit_of_.size(), kNone),
      whole_(channels_.count(), kNone),
      overview_(graph, selection.links),
      causes_(fabric.path_causes) {
    const std::uint32_t node_bits = bit_length(graph.node_count() - 1);
    widths_ = {OwnerTable::kBits, 1,  1,  node_bits,
               node_bits,         32, 32, bit_length(fabric.timings.buffer_depth)};
    declare(fabric, selection);
    touched_ = IndexSet(units_.size());
    sloping_ = IndexSet(units_.size());
    if (!causes_.empty()) {
        waiting_ = std::make_unique<BatchStore>(path);
    } else {
        taking_ = std::make_unique<BatchThread>([this](const EventBatch& batch) { take(batch); });
    }
}

OccupancyTrace::~OccupancyTrace() {
    try {
        close(latest_ + 1);
    } catch (const std::exception&) {
        // A destructor has nobody to tell; those who want to know call close().
    }
}

void OccupancyTrace::on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                              Cycle cycle) {
    if (Event* const event = note(Event::kGrant, unit_of_[slot(channel, vc)], kNone, cycle)) {
        event->owner = {static_cast<std::uint16_t>(message.source),
                        static_cast<std::uint16_t>(message.destination), message.id,
                        message.step + 1};
    }
}

void OccupancyTrace::on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                                   std::uint32_t popped_vc, Cycle cycle) {
    const std::size_t own = slot(channel, vc);
    if (popped != channel) popping_[own] = unit_of_[slot(popped, popped_vc)];
    if (Event* const event = note(Event::kSendBegin, unit_of_[own], popping_[own], cycle)) {
        event->begin_fifo = popping_[own];
    }
}

void OccupancyTrace::on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    const std::size_t own = slot(channel, vc);
    if (Event* const event = note(Event::kSendEnd, unit_of_[own], popping_[own], cycle)) {
        event->end_fifo = popping_[own];
    }
}

void OccupancyTrace::on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    note(Event::kRelease, unit_of_[slot(channel, vc)], kNone, cycle);
}

/// Null when the file is complete, and where it shows neither the channel nor the FIFO that is
/// emptied. What comes right behind an event of the same channel and cycle joins it.
inline OccupancyTrace::Event* OccupancyTrace::note(std::uint8_t kind, std::uint32_t unit,
                                                   std::uint32_t fifo, Cycle cycle) {
    if (closed_) return nullptr;
    if (cycle < latest_) {
        throw std::logic_error(
            fmt::format("event in cycle {} after one in cycle {}", cycle, latest_));
    }
    if (last_ != nullptr && cycle == last_->cycle && last_->unit == unit && unit != kNone &&
        last_->kinds < kind) {
        last_->kinds |= kind;
        return last_;
    }
    latest_ = cycle;
    begun_ = true;
    if (unit == kNone && fifo == kNone) return nullptr;
    last_ = add_event(kind, unit, cycle);
    return last_;
}

/// Null when the file is complete.
inline OccupancyTrace::Event* OccupancyTrace::add_event(std::uint8_t kind, std::uint32_t unit,
                                                        Cycle cycle) {
    if (batch_.count == EventBatch::kMost) {
        hand_over();
        if (closed_) return nullptr;
    }
    Event* const event = &batch_.events[batch_.count++];
    event->cycle = cycle;
    event->unit = unit;
    event->kinds = kind;
    event->end_fifo = kNone;
    event->begin_fifo = kNone;
    return event;
}

void OccupancyTrace::hand_over() {
    last_ = nullptr;
    if (batch_.count == 0) return;
    if (taking_) {
        taking_->put(batch_);
    } else {
        if (batch_.events[0].cycle <= end_) waiting_->put(batch_);
        batch_.clear();
    }
}

void OccupancyTrace::take(const EventBatch& batch) {
    for (std::size_t i = 0; i < batch.count; ++i) {
        const Event& event = batch.events[i];
        if (event.kinds != Event::kInner) {
            if (!enter(event.cycle)) return;
            take(event);
        } else {
            if (!enter(event.cycle + 1)) return;
            inner_.change(event.unit,
                          std::string_view(batch.digits).substr(event.begin_fifo, event.end_fifo));
        }
    }
}

/// What waited for the path.
void OccupancyTrace::take_waiting() {
    EventBatch batch;
    while (waiting_->get(batch)) take(batch);
    waiting_.reset();
}

inline void OccupancyTrace::take(const Event& event) {
    if (event.end_fifo != kNone) change_pops(event.end_fifo, -1);
    if (event.begin_fifo != kNone) change_pops(event.begin_fifo, +1);
    if (event.unit == kNone) return;
    Unit& unit = units_[event.unit];
    const bool in_overview = unit.group != Overview::kNoGroup;
    const auto send = [&](std::int32_t change) {
        if (unit.line != kNoLine) lines_[unit.line].push(cycle_, event.unit, change);
        if (in_overview) overview_.flits_enter(unit.group, change);
        if (unit.sum != kNone) units_[unit.sum].sending += static_cast<std::uint16_t>(change);
        unit.sending = change > 0 ? 1 : 0;
    };
    if ((event.kinds & Event::kSendEnd) != 0) send(-1);
    if ((event.kinds & Event::kRelease) != 0) {
        if (in_overview) overview_.released(unit.owner.step);
        if (unit.sum != kNone) --units_[unit.sum].owned;
        unit.owned = 0;
    }
    if ((event.kinds & Event::kGrant) != 0) {
        unit.owner = event.owner;
        unit.owner_number = kNone;
        if (in_overview) overview_.granted(unit.owner.step);
        if (unit.sum != kNone) ++units_[unit.sum].owned;
        unit.owned = 1;
    }
    if ((event.kinds & Event::kSendBegin) != 0) {
        send(+1);
        // The packet comes from there, and its number may be known.
        if (unit.owner_number == kNone && event.begin_fifo != kNone &&
            units_[event.begin_fifo].owner.message == unit.owner.message) {
            unit.owner_number = units_[event.begin_fifo].owner_number;
        }
    }
    mark(event.unit);
}

std::uint32_t OccupancyTrace::declare_inner(const std::string& path, const std::string& name,
                                            std::uint32_t width) {
    if (begun_) {
        throw std::logic_error(path + "." + name + " comes after the first event");
    }
    const std::uint32_t signal = inner_.declare(path, name, width);
    if (until_ != kNever) end_ = until_ + 1;  // inner changes of `until_` - 1 come in `until_`
    return signal;
}

void OccupancyTrace::on_inner_change(std::uint32_t signal, Cycle cycle, std::string_view digits) {
    if (closed_) return;
    if (cycle + 1 < latest_) {
        throw std::logic_error(
            fmt::format("change of cycle {} while the run is in {}", cycle, latest_));
    }
    latest_ = cycle + 1;
    begun_ = true;
    inner_.check(signal, digits);
    last_ = nullptr;
    if (Event* const event = add_event(Event::kInner, signal, cycle)) {
        event->begin_fifo = static_cast<std::uint32_t>(batch_.digits.size());
        event->end_fifo = static_cast<std::uint32_t>(digits.size());
        batch_.digits += digits;
    }
}

void OccupancyTrace::mark_path(std::vector<PathMark> path) {
    if (!waiting_) throw std::logic_error("a path comes to a trace without causes, or too late");
    for (const PathMark& mark : path) {
        PathMark shown = mark;
        shown.from = std::max(mark.from, from_);
        shown.to = std::min(mark.to, until_);
        if (shown.from < shown.to) marks_.push_back(shown);
    }
}

void OccupancyTrace::close(Cycle end) {
    if (!waiting_ && !taking_) return;
    hand_over();
    if (waiting_) {
        take_waiting();
    } else {
        taking_->finish();
        taking_.reset();
    }
    if (closed_) return;
    if (end > cycle_) advance(end);
    if (closed_) return;
    finish_cycle();
    complete(opened_ ? cycle_ : from_);
}

void OccupancyTrace::finish(Cycle end) {
    close(end);
    write_gtkwave_save(path_, *this);
}

void OccupancyTrace::discard() {
    closed_ = true;  // batches that wait are not taken
    waiting_.reset();
    taking_.reset();
    sink_->discard();
}

inline void OccupancyTrace::mark(std::uint32_t index) {
    touched_.insert(index);
    if (units_[index].sum != kNone) touched_.insert(units_[index].sum);
}

inline void OccupancyTrace::change_slope(std::uint32_t index, std::int32_t change) {
    Unit& unit = units_[index];
    unit.slope = static_cast<std::int16_t>(unit.slope + change);
    if (unit.slope != 0) {
        sloping_.insert(index);
    } else {
        sloping_.erase(index);
    }
}

/// From this cycle on one more flit, or one less, is taken out of the unit's FIFO in every cycle.
inline void OccupancyTrace::change_pops(std::uint32_t index, std::int32_t change) {
    if (details_) change_slope(index, -change);
    const std::uint8_t group = units_[index].group;
    if (group != Overview::kNoGroup) overview_.flits_leave(group, change);
}

inline bool OccupancyTrace::enter(Cycle cycle) {
    if (closed_) return false;
    if (cycle != cycle_) advance(cycle);
    return !closed_;
}

void OccupancyTrace::advance(Cycle cycle) {
    if (cycle < cycle_) {
        throw std::logic_error(
            fmt::format("event in cycle {} after one in cycle {}", cycle, cycle_));
    }
    while (cycle_ < cycle) {
        finish_cycle();
        Cycle next = cycle;
        if (!sloping_.empty() || overview_.is_moving() || dumping_) {
            next = cycle_ + 1;
        } else {
            for (const DelayLine& line : lines_) next = std::min(next, line.due());
            next = std::min(next, path_due());
        }
        if (cycle_ < from_) next = std::min(next, from_);
        cycle_ = std::min(next, end_);
        if (cycle_ == end_) {
            complete(until_);
            return;
        }
    }
}

/// Writes what is shown of this cycle, and goes on to the numbers of flits at the begin of the
/// next.
void OccupancyTrace::finish_cycle() {
    if (opened_ && !inner_.empty()) finish_inner();
    if (cycle_ >= from_ && cycle_ < until_) {
        if (!opened_) {
            write_everything();
        } else {
            follow_path();
            sink_->set_time(ticks(cycle_));
            touched_.for_each([this](std::uint32_t index) {
                write_unit<false>(index);
                if (!marks_.empty()) write_critical<false>(index);
            });
            write_overview<false>();
            if (!marks_.empty()) write_path<false>();
            put_changes();
        }
    }
    touched_.clear();
    take_due_changes();
    integrate();
}

void OccupancyTrace::finish_inner() {
    if (dumping_) {
        end_dump();
        return;
    }
    sink_->set_time(ticks(cycle_ - 1));
    inner_.write_changes(*sink_);
}

void OccupancyTrace::take_due_changes() {
    for (DelayLine& line : lines_) {
        while (line.due() == cycle_) {
            const DelayLine::Entry entry = line.pop();
            const Unit& unit = units_[entry.unit];
            if (unit.shows_fifo) {
                change_slope(entry.unit, entry.change);
            } else {
                overview_.flits_leave(unit.group, entry.change);
            }
        }
    }
}

/// buffered(t+1) = buffered(t) + sends in t+1-d - pops in t: the slope that is known now.
void OccupancyTrace::integrate() {
    sloping_.for_each([this](std::uint32_t index) {
        Unit& unit = units_[index];
        unit.buffered += static_cast<std::uint32_t>(unit.slope);
        touched_.insert(index);
    });
    overview_.advance();
}

/// What `owner` shows of a unit that is not idle: of a channel with several virtual channels the
/// packet that sends; where none does, that in the first one that is held.
std::uint32_t OccupancyTrace::owner_value(std::uint32_t index, State state) {
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
void OccupancyTrace::put_changes() {
    if (change_count_ != 0) sink_->changes(changes_.data(), std::exchange(change_count_, 0));
}

/// Writes what differs from what is shown; all of it with `kAll`.
template <bool kAll>
void OccupancyTrace::write_unit(std::uint32_t index) {
    Unit& unit = units_[index];
    const auto put = [&](ChannelSignal signal, std::uint64_t value, Level level = Level::kNone) {
        this->put(value, unit.first_signal + offset(signal), widths_[offset(signal)], level);
    };
    const State state = unit.state();
    const State shown = unit.shown_state;
    const bool owned = state != State::kIdle;
    if (owned) {
        const std::uint32_t value = owner_value(index, state);
        if (kAll || shown == State::kIdle || value != unit.shown_value) {
            put(ChannelSignal::kOwner, value);
        }
        unit.shown_value = value;
    } else if (kAll || shown != State::kIdle) {
        put(ChannelSignal::kOwner, 0, Level::kHighZ);
    }
    if (kAll || state != shown) {
        const auto turned = [&](State to) { return kAll || (state == to) != (shown == to); };
        if (turned(State::kBusy)) put(ChannelSignal::kBusy, state == State::kBusy);
        if (turned(State::kBlocked)) {
            const bool blocked = state == State::kBlocked;
            put(ChannelSignal::kBlocked, blocked);
            const bool counts = unit.group != Overview::kNoGroup && unit.sum == kNone;
            if (counts && !kAll) overview_.blocked(unit.group, blocked ? +1 : -1);
            if (counts && kAll && blocked) overview_.blocked(unit.group, +1);
        }
        unit.shown_state = state;
    }
    if (unit.has_details) {
        const Owner& now = unit.owner;
        const Owner& old = unit.shown_owner;
        if (owned) {
            const bool all = kAll || shown == State::kIdle;
            if (all || now.message != old.message) {
                if (all || now.source != old.source) put(ChannelSignal::kSource, now.source);
                if (all || now.destination != old.destination) {
                    put(ChannelSignal::kDestination, now.destination);
                }
                put(ChannelSignal::kMessage, now.message);
                if (all || now.step != old.step) put(ChannelSignal::kStep, now.step);
                unit.shown_owner = now;
            }
        } else if (kAll || shown != State::kIdle) {
            put(ChannelSignal::kSource, 0, Level::kHighZ);
            put(ChannelSignal::kDestination, 0, Level::kHighZ);
            put(ChannelSignal::kMessage, 0, Level::kHighZ);
            put(ChannelSignal::kStep, 0, Level::kHighZ);
        }
        if (unit.shows_fifo && (kAll || unit.buffered != unit.shown_buffered)) {
            // A router that is not ours may send a flit later than it pops it: it then counts as
            // buffered a little too long, and there may seem to be more flits than places.
            const std::uint32_t most = (1U << widths_[offset(ChannelSignal::kBuffered)]) - 1;
            put(ChannelSignal::kBuffered, std::min(unit.buffered, most));
            unit.shown_buffered = unit.buffered;
        }
    }
}

template <bool kAll>
void OccupancyTrace::write_overview() {
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

/// The next cycle in which the path goes elsewhere.
Cycle OccupancyTrace::path_due() const {
    if (on_path_ != nullptr) return on_path_->to;
    return next_mark_ < marks_.size() ? marks_[next_mark_].from : kNever;
}

/// Goes on along the path, to where it is in this cycle.
void OccupancyTrace::follow_path() {
    if (path_due() > cycle_) return;
    const auto touch = [this](const PathMark* mark) {
        if (mark == nullptr || !mark->channel) return;
        const std::uint32_t unit = whole_[*mark->channel];
        if (unit != kNone) touched_.insert(unit);
    };
    touch(on_path_);
    on_path_ = nullptr;
    while (next_mark_ < marks_.size() && marks_[next_mark_].from <= cycle_) {
        on_path_ = &marks_[next_mark_++];
    }
    if (on_path_ != nullptr && on_path_->to <= cycle_) on_path_ = nullptr;
    touch(on_path_);
}

bool OccupancyTrace::is_on(std::uint32_t index, const PathMark* mark) const {
    return mark != nullptr && mark->channel && whole_[*mark->channel] == index;
}

template <bool kAll>
void OccupancyTrace::write_critical(std::uint32_t index) {
    const TracedScope& scope = scopes_[index];
    if (!scope.has_critical) return;
    const bool was = is_on(index, shown_path_);
    const bool is = is_on(index, on_path_);
    const SignalId signal = units_[index].first_signal + scope.signals;
    if (is && (kAll || !was || on_path_->cause != shown_path_->cause)) {
        put(on_path_->cause, signal, cause_bits());
    } else if (!is && (kAll || was)) {
        put(0, signal, cause_bits(), Level::kHighZ);
    }
}

template <bool kAll>
void OccupancyTrace::write_path() {
    if (!kAll && on_path_ == shown_path_) return;
    // What a path says in one cycle; nothing: where it has nothing to say.
    struct Words {
        std::optional<std::uint32_t> cause;
        std::optional<std::uint32_t> channel;
        std::optional<std::uint32_t> message;
    };
    const auto words = [](const PathMark* mark) {
        Words found;
        if (mark == nullptr) return found;
        found.cause = mark->cause;
        found.channel = mark->channel;
        if (mark->message != kNoMessage) found.message = mark->message;
        return found;
    };
    const Words now = words(on_path_);
    const Words shown = words(shown_path_);
    const auto write = [this](SignalId signal, std::uint32_t width,
                              const std::optional<std::uint32_t>& to,
                              const std::optional<std::uint32_t>& from) {
        if (!kAll && to == from) return;
        put(to.value_or(0), signal, width, to ? Level::kNone : Level::kHighZ);
    };
    write(path_signal_, cause_bits(), now.cause, shown.cause);
    write(path_signal_ + 1, channel_bits(), now.channel, shown.channel);
    write(path_signal_ + 2, 32, now.message, shown.message);
    shown_path_ = on_path_;
}

void OccupancyTrace::begin_file() {
    inner_.write_declarations(*sink_);
    sink_->close_scope();  // fabric
    sink_->begin(ticks(from_));
}

/// The complete state at the beginning of the window, but for inner signals.
void OccupancyTrace::write_everything() {
    opened_ = true;
    begin_file();
    overview_.forget_blocked();
    follow_path();
    for (std::uint32_t index = 0; index < units_.size(); ++index) {
        write_unit<true>(index);
        write_critical<true>(index);
    }
    write_overview<true>();
    if (!causes_.empty()) write_path<true>();
    put_changes();
    dumping_ = true;
    if (inner_.empty()) end_dump();
}

void OccupancyTrace::end_dump() {
    dumping_ = false;
    inner_.write_everything(*sink_);
    sink_->end_dump();
}

void OccupancyTrace::complete(Cycle last) {
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
    last_tick_ = ticks(last);
    sink_->close(last_tick_);
}

std::unique_ptr<OccupancyTrace> open_trace(const std::string& path, const Config& config,
                                           const Graph& graph,
                                           const std::vector<PathCause>& causes) {
    const WaveformFormat& format = waveform_format_of(path);
    if (format.create == nullptr) {
        throw ConfigError(Location{path}, "this format holds no signals", "end it in .vcd or .fst");
    }
    const TraceSelection selection = select_channels(config, graph);
    for (const std::string& beside : gtkwave_files(path, !causes.empty())) {
        if (std::filesystem::is_directory(beside)) {
            throw ConfigError(Location{path}, "a folder is in the way of the file " + beside);
        }
        require_no_input(beside, Location{path});
    }
    const TimeAxis axis = make_time_axis(config.clock_ns);
    const std::string comment = fmt::format(
        "Link occupancy of {}, one clock cycle of {} ns = {} x {}. blocked: belongs to "
        "a packet that sends nothing in this cycle. owner: twice the number of who it belongs "
        "to (file .owners), plus 1 where blocked; z: nobody.",
        graph.description(), config.clock_ns, axis.per_cycle, axis.timescale);
    const TracedFabric fabric{config.fabric.virtual_channels, ChannelTimings(config.fabric),
                              causes};
    return std::make_unique<OccupancyTrace>(path, graph, fabric, axis, selection,
                                            format.create(path, axis.timescale, comment));
}

}  // namespace flitscope
