// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lower bounds on the time that a set of messages needs in any order, from the capacity of
// injection and ejection channels, of the routing's busiest link, and of the bisection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/base/types.h"
#include "models/performance/zero_load_paths.h"

namespace flitscope {

struct HardwareConfig;

/// A number of flits from one node to another.
struct Flow {
    NodeId source = 0;
    NodeId destination = 0;
    std::uint64_t flits = 0;
    LinkId first = kNoLink;  ///< set: the first link, instead of the one of the routing
    Cycle begin = 0;         ///< no earlier does its send begin
    std::uint32_t plane = 0;
};

/// Flows that may be generated on demand: a program can have 2^26.
class Flows {
public:
    virtual ~Flows() = default;

    virtual std::size_t size() const = 0;
    virtual Flow operator[](std::size_t id) const = 0;
    /// Only Flow::begin.
    virtual Cycle begin(std::size_t id) const = 0;
};

/// So many messages that none is looked at by itself. All have as many flits; every node sends as
/// many of them as it receives, and takes part in every step.
class TotalFlows {
public:
    virtual ~TotalFlows() = default;

    virtual std::uint64_t flits() const = 0;  ///< of a message
    virtual std::uint32_t each() const = 0;   ///< messages that a node sends
    virtual std::uint32_t steps() const = 0;  ///< a node begins one when the one before is complete
    virtual Cycle barrier() const = 0;        ///< cycles between two steps
    /// Calls visit(source, messages) for all nodes that send to `destination`; one may come more
    /// than once.
    virtual void visit_sources(
        NodeId destination,
        const std::function<void(NodeId source, std::uint32_t messages)>& visit) const = 0;
};

/// Each of the first five is by itself a lower bound on the makespan in cycles (README.md, "Lower
/// bounds"). If messages do not all begin in cycle 0, each is the maximum over all cycles t of t
/// plus the time needed by those that begin in t or later, startup included.
struct LowerBounds {
    Cycle injection = 0;  ///< busiest injection channel, or queue before it, with its startups
    Cycle ejection = 0;   ///< busiest ejection channel
    Cycle link = 0;       ///< most loaded link; 0 if the routing does not fix the paths
    Cycle bisection = 0;  ///< flits over the middle_cut() / links of the cut, per direction
    Cycle latency = 0;    ///< the single message that ends last on an idle network

    /// Lower bound of the mean latency of the messages, in cycles: as if each had the network for
    /// itself. Nothing if the routing does not fix the paths, or there is no message.
    std::optional<double> mean_latency;
    /// Whether it equals the mean latency without contention (ZeroLoadMessage::is_exact()).
    bool mean_latency_is_exact = false;

    /// The best lower bound of the makespan.
    Cycle max() const;
};

/// Bounds for `flows` (one entry per message) on this machine. All count one send_overhead, that of
/// injection those startups of a node that come one after the other. Dependencies of messages are
/// known only by the start of their flow (set_earliest_begins() for those of a program). `paths`
/// are those of the machine.
LowerBounds lower_bounds(const HardwareConfig& config, ZeroLoadPaths& paths, const Flows& flows);
LowerBounds lower_bounds(const HardwareConfig& config, ZeroLoadPaths& paths,
                         const std::vector<Flow>& flows);

/// The same for the sums: nothing is known of when messages begin, but that steps follow each
/// other. Without the mean latency; with nodes that have a channel per link, without those of
/// nodes. The time that it takes grows with the pairs of nodes, not with their distances.
LowerBounds lower_bounds(const HardwareConfig& config, ZeroLoadPaths& paths,
                         const TotalFlows& flows);

/// The minimum time between the sends of two messages of `flits` flits at one node.
Cycle source_cycles(const HardwareConfig& config, std::uint64_t flits);

}  // namespace flitscope
