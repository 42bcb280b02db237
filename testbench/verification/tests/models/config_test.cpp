// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Valid configurations, the places of findings, and that written configurations are read again.
#include "models/config/config.h"
#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/config/config_table.h"
#include "models/config/link_delay_config.h"
#include "models/config/node_config.h"
#include "testbench/app/configuration/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "testbench/verification/tests/support/config_findings.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
        "waveform: {links: [0-1, link_001_000], nodes: [], until: 99}\n"
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
              "to 1048576, found '2.5'");
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
    EXPECT_THAT(
        wrong(", pitch_mm: 1, node_mm2: 1"),
        HasSubstr(
            "key 'node_mm2' does not apply to pitch_mm '1' (it is only for pitch_mm 'area')"));
    EXPECT_THAT(wrong(", pitch_mm: 0"), HasSubstr("must be a number from 0.001 to 1000"));
    EXPECT_THAT(wrong(", pitch_mm: wide"), HasSubstr("'fabric.link_delay.pitch_mm' must be"));
    EXPECT_THAT(wrong(", pitch_mm: 1, reach: 2"),
                HasSubstr("key 'reach' does not apply to link delay model 'physical' (it is "
                          "only for model 'linear')"));
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
        const Rate r = parse_config(kFabric, "c", {"node.injection_bandwidth=" + value})
                           .node.injection_bandwidth;
        return std::to_string(r.numerator) + '/' + std::to_string(r.denominator);
    };
    EXPECT_EQ(rate("0.25"), "1/4");
    EXPECT_EQ(rate("1"), "1/1");
    EXPECT_EQ(rate("1.000"), "1/1");
    EXPECT_EQ(rate("2/6"), "1/3");
    EXPECT_EQ(rate("\"1/2\""), "1/2");
    EXPECT_EQ(rate("0.000001"), "1/1000000");
    EXPECT_EQ(rate("0.1234500000000000000000"), "2469/20000");
    for (const char* half : {".5", "5e-1", "+0.5", "50.0E-2", "0.05e+1", "0.005e2"}) {
        EXPECT_EQ(rate(half), "1/2") << half;
    }
    EXPECT_EQ(rate("1."), "1/1");
    EXPECT_EQ(rate("1e-3"), "1/1000");
    EXPECT_EQ(rate("1e-6"), "1/1000000");
    for (const char* bad : {"0",
                            "0.0",
                            "1.5",
                            "3/2",
                            "0/5",
                            "1/0",
                            "-0.5",
                            "1e-7",
                            "1e1",
                            "1e",
                            "e-1",
                            ".",
                            ".e-1",
                            "5e-1e",
                            "5e+-1",
                            "0e0",
                            "1e-99999999999999999999",
                            "1e-2147483648",
                            "1e2147483647",
                            "+1/2",
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
        EXPECT_THAT(finding(kFabric, {std::string("node.injection_bandwidth=") + bad}),
                    HasSubstr("above 0 and at most 1, found "))
            << bad;
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
    EXPECT_EQ(refused_with([&] { load_config(path); }),
              path + ":4:1: error: unknown key 'sed' (did you mean 'seed'?)");
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
    // Except files that are to be next to it.
    Config moved = config;
    moved.traffic.program = "./p.yaml";
    EXPECT_EQ(parse_config(to_yaml(moved), "moved.yaml", {}, "elsewhere").traffic.program,
              "elsewhere/p.yaml");
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
        {"fabric.link_delay={model: linear, reach: 4}", "node.injection_bandwidth=2/7",
         "clock_ns=0.3"},
        {"fabric.link_delay={model: physical, pitch_mm: 0.7071067811865476}", "clock_ns=0.3"},
        {"fabric.link_delay={model: physical, pitch_mm: area, node_mm2: 0}", "clock_ns=synth"},
        {"fabric.topology={kind: hypercube, dimensions: 4}", "traffic.barrier={fixed: -1e-7}"},
        {"fabric.topology={kind: custom, file: \"a b#'\\\"\\\\: c\"}", "traffic.program=null.yaml"},
        {"traffic={pattern: hotspot, root: 3, hotspot_fraction: 0.7}", "seed=18446744073709551615"},
        {"traffic={schedule: scatter, algorithm: binomial, root: 3, barrier: true}"},
        {"waveform={links: [0-1, \"x y\", \"null\", '-'], nodes: [3, 4], from: 5, until: 6}"},
        {"fabric.topology={kind: torus, dims: [4, 3], folded: true}"},
        {"fabric.topology={kind: ghc, dims: [4, 3]}"},
        {"fabric.topology={kind: how, dims: [4, 3], window: 2}"},
        {"fabric.topology={kind: how, dims: [4, 3], window: [3, 1]}"},
        {"fabric.topology={kind: sparse_hamming, dims: [4, 6], offsets: []}"},
        {"fabric.topology={kind: sparse_hamming, dims: [4, 6], offsets: [2, 3]}"},
        {"fabric.topology={kind: sparse_hamming, dims: [4, 6], offsets: [[], [2, 5]]}"},
        {"fabric.topology={kind: express_mesh, dims: [5, 6], segment: 4, layout: sparse}"},
        {"fabric.topology={kind: express_mesh, dims: [5], segment: 2, layout: hierarchy, "
         "levels: 2}"},
        {"fabric.virtual_channels=2", "fabric.switch_arbitration=per_packet"},
        {"fabric.allocation=combined"},
        {"fabric.switching=store_and_forward", "fabric.combining_delay=7"},
        {"fabric.switching=circuit", "fabric.setup_delay=7"},
        {"fabric.router={top: \"null\", sources: [/a/b.sv, \"/c d/e: f.v\"]}",
         "waveform.rtl_nodes=[0, 7]"},
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
                          "  planes: 1\n  virtual_channels: 1\n"));
    EXPECT_THAT(to_yaml(parse_config(kFabric, "c.yaml")), HasSubstr("\n  router_overrides: []\n"));
    EXPECT_THAT(to_yaml(parse_config(kFabric, "c.yaml", {"node.injection_bandwidth=0.125"})),
                HasSubstr("  recv_overhead: 0\n"
                          "  injection_bandwidth: 1/8\n"
                          "  packet_bytes: 0\n"));
    EXPECT_THAT(to_yaml(parse_config(kFabric, "c.yaml")), HasSubstr("traffic:\n"
                                                                    "  schedule: pex\n"
                                                                    "  message_bytes: 256\n"
                                                                    "  handshake: false\n"
                                                                    "waveform:\n"));
}

/// Configurations to which, together, all keys apply.
std::vector<std::string> configurations_of_all_kinds() {
    const auto fabric = [](const std::string& topology, const std::string& more = "") {
        return "fabric: {topology: {" + topology + "}" + more + "}\n";
    };
    const std::string mesh = fabric("kind: mesh, dims: [4, 4]");
    const std::string gen = "traffic: {schedule: gen}\n";
    return {
        mesh + "traffic: {pattern: hotspot}\ntechnology: {library: own.lib, clock_gates: true}\n",
        mesh + "traffic: {pattern: uniform}\nsteady: {}\n",
        mesh + "traffic: {pattern: uniform, reply_bytes: 64, reply_delay: 3}\n",
        mesh + "traffic: {pattern: uniform, reply_bytes: 0}\n",
        mesh + "traffic: {pattern: mixed, mix: {uniform: 1}, arrivals: bursty}\n",
        mesh + "traffic: {program: p.csv}\n",
        mesh + "traffic: {trace: {file: t.goal, eager_bytes: 8}}\n",
        mesh +
            "traffic: {trace: {file: t.goal, eager_bytes: 8, rendezvous: acknowledge, "
            "receive_time: transfer, compute_scale: 0.25}}\n",
        mesh + "traffic: {schedule: broadcast, algorithm: pipelined_chain}\n",
        mesh + "traffic: {schedule: bounded-contention, barrier: true}\n",
        mesh + "traffic: {schedule: prefix}\n",
        fabric("kind: mesh, dims: [4, 4]", ", planes: 2") + gen,
        mesh + gen + "faults: {}\n",
        mesh + gen +
            "faults: {links: [0-1, link_002_003], nodes: [5], random_links: 0.1, "
            "random_nodes: 2, seed: 9, keep_connected: true, traffic: drop}\n",
        mesh + gen + "faults: {routers: [5]}\n",
        fabric("kind: mesh, dims: [4, 4], concentration: [2, 2], extra_nodes: {mem: 0, io: 5}") +
            gen,
        fabric("kind: hypercube, dimensions: 3, concentration: 4, extra_nodes: [0, 7]") + gen,
        mesh + "interconnect: {initiators: [0], targets: [{node: 5, base: 0, size: 16}]}\n",
        mesh +
            "interconnect: {initiators: [0], targets: [{node: 5, base: 0, size: 16}], timing: "
            "annotated}\n",
        fabric("kind: torus, dims: [4, 4]", ", link_delay: {model: linear}") + gen,
        fabric("kind: mesh, dims: [4, 4]",
               ", link_delay: {model: physical, pitch_mm: 0.75, ns_per_mm: 0.1}") +
            gen,
        fabric("kind: mesh, dims: [4, 4]",
               ", link_delay: {model: physical, pitch_mm: area, node_mm2: 1e-3}") +
            gen + "clock_ns: synth\n",
        fabric(
            "kind: mesh, dims: [4, 4]",
            ", link_delay: {model: physical, pitch_mm: [0.75, 2]}, link_rate: {die: [2, 4], rate: "
            "1/2, delay: 3, pj_per_bit: 0.5, gap_mm: 1}") +
            gen,
        fabric("kind: sparse_hamming, dims: [4, 6], offsets: [[], [2, 5]]") + gen,
        fabric("kind: mesh, dims: [4, 4]", ", switching: store_and_forward") + gen,
        fabric("kind: mesh, dims: [4, 4]", ", virtual_channels: 2, output_speedup: 2") + gen,
        fabric("kind: mesh, dims: [4, 4]", ", router: {top: mine}") + gen,
        fabric("kind: mesh, dims: [4, 4]",
               ", router: {top: mine, sources: [m.sv], protocol: valid_ready, routes: table}, "
               "router_parameters: {Depth: 4, X: x, Node: node}") +
            gen,
        fabric("kind: mesh, dims: [4, 4]", ", switching: circuit") + gen,
        fabric("kind: mesh, dims: [4, 4]", ", link_protocol: valid_ready") + gen,
        fabric("kind: mesh, dims: [4, 4]", ", header_bits: 30") + gen + "node: {header_flits: 0}\n",
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

TEST(Config, AWarmUpLeavesEnoughToMeasure) {
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\ntraffic: {pattern: uniform}\n"
        "steady: {max_cycles: 100000}\n";
    EXPECT_TRUE(findings(text, {"steady.warmup=84000"}).empty());
    EXPECT_THAT(finding(text, {"steady.warmup=84001"}),
                HasSubstr("fewer than 16000 of steady.max_cycles left to measure (at most 84000"));
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
                            "fabric.topology.concentration",
                            "fabric.topology.extra_nodes",
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
                            "node.send_overhead",
                            "node.recv_overhead",
                            "node.injection_bandwidth",
                            "node.packet_bytes",
                            "node.header_flits",
                            "traffic.schedule",
                            "traffic.pattern",
                            "traffic.program",
                            "traffic.self_messages",
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
                            "waveform.links",
                            "waveform.nodes",
                            "waveform.dimensions",
                            "waveform.rtl_nodes",
                            "waveform.from",
                            "waveform.until",
                            "waveform.endpoints",
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
                  "integers or names), `routers` (list of names), or both, and `router` (as "
                  "`fabric.router`) | [] | nodes: at least one, 0 to 65535 each; routers: "
                  "numbers or names |"));
    EXPECT_THAT(reference, HasSubstr("| `fabric.switch_arbitration` | enum | round_robin | "
                                     "round_robin, per_packet |"));
    EXPECT_THAT(reference, HasSubstr("for example `[{nodes: [5, 9], router: rtl}]`"));
}

TEST(Config, MutatedTextIsReadOrRefused) {
    const std::string text = to_yaml(parse_config(
        kFabric, "c.yaml",
        {"fabric.link_delay={model: linear}", "traffic.barrier={fixed: -3}",
         "fabric.router_overrides=[{nodes: [5], router: rtl}]", "waveform.links=['a b']"}));
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
