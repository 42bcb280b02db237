// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges with unbuffered (synchronous) sends: before either partner sends its data, each
// notifies the other that it is ready.
#pragma once

#include "traffic/program/program.h"

namespace flitscope {

/// Returns `program` with a step of empty messages before every step in which partners exchange:
/// two nodes that in this step send only to each other. Only partners take part in it. Empty
/// messages have the class of the data that follows. If the program lists the numbers of its
/// messages these keep them, and the empty ones get the smallest unused ones. Steps without
/// partners are unchanged except for their numbers; so is a program with barriers, after which all
/// nodes are ready, one without steps (Ordering::kTimed), and one with a computation, in which
/// nodes have no partners.
Program with_handshakes(const Program& program);

}  // namespace flitscope
