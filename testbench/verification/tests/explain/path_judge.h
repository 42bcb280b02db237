// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds what a critical path says to what the golden model saw: that in the cycle before each of
// its events what it names was lacking, and nothing that counts before that.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/topology/channel_map.h"
#include "testbench/app/explain/critical_path.h"
#include "testbench/verification/reference/golden_model.h"

namespace flitscope {

struct Machine;

struct JudgedCounts {
    std::array<std::uint64_t, kCauses> events{};  ///< per cause
    std::uint64_t streams = 0;                    ///< of these: flits that follow others
    std::uint64_t copies = 0;                     ///< and credits of another copy's channel
    std::uint64_t distant_winners = 0;  ///< arbitration lost to nobody; before that, to somebody
    std::uint64_t no_winners = 0;       ///< arbitration lost to nobody
    std::uint64_t held_up = 0;          ///< no grant, as the next one lacks room

    void add(const JudgedCounts& other);
};
std::string text(const JudgedCounts& counts);
std::string text(const Event& event);

/// Whether something was not sent, and lacked this; null: it was sent, or not there.
template <typename Is>
bool lacks(const GoldenWait* wait, Is is) {
    return wait != nullptr && std::any_of(wait->lacks.begin(), wait->lacks.end(), is);
}

inline bool lacks(const GoldenWait* wait, GoldenLack lack) {
    return lacks(wait, [&](const GoldenLacking& l) { return l.lack == lack; });
}

inline bool lacks(const GoldenWait* wait, GoldenLack lack, MessageId whose) {
    return lacks(wait, [&](const GoldenLacking& l) { return l.lack == lack && l.whose == whose; });
}

class PathJudge {
public:
    /// References must outlive the judge.
    PathJudge(const Machine& machine, const GoldenResult& golden, const GoldenWitness& witness);

    /// The error in the events of a path; empty: none.
    std::string judge(const std::vector<Event>& events);
    /// The error in the segments made of `events`.
    static std::string judge(const std::vector<PathSegment>& segments,
                             const std::vector<Event>& events);

    const JudgedCounts& counts() const { return counts_; }

private:
    /// In this order they count (PacketHistory).
    enum class Need : std::uint8_t { kOwn, kFront, kHeld, kCredit, kLink, kArbitration, kNone };

    const GoldenCycle& at(Cycle cycle) const;
    const GoldenSent* sent(Cycle cycle, ChannelId channel) const;
    const GoldenSent* popped(Cycle cycle, ChannelId channel, std::uint32_t vc) const;
    const GoldenWait* wait(Cycle cycle, const GoldenSent& flit) const;
    const GoldenWait* header(Cycle cycle, MessageId message) const;
    const std::vector<GoldenLacking>& program(Cycle cycle, NodeId node) const;
    Cycle when(const GoldenSent& flit, ChannelId channel, Cycle before) const;
    Cycle begin_of(MessageId message) const;
    Cycle injected(MessageId message) const;
    Cycle delivered(MessageId message) const;
    Need need_of(const GoldenSent& flit, Cycle cycle) const;
    static Need need_of(Cause cause);

    std::string judge_order(const Event& event, const Event* because) const;
    std::string judge_flits(const Event& event, const Event& because);
    std::string judge_flit(const Event& event, const Event& because, const GoldenSent& flit);
    std::string judge_own(const Event& event, const Event& because, const GoldenSent& flit);
    std::string judge_waiting(const Event& event, const Event& because, const GoldenSent& flit);
    std::string judge_since(const Event& event, const GoldenSent& flit) const;
    std::string judge_link(const Event& event, const Event& because, const GoldenSent& flit) const;
    std::string judge_arbitration(const Event& event, const Event& because, const GoldenSent& flit);
    std::string judge_first_element(const Event& event, const Event& because) const;
    std::string judge_circuit(const Event& event, const Event& because) const;
    std::string judge_node(const Event& event, const Event& because, const Event* next) const;
    std::string judge_own_message(const Event& event, const Event& because) const;
    std::string judge_ready(NodeId node, Cycle ready, const Event& because) const;
    std::string judge_barrier(const Event& event, const Event& mark, const Event& because) const;
    std::string judge_last(const Event& event) const;
    std::string judge_operation(const Event& event, const Event& because) const;
    std::string judge_send(const Event& event, const Event& because) const;
    bool lets_begin(const Event& because, OperationId id, Cycle cycle,
                    std::vector<OperationId>& visited) const;
    bool lets_be_ready(const Event& because, OperationId id, Cycle cycle,
                       std::vector<OperationId>& visited) const;
    bool has_operations() const;
    Cycle end() const;

    const Machine& machine_;
    const GoldenResult& golden_;
    const GoldenWitness& witness_;
    ChannelMap channels_;
    std::vector<std::size_t> first_packet_;  // per message
    JudgedCounts counts_;
};

}  // namespace flitscope
