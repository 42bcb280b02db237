// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Traces of a few operations on a mesh of 4 x 4.
#pragma once

#include <string>

#include "models/config/config.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/trace_texts.h"
#include "traffic/traces/trace.h"

namespace flitscope {

inline Config trace_config(const std::string& more = "") {
    return parse_config(
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
        "traffic: {trace: {file: t.goal}}\n" +
            more,
        "c.yaml");
}

inline std::string goal_refusal(const std::string& text) {
    return refusal([&] { check_trace(goal(text)); });
}

inline constexpr const char* kPair =
    "num_ranks 2\nrank 0 {\na: calc 10\nb: send 5b to 1 tag 4\nb requires a\n}\n"
    "rank 1 {\nrecv 5b from 0 tag 4 cpu 3\n}\n";

}  // namespace flitscope
