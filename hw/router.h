// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The input-buffered wormhole router as a module: ports, and the pipeline behind them.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <systemc>
#include <vector>

#include "hw/clock_domain.h"
#include "hw/flit_channel.h"
#include "hw/packet_pool.h"
#include "models/fabric/observers.h"
#include "models/routing/routing.h"

namespace flitscope::hw {

struct RouterConfig {
    NodeId node = 0;
    PortId ports = 1;  ///< the local port included
    std::uint32_t virtual_channels = 1;
};

/// What an input virtual channel is doing; for the watchdog's report of who waits for whom.
struct InputStatus {
    enum class State : std::uint8_t {
        kIdle,        ///< no head visible at its front
        kRequesting,  ///< waits for a virtual channel of output `port`
        kSending,     ///< holds virtual channel `out_vc` of output `port`
    };
    State state = State::kIdle;
    std::uint64_t header = 0;  ///< of the packet at the front; valid unless idle
    PortId port = 0;
    std::uint32_t out_vc = 0;
    std::uint8_t allowed_vcs = 0xff;
};

/// The clocked part of a router. The implementation is chosen at elaboration by the number of
/// ports and virtual channels and by whether somebody observes.
class RouterPipeline : public Clocked {
public:
    virtual InputStatus input_status(PortId port, std::uint32_t vc) const = 0;
};

/// Who watches the channels that a router drives, and what they are called.
struct ChannelProbe {
    ChannelObserver* observer = nullptr;  ///< null: nobody watches, and nothing is reported
    const PacketPool* packets = nullptr;
    std::vector<ChannelId> in;   ///< per port: the channel that ends here
    std::vector<ChannelId> out;  ///< per port: the channel that this router drives
};

class Router final : public sc_core::sc_module {
public:
    /// Routers leave ports at the edge of a network unbound.
    using InPort = sc_core::sc_port<FlitSource, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
    using OutPort = sc_core::sc_port<FlitSink, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

    sc_core::sc_vector<InPort> in;    ///< port 0: injection channel
    sc_core::sc_vector<OutPort> out;  ///< port 0 stays unbound: see `ejection`
    sc_core::sc_port<EjectionSink> ejection{"ejection"};

    /// `memory` is for what the router touches in every cycle, and outlives it.
    Router(sc_core::sc_module_name name, const RouterConfig& config, const Routing& routing,
           ClockDomain& clock, std::pmr::memory_resource* memory, ChannelProbe probe);
    ~Router() override;

    /// Valid after elaboration.
    const RouterPipeline& pipeline() const { return *pipeline_; }

private:
    void end_of_elaboration() override;

    RouterConfig config_;
    const Routing& routing_;
    ClockDomain& clock_;
    std::pmr::memory_resource* memory_;
    ChannelProbe probe_;
    RouterPipeline* pipeline_ = nullptr;  // lies in memory_
};

}  // namespace flitscope::hw
