// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the nodes of an application do beside sending: compute on streams, receive by source and
// tag, wait for operations of their own (hw/TIMING.md, "Operation programs"). Plain data, which
// OperationPlayer plays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"

namespace flitscope {

using OperationId = std::uint32_t;  ///< index in Operations::all

inline constexpr NodeId kAnySource = UINT32_MAX;
inline constexpr std::uint32_t kAnyTag = UINT32_MAX;
inline constexpr std::uint32_t kNoRank = UINT32_MAX;
/// Of a node: processors, or queues of an accelerator, that work side by side.
inline constexpr std::uint32_t kMostStreams = 256;

/// One thing that a node does.
struct Operation {
    enum class Kind : std::uint8_t {
        kCompute,  ///< keeps its stream for `cycles`
        kSend,     ///< of `message`, with `tag`
        kReceive,  ///< of a message from `source` with `tag`; either may be any
    };
    Cycle cycles = 0;
    MessageId message = kNoMessage;
    NodeId source = kAnySource;
    std::uint32_t tag = kAnyTag;
    std::uint16_t stream = 0;  ///< below kMostStreams
    Kind kind = Kind::kCompute;
};

/// `operation` is not begun before `on`, of the same node, has completed, or has begun.
struct OperationDependency {
    OperationId operation = 0;
    OperationId on = 0;
    bool on_begin = false;
};

/// What lets an operation go on that waits for a send of its own node.
enum class SendCompletion : std::uint8_t {
    kBuffered,  ///< node.send_startup cycles after its begin: the message has been copied
    kInjected,  ///< the cycle after its tail entered the network
};

struct Operations {
    std::vector<OperationId> first;  ///< per node, range in `all`; nodes + 1 entries
    std::vector<Operation> all;      ///< of each node in the order listed
    std::vector<OperationDependency> dependencies;
    std::vector<std::uint32_t> lines;  ///< of each operation in its file; empty: of none
    std::vector<std::uint32_t> ranks;  ///< of each node, or kNoRank
    SendCompletion completion = SendCompletion::kBuffered;

    /// The node of an operation.
    NodeId node_of(OperationId id) const;
    /// "rank 3", or the node where it is none.
    std::string name_of(NodeId node) const;
    /// "rank 3, line 17: receive from rank 2, tag 5": as findings and reports name it.
    std::string describe(OperationId id) const;
};

/// What would keep `operations` of `messages` messages from being played: ranges that do not fit,
/// streams and messages that do not exist, messages that are sent twice or never, dependencies
/// between nodes, and operations that wait for each other in a circle. Empty when all is well.
std::vector<Diagnostic> validate(const Operations& operations, NodeId nodes, std::size_t messages,
                                 const std::string& source);

/// Of each operation a cycle before which it does not begin, whatever the network does: the longest
/// way to it over what its own node has to do before, receives taken for no time. Of operations
/// that validate() accepts.
std::vector<Cycle> earliest_begins(const Operations& operations, Cycle send_startup);

}  // namespace flitscope
