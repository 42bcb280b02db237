// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs one machine, random or not, on the SystemC fabric and on the golden model and says where
// they differ.
#pragma once

#include <cstdint>
#include <string>

#include "hw/clock_domain.h"
#include "testbench/golden/random_machine.h"
#include "testbench/run/machine.h"

namespace flitscope {

/// How much was compared, so that a passing campaign can show that it did some work.
struct CompareCounts {
    std::uint64_t packets = 0;
    std::uint64_t busy_intervals = 0;
    std::uint64_t flit_hops = 0;
};

/// Empty when every packet's four times, every busy interval of every channel, every channel's
/// flit count and the makespan agree; otherwise the first difference in words. `observed` runs the
/// fabric with observers (and compares busy intervals) or without.
std::string compare_with_golden(const RandomCase& test, hw::ScanOrder order, bool observed,
                                CompareCounts& counts);

/// The same for any machine with a program that ends.
std::string compare_machine_with_golden(const Machine& machine, hw::ScanOrder order, bool observed,
                                        CompareCounts& counts);

}  // namespace flitscope
