// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interface of a node: cuts messages into packets and packets into flits, feeds the
// injection channel, takes ejected flits, and checks every word of them.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/packet/packet_interface.h"

namespace flitscope::hw {

class NetworkInterface final : public PacketInterface {
public:
    sc_core::sc_port<FlitSink> injection{"injection"};

    NetworkInterface(sc_core::sc_module_name name, const NetworkInterfaceConfig& config,
                     ClockDomain& clock, PacketPool& packets, const InterfaceObservers& observers);

    /// With NetworkInterfaceConfig::whole_packets: throws std::invalid_argument where a packet of
    /// the message does not fit into the FIFO of the injection channel.
    /// There is one way to go: throws std::invalid_argument for any other.
    void send(const Message& message, Cycle begin, const SendOptions& options) override;
    using PacketInterface::send;
    void withdraw() override { queue_.withdraw(); }
    void eject(const Flit& flit, std::uint32_t vc, Cycle now) override;
    Cycle tick(Cycle now) override;

    std::size_t pending() const override { return queue_.messages(); }
    std::uint64_t flits_ejected(PortId) const override { return flits_ejected_; }

private:
    void end_of_elaboration() override;
    void start_packet(Cycle now);
    void send_flit(Cycle now);
    void finish_packet(Cycle now);

    // What every flit touches lies together.
    alignas(64) std::uint64_t position_ = 0;  // flits of the packet already sent
    std::uint64_t length_ = 0;                // flits of the packet
    Departure departure_;                     // the packet
    InjectionChannel channel_;
    std::uint64_t flits_ejected_ = 0;
    std::vector<Arrival> arrivals_;  // per virtual channel

    Packetizer queue_;
    std::uint32_t message_state_ = 0;  // of the message being sent, in packets_.arrivals()
};

}  // namespace flitscope::hw
