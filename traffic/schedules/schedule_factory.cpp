// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// From the traffic section of a configuration to a program: the table of all schedules, and what
// each asks of the network.
#include "traffic/schedules/schedule_factory.h"

#include "models/base/powers_of_two.h"
#include "models/fabric/port_model.h"
#include "traffic/computations/computations.h"
#include "traffic/program/channel_rules.h"
#include "traffic/program/handshake.h"
#include "traffic/program/program_file.h"
#include "traffic/schedules/collectives/tree_collectives.h"
#include "traffic/schedules/collectives/vector_schedules.h"
#include "traffic/schedules/exchange/aap.h"
#include "traffic/schedules/exchange/bounded_contention.h"
#include "traffic/schedules/exchange/pairwise_exchanges.h"
#include "traffic/schedules/schedule_catalogue.h"
#include "traffic/schedules/windows/how_collectives.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace flitscope {
namespace {

using Builder = std::function<Program(const Graph&, const Config&)>;

/// What an algorithm asks of the network, and how its size grows.
enum Trait : unsigned {
    kAnyNetwork = 0,
    kPowerOfTwo = 1,
    kGrid = 2,
    kQuadratic = 4,
    kRooted = 8,
    kHypercube = 16,
    kMeshOrTorus = 32,
    kTwiceQuadratic = 128,
    kPipelined = 256,  ///< as many messages as hops x pieces
    kStreams = 512,    ///< nodes with a channel for every link
    kWindows = 64,     ///< lines of windows: HOWs, generalized hypercubes, meshes, at most 2-D
};

/// How an algorithm of the catalogue is built, and where.
struct Algorithm {
    std::string schedule;
    std::string name;  ///< empty where the schedule has no variants
    Builder build;
    unsigned traits = kAnyNetwork;
};

template <typename Function>
Builder for_nodes(Function function) {
    return [function](const Graph& graph, const Config& config) {
        return function(graph.node_count(), config.traffic.message_bytes);
    };
}

template <typename Function>
Builder from_root(Function function) {
    return [function](const Graph& graph, const Config& config) {
        const TrafficConfig& traffic = config.traffic;
        return function(graph.node_count(), traffic.root, traffic.message_bytes);
    };
}

Builder naive_from(NaiveOrder order) {
    return [order](const Graph& graph, const Config& config) {
        return naive(graph.node_count(), config.traffic.message_bytes, order);
    };
}

Builder on_hypercube(AapOrder order) {
    return [order](const Graph& graph, const Config& config) {
        return aap(floor_log2(graph.node_count()), config.traffic.message_bytes, order);
    };
}

Program dimension_order_broadcast(const Graph& graph, const Config& config) {
    return broadcast_dimension_order(graph, config.traffic.root, config.traffic.message_bytes);
}

Program exchange_of_bounded_contention(const Graph& graph, const Config& config) {
    return bounded_contention(graph, config.traffic.message_bytes, config.traffic.contention);
}

HowShape how_shape(const Graph& graph) {
    HowShape shape;
    for (const GridDimension& dimension : graph.wiring()->dimensions()) {
        shape.sides.push_back(dimension.side);
        shape.windows.push_back(dimension.spans.back());
    }
    return shape;
}

/// What plans may do in a step: nodes with a single channel send over one output as well.
PortModel plan_ports(const Config& config) {
    const PortModel model = config.node.port_model;
    return model == PortModel::kSingle ? PortModel::kOneOutput : model;
}

/// to_program() or to_streaming_program().
using PlanPlayer = Program (*)(const CollectivePlan&, std::uint64_t, const Graph&);

Builder by_windows(Collective collective, PlanPlayer make) {
    return [collective, make](const Graph& graph, const Config& config) {
        CollectivePlan plan =
            how_collective(how_shape(graph), collective, plan_ports(config), config.traffic.root);
        plan.name = config.traffic.schedule;
        return make(plan, config.traffic.message_bytes, graph);
    };
}

Program computation(const Graph& graph, const Config& config) {
    Program program = to_program(build_computation(config, graph), config.traffic.message_bytes);
    program.name = config.traffic.schedule;
    return program;
}

/// One entry for each algorithm of the catalogue (schedule_catalogue.cpp).
const std::vector<Algorithm>& algorithms() {
    static const std::vector<Algorithm> kAll = {
        {"pex", "", for_nodes(pex), kPowerOfTwo | kQuadratic},
        {"pex-gen", "", for_nodes(pex_gen), kQuadratic},
        {"pex-gen-shift", "", for_nodes(pex_gen_shift), kQuadratic},
        {"gen", "", for_nodes(gen), kQuadratic},
        {"naive", "from_next", naive_from(NaiveOrder::kFromNext), kQuadratic},
        {"naive", "from_zero", naive_from(NaiveOrder::kFromZero), kQuadratic},
        {"bounded-contention", "", exchange_of_bounded_contention, kMeshOrTorus | kQuadratic},
        {"aap", "by_size", on_hypercube(AapOrder::kBySize), kHypercube | kQuadratic},
        {"aap", "interleaved", on_hypercube(AapOrder::kInterleaved), kHypercube | kQuadratic},
        {"aap", "interleaved_small_first", on_hypercube(AapOrder::kInterleavedSmallFirst),
         kHypercube | kQuadratic},
        {"aap", "interleaved_waiting", on_hypercube(AapOrder::kInterleavedWaiting),
         kHypercube | kQuadratic},
        {"recursive-exchange", "", for_nodes(recursive_exchange), kPowerOfTwo},
        {"relayed-exchange", "windows", by_windows(Collective::kAllToAllPersonalized, to_program),
         kWindows | kQuadratic},
        {"relayed-exchange", "windows_wormhole",
         by_windows(Collective::kAllToAllPersonalized, to_streaming_program),
         kWindows | kQuadratic | kStreams},
        {"broadcast", "binomial", from_root(broadcast_binomial), kRooted},
        {"broadcast", "dimension_order", dimension_order_broadcast, kRooted | kGrid},
        {"broadcast", "scatter_allgather", broadcast_scatter_allgather, kRooted | kQuadratic},
        {"broadcast", "scatter_doubling", broadcast_scatter_doubling, kRooted | kPowerOfTwo},
        {"broadcast", "pipelined_chain", broadcast_chain, kRooted | kPipelined},
        {"broadcast", "pipelined_tree", broadcast_tree, kRooted | kPipelined},
        {"broadcast", "windows", by_windows(Collective::kOneToAll, to_program), kRooted | kWindows},
        {"broadcast", "windows_wormhole", by_windows(Collective::kOneToAll, to_streaming_program),
         kRooted | kWindows | kStreams},
        {"reduce", "binomial", reduce_binomial, kRooted},
        {"reduce", "dimension_order", reduce_dimension_order, kRooted | kGrid},
        {"reduce", "pipelined_chain", reduce_chain, kRooted | kPipelined},
        {"allreduce", "recursive_doubling", allreduce_recursive_doubling, kAnyNetwork},
        {"allreduce", "rabenseifner", allreduce_rabenseifner, kAnyNetwork},
        {"allreduce", "ring", allreduce_round_a_ring, kTwiceQuadratic},
        {"allreduce", "reduce_broadcast", allreduce_reduce_broadcast, kRooted},
        {"reduce-scatter", "ring", reduce_scatter_round_a_ring, kQuadratic},
        {"reduce-scatter", "recursive_halving", reduce_scatter_recursive_halving, kPowerOfTwo},
        {"allgather", "ring", for_nodes(allgather_ring), kQuadratic},
        {"allgather", "recursive_doubling", for_nodes(allgather_recursive_doubling), kPowerOfTwo},
        {"allgather", "windows", by_windows(Collective::kAllToAll, to_program),
         kWindows | kQuadratic},
        {"allgather", "windows_wormhole", by_windows(Collective::kAllToAll, to_streaming_program),
         kWindows | kQuadratic | kStreams},
        {"scatter", "direct", from_root(scatter_direct), kRooted},
        {"scatter", "binomial", from_root(scatter_binomial), kRooted},
        {"scatter", "windows", by_windows(Collective::kOneToAllPersonalized, to_program),
         kRooted | kWindows},
        {"scatter", "windows_wormhole",
         by_windows(Collective::kOneToAllPersonalized, to_streaming_program),
         kRooted | kWindows | kStreams},
        {"semigroup", "rows", computation},
        {"semigroup", "submeshes", computation},
        {"semigroup", "row_major", computation},
        {"semigroup", "row_major_printed", computation},
        {"prefix", "", computation},
        {"median-row", "", computation},
        {"median", "", computation},
        {"closest-neighbour", "", computation},
    };
    return kAll;
}

std::string choice_hint(const std::string& word, const std::vector<std::string>& names) {
    const std::string near = nearest(word, names);
    return (near.empty() ? std::string() : fmt::format("did you mean '{}'? ", near)) +
           fmt::format("one of: {}", fmt::join(names, ", "));
}

const Algorithm& find_algorithm(const Config& config) {
    const TrafficConfig& traffic = config.traffic;
    const ScheduleKind* schedule = find_schedule_kind(traffic.schedule);
    if (schedule == nullptr) {
        throw ConfigError(config.where("traffic.schedule"),
                          fmt::format("unknown schedule '{}'", traffic.schedule),
                          choice_hint(traffic.schedule, schedule_names()));
    }
    const AlgorithmKind* kind = find_algorithm_kind(traffic.schedule, traffic.algorithm);
    if (kind == nullptr) {
        throw ConfigError(
            config.where("traffic.algorithm"),
            fmt::format("schedule {} has no algorithm '{}'", traffic.schedule, traffic.algorithm),
            schedule->has_variants()
                ? choice_hint(traffic.algorithm, algorithms_of(traffic.schedule))
                : "leave algorithm out: this schedule has no variants");
    }
    for (const Algorithm& algorithm : algorithms()) {
        if (algorithm.schedule == traffic.schedule && algorithm.name == kind->name) {
            return algorithm;
        }
    }
    throw std::logic_error(
        fmt::format("no builder for schedule {} {}", traffic.schedule, kind->name));
}

/// Why there is no exchange of bounded contention on the network; empty when there is.
std::string mesh_or_torus_obstacle(const Graph& graph) {
    if (!graph.wiring() || !graph.wiring()->is_mesh_or_torus()) {
        return fmt::format("needs a mesh or a torus, which {} is not", graph.description());
    }
    for (const GridDimension& dimension : graph.wiring()->dimensions()) {
        if (dimension.wraps && dimension.side % 2 != 0) {
            return fmt::format("needs rings of even length, and {} has one of {}",
                               graph.description(), dimension.side);
        }
    }
    return "";
}

/// Why there are no collectives by windows on the network; empty when there are.
std::string windows_obstacle(const Graph& graph, const Config& config) {
    const bool fits = graph.wiring() && graph.wiring()->has_windows();
    if (!fits || graph.dims().size() > 2) {
        return fmt::format(
            "needs a HOW, a generalized hypercube or a mesh of one or two "
            "dimensions, which {} is not",
            graph.description());
    }
    const std::string& schedule = config.traffic.schedule;
    const PortModel ports = plan_ports(config);
    const bool has_rings =
        schedule != "broadcast" && (ports == PortModel::kOneOutput ||
                                    (ports == PortModel::kSameValue && schedule != "allgather"));
    for (const GridDimension& dimension : graph.wiring()->dimensions()) {
        if (has_rings && dimension.side > 2 && dimension.spans.back() == 1) {
            return fmt::format(
                "with port_model {} goes round a ring in every line, for which a "
                "window of 1 has no channels",
                name_of(config.node.port_model));
        }
    }
    return "";
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
    }
    if (flits > 1e18) {
        throw ConfigError(place, fmt::format("the program would send {:.2g} flits", flits),
                          "at most 1e18");
    }
}

}  // namespace

Program build_schedule(const Config& config, const Graph& graph) {
    const Algorithm& algorithm = find_algorithm(config);
    const std::string& schedule = algorithm.schedule;
    const std::string standard = find_algorithm_kind(schedule, "")->name;
    const TrafficConfig& traffic = config.traffic;
    const NodeId nodes = graph.node_count();
    std::vector<Diagnostic> findings;
    if ((algorithm.traits & kPowerOfTwo) != 0 && !is_power_of_two(nodes)) {
        const bool variant = !algorithm.name.empty();
        findings.push_back(
            {config.where(variant ? "traffic.algorithm" : "traffic.schedule"),
             fmt::format("{} needs a power-of-two number of nodes, but {} has {}",
                         variant ? algorithm.name : schedule, graph.description(), nodes),
             variant ? fmt::format("use {}", standard) : "use pex-gen, pex-gen-shift or gen"});
    }
    const bool is_binary = graph.wiring() && graph.wiring()->has_port_per_address_bit();
    if ((algorithm.traits & kHypercube) != 0 && !is_binary) {
        findings.push_back(
            {config.where("traffic.schedule"),
             fmt::format("{} needs a hypercube, which {} is not", schedule, graph.description()),
             is_power_of_two(nodes) ? "use pex" : "use gen"});
    }
    if ((algorithm.traits & kMeshOrTorus) != 0) {
        if (const std::string obstacle = mesh_or_torus_obstacle(graph); !obstacle.empty()) {
            findings.push_back({config.where("traffic.schedule"),
                                fmt::format("{} {}", schedule, obstacle), "use gen"});
        }
    }
    if ((algorithm.traits & kWindows) != 0) {
        const std::string obstacle = windows_obstacle(graph, config);
        if (!obstacle.empty()) {
            const bool variant = standard != "windows";  // there is another algorithm
            findings.push_back({config.where(variant ? "traffic.algorithm" : "traffic.schedule"),
                                fmt::format("{} {}", variant ? algorithm.name : schedule, obstacle),
                                variant ? "use " + standard : "use gen"});
        }
    }
    if ((algorithm.traits & kStreams) != 0 && !config.node.has_channels_per_link()) {
        findings.push_back(
            {config.where("traffic.algorithm"),
             fmt::format("{} streams, for which nodes need a channel for every link "
                         "(node.port_model: single)",
                         algorithm.name),
             fmt::format("set node.port_model: one_output, same_value or independent, or use {}",
                         standard)});
    }
    if ((algorithm.traits & kGrid) != 0 && !graph.wiring()) {
        findings.push_back({config.where("traffic.algorithm"),
                            fmt::format("{} needs a grid or a hypercube, which {} is not",
                                        algorithm.name, graph.description()),
                            fmt::format("use {}", standard)});
    }
    if ((algorithm.traits & kRooted) != 0 && traffic.root >= nodes) {
        findings.push_back({config.where("traffic.root"),
                            fmt::format("root {} does not exist", traffic.root),
                            fmt::format("nodes are 0 .. {}", nodes - 1)});
    }
    const bool twice = (algorithm.traits & kTwiceQuadratic) != 0;
    const std::uint64_t quadratic = (twice ? 2 : 1) * complete_exchange_size(nodes);
    if ((algorithm.traits & (kQuadratic | kTwiceQuadratic)) != 0 && quadratic > kMaxTransfers) {
        findings.push_back(
            {config.where("traffic.schedule"),
             fmt::format("{} among {} nodes needs up to {} messages", schedule, nodes, quadratic),
             fmt::format("at most {}: use {} nodes or fewer, or a pattern", kMaxTransfers,
                         twice ? 5792 : 8192)});
    }
    if ((algorithm.traits & kPipelined) != 0 && traffic.pieces > most_pieces(nodes)) {
        findings.push_back(
            {config.where("traffic.pieces"),
             fmt::format("{} pieces among {} nodes are too many", traffic.pieces, nodes),
             fmt::format("at most {}, or 0 to have the number chosen", most_pieces(nodes))});
    }
    if (traffic.message_bytes > kMaxBlockBytes) {
        findings.push_back({config.where("traffic.message_bytes"),
                            fmt::format("message_bytes {} is too large", traffic.message_bytes),
                            fmt::format("at most {}", kMaxBlockBytes)});
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    Program program = algorithm.build(graph, config);
    set_barrier(program, config);
    return program;
}

Program build_program(const Config& config, const Graph& graph) {
    const TrafficConfig& traffic = config.traffic;
    Program program;
    if (!traffic.schedule.empty()) {
        program = build_schedule(config, graph);
        const auto place = [&](MessageId) { return config.where("traffic.schedule"); };
        std::vector<Diagnostic> findings = check_channels(program, config, graph, place);
        if (!findings.empty()) throw ConfigError(std::move(findings));
    } else if (!traffic.program.empty()) {
        program = read_program(traffic.program, graph.node_count(), config.where("traffic.program"),
                               [&](const Program& read, const auto& locate) {
                                   return check_channels(read, config, graph, locate);
                               });
        set_barrier(program, config);
    } else {
        throw ConfigError(config.where("traffic"), "there is no program: traffic is a pattern",
                          "set traffic.schedule or traffic.program");
    }
    if (traffic.handshake) program = with_handshakes(program);
    check_sizes(program, config);
    return program;
}

}  // namespace flitscope
