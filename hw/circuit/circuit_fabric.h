// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cycle-accurate fabric with circuit switching (hw/TIMING.md, "Circuits"): its routers, a
// network interface for every node and a module for every link, bound by walking the topology
// graph.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "hw/circuit/circuit_interface.h"
#include "hw/circuit/circuit_link.h"
#include "hw/circuit/circuit_router.h"
#include "hw/common/clocked_fabric.h"
#include "hw/common/fabric_options.h"
#include "models/base/module_list.h"
#include "models/base/types.h"
#include "models/routing/routing.h"
#include "models/topology/channel_map.h"

namespace flitscope {
class Graph;
struct WorkloadConfig;
}  // namespace flitscope

namespace flitscope::hw {

class CircuitFabric final : public sc_core::sc_module, public ClockedFabric {
public:
    /// `graph` and `routing` must outlive the fabric; `options.inner_signals` is not used. Throws
    /// ConfigError as require_circuits() (models/fabric/switching.h) does.
    CircuitFabric(sc_core::sc_module_name name, const WorkloadConfig& config, const Graph& graph,
                  const Routing& routing, const FabricOptions& options);

    using ClockedFabric::halt;  // not that of sc_module
    MessagePort& port(NodeId node) override { return *interfaces_[node]; }
    void attach(NodeId node, MessageListener& listener) override;
    std::uint64_t flits_sent(ChannelId channel) const override;
    std::vector<std::string> broken_invariants(bool drained) const override;
    std::vector<WaitingPacket> find_deadlock() const override;

private:
    Cycle cycles_of_moves() const override;
    void create_routers(const FabricOptions& options, const Routing& routing);
    void create_links(std::uint32_t setup_delay);
    void create_interfaces(const WorkloadConfig& config, const FabricOptions& options);
    void check_router(RouterId router, bool drained, std::vector<std::string>& broken) const;

    const Graph& graph_;
    ChannelMap map_;
    PacketPool packets_;
    ModuleList<std::unique_ptr<CircuitRouter>> routers_;
    ModuleList<std::unique_ptr<CircuitLink>> links_;
    ModuleList<std::unique_ptr<CircuitInterface>> interfaces_;
};

}  // namespace flitscope::hw
