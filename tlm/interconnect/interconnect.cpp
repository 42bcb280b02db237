// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect/interconnect.h"

#include <fmt/format.h>

#include <utility>

#include "models/config/unit_values.h"
#include "models/fabric/planes.h"
#include "models/performance/wire_budget.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/faults/faults.h"
#include "tlm/addresses/response_cycle.h"
#include "tlm/engine/fabric.h"
#include "tlm/interconnect/interconnect_network.h"
#include "tlm/interconnect/interconnect_ports.h"

namespace flitscope {
namespace {

/// That sends which begin in a cycle can be collected after the one before has begun.
void require_order_of_cycles(const Config& config) {
    const sc_core::sc_time period(config.clock_ns, sc_core::SC_NS);
    const sc_core::sc_time tick = sc_core::sc_get_time_resolution();
    if (period > tick) return;
    throw ConfigError(config.where("clock_ns"),
                      fmt::format("a cycle of {} ns is no longer than the time resolution of this "
                                  "kernel, {}, and accesses have no order within it",
                                  config.clock_ns, tick.to_string()),
                      "call sc_core::sc_set_time_resolution(1, sc_core::SC_PS) first");
}

/// Checked before the first module is made.
const InterconnectConfig& checked(const Config& config, const Graph& graph,
                                  const Routing& routing) {
    require_interconnect(config, graph);
    if (auto obstacle = planes_obstacle(config)) throw ConfigError({std::move(*obstacle)});
    require_order_of_cycles(config);
    require_deadlock_freedom(config, graph, find_dependency_cycle(graph, routing));
    require_responses(config, graph, find_response_cycle(config, graph, routing));
    return *config.interconnect;
}

std::unique_ptr<Fabric> make_tlm_fabric(const char* name, const Config& config, const Graph& graph,
                                        const Routing& routing) {
    return std::make_unique<TlmFabric>(name, config, graph, routing);
}

}  // namespace

struct TlmInterconnect::Parts {
    /// In the constructor of `interconnect`: its modules are children of that one.
    Parts(TlmInterconnect& interconnect, const Config& its_config, const FabricMaker& make_fabric)
        : config(its_config),
          graph(build_budgeted_topology(config)),
          routing(make_routing(config, graph)),
          shared{checked(config, graph, *routing),
                 AddressMap(config.interconnect->targets),
                 nullptr,
                 {request_class(config), response_class(config)},
                 nullptr,
                 {},
                 {},
                 {}} {
        resolve_times(config);
        shared.machine = &config;
        // To the fabric, accesses are requests and replies as those of a pattern are.
        simulated = config;
        simulated.traffic.reply_queue = shared.config.request_queue;
        simulated.traffic.reply_class =
            config.fabric.has_classes() ? config.fabric.classes[shared.classes.response] : "";
        fabric = make_fabric("fabric", simulated, graph, *routing);
        make_network();
        make_ports(interconnect);
    }

    void make_network() {
        InterconnectNetworkConfig wanted;
        wanted.clock_ns = config.clock_ns;
        wanted.recv_overhead = config.node.recv_overhead;
        wanted.nodes = shared.config.initiators;
        for (const InterconnectTarget& target : shared.config.targets) {
            wanted.nodes.push_back(target.node);
        }
        if (shared.config.timing == AccessTiming::kAnnotated) {
            unloaded =
                std::make_unique<UnloadedTimes>(config, graph, *routing, shared.config.queueing);
            wanted.unloaded = unloaded.get();
        }
        network = std::make_unique<InterconnectNetwork>("network", wanted, *fabric);
        shared.network = network.get();
    }

    void make_ports(TlmInterconnect& interconnect) {
        auto& from_initiator = interconnect.from_initiator;
        auto& to_target = interconnect.to_target;
        from_initiator.init(shared.config.initiators.size());
        to_target.init(shared.config.targets.size());
        for (std::size_t i = 0; i < from_initiator.size(); ++i) {
            initiators.push_back(std::make_unique<InitiatorPort>(from_initiator[i], i, shared));
            shared.initiators.push_back(initiators.back().get());
        }
        for (std::size_t i = 0; i < to_target.size(); ++i) {
            targets.push_back(std::make_unique<TargetPort>(to_target[i], i, shared));
            shared.targets.push_back(targets.back().get());
        }
    }

    Config config;
    Graph graph;
    std::unique_ptr<Routing> routing;
    Config simulated;  // by the fabric
    std::unique_ptr<Fabric> fabric;
    std::unique_ptr<UnloadedTimes> unloaded;  // of annotated timing
    std::unique_ptr<InterconnectNetwork> network;
    InterconnectParts shared;
    std::vector<std::unique_ptr<InitiatorPort>> initiators;
    std::vector<std::unique_ptr<TargetPort>> targets;
};

TlmInterconnect::TlmInterconnect(sc_core::sc_module_name name, const Config& config)
    : TlmInterconnect(name, config, make_tlm_fabric) {}

TlmInterconnect::TlmInterconnect(sc_core::sc_module_name name, const Config& config,
                                 const FabricMaker& make_fabric)
    : sc_module(name), parts_(std::make_unique<Parts>(*this, config, make_fabric)) {}

TlmInterconnect::~TlmInterconnect() = default;

const AddressMap& TlmInterconnect::address_map() const { return parts_->shared.map; }
Fabric& TlmInterconnect::fabric() { return *parts_->fabric; }
const Fabric& TlmInterconnect::fabric() const { return *parts_->fabric; }
const Config& TlmInterconnect::config() const { return parts_->config; }
const Graph& TlmInterconnect::graph() const { return parts_->graph; }
const Routing& TlmInterconnect::routing() const { return *parts_->routing; }

const SocketCounts& TlmInterconnect::counts_of_initiator(std::size_t i) const {
    return parts_->initiators.at(i)->counts();
}

const SocketCounts& TlmInterconnect::counts_of_target(std::size_t i) const {
    return parts_->targets.at(i)->counts();
}

std::vector<ChannelCount> TlmInterconnect::channel_counts() const {
    return flitscope::channel_counts(*parts_->fabric, parts_->graph);
}

void TlmInterconnect::observe(AccessObserver& observer) {
    parts_->shared.observers.push_back(&observer);
}

const CarriedAccess* TlmInterconnect::access_of(MessageId message) const {
    return parts_->network->find(message);
}

void TlmInterconnect::end_of_elaboration() { parts_->fabric->start({}); }

}  // namespace flitscope
