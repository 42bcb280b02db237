// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Signals inside routers are in the waveform at the cycle they belong to, although they are
// reported a cycle later: in nested scopes, of any width, in both formats, whatever the order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/waveforms/waveform_fixture.h"
#include "waveforms/gtkwave_save.h"
#include "waveforms/occupancy_trace.h"

namespace flitscope::testing {
namespace {

using ::testing::HasSubstr;
using Values = std::map<std::uint64_t, std::string>;

// --- Beside the channels ------------------------------------------------------------------------

/// A trace of the link 0-1 of a line of three nodes, one tick per cycle.
class InnerSignalTrace : public Waveform {
protected:
    InnerSignalTrace() : graph_(build_mesh({3})) {
        config_.trace.links = {"0-1"};
        config_.clock_ns = 0.001;
    }

    std::unique_ptr<OccupancyTrace> open(const std::string& name = "t.vcd") const {
        return open_trace(path(name), config_, graph_);
    }
    std::string text() const { return read_file(path("t.vcd")); }
    /// The part after the declarations.
    std::string body() const {
        const std::string whole = text();
        return whole.substr(whole.find("#0\n"));
    }

    Graph graph_;
};

TEST_F(InnerSignalTrace, HasNestedScopesWhateverTheOrderOfDeclarations) {
    const auto trace = open();
    EXPECT_EQ(trace->declare_inner("fabric.router_001.input_1.fifo", "count", 4), 0U);
    EXPECT_EQ(trace->declare_inner("fabric.router_000", "granted", 5), 1U);
    EXPECT_EQ(trace->declare_inner("fabric.router_001", "granted", 5), 2U);
    EXPECT_EQ(trace->declare_inner("fabric.router_001.input_0", "head", 1), 3U);
    EXPECT_EQ(trace->declare_inner("fabric.router_001.input_1", "data", 320), 4U);
    EXPECT_EQ(trace->declare_inner("fabric.router_000", "valid", 5), 5U);
    trace->close(3);
    const std::string whole = text();
    const std::string overview = "newest_step [31:0] $end\n$upscope $end\n";
    const std::size_t from = whole.find(overview) + overview.size();
    EXPECT_EQ(whole.substr(from),
              "$scope module router_001 $end\n"
              "$var wire 5 - granted [4:0] $end\n"
              "$scope module input_1 $end\n"
              "$var wire 320 . data [319:0] $end\n"
              "$scope module fifo $end\n"
              "$var wire 4 / count [3:0] $end\n"
              "$upscope $end\n"
              "$upscope $end\n"
              "$scope module input_0 $end\n"
              "$var wire 1 0 head $end\n"
              "$upscope $end\n"
              "$upscope $end\n"
              "$scope module router_000 $end\n"
              "$var wire 5 1 granted [4:0] $end\n"
              "$var wire 5 2 valid [4:0] $end\n"
              "$upscope $end\n"
              "$upscope $end\n"
              "$enddefinitions $end\n"
              "#0\n$dumpvars\nbz !\n0\"\n0#\nbz $\nbz %\nbz &\nbz '\nb0 (\nb0 )\n0*\nbz +\nbz ,\n"
              "bx -\nbx .\nbx /\nx0\nbx 1\nbx 2\n$end\n#3\n");
}

TEST_F(InnerSignalTrace, HasWhatIsReportedLateWhereItBelongs) {
    const auto trace = open();
    const std::uint32_t state = trace->declare_inner("fabric.router_000", "state", 3);
    const ChannelId in = ChannelMap(graph_).injection(0);
    trace->on_grant(0, 0, Message{}, 4);
    trace->on_inner_change(state, 3, "1");
    trace->on_send_begin(0, 0, in, 0, 4);
    trace->on_inner_change(state, 4, "10");
    trace->on_send_end(0, 0, 5);
    trace->on_inner_change(state, 99, "11");  // woke in cycle 100; the channels had no events
    trace->on_release(0, 0, 100);
    trace->close(102);
    EXPECT_EQ(body(),
              "#0\n$dumpvars\nbz !\n0\"\n0#\nbz $\nbz %\nbz &\nbz '\nb0 (\nb0 )\n0*\nbz +\nbz "
              ",\nbx -\n$end\n"
              "#3\nb1 -\n"
              "#4\nb10 !\n1\"\nb0 $\nb0 %\nb0 &\nb1 '\nb1 +\nb1 ,\nb10 -\n"
              "#5\nb11 !\n0\"\n1#\nb1 )\n1*\n"
              "#6\nb1 (\n"
              "#99\nb11 -\n"
              "#100\nbz !\n0#\nbz $\nbz %\nbz &\nbz '\n0*\nbz +\nbz ,\n"
              "#102\n");
}

TEST_F(InnerSignalTrace, HasValuesOfOneCycleInOrderOfDeclarationAndOnlyChanges) {
    const auto trace = open();
    const std::uint32_t low = trace->declare_inner("fabric.router_001.input_0", "low", 4);
    const std::uint32_t high = trace->declare_inner("fabric.router_001", "high", 4);
    const std::uint32_t flag = trace->declare_inner("fabric.router_000", "flag", 1);
    trace->on_inner_change(flag, 0, "0");
    trace->on_inner_change(low, 0, "0101");
    trace->on_inner_change(high, 0, "z");
    trace->on_inner_change(flag, 1, "1");
    trace->on_inner_change(low, 1, "101");   // as before
    trace->on_inner_change(high, 1, "zzz");  // as before
    trace->on_inner_change(low, 2, "110");
    trace->on_inner_change(high, 2, "z1");
    trace->on_inner_change(low, 2, "0101");  // it changed its mind
    trace->close(4);
    EXPECT_EQ(body(),
              "#0\n$dumpvars\nbz !\n0\"\n0#\nbz $\nbz %\nbz &\nbz '\nb0 (\nb0 )\n0*\nbz +\nbz "
              ",\nbz -\nb101 .\n0/\n$end\n"
              "#1\n1/\n"
              "#2\nbz1 -\n"
              "#4\n");
}

TEST_F(InnerSignalTrace, ShowsTheWindowAndNothingElse) {
    const auto values = [&](Cycle from, Cycle until) {
        config_.trace.from = from;
        config_.trace.until = until;
        const auto trace = open();
        const std::uint32_t early = trace->declare_inner("fabric.router_000", "early", 8);
        const std::uint32_t late = trace->declare_inner("fabric.router_000", "late", 8);
        trace->on_inner_change(early, 2, "1");
        trace->on_inner_change(early, 9, "10");
        trace->on_grant(0, 0, Message{}, 10);
        trace->on_inner_change(early, 10, "11");
        trace->on_inner_change(late, 10, "101");
        trace->on_grant(0, 0, Message{}, 12);  // a cycle without inner changes
        trace->on_inner_change(early, 19, "111");
        trace->on_release(0, 0, 20);
        trace->on_inner_change(late, 20, "110");
        trace->close(30);
        const Vcd vcd(text());
        EXPECT_EQ(vcd.times.front(), from);
        EXPECT_EQ(vcd.times.back(), std::min<Cycle>(until, 30));
        EXPECT_EQ(expect_changes_in_order(text()), 14U);
        return std::pair(vcd.changes.at("fabric.router_000.early[7:0]"),
                         vcd.changes.at("fabric.router_000.late[7:0]"));
    };
    EXPECT_EQ(values(0, kNever),
              std::pair(Values({{0, "x"}, {2, "1"}, {9, "2"}, {10, "3"}, {19, "7"}}),
                        Values({{0, "x"}, {10, "5"}, {20, "6"}})));
    EXPECT_EQ(values(9, 11),
              std::pair(Values({{9, "2"}, {10, "3"}}), Values({{9, "x"}, {10, "5"}})));
    EXPECT_EQ(values(9, 10), std::pair(Values({{9, "2"}}), Values({{9, "x"}})));
    EXPECT_EQ(values(10, 11), std::pair(Values({{10, "3"}}), Values({{10, "5"}})));
    EXPECT_EQ(values(11, 12), std::pair(Values({{11, "3"}}), Values({{11, "5"}})));
    EXPECT_EQ(values(5, 20), std::pair(Values({{5, "1"}, {9, "2"}, {10, "3"}, {19, "7"}}),
                                       Values({{5, "x"}, {10, "5"}})));
    EXPECT_EQ(values(5, 19),
              std::pair(Values({{5, "1"}, {9, "2"}, {10, "3"}}), Values({{5, "x"}, {10, "5"}})));
    EXPECT_EQ(values(19, 21), std::pair(Values({{19, "7"}}), Values({{19, "5"}, {20, "6"}})));
    EXPECT_EQ(values(25, kNever), std::pair(Values({{25, "7"}}), Values({{25, "6"}})));
    EXPECT_EQ(values(30, kNever), std::pair(Values({{30, "7"}}), Values({{30, "6"}})));
}

TEST_F(InnerSignalTrace, IsUnknownWhereTheRunEndsBeforeTheWindow) {
    config_.trace.from = 100;
    const auto trace = open();
    trace->on_inner_change(trace->declare_inner("fabric.router_000", "state", 80), 3, "1");
    trace->close(8);
    EXPECT_EQ(Vcd(text()).changes.at("fabric.router_000.state[79:0]"), (Values{{100, "x"}}));
}

TEST_F(InnerSignalTrace, OfAnInterruptedRunHasTheLastReport) {
    for (const char* name : {"t.vcd", "t.fst"}) {
        const auto trace = open(name);
        const std::uint32_t state = trace->declare_inner("fabric.router_000", "state", 3);
        trace->on_inner_change(state, 4, "110");
    }
    for (const std::string& read : {text(), read_fst("t.fst")}) {
        const Vcd vcd(read);
        EXPECT_EQ(vcd.changes.at("fabric.router_000.state[2:0]"), (Values{{0, "x"}, {4, "6"}}));
        EXPECT_EQ(vcd.times.back(), 6U);  // cycle 5 was the last one simulated
    }
}

TEST_F(InnerSignalTrace, IgnoresWhatComesAfterTheEnd) {
    const auto trace = open();
    const std::uint32_t state = trace->declare_inner("fabric.router_000", "state", 3);
    trace->on_inner_change(state, 7, "1");  // of the last cycle, just before the end
    trace->close(8);
    const std::string closed = text();
    trace->on_inner_change(state, 9, "10");
    trace->close(12);
    EXPECT_EQ(text(), closed);
    EXPECT_THAT(closed, HasSubstr("#7\nb1 -\n#8\n"));
}

TEST_F(InnerSignalTrace, RefusesWhatItCouldNotShow) {
    const auto trace = open();
    const std::uint32_t state = trace->declare_inner("fabric.router_000", "state", 3);
    EXPECT_THROW(trace->declare_inner("fabric", "state", 3), std::logic_error);
    EXPECT_THROW(trace->declare_inner("router_000", "state", 3), std::logic_error);
    EXPECT_THROW(trace->declare_inner("other.router_000", "state", 3), std::logic_error);
    EXPECT_THROW(trace->declare_inner("fabric.router_000", "none", 0), std::logic_error);
    EXPECT_THROW(trace->on_inner_change(state, 3, "0000"), std::logic_error);
    EXPECT_THROW(trace->on_inner_change(state, 3, ""), std::logic_error);
    EXPECT_THROW(trace->declare_inner("fabric.router_000", "late", 3), std::logic_error);
    trace->on_grant(0, 0, Message{}, 5);
    trace->on_inner_change(state, 4, "0");
    EXPECT_THROW(trace->on_inner_change(state, 3, "1"), std::logic_error);
    trace->close(8);
    EXPECT_EQ(Vcd(text()).changes.at("fabric.router_000.state[2:0]"), (Values{{0, "x"}, {4, "0"}}));
}

TEST_F(InnerSignalTrace, WithoutDeclarationsRefusesLateOnesToo) {
    const auto trace = open();
    trace->on_grant(0, 0, Message{}, 5);
    EXPECT_THROW(trace->declare_inner("fabric.router_000", "late", 3), std::logic_error);
}

// --- Many routers, at random --------------------------------------------------------------------

struct Report {
    std::uint32_t signal = 0;
    Cycle cycle = 0;
    std::string digits;
};

/// Signals of all widths and depths in three routers, that change at random.
class RandomRouters {
public:
    explicit RandomRouters(std::uint64_t seed) : random_(seed) {
        for (const char* router : {"fabric.router_002", "fabric.router_000", "fabric.router_001"}) {
            for (const char* scope : {".input_0.fifo", "", ".input_1", ".input_0"}) {
                for (const std::uint32_t width : {1U, 5U, 64U, 65U, 320U}) {
                    paths_.push_back(std::string(router) + scope);
                    widths_.push_back(width);
                }
            }
        }
    }

    void run(Cycle cycles) {
        std::vector<std::string> values(paths_.size(), "x");
        for (Cycle t = 0; t < cycles; ++t) {
            const bool quiet = t % 16 > 11;  // all sleep
            for (std::uint32_t s = 0; s < paths_.size() && !quiet; ++s) {
                if (random_() % 4 != 0) continue;
                std::string digits(1 + random_() % widths_[s], '0');
                const std::uint64_t kinds = random_() % 8 == 0 ? 4 : 2;
                for (char& digit : digits) digit = "01xz"[random_() % kinds];
                reports_.push_back({s, t, digits});
                values[s] = Vcd::readable(padded(digits, widths_[s]));
            }
            history_.push_back(values);
        }
    }

    void declare(OccupancyTrace& trace) const {
        for (std::uint32_t s = 0; s < paths_.size(); ++s) {
            ASSERT_EQ(trace.declare_inner(paths_[s], name(s), widths_[s]), s);
        }
    }

    /// Plays both, the reports one cycle late and anywhere among the events of their cycle.
    void play_with(const std::vector<Event>& events, std::uint64_t seed,
                   OccupancyTrace& trace) const {
        std::mt19937_64 random(seed);
        std::vector<Report> reports = reports_;
        for (auto first = reports.begin(); first != reports.end();) {
            auto last = first;
            while (last != reports.end() && last->cycle == first->cycle) ++last;
            std::shuffle(first, last, random);
            first = last;
        }
        auto report = reports.begin();
        const auto tell = [&] {
            trace.on_inner_change(report->signal, report->cycle, report->digits);
            ++report;
        };
        for (const Event& event : permuted(events, seed)) {
            while (report != reports.end() && report->cycle + 1 < event.cycle) tell();
            while (report != reports.end() && report->cycle + 1 == event.cycle &&
                   random() % 4 < 3) {
                tell();
            }
            play({event}, trace);
        }
        while (report != reports.end()) tell();
    }

    void compare(const Vcd& vcd, Cycle from, Cycle until) const {
        for (std::uint32_t s = 0; s < paths_.size(); ++s) {
            const std::string full = paths_[s] + "." + ranged_name(name(s), widths_[s]);
            for (Cycle t = from; t < until; ++t) {
                ASSERT_EQ(vcd.at(full, t * 1000), history_[t][s]) << full << " cycle " << t;
            }
        }
    }

private:
    static std::string padded(const std::string& digits, std::uint32_t width) {
        const char extension = digits[0] == '1' ? '0' : digits[0];
        return std::string(width - digits.size(), extension) + digits;
    }
    std::string name(std::uint32_t signal) const { return "s" + std::to_string(widths_[signal]); }

    std::mt19937_64 random_;
    std::vector<std::string> paths_;
    std::vector<std::uint32_t> widths_;
    std::vector<Report> reports_;
    std::vector<std::vector<std::string>> history_;
};

class RandomInnerSignals : public Waveform {
protected:
    static constexpr Cycle kCycles = 200;

    RandomInnerSignals() : graph_(build_mesh({2, 2})), fabric_(graph_, 2, 1, 6, 4), routers_(7) {
        config_.fabric.virtual_channels = 2;
        config_.fabric.buffer_depth = 6;
        fabric_.run(kCycles);
        routers_.run(kCycles);
    }

    /// A trace with inner signals; `seed` is the order within a cycle.
    std::string inside(std::uint64_t seed, const std::string& name = "inner.vcd",
                       const std::vector<Event>* events = nullptr) {
        const auto trace = open_trace(path(name), config_, graph_);
        routers_.declare(*trace);
        routers_.play_with(events != nullptr ? *events : fabric_.events(), seed, *trace);
        trace->close(kCycles);
        return read_file(path(name));
    }

    Graph graph_;
    RandomFabric fabric_;
    RandomRouters routers_;
};

TEST_F(RandomInnerSignals, AreRightInEveryCycleOfEveryWindow) {
    for (const auto& [from, until] : std::vector<std::pair<Cycle, Cycle>>{
             {0, kNever}, {0, 1}, {1, 2}, {57, 58}, {60, 140}, {77, 78}, {199, kNever}, {3, 300}}) {
        config_.trace.from = from;
        config_.trace.until = until;
        const std::string text = inside(1);
        const Vcd vcd(text);
        EXPECT_GT(expect_changes_in_order(text), 60U);
        const Cycle end = std::min(until, kCycles);
        routers_.compare(vcd, from, end);
        EXPECT_EQ(vcd.times.front(), from * 1000);
        EXPECT_EQ(vcd.times.back(), end * 1000);

        // The channels show the same as without.
        const Vcd without(trace(graph_, fabric_.events(), kCycles));
        for (const auto& [name, changes] : without.changes) {
            ASSERT_EQ(vcd.changes.at(name), changes) << name << " from " << from;
        }
    }
}

TEST_F(RandomInnerSignals, AreRightWhereChannelsHaveNoEvents) {
    const std::vector<Event> none;
    for (const Cycle from : {0, 44, 45, 61}) {
        config_.trace.from = from;
        routers_.compare(Vcd(inside(1, "inner.vcd", &none)), from, kCycles);
    }
}

TEST_F(RandomInnerSignals, DoNotShowTheOrderWithinACycle) {
    for (const char* name : {"inner.vcd", "inner.fst"}) {
        const std::string expected = inside(1, name);
        for (std::uint64_t seed = 2; seed <= 6; ++seed) {
            EXPECT_TRUE(inside(seed, name) == expected) << name << seed;
        }
    }
}

TEST_F(RandomInnerSignals, AreTheSameWhereTheFileWaitsForAPath) {
    for (const auto& [from, until] :
         std::vector<std::pair<Cycle, Cycle>>{{0, kNever}, {57, 58}, {60, 140}}) {
        config_.trace.from = from;
        config_.trace.until = until;
        const Vcd expected(inside(1));
        const auto trace = open_trace(path("path.vcd"), config_, graph_, {{"waits", true}});
        routers_.declare(*trace);
        routers_.play_with(fabric_.events(), 2, *trace);
        trace->mark_path({{50, 70, 0, 0, 3}});
        trace->close(kCycles);
        const Vcd vcd(read_file(path("path.vcd")));
        for (const auto& [name, changes] : expected.changes) {
            ASSERT_EQ(vcd.changes.at(name), changes) << name << " from " << from;
        }
        EXPECT_EQ(vcd.times.back(), expected.times.back());
    }
}

TEST_F(RandomInnerSignals, AreTheSameInFst) {
    for (const Cycle from : {0, 57}) {
        config_.trace.from = from;
        config_.trace.until = from + 100;
        const Vcd vcd(inside(1));
        inside(1, "inner.fst");
        const Vcd fst(read_fst("inner.fst"));
        EXPECT_EQ(fst.widths, vcd.widths);
        EXPECT_TRUE(fst.changes == vcd.changes) << from;
        EXPECT_EQ(fst.times.front(), vcd.times.front());
        EXPECT_EQ(fst.times.back(), vcd.times.back());
    }
}

// --- GTKWave save file --------------------------------------------------------------------------

TEST_F(RandomInnerSignals, AreInTheSaveFileOnce) {
    const auto trace = open_trace(path("t.vcd"), config_, graph_);
    routers_.declare(*trace);
    trace->close(10);
    write_gtkwave_save(path("t.vcd"), trace->file());
    std::vector<std::string> saved = saved_signals(read_file(path("t.vcd.gtkw")));
    std::sort(saved.begin(), saved.end());
    std::vector<std::string> declared;
    for (const auto& entry : Vcd(read_file(path("t.vcd"))).widths) declared.push_back(entry.first);
    std::sort(declared.begin(), declared.end());
    EXPECT_EQ(saved, declared);
}

/// The routers in the save file: all between the overview and the channels.
std::string routers_in(const std::string& saved) {
    const std::string before = "@1000200\n-all links\n";
    const std::size_t begin = saved.find(before) + before.size();
    return saved.substr(begin, saved.find("@800200\n-dimension 0, +\n") - begin);
}

TEST_F(InnerSignalTrace, HasClosedGroupsPerRouterAboveTheLinksInTheSaveFile) {
    const auto trace = open();
    trace->declare_inner("fabric.router_001.input_0", "data", 64);
    trace->declare_inner("fabric.router_001", "granted", 5);
    trace->declare_inner("fabric.router_000.router.input_0", "head", 1);
    trace->declare_inner("fabric.router_000.router", "busy", 1);
    trace->close(10);
    write_gtkwave_save(path("t.vcd"), trace->file());
    EXPECT_EQ(routers_in(read_file(path("t.vcd.gtkw"))),
              "@c00200\n-router_001\n"
              "@22\n+{router_001 granted} fabric.router_001.granted[4:0]\n"
              "@c00200\n-router_001 input_0\n"
              "@22\n+{router_001 input_0 data} fabric.router_001.input_0.data[63:0]\n"
              "@1401200\n-router_001 input_0\n"
              "@1401200\n-router_001\n"
              "@c00200\n-router_000\n"
              "@28\n+{router_000 busy} fabric.router_000.router.busy\n"
              "@c00200\n-router_000 input_0\n"
              "@28\n+{router_000 input_0 head} fabric.router_000.router.input_0.head\n"
              "@1401200\n-router_000 input_0\n"
              "@1401200\n-router_000\n");
}

TEST_F(InnerSignalTrace, HasViewsOfAModuleAboveItsSignalsInTheSaveFile) {
    const auto trace = open();
    const std::uint32_t data = trace->declare_inner("fabric.router_000.top", "data", 6);
    const std::uint32_t alone = trace->declare_inner("fabric.router_000.top", "alone", 1);
    trace->on_inner_view({"fabric.router_000",
                          "in 1: link_001_000",
                          "in 1",
                          {{data, 5, 1, "head", false},
                           {data, 1, 3, "destination", true},
                           {data, 0, 2, "word", false},
                           {alone, 0, 1, "alone", false}}});
    EXPECT_THROW(trace->on_inner_view({"fabric.router_000", "", "", {{data, 5, 2, "", false}}}),
                 std::logic_error);
    trace->close(10);
    write_gtkwave_save(path("t.vcd"), trace->file());
    const std::string signal = "fabric.router_000.top.data[5:0]";
    EXPECT_EQ(routers_in(read_file(path("t.vcd.gtkw"))),
              "@c00200\n-router_000\n"
              "@c00200\n-in 1: link_001_000\n"
              "@28\n+{in 1 head} (0)" +
                  signal +
                  "\n"
                  "@24\n#{in 1 destination} (2)" +
                  signal + " (3)" + signal + " (4)" + signal +
                  "\n"
                  "@22\n#{in 1 word} (4)" +
                  signal + " (5)" + signal +
                  "\n"
                  "@28\n+{in 1 alone} fabric.router_000.top.alone\n"
                  "@1401200\n-in 1: link_001_000\n"
                  "@22\n+{router_000 data} " +
                  signal +
                  "\n"
                  "@28\n+{router_000 alone} fabric.router_000.top.alone\n"
                  "@1401200\n-router_000\n");
}

TEST_F(InnerSignalTrace, OfManyRoutersListsTheFirstInTheSaveFile) {
    const auto trace = open();
    for (int router = 0; router < 300; ++router) {
        const std::string scope = "fabric.router_" + std::to_string(router);
        for (int i = 0; i < 100; ++i) trace->declare_inner(scope, "s" + std::to_string(i), 2);
    }
    trace->close(10);
    write_gtkwave_save(path("t.vcd"), trace->file());
    const std::string saved = read_file(path("t.vcd.gtkw"));
    EXPECT_THAT(saved, HasSubstr("@c00200\n-routers\n@c00200\n-router_0\n"));
    EXPECT_THAT(saved,
                HasSubstr("@200\n-136 more routers: see the tree\n@1401200\n-routers\n@800200\n"));
    EXPECT_EQ(saved_signals(saved).size(), kChannelSignals + 4 + 16400);
}

}  // namespace
}  // namespace flitscope::testing
