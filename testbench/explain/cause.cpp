// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/cause.h"

#include <array>

namespace flitscope {
namespace {

struct Words {
    const char* name;
    const char* meaning;
};

constexpr std::array<Words, kCauses> kWords{{
    {"startup", "startup of a send"},
    {"receive", "receiving a message"},
    {"assembly", "the node feeds its interface slowly"},
    {"own_message", "the node sends another message first"},
    {"moving", "flits on their way through routers and wires"},
    {"body", "flits of a message, one per cycle"},
    {"buffer_front", "another packet in front in the same buffer"},
    {"channel_held", "another packet holds the channel"},
    {"credit", "the buffer behind the channel is full"},
    {"arbitration", "others use the router's input or output"},
    {"store", "stored before it goes on"},
    {"set_up", "a circuit's header on its way"},
    {"choice", "adaptive routing preferred what was not to be had"},
    {"dependency", "the program waits for a message"},
    {"barrier", "cost of the barrier"},
    {"program_time", "the program says: not before"},
}};

}  // namespace

const char* cause_name(Cause cause) { return kWords[static_cast<std::size_t>(cause)].name; }
bool waits_for_others(Cause cause) {
    switch (cause) {
        case Cause::kOwnMessage:
        case Cause::kBufferFront:
        case Cause::kChannelHeld:
        case Cause::kCredit:
        case Cause::kArbitration:
        case Cause::kChoice:
            return true;
        default:
            return false;
    }
}

const char* cause_meaning(Cause cause) { return kWords[static_cast<std::size_t>(cause)].meaning; }

}  // namespace flitscope
