// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/channel_dependency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "models/base/limits.h"
#include "models/config/fabric_config.h"
#include "models/config/workload_config.h"
#include "models/routing/reverse_link.h"
#include "models/topology/channel_map.h"
#include "models/topology/families/express_shape.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

/// The dependencies as lists of successors, one after the other in one array: large networks have
/// tens of millions.
class DependencyGraph {
public:
    DependencyGraph(const Graph& graph, const Routing& routing) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
        std::uint32_t places = graph.link_count();
        const auto number = [](const VirtualLink& channel) {
            return channel.link * kMaxVirtualChannels + channel.vc;
        };
        routing.visit_dependencies(graph, [&](VirtualLink holds, VirtualLink wants) {
            places = std::max({places, holds.link + 1, wants.link + 1});
            classes_ = std::max({classes_, holds.vc + 1, wants.vc + 1});
            edges.emplace_back(number(holds), number(wants));
        });
        const auto vertex = [this](std::uint32_t channel) {
            return channel / kMaxVirtualChannels * classes_ + channel % kMaxVirtualChannels;
        };
        first_.assign(std::size_t{places} * classes_ + 1, 0);
        for (const auto& edge : edges) ++first_[vertex(edge.first) + 1];
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
        successors_.resize(edges.size());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (const auto& edge : edges)
            successors_[next[vertex(edge.first)]++] = vertex(edge.second);
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(first_.size() - 1); }
    std::size_t first(std::uint32_t vertex) const { return first_[vertex]; }
    std::size_t end(std::uint32_t vertex) const { return first_[vertex + 1]; }
    std::uint32_t successor(std::size_t edge) const { return successors_[edge]; }
    VirtualLink channel(std::uint32_t vertex) const {
        return {vertex / classes_, vertex % classes_};
    }

private:
    std::uint32_t classes_ = 1;  // of a link: up to the highest virtual channel that is named
    std::vector<std::size_t> first_;
    std::vector<std::uint32_t> successors_;
};

/// How dimension order uses a second virtual channel against dependency cycles; empty if the
/// routing is another one, or already has it.
std::string use_of_second_channel(const WorkloadConfig& config, const Graph& graph) {
    const FabricConfig& fabric = config.fabric;
    const bool takes_dimensions = fabric.routing == "auto" || fabric.routing == "dimension_order";
    if (!takes_dimensions || graph.has_faults() || fabric.channels_per_class() > 1) return "";
    if (graph.wiring() && graph.wiring()->has_rings()) return "datelines";
    const auto* const express = graph.shape<ExpressShape>();
    return express != nullptr && express->is_compound() ? "for either end of a path" : "";
}

/// Ways out that keep the traffic, each followed by a comma.
std::string remedy(const WorkloadConfig& config, const Graph& graph) {
    const std::uint32_t twice = 2 * config.fabric.class_count();
    const bool can_have_more = twice <= config.fabric.most_virtual_channels();
    const std::string use = use_of_second_channel(config, graph);
    if (can_have_more && !use.empty()) {
        return fmt::format("set fabric.virtual_channels: {} ({}), ", twice, use);
    }
    if (!can_have_more) {
        return one_way_link(graph) == kNoLink
                   ? "use routing up_down, which no topology can deadlock, change the topology, "
                   : "add the opposites of all links and use up_down, change the topology, ";
    }
    if (one_way_link(graph) == kNoLink) {
        return "use routing up_down, which no topology can deadlock, or lash, which keeps to "
               "shortest paths in more virtual channels, change the topology, ";
    }
    return fmt::format(
        "use routing lash, which keeps to shortest paths in {} virtual channels or more, add the "
        "opposites of all links and use up_down, change the topology, ",
        twice);
}

/// The links of a dependency cycle; or the cycle itself if it leads over none.
std::vector<VirtualLink> links_of(std::vector<VirtualLink> cycle, const Graph& graph) {
    std::vector<VirtualLink> links;
    for (const VirtualLink& channel : cycle) {
        if (channel.link < graph.link_count()) links.push_back(channel);
    }
    return links.empty() ? cycle : links;
}

}  // namespace

std::vector<VirtualLink> find_dependency_cycle(const Graph& graph, const Routing& routing) {
    const DependencyGraph dependencies(graph, routing);
    // Depth-first search with an explicit stack; a channel on the stack that is met again closes a
    // cycle, which is the part of the stack from there on.
    enum class State : std::uint8_t { kNew, kOnStack, kDone };
    std::vector<State> state(dependencies.size(), State::kNew);
    struct Frame {
        std::uint32_t vertex;
        std::size_t next;
    };
    std::vector<Frame> stack;
    for (std::uint32_t root = 0; root < dependencies.size(); ++root) {
        if (state[root] != State::kNew) continue;
        stack.push_back({root, dependencies.first(root)});
        state[root] = State::kOnStack;
        while (!stack.empty()) {
            Frame& top = stack.back();
            if (top.next == dependencies.end(top.vertex)) {
                state[top.vertex] = State::kDone;
                stack.pop_back();
                continue;
            }
            const std::uint32_t wanted = dependencies.successor(top.next++);
            if (state[wanted] == State::kOnStack) {
                auto first = std::find_if(stack.begin(), stack.end(),
                                          [wanted](const Frame& f) { return f.vertex == wanted; });
                std::vector<VirtualLink> cycle;
                for (; first != stack.end(); ++first) {
                    cycle.push_back(dependencies.channel(first->vertex));
                }
                return links_of(std::move(cycle), graph);
            }
            if (state[wanted] == State::kNew) {
                state[wanted] = State::kOnStack;
                stack.push_back({wanted, dependencies.first(wanted)});
            }
        }
    }
    return {};
}

std::string describe_cycle(const Graph& graph, const std::vector<VirtualLink>& cycle) {
    const bool has_classes = std::any_of(
        cycle.begin(), cycle.end(), [](const VirtualLink& channel) { return channel.vc != 0; });
    std::string text;
    const ChannelMap channels(graph);
    const auto add = [&](const VirtualLink& channel) {
        text += channels.name(channel.link);
        if (has_classes) text += " vc " + std::to_string(channel.vc);
    };
    for (const VirtualLink& channel : cycle) {
        add(channel);
        text += " -> ";
    }
    if (!cycle.empty()) add(cycle.front());
    return text;
}

void require_deadlock_freedom(const WorkloadConfig& config, const Graph& graph,
                              const std::vector<VirtualLink>& cycle, Cycle from) {
    if (cycle.empty() || config.fabric.allow_deadlock) return;
    throw ConfigError(
        config.where("fabric.routing"),
        fmt::format("the routing can deadlock{}: packets may wait in the dependency cycle {}",
                    from == 0 ? "" : fmt::format(" from cycle {} on (faults.at)", from),
                    describe_cycle(graph, cycle)),
        remedy(config, graph) + "or set fabric.allow_deadlock: true to run it nevertheless");
}

}  // namespace flitscope
