// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of synthetic traffic: a configuration, the messages of a node, how near a
// share has to be.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "traffic/patterns/pattern_source.h"

namespace flitscope {

class Graph;

inline constexpr Cycle kCycles = 200'000;

/// Messages of 1 + 3 flits, all of them measured.
inline Config source_config(const std::string& pattern = "uniform") {
    Config config;
    config.source = "run.yaml";
    config.traffic.pattern = pattern;
    config.traffic.message_bytes = 24;
    config.traffic.warmup_cycles = 0;
    config.traffic.measure_cycles = kCycles;
    return config;
}

struct Sent {
    Message message;
    Cycle begin = 0;
};

/// All messages of the node.
inline std::vector<Sent> stream(const Config& config, const Graph& graph, NodeId node) {
    PatternSource source(std::make_shared<const PatternTraffic>(config, graph), node);
    std::vector<Sent> result;
    Sent sent;
    while (source.next(sent.message, sent.begin)) result.push_back(sent);
    EXPECT_FALSE(source.next(sent.message, sent.begin));
    return result;
}

/// The errors in the traffic.
inline std::string error_of(const Config& config, const Graph& graph) {
    return refused_with([&] { PatternTraffic(config, graph); });
}

/// Checks that `count` of `draws` draws agree with this probability, within four standard
/// deviations.
inline void expect_share(std::uint64_t count, std::uint64_t draws, double expected) {
    const auto n = static_cast<double>(draws);
    const double sigma = std::sqrt(expected * (1 - expected) / n);
    EXPECT_NEAR(static_cast<double>(count) / n, expected, 4 * sigma + 1e-12);
}

}  // namespace flitscope
