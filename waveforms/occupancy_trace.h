// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Waveforms of who occupies which channel: turns the channel events of any engine into signals of
// a VCD or FST file, beside the inner signals of modules that report them. README.md says what each
// signal means.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/fabric/channel_timing.h"
#include "models/fabric/inner_signals.h"
#include "models/fabric/observers.h"
#include "models/topology/graph.h"
#include "waveforms/delay_line.h"
#include "waveforms/index_set.h"
#include "waveforms/inner_signals.h"
#include "waveforms/selection.h"
#include "waveforms/trace_sink.h"

namespace flitscope {

/// What the trace has to know of the fabric beside its graph.
struct TracedFabric {
    std::uint32_t virtual_channels = 1;
    /// When flits arrive, and how many there can be: the width of `buffered`.
    ChannelTimings timings;
};

/// Cycle t is at tick t * per_cycle.
struct TimeAxis {
    std::uint64_t per_cycle = 1000;
    const char* timescale = "1ps";
};

/// Ticks of 1 ps where the clock period is a whole number of them, else of 1 fs (to which the
/// period is rounded). Throws std::invalid_argument when the period is not positive.
TimeAxis make_time_axis(double clock_ns);

/// The signals of one channel (or virtual channel), in order of declaration.
enum class ChannelSignal : std::uint8_t {
    kBusy,         ///< sends a flit in this cycle
    kBlocked,      ///< belongs to a packet that sends nothing in this cycle
    kSource,       ///< node, z when the channel belongs to nobody; so the next three
    kDestination,  ///< node
    kMessage,      ///< MessageId
    kStep,         ///< schedule step, counted from 1
    kBuffered,     ///< flits visible in the downstream FIFO at the start of the cycle
};
inline constexpr std::uint32_t kChannelSignals = 7;

/// One scope of the file that holds signals.
struct TracedScope {
    ChannelId channel = 0;
    std::string path;  ///< "fabric.links.link_005_007" or "fabric.links.link_005_007.vc0"
    bool virtual_channel = false;             ///< `path` is one virtual channel of several
    std::uint32_t signals = kChannelSignals;  ///< so many of ChannelSignal, from kBusy on
};

/// Writes the occupancy of the selected channels and all inner signals. The file depends only on
/// which events happen in which cycle: not on the order of calls within a cycle, the engine, or the
/// time of day. Work and memory follow the number of events and of value changes, not of cycles.
class OccupancyTrace final : public ChannelObserver, public InnerSignalObserver {
public:
    /// `graph` must outlive the trace. The selection's window is half open: [from, until).
    OccupancyTrace(const Graph& graph, const TracedFabric& fabric, const TimeAxis& axis,
                   const TraceSelection& selection, std::unique_ptr<TraceSink> sink);
    /// Completes the file as close() would after the last event; reports no errors.
    ~OccupancyTrace() override;
    OccupancyTrace(const OccupancyTrace&) = delete;
    OccupancyTrace& operator=(const OccupancyTrace&) = delete;

    // An event earlier than the one before it throws std::logic_error; a full disk may throw
    // std::runtime_error.
    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override;
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override;
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override;

    // Scopes are inside "fabric". Declarations end with the window's first cycle; one after that,
    // and a change that is reported more than one cycle late, throws std::logic_error.
    std::uint32_t declare_inner(const std::string& path, const std::string& name,
                                std::uint32_t width) override;
    void on_inner_view(SignalView view) override { inner_.add_view(std::move(view)); }
    void on_inner_change(std::uint32_t signal, Cycle cycle, std::string_view digits) override;

    /// Completes the file; `end` is the number of cycles that were simulated. The last time stamp
    /// is that of `end` (of `until` where the window ends earlier), with the changes that take
    /// effect in it. Throws std::runtime_error with path and reason when the disk is full. Later
    /// calls and events do nothing.
    void close(Cycle end);

    /// Whether the simulation got as far as the window; where it did not, every signal is x.
    bool window_reached() const { return opened_; }

    const Graph& graph() const { return graph_; }
    const std::vector<TracedScope>& scopes() const { return scopes_; }
    const InnerSignals& inner_signals() const { return inner_; }
    /// Name of a signal within its scope, as viewers show it: "busy", "source[5:0]".
    std::string signal_name(ChannelSignal signal) const;
    /// First and last tick of the file; the last is known after close().
    std::uint64_t first_tick() const { return ticks(from_); }
    std::uint64_t last_tick() const { return last_tick_; }

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    struct Owner {
        NodeId source = 0;
        NodeId destination = 0;
        MessageId message = 0;
        std::uint32_t step = 0;  // from 1
    };
    /// State of one scope: a channel, one of its virtual channels, or, with several, the sum.
    struct Unit {
        SignalId first_signal = 0;
        std::uint32_t sum = kNone;   // unit of the whole channel, when this is a virtual channel
        std::uint32_t line = kNone;  // delay line of arrivals; none: no FIFO is shown
        std::uint32_t buffered = 0;
        std::int32_t slope = 0;     // change of `buffered` per cycle
        std::uint16_t sending = 0;  // sums count virtual channels, others are 0 or 1
        std::uint16_t owned = 0;
        Owner owner;
        // What the file shows now.
        Owner shown_owner;
        std::uint32_t shown_buffered = 0;
        bool shown_busy = false;
        bool shown_blocked = false;
        bool shown_owned = false;
        bool is_sum = false;
    };

    void declare(const TracedFabric& fabric, const TraceSelection& selection);
    void declare_ends(NodeId node, bool injection, const TracedFabric& fabric);
    std::string twin_suffix(LinkId id) const;
    void declare_channel(ChannelId channel, const std::string& parent, const std::string& name,
                         const TracedFabric& fabric);
    std::uint32_t declare_unit(ChannelId channel, const std::string& path, std::uint32_t sum,
                               bool is_sum, const TracedFabric& fabric);
    std::uint32_t line_of(Cycle delay);
    std::size_t slot(ChannelId channel, std::uint32_t vc) const {
        return static_cast<std::size_t>(channel) * virtual_channels_ + vc;
    }

    bool enter(Cycle cycle);  // false: the file is complete
    void advance(Cycle cycle);
    void finish_cycle();
    void finish_inner();
    void take_due_changes();
    void integrate();
    void write_unit(Unit& unit);
    void begin_file();
    void write_everything();
    void end_dump();
    void write_owner(const Unit& unit);
    void mark(std::uint32_t index);
    void complete(Cycle last);
    std::uint64_t ticks(Cycle cycle) const { return cycle * axis_.per_cycle; }

    const Graph& graph_;
    ChannelMap channels_;
    std::uint32_t virtual_channels_;
    TimeAxis axis_;
    std::unique_ptr<TraceSink> sink_;
    Cycle from_;
    Cycle until_;
    Cycle end_;  // first cycle that has nothing more to say of those before `until_`

    std::vector<TracedScope> scopes_;  // one per unit, in order of declaration
    std::vector<Unit> units_;
    std::vector<std::uint32_t> unit_of_;  // per slot: its unit, or kNone
    std::vector<std::uint32_t> popping_;  // per slot: unit whose FIFO its burst pops, or kNone
    std::vector<DelayLine> lines_;        // line 0 holds pops (delay 1), the others arrivals
    std::array<std::uint32_t, kChannelSignals> widths_{};
    InnerSignals inner_{"fabric"};

    // Events of this cycle are being collected, with inner changes of the one before; everything
    // earlier is written.
    Cycle cycle_ = 0;
    IndexSet touched_{0};   // units to compare with the file when the cycle is complete
    IndexSet sloping_{0};   // units whose `buffered` changes every cycle
    bool opened_ = false;   // the window has begun
    bool dumping_ = false;  // its complete state lacks the inner signals, which are a cycle behind
    bool closed_ = false;
    std::uint64_t last_tick_ = 0;
};

/// The trace that `config` asks for, written to `path`: VCD or FST by its extension (.vcd, .fst).
/// Throws ConfigError when the extension is another one, when the selection names something that
/// does not exist, and when the file cannot be created.
std::unique_ptr<OccupancyTrace> open_trace(const std::string& path, const Config& config,
                                           const Graph& graph);

}  // namespace flitscope
