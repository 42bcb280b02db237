// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Flit widths for a given wire budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/performance/wire_budget.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

Config with_budget(const std::string& topology, const std::string& budget) {
    return parse_config("fabric: {topology: {" + topology + "}, " + budget + "}\n", "c.yaml");
}

std::uint32_t bits_of(const std::string& topology, const std::string& budget) {
    Config config = with_budget(topology, budget);
    apply_wire_budget(config, build_topology(config));
    return config.fabric.flit_bits;
}

TEST(WireBudget, IsDividedByTheLargestDegree) {
    EXPECT_EQ(bits_of("kind: mesh, dims: [8, 8]", "pin_budget: 512"), 128U);
    EXPECT_EQ(bits_of("kind: hypercube, dimensions: 6", "pin_budget: 512"), 80U);  // 85
    EXPECT_EQ(bits_of("kind: ghc, dims: [8, 8]", "pin_budget: 512"), 32U);         // 36
    EXPECT_EQ(bits_of("kind: how, dims: [8, 8], window: 2", "pin_budget: 512"), 64U);
    EXPECT_EQ(bits_of("kind: express_mesh, dims: [16, 16], segment: 4, layout: shifted",
                      "pin_budget: 512"),
              96U);  // 102
}

TEST(WireBudget, IsDividedByTheBisection) {
    EXPECT_EQ(bits_of("kind: mesh, dims: [8, 8]", "bisection_budget: 1000"), 120U);  // 125
    EXPECT_EQ(bits_of("kind: torus, dims: [8, 8]", "bisection_budget: 1024"), 64U);
    EXPECT_EQ(bits_of("kind: hypercube, dimensions: 6", "bisection_budget: 1024"), 32U);
    EXPECT_EQ(bits_of("kind: how, dims: [8, 8], window: 2", "bisection_budget: 1024"), 40U);  // 42
}

TEST(WireBudget, LeavesAtMostTheWidestFlit) {
    EXPECT_EQ(bits_of("kind: mesh, dims: [8]", "pin_budget: 2048"), 1024U);
    EXPECT_EQ(bits_of("kind: mesh, dims: [8]", "pin_budget: 9000"), 1024U);
    Config config = with_budget("kind: mesh, dims: [8]", "pin_budget: 9000");
    EXPECT_THAT(wire_budget_text(config, build_mesh({8})),
                HasSubstr("9000 wires / 2 links of a node = 4496 bits, cut to 1024"));
}

TEST(WireBudget, RefusesLessThanTheNarrowestFlitAndSaysWhatWorks) {
    Config config = with_budget("kind: ghc, dims: [8, 8]", "pin_budget: 223");
    const Graph graph = build_topology(config);
    EXPECT_EQ(refused_with([&] { apply_wire_budget(config, graph); }),
              "c.yaml:1:59: error: a pin budget of 223 wires leaves 15 to each of the 14 links "
              "of a node of ghc 8x8, and a flit has at least 16 bits (at least 224)");
    EXPECT_EQ(bits_of("kind: ghc, dims: [8, 8]", "pin_budget: 224"), 16U);
    config = with_budget("kind: mesh, dims: [8, 8]", "bisection_budget: 127");
    EXPECT_THROW(apply_wire_budget(config, build_topology(config)), ConfigError);
    EXPECT_EQ(bits_of("kind: mesh, dims: [8, 8]", "bisection_budget: 128"), 16U);
}

TEST(WireBudget, OfZeroOrWithoutLinksChangesNothing) {
    EXPECT_EQ(bits_of("kind: mesh, dims: [8]", "pin_budget: 0, flit_bits: 48"), 48U);
    EXPECT_EQ(bits_of("kind: mesh, dims: [1]", "pin_budget: 512"), 64U);
    EXPECT_EQ(bits_of("kind: mesh, dims: [1]", "bisection_budget: 512"), 64U);
    EXPECT_EQ(
        wire_budget_text(with_budget("kind: mesh, dims: [8]", "pin_budget: 0"), build_mesh({8})),
        "");
}

TEST(WireBudget, CountsLinksOfOneDirection) {
    Graph star("custom", {4}, 4);  // router 0 hears three, and speaks to one of them
    for (const auto& [from, to, out, in] :
         std::vector<std::tuple<std::uint32_t, std::uint32_t, PortId, PortId>>{
             {1, 0, 1, 1}, {2, 0, 1, 2}, {3, 0, 1, 3}, {0, 1, 1, 1}, {1, 2, 2, 1}, {2, 3, 2, 1}}) {
        Link link;
        link.from = RouterId(from);
        link.to = RouterId(to);
        link.from_port = out;
        link.to_port = in;
        star.add_link(link);
    }
    Config config;
    config.fabric.pin_budget = 96;
    apply_wire_budget(config, star);
    EXPECT_EQ(config.fabric.flit_bits, 32U);
    config.fabric.pin_budget = 0;
    config.fabric.bisection_budget = 96;  // {0, 1} and {2, 3}: 2-0, 3-0 one way, 1-2 the other
    apply_wire_budget(config, star);
    EXPECT_EQ(config.fabric.flit_bits, 48U);
}

TEST(WireBudget, IsWrittenInPlaceOfTheFlitWidth) {
    for (const char* budget : {"pin_budget: 520", "bisection_budget: 520"}) {
        Config config = with_budget("kind: mesh, dims: [4, 4]", budget);
        apply_wire_budget(config, build_topology(config));
        const std::string text = to_yaml(config);
        EXPECT_THAT(text, HasSubstr(budget));
        EXPECT_THAT(text, testing::Not(HasSubstr("flit_bits")));
        Config again = parse_config(text, "again.yaml");
        apply_wire_budget(again, build_topology(again));
        EXPECT_EQ(again.fabric.flit_bits, 128U);
        EXPECT_EQ(again.fabric.flit_bits, config.fabric.flit_bits);
    }
}

}  // namespace
}  // namespace flitscope
