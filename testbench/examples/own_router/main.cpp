// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A fabric with one's own SystemVerilog router next to one with flitscope's: a complete exchange on
// both, in one simulation, and the cost of the register of registered_router.sv. Exit code 0 when
// every flit arrived on both, 1 if not, 2 if a fabric cannot be made.
#include <flitscope/fabric.h>
#include <flitscope/traffic.h>

#include <cstdio>
#include <string>
#include <systemc>

namespace {

/// The mesh that CMakeLists.txt verilates routers for.
flitscope::Config mesh_4x4() {
    flitscope::Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {4, 4};
    return config;
}

flitscope::Config with_own_routers(flitscope::Config config) {
    config.fabric.router =
        flitscope::RtlModule{"registered_router", {}, flitscope::RtlProtocol::kFlit};
    return config;
}

/// Every node sends `bytes` to every other one; a node waits only for its own channel.
flitscope::Program exchange(flitscope::NodeId nodes, std::uint64_t bytes) {
    flitscope::Program program =
        flitscope::empty_program("exchange", nodes, flitscope::complete_exchange_size(nodes));
    for (flitscope::StepId step = 1; step < nodes; ++step) {
        for (flitscope::NodeId node = 0; node < nodes; ++node) {
            program.send(node, node ^ step, bytes, step - 1);
        }
    }
    return program;
}

bool print(const char* name, const flitscope::Network& network,
           const flitscope::TrafficPlayer& player) {
    const flitscope::Scoreboard& board = player.scoreboard();
    std::printf(
        "%-18s %3u of 16 routers in RTL, %llu of %llu messages, %5llu cycles, latency "
        "%.1f on average\n",
        name, network.fabric().rtl_routers(),
        static_cast<unsigned long long>(board.messages_delivered()),
        static_cast<unsigned long long>(player.messages_expected()),
        static_cast<unsigned long long>(board.makespan()), board.latency().mean());
    const std::vector<std::string> problems = player.problems();
    for (const std::string& problem : problems) std::printf("  %s\n", problem.c_str());
    return problems.empty();
}

int run() {
    flitscope::NetworkOptions options;
    options.engine = "cycle";
    options.rtl_libraries = ROUTERS;
    flitscope::Network ours("ours", mesh_4x4(), options);
    flitscope::Network own("own", with_own_routers(mesh_4x4()), options);
    const flitscope::Program program = exchange(ours.graph().node_count(), 64);
    const flitscope::TrafficPlayer on_ours("on_ours", ours, program);
    const flitscope::TrafficPlayer on_own("on_own", own, program);

    sc_core::sc_start();
    const bool ended =
        ours.finish() == flitscope::RunEnd::kIdle && own.finish() == flitscope::RunEnd::kIdle;

    const bool good = print("flitscope's router", ours, on_ours);
    return print("registered_router", own, on_own) && good && ended ? 0 : 1;
}

}  // namespace

int sc_main(int, char*[]) {
    try {
        return run();
    } catch (const flitscope::ConfigError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
