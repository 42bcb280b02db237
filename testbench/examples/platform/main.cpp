// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A virtual platform on a simulated network: two initiators and two memories, joined by a
// flitscope::Interconnect; with a second argument (run.vcd, .fst) also a waveform of its links.
// Exit code 0 when all data came back as written, 1 if not, 2 for a configuration that cannot be
// used.
#include <flitscope/interconnect.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <systemc>

#include "initiators.h"
#include "memory.h"

namespace {

void print(const char* name, const Figures& figures, const sc_core::sc_time& cycle) {
    const unsigned int accesses = figures.reads + figures.writes;
    fmt::print("{:<14}{:>8}{:>8}{:>15.1f}{:>14.0f}{:>8}\n", name, figures.reads, figures.writes,
               accesses == 0 ? 0 : figures.total / cycle / accesses, figures.longest / cycle,
               figures.errors);
}

int run(const char* file, const char* trace) {
    constexpr unsigned int kBursts = 200;
    constexpr std::size_t kMemoryBytes = 0x10000;
    const flitscope::Config config = flitscope::load_config(file);
    const sc_core::sc_time cycle(config.clock_ns, sc_core::SC_NS);

    flitscope::NetworkOptions options;
    if (trace != nullptr) options.trace = trace;
    flitscope::Interconnect interconnect("interconnect", config, flitscope::fabric_with(options));
    BlockingInitiator blocking("blocking", {1, kBursts, 0x0, kMemoryBytes});
    NonBlockingInitiator non_blocking("non_blocking", {2, kBursts, 0x8000, kMemoryBytes});
    Memory memory_0("memory_0", kMemoryBytes, 20 * cycle);
    Memory memory_1("memory_1", kMemoryBytes, 20 * cycle);
    blocking.socket.bind(interconnect.from_initiator.at(0));
    non_blocking.socket.bind(interconnect.from_initiator.at(1));
    interconnect.to_target.at(0).bind(memory_0.socket);
    interconnect.to_target.at(1).bind(memory_1.socket);

    tlm::tlm_global_quantum::instance().set(100 * cycle);
    sc_core::sc_start();
    interconnect.fabric().finish();

    fmt::print("{:<14}{:>8}{:>8}{:>15}{:>14}{:>8}\n", "initiator", "reads", "writes",
               "mean latency", "max latency", "errors");
    print("blocking", blocking.figures(), cycle);
    print("non-blocking", non_blocking.figures(), cycle);
    fmt::print("total time {:.0f} cycles\n", sc_core::sc_time_stamp() / cycle);

    bool good = true;
    for (const Figures& figures : {blocking.figures(), non_blocking.figures()}) {
        good = good && figures.errors == 0 && figures.reads == kBursts && figures.writes == kBursts;
    }
    return good ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
    if (argc != 2 && argc != 3) {
        fmt::print(stderr, "usage: {} CONFIG.yaml [TRACE]\n", argv[0]);
        return 2;
    }
    try {
        return run(argv[1], argc == 3 ? argv[2] : nullptr);
    } catch (const flitscope::ConfigError& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
