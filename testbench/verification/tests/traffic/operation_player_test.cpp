// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The operations of a rank, played by hand, and how they are kept.
#include "traffic/program/operation_player.h"
#include "models/config/config.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/base/split_mix.h"
#include "models/config/packet_format.h"
#include "testbench/verification/tests/traffic/small_traces.h"
#include "traffic/program/operation_observer.h"
#include "traffic/program/program.h"
#include "traffic/traces/trace_program.h"

namespace flitscope {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Operation::Kind;

constexpr Cycle kStartup = 10;
constexpr Cycle kOverhead = 5;

/// Rank 0 of a trace, played by hand.
class Player {
public:
    explicit Player(const std::string& lines, const std::string& others = "",
                    bool sends_block = false, std::uint32_t planes = 1,
                    bool receives_transfer = false, Cycle overhead = kOverhead)
        : program_(make(lines, others, sends_block, planes, receives_transfer)),
          run_(*program_.operations, kStartup, overhead, &program_.transfers, &seen_,
               PacketFormat{8, 1, 0}),
          player_(run_, 0) {}

    /// "message@begin" of the next send, "-" if there is none.
    std::string next() {
        const auto send = player_.next();
        if (!send) return "-";
        return std::to_string(send->message) + '@' + std::to_string(send->begin);
    }
    std::string take() {
        const std::string text = next();
        if (text == "-") return text;
        handed_.push_back(*player_.next());
        player_.hand_over();
        return text;
    }
    /// The message that rank 1 sends as its n-th; returns how many sends are open again.
    std::size_t deliver(std::uint32_t n, Cycle cycle) {
        return take_back(player_.delivered(message_of(n), cycle));
    }
    /// Its first flit.
    std::size_t begin(std::uint32_t n, Cycle cycle) {
        return take_back(player_.arriving(message_of(n), cycle));
    }
    /// All that rank 1 sends, one after the other from `cycle` on.
    void deliver_all(Cycle cycle) {
        const Operations& operations = *program_.operations;
        for (OperationId id = operations.first(1); id < operations.last(1); ++id) {
            if (operations[id].kind != Kind::kSend) continue;
            Message message;
            message.id = operations[id].message;
            message.source = 1;
            player_.delivered(message, cycle++);
        }
    }
    void inject(MessageId id, Cycle cycle) {
        for (const OperationPlayer::Send& send : handed_) {
            if (send.message == id) player_.injected(send, cycle);
        }
    }
    std::string end() {
        player_.finish();
        return player_.has_finished() ? std::to_string(player_.end()) : player_.waiting_for();
    }

    /// Of all operations with a message, after end().
    const std::string& seen() const { return seen_.text; }
    /// "computing sending receiving waiting", after end().
    std::string times() const {
        const RankTimes& t = player_.times();
        return fmt::format("{} {} {} {}", t.computing(), t.sending(), t.receiving(), t.waiting());
    }

private:
    /// Lines "kind cycle since until", of operations with a message.
    class Seen final : public OperationObserver {
    public:
        void on_hand_over(MessageId, Cycle) override {}
        void on_event(NodeId, const OperationEvent& event) override {
            if (event.message == kNoMessage) return;
            const auto cycle = [](Cycle c) { return c == kNever ? "open" : std::to_string(c); };
            switch (event.kind) {
                case OperationEvent::Kind::kPosted:
                    text += fmt::format("posted {}\n", event.cycle);
                    break;
                case OperationEvent::Kind::kArrived:
                    text += fmt::format("arrived {}\n", event.cycle);
                    break;
                case OperationEvent::Kind::kBegun:
                    text += fmt::format("begun {} to {}\n", event.cycle, cycle(event.until));
                    break;
                case OperationEvent::Kind::kWhole:
                    text += fmt::format("whole {}: {} to {}\n", event.cycle, event.since,
                                        cycle(event.until));
                    break;
                case OperationEvent::Kind::kCompleted:
                    break;
            }
        }
        std::string text;
    };

    Message message_of(std::uint32_t n) const {
        const Operations& operations = *program_.operations;
        OperationId id = operations.first(1);
        for (; n != 0; ++id) n -= operations[id].kind == Kind::kSend ? 1 : 0;
        while (operations[id].kind != Kind::kSend) ++id;
        Message message;
        message.id = operations[id].message;
        message.source = 1;
        return message;
    }
    std::size_t take_back(std::size_t open) {
        handed_.resize(handed_.size() - open);
        return open;
    }

    static Program make(const std::string& lines, const std::string& others, bool sends_block,
                        std::uint32_t planes, bool receives_transfer) {
        Config settings = trace_config();
        settings.fabric.planes = planes;
        if (planes > 1) settings.traffic.trace.interfaces = TraceInterfaces::kPlanes;
        settings.traffic.trace.sends_block = sends_block;
        settings.traffic.trace.receives_transfer = receives_transfer;
        const std::string text =
            "num_ranks 2\nrank 0 {\n" + lines + "}\nrank 1 {\n" + others + "}\n";
        return trace_program(parse_goal_text(text, "t.goal", settings.traffic.trace), settings, 16);
    }

    Program program_;
    Seen seen_;
    OperationRun run_;
    OperationPlayer player_;
    std::vector<OperationPlayer::Send> handed_;
};

TEST(OperationPlayer, ComputesInTurnOnAStreamAndSideBySideOnSeveral) {
    EXPECT_EQ(Player("calc 100\ncalc 50\n").end(), "150");
    EXPECT_EQ(Player("calc 100\ncalc 50 cpu 1\n").end(), "100");
    EXPECT_EQ(Player("a: calc 100\nb: calc 50 cpu 1\nb requires a\n").end(), "150");
    EXPECT_EQ(Player("a: calc 100\nb: calc 50 cpu 1\nb irequires a\n").end(), "100");
    EXPECT_EQ(Player("a: calc 0\nb: calc 0\na requires b\n").end(), "0");
}

TEST(OperationPlayer, CyclesCountOnceWhateverStreamsAreBusy) {
    const auto times = [](const std::string& lines) {
        Player player(lines);
        player.take();
        player.end();
        return player.times();
    };
    EXPECT_EQ(times("calc 100\ncalc 50\n"), "150 0 0 0");
    EXPECT_EQ(times("calc 100\ncalc 50 cpu 1\n"), "100 0 0 0");
    EXPECT_EQ(times("send 1b to 1\ncalc 4 cpu 1\n"), "4 6 0 0");
    EXPECT_EQ(times("calc 4\nsend 1b to 1\n"), "4 10 0 0");
    // From 20 on it waits for a message that comes in 30; the send after that is over in 45.
    Player waits("a: calc 20\nb: recv 1b from 1\nb requires a\nc: send 1b to 1\nc requires b\n",
                 "send 1b to 0\n");
    EXPECT_EQ(waits.take(), "-");
    waits.deliver(0, 29);
    EXPECT_EQ(waits.take(), "0@35");
    waits.inject(0, 50);
    EXPECT_EQ(waits.end(), "45");
    EXPECT_EQ(waits.times(), "20 10 5 10");
}

TEST(OperationPlayer, SendKeepsItsStreamForTheStartup) {
    Player player("a: send 1b to 1\nb: calc 7\nc: send 1b to 1\nc requires b\n");
    EXPECT_EQ(player.take(), "0@0");
    player.inject(0, 40);
    EXPECT_EQ(player.take(), "1@17");
    player.inject(1, 60);
    EXPECT_EQ(player.next(), "-");
    EXPECT_EQ(player.end(), "27");
}

TEST(OperationPlayer, SendThatBlocksCompletesWhenItIsInjected) {
    Player player("a: send 1b to 1\nb: calc 7\nb requires a\nc: calc 1000\n", "", true);
    EXPECT_EQ(player.take(), "0@0");
    player.inject(0, 40);
    EXPECT_EQ(player.end(), "1017");  // c from 10 to 1010, then b, which was ready in 41
}

TEST(OperationPlayer, ReceiveTakesSourceAndTagInTheOrderOfPosting) {
    const std::string sends = "send 1b to 0 tag 1\nsend 1b to 0 tag 2\n";
    Player player("a: recv 1b from 1 tag 2\nb: recv 1b from -1 tag -1\nc: calc 100\nc requires a\n",
                  sends);
    EXPECT_FALSE(player.deliver(0, 19));  // tag 1: b, which takes it until 25
    EXPECT_FALSE(player.deliver(1, 21));  // tag 2: a, when the stream is free
    EXPECT_EQ(player.end(), "130");
    Player first(
        "a: recv 1b from -1 tag -1\nb: recv 1b from 1 tag 2\nc: calc 100\n"
        "c requires a\n",
        sends);
    first.deliver(1, 19);  // fits both, and goes to a
    first.deliver(0, 60);  // so that b waits for ever
    EXPECT_THAT(first.end(), HasSubstr("line 4: receive from rank 1, tag 2 waits"));
    Player stolen("a: recv 1b from -1 tag -1\nb: recv 1b from -1 tag 2\n", sends);
    stolen.deliver(1, 19);
    stolen.deliver(0, 30);
    EXPECT_THAT(stolen.end(), HasSubstr("rank 0, line 4: receive from any rank, tag 2 waits; "
                                        "messages that have arrived and fit no receive: 1"));
}

TEST(OperationPlayer, MessageThatComesBeforeItsReceiveIsKept) {
    Player player("a: calc 100\nb: recv 1b from 1\nb requires a\n", "send 1b to 0\n");
    player.deliver(0, 3);
    EXPECT_EQ(player.end(), "105");
}

TEST(OperationPlayer, ReceiveTakesWhatCameFirstOfAllThatItMayTake) {
    const std::string receives =
        "a: calc 100\nb: recv 1b from 1 tag -1\nc: recv 1b from -1 tag -1\n"
        "d: recv 1b from -1 tag 2\ne: recv 1b from 1 tag 1\n"
        "b requires a\nc requires b\nd requires c\ne requires d\n";
    const auto sends = [](std::initializer_list<int> tags) {
        std::string text;
        for (const int tag : tags) text += "send 1b to 0 tag " + std::to_string(tag) + '\n';
        return text;
    };
    const auto all = [&](std::initializer_list<int> tags) {
        Player player(receives, sends(tags));
        for (std::uint32_t n = 0; n < tags.size(); ++n) player.deliver(n, 3 + n);
        return player.end();
    };
    EXPECT_EQ(all({3, 3, 2, 1}), "120");
    EXPECT_EQ(all({1, 2, 2, 1}), "120");
    EXPECT_EQ(all({3, 3, 1, 2}), "120");
    EXPECT_THAT(all({1, 2, 2}), HasSubstr("line 7: receive from rank 1, tag 1 waits"));
    EXPECT_THAT(all({1, 2, 2, 3}), HasSubstr("tag 1 waits; messages that have arrived and fit no "
                                             "receive: 1"));
    EXPECT_THAT(all({2, 2, 1, 3}), HasSubstr("receive from any rank, tag 2 waits; messages that "
                                             "have arrived and fit no receive: 2"));
    // The first arrival need not have been sent first.
    Player turned(
        "a: calc 100\nb: recv 1b from -1 tag -1\nc: recv 1b from 1 tag 1\n"
        "b requires a\nc requires b\n",
        sends({1, 2}));
    turned.deliver(1, 3);
    turned.deliver(0, 4);
    EXPECT_EQ(turned.end(), "110");
}

/// If each search for a message passed over all stored ones, this would take half a minute.
TEST(OperationPlayer, KeepsManyMessagesForReceivesOfAnySource) {
    constexpr int kMessages = 40000;
    std::string receives = "c: calc 1000000\n";
    std::string sends;
    for (int tag = 1; tag <= kMessages; ++tag) {
        const int last = kMessages + 1 - tag;  // in the other order
        receives += fmt::format("r{}: recv 1b from -1 tag {}\nr{} requires c\n", tag, last, tag);
        sends += fmt::format("send 1b to 0 tag {}\n", tag);
    }
    Player player(receives, sends);
    player.deliver_all(3);
    const std::clock_t begin = std::clock();
    EXPECT_EQ(player.end(), std::to_string(1000000 + kOverhead * kMessages));
    EXPECT_LT(std::clock() - begin, 6 * CLOCKS_PER_SEC);  // processor time
}

TEST(OperationPlayer, SendThatLiesAheadGivesWayToWhatArrives) {
    const std::string lines =
        "a: calc 100\nb: send 1b to 1\nb requires a\nc: recv 1b from 1 cpu 1\n"
        "d: send 1b to 1 cpu 1\nd requires c\n";
    Player player(lines, "send 1b to 0\n");
    EXPECT_EQ(player.take(), "0@100");
    EXPECT_EQ(player.deliver(0, 30), 1U);  // received in 31 .. 36
    EXPECT_EQ(player.take(), "1@36");
    player.inject(1, 50);
    EXPECT_EQ(player.take(), "0@100");
    Player late(lines, "send 1b to 0\n");
    EXPECT_EQ(late.take(), "0@100");
    EXPECT_EQ(late.deliver(0, 99), 0U);  // begins in the next cycle: too late to take it back
    late.inject(0, 140);
    EXPECT_EQ(late.take(), "1@105");
}

/// Each plane gets its next message, also while another one is busy.
TEST(OperationPlayer, PlayedOnPlanesItServesEachOfThem) {
    const std::string lines =
        "a: send 1b to 1\nb: send 1b to 1\nc: calc 100\nd: send 1b to 1 nic 1\n"
        "e: recv 1b from 1 cpu 1\nf: send 1b to 1 cpu 1 nic 1\n"
        "b requires a\nc requires b\nd requires c\nf requires e\n";
    Player player(lines, "send 1b to 0\n", false, 2);
    EXPECT_EQ(player.take(), "0@0");
    EXPECT_EQ(player.take(), "1@10");  // plane 0, which has the one before
    EXPECT_EQ(player.take(), "2@120");
    EXPECT_EQ(player.take(), "-");
    EXPECT_EQ(player.deliver(0, 50), 1U);
    EXPECT_EQ(player.take(), "3@56");
    EXPECT_EQ(player.take(), "-");  // both planes have one
    player.inject(3, 70);
    EXPECT_EQ(player.take(), "2@120");
    player.inject(0, 90);
    player.inject(1, 95);
    player.inject(2, 140);
    EXPECT_EQ(player.end(), "130");
}

/// What arrives in one cycle over several planes is there before anything begins with it.
TEST(OperationPlayer, PlayedOnPlanesItReceivesSeveralInACycle) {
    Player player(
        "a: recv 1b from 1 tag 7\nb: recv 1b from 1\nc: send 1b to 1\nd: send 1b to 1 nic 1\n"
        "c requires b\nd requires a\n",
        "send 1b to 0\nsend 1b to 0 tag 7 nic 1\n", false, 2);
    EXPECT_EQ(player.deliver(1, 20), 0U);
    EXPECT_EQ(player.deliver(0, 20), 0U);
    EXPECT_EQ(player.take(), "1@31");  // a is received first, from 21 on
    EXPECT_EQ(player.take(), "0@41");
}

/// Messages of 20 bytes are 21 flits.
Player transfers(const std::string& lines, const std::string& others, Cycle overhead = kOverhead) {
    return Player(lines, others, false, 1, true, overhead);
}

TEST(OperationPlayer, ReceiveByTransferEndsAsOneOfTheWholeMessageIfNothingElseHappens) {
    const auto alone = [](Cycle head, Cycle tail) {
        Player player = transfers("recv 20b from 1\n", "send 20b to 0\n");
        player.begin(0, head);
        player.deliver(0, tail);
        const std::string end = player.end();
        return end + ": " + player.times();
    };
    // 100 .. 120, and the overhead of 5 cycles; its stream is busy from the head on.
    EXPECT_EQ(alone(99, 119), "125: 0 0 25 100");
    // Slower flits than one per cycle.
    EXPECT_EQ(alone(99, 199), "205: 0 0 105 100");
}

TEST(OperationPlayer, ReceivesByTransferPayForTheirFlitsOneAfterTheOther) {
    const std::string lines = "a: recv 20b from 1 tag 1\nb: recv 20b from 1 tag 2\n";
    Player player = transfers(lines, "send 20b to 0 tag 1\nsend 20b to 0 tag 2\n");
    player.begin(1, 99);
    player.begin(0, 100);
    player.deliver(0, 121);
    player.deliver(1, 140);
    EXPECT_EQ(player.end(), "171");
    EXPECT_EQ(player.times(), "0 0 71 100");
    EXPECT_EQ(player.seen(),
              "arrived 100\nbegun 100 to open\narrived 101\nwhole 141: 100 to 146\n"
              "begun 146 to 171\n");
}

TEST(OperationPlayer, ReceiveByTransferOfWhatIsThereTakesItsFlits) {
    Player player = transfers("a: calc 200\nb: recv 20b from 1\nb requires a\n", "send 20b to 0\n");
    player.begin(0, 50);
    player.deliver(0, 70);
    EXPECT_EQ(player.end(), "225");
    EXPECT_EQ(player.times(), "200 0 25 0");
    EXPECT_EQ(player.seen(), "arrived 51\nposted 200\nbegun 200 to 225\n");
    // One that comes in while its stream computes: the processor does not see its flits before.
    Player late = transfers("a: calc 200\nb: recv 20b from 1\n", "send 20b to 0\n");
    late.begin(0, 190);
    late.deliver(0, 240);
    EXPECT_EQ(late.end(), "246");
}

/// A receive that was posted first takes the message whose first flit came first.
TEST(OperationPlayer, ReceivesByTransferMatchInTheOrderOfFirstFlits) {
    Player player = transfers("a: recv 20b from -1 tag -1\nb: recv 20b from 1 tag 2\n",
                              "send 20b to 0 tag 1\nsend 20b to 0 tag 2\n");
    player.begin(0, 10);
    player.begin(1, 15);
    player.deliver(1, 40);
    player.deliver(0, 60);
    EXPECT_EQ(player.end(), "91");  // a until 66, then b
}

TEST(OperationPlayer, SendThatLiesAheadWaitsForAMessageThatComesIn) {
    const std::string lines =
        "a: calc 100\nb: recv 20b from 1\nc: calc 10 cpu 1\nd: send 1b to 1\nd requires a\n"
        "e: calc 90 cpu 1\nf: recv 20b from 1 tag 2 cpu 1\ng: send 1b to 1 cpu 1\ng requires e\n";
    Player player = transfers(lines, "send 20b to 0\nsend 20b to 0 tag 2\n");
    EXPECT_EQ(player.take(), "0@100");
    // The message is first in the queue of its stream, ready in 51, so the send waits for it.
    EXPECT_EQ(player.begin(0, 50), 1U);
    EXPECT_EQ(player.take(), "1@100");  // the other stream
    player.inject(1, 115);
    EXPECT_EQ(player.take(), "-");  // for how long is open
    player.deliver(0, 150);
    EXPECT_EQ(player.take(), "0@156");
    player.inject(0, 170);
    EXPECT_EQ(player.begin(1, 200), 0U);
    player.deliver(1, 230);
    EXPECT_EQ(player.end(), "236");
}

/// TLM tells a tail one cycle late, and a head in its cycle.
TEST(OperationPlayer, FirstFlitMayBeToldBeforeADeliveryOfTheCycleBefore) {
    Player player = transfers(
        "a: recv 5b from 1 tag 1\nb: recv 5b from 1 tag 2\nc: calc 11 cpu 1\n"
        "d: send 1b to 1 cpu 2\nd requires c\ne: send 1b to 1 cpu 2\ne requires a\n",
        "send 5b to 0 tag 1\nsend 5b to 0 tag 2\n", 0);
    EXPECT_EQ(player.begin(0, 4), 0U);
    EXPECT_EQ(player.take(), "0@11");
    EXPECT_EQ(player.begin(1, 10), 0U);
    EXPECT_EQ(player.deliver(0, 9), 1U);  // a ends in 10, before c
    EXPECT_EQ(player.take(), "1@10");
    player.inject(1, 25);
    EXPECT_EQ(player.take(), "0@20");
}

/// Enough to be stored in files.
TEST(Operations, AreReadFromFilesAsTheyWereAdded) {
    constexpr OperationId kEach = 150000;
    const auto operation = [](NodeId node, OperationId place) {
        Operation made;
        made.cycles = split_mix(std::uint64_t{node} << 32 | place) % 1000;
        made.stream = static_cast<std::uint16_t>(place % (node + 2));
        return made;
    };
    Operations operations(3);
    for (const NodeId node : {2, 0}) {  // 1 does nothing
        OperationList list;
        list.rank = 10 + node;
        for (OperationId id = 0; id < kEach; ++id) {
            list.all.push_back(operation(node, id));
            list.lines.push_back(id + 1);
            if (id >= 2) list.dependencies.push_back({id, id - 2, id % 3 == 0});
            if (id >= 9) list.dependencies.push_back({id, id - 9, false});
        }
        operations.add(node, list);
    }
    operations.close();
    EXPECT_EQ(operations.size(), 2 * kEach);
    EXPECT_EQ(operations.ranks(), 2U);
    EXPECT_EQ(operations.first(1), operations.last(1));
    for (int again = 0; again < 2; ++again) {
        for (const NodeId node : {0, 2}) {
            EXPECT_EQ(operations.rank(node), 10 + node);
            EXPECT_EQ(operations.streams(node), node + 2);
            const OperationId first = operations.first(node);
            ASSERT_EQ(operations.last(node) - first, kEach);
            for (OperationId id = 0; id < kEach; ++id) {
                ASSERT_EQ(operations[first + id].cycles, operation(node, id).cycles);
                ASSERT_EQ(operations[first + id].stream, operation(node, id).stream);
                ASSERT_EQ(operations.line(first + id), id + 1);
                ASSERT_EQ(operations.waits(first + id), (id >= 2 ? 1U : 0U) + (id >= 9 ? 1U : 0U));
                ASSERT_EQ(operations.node_of(first + id), node);
                std::vector<std::pair<OperationId, bool>> successors;
                operations.visit_successors(first + id, [&](const Successor& next) {
                    successors.emplace_back(next.operation - first, next.on_begin);
                });
                std::vector<std::pair<OperationId, bool>> expected;
                if (id + 2 < kEach) expected.emplace_back(id + 2, (id + 2) % 3 == 0);
                if (id + 9 < kEach) expected.emplace_back(id + 9, false);
                ASSERT_EQ(successors, expected);
            }
        }
        operations.forget();
    }
    EXPECT_THAT(validate(operations, Transfers(), "big"), IsEmpty());
}

TEST(Operations, AreValidated) {
    const Program sound = trace_program(goal(kPair), trace_config(), 2);
    using Lists = std::vector<OperationList>;
    const auto broken = [&](auto change) {
        const Operations& all = *sound.operations;
        Lists lists(all.nodes());
        for (NodeId node = 0; node < all.nodes(); ++node) {
            const OperationId first = all.first(node);
            for (OperationId id = first; id < all.last(node); ++id) {
                lists[node].all.push_back(all[id]);
                all.visit_successors(id, [&](const Successor& next) {
                    lists[node].dependencies.push_back(
                        {next.operation - first, id - first, next.on_begin});
                });
            }
        }
        change(lists);
        auto operations = std::make_shared<Operations>(static_cast<NodeId>(lists.size()));
        for (NodeId node = 0; node < lists.size(); ++node) operations->add(node, lists[node]);
        operations->close();
        Program program = sound;
        program.operations = std::move(operations);
        return validate(program).empty() ? "sound" : validate(program).front().what;
    };
    EXPECT_EQ(broken([](Lists&) {}), "sound");
    EXPECT_THAT(broken([](Lists& o) { o.pop_back(); }), HasSubstr("do not fit"));
    EXPECT_THAT(broken([](Lists& o) { o[0].all[1].message = 1; }), HasSubstr("does not exist"));
    EXPECT_THAT(broken([](Lists& o) { o[0].all[1].kind = Kind::kCompute; }),
                HasSubstr("never sent"));
    EXPECT_THAT(broken([](Lists& o) { o[0].all[0].stream = 256; }), HasSubstr("no stream 256"));
    EXPECT_THAT(broken([](Lists& o) { std::swap(o[0], o[1]); }),
                HasSubstr("another node than its source"));
    EXPECT_THAT(broken([](Lists& o) {
                    o[0].dependencies.push_back({0, 1, false});
                }),
                HasSubstr("wait for each other"));
    EXPECT_THROW(broken([](Lists& o) {
                     o[1].dependencies.push_back({0, 1, false});
                 }),
                 std::invalid_argument);
}

}  // namespace
}  // namespace flitscope
