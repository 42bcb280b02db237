// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The input-buffered packet router as a module: the ports that channels are bound to, and a core
// that does the work, ours unless another is asked for.
#pragma once

#include <memory_resource>
#include <systemc>
#include <vector>

#include "hw/common/channel_port.h"
#include "hw/common/flit_channel.h"
#include "hw/common/router_core.h"
#include "hw/common/wakeup_wheel.h"
#include "models/routing/routing.h"

namespace flitscope::hw {

class Router final : public sc_core::sc_module {
public:
    // By port number; to be bound are those of RouterConfig::inputs and outputs, and no others.
    std::vector<ChannelPort<FlitSource>> in;  ///< local ports: injection channels
    std::vector<ChannelPort<FlitSink>> out;
    /// Per local port (RouterConfig::local): takes every flit at once. A node that can refuse flits
    /// binds a channel to `out` of its port instead; where no node is, nothing is bound.
    std::vector<ChannelPort<EjectionChannel>> ejections;

    /// `memory` is for what the router touches in every cycle, and outlives it. Without `make_core`
    /// the core is a PacketRouterCore.
    Router(sc_core::sc_module_name name, const RouterConfig& config, const Routing& routing,
           WakeupWheel& clock, std::pmr::memory_resource* memory, ChannelProbe probe,
           RouterCoreFactory make_core = nullptr);

    /// Valid after elaboration.
    const RouterCore& core() const { return *core_; }
    RouterCore& core() { return *core_; }

private:
    void end_of_elaboration() override;

    RouterConfig config_;
    const Routing& routing_;
    WakeupWheel& clock_;
    std::pmr::memory_resource* memory_;
    ChannelProbe probe_;
    RouterCoreFactory make_core_;
    ArenaPtr<RouterCore> core_;
};

}  // namespace flitscope::hw
