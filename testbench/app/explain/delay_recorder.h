// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Follows packets through a run and distributes their cycles over causes (packet_delays.h).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/base/slot_pool.h"
#include "models/config/config.h"
#include "models/fabric/observers.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/channel_lanes.h"
#include "testbench/app/explain/packet_delays.h"
#include "testbench/app/run/message_log.h"

namespace flitscope {

/// Watches a run, of any engine. Memory follows what is under way; where the window is not known
/// before the run ends, that of all packets besides, some 100 bytes each, up to a limit. Throws
/// std::logic_error where the cycles of a packet do not sum up to its latency, or the packets in
/// the network not to their stay: then the fabric does not keep hw/TIMING.md.
class DelayRecorder final : public ChannelObserver, public PacketObserver, public SendObserver {
public:
    /// `machine`, with switched packets and nodes of one channel, must outlive it. `keeps_packets`:
    /// each of them, for packets().
    DelayRecorder(const Machine& machine, const DelayWindow& window, bool keeps_packets = false);
    /// The run is to find the window. `log_bytes`: the most that packets take until then.
    DelayRecorder(const Machine& machine, std::size_t log_bytes);

    void on_send(const Message& message, Cycle begin) override;
    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override;
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override;
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_packet(const PacketRecord& packet) override;

    /// Once the run has ended, after `simulated_cycles`.
    PacketDelays take(Cycle simulated_cycles);
    /// Evaluates with the window that the run has found, of whole kSteadyWindows. Nothing if the
    /// packets took more memory than allowed: then make another run in which the window is known.
    std::optional<PacketDelays> take(Cycle simulated_cycles, const DelayWindow& found);
    /// All packets that were delivered, in or out of the window.
    const std::vector<PacketDelay>& packets() const { return packets_; }

private:
    /// The cause for which a flit of a packet's body had to wait.
    struct Tag {
        std::uint32_t packet = 0;  // in under_way_
        Cause stall = Cause::kCredit;
        ChannelId stalled_at = 0;
    };
    struct Lane : BasicLane<Tag> {
        std::uint32_t packet = 0;  // in under_way_
        Cycle granted_in = 0;
        Cycle released_in = 0;  // by the packet before
        MessageId owner = kNoMessage;
        std::uint64_t bytes = 0;  // of that message
    };
    using Run = Lane::Runs::Run;
    struct UnderWay {
        PacketDelay delay;
        std::uint64_t flits = 0;
    };
    struct Sent {
        MessageId message = kNoMessage;
        Cycle begin = 0;
    };
    /// A node's interface.
    struct Source {
        std::deque<Sent> sends;  // handed over
        Sent at_hand;
        std::uint32_t packet = 0;   // of that message
        std::uint32_t packets = 0;  // all of them gone: the next one is of another message
        std::uint64_t assembled = 0;
        Cycle turn = 0;          // its startup begins,
        Cycle started = 0;       // is over,
        Cycle assembly = 0;      // its assembly begins
        Cycle done = 0;          // the message before leaves its startup or assembly alone,
        Cycle message_gone = 0;  // and its tail has been injected
        Cycle packet_gone = 0;   // that of the packet before, too
    };
    /// A packet that one side has told to be delivered.
    struct Delivered {
        MessageId message = kNoMessage;
        std::uint32_t index = 0;
        std::optional<PacketRecord> record;
        std::optional<std::uint32_t> packet;
    };
    /// A packet that was delivered before the window was known. Its parts follow those of the
    /// packets before it, each with 24 bits of cycles above 8 bits of the cause.
    struct Logged {
        Cycle begin = 0;
        Cycle head_injected = 0;
        Cycle tail_delivered = 0;
        std::uint32_t hops = 0;
        std::uint32_t parts = 0;
    };
    struct LoggedPart {
        ChannelId channel = 0;
        std::uint32_t cycles_and_cause = 0;
    };

    void take_up(Source& source, const Message& message);
    void inject(ChannelId channel, Lane& lane, Cycle now);
    void forward(std::size_t own, const Lane& buffer, ChannelId source, const Run& came,
                 std::uint64_t flit, Cycle now);
    void go_on(std::size_t own, const Run& came, Cycle arrived, Cycle now, Tag& tag);
    void told(MessageId message, std::uint32_t index, const PacketRecord* record,
              const std::uint32_t* packet);
    void deliver(const PacketRecord& record, std::uint32_t packet);
    void log(const PacketDelay& delay, Cycle head_injected);
    void tally_log();
    void tally(const PacketDelay& delay, Cycle head_injected);
    void count(const PacketDelay& delay);
    void change_occupancy(Cycle cycle, int by);
    Cycle in_window(Cycle from, Cycle until) const;
    void finish(Cycle simulated_cycles);
    PacketDelays summed_up(Cycle simulated_cycles);

    DelayRecorder(const Machine& machine, const std::optional<DelayWindow>& window,
                  bool keeps_packets, std::size_t log_bytes);

    bool is_window_known_;
    DelayWindow window_;
    std::size_t log_bytes_;  // at most
    bool is_log_whole_ = true;
    bool keeps_packets_;
    ChannelMap channels_;
    PacketFormat format_;
    NodeConfig node_;
    bool is_adaptive_;
    bool has_packet_credits_;
    bool stores_;
    Cycle combining_delay_;

    ChannelLanes<Lane> lanes_;
    std::vector<Source> sources_;  // per node
    SlotPool<UnderWay> under_way_;
    std::vector<Cycle> injected_;  // heads, per place in under_way_; kNever: not there
    std::vector<Delivered> half_told_;

    PacketDelays delays_;
    std::vector<ChannelDelays> of_channels_;
    std::vector<PacketDelay> packets_;
    std::vector<Logged> log_;
    std::vector<LoggedPart> logged_parts_;
    std::uint64_t present_ = 0;  // packets in the network,
    Cycle counted_until_ = 0;    // up to here
    Cycle resided_ = 0;          // in the window, as packets report
    // While the window is not known: packet cycles up to counted_until_, and up to the start of
    // every kSteadyWindow.
    Cycle packet_cycles_ = 0;
    std::vector<Cycle> packet_cycles_until_;
};

}  // namespace flitscope
