// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The TLM-2.0 fabric: cycle for cycle what the clocked fabric does, at a cost per packet and hop
// instead of per flit (README.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/arena.h"
#include "models/base/module_list.h"
#include "models/config/config.h"
#include "models/fabric/fabric.h"
#include "models/fabric/observers.h"
#include "models/routing/routing.h"
#include "models/tlm/engine/channel_monitor.h"
#include "models/tlm/engine/network_interface.h"
#include "models/tlm/engine/packet.h"
#include "models/tlm/engine/router.h"
#include "models/tlm/engine/scheduler.h"
#include "models/topology/graph.h"

namespace flitscope {

class TlmFabric final : public sc_core::sc_module, public Fabric {
public:
    /// `graph` and `routing` must outlive the fabric; observers may be null. `listener` is told of
    /// every call between the ends of channels, which are made for it, as are sockets for them;
    /// null: none. Throws ConfigError where one of tlm_limitations() stands in the way.
    TlmFabric(sc_core::sc_module_name name, const Config& config, const Graph& graph,
              const Routing& routing, ChannelObserver* channels = nullptr,
              PacketObserver* packets = nullptr, burst::ChannelListener* listener = nullptr);

    MessagePort& port(NodeId node) override { return *interfaces_[node]; }
    void attach(NodeId node, MessageListener& listener) override;
    void start(const RunControl& control) override { scheduler_.start(control); }
    RunEnd finish() override { return scheduler_.finish(); }
    void halt() override { scheduler_.halt(); }
    Cycle now() const override { return static_cast<Cycle>(scheduler_.now()); }
    Cycle end_cycle() const override { return scheduler_.end_cycle(); }
    std::uint64_t flits_sent(ChannelId channel) const override;
    std::vector<std::string> broken_invariants(bool drained) const override;
    std::vector<WaitingPacket> find_deadlock() const override;

private:
    burst::ChannelParameters parameters_of(const Config& config, ChannelId channel) const;
    void create_routers(const Config& config, const Routing& routing);
    void create_interfaces(const Config& config, PacketObserver* packets);
    void bind(burst::ChannelListener* listener);
    void join(burst::Sender& sender, burst::Receiver& receiver, burst::ChannelListener* listener);
    void bind(const burst::Sender& sender, burst::ReceiveSocket& receiver,
              burst::ChannelListener* listener);
    const burst::Sender& sender(ChannelId channel, std::uint32_t vc) const;
    std::vector<burst::FlitIndex> wanted_room(burst::Tick behind) const;
    template <class Visit>
    void for_each_fifo(Visit&& visit) const;

    const Graph& graph_;
    ChannelMap map_;
    std::uint32_t virtual_channels_;
    bool combined_;           // allocation
    bool whole_packets_;      // are passed on where there is room for all of one
    burst::FlitIndex depth_;  // of every FIFO
    burst::Scheduler scheduler_;
    burst::FabricContext context_;
    burst::PacketPool pool_;
    Arena memory_;
    ModuleList<ArenaPtr<burst::Router>> routers_;
    ModuleList<ArenaPtr<burst::NetworkInterface>> interfaces_;
    ModuleList<std::unique_ptr<burst::ChannelMonitor>> monitors_;
};

}  // namespace flitscope
