// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interface of a node: cuts messages into packets and packets into flits, feeds the
// injection channel, takes ejected flits, and checks every word of them.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/common/arrival.h"
#include "hw/common/clock_domain.h"
#include "hw/common/flit_channel.h"
#include "hw/common/node_interface.h"
#include "hw/common/packet_pool.h"
#include "models/fabric/packetizer.h"

namespace flitscope::hw {

class NetworkInterface final : public NodeInterface, public Clocked {
public:
    sc_core::sc_port<FlitSink> injection{"injection"};

    NetworkInterface(sc_core::sc_module_name name, const NetworkInterfaceConfig& config,
                     ClockDomain& clock, PacketPool& packets, const InterfaceObservers& observers);

    /// With NetworkInterfaceConfig::whole_packets: throws std::invalid_argument where a packet of
    /// the message does not fit into the FIFO of the injection channel.
    /// There is one way to go: throws std::invalid_argument for any other.
    void send(const Message& message, Cycle begin, const SendOptions& options) override;
    using MessagePort::send;
    void eject(const Flit& flit, std::uint32_t vc, Cycle now) override;
    Cycle tick(Cycle now) override;

    std::size_t pending() const override { return queue_.messages(); }
    std::uint64_t flits_ejected(PortId) const override { return flits_ejected_; }

private:
    void end_of_elaboration() override;
    bool choose_virtual_channel(Cycle now, Cycle& next);
    bool has_credit(std::uint32_t vc, std::uint64_t flits, Cycle now, Cycle& next);
    void start_packet(Cycle now);
    void send_flit(Cycle now);
    void finish_packet(Cycle now);
    void finish_arrival(Arrival& arrival, Cycle now);
    void report_release(Cycle now);
    void report_send(Cycle now, bool sent);

    // What every flit touches lies together.
    alignas(64) std::uint64_t position_ = 0;  // flits of the packet already sent
    std::uint64_t length_ = 0;                // flits of the packet
    PayloadWords words_;                      // and what they carry
    std::vector<FlitWriter> channels_;        // per virtual channel
    std::uint32_t vc_;                        // of the packet being or last sent
    bool sending_ = false;                    // observation only: a flit went in the last cycle,
    bool released_ = false;                   // and it was a tail
    std::uint64_t flits_ejected_ = 0;
    std::vector<Arrival> arrivals_;  // per virtual channel
    std::uint64_t awake_ = 0;        // raised when a credit comes back
    ClockDomain& clock_;

    NetworkInterfaceConfig config_;
    PacketPool& packets_;
    InterfaceObservers observers_;
    std::uint32_t module_;

    Packetizer queue_;
    std::uint32_t message_state_ = 0;  // of the message being sent, in packets_.arrivals()
    std::uint64_t sequence_ = 0;       // packets sent by this node
    std::uint32_t packet_ = 0;         // the packet being sent
};

}  // namespace flitscope::hw
