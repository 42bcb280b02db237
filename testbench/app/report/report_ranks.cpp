// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/report_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "testbench/app/build/machine.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"

namespace flitscope {
namespace {

constexpr std::size_t kShownRanks = 8;
constexpr std::size_t kShownCauses = 2;

/// "   1,536 serialization, 207 traversal": what a rank waited for most.
std::string waits_text(const CauseCycles& waits) {
    std::string text;
    std::size_t shown = 0;
    for (const Cause cause : ranked_causes(waits)) {
        if (shown++ == kShownCauses) break;
        text += fmt::format("{} {} {}", text.empty() ? "  " : ",", grouped(cycles_of(waits, cause)),
                            cause_name(cause));
    }
    return text;
}

}  // namespace

void write_ranks_csv(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    out << "rank,node,operations,end,end_ns,computing,sending,receiving,waiting";
    if (explanation.is_explained) {
        out << ",path_cycles";
        for (std::size_t i = 0; i < kCauses; ++i) {
            out << ",waiting_" << cause_name(static_cast<Cause>(i));
        }
    }
    out << '\n';
    for (std::size_t row = 0; row < explanation.run.node_operations.size(); ++row) {
        const NodeOperations& of = explanation.run.node_operations[row];
        out << fmt::format("{},{},{},{},{:.15g},{},{},{},{}", of.rank, of.node, of.operations,
                           of.end, static_cast<double>(of.end) * machine.config.clock_ns,
                           of.computing, of.sending, of.receiving, of.waiting);
        if (explanation.is_explained) {
            const RankShare& share = explanation.ranks[row];
            out << ',' << share.on_path;
            for (const Cycle cycles : share.waits) out << ',' << cycles;
        }
        out << '\n';
    }
}

void write_ranks(JsonWriter& json, const Explanation& explanation) {
    json.key("ranks");
    json.open_array();
    for (const RankShare& rank : explanation.ranks) {
        json.open_object();
        json.field("rank", rank.run.rank);
        json.field("node", rank.run.node);
        json.field("operations", rank.run.operations);
        json.field("end", rank.run.end);
        json.field("computing", rank.run.computing);
        json.field("sending", rank.run.sending);
        json.field("receiving", rank.run.receiving);
        json.field("waiting", rank.run.waiting);
        json.field("path_cycles", rank.on_path);
        write_causes(json, rank.waits);
        json.close_object();
    }
    json.close_array();
}

void print_ranks(std::ostream& out, const Explanation& explanation) {
    std::vector<RankShare> ranks = explanation.ranks;
    if (ranks.empty()) return;
    std::stable_sort(ranks.begin(), ranks.end(), [](const RankShare& a, const RankShare& b) {
        return a.run.waiting > b.run.waiting;
    });
    out << fmt::format("\n  the ranks, those first that wait longest: cycles until each ends\n\n");
    out << fmt::format("    {:<14}{:>12}{:>12}{:>12}{:>12}   of which most for\n", "", "computing",
                       "sending", "receiving", "waiting");
    for (std::size_t i = 0; i < std::min(kShownRanks, ranks.size()); ++i) {
        const RankShare& rank = ranks[i];
        out << fmt::format("    {:<14}{:>12}{:>12}{:>12}{:>12}{}\n",
                           fmt::format("rank {}", rank.run.rank), grouped(rank.run.computing),
                           grouped(rank.run.sending), grouped(rank.run.receiving),
                           grouped(rank.run.waiting), waits_text(rank.waits));
    }
}

}  // namespace flitscope
