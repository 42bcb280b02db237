// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The slack of operations: one that takes longer within it does not change the end, on either
// engine; those on the critical path have none, and both engines find the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/build/machine.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/verification/tests/explain/explained_cases.h"
#include "traffic/program/operation_builder.h"

namespace flitscope {
namespace {

using Kind = Operation::Kind;

std::string text(const Slack& slack) {
    std::string all;
    for (OperationId id = 0; id < slack.operations.size(); ++id) {
        const OperationSlack& one = slack.operations[id];
        all += fmt::format("operation {}: {} to {}, {}\n", id, one.begin, one.end, one.slack);
    }
    for (const RankSlack& rank : slack.ranks) {
        all += fmt::format("rank {}: {} to {}, {} of {}\n", rank.rank, rank.slack, rank.most,
                           rank.operations_with_slack, rank.operations);
    }
    for (const LinkSlack& link : slack.links) {
        all += fmt::format("link {}: {}\n", link.link, link.slack);
    }
    return all;
}

/// Operations of which one, `late`, takes longer. A computation does so by itself. Before a send,
/// and after a receive, there is one more computation: a send becomes ready with it and is listed
/// next; what waited for a receive to complete waits for the computation instead.
struct Delayed {
    Delayed(const Operations& operations, OperationId late, Cycle delay)
        : all(std::make_shared<Operations>(operations.nodes())) {
        const Kind kind = operations[late].kind;
        const bool is_added = kind != Kind::kCompute;
        const bool is_before = kind == Kind::kSend;
        all->completion = operations.completion;
        OperationId added_so_far = 0;
        for (NodeId node = 0; node < operations.nodes(); ++node) {
            const OperationId first = operations.first(node);
            const bool is_here = late >= first && late < operations.last(node);
            OperationList list;
            list.rank = operations.rank(node);
            // The place of an operation in the list.
            const auto place = [&](OperationId id) {
                const bool comes_later =
                    is_here && is_added && (is_before ? id >= late : id > late);
                return id - first + (comes_later ? 1 : 0);
            };
            const OperationId extra = late - first + (is_before ? 0 : 1);
            for (OperationId id = first; id < operations.last(node); ++id) {
                number.push_back(first + added_so_far + place(id));
                list.all.push_back(operations[id]);
                if (id == late && !is_added) list.all.back().cycles += delay;
                operations.visit_successors(id, [&](const Successor& successor) {
                    const OperationId after = place(successor.operation);
                    const bool moves = id == late && is_added && successor.on_begin == is_before;
                    list.dependencies.push_back(
                        {after, moves ? extra : place(id), successor.on_begin});
                    // The computation waits for all that the send waits for.
                    if (successor.operation != late || !is_before) return;
                    list.dependencies.push_back({extra, place(id), successor.on_begin});
                });
            }
            if (is_here && is_added) {
                Operation computation;
                computation.cycles = delay;
                computation.stream = operations[late].stream;
                list.all.insert(list.all.begin() + extra, computation);
                if (!is_before) list.dependencies.push_back({extra, place(late), false});
                added = first + extra;
            }
            all->add(node, list);
            if (is_here && is_added) added_so_far = 1;
        }
        all->close();
    }

    std::shared_ptr<Operations> all;
    std::vector<OperationId> number;  // per operation, that of before
    OperationId added = kNoOperation;
};

/// What operations did in a run.
class Seen final : public OperationObserver {
public:
    void on_hand_over(MessageId, Cycle) override {}
    void on_event(NodeId, const OperationEvent& event) override {
        if (event.kind == OperationEvent::Kind::kBegun) begun[event.operation] = event.cycle;
        const bool is_matched = event.kind == OperationEvent::Kind::kPosted ||
                                event.kind == OperationEvent::Kind::kArrived;
        if (!is_matched || event.operation == kNoOperation) return;
        if (event.message != kNoMessage) message[event.operation] = event.message;
    }

    std::map<OperationId, Cycle> begun;
    std::map<OperationId, MessageId> message;  // of receives
};

Cycle end_of(const RandomCase& test, const std::string& engine, Seen& seen) {
    const FreshKernel kernel;
    SimulationOptions options;
    options.operations = &seen;
    return explained_cycles(simulate(machine_of(test), engine, options));
}

struct Tried {
    std::array<int, 3> delays{};  // per kind of operation
    int not_possible = 0;         // another operation came before the additional computation
};

/// One operation of a case takes longer. Returns what is wrong with that.
std::string fault_of(const RandomCase& test, const Explained& explained, const Seen& before,
                     OperationId late, Cycle delay, const std::string& engine, Tried& tried) {
    const Operations& operations = *test.program.operations;
    const Delayed delayed(operations, late, delay);
    RandomCase with_delay = test;
    with_delay.program.operations = delayed.all;
    Seen seen;
    const Cycle end = end_of(with_delay, engine, seen);
    const OperationSlack& slack = explained.slack->operations[late];
    const Kind kind = operations[late].kind;
    if (kind == Kind::kReceive && seen.begun[delayed.added] != slack.end) {
        ++tried.not_possible;
        return "";
    }
    ++tried.delays[static_cast<std::size_t>(kind)];
    const std::string what =
        fmt::format("{} later by {} on {}", operations.describe(late), delay, engine);
    if (kind == Kind::kSend && seen.begun[delayed.number[late]] != slack.begin + delay) {
        return what + ": began otherwise";
    }
    if (end != explained.path.cycles) return what + fmt::format(": the end is {}", end);
    for (const auto& [id, message] : before.message) {
        if (seen.message[delayed.number[id]] == message) continue;
        return what + fmt::format(": {} has another message", operations.describe(id));
    }
    for (const auto& [id, cycle] : before.begun) {
        if (seen.begun[delayed.number[id]] >= cycle) continue;
        return what + fmt::format(": {} is earlier", operations.describe(id));
    }
    return "";
}

class OperationSlacks : public ExplainedCases {};

TEST_P(OperationSlacks, AllowForOperationsThatTakeLonger) {
    const auto [first, end] = seeds();
    Tried tried;
    int positive = 0;
    int operations = 0;
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const bool is_wide = seed % 4 == 0;
        const RandomCase plain = random_case(seed);
        const RandomCase test = operation_case(is_wide ? tlm_case(plain) : plain_case(plain));
        const Machine machine = machine_of(test);
        const auto kind_of = [&](OperationId id) { return (*test.program.operations)[id].kind; };
        const Explained explained = explain(machine, "cycle", hw::ScanOrder::kAscending, true);
        ASSERT_EQ(explained.run.verdict, Verdict::kComplete) << describe(test);
        std::vector<OperationId> movable;
        for (OperationId id = 0; id < explained.slack->operations.size(); ++id) {
            if (explained.slack->operations[id].slack != 0) movable.push_back(id);
        }
        positive += static_cast<int>(movable.size());
        operations += static_cast<int>(explained.slack->operations.size());
        if (movable.empty()) continue;
        const std::string engine =
            is_wide && !find_engine("tlm")->refusal(machine) ? "tlm" : "cycle";
        Seen before;
        ASSERT_EQ(end_of(test, engine, before), explained.path.cycles) << describe(test);
        std::mt19937_64 draw(seed);
        std::shuffle(movable.begin(), movable.end(), draw);
        // One of each kind.
        std::stable_sort(movable.begin(), movable.end(),
                         [&](OperationId a, OperationId b) { return kind_of(a) < kind_of(b); });
        movable.erase(
            std::unique(movable.begin(), movable.end(),
                        [&](OperationId a, OperationId b) { return kind_of(a) == kind_of(b); }),
            movable.end());
        for (const OperationId id : movable) {
            const Cycle slack = explained.slack->operations[id].slack;
            for (const Cycle delay : {slack, 1 + draw() % slack}) {
                ASSERT_EQ(fault_of(test, explained, before, id, delay, engine, tried), "")
                    << describe(test) << '\n'
                    << text(*explained.slack);
            }
        }
    }
    RecordProperty("operations", operations);
    RecordProperty("positive", positive);
    RecordProperty("computations", tried.delays[0]);
    RecordProperty("sends", tried.delays[1]);
    RecordProperty("receives", tried.delays[2]);
    RecordProperty("not_possible", tried.not_possible);
    EXPECT_GT(positive, operations / 10);
    for (const int delays : tried.delays) EXPECT_GT(delays, 20);
}

TEST_P(OperationSlacks, AreNoneWhereTheCriticalPathGoes) {
    const auto [first, end] = seeds();
    int touched = 0;
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const RandomCase test = operation_case(plain_case(random_case(seed)));
        const Machine machine = machine_of(test);
        const Explained explained = explain(machine, "cycle", hw::ScanOrder::kAscending, true);
        const Operations& operations = *test.program.operations;
        std::map<MessageId, OperationId> send_of;
        for (OperationId id = 0; id < operations.size(); ++id) {
            if (operations[id].kind == Kind::kSend) send_of[operations[id].message] = id;
        }
        for (const PathSegment& segment : explained.path.segments) {
            // A receive of the path may have had its message for long.
            std::vector<OperationId> ids{segment.operation};
            if (segment.operation == kNoOperation) {
                ids.clear();
                for (const MessageId id : {segment.message, segment.holder}) {
                    if (id != kNoMessage) ids.push_back(send_of.at(id));
                }
            }
            for (const OperationId id : ids) {
                ASSERT_EQ(explained.slack->operations[id].slack, 0U)
                    << describe(test) << '\n'
                    << operations.describe(id) << '\n'
                    << text(*explained.slack);
                ++touched;
            }
        }
    }
    EXPECT_GT(touched, 300);
}

TEST_P(OperationSlacks, AreTheSameOnBothEngines) {
    const auto [first, end] = seeds();
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const RandomCase test = operation_case(tlm_case(random_case(seed)));
        const Machine machine = machine_of(test);
        if (find_engine("tlm")->refusal(machine)) continue;
        const Explained cycle = explain(machine, "cycle", hw::ScanOrder::kDescending, true);
        const Explained tlm = explain(machine, "tlm", hw::ScanOrder::kAscending, true);
        ASSERT_EQ(text(*cycle.slack), text(*tlm.slack)) << describe(test);
    }
}

/// Node 1 posts two receives, each behind a computation, long after the messages for them.
RandomCase two_receives(Cycle first, Cycle second, NodeId source) {
    RandomCase test;
    test.config.fabric.topology.kind = "mesh";
    test.config.fabric.topology.dims = {2};
    OperationBuilder builder("receives", 2);
    builder.send(0, 1, 8, 0, {});
    builder.send(0, 1, 8, 0, {});
    const OperationId a = builder.compute(1, first, {}, 0);
    const OperationId b = builder.compute(1, second, {}, 1);
    builder.receive(1, source, 0, {a}, 2);
    builder.receive(1, source, 0, {b}, 2);
    constexpr Cycle kLong = 1000;
    builder.compute(1, kLong, {}, 3);
    test.program = builder.take();
    return test;
}

TEST(SlackOfOperations, KeepsTheOrderInWhichReceivesArePosted) {
    for (const NodeId source : {NodeId{0}, kAnySource}) {
        const RandomCase test = two_receives(500, 600, source);
        const Explained explained =
            explain(machine_of(test), "cycle", hw::ScanOrder::kAscending, true);
        std::vector<Cycle> slack;
        for (const OperationSlack& one : explained.slack->operations) slack.push_back(one.slack);
        const Operations& operations = *test.program.operations;
        const OperationId first = operations.first(1);
        EXPECT_EQ(slack[first], 600U - 500U - 1U);
        EXPECT_EQ(slack[first + 1], 1000U - 600U);  // nothing but the end is in its way
        EXPECT_EQ(slack[first + 4], 0U);
        Seen before;
        Seen after;
        end_of(test, "cycle", before);
        end_of(two_receives(601, 600, source), "cycle", after);
        EXPECT_NE(before.message[first + 2], after.message[first + 2]);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, OperationSlacks, testing::Range(0, ExplainedCases::kBlocks));

}  // namespace
}  // namespace flitscope
