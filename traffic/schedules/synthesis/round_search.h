// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules of rounds, in which chunks go from neighbour to neighbour: several attempts by one of
// the methods that find them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "traffic/schedules/synthesis/bounds/collective_bound.h"
#include "traffic/schedules/synthesis/chunk_schedule.h"
#include "traffic/schedules/synthesis/neighbours.h"
#include "traffic/schedules/synthesis/synthesizer.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// Cycles from the start of a round to the start of the next, when received chunks can be sent on.
Cycle relaying_period(const ChunkSchedule& schedule, const HardwareConfig& config,
                      const Graph& graph);

/// Makes one attempt after the other, with seeds that follow from that of the request.
class RoundSearch {
public:
    /// All references must outlive this object.
    RoundSearch(const SynthesisRequest& request, const HardwareConfig& config, const Graph& graph,
                const Routing& routing)
        : request_(request),
          config_(config),
          graph_(graph),
          routing_(routing),
          network_(graph, routing),
          backwards_(network_.backwards()) {}

    /// The best of a few attempts.
    ChunkSchedule best(Method method, std::uint32_t chunks);

    /// No schedule by the method takes fewer cycles with so many chunks: its rounds are no fewer,
    /// and each takes a link the flits of a chunk.
    double least_cycles(Method method, std::uint32_t chunks);

    /// Whether a timed search may continue.
    bool has_time() const { return !request_.goes_on || request_.goes_on(); }

    /// Makes attempts with the task of `found` while `goes_on` returns true.
    void go_on(ChunkSchedule& found, Method method);

    /// Whether `other` is worth a try if one has been found: it has something to gain, and trees
    /// for all roots of a large network would take too long.
    bool is_worth_a_try(Method other, const ChunkSchedule& found);

private:
    void begin(Method method, std::uint32_t chunks);
    void improve(ChunkSchedule& found, const std::function<bool()>& goes_on);

    const CollectiveBound& bound_of_task(const Task& task);
    /// Chunks that make up the whole of a bound's share.
    static std::uint64_t chunks_of_share(const Task& task);
    std::uint64_t rounds_of_bound(const Task& task);

    /// Lower bound on the rounds of flow and matching, by the chunks in and out of single nodes.
    std::uint64_t least_rounds() const;

    /// Lower bound on the rounds of an exchange, by the chunks across the middle, and by the total
    /// over all links.
    std::uint64_t least_rounds_over_links() const;

    /// Number of attempts that take about a second.
    std::uint32_t attempts() const;

    /// Trees that begin at given roots are found by a maximum flow for each node of each.
    double packing_work() const;
    static constexpr double kMostPacking = 4e7;

    std::vector<std::vector<ChunkMove>> try_once(std::uint64_t attempt, std::string& name);
    std::vector<std::vector<ChunkMove>> over_trees(std::uint64_t attempt, std::uint64_t seed) const;
    std::vector<std::vector<ChunkMove>> spread(std::uint64_t seed) const;

    const SynthesisRequest& request_;
    const HardwareConfig& config_;
    const Graph& graph_;
    const Routing& routing_;
    const Neighbours network_;
    const Neighbours backwards_;
    std::optional<CollectiveBound> bound_;  // whose share is the same for any chunks
    Method method_ = Method::kAuto;
    Task task_;
    std::uint64_t attempt_ = 0;
    std::uint64_t least_ = 0;  ///< rounds
};

}  // namespace flitscope::synthesis
