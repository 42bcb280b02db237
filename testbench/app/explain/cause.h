// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why a cycle passes before something happens.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

enum class Cause : std::uint8_t {
    kCompute,        ///< a rank computes
    kStartup,        ///< the startup of a send
    kReceive,        ///< the overhead of receiving a message
    kAssembly,       ///< a node feeds its interface more slowly than the channel sends
    kSourceQueue,    ///< the node sends another message of its own first
    kTraversal,      ///< a flit on its way through a router and over a wire
    kSerialization,  ///< the flits of a message, one per cycle
    kHeadOfLine,     ///< another packet is in front in the same buffer
    kVcBusy,         ///< another packet holds the channel
    kCreditStall,    ///< the buffer at the end of the channel is full
    kSwitchStall,    ///< others use the router's input or output in this cycle
    kStore,          ///< a packet is stored before it continues (store and forward)
    kSetUp,          ///< the header of a circuit on its way
    kRouteChoice,    ///< adaptive routing chose an output that was not available
    kDependency,     ///< the program waits for a message; takes no cycles itself
    kBarrier,        ///< the cost of a barrier
    kProgramTime,    ///< the program says: not before
};
inline constexpr std::size_t kCauses = 17;

/// Cycles of a path, or of a part of it, by cause.
using CauseCycles = std::array<Cycle, kCauses>;

/// The word for a cause in JSON, CSV and text: compute, startup, receive, assembly, source_queue,
/// traversal, serialization, head_of_line, vc_busy, credit_stall, switch_stall, store, set_up,
/// route_choice, dependency, barrier, program_time.
const char* cause_name(Cause cause);
/// The meaning of a cause, as text for users.
const char* cause_meaning(Cause cause);
/// Whether a packet that waits for this cause would advance if no other packet, including those of
/// its own node, were in the way.
bool waits_for_others(Cause cause);
/// The cause of that name; nothing if there is none.
std::optional<Cause> find_cause(const std::string& name);

inline Cycle cycles_of(const CauseCycles& cycles, Cause cause) {
    return cycles[static_cast<std::size_t>(cause)];
}
/// The causes of which there are cycles, most cycles first.
std::vector<Cause> ranked_causes(const CauseCycles& cycles);

}  // namespace flitscope
