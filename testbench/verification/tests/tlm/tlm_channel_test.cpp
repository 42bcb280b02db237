// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The protocol between the two ends of a channel of the TLM fabric, phase by phase, seen by
// neighbours that a test plays: the order, the cycles, the annotated delays, who holds the payload.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <ostream>
#include <tuple>
#include <vector>

#include "testbench/app/run/fresh_kernel.h"
#include "tlm/engine/packet.h"
#include "tlm/engine/receiver.h"
#include "tlm/engine/scheduler.h"
#include "tlm/engine/sender.h"

namespace flitscope::burst {
namespace {

using testing::ElementsAre;

const sc_core::sc_time kPeriod(2, sc_core::SC_NS);

/// One call between two ends.
struct Told {
    ChannelPhase phase;
    Tick cycle;
    int delay_cycles;  ///< annotated
};

bool operator==(const Told& a, const Told& b) {
    return std::tie(a.phase, a.cycle, a.delay_cycles) == std::tie(b.phase, b.cycle, b.delay_cycles);
}

std::ostream& operator<<(std::ostream& out, const Told& told) {
    static const char* const kNames[] = {"head", "stall",      "resume",
                                         "tail", "pop resume", "pop stall"};
    return out << kNames[static_cast<int>(told.phase)] << " in cycle " << told.cycle << " + "
               << told.delay_cycles;
}

/// Does something in a cycle, in its first or second phase.
class Deed final : public Event {
public:
    Deed(bool ends, std::function<void(Tick)> deed) : Event(ends), deed_(std::move(deed)) {}
    void run(Tick now) override { deed_(now); }

private:
    std::function<void(Tick)> deed_;
};

/// A module with a scheduler, and everything that a test does in its cycles.
class Stage : public sc_core::sc_module {
public:
    explicit Stage(sc_core::sc_module_name name) : sc_module(name) {}

    void begins(Tick cycle, std::function<void(Tick)> deed) { at(false, cycle, std::move(deed)); }
    void ends(Tick cycle, std::function<void(Tick)> deed) { at(true, cycle, std::move(deed)); }
    Packet& packet(std::uint64_t flits) {
        Packet& packet = pool.create();
        packet.record.flits = flits;
        return packet;
    }

    Scheduler scheduler{"scheduler", kPeriod};
    FabricContext context{scheduler, nullptr};
    PacketPool pool;

protected:
    Told told(ChannelPhase phase, const sc_core::sc_time& delay) const {
        return {phase, scheduler.now(), static_cast<int>(delay / kPeriod)};
    }

private:
    void at(bool in_first_phase, Tick cycle, std::function<void(Tick)> deed) {
        deeds_.emplace_back(in_first_phase, std::move(deed));
        scheduler.schedule(deeds_.back(), cycle);
    }

    std::deque<Deed> deeds_;
};

/// A sender on its own; the test is its owner and the FIFO behind the wire.
class SenderStage final : public Stage, public SenderOwner, public ForwardTransport {
public:
    SenderStage(sc_core::sc_module_name name, const ChannelParameters& channel)
        : Stage(name), SenderOwner(Stage::context), sender("out", 0, channel, *this), socket("in") {
        socket.bind(*this);
        sender.socket().bind(socket);
    }
    void end_of_elaboration() override { sender.attach(); }

    void begin(Sender& s, Tick now) override { s.send(now); }
    void on_stalled(Sender& s, Tick) override { EXPECT_EQ(s.state(), Sender::State::kWaiting); }
    void on_released(Sender& s, Tick now) override {
        EXPECT_EQ(s.state(), Sender::State::kFree);
        released.push_back(now);
        s.packet().payload->release();
    }
    void on_free_credit(Sender&, Tick from) override { free_credits.push_back(from); }
    tlm::tlm_sync_enum nb_transport_fw(Payload& packet, ChannelPhase& phase,
                                       sc_core::sc_time& delay) override {
        EXPECT_EQ(&Packet::of(packet), &sender.packet());
        log.push_back(told(phase, delay));
        return tlm::TLM_ACCEPTED;
    }

    /// As an output does that is granted and finds flits and a credit.
    void send(std::uint64_t flits, Tick cycle) {
        begins(cycle, [this, flits](Tick now) {
            sender.grant(packet(flits), static_cast<FlitIndex>(flits), nullptr, now);
            if (sender.ready_from() > now) {
                sender.await();
            } else {
                sender.send(now);
            }
        });
    }
    /// Flits leave the FIFO in the cycles from `first` to `last`.
    void pop(Tick first, Tick last) {
        begins(first, [this](Tick) { tell(ChannelPhase::kPopResume); });
        ends(last + 1, [this](Tick) { tell(ChannelPhase::kPopStall); });
    }

    Sender sender;
    ReceiveSocket socket;
    std::vector<Told> log;
    std::vector<Tick> released;
    std::vector<Tick> free_credits;

private:
    void tell(ChannelPhase phase) {
        sc_core::sc_time delay;
        socket->nb_transport_bw(*sender.packet().payload, phase, delay);
    }
};

TEST(Sender, SendsAPacketInOneBurstWhenNothingStopsIt) {
    const FreshKernel kernel;
    SenderStage stage("stage", {0, 0, 8, 3, 1});
    stage.send(5, 4);
    sc_core::sc_start();
    EXPECT_THAT(stage.log, ElementsAre(Told{ChannelPhase::kHead, 4, 3}));
    EXPECT_THAT(stage.released, ElementsAre(9));
    EXPECT_EQ(stage.sender.flits_sent(100), 5);
    EXPECT_EQ(stage.pool.in_flight(), 0U);
}

TEST(Sender, TellsOfTheTailWhereFlitsAreConsumedAtOnceAndNeverStallsThere) {
    const FreshKernel kernel;
    SenderStage stage("stage", {0, 0, 0, 3, 1});
    stage.send(5000, 1);
    sc_core::sc_start();
    EXPECT_THAT(stage.log,
                ElementsAre(Told{ChannelPhase::kHead, 1, 3}, Told{ChannelPhase::kTail, 5001, 3}));
    EXPECT_THAT(stage.released, ElementsAre(5001));
}

TEST(Sender, StallsWithoutCreditAndResumesWhenOneIsBack) {
    const FreshKernel kernel;
    SenderStage stage("stage", {0, 0, 3, 2, 4});
    stage.send(9, 5);   // flits 0 to 2 in 5 to 7, and the slots are full
    stage.pop(12, 14);  // credits from 16 to 18
    stage.pop(16, 18);  // and from 20 to 22
    sc_core::sc_start();
    EXPECT_THAT(stage.log,
                ElementsAre(Told{ChannelPhase::kHead, 5, 2}, Told{ChannelPhase::kStall, 8, 2},
                            Told{ChannelPhase::kResume, 16, 2}, Told{ChannelPhase::kStall, 19, 2},
                            Told{ChannelPhase::kResume, 20, 2}));
    EXPECT_THAT(stage.released, ElementsAre(23));
}

TEST(Sender, StreamsThroughWhileSlotsBecomeFreeInTime) {
    const FreshKernel kernel;
    SenderStage stage("stage", {0, 0, 4, 1, 2});
    stage.send(20, 5);
    stage.pop(7, 24);  // flit 0 leaves in 7, its slot is filled again in 9: without a gap
    sc_core::sc_start();
    EXPECT_THAT(stage.log, ElementsAre(Told{ChannelPhase::kHead, 5, 1}));
    EXPECT_THAT(stage.released, ElementsAre(25));
}

TEST(Sender, StopsForTheOldestBubbleOnItsWayBack) {
    const FreshKernel kernel;
    SenderStage stage("stage", {0, 0, 8, 1, 6});
    stage.send(20, 0);  // flits 0 to 7 in 0 to 7
    stage.pop(1, 2);    // credits from 7 and 8: flits 8 and 9 in 8 and 9
    stage.pop(4, 4);    // 10: flit 10 in 10
    stage.pop(7, 15);   // 13 and on: flits 11 to 19
    sc_core::sc_start();
    EXPECT_THAT(stage.log,
                ElementsAre(Told{ChannelPhase::kHead, 0, 1}, Told{ChannelPhase::kStall, 11, 1},
                            Told{ChannelPhase::kResume, 13, 1}));
    EXPECT_THAT(stage.released, ElementsAre(22));
}

TEST(Sender, TellsItsOwnerOfCreditsThatComeBackWhileItIsFree) {
    const FreshKernel kernel;
    SenderStage stage("stage", {0, 0, 2, 1, 3});
    stage.send(2, 1);
    stage.pop(6, 7);
    stage.send(1, 8);  // one cycle before the credit
    sc_core::sc_start();
    EXPECT_THAT(stage.free_credits, ElementsAre(9));
    EXPECT_THAT(stage.log,
                ElementsAre(Told{ChannelPhase::kHead, 1, 1}, Told{ChannelPhase::kHead, 9, 1}));
    EXPECT_THAT(stage.released, ElementsAre(3, 10));
}

/// A router with one input and one output between two channels whose far ends the test plays.
class HopStage final : public Stage, public SenderOwner, public ReceiverOwner {
public:
    HopStage(sc_core::sc_module_name name, const ChannelParameters& in,
             const ChannelParameters& out)
        : Stage(name),
          SenderOwner(Stage::context),
          receiver("in", 0, in, *this, Stage::context),
          sender("out", 0, out, *this),
          from("from"),
          to("to") {
        from.bind(upstream_);
        from.bind(receiver.socket());
        to.bind(downstream_);
        sender.socket().bind(to);
    }
    void end_of_elaboration() override { sender.attach(); }

    void on_head(Receiver&, Tick visible) override {
        heads.push_back(visible);
        if (sender.state() == Sender::State::kFree) scheduler.schedule_by(sender, visible);
    }
    void begin(Sender& s, Tick now) override {
        if (s.state() == Sender::State::kFree) {
            s.grant(receiver.front(), receiver.front_flits(), &receiver, now);
        }
        s.send(now);
    }
    void on_stalled(Sender&, Tick) override {}
    void on_released(Sender& s, Tick now) override {
        if (receiver.has_packet()) scheduler.schedule_by(s, std::max(now, heads.back()));
    }
    void on_free_credit(Sender&, Tick) override {}

    /// The upstream end sends `packet`, the head in `cycle`.
    void arrive(Packet& packet, Tick cycle) {
        begins(cycle, [this, &packet](Tick) { tell(packet, ChannelPhase::kHead); });
    }
    /// No flit of `packet` comes in the cycles from `first` to before `next`.
    void pause(Packet& packet, Tick first, Tick next) {
        ends(first, [this, &packet](Tick) { tell(packet, ChannelPhase::kStall); });
        begins(next, [this, &packet](Tick) { tell(packet, ChannelPhase::kResume); });
    }

    Receiver receiver;
    Sender sender;
    SendSocket from;
    ReceiveSocket to;
    std::vector<Told> backward;
    std::vector<Told> forward;
    std::vector<Tick> heads;

private:
    struct Upstream final : BackwardTransport {
        explicit Upstream(HopStage& owner) : stage(owner) {}
        tlm::tlm_sync_enum nb_transport_bw(Payload&, ChannelPhase& phase,
                                           sc_core::sc_time& delay) override {
            stage.backward.push_back(stage.told(phase, delay));
            return tlm::TLM_ACCEPTED;
        }
        HopStage& stage;
    };
    struct Downstream final : ForwardTransport {
        explicit Downstream(HopStage& owner) : stage(owner) {}
        tlm::tlm_sync_enum nb_transport_fw(Payload&, ChannelPhase& phase,
                                           sc_core::sc_time& delay) override {
            stage.forward.push_back(stage.told(phase, delay));
            return tlm::TLM_ACCEPTED;
        }
        HopStage& stage;
    };

    void tell(Packet& packet, ChannelPhase phase) {
        sc_core::sc_time delay;
        from->nb_transport_fw(*packet.payload, phase, delay);
    }

    Upstream upstream_{*this};
    Downstream downstream_{*this};
};

TEST(Receiver, PassesABurstOnWhenItsFlitsAreVisible) {
    const FreshKernel kernel;
    HopStage stage("stage", {0, 0, 8, 4, 2}, {1, 0, 0, 3, 1});
    stage.arrive(stage.packet(6), 3);
    sc_core::sc_start();
    EXPECT_THAT(stage.heads, ElementsAre(7));
    EXPECT_THAT(stage.forward,
                ElementsAre(Told{ChannelPhase::kHead, 7, 3}, Told{ChannelPhase::kTail, 13, 3}));
    EXPECT_THAT(stage.backward, ElementsAre(Told{ChannelPhase::kPopResume, 7, 2},
                                            Told{ChannelPhase::kPopStall, 13, 2}));
}

TEST(Receiver, PassesABubbleOnBothWays) {
    const FreshKernel kernel;
    HopStage stage("stage", {0, 0, 8, 4, 2}, {1, 0, 0, 3, 1});
    Packet& packet = stage.packet(6);
    stage.arrive(packet, 3);  // flits in 3, 4 and 10 to 13
    stage.pause(packet, 5, 10);
    sc_core::sc_start();
    EXPECT_THAT(stage.forward,
                ElementsAre(Told{ChannelPhase::kHead, 7, 3}, Told{ChannelPhase::kStall, 9, 3},
                            Told{ChannelPhase::kResume, 14, 3}, Told{ChannelPhase::kTail, 18, 3}));
    EXPECT_THAT(
        stage.backward,
        ElementsAre(Told{ChannelPhase::kPopResume, 7, 2}, Told{ChannelPhase::kPopStall, 9, 2},
                    Told{ChannelPhase::kPopResume, 14, 2}, Told{ChannelPhase::kPopStall, 18, 2}));
}

TEST(Receiver, MakesOneBurstOfWhatItHasStored) {
    const FreshKernel kernel;
    HopStage stage("stage", {0, 0, 8, 1, 1}, {1, 0, 3, 1, 1});
    Packet& packet = stage.packet(6);
    stage.arrive(packet, 1);  // flits in 1, 2 and 5 to 8
    stage.pause(packet, 3, 5);
    // Behind the output a FIFO of 3: filled by flits 0 to 2, emptied from 20 on.
    stage.begins(20, [&stage, &packet](Tick) {
        ChannelPhase phase = ChannelPhase::kPopResume;
        sc_core::sc_time delay;
        stage.to->nb_transport_bw(*packet.payload, phase, delay);
    });
    sc_core::sc_start();
    EXPECT_THAT(stage.forward,
                ElementsAre(Told{ChannelPhase::kHead, 2, 1}, Told{ChannelPhase::kStall, 4, 1},
                            Told{ChannelPhase::kResume, 6, 1}, Told{ChannelPhase::kStall, 7, 1},
                            Told{ChannelPhase::kResume, 21, 1}));
    EXPECT_EQ(stage.sender.flits_sent(24), 6);
    EXPECT_EQ(stage.sender.state(), Sender::State::kFree);
}

TEST(Receiver, LetsTheNextHeadAskWhenTheTailBeforeItHasLeft) {
    const FreshKernel kernel;
    HopStage stage("stage", {0, 0, 16, 5, 1}, {1, 0, 0, 1, 1});
    Packet& first = stage.packet(2);
    Packet& second = stage.packet(3);
    stage.arrive(first, 1);
    stage.arrive(second, 3);
    std::vector<const Packet*> fronts;
    for (const Tick cycle : {2, 7, 9}) {
        stage.begins(cycle, [&](Tick) { fronts.push_back(&stage.receiver.front()); });
    }
    sc_core::sc_start();
    // Heads are visible in 6 and 8; the second one is the front of the FIFO when the tail before it
    // has left, in 8.
    EXPECT_THAT(stage.heads, ElementsAre(6, 8));
    EXPECT_THAT(fronts, ElementsAre(&first, &first, &second));
    EXPECT_THAT(stage.forward,
                ElementsAre(Told{ChannelPhase::kHead, 6, 1}, Told{ChannelPhase::kTail, 8, 1},
                            Told{ChannelPhase::kHead, 8, 1}, Told{ChannelPhase::kTail, 11, 1}));
    EXPECT_FALSE(stage.receiver.has_packet());
    EXPECT_EQ(stage.pool.in_flight(), 2U);  // whoever receives them lets go
}

TEST(Packet, ReturnsToThePoolWhenTheLastHoldIsGone) {
    PacketPool pool;
    Packet& packet = pool.create();
    EXPECT_EQ(pool.in_flight(), 1U);
    EXPECT_EQ(&Packet::of(*packet.payload), &packet);
    packet.payload->acquire();  // a monitor
    packet.payload->release();
    EXPECT_EQ(pool.in_flight(), 1U);
    packet.payload->release();
    EXPECT_EQ(pool.in_flight(), 0U);
    EXPECT_EQ(&pool.create(), &packet);  // used again
    packet.payload->release();
}

}  // namespace
}  // namespace flitscope::burst
