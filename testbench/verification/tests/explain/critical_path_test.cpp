// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The critical path of random machines under contended traffic: it accounts for every cycle, it is
// the same on both engines, and another model saw the same events.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/routing/routing.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/node_history.h"
#include "testbench/verification/tests/explain/explained_cases.h"
#include "traffic/program/program_file.h"

namespace flitscope {
namespace {

std::string text(const PathSegment& s) {
    return fmt::format("{} to {}: {} at {}, message {} holder {}", s.from, s.to,
                       cause_name(s.cause), s.channel, s.message, s.holder);
}

std::string text(const CriticalPath& path) {
    std::string all;
    for (const PathSegment& segment : path.segments) all += text(segment) + '\n';
    return all;
}

class CriticalPaths : public ExplainedCases {};

TEST_P(CriticalPaths, AccountForEveryCycle) {
    const auto [first, end] = seeds();
    Cycle explained_cycles = 0;
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const RandomCase test = plain_case(random_case(seed));
        const Machine machine = machine_of(test);
        const Explained explained = explain(machine, "cycle");
        ASSERT_EQ(explained.run.verdict, Verdict::kComplete) << describe(test);
        ASSERT_EQ(explained.path.cycles, explained.run.cycles) << describe(test);
        Cycle sum = 0;
        for (const Cycle cycles : explained.path.cycles_by_cause()) sum += cycles;
        ASSERT_EQ(sum, explained.run.cycles) << describe(test);
        explained_cycles += sum;
        if (machine.routing->path_choice() == PathChoice::kAdaptive) continue;
        // Only an adaptive routing leaves something else to wait for than what we know.
        ASSERT_EQ(explained.path.cycles_by_cause()[static_cast<std::size_t>(Cause::kRouteChoice)],
                  0U)
            << describe(test) << '\n'
            << text(explained.path);
    }
    EXPECT_GT(explained_cycles, 10'000U);
}

TEST_P(CriticalPaths, AreTheSameOnBothEngines) {
    const auto [first, end] = seeds();
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const RandomCase test = tlm_case(random_case(seed));
        const Machine machine = machine_of(test);
        if (find_engine("tlm")->refusal(machine)) continue;
        const CriticalPath cycle = explain(machine, "cycle").path;
        const CriticalPath tlm = explain(machine, "tlm").path;
        ASSERT_EQ(text(cycle), text(tlm)) << describe(test);
    }
}

TEST(NodeHistory, KeepsWhatLetANodeGoOnUntilItSends) {
    const Program program = parse_program("id,source,destination,bytes,time\n0,0,1,8,50\n",
                                          ProgramFormat::kCsv, "test", 2);
    EventGraph events;
    NodeHistory nodes(program, 0, events, {});
    nodes.on_ready(0, 50, {}, nullptr, 0);
    for (int i = 0; i < 1000; ++i) {  // events of others, which are not recorded
        events.prune();
        events.add({}, {});
    }
    Message message;
    message.id = 0;
    message.source = 0;
    nodes.on_begin(message, 50);
    const std::vector<Event> path = events.events_to(nodes.take_begin(message).because);
    ASSERT_EQ(path.size(), 1U);
    EXPECT_EQ(path.front().cycle, 50U);
    EXPECT_EQ(path.front().cause, Cause::kProgramTime);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CriticalPaths, testing::Range(0, ExplainedCases::kBlocks));

}  // namespace
}  // namespace flitscope
