// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast the fabrics simulate: flit-hops per second for a fixed set of cases, nanoseconds per
// packet-hop, both engines side by side, the price of tracing, elaboration time and memory. Nothing
// here decides a test.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/config/config.h"
#include "models/config/router_choice.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "waveforms/gtkwave_save.h"

namespace flitscope {
namespace {

Config mesh(std::vector<std::uint32_t> dims) {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = std::move(dims);
    return config;
}

/// Uniform traffic in packets of 20 flits, header included.
Config uniform(Config config, double rate, Cycle cycles) {
    config.traffic.pattern = "uniform";
    config.traffic.injection_rate = rate;
    config.traffic.message_bytes = 19 * config.fabric.flit_bits / 8;
    config.traffic.measure_cycles = cycles;
    return config;
}

/// Uniform traffic in packets of one flit.
Config single_flits(Config config, double rate, Cycle cycles) {
    config = uniform(std::move(config), rate, cycles);
    config.traffic.message_bytes = 0;
    return config;
}

Config exchange(Config config, const char* schedule, std::uint64_t flits) {
    config.traffic.schedule = schedule;
    config.traffic.message_bytes = flits * config.fabric.flit_bits / 8;
    return config;
}

/// Packets times the channels that each takes: its links, injection and ejection.
double packet_hops(const Machine& machine, const SimulationResult& result) {
    const double flits = static_cast<double>(
        machine.config.packet_format().message_flits(machine.config.traffic.message_bytes));
    return static_cast<double>(result.flit_hops) / flits +
           2 * static_cast<double>(result.messages_delivered);
}

void simulate_case(benchmark::State& state, const Config& config, const std::string& engine,
                   const std::string& trace, std::uint32_t threads) {
    const Machine machine = build_machine(config);
    double hops = 0;
    double cycles = 0;
    double packets = 0;
    for (auto _ : state) {
        const FreshKernel kernel;
        SimulationOptions options;
        options.trace_path = trace;
        options.threads = threads;
        const SimulationResult result = simulate(machine, engine, options);
        if (result.verdict != Verdict::kComplete) state.SkipWithError("the run did not complete");
        state.SetIterationTime(result.wall_seconds);
        packets += packet_hops(machine, result);
        hops += static_cast<double>(result.flit_hops);
        cycles += static_cast<double>(result.cycles);
    }
    if (!trace.empty()) {
        std::remove(trace.c_str());
        std::remove(gtkwave_save_path(trace).c_str());
    }
    state.counters["flit_hops/s"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
    state.counters["cycles/s"] = benchmark::Counter(cycles, benchmark::Counter::kIsRate);
    if (find_engine(engine) != &reference_engine()) {
        state.counters["s/packet_hop"] =
            benchmark::Counter(packets, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    }
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// From configuration to the end of a one-message program: times everything else.
void elaborate_case(benchmark::State& state, const Config& config) {
    double memory = 0;
    for (auto _ : state) {
        new FreshKernel;  // left behind with the modules in it
        const auto& machine = *new Machine(build_machine(config));
        SimulationOptions options;
        options.keep_modules = true;
        const SimulationResult result = simulate(machine, "cycle", options);
        if (result.verdict != Verdict::kComplete) state.SkipWithError("the run did not complete");
        state.SetIterationTime(result.elaboration_seconds);
        memory = peak_megabytes();
    }
    state.counters["peak_MB"] = memory;
}

void add(const std::string& name, const Config& config, const std::string& trace = {},
         const std::string& engine = "cycle", std::uint32_t threads = 1) {
    benchmark::RegisterBenchmark(
        name.c_str(),
        [=](benchmark::State& state) { simulate_case(state, config, engine, trace, threads); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

/// Both engines on complete exchanges, by flits per message, header included.
void add_engines(const std::string& name, std::vector<std::uint32_t> dims, std::uint64_t flits,
                 const std::vector<std::string>& engines) {
    Config config = exchange(mesh(std::move(dims)), "pex", flits - 1);
    config.node.send_overhead = 100;
    for (const std::string& engine : engines) {
        add("engines/pex_" + std::to_string(flits) + '/' + name + '/' + engine, config, {}, engine);
    }
}

void add_elaboration(const std::string& name, Config config) {
    config.traffic.schedule = "broadcast";
    config.traffic.algorithm = "dimension_order";
    config.traffic.message_bytes = 8;
    benchmark::RegisterBenchmark(
        name.c_str(), [config](benchmark::State& state) { elaborate_case(state, config); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
}

void register_all() {
    const auto with_vcs = [](Config config, std::uint32_t vcs) {
        config.fabric.virtual_channels = vcs;
        return config;
    };
    Config cube;
    cube.fabric.topology.kind = "hypercube";
    cube.fabric.topology.dimensions = 8;
    const Config uniform_16 = uniform(mesh({16, 16}), 0.1, 20'000);
    const Config pex_16 = exchange(mesh({16, 16}), "pex", 512);
    const auto with_rtl = [](Config config, std::vector<NodeId> nodes) {
        if (nodes.empty()) {
            config.fabric.router = RouterKind::kRtl;
        } else {
            config.fabric.router_overrides = {{std::move(nodes), RouterKind::kRtl}};
        }
        return config;
    };
    add("uniform_0.1/mesh_16x16", uniform_16);
    add("uniform_0.1/mesh_16x16/rtl", with_rtl(uniform_16, {}));
    add("uniform_0.1/mesh_16x16/rtl_2_threads", with_rtl(uniform_16, {}), {}, "cycle", 2);
    add("uniform_0.1/mesh_16x16/rtl_one", with_rtl(uniform_16, {136}));
    const std::string trace = std::filesystem::temp_directory_path() / "flitscope_bench";
    add("uniform_0.1/mesh_16x16/vcd", uniform_16, trace + ".vcd");
    add("uniform_0.1/mesh_16x16/fst", uniform_16, trace + ".fst");
    add("uniform_0.1/mesh_16x16/2_vcs", with_vcs(uniform_16, 2));
    add("uniform_0.1/mesh_16x16/4_vcs", with_vcs(uniform_16, 4));
    const Config single_8 = single_flits(mesh({8, 8}), 0.3, 20'000);
    add("single_flits_0.3/mesh_8x8", single_8);
    add("single_flits_0.3/mesh_8x8/2_vcs", with_vcs(single_8, 2));
    const Config single_16 = single_flits(mesh({16, 16}), 0.18, 5'000);
    add("single_flits_0.18/mesh_16x16", single_16);
    add("single_flits_0.18/mesh_16x16/2_vcs", with_vcs(single_16, 2));
    Config torus = uniform(mesh({8, 8}), 0.4, 20'000);
    torus.fabric.topology.kind = "torus";
    torus.traffic.message_bytes = 4 * torus.fabric.flit_bits / 8;
    add("uniform_0.4_5_flits/torus_8x8/2_vcs", with_vcs(torus, 2));
    Config concentrated = uniform(mesh({8, 8}), 0.05, 20'000);
    concentrated.fabric.topology.concentration = {2, 2};
    add("uniform_0.05/mesh_8x8_of_2x2_nodes", concentrated);
    add("uniform_0.02/mesh_16x16", uniform(mesh({16, 16}), 0.02, 50'000));
    add("uniform_0.02/mesh_64x64", uniform(mesh({64, 64}), 0.02, 2'000));
    add("pex_512_flits/mesh_16x16", pex_16);
    add("pex_64_flits/mesh_8x8", exchange(mesh({8, 8}), "pex", 64));
    add("pex_64_flits/mesh_8x8/vcd", exchange(mesh({8, 8}), "pex", 64), trace + ".vcd");
    add("gen_64_flits/mesh_16x16", exchange(mesh({16, 16}), "gen", 64));
    add("naive_64_flits/mesh_8x8", exchange(mesh({8, 8}), "naive", 64));
    add("pex_64_flits/hypercube_8", exchange(cube, "pex", 64));
    const std::vector<std::string> both{"cycle", "tlm"};
    for (const std::uint64_t flits : {8, 64, 512, 4096}) {
        add_engines("mesh_8x8", {8, 8}, flits, both);
    }
    add_engines("mesh_16x16", {16, 16}, 64, both);
    add_engines("mesh_16x16", {16, 16}, 512, both);
    add_engines("mesh_16x16", {16, 16}, 4096, {"tlm"});  // cycle: minutes
    add_engines("mesh_16x32", {16, 32}, 512, {"tlm"});
    add_engines("mesh_16x32", {16, 32}, 8192, {"tlm"});
    Config traced = exchange(mesh({16, 32}), "pex", 8191);
    traced.trace.nodes = {0, 255, 511};
    add("engines/pex_8192/mesh_16x32/tlm_vcd_3_nodes", traced, trace + ".vcd", "tlm");
    for (const std::uint32_t side : {8U, 16U, 32U, 64U}) {
        add(
            "engines/uniform_64_flits/mesh_" + std::to_string(side) + "_squared/tlm",
            [&] {
                Config config = uniform(mesh({side, side}), 0.1, 25'600'000 / (side * side));
                config.traffic.message_bytes = 63 * config.fabric.flit_bits / 8;
                return config;
            }(),
            {}, "tlm");
    }
    add_elaboration("elaborate/mesh_64x64", mesh({64, 64}));
    add_elaboration("elaborate/mesh_256x256", mesh({256, 256}));
}

}  // namespace
}  // namespace flitscope

int sc_main(int, char**) { return 0; }  // libsystemc refers to it

int main(int argc, char** argv) {
    flitscope::register_all();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
