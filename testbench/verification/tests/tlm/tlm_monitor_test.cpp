// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Fabrics with monitored channels, in which everything goes by nb_transport, equal those in which
// the ends call each other; and observers see the same calls.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/build/machine.h"
#include "testbench/app/compare/run_record.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/reference/random_machine.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "tlm/engine/fabric.h"

namespace flitscope {
namespace {

using burst::ChannelPhase;

/// Builds from the calls of every virtual channel when flits are sent, and when they leave its
/// FIFO.
class Listener final : public burst::ChannelListener {
public:
    explicit Listener(const Machine& machine) : machine_(machine) {}

    void on_call(ChannelId channel, std::uint32_t vc, ChannelPhase phase,
                 const burst::Payload& packet, const sc_core::sc_time& delay) override {
        ++calls;
        const auto now = static_cast<Cycle>(sc_core::sc_time_stamp() / period());
        const auto key = std::pair(channel, vc);
        const bool forward = phase < ChannelPhase::kPopResume;
        const bool goes = phase == ChannelPhase::kHead || phase == ChannelPhase::kResume ||
                          phase == ChannelPhase::kPopResume;
        EXPECT_GE(packet.get_ref_count(), 1);
        EXPECT_GT(delay, sc_core::SC_ZERO_TIME);
        if (phase == ChannelPhase::kHead) ++heads[channel];
        std::map<std::pair<ChannelId, std::uint32_t>, Cycle>& open = forward ? sends_ : pops_;
        if (goes && phase != ChannelPhase::kHead) {
            EXPECT_EQ(open.count(key), 0U);
        }
        if (goes) {
            open[key] = now;
        } else {
            EXPECT_EQ(open.count(key), 1U);
            if (!forward) flits_popped[channel] += now - open[key];
            open.erase(key);
        }
    }

    std::uint64_t calls = 0;
    std::map<ChannelId, std::uint64_t> heads;
    std::map<ChannelId, std::uint64_t> flits_popped;

private:
    sc_core::sc_time period() const { return {machine_.config.clock_ns, sc_core::SC_NS}; }

    const Machine& machine_;
    std::map<std::pair<ChannelId, std::uint32_t>, Cycle> sends_;
    std::map<std::pair<ChannelId, std::uint32_t>, Cycle> pops_;
};

struct Seen {
    std::vector<PacketRecord> packets;
    std::vector<std::vector<SendInterval>> busy;
    std::vector<std::uint64_t> flits;
    Cycle end = 0;
};

/// All messages are handed over before the run, whatever they wait for in their program.
Seen run(const Machine& machine, burst::ChannelListener* listener) {
    const FreshKernel kernel;
    const ChannelId count = ChannelMap(machine.graph).count();
    ChannelRecorder channels(count, machine.config.fabric.virtual_channels);
    PacketRecorder packets;
    TlmFabric fabric("fabric", machine.config, machine.graph, *machine.routing, &channels, &packets,
                     listener);
    for (MessageId id = 0; id < machine.program->transfers.size(); ++id) {
        const Transfer& t = machine.program->transfers[id];
        fabric.port(t.source).send({id, t.source, t.destination, t.step, t.bytes}, t.time);
    }
    RunControl control;
    control.limit = 200'000;
    run_to_rest(fabric, control);
    EXPECT_TRUE(fabric.broken_invariants(false).empty());
    Seen seen{packets.sorted(), channels.take(fabric.end_cycle()), {}, fabric.end_cycle()};
    for (ChannelId id = 0; id < count; ++id) seen.flits.push_back(fabric.flits_sent(id));
    return seen;
}

TEST(ChannelMonitor, MonitoredRunsEqualOthers) {
    std::uint64_t calls = 0;
    std::uint64_t packets = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const RandomCase test =
            tlm_case(random_case(seed, seed % 5 == 0 ? CaseRange::kWide : CaseRange::kSmall));
        SCOPED_TRACE(describe(test));
        const Machine machine = machine_of(test);
        Listener listener(machine);
        const Seen heard = run(machine, &listener);
        const Seen other = run(machine, nullptr);
        ASSERT_EQ(heard.end, other.end);
        ASSERT_EQ(times(heard.packets), times(other.packets));
        ASSERT_EQ(heard.flits, other.flits);
        ASSERT_EQ(heard.busy.size(), other.busy.size());
        for (std::size_t channel = 0; channel < heard.busy.size(); ++channel) {
            const auto& a = heard.busy[channel];
            const auto& b = other.busy[channel];
            ASSERT_EQ(a.size(), b.size()) << channel;
            for (std::size_t i = 0; i < a.size(); ++i) {
                ASSERT_EQ(a[i].first, b[i].first) << channel;
                ASSERT_EQ(a[i].last_plus_one, b[i].last_plus_one) << channel;
            }
        }
        // The reports add up: in a finished run every flit has left its FIFO.
        if (heard.packets.size() == machine.program->transfers.size()) {
            const ChannelMap map(machine.graph);
            std::uint64_t injected = 0;
            for (NodeId node = 0; node < machine.graph.node_count(); ++node) {
                injected += listener.heads[map.injection(node)];
            }
            EXPECT_EQ(injected, heard.packets.size());
            for (const auto& [channel, flits] : listener.flits_popped) {
                EXPECT_EQ(flits, heard.flits[channel]) << channel;
            }
        }
        calls += listener.calls;
        packets += heard.packets.size();
    }
    EXPECT_GT(packets, 10'000U);
    EXPECT_GT(calls, 10 * packets);
}

}  // namespace
}  // namespace flitscope
