// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The circuit-switching router: a crossbar whose connections last from the set-up of a path to its
// teardown, and the arbiters that headers wait at (hw/TIMING.md, "Circuits").
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/circuit/circuit_link.h"
#include "hw/common/channel_probe.h"
#include "hw/common/port_array.h"
#include "hw/common/wake_wheel.h"
#include "models/routing/routing.h"

namespace flitscope::hw {

/// The wires of a node into its router. Two, because a path can be set up while the elements of the
/// message before it still come in; a message keeps one of them to its end.
inline constexpr std::uint32_t kInjectionWires = 2;

struct CircuitRouterConfig {
    NodeId node = 0;
    // Per port number, the local port included: whether a wire ends, or begins, there.
    std::vector<bool> inputs;
    std::vector<bool> outputs;
};

class CircuitRouter final : public sc_core::sc_module, public Clocked {
public:
    using InPort = sc_core::sc_port<CircuitSource>;
    using OutPort = sc_core::sc_port<CircuitSink>;

    PortArray<InPort> in;               ///< back to those that send to us: links from port 1 on
    PortArray<InPort> injection_wires;  ///< back to the node
    PortArray<OutPort> out;             ///< port 0: the receiver of the node

    CircuitRouter(sc_core::sc_module_name name, const CircuitRouterConfig& config,
                  const Routing& routing, WakeWheel& clock, ChannelProbe probe);
    ~CircuitRouter() override;

    // For binding links and the network interface.

    CircuitSink& input(PortId port);
    CircuitSink& injection_input(std::uint32_t wire);
    CircuitSource& output(PortId port);

    Cycle tick(Cycle now) override;

    /// Elements that came in, those of the node included.
    std::uint64_t taken() const { return taken_; }
    /// Number of elements that are still on the wire.
    std::uint64_t held() const;
    /// Elements that went through output `port`.
    std::uint64_t passed(PortId port) const;
    /// Outputs that belong to a path, and headers that ask for one.
    std::uint32_t occupied() const;
    /// The cycle in which the last element went through; 0 when none has.
    Cycle last_move() const { return last_move_; }

    /// A header that asks for an output that belongs to another path.
    struct Waiting {
        std::uint64_t header = 0;
        PortId in_port = 0;
        PortId out_port = 0;
        std::uint64_t holder = 0;  ///< header of the other path
    };
    /// The headers that are here and wait in cycle `now`.
    std::vector<Waiting> waiting(Cycle now) const;

private:
    class Input;
    class Output;

    void report_ends(Cycle now);
    void request(Input& input, std::uint64_t header, Cycle at);
    void arbitrate(Output& output, Cycle now);
    void grant(Input& input, Output& output, Cycle now);
    void receive(Input& input, const Flit& element, Cycle at);
    void transmit(Input& input, const Flit& element, Cycle now);
    void connected(Output& output, Cycle now);
    void released(Output& output, Cycle now);
    InPort& source_of(const Input& input);

    NodeId node_;
    const Routing& routing_;
    WakeWheel& clock_;
    ChannelProbe probe_;
    std::uint32_t module_;
    std::vector<std::unique_ptr<Input>> inputs_;    // the injection wires, then one per port
    std::vector<std::unique_ptr<Output>> outputs_;  // per port
    std::uint64_t taken_ = 0;
    Cycle last_move_ = 0;
};

}  // namespace flitscope::hw
