// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/fabric.h"

#include <memory>
#include <stdexcept>

#include "tlm/engine/limitations.h"

namespace flitscope {

namespace {

std::unique_ptr<burst::Network> create_network(const Config& config, const Graph& graph,
                                               const Routing& routing,
                                               const burst::FabricContext& context,
                                               PacketObserver* packets,
                                               burst::ChannelListener* listener) {
    if (config.fabric.virtual_channels > 1 && !config.fabric.holds_switch()) {
        if (listener != nullptr) {
            throw std::invalid_argument(
                "TlmFabric: virtual channels that take turns make no calls");
        }
        return std::make_unique<burst::NetworkOf<burst::TurnParts>>(config, graph, routing, context,
                                                                    packets, listener);
    }
    return std::make_unique<burst::NetworkOf<burst::BurstParts>>(config, graph, routing, context,
                                                                 packets, listener);
}

}  // namespace

TlmFabric::TlmFabric(sc_core::sc_module_name name, const Config& config, const Graph& graph,
                     const Routing& routing, ChannelObserver* channels, PacketObserver* packets,
                     burst::ChannelListener* listener)
    : sc_module(name),
      scheduler_("scheduler", sc_core::sc_time(config.clock_ns, sc_core::SC_NS)),
      context_{scheduler_, channels, listener == nullptr} {
    if (const auto refusal = first_refusal(tlm_limitations(), config, graph, routing)) {
        throw ConfigError({refusal->diagnostic(config)});
    }
    network_ = create_network(config, graph, routing, context_, packets, listener);
}

RunEnd TlmFabric::finish() {
    scheduler_.moved_until(network_->last_move());
    return scheduler_.finish();
}

}  // namespace flitscope
