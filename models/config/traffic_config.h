// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `traffic`: what is sent, and when.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/config/application_trace_config.h"
#include "models/config/unit_values.h"

namespace flitscope {

/// traffic.arrivals: when the sources of a pattern begin messages.
enum class ArrivalKind : std::uint8_t {
    kBernoulli,  ///< in every cycle with the same probability
    kPeriodic,   ///< as evenly as whole cycles allow
    kBursty,     ///< in bursts: a Markov source with two states
};

/// The values, in the order of the enumeration; the default comes first.
inline constexpr std::array kArrivalKinds{ArrivalKind::kBernoulli, ArrivalKind::kPeriodic,
                                          ArrivalKind::kBursty};

/// traffic.planes: which of several planes a message takes (hw/TIMING.md, "Planes").
enum class PlaneUse : std::uint8_t {
    kAuto,      ///< by steps if no message depends on another one, else by messages
    kMessages,  ///< those of a node take turns
    kSteps,     ///< those of a schedule take turns; steps of one turn are one step
};

/// The values, in the order of the enumeration; the default comes first.
inline constexpr std::array kPlaneUses{PlaneUse::kAuto, PlaneUse::kMessages, PlaneUse::kSteps};

/// The word that configurations and reports have for a value.
std::string name_of(ArrivalKind arrivals);
std::string name_of(PlaneUse use);

struct BarrierConfig {
    double per_doubling = 0;  ///< cycles per doubling of the node count
    double fixed = 0;         ///< cycles; may be negative (fitted costs)
};

/// Lengths of messages in bytes, or parts of a mix, each with its share of all weights.
using LengthWeights = std::map<std::uint64_t, std::uint32_t>;
using PatternWeights = std::map<std::string, std::uint32_t>;
/// Classes of messages, by name.
using ClassWeights = std::map<std::string, std::uint32_t>;
using LengthClasses = std::map<std::uint64_t, std::string>;

struct TrafficConfig {
    std::string schedule;  ///< exactly one of schedule, pattern, program, trace.file is set
    std::string pattern;
    std::string program;  ///< program file, resolved against the config's folder
    ApplicationTraceConfig trace;
    bool drops_self = false;  ///< programs: messages to the sender are left out, not refused
    std::string algorithm;    ///< variant of a schedule; empty = the default one
    std::uint64_t message_bytes = 256;
    LengthWeights message_lengths;  ///< patterns, instead of `message_bytes`; may be empty
    NodeId root = 0;                ///< broadcast, scatter, hotspot
    std::uint32_t contention = 1;   ///< bounded-contention: most messages per link and step
    std::uint32_t chunks = 0;       ///< pipelined schedules; 0 = chosen by size
    PlaneUse planes = PlaneUse::kAuto;
    bool handshake = false;             ///< partners of an exchange agree before they send
    std::string operation = "sum";      ///< computations: how values are combined
    std::uint32_t values_per_node = 1;  ///< computations
    // Kernels of applications:
    Cycle compute_cycles = 1000;  ///< per computation
    std::uint32_t iterations = 1;
    std::uint32_t blocks = 4;        ///< that go through nodes one after the other
    std::uint32_t tensor_ranks = 1;  ///< that share a layer
    std::uint32_t pipeline_stages = 1;
    std::uint64_t gradient_bytes = 65536;  ///< per node, summed over the data-parallel ones
    bool periodic = false;                 ///< nodes at opposite edges of a grid are neighbours
    std::optional<BarrierConfig> barrier;
    BarrierConfig machine_barrier;  ///< the cost of a barrier for which the user gives none
    /// Share of the messages that each class has; schedules and traces have only one class. Empty:
    /// all are of the first class.
    ClassWeights classes;
    LengthClasses length_classes;  ///< patterns: classes by payload, instead of `classes`
    std::string reply_class;       ///< class of replies; empty: that of their request
    double injection_rate = 0.1;   ///< patterns: offered flits/node/cycle, headers included
    /// The load in a unit, from which resolve_load() gives `injection_rate`; none: it is as it is.
    std::optional<UnitLoad> load_in_units;
    /// The load as a share of the one at which this network saturates, which study::resolve_share()
    /// finds and puts into `injection_rate`; none: it is as it is.
    std::optional<double> share_of_saturation;
    ArrivalKind arrivals = ArrivalKind::kBernoulli;
    double burst_cycles = 100;  ///< bursty: mean length of the on state
    double burst_rate = 1;      ///< bursty: flits/node/cycle in the on state
    /// Patterns: payload of the reply to every message; none: no replies.
    std::optional<std::uint64_t> reply_bytes;
    Cycle reply_delay = 0;  ///< cycles that a node needs for a reply
    /// Most requests that a node has taken and not replied to; 0: any number.
    std::uint32_t reply_queue = 0;
    /// Most requests of a node without a reply: its source stops at that; 0: any number.
    std::uint32_t outstanding = 0;
    double hotspot_fraction = 0.1;  ///< hotspot: share of the messages that go there
    std::vector<NodeId> hot_nodes;  ///< hotspot: nodes, instead of `root`; may be empty
    PatternWeights mix;             ///< mixed: its parts
    std::string matrix;             ///< matrix: file, resolved against the config's folder
    TimesInNs times_in_ns;          ///< of keys of `traffic`, in place of the cycles above
    Cycle warmup_cycles = 1000;
    Cycle measure_cycles = 10000;

    /// Payload of the longest message of a pattern, replies included.
    std::uint64_t longest_message() const {
        const std::uint64_t longest =
            message_lengths.empty() ? message_bytes : message_lengths.rbegin()->first;
        return std::max(longest, reply_bytes.value_or(0));
    }
};

}  // namespace flitscope
