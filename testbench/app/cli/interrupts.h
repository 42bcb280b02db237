// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C. Before watch_for_interrupts() the first one ends the program at once; afterwards the
// first ends it in good order, the second at once. Unfinished files are removed either way.
#pragma once

namespace flitscope::cli {

/// Call at the beginning of the program: removes unfinished files when a signal ends it.
void tidy_up_after_signals();
void watch_for_interrupts();
bool is_interrupted();

}  // namespace flitscope::cli
