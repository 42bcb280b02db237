// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/base/split_mix.h"

namespace flitscope {
namespace {

using Kind = Operation::Kind;

/// One end of a message: who receives, who sends, with which tag, and how much.
struct End {
    RankId receiver = 0;
    RankId sender = 0;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
    std::uint32_t line = 0;

    auto envelope() const { return std::tie(receiver, sender, tag); }
    bool operator<(const End& other) const {
        return std::tie(receiver, sender, tag, bytes, line) <
               std::tie(other.receiver, other.sender, other.tag, other.bytes, other.line);
    }
};

class Checker {
public:
    explicit Checker(const Trace& trace)
        : trace_(trace), findings_(trace.source, MoreFindings::kStop) {}

    void check() {
        const std::size_t ranks = trace_.ranks.size();
        std::vector<std::uint64_t> sent(ranks);
        std::vector<std::uint64_t> received(ranks);
        std::vector<bool> takes_any(ranks);
        for (RankId rank = 0; rank < ranks; ++rank) {
            for (const TraceOperation& operation : trace_.ranks[rank].operations) {
                if (operation.kind == Kind::kCompute || !check_peer(rank, operation)) continue;
                if (operation.kind == Kind::kSend) {
                    ++sent[operation.peer];
                    continue;
                }
                ++received[rank];
                takes_any[rank] =
                    takes_any[rank] || operation.peer == kAnySource || operation.tag == kAnyTag;
            }
        }
        findings_.throw_if_any();
        for (RankId rank = 0; rank < ranks; ++rank) {
            if (!takes_any[rank] || sent[rank] == received[rank]) continue;
            findings_.add(0, 0,
                          fmt::format("rank {} receives {} messages, and {} are sent to it", rank,
                                      received[rank], sent[rank]),
                          "every message is received once");
        }
        match_ends(takes_any);
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

    /// Of ranks whose receives all name source and tag: each envelope has as many sends as
    /// receives.
    void match_ends(const std::vector<bool>& takes_any) {
        std::vector<End> sends;
        std::vector<End> receives;
        for (RankId rank = 0; rank < trace_.ranks.size(); ++rank) {
            for (const TraceOperation& o : trace_.ranks[rank].operations) {
                if (o.kind == Kind::kSend && !takes_any[o.peer]) {
                    sends.push_back({o.peer, rank, o.tag, o.amount, o.line});
                } else if (o.kind == Kind::kReceive && !takes_any[rank]) {
                    receives.push_back({rank, o.peer, o.tag, o.amount, o.line});
                }
            }
        }
        std::sort(sends.begin(), sends.end());
        std::sort(receives.begin(), receives.end());
        std::size_t s = 0;
        std::size_t r = 0;
        while (s < sends.size() || r < receives.size()) {
            if (r == receives.size() ||
                (s < sends.size() && sends[s].envelope() < receives[r].envelope())) {
                const End& end = sends[s++];
                findings_.add(
                    end.line, 0,
                    fmt::format("rank {} never receives this message from rank {}, tag {}",
                                end.receiver, end.sender, end.tag),
                    "every message is received once");
            } else if (s == sends.size() || receives[r].envelope() < sends[s].envelope()) {
                const End& end = receives[r++];
                findings_.add(end.line, 0,
                              fmt::format("rank {} waits for a message from rank {}, tag {}, which "
                                          "is never sent",
                                          end.receiver, end.sender, end.tag),
                              "every receive has a message");
            } else {
                if (receives[r].bytes < sends[s].bytes) too_short(sends[s], receives[r]);
                ++s;
                ++r;
            }
        }
    }

    void too_short(const End& send, const End& receive) {
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

std::uint64_t Trace::operation_count() const {
    std::uint64_t count = 0;
    for (const RankTrace& rank : ranks) count += rank.operations.size();
    return count;
}

void check_trace(const Trace& trace) { Checker(trace).check(); }

bool TraceBalance::add(RankId rank, const RankTrace& trace) {
    const auto end = [](RankId sender, const TraceOperation& of) {
        return split_mix(split_mix(split_mix(sender) ^ of.tag) ^ of.amount);
    };
    for (const TraceOperation& operation : trace.operations) {
        if (operation.kind == Kind::kCompute) continue;
        const bool receives = operation.kind == Kind::kReceive;
        if (receives && (operation.peer == kAnySource || operation.tag == kAnyTag)) {
            ranks_[rank].takes_any = true;
        }
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
