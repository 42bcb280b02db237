// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The sockets of an interconnect: they bind to sockets of every width, in every way that TLM-2.0
// has, and count what passes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "testbench/verification/tests/tlm/interconnect_platform.h"

namespace flitscope {
namespace {

using tlm::TLM_OK_RESPONSE;
using tlm::TLM_READ_COMMAND;
using tlm::TLM_WRITE_COMMAND;

// ---- Width --------------------------------------------------------------------------------------

template <unsigned int Width>
struct WideInitiator final : sc_core::sc_module {
    SC_HAS_PROCESS(WideInitiator);
    explicit WideInitiator(sc_core::sc_module_name name) : sc_module(name) { SC_THREAD(run); }
    void run() {
        for (const tlm::tlm_command command : {TLM_WRITE_COMMAND, TLM_READ_COMMAND}) {
            tlm::tlm_generic_payload payload;
            payload.set_command(command);
            payload.set_address(kBase + 8);
            payload.set_data_ptr(data);
            payload.set_data_length(16);
            payload.set_streaming_width(16);
            sc_core::sc_time delay;
            socket->b_transport(payload, delay);
            EXPECT_EQ(payload.get_response_status(), TLM_OK_RESPONSE);
            std::memset(data, command == TLM_WRITE_COMMAND ? 0 : data[0], 16);
        }
        end = sc_core::sc_time_stamp();
    }

    tlm_utils::simple_initiator_socket<WideInitiator, Width> socket{"socket"};
    unsigned char data[16] = {42};
    sc_core::sc_time end;
};

template <unsigned int Width>
struct WideMemory final : sc_core::sc_module {
    explicit WideMemory(sc_core::sc_module_name name) : sc_module(name) {
        socket.register_b_transport(this, &WideMemory::access);
    }
    void access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
        unsigned char* const here = bytes + payload.get_address();
        if (payload.is_write()) std::memcpy(here, payload.get_data_ptr(), 16);
        if (payload.is_read()) std::memcpy(payload.get_data_ptr(), here, 16);
        payload.set_response_status(TLM_OK_RESPONSE);
    }

    tlm_utils::simple_target_socket<WideMemory, Width> socket{"socket"};
    unsigned char bytes[64] = {};
};

/// An interconnect within a module, whose own sockets have a width.
template <unsigned int Width>
struct Subsystem final : sc_core::sc_module {
    Subsystem(sc_core::sc_module_name name, const FabricMaker& make)
        : sc_module(name), interconnect(make_interconnect(config_with(), make)) {
        in.bind(interconnect->from_initiator[0]);
        interconnect->to_target[0].bind(out);
    }

    tlm::tlm_target_socket<Width> in{"in"};
    tlm::tlm_initiator_socket<Width> out{"out"};
    std::unique_ptr<TlmInterconnect> interconnect;
};

enum class Bind { kFromOutside, kFromInside, kByCall, kThroughAModule };

/// When a write and a read end that go from a socket of one width to one of another.
template <unsigned int From, unsigned int To>
sc_core::sc_time end_with(const FabricMaker& make, Bind how) {
    const FreshKernel kernel;
    WideInitiator<From> initiator("initiator");
    WideMemory<To> memory("memory");
    std::unique_ptr<TlmInterconnect> interconnect;
    std::unique_ptr<Subsystem<From>> subsystem;
    if (how == Bind::kThroughAModule) {
        if constexpr (From == To) {
            subsystem = std::make_unique<Subsystem<From>>("subsystem", make);
            initiator.socket.bind(subsystem->in);
            subsystem->out.bind(memory.socket);
        }
    } else {
        interconnect = make_interconnect(config_with(), make);
        WideTargetSocket& in = interconnect->from_initiator[0];
        WideInitiatorSocket& out = interconnect->to_target[0];
        if (how == Bind::kFromOutside) {
            initiator.socket.bind(in);
            memory.socket.bind(out);
        } else if (how == Bind::kFromInside) {
            in.bind(initiator.socket);
            out.bind(memory.socket);
        } else {
            initiator.socket(in);
            out(memory.socket);
        }
        EXPECT_EQ(std::string(in.name()), "interconnect.from_initiator_0");
    }
    sc_core::sc_start();
    EXPECT_EQ(initiator.data[0], 42);
    EXPECT_EQ(memory.bytes[8], 42);
    return initiator.end;
}

TEST_P(InterconnectTest, SocketsOfEveryWidthBindAndCostTheSameTime) {
    const FabricMaker& make = GetParam().make;
    // As ReadTakesTheTimeOfItsTwoMessages: 18 ns, and as much for the write.
    for (const Bind how : {Bind::kFromOutside, Bind::kFromInside, Bind::kByCall}) {
        EXPECT_EQ((end_with<32, 32>(make, how)), ns(36));
        EXPECT_EQ((end_with<64, 64>(make, how)), ns(36));
        EXPECT_EQ((end_with<64, 128>(make, how)), ns(36));
        EXPECT_EQ((end_with<32, 512>(make, how)), ns(36));
    }
    EXPECT_EQ((end_with<32, 32>(make, Bind::kThroughAModule)), ns(36));
    EXPECT_EQ((end_with<64, 64>(make, Bind::kThroughAModule)), ns(36));
}

/// Binds one socket to as many initiators as there are.
struct SeveralInitiators final : sc_core::sc_module {
    explicit SeveralInitiators(sc_core::sc_module_name name) : sc_module(name) {}
    tlm_utils::multi_passthrough_initiator_socket<SeveralInitiators, 64> socket{"socket"};
};

/// As sockets of others that adapt themselves to the width that they are bound to.
template <unsigned int Width>
unsigned int deduced(const TargetFace<Width>&) {
    return Width;
}
template <unsigned int Width>
unsigned int deduced(const InitiatorFace<Width>&) {
    return Width;
}

TEST_P(InterconnectTest, ASocketIsOneOf32BitsAndOfOthers) {
    const FreshKernel kernel;
    const auto interconnect = make_interconnect(config_with(kTwoInitiators), GetParam().make);
    tlm::tlm_target_socket<>& in = interconnect->from_initiator[0];
    tlm::tlm_initiator_socket<>& out = interconnect->to_target[0];
    EXPECT_EQ(in.get_bus_width(), 32U);
    EXPECT_EQ(out.get_bus_width(), 32U);
    const TargetFace<64>& wide = interconnect->from_initiator[0];
    EXPECT_EQ(wide.get_bus_width(), 64U);
    EXPECT_EQ(wide.get_socket_category(), tlm::TLM_TARGET_SOCKET);
    const InitiatorFace<128>& wider = interconnect->to_target[0];
    EXPECT_EQ(wider.get_bus_width(), 128U);
    EXPECT_EQ(deduced(in), 32U);
    EXPECT_EQ(deduced(out), 32U);
    EXPECT_EQ(deduced(wide), 64U);
    EXPECT_EQ(deduced(wider), 128U);
    // Those look for an export behind what they are given.
    SeveralInitiators several("several");
    several.socket.bind(interconnect->from_initiator[0]);
    several.socket.bind(interconnect->from_initiator[1]);
    Memory memory("memory", 0x1000);
    interconnect->to_target[0].bind(memory.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(several.socket.size(), 2U);
    Payload& payload = pool_.get(TLM_READ_COMMAND, kBase, 4);
    EXPECT_EQ(several.socket[1]->transport_dbg(payload), 4U);
}

// ---- Counts -------------------------------------------------------------------------------------

TEST_P(InterconnectTest, SocketsCountWhatPasses) {
    play(config_with({"interconnect.outstanding=2"}), [&](Platform& p) {
        p.memories[0]->latency = [] { return ns(2.5); };
        Initiator& initiator = *p.initiators[0];
        initiator.script = [&] {
            initiator.transport(
                pool_.get(TLM_READ_COMMAND, kBase, 16));  // 18 ns, and 2 cycles later
            initiator.transport(pool_.get(TLM_WRITE_COMMAND, kBase, 256));  // 48
            initiator.transport(pool_.get(TLM_READ_COMMAND, 0x9000, 16));
            const SocketCounts& from = p.interconnect.counts_of_initiator(0);
            EXPECT_EQ(from.name, "interconnect.from_initiator_0");
            EXPECT_EQ(from.node, NodeId(0));
            EXPECT_EQ(from.transactions, 2U);
            EXPECT_EQ(from.bytes_read, 16U);
            EXPECT_EQ(from.bytes_written, 256U);
            EXPECT_EQ(from.refused, 1U);
            EXPECT_EQ(from.outstanding, 0U);
            EXPECT_EQ(from.most_outstanding, 1U);
            EXPECT_EQ(from.latency.percentile(50), 20U);
            EXPECT_EQ(from.latency.max(), 50U);
            EXPECT_EQ(from.stalls.max(), 0U);
            const SocketCounts& to = p.interconnect.counts_of_target(0);
            EXPECT_EQ(to.name, "interconnect.to_target_0");
            EXPECT_EQ(to.node, NodeId(5));
            EXPECT_EQ(to.transactions, 2U);
            EXPECT_EQ(to.bytes_read + to.bytes_written, 272U);
            EXPECT_EQ(to.latency.mean(), 3);  // rounded up
            EXPECT_EQ(to.most_outstanding, 1U);
            std::vector<Payload*> payloads;
            for (int i = 0; i < 4; ++i) {
                payloads.push_back(&pool_.get(TLM_READ_COMMAND, kBase, 16));
                initiator.issue(*payloads.back());
            }
            EXPECT_EQ(from.outstanding, 2U);
            for (Payload* payload : payloads) initiator.await(*payload);
            EXPECT_EQ(from.transactions, 6U);
            EXPECT_EQ(from.most_outstanding, 2U);
            EXPECT_GT(from.stalls.max(), 10U);  // the third and the fourth
            EXPECT_EQ(from.stalls.count(), 6U);
            EXPECT_EQ(to.transactions, 6U);
        };
    });
}

TEST_P(InterconnectTest, SocketsCountTheWaitForASlowTarget) {
    play(config_with(), [&](Platform& p) {
        p.memories[0]->accept_time = ns(30);
        p.initiators[0]->script = [&] {
            Payload& first = pool_.get(TLM_READ_COMMAND, kBase, 16);
            Payload& second = pool_.get(TLM_READ_COMMAND, kBase, 16);
            p.initiators[0]->issue(first);
            p.initiators[0]->issue(second);
            p.initiators[0]->await(first);
            p.initiators[0]->await(second);
            // They arrive at 8 and at 10, the first is accepted at 38.
            const SocketCounts& to = p.interconnect.counts_of_target(0);
            EXPECT_EQ(to.stalls.max(), 28U);
            EXPECT_EQ(to.stalls.percentile(50), 0U);
            EXPECT_EQ(to.latency.max(), 58U);
        };
    });
}

TEST_P(InterconnectTest, AnAccessThatIsGivenUpIsUnderWayNoMore) {
    // At whatever place it is: not yet admitted, on the way, at the target, on the way back.
    for (int after = 0; after < 30; ++after) {
        SCOPED_TRACE(after);
        const FreshKernel kernel;
        const auto interconnect =
            make_interconnect(config_with({"interconnect.outstanding=1"}), GetParam().make);
        Initiator initiator("initiator");
        Memory memory("memory", 0x1000);
        memory.latency = [] { return ns(3); };
        initiator.socket.bind(interconnect->from_initiator[0]);
        interconnect->to_target[0].bind(memory.socket);
        initiator.script = [&] {
            Payload& payload = pool_.get(TLM_READ_COMMAND, kBase, 16);
            sc_core::sc_process_handle thread =
                sc_core::sc_spawn([&] { initiator.transport(payload); });
            sc_core::wait(ns(after));
            thread.kill();
        };
        sc_core::sc_start();
        EXPECT_EQ(interconnect->counts_of_initiator(0).outstanding, 0U);
        EXPECT_EQ(interconnect->counts_of_target(0).outstanding, 0U);
        if (after == 21) continue;  // then it ends by itself, in the same time
        EXPECT_EQ(interconnect->counts_of_initiator(0).transactions, after > 21 ? 1U : 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, InterconnectTest, testing::ValuesIn(engines()), engine_name);

}  // namespace
}  // namespace flitscope
