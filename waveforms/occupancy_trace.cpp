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
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

#include "models/base/diagnostics.h"
#include "waveforms/binary_digits.h"
#include "waveforms/formats.h"
#include "waveforms/gtkwave_save.h"

namespace flitscope {

namespace {

constexpr std::array<const char*, kChannelSignals> kSignalNames{
    "busy", "blocked", "source", "destination", "message", "step", "buffered"};

SignalId offset(ChannelSignal signal) { return static_cast<SignalId>(signal); }

}  // namespace

TimeAxis make_time_axis(double clock_ns) {
    if (!(clock_ns > 0)) throw std::invalid_argument("the clock period is not positive");
    const double ps = clock_ns * 1e3;
    // Decimal fractions are not exact in binary: 0.7 ns is 700 ps all the same. No more than that
    // is forgiven, since a fraction of a long period is many femtoseconds.
    const double inexact = 4 * std::numeric_limits<double>::epsilon() * ps;
    if (std::abs(ps - std::round(ps)) <= inexact && std::round(ps) >= 1) {
        return {static_cast<std::uint64_t>(std::llround(ps)), "1ps"};
    }
    return {static_cast<std::uint64_t>(std::max(1LL, std::llround(clock_ns * 1e6))), "1fs"};
}

OccupancyTrace::OccupancyTrace(const Graph& graph, const TracedFabric& fabric, const TimeAxis& axis,
                               const TraceSelection& selection, std::unique_ptr<TraceSink> sink)
    : graph_(graph),
      channels_(graph),
      virtual_channels_(fabric.virtual_channels),
      axis_(axis),
      sink_(std::move(sink)),
      from_(selection.from),
      until_(selection.until),
      end_(selection.until),
      unit_of_(static_cast<std::size_t>(channels_.count()) * virtual_channels_, kNone),
      popping_(unit_of_.size(), kNone) {
    const std::uint32_t node_bits = bit_length(graph.node_count() - 1);
    widths_ = {1, 1, node_bits, node_bits, 32, 32, bit_length(fabric.timings.buffer_depth)};
    lines_.emplace_back(Cycle{1});
    declare(fabric, selection);
    touched_ = IndexSet(units_.size());
    sloping_ = IndexSet(units_.size());
}

OccupancyTrace::~OccupancyTrace() {
    try {
        close(cycle_ + 1);
    } catch (const std::exception&) {
        // A destructor has nobody to tell; those who want to know call close().
    }
}

void OccupancyTrace::declare(const TracedFabric& fabric, const TraceSelection& selection) {
    sink_->open_scope("fabric");
    if (!selection.links.empty()) {
        sink_->open_scope("links");
        for (const LinkId id : selection.links) {
            declare_channel(channels_.link(id), "fabric.links.",
                            graph_.link_name(id) + twin_suffix(id), fabric);
        }
        sink_->close_scope();
    }
    if (!selection.endpoints.empty()) {
        sink_->open_scope("endpoints");
        for (const NodeId node : selection.endpoints) declare_ends(node, true, fabric);
        for (const NodeId node : selection.endpoints) declare_ends(node, false, fabric);
        sink_->close_scope();
    }
}

/// The injection channels of a node, or its ejection channels.
void OccupancyTrace::declare_ends(NodeId node, bool injection, const TracedFabric& fabric) {
    const auto declare = [&](ChannelId channel, const std::string& suffix) {
        declare_channel(channel, "fabric.endpoints.", channels_.name(channel) + suffix, fabric);
    };
    if (!graph_.has_per_link_endpoints()) {
        declare(injection ? channels_.injection(node) : channels_.ejection(node), "");
        return;
    }
    for (PortId port = 1; port < graph_.port_count(); ++port) {
        const LinkId link = injection ? graph_.out_link(node, port) : graph_.in_link(node, port);
        if (link == kNoLink) continue;
        declare(injection ? channels_.injection_of(link) : channels_.ejection_of(link),
                twin_suffix(link));
    }
}

/// Parallel links of custom graphs share a name; a scope has to be unique.
std::string OccupancyTrace::twin_suffix(LinkId id) const {
    const Link& link = graph_.link(id);
    int twin = 1;
    for (PortId port = 0; port < graph_.port_count(); ++port) {
        const LinkId other = graph_.out_link(link.from, port);
        if (other != kNoLink && other < id && graph_.link(other).to == link.to) ++twin;
    }
    return twin > 1 ? fmt::format("_{}", twin) : std::string();
}

void OccupancyTrace::declare_channel(ChannelId channel, const std::string& parent,
                                     const std::string& name, const TracedFabric& fabric) {
    sink_->open_scope(name);
    if (virtual_channels_ == 1) {
        unit_of_[slot(channel, 0)] = declare_unit(channel, parent + name, kNone, false, fabric);
    } else {
        const std::uint32_t sum = declare_unit(channel, parent + name, kNone, true, fabric);
        for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
            const std::string scope = fmt::format("vc{}", vc);
            sink_->open_scope(scope);
            unit_of_[slot(channel, vc)] =
                declare_unit(channel, parent + name + "." + scope, sum, false, fabric);
            sink_->close_scope();
        }
    }
    sink_->close_scope();
}

std::uint32_t OccupancyTrace::declare_unit(ChannelId channel, const std::string& path,
                                           std::uint32_t sum, bool is_sum,
                                           const TracedFabric& fabric) {
    Unit unit;
    unit.sum = sum;
    unit.is_sum = is_sum;
    std::uint32_t signals = kChannelSignals;
    const ChannelTiming timing = fabric.timings.of(graph_, channel);
    if (is_sum) {
        signals = offset(ChannelSignal::kBlocked) + 1;
    } else if (!timing.has_fifo()) {
        signals = offset(ChannelSignal::kStep) + 1;  // an interface consumes at once
    } else {
        unit.line = line_of(timing.delay);
    }
    for (std::uint32_t i = 0; i < signals; ++i) {
        const SignalId id = sink_->declare(kSignalNames[i], widths_[i]);
        if (i == 0) unit.first_signal = id;
    }
    scopes_.push_back({channel, path, sum != kNone, signals});
    units_.push_back(unit);
    return static_cast<std::uint32_t>(units_.size() - 1);
}

std::uint32_t OccupancyTrace::line_of(Cycle delay) {
    for (std::uint32_t i = 1; i < lines_.size(); ++i) {
        if (lines_[i].delay() == delay) return i;
    }
    lines_.emplace_back(delay);
    return static_cast<std::uint32_t>(lines_.size() - 1);
}

std::string OccupancyTrace::signal_name(ChannelSignal signal) const {
    return ranged_name(kSignalNames[offset(signal)], widths_[offset(signal)]);
}

void OccupancyTrace::on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                              Cycle cycle) {
    if (!enter(cycle)) return;
    const std::uint32_t index = unit_of_[slot(channel, vc)];
    if (index == kNone) return;
    Unit& unit = units_[index];
    unit.owner = {message.source, message.destination, message.id, message.step + 1};
    unit.owned = 1;
    if (unit.sum != kNone) ++units_[unit.sum].owned;
    mark(index);
}

void OccupancyTrace::on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                                   std::uint32_t popped_vc, Cycle cycle) {
    if (!enter(cycle)) return;
    const std::size_t own = slot(channel, vc);
    if (popped != channel) {
        const std::uint32_t fifo = unit_of_[slot(popped, popped_vc)];
        popping_[own] = fifo;
        if (fifo != kNone) lines_[0].push(cycle, fifo, -1);
    }
    const std::uint32_t index = unit_of_[own];
    if (index == kNone) return;
    Unit& unit = units_[index];
    if (unit.line != kNone) lines_[unit.line].push(cycle, index, +1);
    unit.sending = 1;
    if (unit.sum != kNone) ++units_[unit.sum].sending;
    mark(index);
}

void OccupancyTrace::on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    if (!enter(cycle)) return;
    const std::size_t own = slot(channel, vc);
    if (popping_[own] != kNone) lines_[0].push(cycle, popping_[own], +1);
    const std::uint32_t index = unit_of_[own];
    if (index == kNone) return;
    Unit& unit = units_[index];
    if (unit.line != kNone) lines_[unit.line].push(cycle, index, -1);
    unit.sending = 0;
    if (unit.sum != kNone) --units_[unit.sum].sending;
    mark(index);
}

void OccupancyTrace::on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    if (!enter(cycle)) return;
    const std::uint32_t index = unit_of_[slot(channel, vc)];
    if (index == kNone) return;
    Unit& unit = units_[index];
    unit.owned = 0;
    if (unit.sum != kNone) --units_[unit.sum].owned;
    mark(index);
}

std::uint32_t OccupancyTrace::declare_inner(const std::string& path, const std::string& name,
                                            std::uint32_t width) {
    const std::uint32_t signal = inner_.declare(path, name, width);
    if (until_ != kNever) end_ = until_ + 1;  // inner changes of `until_` - 1 come in `until_`
    return signal;
}

void OccupancyTrace::on_inner_change(std::uint32_t signal, Cycle cycle, std::string_view digits) {
    if (!enter(cycle + 1)) return;
    inner_.change(signal, digits);
}

void OccupancyTrace::close(Cycle end) {
    if (closed_) return;
    if (end > cycle_) advance(end);
    if (closed_) return;
    finish_cycle();
    complete(opened_ ? cycle_ : from_);
}

inline void OccupancyTrace::mark(std::uint32_t index) {
    touched_.insert(index);
    if (units_[index].sum != kNone) touched_.insert(units_[index].sum);
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
        if (!sloping_.empty() || dumping_) {
            next = cycle_ + 1;
        } else {
            for (const DelayLine& line : lines_) next = std::min(next, line.due());
        }
        if (cycle_ < from_) next = std::min(next, from_);
        cycle_ = std::min(next, end_);
        if (cycle_ == end_) {
            complete(until_);
            return;
        }
    }
}

void OccupancyTrace::finish_cycle() {
    if (opened_ && !inner_.empty()) finish_inner();
    take_due_changes();
    integrate();
    // write_everything() at `from` looks at every unit.
    if (cycle_ < from_ || cycle_ >= until_) {
        touched_.clear();
        return;
    }
    if (!opened_) {
        write_everything();
    } else {
        sink_->set_time(ticks(cycle_));
        touched_.for_each([this](std::uint32_t index) { write_unit(units_[index]); });
    }
    touched_.clear();
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
            Unit& unit = units_[entry.unit];
            unit.slope += entry.change;
            if (unit.slope != 0) {
                sloping_.insert(entry.unit);
            } else {
                sloping_.erase(entry.unit);
            }
        }
    }
}

/// buffered(t) = buffered(t-1) + sends in t-d - pops in t-1: the slope of this cycle.
void OccupancyTrace::integrate() {
    sloping_.for_each([this](std::uint32_t index) {
        Unit& unit = units_[index];
        unit.buffered += static_cast<std::uint32_t>(unit.slope);
        touched_.insert(index);
    });
}

void OccupancyTrace::write_unit(Unit& unit) {
    const SignalId first = unit.first_signal;
    const bool busy = unit.sending != 0;
    const bool blocked = unit.owned != 0 && !busy;
    if (busy != unit.shown_busy) sink_->value(first + offset(ChannelSignal::kBusy), busy);
    if (blocked != unit.shown_blocked) {
        sink_->value(first + offset(ChannelSignal::kBlocked), blocked);
    }
    unit.shown_busy = busy;
    unit.shown_blocked = blocked;
    if (unit.is_sum) return;
    if (unit.owned != 0 || unit.shown_owned) {
        write_owner(unit);
        unit.shown_owner = unit.owner;
        unit.shown_owned = unit.owned != 0;
    }
    if (unit.buffered != unit.shown_buffered) {
        // A router that is not ours may send a flit later than it pops it: it then counts as
        // buffered a little too long, and there may seem to be more flits than places.
        const std::uint32_t most = (1U << widths_[offset(ChannelSignal::kBuffered)]) - 1;
        sink_->value(first + offset(ChannelSignal::kBuffered), std::min(unit.buffered, most));
        unit.shown_buffered = unit.buffered;
    }
}

/// Writes the fields of the owner that differ from those shown.
void OccupancyTrace::write_owner(const Unit& unit) {
    const SignalId first = unit.first_signal + offset(ChannelSignal::kSource);
    const Owner& now = unit.owner;
    const Owner& old = unit.shown_owner;
    if (unit.owned == 0) {
        for (SignalId i = 0; i < 4; ++i) sink_->level(first + i, Level::kHighZ);
        return;
    }
    const bool all = !unit.shown_owned;
    if (all || now.source != old.source) sink_->value(first, now.source);
    if (all || now.destination != old.destination) sink_->value(first + 1, now.destination);
    if (all || now.message != old.message) sink_->value(first + 2, now.message);
    if (all || now.step != old.step) sink_->value(first + 3, now.step);
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
    for (Unit& unit : units_) {
        // Pretend that the file shows the opposite of everything.
        unit.shown_busy = unit.sending == 0;
        unit.shown_blocked = !(unit.owned != 0 && unit.sending == 0);
        unit.shown_owned = unit.owned == 0;
        unit.shown_buffered = ~unit.buffered;
        if (unit.line == kNone) unit.shown_buffered = unit.buffered;
        write_unit(unit);
    }
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
        for (std::size_t i = 0; i < units_.size(); ++i) {
            for (std::uint32_t s = 0; s < scopes_[i].signals; ++s) {
                sink_->level(units_[i].first_signal + s, Level::kUnknown);
            }
        }
        inner_.write_unknown(*sink_);
        sink_->end_dump();
    }
    last_tick_ = ticks(last);
    sink_->close(last_tick_);
}

std::unique_ptr<OccupancyTrace> open_trace(const std::string& path, const Config& config,
                                           const Graph& graph) {
    const WaveformFormat& format = waveform_format_of(path);
    const TraceSelection selection = select_channels(config, graph);
    if (std::filesystem::is_directory(gtkwave_save_path(path))) {
        throw ConfigError(Location{path},
                          "a folder is in the way of the save file " + gtkwave_save_path(path));
    }
    const TimeAxis axis = make_time_axis(config.clock_ns);
    const std::string comment = fmt::format(
        "Link occupancy of {}, one clock cycle of {} ns = {} x {}. blocked: belongs to "
        "a packet that sends nothing in this cycle; z: belongs to nobody.",
        graph.description(), config.clock_ns, axis.per_cycle, axis.timescale);
    const TracedFabric fabric{config.fabric.virtual_channels, ChannelTimings(config.fabric)};
    return std::make_unique<OccupancyTrace>(graph, fabric, axis, selection,
                                            format.create(path, axis.timescale, comment));
}

}  // namespace flitscope
