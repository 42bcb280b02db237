// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The input-buffered router as a module: ports, and the core behind them.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/common/clock_domain.h"
#include "hw/common/flit_channel.h"
#include "hw/common/packet_pool.h"
#include "hw/common/port_array.h"
#include "models/config/config.h"
#include "models/fabric/inner_signals.h"
#include "models/fabric/observers.h"
#include "models/routing/routing.h"

namespace flitscope::hw {

class RtlRouters;

/// Throws ConfigError when a router of `ports` ports (the local one included) has more virtual
/// channels in all than a Router can have: 2048, where those of a port count as a power of two.
void require_router_size(const Config& config, PortId ports);

struct RouterConfig {
    NodeId node = 0;
    // Per port number, the node's own included: whether a channel ends, or begins, there.
    std::vector<bool> inputs;
    std::vector<bool> outputs;  ///< the node's: false where Router::ejection is bound
    /// The first of the ports at which the node's channels begin and end, which are all from there
    /// on; kLocalPort: it alone.
    PortId first_endpoint_port = kLocalPort;
    std::uint32_t virtual_channels = 1;
    bool hold_switch = false;  ///< an input virtual channel that streams keeps its ports
    /// Set: packets are passed on as a whole, and their lengths are looked up here; null: wormhole.
    const PacketPool* whole_packets = nullptr;
    /// Set, with whole_packets: store and forward, with so many cycles between the arrival of a
    /// tail and the request for the next link.
    std::optional<std::uint32_t> combining_delay;
    const RtlRouters* rtl = nullptr;  ///< set: a verilated router takes the place of ours

    bool is_endpoint_port(PortId port) const {
        return first_endpoint_port == kLocalPort ? port == kLocalPort : port >= first_endpoint_port;
    }
};

/// What an input virtual channel is doing; for the watchdog's report of who waits for whom.
struct InputStatus {
    enum class State : std::uint8_t {
        kIdle,        ///< no head at its front
        kRequesting,  ///< waits for one of Router::choices()
        kSending,     ///< holds virtual channel `out_vc` of output `port`
    };
    State state = State::kIdle;
    std::uint64_t header = 0;  ///< of the packet at the front; valid unless idle
    PortId port = 0;
    std::uint32_t out_vc = 0;
};

/// The clocked part of a router: ours (packet_router_core.h) or a verilated one
/// (rtl_router_core.h).
class RouterCore : public Clocked {
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
    using InPort = sc_core::sc_port<FlitSource>;
    using OutPort = sc_core::sc_port<FlitSink>;

    PortArray<InPort> in;    ///< those of RouterConfig::inputs; port 0: injection channel
    PortArray<OutPort> out;  ///< those of RouterConfig::outputs
    /// Takes every flit at once. A node that can refuse flits binds a channel to out[0] instead.
    sc_core::sc_port<EjectionSink, 1, sc_core::SC_ZERO_OR_MORE_BOUND> ejection{"ejection"};

    /// `memory` is for what the router touches in every cycle, and outlives it.
    Router(sc_core::sc_module_name name, const RouterConfig& config, const Routing& routing,
           ClockDomain& clock, std::pmr::memory_resource* memory, ChannelProbe probe);
    ~Router() override;

    /// Valid after elaboration.
    const RouterCore& core() const { return *core_; }
    RouterCore& core() { return *core_; }
    /// What a packet may be given that has come in on virtual channel `vc` of `port`.
    RouteChoices choices(PortId port, std::uint32_t vc, std::uint64_t header) const;

private:
    void end_of_elaboration() override;

    RouterConfig config_;
    const Routing& routing_;
    ClockDomain& clock_;
    std::pmr::memory_resource* memory_;
    ChannelProbe probe_;
    RouterCore* core_ = nullptr;  // lies in memory_
};

}  // namespace flitscope::hw
