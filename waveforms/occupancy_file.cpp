// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Events only change the state of their unit and mark it; the marked units are compared with the
// contents of the file when the cycle is complete. So neither the order of events nor changes that
// cancel (a tail and the next head in consecutive cycles) leave a mark. Inner signals of a cycle
// are known one cycle later and have the last places in the file, so they are written just before
// the channels of the next cycle.
#include "waveforms/occupancy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/topology/graph.h"
#include "waveforms/binary_digits.h"

namespace flitscope {

OccupancyFile::OccupancyFile(const Graph& graph, const TracedFabric& fabric, const TimeAxis& axis,
                             const TraceSelection& selection, std::unique_ptr<WaveSink> sink)
    : graph_(graph),
      channels_(graph),
      virtual_channels_(fabric.virtual_channels),
      axis_(axis),
      sink_(std::move(sink)),
      from_(selection.from),
      until_(selection.until),
      details_(selection.details),
      end_(selection.until),
      unit_of_(static_cast<std::size_t>(channels_.count()) * virtual_channels_, kNone),
      whole_(channels_.count(), kNone),
      numbers_(fabric.numbers),
      overview_(graph, selection.links),
      depth_(fabric.timings.most_depth(graph)),
      path_(fabric.path_causes) {
    const std::uint32_t node_bits = bit_length(graph.node_count() - 1);
    widths_ = {OwnerTable::kBits,
               1,
               1,
               node_bits,
               node_bits,
               numbers_.bits(),
               32,
               bit_length(fabric.has_foreign_routers ? 2 * depth_ : depth_)};
    declare(fabric, selection);
    if (numbers_.labels() != nullptr && details_) labels_.resize(units_.size());
    touched_ = IndexSet(units_.size());
    sloping_ = IndexSet(units_.size());
}

std::uint32_t OccupancyFile::declare_inner(const std::string& path, const std::string& name,
                                           std::uint32_t width) {
    const std::uint32_t signal = inner_.declare(path, name, width);
    if (until_ != kNever) end_ = until_ + 1;  // inner changes of `until_` - 1 come in `until_`
    return signal;
}

void OccupancyFile::take(const EventBatch& batch) {
    std::size_t label = 0;
    for (std::size_t i = 0; i < batch.count; ++i) {
        const Event& event = batch.events[i];
        if (event.kinds == Event::kInner) {
            if (!enter(event.cycle + 1)) return;
            inner_.change(event.unit,
                          std::string_view(batch.digits).substr(event.begin_fifo, event.end_fifo));
        } else {
            if (!enter(event.cycle)) return;
            if (event.kinds == Event::kLoss) {
                lose_flit(event.unit, event.begin_fifo);
            } else {
                take(event, batch, label);
            }
        }
    }
}

inline void OccupancyFile::take(const Event& event, const EventBatch& batch, std::size_t& label) {
    if (event.end_fifo != kNone) change_pops(event.end_fifo, -1);
    if (event.begin_fifo != kNone) change_pops(event.begin_fifo, +1);
    if (event.unit == kNone) return;
    Unit& unit = units_[event.unit];
    const bool in_overview = unit.group != Overview::kNoGroup;
    const auto send = [&](std::int32_t change) {
        if (unit.line != DelayLines::kNone) lines_[unit.line].push(cycle_, event.unit, change);
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
        if (!labels_.empty()) labels_[event.unit].now = batch.labels[label++];
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

/// A flit is lost on its way to the unit's FIFO, which it would have reached in `ahead` cycles.
void OccupancyFile::lose_flit(std::uint32_t index, Cycle ahead) {
    Unit& unit = units_[index];
    if (unit.group != Overview::kNoGroup) overview_.flit_lost(unit.group);
    if (!unit.shows_fifo) return;
    if (ahead == 0) {
        --unit.buffered;
    } else {
        lost_ahead_.emplace(cycle_ + ahead - 1, index);
    }
    mark(index);
}

void OccupancyFile::close(Cycle end) {
    if (closed_) return;
    if (end > cycle_) advance(end);
    if (closed_) return;
    finish_cycle();
    complete(opened_ ? cycle_ : from_);
}

inline void OccupancyFile::mark(std::uint32_t index) {
    touched_.insert(index);
    if (units_[index].sum != kNone) touched_.insert(units_[index].sum);
}

inline void OccupancyFile::change_slope(std::uint32_t index, std::int32_t change) {
    Unit& unit = units_[index];
    unit.slope = static_cast<std::int16_t>(unit.slope + change);
    if (unit.slope != 0) {
        sloping_.insert(index);
    } else {
        sloping_.erase(index);
    }
}

/// Notes that from this cycle on one more flit, or one less, is taken out of the unit's FIFO in
/// every cycle.
inline void OccupancyFile::change_pops(std::uint32_t index, std::int32_t change) {
    if (details_) change_slope(index, -change);
    const std::uint8_t group = units_[index].group;
    if (group != Overview::kNoGroup) overview_.flits_leave(group, change);
}

inline bool OccupancyFile::enter(Cycle cycle) {
    if (closed_) return false;
    if (cycle != cycle_) advance(cycle);
    return !closed_;
}

void OccupancyFile::advance(Cycle cycle) {
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
            next = std::min({next, lines_.due(), path_.due()});
            if (!lost_ahead_.empty()) next = std::min(next, lost_ahead_.begin()->first);
        }
        if (cycle_ < from_) next = std::min(next, from_);
        cycle_ = std::min(next, end_);
        if (cycle_ == end_) {
            complete(until_);
            return;
        }
    }
}

/// Writes the signals of this cycle, then updates the numbers of flits to the start of the next.
void OccupancyFile::finish_cycle() {
    if (opened_ && !inner_.empty()) finish_inner();
    if (cycle_ >= from_ && cycle_ < until_) {
        if (!opened_) {
            write_everything();
        } else {
            write_changes();
        }
    }
    touched_.clear();
    take_due_changes();
    integrate();
}

void OccupancyFile::finish_inner() {
    if (dumping_) {
        end_dump();
        return;
    }
    sink_->set_time(ticks(cycle_ - 1));
    inner_.write_changes(*sink_);
}

void OccupancyFile::take_due_changes() {
    lines_.take_due(cycle_, [this](const DelayLine::Entry& entry) {
        const Unit& unit = units_[entry.unit];
        if (unit.shows_fifo) {
            change_slope(entry.unit, entry.change);
        } else {
            overview_.flits_leave(unit.group, entry.change);
        }
    });
    // The slope counts those that were lost, too.
    while (!lost_ahead_.empty() && lost_ahead_.begin()->first == cycle_) {
        const std::uint32_t index = lost_ahead_.begin()->second;
        --units_[index].buffered;
        touched_.insert(index);
        lost_ahead_.erase(lost_ahead_.begin());
    }
}

/// buffered(t+1) = buffered(t) + sends in t+1-d - pops in t: the slope that is known now.
void OccupancyFile::integrate() {
    sloping_.for_each([this](std::uint32_t index) {
        Unit& unit = units_[index];
        unit.buffered += static_cast<std::uint32_t>(unit.slope);
        touched_.insert(index);
    });
    overview_.advance();
}

}  // namespace flitscope
