// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs as data: their order by step and by node, and the check that they can be played.
#include "traffic/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "models/base/limits.h"
#include "traffic/program/operations.h"

namespace flitscope {
namespace {

constexpr StepId kLastStep = std::numeric_limits<StepId>::max();

std::string describe(const Program& program, MessageId id) {
    const Transfer& t = program.transfers[id];
    return fmt::format("message {} ({}->{})", program.number(id), t.source, t.destination);
}

MessageOrder time_order(const Program& program) {
    const Transfers& transfers = program.transfers;
    return MessageOrder::by(transfers.size(), [&](MessageId id) { return transfers.time(id); });
}

/// Distributes `order` over nodes, keeping it within a node; node_of(id) is the node of a message.
template <class NodeOf>
NodeMessages by_node(NodeId nodes, const MessageOrder& order, NodeOf node_of) {
    std::vector<std::uint32_t> first(std::size_t{nodes} + 1);
    for (const MessageId id : order) ++first[std::size_t{node_of(id)} + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<MessageId> ids(order.size());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (const MessageId id : order) ids[next[node_of(id)]++] = id;
    return {std::move(first), std::move(ids)};
}

/// The messages that must have arrived before a timed send begins. Messages that it streams are
/// awaited flit by flit, by the network interface.
const std::vector<MessageId>& awaited_by(const Transfers& transfers, MessageId id) {
    static const std::vector<MessageId> kNothing;
    return transfers.streams(id) ? kNothing : transfers.after(id);
}

bool names_nodes_out_of_range(const Program& program) {
    const Transfers& transfers = program.transfers;
    if (transfers.rule() != nullptr) return transfers.rule()->nodes() != program.nodes;
    for (MessageId id = 0; id < transfers.size(); ++id) {
        if (transfers.source(id) >= program.nodes || transfers.destination(id) >= program.nodes) {
            return true;
        }
    }
    return false;
}

/// The messages that timed sends wait for.
NodeMessages awaited(const Program& program, const NodeMessages& sends) {
    std::vector<std::uint32_t> first;
    std::vector<MessageId> ids;
    for (NodeId node = 0; node <= program.nodes; ++node) {
        first.push_back(static_cast<std::uint32_t>(ids.size()));
        if (node == program.nodes) break;
        for (std::uint32_t i = sends.first(node); i < sends.first(node + 1); ++i) {
            const std::vector<MessageId>& before = awaited_by(program.transfers, sends[i]);
            ids.insert(ids.end(), before.begin(), before.end());
        }
    }
    return {std::move(first), std::move(ids)};
}

/// Looks for messages of a timed program that wait for each other. A message waits for the messages
/// it comes after and for the start of the node's previous one; messages that remain when all that
/// can begin have begun (Kahn 1962) are a cycle or wait for one.
class MessageWaits {
public:
    explicit MessageWaits(const Program& program)
        : program_(program), previous_(program.transfers.size(), kNone) {
        const NodeMessages sends = NodeMessages::sent(program, time_order(program));
        for (NodeId node = 0; node < program.nodes; ++node) {
            for (std::uint32_t i = sends.first(node) + 1; i < sends.first(node + 1); ++i) {
                previous_[sends[i]] = sends[i - 1];
            }
        }
    }

    /// Messages such that each waits for the next and the last for the first; empty without a
    /// cycle.
    std::vector<MessageId> find_cycle() const {
        const std::vector<bool> stuck = stuck_messages();
        const auto start = std::find(stuck.begin(), stuck.end(), true);
        if (start == stuck.end()) return {};
        // A stuck message waits for a stuck one, so following them must come back to a message.
        std::vector<MessageId> path;
        std::vector<bool> visited(stuck.size());
        auto at = static_cast<MessageId>(start - stuck.begin());
        while (!visited[at]) {
            visited[at] = true;
            path.push_back(at);
            at = stuck_predecessor(at, stuck);
        }
        path.erase(path.begin(), std::find(path.begin(), path.end(), at));
        return path;
    }

    bool waits_by_order(MessageId id, MessageId for_id) const { return previous_[id] == for_id; }

private:
    static constexpr MessageId kNone = std::numeric_limits<MessageId>::max();

    std::vector<bool> stuck_messages() const {
        const std::size_t count = program_.transfers.size();
        std::vector<std::uint32_t> waits(count);
        std::vector<std::size_t> first(count + 1);  // successors, compressed
        const auto each_edge = [&](auto visit) {
            for (MessageId id = 0; id < count; ++id) {
                if (previous_[id] != kNone) visit(previous_[id], id);
                for (const MessageId before : program_.transfers.after(id)) visit(before, id);
            }
        };
        each_edge([&](MessageId before, MessageId id) {
            ++first[std::size_t{before} + 1];
            ++waits[id];
        });
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<MessageId> successors(first.back());
        std::vector<std::size_t> next(first.begin(), first.end() - 1);
        each_edge([&](MessageId before, MessageId id) { successors[next[before]++] = id; });

        std::vector<bool> stuck(count, true);
        std::vector<MessageId> ready;
        for (MessageId id = 0; id < count; ++id) {
            if (waits[id] == 0) ready.push_back(id);
        }
        while (!ready.empty()) {
            const MessageId id = ready.back();
            ready.pop_back();
            stuck[id] = false;
            for (std::size_t i = first[id]; i < first[std::size_t{id} + 1]; ++i) {
                if (--waits[successors[i]] == 0) ready.push_back(successors[i]);
            }
        }
        return stuck;
    }

    MessageId stuck_predecessor(MessageId id, const std::vector<bool>& stuck) const {
        for (const MessageId before : program_.transfers.after(id)) {
            if (stuck[before]) return before;
        }
        return previous_[id];
    }

    const Program& program_;
    std::vector<MessageId> previous_;  ///< message of the same source, or kNone
};

Diagnostic cycle_finding(const Program& program, const MessageWaits& waits,
                         const std::vector<MessageId>& cycle, Location where) {
    constexpr std::size_t kShown = 8;
    std::string text = "messages wait for each other and none can begin: ";
    for (std::size_t i = 0; i < std::min(cycle.size(), kShown); ++i) {
        const MessageId next = cycle[(i + 1) % cycle.size()];
        text += fmt::format("{} {} ", describe(program, cycle[i]),
                            waits.waits_by_order(cycle[i], next) ? "follows" : "comes after");
    }
    text += cycle.size() > kShown ? fmt::format("... ({} messages in all)", cycle.size())
                                  : fmt::format("message {}", program.number(cycle.front()));
    return {std::move(where), std::move(text),
            "remove one of the `after` entries, or move a message in its sender's order"};
}

using Report = std::function<void(MessageId, std::string, std::string)>;

/// Copies of a value leave together, so all but their destinations is alike.
void check_copy(const Program& program, MessageId id, const Report& report) {
    const Transfer& t = program.transfers[id];
    if (!t.is_copy) return;
    if (id == 0) {
        report(id,
               fmt::format("message {} is a copy of the one before it, which does not exist",
                           program.number(id)),
               "list the value itself first");
        return;
    }
    const Transfer& of = program.transfers[id - 1];
    if (t.source == of.source && t.bytes == of.bytes && t.step == of.step && t.time == of.time &&
        t.streams == of.streams && t.after == of.after) {
        return;
    }
    report(id,
           fmt::format("message {} is not a copy of message {}", program.number(id),
                       program.number(id - 1)),
           "copies have the source, bytes, step or time, `after` and `streams` of the one before");
}

/// A message that streams takes its flits from those that it comes after.
void check_stream(const Program& program, MessageId id, const Report& report) {
    const Transfer& t = program.transfers[id];
    if (!t.streams) return;
    if (t.after.empty()) {
        report(id, fmt::format("message {} streams nothing", program.number(id)),
               "name the messages whose flits it forwards in `after`");
    }
    for (const MessageId before : t.after) {
        if (before >= program.transfers.size() || program.transfers[before].bytes == t.bytes) {
            continue;
        }
        report(id,
               fmt::format("message {} of {} bytes streams message {} of {}", program.number(id),
                           t.bytes, program.number(before), program.transfers[before].bytes),
               "a streamed message has the length of the message that it forwards");
    }
}

bool has_repeats(std::vector<MessageId> ids) {
    std::sort(ids.begin(), ids.end());
    return std::adjacent_find(ids.begin(), ids.end()) != ids.end();
}

void check_transfer(const Program& program, MessageId id, const Report& report) {
    const Transfer& t = program.transfers[id];
    const std::uint64_t number = program.number(id);
    const auto check_node = [&](const char* role, NodeId node) {
        if (node < program.nodes) return;
        report(id, fmt::format("{} {} of message {} does not exist", role, node, number),
               program.nodes == 0 ? "the network has no nodes"
                                  : fmt::format("nodes are 0 .. {}", program.nodes - 1));
    };
    check_node("source", t.source);
    check_node("destination", t.destination);
    if (t.source == t.destination) {
        report(id, fmt::format("message {} goes from node {} to itself", number, t.source),
               "leave it out, since nothing crosses the network; traffic.self_messages: drop does "
               "so for all "
               "of a program file");
    }
    if (t.bytes > kMostMessageBytes) {
        report(id, fmt::format("message {} has {} bytes", number, t.bytes),
               fmt::format("at most {} bytes", kMostMessageBytes));
    }
    check_copy(program, id, report);
    check_stream(program, id, report);
    if (program.ordering == Ordering::kOperations && (!t.after.empty() || t.time != 0)) {
        report(id,
               fmt::format("message {} of a program of operations has a time or `after`", number),
               "operations determine when it is sent");
        return;
    }
    if (program.ordering == Ordering::kSteps) {
        if (t.step >= kMostSteps) {
            report(id, fmt::format("step {} of message {} is too large", t.step, number),
                   fmt::format("steps are 0 .. {}", kMostSteps - 1));
        }
        if (!t.after.empty() || t.time != 0) {
            report(id, fmt::format("message {} of a step program has a time or `after`", number),
                   "use steps, or times and `after`, but not both");
        }
        return;
    }
    std::set<MessageId> named;  // if something is named twice
    const bool repeats = has_repeats(t.after);
    for (auto it = t.after.begin(); it != t.after.end(); ++it) {
        if (*it >= program.transfers.size()) {
            report(
                id,
                fmt::format("message {} comes after message {}, which does not exist", number, *it),
                fmt::format("messages are 0 .. {}", program.transfers.size() - 1));
        } else if (program.transfers[*it].destination != t.source) {
            report(id,
                   fmt::format("message {} of node {} comes after {}, which that node does not "
                               "receive",
                               number, t.source, describe(program, *it)),
                   "a node can only wait for messages that are sent to it");
        }
        if (repeats && !named.insert(*it).second) {
            report(id,
                   fmt::format("message {} names message {} twice in `after`", number,
                               program.number(*it)),
                   "name it once");
        }
    }
}

std::vector<Diagnostic> check_operations(const Program& program) {
    const auto refuse = [&](std::string what) {
        return std::vector<Diagnostic>{{{program.name, 0, 0}, std::move(what), ""}};
    };
    if (program.operations == nullptr) return refuse("a program of operations without any");
    const Operations& operations = *program.operations;
    if (operations.nodes() != program.nodes) return refuse("the operations do not fit the nodes");
    return validate(operations, program.transfers, program.name);
}

}  // namespace

Cycle BarrierCost::cycles(NodeId nodes) const {
    const double doublings = nodes > 1 ? std::log2(static_cast<double>(nodes)) : 0;
    const double cost = per_doubling * doublings + fixed;
    if (!(cost > 0)) return 0;
    constexpr double kLargest = 4e18;  // far beyond any run, and exact to convert
    if (cost >= kLargest) return static_cast<Cycle>(kLargest);
    // 1.1 * 10 is 11.000000000000002 in binary and must not round up to 12.
    return static_cast<Cycle>(std::ceil(cost - 1e-12 * cost));
}

Program empty_program(std::string name, NodeId nodes, std::uint64_t transfers) {
    Program program;
    program.name = std::move(name);
    program.nodes = nodes;
    program.transfers.reserve(transfers);
    return program;
}

Program program_by_rule(std::string name, std::shared_ptr<const TransferRule> rule,
                        std::uint64_t bytes) {
    Program program = empty_program(std::move(name), rule->nodes(), 0);
    program.transfers = {std::move(rule), bytes};
    return program;
}

void Program::keep_numbers() {
    for (std::size_t id = numbers.size(); id < transfers.size(); ++id) numbers.push_back(id);
}

void Program::send(NodeId source, NodeId destination, std::uint64_t bytes, StepId step) {
    transfers.push_back({source, destination, bytes, step});
}

StepId Program::step_count() const {
    if (transfers.rule() != nullptr) return transfers.empty() ? 0 : transfers.back().step + 1;
    StepId count = 0;
    for (MessageId id = 0; id < transfers.size(); ++id) {
        count = std::max(count, transfers.step(id) + 1);
    }
    return count;
}

StepId Program::schedule_step(StepId step) const {
    const auto before = std::lower_bound(handshake_steps.begin(), handshake_steps.end(), step);
    return step - static_cast<StepId>(before - handshake_steps.begin());
}

MessageOrder step_order(const Program& program) {
    const Transfers& transfers = program.transfers;
    if (transfers.rule() != nullptr) return MessageOrder::as_listed(transfers.size());
    return MessageOrder::by(transfers.size(), [&](MessageId id) { return transfers.step(id); });
}

std::vector<Diagnostic> validate(const Program& program,
                                 const std::function<Location(MessageId)>& locate) {
    std::vector<Diagnostic> findings;
    const auto where = [&](MessageId id) {
        return locate ? locate(id) : Location{program.name, 0, 0};
    };
    constexpr std::size_t kMaxFindings = 100;
    for (MessageId id = 0;
         id < program.transfers.representatives() && findings.size() < kMaxFindings; ++id) {
        check_transfer(program, id, [&](MessageId of, std::string what, std::string hint) {
            findings.push_back({where(of), std::move(what), std::move(hint)});
        });
    }
    if (program.ordering == Ordering::kTimed && program.barrier_cycles) {
        findings.push_back({{program.name, 0, 0},
                            "a timed program has no steps to put barriers between",
                            "remove the barrier, or give the messages steps"});
    }
    if (findings.empty() && program.ordering == Ordering::kOperations) {
        return check_operations(program);
    }
    if (findings.empty() && program.ordering == Ordering::kTimed) {
        const MessageWaits waits(program);
        const std::vector<MessageId> cycle = waits.find_cycle();
        if (!cycle.empty()) {
            findings.push_back(cycle_finding(program, waits, cycle, where(cycle.front())));
        }
    }
    return findings;
}

NodeMessages NodeMessages::sent(const Program& program, const MessageOrder& order) {
    const Transfers& transfers = program.transfers;
    if (transfers.rule() != nullptr) return {*transfers.rule(), true};
    return by_node(program.nodes, order, [&](MessageId id) { return transfers.source(id); });
}

NodeMessages NodeMessages::received(const Program& program, const MessageOrder& order) {
    const Transfers& transfers = program.transfers;
    if (transfers.rule() != nullptr) return {*transfers.rule(), false};
    return by_node(program.nodes, order, [&](MessageId id) { return transfers.destination(id); });
}

NodePrograms::NodePrograms(const Program& program) : program_(program) {
    if (names_nodes_out_of_range(program)) {
        throw std::invalid_argument("NodePrograms: a transfer names a node out of range");
    }
    switch (program.ordering) {
        case Ordering::kOperations:  // no steps: OperationPlayer has the nodes' actions
            sends = {std::vector<std::uint32_t>(program.nodes + std::size_t{1}), {}};
            receives = sends;
            return;
        case Ordering::kTimed:
            sends = NodeMessages::sent(program, time_order(program));
            receives = awaited(program, sends);
            return;
        case Ordering::kSteps: {
            const MessageOrder order = step_order(program);
            sends = NodeMessages::sent(program, order);
            receives = NodeMessages::received(program, order);
        }
    }
}

NodeStep NodePrograms::entry_at(NodeId node, std::uint32_t send, std::uint32_t receive) const {
    const Transfers& transfers = program_.transfers;
    const std::uint32_t send_end = sends.first(node + 1);
    const std::uint32_t receive_end = receives.first(node + 1);
    NodeStep entry;
    entry.first_send = send;
    entry.first_receive = receive;
    if (program_.ordering == Ordering::kTimed) {
        if (send == send_end) return entry;
        const MessageId id = sends[send];
        entry.step = transfers.step(id);
        entry.send_count = 1;
        entry.receive_count = static_cast<std::uint32_t>(awaited_by(transfers, id).size());
        entry.not_before = transfers.time(id);
        return entry;
    }
    if (send == send_end && receive == receive_end) return entry;
    entry.step = std::min(send < send_end ? transfers.step(sends[send]) : kLastStep,
                          receive < receive_end ? transfers.step(receives[receive]) : kLastStep);
    while (send < send_end && transfers.step(sends[send]) == entry.step) ++send;
    while (receive < receive_end && transfers.step(receives[receive]) == entry.step) ++receive;
    entry.send_count = send - entry.first_send;
    entry.receive_count = receive - entry.first_receive;
    return entry;
}

NodeStep NodePrograms::first(NodeId node) const {
    return entry_at(node, sends.first(node), receives.first(node));
}

NodeStep NodePrograms::next(NodeId node, const NodeStep& entry) const {
    return entry_at(node, entry.first_send + entry.send_count,
                    entry.first_receive + entry.receive_count);
}

NodeSteps::NodeSteps(const Program& program) : NodePrograms(program) {
    first_step.push_back(0);
    for (NodeId node = 0; node < program.nodes; ++node) {
        for (NodeStep entry = first(node); !entry.is_end(); entry = next(node, entry)) {
            steps.push_back(entry);
        }
        first_step.push_back(static_cast<std::uint32_t>(steps.size()));
    }
}

}  // namespace flitscope
