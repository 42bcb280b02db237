// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What every channel sent lately, and who emptied its buffer: as much of it as later flits may have
// had to wait for. Put together from the events of any engine; as every cause of an event lies in
// an earlier cycle, the order of calls within a cycle cannot show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "testbench/explain/event_graph.h"

namespace flitscope {

/// Flits of one message that leave in consecutive cycles.
struct FlitRun {
    std::uint64_t first = 0;  ///< number of its first flit among all that left, from 0
    // On the channel that sends:
    std::uint64_t packet = 0;        ///< and of the first flit of its packet,
    std::uint64_t packet_flits = 0;  ///< which has so many
    Cycle begin = 0;
    Cycle end = kNever;  ///< kNever: it goes on
    EventGraph::Handle event;
    MessageId message = kNoMessage;

    Cycle when(std::uint64_t flit) const { return begin + (flit - first); }
    bool covers(Cycle cycle) const { return begin <= cycle && cycle < end; }
    /// Flits that left before `now`.
    std::uint64_t count(Cycle now) const { return first + (now < end ? now : end) - begin; }
};

/// Runs one after the other, of which the old ones are forgotten.
class FlitRuns {
public:
    bool empty() const { return size_ == 0; }
    const FlitRun& back() const { return run(size_ - 1); }
    /// Flits that left before `now`, which is no earlier than the begin of the last run.
    std::uint64_t count(Cycle now) const { return empty() ? 0 : back().count(now); }

    /// A run that goes on ends in `begin` at the latest.
    FlitRun& start(Cycle begin, EventGraph::Handle event, MessageId message);
    /// The run with this event ends.
    void stop(const EventGraph::Handle& event, Cycle end);
    /// Forgets runs all of whose flits come before `flit`, but for the last two: others may have
    /// lost against them in the cycle before.
    void forget_before(std::uint64_t flit) {
        while (size_ > 2 && run(1).first <= flit) forget_first();
    }

    /// The run of the flit with this number; null when it is forgotten, or has not left before
    /// `now`.
    const FlitRun* of_flit(std::uint64_t flit, Cycle now) const;
    /// The run that sent a flit in `cycle`, which has passed; null when none did or it is
    /// forgotten.
    const FlitRun* at(Cycle cycle) const;

private:
    const FlitRun& run(std::size_t i) const { return ring_[(first_ + i) & (ring_.size() - 1)]; }
    FlitRun& run(std::size_t i) { return ring_[(first_ + i) & (ring_.size() - 1)]; }
    void forget_first();
    void grow();

    std::vector<FlitRun> ring_;  // of 2^k places
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

}  // namespace flitscope
