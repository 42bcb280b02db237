// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthetic open-loop traffic: the messages of each node, drawn from its own random stream.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/message.h"
#include "traffic/patterns/arrivals.h"
#include "traffic/patterns/flit_windows.h"
#include "traffic/patterns/measured_traffic.h"
#include "traffic/patterns/message_classes.h"
#include "traffic/patterns/message_lengths.h"
#include "traffic/patterns/pattern.h"
#include "traffic/patterns/replies.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;
struct Config;
struct FaultedNetwork;

/// Everything that the message streams of one run share. Checks rates and message numbers.
struct PatternTraffic {
    /// Throws ConfigError with every finding.
    PatternTraffic(const Config& config, const Graph& graph,
                   std::shared_ptr<const FaultedNetwork> later = nullptr);

    Pattern pattern;
    MessageLengths lengths;
    std::optional<Replies> replies;
    std::uint32_t outstanding = 0;  ///< most requests of a node without a reply; 0: any number
    MessageClasses classes;
    NodeId nodes = 0;
    std::uint32_t planes = 1;  ///< that the messages of a node take in turn
    std::uint64_t seed = 0;
    Cycle measured_from = 0;  ///< end of the warm-up
    Cycle end = 0;            ///< and of the measurement; no send begins in or after it
    std::shared_ptr<const FaultedNetwork> later;  ///< null: the network stays as it is

    const Arrivals& arrivals(NodeId node) const { return arrivals_[arrivals_of_[node]]; }
    /// The first cycle of the second half of the measurement.
    Cycle middle() const { return measured_from + (end - measured_from) / 2; }
    /// Whether one of the two dies during the run.
    bool is_futile(NodeId source, NodeId destination) const {
        return later != nullptr && is_cut_off(source, destination);
    }
    /// A message of `flits` flits whose send begins in cycle `begin` counts as begun, and as
    /// generated if that is in the measurement.
    void count(Cycle begin, std::uint64_t flits, bool futile, GeneratedTraffic& generated) const;
    /// Variance of the number of flits that the node generates in `messages` messages, including
    /// the replies to them.
    double variance(NodeId node, std::uint64_t messages) const;
    /// The variance of the flits that all nodes generate, per cycle of a long time.
    double variance_per_cycle() const;
    /// The longest correlation_cycles() of a node, or the time from a request to its reply.
    double correlation_cycles() const;
    /// Mean time between two messages, of any node, of the rarest length or class, in cycles; 0 if
    /// there is one length and one class.
    double rarest_interval_cycles() const;

private:
    /// That a node sends, less those to dead nodes.
    double messages_per_cycle(NodeId node) const;
    /// For a network that changes.
    bool is_cut_off(NodeId source, NodeId destination) const;

    std::vector<Arrivals> arrivals_;          // one for each rate
    std::vector<std::uint32_t> arrivals_of_;  // per node
};

/// The messages of one node in order of time, except its replies. Sources of different nodes do not
/// depend on each other: the k-th message of node n has the id k * nodes + n, or twice that if
/// there are replies.
class PatternSource {
public:
    PatternSource(std::shared_ptr<const PatternTraffic> traffic, NodeId node);

    /// The next message and the cycle in which its send begins (strictly later than the one
    /// before); those to dead nodes are dropped, without a number. Returns false when generation is
    /// over. Throws std::overflow_error when message ids do not suffice, which the checks of
    /// PatternTraffic make all but impossible.
    bool next(Message& message, Cycle& begin);
    /// The traffic generated in the measurement before `end`, whatever next() has returned. All of
    /// it if `end` is the end of the measurement.
    GeneratedTraffic generated_before(Cycle end) const;

    /// From now on counts the flits of messages, except those to dead nodes, by the cycles in which
    /// they begin: of those before the last one that next() has returned. `windows` must outlive
    /// the source.
    void count_in(FlitWindows& windows) { windows_ = &windows; }
    /// Counts in the windows all messages that begin before `end`, whatever next() has returned.
    void count_before(Cycle end);

private:
    /// The properties of a message that are drawn after its cycle.
    struct Draw {
        NodeId destination = 0;
        const MessageLength* length = nullptr;
    };
    Draw draw(Rng& rng) const;
    struct Tally {
        GeneratedTraffic generated;
        std::uint64_t futile = 0;  ///< its futile messages
        Cycle until = 0;           ///< the cycle after that of the last message counted
    };
    void count(Cycle begin, const Draw& drawn, Tally& tally) const;
    void count_in_windows(Cycle begin, const Draw& drawn);
    /// Calls `visit(begin, drawn)` for the messages before `end` that next() has not passed: the
    /// last one drawn, and those after it.
    template <class Visit>
    void visit_before(Cycle end, const Visit& visit) const;

    std::shared_ptr<const PatternTraffic> traffic_;
    NodeId node_;
    Rng rng_;
    /// A separate stream, so that classes change nothing else; null if no classes are drawn.
    std::unique_ptr<Rng> class_rng_;
    ArrivalStream arrivals_;
    Cycle last_begin_ = kNever;  // start of the last message drawn
    Draw last_;
    Tally tally_;  // counts of those before it
    FlitWindows* windows_ = nullptr;
    Cycle counted_until_ = 0;  // all messages before this cycle are in the windows
    std::uint64_t sequence_ = 0;
    std::uint8_t plane_ = 0;  // of the next message
};

/// Makes the traffic of a pattern into data: a timed program, its transfers sorted by time, then
/// source. Message ids are the program's own. Replies, which depend on the network, are not part of
/// it.
Program materialise(const Config& config, const Graph& graph);

}  // namespace flitscope
