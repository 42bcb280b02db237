// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interface of a node in a circuit-switched fabric: sets up one path at a time, sends
// the elements of one message at a time, and checks every word that it receives.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <systemc>

#include "hw/circuit/circuit_router.h"
#include "hw/common/node_interface.h"
#include "hw/common/port_array.h"

namespace flitscope::hw {

/// A message whose path is set up, or complete. Not a member of the interface: clang 14 takes no
/// optional of a nested class.
struct InjectedCircuit {
    std::uint32_t packet = 0;  ///< in the pool
    std::uint32_t wire = 0;
    std::uint64_t elements = 0;
    PayloadWords words;
};

class CircuitInterface final : public NodeInterface, public CircuitSink {
public:
    PortArray<sc_core::sc_port<CircuitSink>> injection_wires;  ///< into the router
    sc_core::sc_port<CircuitSource> arriving{"arriving"};  ///< back along the path that ends here

    /// Uses only node, format and send_overhead of `config`.
    CircuitInterface(sc_core::sc_module_name name, const NetworkInterfaceConfig& config,
                     WakeupWheel& clock, PacketPool& packets, const InterfaceObservers& observers);

    /// The source to which injection wire `wire` of the router is bound.
    CircuitSource& injection_wire_source(std::uint32_t wire) { return wire_sources_[wire]; }

    /// Throws std::invalid_argument for options that name a channel or follow other messages.
    void send(const Message& message, Cycle begin, const SendOptions& options) override;
    using NodeInterface::send;
    /// Throws std::logic_error when the path of the message is being set up already.
    void withdraw(MessageClass of, std::uint8_t plane) override;
    Cycle tick(Cycle now) override;

    // The receiver.

    void set_up(std::uint64_t header, Cycle at) override;
    void pass(const Flit& element, Cycle at) override;

    /// Messages handed over whose path is still up, or not yet.
    std::size_t pending() const override {
        return queue_.size() + (ahead_ ? 1 : 0) + (current_ ? 1 : 0);
    }
    std::uint64_t flits_injected() const { return flits_injected_; }
    std::uint64_t flits_ejected() const { return flits_ejected_; }

private:
    /// An injection wire as the router sees it.
    class InjectionWireSource final : public CircuitSource {
    public:
        explicit InjectionWireSource(CircuitInterface& interface) : interface_(interface) {}
        void connect(Cycle now) override { interface_.connected(now); }
        void release(Cycle now) override { interface_.released(now); }

    private:
        CircuitInterface& interface_;
    };
    struct Pending {
        Message message;
        Cycle begin = 0;
    };
    void set_up_next();
    void connected(Cycle now);
    void released(Cycle now);
    void start(Cycle now);
    void send_element(Cycle now);
    void report_ends(Cycle now);

    std::array<InjectionWireSource, kInjectionWires> wire_sources_;

    std::deque<Pending> queue_;               // whose set-up has not begun
    std::optional<InjectedCircuit> ahead_;    // whose path is set up, or complete already
    bool complete_ = false;                   // that path
    std::optional<InjectedCircuit> current_;  // whose elements are sent, or under way
    std::uint64_t position_ = 0;              // elements of it that have been sent
    Cycle started_ = kNever;                  // when the first of them was
    Cycle free_from_ = 0;                     // once there is no current one
    std::uint32_t sequence_ = 0;              // messages whose set-up has begun
    Arrival arrival_;                         // the message that is arriving
    std::uint64_t flits_injected_ = 0;
    std::uint64_t flits_ejected_ = 0;
    // Observation only.
    bool sending_ = false;
    Cycle send_end_ = 0;
    bool unreported_release_ = false;
};

}  // namespace flitscope::hw
