// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The trace of an application: what each rank computed, sent and received, and what it had to do
// before. Every reader makes one; trace_program.h makes a program of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "traffic/program/operations.h"

namespace flitscope {

using RankId = std::uint32_t;

inline constexpr RankId kMostRanks = kMaxNodes;
inline constexpr std::uint64_t kMostTraceBytes = 1ULL << 56;  ///< of a message
inline constexpr std::uint64_t kMostTraceNs = kLongTime;      ///< of a computation
inline constexpr std::uint64_t kMostTraceOperations = 1ULL << 28;

struct TraceOperation {
    std::uint64_t amount = 0;  ///< bytes of a message, nanoseconds of a computation
    RankId peer = 0;           ///< of a message; kAnySource: received from whoever sends
    std::uint32_t tag = 0;     ///< of a message; kAnyTag: received whatever its tag
    std::uint32_t line = 0;    ///< in the file, from 1; 0: it has none
    std::uint16_t stream = 0;
    Operation::Kind kind = Operation::Kind::kCompute;
};

/// What all ranks of a group do together, in the same order at every one (expand_collectives()).
struct TraceCollective {
    std::string schedule;              ///< of `flitscope list`
    std::string algorithm;             ///< of it; empty: as the user says, or its first one
    std::uint64_t bytes = 0;           ///< traffic.message_bytes of that schedule
    bool is_share = false;             ///< that is `bytes` / ranks of the group, rounded up
    RankId root = kNoRank;             ///< for schedules that have one
    bool is_reversed = false;          ///< the schedule backwards: what it scatters is gathered
    std::optional<std::string> group;  ///< the ranks that have collectives of it; none: all
    OperationId begin = 0;             ///< of the rank: what it does comes after this operation
    OperationId end = 0;               ///< and this one after all of it
    std::string name;                  ///< in the trace
};

/// Dependencies name operations by their place in `operations`.
struct RankTrace {
    std::vector<TraceOperation> operations;
    std::vector<OperationDependency> dependencies;
    std::vector<TraceCollective> collectives;
};

struct Trace {
    std::string source;  ///< the file, for findings
    std::vector<RankTrace> ranks;

    std::uint64_t operation_count() const;
};

/// The findings about one trace; throws ConfigError as soon as there are too many to be useful.
class TraceFindings {
public:
    explicit TraceFindings(std::string source) : source_(std::move(source)) {}

    void add(std::size_t line, std::size_t column, std::string what, std::string hint = {});
    void throw_if_any();

private:
    std::string source_;
    std::vector<Diagnostic> list_;
};

/// What only the whole trace shows: peers that do not exist or are the rank itself, and messages
/// that nobody receives, receives for which nobody sends, or that are too short for what is sent.
/// Throws ConfigError.
void check_trace(const Trace& trace);

}  // namespace flitscope
