// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/energy/link_stimulus.h"

#include <array>
#include <random>

namespace flitscope {

LinkEvents play_link(const GateNetlist& netlist, GateSimulation& simulation, double load,
                     std::uint64_t seed) {
    constexpr std::uint32_t kRuns = GateSimulation::kRuns;
    constexpr int kWarmUp = 20;
    constexpr int kCycles = 200;
    constexpr std::uint32_t kFlits = 8;
    std::mt19937_64 random(seed);
    std::array<std::uint32_t, kRuns> left = {};
    const NetId reset = netlist.port("rst_ni").front();
    const NetId valid = netlist.port("flit_valid_i").front();
    const auto& credits = netlist.port("credit_i");
    const auto& vc = netlist.port("flit_vc_i");
    const auto& data = netlist.port("flit_data_i");
    const NetId head = netlist.port("flit_head_i").front();
    const NetId tail = netlist.port("flit_tail_i").front();
    simulation[reset] = 0;
    simulation[valid] = 0;
    simulation.settle();
    simulation.edge();
    simulation[reset] = ~std::uint64_t{0};
    LinkEvents events;
    for (int cycle = -kWarmUp; cycle < kCycles; ++cycle) {
        if (cycle == 0) simulation.restart_counts();
        std::uint64_t heads = 0;
        std::uint64_t tails = 0;
        std::uint64_t flits = 0;
        for (std::uint32_t run = 0; run < kRuns; ++run) {
            const std::uint64_t bit = std::uint64_t{1} << run;
            const bool begins = static_cast<double>(random() >> 11) * 0x1p-53 < load;
            if (left[run] == 0 && !begins) continue;
            if (left[run] == 0) {
                left[run] = kFlits;
                heads |= bit;
            }
            flits |= bit;
            if (--left[run] == 0) tails |= bit;
        }
        // Like the outputs of a router: all 0 without a flit.
        simulation[valid] = flits;
        simulation[head] = heads;
        simulation[tail] = tails;
        for (const NetId net : vc) simulation[net] = random() & flits & (heads | simulation[net]);
        for (const NetId net : data) simulation[net] = random() & flits;
        // Whose credit it is does not matter.
        for (const NetId net : credits) simulation[net] = 0;
        simulation[credits[random() % credits.size()]] = flits;
        simulation.settle();
        if (cycle >= 0) {
            simulation.count();
            events.flits += static_cast<double>(ones(flits)) / kRuns;
            ++events.cycles;
        }
        simulation.edge();
    }
    return events;
}

}  // namespace flitscope
