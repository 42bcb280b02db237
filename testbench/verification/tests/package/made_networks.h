// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks made in code, and what they are refused for.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "flitscope/fabric.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope {

inline Config mesh(std::vector<std::uint32_t> dims) {
    Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = std::move(dims);
    return config;
}

template <class Action>
std::string error_of(Action action) {
    const FreshKernel kernel;
    return refused_with([&] { action(); });
}

inline std::string refusal(const Config& config, const NetworkOptions& options = {}) {
    return error_of([&] { const Network network("network", config, options); });
}

}  // namespace flitscope
