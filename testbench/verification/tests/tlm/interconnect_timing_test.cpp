// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Annotated timing of an interconnect, and what observers are told of accesses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/tlm/interconnect_platform.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tlm::TLM_READ_COMMAND;
using tlm::TLM_WRITE_COMMAND;

const std::string kAnnotated = "interconnect.timing=annotated";

/// The time of the response to one access issued at `start`, of a memory that needs 2.5 ns.
sc_core::sc_time response_time(const Config& config, tlm::tlm_command command, unsigned int length,
                               double start, bool blocking) {
    const FreshKernel kernel;
    PayloadPool pool;
    Platform platform(config, nullptr);
    sc_core::sc_time ended;
    platform.memories[0]->latency = [] { return ns(2.5); };
    Initiator& initiator = *platform.initiators[0];
    initiator.script = [&] {
        if (start > 0) sc_core::wait(ns(start));
        Payload& payload = pool.get(command, kBase, length);
        if (!blocking) initiator.issue(payload);
        ended = blocking ? initiator.transport(payload) : initiator.await(payload);
    };
    platform.run();
    return ended;
}

TEST(AnnotatedTiming, IsExactForAnAccessThatMeetsNoOther) {
    std::mt19937 random(7);
    const auto pick = [&random](const std::vector<std::string>& all) {
        return all[random() % all.size()];
    };
    for (int i = 0; i < 60; ++i) {
        const std::vector<std::string> overrides = {
            "fabric.topology=" + pick({"{kind: mesh, dims: [4, 4]}", "{kind: torus, dims: [4, 4]}",
                                       "{kind: hypercube, dimensions: 4}",
                                       "{kind: mesh, dims: [8], concentration: 2}"}),
            "fabric.virtual_channels=2",
            "fabric.switch_arbitration=per_packet",
            "fabric.router_delay=" + pick({"1", "3"}),
            "fabric.link_delay=" + pick({"1", "4"}),
            "fabric.buffer_depth=" + pick({"1", "3", "16"}),
            "fabric.flit_bits=" + pick({"32", "128"}),
            "node.send_overhead=" + pick({"0", "5"}),
            "node.recv_overhead=" + pick({"0", "2"}),
            "clock_ns=" + pick({"1", "0.7"}),
            "interconnect.initiators=[" + std::to_string(random() % 16) + "]"};
        SCOPED_TRACE(testing::PrintToString(overrides));
        const auto command = random() % 2 == 0 ? TLM_READ_COMMAND : TLM_WRITE_COMMAND;
        const auto length = static_cast<unsigned int>(1 + random() % 300);
        const double start = static_cast<double>(random() % 1000) / 8;
        std::vector<std::string> annotated = overrides;
        annotated.push_back(kAnnotated);
        const sc_core::sc_time exact =
            response_time(config_with(overrides), command, length, start, true);
        for (const bool blocking : {true, false}) {
            EXPECT_EQ(response_time(config_with(annotated), command, length, start, blocking),
                      exact)
                << length << " bytes at " << start;
        }
    }
}

TEST(AnnotatedTiming, AddsToTheDelayAndTakesNoTime) {
    const FreshKernel kernel;
    PayloadPool pool;
    Platform platform(config_with({kAnnotated}), nullptr);
    platform.memories[0]->latency = [] { return ns(100); };
    platform.initiators[0]->script = [&] {
        // As interconnect_test: 8 cycles to the memory, which is left 100 later, 10 back.
        for (const double local : {0.0, 10.0, 300.0}) {
            sc_core::sc_time delay = ns(local);
            platform.initiators[0]->socket->b_transport(pool.get(TLM_READ_COMMAND, kBase, 16),
                                                        delay);
            EXPECT_EQ(delay, ns(local + 118));
            EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
        }
    };
    platform.run();
    const SocketCounts& counts = platform.interconnect.counts_of_initiator(0);
    EXPECT_EQ(counts.transactions, 3U);
    EXPECT_EQ(counts.outstanding, 0U);
    EXPECT_EQ(counts.latency.mean(), 118);
    EXPECT_EQ(platform.interconnect.counts_of_target(0).latency.mean(), 100);
    for (const ChannelCount& channel : platform.interconnect.channel_counts()) {
        EXPECT_EQ(channel.flits, 0U) << channel.name;
    }
}

TEST(AnnotatedTiming, LetsAnInitiatorRunAheadByItsQuantum) {
    const FreshKernel kernel;
    PayloadPool pool;
    Platform platform(config_with({kAnnotated}), nullptr);
    unsigned int syncs = 0;
    sc_core::sc_time end;
    platform.initiators[0]->script = [&] {
        tlm_utils::tlm_quantumkeeper keeper;
        tlm::tlm_global_quantum::instance().set(ns(100));
        keeper.reset();
        for (int i = 0; i < 40; ++i) {
            sc_core::sc_time local = keeper.get_local_time();
            Payload& payload = pool.get(TLM_READ_COMMAND, kBase, 16);
            platform.initiators[0]->socket->b_transport(payload, local);
            keeper.set(local);
            if (!keeper.need_sync()) continue;
            keeper.sync();
            ++syncs;
        }
        keeper.sync();
        end = sc_core::sc_time_stamp();
    };
    platform.run();
    EXPECT_EQ(end, ns(40 * 18));
    EXPECT_LE(syncs, 40 * 18 / 100);
    EXPECT_GT(syncs, 4U);
}

TEST(AnnotatedTiming, KeepsTheOrderOfRequestsToATarget) {
    const FreshKernel kernel;
    PayloadPool pool;
    Platform platform(config_with({kAnnotated}), nullptr);
    Initiator& initiator = *platform.initiators[0];
    initiator.script = [&] {
        Payload& write = pool.get(TLM_WRITE_COMMAND, kBase, 256);
        write.get_data_ptr()[0] = 7;
        Payload& read = pool.get(TLM_READ_COMMAND, kBase, 8);
        initiator.issue(write);
        initiator.issue(read);
        initiator.await(read);
        EXPECT_EQ(read.get_data_ptr()[0], 7);
        initiator.await(write);
    };
    platform.run();
}

TEST(AnnotatedTiming, DoesNotCountBlockingAccessesAsOutstanding) {
    const FreshKernel kernel;
    PayloadPool pool;
    Platform platform(config_with({kAnnotated, "interconnect.outstanding=1"}), nullptr);
    Initiator& initiator = *platform.initiators[0];
    initiator.script = [&] {
        sc_core::sc_process_handle blocked = sc_core::sc_spawn([&] {
            platform.memories[0]->latency = [] {
                sc_core::wait(ns(1000));
                return sc_core::SC_ZERO_TIME;
            };
            initiator.transport(pool.get(TLM_READ_COMMAND, kBase, 8));
        });
        sc_core::wait(ns(10));
        platform.memories[0]->latency = [] { return sc_core::SC_ZERO_TIME; };
        Payload& payload = pool.get(TLM_READ_COMMAND, kBase, 8);
        initiator.issue(payload);
        initiator.await(payload);
        EXPECT_EQ(initiator.accepted[&payload], ns(11));
        if (!blocked.terminated()) sc_core::wait(blocked.terminated_event());
    };
    platform.run();
    EXPECT_EQ(platform.interconnect.counts_of_initiator(0).outstanding, 0U);
}

TEST(AnnotatedTiming, IsRightForAccessesOfFourGigabytes) {
    const FreshKernel kernel;
    Platform platform(config_with({kAnnotated, "interconnect.dmi=true"}), nullptr);
    Memory& memory = *platform.memories[0];
    memory.grant_direct_accesses();
    platform.initiators[0]->script = [&] {
        tlm::tlm_generic_payload payload;
        payload.set_address(kBase);
        payload.set_data_length(0xfffffff8);
        payload.set_streaming_width(4);
        tlm::tlm_dmi dmi;
        EXPECT_TRUE(platform.initiators[0]->socket->get_direct_mem_ptr(payload, dmi));
        EXPECT_GT(dmi.get_read_latency(), ns(0xfffffff8 / 8));
    };
    platform.run();
}

TEST(AnnotatedTiming, AddsTheQueueingOfALoadedNetworkToEachMessage) {
    const Config config = config_with({kAnnotated, "interconnect.queueing=7"});
    for (const bool blocking : {true, false}) {
        EXPECT_EQ(
            response_time(config, TLM_READ_COMMAND, 16, 0, blocking),
            response_time(config_with({kAnnotated}), TLM_READ_COMMAND, 16, 0, blocking) + ns(14));
    }
}

TEST(AnnotatedTiming, AloneHasQueueing) {
    EXPECT_THAT(refused_with([&] { config_with({"interconnect.queueing=7"}); }),
                HasSubstr("interconnect.timing"));
}

TEST(AnnotatedTiming, IsInTheLatenciesOfDirectAccesses) {
    for (const bool annotated : {true, false}) {
        const FreshKernel kernel;
        PayloadPool pool;
        std::vector<std::string> overrides = {"interconnect.dmi=true"};
        if (annotated) overrides.push_back(kAnnotated);
        Platform platform(config_with(overrides), nullptr);
        Memory& memory = *platform.memories[0];
        memory.grant_direct_accesses();
        memory.dmi.set_read_latency(ns(3));
        platform.initiators[0]->script = [&] {
            tlm::tlm_dmi dmi;
            Payload& payload = pool.get(TLM_READ_COMMAND, kBase, 16);
            EXPECT_TRUE(platform.initiators[0]->socket->get_direct_mem_ptr(payload, dmi));
            // A read as in interconnect_test; a write has the long message on its way there.
            EXPECT_EQ(dmi.get_read_latency(), ns(annotated ? 3 + 18 : 3));
            EXPECT_EQ(dmi.get_write_latency(), ns(annotated ? 18 : 0));
        };
        platform.run();
    }
}

std::vector<double> times_of(const Access& access) {
    std::vector<double> times;
    for (const sc_core::sc_time& time :
         {access.issued, access.admitted, access.request_sent, access.arrived, access.served,
          access.answered, access.response_sent, access.returned, access.ended}) {
        times.push_back(time / ns(1));
    }
    return times;
}

TEST_P(InterconnectTest, TellsObserversWhenEveryPartOfAnAccessEnds) {
    for (const bool blocking : {true, false}) {
        AccessList list;
        play(config_with({"interconnect.outstanding=1"}), [&](Platform& p) {
            p.interconnect.observe(list);
            p.memories[0]->latency = [] { return ns(3.5); };
            p.initiators[0]->script = [&, blocking] {
                Payload& read = pool_.get(TLM_READ_COMMAND, kBase + 16, 16);
                if (blocking) {
                    p.initiators[0]->transport(read);
                } else {
                    p.initiators[0]->issue(read, ns(0.5));
                    Payload& write = pool_.get(TLM_WRITE_COMMAND, kBase + 8, 4);
                    p.initiators[0]->issue(write);
                    p.initiators[0]->await(read);
                    p.initiators[0]->await(write);
                }
            };
        });
        ASSERT_EQ(list.accesses.size(), blocking ? 1U : 2U);
        const Access& read = list.accesses[0];
        // There in 8; answered in 11.5; sent in 12, delivered in 20 and there in 21.
        const double issued = blocking ? 0 : 0.5;
        EXPECT_THAT(times_of(read), ElementsAre(issued, issued, 1, 8, 8, 11.5, 12, 21, 21));
        EXPECT_EQ(read.address, kBase + 16);
        EXPECT_EQ(read.bytes, 16U);
        EXPECT_STREQ(read.command_name(), "read");
        EXPECT_NE(read.request, kNoMessage);
        EXPECT_NE(read.response, read.request);
        EXPECT_EQ(read.latency(), ns(21 - issued));
        if (blocking) continue;
        // It waits until the one before it has ended; 12 bytes are 2 flits and a header.
        EXPECT_THAT(times_of(list.accesses[1]), ElementsAre(1, 21, 22, 30, 30, 33.5, 34, 41, 41));
        EXPECT_STREQ(list.accesses[1].command_name(), "write");
    }
}

TEST(AnnotatedTiming, TellsObserversToo) {
    const FreshKernel kernel;
    PayloadPool pool;
    AccessList list;
    Platform platform(config_with({kAnnotated}), nullptr);
    platform.interconnect.observe(list);
    platform.initiators[0]->script = [&] {
        sc_core::sc_time delay = ns(50.5);
        platform.initiators[0]->socket->b_transport(pool.get(TLM_READ_COMMAND, kBase, 16), delay);
    };
    platform.run();
    ASSERT_EQ(list.accesses.size(), 1U);
    EXPECT_THAT(times_of(list.accesses[0]), ElementsAre(50.5, 50.5, 51, 58, 58, 58, 59, 68, 68));
    EXPECT_EQ(list.accesses[0].request, kNoMessage);
}

TEST_P(InterconnectTest, SaysWhatAMessageCarriesWhileItIsUnderWay) {
    struct Packets final : PacketObserver {
        void on_packet(const PacketRecord&) override {}
    };
    std::vector<std::string> seen;
    play(config_with(), [&](Platform& p) {
        p.initiators[0]->script = [&] {
            p.initiators[0]->issue(pool_.get(TLM_WRITE_COMMAND, kBase + 64, 16));
            sc_core::wait(ns(5));
            for (MessageId id = 0; id < 4; ++id) {
                const CarriedAccess* const access = p.interconnect.access_of(id);
                if (access == nullptr) continue;
                seen.push_back(std::string(access->command_name()) + ' ' +
                               std::to_string(access->address - kBase) +
                               (access->is_response ? " response" : " request"));
            }
            sc_core::wait(ns(9));
            for (MessageId id = 0; id < 4; ++id) {
                const CarriedAccess* const access = p.interconnect.access_of(id);
                if (access != nullptr && access->is_response) seen.push_back("response");
            }
            sc_core::wait(ns(50));
            for (MessageId id = 0; id < 4; ++id) {
                EXPECT_EQ(p.interconnect.access_of(id), nullptr);
            }
        };
    });
    EXPECT_THAT(seen, ElementsAre("write 64 request", "response"));
}

TEST_P(InterconnectTest, TellsObserversOfAccessesThatAreGivenUp) {
    AccessList list;
    const FreshKernel kernel;
    Platform platform(config_with(), GetParam().make);
    platform.interconnect.observe(list);
    Initiator& initiator = *platform.initiators[0];
    initiator.script = [&] {
        sc_core::sc_process_handle thread =
            sc_core::sc_spawn([&] { initiator.transport(pool_.get(TLM_READ_COMMAND, kBase, 4)); });
        sc_core::wait(ns(4));
        thread.kill();
    };
    sc_core::sc_start();  // the checker does not expect that
    EXPECT_TRUE(list.accesses.empty());
    ASSERT_EQ(list.abandoned.size(), 1U);
    EXPECT_EQ(list.abandoned[0].arrived, sc_core::SC_ZERO_TIME);
}

INSTANTIATE_TEST_SUITE_P(Engines, InterconnectTest, testing::ValuesIn(engines()), engine_name);

}  // namespace
}  // namespace flitscope
