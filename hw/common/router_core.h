// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The logic of a packet router, which moves flits from FIFOs to FIFOs: ours
// (packet/packet_router_core.h) or a verilated one (verilated/rtl_router_core.h). Kernel-free: a
// core is given the FIFOs at its ports and the wheel that wakes it, and uses no SystemC ports.
#pragma once

#include <cstdint>
#include <functional>
#include <memory_resource>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/common/channel_probe.h"
#include "hw/common/class_arbiter.h"
#include "hw/common/ejection_sink.h"
#include "hw/common/flit_buffer.h"
#include "hw/common/packet_pool.h"
#include "hw/common/wakeup_wheel.h"
#include "models/base/arena.h"
#include "models/base/types.h"
#include "models/routing/link_queues.h"
#include "models/routing/routing.h"

namespace flitscope::hw {

/// The ports of a router at which channels of nodes begin and end: `count` from `first` on. There
/// can be numbers among them that no channel has.
struct LocalPorts {
    PortId first = 0;
    PortId count = 1;

    constexpr bool has(PortId port) const { return port - first < count; }
};

struct RouterConfig {
    RouterId router;
    // Per port number, the local ones included: whether a channel ends there (inputs) or begins
    // there (outputs).
    std::vector<bool> inputs;
    std::vector<bool> outputs;  ///< false for a local port if flits are ejected at once
    /// Per port: at most one flit in so many cycles leaves there; empty if that is 1 everywhere.
    std::vector<std::uint32_t> rate_cycles;
    LocalPorts local;
    std::uint32_t virtual_channels = 1;
    std::uint32_t input_speedup = 1;   ///< inputs of the switch per port; divides the number above
    std::uint32_t output_speedup = 1;  ///< outputs of the switch per port; above 1 with queues
    std::uint32_t output_queue = 0;    ///< flits of the queue of an output port
    /// Flits of a virtual channel that the queue of an ejection channel takes.
    std::uint32_t ejection_flits = 0;
    /// The most cycles that a flit for this router can be in such a queue before it.
    std::uint32_t longest_queueing = 0;
    bool hold_switch = false;          ///< an input virtual channel that streams keeps its ports
    bool combines_allocation = false;  ///< a head owns an output only from its departure on
    ClassPolicy classes;               ///< classes of messages
    bool node_may_refuse = false;      ///< ejection sinks do not take every packet at once
    /// If set, packets are passed on as a whole, and their lengths are looked up here; null:
    /// wormhole.
    const PacketPool* whole_packets = nullptr;
    /// If set, with whole_packets: store and forward, with this many cycles between the arrival of
    /// a tail and the request for the next link.
    std::optional<std::uint32_t> combining_delay;
    /// The queues of all links, for a routing that chooses by them; else null.
    const LinkQueues* queues = nullptr;

    PortId ports() const { return static_cast<PortId>(inputs.size()); }
};

/// The inputs of a core.
struct RouterCoreSetup {
    RouterCoreSetup(const Routing& routes, WakeupWheel& wheel, std::pmr::memory_resource* arena)
        : routing(routes), clock(wheel), memory(arena) {}

    std::string name;  ///< name of the router in messages and traces
    RouterConfig config;
    const Routing& routing;
    // The FIFOs at the ports, numbered port * virtual channels + vc; null if there is none.
    std::vector<FlitBuffer*> inputs;   ///< the core reads from these
    std::vector<FlitBuffer*> outputs;  ///< the core writes to these
    // Per port, if inner signals are traced: the waveform's name of the channel bound there.
    std::vector<std::string> input_names;
    std::vector<std::string> output_names;
    /// Per local port: takes what goes to it if it has no FIFO; null if no node is there. Adjacent
    /// ports can have the same sink.
    std::vector<EjectionSink*> ejections;
    WakeupWheel& clock;
    std::pmr::memory_resource* memory;  ///< for what is touched in every cycle; outlives the core
    ChannelProbe probe;
};

/// Names a FIFO from the router's side: the one at an input, or the one that an output leads to.
struct PortFifo {
    bool behind_output = false;
    PortId port = 0;
    std::uint32_t vc = 0;
};

/// Describes a packet that cannot advance before others do.
struct WaitReport {
    PortFifo at;                ///< an input whose front flit is the packet's
    std::uint64_t header = 0;   ///< header of the packet
    PortId wants = 0;           ///< the output that it waits for; the preferred one of several
    bool granted = false;       ///< it holds an output virtual channel and lacks credit
    bool node_is_full = false;  ///< it waits until the node has replied to a request
    /// The inputs whose packets hold what it asks for, and the FIFOs without room. One of them has
    /// to advance, or the node has to reply.
    std::vector<PortFifo> obstacles;
};

/// An output virtual channel that a packet holds.
struct HeldOutput {
    PortFifo at;               ///< the input from which the packet comes
    std::uint64_t header = 0;  ///< header of the packet
    PortId port = 0;
    std::uint32_t vc = 0;
};

/// Whether the packet with this header is lost.
using IsLost = std::function<bool(std::uint64_t header)>;

class RouterCore : public Clocked {
public:
    /// Appends a report for every packet at the front of an input that cannot advance with what is
    /// already on the wires.
    virtual void report_waits(std::vector<WaitReport>& reports) const = 0;
    /// Flits that have passed the switch and are still in the queue of an output port.
    virtual std::uint64_t flits_queued(PortId /*output*/) const { return 0; }
    /// The cycle after the last one in which a flit left such a queue; 0: none did.
    virtual Cycle end_of_departures() const { return 0; }
    /// The outputs that packets hold. Only for cores that support faults while running.
    virtual std::vector<HeldOutput> held_outputs() const {
        throw std::logic_error("RouterCore: the network cannot change while it runs");
    }
    /// Called between two cycles, `now` being the next. Removes flits of lost packets from the
    /// input FIFOs and frees the outputs they hold; all other heads request anew. Wakes the core
    /// for `now`; the caller wakes the other ends.
    virtual void change_network(const IsLost& /*is_lost*/, Cycle /*now*/) {
        throw std::logic_error("RouterCore: the network cannot change while it runs");
    }
    /// Called once, after the simulation: reports what was due in the next cycle. Throws
    /// std::runtime_error if the router finds an error.
    virtual void finish() {}
};

/// Makes a core in the memory of its setup.
using RouterCoreFactory = std::function<ArenaPtr<RouterCore>(RouterCoreSetup setup)>;

template <class Core, class... Arguments>
ArenaPtr<RouterCore> place_router_core(std::pmr::memory_resource* memory,
                                       Arguments&&... arguments) {
    constexpr std::size_t kCacheLine = 64;
    void* const place = memory->allocate(sizeof(Core), kCacheLine);
    return ArenaPtr<RouterCore>(new (place) Core(std::forward<Arguments>(arguments)...));
}

}  // namespace flitscope::hw
