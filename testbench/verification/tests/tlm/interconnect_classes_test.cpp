// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests and responses as message classes, and nodes that accept a limited number of requests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/tlm/interconnect_platform.h"
#include "tlm/interconnect/access_class.h"

namespace flitscope {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;
using tlm::TLM_READ_COMMAND;
using tlm::TLM_WRITE_COMMAND;

/// The virtual channels over which requests and replies go.
class Lanes final : public ChannelObserver {
public:
    void on_grant(ChannelId, std::uint32_t vc, const Message& message, Cycle) override {
        (message.role == MessageRole::kReply ? replies : requests).insert(vc);
    }
    void on_send_begin(ChannelId, std::uint32_t, ChannelId, std::uint32_t, Cycle) override {}
    void on_send_end(ChannelId, std::uint32_t, Cycle) override {}
    void on_release(ChannelId, std::uint32_t, Cycle) override {}

    std::set<std::uint32_t> requests;
    std::set<std::uint32_t> replies;
};

FabricMaker watched(ChannelObserver& observer) {
    return [&observer](const char* name, const Config& config, const Graph& graph,
                       const Routing& routing) {
        hw::FabricOptions options;
        options.channels = &observer;
        return std::make_unique<hw::CycleFabric>(name, config, graph, routing, options);
    };
}

const std::vector<std::string> kFourClasses = {
    "fabric.virtual_channels=4",
    "fabric.classes=[request, response, urgent_request, urgent_response]",
    "fabric.class_priorities=[0, 0, 1, 1]"};

std::vector<std::string> with(std::vector<std::string> overrides, const std::string& more) {
    overrides.push_back(more);
    return overrides;
}

/// Plays `script` with the first initiator, over `make`.
void play(const Config& config, const FabricMaker& make,
          const std::function<void(Platform&, PayloadPool&)>& script) {
    const FreshKernel kernel;
    PayloadPool pool;
    Platform platform(config, make);
    platform.initiators[0]->script = [&] { script(platform, pool); };
    platform.run();
}

TEST(AccessClasses, AreThoseOfTheConfiguration) {
    const auto lanes_with = [](const std::vector<std::string>& overrides) {
        Lanes lanes;
        play(config_with(overrides), watched(lanes), [](Platform& p, PayloadPool& pool) {
            p.initiators[0]->transport(pool.get(TLM_READ_COMMAND, kBase, 16));
        });
        return std::pair(lanes.requests, lanes.replies);
    };
    using Channels = std::set<std::uint32_t>;
    EXPECT_EQ(lanes_with(kFourClasses), (std::pair<Channels, Channels>({0}, {0})));
    EXPECT_EQ(lanes_with(with(kFourClasses, "interconnect.response_class=response")),
              (std::pair<Channels, Channels>({0}, {1})));
    EXPECT_EQ(lanes_with(with(kFourClasses, "interconnect.request_class=urgent_request")),
              (std::pair<Channels, Channels>({2}, {2})));
}

TEST(AccessClasses, MayBeThoseOfATransaction) {
    Lanes lanes;
    play(config_with(with(kFourClasses, "interconnect.response_class=response")), watched(lanes),
         [](Platform& p, PayloadPool& pool) {
             for (const bool blocking : {true, false}) {
                 Payload& payload = pool.get(TLM_READ_COMMAND, kBase, 16);
                 AccessClass urgent(2, 3);
                 payload.set_extension(&urgent);
                 if (blocking) {
                     p.initiators[0]->transport(payload);
                 } else {
                     p.initiators[0]->issue(payload);
                     p.initiators[0]->await(payload);
                 }
                 payload.clear_extension(&urgent);
             }
         });
    EXPECT_THAT(lanes.requests, UnorderedElementsAre(2));
    EXPECT_THAT(lanes.replies, UnorderedElementsAre(3));
}

/// The time of an urgent read, or one like the others, while three initiators write long messages.
sc_core::sc_time time_in_a_crowd(bool urgent) {
    const FreshKernel kernel;
    PayloadPool pool;
    Platform platform(config_with(with(kFourClasses,
                                       "interconnect={initiators: [1, 4, 6, 9], targets: [{node: "
                                       "5, base: 0x1000, size: 0x1000}], outstanding: 8}")),
                      cycle_fabric);
    sc_core::sc_time ended;
    platform.initiators[0]->script = [&] {
        sc_core::wait(ns(100));
        Payload& payload = pool.get(TLM_READ_COMMAND, kBase, 16);
        AccessClass classes(2, 3);
        if (urgent) payload.set_extension(&classes);
        ended = platform.initiators[0]->transport(payload);
        payload.clear_extension(&classes);
    };
    for (std::size_t i = 1; i < 4; ++i) {
        platform.initiators[i]->script = [&, i] {
            for (int n = 0; n < 8; ++n) {
                platform.initiators[i]->issue(pool.get(TLM_WRITE_COMMAND, kBase, 512));
            }
        };
    }
    platform.run();
    return ended - ns(100);
}

TEST(AccessClasses, OfHigherPriorityPassTheOthers) {
    const sc_core::sc_time urgent = time_in_a_crowd(true);
    // Alone it takes 14: one hop. A flit that is on its way goes first.
    EXPECT_LE(urgent, ns(14 + 6));
    EXPECT_GT(time_in_a_crowd(false), 2 * urgent);
}

/// What is reported of a read with these classes.
std::string report_of(const Config& config, const AccessClass& classes, unsigned int length = 4) {
    const FreshKernel kernel;
    PayloadPool pool;
    Platform platform(config, cycle_fabric);
    std::string report;
    platform.initiators[0]->script = [&] {
        AccessClass own = classes;
        Payload& payload = pool.get(TLM_WRITE_COMMAND, kBase, length);
        payload.set_extension(&own);
        try {
            platform.initiators[0]->transport(payload);
        } catch (const sc_core::sc_report& error) {
            report = std::string(error.get_msg_type()) + ' ' + error.get_msg();
        }
        payload.clear_extension(&own);
    };
    sc_core::sc_start();  // the checker does not expect an exception
    EXPECT_TRUE(platform.initiators[0]->finished);
    return report;
}

TEST(AccessClasses, ThatTheNetworkDoesNotHaveAreErrors) {
    EXPECT_EQ(report_of(config_with(kFourClasses), {3, 0}), "");
    EXPECT_EQ(report_of(config_with(kFourClasses), {0, 4}),
              "/flitscope/interconnect/class interconnect.from_initiator_0: an access of class 0 "
              "with a response of class 4, and the network has 4 (fabric.classes)");
    EXPECT_THAT(report_of(config_with(), {1, 0}), HasSubstr("the network has 1"));
}

TEST(AccessClasses, AreNamesOfTheConfiguration) {
    const auto error_of = [](const std::vector<std::string>& overrides) -> std::string {
        return refused_with([&] { config_with(overrides); });
    };
    EXPECT_THAT(error_of(with(kFourClasses, "interconnect.response_class=respond")),
                AllOf(HasSubstr("there is no class 'respond'"), HasSubstr("response")));
    EXPECT_THAT(error_of({"interconnect.response_class=response"}),
                HasSubstr("a fabric without 'classes'"));
    EXPECT_THAT(error_of({"interconnect.request_queue=1", "interconnect.timing=annotated"}),
                HasSubstr("annotated timing knows no other accesses"));
}

// ---- Nodes that accept a limited number of requests
// ----------------------------------------------

const std::vector<std::string> kOwnResponses = {
    "fabric.virtual_channels=2", "fabric.classes=[request, response]",
    "interconnect={initiators: [1, 4, 9], targets: [{node: 5, base: 0x1000, size: 0x1000}, "
    "{node: 6, base: 0x2000, size: 0x1000}], response_class: response}"};

/// Three reads of one target that needs 50 ns, in order of their arrival.
std::vector<Access> three_reads(const std::string& queue) {
    const FreshKernel kernel;
    PayloadPool pool;
    AccessList arrivals;
    Platform platform(config_with(with(kOwnResponses, "interconnect.request_queue=" + queue)),
                      cycle_fabric);
    platform.interconnect.observe(arrivals);
    platform.memories[0]->latency = [] { return ns(50); };
    for (const auto& initiator : platform.initiators) {
        initiator->script = [&pool, &user = *initiator] {
            user.transport(pool.get(TLM_READ_COMMAND, kBase, 4));
        };
    }
    platform.run();
    return arrivals.accesses;
}

TEST(RequestQueue, LetsFurtherRequestsWaitInTheNetwork) {
    const std::vector<Access> all = three_reads("0");
    ASSERT_EQ(all.size(), 3U);
    for (const Access& access : all) EXPECT_LT(access.arrived, ns(20));
    const std::vector<Access> one = three_reads("1");
    ASSERT_EQ(one.size(), 3U);
    for (std::size_t i = 1; i < 3; ++i) {
        // Not before the tail of the response before it has left the node.
        EXPECT_GT(one[i].arrived, one[i - 1].response_sent);
        EXPECT_LT(one[i].arrived, one[i - 1].response_sent + ns(12));
    }
    const std::vector<Access> two = three_reads("2");
    EXPECT_LT(two[1].arrived, ns(20));
    EXPECT_GT(two[2].arrived, two[0].response_sent);
}

TEST(RequestQueue, NeedsAClassOfResponses) {
    const auto error_of = [](const std::vector<std::string>& overrides) -> std::string {
        const FreshKernel kernel;
        return refused_with([&] {
            const TlmInterconnect interconnect("interconnect", config_with(overrides),
                                               cycle_fabric);
        });
    };
    EXPECT_EQ(error_of(with(kOwnResponses, "interconnect.request_queue=1")), "");
    std::vector<std::string> shared = kOwnResponses;
    shared.push_back("interconnect.request_queue=1");
    shared.push_back("interconnect.response_class=request");
    EXPECT_EQ(error_of(shared), "");  // no request comes back to where a response waits
    shared.push_back("interconnect.initiators=[5, 6]");
    EXPECT_THAT(error_of(shared),
                AllOf(HasSubstr("requests and responses may deadlock"), HasSubstr("link_"),
                      HasSubstr("interconnect.response_class")));
    EXPECT_EQ(error_of(with(shared, "fabric.allow_deadlock=true")), "");
    EXPECT_EQ(error_of(with(shared, "interconnect.request_queue=0")), "");
}

TEST(RequestQueue, OnlyOfNodesWithTargetsIsInTheCheck) {
    // Responses of the only target leave its router, and by dimension order nothing that has left
    // a router comes back to it.
    const FreshKernel kernel;
    const TlmInterconnect interconnect(
        "interconnect",
        config_with({"interconnect.initiators=[1, 4, 9]", "interconnect.request_queue=1"}),
        cycle_fabric);
}

TEST(RequestQueue, OnlyOfLinksThatAccessesTakeIsInTheCheck) {
    // One initiator at the end of a line: requests go one way, responses the other.
    const FreshKernel kernel;
    const TlmInterconnect interconnect(
        "interconnect",
        config_with(
            {"fabric.topology={kind: mesh, dims: [3]}",
             "interconnect={initiators: [0], request_queue: 1, targets: [{node: 1, base: 0, "
             "size: 16}, {node: 2, base: 16, size: 16}]}"}),
        cycle_fabric);
}

TEST(RequestQueue, OnlyOfLinksThatResponsesTakeIsInTheCheck) {
    // Two neighbours A and B, and initiators in their rows (or columns). Requests come to B from A
    // and to A from B; by dimension order responses turn before, and leave over other links.
    for (const std::string& nodes :
         {std::string("initiators: [7, 11], targets: [{node: 5, base: 0, size: 16}, {node: 9,"),
          std::string("initiators: [13, 14], targets: [{node: 5, base: 0, size: 16}, {node: 6,")}) {
        const FreshKernel kernel;
        const TlmInterconnect interconnect(
            "interconnect",
            config_with({"interconnect={" + nodes + " base: 16, size: 16}], request_queue: 1}"}),
            cycle_fabric);
    }
}

/// How many reads of three initiators end within 3 us if the first one's access ends without an
/// answer: by an exception of its target, or as its thread is killed after so many ns.
unsigned int reads_beside(const std::function<void(Platform&, PayloadPool&)>& first) {
    const FreshKernel kernel;
    PayloadPool pool;
    Platform platform(config_with(with(kOwnResponses, "interconnect.request_queue=1")),
                      cycle_fabric);
    unsigned int done = 0;
    platform.memories[0]->latency = [] { return ns(20); };
    for (std::size_t i = 0; i < 3; ++i) {
        platform.initiators[i]->script = [&, i] {
            if (i == 0) first(platform, pool);
            sc_core::wait(ns(100) - sc_core::sc_time_stamp());
            for (int n = 0; n < 3; ++n) {
                platform.initiators[i]->transport(pool.get(TLM_READ_COMMAND, kBase, 4));
                ++done;
            }
        };
    }
    sc_core::sc_start(ns(3000));
    return done;
}

TEST(RequestQueue, HasItsPlaceBackWhenAnAccessEndsWithoutAnAnswer) {
    for (const double after : {0.5, 1.5, 3.0, 7.0, 9.5, 20.0, 27.0, 30.0, 40.0}) {
        EXPECT_EQ(reads_beside([after](Platform& p, PayloadPool& pool) {
                      sc_core::sc_process_handle thread = sc_core::sc_spawn([&p, &pool] {
                          p.initiators[0]->transport(pool.get(TLM_READ_COMMAND, kBase, 4));
                      });
                      sc_core::wait(ns(after));
                      thread.kill();
                  }),
                  9U)
            << after;
    }
    EXPECT_EQ(reads_beside([](Platform& p, PayloadPool& pool) {
                  bool is_first = true;
                  p.memories[0]->latency = [&is_first] {
                      if (std::exchange(is_first, false)) throw std::runtime_error("no memory");
                      return ns(20);
                  };
                  EXPECT_THROW(p.initiators[0]->transport(pool.get(TLM_READ_COMMAND, kBase, 4)),
                               std::runtime_error);
                  p.memories[0]->latency = [] { return ns(20); };
              }),
              9U);
}

TEST(RequestQueue, NeedsNodesAndPacketsThatCanWait) {
    const auto error_of = [](const std::string& override) -> std::string {
        return refused_with([&] { config_with({"interconnect.request_queue=1", override}); });
    };
    EXPECT_EQ(error_of("seed=2"), "");
    EXPECT_THAT(error_of("node.port_model=independent"),
                HasSubstr("nodes with a channel per link accept all requests"));
    EXPECT_THAT(error_of("fabric.router=rtl"),
                HasSubstr("RTL routers hand a node all requests that arrive"));
    EXPECT_THAT(error_of("node.packet_bytes=4"),
                AllOf(HasSubstr("its header is more"), HasSubstr("node.packet_bytes: 8 or more")));
}

TEST(RequestQueue, TakesRequestsOfOnePacket) {
    const Config config = config_with(
        with(with(kOwnResponses, "interconnect.request_queue=1"), "node.packet_bytes=64"));
    EXPECT_EQ(report_of(config, {0, 1}, 56), "");
    EXPECT_THAT(report_of(config, {0, 1}, 57),
                AllOf(HasSubstr("/flitscope/interconnect/length"),
                      HasSubstr("a request is a single packet, not 2"),
                      HasSubstr("set node.packet_bytes: 65 or more")));
    EXPECT_THAT(report_of(config, {0, 0}),
                HasSubstr("with interconnect.request_queue: 1 all have the classes of the"));
}

}  // namespace
}  // namespace flitscope
