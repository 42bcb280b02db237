// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// flitscope import: traces of applications as GOAL text, which a person can read and change.
#include <fmt/format.h>

#include <iostream>
#include <numeric>
#include <vector>

#include "models/base/output_file.h"
#include "models/topology/families/topologies.h"
#include "testbench/cli/commands.h"
#include "testbench/configuration/configuration.h"
#include "traffic/schedules/schedule_factory.h"
#include "traffic/traces/goal_text.h"
#include "traffic/traces/trace_program.h"

namespace flitscope::cli {
namespace {

/// Collectives become those of a line of nodes, whose ring goes by their numbers.
void expand_on_line(Trace& trace) {
    const auto ranks = static_cast<RankId>(trace.ranks.size());
    const Config line = parse_config(
        fmt::format("fabric: {{topology: {{kind: mesh, dims: [{}]}}}}\n", ranks), "import");
    const Graph graph = build_topology(line);
    std::vector<NodeId> node_of(ranks);
    std::iota(node_of.begin(), node_of.end(), NodeId{0});
    expand_collectives(trace, node_of, ranks, [&](const CollectiveSchedule& of) {
        return collective_program(line, graph, of);
    });
}

}  // namespace

int import_command(const Options& options) {
    const auto format = value_named(kTraceFormats, options.trace_format);
    if (!format) {
        throw ConfigError({"--format", 0, 0},
                          fmt::format("there is no trace format '{}'", options.trace_format),
                          "goal or chakra");
    }
    Trace trace = read_trace(options.trace_file, *format);
    require_writable(options.export_to, {"-o " + options.export_to, 0, 0});
    expand_on_line(trace);
    write_whole_file(options.export_to, [&](std::ostream& out) { write_goal_text(trace, out); });
    std::size_t dependencies = 0;
    for (const RankTrace& rank : trace.ranks) dependencies += rank.dependencies.size();
    std::cout << fmt::format("{}: {} ranks, {} operations, {} dependencies\n", options.export_to,
                             trace.ranks.size(), trace.operation_count(), dependencies);
    return kExitOk;
}

}  // namespace flitscope::cli
