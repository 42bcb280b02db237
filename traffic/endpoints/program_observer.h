// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Observes why the sends of a program's nodes begin when they do. Every engine makes the same
// calls; those of one node come in the order of its program.
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "models/fabric/message.h"

namespace flitscope {

/// The reason why a node's program continued: the last event that it had to wait for.
struct ReadyReason {
    enum class Kind : std::uint8_t {
        kBefore,    ///< nothing: in the cycle in which it had last continued
        kInjected,  ///< the tail of its `message` was injected, in the cycle before
        kReceived,  ///< `message` was delivered, and received since then
    };
    Kind kind = Kind::kBefore;
    MessageId message = kNoMessage;
};

class ProgramObserver {
public:
    virtual ~ProgramObserver() = default;

    /// Node `node` is ready in cycle `ready` for the next entry of its program, and no earlier for
    /// `reason`; the first time, in cycle 0, unannounced. `received` are the `count` messages that
    /// it had awaited for this. If several reasons share a cycle its own injection comes first,
    /// then the message with the lowest number.
    virtual void on_ready(NodeId node, Cycle ready, const ReadyReason& reason,
                          const MessageId* received, std::uint32_t count) = 0;
    /// The last node is ready (the last call of on_ready() was its), and all continue in `begin`.
    virtual void on_barrier(Cycle begin) = 0;
    /// The send of `message` begins in `begin`: as soon as its node is ready, or later if the
    /// program says so.
    virtual void on_begin(const Message& message, Cycle begin) = 0;
};

}  // namespace flitscope
