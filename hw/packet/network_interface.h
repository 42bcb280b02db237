// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interface of a node: cuts messages into packets and packets into flits, feeds the
// injection channel, takes ejected flits, and checks every word of them. Messages of different
// classes do not wait for each other: each class has its own lane.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/common/reply_slots.h"
#include "hw/packet/packet_interface.h"

namespace flitscope::hw {

class NetworkInterface final : public PacketInterface {
public:
    sc_core::sc_port<FlitSink> injection{"injection"};

    NetworkInterface(sc_core::sc_module_name name, const NetworkInterfaceConfig& config,
                     WakeupWheel& clock, PacketPool& packets, const InterfaceObservers& observers);

    /// Throws std::invalid_argument for options that name a channel or follow other messages, for a
    /// class that does not exist, and with NetworkInterfaceConfig::whole_packets if a packet of the
    /// message does not fit into the FIFO of the injection channel.
    void send(const Message& message, Cycle begin, const SendOptions& options) override;
    using PacketInterface::send;
    void withdraw(MessageClass of, std::uint8_t) override { lanes_[of].queue.withdraw(); }
    void eject(const Flit& flit, std::uint32_t vc, Cycle now) override;
    bool takes_or_wakes(std::uint64_t header, Cycle now, const Sleeper& sleeper,
                        Cycle& next) override;
    bool takes(std::uint64_t header) const override;
    void granted(std::uint64_t header) override;
    Cycle tick(Cycle now) override;

    std::size_t pending() const override;
    std::uint64_t flits_ejected(PortId) const override { return flits_ejected_; }
    std::vector<ReplyWait> reply_waits() const override;

private:
    /// The part of the interface that serves one class of messages.
    struct alignas(64) Lane {
        explicit Lane(const NetworkInterfaceConfig& config)
            : queue(config.format, config.send_overhead, config.injection_bandwidth,
                    config.serialize_overhead) {}

        // Accessed for every flit, kept together.
        std::uint64_t position = 0;  // flits of the packet already sent
        std::uint64_t length = 0;    // flits of the packet
        Departure departure;         // the packet
        Cycle free_from = 0;         // running ahead: the cycle after its last flit that went
        InjectionChannel channel;

        Packetizer queue;
        std::uint32_t message_state = 0;  // of the message being sent, in packets_.arrivals()

        bool tail_is_ahead() const { return position != 0 && position == length; }
    };

    void end_of_elaboration() override;
    bool can_send(Lane& lane, Cycle now, Cycle& next);
    Lane* choose_lane(Cycle now, Cycle& next);
    void send_flit(Lane& lane, Cycle now);
    Cycle go_on(Lane& lane, Cycle now);
    static Cycle next_head(const Lane& lane, Cycle now);
    Cycle send_ahead(Lane& lane, Cycle now);
    Cycle await_tail(Lane& lane, Cycle now);
    void start_packet(Lane& lane, Cycle now);
    void finish_packet(Lane& lane, Cycle now);

    std::vector<Lane> lanes_;  // per class
    std::uint64_t flits_ejected_ = 0;
    std::vector<Arrival> arrivals_;  // per virtual channel
    ReplySlots replies_;
    // Of several lanes:
    ClassArbiter classes_;
    std::size_t pointer_ = 0;  // round robin over lanes
};

}  // namespace flitscope::hw
