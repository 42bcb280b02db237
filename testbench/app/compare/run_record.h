// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The record of a run: everything by which two descriptions of the hardware are compared, and
// where two accounts first differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/observers.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {

class Graph;

/// The life of one packet; the message and its packet number name it.
struct PacketTimes {
    MessageId message = 0;
    std::uint32_t index = 0;
    Cycle begin = 0;  ///< cycle in which the send of the message began
    Cycle head_injected = 0;
    Cycle tail_injected = 0;
    Cycle head_delivered = 0;
    Cycle tail_delivered = 0;
};

/// A maximal run of cycles in each of which a channel sends a flit, whichever virtual channel.
struct SendInterval {
    Cycle first = 0;
    Cycle last_plus_one = 0;
};

struct RunRecord {
    Verdict verdict = Verdict::kComplete;
    std::vector<std::string> problems;  ///< as SimulationResult has them
    Cycle makespan = 0;
    Cycle simulated_cycles = 0;
    std::vector<PacketTimes> packets;             ///< delivered ones, by message, then number
    std::vector<std::vector<SendInterval>> busy;  ///< per ChannelId; none when not observed
    std::vector<std::uint64_t> flits_sent;        ///< per ChannelId

    std::uint64_t busy_intervals() const;
};

/// The first difference of two records.
struct RunDifference {
    std::optional<Cycle> cycle;  ///< the earliest that differs; none when only totals do
    std::string subject;         ///< "link_005_007", "message 3 packet 0", "makespan"
    std::string ours;
    std::string theirs;
};

/// The earliest difference of all packets and all channels; within a cycle the channel with the
/// lowest number comes first. If these agree, the first difference of flit counts, makespan, cycles
/// simulated and outcome.
std::optional<RunDifference> first_difference(const RunRecord& ours, const RunRecord& theirs,
                                              const Graph& graph);

/// Records when channels send. Throws std::logic_error when a fabric breaks the contract of
/// ChannelObserver.
class ChannelRecorder final : public ChannelObserver {
public:
    ChannelRecorder(ChannelId channels, std::uint32_t virtual_channels);

    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override;
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override;
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override;

    /// The intervals per channel. Open ones end in `end`, the number of cycles simulated.
    std::vector<std::vector<SendInterval>> take(Cycle end);
    /// Memory of the records so far.
    std::uint64_t bytes() const { return intervals_ * sizeof(SendInterval); }

private:
    std::size_t at(ChannelId channel, std::uint32_t vc) const {
        return static_cast<std::size_t>(channel) * vcs_ + vc;
    }
    void forward(Cycle cycle);
    void keep(ChannelId channel, SendInterval interval);

    std::uint32_t vcs_;
    std::uint64_t intervals_ = 0;
    std::vector<std::vector<SendInterval>> busy_;
    std::vector<Cycle> open_;  // first cycle of a virtual channel that sends, else kNever
    std::vector<bool> owned_;
    Cycle now_ = 0;
};

class PacketRecorder final : public PacketObserver {
public:
    void on_packet(const PacketRecord& packet) override { packets_.push_back(packet); }
    /// The packets, by message, then packet number.
    const std::vector<PacketRecord>& sorted();
    /// Memory of the records so far.
    std::uint64_t bytes() const { return packets_.size() * sizeof(PacketRecord); }

private:
    std::vector<PacketRecord> packets_;
};

/// `channels` may be null: then busy intervals are not part of the record.
RunRecord make_run_record(const SimulationResult& result, PacketRecorder& packets,
                          ChannelRecorder* channels);

}  // namespace flitscope
