// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// For the time that METIS cuts a graph: it speaks to the user by itself, and takes signals.
#pragma once

#include <csignal>

namespace flitscope {

/// While it lives nothing that the process writes to standard error arrives there: METIS tells of
/// memory that ends in it before it returns that as an error. Where there are no file descriptors
/// left, it is heard. And a SIGTERM waits: METIS sends itself this and SIGABRT for its errors,
/// takes those of others for such, gives up, and leaves handlers behind that are good for one
/// signal. Afterwards these are what they were. Only while no other thread has anything to say, or
/// runs and would take the signal in place of this one.
class MetisGuard {
public:
    MetisGuard();
    ~MetisGuard();
    MetisGuard(const MetisGuard&) = delete;
    MetisGuard& operator=(const MetisGuard&) = delete;

private:
    int errors_ = -1;  // where they go otherwise
    sigset_t mask_{};
    struct sigaction on_terminate_ = {};
    struct sigaction on_abort_ = {};
};

}  // namespace flitscope
