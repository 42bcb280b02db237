// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a user gets to see of a machine and of a run: JSON objects and text.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

#include "testbench/build/machine.h"
#include "testbench/compare/cosim.h"
#include "testbench/compare/verify.h"
#include "testbench/run/simulation.h"

namespace flitscope {

using Json = nlohmann::ordered_json;

/// Version of the program, as every output states it.
const char* version();

Json run_json(const Machine& machine, const SimulationResult& result);
Json topology_json(const Machine& machine);
Json schedule_json(const Machine& machine);
Json cosim_json(const Machine& machine, const CosimResult& result);
Json verify_json(const Machine& machine, const VerifyResult& result);

/// The summary that a person reads after a run.
void print_run(std::ostream& out, const Machine& machine, const SimulationResult& result);
void print_topology(std::ostream& out, const Machine& machine);
void print_schedule(std::ostream& out, const Machine& machine);
void print_cosim(std::ostream& out, const Machine& machine, const CosimResult& result);
void print_verify(std::ostream& out, const Machine& machine, const VerifyResult& result);
/// The resolved machine with deadlock and schedule check.
void print_check(std::ostream& out, const Machine& machine);

}  // namespace flitscope
