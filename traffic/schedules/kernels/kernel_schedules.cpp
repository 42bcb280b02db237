// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/kernels/kernel_schedules.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/config/traffic_config.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "traffic/schedules/kernels/kernels.h"
#include "traffic/schedules/kinds/requirements.h"

namespace flitscope {
namespace {

/// Operations take their messages from one interface.
std::optional<Diagnostic> needs_one_channel(const ScheduleRequest& request) {
    if (!request.config.node.has_channels_per_link()) return std::nullopt;
    return Diagnostic{request.config.where("node.port_model"),
                      fmt::format("{} is for nodes with one channel", request.schedule.name),
                      "set node.port_model: single"};
}

/// Memory of a message with its operations, measured like kBytesOfMessage; and if all of them can
/// begin at once.
constexpr std::uint64_t kBytesOfKernelMessage = 270;
constexpr std::uint64_t kBytesOfFreeMessage = 1300;

/// Requires room for the messages that `count` counts.
template <typename Count>
Requirement needs_room(Count count, std::uint64_t bytes_each = kBytesOfKernelMessage) {
    return [count, bytes_each](const ScheduleRequest& request) {
        return needs_room_for(request, count(request.graph, request.config),
                              "take fewer iterations, or a smaller network", bytes_each);
    };
}

std::optional<Diagnostic> needs_replicas(const ScheduleRequest& request) {
    const TrafficConfig& traffic = request.config.traffic;
    const std::uint64_t replica = std::uint64_t{traffic.tensor_ranks} * traffic.pipeline_stages;
    const NodeId nodes = request.graph.node_count();
    if (nodes % replica == 0) return std::nullopt;
    return Diagnostic{request.config.where(traffic.tensor_ranks != 1 ? "traffic.tensor_ranks"
                                                                     : "traffic.pipeline_stages"),
                      fmt::format("{} tensor ranks x {} pipeline stages do not divide {} nodes",
                                  traffic.tensor_ranks, traffic.pipeline_stages, nodes),
                      "the nodes are replicas of tensor_ranks x pipeline_stages nodes each"};
}

}  // namespace

std::vector<ScheduleKind> kernel_schedules() {
    const auto halo = [](std::uint32_t dimensions) {
        return needs_room([dimensions](const Graph& graph, const WorkloadConfig& config) {
            return halo_messages(graph, config, dimensions);
        });
    };
    return {
        {"halo-2d",
         "compute, then exchange faces with up to four neighbours",
         {{"",
           "",
           "Gropp, Lusk and Skjellum 1994, Section 4 (the Poisson problem)",
           {"iterations", "compute_cycles", "periodic"},
           halo_2d,
           {needs_one_channel, halo(2)}}}},
        {"halo-3d",
         "compute, then exchange faces with up to six neighbours",
         {{"",
           "",
           "Gropp, Lusk and Skjellum 1994, Section 4 (the Poisson problem)",
           {"iterations", "compute_cycles", "periodic"},
           halo_3d,
           {needs_one_channel, halo(3)}}}},
        {"wavefront",
         "sweeps from the four corners of a grid, in blocks",
         {{"",
           "",
           "Koch, Baker and Alcouffe 1992; Sweep3D",
           {"iterations", "compute_cycles", "blocks"},
           wavefront,
           {needs_one_channel, needs_room(wavefront_messages)}}}},
        {"fft-transpose",
         "three computations, transpositions in rows and in columns of a grid between them",
         {{"",
           "",
           "Pekurovsky 2012, pencils",
           {"iterations", "compute_cycles"},
           fft_transpose,
           {needs_one_channel, needs_room(fft_messages)}}}},
        {"training-step",
         "forward and backward through a pipeline, sums over tensor ranks and replicas",
         {{"",
           "",
           "Narayanan et al. 2021; Huang et al. 2019, GPipe",
           {"iterations", "compute_cycles", "blocks", "tensor_ranks", "pipeline_stages",
            "gradient_bytes"},
           training_step,
           {needs_one_channel, needs_replicas, needs_room(training_messages)}}}},
        {"random-access",
         "every node sends to nodes drawn at random",
         {{"",
           "",
           "Luszczek et al. 2006, RandomAccess",
           {"iterations", "compute_cycles"},
           random_access,
           {needs_one_channel, needs_room(
                                   [](const Graph& graph, const WorkloadConfig& config) {
                                       return std::uint64_t{config.traffic.iterations} *
                                              graph.node_count();
                                   },
                                   kBytesOfFreeMessage)}}}},
    };
}

bool is_kernel(const std::string& schedule) {
    const std::vector<ScheduleKind> kernels = kernel_schedules();
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const ScheduleKind& kernel) { return kernel.name == schedule; });
}

}  // namespace flitscope
