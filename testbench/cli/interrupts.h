// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C: the first one ends a command in good order, the second one at once. Before a command says
// that it watches the first one does; files that are not whole go with it either way.
#pragma once

namespace flitscope::cli {

/// For the beginning of the program.
void tidy_up_after_signals();
void watch_for_interrupts();
bool is_interrupted();

}  // namespace flitscope::cli
