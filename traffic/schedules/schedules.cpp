// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedule builders.
#include "traffic/schedules/schedules.h"

#include "models/base/powers_of_two.h"

#include <functional>
#include <stdexcept>
#include <utility>

namespace flitscope {
namespace {

Program empty_program(const char* name, NodeId nodes, std::uint64_t transfers) {
    Program program;
    program.name = name;
    program.nodes = nodes;
    program.transfers.reserve(transfers);
    return program;
}

void send(Program& program, NodeId source, NodeId destination, std::uint64_t bytes, StepId step) {
    Transfer transfer;
    transfer.source = source;
    transfer.destination = destination;
    transfer.bytes = bytes;
    transfer.step = step;
    program.transfers.push_back(std::move(transfer));
}

/// PEX among q virtual nodes, of which shift .. shift+nodes-1 are real.
Program shifted_pex(const char* name, NodeId nodes, std::uint64_t bytes, std::uint64_t q,
                    std::uint64_t shift) {
    Program program = empty_program(name, nodes, complete_exchange_size(nodes));
    for (std::uint64_t j = 1; j < q; ++j) {
        for (NodeId n = 0; n < nodes; ++n) {
            const std::uint64_t partner = (n + shift) ^ j;
            if (partner < shift || partner - shift >= nodes) continue;
            send(program, n, static_cast<NodeId>(partner - shift), bytes,
                 static_cast<StepId>(j - 1));
        }
    }
    return program;
}

/// The part of a line or of a virtual numbering that one node still has to serve.
struct Interval {
    NodeId holder = 0;
    NodeId begin = 0;
    NodeId end = 0;  ///< one past the last
};

/// Halves `intervals` until each is a single node. Of every interval the holder keeps the half it
/// is in (the first half is the larger one) and hands the other to its nearest node there:
/// emit(round, holder, new holder, size of the half). Returns the number of rounds.
StepId halve(std::vector<Interval> intervals,
             const std::function<void(StepId, NodeId, NodeId, NodeId)>& emit) {
    StepId round = 0;
    for (;; ++round) {
        std::vector<Interval> next;
        bool split = false;
        for (const Interval& it : intervals) {
            if (it.end - it.begin <= 1) {
                next.push_back(it);
                continue;
            }
            split = true;
            const NodeId middle = it.begin + (it.end - it.begin + 1) / 2;
            const Interval low{it.holder < middle ? it.holder : middle - 1, it.begin, middle};
            const Interval high{it.holder < middle ? middle : it.holder, middle, it.end};
            const Interval& given = it.holder < middle ? high : low;
            emit(round, it.holder, given.holder, given.end - given.begin);
            next.push_back(low);
            next.push_back(high);
        }
        if (!split) return round;
        intervals = std::move(next);
    }
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
    Program program = empty_program("gen", nodes, complete_exchange_size(nodes));
    for (std::uint64_t i = 1; i < nodes; ++i) {
        for (NodeId n = 0; n < nodes; ++n) {
            send(program, n, static_cast<NodeId>((n + i) % nodes), bytes,
                 static_cast<StepId>(i - 1));
        }
    }
    return program;
}

Program naive(NodeId nodes, std::uint64_t bytes, NaiveOrder order) {
    Program program = empty_program("naive", nodes, complete_exchange_size(nodes));
    for (NodeId n = 0; n < nodes; ++n) {
        const NodeId first = order == NaiveOrder::kFromNext ? n : 0;
        for (std::uint64_t i = 0; i < nodes; ++i) {
            const auto destination = static_cast<NodeId>((first + i) % nodes);
            if (destination != n) send(program, n, destination, bytes, 0);
        }
    }
    return program;
}

Program recursive_exchange(NodeId nodes, std::uint64_t bytes) {
    if (!is_power_of_two(nodes)) {
        throw std::invalid_argument("recursive exchange needs a power-of-two number of nodes");
    }
    Program program = empty_program("recursive-exchange", nodes, complete_exchange_size(nodes));
    StepId step = 0;
    for (NodeId bit = 1; bit < nodes; bit *= 2, ++step) {
        for (NodeId n = 0; n < nodes; ++n) {
            send(program, n, n ^ bit, std::uint64_t{nodes} / 2 * bytes, step);
        }
    }
    return program;
}

Program broadcast_binomial(NodeId nodes, NodeId root, std::uint64_t bytes) {
    Program program = empty_program("broadcast", nodes, nodes);
    StepId step = 0;
    for (std::uint64_t informed = 1; informed < nodes; informed *= 2, ++step) {
        for (std::uint64_t v = 0; v < informed && v + informed < nodes; ++v) {
            send(program, static_cast<NodeId>((v + root) % nodes),
                 static_cast<NodeId>((v + informed + root) % nodes), bytes, step);
        }
    }
    return program;
}

Program broadcast_dimension_order(const Graph& graph, NodeId root, std::uint64_t bytes) {
    Program program = empty_program("broadcast", graph.node_count(), graph.node_count());
    std::vector<NodeId> informed = {root};
    StepId step = 0;
    for (std::size_t dim = graph.dims().size(); dim-- > 0;) {
        const NodeId side = graph.dims()[dim];
        const NodeId stride = graph.stride(dim);
        // Every informed node has the root's coordinate here and serves a line of its own.
        const NodeId at = graph.coordinate(root, dim);
        std::vector<NodeId> reached;
        for (const NodeId node : informed) {
            const NodeId origin = node - at * stride;
            for (NodeId i = 0; i < side; ++i) reached.push_back(origin + i * stride);
        }
        step += halve({{at, 0, side}}, [&](StepId round, NodeId from, NodeId to, NodeId) {
            for (const NodeId node : informed) {
                const NodeId origin = node - at * stride;
                send(program, origin + from * stride, origin + to * stride, bytes, step + round);
            }
        });
        informed = std::move(reached);
    }
    return program;
}

Program allgather_ring(NodeId nodes, std::uint64_t bytes) {
    Program program = empty_program("allgather", nodes, complete_exchange_size(nodes));
    for (StepId k = 0; k + 1 < nodes; ++k) {
        for (NodeId n = 0; n < nodes; ++n) send(program, n, (n + 1) % nodes, bytes, k);
    }
    return program;
}

Program allgather_recursive_doubling(NodeId nodes, std::uint64_t bytes) {
    if (!is_power_of_two(nodes)) {
        throw std::invalid_argument("recursive doubling needs a power-of-two number of nodes");
    }
    Program program = empty_program("allgather", nodes, 0);
    StepId step = 0;
    for (std::uint64_t held = 1; held < nodes; held *= 2, ++step) {
        for (NodeId n = 0; n < nodes; ++n) {
            send(program, n, static_cast<NodeId>(n ^ held), held * bytes, step);
        }
    }
    return program;
}

Program scatter_direct(NodeId nodes, NodeId root, std::uint64_t bytes) {
    Program program = empty_program("scatter", nodes, nodes);
    for (std::uint64_t i = 1; i < nodes; ++i) {
        send(program, root, static_cast<NodeId>((root + i) % nodes), bytes,
             static_cast<StepId>(i - 1));
    }
    return program;
}

Program scatter_binomial(NodeId nodes, NodeId root, std::uint64_t bytes) {
    Program program = empty_program("scatter", nodes, nodes);
    if (nodes == 0) return program;
    const auto real = [&](NodeId v) {
        return static_cast<NodeId>((std::uint64_t{v} + root) % nodes);
    };
    halve({{0, 0, nodes}}, [&](StepId round, NodeId from, NodeId to, NodeId size) {
        send(program, real(from), real(to), size * bytes, round);
    });
    return program;
}

}  // namespace flitscope
