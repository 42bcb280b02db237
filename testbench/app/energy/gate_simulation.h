// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulates a netlist cycle by cycle, 64 runs at once, and counts the transitions of every net.
// Gates take no time: transitions of a net between two settled values (glitches) are not seen.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/app/energy/gate_netlist.h"

namespace flitscope {

/// Number of runs in which a net is 1.
inline std::uint64_t ones(std::uint64_t value) {
    return static_cast<std::uint64_t>(__builtin_popcountll(value));
}

class GateSimulation {
public:
    static constexpr std::uint32_t kRuns = 64;

    /// The netlist must outlive it. All nets start with 0. Throws std::runtime_error where gates
    /// form a combinational loop, or two cells drive a net.
    explicit GateSimulation(const GateNetlist& netlist);

    /// The value of a net in all runs, one per bit; inputs are set here before the next settle().
    std::uint64_t& operator[](NetId net) { return values_[net]; }
    std::uint64_t operator[](NetId net) const { return values_[net]; }

    /// Computes all nets from inputs and registers.
    void settle();
    /// Counts how every net has changed since the last call, and how it is.
    void count();
    /// A rising edge of the clock: the registers take their inputs. Set the inputs of the next
    /// cycle after it.
    void edge();

    /// Forgets what was counted; nets are compared with what they are now.
    void restart_counts();
    /// Transitions of a net per cycle, over all runs. The output of a clock gate has two in each in
    /// which it is open.
    double activity(NetId net) const;
    /// Part of the time in which it is 1: for the output of a clock gate half of that in which it
    /// is open.
    double duty(NetId net) const;

private:
    /// Finds what opens the clock of every flip-flop. Throws std::runtime_error if a clock is
    /// neither that of the netlist nor the output of a clock gate at it.
    void find_clocks();
    /// Part of the cycles in which a net is 1.
    double high(NetId net) const;
    void evaluate(const GateNetlist::Cell& cell, const std::uint64_t* operands);
    /// Gathers the operands of a flip-flop's functions: its pins, its state, and the inverse of the
    /// state.
    void take_operands(std::size_t flip_flop, std::uint64_t* operands) const;

    const GateNetlist& netlist_;
    std::vector<const GateNetlist::Cell*> gates_;  // each after those whose outputs it takes
    std::vector<const GateNetlist::Cell*> flip_flops_;
    std::vector<NetId> opens_;          // per flip-flop: it takes its input where this net is 1
    std::vector<char> is_gated_clock_;  // per net
    std::vector<std::uint64_t> state_;  // per flip-flop
    std::vector<std::uint64_t> values_;
    std::vector<std::uint64_t> before_;  // values, when they were counted
    std::vector<std::uint64_t> changes_;
    std::vector<std::uint64_t> highs_;
    std::uint64_t cycles_ = 0;
};

}  // namespace flitscope
