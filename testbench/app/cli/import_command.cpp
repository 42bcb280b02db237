// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// flitscope import: traces of applications as GOAL text, which a person can read and change.
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <numeric>
#include <vector>

#include "models/base/output_file.h"
#include "models/config/config.h"
#include "models/config/value_named.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/configuration/configuration.h"
#include "traffic/schedules/schedule_factory.h"
#include "traffic/traces/chakra.h"
#include "traffic/traces/expansion.h"
#include "traffic/traces/goal_text.h"
#include "traffic/traces/trace_program.h"

namespace flitscope::cli {
namespace {

struct ImportOptions : Options {
    std::string trace_file;
    std::string format;
    std::string output;
};

/// Collectives become those of a line of nodes, with the ring in the order of their numbers.
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

/// The trace that the user names, whose files say which format they have.
ApplicationTraceConfig named_trace(const ImportOptions& options) {
    ApplicationTraceConfig settings;
    settings.file = options.trace_file;
    if (options.format.empty()) {
        if (is_chakra(settings.file)) settings.format = TraceFormat::kChakra;
    } else if (const auto format = value_named(kTraceFormats, options.format)) {
        settings.format = *format;
    } else {
        throw ConfigError({"--format", 0, 0},
                          fmt::format("there is no trace format '{}'", options.format),
                          "goal or chakra");
    }
    if (settings.format == TraceFormat::kChakra) settings.file = chakra_prefix(settings.file);
    return settings;
}

int import_command(const ImportOptions& options) {
    Trace trace = read_trace(named_trace(options));
    require_writable(options.output, {"-o " + options.output, 0, 0});
    expand_on_line(trace);
    write_whole_file(options.output, [&](std::ostream& out) { write_goal_text(trace, out); });
    std::size_t dependencies = 0;
    for (const RankTrace& rank : trace.ranks) dependencies += rank.dependencies.size();
    std::cout << fmt::format("{}: {} ranks, {} operations, {} dependencies\n", options.output,
                             trace.ranks.size(), trace.operation_count(), dependencies);
    for (const std::string& note : trace.remarks()) std::cout << "  " << note << '\n';
    return kExitOk;
}

}  // namespace

Command add_import(CLI::App& app) {
    const auto given = std::make_shared<ImportOptions>();
    ImportOptions& options = *given;
    CLI::App* const command = app.add_subcommand(
        "import", "Write the trace of an application as GOAL text, which traffic.trace reads");
    command->add_option("trace", options.trace_file, "GOAL, text or binary; for Chakra the prefix")
        ->required()
        ->type_name("TRACE");
    command
        ->add_option("--format", options.format,
                     "goal, or chakra: PREFIX.0.et, PREFIX.1.et, ...; default: what is there")
        ->type_name("goal|chakra");
    command->add_option("-o,--output", options.output, "Write this file")
        ->required()
        ->type_name("FILE.goal");
    command->footer(
        "Collectives become the sends and receives of a schedule on a line of nodes\n"
        "(traffic/traces/README.md).");
    return make_command(command, given, import_command);
}

}  // namespace flitscope::cli
