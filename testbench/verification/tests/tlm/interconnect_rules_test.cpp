// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Direct memory access and debug transport; and errors: broken rules of the protocol, and networks
// that do not fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/tlm/interconnect_platform.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tlm::TLM_OK_RESPONSE;
using tlm::TLM_READ_COMMAND;

struct DmiAnswer {
    bool granted = false;
    tlm::tlm_dmi data;
};

DmiAnswer ask_for_dmi(Initiator& initiator, PayloadPool& pool, std::uint64_t address) {
    DmiAnswer answer;
    Payload& payload = pool.get(TLM_READ_COMMAND, address, 4);
    answer.granted = initiator.socket->get_direct_mem_ptr(payload, answer.data);
    return answer;
}

TEST_P(InterconnectTest, DirectMemoryAccessIsRefusedUnlessConfigured) {
    play(config_with(), [&](Platform& p) {
        p.memories[0]->dmi_granted = true;
        p.memories[0]->dmi_hint = true;
        p.memories[0]->last_address = 99;
        p.initiators[0]->script = [&] {
            const DmiAnswer there = ask_for_dmi(*p.initiators[0], pool_, 0x1234);
            EXPECT_FALSE(there.granted);
            EXPECT_TRUE(there.data.is_read_write_allowed());  // the refused access
            EXPECT_EQ(there.data.get_start_address(), 0x1000U);
            EXPECT_EQ(there.data.get_end_address(), 0x1fffU);
            EXPECT_EQ(p.memories[0]->last_address, 99U);
            Payload& payload = pool_.get(TLM_READ_COMMAND, kBase, 4);
            p.initiators[0]->transport(payload);
            EXPECT_FALSE(payload.is_dmi_allowed());
        };
    });
}

TEST_P(InterconnectTest, DirectMemoryAccessIsGrantedWithinTheWindow) {
    play(config_with({"interconnect.dmi=true"}), [&](Platform& p) {
        Memory& memory = *p.memories[0];
        memory.dmi_granted = true;
        memory.dmi_hint = true;
        memory.dmi.allow_read();
        memory.dmi.set_dmi_ptr(memory.bytes.data());
        memory.dmi.set_read_latency(ns(3));
        p.initiators[0]->script = [&] {
            const DmiAnswer all = ask_for_dmi(*p.initiators[0], pool_, 0x1234);
            EXPECT_TRUE(all.granted);
            EXPECT_EQ(memory.last_address, 0x234U);
            EXPECT_FALSE(all.data.is_write_allowed());
            EXPECT_EQ(all.data.get_dmi_ptr(), memory.bytes.data());
            EXPECT_EQ(all.data.get_start_address(), 0x1000U);
            EXPECT_EQ(all.data.get_end_address(), 0x1fffU);  // clipped
            EXPECT_EQ(all.data.get_read_latency(), ns(3));
            memory.dmi.set_start_address(0x200);
            memory.dmi.set_end_address(0x2ff);
            const DmiAnswer part = ask_for_dmi(*p.initiators[0], pool_, 0x1234);
            EXPECT_EQ(part.data.get_start_address(), 0x1200U);
            EXPECT_EQ(part.data.get_end_address(), 0x12ffU);
            memory.dmi_granted = false;
            EXPECT_FALSE(ask_for_dmi(*p.initiators[0], pool_, 0x1234).granted);
            const DmiAnswer nowhere = ask_for_dmi(*p.initiators[0], pool_, 0x2000);
            EXPECT_FALSE(nowhere.granted);
            EXPECT_EQ(nowhere.data.get_start_address(), 0x2000U);
            EXPECT_EQ(nowhere.data.get_end_address(), UINT64_MAX);
            Payload& payload = pool_.get(TLM_READ_COMMAND, kBase, 4);
            p.initiators[0]->transport(payload);
            EXPECT_TRUE(payload.is_dmi_allowed());
        };
    });
}

TEST_P(InterconnectTest, InvalidationsReachAllInitiatorsAsTheirAddresses) {
    play(config_with(kTwoInitiators), [&](Platform& p) {
        p.initiators[0]->script = [&] {
            p.memories[0]->invalidate(0x10, 0x1f);
            p.memories[0]->invalidate(0xff0, UINT64_MAX);
            p.memories[0]->invalidate(0x1000, 0x1001);  // not in the window
            for (const auto& initiator : p.initiators) {
                EXPECT_THAT(initiator->invalidated,
                            ElementsAre(std::pair(0x1010, 0x101f), std::pair(0x1ff0, 0x1fff)));
            }
        };
    });
}

TEST_P(InterconnectTest, DebugTransportTakesNoTime) {
    play(config_with(), [&](Platform& p) {
        p.memories[0]->bytes[0x10] = 42;
        p.initiators[0]->script = [&] {
            const auto debug = [&](std::uint64_t address, unsigned int length) {
                Payload& payload = pool_.get(TLM_READ_COMMAND, address, length);
                const unsigned int bytes = p.initiators[0]->socket->transport_dbg(payload);
                EXPECT_EQ(payload.get_address(), address);
                return std::pair<unsigned, int>(bytes, payload.get_data_ptr()[0]);
            };
            EXPECT_EQ(debug(0x1010, 4), std::pair(4U, 42));
            EXPECT_EQ(debug(0x2000, 4).first, 0U);
            EXPECT_EQ(debug(0x1ffe, 4).first, 0U);
            EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
        };
    });
}

// ---- Misuse -------------------------------------------------------------------------------------

std::string message_of(const std::function<void()>& misuse) {
    try {
        misuse();
    } catch (const sc_core::sc_report& report) {
        return report.get_msg();
    }
    return "no error";
}

/// An initiator without a checker between, which would see the violation first.
void misuse(const FabricMaker& make, const std::function<void(Initiator&)>& script,
            const std::vector<std::string>& overrides = {},
            const std::function<void(Memory&)>& prepare = {}) {
    const FreshKernel kernel;
    const std::unique_ptr<TlmInterconnect> interconnect =
        make_interconnect(config_with(overrides), make);
    Initiator initiator("initiator");
    Memory memory("memory", 0x1000);
    if (prepare) prepare(memory);
    initiator.socket.bind(interconnect->from_initiator[0]);
    interconnect->to_target[0].bind(memory.socket);
    initiator.script = [&] { script(initiator); };
    sc_core::sc_start();
    EXPECT_TRUE(initiator.finished);
}

TEST_P(InterconnectTest, BrokenRulesOfTheProtocolAreErrors) {
    const auto call = [](Initiator& initiator, Payload& payload, tlm::tlm_phase phase) {
        sc_core::sc_time delay;
        initiator.socket->nb_transport_fw(payload, phase, delay);
    };
    const std::string socket = "interconnect.from_initiator_0: ";
    misuse(GetParam().make, [&](Initiator& i) {
        Payload& payload = pool_.get(TLM_READ_COMMAND, kBase, 4);
        payload.set_mm(nullptr);
        EXPECT_EQ(message_of([&] { call(i, payload, tlm::BEGIN_REQ); }),
                  socket + "BEGIN_REQ of a transaction without memory manager");
    });
    misuse(GetParam().make, [&](Initiator& i) {
        Payload& payload = pool_.get(TLM_READ_COMMAND, kBase, 4);
        call(i, payload, tlm::BEGIN_REQ);
        EXPECT_EQ(
            message_of([&] { call(i, pool_.get(TLM_READ_COMMAND, kBase, 4), tlm::BEGIN_REQ); }),
            socket + "BEGIN_REQ before the END_REQ of the transaction before it");
        EXPECT_EQ(message_of([&] { call(i, payload, tlm::END_RESP); }),
                  socket + "END_RESP of a transaction whose response is not in progress");
        EXPECT_EQ(message_of([&] { call(i, payload, tlm::BEGIN_RESP); }),
                  socket + "BEGIN_RESP on the forward path");
        i.await_change();  // END_REQ
        EXPECT_EQ(message_of([&] { call(i, payload, tlm::BEGIN_REQ); }),
                  socket + "BEGIN_REQ of a transaction that is under way");
        i.await(payload);
    });
}

TEST_P(InterconnectTest, WhereErrorsDoNotThrowABrokenRuleHasNoEffect) {
    const sc_core::sc_actions before =
        sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_CACHE_REPORT);
    misuse(GetParam().make, [&](Initiator& i) {
        const auto begin = [&](Payload& payload) {
            sc_core::sc_time delay;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            EXPECT_EQ(i.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_ACCEPTED);
        };
        Payload& unmanaged = pool_.get(TLM_READ_COMMAND, kBase, 4);
        unmanaged.set_mm(nullptr);
        begin(unmanaged);
        Payload& payload = pool_.get(TLM_READ_COMMAND, kBase, 4);
        i.issue(payload);
        Payload& second = pool_.get(TLM_READ_COMMAND, kBase, 4);
        begin(second);
        i.await_change();  // END_REQ
        begin(payload);
        i.await(payload);
        sc_core::wait(ns(100));
        EXPECT_EQ(i.responded.size(), 1U);
        EXPECT_EQ(second.get_ref_count(), 1);
        i.issue(second);
        i.await(second);
        EXPECT_EQ(second.get_response_status(), TLM_OK_RESPONSE);
    });
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, before);
}

TEST_P(InterconnectTest, AnExceptionOfTheTargetEndsTheAccess) {
    bool throws = true;
    misuse(
        GetParam().make,
        [&](Initiator& i) {
            Payload& payload = pool_.get(TLM_READ_COMMAND, kBase + 8, 4);
            for (int access = 0; access < 3; ++access) {
                EXPECT_THROW(i.transport(payload), std::runtime_error);
                EXPECT_EQ(payload.get_address(), kBase + 8);
            }
            throws = false;
            i.transport(payload);
            EXPECT_EQ(payload.get_response_status(), TLM_OK_RESPONSE);
        },
        {"interconnect.outstanding=1"},
        [&](Memory& memory) {
            memory.latency = [&] {
                if (throws) throw std::runtime_error("out of order");
                return sc_core::SC_ZERO_TIME;
            };
        });
}

// Wherever its access is: not yet admitted, on the way, at the target, on the way back.
TEST_P(InterconnectTest, AThreadThatIsKilledEndsItsAccess) {
    for (int after = 0; after < 50; ++after) {
        SCOPED_TRACE(after);
        misuse(
            GetParam().make,
            [&](Initiator& i) {
                Payload* const payloads[] = {&pool_.get(TLM_READ_COMMAND, kBase + 8, 16),
                                             &pool_.get(TLM_READ_COMMAND, kBase + 8, 16)};
                sc_core::sc_process_handle threads[2];
                for (const int t : {0, 1}) {
                    threads[t] = sc_core::sc_spawn([&i, p = payloads[t]] { i.transport(*p); });
                }
                sc_core::wait(ns(after));
                threads[after % 2].kill();
                EXPECT_EQ(payloads[after % 2]->get_address(), kBase + 8);
                Payload& next = pool_.get(TLM_READ_COMMAND, kBase, 16);
                i.transport(next);
                EXPECT_EQ(next.get_response_status(), TLM_OK_RESPONSE);
            },
            {"interconnect.outstanding=1"},
            [](Memory& memory) { memory.latency = [] { return ns(3); }; });
    }
}

TEST_P(InterconnectTest, NeedsANetworkThatFits) {
    const auto error_of = [](const std::string& text) -> std::string {
        const FreshKernel kernel;
        return refused_with(
            [&] { make_interconnect(parse_config(text, "c.yaml"), GetParam().make); });
    };
    EXPECT_EQ(error_of("fabric: {topology: {kind: mesh, dims: [4]}}\ntraffic: {schedule: pex}\n"),
              "c.yaml: error: there is no 'interconnect' (set interconnect.initiators and "
              "interconnect.targets)");
}

TEST(Interconnect, RefusesARoutingThatCanDeadlock) {
    const FreshKernel kernel;
    const Config config = load_config(FLITSCOPE_CONFIGS "/ring_4_deadlock.yaml",
                                      {"fabric.allow_deadlock=false",
                                       "interconnect={initiators: [0], targets: [{node: 1, base: "
                                       "0, size: 1}]}"});
    EXPECT_THAT(refused_with([&] {
                    const TlmInterconnect interconnect("interconnect", config, cycle_fabric);
                }),
                HasSubstr("the routing can deadlock"));
}

TEST(Interconnect, RefusesInitiatorsAndTargetsAtDeadNodes) {
    for (const auto& [dead, what] : {std::pair(0, "an initiator is at node 0"),
                                     std::pair(5, "a target is at node 5"), std::pair(9, "")}) {
        const FreshKernel kernel;
        Config config = config_with();
        config.faults.emplace();
        config.faults->nodes = {static_cast<NodeId>(dead)};
        const std::string error = refused_with([&] { make_interconnect(config, nullptr); });
        if (*what == '\0') {
            EXPECT_EQ(error, "");
        } else {
            EXPECT_THAT(error, HasSubstr(what));
        }
    }
}

/// The error of the constructor for a configuration that was made or changed in code.
std::string refused_in_code(const std::function<void(Config&)>& change) {
    const FreshKernel kernel;
    Config config = config_with();
    change(config);
    return refused_with(
        [&] { const TlmInterconnect interconnect("interconnect", config, cycle_fabric); });
}

TEST(Interconnect, RefusesWhatWouldHaveNoEffect) {
    EXPECT_EQ(refused_in_code([](Config&) {}), "");
    EXPECT_THAT(refused_in_code([](Config& c) { c.interconnect->queueing = 3; }),
                HasSubstr("set interconnect.timing: annotated"));
    EXPECT_THAT(refused_in_code([](Config& c) { c.interconnect->response_class = "response"; }),
                HasSubstr("'interconnect.response_class' names a class of a fabric without"));
    EXPECT_THAT(refused_in_code([](Config& c) { c.fabric.planes = 2; }),
                HasSubstr("an interconnect has one plane"));
}

TEST(Interconnect, RefusesAccessesWithinARouterThatAllMessagesLeave) {
    const auto with = [](const std::string& initiators) {
        return [initiators](Config& c) {
            c = config_with(
                {"node.port_model=independent", "interconnect.initiators=" + initiators});
        };
    };
    EXPECT_THAT(refused_in_code(with("[0, 5]")),
                HasSubstr("the target at node 5 and the initiator at node 5 have one router"));
    EXPECT_EQ(refused_in_code(with("[0, 4]")), "");
}

TEST(Interconnect, NeedsACycleOfSeveralTicksOfTheKernel) {
    EXPECT_THAT(refused_in_code([](Config& c) { c.clock_ns = 0.001; }),
                HasSubstr("is no longer than the time resolution of this kernel, 1 ps"));
    EXPECT_EQ(refused_in_code([](Config& c) { c.clock_ns = 0.002; }), "");
}

TEST(Interconnect, KeepsItsConfigurationAsItWasGiven) {
    const FreshKernel kernel;
    const TlmInterconnect interconnect(
        "interconnect",
        config_with({"fabric.virtual_channels=2", "fabric.classes=[a, b]",
                     "interconnect.response_class=b", "interconnect.request_queue=3"}),
        cycle_fabric);
    EXPECT_EQ(interconnect.config().traffic.reply_queue, 0U);
    EXPECT_EQ(interconnect.config().traffic.reply_class, "");
}

TEST(Interconnect, RefusesNodesThatTheGraphDoesNotHave) {
    const FreshKernel kernel;
    const Config config = load_config(FLITSCOPE_CONFIGS "/ring_4_deadlock.yaml",
                                      {"interconnect={initiators: [4], targets: [{node: 1, base: "
                                       "0, size: 1}]}"});
    EXPECT_THAT(refused_with([&] {
                    const TlmInterconnect interconnect("interconnect", config, cycle_fabric);
                }),
                HasSubstr("'interconnect.initiators' names node 4, but the nodes "
                          "are 0 to 3"));
}

INSTANTIATE_TEST_SUITE_P(Engines, InterconnectTest, testing::ValuesIn(engines()), engine_name);

}  // namespace
}  // namespace flitscope
