// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/critical_path.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "testbench/app/build/machine.h"
#include "testbench/app/explain/circuit_history.h"
#include "testbench/app/explain/node_history.h"
#include "testbench/app/explain/operation_history.h"
#include "testbench/app/explain/packet_history.h"
#include "testbench/app/explain/program_times.h"

namespace flitscope {

struct CriticalPathRecorder::Histories {
    /// For the slack of the program, if that is asked for.
    struct Times {
        Times(bool are_kept, const Program& of) {
            if (are_kept && of.operations == nullptr) program = std::make_unique<ProgramTimes>(of);
            if (are_kept && of.operations != nullptr) {
                operations = std::make_unique<OperationTimes>(of);
            }
        }
        KeptTimes kept() const { return {program.get(), operations.get()}; }

        std::unique_ptr<ProgramTimes> program;
        std::unique_ptr<OperationTimes> operations;
    };
    Histories(const Machine& machine, bool keeps_times)
        : limit(machine.config.limits.max_cycles),
          times(keeps_times, *machine.program),
          nodes(*machine.program, machine.config.node.recv_overhead, events, times.kept()) {
        if (machine.program->operations != nullptr) {
            operations.emplace(*machine.program, events, nodes, times.operations.get());
        }
        if (machine.config.fabric.switches_circuits()) {
            circuits.emplace(machine.config, machine.graph, events, nodes, times.kept().messages());
        } else {
            packets.emplace(machine.config, machine.graph, *machine.program, *machine.routing,
                            events, nodes, times.kept().messages());
        }
    }

    EventGraph::Handle last() const {
        return operations ? operations->last_event(limit) : nodes.last_delivery();
    }

    Cycle limit;
    EventGraph events;  // outlives all that refers to it
    Times times;
    NodeHistory nodes;
    std::optional<OperationHistory> operations;
    std::optional<PacketHistory> packets;
    std::optional<CircuitHistory> circuits;
};

CauseCycles CriticalPath::cycles_by_cause() const {
    CauseCycles sums{};
    for (const PathSegment& s : segments) sums[static_cast<std::size_t>(s.cause)] += s.length();
    return sums;
}

CriticalPathRecorder::CriticalPathRecorder(const Machine& machine, bool keeps_times)
    : machine_(machine) {
    if (!machine.program) throw std::invalid_argument("no program, no critical path");
    histories_ = std::make_unique<Histories>(machine, keeps_times);
}

CriticalPathRecorder::~CriticalPathRecorder() = default;

ChannelObserver& CriticalPathRecorder::channels() {
    if (histories_->circuits) return *histories_->circuits;
    return *histories_->packets;
}

PacketObserver& CriticalPathRecorder::packets() {
    if (histories_->circuits) return *histories_->circuits;
    return *histories_->packets;
}

ProgramObserver& CriticalPathRecorder::program() { return histories_->nodes; }

OperationObserver* CriticalPathRecorder::operations() {
    return histories_->operations ? &*histories_->operations : nullptr;
}

std::vector<CauseCycles> CriticalPathRecorder::take_waits() {
    return histories_->operations->take_waits();
}

std::vector<Event> CriticalPathRecorder::events() const {
    return histories_->events.events_to(histories_->last());
}

Slack CriticalPathRecorder::slack(Cycle makespan) const {
    const Histories::Times& times = histories_->times;
    if (times.operations) return find_slack(machine_, *times.operations, makespan);
    if (!times.program) throw std::logic_error("the times of messages were not kept");
    return find_slack(machine_, *times.program, makespan);
}

CriticalPath CriticalPathRecorder::take(Cycle simulated_cycles) {
    if (histories_->packets) histories_->packets->finish(simulated_cycles);
    const EventGraph::Handle last = histories_->last();
    CriticalPath path;
    path.memory_bytes = histories_->events.peak_bytes();
    if (!last) return path;
    path.cycles = histories_->events[last].cycle;
    path.segments = histories_->events.path_to(last);
    Cycle at = 0;
    for (const PathSegment& segment : path.segments) {
        if (segment.from != at) {
            throw std::logic_error(
                fmt::format("the critical path jumps from cycle {} to {}", at, segment.from));
        }
        at = segment.to;
    }
    if (at != path.cycles) throw std::logic_error("the critical path ends early");
    return path;
}

}  // namespace flitscope
