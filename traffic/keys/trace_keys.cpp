// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/keys/trace_keys.h"

#include <string>
#include <utility>

#include "models/base/limits.h"
#include "models/config/application_trace_config.h"
#include "models/config/key_kinds.h"
#include "traffic/keys/pattern_keys.h"

namespace flitscope {

using namespace kinds;

std::vector<std::string> other_traffic_than(const std::string& source) {
    std::vector<std::string> others;
    for (const std::string& other : traffic_sources()) {
        if (other == source) continue;
        others.push_back(other == "traffic.trace.file" ? parent_path(other) : other);
    }
    return others;
}

namespace {

Condition traces() {
    return traffic("a trace", [](const TrafficConfig& t) { return !t.trace.file.empty(); });
}

Condition traces_of(TraceFormat format) {
    return {"a trace of format `" + name_of(format) + '`',
            [format](const Config& config) -> std::string {
                const ApplicationTraceConfig& trace = config.traffic.trace;
                if (trace.file.empty()) return traces().conflict(config);
                if (trace.format == format) return "";
                return "a trace of format '" + name_of(trace.format) + '\'';
            }};
}

Condition rendezvous() {
    return {"a trace with `eager_bytes`", [](const Config& config) -> std::string {
                const ApplicationTraceConfig& trace = config.traffic.trace;
                if (trace.file.empty()) return traces().conflict(config);
                return trace.eager_bytes ? "" : "a trace without eager_bytes";
            }};
}

/// How traces are read where their files leave a choice.
ConfigKeys trace_reading_keys() {
    const auto in = [](auto member) {
        return [=](auto& config) -> auto& { return config.traffic.trace.*member; };
    };
    using Trace = TraceReadingConfig;
    ConfigKeys keys;
    keys.push_back(
        enumeration("traffic.trace.control_dependencies", "way of reading", kControlDependencies,
                    "whether nodes of a `chakra` trace wait for their `ctrl_deps`, as for "
                    "`data_deps`: `auto`: in each file whose nodes could all be played so, which "
                    "recorded ones cannot; `awaited`; `ignored`, as by Chakra's own feeder",
                    in(&Trace::control))
            .only_for(traces_of(TraceFormat::kChakra)));
    const auto roofline = [&](const char* name, const char* meaning, auto member) {
        keys.push_back(
            real(
                std::string("traffic.trace.compute.") + name, {0, 1e9}, "", meaning,
                [=](auto& config) -> auto& { return config.traffic.trace.compute.*member; })
                .only_for(traces_of(TraceFormat::kChakra)));
    };
    roofline("flops_per_ns",
             "operations per ns of computations that have `num_ops` and no duration; they take the "
             "longer of this time and that of their memory traffic; 0: none",
             &RooflineConfig::flops_per_ns);
    roofline("bytes_per_ns",
             "memory traffic per ns of computations that have `tensor_size` and no duration; 0: it "
             "takes no time",
             &RooflineConfig::bytes_per_ns);
    keys.push_back(
        enumeration("traffic.trace.interfaces", "rule", kTraceInterfaces,
                    "messages of `nic` 1 and above of a `goal` trace: `shared`: they are like "
                    "those of `nic` 0; `planes`: `nic` N is the interface to plane N "
                    "(`fabric.planes`); `refused`: they are an error",
                    in(&Trace::interfaces))
            .only_for(traces_of(TraceFormat::kGoal)));
    return keys;
}

}  // namespace

ConfigKeys application_trace_keys() {
    const auto in = [](auto member) {
        return [=](auto& config) -> auto& { return config.traffic.trace.*member; };
    };
    using Trace = ApplicationTraceConfig;
    ConfigKeys keys;
    keys.push_back(path_key("traffic.trace.file",
                            "trace of an application (traffic/traces/README.md), relative to the "
                            "folder of the configuration file; a run needs exactly one of "
                            "schedule, pattern, program and trace",
                            in(&Trace::file))
                       .replaces(other_traffic_than("traffic.trace.file")));
    keys.push_back(enumeration("traffic.trace.format", "trace format", kTraceFormats,
                               "format of the trace: `goal`, text or binary (LogGOPSim, ATLAHS); "
                               "`csv`, a program file with times; `chakra` (MLCommons), with "
                               "`file` the common name of its files, without .0.et, .1.et, ...",
                               in(&Trace::format))
                       .only_for(traces()));
    keys.push_back(
        enumeration(
            "traffic.trace.placement", "placement", kRankPlacements,
            "placement of ranks on nodes: `linear`: rank n on the n-th working node, counted from "
            "0; `random`: a random permutation of these from `seed`; `file`: given by "
            "placement_file; `volume`: ranks that exchange much data are close to each other",
            in(&Trace::placement))
            .only_for(traces()));
    keys.push_back(path_key("traffic.trace.placement_file",
                            "file with the node of each rank, one number per line, relative to the "
                            "folder of the configuration file",
                            in(&Trace::placement_file))
                       .only_for({"a trace with placement `file`",
                                  [](const Config& config) -> std::string {
                                      const RankPlacement placement =
                                          config.traffic.trace.placement;
                                      if (placement == RankPlacement::kFile) return "";
                                      return "placement '" + name_of(placement) + '\'';
                                  }})
                       .required());
    keys.push_back(real("traffic.trace.compute_scale", {0, 1e6}, "",
                        "factor by which the times of all computations are multiplied: 0.5 for "
                        "processors twice as fast; only the formats `goal` and `chakra` have any",
                        in(&Trace::compute_scale))
                       .only_for(traces()));
    keys.push_back(choice("traffic.trace.send_completes", "rule", {"buffered", "injected"},
                          "event that completes a send for the operations of its own rank that "
                          "depend on it: `buffered`: node.send_overhead cycles have passed; "
                          "`injected`: its tail has entered the network",
                          in(&Trace::sends_block))
                       .only_for(traces()));
    keys.push_back(choice("traffic.trace.receive_time", "rule", {"overhead", "transfer"},
                          "how long a receive keeps its stream: `overhead`: node.recv_overhead, "
                          "once its whole message is there; `transfer`: from the first flit of the "
                          "message on, for that time and one cycle per further flit, as in "
                          "LogGOPSim, and until the message is there",
                          in(&Trace::receives_transfer))
                       .only_for(traces()));
    keys.push_back(
        optional_integer("traffic.trace.eager_bytes", {0, kLargestBytes}, "bytes",
                         "maximum payload of an eager send; longer messages make a `rendezvous`",
                         in(&Trace::eager_bytes))
            .only_for(traces()));
    keys.push_back(choice("traffic.trace.rendezvous", "rule", {"request", "acknowledge"},
                          "way of messages that are longer than eager_bytes: `request`: they are "
                          "announced, and sent when their receive has answered; `acknowledge`: "
                          "they are sent at once, as in LogGOPSim, and their send completes when "
                          "their receive has answered",
                          in(&Trace::acknowledges))
                       .only_for(rendezvous()));
    keys.push_back(texts("traffic.trace.algorithms", "schedule/algorithm each, allreduce/ring",
                         "algorithms of the schedules that replace the collectives of a trace "
                         "(`flitscope list`); of several for one schedule all but the last hold up "
                         "to some bytes: allreduce/ring up to 65536; default: by size and ranks, "
                         "as MPICH chooses; only the format `chakra` has collectives",
                         in(&Trace::algorithms))
                       .only_for(traces()));
    for (ConfigKey& key : trace_reading_keys()) keys.push_back(std::move(key));
    return keys;
}

}  // namespace flitscope
