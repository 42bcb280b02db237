// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A run as Chrome's trace events (the "Trace Event Format"), for Perfetto and chrome://tracing: a
// track for each channel, a slice for each packet that holds it, arrows from send to delivery, and
// counters. README.md describes the contents and size of the file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "models/fabric/channel_timing.h"
#include "models/topology/channel_map.h"
#include "waveforms/delay_line.h"
#include "waveforms/overview.h"
#include "waveforms/run_trace.h"
#include "waveforms/selection.h"
#include "waveforms/time_axis.h"
#include "waveforms/trace_output.h"

namespace flitscope {

class Graph;
struct Config;

/// The file depends only on which events happen in which cycle, as that of OccupancyTrace does.
class EventTrace final : public RunTrace {
public:
    /// Takes the arguments of open_run_trace(). Leaves no file if finish() is not called.
    EventTrace(const std::string& path, const Config& config, const Graph& graph,
               const std::vector<PathCause>& causes = {}, const MessageNumbers& numbers = {});

    // An event earlier than the one before it throws std::logic_error.
    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override;
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override;
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_cut(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_loss(ChannelId channel, std::uint32_t vc, Cycle visible, Cycle cycle) override;
    void on_span(const RankSpan& span) override;
    void mark_path(std::vector<PathMark> path) override { marks_ = std::move(path); }
    void finish(Cycle end) override;
    void discard() override {}  // the destructor leaves none

private:
    static constexpr std::size_t kFlushBytes = std::size_t{1} << 16;
    static constexpr std::uint8_t kNoGroup = Overview::kNoGroup;

    /// A virtual channel.
    struct Track {
        bool is_shown = false;
        bool is_held = false;
        bool is_sending = false;
        bool has_begun = false;  // to send for `message`
        Message message;
        std::optional<MessageLabel> label;
        Cycle granted = 0;
        Cycle sending_since = 0;
        Cycle sent = 0;                 // cycles shown in which it sent for `message`
        std::size_t popped = SIZE_MAX;  // the track whose FIFO it empties
    };
    struct Channel {
        std::uint8_t group = kNoGroup;           // group of the overview; none: not a shown link
        std::uint16_t line = DelayLines::kNone;  // if it has no FIFO: delay line of its flits
        std::uint16_t holders = 0;               // virtual channels
        std::uint16_t sending = 0;
        bool is_blocked = false;
        bool is_touched = false;
    };
    /// Within the cycles shown.
    struct Slice {
        std::size_t track = 0;
        Message message;
        std::optional<MessageLabel> label;
        Cycle begin = 0;
        Cycle end = 0;
        Cycle sent = 0;  // in which it sent
    };
    /// The cycles in which packets of a message under way began to move over tracks.
    struct Flow {
        std::vector<std::pair<Cycle, std::size_t>> places;
        std::uint64_t packets_left = 0;  // 0: all have arrived
    };
    /// A flow whose message has arrived.
    struct Arrived {
        MessageId message = 0;
        Flow flow;
    };

    std::size_t track_of(ChannelId channel, std::uint32_t vc) const {
        return static_cast<std::size_t>(channel) * virtual_channels_ + vc;
    }
    bool is_shown(Cycle cycle) const { return cycle >= from_ && cycle < until_; }
    /// Those of the cycles [begin, end) that are shown.
    Cycle shown_cycles(Cycle begin, Cycle end) const {
        return std::max(std::min(end, until_), from_) - std::max(std::min(begin, until_), from_);
    }
    void declare(const TraceSelection& selection);
    void declare_track(ChannelId channel, std::uint32_t sort_index);
    void touch(ChannelId channel);
    void enter(Cycle cycle);
    void finish_cycle();
    void end_hold(ChannelId channel, std::uint32_t vc, Cycle cycle);
    int stage(std::size_t track) const;
    bool is_whole(const Flow& flow, std::uint64_t packets) const;
    void write_slice(const Slice& slice);
    void write_flow(const Arrived& arrived);
    void write_path();
    void write_ranks();
    void write_span(const RankSpan& span, std::size_t track);
    void name_process(int process, const char* name);
    void write_counters(bool all);
    void write_counter(const char* name, const char* unit, std::uint64_t value);
    std::string time(Cycle cycle) const;
    void begin_event();
    void flush();

    TraceOutput file_;
    std::string text_;
    bool has_events_ = false;
    bool is_complete_ = false;  // the file: what happens now is no longer shown

    const Graph& graph_;
    ChannelMap map_;
    std::uint32_t virtual_channels_;
    bool has_fifos_;
    PacketFormat format_;
    TimeAxis axis_;
    Cycle from_;
    Cycle until_;

    std::vector<Track> tracks_;
    std::vector<Channel> channels_;
    Overview overview_;
    std::vector<PathCause> causes_;
    MessageNumbers numbers_;
    std::vector<PathMark> marks_;
    std::vector<RankSpan> spans_;
    std::vector<bool> has_spans_;  // per node: it is shown
    DelayLines lines_;
    std::unordered_map<MessageId, Flow> flows_;
    bool keeps_flows_;  // arrived messages may be sent again

    Cycle cycle_ = 0;
    std::vector<ChannelId> touched_;
    std::vector<Slice> ended_;      // in this cycle
    std::vector<Arrived> arrived_;  // in this cycle
    std::uint64_t shown_flits_ = 0;
    std::uint64_t shown_blocked_ = 0;
    bool counted_ = false;  // the counters have been written
};

}  // namespace flitscope
