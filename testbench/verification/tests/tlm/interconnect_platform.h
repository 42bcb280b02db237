// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// An interconnect over each of the engines, with initiators, memories and a checker of the protocol
// on each side of every socket.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/packet/fabric.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/tests/tlm/tlm_platform.h"
#include "testbench/verification/tests/tlm/tlm_protocol_checker.h"
#include "tlm/interconnect/interconnect.h"

namespace flitscope {

inline std::unique_ptr<Fabric> cycle_fabric(const char* name, const Config& config,
                                            const Graph& graph, const Routing& routing) {
    return std::make_unique<hw::CycleFabric>(name, config, graph, routing, hw::FabricOptions{});
}

inline std::unique_ptr<Fabric> backward_fabric(const char* name, const Config& config,
                                               const Graph& graph, const Routing& routing) {
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
        events_.after(static_cast<double>(cycle + 1) * period_ - sc_core::sc_time_stamp(),
                      [this, message, cycle] {
                          listeners_[message.destination]->on_delivered(message, cycle);
                      });
    }

private:
    sc_core::sc_time period_;
    hw::CycleFabric fabric_;
    EventQueue events_{"events"};
    std::map<NodeId, MessageListener*> listeners_;
};

inline std::unique_ptr<Fabric> late_fabric(const char* name, const Config& config,
                                           const Graph& graph, const Routing& routing) {
    return std::make_unique<LateFabric>(name, config, graph, routing);
}

/// An engine that the tests run over; the one that an interconnect has by itself has no maker.
struct Engine {
    std::string name;
    FabricMaker make;
};

inline std::unique_ptr<TlmInterconnect> make_interconnect(const Config& config,
                                                          const FabricMaker& make) {
    if (!make) return std::make_unique<TlmInterconnect>("interconnect", config);
    return std::make_unique<TlmInterconnect>("interconnect", config, make);
}

inline void PrintTo(const Engine& engine, std::ostream* out) { *out << engine.name; }

inline std::string engine_name(const testing::TestParamInfo<Engine>& info) {
    return info.param.name;
}

inline std::vector<Engine> engines() {
    return {{"cycle", cycle_fabric},
            {"backward", backward_fabric},
            {"late", late_fabric},
            {"tlm", nullptr}};
}

/// A mesh of 4 x 4 nodes with one initiator at node 0 and one target at node 5, two hops away.
inline Config config_with(const std::vector<std::string>& overrides = {}) {
    return parse_config(
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
        "interconnect:\n"
        "  initiators: [0]\n"
        "  targets: [{node: 5, base: 0x1000, size: 0x1000}]\n",
        "c.yaml", overrides);
}

inline const std::vector<std::string> kTwoInitiators = {
    "interconnect={initiators: [1, 4], targets: [{node: 5, base: 0x1000, size: 0x1000}]}"};

inline constexpr std::uint64_t kBase = 0x1000;

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

    /// Runs until nothing is left to happen, in slices of that length if there is one, and expects
    /// that all work is done.
    void run(const sc_core::sc_time& slice = sc_core::SC_ZERO_TIME) {
        if (slice == sc_core::SC_ZERO_TIME) {
            sc_core::sc_start();
        } else {
            do {
                sc_core::sc_start(slice);
            } while (sc_core::sc_pending_activity());
        }
        for (const auto& initiator : initiators) EXPECT_TRUE(initiator->finished);
        for (const auto& checker : checkers) {
            EXPECT_THAT(checker->violations(), ::testing::ElementsAre()) << checker->name();
            EXPECT_EQ(checker->under_way(), 0U) << checker->name();
        }
        interconnect.fabric().finish();
        EXPECT_THAT(interconnect.fabric().broken_invariants(true), ::testing::ElementsAre());
    }

private:
    std::unique_ptr<TlmInterconnect> made_;

public:
    TlmInterconnect& interconnect;
    std::vector<std::unique_ptr<Initiator>> initiators;
    std::vector<std::unique_ptr<Memory>> memories;
    std::vector<std::unique_ptr<TlmProtocolChecker>> checkers;

private:
    static std::string numbered(const std::string& name, std::size_t number) {
        return name + '_' + std::to_string(number);
    }
};

/// Keeps what an interconnect tells of accesses.
class AccessList final : public AccessObserver {
public:
    void on_access(const Access& access) override { accesses.push_back(access); }
    void on_abandoned(const Access& access) override { abandoned.push_back(access); }
    std::vector<Access> accesses;
    std::vector<Access> abandoned;
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
                    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
                    times[blocking ? 0 : 1] = time / ns(1);
                };
            });
        }
        EXPECT_EQ(times[0], times[1]);
        return times[0];
    }

    PayloadPool pool_;
};

}  // namespace flitscope
