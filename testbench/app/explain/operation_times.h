// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Records what the nodes of a program did with their operations, for the slack of these (slack.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "testbench/app/explain/message_times.h"
#include "traffic/program/operation_observer.h"
#include "traffic/program/operations.h"
#include "traffic/program/program.h"

namespace flitscope {

class OperationTimes final : public MessageTimes {
public:
    /// An OperationEvent, packed: a receive has four of them.
    struct Entry {
        Cycle cycle = 0;
        std::uint32_t operation : 29;  ///< kNobody: an arrival that no receive awaited
        std::uint32_t kind : 3;
        MessageId message = kNoMessage;

        OperationEvent::Kind what() const { return static_cast<OperationEvent::Kind>(kind); }
    };
    static constexpr std::uint32_t kNobody = (1U << 29) - 1;

    /// `program` must outlive this object; it has fewer than kNobody operations.
    explicit OperationTimes(const Program& program)
        : MessageTimes(program),
          logs_(program.nodes),
          ready_(program.operations->size(), 0),
          sent_(program.nodes, 0) {}

    /// What happened at a node, in order.
    const std::vector<Entry>& log(NodeId node) const { return logs_[node]; }
    /// The cycle from which on an operation could keep its stream; a receive has its message then.
    Cycle ready(OperationId id) const { return ready_[id]; }

    void on_event(NodeId node, const OperationEvent& event) {
        Entry entry;
        entry.cycle = event.cycle;
        entry.operation = event.operation == kNoOperation ? kNobody : event.operation & kNobody;
        entry.kind = static_cast<std::uint32_t>(event.kind) & 7U;
        entry.message = event.message;
        logs_[node].push_back(entry);
    }
    void on_ready(OperationId id, Cycle cycle) { ready_[id] = cycle; }
    /// `message` is what its node sends next.
    void on_departure(const Message& message) { set_place(message.id, sent_[message.source]++); }

private:
    std::vector<std::vector<Entry>> logs_;  // per node
    std::vector<Cycle> ready_;              // per operation
    std::vector<std::uint32_t> sent_;       // per node: messages
};

}  // namespace flitscope
