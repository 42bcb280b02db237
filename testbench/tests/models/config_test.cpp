// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a configuration may say, what is said about one that may not, and where.
#include "testbench/configuration/configuration.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace flitscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Overrides = std::vector<std::string>;

// One key per line, so that a test can name the line of what it adds: line 4 on.
const std::string kFabric =
    "fabric:\n"
    "  topology: {kind: mesh, dims: [4, 4]}\n"
    "traffic: {schedule: pex}\n";

std::vector<std::string> findings(const std::string& text, const Overrides& overrides = {}) {
    std::vector<std::string> found;
    try {
        parse_config(text, "c.yaml", overrides);
    } catch (const ConfigError& error) {
        for (const Diagnostic& finding : error.findings()) found.push_back(finding.str());
    }
    return found;
}

/// The only finding about `text`.
std::string finding(const std::string& text, const Overrides& overrides = {}) {
    const std::vector<std::string> found = findings(text, overrides);
    EXPECT_EQ(found.size(), 1U) << ::testing::PrintToString(found);
    return found.empty() ? "" : found.front();
}

/// kFabric with a line in place of its traffic.
std::string with_traffic(const std::string& line) {
    return "fabric: {topology: {kind: mesh, dims: [4, 4]}}\ntraffic: {" + line + "}\n";
}

std::string with_topology(const std::string& line) {
    return "fabric: {topology: {" + line + "}}\ntraffic: {schedule: pex}\n";
}

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

// ---- What is accepted ---------------------------------------------------------------------------

TEST(Config, TakesDefaultsForWhatIsNotSet) {
    const Config config = parse_config(kFabric, "c.yaml");
    EXPECT_EQ(config.fabric.topology.kind, "mesh");
    EXPECT_THAT(config.fabric.topology.dims, ElementsAre(4, 4));
    EXPECT_EQ(config.fabric.routing, "auto");
    EXPECT_EQ(config.fabric.buffer_depth, 8U);
    EXPECT_EQ(config.traffic.schedule, "pex");
    EXPECT_EQ(config.traffic.message_bytes, 256U);
    EXPECT_FALSE(config.traffic.barrier);
    EXPECT_EQ(config.trace.until, kNever);
    EXPECT_EQ(config.seed, 1U);
}

TEST(Config, ReadsEveryKindOfValue) {
    const Config config = parse_config(
        "fabric:\n"
        "  topology:\n"
        "    kind: mesh\n"
        "    dims:\n"
        "      - 8\n"
        "      - 2\n"
        "  link_delay: {model: linear, reach: 3}\n"
        "  allow_deadlock: true\n"
        "traffic:\n"
        "  pattern: 'hotspot'\n"
        "  root: 15\n"
        "  injection_rate: 2.5e-1\n"
        "trace: {links: [0-1, link_001_000], nodes: [], until: 99}\n"
        "limits:\n"
        "clock_ns: 0.5\n"
        "seed: 18446744073709551615\n",
        "c.yaml");
    EXPECT_THAT(config.fabric.topology.dims, ElementsAre(8, 2));
    EXPECT_EQ(config.fabric.link_delay.model, LinkDelayModel::kLinear);
    EXPECT_EQ(config.fabric.link_delay.reach, 3U);
    EXPECT_TRUE(config.fabric.allow_deadlock);
    EXPECT_EQ(config.traffic.pattern, "hotspot");
    EXPECT_EQ(config.traffic.root, 15U);
    EXPECT_EQ(config.traffic.injection_rate, 0.25);
    EXPECT_THAT(config.trace.links, ElementsAre("0-1", "link_001_000"));
    EXPECT_EQ(config.trace.until, 99U);
    EXPECT_EQ(config.clock_ns, 0.5);
    EXPECT_EQ(config.seed, UINT64_MAX);
}

TEST(Config, LinkDelayMayBeANumber) {
    EXPECT_EQ(parse_config(kFabric, "c", {"fabric.link_delay=7"}).fabric.link_delay.cycles, 7U);
    EXPECT_EQ(finding(kFabric, {"fabric.link_delay=2.5"}),
              "--set fabric.link_delay=2.5: error: 'fabric.link_delay' must be an integer from 1 "
              "to 1024, found '2.5'");
    EXPECT_THAT(finding(kFabric, {"fabric.link_delay=[1]"}), HasSubstr("must be a map of keys"));
    // An override of one of its keys makes a map of the number.
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [2]}, link_delay: 5}\n"
        "traffic: {schedule: pex}\n";
    EXPECT_EQ(parse_config(text, "c", {"fabric.link_delay.cycles=6"}).fabric.link_delay.cycles, 6U);
    EXPECT_EQ(finding(text, {"fabric.link_delay.model=linear"}),
              "c.yaml:1:45: error: key 'cycles' does not apply to link delay model 'linear' (it is "
              "only for model 'constant')");
}

TEST(Config, PhysicalWiresHaveAPitchThatIsStatedOrDerived) {
    const auto wires = [](const std::string& keys) {
        return parse_config(kFabric, "c", {"fabric.link_delay={model: physical, " + keys + "}"})
            .fabric.link_delay;
    };
    const LinkDelayConfig stated = wires("pitch_mm: 1.5, ns_per_mm: 0.08");
    EXPECT_TRUE(stated.is_physical());
    EXPECT_FALSE(stated.pitch_is_derived);
    EXPECT_EQ(stated.pitch_mm, 1.5);
    EXPECT_EQ(stated.ns_per_mm, 0.08);
    const LinkDelayConfig derived = wires("pitch_mm: area, node_mm2: 2.25");
    EXPECT_TRUE(derived.pitch_is_derived);
    EXPECT_EQ(derived.node_mm2, 2.25);
    EXPECT_EQ(derived.ns_per_mm, 0.0585);

    const auto wrong = [](const std::string& keys) {
        return finding(kFabric, {"fabric.link_delay={model: physical" + keys + "}"});
    };
    EXPECT_THAT(wrong(""), HasSubstr("key 'fabric.link_delay.pitch_mm' is missing"));
    EXPECT_THAT(wrong(", pitch_mm: area"),
                HasSubstr("key 'fabric.link_delay.node_mm2' is missing"));
    EXPECT_THAT(wrong(", pitch_mm: 1, node_mm2: 1"),
                HasSubstr("key 'node_mm2' does not apply to pitch_mm '1' (use 'pitch_mm')"));
    EXPECT_THAT(wrong(", pitch_mm: 0"), HasSubstr("must be a number from 0.001 to 1000"));
    EXPECT_THAT(wrong(", pitch_mm: wide"), HasSubstr("'fabric.link_delay.pitch_mm' must be"));
    EXPECT_THAT(wrong(", pitch_mm: 1, reach: 2"),
                HasSubstr("key 'reach' does not apply to link delay model 'physical' (use "
                          "'pitch_mm')"));
    EXPECT_THAT(finding(kFabric, {"fabric.link_delay={model: linear, pitch_mm: 1}"}),
                HasSubstr("key 'pitch_mm' does not apply to link delay model 'linear'"));
}

TEST(Config, BarrierIsASwitchOrItsCost) {
    const auto barrier = [](const std::string& value) {
        return parse_config(kFabric, "c.yaml", {"traffic.barrier=" + value}).traffic.barrier;
    };
    EXPECT_FALSE(barrier("false"));
    ASSERT_TRUE(barrier("true"));
    EXPECT_EQ(barrier("true")->fixed, 0);
    ASSERT_TRUE(barrier("{}"));
    ASSERT_TRUE(barrier("{per_doubling: 542, fixed: -80.5}"));
    EXPECT_EQ(barrier("{per_doubling: 542, fixed: -80.5}")->per_doubling, 542);
    EXPECT_EQ(barrier("{per_doubling: 542, fixed: -80.5}")->fixed, -80.5);
    EXPECT_THAT(finding(kFabric, {"traffic.barrier=yes"}),
                HasSubstr("must be true, false or a map, found 'yes'"));
    EXPECT_THAT(finding(kFabric, {"traffic.barrier="}), HasSubstr("found nothing"));
    EXPECT_THAT(findings(with_traffic("pattern: uniform, barrier: false")), ElementsAre());
}

TEST(Config, InjectionRateIsAnExactFraction) {
    const auto rate = [](const std::string& value) {
        const Rate r =
            parse_config(kFabric, "c", {"node.injection_rate=" + value}).node.injection_rate;
        return std::to_string(r.numerator) + '/' + std::to_string(r.denominator);
    };
    EXPECT_EQ(rate("0.25"), "1/4");
    EXPECT_EQ(rate("1"), "1/1");
    EXPECT_EQ(rate("1.000"), "1/1");
    EXPECT_EQ(rate("2/6"), "1/3");
    EXPECT_EQ(rate("\"1/2\""), "1/2");
    EXPECT_EQ(rate("0.000001"), "1/1000000");
    EXPECT_EQ(rate("0.1234500000000000000000"), "2469/20000");
    for (const char* bad : {"0",
                            "0.0",
                            "1.5",
                            "3/2",
                            "0/5",
                            "1/0",
                            "-0.5",
                            "1e-3",
                            "nan",
                            ".inf",
                            "1/",
                            "/2",
                            "1/2/3",
                            "0x1",
                            "\"0.5\"",
                            "[1, 2]",
                            "",
                            "0.0000001",
                            "1/1000001",
                            "0.3333333333333333333333",
                            "99999999999999999999/99999999999999999999"}) {
        EXPECT_THAT(finding(kFabric, {std::string("node.injection_rate=") + bad}),
                    HasSubstr("above 0 and at most 1, found "))
            << bad;
    }
}

// ---- Single keys --------------------------------------------------------------------------------

TEST(Config, UnknownKeyNamesTheNearestOne) {
    EXPECT_EQ(finding(kFabric + "node:\n  send_strtup: 1\n"),
              "c.yaml:5:3: error: unknown key 'send_strtup' (did you mean 'send_startup'?)");
    EXPECT_EQ(
        finding(kFabric + "buffer_depth: 4\n"),
        "c.yaml:4:1: error: unknown key 'buffer_depth' (did you mean 'fabric.buffer_depth'?)");
    EXPECT_EQ(finding(kFabric + "topology: {}\n"),
              "c.yaml:4:1: error: unknown key 'topology' (did you mean 'fabric.topology'?)");
    EXPECT_EQ(finding(kFabric + "limits: {zzzz: 4}\n"),
              "c.yaml:4:10: error: unknown key 'zzzz' (keys of 'limits': max_cycles)");
    EXPECT_EQ(
        finding(kFabric + "node: {clock_ns: 2}\n"),
        "c.yaml:4:8: error: unknown key 'clock_ns' ('clock_ns' stands outside of all sections)");
    EXPECT_EQ(finding(kFabric + "clock: 2\n"),
              "c.yaml:4:1: error: unknown key 'clock' (did you mean 'clock_ns'?)");
    EXPECT_EQ(finding(kFabric, {"topology.kind=torus"}),
              "--set topology.kind=torus: error: unknown key 'topology.kind' (did you mean "
              "'fabric.topology.kind'?)");
    EXPECT_EQ(finding(kFabric + "injection_rate: 0.2\n"),
              "c.yaml:4:1: error: unknown key 'injection_rate' (did you mean "
              "'traffic.injection_rate' or 'node.injection_rate'?)");
    EXPECT_THAT(finding(kFabric, {"injection=0.2"}),
                HasSubstr("did you mean 'traffic.injection_rate' or 'node.injection_rate'?"));
    EXPECT_THAT(finding(kFabric, {"injection_rte=0.2"}),
                HasSubstr("did you mean 'traffic.injection_rate' or 'node.injection_rate'?"));
    EXPECT_THAT(finding(kFabric + "node: {trace: {}}\n"),
                HasSubstr("('trace' stands outside of all sections; or did you mean "
                          "'traffic.trace'?)"));
    EXPECT_THAT(
        findings(kFabric, {"traffic.trace=t.goal"}),
        testing::Contains(
            "--set traffic.trace=t.goal: error: 'traffic.trace' must be a map of keys, found "
            "'t.goal' (write trace: {file: t.goal})"));
}

TEST(Config, KeysOfOtherToolsSayWhatTheyAreHere) {
    EXPECT_EQ(finding(kFabric + "num_vcs: 2\n"),
              "c.yaml:4:1: error: unknown key 'num_vcs' (that is 'fabric.virtual_channels' here)");
    EXPECT_THAT(finding(kFabric, {"fabric.vcs-per-vnet=2"}),
                HasSubstr("(that is 'fabric.virtual_channels' here: of all 'fabric.classes' "
                          "together)"));
    EXPECT_THAT(finding(with_topology("kind: mesh, dims: [4, 4], k: 8")),
                HasSubstr("'fabric.topology.dims' here: a list of sides, [8, 8] for k = 8"));
    EXPECT_THAT(finding(with_traffic("schedule: pex, packet_size: 8")),
                HasSubstr("'traffic.message_bytes' here: payload in bytes"));
    const ConfigTable& table = configuration_table();
    std::vector<std::string> all;
    for (const OtherNames& names : table.other_names()) {
        const bool is_ours = table.find_key(names.ours) != nullptr || table.is_section(names.ours);
        EXPECT_TRUE(names.ours.empty() ? !names.note.empty() : is_ours) << names.ours;
        for (const std::string& name : names.theirs) {
            EXPECT_THAT(table.paths_to(name), ElementsAre()) << name;
            EXPECT_THAT(all, ::testing::Not(::testing::Contains(name)));
            EXPECT_EQ(table.find_other_names(name), &names);
            all.push_back(name);
        }
    }
    EXPECT_GT(all.size(), 50U);
}

TEST(Config, LongListsOfKeysAreCutShort) {
    const std::string found = finding(with_traffic("schedule: pex, xyzzy: 8"));
    EXPECT_THAT(found, HasSubstr("(keys of 'traffic': schedule, pattern, program, "));
    EXPECT_THAT(found, HasSubstr(" more, see flitscope keys traffic)"));
    EXPECT_LT(found.size(), 250U);
}

TEST(Config, FilesOfAssignmentsAreToldWhatYamlIs) {
    for (const char* text :
         {"topology = mesh;\nk = 8;\n", "// BookSim\nk = 8;\nn: 2;\n", "a = {1,2}; b: c: d\n"}) {
        EXPECT_THAT(finding(text), HasSubstr("(this is YAML, key: value, such as fabric: "))
            << text;
    }
    EXPECT_THAT(finding("just words\n"), ::testing::Not(HasSubstr("YAML")));
}

TEST(Config, NumbersInOtherFormsAreWrittenOut) {
    const auto found = [](const std::string& override) { return finding(kFabric, {override}); };
    EXPECT_THAT(found("traffic.message_bytes=1e6"), HasSubstr("found '1e6' (write 1000000)"));
    EXPECT_THAT(found("fabric.buffer_depth=4.0"), HasSubstr("found '4.0' (write 4)"));
    EXPECT_THAT(found("fabric.buffer_depth=-4"), ::testing::EndsWith("found '-4'"));
    EXPECT_THAT(found("clock_ns=1GHz"), HasSubstr("(the unit is ns: write 1)"));
    EXPECT_THAT(found("clock_ns=500 MHz"), HasSubstr("(the unit is ns: write 2)"));
    EXPECT_THAT(found("clock_ns=800ps"), HasSubstr("(the unit is ns: write 0.8)"));
    EXPECT_THAT(found("clock_ns=3pF"), HasSubstr("(the unit is ns: write the number alone)"));
    EXPECT_THAT(found("clock_ns=0GHz"), HasSubstr("(the unit is ns: write the number alone)"));
    EXPECT_THAT(found("clock_ns=fast"), ::testing::EndsWith("found 'fast'"));
    EXPECT_THAT(found("node.injection_rate=20%"), HasSubstr("(write 0.2)"));
    EXPECT_THAT(finding(with_traffic("pattern: uniform, injection_rate: 20%")),
                HasSubstr("(write 0.2)"));
    for (const auto& [text, list] : {std::pair{"8x8", "[8, 8]"}, std::pair{"4 x 8", "[4, 8]"},
                                     std::pair{"\"2,3,4\"", "[2, 3, 4]"}, std::pair{"16", "[16]"},
                                     std::pair{"8x", "[1, 2]"}, std::pair{"wide", "[1, 2]"}}) {
        EXPECT_THAT(findings(kFabric, {std::string("fabric.topology.dims=") + text}).at(0),
                    HasSubstr(std::string("(write ") + list + ')'))
            << text;
    }
}

TEST(Config, ConcentratedMeshesAreGraphs) {
    EXPECT_THAT(findings(kFabric, {"fabric.topology.kind=cmesh"}).at(0),
                HasSubstr("(no concentrated mesh; a 'custom' graph with 'endpoints'"));
}

TEST(Config, DuplicateKeyNamesBothPlaces) {
    EXPECT_EQ(finding(kFabric + "seed: 2\nseed: 2\n"),
              "c.yaml:5:1: error: duplicate key 'seed' (first set at c.yaml:4:1)");
    EXPECT_EQ(finding(kFabric + "node: {header_flits: 1, header_flits: 2}\n"),
              "c.yaml:4:25: error: duplicate key 'header_flits' (first set at c.yaml:4:8)");
}

TEST(Config, IntegerIsDecimalDigitsAndNothingElse) {
    for (const char* bad : {"-1",
                            "+1",
                            "2.0",
                            "1e3",
                            "1_000",
                            "0x10",
                            "010",
                            "yes",
                            "true",
                            "\"4\"",
                            "'4'",
                            "~",
                            "",
                            "[4]",
                            "{a: 4}",
                            "nan",
                            "4 5",
                            "18446744073709551616",
                            "99999999999999999999999",
                            "4294967296",
                            "0",
                            "65537"}) {
        EXPECT_THAT(
            finding(kFabric, {std::string("fabric.buffer_depth=") + bad}),
            HasSubstr("error: 'fabric.buffer_depth' must be an integer from 1 to 65536, found "))
            << bad;
    }
    EXPECT_EQ(finding(kFabric + "node:\n  header_flits:   \"4\"\n"),
              "c.yaml:5:19: error: 'node.header_flits' must be an integer from 1 to 16, found the "
              "quoted text \"4\" (remove the quotes)");
    EXPECT_EQ(finding(kFabric + "seed: -5\n"),
              "c.yaml:4:7: error: 'seed' must be an integer from 0 to 18446744073709551615, found "
              "'-5'");
    EXPECT_EQ(finding(kFabric + "seed:\n"),
              "c.yaml:4:1: error: 'seed' must be an integer from 0 to 18446744073709551615, found "
              "nothing");
}

struct Bounds {
    const char* key;
    const char* lowest;
    const char* highest;
    const char* below;  ///< empty where every value below is not a number of the kind
    const char* above;
};
class KeyRange : public ::testing::TestWithParam<Bounds> {};

TEST_P(KeyRange, HoldsItsBoundsAndNothingBeyond) {
    const Bounds& bounds = GetParam();
    const std::string set = std::string(bounds.key) + '=';
    const std::string text = with_traffic(
        set.rfind("traffic.", 0) == 0 && set != "traffic.message_bytes=" ? "pattern: hotspot"
                                                                         : "schedule: pex");
    EXPECT_THAT(findings(text, {set + bounds.lowest}), ElementsAre());
    EXPECT_THAT(findings(text, {set + bounds.highest}), ElementsAre());
    for (const char* outside : {bounds.below, bounds.above}) {
        if (*outside == '\0') continue;
        EXPECT_THAT(finding(text, {set + outside}),
                    HasSubstr(std::string("found '") + outside + '\''));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Keys, KeyRange,
    ::testing::Values(Bounds{"fabric.virtual_channels", "1", "8", "0", "9"},
                      Bounds{"fabric.buffer_depth", "1", "65536", "0", "65537"},
                      Bounds{"fabric.flit_bits", "16", "1024", "8", "1032"},
                      Bounds{"fabric.flit_bits", "24", "64", "20", "65"},
                      Bounds{"fabric.router_delay", "1", "1024", "0", "1025"},
                      Bounds{"fabric.link_delay.cycles", "1", "1024", "0", "1025"},
                      Bounds{"node.header_flits", "1", "16", "0", "17"},
                      Bounds{"node.packet_bytes", "0", "4294967296", "-1", "4294967297"},
                      Bounds{"traffic.message_bytes", "0", "4294967296", "-1", "4294967297"},
                      Bounds{"traffic.injection_rate", "1e-9", "1", "0", "1.001"},
                      Bounds{"traffic.hotspot_fraction", "0", "1", "-0.1", "1.1"},
                      Bounds{"traffic.measure_cycles", "1", "1000000000000000", "0", ".inf"},
                      Bounds{"limits.max_cycles", "1", "1000000000000000", "0", "1000000000000001"},
                      Bounds{"clock_ns", "0.001", "1000000", "0", "nan"},
                      Bounds{"seed", "0", "18446744073709551615", "-1", "18446744073709551616"}));

TEST(Config, IntegersStandWithoutTheirUnit) {
    const auto bytes = [](const std::string& text) {
        return finding(with_traffic("schedule: pex, message_bytes: " + text));
    };
    for (const char* text : {"4KB", "4K", "4k", "4KiB", "4 kB"}) {
        EXPECT_EQ(bytes(text),
                  "c.yaml:2:41: error: 'traffic.message_bytes' must be an integer from 0 to "
                  "4294967296, found '" +
                      std::string(text) + "' (sizes are bytes: write 4096)");
    }
    EXPECT_THAT(bytes("2MB"), HasSubstr("write 2097152)"));
    EXPECT_THAT(bytes("1G"), HasSubstr("write 1073741824)"));
    EXPECT_THAT(bytes("64B"), HasSubstr("(the unit is bytes: write the number alone)"));
    EXPECT_THAT(bytes("4KQ"), HasSubstr("(the unit is bytes: write the number alone)"));
    EXPECT_THAT(bytes("99999999999K"), HasSubstr("(the unit is bytes: write the number alone)"));
    EXPECT_THAT(finding(kFabric + "limits: {max_cycles: 10k}\n"),
                HasSubstr("(the unit is cycles: write the number alone)"));
    EXPECT_THAT(finding(kFabric + "seed: 10k\n"), HasSubstr("found '10k'"));
    EXPECT_THAT(bytes("many"), HasSubstr("found 'many'"));
}

TEST(Config, WordsAreOneOfTheirChoices) {
    EXPECT_THAT(finding(with_traffic("schedule: pexgen")),
                StartsWith("c.yaml:2:21: error: unknown schedule 'pexgen' (did you mean "
                           "'pex-gen'? choices: pex, pex-gen, pex-gen-shift, gen, naive, "));
    EXPECT_EQ(finding(with_traffic("pattern: tornade")),
              "c.yaml:2:20: error: unknown pattern 'tornade' (did you mean 'tornado'? choices: "
              "uniform, transpose, bit_reverse, bit_complement, shuffle, tornado, neighbour, "
              "random_permutation, hotspot, mixed, matrix)");
    EXPECT_EQ(finding(with_topology("kind: messh, dims: [4]")),
              "c.yaml:1:27: error: unknown topology kind 'messh' (did you mean 'mesh'? choices: "
              "mesh, torus, hypercube, ghc, how, express_mesh, fat_tree, dragonfly, custom)");
    EXPECT_EQ(finding(with_topology("kind: express_mesh, dims: [8], segment: 4, layout: sprase")),
              "c.yaml:1:72: error: unknown layout 'sprase' (did you mean 'sparse'? choices: full, "
              "sparse, shifted, compound, hierarchy)");
    EXPECT_THAT(
        finding(kFabric, {"fabric.routing=snake"}),
        StartsWith("--set fabric.routing=snake: error: unknown routing 'snake' (choices: auto, "
                   "dimension_order, shortest_path, up_down"));
    EXPECT_EQ(finding(kFabric, {"fabric.router=rlt"}),
              "--set fabric.router=rlt: error: unknown router 'rlt' (did you mean 'rtl'? choices: "
              "systemc, rtl)");
    EXPECT_EQ(finding(kFabric, {"fabric.switch_arbitration=holds"}),
              "--set fabric.switch_arbitration=holds: error: unknown switch arbitration 'holds' "
              "(did you mean 'hold'? choices: round_robin, hold)");
    EXPECT_THAT(finding(kFabric, {"fabric.routing=[auto]"}), HasSubstr("found a list"));
    EXPECT_THAT(finding(kFabric, {"fabric.allow_deadlock=yes"}),
                HasSubstr("must be true or false, found 'yes'"));
}

// ---- Routers ------------------------------------------------------------------------------------

/// kFabric with a line in its fabric: line 3.
std::string with_fabric(const std::string& line) {
    return "fabric:\n"
           "  topology: {kind: mesh, dims: [4, 4]}\n"
           "  " +
           line + "\ntraffic: {schedule: pex}\n";
}

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
    EXPECT_THAT(finding(kFabric, {kind + "=flatfly"}),
                HasSubstr("(a flattened butterfly is a 'ghc' (generalized hypercube) here)"));
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

TEST(Config, LastOverrideThatNamesANodeGivesItsRouter) {
    FabricConfig fabric;
    EXPECT_EQ(fabric.router_of(5), RouterKind::kSystemC);
    fabric.router = RouterKind::kRtl;
    EXPECT_EQ(fabric.router_of(5), RouterKind::kRtl);
    fabric.router_overrides = {
        {{5, 9}, RouterKind::kSystemC}, {{9, 1}, RouterKind::kRtl}, {{2, 1}, RouterKind::kSystemC}};
    EXPECT_EQ(fabric.router_of(0), RouterKind::kRtl);
    EXPECT_EQ(fabric.router_of(1), RouterKind::kSystemC);
    EXPECT_EQ(fabric.router_of(2), RouterKind::kSystemC);
    EXPECT_EQ(fabric.router_of(5), RouterKind::kSystemC);
    EXPECT_EQ(fabric.router_of(9), RouterKind::kRtl);
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
                  "of the nodes that have this router: 0 to 65535 each)",
                  "c.yaml:3:23: error: unknown key 'nods' (did you mean 'nodes'?)"}));
    EXPECT_EQ(finding(with_fabric("router_overrides: [{nodes: [5], router: rtl, delay: 2}]")),
              "c.yaml:3:48: error: unknown key 'delay' (keys of 'fabric.router_overrides[0]': "
              "nodes, router)");
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
    const Overrides hold = {"fabric.switch_arbitration=hold"};
    EXPECT_EQ(parse_config(kFabric, "c", hold).fabric.switch_arbitration, SwitchArbitration::kHold);
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
    const RtlModule some =
        parse_config(with_fabric("router_overrides: [{nodes: [1], router: systemc}, {nodes: [2], "
                                 "router: {top: mine}}]"),
                     "c")
            .fabric.rtl_module();
    EXPECT_TRUE((some == RtlModule{"mine", {}, RtlProtocol::kFlit}));
    // Where the user stands, not where the configuration does.
    EXPECT_THAT(parse_config(kFabric, "dir/c.yaml", {"fabric.router={top: m, sources: [m.sv]}"})
                    .fabric.rtl_module()
                    .sources,
                ElementsAre("m.sv"));
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
    const std::string text = kFabric + "trace: {nodes: [1], rtl_nodes: [0, 65535]}\n";
    EXPECT_THAT(parse_config(text, "c").trace.rtl_nodes, ElementsAre(0, 65535));
    EXPECT_THAT(parse_config(text, "c").trace.nodes, ElementsAre(1));
    EXPECT_THAT(parse_config(text, "c", {"trace.rtl_nodes=[7]"}).trace.rtl_nodes, ElementsAre(7));
    EXPECT_EQ(finding(kFabric + "trace: {rtl_nodes: [3, 65536]}\n"),
              "c.yaml:4:24: error: 'trace.rtl_nodes[1]' must be an integer from 0 to 65535, found "
              "'65536'");
    EXPECT_EQ(finding(kFabric + "trace: {rtl_nodes: all}\n"),
              "c.yaml:4:20: error: 'trace.rtl_nodes' must be a list of integers, found 'all' "
              "(write [1, 2])");
    EXPECT_EQ(finding(kFabric + "trace: {rtl_node: [3]}\n"),
              "c.yaml:4:9: error: unknown key 'rtl_node' (did you mean 'rtl_nodes'?)");
}

// ---- Rules between keys -------------------------------------------------------------------------

TEST(Config, TopologyKeysGoWithTheKind) {
    EXPECT_EQ(finding(with_topology("kind: hypercube, dimensions: 3, dims: [4]")),
              "c.yaml:1:53: error: key 'dims' does not apply to topology kind 'hypercube' (use "
              "'dimensions')");
    EXPECT_THAT(findings(with_topology("kind: hypercube, dims: [4]")),
                ElementsAre("c.yaml:1:10: error: key 'fabric.topology.dimensions' is missing "
                            "(needed for topology kind 'hypercube', 2^dimensions nodes: 0 to 16)",
                            "c.yaml:1:38: error: key 'dims' does not apply to topology kind "
                            "'hypercube' (use 'dimensions')"));
    EXPECT_THAT(finding(with_topology("kind: mesh")),
                HasSubstr("c.yaml:1:10: error: key 'fabric.topology.dims' is missing"));
    EXPECT_THAT(finding(with_topology("kind: custom")),
                HasSubstr("key 'fabric.topology.file' is missing"));
    EXPECT_EQ(finding("fabric: {}\ntraffic: {schedule: pex}\n"),
              "c.yaml:1:1: error: key 'fabric.topology.kind' is missing (family of the network: "
              "mesh, torus, hypercube, ghc, how, express_mesh, fat_tree, dragonfly, custom)");
    for (const char* kind : {"mesh", "torus", "ghc", "how", "express_mesh"}) {
        EXPECT_THAT(findings(with_topology(std::string("kind: ") + kind)).front(),
                    HasSubstr("key 'fabric.topology.dims' is missing"));
    }
    EXPECT_THAT(finding(with_topology("kind: how, dims: [4]")),
                HasSubstr("c.yaml:1:10: error: key 'fabric.topology.window' is missing (needed "
                          "for topology kind 'how', "));
    EXPECT_THAT(finding(with_topology("kind: express_mesh, dims: [4]")),
                HasSubstr("c.yaml:1:10: error: key 'fabric.topology.segment' is missing (needed "
                          "for topology kind 'express_mesh', "));
    EXPECT_EQ(finding(with_topology("kind: mesh, dims: [4], window: 1")),
              "c.yaml:1:44: error: key 'window' does not apply to topology kind 'mesh' (use "
              "'dims')");
    EXPECT_THAT(finding(with_topology("kind: mesh, dims: [4], folded: true")),
                HasSubstr("key 'folded' does not apply to topology kind 'mesh'"));
    EXPECT_THAT(finding(with_topology("kind: how, dims: [4], window: 1, segment: 2")),
                HasSubstr("key 'segment' does not apply to topology kind 'how'"));
    EXPECT_THAT(finding(with_topology("kind: ghc, dims: [4], layout: full")),
                HasSubstr("key 'layout' does not apply to topology kind 'ghc'"));
    EXPECT_THAT(finding(with_topology("kind: express_mesh, dims: [4], segment: 2, levels: 1")),
                HasSubstr("key 'levels' does not apply to layout 'full'"));
}

TEST(Config, TopologiesOfEveryKindAreRead) {
    const auto read = [](const std::string& line) {
        return parse_config(with_topology(line), "c").fabric.topology;
    };
    EXPECT_FALSE(read("kind: torus, dims: [4, 3]").folded);
    EXPECT_TRUE(read("kind: torus, dims: [4, 3], folded: true").folded);
    EXPECT_THAT(read("kind: ghc, dims: [4, 3]").dims, ElementsAre(4, 3));
    EXPECT_THAT(read("kind: how, dims: [4, 3], window: 2").windows, ElementsAre(2));
    EXPECT_THAT(read("kind: how, dims: [4, 3], window: [3, 1]").windows, ElementsAre(3, 1));
    EXPECT_EQ(read("kind: express_mesh, dims: [9], segment: 4").segment, 4U);
    EXPECT_EQ(read("kind: express_mesh, dims: [9], segment: 4").layout, ExpressLayout::kFull);
    EXPECT_EQ(
        read("kind: express_mesh, dims: [9, 9], segment: 2, layout: hierarchy, levels: 3").levels,
        3U);
}

TEST(Config, WindowsFitTheirDimensions) {
    EXPECT_THAT(findings(with_topology("kind: how, dims: [8, 4], window: 3")), ElementsAre());
    EXPECT_THAT(findings(with_topology("kind: how, dims: [8, 1], window: [7, 1]")), ElementsAre());
    EXPECT_EQ(finding(with_topology("kind: how, dims: [8, 4], window: 4")),
              "c.yaml:1:54: error: window 4 does not fit dimension 1 of 4 nodes (at most 3, which "
              "joins every node of the line to every other)");
    EXPECT_THAT(finding(with_topology("kind: how, dims: [8, 4], window: [8, 3]")),
                HasSubstr("window 8 does not fit dimension 0 of 8 nodes (at most 7, "));
    EXPECT_THAT(finding(with_topology("kind: how, dims: [8, 1], window: [3, 2]")),
                HasSubstr("window 2 does not fit dimension 1 of 1 nodes (1 where the side is 1)"));
    EXPECT_EQ(finding(with_topology("kind: how, dims: [8, 4], window: [3, 2, 1]")),
              "c.yaml:1:54: error: 3 windows for 2 dimensions (write one window for all "
              "dimensions, or a list of 2)");
    EXPECT_THAT(finding(with_topology("kind: how, dims: [8, 4], window: 0")),
                HasSubstr("must be an integer from 1 to 65535, found '0'"));
}

TEST(Config, ExpressLinksFitTheSides) {
    const std::string express = "kind: express_mesh, dims: ";
    EXPECT_THAT(findings(with_topology(express + "[8, 5], segment: 4")), ElementsAre());
    EXPECT_EQ(finding(with_topology(express + "[8, 4], segment: 4")),
              "c.yaml:1:64: error: express links of 4 node pitches do not fit a side of 4 nodes (a "
              "link joins nodes that are at most 3 apart)");
    EXPECT_THAT(finding(with_topology(express + "[8, 8], segment: 1")),
                HasSubstr("must be an integer from 2 to 65535, found '1'"));
    const std::string levels = "[9, 9], segment: 2, layout: hierarchy, levels: ";
    EXPECT_THAT(findings(with_topology(express + levels + "3")), ElementsAre());
    EXPECT_EQ(finding(with_topology(express + levels + "4")),
              "c.yaml:1:94: error: express links of 16 node pitches do not fit a side of 9 nodes "
              "(a link joins nodes that are at most 8 apart)");
    EXPECT_THAT(findings(with_topology(express + "[9, 9], segment: 4, layout: shifted")),
                ElementsAre());
    EXPECT_THAT(finding(with_topology(express + "[9, 9], segment: 3, layout: shifted")),
                HasSubstr("closer together two express links would meet at a node"));
    EXPECT_THAT(finding(with_topology(express + "[9, 9, 9], segment: 4, layout: shifted")),
                HasSubstr("is for one or two dimensions"));
    EXPECT_EQ(finding(with_topology(express + "[9], segment: 4, layout: compound")),
              "c.yaml:1:72: error: the compound layout is for two dimensions, not 1");
}

TEST(Config, NetworkHasAtMost65536Nodes) {
    EXPECT_THAT(findings(with_topology("kind: mesh, dims: [256, 256]")), ElementsAre());
    EXPECT_THAT(findings(with_topology("kind: mesh, dims: [1]")), ElementsAre());
    EXPECT_EQ(finding(with_topology("kind: mesh, dims: [256, 257]")),
              "c.yaml:1:39: error: a mesh of 256x257 has more than 65536 nodes");
    EXPECT_THAT(finding(with_topology("kind: mesh, dims: [65536, 65536, 65536, 65536, 2]")),
                HasSubstr("more than 65536 nodes"));
    EXPECT_EQ(finding(with_topology("kind: mesh, dims: [4, 0]")),
              "c.yaml:1:43: error: 'fabric.topology.dims[1]' must be an integer from 1 to 65536, "
              "found '0'");
    EXPECT_EQ(finding(with_topology("kind: mesh, dims: []")),
              "c.yaml:1:39: error: 'fabric.topology.dims' must have 1 to 32 entries, found 0");
    EXPECT_THAT(finding(with_topology("kind: mesh, dims: 4")), HasSubstr("must be a list"));
    EXPECT_THAT(findings(with_topology("kind: hypercube, dimensions: 16")), ElementsAre());
    EXPECT_EQ(finding(with_topology("kind: express_mesh, dims: [512, 512], segment: 4")),
              "c.yaml:1:47: error: an express_mesh of 512x512 has more than 65536 nodes");
    EXPECT_EQ(finding(with_topology(
                  "kind: express_mesh, dims: [256, 256], segment: 4, layout: compound")),
              "c.yaml:1:47: error: with the second node of each terminal there are 69632 nodes, "
              "more than 65536");
    EXPECT_THAT(finding(with_topology("kind: hypercube, dimensions: 17")), HasSubstr("0 to 16"));
}

TEST(Config, NetworkHasAtMostSixteenMillionPorts) {
    EXPECT_THAT(findings(with_topology("kind: ghc, dims: [16, 16, 16, 16]")), ElementsAre());
    EXPECT_THAT(findings(with_topology("kind: ghc, dims: [4096]")), ElementsAre());
    EXPECT_EQ(finding(with_topology("kind: ghc, dims: [4097]")),
              "c.yaml:1:38: error: 4097 nodes of 4097 ports each have more than 16777216 ports "
              "(more dimensions of smaller radices)");
    EXPECT_EQ(finding(with_topology("kind: ghc, dims: [65536]")),
              "c.yaml:1:38: error: 65536 nodes of 65536 ports each have more than 16777216 ports "
              "(more dimensions of smaller radices)");
    EXPECT_THAT(findings(with_topology("kind: how, dims: [256, 256], window: 63")), ElementsAre());
    EXPECT_EQ(finding(with_topology("kind: how, dims: [256, 256], window: 64")),
              "c.yaml:1:38: error: 65536 nodes of 257 ports each have more than 16777216 ports (a "
              "smaller window, or more dimensions of smaller sides)");
}

TEST(Config, TrafficIsAtMostOneOfThree) {
    EXPECT_EQ(finding(with_traffic("message_bytes: 8")),
              "c.yaml:2:1: error: no traffic: none of 'traffic.schedule', 'traffic.pattern', "
              "'traffic.program', 'traffic.trace.file' is set (set exactly one of them)");
    EXPECT_THAT(findings(with_traffic("schedule: pex, pattern: uniform, root: 1")),
                ElementsAre("c.yaml:2:11: error: 'traffic.schedule' contradicts 'traffic.pattern' "
                            "at c.yaml:2:26 (set exactly one of them)",
                            "c.yaml:2:26: error: 'traffic.pattern' contradicts 'traffic.schedule' "
                            "at c.yaml:2:11 (set exactly one of them)"));
}

/// A configuration of a graph whose file names its nodes: a-b is 0, cpu 1, and the switch hub 2.
std::string with_named_graph(const std::string& lines) {
    const std::string path = ::testing::TempDir() + "named_config.dot";
    std::ofstream(path) << "graph { hub [endpoint=false]; hub -- {\"a-b\" cpu}; \"a-b\" -- cpu }\n";
    return fmt::format("fabric: {{topology: {{kind: custom, file: '{}'}}}}\n{}", path, lines);
}

TEST(Config, KeysTakeNamesOfNodes) {
    const Config config = parse_config(
        with_named_graph("traffic: {schedule: broadcast, root: cpu}\n"
                         "trace: {nodes: [hub, 1, 'a-b'], rtl_nodes: [cpu]}\n"
                         "faults: {nodes: [hub]}\n"
                         "interconnect: {initiators: [cpu, 0], targets: [{node: a-b, base: 0, "
                         "size: 8}]}\n"),
        "c.yaml",
        {"fabric.router_overrides=[{nodes: [0, hub], router: systemc}, {nodes: [cpu], router: "
         "systemc}]"});
    EXPECT_EQ(config.traffic.root, 1U);
    EXPECT_THAT(config.trace.nodes, ElementsAre(2, 1, 0));
    EXPECT_THAT(config.trace.rtl_nodes, ElementsAre(1));
    EXPECT_THAT(config.faults->nodes, ElementsAre(2));
    EXPECT_THAT(config.interconnect->initiators, ElementsAre(1, 0));
    EXPECT_EQ(config.interconnect->targets.at(0).node, 0U);
    EXPECT_THAT(config.fabric.router_overrides.at(0).nodes, ElementsAre(0, 2));
    EXPECT_THAT(config.fabric.router_overrides.at(1).nodes, ElementsAre(1));
    EXPECT_TRUE(config.named_nodes.empty());
    // What is written has numbers, and is the same.
    EXPECT_THAT(to_yaml(config), HasSubstr("root: 1"));
    EXPECT_EQ(to_yaml(parse_config(to_yaml(config), "again.yaml")), to_yaml(config));
    const Config hot = parse_config(
        with_named_graph("traffic: {pattern: hotspot, hot_nodes: [cpu, a-b]}\n"), "c.yaml");
    EXPECT_THAT(hot.traffic.hot_nodes, ElementsAre(1, 0));
}

TEST(Config, NamesOfNodesThatThereAreNotAreFindings) {
    EXPECT_EQ(finding(with_named_graph("traffic: {schedule: broadcast, root: cpuu}\n")),
              "c.yaml:2:38: error: 'traffic.root' names node 'cpuu', which the graph does not have "
              "(did you mean 'cpu'?)");
    EXPECT_EQ(finding(with_named_graph("trace: {nodes: [cpu, elsewhere]}\n")),
              "c.yaml:2:22: error: 'trace.nodes[1]' names node 'elsewhere', which the graph does "
              "not have (flitscope topology tells the names of the nodes)");
    // Where nodes have numbers alone a name is no value.
    EXPECT_EQ(finding(with_traffic("schedule: broadcast, root: cpu")),
              "c.yaml:2:38: error: 'traffic.root' must be an integer from 0 to 65535, found 'cpu'");
    // A file that is no graph is told in place of the names.
    const std::string path = ::testing::TempDir() + "named_broken.dot";
    std::ofstream(path) << "graph { a -- }\n";
    EXPECT_EQ(finding(fmt::format("fabric: {{topology: {{kind: custom, file: '{}'}}}}\n"
                                  "trace: {{nodes: [cpu]}}\n",
                                  path)),
              path + ":1:14: error: this is not DOT: syntax error near '}'");
}

TEST(Config, ANetworkAloneNeedsNoTraffic) {
    const std::string text = "fabric: {topology: {kind: mesh, dims: [4]}}\n";
    const Config config = parse_config(text, "c.yaml");
    EXPECT_FALSE(config.has_traffic());
    EXPECT_EQ(no_traffic(config).str(),
              "c.yaml: error: no traffic: none of 'traffic.schedule', 'traffic.pattern', "
              "'traffic.program', 'traffic.trace.file' is set (set exactly one of them)");
    EXPECT_THAT(to_yaml(config), Not(HasSubstr("traffic")));
    EXPECT_EQ(to_yaml(parse_config(to_yaml(config), "again.yaml")), to_yaml(config));
    EXPECT_THAT(finding(text + "traffic:\n"), HasSubstr("c.yaml:2:1: error: no traffic"));
}

TEST(Config, TrafficKeysGoWithTheTraffic) {
    for (const char* key : {"injection_rate: 0.5", "hotspot_fraction: 0.5", "warmup_cycles: 5",
                            "measure_cycles: 5", "algorithm: ring", "root: 1"}) {
        EXPECT_THAT(
            finding(with_traffic(std::string("schedule: pex, ") + key)),
            HasSubstr("c.yaml:2:26: error: key '" + std::string(key, std::string(key).find(':')) +
                      "' does not apply to schedule 'pex' (it is only for "))
            << key;
    }
    EXPECT_EQ(finding(with_traffic("pattern: uniform, barrier: true")),
              "c.yaml:2:29: error: key 'barrier' does not apply to pattern 'uniform' (it is only "
              "for a schedule or a program)");
    EXPECT_THAT(finding(with_traffic("pattern: uniform, barrier: {fixed: 3}")),
                HasSubstr("key 'barrier' does not apply to pattern 'uniform'"));
    EXPECT_THAT(finding(with_traffic("program: p.yaml, root: 1")),
                HasSubstr("key 'root' does not apply to a program"));
    EXPECT_THAT(findings(with_traffic("program: p.yaml, barrier: true")), ElementsAre());
    EXPECT_THAT(findings(with_traffic("pattern: hotspot, root: 1, hotspot_fraction: 1")),
                ElementsAre());
}

TEST(Config, AlgorithmGoesWithTheSchedule) {
    for (const char* good :
         {"broadcast, algorithm: binomial", "broadcast, algorithm: dimension_order",
          "allgather, algorithm: ring", "allgather, algorithm: recursive_doubling",
          "scatter, algorithm: direct", "scatter, algorithm: binomial", "scatter",
          "aap, algorithm: interleaved", "naive, algorithm: from_zero",
          "broadcast, algorithm: windows", "relayed-exchange, algorithm: windows_wormhole",
          "bounded-contention, contention: 3"}) {
        EXPECT_THAT(findings(with_traffic(std::string("schedule: ") + good)), ElementsAre());
    }
    EXPECT_EQ(finding(with_traffic("schedule: reduce-scatter, algorithm: binomial")),
              "c.yaml:2:48: error: schedule 'reduce-scatter' has no algorithm 'binomial' (choices: "
              "ring, recursive_halving)");
    EXPECT_THAT(finding(with_traffic("schedule: pex, contention: 2")),
                HasSubstr("key 'contention' does not apply to schedule 'pex'"));
    EXPECT_EQ(finding(with_traffic("schedule: allreduce, algorithm: doubling")),
              "c.yaml:2:43: error: schedule 'allreduce' has no algorithm 'doubling' (did you mean "
              "'recursive_doubling'? choices: recursive_doubling, rabenseifner, ring, "
              "reduce_broadcast)");
    EXPECT_THAT(finding(with_traffic("schedule: allreduce, algorithm: [ring]")),
                HasSubstr("the name of an algorithm"));
    EXPECT_THAT(finding(with_traffic("schedule: allreduce, algorithm: anything")),
                HasSubstr("no algorithm 'anything' (choices: recursive_doubling"));
    EXPECT_THAT(finding(with_traffic("schedule: pex, algorithm: anything")),
                HasSubstr("does not apply"));
    EXPECT_THAT(findings(with_traffic("schedule: reduce, algorithm: pipelined_chain, pieces: 3")),
                ElementsAre());
    EXPECT_EQ(finding(with_traffic("schedule: broadcast, pieces: 3")),
              "c.yaml:2:32: error: key 'pieces' does not apply to schedule 'broadcast' (it is only "
              "for schedule 'synthesized', algorithm 'pipelined_chain' or 'pipelined_tree')");
    // Which keys the algorithm would have is not known.
    EXPECT_THAT(finding(with_traffic("schedule: broadcast, algorithm: ring, pieces: 3")),
                HasSubstr("no algorithm 'ring'"));
    EXPECT_THAT(findings(with_traffic("schedule: allreduce, algorithm: reduce_broadcast, root: 3")),
                ElementsAre());
    EXPECT_THAT(finding(with_traffic("schedule: allreduce, root: 3")),
                HasSubstr("key 'root' does not apply to schedule 'allreduce'"));
}

TEST(Config, NodesAndDimensionsExist) {
    EXPECT_THAT(findings(with_traffic("schedule: scatter, root: 15")), ElementsAre());
    EXPECT_EQ(finding(with_traffic("schedule: scatter, root: 16")),
              "c.yaml:2:36: error: 'traffic.root' names node 16, but the nodes are 0 to 15");
    EXPECT_THAT(finding(kFabric, {"trace.nodes=[3, 16]"}), HasSubstr("names node 16"));
    EXPECT_EQ(finding(kFabric, {"trace.dimensions=[1, 2]"}),
              "--set trace.dimensions=[1, 2]: error: 'trace.dimensions' names dimension 2, but the "
              "network has 2 (dimensions count from 0)");
    // Nothing follows from a topology that is itself wrong.
    EXPECT_THAT(finding("fabric: {topology: {kind: hypercube, dimensions: 99}}\n"
                        "traffic: {schedule: scatter, root: 7}\n"),
                HasSubstr("dimensions"));
}

TEST(Config, TraceEndsAfterItBegins) {
    EXPECT_THAT(findings(kFabric + "trace: {from: 4, until: 5}\n"), ElementsAre());
    EXPECT_EQ(finding(kFabric + "trace: {from: 5, until: 5}\n"),
              "c.yaml:4:25: error: the trace ends before it begins: 'trace.from' is 5, "
              "'trace.until' is 5");
}

TEST(Config, TimesOfATraceHaveRoom) {
    EXPECT_THAT(findings(kFabric + "trace: {from: 1000000000000000}\n"), ElementsAre());
    EXPECT_THAT(finding(kFabric + "trace: {from: 1000000000000001}\n"),
                HasSubstr("'trace.from' must be an integer from 0 to 1000000000000000"));
    EXPECT_THAT(findings(kFabric + "trace: {from: 18446744073}\n", {"clock_ns=1e6"}),
                ElementsAre());
    EXPECT_EQ(finding(kFabric + "trace: {from: 18446744074}\n", {"clock_ns=1e6"}),
              "c.yaml:4:15: error: 'trace.from' is 18446744074, but times of a trace, in units of "
              "1ps, have room for 18446744073 cycles of 1000000 ns");
}

TEST(Config, PacketsOfAMessageCanBeNumbered) {
    EXPECT_THAT(finding(kFabric, {"traffic.message_bytes=4294967296", "node.packet_bytes=1"}),
                HasSubstr("more than 2^32 - 1 packets"));
    EXPECT_THAT(findings(kFabric, {"traffic.message_bytes=4294967295", "node.packet_bytes=1"}),
                ElementsAre());
}

TEST(Config, ReportsAllFindingsSortedByPlace) {
    EXPECT_THAT(
        findings("seed: x\n"
                 "fabric:\n"
                 "  topology: {kind: mesh, dims: [4, 4]}\n"
                 "  flit_bits: 17\n"
                 "traffic: {schedule: pex, algorithm: ring, speed: 3}\n"
                 "seed: 4\n",
                 {"seed.a=1", "clock_ns=0"}),
        ElementsAre(HasSubstr("c.yaml:1:7: error: 'seed'"),
                    HasSubstr("c.yaml:4:14: error: 'fabric.flit_bits' must be a multiple"),
                    HasSubstr("c.yaml:5:26: error: key 'algorithm' does not apply"),
                    HasSubstr("c.yaml:5:43: error: unknown key 'speed'"),
                    HasSubstr("c.yaml:6:1: error: duplicate key 'seed'"),
                    HasSubstr("--set seed.a=1: error: "), HasSubstr("--set clock_ns=0: error: ")));
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
              "c.yaml:4:1: error: an entry of a list ('-') stands among keys (remove the '-', or "
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
    // What the command line itself says of the trace stays, before and after.
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
    EXPECT_THAT(finding(kFabric, {"node={send_strtup: 4}"}),
                HasSubstr("unknown key 'node.send_strtup' (did you mean 'node.send_startup'?)"));
    EXPECT_THAT(finding(kFabric, {"node={header_flits: 4, header_flits: 4}"}),
                HasSubstr("duplicate key 'header_flits'"));
    EXPECT_THAT(finding(kFabric, {"fabric.topology={kind: mesh, dims: [4]"}),
                HasSubstr("closing bracket missing"));
}

TEST(Override, OfRoutersReplacesTheWholeList) {
    const std::string argument = "fabric.router_overrides=[{nodes: [5], router: rtl}]";
    const FabricConfig fabric = parse_config(kFabric, "c", {argument}).fabric;
    ASSERT_EQ(fabric.router_overrides.size(), 1U);
    EXPECT_EQ(fabric.router_of(5), RouterKind::kRtl);
    EXPECT_EQ(fabric.router_of(6), RouterKind::kSystemC);
    const std::string text = with_fabric("router_overrides: [{nodes: [6], router: rtl}, {}]");
    EXPECT_EQ(parse_config(text, "c", {argument}).fabric.router_of(6), RouterKind::kSystemC);
    EXPECT_TRUE(
        parse_config(text, "c", {"fabric.router_overrides=[]"}).fabric.router_overrides.empty());
    const std::string slip = "fabric.router_overrides=[{nodes: [5], rooter: rtl, router: rtl}]";
    EXPECT_EQ(finding(kFabric, {slip}),
              "--set " + slip +
                  ": error: unknown key 'fabric.router_overrides[0].rooter' (did you mean "
                  "'fabric.router_overrides[0].router'?)");
    EXPECT_EQ(finding(kFabric, {"fabric.router_overrides.nodes=[5]"}),
              "--set fabric.router_overrides.nodes=[5]: error: 'fabric.router_overrides' is a "
              "value without keys of its own (set 'fabric.router_overrides' as a whole)");
}

TEST(Override, MalformedOneIsAFinding) {
    for (const char* bad : {"seed", "=4", "", "=", "a..b=4", ".seed=4", "seed.=4", "seed.x=4",
                            "fabric.topology.dims.0=4", "fabric.topology.kind.x=mesh"}) {
        const std::string found = finding(kFabric, {bad});
        EXPECT_EQ(found.rfind(std::string("--set ") + bad + ": error: ", 0), 0U) << found;
    }
}

// ---- Files, places, the way back ----------------------------------------------------------------

class ConfigFile : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / "config";
        std::filesystem::create_directory(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) const {
        const std::string path = (folder_ / name).string();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    std::filesystem::path folder_;
};

TEST_F(ConfigFile, NamesItselfInFindings) {
    const std::string path = write("bad.yaml", kFabric + "sed: 1\n");
    try {
        load_config(path);
        FAIL() << "not refused";
    } catch (const ConfigError& error) {
        EXPECT_EQ(std::string(error.what()),
                  path + ":4:1: error: unknown key 'sed' (did you mean 'seed'?)");
    }
}

TEST_F(ConfigFile, MustExistAndBeAFile) {
    for (const std::string& path : {folder_.string(), (folder_ / "none.yaml").string()}) {
        EXPECT_THROW(load_config(path), ConfigError) << path;
    }
    EXPECT_THROW(load_config(""), ConfigError);
    EXPECT_THROW(load_config(write("empty.yaml", "")), ConfigError);
}

TEST_F(ConfigFile, FileNamesAreRelativeToIt) {
    const std::string path = write("c.yaml",
                                   "fabric: {topology: {kind: custom, file: sub/../g.yaml}}\n"
                                   "traffic: {program: /abs/p.yaml}\n");
    const Config config = load_config(path);
    EXPECT_EQ(config.fabric.topology.file, (folder_ / "g.yaml").string());
    EXPECT_EQ(config.traffic.program, "/abs/p.yaml");
    EXPECT_EQ(load_config(path, {"traffic.program=p.yaml"}).traffic.program, "p.yaml");
    // Written out, it can be loaded from anywhere.
    const Config again = parse_config(to_yaml(config), "again.yaml", {}, "elsewhere");
    EXPECT_EQ(again.fabric.topology.file, (folder_ / "g.yaml").string());
}

TEST(Config, KnowsWhereAKeyWasSet) {
    const Config config = parse_config(kFabric, "c.yaml");
    EXPECT_EQ(config.where("fabric.topology.dims").str(), "c.yaml:2:32");
    EXPECT_EQ(config.where("fabric.topology.file").str(), "c.yaml:2:3");
    EXPECT_EQ(config.where("fabric.routing").str(), "c.yaml:1:1");
    EXPECT_EQ(config.where("node.header_flits").str(), "c.yaml");
}

TEST(Config, WrittenOutLoadsAsTheSame) {
    const std::vector<Overrides> variants = {
        {},
        {"fabric.link_delay={model: linear, reach: 4}", "node.injection_rate=2/7", "clock_ns=0.3"},
        {"fabric.link_delay={model: physical, pitch_mm: 0.7071067811865476}", "clock_ns=0.3"},
        {"fabric.link_delay={model: physical, pitch_mm: area, node_mm2: 0}", "clock_ns=synth"},
        {"fabric.topology={kind: hypercube, dimensions: 4}", "traffic.barrier={fixed: -1e-7}"},
        {"fabric.topology={kind: custom, file: \"a b#'\\\"\\\\: c\"}", "traffic.program=null.yaml"},
        {"traffic={pattern: hotspot, root: 3, hotspot_fraction: 0.7}", "seed=18446744073709551615"},
        {"traffic={schedule: scatter, algorithm: binomial, root: 3, barrier: true}"},
        {"trace={links: [0-1, \"x y\", \"null\", '-'], nodes: [3, 4], from: 5, until: 6}"},
        {"fabric.topology={kind: torus, dims: [4, 3], folded: true}"},
        {"fabric.topology={kind: ghc, dims: [4, 3]}"},
        {"fabric.topology={kind: how, dims: [4, 3], window: 2}"},
        {"fabric.topology={kind: how, dims: [4, 3], window: [3, 1]}"},
        {"fabric.topology={kind: express_mesh, dims: [5, 6], segment: 4, layout: sparse}"},
        {"fabric.topology={kind: express_mesh, dims: [5], segment: 2, layout: hierarchy, "
         "levels: 2}"},
        {"fabric.virtual_channels=2", "fabric.switch_arbitration=hold"},
        {"fabric.allocation=combined"},
        {"fabric.switching=store_and_forward", "fabric.combining_delay=7"},
        {"fabric.switching=circuit", "fabric.setup_delay=7"},
        {"fabric.router={top: \"null\", sources: [/a/b.sv, \"/c d/e: f.v\"]}",
         "trace.rtl_nodes=[0, 7]"},
        {"fabric.router_overrides=[{nodes: [9, 5], router: rtl}, {router: systemc, nodes: [5]}]"}};
    for (const Overrides& overrides : variants) {
        const std::string text = to_yaml(parse_config(kFabric, "c.yaml", overrides));
        EXPECT_EQ(to_yaml(parse_config(text, "again.yaml")), text);
        for (const std::string& argument : overrides) {
            EXPECT_NE(text, to_yaml(parse_config(kFabric, "c.yaml"))) << argument;
        }
    }
    EXPECT_THAT(to_yaml(parse_config(kFabric, "c.yaml", variants.back())),
                HasSubstr("  router: systemc\n"
                          "  router_overrides: [{nodes: [9, 5], router: rtl}, {nodes: [5], router: "
                          "systemc}]\n"
                          "  virtual_channels: 1\n"));
    EXPECT_THAT(to_yaml(parse_config(kFabric, "c.yaml")), HasSubstr("\n  router_overrides: []\n"));
    EXPECT_THAT(to_yaml(parse_config(kFabric, "c.yaml", {"node.injection_rate=0.125"})),
                HasSubstr("  recv_overhead: 0\n"
                          "  injection_rate: 1/8\n"
                          "  packet_bytes: 0\n"));
    EXPECT_THAT(to_yaml(parse_config(kFabric, "c.yaml")), HasSubstr("traffic:\n"
                                                                    "  schedule: pex\n"
                                                                    "  message_bytes: 256\n"
                                                                    "  handshake: false\n"
                                                                    "trace:\n"));
}

/// Configurations to which, together, all keys apply.
std::vector<std::string> configurations_of_all_kinds() {
    const auto fabric = [](const std::string& topology, const std::string& more = "") {
        return "fabric: {topology: {" + topology + "}" + more + "}\n";
    };
    const std::string mesh = fabric("kind: mesh, dims: [4, 4]");
    const std::string gen = "traffic: {schedule: gen}\n";
    return {mesh + "traffic: {pattern: hotspot}\n",
            mesh + "traffic: {pattern: uniform}\nsteady: {}\n",
            mesh + "traffic: {pattern: uniform, reply_bytes: 64, reply_delay: 3}\n",
            mesh + "traffic: {pattern: uniform, reply_bytes: 0}\n",
            mesh + "traffic: {pattern: mixed, mix: {uniform: 1}, arrivals: bursty}\n",
            mesh + "traffic: {program: p.csv}\n",
            mesh + "traffic: {schedule: broadcast, algorithm: pipelined_chain}\n",
            mesh + "traffic: {schedule: bounded-contention, barrier: true}\n",
            mesh + "traffic: {schedule: prefix}\n",
            mesh + gen + "faults: {}\n",
            mesh + gen +
                "faults: {links: [0-1, link_002_003], nodes: [5], random_links: 0.1, "
                "random_nodes: 2, seed: 9, keep_connected: true, traffic: drop}\n",
            mesh + "interconnect: {initiators: [0], targets: [{node: 5, base: 0, size: 16}]}\n",
            fabric("kind: torus, dims: [4, 4]", ", link_delay: {model: linear}") + gen,
            fabric("kind: mesh, dims: [4, 4]",
                   ", link_delay: {model: physical, pitch_mm: 0.75, ns_per_mm: 0.1}") +
                gen,
            fabric("kind: mesh, dims: [4, 4]",
                   ", link_delay: {model: physical, pitch_mm: area, node_mm2: 1e-3}") +
                gen + "clock_ns: synth\n",
            fabric("kind: mesh, dims: [4, 4]", ", switching: store_and_forward") + gen,
            fabric("kind: mesh, dims: [4, 4]", ", switching: circuit") + gen,
            fabric("kind: mesh, dims: [4, 4]") + gen + "node: {retransmit: {}}\n",
            fabric("kind: express_mesh, dims: [16, 16], segment: 4") + gen,
            fabric("kind: express_mesh, dims: [16, 16], segment: 4, layout: hierarchy") + gen};
}

TEST(Config, WhatIsWrittenIsRead) {
    for (const std::string& text : configurations_of_all_kinds()) {
        const std::string written = to_yaml(parse_config(text, "c"));
        EXPECT_TRUE(findings(written).empty()) << written;
        EXPECT_EQ(to_yaml(parse_config(written, "c")), written);
    }
}

TEST(Config, ATimeToMeasureIsNotForWhatIsMeasuredUntilItIsSteady) {
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\ntraffic: {pattern: uniform}\nsteady: {}\n";
    EXPECT_TRUE(findings(text).empty());
    for (const char* told : {"traffic.measure_cycles=500", "traffic.warmup_cycles=500"}) {
        EXPECT_EQ(findings(text, {told}).size(), 1U) << told;
    }
}

TEST(Config, AWarmUpIsANumberOrAWord) {
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\ntraffic: {pattern: uniform}\nsteady: {}\n";
    for (const char* told : {"mser", "MSER5", "-5"}) {
        EXPECT_THAT(findings(text, {std::string("steady.warmup=") + told}),
                    testing::ElementsAre(testing::AllOf(HasSubstr("an integer from 0 to"),
                                                        HasSubstr("or the word mser5"))));
    }
    EXPECT_THAT(finding(text, {"steady.warmup=mser"}), HasSubstr("did you mean 'mser5'?"));
    EXPECT_THAT(finding(text, {"steady.warmup=1e3"}), HasSubstr("write 1000"));
}

TEST(Config, DefaultsOfTheReferenceCanBeGiven) {
    for (const ConfigKey& key : configuration_table().keys()) {
        if (key.is_required) continue;
        const std::string given = key.path + '=' + key.default_text();
        bool is_taken = false;
        for (const std::string& text : configurations_of_all_kinds()) {
            is_taken = is_taken || (findings(text, {given}).empty() &&
                                    to_yaml(parse_config(text, "c", {given})) ==
                                        to_yaml(parse_config(text, "c")));
        }
        EXPECT_TRUE(is_taken) << given;
    }
    for (const char* none : {"interconnect=none", "traffic.barrier=none",
                             "traffic={schedule: gen, "
                             "pattern: none, program: none, algorithm: none, barrier: none}"}) {
        EXPECT_THAT(findings(kFabric, {none}), ElementsAre()) << none;
    }
    EXPECT_THAT(finding(kFabric, {"seed=none"}), HasSubstr("must be an integer"));
    EXPECT_THAT(finding(kFabric, {"traffic.pattern=\"none\""}), HasSubstr("unknown pattern"));
}

TEST(Config, ReferenceListsEveryKey) {
    const std::string reference = config_reference();
    for (const char* key : {"fabric.topology.kind",
                            "fabric.topology.dims",
                            "fabric.topology.dimensions",
                            "fabric.topology.file",
                            "fabric.routing",
                            "fabric.router",
                            "fabric.router_overrides",
                            "fabric.virtual_channels",
                            "fabric.switch_arbitration",
                            "fabric.allocation",
                            "fabric.switching",
                            "fabric.combining_delay",
                            "fabric.buffer_depth",
                            "fabric.flit_bits",
                            "fabric.router_delay",
                            "fabric.link_delay",
                            "fabric.link_delay.model",
                            "fabric.link_delay.cycles",
                            "fabric.link_delay.reach",
                            "fabric.link_delay.pitch_mm",
                            "fabric.link_delay.node_mm2",
                            "fabric.link_delay.ns_per_mm",
                            "fabric.allow_deadlock",
                            "node.send_startup",
                            "node.recv_overhead",
                            "node.injection_rate",
                            "node.packet_bytes",
                            "node.header_flits",
                            "traffic.schedule",
                            "traffic.pattern",
                            "traffic.program",
                            "traffic.self",
                            "traffic.algorithm",
                            "traffic.message_bytes",
                            "traffic.message_lengths",
                            "traffic.root",
                            "traffic.barrier",
                            "traffic.barrier.per_doubling",
                            "traffic.barrier.fixed",
                            "traffic.injection_rate",
                            "traffic.arrivals",
                            "traffic.burst_cycles",
                            "traffic.burst_rate",
                            "traffic.reply_bytes",
                            "traffic.reply_delay",
                            "traffic.hotspot_fraction",
                            "traffic.hot_nodes",
                            "traffic.mix",
                            "traffic.matrix",
                            "traffic.warmup_cycles",
                            "traffic.measure_cycles",
                            "trace.links",
                            "trace.nodes",
                            "trace.dimensions",
                            "trace.rtl_nodes",
                            "trace.from",
                            "trace.until",
                            "trace.endpoints",
                            "limits.max_cycles",
                            "clock_ns",
                            "seed"}) {
        EXPECT_THAT(reference, HasSubstr(std::string("\n| `") + key + "` |"));
    }
    EXPECT_THAT(reference,
                HasSubstr("| `fabric.buffer_depth` | integer | 8 | 1 to 65536 | flits |"));
    EXPECT_THAT(
        reference,
        HasSubstr("| `fabric.router_overrides` | list of maps, each of `nodes` (list of "
                  "integers or names) and `router` (as `fabric.router`) | [] | nodes: at least "
                  "one, 0 to 65535 each |"));
    EXPECT_THAT(reference, HasSubstr("| `fabric.switch_arbitration` | word | round_robin | "
                                     "round_robin, hold |"));
    EXPECT_THAT(reference, HasSubstr("for example `[{nodes: [5, 9], router: rtl}]`"));
}

TEST(Config, MutatedTextIsReadOrRefused) {
    const std::string text = to_yaml(parse_config(
        kFabric, "c.yaml",
        {"fabric.link_delay={model: linear}", "traffic.barrier={fixed: -3}",
         "fabric.router_overrides=[{nodes: [5], router: rtl}]", "trace.links=['a b']"}));
    const std::string bytes = "{}[]:,-#&*!|>'\"%@`?~ \n\t\r\\/.0179eE+_<=x\x01\x7f\xc3\xa9\xff";
    std::mt19937_64 random(20261120);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    int refused = 0;
    constexpr int kRuns = 4000;
    for (int run = 0; run < kRuns; ++run) {
        std::string mutated = text;
        for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
            const std::size_t at = below(mutated.size());
            const std::size_t length = 1 + below(8);
            switch (below(4)) {
                case 0:
                    mutated[at] = bytes[below(bytes.size())];
                    break;
                case 1:
                    mutated.insert(at, 1, bytes[below(bytes.size())]);
                    break;
                case 2:
                    mutated.erase(at, length);
                    break;
                default:
                    mutated.insert(at, mutated.substr(below(mutated.size()), length));
            }
        }
        try {
            parse_config(mutated, "c.yaml");
        } catch (const ConfigError& error) {
            ++refused;
            EXPECT_FALSE(error.findings().empty()) << mutated;
        }
    }
    EXPECT_GT(refused, kRuns / 2);
    EXPECT_LT(refused, kRuns);
}

}  // namespace
}  // namespace flitscope
