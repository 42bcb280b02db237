// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The slack of operations. A pass goes back over what all nodes did, from the end. It keeps for
// every event the last cycle in which it may happen, so that all decisions of the run stay as they
// were: which operation a stream takes next, which message a receive gets, which message leaves
// first. README.md says why nothing else can change then.
#include <algorithm>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "models/base/flat_map.h"
#include "models/performance/saturating.h"
#include "models/routing/routing.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/message_limits.h"
#include "testbench/app/explain/operation_dependencies.h"
#include "testbench/app/explain/operation_times.h"
#include "testbench/app/explain/slack.h"
#include "traffic/program/envelope.h"

namespace flitscope {
namespace {

/// The last cycle for what may be `later` than in `cycle`. If it must not be later at all, what
/// leads to it must come before that cycle, unless it already came in it: operations that become
/// ready in one cycle begin in an order that depends on how they became so.
Cycle due(Cycle cycle, Cycle later) {
    if (later != 0 || cycle == kNever) return saturating_add(cycle, later);
    return cycle == 0 ? 0 : cycle - 1;
}

/// How much later something may be that happened in `cycle` and is due by then.
Cycle until(Cycle due, Cycle cycle) {
    if (due == kNever) return kNever;
    return due > cycle ? due - cycle : 0;
}

void lower(Cycle& limit, Cycle to) { limit = std::min(limit, to); }

class OperationPass {
public:
    OperationPass(const Machine& machine, const OperationTimes& times, Cycle makespan)
        : machine_(machine),
          program_(*machine.program),
          operations_(*program_.operations),
          times_(times),
          makespan_(makespan),
          limits_(machine, times, makespan),
          dependencies_(operations_),
          due_(operations_.size(), kNever),
          found_(operations_.size()),
          nodes_(program_.nodes) {
        operations_.visit_nodes([&](NodeId node) { prepare(node); });
    }

    std::vector<OperationSlack> run() {
        // Causes at other nodes are in earlier cycles, those at a node before in its log.
        std::priority_queue<std::pair<Cycle, NodeId>> last;
        const auto add = [&](NodeId node) {
            const std::size_t left = nodes_[node].left;
            if (left != 0) last.emplace(times_.log(node)[left - 1].cycle, node);
        };
        for (NodeId node = 0; node < nodes_.size(); ++node) add(node);
        while (!last.empty()) {
            const auto [cycle, node] = last.top();
            last.pop();
            std::size_t& left = nodes_[node].left;
            const std::vector<OperationTimes::Entry>& log = times_.log(node);
            for (; left != 0 && log[left - 1].cycle == cycle; --left) go_back(node, log[left - 1]);
            add(node);
        }
        return std::move(found_);
    }

private:
    using Entry = OperationTimes::Entry;

    /// What a stream does after the operation at hand.
    struct Stream {
        OperationId next = kNoOperation;    // first that is not a free receive,
        Cycle next_due = kNever;            // and the last cycle in which it may begin;
        std::vector<OperationId> receives;  // free ones before that,
        Cycle receives_due = kNever;        // the same of all of them
    };
    /// The receive that is posted after the one at hand.
    struct Posted {
        Cycle cycle = kNever;
        OperationId operation = kNoOperation;
    };
    struct Node {
        std::size_t left = 0;  // entries of its log
        std::vector<Stream> streams;
        bool has_wildcards = false;  // some receive takes messages of any source, or tag
        Posted next_posted;          // if so
        OperationId next_send = kNoOperation;
        OperationId next_other = kNoOperation;  // the first after it on another stream
    };

    void prepare(NodeId node) {
        Node& state = nodes_[node];
        state.left = times_.log(node).size();
        state.streams.resize(operations_.streams(node));
        for (OperationId id = operations_.first(node); id < operations_.last(node); ++id) {
            const Operation& what = operations_[id];
            if (what.kind != Operation::Kind::kReceive) continue;
            const bool is_wildcard = what.source == kAnySource || what.tag == kAnyTag;
            state.has_wildcards = state.has_wildcards || is_wildcard;
        }
    }

    void go_back(NodeId node, const Entry& entry) {
        switch (entry.what()) {
            case OperationEvent::Kind::kCompleted:
                complete(entry);
                break;
            case OperationEvent::Kind::kBegun:
                begin(node, entry);
                break;
            case OperationEvent::Kind::kArrived:
                arrive(entry);
                break;
            case OperationEvent::Kind::kPosted:
                post(node, entry);
                break;
            case OperationEvent::Kind::kWhole:
                break;  // refused by require_explained_fabric()
        }
    }

    /// How much later an event of an operation may be, by what depends on it.
    Cycle until_successors(OperationId id, bool on_begin, Cycle cycle) const {
        Cycle later = kNever;
        operations_.visit_successors(id, [&](const Successor& successor) {
            if (successor.on_begin == on_begin)
                lower(later, until(due_[successor.operation], cycle));
        });
        return later;
    }

    void complete(const Entry& entry) {
        Cycle later = until_successors(entry.operation, false, entry.cycle);
        lower(later, makespan_ - std::min(entry.cycle, makespan_));
        found_[entry.operation].slack = later;  // until it is known how it came to complete
        const Operation& what = operations_[entry.operation];
        if (is_completed_by_injection(what)) limits_.lower(what.message, later);
    }

    bool is_completed_by_injection(const Operation& what) const {
        return what.kind == Operation::Kind::kSend &&
               operations_.completion == SendCompletion::kInjected;
    }

    void begin(NodeId node, const Entry& entry) {
        const OperationId id = entry.operation;
        const Operation& what = operations_[id];
        Stream& stream = nodes_[node].streams[what.stream];
        OperationSlack& found = found_[id];
        found.begin = entry.cycle;
        found.end = entry.cycle + busy_cycles(what, machine_.config.node.send_overhead,
                                              machine_.config.node.recv_overhead);
        const bool is_receive = what.kind == Operation::Kind::kReceive;
        // A receive without overhead keeps its stream from nobody.
        const bool is_free = is_receive && found.end == found.begin;
        Cycle later_end = is_completed_by_injection(what) ? kNever : found.slack;
        Cycle later_begin = later_end;
        lower(later_end, until(std::min(stream.next_due, stream.receives_due), found.end));
        if (!is_free) later_begin = later_end;
        if (what.kind == Operation::Kind::kSend) {
            const Cycle message = send(node, id, what);
            lower(later_begin, message);
            lower(later_end, message);
        }
        if (!is_receive) lower(later_begin, until_successors(id, true, entry.cycle));
        found.slack = later_end;
        const Cycle later_ready = keep_order(id, is_free, stream, later_begin);
        // How much later it may be ready, or a receive have its message.
        due_[id] =
            due(times_.ready(id),
                std::min(later_ready, until(due(entry.cycle, later_begin), times_.ready(id))));
        if (is_free) {
            stream.receives.push_back(id);
            lower(stream.receives_due, due(entry.cycle, later_begin));
            return;
        }
        stream.receives.clear();
        stream.receives_due = kNever;
        stream.next = id;
        stream.next_due = due(entry.cycle, later_begin);
    }

    /// An operation remains before those that its stream takes next. Returns how much later it may
    /// be ready for that; `later_begin` becomes 0 if that decides, too.
    Cycle keep_order(OperationId id, bool is_free, const Stream& stream, Cycle& later_begin) const {
        Cycle later = kNever;
        const auto precede = [&](OperationId next) {
            if (dependencies_.is_ready_after(next, id)) return;
            if (operations_[id].kind != Operation::Kind::kReceive && precedes(id, next)) return;
            const Cycle ready = times_.ready(id);
            lower(later, until(due(times_.ready(next), 0), ready));
            // It became ready after this one had begun, in the same cycle.
            if (times_.ready(next) == ready && next < id) later_begin = 0;
        };
        if (stream.next != kNoOperation) precede(stream.next);
        if (is_free) return later;
        for (const OperationId next : stream.receives) {
            // The others go as soon as they can, whatever comes before.
            if (found_[next].begin > times_.ready(next)) precede(next);
        }
        return later;
    }

    /// Whether an operation is ready, or posted, no later than another, whatever else is later, and
    /// precedes it if they are so in one cycle.
    bool precedes(OperationId id, OperationId next) const {
        return id < next && dependencies_.are_among_those_of(id, next);
    }

    /// A send begins: how much later its message may be.
    Cycle send(NodeId node, OperationId id, const Operation& what) {
        Node& state = nodes_[node];
        if (state.next_send != kNoOperation) {
            const MessageId next = operations_[state.next_send].message;
            limits_.lower_by_next(what.message, limits_[next]);
        }
        Cycle later = limits_[what.message];
        // Its stream keeps the order of its own sends.
        const bool is_other =
            state.next_send != kNoOperation && operations_[state.next_send].stream != what.stream;
        const OperationId other = is_other ? state.next_send : state.next_other;
        // If it waits for the begin only, it does not wait for a startup that takes longer.
        if (other != kNoOperation && !dependencies_.is_for_end(other, id)) {
            lower(later, until(due(found_[other].begin, 0), found_[id].begin));
        }
        if (is_other) state.next_other = state.next_send;
        state.next_send = id;
        return later;
    }

    /// A receive gets the message that it waited for. Messages come to a node over one channel, so
    /// their gaps keep the order in which they do.
    void arrive(const Entry& entry) {
        if (entry.operation == OperationTimes::kNobody) return;
        limits_.lower(entry.message, until(due_[entry.operation], entry.cycle));
    }

    void post(NodeId node, const Entry& entry) {
        const OperationId id = entry.operation;
        const Operation& what = operations_[id];
        if (entry.message != kNoMessage) {  // it had come before
            limits_.lower(entry.message, until(due_[id], times_.of(entry.message).delivered + 1));
        }
        Cycle later = until(due_[id], entry.cycle);
        lower(later, until_successors(id, true, entry.cycle));
        Node& state = nodes_[node];
        // Those that may take the same messages; whether these come before or after does not
        // matter.
        Posted& next =
            state.has_wildcards ? state.next_posted : next_posted_[{node, what.source, what.tag}];
        const bool is_before_anyway =
            next.operation != kNoOperation &&
            (dependencies_.depends(next.operation, id) || precedes(id, next.operation));
        if (!is_before_anyway) lower(later, until(due(next.cycle, 0), entry.cycle));
        next = {entry.cycle, id};
        due_[id] = due(entry.cycle, later);
    }

    const Machine& machine_;
    const Program& program_;
    const Operations& operations_;
    const OperationTimes& times_;
    Cycle makespan_;
    MessageLimits limits_;
    OperationDependencies dependencies_;
    /// Per operation, the last cycle in which it may be ready, or posted; of a receive, before that
    /// is known, the last one in which it may have its message.
    std::vector<Cycle> due_;
    std::vector<OperationSlack> found_;
    std::vector<Node> nodes_;
    FlatMap<Envelope, Posted, EnvelopeHash> next_posted_;  // at nodes without wildcards
};

}  // namespace

Slack find_slack(const Machine& machine, const OperationTimes& times, Cycle makespan) {
    const Program& program = *machine.program;
    const Operations& operations = *program.operations;
    Slack slack;
    slack.operations = OperationPass(machine, times, makespan).run();
    std::vector<Cycle> of_message(program.transfers.size(), 0);
    operations.visit_nodes([&](NodeId node) {
        RankSlack rank;
        rank.node = node;
        rank.rank = operations.rank(node);
        for (OperationId id = operations.first(node); id < operations.last(node); ++id) {
            const Cycle one = slack.operations[id].slack;
            if (operations[id].kind == Operation::Kind::kSend)
                of_message[operations[id].message] = one;
            ++rank.operations;
            if (one != 0) ++rank.operations_with_slack;
            rank.slack = std::min(rank.slack, one);
            rank.most = std::max(rank.most, one);
        }
        if (rank.operations != 0) slack.ranks.push_back(rank);
    });
    std::stable_sort(slack.ranks.begin(), slack.ranks.end(),
                     [](const RankSlack& a, const RankSlack& b) { return a.rank < b.rank; });
    if (machine.routing->path_choice() == PathChoice::kFixed) {
        slack.links = slack_of_links(machine, of_message);
    }
    return slack;
}

}  // namespace flitscope
