// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interface of the TLM fabric: makes packets of messages, sends them one after the
// other, and delivers arrivals.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "models/base/arena.h"
#include "models/base/module_list.h"
#include "models/fabric/message_port.h"
#include "models/fabric/observers.h"
#include "models/fabric/packetizer.h"
#include "tlm/engine/packet.h"
#include "tlm/engine/sender.h"

namespace flitscope::burst {

class NetworkInterface final : public sc_core::sc_module, public MessagePort, public SenderOwner {
public:
    sc_core::sc_port<MessageListener, 1, sc_core::SC_ZERO_OR_MORE_BOUND> node{"node"};

    /// `injection` is the channel as it is with one virtual channel; `whole_packets`: one begins if
    /// there is room for all of it; `packets` may be null.
    NetworkInterface(sc_core::sc_module_name name, const ChannelParameters& injection,
                     std::uint32_t virtual_channels, bool whole_packets, const Packetizer& queue,
                     PacketPool& pool, const FabricContext& context, Arena& memory,
                     PacketObserver* packets);
    ~NetworkInterface() override;

    /// Binds the node, which says whether it hears of first flits.
    void attach(MessageListener& listener) {
        node.bind(listener);
        tells_heads_ = listener.hears_heads();
    }
    /// Messages that have not been sent wholly.
    std::size_t pending() const { return queue_.messages(); }
    /// Our ends of the channels.
    Sender& injection(std::uint32_t vc) const { return *injections_[vc]; }
    ReceiveSocket& ejection(std::uint32_t vc) const { return ejections_[vc]->socket; }

    /// Throws std::invalid_argument for options that name a channel or follow other messages, and
    /// if packets that are passed on as a whole do not fit into the FIFO of the injection channel.
    void send(const Message& message, Cycle begin, const SendOptions& options) override;
    void withdraw(MessageClass of, std::uint8_t plane) override;

    void begin(Sender& sender, Tick now) override { sender.send(now); }
    void on_stalled(Sender&, Tick) override {}
    void on_released(Sender& sender, Tick now) override;
    void on_free_credit(Sender& sender, Tick from) override;

private:
    /// Takes the next packet into the network at its time.
    class Injection final : public Event {
    public:
        explicit Injection(NetworkInterface& owner) : Event(false), owner_(owner) {}
        void run(Tick now) override { owner_.inject(now); }

    private:
        NetworkInterface& owner_;
    };
    /// The receiving end of the ejection channel. Consumes at once, so nothing comes back.
    class Ejection final : public ForwardTransport {
    public:
        Ejection(const char* name, NetworkInterface& owner);
        tlm::tlm_sync_enum nb_transport_fw(Payload& packet, ChannelPhase& phase,
                                           sc_core::sc_time&) override;
        ReceiveSocket socket;

    private:
        NetworkInterface& owner_;
    };

    void end_of_elaboration() override;
    void inject(Tick now);
    void start_packet(Sender& sender, Tick now);
    void begin_arrival(Packet& packet, Tick now);
    void deliver(Packet& packet, Tick now);

    Packetizer queue_;
    PacketPool& pool_;
    PacketObserver* packets_;
    ModuleList<ArenaPtr<Sender>> injections_;  // per virtual channel
    ModuleList<std::unique_ptr<Ejection>> ejections_;
    Injection injection_;
    bool whole_packets_;
    bool tells_heads_ = false;
    std::uint32_t depth_;              // depth of the FIFO at the other end
    std::uint32_t last_vc_;            // VC of the packet being or last sent
    bool waits_for_credit_ = false;    // a packet is ready, and no virtual channel has enough
    std::uint32_t message_state_ = 0;  // state of the message being sent, in pool_.arrivals()
    std::uint64_t sequence_ = 0;       // packets sent
};

}  // namespace flitscope::burst
