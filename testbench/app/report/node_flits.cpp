// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/node_flits.h"

#include "models/topology/channel_map.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/simulation.h"
#include "traffic/patterns/pattern_source.h"

namespace flitscope {

std::vector<NodeFlits> node_flits(const Machine& machine, const SimulationResult& result) {
    std::vector<NodeFlits> all(machine.graph.node_count());
    const ChannelMap map(machine.graph);
    for (ChannelId channel = 0; channel < map.count(); ++channel) {
        if (map.is_link(channel)) continue;
        NodeFlits& node = all[map.node(channel)];
        if (map.is_injection(channel)) {
            node.injected += result.channel_flits[channel];
            if (!result.blocked_cycles.empty()) {
                node.injection_blocked += result.blocked_cycles[channel];
            }
            node.measured_injected += result.window_flits[channel];
        } else {
            node.ejected += result.channel_flits[channel];
            node.measured_ejected += result.window_flits[channel];
        }
    }
    return all;
}

std::optional<InjectedRange> injected_range(const Machine& machine,
                                            const SimulationResult& result) {
    if (machine.pattern == nullptr || !result.measured) return std::nullopt;
    const std::vector<NodeFlits> all = node_flits(machine, result);
    const auto cycles = static_cast<double>(result.window.length());
    std::optional<InjectedRange> range;
    for (NodeId node = 0; node < all.size(); ++node) {
        if (!machine.pattern->pattern.sends(node)) continue;
        const InjectedRange::End end{node,
                                     static_cast<double>(all[node].measured_injected) / cycles};
        if (!range) range = InjectedRange{end, end};
        if (end.rate < range->least.rate) range->least = end;
        if (end.rate > range->most.rate) range->most = end;
    }
    return range;
}

}  // namespace flitscope
