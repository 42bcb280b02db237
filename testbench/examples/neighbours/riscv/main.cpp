// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Four RISC-V cores and four banks of memory on a network. Keys of the configuration that are named
// behind it change it: the same program takes another time. Exit code 0 when the program has
// computed what it should, 1 if not, 2 for a configuration that cannot be used.
#include <flitscope/interconnect.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "../../platform/memory.h"
#include "core.h"

namespace {

constexpr std::size_t kBankBytes = 0x1000;
constexpr unsigned int kCores = 4;
constexpr std::uint32_t kSum = 256 * 257 / 2;

std::vector<std::uint8_t> read_program(const char* file) {
    std::ifstream in(file, std::ios::binary);
    std::vector<std::uint8_t> program{std::istreambuf_iterator<char>(in), {}};
    if (program.empty()) throw std::runtime_error(fmt::format("{}: no program", file));
    return program;
}

int run(const char* program_file, const char* file, const std::vector<std::string>& changes) {
    const flitscope::Config config = flitscope::load_config(file, changes);
    const std::vector<std::uint8_t> program = read_program(program_file);
    const sc_core::sc_time cycle(config.clock_ns, sc_core::SC_NS);

    flitscope::Interconnect interconnect("interconnect", config);
    std::vector<std::unique_ptr<Core>> cores;
    std::vector<std::unique_ptr<Memory>> banks;
    for (unsigned int i = 0; i < kCores; ++i) {
        cores.push_back(std::make_unique<Core>(fmt::format("core_{}", i).c_str(), i, program,
                                               kCores * kBankBytes, cycle));
        banks.push_back(
            std::make_unique<Memory>(fmt::format("bank_{}", i).c_str(), kBankBytes, cycle));
        cores[i]->socket.bind(interconnect.from_initiator.at(i));
        interconnect.to_target.at(i).bind(banks[i]->socket);
    }
    sc_core::sc_start();

    for (unsigned int i = 0; i < kCores; ++i) {
        fmt::print("core {}: {} instructions, {} accesses, {:.1f} cycles each\n", i,
                   cores[i]->instructions(), cores[i]->accesses(),
                   interconnect.counts_of_initiator(i).latency.mean());
    }
    fmt::print("sum {} after {:.0f} cycles\n", cores[0]->result(),
               sc_core::sc_time_stamp() / cycle);
    return cores[0]->finished() && cores[0]->result() == kSum ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
    if (argc < 3) {
        fmt::print(stderr, "usage: {} PROGRAM.bin CONFIG.yaml [KEY=VALUE...]\n", argv[0]);
        return 2;
    }
    try {
        return run(argv[1], argv[2], {argv + 3, argv + argc});
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
