// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds in an order in which they follow each other closely.
#pragma once

#include <cstdint>

#include "traffic/schedules/synthesis/direct/direct_rounds.h"
#include "traffic/schedules/synthesis/direct/message_routes.h"

namespace flitscope::synthesis {

/// Messages reach the channels of their ways at different times, so a channel is idle between two
/// rounds unless they reach it equally late in both. The first round stays the first; each is
/// followed by the one, among all or a random sample, whose messages would arrive soonest.
MessageRounds chained_rounds(const MessageRoutes& ways, MessageRounds rounds, std::uint64_t seed);

}  // namespace flitscope::synthesis
