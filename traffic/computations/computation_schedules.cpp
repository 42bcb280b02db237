// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/computations/computation_schedules.h"

#include <string>

#include "models/config/workload_config.h"
#include "traffic/computations/computations.h"
#include "traffic/schedules/kinds/requirements.h"

namespace flitscope {
namespace {

Program compute(const Graph& graph, const WorkloadConfig& config) {
    Program program = to_program(build_computation(config, graph), config.traffic.message_bytes);
    program.name = config.traffic.schedule;
    return program;
}

}  // namespace

std::vector<ScheduleKind> computation_schedules() {
    const std::vector<std::string> operands = {"operation", "values_per_node"};
    const std::vector<Requirement> at_every_router = {needs_a_node_per_router};
    return {
        {"semigroup",
         "computes: the values of all nodes combined into one",
         {{"rows", "along one dimension after the other; grids, express meshes of layout full",
           "Cheung and Lau 1995, 4, 5 (Algorithms 1, 2)", operands, compute, at_every_router},
          {"submeshes",
           "within submeshes, then among their terminals; express meshes, the default on layouts "
           "other than full",
           "Cheung and Lau 1995, 6 to 8 (Algorithm 3)", operands, compute, at_every_router},
          {"row_major",
           "the same with the rows of a submesh kept apart, for values in the order of nodes",
           "Cheung and Lau 1995, 6 (Algorithm 4), corrected", operands, compute, at_every_router},
          {"row_major_printed",
           "the same with phase 3 as printed, which needs an operation that commutes",
           "Cheung and Lau 1995, 6 (Algorithm 4)", operands, compute, at_every_router}},
         semigroup_default},
        {"prefix",
         "computes: every value combined with all before it; grids, express meshes of layout full",
         {{"", "", "Cheung and Lau 1995, 9", operands, compute, at_every_router}}},
        {"median-row",
         "computes: the row up to which half of all ones stand; where `prefix` works, two "
         "dimensions",
         {{"", "", "Cheung and Lau 1995, 9", {}, compute, at_every_router}}},
        {"median",
         "computes: the median of a number at each node, by pivots; where `prefix` works",
         {{"", "", "Cheung and Lau 1995, 9", {}, compute, at_every_router}}},
        {"closest-neighbour",
         "computes: for each one in a plane of bits the nearest other one; where `prefix` works, "
         "two dimensions",
         {{"", "", "Cheung and Lau 1995, 9", {}, compute, at_every_router}}},
    };
}

}  // namespace flitscope
