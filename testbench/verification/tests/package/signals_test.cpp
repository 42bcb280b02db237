// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels as signals of SystemC: in every cycle what the waveform of the same run says, on every
// engine, changed at the start of the cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "flitscope/interconnect.h"
#include "flitscope/traffic.h"
#include "models/topology/channel_map.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/tests/package/made_networks.h"

namespace flitscope {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The values of all signals of a VCD by their full names, at the times asked for in rising order.
class VcdReader {
public:
    explicit VcdReader(const std::string& path) : in_(path) {
        std::vector<std::string> scopes;
        std::string word;
        while (in_ >> word && word != "$enddefinitions") {
            if (word == "$scope") {
                in_ >> word >> word;
                scopes.push_back(word);
            } else if (word == "$upscope") {
                scopes.pop_back();
            } else if (word == "$var") {
                std::string code;
                in_ >> word >> word >> code >> word;
                std::string name;
                for (const std::string& scope : scopes) name += scope + ".";
                codes_[name + word.substr(0, word.find('['))] = code;
            }
        }
    }

    /// Takes all changes up to `time`, in ticks.
    void go_to(std::uint64_t time) {
        std::string word;
        while (next_ <= time && in_ >> word) {
            if (word[0] == '#') {
                next_ = std::stoull(word.substr(1));
                if (next_ > time) return;
            } else if (word[0] == 'b') {
                std::string code;
                in_ >> code;
                values_[code] = word.substr(1);
            } else if (word[0] != '$') {
                values_[word.substr(1)] = word.substr(0, 1);
            }
        }
    }
    /// `none` for z.
    std::uint64_t value(const std::string& name, std::uint64_t none = 0) const {
        const std::string& digits = values_.at(codes_.at(name));
        return digits[0] == 'z' ? none : std::stoull(digits, nullptr, 2);
    }
    bool has(const std::string& name) const { return codes_.count(name) != 0; }

private:
    std::ifstream in_;
    std::map<std::string, std::string> codes_;
    std::map<std::string, std::string> values_;
    std::uint64_t next_ = 0;
};

struct Seen {
    bool busy;
    bool blocked;
    MessageId message;
    NodeId source;
    NodeId destination;

    static Seen of(const ChannelSignals& signals) {
        return {signals.busy, signals.blocked, signals.message, signals.source,
                signals.destination};
    }
};

/// Looks at all signals in the middle of each cycle, and at the times of their changes.
class Watcher final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Watcher);
    Watcher(sc_core::sc_module_name name, const Network& network, Cycle how_many)
        : sc_module(name),
          cycles(how_many),
          period_(network.config().clock_ns, sc_core::SC_NS),
          signals_(network.signals()) {
        SC_THREAD(look);
        SC_METHOD(note);
        for (const ChannelSignals* const one : signals_) {
            sensitive << one->busy << one->blocked << one->message;
        }
        dont_initialize();
    }

    const Cycle cycles;
    std::vector<std::vector<Seen>> seen;  ///< by cycle
    std::uint64_t times = 0;              ///< at which some of them changed
    std::uint64_t within_a_cycle = 0;

private:
    void look() {
        wait(period_ / 2);
        for (Cycle cycle = 0; cycle < cycles; ++cycle) {
            seen.emplace_back();
            for (const ChannelSignals* const one : signals_) seen.back().push_back(Seen::of(*one));
            wait(period_);
        }
    }
    void note() {
        ++times;
        within_a_cycle += sc_core::sc_time_stamp().value() % period_.value() != 0 ? 1 : 0;
    }

    sc_core::sc_time period_;
    std::vector<const ChannelSignals*> signals_;
};

/// The packet that a scope of the waveform shows, with several virtual channels the one that sends,
/// or else the first one.
std::string scope_of_packet(const VcdReader& vcd, const std::string& scope) {
    if (!vcd.has(scope + ".vc0.busy")) return scope;
    for (const char* const wanted : {".busy", ".blocked"}) {
        for (int vc = 0; vcd.has(scope + ".vc" + std::to_string(vc) + wanted); ++vc) {
            const std::string inner = scope + ".vc" + std::to_string(vc);
            if (vcd.value(inner + wanted) == 1) return inner;
        }
    }
    return scope + ".vc0";
}

/// Returns how often a channel was blocked in a cycle.
std::uint64_t compare(const std::string& path, const Network& network, const Watcher& watcher) {
    VcdReader vcd(path);
    const ChannelMap map(network.graph());
    std::uint64_t busy = 0;
    std::uint64_t blocked = 0;
    for (Cycle cycle = 0; cycle < watcher.cycles; ++cycle) {
        if (testing::Test::HasFailure()) return blocked;  // one cycle of them is enough
        vcd.go_to(cycle * clock_period_ps(network.config().clock_ns));
        for (std::size_t i = 0; i < watcher.seen[cycle].size(); ++i) {
            const ChannelSignals& signals = *network.signals()[i];
            const Seen& seen = watcher.seen[cycle][i];
            const std::string scope =
                (map.is_link(signals.channel) ? "fabric.links." : "fabric.endpoints.") +
                signals.name;
            const std::string packet = scope_of_packet(vcd, scope);
            EXPECT_EQ(seen.busy, vcd.value(scope + ".busy") == 1) << scope << ' ' << cycle;
            EXPECT_EQ(seen.blocked, vcd.value(scope + ".blocked") == 1) << scope << ' ' << cycle;
            EXPECT_EQ(seen.message, vcd.value(packet + ".message", kNoMessage)) << scope;
            EXPECT_EQ(seen.source, vcd.value(packet + ".source", kNoNode)) << scope;
            EXPECT_EQ(seen.destination, vcd.value(packet + ".destination", kNoNode)) << scope;
            busy += seen.busy ? 1 : 0;
            blocked += seen.blocked ? 1 : 0;
        }
    }
    EXPECT_GT(busy, 1000U);
    return blocked;
}

Config crowded() {
    Config config = mesh({4, 4});
    config.traffic.pattern = "uniform";
    config.traffic.injection_rate = 0.5;
    config.traffic.message_bytes = 40;
    config.traffic.warmup_cycles = 0;
    config.traffic.measure_cycles = 300;
    config.trace.details = true;
    config.trace.endpoints = true;
    return config;
}

void expect_those_of_the_waveform(const Config& config, const std::string& engine,
                                  std::uint32_t threads = 1) {
    const std::string path = testing::TempDir() + "signals_test_" + engine + ".vcd";
    const FreshKernel kernel;
    NetworkOptions options;
    options.engine = engine;
    options.trace = path;
    options.signals = {"*"};
    options.threads = threads;
    Network network("network", config, options);
    ASSERT_EQ(network.engine(), engine);
    const TrafficPlayer player("player", network);
    const Watcher watcher("watcher", network, config.traffic.measure_cycles + 50);
    sc_core::sc_start();
    network.finish();
    EXPECT_GT(watcher.times, watcher.cycles / 2);
    EXPECT_EQ(watcher.within_a_cycle, 0U);
    EXPECT_THAT(player.problems(), testing::IsEmpty());
    EXPECT_GT(compare(path, network, watcher), 10U);
    std::filesystem::remove(path);
}

TEST(ChannelSignals, AreThoseOfTheWaveformOnEveryEngine) {
    for (const char* const engine : {"cycle", "tlm"}) {
        SCOPED_TRACE(engine);
        expect_those_of_the_waveform(crowded(), engine);
    }
    Config slow = crowded();
    slow.clock_ns = 1.7;
    expect_those_of_the_waveform(slow, "tlm");
}

TEST(ChannelSignals, AreThoseOfTheWaveformWithSeveralVirtualChannelsPlanesAndCircuits) {
    Config several = crowded();
    several.fabric.virtual_channels = 3;
    expect_those_of_the_waveform(several, "cycle");
    Config planes = crowded();
    planes.fabric.planes = 2;
    expect_those_of_the_waveform(planes, "cycle");
    Config circuits = crowded();
    circuits.fabric.switching = Switching::kCircuit;
    expect_those_of_the_waveform(circuits, "cycle");
}

TEST(ChannelSignals, AreThoseOfTheWaveformWithLossesAndSlowLinks) {
    Config losses = crowded();
    losses.faults.emplace();
    losses.faults->links = {"5-6", "9-10"};
    losses.faults->at = 100;
    losses.fabric.routing = "up_down";
    expect_those_of_the_waveform(losses, "cycle");
    Config slow = crowded();
    slow.fabric.link_rate.die = {2, 2};
    slow.fabric.link_rate.between = {1, 3};
    slow.fabric.link_rate.delay = 4;
    expect_those_of_the_waveform(slow, "cycle");
}

TEST(ChannelSignals, AreThoseOfTheWaveformWhenThreadsSimulate) {
    Config config = crowded();
    config.fabric.topology.dims = {16, 16};
    config.traffic.measure_cycles = 50;
    expect_those_of_the_waveform(config, "cycle", 2);
}

TEST(ChannelSignals, EndWithTheRun) {
    for (const char* const engine : {"cycle", "tlm"}) {
        SCOPED_TRACE(engine);
        const FreshKernel kernel;
        Config config = crowded();
        config.limits.max_cycles = 100;
        NetworkOptions options;
        options.engine = engine;
        options.trace = testing::TempDir() + "signals_test_end.vcd";
        options.signals = {"*"};
        Network network("network", config, options);
        const TrafficPlayer player("player", network);
        const Watcher watcher("watcher", network, 100);
        sc_core::sc_start();  // returns
        EXPECT_EQ(network.finish(), RunEnd::kLimit);
        EXPECT_LE(sc_core::sc_time_stamp(), sc_core::sc_time(101, sc_core::SC_NS));
        compare(options.trace, network, watcher);
        std::filesystem::remove(options.trace);
    }
}

/// Losses, slow links, port models, routers of other delays: no engine reports an event of another
/// cycle than simulated time is in, which would end the run.
TEST(ChannelSignals, FollowEveryShippedConfiguration) {
    std::uint64_t runs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(FLITSCOPE_CONFIGS)) {
        if (entry.path().extension() != ".yaml") continue;
        SCOPED_TRACE(entry.path());
        Config config;
        try {
            config = load_config(entry.path());
        } catch (const ConfigError&) {
            continue;  // a study
        }
        if (!config.has_traffic()) continue;
        config.limits.max_cycles = 3000;
        const FreshKernel kernel;
        NetworkOptions options;
        options.signals = {"*"};
        std::optional<Network> network;
        try {
            network.emplace("network", config, options);
        } catch (const ConfigError&) {
            continue;  // can deadlock, or has verilated routers
        }
        if (network->graph().node_count() > 256) continue;
        const TrafficPlayer player("player", *network);
        EXPECT_NO_THROW(sc_core::sc_start());
        network->finish();
        ++runs;
    }
    EXPECT_GT(runs, 30U);
}

TEST(ChannelSignals, AreThoseThatWereChosen) {
    const FreshKernel kernel;
    NetworkOptions options;
    options.signals = {"link_00*_001", "eject_003", "*_001"};
    const Network network("network", mesh({2, 2}), options);
    std::vector<std::string> names;
    for (const ChannelSignals* const one : network.signals()) names.push_back(one->name);
    EXPECT_THAT(names, testing::ElementsAre("link_000_001", "link_003_001", "inject_001",
                                            "eject_001", "eject_003"));
    EXPECT_STREQ(network.signals("eject_003").busy.name(), "network.signals.eject_003_busy");
    EXPECT_EQ(network.signals("eject_003").message.read(), kNoMessage);
    EXPECT_THROW(network.signals("eject_002"), ConfigError);
    const Network without("without", mesh({2, 2}));
    EXPECT_TRUE(without.signals().empty());
}

TEST(ChannelSignals, RefuseChannelsThatDoNotExist) {
    NetworkOptions options;
    options.signals = {"link_000_001", "link_000_003", "nothing*"};
    EXPECT_THAT(refusal(mesh({2, 2}), options),
                AllOf(HasSubstr("there is no channel 'link_000_003' to be a signal (did you mean"),
                      HasSubstr("there is no channel 'nothing*' to be a signal (channels are "
                                "called as link_000_001; * stands for any characters)")));
}

TEST(ChannelSignals, CanBeTraced) {
    const std::string path = testing::TempDir() + "signals_test_kernel";
    {
        const FreshKernel kernel;
        Config config = mesh({2, 1});
        config.traffic.schedule = "pex";
        config.traffic.message_bytes = 24;
        NetworkOptions options;
        options.engine = "tlm";
        options.signals = {"link_000_001"};
        Network network("network", config, options);
        const TrafficPlayer player("player", network);
        sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file(path.c_str());
        file->set_time_unit(1, sc_core::SC_PS);
        sc_trace(file, network.signals("link_000_001"), "link");
        sc_core::sc_start();
        sc_core::sc_close_vcd_trace_file(file);
    }
    VcdReader vcd(path + ".vcd");
    std::vector<std::uint64_t> busy;
    for (std::uint64_t cycle = 0; cycle < 20; ++cycle) {
        vcd.go_to(1000 * cycle);
        if (vcd.value("SystemC.link_busy") == 1) busy.push_back(cycle);
        EXPECT_EQ(vcd.value("SystemC.link_destination"),
                  vcd.value("SystemC.link_busy") == 1 ? 1 : kNoNode);
    }
    // A header and three flits of 8 bytes, from node 0 in cycles 0 to 3: each is a cycle on its way
    // to the router (router_delay), which sends it in the next one.
    EXPECT_THAT(busy, testing::ElementsAre(1, 2, 3, 4));
    std::filesystem::remove(path + ".vcd");
}

}  // namespace
}  // namespace flitscope
