// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages, and how they are cut into packets and flits. The contents of the clocked fabric's flits
// are in hw/common/flit.h.
#pragma once

#include <cstdint>

#include "models/base/types.h"

namespace flitscope {

/// The relation of a message to another one.
enum class MessageRole : std::uint8_t {
    kPlain,    ///< nothing
    kRequest,  ///< its destination replies to it
    kReply,    ///< to a request
};

/// A message that a node's program asks the fabric to carry.
struct Message {
    MessageId id = 0;
    NodeId source = 0;
    NodeId destination = 0;
    StepId step = 0;          ///< schedule step, for reports and waveforms
    std::uint64_t bytes = 0;  ///< payload
    MessageClass message_class = 0;
    MessageRole role = MessageRole::kPlain;
    std::uint8_t plane = 0;  ///< network that it crosses
};

/// The life of one packet, reported when its tail has left the network.
struct PacketRecord {
    Message message;             ///< id kNoMessage: no packet under way has this header
    std::uint32_t index = 0;     ///< packet number within its message
    std::uint64_t sequence = 0;  ///< packets that its source sent before it
    std::uint64_t flits = 0;     ///< flits received
    Cycle begin = 0;             ///< cycle in which the send of the message began
    Cycle head_injected = 0;
    Cycle tail_injected = 0;
    Cycle head_delivered = 0;
    Cycle tail_delivered = 0;
    std::uint64_t corrupt_flits = 0;  ///< flits whose word or position was not the expected one
};

}  // namespace flitscope
