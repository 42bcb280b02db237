// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/bounded_json.h"

namespace flitscope {
namespace {

using nlohmann::ordered_json;

/// Deeper than anything that flitscope writes.
constexpr int kMostNested = 100;

}  // namespace

ordered_json parse_json(const std::string& text) {
    return ordered_json::parse(text, [](int depth, ordered_json::parse_event_t, ordered_json&) {
        constexpr int kOwnError = 501;  // after those of the library
        if (depth > kMostNested) {
            throw ordered_json::other_error::create(kOwnError, "values within too many others",
                                                    nullptr);
        }
        return true;
    });
}

}  // namespace flitscope
