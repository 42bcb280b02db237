// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace has its name once it is whole, and says so when its file cannot be written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <random>
#include <string>

#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/waveforms/file_size_limit.h"
#include "testbench/verification/tests/waveforms/traced_networks.h"
#include "testbench/verification/tests/waveforms/waveform_fixture.h"
#include "waveforms/formats.h"
#include "waveforms/fst_writer.h"
#include "waveforms/occupancy_trace.h"
#include "waveforms/vcd_writer.h"

namespace flitscope::testing {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST_F(Waveform, RefusesAnUnknownExtensionBeforeTheRun) {
    const Graph graph = build_mesh({3});
    EXPECT_THROW(open_trace(path("t.txt"), config_, graph), ConfigError);
    EXPECT_FALSE(fs::exists(path("t.txt")));
}

TEST_F(Waveform, RefusesAnUnwritablePathBeforeTheRun) {
    const Graph graph = build_mesh({3});
    for (const std::string name : {"folder.vcd", "folder.fst"}) {
        fs::create_directories(path(name));
        EXPECT_THAT(refused_with([&] { open_trace(path(name), config_, graph); }),
                    AllOf(HasSubstr(path(name)), HasSubstr("Is a directory")));
        EXPECT_THROW(open_trace(path("missing/" + name), config_, graph), ConfigError);
    }
}

TEST_F(Waveform, ReportsAFullDiskWhenAVcdIsClosed) {
    const Graph graph = build_mesh({3});
    fs::create_symlink("/dev/full", path("full.vcd"));
    const auto trace = open_trace(path("full.vcd"), config_, graph);
    play(two_flits(graph), *trace);
    try {
        trace->close(8);
        ADD_FAILURE();
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("full.vcd"), HasSubstr("No space left")));
    }
}

void write_noise(WaveSink& sink, std::size_t changes) {
    std::mt19937_64 random(1);
    sink.open_scope("top");
    const SignalId signal = sink.declare("noise", 64);
    sink.close_scope();
    sink.begin(0);
    sink.change(0, signal, 64);
    sink.end_dump();
    for (std::size_t t = 1; t <= changes; ++t) {
        sink.set_time(t);
        sink.change(random(), signal, 64);
    }
    sink.close(changes + 1);
}

TEST_F(Waveform, AFileHasItsNameOnceItIsWhole) {
    for (const std::string name : {"t.vcd", "t.fst"}) {
        { std::ofstream(path(name)) << "an earlier trace"; }
        const auto sink = waveform_format_of(name).create(path(name), "1ps", "noise");
        EXPECT_EQ(read_file(path(name)), "an earlier trace");
        write_noise(*sink, 100);
        EXPECT_NE(read_file(path(name)), "an earlier trace");
    }
    EXPECT_EQ(files(), (std::set<std::string>{"t.fst", "t.vcd"}));
}

TEST_F(Waveform, IsNoFileWhenItIsDiscarded) {
    const Graph graph = build_mesh({3});
    for (const std::string name : {"t.vcd", "t.fst", "t.json"}) {
        { std::ofstream(path(name)) << "an earlier trace"; }
        const auto trace = open_run_trace(path(name), config_, graph);
        play(two_flits(graph), *trace);
        trace->discard();
    }
    for (const std::string name : {"t.vcd", "t.fst"}) {  // nor when it has not begun
        waveform_format_of(name).create(path(name), "1ps", "noise");
    }
    EXPECT_EQ(files(), (std::set<std::string>{"t.fst", "t.json", "t.vcd"}));
    for (const std::string& name : files()) EXPECT_EQ(read_file(path(name)), "an earlier trace");
}

TEST_F(Waveform, ReportsAFullDiskInTheMiddleOfAVcd) {
    {
        const FileSizeLimit limit(2 << 20);
        VcdWriter writer(path("t.vcd"), "1ps", "noise");
        EXPECT_THROW(write_noise(writer, 60'000), std::runtime_error);
        EXPECT_THROW(writer.close(60'002), std::runtime_error);
    }
    EXPECT_EQ(files(), std::set<std::string>{});
}

// Room that there is later on does not mend a file with a hole.
TEST_F(Waveform, OfEventsOnceIncompleteIsNeverReportedComplete) {
    const Graph graph = build_mesh({3});
    const auto trace = open_run_trace(path("t.json"), config_, graph);
    play(two_flits(graph), *trace);
    {
        const FileSizeLimit limit(500);
        EXPECT_THROW(trace->finish(8), std::runtime_error);
    }
    EXPECT_THROW(trace->finish(8), std::runtime_error);
    EXPECT_EQ(files().count("t.json"), 0U);
}

TEST_F(Waveform, AnFstGoesToNoDevice) {
    fs::create_symlink("/dev/full", path("full.fst"));
    EXPECT_THROW(FstWriter(path("full.fst"), "1ps", "noise"), ConfigError);
    EXPECT_TRUE(fs::is_symlink(path("full.fst")));
}

TEST_F(Waveform, ReportsAFullDiskWhenAnFstIsClosed) {
    {
        FstWriter writer(path("good.fst"), "1ps", "noise");
        write_noise(writer, 2000);
    }
    const auto whole = static_cast<std::size_t>(fs::file_size(path("good.fst")));
    ASSERT_GT(whole, 8192U);
    // In the middle, and among the last bytes, which are written before the header is once more.
    for (const std::size_t bytes : {std::size_t{8192}, whole - 500, whole - 1}) {
        const FileSizeLimit limit(bytes);
        FstWriter writer(path("t.fst"), "1ps", "noise");
        EXPECT_THROW(write_noise(writer, 2000), std::runtime_error) << bytes << " of " << whole;
    }
    EXPECT_EQ(files(), std::set<std::string>{"good.fst"});
}

TEST_F(Waveform, ThatIsToHaveAPathIsWholeWithoutOne) {
    const Graph graph = build_mesh({3});
    {
        const auto trace = open_trace(path("t.vcd"), config_, graph, kCauses);
        play(two_flits(graph), *trace);
    }
    const Vcd vcd(read_file(path("t.vcd")));
    EXPECT_EQ(vcd.at("fabric.links.link_001_002.busy", 5'000), "1");
    EXPECT_EQ(vcd.times.back(), 7'000U);
    EXPECT_EQ(vcd.at("fabric.critical.cause[1:0]", 5'000), "z");
    const auto other = open_trace(path("other.vcd"), config_, graph);
    EXPECT_THROW(other->mark_path({}), std::logic_error);
}

TEST_F(Waveform, ThatWaitsForItsPathReportsAFullDisk) {
    const Graph graph = build_mesh({3, 3});
    RandomFabric fabric(graph, 1, 1, 6, 9);
    fabric.run(20'000);
    const auto trace = open_trace(path("t.vcd"), config_, graph, kCauses);
    const FileSizeLimit limit(300'000);
    EXPECT_THROW(play(fabric.events(), *trace), std::runtime_error);
}

TEST_F(Waveform, OfManyEventsReportsAFullDisk) {
    const Graph graph = build_mesh({3, 3});
    RandomFabric fabric(graph, 1, 1, 6, 9);
    fabric.run(20'000);  // many batches of events
    ASSERT_GT(fabric.events().size(), 10 * 4096U);
    fs::create_symlink("/dev/full", path("full.vcd"));
    const auto trace = open_trace(path("full.vcd"), config_, graph);
    const auto run = [&] {
        play(fabric.events(), *trace);
        trace->close(20'000);
    };
    EXPECT_THROW(run(), std::runtime_error);
}

}  // namespace
}  // namespace flitscope::testing
