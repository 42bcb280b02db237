// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The critical path, and slack, as tables.
#include <fmt/format.h>

#include <ostream>
#include <string>

#include "models/topology/channel_map.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/explain/slack.h"
#include "testbench/app/report/report.h"
#include "traffic/program/operations.h"

namespace flitscope {
namespace {

const char* kind_name(Operation::Kind kind) {
    switch (kind) {
        case Operation::Kind::kSend:
            return "send";
        case Operation::Kind::kReceive:
            return "receive";
        case Operation::Kind::kCompute:
            break;
    }
    return "compute";
}

/// The columns `rank` and `line` of an operation.
std::string rank_columns(const Operations& operations, OperationId id) {
    if (id == kNoOperation) return ",";
    const std::uint32_t rank = operations.rank(operations.node_of(id));
    const std::uint32_t line = operations.line(id);
    return fmt::format("{},{}", rank == kNoRank ? "" : std::to_string(rank),
                       line == 0 ? "" : std::to_string(line));
}

void write_operation_slack_csv(std::ostream& out, const Program& program, const Slack& slack) {
    const Operations& operations = *program.operations;
    operations.visit_nodes([&](NodeId node) {
        for (OperationId id = operations.first(node); id < operations.last(node); ++id) {
            const OperationSlack& one = slack.operations[id];
            const MessageId message = operations[id].message;
            out << fmt::format("{},{},{},{},{},{},{},{}\n", rank_columns(operations, id), node,
                               kind_name(operations[id].kind), operations[id].stream,
                               message == kNoMessage ? "" : std::to_string(program.number(message)),
                               one.begin, one.end, one.slack);
        }
    });
}

}  // namespace

void write_slack_csv(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    const bool has_operations = machine.program->operations != nullptr;
    out << (has_operations ? "rank,line,node,operation,stream,message" : "node,step,message")
        << ",begin,end,slack\n";
    if (!explanation.slack) return;
    if (has_operations) {
        write_operation_slack_csv(out, *machine.program, *explanation.slack);
        return;
    }
    for (const NodeSlack& part : explanation.slack->nodes) {
        const std::string message =
            part.message == kNoMessage ? "" : std::to_string(machine.program->number(part.message));
        out << fmt::format("{},{},{},{},{},{}\n", part.node, part.step + 1, message, part.begin,
                           part.end, part.slack);
    }
}

void write_path_csv(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    const Operations* const operations = machine.program->operations.get();
    out << fmt::format("from,to,cause,channel,{},step,message,source,destination,holder{}\n",
                       machine.graph.places().router_word(),
                       operations == nullptr ? "" : ",rank,line");
    for (const PathSegment& s : explanation.path.segments) {
        const auto number = [&](MessageId id) {
            return id == kNoMessage ? "" : std::to_string(machine.program->number(id));
        };
        out << fmt::format(
            "{},{},{},{},", s.from, s.to, cause_name(s.cause),
            s.channel == kNoChannel ? "" : ChannelMap(machine.graph).name(s.channel));
        const std::string router = is_everywhere(s) ? "" : fmt::format("{}", router_of(machine, s));
        if (s.message == kNoMessage) {
            out << router << ",,,,,";
        } else {
            const Transfer& t = machine.program->transfers[s.message];
            const std::string step = operations != nullptr
                                         ? ""
                                         : std::to_string(step_of(*machine.program, s.message) + 1);
            out << fmt::format("{},{},{},{},{},{}", router, step, number(s.message), t.source,
                               t.destination, number(s.holder));
        }
        if (operations != nullptr) out << ',' << rank_columns(*operations, s.operation);
        out << '\n';
    }
}

}  // namespace flitscope
