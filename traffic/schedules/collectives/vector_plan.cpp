// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/collectives/vector_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace flitscope {
namespace {

constexpr std::size_t kMostFindings = 10;

/// Whose vectors are in a piece.
using Contributors = std::vector<bool>;

/// Plays a plan and records its violations.
class Checker {
public:
    explicit Checker(const VectorPlan& plan)
        : plan_(plan), held_(std::size_t{plan.nodes} * plan.pieces, Contributors(plan.nodes)) {}

    std::vector<std::string> check(VectorOperation operation, NodeId root) {
        const bool broadcast = operation == VectorOperation::kBroadcast;
        for (NodeId node = 0; node < plan_.nodes; ++node) {
            if (broadcast && node != root) continue;
            for (std::uint32_t piece = 0; piece < plan_.pieces; ++piece) {
                at(node, piece)[node] = true;
            }
        }
        for (std::size_t step = 0; step < plan_.steps.size(); ++step) play(step);
        Contributors all(plan_.nodes, !broadcast);
        if (broadcast) all[root] = true;
        for (NodeId node = 0; node < plan_.nodes; ++node) {
            if (operation == VectorOperation::kReduce && node != root) continue;
            for (std::uint32_t piece = 0; piece < plan_.pieces; ++piece) {
                if (operation == VectorOperation::kReduceScatter && piece != node) continue;
                if (at(node, piece) != all) {
                    fail(fmt::format("node {} ends without all of piece {}", node, piece));
                }
            }
        }
        return std::move(findings_);
    }

private:
    Contributors& at(NodeId node, std::uint32_t piece) {
        return held_[std::size_t{node} * plan_.pieces + piece];
    }
    void fail(std::string text) {
        if (findings_.size() < kMostFindings) findings_.push_back(std::move(text));
    }

    void play(std::size_t step) {
        std::vector<bool> sends(plan_.nodes);
        std::vector<bool> receives(plan_.nodes);
        std::vector<std::vector<Contributors>> sent;
        for (const VectorMove& move : plan_.steps[step]) {
            if (sends[move.from]) fail(fmt::format("step {}: {} sends twice", step, move.from));
            if (receives[move.to]) fail(fmt::format("step {}: {} receives twice", step, move.to));
            sends[move.from] = receives[move.to] = true;
            std::vector<Contributors>& pieces = sent.emplace_back();
            for (std::uint32_t i = 0; i < move.count; ++i) {
                pieces.push_back(at(move.from, move.first + i));
            }
        }
        for (std::size_t i = 0; i < sent.size(); ++i) {
            const VectorMove& move = plan_.steps[step][i];
            for (std::uint32_t k = 0; k < move.count; ++k) {
                take(step, move, move.first + k, sent[i][k]);
            }
        }
    }

    void take(std::size_t step, const VectorMove& move, std::uint32_t piece,
              const Contributors& sent) {
        const auto say = [&](const std::string& what) {
            fail(fmt::format("step {}: {} sends piece {} to {}, {}", step, move.from, piece,
                             move.to, what));
        };
        if (std::find(sent.begin(), sent.end(), true) == sent.end()) say("which it does not have");
        Contributors& mine = at(move.to, piece);
        if (!move.combines) {
            mine = sent;
            return;
        }
        for (NodeId node = 0; node < plan_.nodes; ++node) {
            if (!sent[node]) continue;
            if (mine[node]) say(fmt::format("where {} has contributed already", node));
            mine[node] = true;
        }
    }

    const VectorPlan& plan_;
    std::vector<Contributors> held_;  // per node and piece
    std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> check_plan(const VectorPlan& plan, VectorOperation operation,
                                    NodeId root) {
    return Checker(plan).check(operation, root);
}

VectorPlan reversed(VectorPlan plan) {
    std::reverse(plan.steps.begin(), plan.steps.end());
    for (std::vector<VectorMove>& step : plan.steps) {
        for (VectorMove& move : step) {
            std::swap(move.from, move.to);
            move.combines = true;
        }
    }
    return plan;
}

VectorPlan whole_vectors(const Program& broadcast) {
    VectorPlan plan;
    plan.name = broadcast.name;
    plan.nodes = broadcast.nodes;
    plan.steps.resize(broadcast.step_count());
    for (const Transfer& transfer : broadcast.transfers) {
        plan.steps[transfer.step].push_back({transfer.source, transfer.destination});
    }
    return plan;
}

std::vector<std::uint64_t> even_pieces(std::uint64_t bytes, std::uint32_t pieces) {
    std::vector<std::uint64_t> sizes(pieces, bytes / pieces);
    for (std::uint64_t i = 0; i < bytes % pieces; ++i) ++sizes[i];
    return sizes;
}

Program to_program(const VectorPlan& plan, const std::vector<std::uint64_t>& piece_bytes) {
    if (piece_bytes.size() != plan.pieces) {
        throw std::invalid_argument("every piece of a plan needs a size");
    }
    // Sizes of the first 0, 1, ... pieces.
    std::vector<std::uint64_t> up_to{0};
    for (const std::uint64_t bytes : piece_bytes) up_to.push_back(up_to.back() + bytes);
    Program program;
    program.name = plan.name;
    program.nodes = plan.nodes;
    for (std::size_t step = 0; step < plan.steps.size(); ++step) {
        std::vector<VectorMove> moves = plan.steps[step];
        std::sort(moves.begin(), moves.end(),
                  [](const VectorMove& a, const VectorMove& b) { return a.from < b.from; });
        for (const VectorMove& move : moves) {
            const std::uint64_t bytes = up_to[move.first + move.count] - up_to[move.first];
            if (bytes == 0 && up_to.back() > 0) continue;
            program.send(move.from, move.to, bytes, static_cast<StepId>(step));
        }
    }
    return program;
}

}  // namespace flitscope
