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

#include "hw/common/fabric_options.h"
#include "models/fabric/fabric.h"
#include "models/fabric/refusal.h"

namespace flitscope {

struct Machine;

/// Whether an engine that can simulate a machine gains anything there, and why.
struct Appraisal {
    bool gains = false;
    std::string reason;
};

struct Engine {
    std::string name;     ///< value of --engine, and in reports
    std::string summary;  ///< one line
    /// All that the engine refuses.
    const std::vector<Limitation>& (*limitations)();
    /// Why the engine cannot simulate this machine exactly; nothing if it can.
    std::optional<Refusal> (*refusal)(const Machine&);
    /// The speed-up of the engine on a machine. Null: `auto` takes this engine if no other gains
    /// anything.
    Appraisal (*appraise)(const Machine&);
    /// Creates the fabric, named "fabric", of a machine that the engine does not refuse; one plane.
    std::unique_ptr<Fabric> (*create)(const Machine&, const hw::FabricOptions&);
    /// Number of cycles with activity between polls of clock and user.
    std::uint32_t poll_interval;
};

/// The reference, with which the others are compared, comes first.
const std::vector<Engine>& engines();
const Engine& reference_engine();
/// Null when there is none of that name.
const Engine* find_engine(const std::string& name);

/// The fabric of a machine, named "fabric", all its planes.
std::unique_ptr<Fabric> create_fabric(const Engine& engine, const Machine& machine,
                                      const hw::FabricOptions& options);

/// Requests any engine that is exact and gains something, else the reference.
inline constexpr const char* kAutoEngine = "auto";
/// Everything that can be asked for: the engines, then kAutoEngine.
std::vector<std::string> engine_requests();

/// Cycles until the first search for deadlocks; later ones are rarer. The same for all engines.
inline constexpr Cycle kSearchInterval = 1 << 16;

struct EngineChoice {
    const Engine* engine = nullptr;
    std::string reason;  ///< for the user; empty when the engine was asked for by name
};

/// The words for findings about a requested engine, by the place of the request.
struct EngineWords {
    std::string place;    ///< the place of a wrong name
    std::string unknown;  ///< the error
    std::string choose;   ///< how to take another engine, whose name comes next
};

/// Chooses the engine for a machine; `requested` is one of engine_requests(). Throws ConfigError if
/// there is no such engine, and, at the key, if the requested one refuses the machine.
EngineChoice choose_engine(const Machine& machine, const std::string& requested,
                           const EngineWords& words);
/// Chooses the engine for a machine, with findings in words of the command line.
EngineChoice choose_engine(const Machine& machine, const std::string& requested);

}  // namespace flitscope
