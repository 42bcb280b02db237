// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of statements about operations: each begins in the cycle in which the golden model saw it
// begin, and what the path names before it happened in that cycle and let it begin. Operations that
// take no time are not on the path, so there may be some between both.
#include <algorithm>

#include "testbench/app/build/machine.h"
#include "testbench/verification/tests/explain/path_judge.h"

namespace flitscope {

bool PathJudge::has_operations() const { return machine_.program->operations != nullptr; }

/// The cycle up to which a path explains a run.
Cycle PathJudge::end() const {
    Cycle end = golden_.makespan;
    for (const GoldenOperation& operation : witness_.operations) {
        end = std::max(end, operation.end);
    }
    return end;
}

/// An operation keeps its stream.
std::string PathJudge::judge_operation(const Event& event, const Event& because) const {
    const GoldenOperation& seen = witness_.operations[event.operation];
    const Operation& what = (*machine_.program->operations)[event.operation];
    if (event.since != event.before || seen.starts != event.before || seen.frees != event.cycle) {
        return "the operation takes other cycles";
    }
    const Cause cause = what.kind == Operation::Kind::kCompute ? Cause::kCompute
                        : what.kind == Operation::Kind::kSend  ? Cause::kStartup
                                                               : Cause::kReceive;
    const MessageId message = what.kind == Operation::Kind::kReceive ? seen.message : what.message;
    if (event.cause != cause || event.message != message) return "the operation does not do that";
    std::vector<OperationId> visited;
    if (because.cycle == event.before &&
        lets_begin(because, event.operation, event.before, visited)) {
        return {};
    }
    return "the operation begins otherwise";
}

/// A mark: the send of a message begins.
std::string PathJudge::judge_send(const Event& event, const Event& because) const {
    const Operations& all = *machine_.program->operations;
    for (OperationId id = 0; id < all.size(); ++id) {
        if (all[id].kind != Operation::Kind::kSend || all[id].message != event.message) continue;
        std::vector<OperationId> visited;
        const bool is_begun = begin_of(event.message) == event.cycle &&
                              because.cycle == event.cycle &&
                              lets_begin(because, id, event.cycle, visited);
        return is_begun ? "" : "the send begins otherwise";
    }
    return "nobody sends it";
}

/// Whether `because` can be what let an operation keep its stream from `cycle` on: its own needs
/// come first, then its stream.
bool PathJudge::lets_begin(const Event& because, OperationId id, Cycle cycle,
                           std::vector<OperationId>& visited) const {
    const Operations& all = *machine_.program->operations;
    const GoldenOperation& seen = witness_.operations[id];
    if (seen.starts != cycle) return false;
    if (cycle == 0) return because.cycle == 0;
    if (std::find(visited.begin(), visited.end(), id) != visited.end()) return false;
    visited.push_back(id);
    const bool receives = all[id].kind == Operation::Kind::kReceive;
    if (receives && seen.matched == cycle) {
        // A message of the cycle before was given to the receives posted in this cycle, too.
        const bool is_delivery = because.message == seen.message && because.channel != kNoChannel &&
                                 channels_.is_ejection(because.channel) &&
                                 delivered(seen.message) + 1 == cycle;
        return is_delivery || (seen.begin == cycle && lets_be_ready(because, id, cycle, visited));
    }
    if (!receives && seen.ready == cycle) return lets_be_ready(because, id, cycle, visited);
    const NodeId node = all.node_of(id);
    for (OperationId mate = all.first(node); mate < all.last(node); ++mate) {
        const GoldenOperation& other = witness_.operations[mate];
        if (mate == id || all[mate].stream != all[id].stream || other.frees != cycle) continue;
        if (other.starts != cycle ? because.operation == mate
                                  : lets_begin(because, mate, cycle, visited)) {
            return true;
        }
    }
    return false;
}

/// Whether `because` can be the last of the dependencies of an operation.
bool PathJudge::lets_be_ready(const Event& because, OperationId id, Cycle cycle,
                              std::vector<OperationId>& visited) const {
    const Operations& all = *machine_.program->operations;
    if (witness_.operations[id].ready != cycle) return false;
    if (cycle == 0) return because.cycle == 0;
    bool is_met = false;
    const NodeId node = all.node_of(id);
    for (OperationId on = all.first(node); on < all.last(node) && !is_met; ++on) {
        const GoldenOperation& other = witness_.operations[on];
        all.visit_successors(on, [&](const Successor& successor) {
            if (successor.operation != id || is_met) return;
            if (successor.on_begin) {
                const bool is_post = all[on].kind == Operation::Kind::kReceive;
                is_met =
                    other.begin == cycle && (is_post ? lets_be_ready(because, on, cycle, visited)
                                                     : lets_begin(because, on, cycle, visited));
            } else if (other.end == cycle && other.end != other.frees) {
                is_met = because.message == all[on].message && because.channel != kNoChannel &&
                         channels_.is_injection(because.channel);
            } else if (other.end == cycle && other.starts != cycle) {
                // A send may complete by its injection in the cycle that ends its startup.
                is_met = because.operation == on || because.message == all[on].message;
            } else if (other.end == cycle) {
                is_met = lets_begin(because, on, cycle, visited);
            }
        });
    }
    return is_met;
}

}  // namespace flitscope
