// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors for text that is not a configuration, and what --set replaces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/config/router_choice.h"
#include "testbench/verification/tests/support/config_findings.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// ---- Diagnostics --------------------------------------------------------------------------------

TEST(Diagnostics, PrintPlaceProblemAndRemedy) {
    EXPECT_EQ((Location{"a.yaml", 3, 7}.str()), "a.yaml:3:7");
    EXPECT_EQ((Location{"a.yaml", 0, 0}.str()), "a.yaml");
    EXPECT_EQ((Diagnostic{{"a.yaml", 3, 7}, "wrong", "do right"}.str()),
              "a.yaml:3:7: error: wrong (do right)");
    EXPECT_EQ((Diagnostic{{"a.yaml", 0, 0}, "wrong", ""}.str()), "a.yaml: error: wrong");
    const ConfigError error({{{"a", 1, 2}, "x", ""}, {{"b", 0, 0}, "y", "z"}});
    EXPECT_STREQ(error.what(), "a:1:2: error: x\nb: error: y (z)");
    EXPECT_EQ(error.findings().size(), 2U);
}

TEST(Nearest, FindsSlipsAndNothingFarther) {
    const std::vector<std::string> words = {"buffer_depth", "mesh", "pex", "gen", "pex-gen"};
    EXPECT_EQ(nearest("bufer_depth", words), "buffer_depth");
    EXPECT_EQ(nearest("buffer-Depth", words), "buffer_depth");
    EXPECT_EQ(nearest("mehs", words), "mesh");  // one swap of neighbours
    EXPECT_EQ(nearest("pxe", words), "pex");
    EXPECT_EQ(nearest("pexgen", words), "pex-gen");
    EXPECT_EQ(nearest("ring", words), "");
    EXPECT_EQ(nearest("x", {"y"}), "");
    EXPECT_EQ(nearest("", words), "");
    EXPECT_EQ(nearest("mesh", {}), "");
}

// ---- Text that is no configuration --------------------------------------------------------------

TEST(ConfigText, SyntaxErrorHasItsPlace) {
    EXPECT_EQ(finding("seed: 1\na: b: c\n"),
              "c.yaml:2:5: error: not valid YAML: illegal map value");
    EXPECT_EQ(finding("seed: \"a\n"), "c.yaml:1:7: error: the closing quote is missing");
    EXPECT_EQ(finding("trace: {links: ['it''s\n"),
              "c.yaml:1:17: error: the closing quote is missing");
    EXPECT_THAT(finding("fabric: {a: [1\n"), HasSubstr("c.yaml:"));
}

TEST(ConfigText, TabsAndStrayListEntriesAreCalledSo) {
    const std::string tab = ": error: a tab indents this line (YAML is indented with spaces)";
    EXPECT_EQ(finding("fabric:\n\ttopology: {kind: mesh}\n"), "c.yaml:2:1" + tab);
    EXPECT_EQ(finding("fabric:\n  topology:\n    kind: mesh\n    \tdims: [2]\n"),
              "c.yaml:4:5" + tab);
    EXPECT_EQ(finding("\tfabric: 3\n"), "c.yaml:1:1" + tab);
    EXPECT_EQ(finding("fabric:\n\t- 3\n"), "c.yaml:2:1" + tab);
    EXPECT_THAT(findings("fabric: {topology: {kind: mesh,\n\tdims: [2, 2]}}\ntraffic:\t\n"
                         "  schedule: pex\t# tabs that indent nothing\n"),
                ElementsAre());
    EXPECT_EQ(finding(kFabric + "- seed: 1\n"),
              "c.yaml:4:1: error: a list entry ('-') among keys (remove the '-', or "
              "indent the list below its key)");
    EXPECT_EQ(finding("- fabric:\n    topology: {kind: mesh}\n- traffic:\n"),
              "c.yaml:1:1: error: a configuration is a map of keys, found a list (write the keys "
              "without '-' in front of them)");
}

TEST(ConfigText, MustBeOneMap) {
    EXPECT_EQ(finding(""), "c.yaml: error: is empty (a configuration needs at least 'fabric')");
    EXPECT_THAT(finding("# nothing\n\n"), HasSubstr("c.yaml: error: is empty"));
    EXPECT_THAT(finding("- 1\n- 2\n"), HasSubstr("c.yaml:1:1: error: a configuration is a map"));
    EXPECT_THAT(finding("mesh\n"), HasSubstr("found 'mesh'"));
    EXPECT_THAT(finding("seed: 1\n---\nseed: 2\n"), HasSubstr("c.yaml:2:1: error: a second YAML"));
}

TEST(ConfigText, RefusesWhatCouldBeMisread) {
    EXPECT_THAT(finding("seed: &a 1\n"), HasSubstr("c.yaml:1:7: error: anchors and aliases"));
    EXPECT_THAT(finding("<<: {seed: 1}\n"), HasSubstr("c.yaml:1:1: error: merge keys"));
    EXPECT_THAT(finding("seed: !!int 1\n"), HasSubstr("c.yaml:1:7: error: tags"));
    EXPECT_THAT(finding("[a]: 1\n"), HasSubstr("c.yaml:1:1: error: a key must be a word"));
    EXPECT_THAT(finding("~: 1\n"), HasSubstr("a key must be a word"));
}

TEST(ConfigText, MustBeText) {
    EXPECT_THAT(finding(std::string("seed: 1\nab\0c", 12)),
                HasSubstr("c.yaml:2:3: error: holds a control character"));
    EXPECT_THAT(finding("seed: \x04 1\n"), HasSubstr("c.yaml:1:7: error: holds a control"));
    EXPECT_THAT(finding("seed: \xff\xfe\n"), HasSubstr("c.yaml:1:7: error: is not valid UTF-8"));
    EXPECT_THAT(finding("\xc0\x80"), HasSubstr("is not valid UTF-8"));
    EXPECT_THAT(finding("\xe2\x82"), HasSubstr("is not valid UTF-8"));
    EXPECT_THAT(findings("\xef\xbb\xbf# \xc2\xb5s\r\n" + kFabric), ElementsAre());
    EXPECT_THAT(finding(std::string(2 << 20, '#')), HasSubstr("is larger than 1048576 bytes"));
}

TEST(ConfigText, NestingIsBounded) {
    const auto repeat = [](const std::string& text) {
        std::string all;
        for (int i = 0; i < 20000; ++i) all += text;
        return all;
    };
    for (const char* deep :
         {"[", "{a: ", "- ", "? ", "[[]", "- - ", "{", "]", "'", "\"", "|", "&"}) {
        EXPECT_FALSE(findings(repeat(deep)).empty()) << deep;
        EXPECT_FALSE(findings("seed: " + repeat(deep)).empty()) << deep;
    }
    const std::string open(200, '[');
    EXPECT_THAT(finding("seed: " + open + std::string(200, ']') + "\n"),
                HasSubstr("c.yaml:1:70: error: lists and maps are nested more than 64 levels"));
}

// ---- Overrides ----------------------------------------------------------------------------------

TEST(Override, ReplacesAValueAndItsErrors) {
    const std::string text = kFabric + "seed: bad\nnode: {header_flits: 99}\n";
    const Config config = parse_config(
        text, "c.yaml", {"seed=5", "node.header_flits=2", "fabric.topology.dims=[2, 3]"});
    EXPECT_EQ(config.seed, 5U);
    EXPECT_EQ(config.node.header_flits, 2U);
    EXPECT_THAT(config.fabric.topology.dims, ElementsAre(2, 3));
    EXPECT_EQ(config.where("seed").str(), "--set seed=5");
}

TEST(Override, AMapReplacesTheWholeMap) {
    const Config config =
        parse_config(kFabric, "c.yaml", {"fabric.topology={kind: hypercube, dimensions: 5}"});
    EXPECT_EQ(config.fabric.topology.kind, "hypercube");
    EXPECT_EQ(config.fabric.topology.dimensions, 5U);
    EXPECT_THAT(config.fabric.topology.dims, ElementsAre());
}

TEST(Override, LaterOneWins) {
    EXPECT_EQ(parse_config(kFabric, "c.yaml", {"seed=5", "seed=6"}).seed, 6U);
    EXPECT_EQ(parse_config(kFabric, "c.yaml", {"seed=x", "seed=6"}).seed, 6U);
}

TEST(Override, OfTheTrafficReplacesTheFilesTraffic) {
    const Config config = parse_config(kFabric, "c.yaml", {"traffic.pattern=uniform"});
    EXPECT_EQ(config.traffic.pattern, "uniform");
    EXPECT_EQ(config.traffic.schedule, "");
    EXPECT_THAT(
        finding(with_traffic("schedule: broadcast, root: 3"), {"traffic.pattern=uniform"}),
        testing::MatchesRegex("c.yaml:2:32: error: key 'root' does not apply to pattern 'uniform' "
                              ".it is only for schedule 'broadcast', .* pattern 'hotspot'; --set "
                              "'traffic=.pattern: uniform.' replaces all of the file's traffic."));
    EXPECT_EQ(findings(kFabric, {"traffic.pattern=uniform", "traffic.schedule=gen"}).size(), 2U);
}

TEST(Override, OfTheFileOfATraceReplacesTheFilesTraffic) {
    const std::string schedule = with_traffic("schedule: gen");
    for (const char* override : {"traffic.trace.file=a.goal", "traffic.trace={file: a.goal}"}) {
        const Config config = parse_config(schedule, "c.yaml", {override});
        EXPECT_EQ(config.traffic.trace.file.substr(config.traffic.trace.file.size() - 6), "a.goal");
        EXPECT_EQ(config.traffic.schedule, "");
    }
    const std::string trace = with_traffic("trace: {file: a.goal, format: goal}");
    EXPECT_EQ(parse_config(trace, "c.yaml", {"traffic.schedule=gen"}).traffic.trace.file, "");
    // Another file leaves the rest of what is said of the trace, which only other traffic replaces.
    const std::vector<std::string> another = {"traffic.trace.file=b.csv"};
    EXPECT_EQ(parse_config(trace, "c.yaml", another).traffic.trace.format,
              parse_config(trace, "c.yaml", {}).traffic.trace.format);
    EXPECT_EQ(findings(schedule, {"traffic.schedule=gen", "traffic.trace.file=b.csv"}).size(), 2U);
    // Keys of the trace on the command line itself stay, before and after.
    for (const std::vector<std::string>& overrides :
         {std::vector<std::string>{"traffic.trace.placement=random", "traffic.schedule=gen"},
          std::vector<std::string>{"traffic.schedule=gen", "traffic.trace.placement=random"}}) {
        EXPECT_THAT(finding(trace, overrides),
                    HasSubstr("key 'placement' does not apply to schedule 'gen'"));
    }
}

TEST(Override, OfTheKindOfTrafficNamesTheWayWhereKeysOfTheFileAreInTheWay) {
    const std::string text = with_traffic("pattern: uniform, warmup_cycles: 5, injection_rate: .1");
    const std::string way = "--set 'traffic={schedule: gen}' replaces all of the file's traffic";
    for (const std::string& found : findings(text, {"traffic.schedule=gen"})) {
        EXPECT_THAT(found, HasSubstr(way));
    }
    EXPECT_EQ(findings(text, {"traffic.schedule=gen"}).size(), 2U);
    EXPECT_EQ(parse_config(text, "c", {"traffic={schedule: gen}"}).traffic.schedule, "gen");
    // Neither what the command line itself says nor a file that contradicts itself.
    EXPECT_THAT(finding(kFabric, {"traffic.schedule=gen", "traffic.root=3"}),
                testing::Not(HasSubstr("traffic={")));
    EXPECT_THAT(finding(with_traffic("schedule: gen, root: 3")),
                testing::Not(HasSubstr("traffic={")));
}

TEST(Override, OfTheKindOfTrafficNamesTheWayWhereASectionOfTheFileIsInTheWay) {
    const std::string text = with_traffic("pattern: uniform") + "steady: {confidence: 0.9}\n";
    for (const char* override : {"traffic={schedule: gen}", "traffic.schedule=gen"}) {
        EXPECT_THAT(findings(text, {override}),
                    testing::Contains("c.yaml:3:1: error: key 'steady' does not apply to schedule "
                                      "'gen' (it is only for a pattern; --set steady=none leaves "
                                      "it out)"));
        EXPECT_EQ(parse_config(text, "c", {override, "steady=none"}).traffic.schedule, "gen");
    }
    // Neither what the command line itself says nor a file that contradicts itself.
    EXPECT_THAT(findings(kFabric, {"steady={confidence: 0.9}"}),
                testing::Each(testing::Not(HasSubstr("steady=none"))));
    EXPECT_THAT(findings(kFabric + "steady: {confidence: 0.9}\n"),
                testing::Each(testing::Not(HasSubstr("steady=none"))));
}

TEST(Override, IsCheckedLikeTheFile) {
    EXPECT_EQ(finding(kFabric, {"fabric.bufer_depth=4"}),
              "--set fabric.bufer_depth=4: error: unknown key 'fabric.bufer_depth' (did you mean "
              "'fabric.buffer_depth'?)");
    EXPECT_THAT(finding(kFabric, {"fabic.buffer_depth=4"}),
                HasSubstr("did you mean 'fabric.buffer_depth'?"));
    EXPECT_THAT(finding(kFabric, {"buffer_depth=4"}), HasSubstr("'fabric.buffer_depth'?"));
    EXPECT_THAT(finding(kFabric, {"node={send_overhed: 4}"}),
                HasSubstr("unknown key 'node.send_overhed' (did you mean 'node.send_overhead'?)"));
    EXPECT_THAT(finding(kFabric, {"node={header_flits: 4, header_flits: 4}"}),
                HasSubstr("duplicate key 'header_flits'"));
    EXPECT_THAT(finding(kFabric, {"fabric.topology={kind: mesh, dims: [4]"}),
                HasSubstr("closing bracket missing"));
}

TEST(Override, OfRoutersReplacesTheWholeList) {
    const std::string argument = "fabric.router_overrides=[{nodes: [5], router: rtl}]";
    const std::string text = with_fabric("router_overrides: [{nodes: [6], router: rtl}, {}]");
    for (const std::string& before : {std::string(kFabric), text}) {
        const FabricConfig fabric = parse_config(before, "c", {argument}).fabric;
        ASSERT_EQ(fabric.router_overrides.size(), 1U);
        EXPECT_EQ(fabric.router_overrides[0].nodes, std::vector<NodeId>{5});
        EXPECT_TRUE(fabric.router_overrides[0].router.is_rtl());
    }
    EXPECT_TRUE(
        parse_config(text, "c", {"fabric.router_overrides=[]"}).fabric.router_overrides.empty());
    const std::string slip = "fabric.router_overrides=[{nodes: [5], rooter: rtl, router: rtl}]";
    EXPECT_EQ(finding(kFabric, {slip}),
              "--set " + slip +
                  ": error: unknown key 'fabric.router_overrides[0].rooter' (did you mean "
                  "'fabric.router_overrides[0].router'?)");
    EXPECT_EQ(finding(kFabric, {"fabric.router_overrides.nodes=[5]"}),
              "--set fabric.router_overrides.nodes=[5]: error: 'fabric.router_overrides' is a "
              "value and has no keys (set 'fabric.router_overrides' as a whole)");
}

TEST(Override, MalformedOneIsAFinding) {
    for (const char* bad : {"seed", "=4", "", "=", "a..b=4", ".seed=4", "seed.=4", "seed.x=4",
                            "fabric.topology.dims.0=4", "fabric.topology.kind.x=mesh"}) {
        const std::string found = finding(kFabric, {bad});
        EXPECT_EQ(found.rfind(std::string("--set ") + bad + ": error: ", 0), 0U) << found;
    }
}

}  // namespace
}  // namespace flitscope
