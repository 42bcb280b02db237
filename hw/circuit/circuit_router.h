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
#include "hw/common/wakeup_wheel.h"
#include "models/routing/routing.h"

namespace flitscope::hw {

/// The wires of every node into its router. Two, because a path can be set up while the elements of
/// the message before it still come in; a message keeps one of them to its end.
inline constexpr std::uint32_t kInjectionWires = 2;

struct CircuitRouterConfig {
    RouterId router;
    PortId local_ports = 1;  ///< those below this are of nodes
    // Per port number: whether wires of a node or a link end, or begin, there.
    std::vector<bool> inputs;
    std::vector<bool> outputs;
};

class CircuitRouter final : public sc_core::sc_module, public Clocked {
public:
    using InPort = sc_core::sc_port<CircuitSource>;
    using OutPort = sc_core::sc_port<CircuitSink>;

    PortArray<InPort> in;    ///< by input_number(): back to those that send to us
    PortArray<OutPort> out;  ///< by port; local ports: the receivers of nodes

    CircuitRouter(sc_core::sc_module_name name, const CircuitRouterConfig& config,
                  const Routing& routing, WakeupWheel& clock, ChannelProbe probe);
    ~CircuitRouter() override;

    // For binding links and network interfaces.

    /// The number of an input: of injection wire `wire` at a local port, or of the link at another.
    std::uint32_t input_number(PortId port, std::uint32_t wire = 0) const {
        return is_local(port) ? port * kInjectionWires + wire
                              : local_ports_ * (kInjectionWires - 1) + port;
    }
    CircuitSink& input(std::uint32_t number);
    CircuitSource& output(PortId port);

    Cycle tick(Cycle now) override;

    /// Elements that came in, those of nodes included.
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
    bool is_local(PortId port) const { return port < local_ports_; }
    std::uint32_t wires_into(PortId port) const { return is_local(port) ? kInjectionWires : 1; }

    RouterId router_;
    PortId local_ports_;
    const Routing& routing_;
    WakeupWheel& clock_;
    ChannelProbe probe_;
    std::uint32_t module_;
    std::vector<std::unique_ptr<Input>> inputs_;    // by input_number()
    std::vector<std::unique_ptr<Output>> outputs_;  // per port
    std::uint64_t taken_ = 0;
    Cycle last_move_ = 0;
};

}  // namespace flitscope::hw
