// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// From the traffic section of a configuration to a program.
#include "traffic/schedules/schedule_factory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "traffic/program/channel_rules.h"
#include "traffic/program/handshake.h"
#include "traffic/program/program_file.h"
#include "traffic/schedules/schedule_catalogue.h"

namespace flitscope {
namespace {

std::string choice_hint(const std::string& word, const std::vector<std::string>& names) {
    const std::string near = nearest(word, names);
    return (near.empty() ? std::string() : fmt::format("did you mean '{}'? ", near)) +
           fmt::format("one of: {}", fmt::join(names, ", "));
}

ScheduleRequest request_of(const Config& config, const Graph& graph) {
    const TrafficConfig& traffic = config.traffic;
    const ScheduleKind* schedule = find_schedule_kind(traffic.schedule);
    if (schedule == nullptr) {
        throw ConfigError(config.where("traffic.schedule"),
                          fmt::format("unknown schedule '{}'", traffic.schedule),
                          choice_hint(traffic.schedule, schedule_names()));
    }
    const AlgorithmKind* kind = find_algorithm_kind(traffic.schedule, traffic.algorithm);
    if (kind == nullptr) {
        throw ConfigError(
            config.where("traffic.algorithm"),
            fmt::format("schedule {} has no algorithm '{}'", traffic.schedule, traffic.algorithm),
            schedule->has_variants()
                ? choice_hint(traffic.algorithm, algorithms_of(traffic.schedule))
                : "leave algorithm out: this schedule has no variants");
    }
    return {config, graph, *schedule, *kind};
}

void set_barrier(Program& program, const Config& config) {
    if (!config.traffic.barrier) return;
    if (program.ordering == Ordering::kTimed) {
        throw ConfigError(config.where("traffic.barrier"),
                          "a timed program has no steps to put barriers between",
                          "remove the barrier, or give the messages steps");
    }
    const BarrierCost cost{config.traffic.barrier->per_doubling, config.traffic.barrier->fixed};
    program.barrier_cycles = cost.cycles(program.nodes);
}

/// Refuses what the packet format cannot number and what 64-bit counters could not add up.
void check_sizes(const Program& program, const Config& config) {
    const PacketFormat format = config.packet_format();
    const Location place =
        config.where(config.traffic.program.empty() ? "traffic.message_bytes" : "traffic.program");
    double flits = 0;
    for (const Transfer& t : program.transfers) {
        const auto bytes = static_cast<double>(t.bytes);
        const double packets =
            format.packet_bytes == 0 ? 1 : bytes / static_cast<double>(format.packet_bytes) + 1;
        if (packets >= 4294967295.0) {
            throw ConfigError(place,
                              fmt::format("a message of {} bytes would be cut into more than 2^32 "
                                          "packets",
                                          t.bytes),
                              "raise node.packet_bytes or send less");
        }
        flits += packets * (format.header_flits + 1.0) + 8 * bytes / format.flit_bits;
    }
    if (flits > 1e18) {
        throw ConfigError(place, fmt::format("the program would send {:.2g} flits", flits),
                          "at most 1e18");
    }
}

}  // namespace

Program build_schedule(const Config& config, const Graph& graph) {
    const ScheduleRequest request = request_of(config, graph);
    const std::uint64_t bytes = config.traffic.message_bytes;
    std::vector<Diagnostic> findings;
    for (const Requirement& requirement : request.algorithm.requirements) {
        if (auto finding = requirement(request)) findings.push_back(*std::move(finding));
    }
    if (bytes > kMaxBlockBytes) {
        findings.push_back({config.where("traffic.message_bytes"),
                            fmt::format("message_bytes {} is too large", bytes),
                            fmt::format("at most {}", kMaxBlockBytes)});
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    Program program = request.algorithm.build(graph, config);
    set_barrier(program, config);
    return program;
}

Program build_program(const Config& config, const Graph& graph) {
    const TrafficConfig& traffic = config.traffic;
    Program program;
    if (!traffic.schedule.empty()) {
        program = build_schedule(config, graph);
        const auto place = [&](MessageId) { return config.where("traffic.schedule"); };
        std::vector<Diagnostic> findings = check_channels(program, config, graph, place);
        if (!findings.empty()) throw ConfigError(std::move(findings));
    } else if (!traffic.program.empty()) {
        program = read_program(traffic.program, graph.node_count(), config.where("traffic.program"),
                               [&](const Program& read, const auto& locate) {
                                   return check_channels(read, config, graph, locate);
                               });
        set_barrier(program, config);
    } else {
        throw ConfigError(config.where("traffic"), "there is no program: traffic is a pattern",
                          "set traffic.schedule or traffic.program");
    }
    if (traffic.handshake) program = with_handshakes(program);
    check_sizes(program, config);
    return program;
}

}  // namespace flitscope
