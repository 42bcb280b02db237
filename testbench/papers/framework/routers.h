// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Claims about wires in nanoseconds: wires with a length in millimetres, and the clock of the
// router that a network needs.
#pragma once

#include <string>
#include <vector>

#include "hw/verilated/rtl_variant.h"

namespace flitscope {
struct Config;
}

namespace flitscope::reproduce {

/// Millimetres from a node to the next, for which such claims are tested: nodes that are cores,
/// side by side on a chip, and nodes as large as a chip.
inline constexpr int kPitchesMm[] = {4, 16};

/// Flits per FIFO of these routers, whatever the experiments have: how long FIFOs must be is not
/// what they are about.
inline constexpr std::uint32_t kPhysicalDepth = 4;

/// The router that gives a network its clock: a row of kept/routers.csv.
struct NetworkRouter {
    std::string network;     ///< its name in the scripts: "cheung/torus"
    std::string experiment;  ///< key of an experiment on it
    std::string variant;     ///< hw::RtlVariant::name(), with turns
    double period_ns = 0;
    double area_um2 = 0;
};

/// All that are kept, so that no tools are needed.
const std::vector<NetworkRouter>& kept_routers();

/// Of the routers of a network, each as it is built, the one with the most turns: with FIFOs of
/// kPhysicalDepth flits, and without a table where routes could be found in logic alone.
hw::RtlVariant router_with_most_turns(Config config);

/// The period of a network's router in ns, in whole picoseconds. This and the following two throw
/// std::out_of_range, which names the network, if it is not kept.
double router_clock_ns(const std::string& network);
/// Its variant without the turns: "router_p5_v1_d4_w64_r1_mesh".
std::string router_name(const std::string& network);
/// "16 of 25": those that it is built with, and those between all its ports.
std::string router_turns(const std::string& network);

/// "/physical-4mm": the end of the keys of experiments.
std::string pitch_key(int pitch_mm);
/// The value of `fabric.link_delay`.
std::string physical_wires(int pitch_mm);

}  // namespace flitscope::reproduce
