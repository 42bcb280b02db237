// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The slack of steps: a delay within it does not change the makespan of the simulated machine,
// steps on the critical path have none, and both engines find the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/build/machine.h"
#include "testbench/verification/tests/explain/explained_cases.h"

namespace flitscope {
namespace {

std::string text(const Slack& slack) {
    std::string all;
    for (const NodeSlack& n : slack.nodes) {
        all += fmt::format("node {} step {} message {}: {} to {}, {}\n", n.node, n.step, n.message,
                           n.begin, n.end, n.slack);
    }
    for (const StepSlack& s : slack.steps) {
        all += fmt::format("step {}: {} to {}, {} to {}, {} of {}\n", s.step, s.begin, s.end,
                           s.slack, s.most, s.parts_with_slack, s.parts);
    }
    for (const LinkSlack& l : slack.links) {
        all += fmt::format("link {}: {} flits of {}, {}\n", l.link, l.flits, l.messages, l.slack);
    }
    return all;
}

/// A timed program in which the send of `entry` begins `delay` cycles later, and no other send of
/// its node before it that did not; nothing if that would change their order, which at one time is
/// that of their numbers.
std::optional<Program> delayed(Program program, const Slack& slack, const NodeSlack& entry,
                               Cycle delay) {
    const Cycle time = entry.begin + delay;
    bool is_later = false;
    MessageId last = entry.message;
    for (const NodeSlack& other : slack.nodes) {
        if (other.node != entry.node) continue;
        is_later = is_later || other.message == entry.message;
        if (!is_later || program.transfers.time(other.message) > time) continue;
        if (other.message < last) return {};
        last = other.message;
        program.transfers.change(other.message, [&](Transfer& t) { t.time = time; });
    }
    return program;
}

class Slacks : public ExplainedCases {};

TEST_P(Slacks, AllowForDelaysThatLeaveTheMakespanAsItIs) {
    const auto [first, end] = seeds();
    int delays = 0;
    int contended = 0;
    for (std::uint64_t seed = first; seed < end; ++seed) {
        RandomCase test = plain_case(random_case(seed));
        if (test.program.ordering != Ordering::kTimed || test.program.transfers.empty()) continue;
        const Machine machine = machine_of(test);
        const Explained explained = explain(machine, "cycle", hw::ScanOrder::kAscending, true);
        std::vector<NodeSlack> movable;
        for (const NodeSlack& entry : explained.slack->nodes) {
            if (entry.slack != 0) movable.push_back(entry);
        }
        std::mt19937_64 draw(seed);
        std::shuffle(movable.begin(), movable.end(), draw);
        constexpr std::size_t kTried = 6;
        movable.resize(std::min(kTried, movable.size()));
        const auto waited = explained.path.cycles_by_cause();
        for (const NodeSlack& entry : movable) {
            const Cycle delay = 1 + draw() % entry.slack;
            for (const Cycle by : {entry.slack, delay}) {
                RandomCase late = test;
                const auto program = delayed(test.program, *explained.slack, entry, by);
                if (!program) continue;
                late.program = *program;
                const Explained again = explain(machine_of(late), "cycle");
                ASSERT_EQ(again.run.cycles, explained.run.cycles)
                    << describe(test) << "\nmessage " << entry.message << " later by " << by << '\n'
                    << text(*explained.slack);
                ++delays;
            }
            contended += waited[static_cast<std::size_t>(Cause::kVcBusy)] != 0 ? 1 : 0;
        }
    }
    RecordProperty("delays", delays);
    EXPECT_GT(delays, 50);
    EXPECT_GT(contended, 5);
}

TEST_P(Slacks, AreNoneWhereTheCriticalPathGoes) {
    const auto [first, end] = seeds();
    int with_slack = 0;
    int touched = 0;
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const RandomCase test = plain_case(random_case(seed));
        const Machine machine = machine_of(test);
        const Explained explained = explain(machine, "cycle", hw::ScanOrder::kAscending, true);
        std::set<MessageId> on_path;
        for (const PathSegment& segment : explained.path.segments) {
            for (const MessageId id : {segment.message, segment.holder}) {
                if (id != kNoMessage) on_path.insert(id);
            }
        }
        const bool is_timed = machine.program->ordering == Ordering::kTimed;
        std::map<std::pair<NodeId, std::uint32_t>, Cycle> slack;
        for (const NodeSlack& entry : explained.slack->nodes) {
            slack[{entry.node, is_timed ? entry.message : entry.step}] = entry.slack;
            ASSERT_LE(entry.slack, explained.run.cycles) << describe(test);
            with_slack += entry.slack != 0 ? 1 : 0;
        }
        for (const MessageId id : on_path) {
            const Transfer& t = machine.program->transfers[id];
            ASSERT_EQ(slack.at({t.source, is_timed ? id : t.step}), 0U)
                << describe(test) << "\nmessage " << id << '\n'
                << text(*explained.slack);
            ++touched;
        }
    }
    EXPECT_GT(with_slack, 100);
    EXPECT_GT(touched, 300);
}

TEST_P(Slacks, AreTheSameOnBothEngines) {
    const auto [first, end] = seeds();
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const RandomCase test = tlm_case(random_case(seed));
        const Machine machine = machine_of(test);
        if (find_engine("tlm")->refusal(machine)) continue;
        const Explained cycle = explain(machine, "cycle", hw::ScanOrder::kDescending, true);
        const Explained tlm = explain(machine, "tlm", hw::ScanOrder::kAscending, true);
        ASSERT_EQ(text(*cycle.slack), text(*tlm.slack)) << describe(test);
    }
}

/// Two pairs of neighbours exchange messages, in steps; the first one of nodes 2 and 3 is short.
RandomCase pairs(std::uint64_t short_flits) {
    RandomCase test;
    test.config.fabric.topology.kind = "mesh";
    test.config.fabric.topology.dims = {4};
    test.program.name = "pairs";
    test.program.nodes = 4;
    constexpr std::uint64_t kFlitBytes = 8;
    test.program.send(0, 1, 100 * kFlitBytes, 0);
    test.program.send(2, 3, short_flits * kFlitBytes, 0);
    test.program.send(1, 0, 20 * kFlitBytes, 1);
    test.program.send(3, 2, 20 * kFlitBytes, 1);
    return test;
}

TEST(SlackOfSteps, IsExactWhereNobodyMeets) {
    const Explained explained =
        explain(machine_of(pairs(10)), "cycle", hw::ScanOrder::kAscending, true);
    std::vector<Cycle> slack;
    for (const NodeSlack& part : explained.slack->nodes) slack.push_back(part.slack);
    constexpr Cycle kLess = 100 - 10;
    // Node 2 sends nothing after its first step, and does nothing else.
    EXPECT_EQ(slack, (std::vector<Cycle>{0, 0, 0, 0, kLess, kLess, kLess, kLess}));
    ASSERT_EQ(explained.slack->steps.size(), 2U);
    EXPECT_EQ(explained.slack->steps[1].slack, 0U);
    // A way to end a step later: a longer message.
    const Cycle before = explained.run.cycles;
    EXPECT_EQ(explain(machine_of(pairs(10 + kLess)), "cycle").run.cycles, before);
    EXPECT_EQ(explain(machine_of(pairs(10 + kLess + 1)), "cycle").run.cycles, before + 1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Slacks, testing::Range(0, ExplainedCases::kBlocks));

}  // namespace
}  // namespace flitscope
