// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Contended traffic on a network whose routers are RTL and SystemC in lock step, and on the golden
// model.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>

#include "hw/verilated/rtl_variant.h"
#include "models/routing/routing_factory.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/cosim.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/fabric_fixture.h"

namespace flitscope {

/// Expects that the routers of `graph` are of this variant, and all of them equal.
inline void expect_lock_step(const Config& config, Graph graph, const std::string& variant,
                             std::mt19937_64& random) {
    constexpr std::size_t kMessages = 300;
    std::unique_ptr<Routing> routing = make_routing(config, graph);
    ASSERT_EQ(hw::rtl_variant(config, graph, *routing).name(), variant);
    Program program = hot_traffic(graph.node_count(), kMessages, random(), 400);
    const Machine machine =
        make_machine(config, std::move(graph), std::move(routing), std::move(program));
    const CosimResult result = [&machine] {
        const FreshKernel kernel;
        return cosimulate(machine, {});
    }();
    EXPECT_TRUE(result.equal());
    EXPECT_EQ(result.rtl.verdict, Verdict::kComplete);
    EXPECT_EQ(result.packets, kMessages);
    CompareCounts counts;
    EXPECT_EQ(compare_machine_with_golden(machine, {}, counts), "");
}

}  // namespace flitscope
