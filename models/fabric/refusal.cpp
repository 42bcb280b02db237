// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/refusal.h"

#include <utility>

#include "models/config/workload_config.h"

namespace flitscope {

Diagnostic Refusal::diagnostic(const WorkloadConfig& config,
                               std::vector<std::string> others) const {
    others.insert(others.end(), remedies.begin(), remedies.end());
    std::string hint;
    for (const std::string& way : others) hint += (hint.empty() ? "" : ", or ") + way;
    return {config.where(key), reason, std::move(hint)};
}

std::optional<Refusal> first_refusal(const std::vector<Limitation>& limitations,
                                     const WorkloadConfig& config, const Graph& graph,
                                     const Routing& routing) {
    for (const Limitation& limitation : limitations) {
        if (auto refusal = limitation.refusal(config, graph, routing)) return refusal;
    }
    return std::nullopt;
}

}  // namespace flitscope
