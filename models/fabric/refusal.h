// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why an engine, or a kind of router, cannot do what a machine asks for: a value, made where the
// limitation is, that every command words as it needs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"

namespace flitscope {

struct Refusal {
    std::string key;     ///< the key that asks for it: "fabric.switching"
    std::string reason;  ///< "the TLM engine has no RTL routers (fabric.router)"
    /// Other settings, each of which does alone: "set fabric.switching: wormhole".
    std::vector<std::string> remedies;

    /// The refusal as a finding at the key. `others` are remedies that are no setting of the
    /// machine; they come first: "use --engine cycle".
    Diagnostic diagnostic(const Config& config, std::vector<std::string> others = {}) const {
        others.insert(others.end(), remedies.begin(), remedies.end());
        std::string hint;
        for (const std::string& way : others) hint += (hint.empty() ? "" : ", or ") + way;
        return {config.where(key), reason, std::move(hint)};
    }
};

/// One thing that cannot be done, and how to tell whether a machine needs it.
struct Limitation {
    std::string what;  ///< for lists: "RTL routers"
    std::optional<Refusal> (*refusal)(const Config&, const Graph&, const Routing&);
};

/// The refusal of the first limitation that a machine meets, if any.
inline std::optional<Refusal> first_refusal(const std::vector<Limitation>& limitations,
                                            const Config& config, const Graph& graph,
                                            const Routing& routing) {
    for (const Limitation& limitation : limitations) {
        if (auto refusal = limitation.refusal(config, graph, routing)) return refusal;
    }
    return std::nullopt;
}

}  // namespace flitscope
