// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/message_ends.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace flitscope {
namespace {

using Kind = Operation::Kind;
using Ends = std::vector<MessageEnd>;

Ends ends_of(const Trace& trace) {
    std::vector<bool> is_open;  // per rank: only a run determines the matches of its receives
    for (const RankTrace& rank : trace.ranks) is_open.push_back(takes_any(rank));
    Ends ends;
    for (RankId rank = 0; rank < trace.ranks.size(); ++rank) {
        const std::vector<TraceOperation>& operations = trace.ranks[rank].operations;
        for (OperationId id = 0; id < operations.size(); ++id) {
            const TraceOperation& of = operations[id];
            if (of.kind == Kind::kCompute) continue;
            const bool receives = of.kind == Kind::kReceive;
            const RankId receiver = receives ? rank : of.peer;
            if (is_open[receiver]) continue;
            const RankId sender = receives ? of.peer : rank;
            ends.push_back({receiver, sender, of.tag, id, of.amount, of.line, receives});
        }
    }
    return ends;
}

/// Matches the ends of one envelope, first .. first_receive - 1 sends, the others receives.
void match(Ends::iterator first, Ends::iterator first_receive, Ends::iterator last,
           const VisitMessage& visit) {
    const std::ptrdiff_t sends = first_receive - first;
    const std::ptrdiff_t receives = last - first_receive;
    const auto is_shorter = [](const MessageEnd& a, const MessageEnd& b) {
        return a.bytes < b.bytes;
    };
    bool fits = true;
    for (std::ptrdiff_t i = 0; i < std::min(sends, receives); ++i) {
        fits = fits && !is_shorter(first_receive[i], first[i]);
    }
    if (!fits) {
        std::stable_sort(first, first_receive, is_shorter);
        std::stable_sort(first_receive, last, is_shorter);
    }
    for (std::ptrdiff_t i = 0; i < std::max(sends, receives); ++i) {
        visit(i < sends ? &first[i] : nullptr, i < receives ? &first_receive[i] : nullptr);
    }
}

}  // namespace

void match_ends(const Trace& trace, const VisitMessage& visit) {
    Ends ends = ends_of(trace);
    std::sort(ends.begin(), ends.end(), [](const MessageEnd& a, const MessageEnd& b) {
        const auto all = [](const MessageEnd& end) {
            return std::tie(end.receiver, end.sender, end.tag, end.receives, end.operation);
        };
        return all(a) < all(b);
    });
    for (auto first = ends.begin(); first != ends.end();) {
        const auto first_receive = std::find_if(first, ends.end(), [&](const MessageEnd& end) {
            return end.receives || end.envelope() != first->envelope();
        });
        const auto last = std::find_if(first_receive, ends.end(), [&](const MessageEnd& end) {
            return end.envelope() != first->envelope();
        });
        match(first, first_receive, last, visit);
        first = last;
    }
}

}  // namespace flitscope
