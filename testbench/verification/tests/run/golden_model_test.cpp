// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the golden model to cycles that were derived from hw/TIMING.md by hand, since every fabric
// is then held to the golden model. Comments give the derivations.
#include "testbench/verification/reference/golden_model.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"

namespace flitscope {

bool operator==(const BusyInterval& a, const BusyInterval& b) {
    return a.first == b.first && a.last_plus_one == b.last_plus_one;
}
std::ostream& operator<<(std::ostream& out, const BusyInterval& interval) {
    return out << '[' << interval.first << ',' << interval.last_plus_one << ')';
}

namespace {

using Intervals = std::vector<BusyInterval>;

constexpr std::uint64_t kFlitBytes = 8;

/// Payload of a message of one packet of `flits` flits with one header flit.
std::uint64_t payload(std::uint64_t flits) { return (flits - 1) * kFlitBytes; }

Transfer send(NodeId source, NodeId destination, std::uint64_t bytes, StepId step = 0) {
    return {source, destination, bytes, step};
}

Transfer timed(NodeId source, NodeId destination, std::uint64_t bytes, Cycle time,
               std::vector<MessageId> after = {}) {
    Transfer transfer = send(source, destination, bytes);
    transfer.time = time;
    transfer.after = std::move(after);
    return transfer;
}

class GoldenModel : public ::testing::Test {
protected:
    void use_mesh(std::vector<std::uint32_t> dims) {
        graph_ = std::make_unique<Graph>(build_mesh(dims));
    }
    void use_hypercube(std::uint32_t dimensions) {
        graph_ = std::make_unique<Graph>(build_hypercube(dimensions));
    }

    /// Plays `transfers` on an otherwise idle machine; all of them must arrive.
    const GoldenResult& run(std::vector<Transfer> transfers, Ordering ordering = Ordering::kSteps,
                            std::optional<Cycle> barrier = std::nullopt) {
        apply_link_delay(*graph_, config_.fabric.link_delay, config_.clock_ns);
        return run_as_is(*make_dimension_order(*graph_), std::move(transfers), ordering, barrier);
    }
    const GoldenResult& run_as_is(const Routing& routing, std::vector<Transfer> transfers,
                                  Ordering ordering, std::optional<Cycle> barrier = std::nullopt) {
        Program program;
        program.nodes = graph_->node_count();
        program.ordering = ordering;
        program.barrier_cycles = barrier;
        program.transfers = std::move(transfers);
        result_ = run_golden(config_, *graph_, routing, program, 100000);
        EXPECT_TRUE(result_.completed);
        return result_;
    }

    const GoldenPacket& packet(std::size_t i) const { return result_.packets.at(i); }
    std::vector<Cycle> begins() const { return collect(&GoldenPacket::begin); }
    std::vector<Cycle> heads_injected() const { return collect(&GoldenPacket::head_injected); }
    std::vector<Cycle> tails_injected() const { return collect(&GoldenPacket::tail_injected); }
    std::vector<Cycle> tails_delivered() const { return collect(&GoldenPacket::tail_delivered); }
    /// Between the routers of these nodes.
    const Intervals& busy_link(NodeId from, NodeId to) const {
        for (const LinkId id : route_links(*graph_, *make_dimension_order(*graph_), from, to)) {
            if (graph_->link(id).to == graph_->router_of(to)) return result_.busy.at(id);
        }
        throw std::logic_error("no such link");
    }
    const Intervals& busy_injection(NodeId node) const {
        return result_.busy.at(ChannelMap(*graph_).injection(node));
    }
    const Intervals& busy_ejection(NodeId node) const {
        return result_.busy.at(ChannelMap(*graph_).ejection(node));
    }

    Config config_;
    std::unique_ptr<Graph> graph_;
    GoldenResult result_;

private:
    std::vector<Cycle> collect(Cycle GoldenPacket::*member) const {
        std::vector<Cycle> cycles;
        for (const GoldenPacket& p : result_.packets) cycles.push_back(p.*member);
        return cycles;
    }
};

// H hops at zero load: visible in the first router after router_delay, and a router and a link
// later in each next one; every router passes it on in the cycle in which it is visible.
TEST_F(GoldenModel, RepliesQueueByTimeBehindWhatBeginsInTheSameCycle) {
    use_mesh({2});
    config_.node.recv_overhead = 2;
    config_.traffic.reply_bytes = payload(4);
    config_.traffic.reply_delay = 5;
    // A head over one link is delivered 1 + 2 = 3 cycles after its injection, a tail of F flits
    // F - 1 later. The request of 3 flits arrives in cycle 5; its reply begins in 5 + 2 + 1 + 5.
    run({timed(0, 1, payload(3), 0), timed(1, 0, payload(2), 13), timed(1, 0, payload(2), 14)},
        Ordering::kTimed);
    EXPECT_EQ(tails_delivered()[0], 5U);
    EXPECT_EQ(packet(3).begin, 13U);  // the reply to the first message
    // Behind the request of node 1 that begins in cycle 13, 2 flits, before the one of cycle 14.
    EXPECT_EQ(packet(1).head_injected, 13U);
    EXPECT_EQ(packet(3).head_injected, 15U);
    EXPECT_EQ(packet(2).head_injected, 19U);
    EXPECT_EQ(packet(3).tail_delivered, 15U + 3 + 3);
}

TEST_F(GoldenModel, ZeroLoadLatencyOnAMeshIsTheSumOfTheDelays) {
    use_mesh({3, 4});
    for (const std::uint32_t router_delay : {1U, 2U, 4U}) {
        for (const std::uint32_t link_delay : {1U, 3U, 6U}) {
            for (const std::uint64_t flits : {1U, 2U, 9U, 60U}) {
                config_.fabric.router_delay = router_delay;
                config_.fabric.link_delay.cycles = link_delay;
                config_.fabric.buffer_depth = router_delay + 2 * link_delay;  // just full rate
                run({send(0, 11, payload(flits))});  // 0 1 2 3 7 11: along the row first
                const Cycle hop = router_delay + link_delay;
                const Cycle head = router_delay + 5 * hop;
                EXPECT_EQ(packet(0).head_injected, 0U);
                EXPECT_EQ(packet(0).tail_injected, flits - 1);
                EXPECT_EQ(packet(0).head_delivered, head);
                EXPECT_EQ(packet(0).tail_delivered, head + flits - 1);
                EXPECT_EQ(result_.makespan, head + flits);
                EXPECT_EQ(busy_injection(0), (Intervals{{0, flits}}));
                EXPECT_EQ(busy_link(0, 1), (Intervals{{router_delay, router_delay + flits}}));
                EXPECT_EQ(busy_link(3, 7), (Intervals{{head - 2 * hop, head - 2 * hop + flits}}));
                EXPECT_EQ(busy_link(7, 11), (Intervals{{head - hop, head - hop + flits}}));
                EXPECT_EQ(busy_ejection(11), (Intervals{{head, head + flits}}));
            }
        }
    }
}

TEST_F(GoldenModel, ZeroLoadLatencyOnAHypercubeCountsDifferingBits) {
    use_hypercube(4);
    config_.fabric.router_delay = 2;
    config_.fabric.link_delay.cycles = 3;
    config_.fabric.buffer_depth = 8;
    run({send(0b0010, 0b1101, payload(7))});  // 4 hops of 5 cycles, lowest bit first
    EXPECT_EQ(packet(0).head_delivered, 22U);
    EXPECT_EQ(packet(0).tail_delivered, 28U);
    EXPECT_EQ(busy_link(0b0010, 0b0011), (Intervals{{2, 9}}));
    EXPECT_EQ(busy_link(0b0101, 0b1101), (Intervals{{17, 24}}));
}

// B credits leave in a burst; the slot of flit k is usable again c + d after flit k was sent.
TEST_F(GoldenModel, FewBuffersSendBurstsOfBFlitsEveryCreditRoundTrip) {
    use_mesh({4});
    constexpr std::uint64_t kFlits = 20;
    for (const std::uint32_t router_delay : {1U, 3U}) {
        for (const std::uint32_t link_delay : {1U, 2U, 5U}) {
            const Cycle round_trip = router_delay + 2 * link_delay;
            for (std::uint32_t depth = 1; depth < round_trip; ++depth) {
                config_.fabric.router_delay = router_delay;
                config_.fabric.link_delay.cycles = link_delay;
                config_.fabric.buffer_depth = depth;
                run({send(0, 3, payload(kFlits))});
                Intervals bursts;
                for (std::uint64_t sent = 0; sent < kFlits; sent += depth) {
                    const Cycle start = router_delay + sent / depth * round_trip;
                    bursts.push_back({start, start + std::min<Cycle>(depth, kFlits - sent)});
                }
                EXPECT_EQ(busy_link(0, 1), bursts) << depth << ' ' << round_trip;
                const Cycle last_hops = 3 * (router_delay + link_delay);
                EXPECT_EQ(packet(0).tail_delivered, bursts.back().last_plus_one - 1 + last_hops);
            }
        }
    }
}

// The injection channel has d = router_delay and c = 1, whatever the links do.
TEST_F(GoldenModel, MessageToSelfUsesInjectionAndEjectionOnly) {
    use_mesh({3});
    config_.fabric.router_delay = 3;
    config_.fabric.buffer_depth = 2;
    run({send(1, 1, payload(5))});
    EXPECT_EQ(busy_injection(1), (Intervals{{0, 2}, {4, 6}, {8, 9}}));
    EXPECT_EQ(busy_ejection(1), (Intervals{{3, 5}, {7, 9}, {11, 12}}));
    EXPECT_EQ(std::accumulate(result_.flits_sent.begin(), result_.flits_sent.end(), 0U), 10U);
}

TEST_F(GoldenModel, EachLinkHasItsOwnDelay) {
    use_mesh({3});
    config_.fabric.buffer_depth = 3;
    graph_->set_delay(graph_->out_link(RouterId(0), 1), 1);  // round trip 3: full rate
    graph_->set_delay(graph_->out_link(RouterId(1), 1), 4);  // d = 5, c = 4: 3 flits every 9 cycles
    run_as_is(*make_dimension_order(*graph_), {send(0, 2, payload(6))}, Ordering::kSteps);
    EXPECT_EQ(busy_link(1, 2), (Intervals{{3, 6}, {12, 15}}));
    // Three flits fill node 1's FIFO by cycle 5 while it drains from 3 on: all six pass at once.
    EXPECT_EQ(busy_link(0, 1), (Intervals{{1, 7}}));
    EXPECT_EQ(busy_ejection(2), (Intervals{{8, 11}, {17, 20}}));
}

TEST_F(GoldenModel, MessageWithoutPayloadIsItsHeader) {
    use_mesh({2});
    config_.node.header_flits = 3;
    run({send(0, 1, 0)});
    EXPECT_EQ(packet(0).head_delivered, 3U);
    EXPECT_EQ(packet(0).tail_delivered, 5U);
}

TEST_F(GoldenModel, OneFlitPacketsFollowEachOtherWithoutGap) {
    use_mesh({3});
    run({send(0, 2, 0), send(0, 2, 0), send(0, 2, 0), send(0, 2, 0)});
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{0, 1, 2, 3}));
    EXPECT_EQ(tails_delivered(), (std::vector<Cycle>{5, 6, 7, 8}));
    EXPECT_EQ(busy_link(1, 2), (Intervals{{3, 7}}));
}

// Node 1 hears node 2 through port 1 and node 0 through port 2; pointers start at 0, so node 2's
// packet wins first. Packets stay whole, and no cycle is lost between them.
TEST_F(GoldenModel, TwoStreamsIntoOneOutputTakeTurnsPacketByPacket) {
    use_mesh({3});
    for (const Cycle flits : {1U, 4U}) {
        std::vector<Transfer> transfers;
        for (int i = 0; i < 3; ++i) {
            transfers.push_back(timed(0, 1, payload(flits), 0));
            transfers.push_back(timed(2, 1, payload(flits), 0));
        }
        run(transfers, Ordering::kTimed);
        std::vector<Cycle> expected;
        for (const Cycle turn : {2U, 1U, 4U, 3U, 6U, 5U}) expected.push_back(3 + turn * flits - 1);
        EXPECT_EQ(tails_delivered(), expected);
        EXPECT_EQ(busy_ejection(1), (Intervals{{3, 3 + 6 * flits}}));
    }
}

// Packet B (node 1) holds virtual channel 0 of link 1-2 from cycle 1; A (node 0) comes in cycle 3
// and gets 1. B sends in 1, 2; then A in 3, B in 4, A in 5, ... B's fifth flit in 8; A's last two
// in 9 and 10. Each arrives 2 cycles later and is ejected at once.
TEST_F(GoldenModel, TwoVirtualChannelsShareALinkFlitByFlit) {
    use_mesh({3});
    config_.fabric.virtual_channels = 2;
    run({send(0, 2, payload(5)), send(1, 2, payload(5))});
    EXPECT_EQ(packet(0).head_delivered, 5U);
    EXPECT_EQ(tails_delivered(), (std::vector<Cycle>{12, 10}));
    EXPECT_EQ(busy_link(1, 2), (Intervals{{1, 11}}));
}

// The same, but B holds the switch: A sends only when B's tail has left in 5.
TEST_F(GoldenModel, StreamThatHoldsTheSwitchIsNotInterrupted) {
    use_mesh({3});
    config_.fabric.virtual_channels = 2;
    config_.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    run({send(0, 2, payload(5)), send(1, 2, payload(5))});
    EXPECT_EQ(packet(0).head_delivered, 8U);
    EXPECT_EQ(tails_delivered(), (std::vector<Cycle>{12, 7}));
    EXPECT_EQ(busy_link(1, 2), (Intervals{{1, 11}}));
}

// Two slots and a round trip of 3: B sends in 1, 2 and has no credit in 3, so A sends in 3, and
// continues in 4 although B's credit is back. A's two credits are spent; B sends in 5, 6, A in 7,
// 8. A's tail is not there before 10: B's leaves in 9, A's in 10.
TEST_F(GoldenModel, StreamThatIsNotReadyLosesItsHold) {
    use_mesh({3});
    config_.fabric.virtual_channels = 2;
    config_.fabric.buffer_depth = 2;
    config_.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    run({send(0, 2, payload(5)), send(1, 2, payload(5))});
    EXPECT_EQ(packet(0).head_delivered, 5U);
    EXPECT_EQ(tails_delivered(), (std::vector<Cycle>{12, 11}));
    EXPECT_EQ(busy_link(1, 2), (Intervals{{1, 11}}));
}

/// Dimension order that allows only the virtual channels of a mask, at one router or at all.
class MaskedRouting final : public Routing {
public:
    MaskedRouting(const Graph& graph, VcMask mask, std::optional<RouterId> router = std::nullopt)
        : Routing(graph.shared_places()),
          inner_(make_dimension_order(graph)),
          mask_(mask),
          router_(router) {}
    std::string name() const override { return "masked"; }
    RouteChoice hop(RouterId at, NodeId destination) const override {
        RouteChoice choice = inner_->route(at, destination);
        if (router_.value_or(at) == at) choice.virtual_channels = mask_;
        return choice;
    }

private:
    std::unique_ptr<Routing> inner_;
    VcMask mask_;
    std::optional<RouterId> router_;
};

// As above, but both need virtual channel 1: A waits until B's tail has left in cycle 5.
TEST_F(GoldenModel, PacketsUseOnlyTheVirtualChannelsOfTheirRoute) {
    use_mesh({3});
    config_.fabric.virtual_channels = 2;
    run_as_is(MaskedRouting(*graph_, 0b10), {send(0, 2, payload(5)), send(1, 2, payload(5))},
              Ordering::kSteps);
    EXPECT_EQ(tails_delivered(), (std::vector<Cycle>{12, 7}));
    EXPECT_EQ(packet(0).head_delivered, 8U);
}

// P and Q of node 0, two flits each, reach node 1 on one virtual channel, in 3, 4 and 5, 6. Node
// 1's own R is ready from 4 on. P's tail is held and leaves in 4; in 5 Q's head has no hold, and
// the pointer is past port 2: R sends from 5 to 9, then Q.
TEST_F(GoldenModel, TailHoldsNothing) {
    use_mesh({3});
    config_.fabric.virtual_channels = 2;
    config_.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    run_as_is(MaskedRouting(*graph_, 0b01, RouterId(0)),
              {timed(0, 2, payload(2), 0), timed(0, 2, payload(2), 0), timed(1, 2, payload(5), 3)},
              Ordering::kTimed);
    EXPECT_EQ(tails_delivered(), (std::vector<Cycle>{6, 13, 11}));
    EXPECT_EQ(packet(2).head_delivered, 7U);
    EXPECT_EQ(busy_link(1, 2), (Intervals{{3, 12}}));
}

// The interface takes virtual channels 0, 1, 0. Link d = 2, c = 1, one slot each. Packet 0 leaves
// on channel 0 in cycle 1, whose credit is back in 4. Packet 1 (cycle 2) is given channel 0 all the
// same, for grants need no credit, and waits until 4; packet 2 overtakes it on channel 1 in 3.
TEST_F(GoldenModel, GrantNeedsNoCreditAndIsKept) {
    use_mesh({2});
    config_.fabric.virtual_channels = 2;
    config_.fabric.buffer_depth = 1;
    run({send(0, 1, 0), send(0, 1, 0), send(0, 1, 0)});
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{0, 1, 2}));
    EXPECT_EQ(tails_delivered(), (std::vector<Cycle>{3, 6, 5}));
}

// The same with combined allocation. Packet 1 (cycle 2) is offered channel 1, as the pointer is
// there and channel 0 has no credit; packet 2 (cycle 3) waits for a credit of either: 0 in 4.
TEST_F(GoldenModel, CombinedAllocationOffersWhatHasACredit) {
    use_mesh({2});
    config_.fabric.virtual_channels = 2;
    config_.fabric.buffer_depth = 1;
    config_.fabric.allocation = Allocation::kCombined;
    run({send(0, 1, 0), send(0, 1, 0), send(0, 1, 0)});
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{0, 1, 2}));
    EXPECT_EQ(tails_delivered(), (std::vector<Cycle>{3, 4, 6}));
}

// Node 1's packets A and B wait in virtual channels 0 and 1 of its local port while C passes from
// node 0. From cycle 11 on C and the local port take turns, and in the local port A and B: A in 11,
// 13, 17, 21; B (visible in 15) in 15, 19, 23, 25. Were the local port's pointer to move past
// proposals that lost, B would hold A up.
TEST_F(GoldenModel, PointersMoveOnlyPastAFlitThatWasSent) {
    use_mesh({3});
    config_.fabric.virtual_channels = 3;
    config_.fabric.buffer_depth = 16;
    run({timed(0, 2, payload(40), 0), timed(1, 2, payload(4), 10), timed(1, 2, payload(4), 10)},
        Ordering::kTimed);
    EXPECT_EQ(packet(1).head_delivered, 13U);
    EXPECT_EQ(packet(1).tail_delivered, 23U);
    EXPECT_EQ(packet(2).head_delivered, 17U);
    EXPECT_EQ(packet(2).tail_delivered, 27U);
    EXPECT_EQ(packet(0).tail_delivered, 5U + 40 + 8 - 1);
}

// Link round trip 9, two slots: packet 0 leaves in 1, 2, 10, 11, 19. Its tail is injected in 11;
// packet 1 follows on the other virtual channel and leaves in 13, 14.
TEST_F(GoldenModel, MessageIsDeliveredWhenItsLastPacketIsEvenIfOvertaken) {
    use_mesh({2});
    config_.fabric.virtual_channels = 2;
    config_.fabric.buffer_depth = 2;
    config_.fabric.link_delay.cycles = 4;
    config_.node.packet_bytes = 32;
    run({send(0, 1, 40, 0), send(1, 0, 0, 1)});
    EXPECT_EQ(tails_injected(), (std::vector<Cycle>{11, 13, 25}));
    EXPECT_EQ(packet(0).tail_delivered, 24U);
    EXPECT_EQ(packet(1).tail_delivered, 19U);
    EXPECT_EQ(packet(2).begin, 25U);
}

// Step 0: head 3, tail 7, tail delivered 7 + 2 * 2 + 3 = 14: next begin 14 + 4 + 1 = 19.
// Step 1: node 0 injects until 121, long after node 1's flit came (29): 122. Node 1 has node 0's
// tail in 128: 128 + 4 + 1 = 133.
TEST_F(GoldenModel, ExchangeStepEndsWithItsOwnTailAndItsReceive) {
    use_mesh({2});
    config_.fabric.router_delay = 2;
    config_.fabric.link_delay.cycles = 3;
    config_.node.send_overhead = 3;
    config_.node.recv_overhead = 4;
    run({send(0, 1, payload(5), 0), send(1, 0, payload(5), 0), send(0, 1, payload(100), 1),
         send(1, 0, 0, 1), send(0, 1, 0, 7), send(1, 0, 0, 7)});
    EXPECT_EQ(begins(), (std::vector<Cycle>{0, 0, 19, 19, 122, 133}));
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{3, 3, 22, 22, 125, 136}));
}

// Node 1 sends 50 flits in step 0. The messages for step 1 are there by then, so it takes no time
// and step 2 begins in the cycle after the tail, 50.
TEST_F(GoldenModel, MessageThatArrivesBeforeItsStepIsKept) {
    use_mesh({3});
    config_.node.recv_overhead = 4;
    run({send(1, 2, payload(50), 0), send(0, 1, payload(2), 1), send(1, 0, payload(2), 2)});
    EXPECT_EQ(begins(), (std::vector<Cycle>{0, 0, 50}));
}

// Step 0: tail injected 5, delivered 8, node 1 done in 8 + 3 + 1 = 12; step 1 begins in 12 + 7.
// Step 1: tail delivered 19 + 2 + 3 + 3 = 27; the next step anyone takes part in, 3, in 31 + 7.
TEST_F(GoldenModel, BarrierHoldsEveryNodeUntilAllAreDone) {
    use_mesh({3});
    config_.node.send_overhead = 2;
    config_.node.recv_overhead = 3;
    const std::vector<Transfer> transfers = {send(0, 2, payload(4), 3), send(0, 1, payload(4), 0),
                                             send(2, 1, payload(4), 1)};
    run(transfers, Ordering::kSteps, 7);
    EXPECT_EQ(begins(), (std::vector<Cycle>{38, 0, 19}));
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{40, 2, 21}));
    run(transfers, Ordering::kSteps, 0);
    EXPECT_EQ(begins(), (std::vector<Cycle>{24, 0, 12}));
    run(transfers, Ordering::kSteps);
    EXPECT_EQ(begins(), (std::vector<Cycle>{6, 0, 0}));
}

// Packets of 3, 3, 2 flits, then a message of one packet of 2; the last one begins in 60, idle.
TEST_F(GoldenModel, SlowMemoryAssemblesPacketsOneAfterTheOther) {
    use_mesh({2});
    config_.node.packet_bytes = 16;
    config_.node.send_overhead = 5;
    const std::vector<Transfer> transfers = {timed(0, 1, 40, 0), timed(0, 1, 8, 0),
                                             timed(0, 1, 8, 60)};
    config_.node.injection_bandwidth = {1, 2};  // 6, 12, 16 cycles from 5 on; 4 from 21 on
    run(transfers, Ordering::kTimed);
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{11, 17, 21, 25, 69}));
    config_.node.injection_bandwidth = {2, 3};  // ceil 4.5, 9, 12 from 5 on; 3 from 17 on
    run(transfers, Ordering::kTimed);
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{10, 14, 17, 20, 68}));
    config_.node.injection_bandwidth = {2, 2};  // assembly costs nothing
    run(transfers, Ordering::kTimed);
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{5, 8, 11, 13, 65}));
}

// The same messages, one startup at a time: that of the second begins when the first is done with.
TEST_F(GoldenModel, SerialStartupBeginsAfterTheMessageBefore) {
    use_mesh({2});
    config_.node.packet_bytes = 16;
    config_.node.send_overhead = 5;
    config_.node.serialize_overhead = true;
    const std::vector<Transfer> transfers = {timed(0, 1, 40, 0), timed(0, 1, 8, 0),
                                             timed(0, 1, 8, 60)};
    config_.node.injection_bandwidth = {1, 2};  // assembled in 21; 26 + 4
    run(transfers, Ordering::kTimed);
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{11, 17, 21, 30, 69}));
    config_.node.injection_bandwidth = {2, 3};  // assembled in 17; 22 + 3
    run(transfers, Ordering::kTimed);
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{10, 14, 17, 25, 68}));
    config_.node.injection_bandwidth = {1, 1};  // tail injected in 12; 13 + 5
    run(transfers, Ordering::kTimed);
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{5, 8, 11, 18, 65}));
}

// Message 0 arrives in 5 + 3 + 3 = 11, so message 1 begins in 11 + 6 + 1 = 18. Message 2's time
// came in 2, but its node's earlier send has not begun before 18; it follows 4 flits later.
TEST_F(GoldenModel, TimedSendsAwaitTimeMessagesAndEarlierSends) {
    use_mesh({3});
    config_.node.recv_overhead = 6;
    run({timed(0, 1, payload(4), 5), timed(1, 2, payload(4), 0, {0}), timed(1, 0, payload(4), 2)},
        Ordering::kTimed);
    EXPECT_EQ(begins(), (std::vector<Cycle>{5, 18, 18}));
    EXPECT_EQ(heads_injected(), (std::vector<Cycle>{5, 18, 22}));
}

TEST_F(GoldenModel, RunThatIsNotDoneInTimeSaysSo) {
    use_mesh({2});
    Program program;
    program.nodes = 2;
    program.transfers = std::vector{send(0, 1, payload(4)), send(0, 1, payload(4))};
    const auto routing = make_dimension_order(*graph_);
    const GoldenResult all = run_golden(config_, *graph_, *routing, program, 11);
    EXPECT_TRUE(all.completed);
    EXPECT_EQ(all.makespan, 11U);
    const GoldenResult cut = run_golden(config_, *graph_, *routing, program, 10);
    EXPECT_FALSE(cut.completed);
    EXPECT_EQ(cut.makespan, 7U);
    EXPECT_EQ(cut.packets.at(1).head_delivered, 7U);
    EXPECT_EQ(cut.packets.at(1).tail_delivered, kNever);
    program.nodes = 3;
    EXPECT_THROW(run_golden(config_, *graph_, *routing, program, 10), std::invalid_argument);
}

}  // namespace
}  // namespace flitscope
