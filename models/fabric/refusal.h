// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why an engine, or a kind of router, does not support a machine: a value, created at the
// limitation, that every command words as it needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"

namespace flitscope {

class Graph;
class Routing;
struct WorkloadConfig;

struct Refusal {
    std::string key;     ///< the key that asks for it: "fabric.switching"
    std::string reason;  ///< "the TLM engine has no RTL routers (fabric.router)"
    /// Alternative settings, each sufficient by itself: "set fabric.switching: wormhole".
    std::vector<std::string> remedies;

    /// The refusal as a finding at the key. `others` are remedies that are not settings of the
    /// machine; they come first: "use --engine cycle".
    Diagnostic diagnostic(const WorkloadConfig& config, std::vector<std::string> others = {}) const;
};

/// One unsupported feature, and the test whether a machine needs it.
struct Limitation {
    std::string what;  ///< for lists: "RTL routers"
    std::optional<Refusal> (*refusal)(const WorkloadConfig&, const Graph&, const Routing&);
};

/// The refusal of the first limitation that a machine meets, if any.
std::optional<Refusal> first_refusal(const std::vector<Limitation>& limitations,
                                     const WorkloadConfig& config, const Graph& graph,
                                     const Routing& routing);

}  // namespace flitscope
