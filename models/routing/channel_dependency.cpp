// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/channel_dependency.h"

#include <algorithm>
#include <cstdint>

namespace flitscope {

std::vector<LinkId> find_dependency_cycle(const Graph& graph, const Routing& routing) {
    std::vector<std::vector<LinkId>> wants(graph.link_count());
    routing.visit_dependencies(graph, [&wants](LinkId holds, LinkId wanted) {
        auto& list = wants[holds];  // at most one entry per output port, so a scan is quick
        if (std::find(list.begin(), list.end(), wanted) == list.end()) list.push_back(wanted);
    });
    // Depth-first search with an explicit stack; a link on the stack that is met again closes a
    // cycle, which is the part of the stack from there on.
    enum class State : std::uint8_t { kNew, kOnStack, kDone };
    std::vector<State> state(graph.link_count(), State::kNew);
    struct Frame {
        LinkId link;
        std::size_t next;
    };
    std::vector<Frame> stack;
    for (LinkId root = 0; root < graph.link_count(); ++root) {
        if (state[root] != State::kNew) continue;
        stack.push_back({root, 0});
        state[root] = State::kOnStack;
        while (!stack.empty()) {
            Frame& top = stack.back();
            if (top.next == wants[top.link].size()) {
                state[top.link] = State::kDone;
                stack.pop_back();
                continue;
            }
            const LinkId wanted = wants[top.link][top.next++];
            if (state[wanted] == State::kOnStack) {
                auto first = std::find_if(stack.begin(), stack.end(),
                                          [wanted](const Frame& f) { return f.link == wanted; });
                std::vector<LinkId> cycle;
                for (; first != stack.end(); ++first) cycle.push_back(first->link);
                return cycle;
            }
            if (state[wanted] == State::kNew) {
                state[wanted] = State::kOnStack;
                stack.push_back({wanted, 0});
            }
        }
    }
    return {};
}

std::string describe_cycle(const Graph& graph, const std::vector<LinkId>& cycle) {
    std::string text;
    for (const LinkId link : cycle) text += graph.link_name(link) + " -> ";
    if (!cycle.empty()) text += graph.link_name(cycle.front());
    return text;
}

void require_deadlock_freedom(const Config& config, const Graph& graph,
                              const std::vector<LinkId>& cycle) {
    if (cycle.empty() || config.fabric.allow_deadlock) return;
    throw ConfigError(
        config.where("fabric.routing"),
        "the routing can deadlock: packets may wait in the circle " + describe_cycle(graph, cycle),
        "change topology or routing, or set fabric.allow_deadlock: true to run it "
        "all the same");
}

}  // namespace flitscope
