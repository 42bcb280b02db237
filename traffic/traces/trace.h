// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The trace of an application: what each rank computed, sent and received, with dependencies. Every
// reader makes one; trace_program.h makes a program of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/finding_list.h"
#include "models/base/limits.h"
#include "traffic/program/operations.h"
#include "traffic/traces/trace_notes.h"

namespace flitscope {

using RankId = std::uint32_t;

inline constexpr RankId kMostRanks = kMaxNodes;
inline constexpr std::size_t kMostTraceFileBytes = std::size_t{1} << 34;
inline constexpr std::uint64_t kMostTraceNs = kLongTime;  ///< longest computation
inline constexpr std::uint64_t kMostTraceOperations = 1ULL << 28;

struct TraceOperation {
    std::uint64_t amount = 0;  ///< bytes of a message, nanoseconds of a computation
    RankId peer = 0;           ///< peer of a message; kAnySource: received from any rank
    std::uint32_t tag = 0;     ///< tag of a message; kAnyTag: received whatever its tag
    std::uint32_t line = 0;    ///< in the file, from 1; 0: no line
    std::uint16_t stream = 0;
    std::uint8_t interface = 0;  ///< that a message names (traffic.trace.interfaces)
    Operation::Kind kind = Operation::Kind::kCompute;

    /// Whether it receives a message of any source or tag.
    bool takes_any() const {
        return kind == Operation::Kind::kReceive && (peer == kAnySource || tag == kAnyTag);
    }
};

/// A collective of all ranks of a group, in the same order at every rank (expand_collectives()).
struct TraceCollective {
    std::string schedule;     ///< name in `flitscope list`
    std::string algorithm;    ///< empty: as the user says, or as libraries choose
    std::uint64_t bytes = 0;  ///< traffic.message_bytes of that schedule
    bool is_share = false;    ///< that is `bytes` / ranks of the group, rounded up
    bool has_root = false;
    RankId root = kNoRank;             ///< with has_root; none: the first rank of the group
    bool may_differ = false;           ///< `bytes` of the ranks: each sends its own to all others
    bool is_reversed = false;          ///< the schedule backwards: a scatter becomes a gather
    std::optional<std::string> group;  ///< the ranks that have collectives of it; none: all
    OperationId begin = 0;             ///< operation of the rank that the collective follows
    OperationId end = 0;               ///< and this one after all of it
    std::string name;                  ///< in the trace
};

/// Dependencies name operations by their place in `operations`.
struct RankTrace {
    std::vector<TraceOperation> operations;
    std::vector<OperationDependency> dependencies;
    std::vector<TraceCollective> collectives;
    TraceNotes notes;  ///< of reading it
};

/// Whether the rank has a receive of any source or tag.
bool takes_any(const RankTrace& rank);

struct Trace {
    std::string source;  ///< the file, for findings
    std::vector<RankTrace> ranks;
    TraceNotes notes;  ///< of all ranks, and of what was made of them
    /// The schedules that collectives became, a sentence each.
    std::vector<std::string> schedules;

    std::uint64_t operation_count() const;
    /// All that a report tells of how the file was taken: its notes and schedules.
    std::vector<std::string> remarks() const;
};

/// Takes a trace rank by rank, so that it need not be in memory as a whole.
class TraceSink {
public:
    virtual ~TraceSink() = default;
    /// First of all.
    virtual void begin(RankId ranks) = 0;
    /// Takes a rank of 0 .. ranks - 1, each at most once, in any order; missing ranks do nothing.
    /// Returns whether further ranks are needed.
    virtual bool take(RankId rank, RankTrace trace) = 0;
};

/// Keeps a whole trace.
class WholeTrace final : public TraceSink {
public:
    explicit WholeTrace(std::string source) { trace.source = std::move(source); }
    void begin(RankId ranks) override { trace.ranks.resize(ranks); }
    bool take(RankId rank, RankTrace of) override {
        trace.notes.add(of.notes);
        trace.ranks[rank] = std::move(of);
        return true;
    }

    Trace trace;
};

/// Checks that need the whole trace: peers that do not exist or are the rank itself, messages
/// without a receive, receives without a send, and receives that are too short. Throws ConfigError.
void check_trace(const Trace& trace);

/// Decides without the whole trace, from sums over the ranks' sends and receives, whether
/// check_trace() may have findings. If the sums agree there are none, except with probability
/// 2^-64; if they differ there may still be none (a receive may be longer than its message).
class TraceBalance {
public:
    void begin(RankId ranks) { ranks_.resize(ranks); }
    /// False if a message of the rank has no other end.
    bool add(RankId rank, const RankTrace& trace);
    bool is_even() const;

private:
    /// Sums for a rank: expected less actual receives.
    struct Rank {
        std::uint64_t ends = 0;  ///< sum of hashes of sender, tag and length
        std::uint64_t count = 0;
        bool takes_any = false;
    };
    std::vector<Rank> ranks_;
};

/// The result of TraceBalance for a whole trace. For tests and the fuzzer: readers add rank by
/// rank.
bool is_even(const Trace& trace);

}  // namespace flitscope
