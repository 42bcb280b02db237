// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A faulty third-party router: the run ends with its error, the place and the packet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/verification/tests/support/fabric_fixture.h"

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
        setenv(kVariable, FLITSCOPE_ASTRAY_LIBRARIES, 1);
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
        const Machine machine = row(kind, virtual_channels, destination);
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
        Transfer transfer;
        transfer.source = 0;
        transfer.destination = destination;
        transfer.bytes = 64;
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

}  // namespace
}  // namespace flitscope
