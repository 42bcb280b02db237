// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Observes what the nodes of a program do with their operations, once it cannot change any more:
// players run ahead of the network and roll back. Every engine makes the same calls; those of one
// node come in the order of hw/TIMING.md, "Operation programs".
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "traffic/program/operations.h"

namespace flitscope {

/// Something that happened to an operation of a node.
struct OperationEvent {
    enum class Kind : std::uint8_t {
        kPosted,     ///< a receive was posted; its `message` had arrived, if there is one
        kArrived,    ///< `message`, delivered in the cycle before, was given to a receive, or kept;
                     ///< with ReceiveTime::kTransfer its first flit was
        kBegun,      ///< it began to keep its stream, for its `message` unless it computes
        kWhole,      ///< a receive that keeps its stream since `since` has its whole `message`
        kCompleted,  ///< it has completed
    };
    Cycle cycle = 0;
    /// Of all but kPosted and kArrived: no stream of the node was busy from then on; `cycle` if one
    /// was.
    Cycle idle_since = 0;
    /// Of kBegun and kWhole: it keeps its stream up to then. kNever: that is open until its kWhole.
    Cycle until = 0;
    OperationId operation = kNoOperation;  ///< none: an arrival that no receive awaited
    MessageId message = kNoMessage;
    Kind kind = Kind::kCompleted;
    Cycle since = 0;  ///< of kWhole: the cycle of its kBegun
};

class OperationObserver {
public:
    virtual ~OperationObserver() = default;

    /// The interface of its node gets `message`, whose send begins in cycle `begin`. If it is taken
    /// back before, that comes again. The kBegun of the send comes later.
    virtual void on_hand_over(MessageId message, Cycle begin) = 0;
    virtual void on_event(NodeId node, const OperationEvent& event) = 0;
};

}  // namespace flitscope
