// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One SystemC router and one verilated router, fed alike, in lock step: contended traffic on every
// port, outputs and ejection that stall, every built variant.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "hw/common/clock_domain.h"
#include "hw/common/partition_outbox.h"
#include "hw/packet/router.h"
#include "hw/verilated/rtl_router_core.h"
#include "hw/verilated/rtl_routers.h"
#include "models/base/arena.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/tests/support/channel_log.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/support/inspections.h"
#include "testbench/verification/tests/support/rtl_machines.h"

namespace flitscope {
namespace {

constexpr Cycle kCyclesPerCase = 2500;

/// So many show all that a router does; run_mutants.py takes fewer, of one variant.
constexpr std::uint64_t kTellingCycles = 250'000;

/// In all, at least. ./dev rtl-campaign asks for a hundred times more.
std::uint64_t wanted_router_cycles() { return cases_of(kTellingCycles, 1'000'000); }

/// Anything to anywhere, on any of the virtual channels that it happens to name.
class RandomTable final : public Routing {
public:
    RandomTable(const Graph& graph, const hw::RtlVariant& variant, std::mt19937_64& random)
        : Routing(graph.shared_places()) {
        const std::uint32_t vcs = variant.virtual_channels / variant.classes;
        for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
            RouteChoice choice;
            choice.port = static_cast<PortId>(random() % graph.port_count());
            choice.virtual_channels = static_cast<VcMask>(1 + random() % ((1U << vcs) - 1));
            if (random() % 2 == 0) choice.virtual_channels = kAllVirtualChannels;
            for (std::uint32_t k = 1; k < variant.classes; ++k) {  // some of every class
                choice.virtual_channels |= static_cast<VcMask>(choice.virtual_channels << vcs);
            }
            choices_.push_back(choice);
        }
    }
    std::string name() const override { return "random"; }
    RouteChoice hop(RouterId, NodeId destination) const override { return choices_[destination]; }

private:
    std::vector<RouteChoice> choices_;
};

/// How hard the network presses on the router.
struct Pressure {
    std::uint32_t send_percent = 80;  // an input port sends, if it can
    std::uint32_t stall_percent = 2;  // an output port begins to stall
    std::uint32_t stall_cycles = 20;  // at most
    std::uint32_t longest = 8;        // flits of a packet
    bool hotspot = false;             // most packets go to one output
    bool ejection_stalls = false;     // port 0 is drained like the others
    bool observed = false;
};

Pressure random_pressure(std::mt19937_64& random) {
    Pressure p;
    p.send_percent = std::array<std::uint32_t, 3>{15, 60, 100}[random() % 3];
    p.stall_percent = std::array<std::uint32_t, 3>{0, 3, 30}[random() % 3];
    p.stall_cycles = 1 + static_cast<std::uint32_t>(random() % 40);
    p.longest = std::array<std::uint32_t, 3>{1, 4, 25}[random() % 3];
    p.hotspot = random() % 3 == 0;
    p.ejection_stalls = random() % 2 == 0;
    p.observed = random() % 2 == 0;
    return p;
}

/// The environment of a router: sources on all inputs, sinks that stall on all outputs. With equal
/// seeds, these behave the same as long as their routers do.
class Surroundings final : public hw::Clocked, public hw::EjectionChannel {
public:
    Surroundings(const std::string& name, const hw::RtlVariant& variant, const Routing& routing,
                 RouterId router, NodeId nodes, const Pressure& pressure, hw::ClockDomain& clock,
                 const hw::RtlRouters* rtl, std::uint64_t seed)
        : routing_(routing),
          at_(router),
          nodes_(nodes),
          pressure_(pressure),
          clock_(clock),
          vcs_(variant.virtual_channels),
          mesh_(variant.routing == hw::RtlRouting::kMesh),
          random_(seed),
          packets_(nodes),
          sends_(std::size_t{variant.ports} * vcs_),
          stalled_until_(variant.ports) {
        hw::RouterConfig config;
        config.router = router;
        config.inputs.assign(variant.ports, true);
        config.outputs.assign(variant.ports, true);
        config.outputs[kLocalPort] = pressure.ejection_stalls;
        config.virtual_channels = vcs_;
        config.input_speedup = variant.input_speedup;
        if (variant.output_speedup > 1) {
            config.output_speedup = variant.output_speedup;
            config.output_queue = variant.output_queue;
            config.ejection_flits = variant.depth;
            config.longest_queueing = 0;
        }
        config.classes = hw::ClassPolicy(router_config_for(variant).fabric);
        config.hold_switch = variant.hold;
        config.combines_allocation = variant.combined;
        if (variant.slow_links) config.rate_cycles = random_cycles(variant.ports);
        hw::ChannelProbe probe;
        if (pressure.observed) {
            probe.observer = &outbox_;
            probe.packets = &packets_;
            for (PortId port = 0; port < variant.ports; ++port) {
                probe.in.push_back(port);
                probe.out.push_back(variant.ports + port);
            }
        }
        hw::RouterCoreFactory make_core;
        if (rtl != nullptr) {
            make_core = [rtl](hw::RouterCoreSetup setup) {
                return hw::make_rtl_router_core(*rtl, std::move(setup));
            };
        }
        router_ = std::make_unique<hw::Router>((name + "_router").c_str(), config, routing, clock,
                                               memory_.resource(), probe, std::move(make_core));
        for (PortId port = 0; port < variant.ports; ++port) {
            for (auto* const side : {&in, &out}) {
                const std::uint32_t wire = 1 + static_cast<std::uint32_t>(random_() % 3);
                hw::ChannelConfig channel{vcs_, variant.depth, variant.router_delay + wire, wire};
                if (side == &in && port == kLocalPort) {
                    channel.timing.delay = variant.router_delay;
                    channel.timing.credit_delay = 1;
                }
                side->push_back(std::make_unique<hw::FlitChannel>(
                    fmt::format("{}_{}_{}", name, side == &in ? "in" : "out", port).c_str(),
                    channel, memory_.resource()));
            }
            router_->in[port].bind(*in[port]);
            if (config.outputs[port]) {
                router_->out[port].bind(*out[port]);
            }
        }
        if (!pressure.ejection_stalls) router_->ejections[kLocalPort].bind(*this);
        writers_.resize(sends_.size());
        readers_.resize(sends_.size());
        for (PortId port = 0; port < variant.ports; ++port) {
            for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
                writers_[port * vcs_ + vc].attach(in[port]->sink(vc));
                if (port == kLocalPort && !pressure.ejection_stalls) continue;
                readers_[port * vcs_ + vc].attach(out[port]->source(vc));
            }
        }
        hot_port_ = static_cast<PortId>(random_() % variant.ports);
        clock.wake(clock.add(*this), 0);
    }

    Cycle tick(Cycle now) override {
        if (now > 0) outbox_.tell(reports, now - 1);
        for (PortId port = 0; port < in.size(); ++port) {
            send(port, now);
            drain(port, now);
        }
        return now + 1;
    }

    void eject(const hw::Flit& flit, std::uint32_t vc, Cycle now) override {
        ejected.emplace_back(now, vc, flit.word, flit.head, flit.tail);
    }

    std::vector<std::unique_ptr<hw::FlitChannel>> in;
    std::vector<std::unique_ptr<hw::FlitChannel>> out;
    std::vector<std::tuple<Cycle, std::uint32_t, std::uint64_t, bool, bool>> ejected;
    ChannelLog reports;  // reports of the channels that the router drives
    std::uint64_t sent = 0;
    std::uint64_t held_up = 0;  // cycles in which an output stalled

private:
    struct Send {
        std::uint64_t word = 0;
        std::uint32_t left = 0;  // flits of the packet that are still to be sent
        bool begun = false;
    };

    bool percent(std::uint32_t p) { return random_() % 100 < p; }

    /// Cycles that links take for a flit; ejection takes one.
    std::vector<std::uint32_t> random_cycles(PortId ports) {
        std::vector<std::uint32_t> cycles(ports, 1);
        for (PortId port = 1; port < ports; ++port) {
            cycles[port] =
                std::array<std::uint32_t, 6>{1, 1, 2, 3, 5, kMostRateCycles}[random_() % 6];
        }
        return cycles;
    }

    /// A turn that the routing can take (hw/rtl/router_checker.sv asserts it).
    bool possible(PortId from, PortId to) const {
        if (from == kLocalPort || to == kLocalPort || routing_.name() == "random") return true;
        if (mesh_) return from != to && (to - 1) / 2 >= (from - 1) / 2;
        return to > from;
    }

    NodeId destination(PortId from) {
        for (int tries = 0; tries < 200; ++tries) {
            const auto node = static_cast<NodeId>(random_() % nodes_);
            const PortId to = routing_.route(at_, node).port;
            if (pressure_.hotspot && tries < 100 && to != hot_port_) continue;
            if (possible(from, to)) return node;
        }
        return at_;  // its own node has its number
    }

    void send(PortId port, Cycle now) {
        const auto first = static_cast<std::uint32_t>(random_() % vcs_);
        const bool wants = percent(pressure_.send_percent);
        for (std::uint32_t k = 0; wants && k < vcs_; ++k) {
            const std::uint32_t i = port * vcs_ + (first + k) % vcs_;
            Send& packet = sends_[i];
            if (!writers_[i].has_credit(now)) continue;
            hw::Flit flit;
            if (packet.left == 0) {
                packet.left = 1 + static_cast<std::uint32_t>(random_() % pressure_.longest);
                flit.head = true;
                flit.word = hw::Header{destination(port), port, sequence_++}.pack();
            } else {
                flit.word = random_();
            }
            flit.tail = --packet.left == 0;
            writers_[i].push(flit, now, clock_);
            ++sent;
            return;
        }
    }

    void drain(PortId port, Cycle now) {
        if (port == kLocalPort && !pressure_.ejection_stalls) return;
        if (now < stalled_until_[port]) {
            ++held_up;
            return;
        }
        if (percent(pressure_.stall_percent)) {
            stalled_until_[port] = now + 1 + random_() % pressure_.stall_cycles;
        }
        const auto first = static_cast<std::uint32_t>(random_() % vcs_);
        for (std::uint32_t k = 0; k < vcs_; ++k) {
            hw::FlitReader& reader = readers_[port * vcs_ + (first + k) % vcs_];
            if (!reader.visible(now)) continue;
            reader.pop(now, clock_);
            return;
        }
    }

    const Routing& routing_;
    RouterId at_;
    NodeId nodes_;
    Pressure pressure_;
    hw::ClockDomain& clock_;
    std::uint32_t vcs_;
    bool mesh_;
    std::mt19937_64 random_;
    Arena memory_;
    hw::PacketPool packets_;
    hw::PartitionOutbox outbox_;
    std::unique_ptr<hw::Router> router_;
    std::vector<hw::FlitWriter> writers_;
    std::vector<hw::FlitReader> readers_;
    std::vector<Send> sends_;
    std::vector<Cycle> stalled_until_;
    PortId hot_port_ = 0;
    std::uint32_t sequence_ = 0;
};

/// The first difference between two sides, looked for after every cycle.
class LockStep {
public:
    LockStep(const Surroundings& systemc, const Surroundings& rtl) : a_(systemc), b_(rtl) {}

    bool equal(Cycle now) {
        for (std::size_t port = 0; port < a_.in.size(); ++port) {
            compare("in", port, *a_.in[port], *b_.in[port], now);
            compare("out", port, *a_.out[port], *b_.out[port], now);
        }
        if (a_.ejected != b_.ejected) note(fmt::format("cycle {}: ejected flits differ", now));
        return difference.empty();
    }

    std::string difference;

private:
    void compare(const char* side, std::size_t port, const hw::FlitChannel& a,
                 const hw::FlitChannel& b, Cycle now) {
        for (std::size_t vc = 0; vc < a.buffers().size(); ++vc) {
            const hw::FlitBuffer& x = a.buffers()[vc];
            const hw::FlitBuffer& y = b.buffers()[vc];
            const bool same_flit =
                x.sent(now) == 0 || y.sent(now) == 0 || x.last_sent(now) == y.last_sent(now);
            if (x.sent(now) == y.sent(now) && x.popped() == y.popped() && same_flit) continue;
            note(
                fmt::format("cycle {}: {} port {} vc {}: SystemC sent {} popped {}, RTL sent {} "
                            "popped {}{}",
                            now, side, port, vc, x.sent(now), x.popped(), y.sent(now), y.popped(),
                            same_flit ? "" : ", another flit"));
        }
    }
    void note(std::string text) {
        if (difference.empty()) difference = std::move(text);
    }

    const Surroundings& a_;
    const Surroundings& b_;
};

struct Totals {
    std::uint64_t router_cycles = 0;
    std::uint64_t flits = 0;
    std::uint64_t held_up = 0;
    std::uint64_t ejection_stalls = 0;
};

std::string run_case(const hw::RtlVariant& variant, std::uint64_t seed, Totals& totals) {
    std::mt19937_64 random(seed);
    const bool table = variant.routing == hw::RtlRouting::kTable;
    const Config config = table ? router_config_for(variant) : random_config_for(variant, random);
    std::optional<Graph> graph;
    std::unique_ptr<Routing> routing;
    if (table) {
        graph.emplace("custom", std::vector<std::uint32_t>{variant.table_entries}, variant.ports);
        // The rates are those of Surroundings; this names the variant.
        Link link;
        link.from_port = link.to_port = 1;
        link.to = RouterId(1);
        link.rate_cycles = variant.slow_links ? 2 : 1;
        graph->add_link(link);
        routing = std::make_unique<RandomTable>(*graph, variant, random);
    } else {
        graph = random_rates(build_topology(config), variant, random);
        routing = make_routing(config, *graph);
    }
    const NodeId nodes = graph->node_count();
    const RouterId router(static_cast<std::uint32_t>(random() % graph->router_count()));
    const Pressure pressure = random_pressure(random);
    const hw::ScanOrder order =
        random() % 2 == 0 ? hw::ScanOrder::kAscending : hw::ScanOrder::kDescending;

    const FreshKernel kernel;
    const hw::RtlRouters rtl(config, *graph, *routing);
    hw::ClockDomain clock("clock", sc_core::sc_time(1, sc_core::SC_NS), order);
    const std::uint64_t same = random();
    Surroundings a("a", variant, *routing, router, nodes, pressure, clock, nullptr, same);
    Surroundings b("b", variant, *routing, router, nodes, pressure, clock, &rtl, same);
    LockStep lock_step(a, b);
    RunControl control =
        inspected_every(1, [&lock_step](Cycle now) { return lock_step.equal(now); });
    control.limit = kCyclesPerCase;
    clock.supervise(control);
    sc_core::sc_start();
    if (lock_step.difference.empty() && a.reports.sorted() != b.reports.sorted()) {
        lock_step.difference = "channel events differ";
    }
    totals.router_cycles += clock.now() + 1;
    totals.flits += a.sent;
    totals.held_up += a.held_up;
    totals.ejection_stalls += pressure.ejection_stalls && pressure.stall_percent != 0 ? 1 : 0;
    if (lock_step.difference.empty()) return "";
    return fmt::format("{} seed {}: {}", variant.name(), seed, lock_step.difference);
}

TEST(RtlVariant, NamesASwitchThatIsHeldOnlyWhereVirtualChannelsCompete) {
    const auto name = [](std::uint32_t virtual_channels,
                         Allocation allocation = Allocation::kSequential) {
        Config config;
        config.fabric.allocation = allocation;
        config.fabric.virtual_channels = virtual_channels;
        config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
        const Graph graph = build_mesh({4, 4});
        return hw::rtl_variant(config, graph, *make_dimension_order(graph)).name();
    };
    EXPECT_EQ(name(1), "router_p5_v1_d8_w64_r1_mesh");
    EXPECT_EQ(name(2), "router_p5_v2_d8_w64_r1_mesh_hold");
    EXPECT_EQ(name(1, Allocation::kCombined), "router_p5_v1_d8_w64_r1_mesh_combined");
    EXPECT_EQ(name(2, Allocation::kCombined), "router_p5_v2_d8_w64_r1_mesh_hold_combined");
    for (const char* read_back :
         {"router_p5_v2_d8_w64_r1_mesh_hold", "my_p3_v8_d1_w64_r2_table4",
          "router_p4_v4_d2_w64_r1_table16_hold", "router_p4_v1_d2_w64_r1_hypercube_combined",
          "router_p4_v4_d2_w64_r1_table16_hold_combined", "router_p5_v2_d8_w64_r1_mesh_slow",
          "router_p4_v1_d2_w64_r1_table8_combined_slow_t001f", "router_p5_v4_d8_w64_r1_mesh_x2",
          "router_p5_v4_d8_w64_r1_mesh_c2", "router_p5_v4_d8_w64_r1_table4_hold_x2_c4",
          "router_p5_v4_d8_w64_r1_mesh_c2_k10010003",
          "router_p4_v6_d2_w64_r1_table16_hold_combined_x3_t001f",
          "theirs_p5_v2_d2_w64_r1_table16_valid_ready_direct"}) {
        const auto variant = hw::parse_rtl_variant(read_back);
        ASSERT_TRUE(variant) << read_back;
        EXPECT_EQ(variant->name(), read_back);
    }
    for (const std::string& nothing :
         std::initializer_list<std::string>{"router_p5_v1_d8_w64_r1_mesh_hold",
                                            "router_p5_v1_d8_w64_r1_mesh4",
                                            "router_p5_v1_d8_w64_r1_mesh_hold_combined",
                                            "router_p5_v2_d8_w64_r1_mesh_slow_combined",
                                            "router_p5_v2_d8_w64_r1_mesh_hold_slow",
                                            "router_p5_v2_d8_w64_r1_mesh_combined_hold",
                                            "router_p5_v1_d8_w64_r1_table",
                                            "router_p5_v1_d1234567_w64_r1_mesh",
                                            "_p5_v1_d8_w64_r1",
                                            "router_p5_v2_d8_w64_r1_mesh_hold_valid_ready",
                                            "theirs_p5_v1_d8_w64_r1_mesh_direct",
                                            "router-x_p5_v1_d8_w64_r1_mesh",
                                            "router_p5_v4_d8_w64_r1_mesh_x1",
                                            "router_p5_v4_d8_w64_r1_mesh_x3",
                                            "router_p5_v4_d8_w64_r1_mesh_c3",
                                            "router_p5_v4_d8_w64_r1_mesh_c2_x2",
                                            "router_p5_v4_d8_w64_r1_mesh_c",
                                            "router_p5_v4_d8_w64_r1_mesh_c2_k1001000",
                                            "router_p5_v4_d8_w64_r1_mesh_k10010003",
                                            "router_p5_v4_d8_w64_r1_mesh_c2_k0001_x20",
                                            "router_p5_v4_d8_w64_r1_mesh_0",
                                            "router_p5_v4_d8_w64_r1_mesh_x02",
                                            "router_p5_v4_d8_w64_r1_mesh_x2_hold",
                                            "router_p5_v1_d8_w64_r1_mesh_",
                                            "router_p05_v1_d8_w64_r1_mesh",
                                            "router_p5_v0_d8_w64_r1_mesh",
                                            "router_p5_v1_d18446744073709551617_w64_r1_mesh",
                                            std::string(1'000'000, 'r') + "_p5_v1_d8_w64_r1_mesh",
                                            ""}) {
        EXPECT_FALSE(hw::parse_rtl_variant(nothing)) << nothing;
    }
}

TEST(RtlVariant, NamesSlowLinksOfOurRouters) {
    Config config;
    Graph graph = build_mesh({4, 4});
    const auto name = [&] {
        return hw::rtl_variant(config, graph, *make_dimension_order(graph)).name();
    };
    EXPECT_EQ(name(), "router_p5_v1_d8_w64_r1_mesh");
    graph.set_rate(3, 2);
    EXPECT_EQ(name(), "router_p5_v1_d8_w64_r1_mesh_slow");
    config.fabric.allocation = Allocation::kCombined;
    EXPECT_EQ(name(), "router_p5_v1_d8_w64_r1_mesh_combined_slow");
}

TEST(RtlVariant, HasATableEntryForEveryDestinationAndForNoSwitch) {
    const auto name = [](std::uint32_t arity, std::uint32_t height) {
        Config config;
        config.fabric.topology.kind = "fat_tree";
        config.fabric.topology.parameters = {{"arity", arity}, {"height", height}};
        const Graph graph = build_topology(config);
        return hw::rtl_variant(config, graph, *make_routing(config, graph)).name();
    };
    EXPECT_EQ(name(2, 5), "router_p6_v1_d8_w64_r1_table32");  // on 80 routers
    EXPECT_EQ(name(3, 2), "router_p9_v1_d8_w64_r1_table16");
    EXPECT_EQ(name(4, 1), "router_p4_v1_d8_w64_r1_table4");
}

TEST(RtlVariant, NamesOfAllRoutersAreReadBack) {
    // The build reads them by the same expression.
    std::size_t names = 0;
    for (const char* module : {"router", "valid_ready_router", "p3_v2_d1"}) {
        for (const std::uint32_t vcs : {1U, 2U, 8U}) {
            for (const char* kind : {"mesh", "torus", "hypercube", "ghc"}) {
                Config config;
                RtlModule top;
                top.top = module;
                if (top.top == "valid_ready_router") top.protocol = RtlProtocol::kValidReady;
                config.fabric.router = top;
                config.fabric.virtual_channels = vcs;
                config.fabric.switch_arbitration =
                    vcs == 8 ? SwitchArbitration::kPerPacket : SwitchArbitration::kRoundRobin;
                config.fabric.buffer_depth = 1000;
                config.fabric.topology.kind = kind;
                config.fabric.topology.dims = {4, 4};
                config.fabric.topology.dimensions = 4;
                const Graph graph = build_topology(config);
                const std::string name =
                    hw::rtl_variant(config, graph, *make_routing(config, graph)).name();
                const auto variant = hw::parse_rtl_variant(name);
                ASSERT_TRUE(variant) << name;
                EXPECT_EQ(variant->name(), name);
                EXPECT_EQ(variant->module, module);
                ++names;
            }
        }
    }
    EXPECT_EQ(names, 36U);
}

TEST(RtlRouter, DoesWhatTheSystemCRouterDoesInEveryCycleOfContendedTraffic) {
    const std::vector<hw::RtlVariant> variants = our_rtl_variants();
    ASSERT_FALSE(variants.empty()) << "no variants in " << hw::rtl_library_folder();
    const std::uint64_t wanted = wanted_router_cycles();
    Totals totals;
    for (std::uint64_t seed = 1; totals.router_cycles < wanted; ++seed) {
        for (const hw::RtlVariant& variant : variants) {
            ASSERT_EQ(run_case(variant, seed, totals), "");
        }
    }
    if (wanted >= kTellingCycles) {
        EXPECT_GT(totals.flits, wanted);
        EXPECT_GT(totals.held_up, wanted / 4);
        EXPECT_GT(totals.ejection_stalls, 10U);
    }
    RecordProperty("router_cycles", static_cast<int>(totals.router_cycles));
    fmt::print("{} router-cycles, {} flits\n", totals.router_cycles, totals.flits);
}

}  // namespace
}  // namespace flitscope
