// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedule builders, and the choice among them that a configuration makes.
#include "traffic/schedules.h"

#include "models/powers_of_two.h"
#include "traffic/program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace flitscope {
namespace {

Program empty_program(const char* name, NodeId nodes, std::uint64_t transfers) {
    Program program;
    program.name = name;
    program.nodes = nodes;
    program.transfers.reserve(transfers);
    return program;
}

std::uint64_t exchange_size(NodeId nodes) {
    return nodes == 0 ? 0 : std::uint64_t{nodes} * (nodes - 1);
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
    Program program = empty_program(name, nodes, exchange_size(nodes));
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
    Program program = empty_program("gen", nodes, exchange_size(nodes));
    for (std::uint64_t i = 1; i < nodes; ++i) {
        for (NodeId n = 0; n < nodes; ++n) {
            send(program, n, static_cast<NodeId>((n + i) % nodes), bytes,
                 static_cast<StepId>(i - 1));
        }
    }
    return program;
}

Program naive(NodeId nodes, std::uint64_t bytes) {
    Program program = empty_program("naive", nodes, exchange_size(nodes));
    for (NodeId n = 0; n < nodes; ++n) {
        for (std::uint64_t i = 1; i < nodes; ++i) {
            send(program, n, static_cast<NodeId>((n + i) % nodes), bytes, 0);
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
    Program program = empty_program("allgather", nodes, exchange_size(nodes));
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

// --- The choice that a configuration makes -------------------------------------------------------

namespace {

using Builder = std::function<Program(const Graph&, NodeId root, std::uint64_t bytes)>;

/// What an algorithm asks of the network, and how its size grows.
enum Trait : unsigned { kAnyNetwork = 0, kPowerOfTwo = 1, kGrid = 2, kQuadratic = 4, kRooted = 8 };

struct Algorithm {
    std::string name;
    Builder build;
    unsigned traits = kAnyNetwork;
};

struct Schedule {
    ScheduleKind kind;
    std::vector<Algorithm> algorithms;  ///< the first is the default; unnamed: no choice
};

template <typename Function>
Builder for_nodes(Function function) {
    return [function](const Graph& graph, NodeId, std::uint64_t bytes) {
        return function(graph.node_count(), bytes);
    };
}

template <typename Function>
Builder from_root(Function function) {
    return [function](const Graph& graph, NodeId root, std::uint64_t bytes) {
        return function(graph.node_count(), root, bytes);
    };
}

const std::vector<Schedule>& schedules() {
    static const std::vector<Schedule> all = {
        {{"pex", "complete exchange: step i pairs n with n XOR i; power-of-two nodes"},
         {{"", for_nodes(pex), kPowerOfTwo | kQuadratic}}},
        {{"pex-gen", "complete exchange: PEX of the next power of two, partners missing left out"},
         {{"", for_nodes(pex_gen), kQuadratic}}},
        {{"pex-gen-shift", "complete exchange: PEX-GEN with the nodes in the middle of the range"},
         {{"", for_nodes(pex_gen_shift), kQuadratic}}},
        {{"gen", "complete exchange: step i sends n to n + i modulo the node count"},
         {{"", for_nodes(gen), kQuadratic}}},
        {{"naive", "complete exchange: n sends to n + 1, n + 2, ... without waiting"},
         {{"", for_nodes(naive), kQuadratic}}},
        {{"broadcast", "root to all; algorithm: binomial (default), dimension_order"},
         {{"binomial", from_root(broadcast_binomial), kRooted},
          {"dimension_order", broadcast_dimension_order, kRooted | kGrid}}},
        {{"allgather", "all to all, one block each; algorithm: ring (default), recursive_doubling"},
         {{"ring", for_nodes(allgather_ring), kQuadratic},
          {"recursive_doubling", for_nodes(allgather_recursive_doubling), kPowerOfTwo}}},
        {{"scatter", "root sends each node its block; algorithm: direct (default), binomial"},
         {{"direct", from_root(scatter_direct), kRooted},
          {"binomial", from_root(scatter_binomial), kRooted}}},
    };
    return all;
}

template <typename Range, typename Name>
std::vector<std::string> names_of(const Range& range, Name name) {
    std::vector<std::string> names;
    for (const auto& entry : range) names.push_back(name(entry));
    return names;
}

std::string choice_hint(const std::string& word, const std::vector<std::string>& names) {
    const std::string near = nearest(word, names);
    return (near.empty() ? std::string() : fmt::format("did you mean '{}'? ", near)) +
           fmt::format("one of: {}", fmt::join(names, ", "));
}

const Schedule& find_schedule(const Config& config) {
    const std::string& name = config.traffic.schedule;
    for (const Schedule& schedule : schedules()) {
        if (schedule.kind.name == name) return schedule;
    }
    throw ConfigError(
        config.where("traffic.schedule"), fmt::format("unknown schedule '{}'", name),
        choice_hint(name, names_of(schedules(), [](const Schedule& s) { return s.kind.name; })));
}

const Algorithm& find_algorithm(const Config& config, const Schedule& schedule) {
    const std::string& name = config.traffic.algorithm;
    if (name.empty()) return schedule.algorithms.front();
    for (const Algorithm& algorithm : schedule.algorithms) {
        if (algorithm.name == name) return algorithm;
    }
    const bool choice = !schedule.algorithms.front().name.empty();
    throw ConfigError(
        config.where("traffic.algorithm"),
        fmt::format("schedule {} has no algorithm '{}'", schedule.kind.name, name),
        choice ? choice_hint(
                     name, names_of(schedule.algorithms, [](const Algorithm& a) { return a.name; }))
               : "leave algorithm out: this schedule has no variants");
}

void set_barrier(Program& program, const Config& config) {
    if (!config.traffic.barrier) return;
    if (program.ordering == Ordering::kTimed) {
        throw ConfigError(config.where("traffic.barrier"),
                          "a timed program has no steps to put barriers between",
                          "remove the barrier, or give the messages steps");
    }
    const BarrierCost cost{config.traffic.barrier->per_doubling, config.traffic.barrier->fixed};
    program.barrier_cycles = cost.cycles(program.nodes);
}

/// Refuses what the packet format cannot number and what 64-bit counters could not add up.
void check_sizes(const Program& program, const Config& config) {
    const PacketFormat format = config.packet_format();
    const Location place =
        config.where(config.traffic.program.empty() ? "traffic.message_bytes" : "traffic.program");
    double flits = 0;
    for (const Transfer& t : program.transfers) {
        const auto bytes = static_cast<double>(t.bytes);
        const double packets =
            format.packet_bytes == 0 ? 1 : bytes / static_cast<double>(format.packet_bytes) + 1;
        if (packets >= 4294967295.0) {
            throw ConfigError(place,
                              fmt::format("a message of {} bytes would be cut into more than 2^32 "
                                          "packets",
                                          t.bytes),
                              "raise node.packet_bytes or send less");
        }
        flits += packets * (format.header_flits + 1.0) + 8 * bytes / format.flit_bits;
        if (t.bytes == 0 && format.header_flits == 0) {
            throw ConfigError(place, "a message of 0 bytes without a header has no flits",
                              "send at least one byte, or set node.header_flits");
        }
    }
    if (flits > 1e18) {
        throw ConfigError(place, fmt::format("the program would send {:.2g} flits", flits),
                          "at most 1e18");
    }
}

}  // namespace

const std::vector<ScheduleKind>& schedule_kinds() {
    static const std::vector<ScheduleKind> kinds = [] {
        std::vector<ScheduleKind> list;
        for (const Schedule& schedule : schedules()) list.push_back(schedule.kind);
        return list;
    }();
    return kinds;
}

Program build_schedule(const Config& config, const Graph& graph) {
    const Schedule& schedule = find_schedule(config);
    const Algorithm& algorithm = find_algorithm(config, schedule);
    const TrafficConfig& traffic = config.traffic;
    const NodeId nodes = graph.node_count();
    std::vector<Diagnostic> findings;
    if ((algorithm.traits & kPowerOfTwo) != 0 && !is_power_of_two(nodes)) {
        const bool variant = !algorithm.name.empty();
        findings.push_back(
            {config.where(variant ? "traffic.algorithm" : "traffic.schedule"),
             fmt::format("{} needs a power-of-two number of nodes, but {} has {}",
                         variant ? algorithm.name : schedule.kind.name, graph.description(), nodes),
             variant ? fmt::format("use {}", schedule.algorithms.front().name)
                     : "use pex-gen, pex-gen-shift or gen"});
    }
    if ((algorithm.traits & kGrid) != 0 && graph.kind() != "mesh" && graph.kind() != "hypercube") {
        findings.push_back({config.where("traffic.algorithm"),
                            fmt::format("{} needs a mesh or a hypercube, not topology kind '{}'",
                                        algorithm.name, graph.kind()),
                            fmt::format("use {}", schedule.algorithms.front().name)});
    }
    if ((algorithm.traits & kRooted) != 0 && traffic.root >= nodes) {
        findings.push_back({config.where("traffic.root"),
                            fmt::format("root {} does not exist", traffic.root),
                            fmt::format("nodes are 0 .. {}", nodes - 1)});
    }
    if ((algorithm.traits & kQuadratic) != 0 && exchange_size(nodes) > kMaxTransfers) {
        findings.push_back(
            {config.where("traffic.schedule"),
             fmt::format("{} among {} nodes needs up to {} messages", schedule.kind.name, nodes,
                         exchange_size(nodes)),
             fmt::format("at most {}: use 8192 nodes or fewer, or a pattern", kMaxTransfers)});
    }
    if (traffic.message_bytes > kMaxBlockBytes) {
        findings.push_back({config.where("traffic.message_bytes"),
                            fmt::format("message_bytes {} is too large", traffic.message_bytes),
                            fmt::format("at most {}", kMaxBlockBytes)});
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    Program program = algorithm.build(graph, traffic.root, traffic.message_bytes);
    set_barrier(program, config);
    return program;
}

Program build_program(const Config& config, const Graph& graph) {
    const TrafficConfig& traffic = config.traffic;
    Program program;
    if (!traffic.schedule.empty()) {
        program = build_schedule(config, graph);
    } else if (!traffic.program.empty()) {
        program =
            read_program(traffic.program, graph.node_count(), config.where("traffic.program"));
        set_barrier(program, config);
    } else {
        throw ConfigError(config.where("traffic"), "there is no program: traffic is a pattern",
                          "set traffic.schedule or traffic.program");
    }
    check_sizes(program, config);
    return program;
}

}  // namespace flitscope
