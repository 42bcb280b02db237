// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C: the first one ends a command in good order, the second one at once.
#pragma once

namespace flitscope::cli {

void watch_for_interrupts();
bool is_interrupted();

}  // namespace flitscope::cli
