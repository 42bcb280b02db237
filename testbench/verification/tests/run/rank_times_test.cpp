// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// When ranks end, and what they do until then, on both engines, against the operations that the
// golden model records: the comparison of packets does not see what no send waits for.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/engines.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/reference/golden_model.h"
#include "testbench/verification/reference/golden_witness.h"
#include "testbench/verification/reference/random_machine.h"
#include "testbench/verification/tests/support/depth.h"

namespace flitscope {
namespace {

/// "node: end, computing sending receiving waiting", a line each.
std::string line(NodeId node, Cycle end, const std::array<Cycle, 4>& cycles) {
    return fmt::format("{}: {}, {}\n", node, end, fmt::join(cycles, " "));
}

/// Every cycle of a node up to its end counts as the first of these that some stream does in it.
std::string golden_times(const Operations& operations, const GoldenWitness& witness) {
    std::string all;
    for (NodeId node = 0; node < operations.nodes(); ++node) {
        Cycle end = 0;
        std::array<std::vector<std::pair<Cycle, Cycle>>, 3> busy;
        for (OperationId id = operations.first(node); id < operations.last(node); ++id) {
            const GoldenOperation& of = witness.operations[id];
            end = std::max(end, of.end);
            busy[static_cast<std::size_t>(operations[id].kind)].emplace_back(of.starts, of.frees);
        }
        std::array<Cycle, 4> cycles{};
        for (Cycle now = 0; now < end; ++now) {
            const auto does = [now](const auto& spans) {
                return std::any_of(spans.begin(), spans.end(), [now](const auto& span) {
                    return span.first <= now && now < span.second;
                });
            };
            const auto kind = std::find_if(busy.begin(), busy.end(), does) - busy.begin();
            ++cycles[static_cast<std::size_t>(kind)];
        }
        all += line(node, end, cycles);
    }
    return all;
}

std::string times(const SimulationResult& run) {
    std::string all;
    for (const NodeOperations& of : run.node_operations) {
        all += line(of.node, of.end, {of.computing, of.sending, of.receiving, of.waiting});
    }
    return all;
}

TEST(RankTimes, EqualTheOperationsOfTheGoldenModel) {
    const std::uint64_t cases = cases_of(60, 2'000);
    for (std::uint64_t seed = 1; seed <= cases; ++seed) {
        const ReceiveTime receives =
            seed % 3 == 0 ? ReceiveTime::kOverhead : ReceiveTime::kTransfer;
        const RandomCase test = operation_case(tlm_case(random_case(seed)), receives);
        const Machine machine = machine_of(test);
        GoldenWitness witness;
        const GoldenResult golden = run_golden(machine.config, machine.graph, *machine.routing,
                                               *machine.program, 10'000'000, &witness);
        ASSERT_TRUE(golden.completed) << describe(test);
        const std::string expected = golden_times(*machine.program->operations, witness);
        for (const char* engine : {"cycle", "tlm"}) {
            if (find_engine(engine)->refusal(machine)) continue;
            CompareRun run;
            run.engine = engine;
            run.observed = seed % 2 == 0;
            ASSERT_EQ(times(run_fabric(machine, run).result), expected)
                << describe(test) << ", " << engine;
        }
    }
}

}  // namespace
}  // namespace flitscope
