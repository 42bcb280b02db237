// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect/interconnect.h"

#include "models/config/unit_values.h"
#include "models/performance/wire_budget.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/faults/faults.h"
#include "tlm/engine/fabric.h"

namespace flitscope {
namespace {

/// Checked before the first module is made.
const InterconnectConfig& checked(const Config& config, const Graph& graph,
                                  const Routing& routing) {
    require_interconnect(config, graph.node_count());
    require_working_interconnect(config, graph);
    require_deadlock_freedom(config, graph, find_dependency_cycle(graph, routing));
    return *config.interconnect;
}

std::unique_ptr<Fabric> make_tlm_fabric(const char* name, const Config& config, const Graph& graph,
                                        const Routing& routing) {
    return std::make_unique<TlmFabric>(name, config, graph, routing);
}

}  // namespace

TlmInterconnect::TlmInterconnect(sc_core::sc_module_name name, const Config& config)
    : TlmInterconnect(name, config, make_tlm_fabric) {}

TlmInterconnect::TlmInterconnect(sc_core::sc_module_name name, const Config& config,
                                 const FabricMaker& make_fabric)
    : sc_module(name),
      config_(config),
      graph_(build_budgeted_topology(config_)),
      routing_(make_routing(config_, graph_)),
      parts_{checked(config_, graph_, *routing_),
             AddressMap(config_.interconnect->targets),
             nullptr,
             nullptr,
             {},
             {}} {
    resolve_times(config_);
    parts_.machine = &config_;
    fabric_ = make_fabric("fabric", config_, graph_, *routing_);
    InterconnectNetworkConfig network;
    network.clock_ns = config_.clock_ns;
    network.recv_overhead = config_.node.recv_overhead;
    network.nodes = parts_.config.initiators;
    for (const InterconnectTarget& target : parts_.config.targets) {
        network.nodes.push_back(target.node);
    }
    network_ = std::make_unique<InterconnectNetwork>("network", network, *fabric_);
    parts_.network = network_.get();
    from_initiator.init(parts_.config.initiators.size());
    to_target.init(parts_.config.targets.size());
    for (std::size_t i = 0; i < from_initiator.size(); ++i) {
        initiators_.push_back(std::make_unique<InitiatorPort>(from_initiator[i], i, parts_));
        parts_.initiators.push_back(initiators_.back().get());
    }
    for (std::size_t i = 0; i < to_target.size(); ++i) {
        targets_.push_back(std::make_unique<TargetPort>(to_target[i], i, parts_));
        parts_.targets.push_back(targets_.back().get());
    }
}

TlmInterconnect::~TlmInterconnect() = default;

}  // namespace flitscope
