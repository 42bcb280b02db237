// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// For libraries that take signals for messages of their own.
#pragma once

#include <csignal>

namespace flitscope {

/// While it lives, a SIGTERM waits, and what handles it and SIGABRT is what handled them before,
/// afterwards: METIS sends itself these for its errors, takes those of others for such, gives up,
/// and leaves handlers behind that are good for one signal. Only while no other thread runs that
/// would take the signal in place of this one.
class OwnSignals {
public:
    OwnSignals();
    ~OwnSignals();
    OwnSignals(const OwnSignals&) = delete;
    OwnSignals& operator=(const OwnSignals&) = delete;

private:
    sigset_t mask_{};
    struct sigaction on_terminate_ = {};
    struct sigaction on_abort_ = {};
};

}  // namespace flitscope
