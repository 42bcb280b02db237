// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The TLM-2.0 interconnect: its times are those of the timing contract, its contention is that of
// the fabric, and no component beside it ever sees a rule of the base protocol broken.
#include "models/tlm/interconnect/interconnect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hw/packet/fabric.h"
#include "testbench/configuration/configuration.h"
#include "testbench/run/fresh_kernel.h"
#include "testbench/tests/tlm/tlm_platform.h"
#include "testbench/tests/tlm/tlm_protocol_checker.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tlm::TLM_ADDRESS_ERROR_RESPONSE;
using tlm::TLM_IGNORE_COMMAND;
using tlm::TLM_OK_RESPONSE;
using tlm::TLM_READ_COMMAND;
using tlm::TLM_WRITE_COMMAND;

std::unique_ptr<Fabric> cycle_fabric(const char* name, const Config& config, const Graph& graph,
                                     const Routing& routing) {
    return std::make_unique<hw::CycleFabric>(name, config, graph, routing, hw::FabricOptions{});
}

std::unique_ptr<Fabric> backward_fabric(const char* name, const Config& config, const Graph& graph,
                                        const Routing& routing) {
    hw::FabricOptions options;
    options.scan_order = hw::ScanOrder::kDescending;
    return std::make_unique<hw::CycleFabric>(name, config, graph, routing, options);
}

/// Reports each delivery when its cycle is over, as engines do that simulate no single cycles.
class LateFabric final : public sc_core::sc_module, public Fabric, public MessageListener {
public:
    LateFabric(sc_core::sc_module_name name, const Config& config, const Graph& graph,
               const Routing& routing)
        : sc_module(name),
          period_(ns(config.clock_ns)),
          fabric_("fabric", config, graph, routing, hw::FabricOptions{}) {}

    MessagePort& port(NodeId node) override { return fabric_.port(node); }
    void attach(NodeId node, MessageListener& listener) override {
        listeners_[node] = &listener;
        fabric_.attach(node, *this);
    }
    void start(const RunControl& control) override { fabric_.start(control); }
    RunEnd finish() override { return fabric_.finish(); }
    void halt() override { fabric_.halt(); }
    Cycle now() const override { return fabric_.now(); }
    Cycle end_cycle() const override { return fabric_.end_cycle(); }
    std::uint64_t flits_sent(ChannelId channel) const override {
        return fabric_.flits_sent(channel);
    }
    std::vector<std::string> broken_invariants(bool drained) const override {
        return fabric_.broken_invariants(drained);
    }
    std::vector<WaitingPacket> find_deadlock() const override { return fabric_.find_deadlock(); }

    void on_injected(const Message&, Cycle) override {}
    void on_delivered(const Message& message, Cycle cycle) override {
        agenda_.after(static_cast<double>(cycle + 1) * period_ - sc_core::sc_time_stamp(),
                      [this, message, cycle] {
                          listeners_[message.destination]->on_delivered(message, cycle);
                      });
    }

private:
    sc_core::sc_time period_;
    hw::CycleFabric fabric_;
    Agenda agenda_{"agenda"};
    std::map<NodeId, MessageListener*> listeners_;
};

std::unique_ptr<Fabric> late_fabric(const char* name, const Config& config, const Graph& graph,
                                    const Routing& routing) {
    return std::make_unique<LateFabric>(name, config, graph, routing);
}

/// An engine that the tests run over; the one that an interconnect has by itself has no maker.
struct Engine {
    std::string name;
    FabricMaker make;
};

std::unique_ptr<Interconnect> make_interconnect(const Config& config, const FabricMaker& make) {
    if (!make) return std::make_unique<Interconnect>("interconnect", config);
    return std::make_unique<Interconnect>("interconnect", config, make);
}

void PrintTo(const Engine& engine, std::ostream* out) { *out << engine.name; }

std::string name_of(const testing::TestParamInfo<Engine>& info) { return info.param.name; }

std::vector<Engine> engines() {
    return {{"cycle", cycle_fabric},
            {"backward", backward_fabric},
            {"late", late_fabric},
            {"tlm", nullptr}};
}

/// A mesh of 4 x 4 nodes with one initiator at node 0 and one target at node 5, two hops away.
Config config_with(const std::vector<std::string>& overrides = {}) {
    return parse_config(
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
        "interconnect:\n"
        "  initiators: [0]\n"
        "  targets: [{node: 5, base: 0x1000, size: 0x1000}]\n",
        "c.yaml", overrides);
}

constexpr std::uint64_t kBase = 0x1000;

/// An interconnect with everything bound to it, a checker on each side of every socket.
class Platform {
public:
    Platform(const Config& config, const FabricMaker& make)
        : made_(make_interconnect(config, make)), interconnect(*made_) {
        for (std::size_t i = 0; i < interconnect.from_initiator.size(); ++i) {
            initiators.push_back(std::make_unique<Initiator>(numbered("initiator", i).c_str()));
            checkers.push_back(
                std::make_unique<TlmProtocolChecker>(numbered("initiator_checker", i).c_str()));
            initiators.back()->socket.bind(checkers.back()->from_initiator);
            checkers.back()->to_target.bind(interconnect.from_initiator[i]);
        }
        for (std::size_t i = 0; i < interconnect.to_target.size(); ++i) {
            memories.push_back(std::make_unique<Memory>(numbered("memory", i).c_str(),
                                                        config.interconnect->targets[i].size));
            checkers.push_back(
                std::make_unique<TlmProtocolChecker>(numbered("memory_checker", i).c_str()));
            interconnect.to_target[i].bind(checkers.back()->from_initiator);
            checkers.back()->to_target.bind(memories.back()->socket);
        }
    }

    /// Runs until nothing is left to happen, and expects that all work is done.
    void run() {
        sc_core::sc_start();
        for (const auto& initiator : initiators) EXPECT_TRUE(initiator->finished);
        for (const auto& checker : checkers) {
            EXPECT_THAT(checker->violations(), ElementsAre()) << checker->name();
            EXPECT_EQ(checker->under_way(), 0U) << checker->name();
        }
        interconnect.fabric().finish();
        EXPECT_THAT(interconnect.fabric().broken_invariants(true), ElementsAre());
    }

private:
    std::unique_ptr<Interconnect> made_;

public:
    Interconnect& interconnect;
    std::vector<std::unique_ptr<Initiator>> initiators;
    std::vector<std::unique_ptr<Memory>> memories;
    std::vector<std::unique_ptr<TlmProtocolChecker>> checkers;

private:
    static std::string numbered(const std::string& name, std::size_t number) {
        return name + '_' + std::to_string(number);
    }
};

class InterconnectTest : public testing::TestWithParam<Engine> {
protected:
    /// Builds the platform and runs the scripts, one per initiator.
    void play(const Config& config, const std::function<void(Platform&)>& prepare) {
        const FreshKernel kernel;
        Platform platform(config, GetParam().make);
        prepare(platform);
        platform.run();
    }

    /// The time of the response to one access of one initiator at time `start`, blocking and
    /// non-blocking, which must be the same.
    double response_time(tlm::tlm_command command, unsigned int length, double start,
                         const std::vector<std::string>& overrides = {}, double latency = 0) {
        double times[2] = {0, 0};
        for (const bool blocking : {true, false}) {
            play(config_with(overrides), [&](Platform& p) {
                p.memories[0]->latency = [latency] { return ns(latency); };
                Initiator& initiator = *p.initiators[0];
                initiator.script = [&, blocking] {
                    if (start > 0) sc_core::wait(ns(start));
                    Payload& payload = pool_.get(command, kBase, length);
                    if (!blocking) initiator.issue(payload);
                    const sc_core::sc_time time =
                        blocking ? initiator.transport(payload) : initiator.await(payload);
                    EXPECT_EQ(payload.get_response_status(), TLM_OK_RESPONSE);
                    times[blocking ? 0 : 1] = time / ns(1);
                };
            });
        }
        EXPECT_EQ(times[0], times[1]);
        return times[0];
    }

    PayloadPool pool_;
};

// A message of F flits over h hops that begins in cycle b is delivered in cycle b + 1 + 2h + F - 1:
// a cycle in the injection channel, two per hop, the flits behind the head. It is there at the
// start of the next cycle. Requests and responses are a header flit, 8 header bytes and the data.

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
    // Far beyond where the fabric went to sleep.
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 123456.5), 123474);
}

TEST_P(InterconnectTest, CostsOfTheNodesCount) {
    // Request: begins in 1, head injected in 4, delivered in 10, received at 13. Response: begins
    // in 14, injected in 17, delivered in 25, received at 28.
    EXPECT_EQ(
        response_time(TLM_READ_COMMAND, 16, 0, {"node.send_startup=3", "node.recv_overhead=2"}),
        28);
}

TEST_P(InterconnectTest, TargetAtTheNodeOfItsInitiatorIsReachedThroughTheRouter) {
    // No hops: 1 + 1 + 1 = 3, then 5 + 1 + 3 = 9.
    EXPECT_EQ(response_time(TLM_READ_COMMAND, 16, 0, {"interconnect.initiators=[5]"}), 10);
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

const std::vector<std::string> kTwoInitiators = {
    "interconnect={initiators: [1, 4], targets: [{node: 5, base: 0x1000, size: 0x1000}]}"};

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
            // response, sent behind the first one (9 to 12), is delivered in 21. Requests 2 and 3
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
            // The response is ready at 8. It goes behind the 10 flits of a request that comes later
            // in that cycle: 19 + 1 + 4 + 3 = 27.
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
    // The target gets the first request at 8. It accepts after 20 ns and answers after 40; where it
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

// ---- Direct memory and debug --------------------------------------------------------------------

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
            EXPECT_TRUE(there.data.is_read_write_allowed());  // what is refused
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
    const std::unique_ptr<Interconnect> interconnect =
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
        try {
            make_interconnect(parse_config(text, "c.yaml"), GetParam().make);
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(error_of("fabric: {topology: {kind: mesh, dims: [4]}}\ntraffic: {schedule: pex}\n"),
              "c.yaml: error: there is no 'interconnect' (set interconnect.initiators and "
              "interconnect.targets)");
}

// ---- Random traffic -----------------------------------------------------------------------------

/// What one initiator does, drawn at random; it keeps to addresses of its own.
class RandomUser {
public:
    static constexpr unsigned int kSlots = 8;
    static constexpr unsigned int kSlotBytes = 64;

    RandomUser(Platform& platform, PayloadPool& pool, std::size_t index, unsigned int transactions)
        : platform_(platform),
          pool_(pool),
          index_(index),
          transactions_(transactions),
          random_(index + 1),
          replies_(index + 100) {
        Initiator& me = initiator();
        me.script = [this] { play(); };
        me.reply = [this] { return static_cast<Reply>(replies_() % 3); };
        me.think_time = ns(static_cast<double>(index_));
    }

    std::vector<sc_core::sc_time> times;
    unsigned int reads_checked = 0;

private:
    struct Access {
        std::size_t target;
        unsigned int slot;
        std::vector<unsigned char> expected;
    };

    Initiator& initiator() { return *platform_.initiators[index_]; }

    void play() {
        tlm_utils::tlm_quantumkeeper keeper;
        keeper.reset();
        for (unsigned int n = 0; n < transactions_; ++n) {
            if (random_() % 2 == 0) {
                block(keeper);
            } else {
                keeper.sync();
                issue();
            }
            while (open_.size() >= 5) finish_one();
        }
        keeper.sync();
        while (!open_.empty()) finish_one();
    }

    std::pair<Payload*, Access> draw() {
        const auto& targets = platform_.memories;
        Access access;
        do {
            access.target = random_() % targets.size();
            access.slot = random_() % kSlots;
        } while (in_use(access));
        const auto length = static_cast<unsigned int>(1 + random_() % kSlotBytes);
        const std::uint64_t offset = (index_ * kSlots + access.slot) * kSlotBytes;
        const bool write = random_() % 2 == 0;
        Payload& payload = pool_.get(write ? TLM_WRITE_COMMAND : TLM_READ_COMMAND,
                                     0x10000 * (access.target + 1) + offset, length);
        std::vector<unsigned char>& slot = contents_[{access.target, access.slot}];
        slot.resize(kSlotBytes);
        for (unsigned int i = 0; write && i < length; ++i) {
            payload.get_data_ptr()[i] = slot[i] = static_cast<unsigned char>(random_());
        }
        access.expected.assign(slot.begin(), slot.begin() + length);
        return {&payload, access};
    }

    bool in_use(const Access& access) const {
        return std::any_of(open_.begin(), open_.end(), [&](const auto& entry) {
            return entry.second.target == access.target && entry.second.slot == access.slot;
        });
    }

    void block(tlm_utils::tlm_quantumkeeper& keeper) {
        const auto [payload, access] = draw();
        keeper.inc(ns(static_cast<double>(random_() % 70) / 10));
        sc_core::sc_time local = keeper.get_local_time();
        initiator().socket->b_transport(*payload, local);
        keeper.set(local);
        if (keeper.need_sync()) keeper.sync();
        check(*payload, access);
    }

    void issue() {
        const auto [payload, access] = draw();
        open_.emplace_back(payload, access);
        initiator().issue(*payload, ns(static_cast<double>(random_() % 30) / 10));
    }

    /// The oldest one: which of several responses of one time is seen first must not show.
    void finish_one() {
        const auto [payload, access] = open_.front();
        open_.erase(open_.begin());
        times.push_back(initiator().await(*payload));
        check(*payload, access);
    }

    void check(Payload& payload, const Access& access) {
        times.push_back(sc_core::sc_time_stamp());
        EXPECT_EQ(payload.get_response_status(), TLM_OK_RESPONSE);
        if (payload.is_read()) {
            ++reads_checked;
            EXPECT_TRUE(
                std::equal(access.expected.begin(), access.expected.end(), payload.get_data_ptr()));
        }
        payload.release();
    }

    Platform& platform_;
    PayloadPool& pool_;
    std::size_t index_;
    unsigned int transactions_;
    std::mt19937 random_;
    std::mt19937 replies_;
    std::vector<std::pair<Payload*, Access>> open_;
    std::map<std::pair<std::size_t, unsigned int>, std::vector<unsigned char>> contents_;
};

/// Two initiators and two targets share nodes, and an initiator shares its node with a target.
const std::vector<std::string> kCrowd = {
    "interconnect={initiators: [0, 15, 15, 5], targets: [{node: 5, base: 0x10000, size: 0x800}, "
    "{node: 10, base: 0x20000, size: 0x800}, {node: 10, base: 0x30000, size: 0x800}]}"};
constexpr unsigned int kTransactions = 2000;  // of each initiator

std::vector<sc_core::sc_time> run_crowd(const FabricMaker& make,
                                        const std::vector<std::string>& overrides) {
    std::vector<std::string> all = kCrowd;
    all.insert(all.end(), overrides.begin(), overrides.end());
    SCOPED_TRACE(testing::PrintToString(overrides));
    const FreshKernel kernel;
    PayloadPool pool;
    Platform platform(config_with(all), make);
    std::vector<std::mt19937> random;
    for (unsigned int i = 0; i < platform.memories.size(); ++i) random.emplace_back(i);
    for (std::size_t i = 0; i < platform.memories.size(); ++i) {
        Memory& memory = *platform.memories[i];
        // Never a whole number of cycles: what the memory does when an old response ends as a new
        // request comes would depend on which it sees first.
        memory.answer = [&r = random[i]] { return static_cast<Answer>(r() % 5); };
        memory.latency = [&r = random[i]] { return ns(0.137 + static_cast<double>(r() % 40) / 4); };
        memory.accept_time = ns(1.371);
    }
    std::vector<std::unique_ptr<RandomUser>> users;
    for (std::size_t i = 0; i < platform.initiators.size(); ++i) {
        users.push_back(std::make_unique<RandomUser>(platform, pool, i, kTransactions));
    }
    platform.run();
    std::vector<sc_core::sc_time> times;
    for (const auto& user : users) {
        EXPECT_GT(user->reads_checked, kTransactions / 3);
        times.insert(times.end(), user->times.begin(), user->times.end());
    }
    std::uint64_t ended = 0;
    for (const auto& checker : platform.checkers) ended += checker->ended();
    EXPECT_EQ(ended, 2U * 4U * kTransactions);  // seen on both sides
    EXPECT_EQ(pool.made(), 4U * kTransactions);
    EXPECT_EQ(pool.freed(), pool.made());
    return times;
}

TEST_P(InterconnectTest, CarriesRandomTrafficByTheRules) {
    run_crowd(GetParam().make, {});
    run_crowd(GetParam().make,
              {"fabric.virtual_channels=3", "fabric.switch_arbitration=hold",
               "fabric.buffer_depth=2", "node.packet_bytes=16", "interconnect.outstanding=2"});
    run_crowd(GetParam().make, {"clock_ns=0.7", "node.injection_rate=1/2", "node.send_startup=2",
                                "node.recv_overhead=1", "interconnect.outstanding=1"});
}

INSTANTIATE_TEST_SUITE_P(Engines, InterconnectTest, testing::ValuesIn(engines()), name_of);

TEST(InterconnectEngines, GiveTheSameTimes) {
    for (const std::vector<std::string>& overrides :
         {std::vector<std::string>{},
          {"interconnect.outstanding=1", "fabric.buffer_depth=1"},
          {"fabric.virtual_channels=2"},
          {"fabric.virtual_channels=2", "fabric.switch_arbitration=hold"}}) {
        const std::vector<sc_core::sc_time> reference = run_crowd(cycle_fabric, overrides);
        for (const Engine& engine : engines()) {
            EXPECT_TRUE(run_crowd(engine.make, overrides) == reference)
                << engine.name << ", " << testing::PrintToString(overrides);
        }
    }
}

TEST(InterconnectEngines, HoldTheirOwnRules) {
    const FreshKernel kernel;
    try {
        const Interconnect interconnect(
            "interconnect",
            config_with({"fabric.virtual_channels=2", "fabric.allocation=combined"}));
        FAIL();
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("the TLM engine allocates sequentially"));
    }
}

// ---- Configurations -----------------------------------------------------------------------------

TEST(Interconnect, RefusesARoutingThatCanDeadlock) {
    const FreshKernel kernel;
    const Config config = load_config(FLITSCOPE_CONFIGS "/ring_4_deadlock.yaml",
                                      {"fabric.allow_deadlock=false",
                                       "interconnect={initiators: [0], targets: [{node: 1, base: "
                                       "0, size: 1}]}"});
    try {
        const Interconnect interconnect("interconnect", config, cycle_fabric);
        FAIL();
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("the routing can deadlock"));
    }
}

TEST(Interconnect, RefusesInitiatorsAndTargetsAtDeadNodes) {
    for (const auto& [dead, what] : {std::pair(0, "an initiator is at node 0"),
                                     std::pair(5, "a target is at node 5"), std::pair(9, "")}) {
        const FreshKernel kernel;
        Config config = config_with();
        config.faults.emplace();
        config.faults->nodes = {static_cast<NodeId>(dead)};
        std::string error;
        try {
            make_interconnect(config, nullptr);
        } catch (const ConfigError& e) {
            error = e.what();
        }
        if (*what == '\0') {
            EXPECT_EQ(error, "");
        } else {
            EXPECT_THAT(error, HasSubstr(what));
        }
    }
}

TEST(Interconnect, RefusesNodesThatTheGraphDoesNotHave) {
    const FreshKernel kernel;
    const Config config = load_config(FLITSCOPE_CONFIGS "/ring_4_deadlock.yaml",
                                      {"interconnect={initiators: [4], targets: [{node: 1, base: "
                                       "0, size: 1}]}"});
    try {
        const Interconnect interconnect("interconnect", config, cycle_fabric);
        FAIL();
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("'interconnect.initiators' names node 4, but the nodes "
                                            "are 0 to 3"));
    }
}

}  // namespace
}  // namespace flitscope
