// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The engines that simulate machines, one row each, and which of them takes a machine. engines.cpp
// is the only place that names all implementations.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/packet/fabric.h"
#include "models/fabric/fabric.h"
#include "models/fabric/refusal.h"
#include "testbench/build/machine.h"

namespace flitscope {

/// Whether an engine that can simulate a machine gains anything there, and why.
struct Appraisal {
    bool gains = false;
    std::string reason;
};

struct Engine {
    std::string name;     ///< value of --engine, and in reports
    std::string summary;  ///< one line
    /// What it refuses, of any machine.
    const std::vector<Limitation>& (*limitations)();
    /// Why it cannot simulate this one exactly; nothing when it can.
    std::optional<Refusal> (*refusal)(const Machine&);
    /// Null: `auto` takes it where no other one gains anything.
    Appraisal (*appraise)(const Machine&);
    /// The fabric of a machine that it does not refuse, called "fabric".
    std::unique_ptr<Fabric> (*create)(const Machine&, const hw::FabricOptions&);
    /// Cycles in which something happens between looks at the clock and at the user.
    std::uint32_t poll_interval;
};

/// The reference, with which the others are compared, comes first.
const std::vector<Engine>& engines();
const Engine& reference_engine();
/// Null when there is none of that name.
const Engine* find_engine(const std::string& name);

/// What asks for any engine that is exact and gains something, else for the reference.
inline constexpr const char* kAutoEngine = "auto";
/// Everything that can be asked for: the engines, then kAutoEngine.
std::vector<std::string> engine_requests();

/// All engines search for deadlocks in the same cycles: after so many, then more rarely.
inline constexpr Cycle kSearchInterval = 1 << 16;

struct EngineChoice {
    const Engine* engine = nullptr;
    std::string reason;  ///< for the user; empty when the engine was asked for by name
};

/// How whoever asks for an engine says so.
struct EngineWords {
    std::string place;    ///< of a wrong name
    std::string unknown;  ///< what is wrong with it
    std::string choose;   ///< how to take another engine, whose name comes next
};

/// `requested` is one of engine_requests(). Throws ConfigError when there is no such engine, and,
/// at the key, when the one that was asked for refuses the machine.
EngineChoice choose_engine(const Machine& machine, const std::string& requested,
                           const EngineWords& words);
/// The same, in words of the command line.
EngineChoice choose_engine(const Machine& machine, const std::string& requested);

}  // namespace flitscope
