// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/package/network_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace flitscope {
namespace {

/// Chooses the engine, with findings in words for programmers.
const Engine& engine_for(const Machine& machine, const std::string& requested) {
    return *choose_engine(machine, requested,
                          {"NetworkOptions::engine",
                           fmt::format("there is no engine '{}'", requested), "choose the engine "})
                .engine;
}

/// The port of a node where others are dead: no router knows a way there.
class GuardedPort final : public MessagePort {
public:
    GuardedPort(MessagePort& port, const Graph& graph) : port_(port), graph_(graph) {}

    void send(const Message& message, Cycle begin, const SendOptions& options) override {
        if (message.destination < graph_.node_count() && !graph_.is_alive(message.destination)) {
            const std::string text =
                fmt::format("message {} of node {} goes to node {}, which is dead (section faults)",
                            message.id, message.source, message.destination);
            SC_REPORT_FATAL("/flitscope/network", text.c_str());
        }
        port_.send(message, begin, options);
    }
    void withdraw(MessageClass of) override { port_.withdraw(of); }

private:
    MessagePort& port_;
    const Graph& graph_;
};

}  // namespace

NetworkFabric::NetworkFabric(Machine machine, const NetworkOptions& options)
    : machine_(std::move(machine)), engine_(engine_for(machine_, options.engine)) {
    if (machine_.later != nullptr && !machine_.config.has_traffic()) {
        throw ConfigError(machine_.config.where("faults.at"),
                          "nodes of a program of your own would not hear of what is lost",
                          "set faults.at: 0, or give the configuration its traffic");
    }
    if (!options.trace.empty()) {
        trace_ = open_run_trace(options.trace, machine_.config, machine_.graph);
    }
    channels_.add(trace_.get());
    channels_.add(options.channels);
    packets_.add(options.packets);
    hw::FabricOptions parts;
    parts.channels = channels_.get();
    parts.packets = &packets_;
    parts.inner_signals = trace_ ? trace_->inner_signals() : nullptr;
    parts.threads = options.threads;
    parts.rtl_libraries = options.rtl_libraries;
    fabric_ = engine_.create(machine_, parts);
}

NetworkFabric::~NetworkFabric() {
    if (!started_ || trace_ == nullptr) return;
    try {
        finish();
    } catch (const std::exception& error) {
        SC_REPORT_WARNING("/flitscope/trace", error.what());
    }
}

MessagePort& NetworkFabric::port(NodeId node) {
    const Graph& graph = machine_.graph;
    if (graph.living_endpoints() == graph.endpoint_count()) return fabric_->port(node);
    if (node < graph.node_count() && !graph.is_alive(node)) {
        throw ConfigError(machine_.config.where("faults"),
                          fmt::format("node {} is dead: nothing can be connected to it", node),
                          "let it live, or use another node");
    }
    guards_.push_back(std::make_unique<GuardedPort>(fabric_->port(node), graph));
    return *guards_.back();
}

void NetworkFabric::start(const RunControl& control) {
    RunControl own = control;
    own.poll_interval = std::min(own.poll_interval, engine_.poll_interval);
    fabric_->start(own);
    started_ = true;
}

RunEnd NetworkFabric::finish() {
    const RunEnd end = fabric_->finish();
    if (trace_ != nullptr) {
        const std::unique_ptr<RunTrace> trace = std::move(trace_);
        trace->finish(fabric_->end_cycle());
    }
    return end;
}

}  // namespace flitscope
