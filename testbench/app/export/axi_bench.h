// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the test bench of a fabric with AXI4 at its nodes needs (hw/rtl/axi_traffic).
#pragma once

#include <string>

namespace flitscope {

struct Machine;
struct StructTop;

/// Throws ConfigError, at the key, if a target has too few addresses for it.
void require_axi_bench(const Machine& machine);

/// The module axi_nodes: axi_fabric, with the channels of initiators and of targets side by side.
std::string axi_nodes(const Machine& machine, const StructTop* structs);

/// The package axi_bench_pkg: widths and address map.
std::string axi_bench_package(const Machine& machine);

}  // namespace flitscope
