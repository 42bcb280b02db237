// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/trace_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "models/base/input_file.h"
#include "traffic/program/program_file.h"
#include "traffic/program/program_limits.h"
#include "traffic/traces/chakra.h"
#include "traffic/traces/goal_binary.h"
#include "traffic/traces/goal_text.h"
#include "traffic/traces/placement.h"

namespace flitscope {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{1} << 34;

class Lowering {
public:
    Lowering(const Trace& trace, const Config& config, NodeId nodes,
             const std::vector<NodeId>& node_of)
        : trace_(trace), config_(config), findings_(trace.source), node_of_(node_of) {
        program_.name = trace.source;
        program_.nodes = nodes;
        program_.ordering = Ordering::kOperations;
        operations_->ranks.assign(nodes, kNoRank);
        for (RankId rank = 0; rank < node_of_.size(); ++rank) {
            operations_->ranks[node_of_[rank]] = rank;
        }
        operations_->completion = config.traffic.trace.sends_block ? SendCompletion::kInjected
                                                                   : SendCompletion::kBuffered;
        const std::uint64_t count = trace.operation_count();
        operations_->all.reserve(count);
        operations_->lines.reserve(count);
        operations_->first.reserve(std::size_t{nodes} + 1);
    }

    Program lower() {
        for (NodeId node = 0; node < program_.nodes; ++node) {
            operations_->first.push_back(static_cast<OperationId>(operations_->all.size()));
            if (operations_->ranks[node] != kNoRank) add_rank(node);
        }
        operations_->first.push_back(static_cast<OperationId>(operations_->all.size()));
        findings_.throw_if_any();
        program_.operations = std::move(operations_);
        return std::move(program_);
    }

private:
    void add_rank(NodeId node) {
        const RankTrace& rank = trace_.ranks[operations_->ranks[node]];
        const OperationId first = operations_->first.back();
        Cycle sum = 0;
        for (const TraceOperation& of : rank.operations) {
            Operation operation;
            operation.kind = of.kind;
            operation.stream = of.stream;
            operation.tag = of.tag;
            switch (of.kind) {
                case Operation::Kind::kCompute:
                    operation.cycles = cycles(of);
                    sum += operation.cycles;
                    break;
                case Operation::Kind::kSend:
                    operation.message = add_message(node, of);
                    break;
                case Operation::Kind::kReceive:
                    operation.source = of.peer == kAnySource ? kAnySource : node_of_[of.peer];
                    break;
            }
            if (sum > kLongTime) {
                findings_.add(of.line, 0,
                              fmt::format("rank {} computes for more than {} cycles of {} ns",
                                          operations_->ranks[node], kLongTime, config_.clock_ns),
                              "set a larger clock_ns, or take a shorter trace");
                return;
            }
            operations_->all.push_back(operation);
            operations_->lines.push_back(of.line);
        }
        for (const OperationDependency& d : rank.dependencies) {
            operations_->dependencies.push_back({first + d.operation, first + d.on, d.on_begin});
        }
    }

    /// To the nearest; beyond kLongTime just more than that.
    Cycle cycles(const TraceOperation& computation) const {
        const double exact = static_cast<double>(computation.amount) / config_.clock_ns;
        if (exact > static_cast<double>(kLongTime)) return kLongTime + 1;
        return static_cast<Cycle>(std::llround(exact));
    }

    MessageId add_message(NodeId source, const TraceOperation& send) {
        const auto id = static_cast<MessageId>(program_.transfers.size());
        Transfer transfer;
        transfer.source = source;
        transfer.destination = node_of_[send.peer];
        transfer.bytes = send.amount;
        program_.transfers.push_back(std::move(transfer));
        return id;
    }

    const Trace& trace_;
    const Config& config_;
    TraceFindings findings_;
    const std::vector<NodeId>& node_of_;  // per rank
    std::shared_ptr<Operations> operations_ = std::make_shared<Operations>();
    Program program_;
};

/// Messages with times, by rank.
Program timed_messages(const Config& config, const Graph& graph, const Location& named_at) {
    const NodeId nodes = graph.endpoint_count();
    const std::string& file = config.traffic.trace.file;
    if (config.traffic.trace.eager_bytes) {
        throw ConfigError(config.where("traffic.trace.eager_bytes"),
                          "a trace in CSV says when messages are sent, not who waits for them",
                          "leave eager_bytes out");
    }
    const auto check = [&](const Program& read, const auto& locate) {
        if (read.ordering == Ordering::kTimed) return check_limits(read, config, locate);
        return std::vector<Diagnostic>{{{file, 0, 0},
                                        "a trace has messages with times",
                                        "give a column time, time_ns, ...; traffic.program plays "
                                        "files with steps"}};
    };
    Program program = read_program(file, nodes, named_at, check, {config.clock_ns, false});
    RankId ranks = 0;
    for (const Transfer& t : program.transfers) {
        ranks = std::max({ranks, t.source + 1, t.destination + 1});
    }
    const auto volumes = [&] {
        std::vector<RankVolume> all;
        for (const Transfer& t : program.transfers) {
            all.push_back({t.source, t.destination, t.bytes});
        }
        return all;
    };
    const std::vector<NodeId> node_of = place_ranks(config, ranks, graph, volumes);
    program.transfers.change_all([&](Transfer& t) {
        t.source = node_of[t.source];
        t.destination = node_of[t.destination];
    });
    // Ports, which the file may name, are those of nodes.
    const auto uses_ports = [](const Transfer& t) { return t.port != 0 || t.streams || t.is_copy; };
    if (std::any_of(program.transfers.begin(), program.transfers.end(), uses_ports)) {
        throw ConfigError({file, 0, 0}, "a trace names no ports, copies or streams of nodes",
                          "traffic.program plays files that do");
    }
    return program;
}

}  // namespace

Trace read_trace(const std::string& file, TraceFormat format, const Location& named_at) {
    Trace trace;
    switch (format) {
        case TraceFormat::kGoal: {
            const std::string text = read_input_file(file, "trace", kMostFileBytes, named_at);
            trace =
                is_goal_binary(text) ? parse_goal_binary(text, file) : parse_goal_text(text, file);
            break;
        }
        case TraceFormat::kChakra:
            trace = read_chakra(file, named_at);
            break;
        case TraceFormat::kCsv:
            throw ConfigError(named_at, "a trace in CSV has messages with times, no operations",
                              "it is a program file, too: traffic.program plays it");
    }
    check_trace(trace);
    return trace;
}

std::vector<std::string> trace_files(const Config& config) {
    const ApplicationTraceConfig& settings = config.traffic.trace;
    if (settings.file.empty()) return {};
    std::vector<std::string> files = {settings.file};
    if (settings.format == TraceFormat::kChakra) files = chakra_files(settings.file);
    if (!settings.placement_file.empty()) files.push_back(settings.placement_file);
    return files;
}

Program application_program(const Config& config, const Graph& graph,
                            const ScheduleOfCollective& schedule) {
    const NodeId nodes = graph.endpoint_count();
    const ApplicationTraceConfig& settings = config.traffic.trace;
    const Location named_at = config.where("traffic.trace.file");
    if (settings.format == TraceFormat::kCsv) return timed_messages(config, graph, named_at);
    Trace trace = read_trace(settings.file, settings.format, named_at);
    const auto ranks = static_cast<RankId>(trace.ranks.size());
    const std::vector<NodeId> node_of =
        place_ranks(config, ranks, graph, [&] { return volumes_of(trace); });
    expand_collectives(trace, node_of, nodes, schedule);
    if (settings.eager_bytes) {
        make_rendezvous(trace, *settings.eager_bytes);
        check_trace(trace);  // both ends of a message are of one kind
    }
    return trace_program(trace, config, nodes, node_of);
}

Program trace_program(const Trace& trace, const Config& config, NodeId nodes) {
    const auto ranks = static_cast<RankId>(trace.ranks.size());
    return trace_program(trace, config, nodes, place_ranks(config, ranks, nodes));
}

Program trace_program(const Trace& trace, const Config& config, NodeId nodes,
                      const std::vector<NodeId>& node_of) {
    if (config.node.has_channels_per_link()) {
        throw ConfigError(config.where("node.port_model"),
                          "the operations of a trace are for nodes with one channel",
                          "set node.port_model: single");
    }
    Program program = Lowering(trace, config, nodes, node_of).lower();
    if (program.transfers.size() > kMaxTransfers) {
        throw ConfigError({trace.source, 0, 0},
                          fmt::format("the trace sends {} messages", program.transfers.size()),
                          fmt::format("at most {}", kMaxTransfers));
    }
    std::vector<Diagnostic> findings = validate(program);
    if (!findings.empty()) throw ConfigError(std::move(findings));
    const Operations& operations = *program.operations;
    std::vector<std::uint32_t> lines(program.transfers.size());
    for (OperationId id = 0; id < operations.all.size(); ++id) {
        const Operation& operation = operations.all[id];
        if (operation.kind == Operation::Kind::kSend) {
            lines[operation.message] = operations.lines[id];
        }
    }
    findings = check_limits(program, config, [&](MessageId id) {
        return Location{trace.source, lines[id], 0};
    });
    if (!findings.empty()) throw ConfigError(std::move(findings));
    return program;
}

}  // namespace flitscope
