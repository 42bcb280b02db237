// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interface of a node whose packets may be lost: it gives up packets cut by a fault,
// discards packets to dead nodes and, if configured, retransmits unacknowledged packets
// (hw/TIMING.md, "Faults while running"). NetworkInterface does none of this, and is faster.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/packet/packet_interface.h"
#include "hw/packet/transmissions.h"

namespace flitscope::hw {

class ResilientInterface final : public PacketInterface {
public:
    sc_core::sc_port<FlitSink> injection{"injection"};

    /// `transmissions`, which all interfaces of the fabric share, must outlive it.
    ResilientInterface(sc_core::sc_module_name name, const NetworkInterfaceConfig& config,
                       WakeupWheel& clock, PacketPool& packets, const InterfaceObservers& observers,
                       Transmissions& transmissions);

    /// Throws like NetworkInterface::send().
    void send(const Message& message, Cycle begin, const SendOptions& options) override;
    using PacketInterface::send;
    void withdraw(MessageClass, std::uint8_t) override { queue_.withdraw(); }
    void eject(const Flit& flit, std::uint32_t vc, Cycle now) override;
    Cycle tick(Cycle now) override;

    std::size_t pending() const override { return queue_.messages(); }
    std::uint64_t flits_ejected(PortId) const override { return flits_ejected_; }

    /// The header of the packet that is being sent, if there is one.
    std::optional<std::uint64_t> header_being_sent() const {
        return position_ != 0 ? std::optional(departure_.header) : std::nullopt;
    }
    /// Called between two cycles, after the network has changed: packets for whose header `is_lost`
    /// is true are gone from it and from the pool. Wakes itself for the next cycle.
    template <class Lost>
    void change(const Lost& is_lost) {
        is_cut_ = position_ != 0 && is_lost(departure_.header);
        if (is_cut_) channel_.abandon(soonest());
        for (Arrival& arrival : arrivals_) {
            if (arrival.position() != 0 && is_lost(arrival.header())) arrival.abandon();
        }
        clock_.wake(module_, soonest());
    }

private:
    /// A packet that has been sent and not acknowledged; kept in the order of time.
    struct Awaited {
        std::uint32_t transmission = 0;
        Cycle due = 0;  ///< from this cycle on it is overdue
    };

    void end_of_elaboration() override;
    bool begins_packet(Cycle now, Cycle& next);
    std::uint32_t overdue(Cycle now);
    void start_packet(Cycle now);
    void start_again(std::uint32_t transmission, Cycle now);
    void send_flit(Cycle now);
    void end_packet(Cycle now);
    void leave_queue(Cycle now);

    Transmissions& transmissions_;
    std::uint64_t position_ = 0;                         // flits of the packet already sent
    std::uint64_t length_ = 0;                           // flits of the packet
    Departure departure_;                                // the packet
    bool is_again_ = false;                              // it was sent before
    bool is_cut_ = false;                                // it has been lost since the last cycle
    std::uint32_t transmission_ = Transmissions::kNone;  // the packet, if packets can be repeated
    InjectionChannel channel_;
    std::uint64_t flits_ejected_ = 0;
    std::vector<Arrival> arrivals_;  // per virtual channel
    Packetizer queue_;
    std::uint32_t message_state_ = 0;  // of the message being sent, in packets_.arrivals()
    std::deque<Awaited> awaited_;
};

}  // namespace flitscope::hw
