// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Guards calls of METIS, which prints messages and handles signals by itself.
#pragma once

#include <csignal>

namespace flitscope {

/// Protects a call of METIS while in scope. Standard error is silent, because METIS prints an
/// out-of-memory message before it returns that as an error; if no file descriptor is left, it is
/// not silenced. SIGTERM is blocked, because METIS raises it and SIGABRT for its own errors,
/// mistakes one from outside for its own and aborts, and leaves handlers that serve one signal; the
/// destructor restores the handlers. Use only while no other thread writes to standard error, or
/// runs and could take the signal.
class MetisGuard {
public:
    MetisGuard();
    ~MetisGuard();
    MetisGuard(const MetisGuard&) = delete;
    MetisGuard& operator=(const MetisGuard&) = delete;

private:
    int errors_ = -1;  // their usual destination
    sigset_t mask_{};
    struct sigaction on_terminate_ = {};
    struct sigaction on_abort_ = {};
};

}  // namespace flitscope
