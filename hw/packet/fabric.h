// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cycle-accurate fabric: its routers, a network interface for every node and a channel for
// every link, created and bound by walking the topology graph.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <unordered_set>
#include <vector>

#include "hw/common/clocked_fabric.h"
#include "hw/common/fabric_options.h"
#include "hw/common/flit_channel.h"
#include "hw/common/packet_pool.h"
#include "hw/common/partition_outbox.h"
#include "hw/packet/changing_routing.h"
#include "hw/packet/endpoint_routing.h"
#include "hw/packet/packet_interface.h"
#include "hw/packet/resilient_interface.h"
#include "hw/packet/router.h"
#include "hw/verilated/rtl_routers.h"
#include "models/base/arena.h"
#include "models/base/module_list.h"
#include "models/base/types.h"
#include "models/fabric/channel_timing.h"
#include "models/fabric/fabric.h"
#include "models/fabric/observers.h"
#include "models/fabric/wait_graph.h"
#include "models/routing/link_queues.h"
#include "models/routing/routing.h"
#include "models/topology/channel_map.h"

namespace flitscope {
class Graph;
struct Config;
}  // namespace flitscope

namespace flitscope::hw {

/// Throws ConfigError when a router of `ports` ports (local ones included) has more virtual
/// channels in total than the clocked router can have: 2048, with those of a port counted as a
/// power of two.
void require_router_size(const Config& config, PortId ports);

class CycleFabric final : public sc_core::sc_module, public ClockedFabric, private LinkQueues {
public:
    /// `graph` and `routing` must outlive the fabric. Throws ConfigError as RtlRouters and
    /// require_router_size() do.
    CycleFabric(sc_core::sc_module_name name, const Config& config, const Graph& graph,
                const Routing& routing, const FabricOptions& options);

    using ClockedFabric::halt;  // not that of sc_module
    void start(const RunControl& control) override;
    MessagePort& port(NodeId node) override { return *interfaces_[node]; }
    void attach(NodeId node, MessageListener& listener) override;
    RunEnd finish() override;
    /// Whether no module is awake and none will wake by itself.
    bool idle() const { return clock_.all_idle(); }
    /// Whether the limit or the supervisor ended the simulation.
    bool stopped() const { return clock_.stopped(); }
    std::uint64_t flits_sent(ChannelId channel) const override;
    std::vector<std::string> broken_invariants(bool drained) const override;
    std::vector<WaitingPacket> find_deadlock() const override;

    /// The channel `id`, a link or an injection channel; for comparisons of fabrics.
    const FlitChannel& channel(ChannelId id) const { return *channels_[id]; }
    std::uint32_t rtl_routers() const override { return rtl_.count(); }
    std::uint32_t parts() const override { return clock_.parts(); }
    const LossCounts* losses() const override {
        return transmissions_ ? &transmissions_->counts : nullptr;
    }

private:
    Cycle cycles_of_moves() const override;
    /// The state at the start of cycle `now`, whichever routers have been ticked in it.
    std::uint64_t queued(LinkId link, VcMask virtual_channels, Cycle now) const override;
    // For several threads (fabric_parts.cpp).
    void split(const FabricOptions& options);
    std::vector<std::uint32_t> find_parts(const FabricOptions& options) const;
    bool can_be_split(const FabricOptions& options) const;
    // Of the modules of a router and its nodes, which are in one part.
    WakeupWheel& wheel_of(RouterId router) {
        return clock_.part(part_of_.empty() ? 0 : part_of_[router]);
    }
    PartitionOutbox* outbox_of(RouterId router) const {
        if (outboxes_.empty()) return nullptr;
        return outboxes_[part_of_.empty() ? 0 : part_of_[router]].get();
    }
    /// The observer of their channel events; null: none.
    ChannelObserver* observer_for(RouterId router) const {
        return channel_observer_ == nullptr ? nullptr : outbox_of(router);
    }
    Cycle settle();

    void create_routers(const Config& config, const Routing& routing, const FabricOptions& options);
    void create_channels(const Config& config);
    void create_interfaces(const Config& config, const FabricOptions& options);
    void create_interface(const Config& config, const FabricOptions& options, NodeId node);
    void check_router(RouterId router, bool drained, std::vector<std::string>& broken) const;
    RouterConfig router_config(const Config& config, RouterId router) const;
    ChannelProbe probe_of(const FabricOptions& options, RouterId router) const;
    // Faults while running (fabric_faults.cpp).
    void change_network();
    std::unordered_set<std::uint64_t> find_lost() const;
    bool stays(std::uint64_t header, ChannelId channel, std::uint32_t vc) const;

    const FlitChannel* input_channel(RouterId router, PortId port) const;
    // For the search for deadlocks: places in a WaitGraph, and the packets that wait there.
    std::uint32_t wait_number(RouterId router, const PortFifo& fifo) const;
    std::uint32_t wait_number(NodeId node, const ReplyWait& reply) const;
    void add_wait(RouterId router, const WaitReport& report, WaitGraph& graph) const;
    void add_wait(NodeId node, const ReplyWait& reply, WaitGraph& graph) const;

    const Graph& graph_;
    const Routing& routing_;
    std::optional<EndpointRouting> endpoint_routing_;  // with per-link endpoint ports
    const FaultedNetwork* later_;                      // null: the network does not change
    std::optional<ChangingRouting> changing_routing_;  // if it does
    std::optional<Transmissions> transmissions_;       // if packets can be lost or retransmitted
    ChannelMap map_;
    RtlRouters rtl_;
    std::uint32_t virtual_channels_;
    Arena memory_;
    PacketPool packets_;
    std::vector<std::uint32_t> part_of_;  // per router; empty: there is one part
    // Deferred events of each part, and of all together; empty for one part that is not observed.
    std::vector<std::unique_ptr<PartitionOutbox>> outboxes_;
    std::vector<PartitionOutbox::Arrived> arriving_;
    std::vector<PartitionOutbox::Arrived> arrived_;
    std::vector<PartitionOutbox::Injected> injected_;
    ChannelObserver* channel_observer_;  // null: channels are not observed
    ModuleList<std::unique_ptr<Router>> routers_;
    std::vector<std::unique_ptr<FlitChannel>> channels_;  // links, then injection channels
    ModuleList<std::unique_ptr<PacketInterface>> interfaces_;
    std::vector<ResilientInterface*> resilient_;  // among them, by node, if packets can be lost
};

}  // namespace flitscope::hw
