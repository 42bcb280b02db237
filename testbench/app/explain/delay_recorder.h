// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Follows packets through a run and distributes their cycles over causes (packet_delays.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "models/base/slot_pool.h"
#include "models/fabric/message.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/fabric_history.h"
#include "testbench/app/explain/packet_delays.h"
#include "testbench/app/run/message_log.h"

namespace flitscope {

/// A run of flits on its way, and the last cause for which its first flit had to wait.
struct RunDelay {
    std::uint32_t packet = 0;  ///< its place among those under way
    Cause stall = Cause::kCreditStall;
    ChannelId stalled_at = 0;
};

/// Watches a run, of any engine. Memory grows with the packets in flight; if the window is not
/// known before the run ends, also with all packets, some 200 bytes each, up to a limit. Throws
/// std::logic_error if the cycles of a packet do not sum up to its latency, or the packets in the
/// network not to their stay: then the fabric does not keep hw/TIMING.md.
class DelayRecorder final : public FabricHistory<RunDelay>, public SendObserver {
public:
    /// `machine`, with switched packets and nodes of one channel, must outlive it. `window`: which
    /// packets count; nothing: the run is to find it. `kept_bytes`: the most that packets take
    /// which are kept when they have been delivered.
    DelayRecorder(const Machine& machine, const std::optional<DelayWindow>& window,
                  std::size_t kept_bytes = 0);
    /// All packets count, and `delivered` is called with each when its last flit has left the
    /// network and its delivery was reported, whichever is later.
    DelayRecorder(const Machine& machine, std::function<void(const PacketDelay&)> delivered);

    void on_send(const Message& message, Cycle begin) override;
    void on_packet(const PacketRecord& packet) override;

    /// Once the run has ended, after `simulated_cycles`.
    PacketDelays take(Cycle simulated_cycles);
    /// Evaluates with the window that the run has found, of whole kSteadyWindows. Nothing if the
    /// packets took more memory than allowed: then make another run in which the window is known.
    std::optional<PacketDelays> take(Cycle simulated_cycles, const DelayWindow& found);
    /// All packets that were delivered, in or out of the window, if they could be kept.
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

    void take_up(ChannelId injection, const Message& message) override;
    RunDelay inject(std::size_t own, Cycle now) override;
    RunDelay forward(std::size_t own, std::size_t from, std::uint64_t flit, const Run* came,
                     Cycle now) override;
    void arrived(const Lane& ejection, Cycle cycle) override;
    bool is_told(const Lane& ejection) override;

    std::deque<Sent>& sends_of(const Message& message) {
        return sends_[std::size_t{message.source} * classes_ + message.message_class];
    }
    Cycle begin_of(const Message& message);
    Cycle credit_at_node(std::size_t own, Cycle now) const;
    void pass_head(std::size_t own, std::size_t from, std::uint64_t flit, const Run& came,
                   Cycle now);
    void pass_body(std::size_t own, std::size_t from, std::uint64_t flit, const Run& came,
                   Cycle now, RunDelay& delay);
    static bool is_of(const PacketRecord& record, const PacketDelay& delay);
    std::vector<PacketRecord>::iterator record_of(std::uint32_t place);
    void deliver(const PacketRecord& record, std::uint32_t place);
    void tally(const PacketDelay& delay);
    void count(const PacketDelay& delay);
    void change_occupancy(Cycle cycle, int by);
    Cycle in_window(Cycle from, Cycle until) const;
    void end(Cycle simulated_cycles);
    PacketDelays summed_up(Cycle simulated_cycles);

    std::optional<DelayWindow> window_;
    std::size_t kept_bytes_;
    bool is_adaptive_;
    std::uint32_t classes_;
    std::vector<std::deque<Sent>> sends_;  // per node and class of messages, handed over
    SlotPool<UnderWay> under_way_;
    std::vector<Cycle> injected_;  // heads, per place in under_way_; kNever: not there
    // For a delivery, the record of the packet is reported and its end seen, in either order.
    std::vector<PacketRecord> records_;   // reported, and not seen
    std::vector<std::uint32_t> arrived_;  // the other way round: their places

    PacketDelays delays_;
    std::function<void(const PacketDelay&)> delivered_;  // may be empty
    std::vector<ChannelDelays> of_channels_;
    std::vector<PacketDelay> packets_;
    std::size_t packet_bytes_ = 0;  // of all delivered packets, kept or not
    std::uint64_t present_ = 0;     // packets in the network,
    Cycle counted_until_ = 0;       // up to here
    Cycle resided_ = 0;             // in the window, as packets report
    // While the window is not known: packet cycles up to counted_until_, and up to the start of
    // every kSteadyWindow.
    Cycle packet_cycles_ = 0;
    std::vector<Cycle> packet_cycles_until_;
};

}  // namespace flitscope
