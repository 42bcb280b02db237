// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Presets of machines: defaults that a configuration may override, and the networks they allow.
#include "models/config/config.h"
#include "testbench/app/configuration/machine_presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/config_findings.h"

namespace flitscope {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string mesh(const std::string& dims) {
    return "fabric: {topology: {kind: mesh, dims: " + dims + "}}\ntraffic: {schedule: gen}\n";
}

std::string hypercube(const std::string& dimensions) {
    return "fabric: {topology: {kind: hypercube, dimensions: " + dimensions +
           "}}\ntraffic: {schedule: gen}\n";
}

Config delta(const Overrides& overrides = {}) {
    return parse_config("machine: delta\n" + mesh("[4, 4]"), "c.yaml", overrides);
}

/// The value of `key` in the preset of `machine`.
std::string preset(const std::string& machine, const std::string& key) {
    for (const PresetValue& value : find_machine_preset(machine)->values) {
        if (value.key == key) return value.value;
    }
    return "no value";
}

TEST(Machines, EveryValueIsOneOfItsKeyAndHasASource) {
    for (const MachinePreset& machine : machine_presets()) {
        Config config;
        for (const PresetValue& value : machine.values) {
            const ConfigKey* key = configuration_table().find_key(value.key);
            ASSERT_NE(key, nullptr) << value.key;
            std::vector<Diagnostic> found;
            const ReadContext context{value.key, ".", found};
            key->read(parse_override_tree(value.value, {"here", 0, 0}, found), config, context);
            EXPECT_THAT(found, IsEmpty()) << machine.name << ' ' << value.key;
            EXPECT_EQ(key->write(config), value.value) << machine.name << ' ' << value.key;
            EXPECT_NE(value.source, "") << machine.name << ' ' << value.key;
        }
        EXPECT_EQ(machine.barrier_source.empty(), machine.values.empty()) << machine.name;
        EXPECT_EQ(machine.limits.source.empty(), machine.values.empty()) << machine.name;
    }
}

TEST(Machines, TheIdealOneChangesNothing) {
    EXPECT_EQ(to_yaml(parse_config("machine: ideal\n" + mesh("[4, 4]"), "c.yaml")),
              to_yaml(parse_config(mesh("[4, 4]"), "c.yaml")));
}

TEST(Machines, GiveDefaultsThatTheFileAndTheCommandLineOverride) {
    EXPECT_EQ(std::to_string(delta().node.send_overhead), preset("delta", "node.send_overhead"));
    EXPECT_TRUE(delta().traffic.handshake);
    EXPECT_EQ(delta({"node.send_overhead=7"}).node.send_overhead, 7U);
    // Behind the keys that it gives defaults for.
    const std::string last = mesh("[4, 4]") + "node: {send_overhead: 9}\nmachine: delta\n";
    const Config config = parse_config(last, "c.yaml");
    EXPECT_EQ(config.node.send_overhead, 9U);
    EXPECT_EQ(std::to_string(config.node.packet_bytes), preset("delta", "node.packet_bytes"));
    EXPECT_EQ(parse_config(last, "c.yaml", {"machine=ideal"}).node.packet_bytes, 0U);
}

TEST(Machines, WrittenOutLoadAsTheSame) {
    const std::vector<std::string> texts = {"machine: delta\n" + mesh("[4, 5]"),
                                            "machine: paragon\n" + mesh("[8, 8]"),
                                            "machine: ipsc860\n" + hypercube("7")};
    for (const std::string& text : texts) {
        for (const Overrides& overrides : {Overrides{}, Overrides{"traffic.barrier=true"},
                                           Overrides{"traffic.barrier.fixed=5"}}) {
            const std::string written = to_yaml(parse_config(text, "c.yaml", overrides));
            EXPECT_EQ(to_yaml(parse_config(written, "again.yaml")), written);
        }
    }
}

TEST(Machines, SayWhatABarrierCostsUnlessTheConfigurationDoes) {
    const auto barrier = [](const std::string& machine, const Overrides& overrides) {
        return parse_config("machine: " + machine + '\n' + mesh("[4, 4]"), "c.yaml", overrides)
            .traffic.barrier;
    };
    EXPECT_FALSE(barrier("paragon", {}).has_value());
    EXPECT_EQ(barrier("ideal", {"traffic.barrier=true"})->per_doubling, 0);
    const BarrierConfig paragon = find_machine_preset("paragon")->barrier;
    for (const char* on : {"traffic.barrier=true", "traffic.barrier={}"}) {
        EXPECT_EQ(barrier("paragon", {on})->per_doubling, paragon.per_doubling);
        EXPECT_EQ(barrier("paragon", {on})->fixed, paragon.fixed);
    }
    const auto mixed = barrier("paragon", {"traffic.barrier.fixed=5"});
    EXPECT_EQ(mixed->per_doubling, paragon.per_doubling);
    EXPECT_EQ(mixed->fixed, 5);
    EXPECT_EQ(barrier("paragon", {"traffic.barrier={per_doubling: 0, fixed: 0}"})->fixed, 0);
}

TEST(Machines, BarriersOfTheParagonCostWhatErratum002Says) {
    const Config config =
        parse_config("machine: paragon\n" + mesh("[8, 8]"), "c.yaml", {"traffic.barrier=true"});
    const double us = config.clock_ns / 1000;
    // 271 lg n - 134 us on n x n nodes: half as much per doubling of the nodes.
    EXPECT_NEAR(config.traffic.barrier->per_doubling * us, 135.5, 0.01);
    EXPECT_NEAR(config.traffic.barrier->fixed * us, -134, 0.01);
}

TEST(Machines, RefuseNetworksThatTheyWereNotBuiltWith) {
    EXPECT_TRUE(findings("machine: delta\n" + mesh("[16, 32]")).empty());
    EXPECT_TRUE(findings("machine: delta\n" + mesh("[32]")).empty());
    EXPECT_TRUE(findings("machine: ipsc860\n" + hypercube("7")).empty());
    EXPECT_THAT(finding("machine: delta\n" + mesh("[17, 32]")),
                AllOf(HasSubstr("c.yaml:2:"), HasSubstr("a mesh of at most 16 x 32 nodes"),
                      HasSubstr("machine: ideal")));
    for (const char* dims : {"[16, 33]", "[33]", "[2, 2, 2]"}) {
        EXPECT_NE(finding("machine: paragon\n" + mesh(dims)), "") << dims;
    }
    EXPECT_THAT(finding("machine: ipsc860\n" + hypercube("8")),
                HasSubstr("a hypercube of at most 7 dimensions"));
    EXPECT_THAT(finding("machine: ipsc860\n" + mesh("[4, 4]")), HasSubstr("c.yaml:2:"));
    EXPECT_NE(finding("machine: delta\n" + hypercube("4")), "");
}

TEST(Machines, UnknownOnesAreFindings) {
    EXPECT_THAT(finding("machine: detla\n" + mesh("[4, 4]")), HasSubstr("did you mean 'delta'?"));
}

TEST(Machines, ReferenceNamesEveryMachineAndValue) {
    const std::string text = preset_reference();
    for (const MachinePreset& machine : machine_presets()) {
        EXPECT_THAT(text, HasSubstr("## " + machine.name + "\n"));
        for (const PresetValue& value : machine.values) {
            EXPECT_THAT(text, HasSubstr("| `" + value.key + "` | " + value.value + " |"));
        }
    }
    EXPECT_THAT(text, HasSubstr("| `traffic.barrier.per_doubling` | 550 |"));
}

}  // namespace
}  // namespace flitscope
