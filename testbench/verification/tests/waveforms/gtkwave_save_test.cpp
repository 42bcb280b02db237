// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The initial view of GTKWave: groups of channels, the path above them, and words instead of
// numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/waveforms/traced_networks.h"
#include "testbench/verification/tests/waveforms/waveform_fixture.h"
#include "waveforms/gtkwave_save.h"
#include "waveforms/occupancy_trace.h"

namespace flitscope::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(Waveform, HasEverySignalInTheSaveFileOnce) {
    config_.trace.endpoints = true;
    for (const TracedNetwork& network : networks()) {
        config_.fabric.virtual_channels = network.virtual_channels;
        const auto trace = open_trace(path("t.vcd"), config_, network.graph);
        trace->close(10);
        write_gtkwave_save(path("t.vcd"), trace->file());
        std::vector<std::string> saved = saved_signals(read_file(path("t.vcd.gtkw")));
        std::sort(saved.begin(), saved.end());
        std::vector<std::string> declared;
        for (const auto& entry : Vcd(read_file(path("t.vcd"))).widths) {
            declared.push_back(entry.first);
        }
        std::sort(declared.begin(), declared.end());
        EXPECT_EQ(saved, declared) << network.graph.description();
    }
}

TEST_F(Waveform, HasASaveFileThatNamesTheTraceBesideIt) {
    const Graph graph = build_mesh({3});
    const auto trace = open_trace(path("run.vcd"), config_, graph);
    trace->close(1100);
    write_gtkwave_save(path("run.vcd"), trace->file());
    const std::string text = read_file(path("run.vcd.gtkw"));
    EXPECT_THAT(text, HasSubstr("[dumpfile] \"run.vcd\"\n[savefile] \"run.vcd.gtkw\"\n"));
    EXPECT_THAT(text, AllOf(HasSubstr("-dimension 0, +\n"), HasSubstr("-dimension 0, -\n")));
    EXPECT_EQ(gtkwave_save_path("a.b/trace.fst"), "a.b/trace.fst.gtkw");
    EXPECT_THROW(write_gtkwave_save(path("missing/run.vcd"), trace->file()), std::runtime_error);
}

TEST_F(Waveform, IsNotThereWhereItsFilesForGtkwaveCannotBe) {
    const Graph graph = build_mesh({3});
    for (const char* const ending : {".owners", ".gtkw"}) {
        const auto trace = open_trace(path("part.fst"), config_, graph);
        std::filesystem::create_directory(path("part.fst") + ending);
        EXPECT_THROW(trace->finish(10), std::runtime_error);
        for (const char* const other : {"", ".owners", ".gtkw"}) {
            EXPECT_FALSE(std::filesystem::is_regular_file(path("part.fst") + other)) << other;
        }
        std::filesystem::remove(path("part.fst") + ending);
    }
}

/// Titles of the groups of links, with the links in each.
std::map<std::string, std::vector<std::string>> groups_of(const std::string& save_file) {
    std::map<std::string, std::vector<std::string>> groups;
    std::string title;
    std::istringstream lines(save_file);
    for (std::string line; std::getline(lines, line);) {
        const bool has_direction = line.find(", ") != std::string::npos;
        if (line.rfind("-dimension ", 0) == 0 && has_direction) title = line.substr(1);
        const std::size_t owner = line.find("} ");
        if (line.rfind("+{link_", 0) == 0 && line.find(".owner[") != std::string::npos) {
            groups[title].push_back(line.substr(2, owner - 2));
        }
    }
    return groups;
}

TEST_F(Waveform, GroupsLinksByDimensionDirectionAndSpan) {
    using ::testing::Pair;
    const auto saved = [&](const Graph& graph) {
        const auto trace = open_trace(path("t.vcd"), config_, graph);
        trace->close(10);
        write_gtkwave_save(path("t.vcd"), trace->file());
        return groups_of(read_file(path("t.vcd.gtkw")));
    };
    EXPECT_THAT(
        saved(build_torus({3}, false)),
        ElementsAre(
            Pair("dimension 0, +", ElementsAre("link_000_001", "link_001_002", "link_002_000")),
            Pair("dimension 0, -", ElementsAre("link_002_001", "link_001_000", "link_000_002"))));
    EXPECT_THAT(saved(build_how({3}, {2})),
                ElementsAre(Pair("dimension 0, +", ElementsAre("link_000_001", "link_001_002")),
                            Pair("dimension 0, +2", ElementsAre("link_000_002")),
                            Pair("dimension 0, -", ElementsAre("link_002_001", "link_001_000")),
                            Pair("dimension 0, -2", ElementsAre("link_002_000"))));
}

TEST_F(Waveform, HasTheLinksOfEachRowOneBelowTheOther) {
    const Graph graph = build_mesh({3, 3});
    const auto trace = open_trace(path("t.vcd"), config_, graph);
    trace->close(10);
    write_gtkwave_save(path("t.vcd"), trace->file());
    const std::string text = read_file(path("t.vcd.gtkw"));
    EXPECT_THAT(groups_of(text).at("dimension 0, -"),
                ElementsAre("link_006_003", "link_003_000", "link_007_004", "link_004_001",
                            "link_008_005", "link_005_002"));
    EXPECT_THAT(text, HasSubstr("-dimension 0, -\n@200\n-nodes (*, 0)\n@2024\n^1 t.vcd.owners\n"
                                "+{link_006_003} fabric.links.link_006_003.owner[16:0]\n"));
}

TEST_F(Waveform, HasTheOverviewFirstThenOwnersThenDetailsClosed) {
    const Graph graph = build_mesh({3, 3});
    const auto trace = open_trace(path("t.vcd"), config_, graph);
    trace->close(10);
    write_gtkwave_save(path("t.vcd"), trace->file());
    const std::string text = read_file(path("t.vcd.gtkw"));
    const std::size_t overview = text.find("@800200\n-all links\n");
    const std::size_t owners = text.find("@800200\n-dimension 0, +\n");
    const std::size_t details = text.find("@c00200\n-dimension 0, +: details\n");
    ASSERT_NE(details, std::string::npos);
    EXPECT_LT(overview, owners);
    EXPECT_LT(owners, text.find("+{link_000_003} "));
    EXPECT_LT(text.find("+{link_000_003} "), details);
    EXPECT_LT(details, text.find("+{link_000_003 busy}"));
}

TEST_F(Waveform, NamesTheNodesThatTheNetworkAcceptsLeastAndMostFrom) {
    const Graph graph = build_mesh({4});
    config_.trace.from = 10;
    config_.trace.until = 20;
    const auto trace = open_trace(path("t.vcd"), config_, graph);
    const ChannelMap channels(graph);
    const auto sends = [&](NodeId node, Cycle from, Cycle to) {
        const ChannelId channel = channels.injection(node);
        trace->on_send_begin(channel, 0, channel, 0, from);
        trace->on_send_end(channel, 0, to);
    };
    sends(2, 0, 9);    // before the window
    sends(3, 9, 13);   // three flits in it
    sends(1, 13, 18);  // five
    sends(0, 18, 23);  // two
    trace->finish(30);
    EXPECT_THAT(read_file(path("t.vcd.gtkw")),
                HasSubstr("@800200\n-all links\n@200\n-least accepted: 0.200 node 0\n@200\n"
                          "-most accepted: 0.500 node 1\n"));
}

TEST_F(Waveform, OfALargeNetworkOpensTheFirstGroupsOnly) {
    const Graph graph = build_hypercube(8);
    const auto trace = open_trace(path("t.vcd"), config_, graph);
    trace->close(10);
    write_gtkwave_save(path("t.vcd"), trace->file());
    const std::string text = read_file(path("t.vcd.gtkw"));
    EXPECT_THAT(text, HasSubstr("@800200\n-dimension 0\n@2024\n"));
    EXPECT_THAT(text, HasSubstr("@c00200\n-dimension 1\n@2024\n"));
    EXPECT_EQ(saved_signals(text).size(),
              graph.link_count() * kChannelSignals + 4 + 2 * graph.dims().size());
}

TEST_F(Waveform, HasThePathFirstWithItsLongestStaysMarked) {
    const Graph graph = build_mesh({3});
    config_.trace.details = false;
    const auto trace = open_trace(path("t.vcd"), config_, graph, kCauses);
    const std::vector<PathMark> marks{{0, 10, 0, std::nullopt, 7}, {10, 300, 1, 1, 7},
                                      {300, 500, 0, 1, 7},         {500, 502, 2, 2, 7},
                                      {502, 700, 2, 0, 8},         {700, 1000, 0, 1, 8}};
    trace->mark_path(marks);
    EXPECT_EQ(files().count("t.vcd"), 0U);
    trace->finish(1000);
    EXPECT_THAT(files(), ElementsAre("t.vcd", "t.vcd.causes", "t.vcd.channels", "t.vcd.gtkw",
                                     "t.vcd.owners"));
    const std::string text = read_file(path("t.vcd.gtkw"));
    EXPECT_THAT(text, HasSubstr(" 0 10000 700000 502000 0 -1 -1 -1 "));
    EXPECT_THAT(text, HasSubstr("[markername] Alink_001_002 490\n[markername] Blink_001_002 300\n"
                                "[markername] Clink_000_001 198\n[markername] Dmoves 10\n["));
    const std::size_t group =
        text.find("@800200\n-critical path\n@2024\n^1 t.vcd.causes\n+{cause} ");
    EXPECT_LT(group, text.find("-all links\n"));
    const std::string most =
        "+{link_001_002} fabric.links.link_001_002.owner[16:0]\n@2024\n"
        "^1 t.vcd.causes\n+{critical 790} fabric.links.link_001_002.critical"
        "[1:0]\n";
    const std::size_t next = text.find("+{critical 198} ");
    EXPECT_LT(group, text.find(most));
    EXPECT_LT(text.find(most), next);
    EXPECT_LT(next, text.find("+{critical 2} "));
    EXPECT_EQ(read_file(path("t.vcd.causes")),
              "0 ?DodgerBlue3?moves\n1 ?OrangeRed3?waits\n2 ?OrangeRed3?stands\n");
    EXPECT_EQ(
        read_file(path("t.vcd.channels")),
        "0 ?DodgerBlue3?link_000_001\n1 ?DodgerBlue3?link_001_002\n2 ?DodgerBlue3?link_001_000\n");
}

TEST_F(Waveform, HasAFilterThatSaysWhoHoldsALink) {
    const Graph graph = build_mesh({3});
    const auto trace = open_trace(path("t.vcd"), config_, graph);
    play(two_flits(graph), *trace);
    trace->close(8);
    write_gtkwave_save(path("t.vcd"), trace->file());
    EXPECT_EQ(read_file(path("t.vcd.owners")),
              "0 ?DodgerBlue3?see message\n1 ?OrangeRed3?see message blocked\n"
              "2 ?DodgerBlue3?0>2 s3\n3 ?OrangeRed3?0>2 s3 blocked\n");
    const Vcd vcd(read_file(path("t.vcd")));
    using Values = std::map<std::uint64_t, std::string>;
    EXPECT_EQ(vcd.changes.at("fabric.links.link_001_002.owner[16:0]"),
              (Values{{0, "z"}, {3'000, "3"}, {4'000, "2"}, {6'000, "z"}}));
}

}  // namespace
}  // namespace flitscope::testing
