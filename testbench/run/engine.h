// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which engine simulates a machine, and why.
#pragma once

#include <string>

#include "testbench/build/machine.h"

namespace flitscope {

struct EngineChoice {
    std::string engine;  ///< cycle, tlm
    std::string reason;  ///< for the user; empty when the engine was asked for by name
};

/// `requested` is cycle, tlm or auto. auto takes the TLM fabric where it is exact and gains
/// something: with buffers that let worms stream, B >= c + d on every channel. Throws ConfigError
/// that names the key when tlm is requested and cannot be exact.
EngineChoice choose_engine(const Machine& machine, const std::string& requested);

}  // namespace flitscope
