// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The waveforms say exactly what the channel events say: signal by signal and cycle by cycle, in
// both formats, whatever the order of events, and also when something goes wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "models/topology/families/topologies.h"
#include "testbench/tests/waveforms/waveform_fixture.h"
#include "waveforms/batch_thread.h"
#include "waveforms/formats.h"
#include "waveforms/fst_writer.h"
#include "waveforms/gtkwave_save.h"
#include "waveforms/occupancy_trace.h"
#include "waveforms/vcd_writer.h"

namespace flitscope::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

/// A packet of two flits of message 5 (0 -> 2, step 2) over the line 0 - 1 - 2, as far as link 0-1.
std::vector<Event> two_flits(const Graph& graph) {
    using K = Event::Kind;
    const ChannelMap channels(graph);
    const Message message{5, 0, 2, 2, 8};
    const ChannelId in = channels.injection(0);
    const ChannelId first = 0;
    const ChannelId second = 1;
    return {{K::kGrant, in, 0, 0, message, 0, 0},     {K::kSendBegin, in, 0, 0, {}, in, 0},
            {K::kGrant, first, 0, 1, message, 0, 0},  {K::kSendBegin, first, 0, 1, {}, in, 0},
            {K::kSendEnd, in, 0, 2, {}, 0, 0},        {K::kRelease, in, 0, 2, {}, 0, 0},
            {K::kSendEnd, first, 0, 3, {}, 0, 0},     {K::kRelease, first, 0, 3, {}, 0, 0},
            {K::kGrant, second, 0, 3, message, 0, 0}, {K::kSendBegin, second, 0, 4, {}, first, 0},
            {K::kSendEnd, second, 0, 6, {}, 0, 0},    {K::kRelease, second, 0, 6, {}, 0, 0}};
}

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

struct TracedNetwork {
    Graph graph;
    std::uint32_t virtual_channels;
    std::uint32_t router_delay;
    std::uint32_t wire;  ///< link i has delay wire + i % 3
};

std::vector<TracedNetwork> networks() {
    const auto make = [](Graph graph, std::uint32_t vcs, std::uint32_t router, std::uint32_t wire) {
        // Rebuilt, because the delay of a link is fixed when it is added.
        Graph slow(graph.kind(), graph.dims(), graph.port_count());
        slow.set_description(graph.description());
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            Link link = graph.link(id);
            link.delay = wire + id % 3;
            slow.add_link(link);
        }
        return TracedNetwork{slow, vcs, router, wire};
    };
    return {make(build_mesh({2, 3}), 1, 1, 1), make(build_mesh({4}), 1, 3, 7),
            make(build_hypercube(3), 1, 1, 1), make(build_mesh({2, 2}), 2, 2, 1),
            make(build_mesh({3}), 4, 1, 5)};
}

/// What the numbers of `owner` signals stand for: found out by looking at the other signals.
class OwnerNumbers {
public:
    /// Whether `value` can stand for the message, given all that were seen before.
    bool fit(const std::string& value, const Message& message, bool blocked) {
        const unsigned long number = std::stoul(value);
        if (number % 2 != (blocked ? 1 : 0)) return false;
        const Who who{message.source, message.destination, message.step};
        return who_.try_emplace(number / 2, who).first->second == who &&
               number_.try_emplace(who, number / 2).first->second == number / 2;
    }
    /// From 1, without a gap.
    bool are_dense() const { return !who_.empty() && who_.rbegin()->first == who_.size(); }

private:
    using Who = std::tuple<NodeId, NodeId, StepId>;
    std::map<unsigned long, Who> who_;
    std::map<Who, unsigned long> number_;
};

void compare_with_fabric(const Vcd& vcd, const TracedNetwork& network, const RandomFabric& fabric,
                         Cycle from, Cycle until) {
    const Graph& graph = network.graph;
    const ChannelMap channels(graph);
    const std::uint32_t vcs = network.virtual_channels;
    const std::uint32_t bits = graph.node_count() > 4 ? 3 : 2;
    const std::string node_range = "[" + std::to_string(bits - 1) + ":0]";
    OwnerNumbers owners;
    for (ChannelId channel = 0; channel < channels.count(); ++channel) {
        const NodeId node = channels.is_link(channel) ? 0 : channels.node(channel);
        const std::string scope =
            channels.is_link(channel)        ? "fabric.links." + graph.link_name(channel)
            : channels.is_injection(channel) ? "fabric.endpoints." + graph.node_name("inject", node)
                                             : "fabric.endpoints." + graph.node_name("eject", node);
        for (Cycle t = from; t < until; ++t) {
            const auto value = [&](const std::string& name) { return vcd.at(name, t * 1000); };
            const auto flag = [](bool set) { return std::string(set ? "1" : "0"); };
            std::optional<Message> sends;
            std::optional<Message> waits;
            for (std::uint32_t vc = 0; vc < vcs; ++vc) {
                const RandomFabric::State& s = fabric.at(channel, vc, t);
                if (s.busy && !sends) sends = s.owner;
                if (s.owner && !waits) waits = s.owner;
                const std::string at = scope + (vcs == 1 ? "." : ".vc" + std::to_string(vc) + ".");
                ASSERT_EQ(value(at + "busy"), flag(s.busy)) << at << " cycle " << t;
                ASSERT_EQ(value(at + "blocked"), flag(s.owner && !s.busy)) << at << " cycle " << t;
                const auto field = [&](std::uint32_t number) {
                    return s.owner ? std::to_string(number) : std::string("z");
                };
                const Message m = s.owner.value_or(Message{});
                if (s.owner) {
                    ASSERT_TRUE(owners.fit(value(at + "owner[16:0]"), m, !s.busy)) << at << t;
                } else {
                    ASSERT_EQ(value(at + "owner[16:0]"), "z") << at << t;
                }
                ASSERT_EQ(value(at + "source" + node_range), field(m.source)) << at << t;
                ASSERT_EQ(value(at + "destination" + node_range), field(m.destination)) << at << t;
                ASSERT_EQ(value(at + "message[31:0]"), field(m.id)) << at << t;
                ASSERT_EQ(value(at + "step[31:0]"), field(m.step + 1)) << at << t;
                if (channels.is_ejection(channel)) continue;
                ASSERT_EQ(value(at + "buffered[2:0]"), std::to_string(s.buffered)) << at << t;
            }
            ASSERT_EQ(value(scope + ".busy"), flag(sends.has_value())) << scope << " cycle " << t;
            ASSERT_EQ(value(scope + ".blocked"), flag(waits && !sends)) << scope << t;
            if (waits) {
                const Message& shown = sends ? *sends : *waits;
                ASSERT_TRUE(owners.fit(value(scope + ".owner[16:0]"), shown, !sends)) << scope << t;
            } else {
                ASSERT_EQ(value(scope + ".owner[16:0]"), "z") << scope << t;
            }
        }
    }
    EXPECT_TRUE(owners.are_dense());
}

/// The name that begins so.
std::string full_name(const Vcd& vcd, const std::string& begin) {
    const auto found = vcd.widths.lower_bound(begin);
    return found != vcd.widths.end() && found->first.rfind(begin, 0) == 0 ? found->first : "";
}

void compare_overview(const Vcd& vcd, const TracedNetwork& network, const RandomFabric& fabric,
                      Cycle from, Cycle until) {
    const Graph& graph = network.graph;
    std::set<std::uint32_t> dimensions;
    for (const Link& link : graph.links()) dimensions.insert(link.dimension);
    for (Cycle t = from; t < until; ++t) {
        std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> expected;
        std::set<std::uint32_t> steps;
        for (LinkId link = 0; link < graph.link_count(); ++link) {
            bool busy = false;
            bool owned = false;
            std::uint64_t flits = 0;
            for (std::uint32_t vc = 0; vc < network.virtual_channels; ++vc) {
                const RandomFabric::State& s = fabric.at(link, vc, t);
                busy |= s.busy;
                owned |= s.owner.has_value();
                flits += s.in_flight;
                if (s.owner) steps.insert(s.owner->step + 1);
            }
            std::vector<std::string> scopes{"fabric.overview."};
            if (dimensions.size() > 1) {
                scopes.push_back(
                    "fabric.overview.dimension_" +
                    std::to_string(graph.dimension_number(graph.link(link).dimension)) + ".");
            }
            for (const std::string& scope : scopes) {
                expected[scope].first += flits;
                expected[scope].second += owned && !busy;
            }
        }
        const auto value = [&](const std::string& begin) {
            return vcd.at(full_name(vcd, begin), t * 1000);
        };
        for (const auto& [scope, counts] : expected) {
            ASSERT_EQ(value(scope + "flits_in_flight"), std::to_string(counts.first)) << scope << t;
            ASSERT_EQ(value(scope + "blocked_links"), std::to_string(counts.second)) << scope << t;
        }
        const bool idle = steps.empty();
        ASSERT_EQ(value("fabric.overview.oldest_step"), idle ? "z" : std::to_string(*steps.begin()))
            << t;
        ASSERT_EQ(value("fabric.overview.newest_step"),
                  idle ? "z" : std::to_string(*steps.rbegin()))
            << t;
    }
}

class WaveformOf : public Waveform, public ::testing::WithParamInterface<std::size_t> {
protected:
    static constexpr Cycle kCycles = 400;

    WaveformOf()
        : network_(networks()[GetParam()]),
          fabric_(network_.graph, network_.virtual_channels, network_.router_delay, 6,
                  GetParam() + 1) {
        config_.fabric.virtual_channels = network_.virtual_channels;
        config_.fabric.router_delay = network_.router_delay;
        config_.fabric.buffer_depth = 6;
        config_.trace.endpoints = true;
        fabric_.run(kCycles);
    }

    TracedNetwork network_;
    RandomFabric fabric_;
};

TEST_P(WaveformOf, RandomEventsHasEverySignalOfEveryCycle) {
    const Vcd vcd(trace(network_.graph, fabric_.events(), kCycles));
    ASSERT_GT(fabric_.events().size(), 1000U);
    compare_with_fabric(vcd, network_, fabric_, 0, kCycles);
    compare_overview(vcd, network_, fabric_, 0, kCycles);
    EXPECT_EQ(vcd.times.back(), kCycles * 1000);
}

TEST_P(WaveformOf, RandomEventsDoesNotShowTheOrderWithinACycle) {
    for (const char* name : {"t.vcd", "t.fst"}) {
        const std::string expected = trace(network_.graph, fabric_.events(), kCycles, name);
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const std::vector<Event> other = permuted(fabric_.events(), seed);
            // Not EXPECT_EQ: a failure would print both files.
            EXPECT_TRUE(trace(network_.graph, other, kCycles, name) == expected) << name << seed;
        }
    }
}

TEST_P(WaveformOf, RandomEventsWritesOnlyChangesInOrderOfDeclaration) {
    EXPECT_GT(expect_changes_in_order(trace(network_.graph, fabric_.events(), kCycles)), 20U);
}

TEST_P(WaveformOf, RandomEventsInAWindowIsThatPartOfTheWhole) {
    config_.trace.from = 131;
    config_.trace.until = 257;
    const Vcd vcd(trace(network_.graph, fabric_.events(), kCycles));
    compare_with_fabric(vcd, network_, fabric_, 131, 257);
    compare_overview(vcd, network_, fabric_, 131, 257);
    EXPECT_EQ(vcd.times.front(), 131'000U);
    EXPECT_EQ(vcd.times.back(), 257'000U);
    for (const auto& [name, changes] : vcd.changes) EXPECT_EQ(changes.begin()->first, 131'000U);
}

TEST_P(WaveformOf, RandomEventsWithoutDetailsIsTheRestOfThem) {
    const Vcd whole(trace(network_.graph, fabric_.events(), kCycles));
    config_.trace.details = false;
    const Vcd vcd(trace(network_.graph, fabric_.events(), kCycles));
    std::set<std::string> left;
    for (const auto& [name, changes] : vcd.changes) {
        EXPECT_EQ(whole.changes.at(name), changes) << name;
        left.insert(name.substr(name.rfind('.') + 1));
    }
    EXPECT_THAT(left, ::testing::IsSupersetOf({"owner[16:0]", "busy", "blocked"}));
    for (const char* const detail : {"message[31:0]", "step[31:0]", "buffered[2:0]"}) {
        EXPECT_EQ(left.count(detail), 0U);
    }
}

TEST_P(WaveformOf, RandomEventsIsTheSameInFst) {
    ASSERT_NE(std::system("fst2vcd -h >/dev/null 2>&1"), 127 * 256) << "fst2vcd comes with gtkwave";
    for (const Cycle from : {0, 57}) {
        config_.trace.from = from;
        const Vcd vcd(trace(network_.graph, fabric_.events(), kCycles));
        const Vcd fst = trace_fst(network_.graph, fabric_.events(), kCycles);
        EXPECT_EQ(fst.widths, vcd.widths);
        EXPECT_EQ(fst.changes, vcd.changes);
        EXPECT_EQ(fst.times.front(), vcd.times.front());
        EXPECT_EQ(fst.times.back(), vcd.times.back());
    }
}

const std::vector<PathCause> kCauses{{"moves", false}, {"waits", true}, {"stands", true}};

/// Stays at channels and in nodes, some of one cycle, with gaps between some and behind the last.
std::vector<PathMark> random_path(const Graph& graph, Cycle end, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const ChannelMap channels(graph);
    std::vector<PathMark> path;
    for (Cycle at = random() % 3; at + 20 < end;) {
        PathMark mark;
        mark.from = at;
        mark.to = at + 1 + random() % 9;
        mark.cause = static_cast<std::uint32_t>(random() % kCauses.size());
        if (random() % 4 != 0) mark.channel = static_cast<ChannelId>(random() % channels.count());
        if (random() % 8 != 0) mark.message = static_cast<MessageId>(random() % 3);
        path.push_back(mark);
        at = mark.to + (random() % 3 == 0 ? random() % 4 : 0);
    }
    return path;
}

TEST_P(WaveformOf, RandomEventsWithAPathHasItBesideAllElse) {
    const std::vector<PathMark> path = random_path(network_.graph, kCycles, GetParam());
    const ChannelMap channels(network_.graph);
    for (const auto& [from, until] :
         std::vector<std::pair<Cycle, Cycle>>{{0, kNever}, {131, 257}, {kCycles - 15, kNever}}) {
        config_.trace.from = from;
        config_.trace.until = until;
        const Cycle end = std::min<Cycle>(until, kCycles);
        const Vcd without(trace(network_.graph, fabric_.events(), kCycles));
        std::map<std::string, Vcd> marked;
        for (const char* const name : {"p.vcd", "p.fst"}) {
            const auto trace = open_trace(Waveform::path(name), config_, network_.graph, kCauses);
            play(fabric_.events(), *trace);
            trace->mark_path(path);
            trace->close(kCycles);
            const bool is_vcd = std::string(name) == "p.vcd";
            const std::string text = is_vcd ? read_file(Waveform::path(name)) : read_fst(name);
            if (is_vcd) expect_changes_in_order(text);
            marked.emplace(name, Vcd(text));
        }
        const Vcd& vcd = marked.at("p.vcd");
        EXPECT_EQ(marked.at("p.fst").changes, vcd.changes);
        std::set<std::string> added;
        for (const auto& entry : vcd.changes) added.insert(entry.first);
        for (const auto& [name, changes] : without.changes) {
            ASSERT_EQ(vcd.changes.at(name), changes) << name;
            added.erase(name);
        }
        EXPECT_EQ(added.size(), channels.count() + 3U);
        for (Cycle t = from; t < end; ++t) {
            const PathMark* mark = nullptr;
            for (const PathMark& m : path) {
                if (m.from <= t && t < m.to) mark = &m;
            }
            for (const std::string& name : added) {
                const std::string value = vcd.at(name, t * 1000);
                std::string expected = "z";
                if (name.find(".critical.cause") != std::string::npos) {
                    if (mark != nullptr) expected = std::to_string(mark->cause);
                } else if (name.find(".critical.channel") != std::string::npos) {
                    if (mark != nullptr && mark->channel) expected = std::to_string(*mark->channel);
                } else if (name.find(".critical.message") != std::string::npos) {
                    if (mark != nullptr && mark->message != kNoMessage) {
                        expected = std::to_string(mark->message);
                    }
                } else if (mark != nullptr && mark->channel &&
                           name.find("." + channels.name(*mark->channel) + ".") !=
                               std::string::npos) {
                    expected = std::to_string(mark->cause);
                }
                ASSERT_EQ(value, expected) << name << " cycle " << t;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, WaveformOf, ::testing::Range<std::size_t>(0, networks().size()));

TEST_F(Waveform, OfEqualRunsHasEqualBytes) {
    const Graph graph = build_mesh({3, 3});
    RandomFabric fabric(graph, 1, 1, 6, 9);
    fabric.run(300);
    for (const char* name : {"a.vcd", "a.fst"}) {
        const std::string first = trace(graph, fabric.events(), 300, name);
        EXPECT_TRUE(first == trace(graph, fabric.events(), 300, name)) << name;
        EXPECT_TRUE(first == trace(graph, fabric.events(), 300, std::string("other_") + name));
    }
    // Where others put the time of day.
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
    // Five flits in one burst, visible from cycle 10 + 2 on; nobody takes them out until 100.
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

TEST(TimeAxis, IsPicosecondsWhereTheClockAllows) {
    EXPECT_EQ(make_time_axis(1).per_cycle, 1000U);
    EXPECT_EQ(make_time_axis(0.7).per_cycle, 700U);
    EXPECT_STREQ(make_time_axis(0.7).timescale, "1ps");
    EXPECT_EQ(make_time_axis(0.0125).per_cycle, 12'500U);
    EXPECT_STREQ(make_time_axis(0.0125).timescale, "1fs");
    EXPECT_EQ(make_time_axis(1.0 / 3).per_cycle, 333'333U);
    EXPECT_EQ(make_time_axis(123456.7891234).per_cycle, 123'456'789'123U);
    EXPECT_STREQ(make_time_axis(123456.7891234).timescale, "1fs");
    EXPECT_EQ(make_time_axis(123456.789).per_cycle, 123'456'789U);
    EXPECT_STREQ(make_time_axis(123456.789).timescale, "1ps");
    EXPECT_THROW(make_time_axis(0), std::invalid_argument);
}

// --- Digits of any width ------------------------------------------------------------------------

/// Everything bits() may be told, at three times.
void write_bits(TraceSink& sink) {
    sink.open_scope("top");
    const SignalId flag = sink.declare("flag", 1);
    const SignalId byte = sink.declare("byte", 8);
    const SignalId wide = sink.declare("wide", 320);
    const SignalId number = sink.declare("number", 64);
    sink.close_scope();
    sink.begin(0);
    sink.bits(flag, "x");
    sink.bits(byte, "z");
    sink.bits(wide, "x");
    sink.change(5, number, 64);
    sink.end_dump();
    sink.set_time(10);
    sink.bits(flag, "1");
    sink.bits(byte, "0000x01z");
    sink.bits(wide, "1" + std::string(319, '0'));
    sink.bits(number, std::string(64, '1'));
    sink.set_time(20);
    sink.bits(flag, "z");
    sink.bits(byte, "zz1");
    sink.bits(wide, "101");
    sink.change(0, number, 64, Level::kHighZ);
    sink.close(30);
}

TEST_F(Waveform, OfDigitsIsAsShortInVcdAsItsReaderAllows) {
    VcdWriter writer(path("t.vcd"), "1ps", "digits");
    write_bits(writer);
    const std::string text = read_file(path("t.vcd"));
    EXPECT_EQ(text.substr(text.find("#0")),
              "#0\n$dumpvars\nx!\nbz \"\nbx #\nb101 $\n$end\n"
              "#10\n1!\nb0x01z \"\nb1" +
                  std::string(319, '0') + " #\nb" + std::string(64, '1') +
                  " $\n"
                  "#20\nz!\nbz1 \"\nb101 #\nbz $\n#30\n");
}

TEST_F(Waveform, OfDigitsHasAllOfThemInFst) {
    FstWriter writer(path("t.fst"), "1ps", "digits");
    write_bits(writer);
    const std::string text = read_fst("t.fst");
    EXPECT_THAT(text, HasSubstr("\nb0000x01z \"\n"));
    EXPECT_THAT(text, HasSubstr("\nbzzzzzzz1 \"\n"));
    EXPECT_THAT(text, HasSubstr("\nb" + std::string(317, '0') + "101 #\n"));
    VcdWriter other(path("t.vcd"), "1ps", "digits");
    write_bits(other);
    EXPECT_EQ(Vcd(text).changes, Vcd(read_file(path("t.vcd"))).changes);
    EXPECT_EQ(Vcd(text).widths.at("top.wide[319:0]"), 320U);
}

/// Values that do not fit what is left of a writer's buffer, nor all of it.
void write_long_values(TraceSink& sink, std::vector<std::string>& expected) {
    constexpr std::uint32_t kWidth = 300'007;
    std::mt19937_64 random(3);
    const SignalId signal = sink.declare("long", kWidth);
    const SignalId longest = sink.declare("longest", 9 * kWidth);
    sink.begin(0);
    for (std::uint64_t t = 0; t < 20; ++t) {
        std::string digits(kWidth, '1');
        for (char& digit : digits) digit = "01xz"[random() % 4];
        expected.push_back(Vcd::readable(digits));
        sink.set_time(t);
        sink.bits(signal, digits);
        if (t == 0) sink.bits(longest, "1" + std::string(9 * kWidth - 1, '0'));
        if (t == 0) sink.end_dump();
    }
    sink.close(20);
}

/// The start of every section of an FST, and the digits of all signals then, as the file has them.
std::vector<std::pair<std::uint64_t, std::string>> section_begins(const std::string& fst) {
    const auto number = [&](std::size_t at) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < 8; ++i) value = value << 8 | std::uint8_t(fst[at + i]);
        return value;
    };
    std::vector<std::pair<std::uint64_t, std::string>> begins;
    for (std::size_t at = 0; at < fst.size(); at += 1 + number(at + 1)) {
        if (fst[at] != 8) continue;  // no section
        std::size_t place = at + 1 + 4 * 8;
        const auto varint = [&] {
            std::uint64_t value = 0;
            for (int shift = 0;; shift += 7) {
                const auto byte = std::uint8_t(fst[place++]);
                value |= std::uint64_t{byte & 0x7FU} << shift;
                if (byte < 0x80) return value;
            }
        };
        uLongf length = varint();
        const std::uint64_t packed = varint();
        varint();  // signals
        std::string digits = fst.substr(place, packed);
        if (packed != length) {
            digits.resize(length);
            EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(digits.data()), &length,
                                 reinterpret_cast<const Bytef*>(fst.data() + place), packed),
                      Z_OK);
        }
        begins.emplace_back(number(at + 9), digits);
    }
    return begins;
}

TEST_F(Waveform, OfManySectionsIsOneInFst) {
    // Widths around whole bytes; signals that change alike, rarely, or never again.
    const std::vector<std::uint32_t> widths{1, 7, 8, 9, 17, 33, 63, 64, 1, 17, 64, 5};
    const auto write = [&](TraceSink& sink) {
        std::mt19937_64 random(5);
        sink.open_scope("top");
        for (std::size_t i = 0; i < widths.size(); ++i) {
            sink.declare("s" + std::to_string(i), widths[i]);
        }
        const SignalId wide = sink.declare("wide", 130);
        sink.close_scope();
        sink.begin(70);
        for (SignalId i = 0; i < widths.size(); ++i) sink.change(0, i, widths[i], Level::kHighZ);
        sink.bits(wide, "x");
        sink.end_dump();
        std::uint64_t time = 70;
        for (std::uint64_t step = 0; step < 3000; ++step) {
            // Now and then nothing for a long time.
            sink.set_time(time += step % 100 == 0 ? 1'000'000'000 : 1 + random() % 300);
            const std::uint64_t all = random();
            const auto value = [&](SignalId i) {
                return (all + step * (i < 8)) >> (64 - widths[i]);
            };
            for (SignalId i = 0; i < widths.size(); ++i) {
                const bool is_rare = i == 10 || i == 11;
                if (is_rare ? step != 1500 : (i < 8 && (all >> i & 1) != 0)) continue;
                const bool is_high_z = (all >> 20 & 7) == 0;
                sink.change(is_high_z ? 0 : value(i), i, widths[i],
                            is_high_z ? Level::kHighZ : Level::kNone);
            }
            if (step % 7 == 0) sink.bits(wide, step % 2 == 0 ? "1" : "x01z0");
        }
        sink.close(time + 5);
    };
    VcdWriter vcd(path("t.vcd"), "1ps", "sections");
    write(vcd);
    const Vcd expected(read_file(path("t.vcd")));
    for (const std::size_t section :
         {std::size_t{200}, std::size_t{5000}, FstWriter::kSectionBytes}) {
        FstWriter fst(path("t.fst"), "1ps", "sections", section);
        write(fst);
        const Vcd read(read_fst("t.fst"));
        EXPECT_EQ(read.widths, expected.widths);
        // fst2vcd tells a value that does not differ from the one before no more than once.
        for (const auto& [name, changes] : expected.changes) {
            for (const auto& entry : changes) {
                ASSERT_EQ(read.at(name, entry.first), entry.second) << name << ' ' << entry.first;
            }
            ASSERT_LE(read.changes.at(name).size(), changes.size()) << name << section;
        }
        EXPECT_EQ(read.times.back(), expected.times.back());
        // What readers begin with that do not read from the start.
        const auto begins = section_begins(read_file(path("t.fst")));
        EXPECT_EQ(begins.front().second.find_first_not_of('x'), std::string::npos);
        for (std::size_t number = 1; number < begins.size(); ++number) {
            const auto& [time, digits] = begins[number];
            std::size_t place = 0;
            for (std::size_t i = 0; i < widths.size(); ++i) {
                const std::string name = "top." + ranged_name("s" + std::to_string(i), widths[i]);
                ASSERT_EQ(Vcd::readable(digits.substr(place, widths[i])), expected.at(name, time))
                    << name << ' ' << time;
                place += widths[i];
            }
        }
        EXPECT_EQ(begins.size() > 100, section == 200) << begins.size();
        EXPECT_EQ(begins.size() > 10, section <= 5000) << begins.size();
    }
}

TEST_F(Waveform, OfDigitsMayBeWiderThanABuffer) {
    std::vector<std::string> expected;
    VcdWriter vcd(path("t.vcd"), "1ps", "long");
    write_long_values(vcd, expected);
    std::vector<std::string> unused;
    FstWriter fst(path("t.fst"), "1ps", "long");
    write_long_values(fst, unused);
    for (const std::string& text : {read_file(path("t.vcd")), read_fst("t.fst")}) {
        const Vcd read(text);
        for (std::uint64_t t = 0; t < 20; ++t) {
            EXPECT_TRUE(read.at("long[300006:0]", t) == expected[t]) << t;
        }
        EXPECT_EQ(read.changes.at("longest[2700062:0]").at(0).size(), 1U + 2'700'063U);
    }
}

// --- Files that cannot be written ---------------------------------------------------------------

TEST_F(Waveform, RefusesAnUnknownExtensionBeforeTheRun) {
    const Graph graph = build_mesh({3});
    EXPECT_THROW(open_trace(path("t.txt"), config_, graph), ConfigError);
    EXPECT_FALSE(fs::exists(path("t.txt")));
}

TEST_F(Waveform, RefusesAnUnwritablePathBeforeTheRun) {
    const Graph graph = build_mesh({3});
    for (const std::string name : {"folder.vcd", "folder.fst"}) {
        fs::create_directories(path(name));
        try {
            open_trace(path(name), config_, graph);
            ADD_FAILURE() << name;
        } catch (const ConfigError& error) {
            EXPECT_THAT(error.what(), AllOf(HasSubstr(path(name)), HasSubstr("Is a directory")));
        }
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

/// Files may not grow beyond a limit while this lives; writing further fails as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    void (*handler_)(int);
    rlimit before_{};
};

void write_noise(TraceSink& sink, std::size_t changes) {
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

// --- Selection ----------------------------------------------------------------------------------

class Selection : public ::testing::Test {
protected:
    Selection() : graph_(build_mesh({3, 3})) {
        config_.source = "test.yaml";
        config_.locations["trace.links"] = {"test.yaml", 4, 10};
    }

    std::set<std::string> links() const {
        std::set<std::string> names;
        for (const LinkId id : select_channels(config_, graph_).links) {
            names.insert(graph_.link_name(id));
        }
        return names;
    }
    std::vector<std::string> findings() const {
        std::vector<std::string> texts;
        try {
            select_channels(config_, graph_);
        } catch (const ConfigError& error) {
            for (const Diagnostic& d : error.findings()) texts.push_back(d.str());
        }
        return texts;
    }

    Config config_;
    Graph graph_;
};

TEST_F(Selection, OfNothingIsEveryLinkAndNoEndpoint) {
    EXPECT_EQ(select_channels(config_, graph_).links.size(), graph_.link_count());
    EXPECT_THAT(select_channels(config_, graph_).endpoints, IsEmpty());
    config_.trace.endpoints = true;
    EXPECT_EQ(select_channels(config_, graph_).endpoints.size(), 9U);
}

TEST_F(Selection, IsTheUnionOfLinksNodesAndDimensions) {
    config_.trace.links = {"4-5", "link_000_003"};
    EXPECT_THAT(links(), ElementsAre("link_000_003", "link_004_005"));
    config_.trace.nodes = {8};
    EXPECT_THAT(links(), ElementsAre("link_000_003", "link_004_005", "link_005_008", "link_007_008",
                                     "link_008_005", "link_008_007"));
    config_.trace.dimensions = {1};
    EXPECT_EQ(links().size(), 12U + 3U);  // all of dimension 1, and 0-3, 5-8, 8-5
}

TEST_F(Selection, TakesEndpointsOfNodesOrElseOfTouchedNodes) {
    config_.trace.endpoints = true;
    config_.trace.links = {"4-5"};
    EXPECT_THAT(select_channels(config_, graph_).endpoints, ElementsAre(4, 5));
    config_.trace.nodes = {0};
    EXPECT_THAT(select_channels(config_, graph_).endpoints, ElementsAre(0));
}

TEST_F(Selection, ReportsEverythingThatDoesNotExist) {
    config_.trace.links = {"0-4", "0-9", "link_000_033", "left"};
    config_.trace.nodes = {9};
    config_.trace.dimensions = {2};
    config_.trace.from = 5;
    config_.trace.until = 5;
    EXPECT_THAT(
        findings(),
        ElementsAre(AllOf(HasSubstr("test.yaml:4:10"), HasSubstr("no link from node 0 to node 4"),
                          HasSubstr("0-1, 0-3")),
                    AllOf(HasSubstr("no node 9"), HasSubstr("0 to 8")),
                    AllOf(HasSubstr("link_000_033"), HasSubstr("did you mean link_000_003?")),
                    AllOf(HasSubstr("\"left\""), HasSubstr("link_000_001")),
                    AllOf(HasSubstr("no node 9"), HasSubstr("0 to 8")),
                    AllOf(HasSubstr("dimension 2"), HasSubstr("0, 1")),
                    AllOf(HasSubstr("cycle 5"), HasSubstr("until"))));
}

// --- GTKWave save file --------------------------------------------------------------------------

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

// --- The thread that makes a trace ---------------------------------------------------------------

TEST(BatchThread, TakesAllInOrderAndGivesBackEmptyBatches) {
    std::vector<Cycle> taken;
    std::string digits;
    BatchThread thread([&](const EventBatch& batch) {
        for (std::size_t i = 0; i < batch.count; ++i) taken.push_back(batch.events[i].cycle);
        digits += batch.digits;
    });
    EventBatch batch;
    for (Cycle cycle = 0; cycle < 500; ++cycle) {
        ASSERT_EQ(batch.count, 0U);
        ASSERT_EQ(batch.digits, "");
        batch.events[batch.count++].cycle = cycle;
        batch.digits += static_cast<char>('0' + cycle % 2);
        thread.put(batch);
    }
    thread.finish();
    ASSERT_EQ(taken.size(), 500U);
    for (Cycle cycle = 0; cycle < 500; ++cycle) EXPECT_EQ(taken[cycle], cycle);
    EXPECT_EQ(digits.substr(0, 6), "010101");
}

TEST(BatchThread, ThrowsWhatItsTakerHasThrownAndGoesOnNoMore) {
    int taken = 0;
    const auto fails = [&taken](const EventBatch&) {
        if (++taken == 3) throw std::runtime_error("no room");
    };
    {
        BatchThread thread(fails);
        EventBatch batch;
        const auto put_many = [&] {
            for (int i = 0; i < 1000; ++i) thread.put(batch);
        };
        EXPECT_THROW(put_many(), std::runtime_error);
        EXPECT_THROW(thread.finish(), std::runtime_error);
    }
    EXPECT_EQ(taken, 3);
    taken = 0;
    BatchThread left(fails);  // without finish(): the destructor is silent
    EventBatch batch;
    for (std::size_t i = 0; i < BatchThread::kBatches; ++i) {
        try {
            left.put(batch);
        } catch (const std::runtime_error&) {
            break;
        }
    }
}

// --- Owners -------------------------------------------------------------------------------------

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

TEST(OwnerTable, NumbersWhoHoldsAChannelByFirstUse) {
    OwnerTable table;
    EXPECT_EQ(table.number({3, 4, 100, 1}), 1U);
    EXPECT_EQ(table.number({3, 5, 7, 1}), 2U);
    EXPECT_EQ(table.number({3, 4, 100, 1}), 1U);
    EXPECT_EQ(table.number({3, 4, 101, 1}), 1U);  // another message of the same
    EXPECT_EQ(table.number({3, 4, 102, 2}), 3U);
    EXPECT_EQ(table.number({4, 3, 103, 1}), 4U);
    // So many that places for their numbers are taken by others of the same pair.
    for (std::uint32_t step = 3; step < 1000; ++step) {
        EXPECT_EQ(table.number({3, 4, 200 + step, step}), step + 2);
    }
}

TEST(OwnerTable, HasNoMoreThanItsMost) {
    OwnerTable table;
    for (std::uint32_t i = 0; i < OwnerTable::kMost; ++i) {
        const auto source = static_cast<std::uint16_t>(i);
        ASSERT_EQ(table.number({source, 1, i, i % 7}), i + 1);
    }
    EXPECT_EQ(table.number({0, 2, 1'000'000, 0}), 0U);
    EXPECT_EQ(table.number({5, 1, 2'000'000, 5}), 6U);  // a known one
    EXPECT_EQ(OwnerTable::value(OwnerTable::kMost, true), (1U << OwnerTable::kBits) - 1);
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
