// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/trace_keys.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

#include "models/base/limits.h"
#include "models/config/config.h"
#include "models/config/key_kinds.h"
#include "models/config/node_keys.h"
#include "models/config/trace_config.h"
#include "waveforms/time_axis.h"

namespace flitscope {

ConfigKeys trace_keys() {
    using namespace kinds;
    ConfigKeys keys;
    const auto in = [](auto member) { return at(&Config::trace, member); };
    keys.push_back(texts("waveform.links", "5-7, link_005_007 or names of routers, cpu0-hub, each",
                         "links to trace", in(&TraceConfig::links)));
    keys.push_back(node_keys("waveform.nodes", {0, kMostEntries},
                             "trace links that start or end at the routers of these nodes",
                             in(&TraceConfig::nodes)));
    keys.push_back(texts("waveform.routers", "numbers or names of routers",
                         "trace links that start or end at these routers",
                         in(&TraceConfig::routers)));
    keys.push_back(integers("waveform.dimensions", {0, kMostDims - 1}, {0, kMostEntries},
                            "trace links of these dimensions, indices into `dims`",
                            in(&TraceConfig::dimensions)));
    keys.push_back(node_keys("waveform.rtl_nodes", {0, kMostEntries},
                             "RTL routers whose internal signals are also traced",
                             in(&TraceConfig::rtl_nodes)));
    keys.push_back(integer("waveform.from", {0, kLongTime}, "cycle", "start of the trace",
                           in(&TraceConfig::from)));
    ConfigKey until = integer("waveform.until", {0, kLongTime}, "cycle",
                              "end of the trace, later than its start; `none`: the end of the run",
                              in(&TraceConfig::until));
    until.write = [](const Config& config) {
        return config.trace.until == kNever ? std::string() : std::to_string(config.trace.until);
    };
    keys.push_back(std::move(until));
    keys.push_back(flag("waveform.details",
                        "also trace source, destination, message and step of the packet that holds "
                        "a channel, as separate signals, and the occupancy of the downstream FIFO",
                        in(&TraceConfig::details)));
    keys.push_back(flag("waveform.endpoints", "also trace injection and ejection channels",
                        in(&TraceConfig::endpoints)));
    return keys;
}

void check_trace(RuleContext& context) {
    const Config& config = context.config;
    const TraceConfig& trace = config.trace;
    if (context.nodes != 0) {
        for (const NodeId node : trace.nodes) {
            // Numbers of switches come after those of nodes; select_channels() looks closely.
            if (node >= context.routers) context.require_node("waveform.nodes", node);
        }
        for (const std::uint32_t dimension : trace.dimensions) {
            if (dimension < context.dimensions) continue;
            context.report({config.where("waveform.dimensions"),
                            fmt::format("'waveform.dimensions' names dimension {}, but the network "
                                        "has {}",
                                        dimension, context.dimensions),
                            "dimensions count from 0"});
        }
    }
    if (trace.from >= trace.until) {
        context.report(
            {config.where(context.is_set("waveform.until") ? "waveform.until" : "waveform.from"),
             fmt::format(
                 "the trace ends before it begins: 'waveform.from' is {}, 'waveform.until' is {}",
                 trace.from, trace.until),
             ""});
    }
    const TimeAxis axis = make_time_axis(config.clock_ns);
    const Cycle last = std::numeric_limits<std::uint64_t>::max() / axis.per_cycle;
    if (trace.from <= last) return;
    context.report({config.where("waveform.from"),
                    fmt::format("'waveform.from' is {}, but times of a trace, in units of {}, have "
                                "room for {} cycles of {} ns",
                                trace.from, axis.timescale, last, config.clock_ns),
                    ""});
}

}  // namespace flitscope
