// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Small machines with awkward parameters under contended traffic, one per seed: what the fabric
// must do exactly as the golden model does.
#pragma once

#include <cstdint>
#include <string>

#include "models/config/config.h"
#include "models/topology/graph.h"
#include "traffic/program.h"

namespace flitscope {

struct RandomCase {
    Config config;  ///< config.seed is the seed of the case
    Program program;
};

/// The case of `seed`; the same on every platform. Every program can end: `after` names earlier
/// messages only, and the network is a mesh or a hypercube, whose default routing is free of
/// deadlock. Most cases have up to 32 nodes and end within a few thousand cycles.
RandomCase random_case(std::uint64_t seed);

/// The graph of `random.config`; in some cases every link gets a delay of its own, which no
/// configuration of a mesh can express.
Graph random_case_graph(const RandomCase& random);

/// The case in one line (seed, topology, parameters, traffic), for failure messages.
std::string describe(const RandomCase& random);

}  // namespace flitscope
