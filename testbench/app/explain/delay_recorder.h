// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Follows packets through a run and distributes their cycles over causes (packet_delays.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/base/slot_pool.h"
#include "models/fabric/message.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/fabric_history.h"
#include "testbench/app/explain/packet_delays.h"
#include "testbench/app/run/message_log.h"

namespace flitscope {

/// A run of flits on its way, and the cause for which the first of them had to wait last behind
/// others of its packet.
struct RunDelay {
    std::uint32_t packet = 0;  ///< its place among those under way
    Cause stall = Cause::kCredit;
    ChannelId stalled_at = 0;
};

/// Watches a run, of any engine. Memory follows what is under way; where the window is not known
/// before the run ends, that of all packets besides, some 100 bytes each, up to a limit. Throws
/// std::logic_error where the cycles of a packet do not sum up to its latency, or the packets in
/// the network not to their stay: then the fabric does not keep hw/TIMING.md.
class DelayRecorder final : public FabricHistory<RunDelay>, public SendObserver {
public:
    /// `machine`, with switched packets and nodes of one channel, must outlive it. `keeps_packets`:
    /// each of them, for packets().
    DelayRecorder(const Machine& machine, const DelayWindow& window, bool keeps_packets = false);
    /// The run is to find the window. `log_bytes`: the most that packets take until then.
    DelayRecorder(const Machine& machine, std::size_t log_bytes);

    void on_send(const Message& message, Cycle begin) override;
    void on_packet(const PacketRecord& packet) override;

    /// Once the run has ended, after `simulated_cycles`.
    PacketDelays take(Cycle simulated_cycles);
    /// Evaluates with the window that the run has found, of whole kSteadyWindows. Nothing if the
    /// packets took more memory than allowed: then make another run in which the window is known.
    std::optional<PacketDelays> take(Cycle simulated_cycles, const DelayWindow& found);
    /// All packets that were delivered, in or out of the window.
    const std::vector<PacketDelay>& packets() const { return packets_; }

private:
    struct UnderWay {
        PacketDelay delay;
        std::uint64_t flits = 0;
    };
    /// A message that a node has handed over.
    struct Sent {
        MessageId message = kNoMessage;
        Cycle begin = 0;
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

    void take_up(ChannelId injection, const Message& message) override;
    RunDelay inject(std::size_t own, Cycle now) override;
    RunDelay forward(std::size_t own, std::size_t from, std::uint64_t flit, const Run* came,
                     Cycle now) override;
    void arrived(const Lane& ejection, Cycle cycle) override;
    bool is_told(const Lane& ejection) const override;

    Cycle begin_of(const Message& message);
    void pass_head(std::size_t own, std::size_t from, std::uint64_t flit, const Run& came,
                   Cycle now);
    void pass_body(std::size_t own, std::size_t from, std::uint64_t flit, const Run& came,
                   Cycle now, RunDelay& delay);
    void told(MessageId message, std::uint32_t index, const PacketRecord* record,
              const std::uint32_t* packet);
    void deliver(const PacketRecord& record, std::uint32_t packet);
    void log(const PacketDelay& delay, Cycle head_injected);
    void tally_log();
    void tally(const PacketDelay& delay, Cycle head_injected);
    void count(const PacketDelay& delay);
    void change_occupancy(Cycle cycle, int by);
    Cycle in_window(Cycle from, Cycle until) const;
    void end(Cycle simulated_cycles);
    PacketDelays summed_up(Cycle simulated_cycles);

    DelayRecorder(const Machine& machine, const std::optional<DelayWindow>& window,
                  bool keeps_packets, std::size_t log_bytes);

    bool is_window_known_;
    DelayWindow window_;
    std::size_t log_bytes_;  // at most
    bool is_log_whole_ = true;
    bool keeps_packets_;
    bool is_adaptive_;
    std::vector<std::deque<Sent>> sends_;  // per node, handed over
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
