// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The protocol between the two ends of a channel: the traits of the TLM-2.0 sockets that connect
// routers and network interfaces. A payload is a packet; no data travels with it.
//
// The base protocol's rules of exclusion do not fit a packet that is on several channels at once,
// stops and continues. Here a packet's state on a channel is kept by the two ends of that channel,
// and the payload is only what they agree on.
#pragma once

#include <cstdint>
#include <tlm>

namespace flitscope::burst {

/// The annotated time is the delay with which the other end can act on it: d of the channel
/// forward, c backward (hw/TIMING.md). All are sent in the cycle in which they happen.
enum class ChannelPhase : std::uint8_t {
    // Forward: actions of the sender.
    kHead,    ///< the packet's first flit goes in this cycle, the next ones after it
    kStall,   ///< no flit goes from this cycle on
    kResume,  ///< flits resume in this cycle
    /// The last flit went in the cycle before this one. Sent only on ejection channels: a FIFO
    /// counts the flits of a packet, whose length is known.
    kTail,
    // Backward: events of the FIFO at the receiving end. Without it credits are not exact.
    kPopResume,  ///< a flit leaves the FIFO in this cycle and in the following ones
    kPopStall,   ///< none does from this cycle on
};

struct ChannelProtocol {
    using tlm_payload_type = tlm::tlm_generic_payload;
    using tlm_phase_type = ChannelPhase;
};

using Payload = ChannelProtocol::tlm_payload_type;

/// Implemented by the receiving end of a channel.
class ForwardTransport
    : public tlm::tlm_fw_nonblocking_transport_if<Payload, ChannelProtocol::tlm_phase_type> {
public:
    using protocol_types = ChannelProtocol;
};

/// Implemented by the sending end.
class BackwardTransport
    : public tlm::tlm_bw_nonblocking_transport_if<Payload, ChannelProtocol::tlm_phase_type> {
public:
    using protocol_types = ChannelProtocol;
};

/// The width is a formality: a channel is as wide as its flits.
inline constexpr unsigned int kBusWidth = 64;
using SendSocket = tlm::tlm_base_initiator_socket<kBusWidth, ForwardTransport, BackwardTransport>;
using ReceiveSocket = tlm::tlm_base_target_socket<kBusWidth, ForwardTransport, BackwardTransport>;

}  // namespace flitscope::burst
