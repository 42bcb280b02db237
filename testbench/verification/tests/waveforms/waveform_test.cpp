// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The waveforms say exactly what the channel events say: signal by signal and cycle by cycle, also
// of runs that are interrupted or end before the window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/waveforms/traced_networks.h"
#include "testbench/verification/tests/waveforms/waveform_fixture.h"
#include "waveforms/formats.h"
#include "waveforms/gtkwave_save.h"
#include "waveforms/occupancy_trace.h"

namespace flitscope::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(Waveform, WritesExactVcd) {
    const Graph graph = build_mesh({3});
    ASSERT_EQ(graph.link_name(0), "link_000_001");
    config_.trace.links = {"0-1"};
    config_.clock_ns = 2.5;
    EXPECT_EQ(
        trace(graph, two_flits(graph), 8),
        "$version flitscope $end\n"
        "$timescale 1ps $end\n"
        "$comment\n"
        "Link occupancy of mesh 3, one clock cycle of 2.5 ns = 2500 x 1ps. blocked: belongs to "
        "a packet that sends nothing in this cycle. owner: twice the number of who it belongs "
        "to (file .owners), plus 1 where blocked; z: nobody.\n"
        "$end\n"
        "$scope module fabric $end\n"
        "$scope module links $end\n"
        "$scope module link_000_001 $end\n"
        "$var wire 17 ! owner [16:0] $end\n"
        "$var wire 1 \" busy $end\n"
        "$var wire 1 # blocked $end\n"
        "$var wire 2 $ source [1:0] $end\n"
        "$var wire 2 % destination [1:0] $end\n"
        "$var wire 32 & message [31:0] $end\n"
        "$var wire 32 ' step [31:0] $end\n"
        "$var wire 4 ( buffered [3:0] $end\n"
        "$upscope $end\n"
        "$upscope $end\n"
        "$scope module overview $end\n"
        "$var wire 4 ) flits_in_flight [3:0] $end\n"
        "$var wire 1 * blocked_links $end\n"
        "$var wire 32 + oldest_step [31:0] $end\n"
        "$var wire 32 , newest_step [31:0] $end\n"
        "$upscope $end\n"
        "$upscope $end\n"
        "$enddefinitions $end\n"
        "#0\n$dumpvars\nbz !\n0\"\n0#\nbz $\nbz %\nbz &\nbz '\nb0 (\nb0 )\n0*\nbz +\nbz ,\n$end\n"
        "#2500\nb10 !\n1\"\nb0 $\nb10 %\nb101 &\nb11 '\nb11 +\nb11 ,\n"
        // Sent in 1 and 2, visible from 3 and 4, taken out in 4 and 5.
        "#5000\nb1 )\n"
        "#7500\nbz !\n0\"\nbz $\nbz %\nbz &\nbz '\nb1 (\nb10 )\nbz +\nbz ,\n"
        "#10000\nb10 (\n"
        "#12500\nb1 (\nb1 )\n"
        "#15000\nb0 (\nb0 )\n"
        "#20000\n");
}

// The description of a custom graph has the name of its file, in which anything may be.
TEST_F(Waveform, SurvivesAnyNameOfAGraph) {
    Graph graph = build_mesh({3});
    graph.set_description("custom a \"$end\"\n$end \\ b\xff.csv");
    const std::string shown = "custom a \"\\x24end\"\\x0a\\x24end \\ b\\xff.csv";
    const std::string vcd = trace(graph, two_flits(graph), 8);
    EXPECT_THAT(vcd, HasSubstr("Link occupancy of " + shown + ", one clock"));
    EXPECT_EQ(trace_fst(graph, two_flits(graph), 8).changes, Vcd(vcd).changes);

    const auto kept = open_trace(path("s.vcd"), config_, graph);
    kept->close(8);
    write_gtkwave_save(path("s.vcd"), kept->file());
    EXPECT_THAT(read_file(path("s.vcd.gtkw")), HasSubstr("$end\"\\x0a$end \\ b\\xff.csv\n"));

    const auto events = open_run_trace(path("t.json"), config_, graph);
    play(two_flits(graph), *events);
    events->finish(8);
    const auto json = nlohmann::json::parse(read_file(path("t.json")));
    EXPECT_EQ(json["otherData"]["network"], "custom a \"$end\"\n$end \\ b\ufffd.csv");
}

TEST_F(Waveform, CallsMessagesByTheNumbersOfTheirFile) {
    const Graph graph = build_mesh({3});
    config_.trace.endpoints = true;
    const std::vector<std::uint64_t> short_numbers{6, 5, 4, 3, 2, 0xFFFF'FFFF};
    const std::vector<std::uint64_t> long_numbers{0, 1, 2, 3, 4, 5'000'000'000};
    const std::vector<std::uint64_t> equal{0, 1, 2, 3, 4, 5};
    const std::vector<std::uint64_t> few{8, 9};  // others are called by their MessageId
    std::map<std::string, std::set<std::string>> texts;
    for (const auto* const numbers : {&short_numbers, &long_numbers, &equal, &few}) {
        const std::uint64_t number = 5 < numbers->size() ? numbers->back() : 5;
        const std::string range = numbers == &long_numbers ? "[63:0]" : "[31:0]";
        for (const std::string name : {"n.vcd", "n.fst", "n.json"}) {
            const auto trace = open_run_trace(path(name), config_, graph, {{"moves", false}},
                                              MessageNumbers(*numbers));
            play(two_flits(graph), *trace);
            trace->mark_path({{1, 3, 0, 0, 5}, {3, 4, 0, std::nullopt, kNoMessage}});
            trace->finish(8);
            if (number == 5) texts[name].insert(read_file(path(name)));
            if (name == "n.json") {
                std::size_t named = 0;
                const auto json = nlohmann::json::parse(read_file(path(name)));
                for (const auto& event : json["traceEvents"]) {
                    if (event["ph"] != "X" || event["args"].count("message") == 0) continue;
                    EXPECT_EQ(event["args"]["message"], number);
                    ++named;
                }
                EXPECT_EQ(named, 4U);  // of the injection, two links, the path
                continue;
            }
            const Vcd vcd(name == "n.vcd" ? read_file(path(name)) : read_fst(name));
            EXPECT_EQ(vcd.at("fabric.links.link_000_001.message" + range, 1'000),
                      std::to_string(number));
            EXPECT_EQ(vcd.at("fabric.endpoints.inject_000.message" + range, 0),
                      std::to_string(number));
            EXPECT_EQ(vcd.at("fabric.links.link_000_001.message" + range, 3'000), "z");
            EXPECT_EQ(vcd.at("fabric.critical.message" + range, 1'000), std::to_string(number));
            EXPECT_EQ(vcd.at("fabric.critical.message" + range, 3'000), "z");
            EXPECT_THAT(read_file(path(name + ".gtkw")),
                        HasSubstr("} fabric.critical.message" + range + "\n"));
        }
    }
    for (const auto& [name, same] : texts) EXPECT_EQ(same.size(), 1U) << name;
}

TEST_F(Waveform, TellsBlockedFromBusyAndIdle) {
    const Graph graph = build_mesh({3});
    const Vcd vcd(trace(graph, two_flits(graph), 8));
    const std::string scope = "fabric.links.link_001_002.";
    std::string seen;
    for (Cycle t = 0; t < 8; ++t) {
        const std::string busy = vcd.at(scope + "busy", t * 1000);
        const std::string blocked = vcd.at(scope + "blocked", t * 1000);
        seen += busy == "1" ? 'b' : blocked == "1" ? 'w' : '.';
        EXPECT_FALSE(busy == "1" && blocked == "1");
    }
    EXPECT_EQ(seen, "...wbb..");
}

TEST_F(Waveform, OfEqualRunsHasEqualBytes) {
    const Graph graph = build_mesh({3, 3});
    RandomFabric fabric(graph, 1, 1, 6, 9);
    fabric.run(300);
    for (const char* name : {"a.vcd", "a.fst"}) {
        const std::string first = trace(graph, fabric.events(), 300, name);
        EXPECT_TRUE(first == trace(graph, fabric.events(), 300, name)) << name;
        EXPECT_TRUE(first == trace(graph, fabric.events(), 300, std::string("other_") + name));
    }
    // The place where others put the time of day.
    EXPECT_EQ(read_file(path("a.fst")).substr(202, 13), std::string("not recorded\0", 13));
}

TEST_F(Waveform, CostsNothingWhileNothingHappens) {
    const Graph graph = build_mesh({3});
    std::vector<Event> events = two_flits(graph);
    const Cycle pause = 1'000'000'000'000;
    for (Event e : two_flits(graph)) {
        e.cycle += pause;
        events.push_back(e);
    }
    const Vcd vcd(trace(graph, events, 2 * pause));
    EXPECT_EQ(vcd.at("fabric.links.link_000_001.busy", (pause + 1) * 1000), "1");
    EXPECT_EQ(vcd.times.back(), 2 * pause * 1000);
}

TEST_F(Waveform, CountsBufferedFlitsBetweenEvents) {
    const Graph graph = build_mesh({3});
    using K = Event::Kind;
    // Five flits in one burst, visible from cycle 10 + 2 on; none is taken out until 100.
    const std::vector<Event> events{{K::kGrant, 0, 0, 10, {}, 0, 0},
                                    {K::kSendBegin, 0, 0, 10, {}, 4, 0},
                                    {K::kSendEnd, 0, 0, 15, {}, 0, 0},
                                    {K::kSendBegin, 1, 0, 100, {}, 0, 0},
                                    {K::kSendEnd, 1, 0, 105, {}, 0, 0}};
    const Vcd vcd(trace(graph, events, 200));
    using Values = std::map<std::uint64_t, std::string>;
    EXPECT_EQ(vcd.changes.at("fabric.links.link_000_001.buffered[3:0]"), (Values{{0, "0"},
                                                                                 {12'000, "1"},
                                                                                 {13'000, "2"},
                                                                                 {14'000, "3"},
                                                                                 {15'000, "4"},
                                                                                 {16'000, "5"},
                                                                                 {101'000, "4"},
                                                                                 {102'000, "3"},
                                                                                 {103'000, "2"},
                                                                                 {104'000, "1"},
                                                                                 {105'000, "0"}}));

    config_.trace.from = 14;  // a cycle without events
    config_.trace.until = 17;
    const Vcd part(trace(graph, events, 200));
    EXPECT_EQ(part.changes.at("fabric.links.link_000_001.buffered[3:0]"),
              (Values{{14'000, "3"}, {15'000, "4"}, {16'000, "5"}}));
    EXPECT_EQ(part.times.back(), 17'000U);

    config_.trace.from = 50;  // in the middle of nothing
    config_.trace.until = 60;
    const Vcd quiet(trace(graph, events, 200));
    EXPECT_THAT(quiet.times, ElementsAre(50'000, 60'000));
    EXPECT_EQ(quiet.at("fabric.links.link_000_001.buffered[3:0]", 50'000), "5");
    EXPECT_EQ(quiet.at("fabric.links.link_000_001.blocked", 50'000), "1");
}

TEST_F(Waveform, OfAnInterruptedRunIsComplete) {
    const Graph graph = build_mesh({3});
    std::vector<Event> events = two_flits(graph);
    events.resize(4);  // the link is sending
    for (const char* name : {"t.vcd", "t.fst"}) {
        play(events, *open_trace(path(name), config_, graph));
    }
    const Vcd vcd(read_file(path("t.vcd")));
    EXPECT_EQ(vcd.at("fabric.links.link_000_001.busy", 1000), "1");
    EXPECT_EQ(vcd.times.back(), 2000U);
    EXPECT_EQ(std::system(("fst2vcd " + path("t.fst") + " 2>/dev/null | grep -q '^#2000'").c_str()),
              0);
}

TEST_F(Waveform, IsUnknownWhereTheRunEndsBeforeTheWindow) {
    const Graph graph = build_mesh({3});
    config_.trace.from = 100;
    const auto trace = open_trace(path("t.vcd"), config_, graph);
    play(two_flits(graph), *trace);
    trace->close(8);
    const Vcd vcd(read_file(path("t.vcd")));
    EXPECT_THAT(vcd.times, ElementsAre(100'000));
    for (const auto& [name, changes] : vcd.changes) EXPECT_EQ(changes.begin()->second, "x") << name;
}

TEST_F(Waveform, RefusesEventsThatGoBackInTime) {
    const Graph graph = build_mesh({3});
    const auto trace = open_trace(path("t.vcd"), config_, graph);
    trace->on_grant(0, 0, Message{}, 5);
    EXPECT_THROW(trace->on_release(0, 0, 4), std::logic_error);
}

}  // namespace
}  // namespace flitscope::testing
