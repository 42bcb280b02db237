// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// From a machine and a collective to a schedule: method, number of chunks, number of attempts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "traffic/schedules/synthesis/chunk_schedule.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

enum class Method : std::uint8_t {
    kAuto,       ///< the method whose schedule promises the least time
    kFlow,       ///< kAllToAll, kScatter: paths, then rounds
    kMatching,   ///< the others: links matched with chunks, round by round
    kTrees,      ///< the others with a channel per link: packed trees, then rounds
    kCombining,  ///< few messages, in which nodes hand on the blocks of others
};
struct MethodName {
    Method method;
    const char* name;
    const char* summary;
};
const std::vector<MethodName>& method_names();
std::optional<Method> method_named(const std::string& name);
const char* name_of(Method method);

struct SynthesisRequest {
    Collective collective = Collective::kAllGather;
    Method method = Method::kAuto;
    std::uint32_t chunks = 0;  ///< per block; 0: as many as promise the least time
    std::uint64_t bytes = 0;   ///< per block; with kAllReduce of the vector
    NodeId root = 0;
    std::uint64_t seed = 1;
    /// Empty: a few attempts are made of every method and number of chunks, fewer on large
    /// networks, and timetables are improved for as long. Otherwise it is called as soon as there
    /// is a schedule, before every further attempt, and further ones are made with the best of
    /// them, until it returns false or the schedule is optimal.
    std::function<bool()> goes_on;
};

/// Cut into `request.chunks`, which is not 0.
Task task_of(const SynthesisRequest& request, const Graph& graph);

struct FoundSchedules {
    ChunkSchedule best;  ///< of all attempts, by promised time
    /// kAuto: the best of the other kind, if both were searched: schedules without waiting, and
    /// those whose messages may wait. The time of the latter is rehearsed, and may be wrong.
    std::optional<ChunkSchedule> other;
};

/// There is no obstacle() (request_rules.h).
FoundSchedules find_schedules(const SynthesisRequest& request, const HardwareConfig& config,
                              const Graph& graph, const Routing& routing);
/// The best of these.
ChunkSchedule synthesize(const SynthesisRequest& request, const HardwareConfig& config,
                         const Graph& graph, const Routing& routing);

/// Cycles that the rounds take if all of them are full and nothing else waits: the measure by which
/// schedules are compared.
double estimated_cycles(const ChunkSchedule& schedule, const HardwareConfig& config,
                        const Graph& graph);

}  // namespace flitscope::synthesis
