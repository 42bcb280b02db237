// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/split_mix.h"
#include "traffic/traces/message_ends.h"

namespace flitscope {
namespace {

using Kind = Operation::Kind;

class Checker {
public:
    explicit Checker(const Trace& trace)
        : trace_(trace), findings_(trace.source, MoreFindings::kStop) {}

    void check() {
        const std::size_t ranks = trace_.ranks.size();
        std::vector<std::uint64_t> sent(ranks);
        std::vector<std::uint64_t> received(ranks);
        for (RankId rank = 0; rank < ranks; ++rank) {
            for (const TraceOperation& operation : trace_.ranks[rank].operations) {
                if (operation.kind == Kind::kCompute || !check_peer(rank, operation)) continue;
                ++(operation.kind == Kind::kSend ? sent[operation.peer] : received[rank]);
            }
        }
        findings_.throw_if_any();
        for (RankId rank = 0; rank < ranks; ++rank) {
            if (sent[rank] == received[rank] || !takes_any(trace_.ranks[rank])) continue;
            findings_.add(0, 0,
                          fmt::format("rank {} receives {} messages, and {} are sent to it", rank,
                                      received[rank], sent[rank]),
                          "every message is received once");
        }
        match_ends(trace_, [this](const MessageEnd* send, const MessageEnd* receive) {
            check_message(send, receive);
        });
        findings_.throw_if_any();
    }

private:
    bool check_peer(RankId rank, const TraceOperation& operation) {
        const bool receives = operation.kind == Kind::kReceive;
        if (receives && operation.peer == kAnySource) return true;
        if (operation.peer >= trace_.ranks.size()) {
            findings_.add(operation.line, 0,
                          fmt::format("rank {} {} rank {}, which does not exist", rank,
                                      receives ? "receives from" : "sends to", operation.peer),
                          fmt::format("ranks are 0 .. {}", trace_.ranks.size() - 1));
            return false;
        }
        if (operation.peer == rank) {
            findings_.add(
                operation.line, 0,
                fmt::format("rank {} {} itself", rank, receives ? "receives from" : "sends to"),
                "such a message crosses no network: leave both its ends out, or compute "
                "for as long as the copy takes");
            return false;
        }
        return true;
    }

    void check_message(const MessageEnd* send, const MessageEnd* receive) {
        if (receive == nullptr) {
            never_received(*send);
        } else if (send == nullptr) {
            never_sent(*receive);
        } else if (receive->bytes < send->bytes) {
            too_short(*send, *receive);
        }
    }

    void never_received(const MessageEnd& send) {
        findings_.add(send.line, 0,
                      fmt::format("rank {} never receives this message from rank {}, tag {}",
                                  send.receiver, send.sender, send.tag),
                      "every message is received once");
    }

    void never_sent(const MessageEnd& receive) {
        findings_.add(
            receive.line, 0,
            fmt::format("rank {} waits for a message from rank {}, tag {}, which is never sent",
                        receive.receiver, receive.sender, receive.tag),
            "every receive has a message");
    }

    void too_short(const MessageEnd& send, const MessageEnd& receive) {
        findings_.add(
            receive.line, 0,
            fmt::format("rank {} receives {} bytes of a message of {} bytes from rank {}, "
                        "tag {}",
                        receive.receiver, receive.bytes, send.bytes, send.sender, send.tag),
            "a receive is at least as long as what is sent");
    }

    const Trace& trace_;
    FindingList findings_;
};

}  // namespace

bool takes_any(const RankTrace& rank) {
    return std::any_of(rank.operations.begin(), rank.operations.end(),
                       [](const TraceOperation& of) { return of.takes_any(); });
}

std::uint64_t Trace::operation_count() const {
    std::uint64_t count = 0;
    for (const RankTrace& rank : ranks) count += rank.operations.size();
    return count;
}

std::vector<std::string> Trace::remarks() const {
    std::vector<std::string> all = notes.sentences();
    all.insert(all.end(), schedules.begin(), schedules.end());
    return all;
}

void check_trace(const Trace& trace) { Checker(trace).check(); }

bool TraceBalance::add(RankId rank, const RankTrace& trace) {
    const auto end = [](RankId sender, const TraceOperation& of) {
        return split_mix(split_mix(split_mix(sender) ^ of.tag) ^ of.amount);
    };
    for (const TraceOperation& operation : trace.operations) {
        if (operation.kind == Kind::kCompute) continue;
        const bool receives = operation.kind == Kind::kReceive;
        if (operation.takes_any()) ranks_[rank].takes_any = true;
        if (!receives || operation.peer != kAnySource) {
            if (operation.peer >= ranks_.size() || operation.peer == rank) return false;
        }
        Rank& receiver = ranks_[receives ? rank : operation.peer];
        if (receives) {
            receiver.ends -= end(operation.peer, operation);
            --receiver.count;
        } else {
            receiver.ends += end(rank, operation);
            ++receiver.count;
        }
    }
    return true;
}

bool TraceBalance::is_even() const {
    return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) {
        return rank.count == 0 && (rank.takes_any || rank.ends == 0);
    });
}

bool is_even(const Trace& trace) {
    TraceBalance balance;
    balance.begin(static_cast<RankId>(trace.ranks.size()));
    for (RankId rank = 0; rank < trace.ranks.size(); ++rank) {
        if (!balance.add(rank, trace.ranks[rank])) return false;
    }
    return balance.is_even();
}

}  // namespace flitscope
