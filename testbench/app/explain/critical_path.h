// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why a program took as long as it did: the way from its last delivery back to its start, every
// cycle of which has one cause. README.md says how to read it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/fabric/observers.h"
#include "testbench/app/explain/cause.h"
#include "testbench/app/explain/event_graph.h"
#include "testbench/app/explain/slack.h"
#include "traffic/endpoints/program_observer.h"
#include "traffic/program/operation_observer.h"

namespace flitscope {

struct Machine;

struct CriticalPath {
    Cycle cycles = 0;  ///< the makespan
    /// Segments from cycle 0 to the makespan, without gaps.
    std::vector<PathSegment> segments;
    std::uint64_t memory_bytes = 0;  ///< the most that events have taken

    CauseCycles cycles_by_cause() const;
};

/// Watches a run of a program and finds its critical path. The path depends only on events and
/// their cycles, so all engines have the same one. Memory grows with the messages in flight and the
/// length of the path, not with that of the run.
class CriticalPathRecorder {
public:
    /// Throws std::invalid_argument when the machine plays no program. `machine` must outlive the
    /// recorder. `keeps_times`: for slack(), some 90 bytes per message,
    /// and 100 per operation, of which there are at most kMostOperationsWithSlack.
    explicit CriticalPathRecorder(const Machine& machine, bool keeps_times = false);
    ~CriticalPathRecorder();
    CriticalPathRecorder(const CriticalPathRecorder&) = delete;
    CriticalPathRecorder& operator=(const CriticalPathRecorder&) = delete;

    // The observers to attach to the run.

    ChannelObserver& channels();
    PacketObserver& packets();
    ProgramObserver& program();
    /// Null if the program has no operations.
    OperationObserver* operations();

    /// Call once the run has ended, after `simulated_cycles`: returns the path to its last
    /// delivery, or, for a program whose operations have all completed, to the end of the last of
    /// them if that is later; an empty one if there was none. Throws std::logic_error if the path
    /// has gaps.
    CriticalPath take(Cycle simulated_cycles);
    /// Call after take(), once, for a program with operations: OperationHistory::take_waits().
    std::vector<CauseCycles> take_waits();
    /// Call after take(): the events of which its segments were made, for tests.
    std::vector<Event> events() const;
    /// Call after take(), for a run that completed, with `keeps_times`.
    Slack slack(Cycle makespan) const;

private:
    struct Histories;

    const Machine& machine_;
    std::unique_ptr<Histories> histories_;
};

}  // namespace flitscope
