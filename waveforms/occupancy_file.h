// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of a waveform of occupancy: from channel events, in order of their cycle, to the state
// of each channel, and to the signals that change. README.md says what each signal means.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/channel_timing.h"
#include "models/topology/channel_map.h"
#include "waveforms/delay_line.h"
#include "waveforms/index_set.h"
#include "waveforms/inner_signals.h"
#include "waveforms/marked_path.h"
#include "waveforms/overview.h"
#include "waveforms/owner_table.h"
#include "waveforms/run_trace.h"
#include "waveforms/selection.h"
#include "waveforms/time_axis.h"
#include "waveforms/traced_events.h"
#include "waveforms/wave_sink.h"

namespace flitscope {

class Graph;

/// Properties of the fabric and its traffic that the file needs in addition to the graph.
struct TracedFabric {
    std::uint32_t virtual_channels = 1;
    /// Delays of flits, and depths of FIFOs for the width of `buffered`.
    ChannelTimings timings;
    /// Causes of a path that will be marked; empty: there will be no path.
    std::vector<PathCause> path_causes;
    MessageNumbers numbers;
    /// Routers may send flits later than they return their credits, so that `buffered` may exceed
    /// the depth.
    bool has_foreign_routers = false;
};

/// The signals of one channel (or virtual channel), in order of declaration.
enum class ChannelSignal : std::uint8_t {
    kOwner,        ///< the packet that holds it, and whether it sends: OwnerTable::value(), z: none
    kBusy,         ///< sends a flit in this cycle
    kBlocked,      ///< belongs to a packet that sends nothing in this cycle
    kSource,       ///< node, z when no packet holds the channel; same for the next three
    kDestination,  ///< node
    kMessage,      ///< number, of MessageNumbers
    kStep,         ///< schedule step, counted from 1
    kBuffered,     ///< flits visible in the downstream FIFO at the start of the cycle
};
inline constexpr std::uint32_t kChannelSignals = 8;

/// The signals of the access that a message carries, after the ChannelSignals, if there are
/// accesses; z when no packet of one holds the channel.
enum class AccessSignal : std::uint8_t {
    kAccess,     ///< MessageLabel::Kind
    kAddress,    ///< as the initiator gave it
    kInitiator,  ///< number of its socket
};
inline constexpr std::array<std::uint32_t, 3> kAccessWidths{3, 64, 16};

/// One scope of the file that holds signals.
struct TracedScope {
    ChannelId channel = 0;
    std::string path;  ///< "fabric.links.link_005_007" or "fabric.links.link_005_007.vc0"
    bool virtual_channel = false;             ///< `path` is one virtual channel of several
    std::uint32_t signals = kChannelSignals;  ///< number of ChannelSignals, from kOwner on
    bool has_critical = false;                ///< and `critical`, after them
};

/// A scope with the counts of the traced links, or of those of one dimension.
struct OverviewScope {
    std::string path;                  ///< "fabric.overview" or "fabric.overview.dimension_0"
    std::string title;                 ///< "all links", "dimension 0"
    std::vector<std::string> signals;  ///< as viewers show them: "blocked_links[7:0]"
};

/// The scope of the path through the run.
inline constexpr const char* kPathScope = "fabric.critical";

/// The occupancy of the selected channels and all inner signals. The output depends only on which
/// events happen in which cycle, not on their order within it. Work and memory follow the number of
/// events and of value changes, not of cycles. One thread takes events; another may concurrently
/// query whether the file is closed, and the declarations.
class OccupancyFile {
public:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    /// `graph` must outlive it. The selection's window is half open: [from, until).
    OccupancyFile(const Graph& graph, const TracedFabric& fabric, const TimeAxis& axis,
                  const TraceSelection& selection, std::unique_ptr<WaveSink> sink);
    OccupancyFile(const OccupancyFile&) = delete;
    OccupancyFile& operator=(const OccupancyFile&) = delete;

    // Before the first event.
    std::uint32_t declare_inner(const std::string& path, const std::string& name,
                                std::uint32_t width);
    void add_inner_view(SignalView view) { inner_.add_view(std::move(view)); }
    /// Throws std::logic_error if the digits do not fit the signal.
    void check_inner(std::uint32_t signal, std::string_view digits) const {
        inner_.check(signal, digits);
    }
    /// The place of a virtual channel in TracedEvent; kNone: it is not in the file.
    std::uint32_t unit_of(ChannelId channel, std::uint32_t vc) const {
        return unit_of_[slot(channel, vc)];
    }
    /// Virtual channels of all channels have the slots below slots().
    std::size_t slot(ChannelId channel, std::uint32_t vc) const {
        return static_cast<std::size_t>(channel) * virtual_channels_ + vc;
    }
    std::size_t slots() const { return unit_of_.size(); }
    /// The cycle from which on no event changes the file.
    Cycle end() const { return end_; }

    /// Does RunTrace::mark_path(); before the first event.
    void mark_path(const std::vector<PathMark>& path) { path_.mark(path, from_, until_); }
    void take(const EventBatch& batch);
    /// Completes the file as OccupancyTrace::close() does, unless it is closed.
    void close(Cycle end);
    /// Nothing more changes it: further batches are ignored.
    void stop() { closed_ = true; }
    /// Removes the file.
    void discard() { sink_->discard(); }
    bool closed() const { return closed_; }

    /// Flits that fit into a FIFO, and the most that `buffered` has shown.
    std::uint32_t buffer_depth() const { return depth_; }
    std::uint32_t most_buffered() const { return most_buffered_; }
    const Graph& graph() const { return graph_; }
    const std::vector<TracedScope>& scopes() const { return scopes_; }
    /// Cycles of the window in which the link of a scope was blocked; known when the file is
    /// closed. 0 for other channels and for virtual channels.
    Cycle blocked_cycles(const TracedScope& scope) const {
        return blocked_cycles_[static_cast<std::size_t>(&scope - scopes_.data())];
    }
    const std::vector<OverviewScope>& overview_scopes() const { return overview_scopes_; }
    const OwnerTable& owners() const { return owners_; }
    const InnerSignals& inner() const { return inner_; }
    /// Name of a signal within its scope, as viewers show it: "busy", "source[5:0]".
    std::string signal_name(ChannelSignal signal) const;
    /// Names of the signals of kPathScope (cause, channel, message), and of `critical` of a
    /// channel.
    std::vector<std::string> path_signals() const;
    std::string critical_name() const;
    /// The path within the window.
    const MarkedPath& path() const { return path_; }
    /// The tick of a cycle.
    std::uint64_t ticks(Cycle cycle) const { return cycle * axis_.per_cycle; }
    /// First and last tick of the file; the last is known when it is closed.
    std::uint64_t first_tick() const { return ticks(from_); }
    std::uint64_t last_tick() const { return last_tick_; }

private:
    /// Offset of a signal from the first one of its scope.
    static SignalId offset(ChannelSignal signal) { return static_cast<SignalId>(signal); }

    std::uint32_t width_of(ChannelSignal signal) const { return widths_[offset(signal)]; }

    /// The access of a unit's packet, and the one that the file shows.
    struct UnitLabel {
        std::optional<MessageLabel> now;
        std::optional<MessageLabel> shown;
        bool is_shown = false;  // there is a value
    };

    /// State of a unit. The file shows nothing of it until its window begins.
    enum class State : std::uint8_t { kIdle, kBusy, kBlocked, kNotShown };

    static bool is_owned(State state) { return state == State::kBusy || state == State::kBlocked; }

    using Event = TracedEvent;  // its units are places in units_, or kNone: not in the file

    /// State of one scope: a channel, one of its virtual channels, or, with several, the sum. One
    /// line of a cache, for all of them are visited over and over.
    struct alignas(64) Unit {
        SignalId first_signal = 0;
        std::uint32_t sum = kNone;  // unit of the whole channel, when this is a virtual channel
        Owner owner;
        std::uint32_t owner_number = kNone;  // of `owner` in the table; none: not asked for yet
        std::uint16_t sending = 0;           // sums count virtual channels, others are 0 or 1
        std::uint16_t owned = 0;
        std::int16_t slope = 0;                   // change of `buffered` per cycle
        std::uint16_t line = DelayLines::kNone;   // of its flits; none: an ejection channel, a sum
        std::uint8_t group = Overview::kNoGroup;  // of the overview; none: no link
        std::uint32_t buffered = 0;
        // Values currently shown in the file.
        std::uint32_t shown_buffered = 0;
        std::uint32_t shown_value = 0;  // of the owner
        Owner shown_owner;
        State shown_state = State::kNotShown;

        bool is_sum = false;
        bool has_details = false;
        bool shows_fifo = false;  // `buffered`

        /// Whole, not one of its virtual channels.
        bool is_link() const { return group != Overview::kNoGroup && sum == kNone; }
        State state() const {
            if (sending != 0) return State::kBusy;
            return owned != 0 ? State::kBlocked : State::kIdle;
        }
    };

    /// The values of a group of the overview that the file shows.
    struct ShownGroup {
        SignalId first_signal = 0;
        std::uint64_t most_flits = 0;
        std::int64_t flits = 0;
        std::uint32_t blocked = 0;
    };

    // Scopes and signals (occupancy_declarations.cpp).
    void declare(const TracedFabric& fabric, const TraceSelection& selection);
    void declare_ends(NodeId node, bool injection, const TracedFabric& fabric);
    void declare_channel(ChannelId channel, const std::string& parent, const std::string& name,
                         const TracedFabric& fabric);
    std::uint32_t declare_unit(ChannelId channel, const std::string& path, std::uint32_t sum,
                               bool is_sum, const TracedFabric& fabric);
    void declare_overview(const TracedFabric& fabric);
    void declare_counts(const std::string& path, const std::string& title, std::uint32_t links);
    SignalId declare_signal(const std::string& name, std::uint32_t width);
    std::uint32_t cause_bits() const;
    std::uint32_t channel_bits() const;

    // State (occupancy_file.cpp).
    void take(const Event& event, const EventBatch& batch, std::size_t& label);
    void lose_flit(std::uint32_t index, Cycle ahead);
    bool enter(Cycle cycle);  // false: the file is complete
    void advance(Cycle cycle);
    void finish_cycle();
    void finish_inner();
    void take_due_changes();
    void integrate();
    void mark(std::uint32_t index);
    void change_slope(std::uint32_t index, std::int32_t change);
    void change_pops(std::uint32_t index, std::int32_t change);

    // Output to the file (occupancy_signals.cpp).
    void put(std::uint64_t value, SignalId signal, std::uint32_t width,
             Level level = Level::kNone) {
        if (change_count_ == changes_.size()) put_changes();
        changes_[change_count_++] = {value, signal, level, static_cast<std::uint8_t>(width)};
    }
    void put(const Unit& unit, ChannelSignal signal, std::uint64_t value,
             Level level = Level::kNone) {
        put(value, unit.first_signal + offset(signal), width_of(signal), level);
    }
    void put_changes();
    void write_unit(std::uint32_t index);
    void write_owner(std::uint32_t index, State shown);
    void write_state(Unit& unit, State shown);
    void count_blocked(const Unit& unit, bool begins, Cycle cycle);
    void write_message(Unit& unit, State shown);
    void write_buffered(Unit& unit, State shown);
    void write_access(std::uint32_t index);
    std::uint32_t owner_value(std::uint32_t index, State state);
    template <bool kAll>
    void write_overview();
    void follow_path();
    bool is_on(std::uint32_t index, const PathMark* mark) const;
    template <bool kAll>
    void write_critical(std::uint32_t index);
    template <bool kAll>
    void write_path();
    void begin_file();
    void write_everything();
    void write_changes();
    void end_dump();
    void set_words();
    void complete(Cycle last);

    const Graph& graph_;
    ChannelMap channels_;
    std::uint32_t virtual_channels_;
    TimeAxis axis_;
    std::unique_ptr<WaveSink> sink_;
    Cycle from_;
    Cycle until_;
    bool details_;
    Cycle end_;  // first cycle that has nothing more to say of those before `until_`

    std::vector<TracedScope> scopes_;  // one per unit, in order of declaration
    std::vector<Unit> units_;
    std::vector<Cycle> blocked_cycles_;  // per unit; while it is blocked, less its first such cycle
    std::vector<std::uint32_t> unit_of_;  // per slot: its unit, or kNone
    std::vector<std::uint32_t> whole_;    // per channel: the unit of all its slots, or kNone
    DelayLines lines_;                    // flits in flight
    // Units of flits that were lost on their way, by the cycle after which their FIFO had had them.
    std::multimap<Cycle, std::uint32_t> lost_ahead_;
    OwnerTable owners_;
    std::vector<UnitLabel> labels_;  // per unit, if messages have labels
    MessageNumbers numbers_;
    Overview overview_;
    std::vector<OverviewScope> overview_scopes_;
    std::vector<ShownGroup> shown_groups_;  // all links, then, of several, each group
    Overview::Steps shown_steps_;
    SignalId steps_signal_ = 0;
    std::uint64_t most_on_link_ = 0;  // flits
    SignalId signals_ = 0;            // declared, except inner ones
    std::array<std::uint32_t, kChannelSignals> widths_{};
    std::uint32_t depth_;
    std::uint32_t most_buffered_ = 0;
    InnerSignals inner_{"fabric"};

    std::array<Change, 256> changes_;  // that the sink has not been given yet
    std::size_t change_count_ = 0;

    MarkedPath path_;
    SignalId path_signal_ = 0;

    // Events of this cycle are being collected, with inner changes of the one before; everything
    // earlier is written.
    Cycle cycle_ = 0;
    IndexSet touched_{0};   // units to compare with the file when the cycle is complete
    IndexSet sloping_{0};   // units whose `buffered` changes every cycle
    bool opened_ = false;   // the window has begun
    bool dumping_ = false;  // a complete state is written; inner signals follow a cycle later
    std::atomic<bool> closed_{false};
    std::uint64_t last_tick_ = 0;
};

}  // namespace flitscope
