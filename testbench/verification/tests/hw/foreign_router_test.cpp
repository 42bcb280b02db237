// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A faulty third-party router: the run ends with its error, the place and the packet.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/router_ledger.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/verification/tests/support/broken_router.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "testbench/verification/tests/support/fake_router.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

constexpr NodeId kNodes = 8;
constexpr NodeId kAstray = 1;  // the node whose router goes astray

class ForeignRouter : public testing::Test {
protected:
    ForeignRouter() {
        const char* const set = std::getenv(kVariable);
        if (set != nullptr) before_ = set;
        setenv(kVariable, FLITSCOPE_WRONG_LIBRARIES, 1);
    }
    ~ForeignRouter() override {
        if (before_) {
            setenv(kVariable, before_->c_str(), 1);
        } else {
            unsetenv(kVariable);
        }
    }

    /// One message over a row of nodes: the error with which the run stops, or nothing.
    static std::string said(const std::string& kind, std::uint32_t virtual_channels,
                            NodeId destination, ChannelObserver* channels = nullptr) {
        return said(row(kind, virtual_channels, destination), channels);
    }

    static std::string said(const Machine& machine, ChannelObserver* channels = nullptr) {
        const FreshKernel kernel;
        SimulationOptions options;
        options.channels = channels;
        try {
            EXPECT_EQ(simulate(machine, "cycle", options).verdict, Verdict::kComplete);
        } catch (const std::exception& error) {
            return error.what();
        }
        return {};
    }

    static Machine row(const std::string& kind, std::uint32_t virtual_channels,
                       NodeId destination) {
        Config config;
        config.fabric.topology.kind = kind;
        config.fabric.topology.dims = {kNodes};
        config.fabric.virtual_channels = virtual_channels;
        config.fabric.router_overrides = {{{kAstray}, RtlModule{"astray", {}, RtlProtocol::kFlit}}};
        Graph graph = build_topology(config);
        std::unique_ptr<Routing> routing = make_routing(config, graph);
        Transfer transfer{0, destination, 64};
        return make_machine(config, std::move(graph), std::move(routing),
                            steps(kNodes, {transfer}));
    }

private:
    static constexpr const char* kVariable = "FLITSCOPE_RTL_LIBRARIES";
    std::optional<std::string> before_;
};

TEST_F(ForeignRouter, ThatGoesTheRightWayDelivers) { EXPECT_EQ(said("mesh", 1, 4), ""); }

TEST_F(ForeignRouter, ThatSendsAPacketBackIsNamedWithThePacket) {
    EXPECT_THAT(
        said("mesh", 1, 5),
        HasSubstr("router_001 (RTL), cycle 3: sent packet 0 of node 0 for node 5 out of port "
                  "2 (to node 0); dimension_order takes port 1 (to node 2)"));
}

TEST_F(ForeignRouter, ThatEjectsWhatIsForOthersIsNamedWithThePacket) {
    EXPECT_THAT(said("mesh", 1, 3),
                HasSubstr("sent packet 0 of node 0 for node 3 out of port 0 (to its own node); "
                          "dimension_order takes port 1 (to node 2)"));
}

TEST_F(ForeignRouter, ThatTakesAVirtualChannelOfOthersIsNamedWithThePacket) {
    const Machine machine = row("torus", 2, 4);
    const RouteChoice wanted = machine.routing->route(machine.graph.router_of(kAstray), 4);
    ASSERT_EQ(wanted.port, 1U);
    ASSERT_EQ(wanted.virtual_channels & 3U, 2U) << "the router takes virtual channel 0";
    EXPECT_THAT(said("torus", 2, 4),
                HasSubstr("sent packet 0 of node 0 for node 4 out of port 1 (to node 2) on virtual "
                          "channel 0, which dimension_order does not allow there"));
}

/// Remembers the highest virtual channel that it is notified of.
class HighestChannel final : public ChannelObserver {
public:
    void on_grant(ChannelId, std::uint32_t vc, const Message&, Cycle) override { see(vc); }
    void on_send_begin(ChannelId, std::uint32_t vc, ChannelId, std::uint32_t, Cycle) override {
        see(vc);
    }
    void on_send_end(ChannelId, std::uint32_t vc, Cycle) override { see(vc); }
    void on_release(ChannelId, std::uint32_t vc, Cycle) override { see(vc); }
    std::uint32_t highest = 0;

private:
    void see(std::uint32_t vc) { highest = std::max(highest, vc); }
};

// Out of the last port: there is nothing after the core's data of it.
TEST_F(ForeignRouter, ThatTakesAVirtualChannelThatIsNotThereIsStoppedBeforeItIsReported) {
    EXPECT_THAT(said("mesh", 1, 2),
                HasSubstr("router_001 (RTL), cycle 3: sent on virtual channel 1"));
    HighestChannel channels;
    EXPECT_THAT(said("mesh", 1, 2, &channels),
                HasSubstr("router_001 (RTL), cycle 3: sent on virtual channel 1"));
    EXPECT_EQ(channels.highest, 0U);
}

/// Two messages of 9 flits over a row of 16 nodes, and past a router with a fault.
class BrokenRouter : public ForeignRouter {
protected:
    static constexpr NodeId kRow = 16;
    static constexpr std::uint64_t kFlits = 9;  // a header and 64 bytes

    /// `back`: bytes of a message the other way.
    static std::string said_of(hw::Fault fault, std::uint64_t back = 0) {
        Config config;
        config.fabric.topology.kind = "mesh";
        config.fabric.topology.dims = {kRow};
        config.fabric.router_overrides = {
            {{static_cast<NodeId>(fault)}, RtlModule{"broken", {}, RtlProtocol::kFlit}}};
        Graph graph = build_topology(config);
        std::unique_ptr<Routing> routing = make_routing(config, graph);
        Transfer transfer{0, kRow - 1, 64};
        std::vector<Transfer> transfers{transfer, transfer};
        if (back != 0) {
            std::swap(transfer.source, transfer.destination);
            transfer.bytes = back;
            transfers.push_back(transfer);
        }
        return said(
            make_machine(config, std::move(graph), std::move(routing), steps(kRow, transfers)));
    }

    /// What the router with the fault says `position` cycles after the head of the first packet
    /// would leave it: that leaves router 0 in cycle 1, and each link takes 2.
    static auto in_cycle_of(hw::Fault fault, std::uint64_t position, const std::string& what) {
        const auto router = static_cast<std::uint64_t>(fault);
        return HasSubstr(fmt::format("router_{:03} (RTL), cycle {}: {}", router,
                                     1 + 2 * router + position, what));
    }
};

TEST_F(BrokenRouter, WithoutAFaultDelivers) { EXPECT_EQ(said_of(hw::Fault::kNone), ""); }

TEST_F(BrokenRouter, ThatLosesAFlitIsNamedWhenTheNextOneLeaves) {
    EXPECT_THAT(said_of(hw::Fault::kSwallowsFlit),
                in_cycle_of(hw::Fault::kSwallowsFlit, hw::kStruckFlit + 1,
                            "output port 1 did not send flit 2 of packet 0 of node 0 for node 15: "
                            "flit 3 follows flit 1"));
}

TEST_F(BrokenRouter, ThatLosesAPacketIsNamedWhenTheNextOneLeaves) {
    EXPECT_THAT(said_of(hw::Fault::kSwallowsPacket),
                in_cycle_of(hw::Fault::kSwallowsPacket, kFlits,
                            "output port 1 sent packet 1 of node 0 for node 15 and not packet 0 "
                            "of node 0 for node 15, which arrived before it at input port 2"));
}

TEST_F(BrokenRouter, ThatLosesATailIsNamedWhenTheNextHeadLeaves) {
    EXPECT_THAT(said_of(hw::Fault::kSwallowsTail),
                in_cycle_of(hw::Fault::kSwallowsTail, kFlits,
                            "output port 1 sent the head of packet 1 of node 0 for node 15 before "
                            "flit 8 of packet 0 of node 0 for node 15"));
}

// All 8 slots of the FIFO are full, and the router may rest for 16 cycles.
TEST_F(BrokenRouter, ThatKeepsAPacketIsNamedWhenItIsAtRest) {
    EXPECT_THAT(said_of(hw::Fault::kHolds),
                in_cycle_of(hw::Fault::kHolds, hw::kFakeDepth - 1 + hw::kFakeQuiet,
                            "input port 2 took 8 flits of packet 0 of node 0 for node 15 from "
                            "cycle 8 on, returned 0 credits and sent 0 flits, and is at rest "
                            "although output port 1 is free and has credits"));
}

// It could have sent it from the second look on; the third one is in a cycle that they divide.
TEST_F(BrokenRouter, ThatKeepsAPacketWhileItServesOthersIsNamedAfterSomeTime) {
    constexpr Cycle kPatience = hw::RouterLedger::kPatience;
    const std::string said = said_of(hw::Fault::kHolds, 8 * 3 * kPatience);
    EXPECT_THAT(said, HasSubstr("router_004 (RTL), cycle "));
    EXPECT_THAT(said, HasSubstr("input port 2 took 8 flits of packet 0 of node 0 for node 15 from "
                                "cycle 8 on, returned 0 credits and sent 0 flits, and did nothing "
                                "about it for 1024 cycles although output port 1 is free and has "
                                "credits"));
    const std::size_t at = said.find("cycle ") + 6;
    const Cycle cycle = std::stoull(said.substr(at));
    EXPECT_GE(cycle, kPatience);
    EXPECT_LE(cycle, 3 * kPatience);
    EXPECT_EQ(said_of(hw::Fault::kDelays, 8 * 3 * kPatience), "");
}

TEST_F(BrokenRouter, ThatDoublesAFlitIsNamedInThatCycle) {
    EXPECT_THAT(said_of(hw::Fault::kDoublesFlit),
                in_cycle_of(hw::Fault::kDoublesFlit, hw::kStruckFlit + 1,
                            "output port 1 sent flit 2 of packet 0 of node 0 for node 15 twice"));
    EXPECT_THAT(said_of(hw::Fault::kDoublesTail),
                in_cycle_of(hw::Fault::kDoublesTail, kFlits,
                            "output port 1 sent a flit twice, the last one of packet 0 of node 0 "
                            "for node 15, whose tail has left"));
    EXPECT_THAT(said_of(hw::Fault::kDoublesHead),
                in_cycle_of(hw::Fault::kDoublesHead, 1,
                            "output port 1 sent the head of packet 0 of node 0 for node 15 twice"));
    EXPECT_THAT(said_of(hw::Fault::kDoublesPacket),
                in_cycle_of(hw::Fault::kDoublesPacket, kFlits,
                            "output port 1 sent packet 0 of node 0 for node 15 again"));
}

TEST_F(BrokenRouter, ThatChangesAWordIsNamedWithBothWords) {
    const std::uint64_t word = hw::PayloadWords(hw::Header{15, 0, 0}.pack()).word(hw::kStruckFlit);
    EXPECT_THAT(said_of(hw::Fault::kChangesWord),
                in_cycle_of(hw::Fault::kChangesWord, hw::kStruckFlit,
                            fmt::format("output port 1 changed flit 2 of packet 0 of node 0 for "
                                        "node 15 from {:#x} to {:#x}",
                                        word, word ^ 1)));
    EXPECT_THAT(said_of(hw::Fault::kChangesHead),
                in_cycle_of(hw::Fault::kChangesHead, 0,
                            "output port 1 sent packet 256 of node 0 for node 15, which did not "
                            "arrive; those inside: packet 0 of node 0 for node 15"));
}

TEST_F(BrokenRouter, WithWrongMarksIsNamed) {
    EXPECT_THAT(said_of(hw::Fault::kLosesTail),
                in_cycle_of(hw::Fault::kLosesTail, kFlits - 1,
                            "output port 1 sent flit 8 of packet 0 of node 0 for node 15 without "
                            "the mark of a tail, which it is"));
    EXPECT_THAT(said_of(hw::Fault::kEndsEarly),
                in_cycle_of(hw::Fault::kEndsEarly, hw::kStruckFlit,
                            "output port 1 sent flit 2 of packet 0 of node 0 for node 15 as a "
                            "tail, and the packet goes on"));
}

// Eight flits come in and leave, the last credit for them is back 3 cycles later, and the sender
// lacks credits.
TEST_F(BrokenRouter, ThatKeepsCreditsIsNamedWhenItIsAtRest) {
    EXPECT_THAT(said_of(hw::Fault::kKeepsCredits),
                in_cycle_of(hw::Fault::kKeepsCredits, 7 + 3 + hw::kFakeQuiet,
                            "input port 2 sent 8 flits and returned 0 credits"));
}

}  // namespace
}  // namespace flitscope
