// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A module between the two ends of a channel that reports all their calls to a listener. Ends that
// are bound directly to each other make no such calls; with a monitor between them they do.
#pragma once

#include <cstdint>
#include <systemc>

#include "models/base/types.h"
#include "tlm/engine/channel_protocol.h"

namespace flitscope::burst {

/// Listens to the calls between the ends of a fabric's channels.
class ChannelListener {
public:
    virtual ~ChannelListener() = default;
    /// Called at the present time of the simulation, before the other end is called. To keep the
    /// payload, acquire it.
    virtual void on_call(ChannelId channel, std::uint32_t vc, ChannelPhase phase,
                         const Payload& packet, const sc_core::sc_time& delay) = 0;
};

class ChannelMonitor final : public sc_core::sc_module,
                             public ForwardTransport,
                             public BackwardTransport {
public:
    ReceiveSocket from_sender{"from_sender"};
    SendSocket to_receiver{"to_receiver"};

    ChannelMonitor(sc_core::sc_module_name name, ChannelId channel, std::uint32_t vc,
                   ChannelListener& listener)
        : sc_module(name), channel_(channel), vc_(vc), listener_(listener) {
        from_sender.bind(static_cast<ForwardTransport&>(*this));
        to_receiver.bind(static_cast<BackwardTransport&>(*this));
    }

    tlm::tlm_sync_enum nb_transport_fw(Payload& packet, ChannelPhase& phase,
                                       sc_core::sc_time& delay) override {
        listener_.on_call(channel_, vc_, phase, packet, delay);
        return to_receiver->nb_transport_fw(packet, phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload& packet, ChannelPhase& phase,
                                       sc_core::sc_time& delay) override {
        listener_.on_call(channel_, vc_, phase, packet, delay);
        return from_sender->nb_transport_bw(packet, phase, delay);
    }

private:
    ChannelId channel_;
    std::uint32_t vc_;
    ChannelListener& listener_;
};

}  // namespace flitscope::burst
