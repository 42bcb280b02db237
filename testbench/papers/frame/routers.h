// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Claims about wires in nanoseconds: wires with a length in millimetres, and the clock of the
// router that a network needs.
#pragma once

#include <string>

namespace flitscope::reproduce {

/// Millimetres from a node to the next, for which such claims are tested: nodes that are cores,
/// side by side on a chip, and nodes as large as a chip.
inline constexpr int kPitchesMm[] = {4, 16};

/// The period in ns of a synthesized router, in whole picoseconds: from kept/routers.csv, so that
/// no tools are needed. Throws std::out_of_range, which names it, if it is missing there.
double router_clock_ns(const std::string& variant);

/// "/physical-4mm": the end of the keys of experiments.
std::string pitch_key(int pitch_mm);
/// The value of `fabric.link_delay`.
std::string physical_wires(int pitch_mm);

}  // namespace flitscope::reproduce
