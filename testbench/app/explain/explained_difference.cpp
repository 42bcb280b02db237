// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/explained_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "models/topology/channel_map.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/explanation.h"

namespace flitscope {
namespace {

/// Orders places: dimensions by number, then the others as listed here.
using PlaceKey = std::pair<std::uint32_t, std::string>;
constexpr std::uint32_t kLinks = kNoDimension - 4;
constexpr std::uint32_t kInjection = kNoDimension - 3;
constexpr std::uint32_t kEjection = kNoDimension - 2;
constexpr std::uint32_t kNodes = kNoDimension - 1;
constexpr std::uint32_t kProgram = kNoDimension;

/// One run, by what it shares with another one.
struct Parts {
    ExplainedDifference::Run run;
    std::map<PlaceKey, CauseSums> places;
    std::map<std::uint32_t, StepUse> steps;
    std::map<std::uint32_t, DelaySums> distances;
    std::map<std::string, ChannelUse> channels;
};

PlaceKey place_of(const Graph& graph, ChannelId channel) {
    const ChannelMap map(graph);
    if (map.is_injection(channel)) return {kInjection, "injection"};
    if (map.is_ejection(channel)) return {kEjection, "ejection"};
    const std::uint32_t dimension =
        graph.dimension_number(graph.link(map.link_of(channel)).dimension);
    if (dimension == kNoDimension) return {kLinks, "links"};
    return {dimension, fmt::format("dimension {}", dimension)};
}

PlaceKey place_of(const Graph& graph, const PathSegment& segment) {
    if (segment.channel != kNoChannel) return place_of(graph, segment.channel);
    if (is_everywhere(segment)) return {kProgram, "program"};
    return {kNodes, "nodes"};
}

/// Every kind of channel of the network is a place, whether cycles are spent there or not: else a
/// dimension that one run merely does not wait for would seem to be missing.
void add_places(Parts& parts, const Graph& graph) {
    const ChannelMap map(graph);
    for (ChannelId channel = 0; channel < map.count(); ++channel) {
        parts.places[place_of(graph, channel)];
    }
}

/// All channels, by their names.
void add_channels(Parts& parts, const ChannelMap& map, const std::vector<ChannelUse>& uses) {
    for (ChannelId channel = 0; channel < uses.size(); ++channel) {
        parts.channels[map.name(channel)] = uses[channel];
    }
}

/// Programs of operations have none.
std::map<std::uint32_t, StepUse> steps_of(const Explanation& explained) {
    std::map<std::uint32_t, StepUse> steps;
    if (!explained.slack) return steps;
    for (const NodeSlack& node : explained.slack->nodes) {
        StepUse& step = steps[node.step];
        step.first_begin = std::min(step.first_begin, node.begin);
        step.last_begin = std::max(step.last_begin, node.begin);
        step.first_end = std::min(step.first_end, node.end);
        step.last_end = std::max(step.last_end, node.end);
    }
    for (const PathShare& share : explained.steps) steps[share.id].path = share.cycles;
    return steps;
}

Parts parts_of(const Machine& machine, const Explanation& explained) {
    const Graph& graph = machine.graph;
    Parts parts;
    parts.run = {{explained.path.cycles, explained.by_cause},
                 0,
                 explained.run.cycles,
                 machine.config.clock_ns};
    add_places(parts, graph);
    parts.places[{kNodes, "nodes"}];
    for (const PathSegment& segment : explained.path.segments) {
        parts.places[place_of(graph, segment)].add(segment.cause, segment.length());
    }
    parts.steps = steps_of(explained);
    const ChannelMap map(graph);
    std::vector<ChannelUse> uses(map.count());
    for (ChannelId channel = 0; channel < uses.size(); ++channel) {
        uses[channel].waited = explained.run.blocked_cycles[channel];
        uses[channel].busy = explained.run.channel_flits[channel] * map.rate_cycles(channel);
    }
    for (const PathShare& share : explained.channels) uses[share.id].path = share.cycles;
    add_channels(parts, map, uses);
    return parts;
}

Parts parts_of(const Machine& machine, const ExplainedTraffic& explained) {
    const Graph& graph = machine.graph;
    const PacketDelays& delays = explained.delays;
    Parts parts;
    parts.run = {{delays.all.cycles, delays.all.by_cause},
                 delays.all.packets,
                 explained.run.window.length(),
                 machine.config.clock_ns};
    add_places(parts, graph);
    parts.distances = delays.by_hops;
    const ChannelMap map(graph);
    std::vector<ChannelUse> uses(map.count());
    for (ChannelId channel = 0; channel < uses.size(); ++channel) {
        uses[channel].busy = explained.run.window_flits[channel] * map.rate_cycles(channel);
    }
    for (const ChannelDelays& channel : delays.channels) {
        uses[channel.channel].waited = channel.waited;
        CauseSums& place = parts.places[place_of(graph, channel.channel)];
        for (std::size_t i = 0; i < kCauses; ++i) {
            place.add(static_cast<Cause>(i), channel.by_cause[i]);
        }
    }
    add_channels(parts, map, uses);
    return parts;
}

/// What either run has, side by side.
template <class Key, class Use>
std::map<Key, InBoth<Use>> side_by_side(const std::map<Key, Use>& first,
                                        const std::map<Key, Use>& second) {
    std::map<Key, InBoth<Use>> both;
    for (const auto& [key, use] : first) both[key].first = use;
    for (const auto& [key, use] : second) both[key].second = use;
    return both;
}

std::optional<Cycle> waited(const std::optional<ChannelUse>& use) {
    return use ? std::optional(use->waited) : std::nullopt;
}

std::optional<Cycle> busy(const std::optional<ChannelUse>& use) {
    return use ? std::optional(use->busy) : std::nullopt;
}

/// By how much a channel differs, in waiting or in load: in ns, for cycles may differ in length.
double weight(const ExplainedDifference& all, const ExplainedDifference::Channel& channel) {
    const double of_waiting =
        std::abs(all.change_ns(waited(channel.runs.first), waited(channel.runs.second)));
    // The load of a pattern is a rate, that of a program work.
    if (all.is_of_patterns) return of_waiting;
    return std::max(of_waiting,
                    std::abs(all.change_ns(busy(channel.runs.first), busy(channel.runs.second))));
}

ExplainedDifference compared(Parts first, Parts second, bool is_of_patterns) {
    ExplainedDifference all;
    all.first = first.run;
    all.second = second.run;
    all.is_of_patterns = is_of_patterns;
    for (auto& [key, runs] : side_by_side(first.places, second.places)) {
        all.places.push_back({key.second, runs});
    }
    for (auto& [step, runs] : side_by_side(first.steps, second.steps)) {
        all.steps.push_back({step, runs});
    }
    for (auto& [hops, runs] : side_by_side(first.distances, second.distances)) {
        all.distances.push_back({hops, runs});
    }
    for (auto& [name, runs] : side_by_side(first.channels, second.channels)) {
        all.channels.push_back({name, runs});
    }
    std::stable_sort(
        all.channels.begin(), all.channels.end(),
        [&](const ExplainedDifference::Channel& a, const ExplainedDifference::Channel& b) {
            return weight(all, a) > weight(all, b);
        });
    return all;
}

bool operator==(const CauseSums& a, const CauseSums& b) { return a.by_cause == b.by_cause; }
bool operator==(const StepUse& a, const StepUse& b) {
    return a.path == b.path && a.first_begin == b.first_begin && a.last_begin == b.last_begin &&
           a.first_end == b.first_end && a.last_end == b.last_end;
}
bool operator==(const DelaySums& a, const DelaySums& b) {
    return a.packets == b.packets && a.cycles == b.cycles;
}
bool operator==(const ChannelUse& a, const ChannelUse& b) {
    return a.waited == b.waited && a.busy == b.busy && a.path == b.path;
}

template <class Part>
bool are_alike(const std::vector<Part>& parts) {
    return std::all_of(parts.begin(), parts.end(), [](const Part& part) {
        const auto& [first, second] = part.runs;
        return first && second && *first == *second;
    });
}

}  // namespace

double ExplainedDifference::change(std::optional<Cycle> in_first,
                                   std::optional<Cycle> in_second) const {
    return second.counted(in_second.value_or(0)) - first.counted(in_first.value_or(0));
}

double ExplainedDifference::change_ns(std::optional<Cycle> in_first,
                                      std::optional<Cycle> in_second) const {
    return second.counted(in_second.value_or(0)) * second.clock_ns -
           first.counted(in_first.value_or(0)) * first.clock_ns;
}

bool ExplainedDifference::is_same_in_cycles() const {
    return first.packets == second.packets && first.all == second.all && are_alike(places) &&
           are_alike(steps) && are_alike(distances) && are_alike(channels);
}

ExplainedDifference difference(const Machine& first_machine, const Explanation& first,
                               const Machine& second_machine, const Explanation& second) {
    return compared(parts_of(first_machine, first), parts_of(second_machine, second), false);
}

ExplainedDifference difference(const Machine& first_machine, const ExplainedTraffic& first,
                               const Machine& second_machine, const ExplainedTraffic& second) {
    return compared(parts_of(first_machine, first), parts_of(second_machine, second), true);
}

}  // namespace flitscope
