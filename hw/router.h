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
#include "models/fabric/inner_signals.h"
#include "models/fabric/observers.h"
#include "models/routing/routing.h"

namespace flitscope::hw {

class RtlRouters;

struct RouterConfig {
    NodeId node = 0;
    PortId ports = 1;  ///< the local port included
    std::uint32_t virtual_channels = 1;
    bool hold_switch = false;         ///< an input virtual channel that streams keeps its ports
    const RtlRouters* rtl = nullptr;  ///< set: a verilated router takes the place of ours
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

/// The clocked part of a router: ours (router_pipeline.h) or a verilated one (rtl_pipeline.h).
class RouterPipeline : public Clocked {
public:
    virtual InputStatus input_status(PortId port, std::uint32_t vc) const = 0;
    /// The simulation is over: reports what was to be reported in the next cycle.
    virtual void finish() {}
};

/// Who watches the channels that a router drives, and what they are called.
struct ChannelProbe {
    ChannelObserver* observer = nullptr;  ///< null: nobody watches, and nothing is reported
    const PacketPool* packets = nullptr;
    std::vector<ChannelId> in;   ///< per port: the channel that ends here
    std::vector<ChannelId> out;  ///< per port: the channel that this router drives
    InnerSignalObserver* inner_signals = nullptr;  ///< set: those of a verilated router are traced
};

class Router final : public sc_core::sc_module {
public:
    /// Routers leave ports at the edge of a network unbound.
    using InPort = sc_core::sc_port<FlitSource, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
    using OutPort = sc_core::sc_port<FlitSink, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

    sc_core::sc_vector<InPort> in;    ///< port 0: injection channel
    sc_core::sc_vector<OutPort> out;  ///< port 0: unbound where `ejection` is bound
    /// Takes every flit at once. A node that can refuse flits binds a channel to out[0] instead.
    sc_core::sc_port<EjectionSink, 1, sc_core::SC_ZERO_OR_MORE_BOUND> ejection{"ejection"};

    /// `memory` is for what the router touches in every cycle, and outlives it.
    Router(sc_core::sc_module_name name, const RouterConfig& config, const Routing& routing,
           ClockDomain& clock, std::pmr::memory_resource* memory, ChannelProbe probe);
    ~Router() override;

    /// Valid after elaboration.
    const RouterPipeline& pipeline() const { return *pipeline_; }
    RouterPipeline& pipeline() { return *pipeline_; }

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
