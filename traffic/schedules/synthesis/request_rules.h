// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The requests that a machine permits: whether a schedule can be found, the ways of blocks, and
// their number of chunks.
#pragma once

#include <cstdint>
#include <optional>

#include "models/base/diagnostics.h"
#include "models/routing/routing.h"
#include "traffic/schedules/synthesis/synthesizer.h"

namespace flitscope {
class Graph;
struct WorkloadConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// The places that findings name: `collective` for the machine as a whole.
struct RequestPlaces {
    Location collective;
    Location root;
    Location method;
    Location chunks;
};

/// Why no schedule can be found for the machine; nothing if one can.
std::optional<Diagnostic> obstacle(const SynthesisRequest& request, const WorkloadConfig& config,
                                   const Graph& graph, const Routing& routing,
                                   const RequestPlaces& where);

/// Whether every node can reach every other one from neighbour to neighbour.
bool is_connected(const Graph& graph, const Routing& routing);

/// Whether messages go straight to their destinations, over links that they share with others.
bool goes_straight(const SynthesisRequest& request, const Graph& graph);

/// Chunks of a block such that each has a byte; at least one. An all-reduce has a vector, of which
/// every node has a block.
std::uint64_t most_chunks_with_bytes(const SynthesisRequest& request, const Graph& graph);

}  // namespace flitscope::synthesis
