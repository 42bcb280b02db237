// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The networks that waveform tests trace, and the smallest sequence of events on one of them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/waveforms/waveform_fixture.h"
#include "waveforms/run_trace.h"

namespace flitscope::testing {

/// A packet of two flits of message 5 (0 -> 2, step 2) over the line 0 - 1 - 2, as far as link 0-1.
inline std::vector<Event> two_flits(const Graph& graph) {
    using K = Event::Kind;
    const ChannelMap channels(graph);
    const Message message{5, 0, 2, 2, 8};
    const ChannelId in = channels.injection(0);
    const ChannelId first = 0;
    const ChannelId second = 1;
    return {{K::kGrant, in, 0, 0, message, 0, 0},     {K::kSendBegin, in, 0, 0, {}, in, 0},
            {K::kGrant, first, 0, 1, message, 0, 0},  {K::kSendBegin, first, 0, 1, {}, in, 0},
            {K::kSendEnd, in, 0, 2, {}, 0, 0},        {K::kRelease, in, 0, 2, {}, 0, 0},
            {K::kSendEnd, first, 0, 3, {}, 0, 0},     {K::kRelease, first, 0, 3, {}, 0, 0},
            {K::kGrant, second, 0, 3, message, 0, 0}, {K::kSendBegin, second, 0, 4, {}, first, 0},
            {K::kSendEnd, second, 0, 6, {}, 0, 0},    {K::kRelease, second, 0, 6, {}, 0, 0}};
}

struct TracedNetwork {
    Graph graph;
    std::uint32_t virtual_channels;
    std::uint32_t router_delay;
    std::uint32_t wire;  ///< link i has delay wire + i % 3
};

inline std::vector<TracedNetwork> networks() {
    const auto make = [](Graph graph, std::uint32_t vcs, std::uint32_t router, std::uint32_t wire) {
        // Rebuilt, because the delay of a link is fixed when it is added.
        Graph slow(graph.kind(), graph.dims(), graph.port_count());
        slow.set_description(graph.description());
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            Link link = graph.link(id);
            link.delay = wire + id % 3;
            slow.add_link(link);
        }
        return TracedNetwork{slow, vcs, router, wire};
    };
    return {make(build_mesh({2, 3}), 1, 1, 1), make(build_mesh({4}), 1, 3, 7),
            make(build_hypercube(3), 1, 1, 1), make(build_mesh({2, 2}), 2, 2, 1),
            make(build_mesh({3}), 4, 1, 5)};
}

inline const std::vector<PathCause> kCauses{{"moves", false}, {"waits", true}, {"stands", true}};

}  // namespace flitscope::testing
