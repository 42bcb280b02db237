// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The time of a program of steps whose messages wait for each other: played packet by packet,
// without a simulator.
#pragma once

#include <cstdint>
#include <optional>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "traffic/program/program.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// For a machine whose routing is fixed and which does not switch circuits. The rules are those of
/// hw/TIMING.md for nodes (steps, startups, assembly, packets), for the allocation of channels
/// (round robin over the requests) and for FIFOs (a packet waits with those in front of it; a worm
/// that is longer than a FIFO keeps the channels that it passes). In three things it is coarser
/// than the hardware, so that it looks at a packet twice per channel and not at flits:
///
/// - Packets that share a link over several virtual channels have it one after the other; if FIFOs
///   are too shallow for full rate, concurrently.
/// - A channel's owner begins when the next FIFO has room for the whole packet, or is empty.
/// - Slots that come free can be used at once, also those of a packet that leaves over a slow link.
///
/// If FIFOs hold a packet, there is one virtual channel, and all links have rate 1 it is
/// cycle-exact (rehearsal_test.cpp). Otherwise it is half the time within one per cent, for store
/// and forward within five, and has been 40 % off.
class Rehearsal {
public:
    /// All references must outlive this object.
    Rehearsal(const HardwareConfig& config, const Graph& graph, const Routing& routing);

    /// Cycles up to and with the last delivery of a program of steps without barriers, or of a
    /// timed one. Nothing if that is later than `latest`, if it would take more `work` than is
    /// left, or if messages wait for each other forever.
    std::optional<Cycle> cycles_of(const Program& program, Cycle latest = kNever);

    /// Packets times channels that they went through, so far, and how many may be at all.
    std::uint64_t work() const { return work_; }
    void set_most_work(std::uint64_t most) { most_work_ = most; }
    bool has_work() const { return work_ < most_work_; }
    std::uint64_t work_left() const { return has_work() ? most_work_ - work_ : 0; }

private:
    const HardwareConfig& config_;
    const Graph& graph_;
    const Routing& routing_;
    std::uint64_t work_ = 0;
    std::uint64_t most_work_ = UINT64_MAX;
};

}  // namespace flitscope::synthesis
