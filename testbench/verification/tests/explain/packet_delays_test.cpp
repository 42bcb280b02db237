// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where packets spend their cycles: on random machines every cycle of every packet's latency is
// accounted for, by what the golden model saw the packet lack, and alike on both engines.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/explain/delay_recorder.h"
#include "testbench/app/measure/steady/steady_state.h"
#include "testbench/verification/reference/golden_model.h"
#include "testbench/verification/tests/explain/explained_cases.h"

namespace flitscope {
namespace {

constexpr Cycle kMaxCycles = 1'000'000;
constexpr std::size_t kEnough = std::size_t{1} << 30;  // bytes, for all packets of a case

using PacketId = std::pair<MessageId, std::uint32_t>;

struct Delayed {
    SimulationResult run;
    PacketDelays delays;
    std::map<PacketId, PacketDelay> packets;
};

Delayed delays_of(const Machine& machine, const std::string& engine, const CycleWindow& window,
                  hw::ScanOrder order = hw::ScanOrder::kAscending) {
    const FreshKernel kernel;
    DelayRecorder recorder(machine, DelayWindow{window, false}, kEnough);
    SimulationOptions options;
    options.channels = &recorder;
    options.packets = &recorder;
    options.sends = &recorder;
    options.scan_order = order;
    Delayed delayed;
    delayed.run = simulate(machine, engine, options);
    delayed.delays = recorder.take(delayed.run.simulated_cycles);
    for (const PacketDelay& p : recorder.packets()) delayed.packets[{p.message, p.index}] = p;
    return delayed;
}

bool has_packet_delays(const Machine& machine) {
    return !machine.config.fabric.switches_circuits() &&
           !machine.config.node.has_channels_per_link();
}

std::string text(const Delayed& delayed) {
    std::string all;
    for (const auto& [id, packet] : delayed.packets) {
        all += fmt::format("message {} packet {} over {}:", id.first, id.second, packet.hops);
        for (const PacketPart& part : packet.parts) {
            all += fmt::format(" {} at {} {}", cause_name(part.cause), part.channel, part.cycles);
        }
        all += '\n';
    }
    for (const ChannelDelays& channel : delayed.delays.channels) {
        all += fmt::format("channel {}: waited {}\n", channel.channel, channel.waited);
    }
    return all + fmt::format("{} packet cycles", delayed.delays.occupancy.packet_cycles);
}

/// What the heads of packets lacked, cycle by cycle, as the golden model saw it.
class LackingHeads {
public:
    LackingHeads(const GoldenWitness& witness, const ChannelMap& channels) {
        // The channel over which each head left each buffer.
        std::map<std::pair<PacketId, ChannelId>, std::pair<ChannelId, std::uint32_t>> went;
        for (const GoldenCycle& cycle : witness.cycles) {
            for (const GoldenSent& s : cycle.sent) {
                if (s.flit == 0 && s.from != s.channel) {
                    went[{{s.message, s.packet}, s.from}] = {s.channel, s.vc};
                }
            }
        }
        for (const GoldenCycle& cycle : witness.cycles) {
            for (const GoldenWait& w : cycle.waits) {
                if (w.flit != 0) continue;
                const PacketId id{w.message, w.packet};
                const auto to = went.find({id, w.at});
                const bool is_in_buffer = to != went.end() && !is_at_node(w, channels);
                const Cause cause = is_in_buffer ? in_buffer(w, to->second) : at_node(w);
                if (cause != Cause::kTraversal) ++cycles_[id][static_cast<std::size_t>(cause)];
            }
        }
    }

    Cycle of(const PacketId& id, Cause cause) const {
        const auto found = cycles_.find(id);
        return found == cycles_.end() ? 0 : found->second[static_cast<std::size_t>(cause)];
    }

private:
    static bool has(const GoldenWait& w, std::initializer_list<GoldenLack> lacks) {
        return std::any_of(w.lacks.begin(), w.lacks.end(), [&](const GoldenLacking& l) {
            return std::find(lacks.begin(), lacks.end(), l.lack) != lacks.end();
        });
    }
    /// About to be injected, not in the FIFO of the same channel: only there are such reasons, or
    /// credits of the channel itself.
    static bool is_at_node(const GoldenWait& w, const ChannelMap& channels) {
        if (!channels.is_injection(w.at)) return false;
        using L = GoldenLack;
        return has(w, {L::kTurn, L::kStartup, L::kAssembly, L::kQueue, L::kStream}) ||
               std::any_of(w.lacks.begin(), w.lacks.end(), [&](const GoldenLacking& l) {
                   return (l.lack == L::kCredit || l.lack == L::kRoom || l.lack == L::kSwitch) &&
                          l.channel == w.at;
               });
    }
    static Cause at_node(const GoldenWait& w) {
        if (has(w, {GoldenLack::kSwitch})) return Cause::kSwitchStall;
        const bool is_credit =
            !w.lacks.empty() && std::all_of(w.lacks.begin(), w.lacks.end(), [](const auto& l) {
                return l.lack == GoldenLack::kCredit || l.lack == GoldenLack::kRoom;
            });
        return is_credit ? Cause::kCreditStall
                         : Cause::kTraversal;  // the rest is not reported for all
    }
    static Cause in_buffer(const GoldenWait& w, const std::pair<ChannelId, std::uint32_t>& to) {
        using L = GoldenLack;
        if (has(w, {L::kVisible})) return Cause::kTraversal;
        if (has(w, {L::kStored})) return Cause::kStore;
        if (has(w, {L::kFront})) return Cause::kHeadOfLine;
        Cause cause = Cause::kSwitchStall;
        for (const GoldenLacking& l : w.lacks) {
            if (l.lack == L::kLink) continue;
            if (l.lack == L::kInput || l.lack == L::kOutput || l.lack == L::kSwitch) continue;
            if (l.channel != to.first || l.vc != to.second) continue;
            const bool is_credit = l.lack == L::kCredit || l.lack == L::kRoom;
            cause = is_credit ? Cause::kCreditStall : Cause::kVcBusy;
        }
        return cause;
    }

    std::map<PacketId, CauseCycles> cycles_;
};

class PacketDelaysTest : public ExplainedCases {};

TEST_P(PacketDelaysTest, AreWhatTheGoldenModelSawEveryPacketLack) {
    const auto [first, end] = seeds();
    CauseCycles seen{};
    std::uint64_t compared = 0;  // cause by cause
    for (std::uint64_t seed = first; seed < end; ++seed) {
        RandomCase test = plain_case(random_case(seed));
        if (seed % 4 == 0) test = class_case(std::move(test));
        const Machine machine = machine_of(test);
        if (!has_packet_delays(machine)) continue;
        const Delayed delayed = delays_of(machine, "cycle", {0, kNever});
        Cycle of_classes = 0;
        for (const DelaySums& sums : delayed.delays.by_class) of_classes += sums.cycles;
        if (machine.config.fabric.has_classes()) {
            ASSERT_EQ(of_classes, delayed.delays.all.cycles) << describe(test);
        }
        GoldenWitness witness;
        const GoldenResult golden = run_golden(machine.config, machine.graph, *machine.routing,
                                               *machine.program, kMaxCycles, &witness);
        ASSERT_EQ(delayed.packets.size(), golden.packets.size()) << describe(test);
        ASSERT_EQ(delayed.delays.all.packets, golden.packets.size()) << describe(test);
        const LackingHeads lacking(witness, ChannelMap(machine.graph));
        const bool is_adaptive = machine.routing->path_choice() == PathChoice::kAdaptive;
        Cycle residence = 0;
        for (const GoldenPacket& packet : golden.packets) {
            const PacketId id{packet.message, packet.index};
            const CauseCycles causes = delayed.packets.at(id).by_cause();
            const auto of = [&](Cause c) { return causes[static_cast<std::size_t>(c)]; };
            Cycle sum = 0;
            for (const Cycle cycles : causes) sum += cycles;
            ASSERT_EQ(sum, packet.tail_delivered - packet.begin) << describe(test);
            residence += packet.tail_delivered + 1 - packet.head_injected;
            const GoldenStart& start = witness.starts[packet.message];
            if (packet.index == 0) {
                ASSERT_EQ(of(Cause::kStartup), start.startup_to - start.startup_from)
                    << describe(test);
            }
            for (std::size_t i = 0; i < kCauses; ++i) seen[i] += causes[i];
            for (const Cause cause : {Cause::kStore, Cause::kHeadOfLine}) {
                ASSERT_EQ(of(cause), lacking.of(id, cause))
                    << describe(test) << "\nmessage " << packet.message << " packet "
                    << packet.index << ' ' << cause_name(cause) << '\n';
            }
            if (is_adaptive) continue;  // it may lack several channels, and prefer another
            // The body may wait for credits and arbitration, too, after its head.
            const std::uint64_t flits = machine.config.packet_format().flits(
                machine.program->transfers[packet.message].bytes, packet.index);
            const Cycle stalls = packet.tail_delivered - packet.head_delivered - (flits - 1);
            Cycle waited = 0;
            Cycle lacked = stalls;
            for (const Cause cause : {Cause::kVcBusy, Cause::kCreditStall, Cause::kSwitchStall}) {
                waited += of(cause);
                lacked += lacking.of(id, cause);
            }
            if (machine.graph.has_slow_links()) {
                // Of the pauses of a body, those behind its own flits on a slow link are
                // serialization; so is the time that earlier packets of the message take.
                if (packet.index != 0) continue;
                waited += of(Cause::kSerialization) - (flits - 1);
            }
            ASSERT_EQ(waited, lacked)
                << describe(test) << "\nmessage " << packet.message << " packet " << packet.index;
            // Whoever needs room for a whole packet may lack it, and then be overtaken: from
            // outside all of that is the channel of others.
            if (machine.config.fabric.has_packet_flow_control()) continue;
            // So may a head that owns nothing before it leaves: until its channel is free for the
            // last time.
            if (machine.config.fabric.combines_allocation()) {
                ASSERT_GE(of(Cause::kVcBusy), lacking.of(id, Cause::kVcBusy))
                    << describe(test) << "\nmessage " << packet.message << " packet "
                    << packet.index;
                continue;
            }
            ASSERT_EQ(of(Cause::kVcBusy), lacking.of(id, Cause::kVcBusy))
                << describe(test) << "\nmessage " << packet.message << " packet " << packet.index;
            if (stalls != 0) continue;
            ASSERT_EQ(of(Cause::kCreditStall), lacking.of(id, Cause::kCreditStall))
                << describe(test) << "\nmessage " << packet.message << " packet " << packet.index;
            ++compared;
        }
        ASSERT_EQ(delayed.delays.occupancy.packet_cycles, residence) << describe(test);
    }
    EXPECT_GT(compared, 1000U);
    for (const Cause cause :
         {Cause::kStartup, Cause::kAssembly, Cause::kSourceQueue, Cause::kTraversal,
          Cause::kSerialization, Cause::kHeadOfLine, Cause::kVcBusy, Cause::kCreditStall,
          Cause::kSwitchStall, Cause::kStore}) {
        EXPECT_GT(seen[static_cast<std::size_t>(cause)], 50U) << cause_name(cause);
    }
}

TEST_P(PacketDelaysTest, AreTheSameOnBothEnginesAndInAnyOrderOfCalls) {
    const auto [first, end] = seeds();
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const RandomCase test = tlm_case(random_case(seed));
        const Machine machine = machine_of(test);
        if (!has_packet_delays(machine)) continue;
        const CycleWindow window{seed % 50, 50 + seed % 300};
        const std::string cycle = text(delays_of(machine, "cycle", window));
        ASSERT_EQ(text(delays_of(machine, "cycle", window, hw::ScanOrder::kDescending)), cycle)
            << describe(test);
        if (find_engine("tlm")->refusal(machine)) continue;
        ASSERT_EQ(text(delays_of(machine, "tlm", window)), cycle) << describe(test);
    }
}

/// The sums, for comparison.
std::string sums_text(const PacketDelays& delays) {
    const auto line = [](const DelaySums& sums) {
        return fmt::format(" {} packets, {} cycles: {}\n", sums.packets, sums.cycles,
                           fmt::join(sums.by_cause, " "));
    };
    std::string all = line(delays.all);
    for (const auto& [hops, sums] : delays.by_hops) all += fmt::format("{}:", hops) + line(sums);
    for (const ChannelDelays& channel : delays.channels) {
        all += fmt::format("channel {}: {}: {}\n", channel.channel, channel.waited,
                           fmt::join(channel.by_cause, " "));
    }
    const Occupancy& there = delays.occupancy;
    return all + fmt::format("{} to {}: {} packet cycles, {} delivered, {} cycles there; {} {} {}",
                             there.window.from, there.window.until, there.packet_cycles,
                             there.delivered, there.residence, delays.latency.count(),
                             delays.latency.mean(), delays.latency.max());
}

TEST_P(PacketDelaysTest, AreTheSameWhereTheWindowIsFoundAsTheRunGoes) {
    const auto [first, end] = seeds();
    std::uint32_t compared = 0;
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const RandomCase test = plain_case(random_case(seed));
        const Machine machine = machine_of(test);
        if (!has_packet_delays(machine)) continue;
        const auto record = [&](DelayRecorder& recorder) {
            const FreshKernel kernel;
            SimulationOptions options;
            options.channels = &recorder;
            options.packets = &recorder;
            options.sends = &recorder;
            return simulate(machine, "cycle", options).simulated_cycles;
        };
        DelayRecorder finds(machine, std::nullopt, kEnough);
        const Cycle simulated = record(finds);
        DelayWindow window;
        window.is_of_delivery = seed % 2 != 0;
        window.cycles.until = simulated / kSteadyWindow * kSteadyWindow;
        window.cycles.from = std::min(seed % 3 * kSteadyWindow, window.cycles.until);
        const std::string found = sums_text(finds.take(simulated, window).value());
        DelayRecorder knows(machine, window);
        ASSERT_EQ(record(knows), simulated);
        const PacketDelays known = knows.take(simulated);
        ASSERT_EQ(found, sums_text(known)) << describe(test);
        if (known.all.packets != 0) ++compared;
    }
    EXPECT_GT(compared, 10U);
}

TEST(ExplainedTraffic, IsTheSameWhereAllPacketsAreMoreThanMayBeKept) {
    for (const char* const engine : {"cycle", "tlm"}) {
        const Machine machine = build_machine(
            parse_config("fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
                         "traffic: {pattern: uniform, message_bytes: 64, injection_rate: 0.2}\n"
                         "steady: {half_width: 0.05}\n",
                         "test"));
        const ExplainedTraffic kept = explain_traffic(machine, engine, {});
        const ExplainedTraffic repeated = explain_traffic(machine, engine, {}, 1000);
        EXPECT_EQ(sums_text(kept.delays), sums_text(repeated.delays));
        EXPECT_EQ(kept.run.simulated_cycles, repeated.run.simulated_cycles);
        EXPECT_GT(kept.delays.all.packets, 1000U);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PacketDelaysTest, testing::Range(0, ExplainedCases::kBlocks));

}  // namespace
}  // namespace flitscope
