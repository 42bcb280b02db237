// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes of a platform, for those who observe an interconnect.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/base/types.h"

namespace flitscope {

/// What an access is.
struct AccessRequest {
    std::uint32_t initiator = 0;  ///< index of its socket in from_initiator
    std::uint32_t target = 0;     ///< index of its socket in to_target
    tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
    std::uint64_t address = 0;  ///< as the initiator gave it
    std::uint64_t bytes = 0;    ///< of data

    /// "read", "write", or "transaction" of another command.
    const char* command_name() const;
};

/// What a message of an interconnect carries.
struct CarriedAccess : AccessRequest {
    bool is_response = false;
};

/// An access that has ended. Its times are in order; two that follow each other are equal if
/// nothing passes between them. With annotated timing they may be later than now.
struct Access : AccessRequest {
    /// Numbers of its two messages; kNoMessage with annotated timing, which has none.
    MessageId request = kNoMessage;
    MessageId response = kNoMessage;
    sc_core::sc_time issued;         ///< by the initiator, after its annotated delay
    sc_core::sc_time admitted;       ///< when fewer than `outstanding` were under way
    sc_core::sc_time request_sent;   ///< start of the cycle in which that send began
    sc_core::sc_time arrived;        ///< of the request at the node of the target
    sc_core::sc_time served;         ///< when the target got it
    sc_core::sc_time answered;       ///< by the target
    sc_core::sc_time response_sent;  ///< start of the cycle in which that send began
    sc_core::sc_time returned;       ///< of the response to the node of the initiator
    sc_core::sc_time ended;          ///< when the initiator got it

    sc_core::sc_time latency() const { return ended - issued; }
};

/// Sees all accesses of an interconnect.
class AccessObserver {
public:
    virtual ~AccessObserver() = default;
    /// Called once for each, when it ends: in order of time, except with annotated timing. Those
    /// that are refused at once are left out. Must not throw.
    virtual void on_access(const Access& access) = 0;
    /// Instead, when its thread is killed after `issued` or its target throws: the times that did
    /// not come are 0. A message of it may be under way.
    virtual void on_abandoned(const Access& /*access*/) {}
};

}  // namespace flitscope
