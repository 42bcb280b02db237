// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// An order for messages that go all their way at once: rounds in which none gets into the way of
// another one.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/synthesis/direct/message_ways.h"

namespace flitscope::synthesis {

/// Messages by their number.
using MessageRounds = std::vector<std::vector<std::uint32_t>>;

/// In a round no two messages share a channel: a node sends one and receives one at most, and links
/// carry one. Those go first whose channels have most before them, and of some sets of them that
/// one whose channels have most.
MessageRounds direct_rounds(const MessageWays& ways, std::uint64_t seed);

}  // namespace flitscope::synthesis
