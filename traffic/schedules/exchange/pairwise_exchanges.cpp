// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/exchange/pairwise_exchanges.h"

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/base/powers_of_two.h"
#include "traffic/schedules/exchange/exchange_rules.h"

namespace flitscope {
namespace {

/// PEX among q virtual nodes, of which shift .. shift+nodes-1 are real. If all are, the program is
/// a rule; else the meaning of a message number depends on all before it, and they are listed.
Program shifted_pex(const char* name, NodeId nodes, std::uint64_t bytes, std::uint64_t q,
                    std::uint64_t shift) {
    if (nodes == q) {
        std::vector<MaskRule::Round> rounds;
        for (NodeId j = 1; j < nodes; ++j) rounds.push_back({j, j - 1});
        return program_by_rule(name, std::make_shared<MaskRule>(nodes, std::move(rounds)), bytes);
    }
    Program program = empty_program(name, nodes, complete_exchange_size(nodes));
    for (std::uint64_t j = 1; j < q; ++j) {
        for (NodeId n = 0; n < nodes; ++n) {
            const std::uint64_t partner = (n + shift) ^ j;
            if (partner < shift || partner - shift >= nodes) continue;
            program.send(n, static_cast<NodeId>(partner - shift), bytes,
                         static_cast<StepId>(j - 1));
        }
    }
    return program;
}

}  // namespace

Program pex(NodeId nodes, std::uint64_t bytes) {
    if (!is_power_of_two(nodes)) {
        throw std::invalid_argument("pex needs a power-of-two number of nodes");
    }
    return shifted_pex("pex", nodes, bytes, nodes, 0);
}

Program pex_gen(NodeId nodes, std::uint64_t bytes) {
    return shifted_pex("pex-gen", nodes, bytes, next_power_of_two(nodes), 0);
}

Program pex_gen_shift(NodeId nodes, std::uint64_t bytes) {
    const std::uint64_t q = next_power_of_two(nodes);
    return shifted_pex("pex-gen-shift", nodes, bytes, q, (q - nodes) / 2);
}

Program gen(NodeId nodes, std::uint64_t bytes) {
    return program_by_rule("gen", std::make_shared<ShiftRule>(nodes), bytes);
}

Program naive(NodeId nodes, std::uint64_t bytes, NaiveOrder order) {
    const bool from_next = order == NaiveOrder::kFromNext;
    return program_by_rule("naive", std::make_shared<NaiveRule>(nodes, from_next), bytes);
}

Program recursive_exchange(NodeId nodes, std::uint64_t bytes) {
    if (!is_power_of_two(nodes)) {
        throw std::invalid_argument("recursive exchange needs a power-of-two number of nodes");
    }
    Program program = empty_program("recursive-exchange", nodes, 0);
    StepId step = 0;
    for (NodeId bit = 1; bit < nodes; bit *= 2, ++step) {
        for (NodeId n = 0; n < nodes; ++n) {
            program.send(n, n ^ bit, std::uint64_t{nodes} / 2 * bytes, step);
        }
    }
    return program;
}

}  // namespace flitscope
