// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Traces from texts, and their results as texts, which tests compare.
#pragma once

#include <fmt/format.h>

#include <string>

#include "models/base/diagnostics.h"
#include "traffic/program/operations.h"
#include "traffic/program/program.h"
#include "traffic/traces/goal_text.h"
#include "traffic/traces/trace.h"

namespace flitscope {

inline Trace goal(const std::string& text) { return parse_goal_text(text, "t.goal"); }

/// The findings of a text that is refused, a line each.
template <class Read>
std::string refusal(Read read) {
    try {
        read();
    } catch (const ConfigError& error) {
        std::string all;
        for (const Diagnostic& finding : error.findings()) all += finding.str() + '\n';
        return all;
    }
    return "not refused";
}

/// The operations of a program's nodes, without the numbers of messages and tags, which ranks get
/// as they come.
inline std::string text_of(const Program& program) {
    std::string text;
    const Operations& all = *program.operations;
    for (NodeId node = 0; node < all.nodes(); ++node) {
        const OperationId first = all.first(node);
        text += all.name_of(node) + '\n';
        for (OperationId id = first; id < all.last(node); ++id) {
            const Operation& of = all[id];
            text += fmt::format("{} cycles, from {}, stream {}, after {}", of.cycles, of.source,
                                of.stream, all.waits(id));
            if (of.kind == Operation::Kind::kSend) {
                const Transfer sent = program.transfers[of.message];
                text += fmt::format(", {} bytes to {}", sent.bytes, sent.destination);
            }
            all.visit_successors(id, [&](const Successor& next) {
                text += fmt::format(", {} {}", next.on_begin ? "begin of" : "end of",
                                    next.operation - first);
            });
            text += '\n';
        }
    }
    return text;
}

}  // namespace flitscope
