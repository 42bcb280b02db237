// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The router that a configuration asks for, as something that can be synthesized.
#pragma once

#include "hw/verilated/rtl_variant.h"
#include "models/config/config.h"

namespace flitscope {

/// Throws ConfigError where `run` would refuse the machine with RTL routers, where it can deadlock,
/// and where the router is not ours.
hw::RtlVariant router_of(Config config);

/// The clock of a router with this longest path: up to the next picosecond, in which SystemC
/// counts.
double synthesized_clock_ns(double period_ns);

/// Where the configuration says `clock_ns: synth`, sets the clock to that of its router. Throws
/// ConfigError where that has not been synthesized.
void set_synthesized_clock(Config& config);

}  // namespace flitscope
