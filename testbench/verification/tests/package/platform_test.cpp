// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The interconnect as a part of other people's platforms: over every engine, in constant memory,
// for longer than its trace; what it says of clocks and lengths that do not fit, and what it has
// counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <systemc>

#include "flitscope/interconnect.h"
#include "flitscope/traffic.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/tests/package/made_networks.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/tlm/tlm_platform.h"

namespace flitscope {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Network, SaysWhatTheTimeResolutionMakesOfItsClock) {
    Config config = mesh({4, 4});
    config.clock_ns = 0.0014;  // 1 ps
    EXPECT_THAT(refusal(config), HasSubstr("time resolution of this kernel"));
    const sc_core::sc_actions before =
        sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_CACHE_REPORT);
    const auto warning = [&](double clock_ns) -> std::string {
        config.clock_ns = clock_ns;
        sc_core::sc_report_handler::clear_cached_report();
        const FreshKernel kernel;
        const Network network("network", config);
        const sc_core::sc_report* const report = sc_core::sc_report_handler::get_cached_report();
        return report == nullptr ? "" : report->get_msg();
    };
    EXPECT_EQ(warning(2.2), "");
    EXPECT_EQ(warning(1.0 / 3), "");  // noise: 0.333
    EXPECT_EQ(warning(1.0 / 7), "");
    EXPECT_EQ(warning(0.1004),
              "the configuration: clock_ns: a period of 0.1004 ns is 0.1 ns for the "
              "time resolution of this kernel, 1 ps, and all times with it (call "
              "sc_core::sc_set_time_resolution(1, sc_core::SC_FS) first)");
    sc_core::sc_report_handler::clear_cached_report();
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, before);
}

TEST(Network, GoesOnWithoutItsTraceWhenThatIsComplete) {
    for (const char* const engine : {"cycle", "tlm"}) {
        for (const char* const format : {".vcd", ".fst", ".json"}) {
            SCOPED_TRACE(std::string(engine) + format);
            const FreshKernel kernel;
            Config config = mesh({4, 4});
            config.traffic.schedule = "pex";
            NetworkOptions options;
            options.engine = engine;
            options.trace = testing::TempDir() + "network_goes_on" + format;
            Network network("network", config, options);
            const TrafficPlayer player("player", network);
            sc_core::sc_start(100, sc_core::SC_NS);
            network.finish();
            const auto bytes = std::filesystem::file_size(options.trace);
            EXPECT_LT(player.scoreboard().messages_delivered(), player.messages_expected());
            sc_core::sc_start();
            EXPECT_EQ(network.finish(), RunEnd::kIdle);
            EXPECT_THAT(player.problems(), IsEmpty());
            EXPECT_EQ(std::filesystem::file_size(options.trace), bytes);
            std::filesystem::remove(options.trace);
        }
    }
}

Config platform() {
    Config config = mesh({4, 4});
    config.interconnect.emplace();
    config.interconnect->initiators = {0};
    InterconnectTarget target;
    target.node = 5;
    target.size = 4096;
    config.interconnect->targets = {target};
    return config;
}

TEST(Interconnect, ChecksConfigurationsInCodeByTheRulesOfFiles) {
    const auto refused = [](void (*change)(Config&), const std::string& engine) {
        Config config = platform();
        change(config);
        return error_of([&] {
            NetworkOptions options;
            options.engine = engine;
            if (engine.empty()) {
                const Interconnect interconnect("interconnect", config);
            } else {
                const Interconnect interconnect("interconnect", config, fabric_with(options));
            }
        });
    };
    for (const std::string engine : {"", "cycle", "tlm"}) {
        EXPECT_EQ(refused([](Config&) {}, engine), "");
        EXPECT_EQ(refused([](Config& c) { c.fabric.buffer_depth = 0; }, engine),
                  "the configuration: error: 'fabric.buffer_depth' must be an integer from 1 to "
                  "65536, found '0'");
        EXPECT_THAT(refused([](Config& c) { c.clock_ns = 0; }, engine), HasSubstr("'clock_ns'"));
        EXPECT_THAT(refused([](Config& c) { c.fabric.flit_bits = 0; }, engine),
                    HasSubstr("flit_bits"));
        EXPECT_THAT(refused([](Config& c) { c.fabric.router_delay = 0; }, engine),
                    HasSubstr("router_delay"));
        EXPECT_THAT(refused(
                        [](Config& c) {
                            c.fabric.topology.dims = {0, 4};
                        },
                        engine),
                    HasSubstr("dims"));
        EXPECT_THAT(refused(
                        [](Config& c) {
                            c.node.injection_bandwidth = {0, 1};
                        },
                        engine),
                    HasSubstr("injection_bandwidth"));
        EXPECT_THAT(refused([](Config& c) { c.interconnect->outstanding = 0; }, engine),
                    HasSubstr("outstanding"));
        // Rounded to 1 ps.
        EXPECT_THAT(refused([](Config& c) { c.clock_ns = 0.0014; }, engine),
                    AllOf(HasSubstr("time resolution of this kernel, 1 ps"),
                          HasSubstr("sc_set_time_resolution")));
    }
}

TEST(FabricWith, GivesAnInterconnectEveryEngine) {
    Config config = platform();
    config.fabric.virtual_channels = 2;
    const auto made_by = [&config](const std::string& engine) {
        return error_of([&] {
            NetworkOptions options;
            options.engine = engine;
            const Interconnect interconnect("interconnect", config, fabric_with(options));
        });
    };
    EXPECT_EQ(made_by("cycle"), "");
    EXPECT_EQ(made_by("auto"), "");
    EXPECT_THAT(made_by("tlm"), HasSubstr("computes in bursts"));
    // And without it the TLM engine, in words of programs as well.
    EXPECT_THAT(error_of([&] { const Interconnect interconnect("interconnect", config); }),
                AllOf(HasSubstr("computes in bursts"), Not(HasSubstr("--"))));
}

/// One initiator and one memory on the interconnect of platform(); the initiator plays `script`.
struct SmallPlatform {
    SmallPlatform(const Config& config, const std::string& engine, const std::string& trace = "")
        : interconnect(make(config, engine, trace)) {
        initiator.socket.bind(interconnect->from_initiator[0]);
        interconnect->to_target[0].bind(memory.socket);
    }
    static std::unique_ptr<Interconnect> make(const Config& config, const std::string& engine,
                                              const std::string& trace) {
        if (engine.empty()) return std::make_unique<Interconnect>("interconnect", config);
        NetworkOptions options;
        options.engine = engine;
        options.trace = trace;
        return std::make_unique<Interconnect>("interconnect", config, fabric_with(options));
    }

    const FreshKernel kernel;
    std::unique_ptr<Interconnect> interconnect;
    Initiator initiator{"initiator"};
    Memory memory{"memory", 4096};
    PayloadPool pool;
};

/// Pages of memory that this process has now, in bytes.
std::uint64_t resident_bytes() {
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * 4096;
}

TEST(Interconnect, NeedsNoMoreMemoryForMoreAccesses) {
    const std::uint64_t accesses = cases_of(200'000, 10'000'000);
    for (const std::string engine : {"", "tlm", "cycle"}) {
        SCOPED_TRACE(engine);
        SmallPlatform p(platform(), engine);
        std::uint64_t after_a_tenth = 0;
        p.initiator.script = [&] {
            Payload& read = p.pool.get(tlm::TLM_READ_COMMAND, 0, 4);
            for (std::uint64_t i = 0; i < accesses; ++i) {
                p.initiator.transport(read);
                if (i == accesses / 10) after_a_tenth = resident_bytes();
            }
        };
        sc_core::sc_start();
        EXPECT_EQ(p.memory.accesses, accesses);
        EXPECT_GT(after_a_tenth, 0U);
        EXPECT_LT(resident_bytes(), after_a_tenth + 1'000'000);  // 5 bytes an access
    }
}

TEST(Interconnect, GoesOnAfterFinish) {
    for (const std::string engine : {"cycle", "tlm"}) {
        for (const std::string trace : {"", "vcd", "fst", "json"}) {
            SCOPED_TRACE(engine + " " + trace);
            const std::string file = testing::TempDir() + "platform_test." + trace;
            SmallPlatform p(platform(), engine, trace.empty() ? "" : file);
            sc_core::sc_time end;
            p.initiator.script = [&] {
                Payload& write = p.pool.get(tlm::TLM_WRITE_COMMAND, 0, 4);
                for (int i = 0; i < 5; ++i) end = p.initiator.transport(write);
            };
            sc_core::sc_start(30, sc_core::SC_NS);
            p.interconnect->fabric().finish();
            sc_core::sc_start();
            EXPECT_EQ(p.interconnect->fabric().finish(), RunEnd::kIdle);
            EXPECT_TRUE(p.initiator.finished);
            EXPECT_EQ(end, ns(5 * 17));
            EXPECT_EQ(std::filesystem::remove(file), !trace.empty());
        }
    }
}

TEST(Interconnect, NamesTheSocketTheLengthAndTheRemedyOfAnAccessTheNetworkCannotCarry) {
    Config config = platform();
    config.fabric.switching = Switching::kVirtualCutThrough;
    for (const std::string engine : {"", "tlm", "cycle"}) {
        SCOPED_TRACE(engine);
        SmallPlatform p(config, engine);
        std::string said;
        p.initiator.script = [&] {
            Payload& write = p.pool.get(tlm::TLM_WRITE_COMMAND, 0, 256);
            try {
                p.initiator.transport(write);
            } catch (const sc_core::sc_report& report) {
                said = report.get_msg();
            }
            p.initiator.transport(p.pool.get(tlm::TLM_WRITE_COMMAND, 0, 32));
            // Of a read it is the response that is too long.
            EXPECT_THROW(p.initiator.transport(p.pool.get(tlm::TLM_READ_COMMAND, 0, 256)),
                         sc_core::sc_report);
        };
        sc_core::sc_start();
        EXPECT_EQ(
            said,
            "interconnect.from_initiator_0: a write of 256 bytes is a message of 264: virtual "
            "cut-through needs a FIFO for all of the longest packet: 34 flits (264 bytes and "
            "the header), not 8 (set fabric.buffer_depth: 34, or node.packet_bytes: 56 or "
            "less)");
        EXPECT_EQ(p.memory.accesses, 1U);
    }
    config.node.packet_bytes = 56;
    SmallPlatform p(config, "tlm");
    p.initiator.script = [&] { p.initiator.transport(p.pool.get(tlm::TLM_WRITE_COMMAND, 0, 256)); };
    sc_core::sc_start();
    EXPECT_EQ(p.memory.accesses, 1U);
}

TEST(Interconnect, ShowsItsNetworkAndWhatTheChannelsCarried) {
    for (const std::string engine : {"", "tlm", "cycle"}) {
        SCOPED_TRACE(engine);
        SmallPlatform p(platform(), engine);
        const Interconnect& interconnect = *p.interconnect;
        EXPECT_EQ(interconnect.engine(), engine.empty() ? "tlm" : engine);
        EXPECT_EQ(interconnect.config().fabric.topology.dims, (std::vector<std::uint32_t>{4, 4}));
        EXPECT_EQ(interconnect.graph().node_count(), 16U);
        p.initiator.script = [&] {
            for (int i = 0; i < 3; ++i) {
                p.initiator.transport(p.pool.get(tlm::TLM_READ_COMMAND, 0, 16));
            }
        };
        sc_core::sc_start();
        std::map<std::string, std::uint64_t> flits;
        for (const ChannelCount& count : interconnect.channel_counts()) {
            if (count.flits != 0) flits[count.name] = count.flits;
            EXPECT_EQ(count.flits, interconnect.fabric().flits_sent(count.channel));
        }
        // Three requests of 2 flits from node 0 to node 5, three responses of 4.
        const std::map<std::string, std::uint64_t> wanted = {
            {"inject_000", 6},  {"link_000_001", 6},  {"link_001_005", 6},  {"eject_005", 6},
            {"inject_005", 12}, {"link_005_004", 12}, {"link_004_000", 12}, {"eject_000", 12}};
        EXPECT_EQ(flits, wanted);
    }
}

/// Two interconnects of one module, or one of them alone: their clocks, engines and accesses
/// differ.
struct TwoSides final : sc_core::sc_module {
    struct Side {
        Side(const std::string& name, const std::string& engine, double clock_ns,
             const std::string& trace)
            : network(name.c_str(), with_clock(clock_ns), fabric_with(options(engine, trace))),
              initiator((name + "_initiator").c_str()),
              memory((name + "_memory").c_str(), 4096) {
            initiator.socket.bind(network.from_initiator[0]);
            network.to_target[0].bind(memory.socket);
        }
        static Config with_clock(double clock_ns) {
            Config config = platform();
            config.clock_ns = clock_ns;
            return config;
        }
        static NetworkOptions options(const std::string& engine, const std::string& trace) {
            NetworkOptions chosen;
            chosen.engine = engine;
            chosen.trace = trace;
            chosen.signals = {"link_000_001"};
            return chosen;
        }
        Interconnect network;
        Initiator initiator;
        Memory memory;
        sc_core::sc_time end;
    };

    TwoSides(sc_core::sc_module_name name, bool has_left, bool has_right) : sc_module(name) {
        if (has_left) add(left, "left", "tlm", 1, 3);
        if (has_right) add(right, "right", "cycle", 2.5, 7);
    }
    static std::string trace_of(const std::string& side) {
        return testing::TempDir() + "platform_test_" + side + ".vcd";
    }
    void add(std::unique_ptr<Side>& side, const std::string& name, const std::string& engine,
             double clock_ns, int accesses) {
        side = std::make_unique<Side>(name, engine, clock_ns, trace_of(name));
        Side* const of = side.get();
        of->initiator.script = [this, of, accesses] {
            for (int i = 0; i < accesses; ++i) {
                of->end = of->initiator.transport(pool.get(tlm::TLM_READ_COMMAND, 0, 16));
            }
        };
    }

    PayloadPool pool;
    std::unique_ptr<Side> left;
    std::unique_ptr<Side> right;
};

std::string text_of(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Interconnect, IsOneOfSeveralInAHierarchy) {
    std::map<std::string, sc_core::sc_time> ends;
    std::map<std::string, std::string> traces;
    for (const bool is_left : {true, false}) {
        const FreshKernel kernel;
        TwoSides alone("soc", is_left, !is_left);
        sc_core::sc_start();
        TwoSides::Side& side = is_left ? *alone.left : *alone.right;
        side.network.fabric().finish();
        const std::string name = is_left ? "left" : "right";
        ends[name] = side.end;
        traces[name] = text_of(TwoSides::trace_of(name));
        EXPECT_GT(traces[name].size(), 1000U);
    }
    const FreshKernel kernel;
    TwoSides both("soc", true, true);
    sc_core::sc_start();
    for (TwoSides::Side* const side : {both.left.get(), both.right.get()}) {
        side->network.fabric().finish();
        const std::string name = side->network.basename();
        const int accesses = name == "left" ? 3 : 7;
        SCOPED_TRACE(name);
        EXPECT_EQ(side->end, ends[name]);
        EXPECT_EQ(text_of(TwoSides::trace_of(name)), traces[name]);
        std::filesystem::remove(TwoSides::trace_of(name));
        const SocketCounts& counts = side->network.counts_of_initiator(0);
        EXPECT_EQ(counts.name, "soc." + name + ".from_initiator_0");
        EXPECT_EQ(counts.transactions, static_cast<std::uint64_t>(accesses));
        EXPECT_EQ(side->network.counts_of_target(0).name, "soc." + name + ".to_target_0");
        EXPECT_EQ(side->network.signals("link_000_001").busy.name(),
                  "soc." + name + ".signals.link_000_001_busy");
        // Requests of 2 flits from node 0 to node 5.
        for (const ChannelCount& count : side->network.channel_counts()) {
            if (count.name == "link_000_001") {
                EXPECT_EQ(count.flits, 2U * accesses);
            }
        }
    }
}

}  // namespace
}  // namespace flitscope
