// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The interconnect takes the time that its messages take over the fabric, alone and with others,
// and carries everything of a transaction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testbench/verification/tests/tlm/interconnect_platform.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;
using tlm::TLM_ADDRESS_ERROR_RESPONSE;
using tlm::TLM_IGNORE_COMMAND;
using tlm::TLM_OK_RESPONSE;
using tlm::TLM_READ_COMMAND;
using tlm::TLM_WRITE_COMMAND;

// A message of F flits over h hops that begins in cycle b is delivered in cycle b + 1 + 2h + F - 1:
// a cycle in the injection channel, two per hop, the flits after the head. It is there at the start
// of the next cycle. Requests and responses are a header flit, 8 header bytes and the data.

TEST_P(InterconnectTest, ReadTakesTheTimeOfItsTwoMessages) {
    // Begins in 1, delivered in 1 + 1 + 4 + 1 = 7; response of 4 flits begins in 9, delivered in
    // 9 + 1 + 4 + 3 = 17.
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 0), 18);
    // From time 8 on the response could begin in 9 anyway; after 13 it begins in 14.
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 0, {}, 5), 23);
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 0, {}, 4.5), 22);
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 1, 0), 17);
}

TEST_P(InterconnectTest, WriteCarriesItsDataInTheRequest) {
    // Request of 34 flits: 1 + 1 + 4 + 33 = 39; response of 2 flits begins in 41: 41 + 1 + 4 + 1.
    EXPECT_EQ(response_time(TLM_WRITE_COMMAND, 256, 0), 48);
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 256, 0), 48);
    EXPECT_EQ(response_time(TLM_IGNORE_COMMAND, 256, 0), 16);
}

TEST_P(InterconnectTest, HeaderBytesAndClockCount) {
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 0, {"interconnect.header_bytes=0"}), 16);
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 0, {"clock_ns=2.5"}), 45);
}

TEST_P(InterconnectTest, WireBudgetSetsTheWidthOfChannels) {
    const double wide = response_time(TLM_WRITE_COMMAND, 256, 0, {"fabric.flit_bits=128"});
    EXPECT_NE(wide, response_time(TLM_WRITE_COMMAND, 256, 0));
    // Four links at most per node of the mesh.
    EXPECT_EQ(response_time(TLM_WRITE_COMMAND, 256, 0, {"fabric.pin_budget=512"}), wide);
}

TEST_P(InterconnectTest, SendBeginsInTheFirstCycleAfterTheRequest) {
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 2), 20);
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 2.001), 20);
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 2.999), 20);
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 3), 21);
    // Long after the fabric went to sleep.
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 123456.5), 123474);
}

TEST_P(InterconnectTest, CostsOfTheNodesCount) {
    // Request: begins in 1, head injected in 4, delivered in 10, received at 13. Response: begins
    // in 14, injected in 17, delivered in 25, received at 28.
    EXPECT_EQ(
        response_time(TLM_READ_COMMAND, 16, 0, {"node.send_overhead=3", "node.recv_overhead=2"}),
        28);
}

TEST_P(InterconnectTest, TargetAtTheNodeOrRouterOfItsInitiatorIsReachedThroughTheRouter) {
    // No hops: 1 + 1 + 1 = 3, then 5 + 1 + 3 = 9.
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 0, {"interconnect.initiators=[5]"}), 10);
    EXPECT_EQ(
        response_time(TLM_READ_COMMAND, 16, 0,
                      {"fabric.topology.concentration=[1, 2]", "interconnect.initiators=[4]"}),
        10);
}

TEST_P(InterconnectTest, SeveralPacketsAreOneMessage) {
    // 24 bytes of response in packets of 8: 3 of 2 flits each, 6 flits instead of 4; the request
    // is one packet as before.
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 0, {"node.packet_bytes=8"}), 20);
}

TEST_P(InterconnectTest, TimeOfAnAnnotatedDelayIsTheTimeOfTheRequest) {
    for (const double delay : {10.0, 10.5, 300.0}) {
        const double expected = response_time(TLM_READ_COMMAND, 16, delay);
        play(config_with(), [&](Platform& p) {
            p.initiators[0]->script = [&] {
                Payload& payload = pool_.get(TLM_READ_COMMAND, kBase, 16);
                sc_core::sc_time local = ns(delay);
                p.initiators[0]->socket->b_transport(payload, local);
                EXPECT_EQ(local, sc_core::SC_ZERO_TIME);
                EXPECT_EQ(p.memories[0]->last_access, ns(expected - 10));
                EXPECT_EQ(sc_core::sc_time_stamp(), ns(expected));
            };
        });
        play(config_with(), [&](Platform& p) {
            p.initiators[0]->script = [&] {
                Payload& payload = pool_.get(TLM_READ_COMMAND, kBase, 16);
                p.initiators[0]->issue(payload, ns(delay));
                EXPECT_EQ(p.initiators[0]->await(payload), ns(expected));
                EXPECT_EQ(p.initiators[0]->accepted[&payload], ns(std::floor(delay) + 1));
            };
        });
    }
}

// ---- Contention ---------------------------------------------------------------------------------

TEST_P(InterconnectTest, SecondOfTwoInitiatorsWaitsForTheFirst) {
    for (const bool blocking : {true, false}) {
        std::vector<sc_core::sc_time> times(2);
        play(config_with(kTwoInitiators), [&](Platform& p) {
            for (std::size_t i = 0; i < 2; ++i) {
                p.initiators[i]->script = [&, i, blocking] {
                    Payload& payload = pool_.get(TLM_WRITE_COMMAND, kBase + 64 * i, 64);
                    if (!blocking) p.initiators[i]->issue(payload);
                    times[i] = blocking ? p.initiators[i]->transport(payload)
                                        : p.initiators[i]->await(payload);
                };
            }
        });
        // Both requests of 10 flits begin in 1 and reach router 5 in 4. The ejection channel goes
        // to the lower input port, that of node 4, until 13, then to the other until 23. The
        // responses of 2 flits begin in 15 and 25 and are delivered in 19 and 29.
        EXPECT_EQ(times[1], ns(20));
        EXPECT_EQ(times[0], ns(30));
    }
}

TEST_P(InterconnectTest, AloneEachOfThemIsAsFastAsTheFirst) {
    for (std::size_t i = 0; i < 2; ++i) {
        play(config_with(kTwoInitiators), [&](Platform& p) {
            p.initiators[i]->script = [&, i] {
                EXPECT_EQ(p.initiators[i]->transport(pool_.get(TLM_WRITE_COMMAND, kBase, 64)),
                          ns(20));
            };
        });
    }
}

TEST_P(InterconnectTest, InitiatorsOfOneNodeSendInOrderOfTheirSockets) {
    // Whichever calls first within the cycle: request i begins when the one before has gone.
    for (const bool reversed : {false, true}) {
        std::vector<sc_core::sc_time> times(2);
        play(config_with({"interconnect.initiators=[0, 0]"}), [&](Platform& p) {
            for (std::size_t i = 0; i < 2; ++i) {
                p.initiators[i]->script = [&, i] {
                    sc_core::wait(ns((i == 0) == reversed ? 0.6 : 0.3));
                    Payload& payload = pool_.get(TLM_WRITE_COMMAND, kBase, 64);
                    times[i] = p.initiators[i]->transport(payload);
                };
            }
        });
        // 10 flits over two hops: delivered in 1 + 1 + 4 + 9 = 15, response 17 + 1 + 4 + 1 = 23.
        EXPECT_EQ(times[0], ns(24));
        EXPECT_EQ(times[1], ns(34));
    }
}

TEST_P(InterconnectTest, OutstandingRequestsAreBounded) {
    play(config_with({"interconnect.outstanding=2"}), [&](Platform& p) {
        Initiator& initiator = *p.initiators[0];
        initiator.script = [&] {
            std::vector<Payload*> payloads;
            for (int i = 0; i < 4; ++i) {
                payloads.push_back(&pool_.get(TLM_READ_COMMAND, kBase, 16));
                initiator.issue(*payloads.back());
            }
            std::vector<double> accepted;
            std::vector<double> responded;
            for (Payload* payload : payloads) {
                responded.push_back(initiator.await(*payload) / ns(1));
                accepted.push_back(initiator.accepted[payload] / ns(1));
            }
            // Request 0 begins in 1 and is answered at 18. Request 1 comes at 1, begins in 2 but
            // follows the two flits of request 0 into the network; it is delivered in 9, and its
            // response, sent after the first one (9 to 12), is delivered in 21. Requests 2 and 3
            // wait for these two.
            EXPECT_THAT(responded, ElementsAre(18, 22, 36, 40));
            EXPECT_THAT(accepted, ElementsAre(1, 2, 19, 23));
        };
    });
}

TEST_P(InterconnectTest, BlockingRequestsAreBoundedAsWell) {
    // With one at a time the second read of another thread takes its time after the first.
    std::vector<sc_core::sc_time> times(2);
    play(config_with({"interconnect.outstanding=1"}), [&](Platform& p) {
        Initiator& initiator = *p.initiators[0];
        initiator.script = [&] {
            Payload& other = pool_.get(TLM_READ_COMMAND, kBase, 16);
            initiator.issue(other);
            times[1] = initiator.transport(pool_.get(TLM_READ_COMMAND, kBase, 16));
            times[0] = initiator.await(other);
        };
    });
    EXPECT_EQ(times[0], ns(18));
    EXPECT_EQ(times[1], ns(36));
}

TEST_P(InterconnectTest, InitiatorOfANodeSendsBeforeATargetOfIt) {
    play(config_with({"interconnect.initiators=[0, 5]"}), [&](Platform& p) {
        p.initiators[0]->script = [&] {
            // The response is ready at 8. It follows the 10 flits of a request that comes later in
            // that cycle: 19 + 1 + 4 + 3 = 27.
            EXPECT_EQ(p.initiators[0]->transport(pool_.get(TLM_READ_COMMAND, kBase, 16)), ns(28));
        };
        p.initiators[1]->script = [&] {
            sc_core::wait(ns(8.5));
            p.initiators[1]->transport(pool_.get(TLM_WRITE_COMMAND, kBase + 64, 64));
        };
    });
}

TEST_P(InterconnectTest, TargetsMayAnswerInEveryWay) {
    for (const Answer answer : {Answer::kFourPhases, Answer::kResponseOnly, Answer::kUpdatedEndReq,
                                Answer::kUpdatedBeginResp, Answer::kCompleted}) {
        play(config_with(), [&](Platform& p) {
            p.memories[0]->answer = [answer] { return answer; };
            p.memories[0]->latency = [] { return ns(5); };
            p.initiators[0]->script = [&] {
                Payload& payload = pool_.get(TLM_READ_COMMAND, kBase, 16);
                p.initiators[0]->issue(payload);
                EXPECT_EQ(p.initiators[0]->await(payload), ns(23));
            };
        });
    }
}

TEST_P(InterconnectTest, RequestsWaitForATargetThatAcceptsSlowly) {
    // The target gets the first request at 8. It accepts after 20 ns and answers after 40; if it
    // does not accept by itself, its answer does.
    for (const auto& [answer, second] :
         {std::pair(Answer::kFourPhases, 28), std::pair(Answer::kUpdatedEndReq, 28),
          std::pair(Answer::kResponseOnly, 48), std::pair(Answer::kCompleted, 48)}) {
        play(config_with(), [&, how = answer, begin = second](Platform& p) {
            p.memories[0]->answer = [how] { return how; };
            p.memories[0]->latency = [] { return ns(40); };
            p.memories[0]->accept_time = ns(20);
            Initiator& initiator = *p.initiators[0];
            initiator.script = [&, begin] {
                Payload& a = pool_.get(TLM_READ_COMMAND, kBase, 16);
                Payload& b = pool_.get(TLM_READ_COMMAND, kBase, 16);
                initiator.issue(a);
                initiator.issue(b);
                // Answered at 48, sent in 49, delivered in 49 + 1 + 4 + 3.
                EXPECT_EQ(initiator.await(a), ns(58));
                EXPECT_EQ(initiator.await(b), ns(begin + 40 + 10));
                EXPECT_EQ(p.memories[0]->last_access, ns(begin));
            };
        });
    }
}

TEST_P(InterconnectTest, ResponsesWaitForAnInitiatorThatThinks) {
    for (const Reply reply : {Reply::kAccepted, Reply::kUpdated, Reply::kCompleted}) {
        play(config_with(), [&](Platform& p) {
            Initiator& initiator = *p.initiators[0];
            initiator.reply = [reply] { return reply; };
            initiator.think_time = ns(30);
            initiator.script = [&] {
                Payload& a = pool_.get(TLM_READ_COMMAND, kBase, 16);
                Payload& b = pool_.get(TLM_READ_COMMAND, kBase, 16);
                initiator.issue(a);
                initiator.issue(b);
                EXPECT_EQ(initiator.await(a), ns(18));
                EXPECT_EQ(initiator.await(b), ns(48));
            };
        });
    }
}

// ---- What is carried ----------------------------------------------------------------------------

TEST_P(InterconnectTest, TargetsSeeRelativeAddressesAndInitiatorsTheirOwn) {
    play(config_with(), [&](Platform& p) {
        Initiator& initiator = *p.initiators[0];
        initiator.script = [&] {
            Payload& payload = pool_.get(TLM_READ_COMMAND, kBase + 0xabc, 4);
            initiator.transport(payload);
            EXPECT_EQ(p.memories[0]->last_address, 0xabcU);
            EXPECT_EQ(payload.get_address(), kBase + 0xabc);
            Payload& other = pool_.get(TLM_READ_COMMAND, kBase + 0xdef, 4);
            initiator.issue(other);
            initiator.await(other);
            EXPECT_EQ(p.memories[0]->last_address, 0xdefU);
            EXPECT_EQ(other.get_address(), kBase + 0xdef);
        };
    });
}

TEST_P(InterconnectTest, ByteEnablesAndStreamingWidthPassThrough) {
    play(config_with(), [&](Platform& p) {
        p.initiators[0]->script = [&] {
            Payload& payload = pool_.get(TLM_WRITE_COMMAND, kBase + 4, 8);
            for (unsigned char i = 0; i < 8; ++i) payload.get_data_ptr()[i] = 10 + i;
            unsigned char enable[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
            payload.set_byte_enable_ptr(enable);
            payload.set_byte_enable_length(2);
            payload.set_streaming_width(4);
            p.initiators[0]->transport(payload);
            EXPECT_THAT(std::vector<int>(p.memories[0]->bytes.begin() + 4,
                                         p.memories[0]->bytes.begin() + 8),
                        ElementsAre(14, 0, 16, 0));
        };
    });
}

TEST_P(InterconnectTest, ErrorsOfTheTargetComeBack) {
    play(config_with(), [&](Platform& p) {
        p.memories[0]->bytes.resize(16);
        p.initiators[0]->script = [&] {
            Payload& payload = pool_.get(TLM_READ_COMMAND, kBase + 16, 4);
            p.initiators[0]->transport(payload);
            EXPECT_EQ(payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
        };
    });
}

TEST_P(InterconnectTest, AddressesWithoutTargetAreRefusedAtOnce) {
    struct Refused {
        std::uint64_t address;
        unsigned int length;
        tlm::tlm_command command;
    };
    for (const Refused& r : {Refused{0xfff, 1, TLM_READ_COMMAND},
                             {0x2000, 4, TLM_WRITE_COMMAND},
                             {0x1ffd, 4, TLM_READ_COMMAND},
                             {0xffc, 8, TLM_WRITE_COMMAND},
                             {UINT64_MAX, 4, TLM_READ_COMMAND},
                             {0, 0, TLM_IGNORE_COMMAND}}) {
        play(config_with(), [&](Platform& p) {
            p.initiators[0]->script = [&] {
                Payload& payload = pool_.get(r.command, r.address, r.length);
                sc_core::sc_time delay = ns(7);
                p.initiators[0]->socket->b_transport(payload, delay);
                EXPECT_EQ(payload.get_response_status(), TLM_ADDRESS_ERROR_RESPONSE);
                EXPECT_EQ(delay, ns(7));
                Payload& other = pool_.get(r.command, r.address, r.length);
                p.initiators[0]->issue(other, ns(7));
                EXPECT_EQ(p.initiators[0]->await(other), ns(7));
                EXPECT_EQ(other.get_response_status(), TLM_ADDRESS_ERROR_RESPONSE);
                EXPECT_EQ(other.get_address(), r.address);
                EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
                EXPECT_EQ(p.memories[0]->accesses, 0U);
            };
        });
    }
}

TEST_P(InterconnectTest, WhatTouchesNoByteBeyondTheEndIsCarried) {
    play(config_with(), [&](Platform& p) {
        p.initiators[0]->script = [&] {
            Payload& last = pool_.get(TLM_READ_COMMAND, kBase + 0xffc, 4);
            p.initiators[0]->transport(last);
            EXPECT_EQ(last.get_response_status(), TLM_OK_RESPONSE);
            Payload& streaming = pool_.get(TLM_READ_COMMAND, kBase + 0xffc, 64);
            streaming.set_streaming_width(4);
            p.initiators[0]->transport(streaming);
            EXPECT_EQ(streaming.get_response_status(), TLM_OK_RESPONSE);
            Payload& nothing = pool_.get(TLM_IGNORE_COMMAND, kBase + 0xfff, 64);
            p.initiators[0]->transport(nothing);
            EXPECT_EQ(nothing.get_response_status(), TLM_OK_RESPONSE);
            EXPECT_EQ(p.memories[0]->accesses, 3U);
        };
    });
}

TEST_P(InterconnectTest, TransactionsWithoutMemoryManagerCanBlock) {
    play(config_with(), [&](Platform& p) {
        p.initiators[0]->script = [&] {
            unsigned char data[4] = {1, 2, 3, 4};
            Payload payload;
            payload.set_write();
            payload.set_address(kBase);
            payload.set_data_ptr(data);
            payload.set_data_length(4);
            payload.set_streaming_width(4);
            p.initiators[0]->transport(payload);
            EXPECT_EQ(payload.get_response_status(), TLM_OK_RESPONSE);
            EXPECT_EQ(p.memories[0]->bytes[3], 4);
        };
    });
}

TEST_P(InterconnectTest, ReferencesAndExtensionsEndWithTheTransaction) {
    Tag::live = 0;
    {
        PayloadPool pool;
        Tag sticky;
        play(config_with(), [&](Platform& p) {
            Initiator& initiator = *p.initiators[0];
            initiator.script = [&] {
                for (const bool blocking : {true, false}) {
                    Payload& kept = pool.get(TLM_READ_COMMAND, kBase, 4);
                    kept.set_extension(&sticky);
                    Payload& freed = pool.get(TLM_READ_COMMAND, kBase, 4);
                    freed.set_auto_extension(new Tag);
                    for (Payload* payload : {&kept, &freed}) {
                        if (blocking) {
                            initiator.transport(*payload);
                        } else {
                            initiator.issue(*payload);
                            initiator.await(*payload);
                        }
                    }
                    EXPECT_EQ(kept.get_extension<Tag>(), &sticky);
                    kept.clear_extension<Tag>();
                    EXPECT_EQ(Tag::live, 2);
                    sc_core::wait(ns(1));
                    EXPECT_EQ(kept.get_ref_count(), 1);
                    kept.release();
                    freed.release();
                    EXPECT_EQ(Tag::live, 1);
                }
            };
        });
        EXPECT_EQ(pool.made(), 4U);
        EXPECT_EQ(pool.freed(), 4U);
    }
    EXPECT_EQ(Tag::live, 0);
}

TEST_P(InterconnectTest, InitiatorMayLetGoOfATransactionThatIsUnderWay) {
    PayloadPool pool;
    play(config_with(), [&](Platform& p) {
        Initiator& initiator = *p.initiators[0];
        initiator.script = [&] {
            Payload& payload = pool.get(TLM_READ_COMMAND, kBase, 4);
            initiator.issue(payload);
            payload.release();
            EXPECT_EQ(pool.freed(), 0U);
            initiator.await(payload);
        };
    });
    EXPECT_EQ(pool.freed(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Engines, InterconnectTest, testing::ValuesIn(engines()), engine_name);

}  // namespace
}  // namespace flitscope
