// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers and interfaces of a TLM fabric, made and joined: those whose streams keep the switch,
// or those whose virtual channels take turns.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/base/arena.h"
#include "models/base/module_list.h"
#include "models/config/config.h"
#include "models/fabric/fabric.h"
#include "models/fabric/wait_graph.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "tlm/engine/channel_monitor.h"
#include "tlm/engine/network_interface.h"
#include "tlm/engine/packet.h"
#include "tlm/engine/router.h"
#include "tlm/engine/turn_router.h"

namespace flitscope::burst {

/// The network of a TlmFabric, whichever parts it is made of.
class Network {
public:
    virtual ~Network() = default;
    virtual MessagePort& port(NodeId node) = 0;
    virtual void attach(NodeId node, MessageListener& listener) = 0;
    /// The last cycle in which a flit moved, in a run that has come to rest.
    virtual Tick last_move() const = 0;
    virtual std::uint64_t flits_sent(ChannelId channel) const = 0;
    virtual std::vector<std::string> broken_invariants(bool drained) const = 0;
    virtual std::vector<WaitingPacket> find_deadlock() const = 0;
};

/// Bursts: one virtual channel, or streams that hold the switch.
struct BurstParts {
    using Sender = burst::Sender;
    using Receiver = burst::Receiver;
    using Router = burst::Router;
    using NetworkInterface = burst::NetworkInterface;
};
/// Several virtual channels that take turns.
struct TurnParts {
    using Sender = TurnSender;
    using Receiver = TurnReceiver;
    using Router = TurnRouter;
    using NetworkInterface = TurnNetworkInterface;
};

template <class Parts>
class NetworkOf final : public Network {
public:
    /// Takes the arguments of TlmFabric.
    NetworkOf(const Config& config, const Graph& graph, const Routing& routing,
              const FabricContext& context, PacketObserver* packets, ChannelListener* listener);

    MessagePort& port(NodeId node) override { return *interfaces_[node]; }
    void attach(NodeId node, MessageListener& listener) override {
        interfaces_[node]->node.bind(listener);
    }
    Tick last_move() const override;
    std::uint64_t flits_sent(ChannelId channel) const override;
    std::vector<std::string> broken_invariants(bool drained) const override;
    std::vector<WaitingPacket> find_deadlock() const override;

private:
    using Sender = typename Parts::Sender;
    using Receiver = typename Parts::Receiver;
    using Router = typename Parts::Router;
    using NetworkInterface = typename Parts::NetworkInterface;

    ChannelParameters parameters_of(const Config& config, ChannelId channel) const;
    void create_routers(const Config& config, const Routing& routing);
    void create_interfaces(const Config& config, PacketObserver* packets);
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
    // Whether the packet in front can go no further as things stand; tells `fifo` what for. One
    // that holds an output waits for a credit, another one for any of what its route offers.
    bool waits_for_credit(const Receiver& receiver, Tick behind, WaitGraph::Fifo& fifo) const;
    bool waits_for_choices(NodeId node, const Receiver& receiver, FlitIndex wanted, Tick behind,
                           WaitGraph::Fifo& fifo) const;
    bool waits_for_choice(NodeId node, const RouteChoice& choice, FlitIndex room, Tick behind,
                          WaitGraph::Fifo& fifo) const;
    template <class Visit>
    void for_each_fifo(Visit&& visit) const;

    const Graph& graph_;
    ChannelMap map_;
    std::uint32_t virtual_channels_;
    bool combined_;       // allocation
    bool whole_packets_;  // are passed on where there is room for all of one
    FlitIndex depth_;     // of every FIFO
    const FabricContext& context_;
    PacketPool pool_;
    Arena memory_;
    ModuleList<ArenaPtr<Router>> routers_;
    ModuleList<ArenaPtr<NetworkInterface>> interfaces_;
    ModuleList<std::unique_ptr<ChannelMonitor>> monitors_;
};

}  // namespace flitscope::burst
