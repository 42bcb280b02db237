// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Links with valid and ready (hw/TIMING.md, "Valid and ready"): register slices simulated place by
// place against the row of the table, and whole fabrics in closed form.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hw/common/flit_buffer.h"
#include "hw/common/wakeup_wheel.h"
#include "models/fabric/channel_timing.h"
#include "models/fabric/link_protocol.h"
#include "models/performance/zero_load_paths.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/link.h"
#include "testbench/verification/reference/draw.h"
#include "testbench/verification/tests/support/fabric_fixture.h"

namespace flitscope {
namespace {

/// Register slices of two places, then a FIFO. What a stage can take, and give, in a cycle follows
/// from what it holds at the start of it: ready and valid are registers.
class Slices {
public:
    Slices(std::size_t slices, std::size_t depth) : stages_(slices + 1), places_(slices + 1, 2) {
        places_.back() = depth;
    }
    bool ready() const { return has_place(0); }
    bool valid() const { return !stages_.back().empty(); }

    /// One cycle: takes a flit if there is one, and gives one if `takes`. Returns that.
    std::optional<std::uint64_t> step(std::optional<std::uint64_t> flit, bool takes) {
        std::vector<bool> moves(stages_.size());  // from each stage to the next
        for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
            moves[i] = !stages_[i].empty() && has_place(i + 1);
        }
        std::optional<std::uint64_t> given;
        if (takes) {
            given = stages_.back().front();
            stages_.back().pop_front();
        }
        for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
            if (!moves[i]) continue;
            stages_[i + 1].push_back(stages_[i].front());
            stages_[i].pop_front();
        }
        if (flit) stages_.front().push_back(*flit);
        return given;
    }

private:
    bool has_place(std::size_t stage) const { return stages_[stage].size() < places_[stage]; }

    std::vector<std::deque<std::uint64_t>> stages_;
    std::vector<std::size_t> places_;
};

/// The channel of the fabric with these slices, of a link or of injection.
ChannelTiming timing_of(std::uint32_t slices, std::uint32_t depth, bool is_link,
                        std::uint32_t router_delay) {
    FabricConfig fabric;
    fabric.link_protocol = LinkProtocol::kValidReady;
    fabric.buffer_depth = depth;
    fabric.router_delay = is_link ? router_delay : slices + 1;
    Link link;
    link.delay = slices + 2 - router_delay;
    const ChannelTimings timings(fabric);
    return is_link ? timings.link(link) : timings.injection();
}

/// The first of `cycles` cycles of random use in which the two differ.
std::optional<Cycle> difference(std::uint32_t slices, const ChannelTiming& timing,
                                std::uint32_t depth, std::uint64_t seed, Cycle cycles) {
    std::mt19937_64 random(seed);
    hw::WakeupWheel clock;
    hw::FlitBuffer buffer(timing.depth, timing.delay, timing.credit_delay);
    hw::FlitReader reader;
    hw::FlitWriter writer;
    reader.attach(buffer);
    writer.attach(buffer);
    Slices places(slices, depth);
    std::uint64_t sent = 0;
    std::uint64_t send_share = random() % 101;  // per cent of the cycles
    std::uint64_t take_share = random() % 101;
    for (Cycle now = 0; now < cycles; ++now) {
        if (random() % 40 == 0) send_share = random() % 101;
        if (random() % 40 == 0) take_share = random() % 101;
        const bool visible = reader.visible(now);
        if (writer.has_credit(now) != places.ready() || visible != places.valid()) return now;
        const bool takes = visible && random() % 100 < take_share;
        std::optional<std::uint64_t> flit;
        if (writer.has_credit(now) && random() % 100 < send_share) flit = sent++;
        const std::uint64_t front = takes ? reader.front().word : 0;
        if (takes) reader.pop(now, clock);
        if (flit) {
            hw::Flit next;
            next.word = *flit;
            writer.push(next, now, clock);
        }
        const std::optional<std::uint64_t> given = places.step(flit, takes);
        if (takes && given != front) return now;
    }
    EXPECT_GT(sent, cycles / 50);
    return std::nullopt;
}

TEST(ValidReadyLinks, RegisterSlicesAreTheRowOfTheTable) {
    for (std::uint32_t slices = 0; slices <= 4; ++slices) {
        for (std::uint32_t depth = slices == 0 ? 1 : 2; depth <= 5; ++depth) {
            for (std::uint32_t seed = 1; seed <= 20; ++seed) {
                const bool is_link = seed % 4 != 0;
                const std::uint32_t router_delay = 1 + seed % (slices + 1);
                const ChannelTiming timing = timing_of(slices, depth, is_link, router_delay);
                ASSERT_EQ(timing.slices, slices);
                ASSERT_EQ(difference(slices, timing, depth, seed, 2'000), std::nullopt)
                    << slices << " slices, depth " << depth << ", seed " << seed;
            }
        }
    }
}

/// Which is why a FIFO of one flit is refused there: it takes a flit in two cycles, and no number
/// of places on the wire before it is as slow.
TEST(ValidReadyLinks, AFifoOfOneFlitBehindASliceIsNoRowOfTheTable) {
    for (std::uint32_t slices = 1; slices <= 3; ++slices) {
        const ChannelTiming timing = timing_of(slices, 1, true, 1);
        EXPECT_NE(difference(slices, timing, 1, 1, 2'000), std::nullopt);
    }
}

Machine line(const Config& config, std::uint32_t nodes, Program program) {
    Graph graph = build_mesh({nodes});
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        graph.set_delay(id, config.fabric.link_delay.cycles);
    }
    auto routing = make_dimension_order(graph);
    return make_machine(config, std::move(graph), std::move(routing), std::move(program));
}

Program one_message(std::uint32_t nodes, std::uint64_t flits) {
    Transfer transfer;
    transfer.source = 0;
    transfer.destination = nodes - 1;
    transfer.bytes = 8 * (flits - 1);  // behind a header flit
    return steps(nodes, {transfer});
}

TEST(ValidReadyLinks, AMessageTakesACycleLessPerLinkThanWithCredits) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Draw draw(seed);
        const std::uint32_t nodes = draw.between(2, 6);
        const std::uint64_t flits = draw.between(1, 30);
        Config config;
        config.fabric.link_protocol = LinkProtocol::kValidReady;
        config.fabric.router_delay = draw.between(1, 3);
        config.fabric.link_delay.cycles = draw.between(1, 4);
        config.fabric.buffer_depth = draw.between(2, 6);  // the full rate needs no more than two
        const Cycle per_link = config.fabric.router_delay + config.fabric.link_delay.cycles - 1;
        const Machine machine = line(config, nodes, one_message(nodes, flits));
        const Outcome outcome = run(machine);
        ASSERT_EQ(outcome.packets.size(), 1U);
        ASSERT_EQ(outcome.packets[0].tail_delivered,
                  config.fabric.router_delay + (nodes - 1) * per_link + flits - 1)
            << "seed " << seed;
        ZeroLoadPaths paths(machine.config, machine.graph, *machine.routing);
        ASSERT_EQ(outcome.packets[0].tail_delivered,
                  ZeroLoadMessage(machine.config).delivered(flits, paths.path(0, nodes - 1)))
            << "seed " << seed;
    }
}

TEST(ValidReadyLinks, AFifoOfOneFlitTakesOneInTwoCycles) {
    Config config;
    config.fabric.link_protocol = LinkProtocol::kValidReady;
    config.fabric.buffer_depth = 1;
    const Outcome outcome = run(line(config, 4, one_message(4, 20)));
    ASSERT_EQ(outcome.packets.size(), 1U);
    EXPECT_EQ(outcome.packets[0].tail_delivered, 1 + 3 + 2 * 19U);
}

TEST(ValidReadyLinks, ContendedTrafficIsThatOfTheGoldenModel) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        Draw draw(seed);
        Config config;
        config.fabric.link_protocol = LinkProtocol::kValidReady;
        config.fabric.virtual_channels = draw.between(1, 3);
        config.fabric.buffer_depth = draw.between(2, 4);
        config.fabric.allocation = draw.pick<Allocation>({kAllocations[0], kAllocations[1]});
        Graph graph = build_mesh({3, 4});
        if (config.fabric.virtual_channels == 1) {
            config.fabric.router_delay = draw.between(1, 3);
            for (LinkId id = 0; id < graph.link_count(); ++id) {
                graph.set_delay(id, draw.between(1, 4));
            }
        }
        auto routing = make_dimension_order(graph);
        const Machine machine =
            make_machine(config, std::move(graph), std::move(routing), hot_traffic(12, 200, seed));
        EXPECT_EQ(difference_from_golden(machine, 200), "") << "seed " << seed;
    }
}

/// For how many reasons a machine is refused.
std::size_t refusals(const Config& config) {
    const Graph graph = build_topology(config);
    try {
        require_link_protocol(config, graph, *make_routing(config, graph));
    } catch (const ConfigError& error) {
        return error.findings().size();
    }
    return 0;
}

TEST(ValidReadyLinks, AreRefusedWhereASenderWouldHaveToKnowMore) {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {3, 3};
    config.fabric.link_protocol = LinkProtocol::kValidReady;
    const auto with = [&](const auto& change) {
        Config changed = config;
        change(changed.fabric);
        return refusals(changed);
    };
    EXPECT_EQ(with([](FabricConfig&) {}), 0U);
    EXPECT_EQ(with([](FabricConfig& f) { f.link_delay.cycles = 2; }), 0U);
    EXPECT_EQ(with([](FabricConfig& f) { f.virtual_channels = 2; }), 0U);
    EXPECT_EQ(with([](FabricConfig& f) { f.buffer_depth = 1; }), 0U);
    EXPECT_EQ(with([](FabricConfig& f) { f.routing = "west_first"; }), 0U);
    EXPECT_EQ(with([](FabricConfig& f) {
                  f.virtual_channels = 2;
                  f.link_delay.cycles = 2;
              }),
              1U);
    EXPECT_EQ(with([](FabricConfig& f) {
                  f.buffer_depth = 1;
                  f.router_delay = 2;
              }),
              1U);
    EXPECT_EQ(with([](FabricConfig& f) { f.link_delay.cycles = 1026; }), 1U);
    EXPECT_EQ(with([](FabricConfig& f) { f.link_delay.cycles = 1025; }), 0U);
    EXPECT_EQ(with([](FabricConfig& f) {
                  f.virtual_channels = 2;
                  f.routing = "minimal_adaptive";
              }),
              1U);
    // With credits all of these may be.
    EXPECT_EQ(with([](FabricConfig& f) {
                  f.link_protocol = LinkProtocol::kCredits;
                  f.virtual_channels = 2;
                  f.buffer_depth = 1;
                  f.link_delay.cycles = 5000;
                  f.routing = "minimal_adaptive";
              }),
              0U);
}

}  // namespace
}  // namespace flitscope
