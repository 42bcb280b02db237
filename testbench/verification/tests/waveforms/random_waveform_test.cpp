// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever happens on channels, a waveform has every signal of every cycle as a model says that
// computes them from their definition; in both formats, in a window, with a path and without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "testbench/verification/tests/waveforms/traced_networks.h"
#include "testbench/verification/tests/waveforms/waveform_fixture.h"
#include "waveforms/formats.h"
#include "waveforms/occupancy_trace.h"

namespace flitscope::testing {
namespace {

/// The meaning of the numbers of `owner` signals: found by means of the other signals.
class OwnerNumbers {
public:
    /// Whether `value` can denote the message, given all that were seen before.
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

/// Stays at channels and in nodes, some of one cycle, with gaps between some and after the last.
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

}  // namespace
}  // namespace flitscope::testing
