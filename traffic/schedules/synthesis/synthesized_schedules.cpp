// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/synthesized_schedules.h"

#include <memory>

#include "models/config/workload_config.h"
#include "models/routing/routing_factory.h"
#include "traffic/schedules/synthesis/request_rules.h"
#include "traffic/schedules/synthesis/synthesizer.h"

namespace flitscope {
namespace {

using namespace synthesis;

SynthesisRequest request_of(Collective collective, const WorkloadConfig& config) {
    SynthesisRequest request;
    request.collective = collective;
    request.chunks = config.traffic.chunks;
    request.bytes = config.traffic.message_bytes;
    request.root = config.traffic.root;
    request.seed = config.seed;
    return request;
}

ScheduleBuilder found(Collective collective) {
    return [collective](const Graph& graph, const WorkloadConfig& config) {
        const std::unique_ptr<Routing> routing = make_routing(config, graph);
        return to_program(synthesize(request_of(collective, config), config, graph, *routing),
                          "synthesized");
    };
}

Requirement can_be_found(Collective collective) {
    return [collective](const ScheduleRequest& asked) {
        const std::unique_ptr<Routing> routing = make_routing(asked.config, asked.graph);
        const Location chosen = asked.config.where("traffic.algorithm");
        return obstacle(request_of(collective, asked.config), asked.config, asked.graph, *routing,
                        {chosen, asked.config.where("traffic.root"), chosen,
                         asked.config.where("traffic.chunks")});
    };
}

}  // namespace

ScheduleKind synthesized_schedule() {
    ScheduleKind kind{
        "synthesized", "a schedule found for the network at hand, faults included", {}};
    for (const CollectiveName& known : collective_names()) {
        AlgorithmKind algorithm;
        algorithm.name = known.name;
        algorithm.summary = known.summary;
        algorithm.source =
            known.collective == Collective::kAllToAll || known.collective == Collective::kScatter
                ? "Garg and Koenemann 1998; Leighton, Maggs and Rao 1994"
                : "Won et al. 2024 (TACOS); Zhao et al. 2023 (ForestColl)";
        algorithm.keys = {"chunks"};
        if (has_root(known.collective)) algorithm.keys.emplace_back("root");
        algorithm.build = found(known.collective);
        algorithm.requirements = {can_be_found(known.collective)};
        algorithm.knows_faults = true;
        kind.algorithms.push_back(std::move(algorithm));
    }
    return kind;
}

}  // namespace flitscope
