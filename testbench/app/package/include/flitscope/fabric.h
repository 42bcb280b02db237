// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The CMake component `fabric`: a simulated network for SystemC programs of your own.
// Configurations come from a file (load_config()) or are filled in in code (Config, whose default
// is a network without a topology); Network makes a fabric of one; your own modules are its nodes.
//
// Units: cycles of Config::clock_ns (Cycle, std::uint64_t), bytes of payload, bits of flits.
// Errors: ConfigError for a configuration that cannot be used, with a sentence and, if there is
// one, a place for each finding; std::runtime_error for files that cannot be written. Both are
// thrown only by constructors and named functions, before or after sc_start(); a broken invariant
// of the model is an SC_FATAL. Ownership: references that a constructor takes must outlive the
// object unless it says that it copies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/config/config.h"
#include "models/fabric/channel_counts.h"
#include "models/fabric/fabric.h"
#include "models/fabric/loss_counts.h"
#include "models/fabric/message.h"
#include "models/fabric/message_port.h"
#include "models/fabric/model_version.h"
#include "models/fabric/observers.h"
#include "models/fabric/run_control.h"
#include "models/routing/routing.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/package/channel_signals.h"

namespace flitscope {

/// Options of a network, besides its configuration. Everything has a default that costs nothing.
struct NetworkOptions {
    /// "cycle": SystemC routers, flit by flit. "tlm": bursts, cycle-exact; rejects what it cannot
    /// simulate exactly. "auto": tlm if it is exact and faster, otherwise cycle.
    std::string engine = "auto";
    ChannelObserver* channels = nullptr;  ///< sees every channel; outlives the network
    PacketObserver* packets = nullptr;    ///< sees every packet that arrives; outlives the network
    /// A file that gets the occupancy of links; its name says the format (flitscope/waveforms.h).
    /// By `trace` of the configuration; messages are called by their MessageId. Empty: none.
    std::string trace;
    /// Channels that are signals of SystemC as well (Network::signals()), by their names
    /// (ChannelMap::name()): "link_005_006", or with `*` for any characters "link_005_*". Empty:
    /// none.
    std::vector<std::string> signals;
    /// The most threads that simulate on the cycle engine, the caller's included, each with 128
    /// routers or more (32 verilated ones); results do not depend on it. The caller's thread makes
    /// all calls to nodes.
    std::uint32_t threads = 1;
    /// The folder with the verilated routers that the configuration asks for, NAME.so each
    /// (flitscope_add_router() of the CMake package makes them). Empty: that of the environment
    /// variable FLITSCOPE_RTL_LIBRARIES. Nothing else is searched.
    std::filesystem::path rtl_libraries;
    /// Further ways to end the simulation; `limits.max_cycles` of the configuration counts as well.
    RunControl control;
};

class NetworkFabric;

/// A network as a module: everything between the message ports of its nodes. Several may be in one
/// kernel; each has its own clock, and sc_start() returns when all are idle.
class Network final : public sc_core::sc_module {
public:
    /// Copies `config`, and checks it by the rules of configuration files, however it was made.
    /// Throws ConfigError for a configuration that does not fit, if the engine refuses it, if the
    /// time resolution of the kernel is too coarse for its clock (an error of 10 %; from 0.2 % on
    /// it is an SC_WARNING of type "/flitscope/clock"), if the routing can deadlock and the
    /// configuration does not allow that, if an RTL router does not exist, and if the trace cannot
    /// be written.
    Network(sc_core::sc_module_name name, const Config& config, const NetworkOptions& options = {});
    ~Network() override;

    const Config& config() const;
    /// Nodes 0 .. node_count() - 1 send and receive messages; each is attached to a router,
    /// router_of().
    const Graph& graph() const;
    const Routing& routing() const;
    /// "cycle" or "tlm".
    const std::string& engine() const;

    /// The port through which a node's module sends: bind its sc_port<MessagePort> to this. A
    /// message has a unique number (Message::id, never twice in a run) and this node as its source.
    /// Throws ConfigError for a node that does not exist, or that is dead (section faults). When it
    /// is sent, a message with another source, to such a node, of a class that the fabric does not
    /// have, of more than 2^56 bytes or to begin after cycle 2 x 10^15 is a fatal error; so is
    /// withdrawing one if none waits. While a listener, an observer or an inspection is notified, a
    /// `begin` in the past means: as soon as the interface can. Your own processes may send at any
    /// time; the cycle that time is in has begun then, and an earlier `begin` than the next one
    /// counts as the next one.
    MessagePort& port(NodeId node);
    /// Sets the listener for the fates of the node's messages, and for messages that arrive there;
    /// before sc_start(), once per node, else ConfigError. A node without one may not take part.
    void attach(NodeId node, MessageListener& listener);
    /// Also notifies `observer` of every packet that arrives; before sc_start().
    void observe(PacketObserver& observer);
    /// Also calls `inspection` when cycle `first` is over, and then after each cycle that it has
    /// returned, like RunControl::inspect. Any number of inspections can be added. Before
    /// sc_start().
    void inspect(Cycle first, std::function<Cycle(Cycle now)> inspection);

    /// The channels of NetworkOptions::signals, in order of their numbers.
    std::vector<const ChannelSignals*> signals() const;
    /// One of them by its name. Throws ConfigError if it is none of them.
    const ChannelSignals& signals(const std::string& channel) const;

    /// The fabric, for counters, invariants and the search for deadlocks.
    Fabric& fabric();
    const Fabric& fabric() const;

    /// Call after sc_start(): completes the trace, and says why the network stopped. If it is not
    /// called, the destructor completes the trace. The simulation may go on after it, without the
    /// trace; then it can be called again. Throws std::runtime_error when the disk is full.
    RunEnd finish();

private:
    void end_of_elaboration() override;

    /// An inspection, and the cycle of its first call.
    struct Inspection {
        Cycle next;
        std::function<Cycle(Cycle now)> inspect;
    };
    Cycle next_inspection() const;
    Cycle inspect_all(Cycle now);

    RunControl control_;
    std::vector<Inspection> inspections_;
    std::unique_ptr<NetworkFabric> fabric_;
};

/// "0.2.0", of the library that is linked: the interface of these headers, by the rules of the
/// CMake package. Timing has its own version, kModelVersion.
const char* library_version();

/// The variant of the router in RTL that a configuration asks for, "router_p5_v1_d8_w64_r1_mesh":
/// as made by flitscope_add_router(). Throws ConfigError as Network does.
std::string rtl_router_name(const Config& config);

}  // namespace flitscope
