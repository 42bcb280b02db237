// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/own_signals.h"

#include <pthread.h>
#include <signal.h>

namespace flitscope {

OwnSignals::OwnSignals() {
    sigset_t waits;
    sigemptyset(&waits);
    sigaddset(&waits, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &waits, &mask_);
    sigaction(SIGTERM, nullptr, &on_terminate_);
    sigaction(SIGABRT, nullptr, &on_abort_);
}

OwnSignals::~OwnSignals() {
    sigaction(SIGTERM, &on_terminate_, nullptr);
    sigaction(SIGABRT, &on_abort_, nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
}

}  // namespace flitscope
