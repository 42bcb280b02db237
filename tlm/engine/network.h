// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers and interfaces of a TLM fabric, made and joined.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/base/arena.h"
#include "models/base/module_list.h"
#include "models/base/types.h"
#include "models/fabric/fabric.h"
#include "models/fabric/wait_graph.h"
#include "models/routing/routing.h"
#include "models/topology/channel_map.h"
#include "tlm/engine/channel_monitor.h"
#include "tlm/engine/network_interface.h"
#include "tlm/engine/packet.h"
#include "tlm/engine/router.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::burst {

class Network final {
public:
    /// Takes the arguments of TlmFabric.
    Network(const HardwareConfig& config, const Graph& graph, const Routing& routing,
            const FabricContext& context, PacketObserver* packets, ChannelListener* listener);

    MessagePort& port(NodeId node) { return *interfaces_[node]; }
    void attach(NodeId node, MessageListener& listener) { interfaces_[node]->attach(listener); }
    std::uint64_t flits_sent(ChannelId channel) const;
    std::vector<std::string> broken_invariants(bool drained) const;
    std::vector<WaitingPacket> find_deadlock() const;

private:
    ChannelParameters parameters_of(const HardwareConfig& config, ChannelId channel) const;
    void create_routers(const HardwareConfig& config, const Routing& routing);
    void create_interfaces(const HardwareConfig& config, PacketObserver* packets);
    void bind(ChannelListener* listener);
    void join(Sender& sender, Receiver& receiver, ChannelListener* listener);
    void bind(const Sender& sender, ReceiveSocket& receiver, ChannelListener* listener);
    const Sender& sender(ChannelId channel, std::uint32_t vc) const;
    std::vector<FlitIndex> wanted_room(Tick behind) const;
    /// Number of the FIFO at the end of a virtual channel.
    template <class End>
    std::uint32_t fifo_of(const End& end) const {
        return end.channel() * virtual_channels_ + end.vc();
    }
    bool lacks_room(const Sender& to, FlitIndex room, Tick behind) const;
    // Whether the packet in front cannot proceed; records in `fifo` the reason. One that holds an
    // output waits for a credit, another one for any output that its route offers.
    bool waits_for_credit(const Receiver& receiver, Tick behind, WaitGraph::Fifo& fifo) const;
    bool waits_for_choices(RouterId router, const Receiver& receiver, FlitIndex wanted, Tick behind,
                           WaitGraph::Fifo& fifo) const;
    bool waits_for_choice(RouterId router, const RouteChoice& choice, FlitIndex room, Tick behind,
                          WaitGraph::Fifo& fifo) const;
    template <class Visit>
    void for_each_fifo(Visit&& visit) const;

    const Graph& graph_;
    ChannelMap map_;
    std::uint32_t virtual_channels_;
    bool combined_;       // allocation
    bool whole_packets_;  // are passed on if there is room for all of one
    const FabricContext& context_;
    PacketPool pool_;
    Arena memory_;
    ModuleList<ArenaPtr<Router>> routers_;
    ModuleList<ArenaPtr<NetworkInterface>> interfaces_;
    ModuleList<std::unique_ptr<ChannelMonitor>> monitors_;
};

}  // namespace flitscope::burst
