// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The fabric of an engine together with what it refers to: the machine, its observers, its trace.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "flitscope/fabric.h"
#include "models/fabric/message_labels.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/package/access_explainer.h"
#include "testbench/app/package/signalled_channels.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/simulation_instance.h"
#include "waveforms/run_trace.h"

namespace flitscope {

class TlmInterconnect;

class NetworkFabric final : public Fabric, private MessageLabels {
public:
    /// Throws ConfigError as Network does. With a `listener` accesses are explained to it: it needs
    /// observe_accesses().
    NetworkFabric(Machine machine, const NetworkOptions& options,
                  AccessExplainer::Listener listener = {});
    ~NetworkFabric() override;

    const Machine& machine() const { return machine_; }
    const Engine& engine() const { return engine_; }
    void observe(PacketObserver& observer) { packets_.add(&observer); }
    /// Reports of accesses, and the trace, are those of this interconnect.
    void observe_accesses(TlmInterconnect& interconnect);
    std::vector<const ChannelSignals*> signals() const;
    /// Throws ConfigError if that channel is none of NetworkOptions::signals.
    const ChannelSignals& signals(const std::string& channel) const;

    MessagePort& port(NodeId node) override;
    void attach(NodeId node, MessageListener& listener) override;
    void start(const RunControl& control) override;
    RunEnd finish() override;
    void halt() override { fabric_->halt(); }
    Cycle now() const override { return fabric_->now(); }
    Cycle end_cycle() const override { return fabric_->end_cycle(); }
    std::uint32_t rtl_routers() const override { return fabric_->rtl_routers(); }
    std::uint64_t flits_sent(ChannelId channel) const override {
        return fabric_->flits_sent(channel);
    }
    std::vector<std::string> broken_invariants(bool drained) const override {
        return fabric_->broken_invariants(drained);
    }
    std::vector<WaitingPacket> find_deadlock() const override { return fabric_->find_deadlock(); }

private:
    /// Throws ConfigError if nothing can be connected to a node of this number.
    void require_living(NodeId node) const;
    MessagePort& watched_port(NodeId node);
    std::optional<MessageLabel> of(MessageId message) const override;

    Machine machine_;
    const Engine& engine_;
    const TlmInterconnect* interconnect_ = nullptr;  // null: messages are no accesses
    std::unique_ptr<AccessExplainer> explainer_;     // null: nobody listens
    PacketObservers packets_;
    ChannelObservers channels_;
    std::string trace_name_;
    std::unique_ptr<RunTrace> trace_;
    std::unique_ptr<SignalledChannels> signals_;  // null: none was chosen
    std::unique_ptr<Fabric> fabric_;
    std::map<NodeId, std::unique_ptr<MessagePort>> watched_;  // of the explainer, by the guards
    std::map<NodeId, std::unique_ptr<MessagePort>> guards_;   // of the nodes that send
    std::set<NodeId> attached_;
    bool started_ = false;
    bool trace_is_complete_ = false;
};

}  // namespace flitscope
