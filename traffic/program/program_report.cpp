// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts over a program: per step by routing every message, per pair by source.
#include "traffic/program/program_report.h"

#include "models/performance/link_load.h"
#include "models/topology/graph.h"
#include "traffic/program/channel_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace flitscope {
namespace {

/// Counts per node that are cleared at the cost of the nodes touched.
class NodeCounts {
public:
    explicit NodeCounts(NodeId nodes) : counts_(nodes) {}

    void add(NodeId node) {
        if (counts_[node]++ == 0) touched_.push_back(node);
        max_ = std::max(max_, counts_[node]);
    }
    std::uint32_t count(NodeId node) const { return counts_[node]; }
    std::size_t distinct() const { return touched_.size(); }
    std::uint32_t max() const { return max_; }
    void clear() {
        for (const NodeId node : touched_) counts_[node] = 0;
        touched_.clear();
        max_ = 0;
    }

private:
    std::vector<std::uint32_t> counts_;
    std::vector<NodeId> touched_;
    std::uint32_t max_ = 0;
};

/// What the messages of a step ask of a plane.
struct Load {
    Load(const Graph& graph, const Routing& routing)
        : links(graph, routing), sends(graph.node_count()), receives(graph.node_count()) {}
    void clear() {
        links.clear();
        sends.clear();
        receives.clear();
    }

    LinkLoad links;
    NodeCounts sends;
    NodeCounts receives;
};

/// How often the first messages come.
std::uint32_t repeats_of(const Transfers& transfers) {
    return transfers.rule() == nullptr ? 1 : transfers.rule()->repeats();
}

}  // namespace

std::vector<StepReport> analyse(const Program& program, const Graph& graph, const Routing& routing,
                                const PacketFormat& format) {
    const MessageOrder order = step_order(program);
    std::vector<StepReport> reports;
    // Messages meet on their plane only.
    std::vector<Load> planes;
    for (std::uint32_t plane = 0; plane < graph.planes(); ++plane) {
        planes.emplace_back(graph, routing);
    }
    const std::size_t repeats = repeats_of(program.transfers);
    for (std::uint32_t i = 0; i < order.size() / repeats;) {
        StepReport report;
        report.step = program.transfers.step(order[i]);
        report.first = i;
        for (; i < order.size() && program.transfers.step(order[i]) == report.step; ++i) {
            const Transfer& t = program.transfers[order[i]];
            Load& load = planes[t.plane];
            load.links.add(t.source, t.destination, 1, detour(t, graph, routing));
            load.sends.add(t.source);
            load.receives.add(t.destination);
            report.flits += format.message_flits(t.bytes);
        }
        report.transfers = i - report.first;
        for (Load& load : planes) {
            if (load.links.max() > report.max_link_contention) {
                report.max_link_contention = load.links.max();
                report.busiest_link = load.links.busiest();
            }
            report.max_sends = std::max(report.max_sends, load.sends.max());
            report.max_receives = std::max(report.max_receives, load.receives.max());
            load.clear();
        }
        reports.push_back(report);
    }
    const std::size_t first_round = reports.size();
    while (reports.size() < first_round * repeats) {
        StepReport again = reports[reports.size() - first_round];
        again.first += static_cast<std::uint32_t>(order.size() / repeats);
        again.step = program.transfers.step(again.first);
        reports.push_back(again);
    }
    return reports;
}

ExchangeReport check_complete_exchange(const Program& program) {
    constexpr std::size_t kExamples = 5;
    ExchangeReport report;
    const auto example = [&](NodeId source, NodeId destination, const std::string& what) {
        report.examples.push_back(fmt::format("{}->{} {}", source, destination, what));
    };
    // One row of the exchange is checked at a time.
    const Transfers& transfers = program.transfers;
    const auto sends = NodeMessages::sent(program, MessageOrder::as_listed(transfers.size()));
    NodeCounts counts(program.nodes);
    const std::uint32_t repeats = repeats_of(transfers);
    for (NodeId source = 0; source < program.nodes; ++source) {
        std::size_t sent = 0;
        const std::size_t first = sends.first(source);
        const std::size_t last = first + (sends.first(source + 1) - first) / repeats;
        for (std::size_t i = first; i < last; ++i) {
            if (program.is_handshake(sends[i])) continue;
            counts.add(transfers.destination(sends[i]));
            ++sent;
        }
        sent *= repeats;
        const std::uint32_t to_itself = counts.count(source);
        const std::size_t reached = counts.distinct() - (to_itself > 0 ? 1 : 0);
        report.self += to_itself;
        report.repeated += sent - to_itself - reached;
        report.missing += program.nodes - 1 - reached;
        const bool perfect = to_itself == 0 && sent == reached && sent + 1 == program.nodes;
        // Only rows with an example are looked at node by node.
        for (NodeId to = 0; !perfect && to < program.nodes; ++to) {
            if (report.examples.size() >= kExamples) break;
            const std::uint32_t count = counts.count(to) * repeats;
            if (source == to) {
                if (count > 0) example(source, to, "to itself");
            } else if (count == 0) {
                example(source, to, "missing");
            } else if (count > 1) {
                example(source, to, fmt::format("sent {} times", count));
            }
        }
        counts.clear();
    }
    return report;
}

}  // namespace flitscope
