// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges as message passing systems with unbuffered receives make them: before either partner
// sends its data, each tells the other that it is there.
#pragma once

#include "traffic/program/program.h"

namespace flitscope {

/// Returns `program` with a step of empty messages before every step in which partners exchange:
/// two nodes each of which sends in this step to the other one only. Only partners take part in it.
/// Empty messages have the class of the data that follows. Where the program lists the numbers of
/// its messages these keep them, and the empty ones get the smallest that are left. Steps without
/// partners stay as they are but for their numbers; so does a program with barriers, after which
/// all nodes are there, one without steps (Ordering::kTimed), and one with a computation, in which
/// nodes have no partners.
Program with_handshakes(const Program& program);

}  // namespace flitscope
