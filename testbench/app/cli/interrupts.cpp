// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/interrupts.h"

#include <csignal>

#include "models/base/output_file.h"

namespace flitscope::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

/// Sets a handler, unless the signal is ignored, as a shell without job control does for what it
/// starts with &.
void handle(int number, void (*handler)(int)) {
    struct sigaction before = {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) std::signal(number, handler);
}

void on_interrupt(int) {
    interrupted = 1;
    for (const int number : {SIGINT, SIGTERM}) handle(number, end_by_signal);
}

}  // namespace

void tidy_up_after_signals() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) handle(number, end_by_signal);
}

void watch_for_interrupts() {
    for (const int number : {SIGINT, SIGTERM}) handle(number, on_interrupt);
}

bool is_interrupted() { return interrupted != 0; }

}  // namespace flitscope::cli
