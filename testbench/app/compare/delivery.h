// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The same program on a fabric with verilated routers and on one of SystemC routers, compared by
// what any correct router delivers, whatever its timing.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testbench/app/run/simulation.h"

namespace flitscope {

struct Machine;

struct DeliveryResult {
    SimulationResult systemc;
    SimulationResult rtl;
    std::uint64_t packets = 0;  ///< compared
    std::uint64_t flits = 0;    ///< of these
    /// Packets of a source, a destination and a class have one virtual channel on one path: they
    /// cannot overtake each other, and none may.
    bool is_ordered = false;
    std::vector<std::string> differences;  ///< a sentence each; the first few
    double wall_seconds = 0;

    /// The side whose verdict is that of the comparison: the RTL one is run if the other completes.
    const SimulationResult& decisive() const {
        return systemc.verdict == Verdict::kComplete ? rtl : systemc;
    }
    bool interrupted() const { return decisive().verdict == Verdict::kInterrupted; }
    bool equal() const { return differences.empty() && decisive().verdict == Verdict::kComplete; }
};

/// A sentence for each of the first packets, both lists by message and number, that are not on both
/// sides, have other flits or wrong ones; with `is_ordered` also for RTL ones that overtake others.
std::vector<std::string> packet_differences(const std::vector<PacketRecord>& systemc,
                                            const std::vector<PacketRecord>& rtl, bool is_ordered);

/// Compares the packets that arrive, their words, their order, the flits over every link, and that
/// all credits are home. `machine` is built from cosim_config(); needs fresh kernels. Throws as
/// simulate() does, and if the length of the run would depend on latencies.
DeliveryResult compare_delivery(const Machine& machine,
                                const std::function<bool(const Progress&)>& on_progress);

}  // namespace flitscope
