// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/expansion.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace flitscope {
namespace {

using Kind = Operation::Kind;

class Expansion {
public:
    Expansion(Trace& trace, const std::vector<NodeId>& node_of, NodeId nodes,
              const ScheduleOfCollective& schedule)
        : trace_(trace), schedule_(schedule), rank_of_(nodes, kNoRank) {
        for (RankId rank = 0; rank < node_of.size(); ++rank) rank_of_[node_of[rank]] = rank;
    }

    void expand() {
        check();
        for (std::size_t i = 0; i < trace_.ranks.front().collectives.size(); ++i) expand(i);
    }

private:
    [[noreturn]] void refuse(const std::string& what, std::string hint) const {
        throw ConfigError({trace_.source, 0, 0}, what, std::move(hint));
    }

    void check() const {
        const auto& first = trace_.ranks.front().collectives;
        for (RankId rank = 0; rank < trace_.ranks.size(); ++rank) {
            const auto& others = trace_.ranks[rank].collectives;
            for (std::size_t i = 0; i < std::max(first.size(), others.size()); ++i) {
                const bool is_same = i < first.size() && i < others.size() &&
                                     first[i].schedule == others[i].schedule &&
                                     first[i].bytes == others[i].bytes;
                if (is_same) continue;
                refuse(fmt::format("collective {} of rank {} is not that of rank 0", i + 1, rank),
                       "all ranks have the same collectives, in the same order");
            }
        }
        if (!first.empty() && trace_.ranks.size() != rank_of_.size()) {
            refuse(fmt::format("the trace has collectives of {} ranks, the network {} nodes",
                               trace_.ranks.size(), rank_of_.size()),
                   "collectives are expanded over all nodes: take a network of as many");
        }
    }

    void expand(std::size_t i) {
        const TraceCollective& of = trace_.ranks.front().collectives[i];
        const Program& program = program_of(of);
        if (program.ordering != Ordering::kSteps ||
            program.step_count() >= kCollectiveTags - tag_) {
            refuse(fmt::format("collective '{}' has too many steps", of.name), "");
        }
        messages_ += program.transfers.size();
        if (messages_ > kMaxTransfers) {
            refuse(fmt::format("with collective '{}' the trace sends more than {} messages",
                               of.name, kMaxTransfers),
                   "");
        }
        // Of each rank: what its next step comes after, and what that step has so far.
        std::vector<std::vector<OperationId>> before;
        std::vector<std::vector<OperationId>> now(trace_.ranks.size());
        for (const RankTrace& rank : trace_.ranks) before.push_back({rank.collectives[i].begin});
        std::vector<RankId> active;
        const auto end_step = [&] {
            for (const RankId rank : active) {
                before[rank] = std::move(now[rank]);
                now[rank].clear();
            }
            active.clear();
        };
        StepId step = 0;
        for (const MessageId id : step_order(program)) {
            const Transfer& t = program.transfers[id];
            if (t.step != step) end_step();
            step = t.step;
            const RankId source = rank_of_[t.source];
            const RankId destination = rank_of_[t.destination];
            for (const bool sends : {true, false}) {
                const RankId at = sends ? source : destination;
                TraceOperation operation;
                operation.kind = sends ? Kind::kSend : Kind::kReceive;
                operation.amount = t.bytes;
                operation.peer = sends ? destination : source;
                operation.tag = kCollectiveTags + tag_ + step;
                operation.stream = kMessageStream;
                RankTrace& rank = trace_.ranks[at];
                const auto number = static_cast<OperationId>(rank.operations.size());
                rank.operations.push_back(operation);
                for (const OperationId on : before[at]) {
                    rank.dependencies.push_back({number, on, false});
                }
                if (now[at].empty()) active.push_back(at);
                now[at].push_back(number);
            }
        }
        end_step();
        for (RankId rank = 0; rank < trace_.ranks.size(); ++rank) {
            for (const OperationId on : before[rank]) {
                trace_.ranks[rank].dependencies.push_back(
                    {trace_.ranks[rank].collectives[i].end, on, false});
            }
        }
        tag_ += program.step_count();
    }

    const Program& program_of(const TraceCollective& of) {
        const auto key = std::pair(of.schedule, of.bytes);
        auto found = programs_.find(key);
        if (found == programs_.end()) {
            programs_.clear();  // training repeats itself; one is enough to keep
            found = programs_.emplace(key, schedule_(of.schedule, of.bytes)).first;
        }
        return found->second;
    }

    Trace& trace_;
    const ScheduleOfCollective& schedule_;
    std::vector<RankId> rank_of_;  // per node
    std::map<std::pair<std::string, std::uint64_t>, Program> programs_;
    std::uint32_t tag_ = 0;  // of the next step
    std::uint64_t messages_ = 0;
};

/// The parts of a message with a rendezvous. Tags keep the parts, and short messages, apart.
enum Part : std::uint32_t { kEager, kAnnounce, kAnswer, kData, kParts };

class Rendezvous {
public:
    Rendezvous(Trace& trace, std::uint64_t eager_bytes)
        : trace_(trace), findings_(trace.source), eager_bytes_(eager_bytes) {}

    void make() {
        for (const RankTrace& rank : trace_.ranks) {
            for (const TraceOperation& operation : rank.operations) number(operation);
        }
        findings_.throw_if_any();
        for (RankTrace& rank : trace_.ranks) rewrite(rank);
    }

private:
    /// New tags for old ones: parts do not fit beside them in 32 bits.
    void number(const TraceOperation& operation) {
        if (operation.kind == Kind::kCompute) return;
        if (operation.peer == kAnySource || operation.tag == kAnyTag) {
            findings_.add(operation.line, 0, "a receive of any source or tag beside rendezvous",
                          "name both, or leave traffic.trace.eager_bytes out");
            return;
        }
        numbers_.emplace(operation.tag, static_cast<std::uint32_t>(numbers_.size()));
        if (numbers_.size() > kAnyTag / kParts) {
            findings_.add(operation.line, 0, "there are too many tags", "");
        }
    }

    void rewrite(RankTrace& rank) {
        // Where each operation begins and ends now.
        std::vector<std::pair<OperationId, OperationId>> parts;
        std::vector<TraceOperation> operations;
        std::vector<OperationDependency> dependencies;
        const auto add = [&](const TraceOperation& of, Kind kind, Part part, std::uint64_t bytes) {
            TraceOperation operation = of;
            operation.kind = kind;
            operation.amount = bytes;
            operation.tag = numbers_.at(of.tag) * kParts + part;
            operations.push_back(operation);
            return static_cast<OperationId>(operations.size() - 1);
        };
        for (const TraceOperation& of : rank.operations) {
            if (of.kind == Kind::kCompute) {
                operations.push_back(of);
                parts.emplace_back(operations.size() - 1, operations.size() - 1);
            } else if (of.amount <= eager_bytes_) {
                const OperationId only = add(of, of.kind, kEager, of.amount);
                parts.emplace_back(only, only);
            } else if (of.kind == Kind::kSend) {
                const OperationId announce = add(of, Kind::kSend, kAnnounce, 0);
                const OperationId answer = add(of, Kind::kReceive, kAnswer, 0);
                const OperationId data = add(of, Kind::kSend, kData, of.amount);
                dependencies.push_back({answer, announce, true});
                dependencies.push_back({data, answer, false});
                parts.emplace_back(announce, data);
            } else {
                const OperationId announce = add(of, Kind::kReceive, kAnnounce, 0);
                const OperationId answer = add(of, Kind::kSend, kAnswer, 0);
                const OperationId data = add(of, Kind::kReceive, kData, of.amount);
                dependencies.push_back({answer, announce, false});
                dependencies.push_back({data, answer, true});
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

    Trace& trace_;
    TraceFindings findings_;
    std::uint64_t eager_bytes_;
    std::map<std::uint32_t, std::uint32_t> numbers_;  // of tags
};

}  // namespace

void expand_collectives(Trace& trace, const std::vector<NodeId>& node_of, NodeId nodes,
                        const ScheduleOfCollective& schedule) {
    Expansion(trace, node_of, nodes, schedule).expand();
}

void make_rendezvous(Trace& trace, std::uint64_t eager_bytes) {
    Rendezvous(trace, eager_bytes).make();
}

}  // namespace flitscope
