// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Small machines with awkward parameters under contended traffic, one per seed, on which the fabric
// must match the golden model exactly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/config/config.h"
#include "traffic/program/operations.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;

/// Which machines are drawn.
enum class CaseRange : std::uint8_t {
    kSmall,  ///< short packets, up to 16 virtual channels, either arbitration, any switching
    /// Cases for the TLM engine, hard ones included: depths up to 40, delays up to 12, packets of 1
    /// to 5000 flits, trees in addition to the other wirings; with several virtual channels only
    /// those that hold the switch, and no circuits.
    kWide,
};

struct RandomCase {
    Config config;  ///< config.seed is the seed of the case
    CaseRange range = CaseRange::kSmall;
    Program program;
    /// For a random graph: the router of each node; empty: node n on router n.
    std::vector<RouterId> places;
    bool has_slow_links = false;  ///< some links of random_case_graph() have rates below 1
};

/// The case of `seed`; the same on every platform. Every program can end: `after` names earlier
/// messages only, and the routing cannot deadlock on the network: a mesh, a hypercube, a torus, a
/// HOW, a generalized hypercube, a mesh with express links, or a tree. A third of them have several
/// nodes on some routers, a third of the trees and dragonflies parallel links. Most small cases
/// have up to 32 routers and end within a few thousand cycles; of a hundred cases two send nothing
/// at all.
RandomCase random_case(std::uint64_t seed, CaseRange range = CaseRange::kSmall);

/// Whether its channels can have valid and ready, if they do.
bool has_sound_protocol(const RandomCase& random);

/// The graph of `random.config`, of the kind "custom" a random tree with the nodes of `places`; in
/// some cases links get their own delays, or rates, which no configuration of a mesh can express.
Graph random_case_graph(const RandomCase& random);

/// The case with one of its planes only, which all messages cross, and one output of the switch per
/// port.
RandomCase plain_case(RandomCase random);

/// The case as the TLM engine can run it: on one plane, with a switch that is held, nodes of one
/// channel, and no circuits; links of full rate if there are several virtual channels.
RandomCase tlm_case(RandomCase random);

/// The machine of a case, with nodes of one channel, under request-reply traffic of a pattern
/// instead of its program.
RandomCase reply_case(RandomCase random);

/// The machine of a case, with several classes of messages, each with as many virtual channels as
/// there were, priorities and weights, and nodes of one channel without serial startups and
/// assembly. reply_case() draws classes of requests and replies for it.
RandomCase class_case(RandomCase random);

/// Makes a case that is measured until its steady state is known (`steady`), so that an inspection
/// ends the run with flits under way.
RandomCase steady_case(RandomCase random);

/// One plane of a case, with nodes of one channel, whose messages are sent and received by
/// operations: with computations between them, on several streams, and receives of any source or
/// tag. Every program can end.
RandomCase operation_case(RandomCase random, ReceiveTime receive_time = ReceiveTime::kOverhead);
/// The same machine with its routes in a file of that name, which is written; as it is where its
/// paths are not fixed.
RandomCase file_case(RandomCase random, const std::string& path);

/// The case in one line (seed, topology, parameters, traffic), for failure messages.
std::string describe(const RandomCase& random);

}  // namespace flitscope
