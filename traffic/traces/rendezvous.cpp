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

void Rendezvous::rewrite(RankTrace& rank) {
    // The new begin and end of each operation.
    std::vector<std::pair<OperationId, OperationId>> parts;
    std::vector<TraceOperation> operations;
    std::vector<OperationDependency> dependencies;
    const auto add = [&](const TraceOperation& of, Kind kind, Part part, std::uint64_t bytes) {
        TraceOperation operation = of;
        operation.kind = kind;
        operation.amount = bytes;
        operation.tag = tag(of, part);
        operations.push_back(operation);
        return static_cast<OperationId>(operations.size() - 1);
    };
    for (const TraceOperation& of : rank.operations) {
        const bool computes = of.kind == Kind::kCompute;
        if (of.takes_any()) {
            findings_.add(of.line, 0,
                          "a receive of any source or tag, which rendezvous does not allow",
                          "name both, or leave traffic.trace.eager_bytes out");
        }
        if (computes || of.takes_any()) {
            operations.push_back(of);
            parts.emplace_back(operations.size() - 1, operations.size() - 1);
        } else if (of.amount <= eager_bytes_) {
            const OperationId only = add(of, of.kind, kEager, of.amount);
            parts.emplace_back(only, only);
        } else {
            const bool sends = of.kind == Kind::kSend;
            const OperationId announce = add(of, of.kind, kAnnounce, 0);
            const OperationId answer = add(of, sends ? Kind::kReceive : Kind::kSend, kAnswer, 0);
            const OperationId data = add(of, of.kind, kData, of.amount);
            // The sender waits for the answer, the receiver for the request.
            dependencies.push_back({answer, announce, sends});
            dependencies.push_back({data, answer, !sends});
            parts.emplace_back(announce, data);
        }
    }
    for (const OperationDependency& d : rank.dependencies) {
        const OperationId on = d.on_begin ? parts[d.on].first : parts[d.on].second;
        dependencies.push_back({parts[d.operation].first, on, d.on_begin});
    }
    rank.operations = std::move(operations);
    rank.dependencies = std::move(dependencies);
}

void make_rendezvous(Trace& trace, std::uint64_t eager_bytes) {
    match_ends(trace, [&](const MessageEnd* send, const MessageEnd* receive) {
        trace.ranks[receive->receiver].operations[receive->operation].amount = send->bytes;
    });
    Rendezvous rendezvous(trace.source, eager_bytes);
    for (RankTrace& rank : trace.ranks) rendezvous.rewrite(rank);
    rendezvous.throw_if_any();
}

}  // namespace flitscope
