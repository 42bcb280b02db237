// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The values that each key of a configuration accepts, and the errors for others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/config/config_table.h"
#include "models/topology/families/topology_families.h"
#include "testbench/verification/tests/support/config_findings.h"
#include "traffic/patterns/pattern.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Config, UnknownKeyNamesTheNearestOne) {
    EXPECT_EQ(finding(kFabric + "node:\n  send_overhed: 1\n"),
              "c.yaml:5:3: error: unknown key 'send_overhed' (did you mean 'send_overhead'?)");
    EXPECT_EQ(
        finding(kFabric + "buffer_depth: 4\n"),
        "c.yaml:4:1: error: unknown key 'buffer_depth' (did you mean 'fabric.buffer_depth'?)");
    EXPECT_EQ(finding(kFabric + "topology: {}\n"),
              "c.yaml:4:1: error: unknown key 'topology' (did you mean 'fabric.topology'?)");
    EXPECT_EQ(finding(kFabric + "limits: {zzzz: 4}\n"),
              "c.yaml:4:10: error: unknown key 'zzzz' (keys of 'limits': max_cycles)");
    EXPECT_EQ(finding(kFabric + "node: {clock_ns: 2}\n"),
              "c.yaml:4:8: error: unknown key 'clock_ns' ('clock_ns' is a top-level key)");
    EXPECT_EQ(finding(kFabric + "clock: 2\n"),
              "c.yaml:4:1: error: unknown key 'clock' (did you mean 'clock_ns' or "
              "'technology.clock_gates'?)");
    EXPECT_EQ(finding(kFabric, {"topology.kind=torus"}),
              "--set topology.kind=torus: error: unknown key 'topology.kind' (did you mean "
              "'fabric.topology.kind'?)");
    EXPECT_EQ(finding(kFabric + "max_cycles: 9\n"),
              "c.yaml:4:1: error: unknown key 'max_cycles' (did you mean "
              "'steady.max_cycles' or 'limits.max_cycles'?)");
    EXPECT_THAT(finding(kFabric, {"max_cyc=9"}),
                HasSubstr("did you mean 'steady.max_cycles' or 'limits.max_cycles'?"));
    EXPECT_THAT(finding(kFabric, {"max_cycls=9"}),
                HasSubstr("did you mean 'steady.max_cycles' or 'limits.max_cycles'?"));
    EXPECT_THAT(finding(kFabric + "node: {seed: 1}\n"),
                HasSubstr("('seed' is a top-level key; or did you mean 'faults.seed'?)"));
    EXPECT_THAT(
        findings(kFabric, {"traffic.trace=t.goal"}),
        testing::Contains(
            "--set traffic.trace=t.goal: error: 'traffic.trace' must be a map of keys, found "
            "'t.goal' (write trace: {file: t.goal})"));
}

TEST(Config, KeysOfOtherToolsSayWhatTheyAreHere) {
    EXPECT_EQ(finding(kFabric + "num_vcs: 2\n"),
              "c.yaml:4:1: error: unknown key 'num_vcs' (that is 'fabric.virtual_channels' here)");
    EXPECT_THAT(
        finding(kFabric, {"fabric.vcs-per-vnet=2"}),
        HasSubstr("(that is 'fabric.virtual_channels' here: total over all 'fabric.classes')"));
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

TEST(Config, FormerNamesAreReadAsThoseOfToday) {
    const std::string before =
        "fabric:\n  topology: {kind: mesh, dims: [4, 4]}\n"
        "  virtual_channels: 2\n  switch_arbitration: hold\n"
        "node: {send_startup: 3, serial_startup: true, injection_rate: 1/2}\n"
        "traffic: {schedule: broadcast, algorithm: pipelined_chain, pieces: 5}\n"
        "trace: {from: 7}\n";
    const auto read = [](const std::string& text, const std::vector<std::string>& overrides) {
        return to_yaml(configuration_table(), parse_config(text, "c.yaml", overrides));
    };
    const std::string now = read(before, {});
    EXPECT_EQ(now, read(now, {}));
    for (const FormerName& name : configuration_table().former_names()) {
        EXPECT_EQ(configuration_table().current_name(name.now), name.now);
        EXPECT_EQ(configuration_table().current_name(name.before), name.now);
    }
    for (const char* const line :
         {"switch_arbitration: per_packet\n", "send_overhead: 3\n", "serialize_overhead: true\n",
          "injection_bandwidth: 1/2\n", "chunks: 5\n", "waveform:\n", "from: 7\n"}) {
        EXPECT_THAT(now, HasSubstr(line));
    }
    // On the command line, too: a key, and keys within a value.
    EXPECT_EQ(read(before, {"node.send_startup=4"}), read(before, {"node.send_overhead=4"}));
    EXPECT_EQ(read(kFabric, {"trace={from: 7}", "fabric.switch_arbitration=hold"}),
              read(kFabric, {"waveform.from=7", "fabric.switch_arbitration=per_packet"}));
    EXPECT_EQ(finding(kFabric + "node: {send_startup: 3, send_overhead: 4}\n"),
              "c.yaml:4:8: error: 'send_startup' is the former name of 'send_overhead', which is "
              "set as well (leave one of them out)");
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
    EXPECT_THAT(found("clock_ns=3pF"), HasSubstr("(the unit is ns: write only the number)"));
    EXPECT_THAT(found("clock_ns=0GHz"), HasSubstr("(the unit is ns: write only the number)"));
    EXPECT_THAT(found("clock_ns=fast"), ::testing::EndsWith("found 'fast'"));
    EXPECT_THAT(found("node.injection_bandwidth=20%"), HasSubstr("(write 0.2)"));
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

TEST(Config, ConcentratedMeshesAreMeshes) {
    EXPECT_THAT(findings(kFabric, {"fabric.topology.kind=cmesh"}).at(0),
                HasSubstr("(that is a 'mesh' with several nodes on a router here: {kind: mesh, "
                          "dims: [4, 4], concentration: [2, 2]})"));
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
              "c.yaml:5:19: error: 'node.header_flits' must be an integer from 0 to 16, found the "
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
    const char* below;  ///< empty if every value below is not a number of the kind
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
    ::testing::Values(Bounds{"fabric.virtual_channels", "1", "16", "0", "17"},
                      Bounds{"fabric.buffer_depth", "1", "65536", "0", "65537"},
                      Bounds{"fabric.flit_bits", "16", "1024", "8", "1032"},
                      Bounds{"fabric.flit_bits", "24", "64", "20", "65"},
                      Bounds{"fabric.router_delay", "1", "1024", "0", "1025"},
                      Bounds{"fabric.link_delay.cycles", "1", "1048576", "0", "1048577"},
                      Bounds{"node.header_flits", "1", "16", "-1", "17"},
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
    EXPECT_THAT(bytes("64B"), HasSubstr("(the unit is bytes: write only the number)"));
    EXPECT_THAT(bytes("4KQ"), HasSubstr("(the unit is bytes: write only the number)"));
    EXPECT_THAT(bytes("99999999999K"), HasSubstr("(the unit is bytes: write only the number)"));
    EXPECT_THAT(finding(kFabric + "limits: {max_cycles: 10k}\n"),
                HasSubstr("(the unit is cycles: write only the number)"));
    EXPECT_THAT(finding(kFabric + "seed: 10k\n"), HasSubstr("found '10k'"));
    EXPECT_THAT(bytes("many"), HasSubstr("found 'many'"));
}

TEST(Config, WordsAreOneOfTheirChoices) {
    EXPECT_THAT(finding(with_traffic("schedule: pexgen")),
                StartsWith("c.yaml:2:21: error: unknown schedule 'pexgen' (did you mean "
                           "'pex-gen'? choices: pex, pex-gen, pex-gen-shift, gen, naive, "));
    EXPECT_EQ(finding(with_traffic("pattern: tornade")),
              "c.yaml:2:20: error: unknown pattern 'tornade' (did you mean 'tornado'? choices: " +
                  listed(pattern_kinds()) + ")");
    EXPECT_EQ(finding(with_topology("kind: messh, dims: [4]")),
              "c.yaml:1:27: error: unknown topology kind 'messh' (did you mean 'mesh'? choices: " +
                  listed(topology_families()) + ")");
    EXPECT_EQ(finding(with_topology("kind: express_mesh, dims: [8], segment: 4, layout: sprase")),
              "c.yaml:1:72: error: unknown layout 'sprase' (did you mean 'sparse'? choices: " +
                  listed(kExpressLayouts) + ")");
    EXPECT_THAT(
        finding(kFabric, {"fabric.routing=snake"}),
        StartsWith("--set fabric.routing=snake: error: unknown routing 'snake' (choices: auto, "
                   "dimension_order, dimension_order_balanced, shortest_path, up_down"));
    EXPECT_EQ(
        finding(kFabric, {"fabric.router=rlt"}),
        "--set fabric.router=rlt: error: unknown router 'rlt' (did you mean 'rtl'? choices: " +
            listed(kRouterKinds) + ")");
    EXPECT_EQ(finding(kFabric, {"fabric.switch_arbitration=per_packets"}),
              "--set fabric.switch_arbitration=per_packets: error: unknown switch arbitration "
              "'per_packets' "
              "(did you mean 'per_packet'? choices: " +
                  listed(kSwitchArbitrations) + ")");
    EXPECT_THAT(finding(kFabric, {"fabric.routing=[auto]"}), HasSubstr("found a list"));
    EXPECT_THAT(finding(kFabric, {"fabric.allow_deadlock=yes"}),
                HasSubstr("must be true or false, found 'yes'"));
}

}  // namespace
}  // namespace flitscope
