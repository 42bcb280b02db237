// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthesis of routers and links: its inputs, its cache, and errors if something is missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/config/link_delay_config.h"
#include "testbench/app/gate_synthesis/link_synthesis.h"
#include "testbench/app/gate_synthesis/router_of.h"
#include "testbench/app/gate_synthesis/routers_cost.h"
#include "testbench/app/gate_synthesis/synthesis_cache.h"
#include "testbench/app/gate_synthesis/tool_scripts.h"
#include "testbench/app/gate_synthesis/toolchain.h"
#include "testbench/verification/tests/run/synth_fixture.h"

namespace flitscope {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

TEST_F(Synthesis, IsDoneAgainWithOtherTools) {
    fake_tools();
    synthesize(variant_, conditions_);
    EXPECT_TRUE(synthesize(variant_, conditions_).from_cache);
    write("bin/sta", read_file(path("bin/sta")) + "# another version\n");
    EXPECT_FALSE(synthesize(variant_, conditions_).from_cache);
    EXPECT_EQ(runs(), 2U);
    EXPECT_TRUE(synthesize(variant_, conditions_).from_cache);
}

TEST_F(Synthesis, ReadsWhatIsListedInTheOrderOfTheList) {
    write("rtl/z_pkg.sv", "package z_pkg; endpackage\n");
    write("rtl/arbiter.sv", "");
    write("rtl/draft.sv", "");
    write("rtl/sources.txt", "# constants\nz_pkg.sv\n\n# the rest\narbiter.sv\nrouter.sv\n");
    std::vector<std::string> names;
    for (const RtlSource& source : read_rtl_sources()) names.push_back(source.name);
    EXPECT_THAT(names, ElementsAre("z_pkg.sv", "arbiter.sv", "router.sv"));
    EXPECT_THAT(read_rtl_sources().front().text, HasSubstr("endpackage"));
}

TEST_F(Synthesis, RefusesAListOfNothingOrOfWhatIsNotThere) {
    write("rtl/sources.txt", "# nothing yet\n");
    EXPECT_THAT(error_of([] { read_rtl_sources(); }), HasSubstr("sources.txt names no file"));
    write("rtl/sources.txt", "router.sv\ngone.sv\n");
    EXPECT_THAT(error_of([] { read_rtl_sources(); }),
                HasSubstr("cannot read " + path("rtl/gone.sv")));
}

TEST_F(Synthesis, RefusesAFolderWithoutRtl) {
    set("FLITSCOPE_RTL_DIR", path("bin"));
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                AllOf(HasSubstr("cannot read"), HasSubstr(path("bin/sources.txt"))));
    set("FLITSCOPE_RTL_DIR", path("nowhere"));
    EXPECT_THROW(cached_synthesis(variant_, conditions_), ConfigError);
}

TEST_F(Synthesis, NamesAllThatIsMissing) {
    set("PATH", path("bin"));
    try {
        synthesize(variant_, conditions_);
        FAIL() << "nothing was thrown";
    } catch (const ConfigError& e) {
        ASSERT_EQ(e.findings().size(), 1U);
        EXPECT_THAT(e.what(), AllOf(HasSubstr("package yosys"), HasSubstr("berkeley-abc"),
                                    HasSubstr("opensta"), HasSubstr("./dev setup")));
        EXPECT_THAT(e.what(), Not(HasSubstr("qflow")));  // the library is installed
    }
    program("yosys", "");
    program("berkeley-abc", "");
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                AllOf(Not(HasSubstr("yosys")), Not(HasSubstr("abc")), HasSubstr("opensta")));
    EXPECT_THAT(entries(), ElementsAre());
}

TEST_F(Synthesis, RefusesConditionsThatMakeNoSense) {
    fake_tools();
    for (const double bad : {0.0, -1.0, HUGE_VAL}) {
        SynthesisConditions c;
        c.period_ns = bad;
        EXPECT_THROW(synthesize(variant_, c), ConfigError) << bad;
    }
    SynthesisConditions negative;
    negative.input_activity = -0.1;
    EXPECT_THROW(synthesize(variant_, negative), ConfigError);
    SynthesisConditions library;
    library.library = "osu05";
    EXPECT_THAT(error_of([&] { synthesize(variant_, library); }), HasSubstr("osu018"));
    variant_.module = "router; shell rm";
    EXPECT_THROW(synthesize(variant_, conditions_), ConfigError);
    EXPECT_EQ(runs(), 0U);
}

TEST_F(Synthesis, StatesPowerAtAPeriodThatTheCircuitMeets) {
    fake_tools();
    std::vector<std::string> stages;
    const auto note = [&](const SynthesisProgress& p) {
        EXPECT_EQ(p.variant, variant_.name());
        if (stages.empty() || stages.back() != p.stage) stages.emplace_back(p.stage);
        return true;
    };
    const SynthesisResult slow = synthesize(variant_, conditions_, note);
    EXPECT_DOUBLE_EQ(slow.min_period_ns, 4.55);
    EXPECT_DOUBLE_EQ(slow.power_period_ns, 4.6);
    EXPECT_THAT(stages, ElementsAre("logic synthesis", "timing", "power"));
    conditions_.period_ns = 6;
    stages.clear();
    const SynthesisResult fast = synthesize(variant_, conditions_, note);
    EXPECT_DOUBLE_EQ(fast.min_period_ns, 5.95);
    EXPECT_DOUBLE_EQ(fast.power_period_ns, 6);
    EXPECT_THAT(stages, ElementsAre("logic synthesis", "timing"));
}

TEST(FabricLinks, AreCountedByDelayAndLongOnesByTheirRegisters) {
    FabricLinks links;
    links.like = {2, 32};
    links.counts = {{LinkKind{1}, 10}, {LinkKind{3}, 4}};
    std::vector<std::string> asked;
    const auto area = [&](const LinkVariant& link) -> std::optional<double> {
        asked.push_back(link.name());
        return link.delay % 2 == 0 ? 100.0 * link.delay - 5 : 100.0 * link.delay;
    };
    EXPECT_DOUBLE_EQ(*links.total_um2(area), 10 * 100 + 4 * 300);
    EXPECT_THAT(asked, ElementsAre("link_v2_w32_d1", "link_v2_w32_d3"));
    asked.clear();
    links.counts = {{LinkKind{8}, 1}, {LinkKind{9}, 2}, {LinkKind{20}, 3}};
    EXPECT_DOUBLE_EQ(*links.total_um2(area), 795 + 2 * 900 + 3 * 1995);
    EXPECT_THAT(asked, ElementsAre("link_v2_w32_d1", "link_v2_w32_d7", "link_v2_w32_d8"));
    EXPECT_FALSE(links.total_um2(
        [&](const LinkVariant& link) { return link.delay == 7 ? std::nullopt : area(link); }));
}

TEST(FabricLinks, OfEveryRateAreCountedApart) {
    FabricLinks links;
    links.like = {1, 64};
    links.counts = {{LinkKind{2}, 10}, {LinkKind{2, 4}, 3}, {LinkKind{9, 4}, 1}};
    std::vector<std::string> asked;
    const auto area = [&](const LinkVariant& link) -> std::optional<double> {
        asked.push_back(link.name());
        return 100.0 * link.delay / link.rate_cycles;
    };
    EXPECT_DOUBLE_EQ(*links.total_um2(area), 10 * 200 + 3 * 50 + 225);
    EXPECT_THAT(asked, ElementsAre("link_v1_w64_d2", "link_v1_w64_d1_k4", "link_v1_w64_d2_k4",
                                   "link_v1_w64_d7_k4"));
}

TEST(FabricLinks, HaveNames) {
    const LinkVariant link{4, 128, 12};
    EXPECT_EQ(link.name(), "link_v4_w128_d12");
    EXPECT_EQ(link.flip_flops(), 12 * (128 + 2 + 3) + 11 * 4);
    const LinkVariant slow{4, 130, 12, 3};
    EXPECT_EQ(slow.name(), "link_v4_w130_d12_k3");
    // A part has 44 bits; 86 wait at the begin, and 2 x 44 with the marks at the end.
    EXPECT_EQ(slow.flip_flops(), 12 * (44 + 2 + 3) + 11 * 4 + 86 + 2 * 44 + 4 + 2 * 2);
    for (const LinkVariant& one : {link, slow}) {
        const auto parsed = parse_link_variant(one.name());
        ASSERT_TRUE(parsed);
        EXPECT_EQ(parsed->name(), one.name());
        EXPECT_EQ(parsed->flip_flops(), one.flip_flops());
    }
    for (const std::string& wrong : std::initializer_list<std::string>{
             "", "link_v1_w64", "link_v1_w64_d1x", "link_v1_w64_d1_k1", "link_v1_w64_d1_k",
             "link_v1_w64_d1_k100", "router_v1_w64_d1", "link_v1_w64_d0", "link_v01_w64_d1",
             "link_v1_w1234567_d1", "link_v1_w64_d18446744073709551617",
             "link_v1_w64_d" + std::string(1'000'000, '1')}) {
        EXPECT_FALSE(parse_link_variant(wrong)) << wrong;
    }
}

TEST(RoutersCost, IsTheSumOverAllAndThePeriodOfTheSlowest) {
    SynthesisResult large;
    large.area_um2 = 300;
    large.cells = 30;
    large.flip_flops = 3;
    large.min_period_ns = 2;
    large.power_mw = 5;
    SynthesisResult slow;
    slow.area_um2 = 100;
    slow.cells = 10;
    slow.flip_flops = 1;
    slow.min_period_ns = 2.5;
    slow.power_mw = 1;
    const RoutersCost cost = cost_of({{4, large}, {12, slow}});
    EXPECT_EQ(cost.area_um2, 4 * 300 + 12 * 100);
    EXPECT_EQ(cost.largest_um2, 300);
    EXPECT_EQ(cost.cells, 240U);
    EXPECT_EQ(cost.flip_flops, 24U);
    EXPECT_EQ(cost.min_period_ns, 2.5);
    EXPECT_EQ(cost.power_mw, 32);
}

TEST(ResolveSynthesized, PutsNumbersInPlaceOfWords) {
    Config config;
    config.clock_ns = 7;
    config.fabric.link_delay.model = LinkDelayModel::kPhysical;
    config.fabric.link_delay.pitch_mm = 3;
    resolve_synthesized(config, 250'000, 2.0001);  // nothing is asked for
    EXPECT_EQ(config.clock_ns, 7);
    EXPECT_EQ(config.fabric.link_delay.pitch_mm, 3);
    config.clock_is_synthesized = true;
    config.fabric.link_delay.pitch_is_derived = true;
    config.fabric.link_delay.node_mm2 = 2;
    EXPECT_TRUE(config.wires_need_synthesis());
    resolve_synthesized(config, 250'000, 2.0001);
    EXPECT_FALSE(config.wires_need_synthesis());
    EXPECT_FALSE(config.clock_is_synthesized);
    EXPECT_EQ(config.clock_ns, 2.001);
    EXPECT_DOUBLE_EQ(config.fabric.link_delay.pitch_mm, 1.5);
}

TEST(ResolveSynthesized, GivesEveryNodeItsShareOfTheRouters) {
    Config config;
    config.fabric.link_delay.model = LinkDelayModel::kPhysical;
    config.fabric.link_delay.node_mm2 = 1;
    const auto pitch_mm = [&config] {
        config.fabric.link_delay.pitch_is_derived = true;
        resolve_synthesized(config, 250'000, 1);
        return config.fabric.link_delay.pitch_mm;
    };
    TopologyConfig& topology = config.fabric.topology;
    topology.kind = "mesh";
    topology.dims = {4, 4};
    topology.concentration = {2, 2};
    topology.extra_nodes = {{"", 0}};
    EXPECT_DOUBLE_EQ(pitch_mm(), std::sqrt(1 + 0.25 / 4));
    topology = {};
    topology.kind = "fat_tree";
    topology.parameters = {{"arity", 4}, {"height", 3}};  // three stages of 16 for 64 nodes
    EXPECT_DOUBLE_EQ(pitch_mm(), std::sqrt(1 + 0.25 * 3 / 4));
    topology.parameters = {{"arity", 2}, {"height", 6}};  // six of 32
    EXPECT_DOUBLE_EQ(pitch_mm(), std::sqrt(1 + 0.25 * 3));
}

TEST_F(Synthesis, IsFoundAgainEvenWithoutTools) {
    fake_tools();
    EXPECT_FALSE(cached_synthesis(variant_, conditions_));
    const SynthesisResult first = synthesize(variant_, conditions_);
    EXPECT_FALSE(first.from_cache);
    EXPECT_EQ(runs(), 1U);
    set("PATH", path("nowhere"));
    const SynthesisResult again = synthesize(variant_, conditions_);
    EXPECT_TRUE(again.from_cache);
    EXPECT_EQ(runs(), 1U);
    EXPECT_EQ(again.cells, first.cells);
    EXPECT_EQ(again.flip_flops, first.flip_flops);
    EXPECT_EQ(again.area_um2, first.area_um2);
    EXPECT_EQ(again.min_period_ns, first.min_period_ns);
    EXPECT_EQ(again.power_mw, first.power_mw);
    EXPECT_EQ(again.power_period_ns, first.power_period_ns);
    EXPECT_EQ(again.seconds, first.seconds);
    EXPECT_EQ(again.netlist, first.netlist);
    EXPECT_EQ(read_file(again.netlist), "netlist\n");
    EXPECT_TRUE(cached_synthesis(variant_, conditions_));
    ASSERT_EQ(entries().size(), 1U);
    EXPECT_THAT(entries()[0], HasSubstr(variant_.name() + '_'));
}

TEST_F(Synthesis, IsNotFoundWhenAnythingItDependsOnIsDifferent) {
    fake_tools();
    synthesize(variant_, conditions_);
    const auto cached = [&] { return cached_synthesis(variant_, conditions_).has_value(); };
    const std::string router = read_file(path("rtl/router.sv"));
    write("rtl/router.sv", router + "\n");
    EXPECT_FALSE(cached());
    write("rtl/router.sv", router);
    EXPECT_TRUE(cached());
    write("rtl/more.sv", "");
    EXPECT_TRUE(cached());  // unread
    write("rtl/sources.txt", "router.sv\nmore.sv\n");
    EXPECT_FALSE(cached());
    fs::rename(path("rtl/router.sv"), path("rtl/renamed.sv"));
    write("rtl/sources.txt", "renamed.sv\n");
    EXPECT_FALSE(cached());
    fs::rename(path("rtl/renamed.sv"), path("rtl/router.sv"));
    write("rtl/sources.txt", "router.sv\n");
    EXPECT_TRUE(cached());
    variant_.depth += 1;
    EXPECT_FALSE(cached());
    variant_.depth -= 1;
    conditions_.period_ns = 5;
    EXPECT_FALSE(cached());
    conditions_.period_ns = 4;
    conditions_.input_activity = 0.3;
    EXPECT_FALSE(cached());
    conditions_.input_activity = 0.2;
    EXPECT_TRUE(cached());
}

TEST_F(Synthesis, FindsRoutersWhoseTurnsAreTooLongForTheNameOfAFile) {
    fake_tools();
    hw::RtlVariant other = variant_;
    other.ports = variant_.ports = 33;
    other.turns = '0' + std::string(272, 'a');
    variant_.turns = '0' + std::string(272, '5');
    EXPECT_FALSE(synthesize(variant_, conditions_).from_cache);
    EXPECT_TRUE(cached_synthesis(variant_, conditions_));
    EXPECT_FALSE(cached_synthesis(other, conditions_));
    EXPECT_FALSE(synthesize(other, conditions_).from_cache);
    EXPECT_EQ(synthesize(variant_, conditions_).variant.turns, variant_.turns);
    std::vector<std::string> names;
    for (const hw::RtlVariant& one : SynthesisCache::variants()) names.push_back(one.name());
    EXPECT_THAT(names, UnorderedElementsAre(variant_.name(), other.name()));
    other.turns.clear();
    EXPECT_FALSE(cached_synthesis(other, conditions_));
}

TEST_F(Synthesis, ReplacesAnEntryThatCannotBeRead) {
    fake_tools();
    const std::string folder = synthesize(variant_, conditions_).folder;
    std::size_t times = 1;
    for (const char* const text : {"{\"cells\": 1", "[]", ""}) {
        write_file(folder + "/result.json", text);
        EXPECT_FALSE(cached_synthesis(variant_, conditions_)) << text;
        synthesize(variant_, conditions_);
        EXPECT_TRUE(cached_synthesis(variant_, conditions_)) << text;
        EXPECT_EQ(runs(), ++times);
        EXPECT_EQ(entries().size(), 1U);
    }
}

TEST_F(Synthesis, ReplacesAnEntryOfALinkThatCannotBeRead) {
    fake_tools();
    fs::create_directories(path("rtl/fabric"));
    write("rtl/delay_line.sv", "module delay_line; endmodule\n");
    write("rtl/sources.txt", "delay_line.sv\nrouter.sv\n");
    write("rtl/fabric/link.sv", "module link; endmodule\n");
    write("rtl/fabric/sources.txt", "link.sv\n");
    const LinkVariant link{1, 1075, 1};  // of as many flip-flops as the cells that are reported
    EXPECT_FALSE(cached_link(link, {}));
    const double area = synthesize_link(link, {});
    EXPECT_DOUBLE_EQ(area, 267413.5);
    EXPECT_EQ(synthesize_link(link, {}), area);
    EXPECT_EQ(runs(), 1U);
    const auto names = entries();
    ASSERT_EQ(names.size(), 1U);
    write_file(path("cache/synth/" + names.front()), "{\"area_um2\": 1");
    EXPECT_FALSE(cached_link(link, {}));
    EXPECT_EQ(synthesize_link(link, {}), area);
    EXPECT_EQ(cached_link(link, {}), area);
    EXPECT_EQ(runs(), 2U);
}

TEST_F(Synthesis, TakesTheEntryOfAnotherProcessThatWasFaster) {
    fake_tools();
    const std::string folder = synthesize(variant_, conditions_).folder;
    fs::rename(folder, path("aside"));
    const auto other = [&](const SynthesisProgress&) {
        if (!fs::exists(folder)) fs::rename(path("aside"), folder);
        return true;
    };
    const SynthesisResult result = synthesize(variant_, conditions_, other);
    EXPECT_EQ(result.folder, folder);
    EXPECT_EQ(entries().size(), 1U);
    EXPECT_TRUE(cached_synthesis(variant_, conditions_));
}

TEST_F(Synthesis, SaysWhichToolFailedAndWhereItsLogIs) {
    fake_tools();
    program("yosys", "echo reading\necho 'router.sv:7: ERROR: syntax error' >&2\nexit 3\n");
    const std::string error = error_of([&] { synthesize(variant_, conditions_); });
    EXPECT_THAT(error, AllOf(HasSubstr("bin/yosys ended with exit code 3"), HasSubstr("reading\n"),
                             HasSubstr("router.sv:7: ERROR: syntax error")));
    const std::string log = error.substr(error.find("all of it: ") + 11);
    EXPECT_THAT(read_file(log), HasSubstr("syntax error"));
    EXPECT_FALSE(cached_synthesis(variant_, conditions_));
    ASSERT_EQ(entries().size(), 1U);
    EXPECT_THAT(entries()[0], HasSubstr(".failed"));

    fake_tools();
    program("sta", "echo 'Error: cell type router can not be linked.'\n");  // exit code 0
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                AllOf(HasSubstr("can not be linked"), HasSubstr(".failed/timing.log")));
    fake_tools();
    program("yosys", "kill -9 $$\n");
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                HasSubstr("killed by signal 9"));
    write("bin/yosys", "no program");
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }), HasSubstr("cannot start"));
    fake_tools();
    program("yosys", "exit 0\n");
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }), HasSubstr("cells.txt"));
    EXPECT_EQ(entries().size(), 1U);  // the last failure only

    fake_tools();
    synthesize(variant_, conditions_);
    EXPECT_TRUE(cached_synthesis(variant_, conditions_));
}

TEST_F(Synthesis, RemovesWhatAKilledProcessLeftADayAgo) {
    fake_tools();
    for (const char* name : {"cache/synth/.partial.old", "cache/synth/.partial.new"}) {
        fs::create_directories(path(name));
    }
    fs::last_write_time(path("cache/synth/.partial.old"),
                        fs::file_time_type::clock::now() - std::chrono::hours(25));
    synthesize(variant_, conditions_);
    EXPECT_FALSE(fs::exists(path("cache/synth/.partial.old")));
    EXPECT_TRUE(fs::exists(path("cache/synth/.partial.new")));  // perhaps at work
}

TEST_F(Synthesis, CachesWhereTheEnvironmentSays) {
    set("HOME", "/h");
    set("XDG_CACHE_HOME", "/x");
    set("FLITSCOPE_CACHE", "/f");
    EXPECT_EQ(synthesis_cache_folder(), "/f/synth");
    set("FLITSCOPE_CACHE", "");
    EXPECT_EQ(synthesis_cache_folder(), "/x/flitscope/synth");
    unset("XDG_CACHE_HOME");
    EXPECT_EQ(synthesis_cache_folder(), "/h/.cache/flitscope/synth");
    unset("HOME");
    EXPECT_THAT(error_of([] { synthesis_cache_folder(); }), HasSubstr("FLITSCOPE_CACHE"));
}

TEST_F(Synthesis, SaysSoWhenTheCacheCannotBeWritten) {
    fake_tools();
    set("FLITSCOPE_CACHE", path("rtl/router.sv"));  // a file
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                HasSubstr("FLITSCOPE_CACHE names another folder"));
    EXPECT_FALSE(cached_synthesis(variant_, conditions_));
}

}  // namespace
}  // namespace flitscope
