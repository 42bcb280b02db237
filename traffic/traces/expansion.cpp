// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "models/base/index_iterator.h"

namespace flitscope {
namespace {

using Kind = Operation::Kind;

/// A rank of a group, and its collectives of the group, as numbers in RankTrace::collectives.
struct Member {
    RankId rank = 0;
    std::vector<std::size_t> collectives;
};
using Members = std::vector<Member>;  // in order of ranks

const TraceCollective& collective_of(const Trace& trace, const Member& member, std::size_t i) {
    return trace.ranks[member.rank].collectives[member.collectives[i]];
}

/// The place of a rank among the members; of a non-member, their number.
std::size_t place_of(RankId rank, const Members& members) {
    const auto at =
        std::lower_bound(members.begin(), members.end(), rank,
                         [](const Member& member, RankId wanted) { return member.rank < wanted; });
    const bool is_there = at != members.end() && at->rank == rank;
    return is_there ? static_cast<std::size_t>(at - members.begin()) : members.size();
}

/// The messages of a program step by step. Reversed, the last one comes first, and each goes from
/// its destination to its source: a scatter becomes a gather.
class StepwiseTransfers {
public:
    using value_type = Transfer;

    StepwiseTransfers(const Program& program, bool is_reversed)
        : transfers_(program.transfers), order_(step_order(program)), is_reversed_(is_reversed) {}

    IndexIterator<StepwiseTransfers> begin() const { return {*this, 0}; }
    IndexIterator<StepwiseTransfers> end() const { return {*this, order_.size()}; }
    Transfer operator[](std::size_t i) const {
        if (!is_reversed_) return transfers_[order_[i]];
        Transfer transfer = transfers_[order_[order_.size() - 1 - i]];
        std::swap(transfer.source, transfer.destination);
        return transfer;
    }

private:
    const Transfers& transfers_;
    MessageOrder order_;
    bool is_reversed_;
};

/// Puts the members' operations for their i-th collective into the trace, step by step. The first
/// step of a member comes after the begin of its collective, each further one after all of the last
/// one that it took part in, and the end after that.
class StepChain {
public:
    StepChain(Trace& trace, const Members& members, std::size_t i)
        : trace_(trace), members_(members), i_(i), before_(members.size()), now_(members.size()) {
        for (std::size_t m = 0; m < members.size(); ++m) {
            before_[m] = {collective_of(trace, members[m], i).begin};
        }
    }

    /// Adds an operation of the member at place `m` to the present step.
    void add(std::size_t m, const TraceOperation& operation) {
        RankTrace& rank = trace_.ranks[members_[m].rank];
        const auto number = static_cast<OperationId>(rank.operations.size());
        rank.operations.push_back(operation);
        put_after_last_step(number, m);
        if (now_[m].empty()) active_.push_back(m);
        now_[m].push_back(number);
    }

    void end_step() {
        for (const std::size_t m : active_) {
            before_[m] = std::move(now_[m]);
            now_[m].clear();
        }
        active_.clear();
    }

    /// After the last operation of all.
    void close() {
        end_step();
        for (std::size_t m = 0; m < members_.size(); ++m) {
            put_after_last_step(collective_of(trace_, members_[m], i_).end, m);
        }
    }

private:
    void put_after_last_step(OperationId operation, std::size_t m) {
        RankTrace& rank = trace_.ranks[members_[m].rank];
        for (const OperationId on : before_[m]) rank.dependencies.push_back({operation, on, false});
    }

    Trace& trace_;
    const Members& members_;
    std::size_t i_;
    std::vector<std::vector<OperationId>> before_;  // by member: in the last step that it was in
    std::vector<std::vector<OperationId>> now_;     // by member: in the current step
    std::vector<std::size_t> active_;               // members that the present step has so far
};

/// An end of a message of a collective.
TraceOperation message_end(Kind kind, std::uint64_t bytes, RankId peer, std::uint32_t tag) {
    TraceOperation operation;
    operation.kind = kind;
    operation.amount = bytes;
    operation.peer = peer;
    operation.tag = tag;
    operation.stream = kMessageStream;
    return operation;
}

class Expansion {
public:
    Expansion(Trace& trace, const std::vector<NodeId>& node_of, NodeId nodes,
              const ScheduleOfCollective& schedule)
        : trace_(trace), schedule_(schedule), node_of_(node_of), rank_of_(nodes, kNoRank) {
        for (RankId rank = 0; rank < node_of.size(); ++rank) rank_of_[node_of[rank]] = rank;
    }

    void expand() {
        find_groups();
        for (const auto& [group, members] : groups_) {
            check(group, members);
            const std::size_t count = members.front().collectives.size();
            for (std::size_t i = 0; i < count; ++i) expand(members, i);
        }
        for (const auto& [schedule, use] : uses_) {
            trace_.schedules.push_back(fmt::format("{} collective{} by {}, of {} bytes in all",
                                                   use.times, use.times == 1 ? "" : "s", schedule,
                                                   use.bytes));
        }
    }

private:
    [[noreturn]] void refuse(const std::string& what, std::string hint) const {
        throw ConfigError({trace_.source, 0, 0}, what, std::move(hint));
    }

    const TraceCollective& collective(const Member& member, std::size_t i) const {
        return collective_of(trace_, member, i);
    }

    void find_groups() {
        bool has_world = false;
        for (RankId rank = 0; rank < trace_.ranks.size(); ++rank) {
            const auto& all = trace_.ranks[rank].collectives;
            for (std::size_t i = 0; i < all.size(); ++i) {
                has_world = has_world || !all[i].group;
                Members& members = groups_[all[i].group];
                if (members.empty() || members.back().rank != rank) members.push_back({rank, {}});
                members.back().collectives.push_back(i);
            }
        }
        if (!has_world) return;
        Members everybody;
        for (RankId rank = 0; rank < trace_.ranks.size(); ++rank) everybody.push_back({rank, {}});
        for (Member& member : groups_[std::nullopt]) everybody[member.rank] = std::move(member);
        groups_[std::nullopt] = std::move(everybody);
    }

    void check(const std::optional<std::string>& group, const Members& members) const {
        const Member& first = members.front();
        for (const Member& member : members) {
            const std::size_t most = std::max(first.collectives.size(), member.collectives.size());
            for (std::size_t i = 0; i < most; ++i) {
                if (i < first.collectives.size() && i < member.collectives.size()) {
                    const auto all = [](const TraceCollective& c) {
                        return std::tie(c.schedule, c.algorithm, c.is_share, c.root, c.is_reversed);
                    };
                    const TraceCollective& one = collective(first, i);
                    const TraceCollective& other = collective(member, i);
                    const bool is_as_long = one.bytes == other.bytes || one.may_differ;
                    if (is_as_long && all(one) == all(other)) continue;
                }
                refuse(fmt::format("collective {} of rank {}{} is not that of rank {}", i + 1,
                                   member.rank, group ? " in group '" + *group + '\'' : "",
                                   first.rank),
                       "all ranks have the same collectives, in the same order");
            }
        }
    }

    void expand(const Members& members, std::size_t i) {
        const TraceCollective& of = collective(members.front(), i);
        const std::vector<std::uint64_t> blocks = blocks_of(members, i);
        const CollectiveSchedule wanted =
            wanted_schedule(of, members, *std::max_element(blocks.begin(), blocks.end()));
        if (of.has_root && of.root == kNoRank) note(TraceNote::kNoRoot, of);
        if (members.size() < 2) return;
        if (std::adjacent_find(blocks.begin(), blocks.end(), std::not_equal_to<>()) !=
            blocks.end()) {
            note(TraceNote::kUnevenExchange, of);
        }
        const Program& program = program_of(wanted);
        require_room(of, program);
        Use& use = uses_[program.name];
        ++use.times;
        use.bytes += wanted.bytes;
        StepChain chain(trace_, members, i);
        StepId step = 0;
        for (const Transfer& t : StepwiseTransfers(program, of.is_reversed)) {
            if (t.step != step) chain.end_step();
            step = t.step;
            const std::uint32_t tag = kCollectiveTags + tag_ + step;
            const std::size_t from = place_at(t.source, members);
            const std::size_t to = place_at(t.destination, members);
            // Every message of such a schedule is a block of its source.
            const std::uint64_t bytes = of.may_differ ? blocks[from] : t.bytes;
            chain.add(from, message_end(Kind::kSend, bytes, members[to].rank, tag));
            chain.add(to, message_end(Kind::kReceive, bytes, members[from].rank, tag));
        }
        chain.close();
        tag_ += program.step_count();
        messages_ += program.transfers.size();
    }

    /// Whether all nodes have a rank of the group: then its schedule is one for the whole network,
    /// and otherwise one for its members in a line.
    bool is_of_network(const Members& members) const { return members.size() == rank_of_.size(); }

    /// The place among the members of a node of the schedule. If all ranks are members, they are
    /// all ranks in order.
    std::size_t place_at(NodeId node, const Members& members) const {
        return is_of_network(members) ? rank_of_[node] : node;
    }

    void note(TraceNote note, const TraceCollective& of) {
        trace_.notes.add(note, fmt::format("node '{}'", of.name));
    }

    /// Of each member, what it calls `bytes`, or its share of that.
    std::vector<std::uint64_t> blocks_of(const Members& members, std::size_t i) const {
        std::vector<std::uint64_t> blocks;
        for (const Member& member : members) {
            const TraceCollective& of = collective(member, i);
            const std::uint64_t parts = of.is_share ? members.size() : 1;
            blocks.push_back(of.bytes / parts + (of.bytes % parts != 0 ? 1 : 0));
        }
        return blocks;
    }

    CollectiveSchedule wanted_schedule(const TraceCollective& of, const Members& members,
                                       std::uint64_t bytes) const {
        const std::size_t root = of.root != kNoRank ? place_of(of.root, members) : 0;
        if (root == members.size()) {
            refuse(fmt::format("collective '{}' has rank {} as its root, which is not in its group",
                               of.name, of.root),
                   "");
        }
        CollectiveSchedule wanted{of.schedule, of.algorithm, bytes, 0, 0};
        if (is_of_network(members)) {
            wanted.root = of.has_root ? node_of_[members[root].rank] : 0;
        } else {
            wanted.root = static_cast<NodeId>(root);
            wanted.line = static_cast<NodeId>(members.size());
        }
        return wanted;
    }

    /// Every step has its own tag, and a program of the whole trace has to be possible.
    void require_room(const TraceCollective& of, const Program& program) const {
        if (program.ordering != Ordering::kSteps ||
            program.step_count() >= kCollectiveTags - tag_) {
            refuse(fmt::format("collective '{}' has too many steps", of.name), "");
        }
        if (messages_ + program.transfers.size() > kMaxTransfers) {
            refuse(fmt::format("with collective '{}' the trace sends more than {} messages",
                               of.name, kMaxTransfers),
                   "");
        }
    }

    const Program& program_of(const CollectiveSchedule& wanted) {
        auto found = programs_.find(wanted);
        if (found == programs_.end()) {
            constexpr std::size_t kKept = 4;  // training repeats itself
            if (programs_.size() == kKept) programs_.clear();
            found = programs_.emplace(wanted, schedule_(wanted)).first;
        }
        return found->second;
    }

    Trace& trace_;
    const ScheduleOfCollective& schedule_;
    const std::vector<NodeId>& node_of_;
    std::vector<RankId> rank_of_;  // per node
    std::map<std::optional<std::string>, Members> groups_;
    std::map<CollectiveSchedule, Program> programs_;
    /// Collectives that became a schedule.
    struct Use {
        std::uint64_t times = 0;
        std::uint64_t bytes = 0;  // their traffic.message_bytes
    };
    std::map<std::string, Use> uses_;
    std::uint32_t tag_ = 0;       // tag of the next step
    std::uint64_t messages_ = 0;  // messages of the collectives so far
};

}  // namespace

void expand_collectives(Trace& trace, const std::vector<NodeId>& node_of, NodeId nodes,
                        const ScheduleOfCollective& schedule) {
    Expansion(trace, node_of, nodes, schedule).expand();
}

}  // namespace flitscope
