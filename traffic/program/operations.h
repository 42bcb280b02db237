// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the nodes of an application do in addition to sending: compute on streams, receive by source
// and tag, wait for their own operations (hw/TIMING.md, "Operation programs"). Plain data, which
// OperationPlayer plays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/spool.h"
#include "models/base/types.h"
#include "traffic/program/transfers.h"

namespace flitscope {

using OperationId = std::uint32_t;  ///< in a program, or of those of a node

inline constexpr OperationId kNoOperation = UINT32_MAX;
inline constexpr NodeId kAnySource = UINT32_MAX;
inline constexpr std::uint32_t kAnyTag = UINT32_MAX;
inline constexpr std::uint32_t kNoRank = UINT32_MAX;
/// The most streams of a node: processors, or queues of an accelerator, that work side by side.
inline constexpr std::uint32_t kMostStreams = 256;

/// An operation of a node.
struct Operation {
    enum class Kind : std::uint8_t {
        kCompute,  ///< keeps its stream for `cycles`
        kSend,     ///< sends `message`, with `tag`
        kReceive,  ///< receives a message from `source` with `tag`; either may be any
    };
    Cycle cycles = 0;
    MessageId message = kNoMessage;
    NodeId source = kAnySource;
    std::uint32_t tag = kAnyTag;
    std::uint16_t stream = 0;  ///< below kMostStreams
    Kind kind = Kind::kCompute;
};

/// How long an operation keeps its stream; a receive by ReceiveTime::kTransfer does so for longer.
Cycle busy_cycles(const Operation& operation, Cycle send_overhead, Cycle recv_overhead);

/// `operation` is not begun before `on` has completed, or has begun; both are of one node.
struct OperationDependency {
    OperationId operation = 0;
    OperationId on = 0;
    bool on_begin = false;
};

/// The event that completes a send for the operations of its node that depend on it.
enum class SendCompletion : std::uint8_t {
    kBuffered,  ///< node.send_overhead cycles after its start: the message has been copied
    kInjected,  ///< the cycle after its tail entered the network
};

/// How long a receive keeps its stream, from the start of its second turn on.
enum class ReceiveTime : std::uint8_t {
    kOverhead,  ///< node.recv_overhead; the second turn comes when the whole message is there
    kTransfer,  ///< one cycle per further flit more, and no less after the message is whole; the
                ///< second turn comes with the first flit
};

/// The operations of one node; dependencies name operations by their place in `all`.
struct OperationList {
    std::vector<Operation> all;
    std::vector<OperationDependency> dependencies;
    std::vector<std::uint32_t> lines;  ///< per operation, line in its file; empty: no lines
    std::uint32_t rank = kNoRank;
};

/// An operation that waits for another one.
struct Successor {
    OperationId operation = 0;
    bool on_begin = false;
};

/// The operations of all nodes, written node by node and read after close(). If there are many they
/// are in files (SpooledList), of which players keep only the current part in memory.
class Operations {
public:
    explicit Operations(NodeId nodes) : nodes_(nodes) {}

    /// Adds the operations of a node, once per node; nodes may come in any order. Throws
    /// std::invalid_argument if a dependency is on an operation that the node does not have.
    void add(NodeId node, const OperationList& of);
    /// No more follow.
    void close();

    NodeId nodes() const { return static_cast<NodeId>(nodes_.size()); }
    std::size_t size() const { return all_.size(); }
    const Operation& operator[](OperationId id) const { return all_[id]; }
    /// The operations of a node, in the order listed, are first(node) .. last(node) - 1.
    OperationId first(NodeId node) const { return nodes_[node].first; }
    OperationId last(NodeId node) const { return nodes_[node].first + nodes_[node].count; }
    std::uint32_t sends(NodeId node) const { return nodes_[node].sends; }
    /// 1 + the greatest stream of a node; 0 if it does nothing.
    std::uint32_t streams(NodeId node) const { return nodes_[node].streams; }
    /// The rank of a node, or kNoRank.
    std::uint32_t rank(NodeId node) const { return nodes_[node].rank; }
    std::size_t ranks() const;

    /// Number of dependencies of an operation.
    std::uint32_t waits(OperationId id) const { return waits_[id]; }
    /// Calls visit(Successor) for each dependency on `id`, in the order listed.
    template <class Visit>
    void visit_successors(OperationId id, const Visit& visit) const {
        const std::uint64_t end = id + 1 < size() ? first_successor_[id + 1] : successors_.size();
        for (std::uint64_t i = first_successor_[id]; i < end; ++i) visit(successors_[i]);
    }
    /// Calls visit(node) for all of them, and keeps only the part being read in memory.
    template <class Visit>
    void visit_nodes(const Visit& visit) const {
        ForgetfulReading<Operations> reading(*this);
        for (NodeId node = 0; node < nodes(); ++node) {
            visit(node);
            reading.read(nodes_[node].count);
        }
        forget();
    }
    /// Releases the memory of the part read.
    void forget() const;

    /// The node of an operation.
    NodeId node_of(OperationId id) const;
    /// The line of an operation in its file; 0: no line.
    std::uint32_t line(OperationId id) const { return lines_[id]; }
    /// "rank 3", or the node if it is not a rank.
    std::string name_of(NodeId node) const;
    /// "rank 3, line 17: receive from rank 2, tag 5": as findings and reports name it.
    std::string describe(OperationId id) const;

    SendCompletion completion = SendCompletion::kBuffered;
    ReceiveTime receive_time = ReceiveTime::kOverhead;

private:
    struct Node {
        OperationId first = 0;
        OperationId count = 0;
        std::uint32_t sends = 0;
        std::uint32_t streams = 0;
        std::uint32_t rank = kNoRank;
    };

    std::vector<Node> nodes_;
    std::vector<NodeId> added_;  // those that do something, as they came
    SpooledList<Operation> all_;
    SpooledList<std::uint32_t> lines_;
    SpooledList<std::uint32_t> waits_;
    SpooledList<std::uint64_t> first_successor_;
    SpooledList<Successor> successors_;
};

/// Lists all that would keep the operations of `messages` from being played: streams and messages
/// that do not exist, messages that are sent twice, never, or by another node than their source,
/// and operations that wait for each other cyclically. Empty when all is well. `source` names the
/// program.
std::vector<Diagnostic> validate(const Operations& operations, const Transfers& messages,
                                 const std::string& source);

/// For each operation, a cycle before which it does not begin, whatever the network does: the
/// longest path to it over its own node's dependencies, with receives taking no time. For
/// operations that validate() accepts.
std::vector<Cycle> earliest_begins(const Operations& operations, Cycle send_overhead);

}  // namespace flitscope
