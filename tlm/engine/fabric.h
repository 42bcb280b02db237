// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The TLM-2.0 fabric: cycle-exact to the clocked fabric, at a cost per packet and hop instead of
// per flit (README.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/fabric.h"
#include "models/fabric/observers.h"
#include "models/routing/routing.h"
#include "tlm/engine/channel_monitor.h"
#include "tlm/engine/network.h"
#include "tlm/engine/scheduler.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

class TlmFabric final : public sc_core::sc_module, public Fabric {
public:
    /// `graph` and `routing` must outlive the fabric; observers may be null. `listener` is notified
    /// of every call between the ends of channels, which are made only for it, through sockets;
    /// null: none. Throws ConfigError if one of tlm_limitations() applies.
    TlmFabric(sc_core::sc_module_name name, const WorkloadConfig& config, const Graph& graph,
              const Routing& routing, ChannelObserver* channels = nullptr,
              PacketObserver* packets = nullptr, burst::ChannelListener* listener = nullptr);

    MessagePort& port(NodeId node) override { return network_->port(node); }
    void attach(NodeId node, MessageListener& listener) override {
        network_->attach(node, listener);
    }
    void start(const RunControl& control) override { scheduler_.start(control); }
    RunEnd finish() override { return scheduler_.finish(); }
    void halt() override { scheduler_.halt(); }
    Cycle now() const override { return static_cast<Cycle>(scheduler_.now()); }
    Cycle end_cycle() const override { return scheduler_.end_cycle(); }
    std::uint64_t flits_sent(ChannelId channel) const override {
        return network_->flits_sent(channel);
    }
    std::vector<std::string> broken_invariants(bool drained) const override {
        return network_->broken_invariants(drained);
    }
    std::vector<WaitingPacket> find_deadlock() const override { return network_->find_deadlock(); }

private:
    burst::Scheduler scheduler_;
    burst::FabricContext context_;
    std::unique_ptr<burst::Network> network_;
};

}  // namespace flitscope
