// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/occupancy_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/output_file.h"
#include "models/base/printable.h"
#include "models/config/config.h"
#include "models/topology/graph.h"
#include "waveforms/formats.h"
#include "waveforms/gtkwave_save.h"

namespace flitscope {

namespace {

/// Makes the name of a file safe within the comment of a trace: $end would end the comment, in an
/// FST as soon as it is made into a VCD.
std::string in_comment(const std::string& name) {
    constexpr std::string_view kEnd = "$end";
    std::string text = printable(name);
    for (std::size_t at = 0; (at = text.find(kEnd, at)) != std::string::npos;) {
        text.replace(at, 1, "\\x24");
    }
    return text;
}

}  // namespace

OccupancyTrace::OccupancyTrace(const std::string& path, const Graph& graph,
                               const TracedFabric& fabric, const TimeAxis& axis,
                               const TraceSelection& selection, std::unique_ptr<WaveSink> sink)
    : path_(path),
      file_(graph, fabric, axis, selection, std::move(sink)),
      popping_(file_.slots(), OccupancyFile::kNone),
      loads_(graph, fabric.virtual_channels, selection.from, selection.until),
      numbers_(fabric.numbers),
      labels_(selection.details ? fabric.numbers.labels() : nullptr) {
    if (!fabric.path_causes.empty()) {
        if (labels_ != nullptr) throw std::logic_error("a path among messages with labels");
        waiting_ = std::make_unique<BatchStore>(path);
    } else {
        taking_ =
            std::make_unique<BatchThread>([this](const EventBatch& batch) { file_.take(batch); });
    }
}

OccupancyTrace::~OccupancyTrace() {
    try {
        close(latest_ + 1);
    } catch (const std::exception&) {
        // A destructor cannot report errors; callers that need them call close().
    }
}

void OccupancyTrace::on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                              Cycle cycle) {
    if (Event* const event =
            note(Event::kGrant, file_.unit_of(channel, vc), OccupancyFile::kNone, cycle)) {
        event->owner = {static_cast<std::uint16_t>(message.source),
                        static_cast<std::uint16_t>(message.destination), message.id,
                        numbers_.of_step(message.step)};
        if (labels_ != nullptr) batch_.labels.push_back(labels_->of(message.id));
    }
}

void OccupancyTrace::on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                                   std::uint32_t popped_vc, Cycle cycle) {
    const std::size_t own = file_.slot(channel, vc);
    loads_.begin(channel, vc, cycle);
    if (popped != channel) popping_[own] = file_.unit_of(popped, popped_vc);
    if (Event* const event =
            note(Event::kSendBegin, file_.unit_of(channel, vc), popping_[own], cycle)) {
        event->begin_fifo = popping_[own];
    }
}

void OccupancyTrace::on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    const std::size_t own = file_.slot(channel, vc);
    loads_.end(channel, vc, cycle);
    if (Event* const event =
            note(Event::kSendEnd, file_.unit_of(channel, vc), popping_[own], cycle)) {
        event->end_fifo = popping_[own];
    }
}

void OccupancyTrace::on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    note(Event::kRelease, file_.unit_of(channel, vc), OccupancyFile::kNone, cycle);
}

void OccupancyTrace::on_loss(ChannelId channel, std::uint32_t vc, Cycle visible, Cycle cycle) {
    last_ = nullptr;  // joins none, and as the last of the kinds is joined by none
    if (Event* const event =
            note(Event::kLoss, file_.unit_of(channel, vc), OccupancyFile::kNone, cycle)) {
        event->begin_fifo = static_cast<std::uint32_t>(std::max(visible, cycle) - cycle);
    }
}

/// Returns the event to fill in; null when the file is complete, or shows neither the channel nor
/// the FIFO that is emptied. An event right after one of the same channel and cycle joins it.
inline OccupancyTrace::Event* OccupancyTrace::note(std::uint8_t kind, std::uint32_t unit,
                                                   std::uint32_t fifo, Cycle cycle) {
    if (file_.closed()) return nullptr;
    if (cycle < latest_) {
        throw std::logic_error(
            fmt::format("event in cycle {} after one in cycle {}", cycle, latest_));
    }
    if (last_ != nullptr && cycle == last_->cycle && last_->unit == unit &&
        unit != OccupancyFile::kNone && last_->kinds < kind) {
        last_->kinds |= kind;
        return last_;
    }
    latest_ = cycle;
    begun_ = true;
    if (unit == OccupancyFile::kNone && fifo == OccupancyFile::kNone) return nullptr;
    last_ = add_event(kind, unit, cycle);
    return last_;
}

/// Null when the file is complete.
inline OccupancyTrace::Event* OccupancyTrace::add_event(std::uint8_t kind, std::uint32_t unit,
                                                        Cycle cycle) {
    if (batch_.count == EventBatch::kMost) {
        hand_over();
        if (file_.closed()) return nullptr;
    }
    Event* const event = &batch_.events[batch_.count++];
    event->cycle = cycle;
    event->unit = unit;
    event->kinds = kind;
    event->end_fifo = OccupancyFile::kNone;
    event->begin_fifo = OccupancyFile::kNone;
    return event;
}

void OccupancyTrace::hand_over() {
    last_ = nullptr;
    if (batch_.count == 0) return;
    if (taking_) {
        taking_->put(batch_);
    } else {
        if (batch_.events[0].cycle <= file_.end()) waiting_->put(batch_);
        batch_.clear();
    }
}

/// Takes the events that waited for the path.
void OccupancyTrace::take_waiting() {
    EventBatch batch;
    while (waiting_->get(batch)) file_.take(batch);
    waiting_.reset();
}

std::uint32_t OccupancyTrace::declare_inner(const std::string& path, const std::string& name,
                                            std::uint32_t width) {
    if (begun_) {
        throw std::logic_error(path + "." + name + " comes after the first event");
    }
    return file_.declare_inner(path, name, width);
}

void OccupancyTrace::on_inner_change(std::uint32_t signal, Cycle cycle, std::string_view digits) {
    if (file_.closed()) return;
    if (cycle + 1 < latest_) {
        throw std::logic_error(
            fmt::format("change of cycle {} while the run is in {}", cycle, latest_));
    }
    latest_ = cycle + 1;
    begun_ = true;
    file_.check_inner(signal, digits);
    last_ = nullptr;
    if (Event* const event = add_event(Event::kInner, signal, cycle)) {
        event->begin_fifo = static_cast<std::uint32_t>(batch_.digits.size());
        event->end_fifo = static_cast<std::uint32_t>(digits.size());
        batch_.digits += digits;
    }
}

void OccupancyTrace::mark_path(std::vector<PathMark> path) {
    if (!waiting_) throw std::logic_error("a path comes to a trace without causes, or too late");
    file_.mark_path(path);
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
    file_.close(end);
}

void OccupancyTrace::finish(Cycle end) {
    close(end);
    try {
        write_gtkwave_save(path_, file_, loads_.range(end));
    } catch (...) {
        // Next to an earlier run's files it would seem to be theirs. A pipe leaves nothing.
        std::error_code error;
        if (std::filesystem::is_regular_file(path_, error)) std::filesystem::remove(path_, error);
        throw;
    }
}

void OccupancyTrace::discard() {
    file_.stop();  // batches that wait are not taken
    waiting_.reset();
    taking_.reset();
    file_.discard();
}

std::unique_ptr<OccupancyTrace> open_trace(const std::string& path, const Config& config,
                                           const Graph& graph, const std::vector<PathCause>& causes,
                                           const MessageNumbers& numbers) {
    const WaveformFormat& format = waveform_format_of(path);
    if (format.create == nullptr) {
        throw ConfigError(Location{path}, "this format holds no signals", "end it in .vcd or .fst");
    }
    const TraceSelection selection = select_channels(config, graph);
    for (const std::string& beside : gtkwave_files(path, !causes.empty())) {
        require_writable(beside, Location{beside});
    }
    const TimeAxis axis = make_time_axis(config.clock_ns);
    const std::string comment = fmt::format(
        "Link occupancy of {}, one clock cycle of {} ns = {} x {}. blocked: belongs to "
        "a packet that sends nothing in this cycle. owner: twice the number of who it belongs "
        "to (file .owners), plus 1 where blocked; z: nobody.",
        in_comment(graph.description()), config.clock_ns, axis.per_cycle, axis.timescale);
    const TracedFabric fabric{
        config.fabric.virtual_channels, ChannelTimings(config.fabric), causes, numbers,
        config.fabric.has_rtl_routers() && !config.fabric.rtl_module().is_own()};
    return std::make_unique<OccupancyTrace>(path, graph, fabric, axis, selection,
                                            format.create(path, axis.timescale, comment));
}

}  // namespace flitscope
