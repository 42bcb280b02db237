// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/metis_guard.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace flitscope {

MetisGuard::MetisGuard() {
    sigset_t waits;
    sigemptyset(&waits);
    sigaddset(&waits, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &waits, &mask_);
    sigaction(SIGTERM, nullptr, &on_terminate_);
    sigaction(SIGABRT, nullptr, &on_abort_);

    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing == -1) return;
    std::fflush(stderr);
    errors_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (errors_ != -1) dup2(nothing, STDERR_FILENO);
    close(nothing);
}

MetisGuard::~MetisGuard() {
    if (errors_ != -1) {
        std::fflush(stderr);
        dup2(errors_, STDERR_FILENO);
        close(errors_);
    }
    sigaction(SIGTERM, &on_terminate_, nullptr);
    sigaction(SIGABRT, &on_abort_, nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
}

}  // namespace flitscope
