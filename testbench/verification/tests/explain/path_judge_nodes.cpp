// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of statements about nodes, their programs, and circuits.
#include <algorithm>

#include "models/config/config.h"
#include "models/config/node_config.h"
#include "testbench/app/build/machine.h"
#include "testbench/verification/tests/explain/path_judge.h"

namespace flitscope {

/// The first element of a circuit is sent.
std::string PathJudge::judge_first_element(const Event& event, const Event& because) const {
    const GoldenWait* const lacked =
        event.cycle == 0 ? nullptr : header(event.cycle - 1, event.message);
    if (sent(event.cycle, event.sends)->flit != 0) return "not the first element";
    if (event.cause == Cause::kTraversal) {
        const bool is_complete = lacks(lacked, GoldenLack::kSender);
        if (is_complete || because.cycle != event.cycle || event.before != event.cycle) {
            return "its path was not completed in this cycle";
        }
        return event.since == event.before ? "" : "no other begin";
    }
    if (event.cause != Cause::kSourceQueue) return "no cause of ours";
    const bool is_sender = lacks(lacked, GoldenLack::kSender, event.holder) &&
                           event.before == event.cycle && because.message == event.holder &&
                           delivered(event.holder) + 1 == event.cycle;
    if (!is_sender) return "the sender was not busy with it";
    const GoldenWait* const since = header(event.since, event.message);
    const GoldenWait* const before =
        event.since == 0 ? nullptr : header(event.since - 1, event.message);
    const bool is_since = lacks(since, GoldenLack::kSender) && !lacks(before, GoldenLack::kSender);
    return is_since ? "" : "the path was complete in another cycle";
}

/// A header advances, or is given an output.
std::string PathJudge::judge_circuit(const Event& event, const Event& because) const {
    if (event.cause == Cause::kSetUp) {
        if (event.since != event.before || because.cycle != event.before) {
            return "its way begins with the output given";
        }
        if (because.message != event.message) {
            if (begin_of(event.message) != event.before) return "the send begins otherwise";
            const NodeId node = machine_.program->transfers[event.message].source;
            if (std::string fault = judge_ready(node, event.before, because); !fault.empty()) {
                return fault;
            }
        }
        for (Cycle cycle = event.before + 1; cycle < event.cycle; ++cycle) {
            if (!lacks(header(cycle, event.message), GoldenLack::kHeader)) return "it had arrived";
        }
        if (lacks(header(event.cycle, event.message), GoldenLack::kHeader))
            return "it is on its way";
        if (header(event.before, event.message) != nullptr) return "it was given the output later";
        Cycle uses = event.cycle;
        while (uses < witness_.cycles.size()) {
            const GoldenSent* const s = sent(uses, event.channel);
            if (s != nullptr && s->message == event.message) return {};
            ++uses;
        }
        return "it never uses the channel";
    }
    if (event.cause != Cause::kVcBusy) return "no cause of ours";
    const GoldenWait* const lacked = header(event.cycle - 1, event.message);
    const bool is_held = lacks(lacked, [&](const GoldenLacking& l) {
        return (l.lack == GoldenLack::kTaken || l.lack == GoldenLack::kGiven) &&
               l.channel == event.channel && l.whose == event.holder;
    });
    if (!is_held || lacks(header(event.cycle, event.message), GoldenLack::kTaken) ||
        lacks(header(event.cycle, event.message), GoldenLack::kGiven)) {
        return "another circuit held the channel";
    }
    if (event.before != event.cycle || because.message != event.holder ||
        delivered(event.holder) + 1 != event.cycle) {
        return "it was not freed in this cycle";
    }
    const GoldenWait* const since = header(event.since, event.message);
    const GoldenWait* const before =
        event.since == 0 ? nullptr : header(event.since - 1, event.message);
    if (since == nullptr || lacks(since, GoldenLack::kHeader)) return "it waits too early";
    if (before != nullptr && !lacks(before, GoldenLack::kHeader)) return "it waits too late";
    return {};
}

/// An event of a node, or of a circuit's header, or an arrival.
std::string PathJudge::judge_node(const Event& event, const Event& because,
                                  const Event* next) const {
    if (event.operation != kNoOperation) return judge_operation(event, because);
    const bool circuits = machine_.config.fabric.switches_circuits();
    const NodeConfig& node = machine_.config.node;
    switch (event.cause) {
        case Cause::kSetUp:
        case Cause::kVcBusy:
            return judge_circuit(event, because);
        case Cause::kSourceQueue:
            return judge_own_message(event, because);
        case Cause::kStartup: {
            const GoldenStart& start = witness_.starts[event.message];
            if (event.since != event.before || because.cycle != event.before) return "no begin";
            if (event.cycle != start.startup_to) return "the startup ends otherwise";
            if (because.cause == Cause::kSourceQueue) return {};
            if (!circuits && start.startup_from != event.before) return "the startup is later";
            if (event.before + node.send_overhead != event.cycle) return "not so long";
            if (begin_of(event.message) != event.before) return "the send begins otherwise";
            return judge_ready(machine_.program->transfers[event.message].source, event.before,
                               because);
        }
        case Cause::kAssembly: {
            if (event.since != event.before || because.cycle != event.before) return "no begin";
            if (witness_.starts[event.message].assembly_from != event.before) {
                return "the assembly begins otherwise";
            }
            if (because.cause == Cause::kStartup || because.cause == Cause::kSourceQueue) return {};
            return judge_ready(machine_.program->transfers[event.message].source, event.before,
                               because);
        }
        case Cause::kReceive:
            if (event.before + node.recv_overhead != event.cycle || event.since != event.before ||
                delivered(event.message) + 1 != event.before || because.message != event.message ||
                because.cycle != event.before) {
                return "it is received otherwise";
            }
            return {};
        case Cause::kDependency:
            if (begin_of(event.message) != event.cycle || because.cycle != event.cycle ||
                because.message != event.holder || because.cause != Cause::kReceive) {
                return "the send does not wait for it";
            }
            return judge_ready(machine_.program->transfers[event.message].source, event.cycle,
                               because);
        case Cause::kProgramTime: {
            if (next == nullptr || event.since != 0 || event.before != 0) return "no program";
            const Transfer& transfer = machine_.program->transfers[next->message];
            return transfer.time == event.cycle ? "" : "the program says otherwise";
        }
        case Cause::kSerialization:
            if (event.since != event.before || event.before + 1 != event.cycle ||
                injected(event.message) != event.before || because.message != event.message ||
                !channels_.is_injection(event.channel) || because.sends != event.channel) {
                return "its tail is injected otherwise";
            }
            return {};
        case Cause::kTraversal:
            break;
        default:
            return "no cause of ours";
    }
    if (event.channel == kNoChannel) {  // the start of the run, or a node at a barrier
        const bool is_mark = event.before == event.cycle && event.since == event.before;
        if (!is_mark) return "nothing takes time";
        return has_operations() ? judge_send(event, because) : "";
    }
    if (channels_.is_ejection(event.channel)) {
        const Cycle last = circuits ? injected(event.message) : event.cycle - 1;
        if (event.before != last || event.since != last ||
            delivered(event.message) + 1 != event.cycle || because.message != event.message) {
            return "it is delivered otherwise";
        }
        const GoldenSent* const tail = sent(event.cycle - 1, event.channel);
        return tail != nullptr && tail->message == event.message ? "" : "not to this channel";
    }
    const GoldenSent* const before = sent(event.before, event.channel);
    const bool is_sent = before != nullptr && before->message == event.message &&
                         because.sends == event.channel && event.since == event.before;
    return is_sent ? "" : "it came otherwise";
}

/// A message's startup, assembly or set-up waits for another's.
std::string PathJudge::judge_own_message(const Event& event, const Event& because) const {
    const GoldenStart& start = witness_.starts[event.message];
    const Cycle begin = begin_of(event.message);
    if (machine_.config.fabric.switches_circuits()) {
        const GoldenPacket& last = golden_.packets[first_packet_[event.holder]];
        if (because.cause == Cause::kSourceQueue && because.sends == kNoChannel &&
            because.message == event.message) {
            const bool is_next = event.before == last.head_injected &&
                                 event.since == event.before && event.cycle == event.before + 1 &&
                                 event.cycle == start.startup_to;
            return is_next ? "" : "the set-up begins otherwise";
        }
        const bool is_last = event.before == last.head_injected && event.cycle == event.before &&
                             event.since == std::min(begin, event.before) &&
                             because.message == event.holder && because.sends != kNoChannel;
        return is_last ? "" : "the message before began otherwise";
    }
    const NodeConfig& node = machine_.config.node;
    const Cycle since = node.serialize_overhead ? begin : start.startup_to;
    const Cycle until = node.serialize_overhead ? start.startup_from : start.assembly_from;
    if (event.since != since || event.before != until || event.cycle != until || since >= until) {
        return "it comes after it otherwise";
    }
    const bool is_done = node.assembles() ? because.cause == Cause::kAssembly
                                          : injected(event.holder) + 1 == event.cycle;
    return is_done && because.message == event.holder && because.cycle == event.cycle
               ? ""
               : "the message before was done otherwise";
}

/// `node` could continue in cycle `ready`, and not earlier, by `because`.
std::string PathJudge::judge_ready(NodeId node, Cycle ready, const Event& because) const {
    if (because.cause == Cause::kDependency) return {};  // judged itself
    if (has_operations()) {                              // a mark, which is judged itself, too
        const bool is_send = because.channel == kNoChannel && because.operation == kNoOperation &&
                             because.cycle == ready;
        return is_send ? "" : "not the begin of its send";
    }
    if (because.cause == Cause::kBarrier) return because.cycle == ready ? "" : "not the barrier's";
    if (ready == 0) return {};
    const std::vector<GoldenLacking>& lacked = program(ready - 1, node);
    const auto least = [&](GoldenLack lack) {
        MessageId whose = kNoMessage;
        for (const GoldenLacking& l : lacked) {
            if (l.lack == lack) whose = std::min(whose, l.whose);
        }
        return whose;
    };
    const bool lacks_time = least(GoldenLack::kTime) != kNoMessage;
    if (because.cause == Cause::kProgramTime) return lacks_time ? "" : "its time had come";
    if (lacks_time) return "its time had not come";
    const MessageId own = least(GoldenLack::kInjected);
    if (because.cause == Cause::kSerialization)
        return own == because.message ? "" : "not its injection";
    if (own != kNoMessage) return "an injection of its own comes first";
    if (because.cause != Cause::kReceive) return "the node does not wait for this";
    return least(GoldenLack::kReceived) == because.message ? "" : "it awaits another message";
}

/// `mark`: a node is ready, because of `because`.
std::string PathJudge::judge_barrier(const Event& event, const Event& mark,
                                     const Event& because) const {
    if (event.before + *machine_.program->barrier_cycles != event.cycle ||
        event.since != event.before || mark.cycle != event.before) {
        return "the barrier takes another time";
    }
    if (event.before == 0) return {};
    for (const GoldenProgramWait& w : at(event.before - 1).programs) {
        const bool is_ready = w.lacks.front().lack == GoldenLack::kBarrier;
        if (!is_ready) return judge_ready(w.node, event.before, because);
    }
    return "all nodes were ready before";
}

}  // namespace flitscope
