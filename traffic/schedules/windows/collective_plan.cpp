// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/windows/collective_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

constexpr std::size_t kMostFindings = 10;

std::string text_of(const Block& block) {
    if (block.destination == kEveryone) return fmt::format("block of {}", block.source);
    return fmt::format("block {} -> {}", block.source, block.destination);
}

/// Plays a plan and records its violations.
class Checker {
public:
    Checker(const CollectivePlan& plan, const Graph& graph, PortModel ports)
        : plan_(plan), ports_(ports), held_(plan.nodes) {
        for (const Link& link : graph.links()) links_.insert({link.from, link.to});
    }

    std::vector<std::string> check(Collective collective, NodeId root) {
        const bool personalized = is_personalized(collective);
        for (NodeId node = 0; node < plan_.nodes; ++node) {
            if (has_root(collective) && node != root) continue;
            if (!personalized) give(node, {node, kEveryone});
            for (NodeId other = 0; personalized && other < plan_.nodes; ++other) {
                if (other != node) give(node, {node, other});
            }
        }
        for (std::size_t step = 0; step < plan_.steps.size(); ++step) play(step);
        for (NodeId source = 0; source < plan_.nodes; ++source) {
            if (has_root(collective) && source != root) continue;
            for (NodeId node = 0; node < plan_.nodes; ++node) {
                if (node == source) continue;
                const Block block{source, personalized ? node : kEveryone};
                if (!holds(node, block)) {
                    fail(fmt::format("{} does not arrive at {}", text_of(block), node));
                }
            }
        }
        return std::move(findings_);
    }

private:
    using Key = std::pair<NodeId, NodeId>;

    static Key key(const Block& block) { return {block.source, block.destination}; }
    void give(NodeId node, const Block& block) { held_[node].insert(key(block)); }
    bool holds(NodeId node, const Block& block) const { return held_[node].count(key(block)) != 0; }
    void fail(std::string text) {
        if (findings_.size() < kMostFindings) findings_.push_back(std::move(text));
    }

    void play(std::size_t step) {
        std::set<Key> channels;
        std::map<NodeId, Block> sent;  // the first block of each sender
        for (const BlockMove& move : plan_.steps[step]) {
            const auto say = [&](const char* what) {
                fail(fmt::format("step {}: {} sends the {} to {}{}", step + 1, move.from,
                                 text_of(move.block), move.to, what));
            };
            if (links_.count({move.from, move.to}) == 0) say(", to whom it has no link");
            if (!holds(move.from, move.block)) say(", which it does not hold");
            if (!channels.insert({move.from, move.to}).second) say(" over a channel in use");
            const auto [first, is_first] = sent.insert({move.from, move.block});
            if (is_first) continue;
            if (ports_ == PortModel::kOneOutput) say(" while it uses another output");
            if (ports_ == PortModel::kSameValue && !(first->second == move.block)) {
                say(" while it sends another block");
            }
        }
        for (const BlockMove& move : plan_.steps[step]) give(move.to, move.block);
    }

    const CollectivePlan& plan_;
    PortModel ports_;
    std::set<Key> links_;
    std::vector<std::set<Key>> held_;
    std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> check_plan(const CollectivePlan& plan, const Graph& graph,
                                    Collective collective, NodeId root, PortModel ports) {
    return Checker(plan, graph, ports).check(collective, root);
}

namespace {

/// The port of the link from a node's router to that of its neighbour.
PortId port_to(const Graph& graph, NodeId from, NodeId to) {
    for (PortId port = graph.local_ports(); port < graph.port_count(); ++port) {
        const LinkId link = graph.out_link(graph.router_of(from), port);
        if (link != kNoLink && graph.link(link).to == graph.router_of(to)) return port;
    }
    return kLocalPort;
}

/// The moves as messages, those of a step by sender, in the order of the plan.
template <class Finish>
Program from_moves(const CollectivePlan& plan, std::uint64_t bytes, const Graph& graph,
                   const Finish& finish) {
    Program program;
    program.name = plan.name;
    program.nodes = plan.nodes;
    for (std::size_t step = 0; step < plan.steps.size(); ++step) {
        std::vector<BlockMove> moves = plan.steps[step];
        std::stable_sort(moves.begin(), moves.end(),
                         [](const BlockMove& a, const BlockMove& b) { return a.from < b.from; });
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const BlockMove& move = moves[i];
            Transfer transfer{move.from, move.to, bytes, static_cast<StepId>(step)};
            transfer.is_copy =
                i > 0 && moves[i - 1].from == move.from && moves[i - 1].block == move.block;
            if (graph.has_per_link_endpoints()) {
                transfer.port = static_cast<std::uint16_t>(port_to(graph, move.from, move.to));
            }
            finish(move, transfer, static_cast<MessageId>(program.transfers.size()));
            program.transfers.push_back(std::move(transfer));
        }
    }
    return program;
}

}  // namespace

Program to_program(const CollectivePlan& plan, std::uint64_t bytes, const Graph& graph) {
    return from_moves(plan, bytes, graph, [](const BlockMove&, const Transfer&, MessageId) {});
}

CollectivePlan sent_at_once(const CollectivePlan& plan) {
    using Sender = std::tuple<NodeId, NodeId, NodeId>;  // sender and block
    std::map<Sender, std::size_t> first_step;
    CollectivePlan result{plan.name, plan.nodes, {}};
    result.steps.resize(plan.steps.size());
    for (std::size_t step = 0; step < plan.steps.size(); ++step) {
        for (const BlockMove& move : plan.steps[step]) {
            const Sender sender{move.from, move.block.source, move.block.destination};
            result.steps[first_step.try_emplace(sender, step).first->second].push_back(move);
        }
    }
    return result;
}

Program to_streaming_program(const CollectivePlan& plan, std::uint64_t bytes, const Graph& graph) {
    using Held = std::tuple<NodeId, NodeId, NodeId>;  // place and block
    std::map<Held, MessageId> brought_by;
    Program program = from_moves(
        plan, bytes, graph, [&](const BlockMove& move, Transfer& transfer, MessageId id) {
            const Block& block = move.block;
            const auto bringer = brought_by.find({move.from, block.source, block.destination});
            if (move.from != block.source && bringer != brought_by.end()) {
                transfer.streams = true;
                transfer.after = {bringer->second};
            }
            brought_by.try_emplace({move.to, block.source, block.destination}, id);
        });
    program.ordering = Ordering::kTimed;
    return program;
}

}  // namespace flitscope
