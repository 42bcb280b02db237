// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/trace_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "models/base/gzip.h"
#include "models/base/input_file.h"
#include "models/base/spool.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "traffic/program/channel_rules.h"
#include "traffic/program/program_file.h"
#include "traffic/program/program_limits.h"
#include "traffic/traces/chakra.h"
#include "traffic/traces/goal_binary.h"
#include "traffic/traces/goal_text.h"
#include "traffic/traces/lowering.h"
#include "traffic/traces/placement.h"
#include "traffic/traces/rendezvous.h"

namespace flitscope {
namespace {

/// Hands on what it takes, and drops the pages of the file that it was made of.
class ForgetfulSink final : public TraceSink {
public:
    ForgetfulSink(TraceSink& sink, const Spool& file) : sink_(sink), reading_(file) {}

    void begin(RankId ranks) override { sink_.begin(ranks); }
    bool take(RankId rank, RankTrace trace) override {
        reading_.read(trace.operations.size());
        return sink_.take(rank, std::move(trace));
    }

private:
    TraceSink& sink_;
    ForgetfulReading<Spool> reading_;
};

/// A trace of operations, which can be read more than once (a pipe cannot).
class TraceFile {
public:
    TraceFile(const ApplicationTraceConfig& settings, const Location& named_at)
        : name_(settings.file), settings_(settings), named_at_(named_at) {
        if (settings.format == TraceFormat::kCsv) {
            throw ConfigError(named_at, "a trace in CSV has messages with times, no operations",
                              "it is a program file, too: traffic.program plays it");
        }
        if (settings.format == TraceFormat::kGoal) {
            if (is_chakra(name_)) {
                throw ConfigError({name_, 0, 0}, "this is a trace of Chakra, not of GOAL",
                                  "name PREFIX of PREFIX.0.et, with traffic.trace.format: chakra "
                                  "(of import --format chakra)");
            }
            goal_ = spool_input_file(name_, "trace", kMostTraceFileBytes, named_at);
            if (is_gzip(goal_.text())) goal_ = gunzip(goal_.text(), name_, kMostTraceFileBytes);
        }
    }

    void read(TraceSink& sink) const {
        if (settings_.format == TraceFormat::kChakra) {
            read_chakra(name_, named_at_, sink, settings_);
            return;
        }
        ForgetfulSink forgetful(sink, goal_);
        if (is_goal_binary(goal_.text())) {
            read_goal_binary(goal_.text(), name_, forgetful, settings_);
        } else {
            read_goal_text(goal_.text(), name_, forgetful, settings_);
        }
    }

    /// All of it, checked.
    Trace whole() const {
        WholeTrace whole(name_);
        read(whole);
        check_trace(whole.trace);
        return std::move(whole.trace);
    }

private:
    const std::string& name_;
    const ApplicationTraceConfig& settings_;
    const Location& named_at_;
    Spool goal_;
};

/// Makes a program of a trace read rank by rank, unless there is an irregularity.
class StreamedProgram final : public TraceSink {
public:
    StreamedProgram(const WorkloadConfig& config, const Graph& graph)
        : config_(config), graph_(graph) {
        const ApplicationTraceConfig& settings = config.traffic.trace;
        if (settings.eager_bytes) {
            rendezvous_.emplace(settings.file, *settings.eager_bytes, settings.acknowledges);
        }
    }

    void begin(RankId ranks) override {
        balance_.begin(ranks);
        const NodeId nodes = graph_.node_count();
        lowering_.emplace(config_.traffic.trace.file, config_, nodes,
                          place_ranks(config_, ranks, graph_, {}));
    }
    bool take(RankId rank, RankTrace trace) override {
        if (rendezvous_) rendezvous_->rewrite(trace);
        notes_.add(trace.notes);
        is_odd_ = !trace.collectives.empty() || !balance_.add(rank, trace);
        if (!is_odd_) lowering_->add(rank, trace);
        return !is_odd_;
    }
    /// None if the whole trace has to be examined. Throws ConfigError.
    std::optional<Program> take_program() {
        if (is_odd_ || !balance_.is_even()) return std::nullopt;
        if (rendezvous_) rendezvous_->throw_if_any();
        Program program = lowering_->take();
        program.notes = notes_.sentences();
        return program;
    }

private:
    const WorkloadConfig& config_;
    const Graph& graph_;
    std::optional<Rendezvous> rendezvous_;
    std::optional<TraceLowering> lowering_;
    TraceBalance balance_;
    TraceNotes notes_;
    bool is_odd_ = false;
};

/// A key that is given and says how operations are played; empty: none is.
std::string key_of_operations(const ApplicationTraceConfig& trace) {
    if (trace.eager_bytes) return "eager_bytes";
    if (trace.receives_transfer) return "receive_time";
    return trace.sends_block ? "send_completes" : "";
}

/// Messages with times, by rank.
Program timed_messages(const WorkloadConfig& config, const Graph& graph, const Location& named_at) {
    const NodeId nodes = graph.node_count();
    const ApplicationTraceConfig& trace = config.traffic.trace;
    const std::string& file = trace.file;
    if (const std::string key = key_of_operations(trace); !key.empty()) {
        throw ConfigError(config.where("traffic.trace." + key),
                          "a trace in CSV says when messages are sent, not who waits for them",
                          fmt::format("leave {} out", key));
    }
    const auto check = [&](const Program& read, const auto& locate) {
        if (read.ordering != Ordering::kTimed) {
            return std::vector<Diagnostic>{{{file, 0, 0},
                                            "a trace has messages with times",
                                            "give a column time, time_ns, ...; traffic.program "
                                            "plays files with steps"}};
        }
        std::vector<Diagnostic> all = check_fabric_classes(read, config, locate);
        for (Diagnostic& d : check_limits(read, config, locate)) all.push_back(std::move(d));
        return all;
    };
    Program program = read_program(file, nodes, named_at, check, {config.clock_ns, false});
    RankId ranks = 0;
    for (const Transfer& t : program.transfers) {
        ranks = std::max({ranks, t.source + 1, t.destination + 1});
    }
    const auto volumes = [&] {
        RankVolumes all;
        for (const Transfer& t : program.transfers) all.add(t.source, t.destination, t.bytes);
        return all;
    };
    const std::vector<NodeId> node_of = place_ranks(config, ranks, graph, volumes);
    program.transfers.change_all([&](Transfer& t) {
        t.source = node_of[t.source];
        t.destination = node_of[t.destination];
    });
    const auto is_of_class = [](const Transfer& t) { return t.message_class != 0; };
    if (!config.traffic.classes.empty() &&
        std::any_of(program.transfers.begin(), program.transfers.end(), is_of_class)) {
        throw ConfigError(config.where("traffic.classes"),
                          "the messages of this trace name their classes themselves",
                          "leave traffic.classes out, or the column `class`");
    }
    // Ports, which the file may name, are those of nodes.
    const auto uses_ports = [](const Transfer& t) { return t.port != 0 || t.streams || t.is_copy; };
    if (std::any_of(program.transfers.begin(), program.transfers.end(), uses_ports)) {
        throw ConfigError({file, 0, 0}, "a trace names no ports, copies or streams of nodes",
                          "traffic.program plays files that do");
    }
    return program;
}

}  // namespace

Trace read_trace(const ApplicationTraceConfig& settings, const Location& named_at) {
    return TraceFile(settings, named_at).whole();
}

std::vector<std::string> trace_files(const WorkloadConfig& config) {
    const ApplicationTraceConfig& settings = config.traffic.trace;
    if (settings.file.empty()) return {};
    std::vector<std::string> files = {settings.file};
    if (settings.format == TraceFormat::kChakra) files = chakra_files(settings.file);
    if (!settings.placement_file.empty()) files.push_back(settings.placement_file);
    return files;
}

Program application_program(const WorkloadConfig& config, const Graph& graph,
                            const ScheduleOfCollective& schedule) {
    const NodeId nodes = graph.node_count();
    const ApplicationTraceConfig& settings = config.traffic.trace;
    const Location named_at = config.where("traffic.trace.file");
    if (settings.format == TraceFormat::kCsv) return timed_messages(config, graph, named_at);
    const TraceFile file(settings, named_at);
    if (settings.placement != RankPlacement::kVolume) {
        StreamedProgram streamed(config, graph);
        file.read(streamed);
        if (std::optional<Program> program = streamed.take_program()) return *std::move(program);
    }
    Trace trace = file.whole();
    const auto ranks = static_cast<RankId>(trace.ranks.size());
    const std::vector<NodeId> node_of =
        place_ranks(config, ranks, graph, [&] { return volumes_of(trace); });
    expand_collectives(trace, node_of, nodes, schedule);
    if (settings.eager_bytes) {
        make_rendezvous(trace, *settings.eager_bytes, settings.acknowledges);
    }
    return trace_program(trace, config, nodes, node_of);
}

Program trace_program(const Trace& trace, const WorkloadConfig& config, NodeId nodes) {
    const auto ranks = static_cast<RankId>(trace.ranks.size());
    return trace_program(trace, config, nodes, place_ranks(config, ranks, nodes));
}

Program trace_program(const Trace& trace, const WorkloadConfig& config, NodeId nodes,
                      const std::vector<NodeId>& node_of) {
    TraceLowering lowering(trace.source, config, nodes, node_of);
    for (RankId rank = 0; rank < trace.ranks.size(); ++rank) lowering.add(rank, trace.ranks[rank]);
    Program program = lowering.take();
    program.notes = trace.remarks();
    return program;
}

}  // namespace flitscope
