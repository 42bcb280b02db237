// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Computations, sends and receives of random machines.
#pragma once

#include <memory>

#include "testbench/verification/reference/draw.h"
#include "traffic/program/operations.h"
#include "traffic/program/program.h"

namespace flitscope {

/// Operations that send and receive the transfers of a program. They can end: taken in the order of
/// the transfers, a send before its receive, each waits only for earlier ones, and if several
/// receives take the same messages, they are posted in order.
std::shared_ptr<const Operations> random_operations(Draw& draw, const Program& program,
                                                    ReceiveTime receive_time);

}  // namespace flitscope
