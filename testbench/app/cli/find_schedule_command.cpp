// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// flitscope find-schedule: a schedule for a collective on the network of a configuration, with the
// bound that says how good it is.
#include <fmt/format.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/node_finder.h"
#include "models/base/printable.h"
#include "models/topology/families/topology_keys.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/report/report.h"
#include "testbench/app/schedule_synthesis/synthesis_run.h"
#include "traffic/schedules/synthesis/synthesizer.h"
#include "traffic/schedules/synthesis/task/collective.h"

namespace flitscope::cli {
namespace {

struct FindScheduleOptions : Options {
    std::string collective;
    std::string method = "auto";
    std::uint32_t chunks = 0;                    // chunks of a block; 0: chosen
    std::optional<std::uint64_t> message_bytes;  // size of a block; the configuration's otherwise
    std::optional<std::string> root;             // none: node 0
    double seconds = 0;                          // for the search; 0: a few attempts
    std::string output;
};

NodeId root_of(const Config& config, const FindScheduleOptions& options) {
    if (!options.root) return 0;
    const std::string& text = *options.root;
    if (!has_root(synthesis::collective_named(options.collective).value())) {
        throw ConfigError({"--root " + text, 0, 0}, options.collective + " has no root",
                          "leave --root out");
    }
    const bool is_number = to_node_number(text).has_value();
    const std::vector<std::string> names =
        is_number ? std::vector<std::string>() : given_node_names(config);
    const NodeFinder finder(names);
    if (const std::optional<NodeId> node = finder.find(text)) return *node;
    throw ConfigError({"--root", 0, 0}, fmt::format("'{}' is not a node", excerpt(text)),
                      finder.has_names() ? finder.remedy(text) : "write its number");
}

int find_schedule_command(const FindScheduleOptions& options) {
    const Config config = load_clocked_config(options);
    ProgressLine progress(shows_progress(options));
    SynthesisOptions asked;
    asked.on_found = watch_for_interrupts;  // until then there is nothing to put in order
    // The command line takes no other names.
    asked.request.collective = synthesis::collective_named(options.collective).value();
    asked.request.method = synthesis::method_named(options.method).value();
    asked.request.chunks = options.chunks;
    asked.request.bytes = options.message_bytes.value_or(config.traffic.message_bytes);
    asked.request.root = root_of(config, options);
    asked.request.seed = config.seed;
    asked.places = {
        {"--collective", 0, 0}, {"--root", 0, 0}, {"--method", 0, 0}, {"--chunks", 0, 0}};
    asked.seconds = options.seconds;
    asked.file = options.output;
    asked.engine = options.engine;
    asked.simulation.keep_modules = true;  // this process runs once
    asked.simulation.on_progress = show_until_interrupted(progress);
    const SynthesisRun found = run_synthesis(config, asked);
    progress.clear();
    if (!found.findings.empty()) {
        std::cerr << "error: the schedule that was found is not complete; nothing was written\n";
        for (const std::string& finding : found.findings) std::cerr << "  " << finding << '\n';
        return kExitFailed;
    }
    tell(options, found_schedule_json, print_found_schedule, found);
    if (found.breaks_bound()) {
        std::cout.flush();
        std::cerr << fmt::format("error: {} cycles are below the bound, {}\n", found.run.cycles,
                                 found.bound.cycles);
        return kExitFailed;
    }
    return judge(found.run, true);
}

/// The names of a table, and the description of each entry.
template <class Entries>
std::vector<std::string> names_in(const Entries& entries) {
    std::vector<std::string> names;
    for (const auto& entry : entries) names.emplace_back(entry.name);
    return names;
}
template <class Entries>
std::string summaries_in(const Entries& entries) {
    std::string text;
    for (const auto& entry : entries) text += fmt::format("\n{}: {}", entry.name, entry.summary);
    return text;
}

}  // namespace

Command add_find_schedule(CLI::App& app) {
    const auto given = std::make_shared<FindScheduleOptions>();
    FindScheduleOptions& options = *given;
    CLI::App* const command =
        app.add_subcommand("find-schedule",
                           "Find a schedule for a collective, prove it, simulate it, and report "
                           "its gap to\nthe lower bound on all schedules");
    command->alias("synthesize");  // its name before 0.2
    add_config(*command, options);
    add_engine(*command, options);
    command
        ->add_option("--collective", options.collective,
                     "Which one" + summaries_in(synthesis::collective_names()))
        ->required()
        ->check(CLI::IsMember(names_in(synthesis::collective_names())))
        ->type_name("COLLECTIVE");
    command
        ->add_option("--chunks", options.chunks,
                     "Split every block into N chunks, which are routed separately (default:\nthe "
                     "number that promises the least time)")
        ->check(CLI::Range(1U, 65536U))
        ->type_name("N");
    command
        ->add_option("--message-bytes", options.message_bytes,
                     "Payload of a block, for all_reduce of the vector (default: that of "
                     "the\nconfiguration)")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 32))
        ->type_name("B");
    command
        ->add_option("--root", options.root, "Source of a broadcast or scatter (default: node 0)")
        ->type_name("NODE");
    command
        ->add_option("--method", options.method,
                     "Search method" + summaries_in(synthesis::method_names()))
        ->check(CLI::IsMember(names_in(synthesis::method_names())))
        ->type_name("METHOD")
        ->capture_default_str();
    command
        ->add_option("--time", options.seconds,
                     "Search for S seconds, at least until there is a schedule, or until it "
                     "is\nproved optimal (default: a few attempts, always the same)")
        ->check(number_within(0.0, 1e6))
        ->type_name("S");
    command
        ->add_option("-o,--output", options.output,
                     "Write the schedule, a program file for traffic.program")
        ->required()
        ->type_name("FILE.csv|FILE.yaml");
    add_json(*command, options, "the summary");
    add_progress(*command, options);
    command->footer(
        "The traffic of the configuration is ignored. With node.port_model independent, nodes "
        "forward\nchunks to their neighbours, over all links at a time; with single, exchanges use "
        "the routes\nof the fabric (traffic/schedules/synthesis). traffic.schedule: synthesized "
        "does the same within\na run or a study.");
    return make_command(command, given, find_schedule_command);
}

}  // namespace flitscope::cli
