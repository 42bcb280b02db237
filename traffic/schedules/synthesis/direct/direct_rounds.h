// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// An order for messages that go all their way at once: rounds without conflicts.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/schedules/synthesis/direct/message_routes.h"

namespace flitscope::synthesis {

/// Messages by their number.
using MessageRounds = std::vector<std::vector<std::uint32_t>>;

/// Puts messages into rounds in which no two share a channel: a node sends and receives at most
/// one, and a link carries one. Messages whose channels are needed most go first; among several
/// sets of messages, the one whose channels are needed most is taken.
MessageRounds direct_rounds(const MessageRoutes& ways, std::uint64_t seed);

}  // namespace flitscope::synthesis
