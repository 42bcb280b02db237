// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The proof that a run did its work: every message delivered exactly once, in order, intact, at
// the right node. Nothing is assumed from the sender's side but the program itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/base/latency.h"
#include "models/base/types.h"
#include "models/fabric/message.h"
#include "models/fabric/observers.h"
#include "traffic/patterns/halves.h"
#include "traffic/program/program.h"

namespace flitscope {

class PairOrder;
class RoundTrips;
struct ScoreboardConfig;

/// Statistics of the messages of one class.
struct ClassTraffic {
    std::uint64_t delivered = 0;  ///< messages
    std::uint64_t flits = 0;      ///< flits of packets delivered within the measurement
    LatencyStatistics latency;    ///< latency of messages begun in it
};

class Scoreboard final : public PacketObserver {
public:
    /// `program` defines the expected messages and must outlive the scoreboard; null for open-loop
    /// traffic, which is checked only against each message's own record.
    Scoreboard(const ScoreboardConfig& config, const Program* program);
    ~Scoreboard() override;

    void on_packet(const PacketRecord& packet) override;

    std::uint64_t messages_delivered() const { return messages_; }
    /// Payload of these.
    std::uint64_t bytes_delivered() const { return bytes_; }
    std::uint64_t flits_delivered() const { return flits_; }
    /// Flits of packets that were delivered within the measurement window.
    const Halves& flits_measured() const { return flits_measured_; }
    /// Cycle of the last delivery + 1; 0 without deliveries.
    Cycle makespan() const { return makespan_; }
    const LatencyStatistics& latency() const { return latency_; }
    const LatencyStatistics& head_latency() const { return head_latency_; }
    /// The same messages, from the injection of the first head.
    const LatencyStatistics& network_latency() const { return network_latency_; }
    /// The traffic per class, if there are several.
    const std::vector<ClassTraffic>& classes() const { return classes_; }
    /// Cycles from the start of a request to the delivery of its reply, for requests begun in the
    /// measurement.
    const LatencyStatistics& round_trip() const { return round_trip_; }
    /// Null if there are no replies.
    const RoundTrips* round_trips() const { return round_trips_.get(); }

    /// The user's number of a message.
    std::uint64_t number(MessageId id) const {
        return program_ == nullptr ? id : program_->number(id);
    }

    /// Violations, a sentence each (the first few; the last one says how many more).
    std::vector<std::string> violations() const;
    /// The first messages of the program that did not arrive, a sentence each.
    std::vector<std::string> missing() const;

private:
    /// The packets of a message that has not wholly arrived.
    struct Partial {
        std::vector<bool> arrived;
        std::uint32_t count = 0;
        Cycle injected = kNever;  ///< of their heads the first
    };

    void check(const PacketRecord& packet);
    bool is_measured(Cycle cycle) const;
    void end_round_trip(const PacketRecord& last);
    /// Notes the packet as arrived. If its message is complete with it: the cycle in which the
    /// first head was injected.
    std::optional<Cycle> completed(const PacketRecord& packet);
    void violation(std::string what);

    std::unique_ptr<const ScoreboardConfig> config_;
    const Program* program_;
    std::vector<bool> delivered_;                     // per message
    std::unordered_map<MessageId, Partial> partial_;  // messages of several packets
    std::unique_ptr<PairOrder> order_;
    std::uint64_t messages_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t flits_ = 0;
    Halves flits_measured_{};
    Cycle makespan_ = 0;
    LatencyStatistics latency_;
    LatencyStatistics head_latency_;
    LatencyStatistics network_latency_;
    std::vector<ClassTraffic> classes_;        // if there are several
    std::unique_ptr<RoundTrips> round_trips_;  // if there are replies
    LatencyStatistics round_trip_;
    std::vector<std::string> violations_;
    std::uint64_t violation_count_ = 0;
};

}  // namespace flitscope
