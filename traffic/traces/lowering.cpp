// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/lowering.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "models/config/workload_config.h"
#include "traffic/program/program_limits.h"
#include "traffic/program/waiting_cycle.h"

namespace flitscope {
namespace {

/// Receives that begin with the first flit of their message would take one whose rest is lost, or
/// comes again.
void refuse_losses(const WorkloadConfig& config) {
    const bool changes = config.faults && config.faults->at != 0;
    if (!changes && !config.node.retransmit) return;
    const std::string key = changes ? "faults.at" : "node.retransmit";
    throw ConfigError(
        config.where(key),
        "receives that begin with the first flit of their message "
        "(traffic.trace.receive_time: transfer) must get the rest of it, once",
        fmt::format("set traffic.trace.receive_time: overhead, or leave {} out", key));
}

}  // namespace

TraceLowering::TraceLowering(const std::string& source, const WorkloadConfig& config, NodeId nodes,
                             std::vector<NodeId> node_of, std::uint64_t most_operations)
    : config_(config),
      findings_(source, MoreFindings::kStop),
      node_of_(std::move(node_of)),
      most_operations_(most_operations),
      operations_(std::make_shared<Operations>(nodes)) {
    if (config.node.has_channels_per_link()) {
        throw ConfigError(config.where("node.port_model"),
                          "the operations of a trace are for nodes with one channel",
                          "set node.port_model: single");
    }
    if (config.traffic.trace.receives_transfer) refuse_losses(config);
    program_.name = source;
    program_.nodes = nodes;
    program_.ordering = Ordering::kOperations;
    program_.names_planes = config.traffic.trace.interfaces == TraceInterfaces::kPlanes;
    operations_->completion =
        config.traffic.trace.sends_block ? SendCompletion::kInjected : SendCompletion::kBuffered;
    operations_->receive_time =
        config.traffic.trace.receives_transfer ? ReceiveTime::kTransfer : ReceiveTime::kOverhead;
    // Those without a block in the file are ranks, too.
    for (RankId rank = 0; rank < node_of_.size(); ++rank) {
        operations_->add(node_of_[rank], {{}, {}, {}, rank});
    }
}

void TraceLowering::add(RankId rank, const RankTrace& trace) {
    const std::uint64_t room = most_operations_ - operations_->size();
    if (trace.operations.size() > room) {
        throw ConfigError({program_.name, trace.operations[room].line, 0},
                          "there are too many operations",
                          fmt::format("at most {}", most_operations_));
    }
    OperationList list;
    list.rank = rank;
    list.all.reserve(trace.operations.size());
    list.lines.reserve(trace.operations.size());
    list.dependencies = trace.dependencies;
    Cycle sum = 0;
    for (const TraceOperation& of : trace.operations) {
        list.all.push_back(lowered(node_of_[rank], of));
        list.lines.push_back(of.line);
        if (of.kind == Operation::Kind::kCompute) sum += list.all.back().cycles;
        if (sum <= kLongTime) continue;
        findings_.add(of.line, 0,
                      fmt::format("rank {} computes for more than {} cycles of {} ns", rank,
                                  kLongTime, config_.clock_ns),
                      "set a larger clock_ns, or take a shorter trace");
        return;
    }
    operations_->add(node_of_[rank], list);
}

Operation TraceLowering::lowered(NodeId node, const TraceOperation& of) {
    Operation operation;
    operation.kind = of.kind;
    operation.stream = of.stream;
    operation.tag = of.tag;
    switch (of.kind) {
        case Operation::Kind::kCompute:
            operation.cycles = cycles(of);
            break;
        case Operation::Kind::kSend:
            operation.message = static_cast<MessageId>(program_.transfers.size());
            if (operation.message == kMaxTransfers) {
                throw ConfigError(
                    {program_.name, of.line, 0},
                    fmt::format("the trace sends more than {} messages", kMaxTransfers), "");
            }
            program_.send(node, node_of_[of.peer], of.amount, 0);
            put_on_plane(of);
            break;
        case Operation::Kind::kReceive:
            operation.source = of.peer == kAnySource ? kAnySource : node_of_[of.peer];
            break;
    }
    return operation;
}

/// The message added last.
void TraceLowering::put_on_plane(const TraceOperation& send) {
    if (!program_.names_planes) return;
    const std::uint32_t planes = config_.fabric.planes;
    if (send.interface >= planes) {
        findings_.add(
            send.line, 0,
            fmt::format(
                "network interface {} of a rank, and there {}", send.interface,
                planes == 1 ? std::string("is one plane") : fmt::format("are {} planes", planes)),
            send.interface < kMostPlanes
                ? fmt::format("set fabric.planes: {}, or traffic.trace.interfaces: shared",
                              send.interface + 1)
                : "set traffic.trace.interfaces: shared");
        return;
    }
    program_.transfers.change(static_cast<MessageId>(program_.transfers.size() - 1),
                              [&](Transfer& message) { message.plane = send.interface; });
}

/// To the nearest; beyond kLongTime just more than that.
Cycle TraceLowering::cycles(const TraceOperation& computation) const {
    const double exact = static_cast<double>(computation.amount) *
                         config_.traffic.trace.compute_scale / config_.clock_ns;
    if (exact > static_cast<double>(kLongTime)) return kLongTime + 1;
    return static_cast<Cycle>(std::llround(exact));
}

/// The place of a message's send. Only for findings, which are few.
Location TraceLowering::where(MessageId id) const {
    const NodeId node = program_.transfers.source(id);
    for (OperationId at = operations_->first(node); at < operations_->last(node); ++at) {
        const Operation& operation = (*operations_)[at];
        if (operation.kind == Operation::Kind::kSend && operation.message == id) {
            return {program_.name, operations_->line(at), 0};
        }
    }
    return {program_.name, 0, 0};
}

Program TraceLowering::take() {
    findings_.throw_if_any();
    operations_->close();
    program_.operations = operations_;
    std::vector<Diagnostic> findings = validate(program_);
    if (findings.empty()) {
        findings = check_limits(program_, config_, [this](MessageId id) { return where(id); });
    }
    if (findings.empty()) {
        if (auto cycle = find_waiting_cycle(*operations_, program_.transfers, program_.name)) {
            findings.push_back(*std::move(cycle));
        }
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    return std::move(program_);
}

}  // namespace flitscope
