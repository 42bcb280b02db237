// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/rendezvous.h"

#include <utility>
#include <vector>

#include "traffic/traces/message_ends.h"

namespace flitscope {
namespace {

using Kind = Operation::Kind;

/// The parts of a message with a rendezvous. Tags keep the parts, and short messages, apart.
enum Part : std::uint32_t { kEager, kAnnounce, kAnswer, kData, kParts };

}  // namespace

/// A new tag for an old one: tag and part together do not fit in 32 bits.
std::uint32_t Rendezvous::tag(const TraceOperation& of, std::uint32_t part) {
    const auto number = static_cast<std::uint32_t>(numbers_.size());
    const auto [entry, is_new] = numbers_.emplace(of.tag, number);
    if (is_new && number == kAnyTag / kParts) {
        findings_.add(of.line, 0, "there are too many tags", "");
        findings_.throw_if_any();
    }
    return entry->second * kParts + part;
}

/// The operations that take the place of those of a rank.
class Rendezvous::Rewritten {
public:
    explicit Rewritten(Rendezvous& rendezvous) : rendezvous_(rendezvous) {}

    void keep(const TraceOperation& of) { stand_for(append(of)); }
    void make_eager(const TraceOperation& of) { stand_for(add(of, of.kind, kEager, of.amount)); }
    /// The sender waits for the answer, the receiver for the request.
    void make_request(const TraceOperation& of) {
        const bool sends = of.kind == Kind::kSend;
        const OperationId announce = add(of, of.kind, kAnnounce, 0);
        const OperationId answer = add(of, sends ? Kind::kReceive : Kind::kSend, kAnswer, 0);
        const OperationId data = add(of, of.kind, kData, of.amount);
        dependencies_.push_back({answer, announce, sends});
        dependencies_.push_back({data, answer, !sends});
        parts_.push_back({announce, data});
    }
    /// The receiver answers with what it has received; what waits for its receive need not wait for
    /// that.
    void make_acknowledged(const TraceOperation& of) {
        const bool sends = of.kind == Kind::kSend;
        const OperationId data = add(of, of.kind, kData, of.amount);
        const OperationId answer = add(of, sends ? Kind::kReceive : Kind::kSend, kAnswer, 0);
        dependencies_.push_back({answer, data, sends});
        parts_.push_back({data, sends ? answer : data});
    }

    /// Takes the place of the operations of `rank`, each of which has been rewritten.
    void replace(RankTrace& rank) {
        for (const OperationDependency& d : rank.dependencies) {
            const OperationId on = d.on_begin ? parts_[d.on].begin : parts_[d.on].end;
            dependencies_.push_back({parts_[d.operation].begin, on, d.on_begin});
        }
        rank.operations = std::move(operations_);
        rank.dependencies = std::move(dependencies_);
    }

private:
    /// The operations with which an old one begins, and completes.
    struct Ends {
        OperationId begin;
        OperationId end;
    };

    OperationId append(const TraceOperation& operation) {
        operations_.push_back(operation);
        return static_cast<OperationId>(operations_.size() - 1);
    }
    OperationId add(const TraceOperation& of, Kind kind, Part part, std::uint64_t bytes) {
        TraceOperation operation = of;
        operation.kind = kind;
        operation.amount = bytes;
        operation.tag = rendezvous_.tag(of, part);
        return append(operation);
    }
    void stand_for(OperationId only) { parts_.push_back({only, only}); }

    Rendezvous& rendezvous_;
    std::vector<Ends> parts_;  // per old operation
    std::vector<TraceOperation> operations_;
    std::vector<OperationDependency> dependencies_;
};

void Rendezvous::rewrite(RankTrace& rank) {
    Rewritten rewritten(*this);
    for (const TraceOperation& of : rank.operations) {
        if (of.takes_any()) {
            findings_.add(of.line, 0,
                          "a receive of any source or tag, which rendezvous does not allow",
                          "name both, or leave traffic.trace.eager_bytes out");
        }
        if (of.kind == Kind::kCompute || of.takes_any()) {
            rewritten.keep(of);
        } else if (of.amount <= eager_bytes_) {
            rewritten.make_eager(of);
        } else if (acknowledged_) {
            rewritten.make_acknowledged(of);
        } else {
            rewritten.make_request(of);
        }
    }
    rewritten.replace(rank);
}

void make_rendezvous(Trace& trace, std::uint64_t eager_bytes, bool acknowledged) {
    match_ends(trace, [&](const MessageEnd* send, const MessageEnd* receive) {
        trace.ranks[receive->receiver].operations[receive->operation].amount = send->bytes;
    });
    Rendezvous rendezvous(trace.source, eager_bytes, acknowledged);
    for (RankTrace& rank : trace.ranks) rendezvous.rewrite(rank);
    rendezvous.throw_if_any();
}

}  // namespace flitscope
