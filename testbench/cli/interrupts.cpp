// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/cli/interrupts.h"

#include <csignal>

#include "models/base/output_file.h"

namespace flitscope::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int) {
    interrupted = 1;
    std::signal(SIGINT, end_by_signal);
    std::signal(SIGTERM, end_by_signal);
}

}  // namespace

void tidy_up_after_signals() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        if (std::signal(number, end_by_signal) == SIG_IGN) std::signal(number, SIG_IGN);
    }
}

void watch_for_interrupts() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
}

bool is_interrupted() { return interrupted != 0; }

}  // namespace flitscope::cli
