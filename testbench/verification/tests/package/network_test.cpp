// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The classes that programs of others are written with: the same cycles as the command line gives,
// configurations in code held to the rules of files, and errors in words of programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <systemc>

#include "flitscope/fabric.h"
#include "flitscope/traffic.h"
#include "flitscope/waveforms.h"  // with all others: they are one library
#include "testbench/app/build/machine.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/tests/package/made_networks.h"

namespace flitscope {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Played {
    Cycle makespan = 0;
    double latency = 0;
    std::uint64_t expected = 0;
    std::uint64_t delivered = 0;
    std::vector<std::string> problems;
    RunEnd end = RunEnd::kInterrupted;
};

SimulationResult of_the_command_line(const Config& config, const std::string& engine) {
    const FreshKernel kernel;
    return simulate(build_machine(config), engine, {});
}

Played play(const Config& config, const NetworkOptions& options) {
    const FreshKernel kernel;
    Network network("network", config, options);
    const TrafficPlayer player("player", network);
    sc_core::sc_start();
    Played played;
    played.end = network.finish();
    played.makespan = player.scoreboard().makespan();
    played.latency = player.latency().mean();
    played.expected = player.messages_expected();
    played.delivered = player.scoreboard().messages_delivered();
    played.problems = player.problems();
    return played;
}

TEST(Network, PlaysSchedulesAndPatternsInTheCyclesOfTheCommandLine) {
    Config schedule = mesh({4, 4});
    schedule.traffic.schedule = "pex";
    Config pattern = mesh({4, 4});
    pattern.traffic.pattern = "uniform";
    pattern.traffic.warmup_cycles = 100;
    pattern.traffic.measure_cycles = 6000;
    for (const Config& config : {schedule, pattern}) {
        for (const char* engine : {"cycle", "tlm"}) {
            SCOPED_TRACE(engine + config.traffic.schedule);
            const SimulationResult wanted = of_the_command_line(config, engine);
            NetworkOptions options;
            options.engine = engine;
            const Played played = play(config, options);
            EXPECT_EQ(played.end, RunEnd::kIdle);
            EXPECT_EQ(played.makespan, wanted.cycles);
            EXPECT_EQ(played.latency, wanted.latency.mean());
            EXPECT_EQ(played.expected, wanted.messages_expected);
            EXPECT_EQ(played.delivered, wanted.messages_expected);
            EXPECT_GT(played.delivered, 200U);
            EXPECT_THAT(played.problems, IsEmpty());
        }
    }
}

TEST(Network, EndsInASteadyStateWhereTheCommandLineDoes) {
    Config config = mesh({4, 4});
    config.traffic.pattern = "uniform";
    config.steady.emplace();
    config.steady->half_width = 0.1;
    const SimulationResult wanted = of_the_command_line(config, "tlm");
    std::vector<Cycle> seen;
    NetworkOptions options;
    options.engine = "tlm";
    options.control.first_inspection = 700;  // of others, who see all of theirs
    options.control.inspect = [&seen](Cycle now) {
        seen.push_back(now);
        return now + 700;
    };
    const Played played = play(config, options);
    EXPECT_EQ(played.end, RunEnd::kInterrupted);
    EXPECT_EQ(played.makespan, wanted.cycles);
    EXPECT_EQ(played.latency, wanted.latency.mean());
    EXPECT_LT(played.delivered, played.expected);  // some are always under way
    EXPECT_THAT(played.problems, IsEmpty());
    ASSERT_EQ(seen.size(), wanted.simulated_cycles / 700);
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], 700 * (i + 1));
}

TEST(TrafficPlayer, ExpectsOfAPatternThatIsCutWhatTheCommandLineDoes) {
    Config config = mesh({4, 4});
    config.traffic.pattern = "uniform";
    config.traffic.injection_rate = 0.4;
    config.limits.max_cycles = 700;
    for (const char* const engine : {"cycle", "tlm"}) {
        const SimulationResult wanted = of_the_command_line(config, engine);
        NetworkOptions options;
        options.engine = engine;
        const Played played = play(config, options);
        EXPECT_LT(played.delivered, played.expected);
        EXPECT_EQ(played.expected, wanted.messages_expected) << engine;
    }
}

TEST(Network, TellsWhatDidNotArriveWhenItIsCut) {
    Config config = mesh({4, 4});
    config.traffic.schedule = "pex";
    config.limits.max_cycles = 40;
    const Played played = play(config, {});
    EXPECT_EQ(played.end, RunEnd::kLimit);
    EXPECT_LT(played.delivered, played.expected);
    EXPECT_THAT(played.problems, Not(IsEmpty()));
}

TEST(Network, ChecksConfigurationsInCodeByTheRulesOfFiles) {
    Config config = mesh({4, 4});
    config.fabric.buffer_depth = 0;
    EXPECT_EQ(refusal(config),
              "the configuration: error: 'fabric.buffer_depth' must be an integer from 1 to "
              "65536, found '0'");
    config = mesh({4, 4});
    config.fabric.topology.kind = "mehs";
    EXPECT_THAT(refusal(config), HasSubstr("did you mean 'mesh'?"));
    EXPECT_THAT(refusal(mesh({})), HasSubstr("'fabric.topology.dims'"));
    EXPECT_EQ(refusal(mesh({4, 4})), "");
}

TEST(Network, TakesEveryShippedConfigurationThatTheProgramTakes) {
    std::size_t taken = 0;
    for (const auto& file : std::filesystem::directory_iterator(FLITSCOPE_CONFIGS)) {
        if (file.path().extension() != ".yaml") continue;
        if (file.path().stem().string().find("_graph") != std::string::npos) continue;
        SCOPED_TRACE(file.path().filename());
        const Config config = load_config(file.path().string());
        if (config.fabric.has_rtl_routers()) continue;  // install_test.py runs some
        const std::string refused =
            error_of([&] { require_deadlock_freedom(build_machine(config)); });
        EXPECT_EQ(refusal(config), refused);
        taken += refused.empty() ? 1 : 0;
    }
    EXPECT_GT(taken, 30U);
}

TEST(Network, RefusesWhatCanDeadlock) {
    Config config = mesh({8});
    config.fabric.topology.kind = "torus";
    config.fabric.routing = "shortest_path";
    EXPECT_THAT(refusal(config), HasSubstr("deadlock"));
    config.fabric.allow_deadlock = true;
    EXPECT_EQ(refusal(config), "");
}

TEST(Network, SpeaksOfProgramsNotOfACommandLine) {
    Config config = mesh({4, 4});
    config.fabric.virtual_channels = 2;
    NetworkOptions options;
    options.engine = "tlm";
    EXPECT_THAT(refusal(config, options),
                AllOf(HasSubstr("(choose the engine cycle, or set "), Not(HasSubstr("--"))));
    options.engine = "warp";
    EXPECT_THAT(refusal(config, options),
                AllOf(HasSubstr("no engine 'warp' (choose one of cycle, tlm, auto)"),
                      Not(HasSubstr("--"))));
}

TEST(Network, TakesVerilatedRoutersFromTheFolderThatItIsGiven) {
    Config config = mesh({4, 4});
    config.fabric.router = RouterKind::kRtl;
    EXPECT_EQ(rtl_router_name(config), "router_p5_v1_d8_w64_r1_mesh");
    // A file of that name, which shows where it is looked for.
    const std::filesystem::path folder = testing::TempDir() + "network_test_routers";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    NetworkOptions options;
    options.rtl_libraries = folder;
    EXPECT_THAT(refusal(config, options),
                HasSubstr("router_p5_v1_d8_w64_r1_mesh is not built: no variant is built"));
    const std::filesystem::path file = folder / "router_p5_v1_d8_w64_r1_mesh.so";
    std::ofstream(file) << "no library";
    EXPECT_THAT(refusal(config, options), HasSubstr("cannot load " + file.string()));
    std::filesystem::remove_all(folder);
}

TEST(Network, CompletesItsTraceWhoeverForgetsTo) {
    Config config = mesh({4, 4});
    config.traffic.schedule = "pex";
    const auto contents = [](const std::string& path) {
        std::stringstream text;
        text << std::ifstream(path).rdbuf();
        std::filesystem::remove(path);
        return text.str();
    };
    NetworkOptions options;
    options.trace = testing::TempDir() + "network_test.vcd";
    play(config, options);
    const std::string finished = contents(options.trace);
    {
        const FreshKernel kernel;
        Network network("network", config, options);
        const TrafficPlayer player("player", network);
        sc_core::sc_start();
    }
    EXPECT_GT(finished.size(), 10'000U);
    EXPECT_EQ(contents(options.trace), finished);
}

TEST(Network, IsOneOfSeveralInAKernel) {
    const FreshKernel kernel;
    Config quick = mesh({4, 4});
    quick.traffic.schedule = "pex";
    Config slow = quick;
    slow.clock_ns = 2;
    Network first("first", quick);
    Network second("second", slow);
    const TrafficPlayer on_first("on_first", first);
    const TrafficPlayer on_second("on_second", second);
    sc_core::sc_start();
    EXPECT_EQ(on_first.scoreboard().makespan(), on_second.scoreboard().makespan());
    EXPECT_THAT(on_first.problems(), IsEmpty());
    EXPECT_THAT(on_second.problems(), IsEmpty());
}

TEST(TrafficPlayer, RefusesProgramsThatDoNotFit) {
    const auto said = [](const Program& program) {
        return error_of([&] {
            Network network("network", mesh({2, 2}));
            const TrafficPlayer player("player", network, program);
        });
    };
    EXPECT_THAT(said(empty_program("five", 5, 0)), HasSubstr("another number of nodes"));
    Program program = empty_program("to nobody", 4, 1);
    program.send(0, 9, 8, 0);
    EXPECT_THAT(said(program), HasSubstr("to nobody: error:"));
    program.transfers.change(0, [](Transfer& t) { t.destination = 3; });
    EXPECT_EQ(said(program), "");
    EXPECT_THAT(error_of([] {
                    Network network("network", mesh({2, 2}));
                    const TrafficPlayer player("player", network);
                }),
                HasSubstr("traffic"));
}

Config mesh_without(NodeId node, bool drops) {
    Config config = mesh({4, 4});
    config.faults.emplace();
    config.faults->nodes = {node};
    config.faults->drops_messages = drops;
    return config;
}

TEST(Network, RefusesWhatIsAtDeadNodes) {
    EXPECT_THAT(error_of([] {
                    Network network("network", mesh_without(5, true));
                    network.port(4);
                    network.port(5);
                }),
                HasSubstr("node 5 has failed"));
    const FreshKernel kernel;
    Network network("network", mesh_without(5, true));
    Message message;
    message.id = 1;
    message.source = 4;
    message.destination = 5;
    message.bytes = 8;
    MessagePort& port = network.port(4);
    const auto send = [&] {
        dup2(STDERR_FILENO, STDOUT_FILENO);  // where reports of SystemC go
        port.send(message, 0);
    };
    EXPECT_DEATH(send(), "message 1 of node 4 goes to node 5, which has failed");
}

TEST(Network, RefusesWhatNoEngineCouldCarry) {
    const FreshKernel kernel;
    Network network("network", mesh({4, 4}));
    struct NoListener final : MessageListener {
        void on_injected(const Message&, Cycle) override {}
        void on_delivered(const Message&, Cycle) override {}
    } listener;
    network.attach(3, listener);
    EXPECT_THAT(error_of([&] { network.attach(3, listener); }),
                HasSubstr("node 3 has a listener already"));
    EXPECT_THAT(error_of([&] { network.attach(16, listener); }), HasSubstr("they are 0 to 15"));
    EXPECT_THAT(error_of([&] { network.port(99); }), HasSubstr("there is no node 99"));
    MessagePort& port = network.port(4);
    const auto dies = [&](void (*change)(Message&), Cycle begin, const char* says) {
        Message message;
        message.id = 1;
        message.source = 4;
        message.destination = 5;
        message.bytes = 8;
        change(message);
        const auto send = [&] {
            dup2(STDERR_FILENO, STDOUT_FILENO);  // where reports of SystemC go
            port.send(message, begin);
        };
        EXPECT_DEATH(send(), says);
    };
    const auto same = [](Message&) {};
    dies([](Message& m) { m.destination = 16; }, 0,
         "message 1 of node 4 goes to node 16, and there are 16");
    dies([](Message& m) { m.source = 5; }, 0, "says that it comes from node 5");
    dies([](Message& m) { m.message_class = 1; }, 0, "is of class 1, and there is one");
    dies([](Message& m) { m.bytes = UINT64_MAX - 7; }, 0, "more than 2.56");
    dies(same, kNever - 1, "begins in cycle 18446744073709551614, later than");
    Config whole = mesh({4, 4});
    whole.fabric.switching = Switching::kVirtualCutThrough;
    Network cut_through("cut_through", whole);
    MessagePort& whole_port = cut_through.port(4);
    const auto send_long = [&] {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        whole_port.send({1, 4, 5, 0, 256}, 0);
    };
    EXPECT_DEATH(send_long(),
                 "message 1 of node 4 has 256 bytes, and virtual cut-through needs a "
                 "FIFO for all of the longest packet: 33 flits .*, not 8 .*"
                 "node.packet_bytes: 56 or less");
    // A switch takes no messages.
    Config tree = mesh({4, 4});
    tree.fabric.topology = {};
    tree.fabric.topology.kind = "fat_tree";
    tree.fabric.topology.parameters = {{"arity", 2}, {"height", 3}};
    Network switches("switches", tree);
    EXPECT_THAT(error_of([&] { switches.port(8); }), HasSubstr("they are 0 to 7"));
}

TEST(Network, GivesNoMessageBackThatItHasNot) {
    const FreshKernel kernel;
    for (const char* const engine : {"cycle", "tlm"}) {
        NetworkOptions options;
        options.engine = engine;
        Network network(engine, mesh({4, 4}), options);
        MessagePort& port = network.port(4);
        const auto withdraw = [&](MessageClass of) {
            dup2(STDERR_FILENO, STDOUT_FILENO);  // where reports of SystemC go
            port.withdraw(of);
        };
        EXPECT_DEATH(withdraw(0), "node 4 cannot take back a message: none waits") << engine;
        EXPECT_DEATH(withdraw(1), "node 4 cannot take back a message: class 1, and there is one")
            << engine;
    }
}

/// Sends when time says so, as processes of a user do, whatever `begin` it states.
class Process final : public sc_core::sc_module, public MessageListener {
public:
    SC_HAS_PROCESS(Process);

    sc_core::sc_port<MessagePort> fabric{"fabric"};

    /// `ahead`: of the cycle that time is in; none: begin 0.
    Process(const sc_core::sc_module_name& name, std::vector<double> pauses_ns,
            std::optional<Cycle> ahead)
        : sc_module(name), pauses_ns_(std::move(pauses_ns)), ahead_(ahead) {
        SC_THREAD(run);
    }
    void on_injected(const Message&, Cycle cycle) override { injected.push_back(cycle); }
    void on_delivered(const Message&, Cycle) override {}

    std::vector<Cycle> injected;

private:
    void run() {
        Message message;
        message.destination = 8;
        message.bytes = 8;
        for (const double pause : pauses_ns_) {
            sc_core::wait(pause, sc_core::SC_NS);
            const auto now = static_cast<Cycle>(sc_core::sc_time_stamp() / period_);
            fabric->send(message, ahead_ ? now + *ahead_ : 0);
            ++message.id;
        }
    }

    const sc_core::sc_time period_{1, sc_core::SC_NS};
    std::vector<double> pauses_ns_;
    std::optional<Cycle> ahead_;
};

TEST(Network, BeginsInTheNextCycleWhatAProcessSendsWithoutATime) {
    std::mt19937 random(1);
    std::vector<double> pauses_ns{300.5, 300.5};
    for (int i = 0; i < 200; ++i)
        pauses_ns.push_back(10 + 0.5 * static_cast<double>(random() % 400));
    std::set<std::vector<Cycle>> injected;
    for (const char* const engine : {"cycle", "tlm"}) {
        for (const std::optional<Cycle> ahead :
             {std::optional<Cycle>(1), std::optional<Cycle>(0), std::optional<Cycle>()}) {
            const FreshKernel kernel;
            NetworkOptions options;
            options.engine = engine;
            Network network("network", mesh({3, 3}), options);
            Process process("process", pauses_ns, ahead);
            process.fabric.bind(network.port(0));
            network.attach(0, process);
            Process receiver("receiver", {}, {});
            receiver.fabric.bind(network.port(8));
            network.attach(8, receiver);
            sc_core::sc_start();
            EXPECT_EQ(network.finish(), RunEnd::kIdle);
            injected.insert(process.injected);
        }
    }
    ASSERT_EQ(injected.size(), 1U);
    ASSERT_EQ(injected.begin()->size(), pauses_ns.size());
    EXPECT_EQ(injected.begin()->front(), 302U);
}

TEST(TrafficPlayer, RefusesProgramsThatNoFabricPlays) {
    const auto said = [](void (*change)(Transfer&)) {
        const FreshKernel kernel;
        Program program = empty_program("mine", 4, 1);
        program.send(0, 3, 8, 0);
        program.transfers.change(0, change);
        return error_of([&] {
            Network network("network", mesh({2, 2}));
            const TrafficPlayer player("player", network, program);
        });
    };
    EXPECT_EQ(said([](Transfer&) {}), "");
    EXPECT_THAT(said([](Transfer& t) { t.port = 2; }), HasSubstr("mine: error:"));
    EXPECT_THAT(said([](Transfer& t) { t.message_class = 1; }), HasSubstr("mine: error:"));
    EXPECT_THAT(said([](Transfer& t) { t.time = kNever - 1; }), HasSubstr("mine: error:"));
}

TEST(TrafficPlayer, PlaysOnTheNodesThatAreAlive) {
    Config config = mesh_without(5, true);
    config.traffic.schedule = "pex";
    const Played exchange = play(config, {});
    EXPECT_EQ(exchange.delivered, 15U * 14);
    EXPECT_EQ(exchange.expected, 15U * 14);
    EXPECT_THAT(exchange.problems, IsEmpty());
    config.traffic = {};
    config.traffic.pattern = "uniform";
    config.traffic.warmup_cycles = 0;
    config.traffic.measure_cycles = 6000;
    const Played uniform = play(config, {});
    EXPECT_GT(uniform.delivered, 100U);
    EXPECT_EQ(uniform.delivered, uniform.expected);
    EXPECT_THAT(uniform.problems, IsEmpty());
    // A program of one's own.
    Program program;
    program.name = "mine";
    program.nodes = 16;
    program.send(0, 5, 8, 0);
    program.send(0, 1, 8, 0);
    for (const bool drops : {false, true}) {
        const std::string error = error_of([&] {
            Network network("network", mesh_without(5, drops));
            const TrafficPlayer player("player", network, program);
            EXPECT_EQ(player.messages_expected(), 1U);
        });
        EXPECT_EQ(error.empty(), drops);
        EXPECT_THAT(error, HasSubstr(drops ? "" : "node 5 of mine is dead"));
    }
}

}  // namespace
}  // namespace flitscope
