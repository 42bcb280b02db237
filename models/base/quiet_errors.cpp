// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/quiet_errors.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace flitscope {

QuietErrors::QuietErrors() {
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing == -1) return;
    std::fflush(stderr);
    errors_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (errors_ != -1) dup2(nothing, STDERR_FILENO);
    close(nothing);
}

QuietErrors::~QuietErrors() {
    if (errors_ == -1) return;
    std::fflush(stderr);
    dup2(errors_, STDERR_FILENO);
    close(errors_);
}

}  // namespace flitscope
