// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Waveforms of the occupancy of channels: notes the channel events of any engine, and the inner
// signals of modules that report them, for a dedicated thread that makes a VCD or FST file of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/inner_signals.h"
#include "models/fabric/observers.h"
#include "waveforms/batch_thread.h"
#include "waveforms/node_loads.h"
#include "waveforms/occupancy_file.h"
#include "waveforms/run_trace.h"
#include "waveforms/traced_events.h"

namespace flitscope {

class Graph;
struct Config;

/// Writes the occupancy of the selected channels and all inner signals. The file depends only on
/// which events happen in which cycle: not on the order of calls within a cycle, the engine, or the
/// time of day. Work and memory follow the number of events and of value changes, not of cycles. A
/// dedicated thread makes the file during the run; if a path will be marked, events wait in a file
/// until close().
class OccupancyTrace final : public RunTrace, public InnerSignalObserver {
public:
    /// `graph` must outlive the trace. The selection's window is half open: [from, until). `path`
    /// is where the sink writes. Throws ConfigError if events have to wait and cannot.
    OccupancyTrace(const std::string& path, const Graph& graph, const TracedFabric& fabric,
                   const TimeAxis& axis, const TraceSelection& selection,
                   std::unique_ptr<WaveSink> sink);
    /// Completes the file as close() would after the last event; reports no errors.
    ~OccupancyTrace() override;
    OccupancyTrace(const OccupancyTrace&) = delete;
    OccupancyTrace& operator=(const OccupancyTrace&) = delete;

    // An event earlier than the one before it throws std::logic_error. Errors of the file are
    // thrown by a later call, at the latest by close().
    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override;
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override;
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_loss(ChannelId channel, std::uint32_t vc, Cycle visible, Cycle cycle) override;

    // Scopes are inside "fabric". Declarations end with the first event or change; one after that,
    // a change that is reported more than one cycle late, and one that does not fit its signal
    // throws std::logic_error.
    std::uint32_t declare_inner(const std::string& path, const std::string& name,
                                std::uint32_t width) override;
    void on_inner_view(SignalView view) override { file_.add_inner_view(std::move(view)); }
    void on_inner_change(std::uint32_t signal, Cycle cycle, std::string_view digits) override;

    InnerSignalObserver* inner_signals() override { return this; }
    void mark_path(std::vector<PathMark> path) override;
    /// close(), and the files for GTKWave.
    void finish(Cycle end) override;
    void discard() override;

    /// Completes the file; `end` is the number of cycles that were simulated. The last time stamp
    /// is that of `end` (of `until` if the window ends earlier), with the changes that take effect
    /// in it. Throws std::runtime_error with path and reason when the disk is full. Later calls and
    /// events do nothing.
    void close(Cycle end);

    /// The file; another thread changes it during the run.
    const OccupancyFile& file() const { return file_; }

private:
    using Event = TracedEvent;  // its units are places in the file, or OccupancyFile::kNone

    Event* note(std::uint8_t kind, std::uint32_t unit, std::uint32_t fifo, Cycle cycle);
    Event* add_event(std::uint8_t kind, std::uint32_t unit, Cycle cycle);
    void hand_over();
    void take_waiting();

    std::string path_;
    OccupancyFile file_;
    std::vector<std::uint32_t> popping_;  // per slot: unit whose FIFO its burst pops, or none
    NodeLoads loads_;
    const MessageNumbers numbers_;
    const MessageLabels* labels_;  // null: none

    Cycle latest_ = 0;       // cycle of the last event
    Event* last_ = nullptr;  // that event, while others may join it
    bool begun_ = false;     // there has been one

    EventBatch batch_;
    std::unique_ptr<BatchStore> waiting_;  // batches, while the path is not known; else
    std::unique_ptr<BatchThread> taking_;  // last: it uses the file
};

/// open_run_trace() of the formats that hold signals; others throw ConfigError.
std::unique_ptr<OccupancyTrace> open_trace(const std::string& path, const Config& config,
                                           const Graph& graph,
                                           const std::vector<PathCause>& causes = {},
                                           const MessageNumbers& numbers = {});

}  // namespace flitscope
