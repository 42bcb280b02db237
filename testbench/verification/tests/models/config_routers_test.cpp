// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which routers a configuration may ask for, and at which nodes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/config/router_choice.h"
#include "testbench/verification/tests/support/config_findings.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(Config, WordsOfOthersAreExplained) {
    for (const char* word : {"xy", "XYZ", "dor", "e-cube"}) {
        EXPECT_EQ(finding(with_fabric(std::string("routing: ") + word)),
                  std::string("c.yaml:3:12: error: unknown routing '") + word +
                      "' (that is 'dimension_order' here)");
    }
    for (const char* word : {"all-to-all", "alltoall", "complete-exchange"}) {
        const std::string found = finding(with_traffic(std::string("schedule: ") + word));
        EXPECT_THAT(found, HasSubstr(std::string("unknown schedule '") + word + "' (complete"));
        EXPECT_THAT(found, HasSubstr("'pex'"));
        EXPECT_THAT(found, HasSubstr("'gen'"));
    }
    const auto hint = [](const std::string& key, const std::string& word) {
        const std::string found = finding(kFabric, {key + '=' + word});
        return found.substr(found.find('(') + 1, found.rfind(')') - found.find('(') - 1);
    };
    EXPECT_EQ(hint("traffic.pattern", "bitcomp"), "that is 'bit_complement' here");
    EXPECT_EQ(hint("traffic.pattern", "bitrev"), "that is 'bit_reverse' here");
    EXPECT_EQ(hint("traffic.pattern", "randperm"), "that is 'random_permutation' here");
    EXPECT_EQ(hint("traffic.pattern", "random"), "that is 'uniform' here");
    EXPECT_EQ(hint("traffic.pattern", "nearest_neighbor"), "that is 'neighbour' here");
    EXPECT_EQ(hint("fabric.switching", "vct"), "that is 'virtual_cut_through' here");
    EXPECT_EQ(hint("fabric.switching", "saf"), "that is 'store_and_forward' here");
    EXPECT_EQ(hint("fabric.switching", "wh"), "that is 'wormhole' here");
    const std::string kind = "fabric.topology.kind";
    EXPECT_EQ(hint(kind, "fattree"), "that is 'fat_tree' here");
    EXPECT_EQ(hint(kind, "cube"), "a binary cube is a 'hypercube' here, a k-ary n-cube a 'torus'");
    EXPECT_THAT(
        finding(kFabric, {kind + "=flatfly"}),
        HasSubstr("(a flattened butterfly is a 'ghc' (generalized hypercube) here: {kind: ghc, "
                  "dims: [4, 4], concentration: [2, 2]})"));
}

TEST(Config, AWordInPlaceOfASectionIsItsKindOrItsFile) {
    const auto found = [](const std::string& word) {
        return findings(kFabric, {"fabric.topology=" + word}).at(0);
    };
    EXPECT_THAT(found("torus"),
                HasSubstr("'fabric.topology' must be a map of keys, found 'torus' (write topology: "
                          "{kind: torus, dims: ...})"));
    EXPECT_THAT(found("hypercube"),
                HasSubstr("(write topology: {kind: hypercube, dimensions: ...})"));
    EXPECT_THAT(found("fat_tree"),
                HasSubstr("(write topology: {kind: fat_tree, arity: ..., height: ...})"));
    EXPECT_THAT(found("custom"), HasSubstr("(write topology: {kind: custom, file: ...})"));
    EXPECT_THAT(found("soc.dot"), HasSubstr("(write topology: {kind: custom, file: soc.dot})"));
    EXPECT_THAT(found("messh"), HasSubstr("(write topology: {kind: ..., ...}; did you mean 'mesh'? "
                                          "choices: mesh, torus"));
    EXPECT_THAT(found("fattree"),
                HasSubstr("(write topology: {kind: ..., ...}; that is 'fat_tree' here)"));
    EXPECT_EQ(finding("fabric: {topology: mesh}\ntraffic: {schedule: pex}\n"),
              "c.yaml:1:20: error: 'fabric.topology' must be a map of keys, found 'mesh' (write "
              "topology: {kind: mesh, dims: ...})");
    EXPECT_THAT(finding(kFabric + "topology: torus\n"),
                HasSubstr("(did you mean 'fabric.topology'? write topology: {kind: torus, dims: "
                          "...})"));
    EXPECT_THAT(finding("fabric: {topology: {kind: mesh, dims: [4]}}\ntraffic: uniform\n"),
                HasSubstr("(write traffic: {pattern: uniform})"));
}

TEST(Config, RouterIsOneOfTwoDescriptions) {
    EXPECT_EQ(parse_config(kFabric, "c").fabric.router.kind, RouterKind::kSystemC);
    EXPECT_EQ(parse_config(with_fabric("router: systemc"), "c").fabric.router.kind,
              RouterKind::kSystemC);
    EXPECT_EQ(parse_config(with_fabric("router: rtl"), "c").fabric.router.kind, RouterKind::kRtl);
    EXPECT_EQ(parse_config(kFabric, "c", {"fabric.router=rtl"}).fabric.router.kind,
              RouterKind::kRtl);
    EXPECT_EQ(finding(with_fabric("router: verilog")),
              "c.yaml:3:11: error: unknown router 'verilog' (choices: systemc, rtl)");
}

TEST(Config, SingleNodesMayHaveAnotherRouter) {
    EXPECT_TRUE(parse_config(kFabric, "c").fabric.router_overrides.empty());
    EXPECT_TRUE(
        parse_config(with_fabric("router_overrides: []"), "c").fabric.router_overrides.empty());
    const Config config = parse_config(
        "fabric:\n"
        "  topology: {kind: mesh, dims: [4, 4]}\n"
        "  router_overrides:\n"
        "    - nodes: [5, 9]\n"
        "      router: rtl\n"
        "    - {router: 'systemc', nodes: [0]}\n"
        "traffic: {schedule: pex}\n",
        "c.yaml");
    const std::vector<RouterOverride>& entries = config.fabric.router_overrides;
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_THAT(entries[0].nodes, ElementsAre(5, 9));
    EXPECT_EQ(entries[0].router.kind, RouterKind::kRtl);
    EXPECT_THAT(entries[1].nodes, ElementsAre(0));
    EXPECT_EQ(entries[1].router.kind, RouterKind::kSystemC);
    EXPECT_EQ(config.where("fabric.router_overrides").str(), "c.yaml:4:5");
    EXPECT_THAT(findings(with_topology("kind: custom, file: g.yaml"),
                         {"fabric.router_overrides=[{nodes: [65535], router: rtl}]"}),
                ElementsAre());
}

TEST(Config, RouterOverridesNameRoutersToo) {
    const Config config =
        parse_config(with_fabric("router_overrides: [{routers: [12, hub], router: rtl}, "
                                 "{nodes: [5], routers: [3], router: systemc}]"),
                     "c.yaml");
    const std::vector<RouterOverride>& entries = config.fabric.router_overrides;
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_THAT(entries[0].nodes, ElementsAre());
    EXPECT_THAT(entries[0].routers, ElementsAre("12", "hub"));
    EXPECT_THAT(entries[1].nodes, ElementsAre(5));
    EXPECT_THAT(entries[1].routers, ElementsAre("3"));
    EXPECT_EQ(finding(with_fabric("router_overrides: [{routers: 3, router: rtl}]")),
              "c.yaml:3:32: error: 'fabric.router_overrides[0].routers' must be a list of names, "
              "found '3' (write [a, b])");
}

TEST(Config, RouterOverridesAreAList) {
    EXPECT_EQ(finding(with_fabric("router_overrides: rtl")),
              "c.yaml:3:21: error: 'fabric.router_overrides' must be a list of maps, found 'rtl' "
              "(write [{nodes: [5], router: rtl}])");
    EXPECT_EQ(finding(with_fabric("router_overrides: {nodes: [5], router: rtl}")),
              "c.yaml:3:21: error: 'fabric.router_overrides' must be a list of maps, found a map "
              "(write [{nodes: [5], router: rtl}])");
    EXPECT_EQ(finding(with_fabric("router_overrides:")),
              "c.yaml:3:3: error: 'fabric.router_overrides' must be a list of maps, found nothing "
              "(write [{nodes: [5], router: rtl}])");
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: [5], router: rtl}, 5]")),
              "c.yaml:3:49: error: 'fabric.router_overrides[1]' must be a map of nodes and router, "
              "found '5' (write {nodes: [5], router: rtl})");
    EXPECT_EQ(
        finding(with_fabric("router_override: []")),
        "c.yaml:3:3: error: unknown key 'router_override' (did you mean 'router_overrides'?)");
}

TEST(Config, RouterOverrideHasTwoKeys) {
    EXPECT_EQ(findings(with_fabric("router_overrides: [{nods: [5], router: rtl}]")),
              (std::vector<std::string>{
                  "c.yaml:3:22: error: key 'fabric.router_overrides[0].nodes' is missing (numbers "
                  "of the nodes that have this router: 0 to 65535 each; or routers: [...])",
                  "c.yaml:3:23: error: unknown key 'nods' (did you mean 'nodes'?)"}));
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: [5], router: rtl, delay: 2}]")),
              "c.yaml:3:48: error: unknown key 'delay' (keys of 'fabric.router_overrides[0]': "
              "nodes, routers, router)");
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: [5], router: rtl}, {nodes: [6]}]")),
              "c.yaml:3:49: error: key 'fabric.router_overrides[1].router' is missing (router of "
              "these nodes: systemc, rtl)");
    EXPECT_EQ(findings(with_fabric("router_overrides: [{}]")).size(), 2U);
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: [5], nodes: [6], router: rtl}]")),
              "c.yaml:3:35: error: duplicate key 'nodes' (first set at c.yaml:3:23)");
}

TEST(Config, RouterOverrideNamesNodesAndARouter) {
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: [], router: rtl}]")),
              "c.yaml:3:30: error: 'fabric.router_overrides[0].nodes' must have 1 to 65536 "
              "entries, found 0");
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: [0, 65536], router: rtl}]")),
              "c.yaml:3:34: error: 'fabric.router_overrides[0].nodes[1]' must be an integer from 0 "
              "to 65535, found '65536'");
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: ['5'], router: rtl}]")),
              "c.yaml:3:31: error: 'fabric.router_overrides[0].nodes[0]' must be an integer from 0 "
              "to 65535, found the quoted text \"5\" (remove the quotes)");
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: 5, router: rtl}]")),
              "c.yaml:3:30: error: 'fabric.router_overrides[0].nodes' must be a list of integers, "
              "found '5' (write [5])");
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: [5], router: system}]")),
              "c.yaml:3:43: error: unknown router 'system' (did you mean 'systemc'? choices: "
              "systemc, rtl)");
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: [5], router: [rtl]}]")),
              "c.yaml:3:43: error: 'fabric.router_overrides[0].router' must be one of systemc, "
              "rtl, found a list");
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: [5], router: }]")),
              "c.yaml:3:35: error: 'fabric.router_overrides[0].router' must be one of systemc, "
              "rtl, found nothing");
}

TEST(Config, SwitchIsHeldOnlyWhereVirtualChannelsCompete) {
    EXPECT_EQ(parse_config(kFabric, "c").fabric.switch_arbitration, SwitchArbitration::kRoundRobin);
    EXPECT_FALSE(parse_config(kFabric, "c", {"fabric.virtual_channels=2"}).fabric.holds_switch());
    const Overrides hold = {"fabric.switch_arbitration=per_packet"};
    EXPECT_EQ(parse_config(kFabric, "c", hold).fabric.switch_arbitration,
              SwitchArbitration::kPerPacket);
    EXPECT_FALSE(parse_config(kFabric, "c", hold).fabric.holds_switch());
    EXPECT_TRUE(
        parse_config(kFabric, "c", {hold[0], "fabric.virtual_channels=2"}).fabric.holds_switch());
}

TEST(Config, AllocationIsCombinedOnlyWherePacketsGoOnFlitByFlit) {
    EXPECT_FALSE(parse_config(kFabric, "c").fabric.combines_allocation());
    const std::string combined = "fabric.allocation=combined";
    EXPECT_TRUE(parse_config(kFabric, "c", {combined}).fabric.combines_allocation());
    for (const std::string switching : {"virtual_cut_through", "store_and_forward", "circuit"}) {
        EXPECT_THAT(finding(kFabric, {combined, "fabric.switching=" + switching}),
                    HasSubstr("switching '" + switching + "'"));
    }
    EXPECT_EQ(finding(kFabric, {"fabric.allocation=combine"}),
              "--set fabric.allocation=combine: error: unknown allocation 'combine' (did you mean "
              "'combined'? choices: sequential, combined)");
}

TEST(Config, RouterMayBeAModuleOfTheUsers) {
    const FabricConfig plain = parse_config(kFabric, "c").fabric;
    EXPECT_TRUE(plain.rtl_module().is_own());
    const Config config = parse_config(
        with_fabric("router: {top: mine, sources: [lib/my_pkg.sv, mine.v], protocol: valid_ready}"),
        "c.yaml");
    EXPECT_TRUE(config.fabric.router.is_rtl());
    const RtlModule& module = config.fabric.rtl_module();
    EXPECT_EQ(module.top, "mine");
    EXPECT_THAT(module.sources, ElementsAre("lib/my_pkg.sv", "mine.v"));
    EXPECT_EQ(module.protocol, RtlProtocol::kValidReady);
    EXPECT_EQ(module.routes, RtlRoutes::kCoordinates);
    const RtlModule some =
        parse_config(with_fabric("router_overrides: [{nodes: [1], router: systemc}, {nodes: [2], "
                                 "router: {top: mine}}]"),
                     "c")
            .fabric.rtl_module();
    EXPECT_TRUE((some == RtlModule{"mine", {}, RtlProtocol::kFlit}));
    // In the user's folder, not in that of the configuration.
    EXPECT_THAT(parse_config(kFabric, "dir/c.yaml", {"fabric.router={top: m, sources: [m.sv]}"})
                    .fabric.rtl_module()
                    .sources,
                ElementsAre("m.sv"));
}

TEST(Config, RouterOfTheUsersHasFoldersMacrosAndParameters) {
    const std::string text = with_fabric(
        "router: {top: mine, sources: [m.sv], include: [inc], defines: {LEAST: 2, WIDE: , KIND: "
        "fast}}"
        "\n  router_parameters: {Out: -1, In: 4}");
    const Config config = parse_config(text, "c");
    const RtlModule& module = config.fabric.rtl_module();
    EXPECT_THAT(module.include, ElementsAre("inc"));
    EXPECT_THAT(module.defines,
                ElementsAre(Pair("LEAST", "2"), Pair("WIDE", ""), Pair("KIND", "fast")));
    EXPECT_THAT(config.fabric.router_parameters, ElementsAre(Pair("In", 4), Pair("Out", -1)));
    const std::string written = to_yaml(config);
    EXPECT_EQ(to_yaml(parse_config(written, "c")), written);
    for (const char* macro : {"{A-B: 1}", "{A: [1]}", "{A: \"x y\"}", "[A]"}) {
        EXPECT_THAT(finding(kFabric, {fmt::format("fabric.router={{top: m, defines: {}}}", macro)}),
                    HasSubstr("fabric.router.defines"))
            << macro;
    }
}

TEST(Config, FabricHasRtlRoutersOfOneKind) {
    const auto both = [](const std::string& all, const std::string& some) {
        return findings(kFabric, {"fabric.router=" + all,
                                  "fabric.router_overrides=[{nodes: [1], router: " + some + "}]"});
    };
    EXPECT_THAT(both("{top: mine}", "systemc"), ElementsAre());
    EXPECT_THAT(both("{top: mine}", "{top: mine}"), ElementsAre());
    EXPECT_THAT(both("systemc", "{top: mine}"), ElementsAre());
    EXPECT_THAT(both("rtl", "{top: mine}"),
                ElementsAre(HasSubstr("the RTL routers rtl and {top: mine, protocol: flit}")));
    EXPECT_THAT(both("{top: mine}", "rtl"), ElementsAre(HasSubstr("of one kind")));
    EXPECT_THAT(both("{top: mine}", "{top: mine, sources: [m.sv]}"),
                ElementsAre(HasSubstr("of one kind")));
    EXPECT_THAT(both("{top: mine}", "{top: mine, protocol: valid_ready}"),
                ElementsAre(HasSubstr("of one kind")));
}

TEST(Config, ModuleOfTheRtlRoutersIsAName) {
    for (const char* good : {"my", "My_router2", "_r", "x", "'r_3'", "true"}) {
        EXPECT_THAT(findings(with_fabric(fmt::format("router: {{top: {}}}", good))), ElementsAre());
    }
    EXPECT_EQ(finding(with_fabric("router: {top: 2router}")),
              "c.yaml:3:17: error: 'fabric.router.top' must be a name of letters, digits and "
              "underscores that begins with no digit, found '2router'");
    for (const char* bad : {"7", "a-b", "a.b", "a/b", "../r", "a b", "r$", "r\xc3\xa9", "''", "~",
                            "[router]", "{router: rtl}", "\"r\\n\""}) {
        EXPECT_THAT(finding(kFabric, {fmt::format("fabric.router={{top: {}}}", bad)}),
                    HasSubstr("error: 'fabric.router.top' must be a name of letters, digits and "
                              "underscores that begins with no digit, found "))
            << bad;
    }
    EXPECT_THAT(finding(with_fabric("router: {top: router}")),
                HasSubstr("'router' is the router of flitscope"));
    EXPECT_THAT(finding(kFabric, {"fabric.router.top=mine"}),
                HasSubstr("set 'fabric.router' as a whole"));
}

TEST(Config, InnerSignalsOfRtlRoutersMayBeTraced) {
    EXPECT_TRUE(parse_config(kFabric, "c").trace.rtl_nodes.empty());
    const std::string text = kFabric + "waveform: {nodes: [1], rtl_nodes: [0, 65535]}\n";
    EXPECT_THAT(parse_config(text, "c").trace.rtl_nodes, ElementsAre(0, 65535));
    EXPECT_THAT(parse_config(text, "c").trace.nodes, ElementsAre(1));
    EXPECT_THAT(parse_config(text, "c", {"waveform.rtl_nodes=[7]"}).trace.rtl_nodes,
                ElementsAre(7));
    EXPECT_EQ(
        finding(kFabric + "waveform: {rtl_nodes: [3, 65536]}\n"),
        "c.yaml:4:27: error: 'waveform.rtl_nodes[1]' must be an integer from 0 to 65535, found "
        "'65536'");
    EXPECT_EQ(finding(kFabric + "waveform: {rtl_nodes: all}\n"),
              "c.yaml:4:23: error: 'waveform.rtl_nodes' must be a list of integers, found 'all' "
              "(write [1, 2])");
    EXPECT_EQ(finding(kFabric + "waveform: {rtl_node: [3]}\n"),
              "c.yaml:4:12: error: unknown key 'rtl_node' (did you mean 'rtl_nodes'?)");
}

}  // namespace
}  // namespace flitscope
