// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/schedule_synthesis/synthesis_run.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/output_file.h"
#include "models/base/stopwatch.h"
#include "models/performance/link_load.h"
#include "models/performance/wire_budget.h"
#include "models/performance/zero_load_paths.h"
#include "models/routing/routing_factory.h"
#include "testbench/app/run/fresh_kernel.h"
#include "traffic/program/program_file.h"
#include "traffic/program/program_report.h"
#include "traffic/schedules/exchange/exchange_schedules.h"
#include "traffic/schedules/schedule_catalogue.h"
#include "traffic/schedules/synthesis/synthesized_schedules.h"

namespace flitscope {
namespace {

using namespace synthesis;

/// The users' names of collectives in the catalogue of schedules.
struct ScheduleCollective {
    const char* schedule;
    Collective collective;
};
constexpr std::array<ScheduleCollective, 6> kSchedules = {{
    {"broadcast", Collective::kBroadcast},
    {"scatter", Collective::kScatter},
    {"allgather", Collective::kAllGather},
    {"allreduce", Collective::kAllReduce},
    {"reduce-scatter", Collective::kReduceScatter},
    {"relayed-exchange", Collective::kAllToAll},
}};

std::optional<Collective> collective_of_schedule(const TrafficConfig& traffic) {
    if (traffic.schedule == synthesized_schedule().name) {
        return traffic.algorithm.empty() ? collective_names().front().collective
                                         : collective_named(traffic.algorithm);
    }
    for (const ScheduleCollective& known : kSchedules) {
        if (traffic.schedule == known.schedule) return known.collective;
    }
    return std::nullopt;
}

/// Throws ConfigError if the schedule could not be written, or not be read again.
void require_place(const std::string& file) {
    const Location where{"-o " + file, 0, 0};
    program_format(file, where);
    require_writable(file, where);
    const std::filesystem::file_status status = std::filesystem::status(file);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        throw ConfigError(where, "is not a regular file",
                          "the schedule is simulated as it is read again: name a file");
    }
}

/// The schedules of the catalogue that are the collective.
std::vector<std::string> schedules_for(Collective collective) {
    std::vector<std::string> schedules;
    for (const ScheduleCollective& known : kSchedules) {
        if (known.collective == collective) schedules.emplace_back(known.schedule);
    }
    if (collective != Collective::kAllToAll) return schedules;
    for (const ScheduleKind& exchange : exchange_schedules()) schedules.push_back(exchange.name);
    return schedules;
}

/// Whether all exchanges of the catalogue are simulated in some seconds: by the flits of one of
/// them, and the channels that they go through.
bool is_short(const Task& task, const Machine& network) {
    constexpr std::uint64_t kMost = 4'000'000;
    const std::uint64_t flits = network.config.packet_format().message_flits(task.bytes);
    ZeroLoadPaths paths(network.config, network.graph, *network.routing);
    if (task.blocks() * flits > kMost) return false;
    std::uint64_t channels = 0;
    for (const NodeId from : task.members) {
        for (const NodeId to : task.members) {
            if (from != to) channels += 2 + paths.path(from, to).links;
        }
    }
    return channels * flits <= kMost;
}

/// The network of `config`, which has no traffic, with a schedule of the catalogue for `task`.
/// Throws ConfigError if it does not support that.
Machine machine_of_catalogue(const Task& task, Config config, const std::string& schedule,
                             const std::string& algorithm) {
    config.traffic.schedule = schedule;
    config.traffic.algorithm = algorithm;
    config.traffic.message_bytes = task.bytes;
    config.traffic.root = has_root(task.collective) ? task.root : 0;
    return build_machine(std::move(config));
}

/// Simulates what the catalogue has for `task`, each on the network of `config`.
std::optional<CatalogueRun> best_of_catalogue(const Task& task, const Config& config,
                                              const Machine& network,
                                              const SynthesisOptions& options) {
    std::optional<CatalogueRun> best;
    if (task.collective == Collective::kAllToAll && !is_short(task, network)) return best;
    SimulationOptions simulation = options.simulation;
    simulation.keep_modules = false;
    for (const std::string& schedule : schedules_for(task.collective)) {
        std::vector<std::string> algorithms = algorithms_of(schedule);
        if (algorithms.empty()) algorithms.emplace_back();
        for (const std::string& algorithm : algorithms) {
            try {
                const Machine machine = machine_of_catalogue(task, config, schedule, algorithm);
                const FreshKernel kernel;
                const SimulationResult run = simulate(machine, options.engine, simulation);
                if (run.verdict == Verdict::kInterrupted) return best;
                if (run.verdict != Verdict::kComplete) continue;
                if (!best || run.cycles < best->cycles) {
                    best = {schedule, algorithm, run.cycles};
                    // Whatever takes longer is not the quickest.
                    simulation.useful_cycles = run.cycles;
                }
            } catch (const ConfigError&) {
                continue;  // not on this network, or not with this many nodes
            }
        }
    }
    return best;
}

/// The cycles of a schedule that is not written, or not yet; nothing if it does not complete.
std::optional<Cycle> simulated_cycles(const ChunkSchedule& schedule, const Config& config,
                                      const SynthesisOptions& options) {
    Machine machine = build_machine(config);
    machine.program = std::make_shared<Program>(to_program(schedule, schedule.method));
    SimulationOptions simulation = options.simulation;
    simulation.keep_modules = false;
    const FreshKernel kernel;
    const SimulationResult run = simulate(machine, options.engine, simulation);
    if (run.verdict != Verdict::kComplete) return std::nullopt;
    return run.cycles;
}

/// No estimate, by a rehearsal at best, has been wrong by more.
constexpr double kFar = 2;

/// Simulates a schedule that was not taken, unless it is far slower.
std::optional<OtherRun> run_of_other(const FoundSchedules& found, const Config& config,
                                     const Machine& network, const SynthesisOptions& options) {
    if (!found.other) return std::nullopt;
    const auto estimated = [&](const ChunkSchedule& schedule) {
        return estimated_cycles(schedule, network.config, network.graph);
    };
    if (estimated(*found.other) > kFar * estimated(found.best)) return std::nullopt;
    const std::optional<Cycle> cycles = simulated_cycles(*found.other, config, options);
    if (!cycles) return std::nullopt;
    return OtherRun{found.other->method, *cycles};
}

/// The cycles of the found schedule if that of the catalogue is quicker and may be written in its
/// place; otherwise nothing.
std::optional<Cycle> cycles_beaten(const SynthesisRun& result, const Config& config,
                                   const Machine& network, const SynthesisOptions& options) {
    const SynthesisRequest& request = options.request;
    if (request.method != Method::kAuto || request.chunks > 1 || !result.catalogue) {
        return std::nullopt;
    }
    const Cycle known = result.catalogue->cycles;
    // A plan is no estimate.
    const double most = estimated_cycles(result.schedule, network.config, network.graph) *
                        (result.schedule.cycles != 0 ? 1 : kFar);
    if (most <= static_cast<double>(known)) return std::nullopt;
    const std::optional<Cycle> cycles = simulated_cycles(result.schedule, config, options);
    return cycles && known < *cycles ? cycles : std::nullopt;
}

/// The size of all messages except handshakes; nothing if they differ.
std::optional<std::uint64_t> block_of(const Program& program) {
    std::optional<std::uint64_t> block;
    for (MessageId id = 0; id < program.transfers.size(); ++id) {
        if (program.is_handshake(id)) continue;
        const std::uint64_t bytes = program.transfers[id].bytes;
        if (block.value_or(bytes) != bytes) return std::nullopt;
        block = bytes;
    }
    return block;
}

/// The chunks that the fullest link carries in all rounds together, or the channels of a node: how
/// good a bound on an exchange can be, at best.
std::uint64_t most_chunks(const ChunkSchedule& schedule, const Machine& network) {
    const Graph& graph = network.graph;
    LinkLoad load(graph, *network.routing);
    for (const std::vector<ChunkMove>& round : schedule.rounds) {
        for (const ChunkMove& move : round) {
            const bool has_port = move.port != kLocalPort;
            load.add(move.from, move.to, 1,
                     has_port ? graph.out_link(graph.router_of(move.from), move.port) : kNoLink);
        }
    }
    const Task& task = schedule.task;
    return std::max<std::uint64_t>(load.max(), task.chunks * (task.members.size() - 1));
}

}  // namespace

std::optional<double> SynthesisRun::gap() const {
    if (run.verdict != Verdict::kComplete) return std::nullopt;
    if (bound.cycles == 0) return 0.0;
    return static_cast<double>(run.cycles) / static_cast<double>(bound.cycles) - 1;
}

bool SynthesisRun::breaks_bound() const {
    return run.verdict == Verdict::kComplete && run.cycles < bound.cycles;
}

SynthesisRun run_synthesis(Config config, const SynthesisOptions& options) {
    config.traffic = {};
    config.steady.reset();
    const Machine network = build_machine(config);
    if (network.later != nullptr) {
        throw ConfigError(network.config.where("faults.at"),
                          "no schedules are found for a network that changes: messages would be "
                          "lost",
                          "set faults.at: 0, which finds one for what is left");
    }
    require_deadlock_freedom(network);
    SynthesisRequest request = options.request;
    if (auto finding =
            obstacle(request, network.config, network.graph, *network.routing, options.places)) {
        throw ConfigError({std::move(*finding)});
    }
    require_place(options.file);  // before the search
    SynthesisRun result;
    const Stopwatch watch;
    if (options.seconds > 0) request.goes_on = [&] { return watch.seconds() < options.seconds; };
    FoundSchedules found = find_schedules(request, network.config, network.graph, *network.routing);
    result.schedule = found.best;
    result.search_seconds = watch.seconds();
    const Task& task = result.schedule.task;
    result.findings = check_completeness(result.schedule, network.graph, *network.routing);
    if (result.findings.empty()) {
        result.findings =
            check_begins(result.schedule, network.config, network.graph, *network.routing);
    }
    if (options.on_found) options.on_found();
    if (!result.findings.empty()) return result;
    result.bound =
        bound_of(task, network.config, network.graph, most_chunks(result.schedule, network));
    result.contention =
        contention(result.schedule, network.config, network.graph, *network.routing);
    result.catalogue = best_of_catalogue(task, config, network, options);
    result.other = run_of_other(found, config, network, options);
    result.found_cycles = cycles_beaten(result, config, network, options);
    result.is_of_catalogue = result.found_cycles.has_value();
    if (result.is_of_catalogue) {
        const CatalogueRun& known = *result.catalogue;
        write_program(for_file(machine_of_catalogue(task, config, known.schedule, known.algorithm)),
                      options.file);
    } else {
        write_program(to_program(result.schedule, name_of(task.collective)), options.file);
    }
    config.traffic.program = options.file;
    result.machine.emplace(build_machine(std::move(config)));
    result.run = simulate(*result.machine, options.engine, options.simulation);
    if (!result.is_of_catalogue && result.run.verdict == Verdict::kComplete) {
        result.found_cycles = result.run.cycles;
    }
    return result;
}

Program for_file(const Machine& machine) {
    Program program = *machine.program;
    program.names_planes = machine.config.fabric.planes > 1;
    return program;
}

std::string rival_schedule(const TrafficConfig& traffic) {
    if (traffic.schedule != synthesized_schedule().name) return "";
    const std::optional<Collective> collective = collective_of_schedule(traffic);
    if (collective == Collective::kAllToAll) return "";
    for (const ScheduleCollective& known : kSchedules) {
        if (known.collective == collective) return known.schedule;
    }
    return "";
}

std::optional<Task> collective_of(const Machine& machine) {
    if (machine.program == nullptr || machine.program->transfers.empty()) return std::nullopt;
    const TrafficConfig& traffic = machine.config.traffic;
    std::optional<Collective> collective = collective_of_schedule(traffic);
    std::uint64_t bytes = traffic.message_bytes;
    if (!collective && machine.program->operations == nullptr &&
        machine.program->computation == nullptr &&
        check_complete_exchange(*machine.program).complete()) {
        const std::optional<std::uint64_t> block = block_of(*machine.program);
        if (!block) return std::nullopt;
        collective = Collective::kAllToAll;
        bytes = *block;
    }
    if (!collective) return std::nullopt;
    SynthesisRequest request;
    request.collective = *collective;
    request.chunks = 1;
    request.bytes = bytes;
    request.root = traffic.root;
    return task_of(request, machine.graph);
}

}  // namespace flitscope
