// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/package/network_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace flitscope {
namespace {

/// In words of those who write programs.
const Engine& engine_for(const Machine& machine, const std::string& requested) {
    return *choose_engine(machine, requested,
                          {"NetworkOptions::engine",
                           fmt::format("there is no engine '{}'", requested), "choose the engine "})
                .engine;
}

}  // namespace

NetworkFabric::NetworkFabric(Machine machine, const NetworkOptions& options)
    : machine_(std::move(machine)), engine_(engine_for(machine_, options.engine)) {
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
