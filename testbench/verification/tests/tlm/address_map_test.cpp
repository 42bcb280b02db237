// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which target answers to an address, and what a configuration may say about that.
#include "tlm/addresses/address_map.h"
#include "models/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/verification/tests/support/config_findings.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kLast = UINT64_MAX;

std::string with_interconnect(const std::string& lines) {
    return "fabric: {topology: {kind: mesh, dims: [4, 4]}}\ninterconnect:\n" + lines;
}

std::string with_targets(const std::string& lines) {
    return with_interconnect("  initiators: [0]\n  targets:\n" + lines);
}

// ---- The map ------------------------------------------------------------------------------------

TEST(AddressMap, FindsTheTargetThatHoldsEveryByte) {
    const AddressMap map({{5, 0x1000, 0x100, {}}, {6, 0x1100, 0x10, {}}});
    EXPECT_EQ(map.find(0x1000, 1), 0U);
    EXPECT_EQ(map.find(0x1000, 0x100), 0U);
    EXPECT_EQ(map.find(0x10ff, 1), 0U);
    EXPECT_EQ(map.find(0x1100, 0x10), 1U);
    EXPECT_EQ(map.find(0x110f, 0), 1U);  // as one byte
    EXPECT_EQ(map.find(0x0fff, 1), std::nullopt);
    EXPECT_EQ(map.find(0x1110, 0), std::nullopt);
    EXPECT_EQ(map.find(0x1000, 0x101), std::nullopt);  // into the next target
    EXPECT_EQ(map.find(0x10ff, 2), std::nullopt);
    EXPECT_EQ(map.find(0x110f, 2), std::nullopt);
}

TEST(AddressMap, ReachesTheLastAddress) {
    const AddressMap map({{0, kLast - 7, 8, {}}, {1, 0, 1, {}}});
    EXPECT_EQ(map.find(kLast, 1), 0U);
    EXPECT_EQ(map.find(kLast - 7, 8), 0U);
    EXPECT_EQ(map.find(kLast, 2), std::nullopt);  // does not wrap to the target at 0
    EXPECT_EQ(map.find(0, 1), 1U);
    EXPECT_EQ(map.range(0).first, kLast - 7);
    EXPECT_EQ(map.range(0).last, kLast);
}

TEST(AddressMap, FindsTargetsListedInAnyOrder) {
    // 64 of 16 bytes, 32 apart.
    std::vector<InterconnectTarget> targets;
    for (std::uint64_t i = 0; i < 64; ++i) targets.push_back({0, i * 37 % 64 * 32, 16, {}});
    const AddressMap map(targets);
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint64_t base = targets[i].base;
        EXPECT_EQ(map.find(base, 16), i);
        EXPECT_EQ(map.find(base + 15, 1), i);
        EXPECT_EQ(map.find(base + 16, 1), std::nullopt);
        EXPECT_EQ(map.gap(base + 20).first, base + 16);
        EXPECT_EQ(map.gap(base + 20).last, base == 63 * 32 ? kLast : base + 31);
    }
}

TEST(AddressMap, KnowsTheGapAroundAnAddress) {
    const AddressMap map({{0, 0x200, 0x100, {}}, {1, 0x100, 0x10, {}}});
    const auto gap = [&map](std::uint64_t address) {
        const AddressRange range = map.gap(address);
        return std::vector<std::uint64_t>{range.first, range.last};
    };
    EXPECT_THAT(gap(0), ElementsAre(0, 0xff));
    EXPECT_THAT(gap(0x110), ElementsAre(0x110, 0x1ff));
    EXPECT_THAT(gap(0x300), ElementsAre(0x300, kLast));
    const AddressRange all = AddressMap({}).gap(7);
    EXPECT_EQ(all.first, 0U);
    EXPECT_EQ(all.last, kLast);
}

TEST(AddressMap, IsPrintedInOrderOfAddresses) {
    InterconnectConfig config;
    config.targets = {{5, 0x10000, 0x8000, {}}, {10, 0, 0x10000, {}}};
    EXPECT_THAT(describe_address_map(config),
                ElementsAre("0x0000000000000000 to 0x000000000000ffff  target 1 at node 10",
                            "0x0000000000010000 to 0x0000000000017fff  target 0 at node 5"));
}

// ---- The configuration --------------------------------------------------------------------------

TEST(InterconnectKeys, AreReadWithTheirDefaults) {
    const Config config = parse_config(with_targets("    - {node: 5, base: 0x0, size: 0xFf00}\n"
                                                    "    - {node: 5, base: 65536, size: 1}\n"),
                                       "c.yaml");
    ASSERT_TRUE(config.interconnect);
    EXPECT_FALSE(config.has_traffic());
    EXPECT_THAT(config.interconnect->initiators, ElementsAre(0));
    ASSERT_EQ(config.interconnect->targets.size(), 2U);
    EXPECT_EQ(config.interconnect->targets[0].size, 0xff00U);
    EXPECT_EQ(config.interconnect->targets[1].node, 5U);
    EXPECT_EQ(config.interconnect->targets[1].base, 65536U);
    EXPECT_EQ(config.interconnect->targets[1].where.str(), "c.yaml:6:7");
    EXPECT_EQ(config.interconnect->header_bytes, 8U);
    EXPECT_EQ(config.interconnect->outstanding, 4U);
    EXPECT_FALSE(config.interconnect->dmi);
}

TEST(InterconnectKeys, AreWrittenOnlyWhereThereIsAnInterconnect) {
    const std::vector<std::string> set = {
        "interconnect={initiators: [3, 0, 3], targets: [{node: 1, base: 0xffffffffffffff00, size: "
        "0x100}], dmi: true, outstanding: 9}"};
    const std::string text =
        to_yaml(parse_config("fabric: {topology: {kind: mesh, dims: [4]}}\n", "c.yaml", set));
    EXPECT_THAT(text, HasSubstr("interconnect:\n"
                                "  initiators: [3, 0, 3]\n"
                                "  targets: [{node: 1, base: 0xffffffffffffff00, size: 0x100}]\n"
                                "  header_bytes: 8\n"
                                "  outstanding: 9\n"
                                "  request_queue: 0\n"
                                "  timing: exact\n"
                                "  dmi: true\n"));
    EXPECT_EQ(to_yaml(parse_config(text, "c.yaml")), text);
    const std::string without = to_yaml(parse_config(
        "fabric: {topology: {kind: mesh, dims: [4]}}\ntraffic: {schedule: pex}\n", "c"));
    EXPECT_THAT(without, ::testing::Not(HasSubstr("interconnect")));
}

TEST(InterconnectKeys, OverridesChangeSingleKeys) {
    const std::string text = with_targets("    - {node: 5, base: 0, size: 16}\n");
    EXPECT_EQ(parse_config(text, "c", {"interconnect.outstanding=1"}).interconnect->outstanding,
              1U);
    EXPECT_EQ(parse_config(text, "c", {"traffic.schedule=pex"}).traffic.schedule, "pex");
    EXPECT_THAT(findings(text, {"interconnect.targets=[{node: 16, base: 0, size: 1}]"}),
                ElementsAre("--set interconnect.targets=[{node: 16, base: 0, size: 1}]: error: "
                            "'interconnect.targets' names node 16, but the nodes are 0 to 15"));
}

TEST(InterconnectKeys, ASectionIsAMapWithInitiatorsAndTargets) {
    EXPECT_THAT(findings(with_interconnect("  dmi: true\n")),
                ElementsAre(HasSubstr("c.yaml:2:1: error: key 'interconnect.initiators' is missing "
                                      "(needed for a configuration with 'interconnect', node of"),
                            HasSubstr("c.yaml:2:1: error: key 'interconnect.targets' is missing")));
    EXPECT_THAT(findings("fabric: {topology: {kind: mesh, dims: [4]}}\ninterconnect: 5\n",
                         {"interconnect.dmi=true"}),
                ElementsAre("c.yaml:2:15: error: 'interconnect' must be a map of keys, found '5'"));
    EXPECT_THAT(findings("fabric: {topology: {kind: mesh, dims: [4]}}\ninterconnect:\n"),
                ElementsAre(HasSubstr("'interconnect' must be a map of keys, found nothing")));
    EXPECT_THAT(findings(with_interconnect("  initiators: []\n  targets: []\n")),
                ElementsAre(HasSubstr("c.yaml:3:15: error: 'interconnect.initiators' must have 1 "),
                            "c.yaml:4:12: error: 'interconnect.targets' must be a list of at least "
                            "one map, found a list (write [{node: 5, base: 0x0, size: 0x10000}])"));
}

TEST(InterconnectKeys, NodesExist) {
    EXPECT_THAT(findings(with_interconnect("  initiators: [0, 16]\n"
                                           "  targets: [{node: 99, base: 0, size: 1}]\n")),
                ElementsAre("c.yaml:3:15: error: 'interconnect.initiators' names node 16, but the "
                            "nodes are 0 to 15",
                            "c.yaml:4:13: error: 'interconnect.targets' names node 99, but the "
                            "nodes are 0 to 15"));
}

TEST(InterconnectKeys, RangesDoNotOverlap) {
    EXPECT_THAT(
        findings(with_targets("    - {node: 1, base: 0x1000, size: 0x1000}\n"
                              "    - {node: 2, base: 0x2000, size: 0x10}\n"
                              "    - {node: 3, base: 0x1fff, size: 1}\n")),
        ElementsAre("c.yaml:7:7: error: the addresses 0x1fff to 0x1fff overlap those of the "
                    "target at c.yaml:5:7, 0x1000 to 0x1fff (an address belongs to one "
                    "target: move or shrink one of them)"));
    EXPECT_THAT(findings(with_targets("    - {node: 1, base: 0x1000, size: 0x1000}\n"
                                      "    - {node: 1, base: 0, size: 0xffffffffffffffff}\n")),
                ElementsAre(HasSubstr("c.yaml:6:7: error: the addresses 0x0 to 0xfffffffffffffffe "
                                      "overlap")));
}

TEST(InterconnectKeys, OverlapsAreNamedOncePerTargetAndNoMoreThanTwentyShown) {
    // The last one of the list covers both others, which are apart.
    EXPECT_THAT(findings(with_targets("    - {node: 1, base: 0x100, size: 0x10}\n"
                                      "    - {node: 1, base: 0x200, size: 0x10}\n"
                                      "    - {node: 1, base: 0, size: 0x1000}\n")),
                ElementsAre(HasSubstr("c.yaml:7:7: error: the addresses 0x0 to 0xfff overlap those "
                                      "of the target at c.yaml:5:7, 0x100 to 0x10f"),
                            HasSubstr("those of the target at c.yaml:6:7, 0x200 to 0x20f")));
    std::string equal;
    for (int i = 0; i < 10'000; ++i) equal += "    - {node: 1, base: 0, size: 1}\n";
    const std::vector<std::string> found = findings(with_targets(equal));
    ASSERT_EQ(found.size(), 21U);
    EXPECT_THAT(found[0], HasSubstr("c.yaml:6:7: error: the addresses 0x0 to 0x0 overlap those of "
                                    "the target at c.yaml:5:7"));
    EXPECT_EQ(found[20], "c.yaml:26:7: error: 9979 more of these");
}

TEST(InterconnectKeys, RangesEndWithinTheAddressSpace) {
    EXPECT_THAT(findings(with_targets("    - {node: 1, base: 0xfffffffffffffff0, size: 16}\n")),
                ElementsAre());
    EXPECT_THAT(
        findings(with_targets("    - {node: 1, base: 0xfffffffffffffff0, size: 17}\n")),
        ElementsAre("c.yaml:5:7: error: 0x11 bytes from 0xfffffffffffffff0 on go beyond the "
                    "last address, 0xffffffffffffffff (make the size smaller)"));
}

TEST(InterconnectKeys, AddressesAreDecimalOrHexadecimalNumbers) {
    const auto base = [](const std::string& text) {
        return findings(with_targets("    - {node: 1, base: " + text + ", size: 1}\n"));
    };
    for (const char* good : {"0", "10", "0x0", "0XaB", "18446744073709551614"}) {
        EXPECT_THAT(base(good), ElementsAre()) << good;
    }
    for (const char* bad : {"-1", "010", "0x", "0xg", "1.5", "1e3", "18446744073709551616",
                            "0x10000000000000000", "[1]", "''"}) {
        EXPECT_THAT(base(bad), ElementsAre(HasSubstr("c.yaml:5:23: error: "
                                                     "'interconnect.targets[0].base' must be an "
                                                     "integer from 0 to 2^64 - 1")))
            << bad;
    }
    EXPECT_THAT(base("'16'"), ElementsAre(HasSubstr("remove the quotes")));
}

TEST(InterconnectKeys, TargetsHaveNodeBaseAndSize) {
    EXPECT_THAT(
        findings(with_targets("    - {node: 1, base: 0, size: 0}\n")),
        ElementsAre(HasSubstr("'interconnect.targets[0].size' must be an integer from 1 to")));
    EXPECT_THAT(findings(with_targets("    - {node: 1, base: 0, sise: 4}\n")),
                ElementsAre("c.yaml:5:7: error: key 'interconnect.targets[0].size' is missing "
                            "(bytes from 'base' on)",
                            "c.yaml:5:26: error: unknown key 'sise' (did you mean 'size'?)"));
    EXPECT_THAT(findings(with_targets("    - 5\n")),
                ElementsAre(HasSubstr("c.yaml:5:7: error: 'interconnect.targets[0]' must be a map "
                                      "of node, base and size, found '5'")));
}

TEST(InterconnectKeys, AreInTheReference) {
    const std::string reference = config_reference();
    EXPECT_THAT(reference, HasSubstr("\n| `interconnect` | map | none |  |  | "));
    EXPECT_THAT(reference, HasSubstr("\n| `interconnect.initiators` | list of integers or names | "
                                     "required |"));
    EXPECT_THAT(reference,
                HasSubstr("| required | node: 0 to 65535; base: 0 to 2^64 - 1; size: 1 "));
    EXPECT_THAT(reference,
                HasSubstr("\n| `interconnect.header_bytes` | integer | 8 | 0 to 1024 |"));
    EXPECT_THAT(reference,
                HasSubstr("\n| `interconnect.outstanding` | integer | 4 | 1 to 65536 |"));
    EXPECT_THAT(reference, HasSubstr("\n| `interconnect.dmi` | boolean | false | true, false |"));
}

TEST(RequireInterconnect, ChecksWhatTheGraphTells) {
    Config config = parse_config(with_targets("    - {node: 5, base: 0, size: 16}\n"), "c.yaml");
    EXPECT_NO_THROW(require_interconnect(config, 6));
    EXPECT_THROW(require_interconnect(config, 5), ConfigError);
    config.interconnect.reset();
    EXPECT_THROW(require_interconnect(config, 6), ConfigError);
}

}  // namespace
}  // namespace flitscope
