// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole simulated fabric as the composition root sees it, the same for every engine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/message.h"
#include "models/fabric/message_port.h"
#include "models/fabric/run_control.h"

namespace flitscope {

struct LossCounts;

/// One packet of a wait cycle: it waits for `wants`, which the next packet of the cycle occupies.
struct WaitingPacket {
    Message message;
    ChannelId at = 0;      ///< channel in whose FIFO the packet's front flit is
    ChannelId wants = 0;   ///< channel that it waits for
    bool granted = false;  ///< it owns `wants` and lacks credit; else another packet owns it
    /// `wants` is an ejection channel whose node is full of requests: the next packet of the cycle
    /// is still at that node, before a reply.
    bool node_is_full = false;
    /// The packet has not left its node, at least not as a whole: `at` and `wants` are its
    /// injection channel, which has no credit for it.
    bool is_at_node = false;
};

class Fabric {
public:
    virtual ~Fabric() = default;

    /// Node `node`'s side of the message seam.
    virtual MessagePort& port(NodeId node) = 0;
    /// Binds the listener of a node; before the simulation starts.
    virtual void attach(NodeId node, MessageListener& listener) = 0;

    /// Call before sc_start(), which returns when every fabric in the kernel is idle.
    virtual void start(const RunControl& control) = 0;
    /// Call after sc_start(): says why this fabric stopped.
    virtual RunEnd finish() = 0;
    /// Ends the simulation: no further cycle is simulated.
    virtual void halt() = 0;
    /// The cycle being simulated, or the last one that was.
    virtual Cycle now() const = 0;
    /// After finish(): number of cycles until the last flit moved, or the run was stopped. Not
    /// every description detects its end at once; this is the same for all.
    virtual Cycle end_cycle() const = 0;
    /// The same of a run that was stopped when all was done, but before this was noticed.
    virtual Cycle cycles_of_moves() const { return end_cycle(); }

    /// Counts of losses and retransmissions; null if there can be none.
    virtual const LossCounts* losses() const { return nullptr; }
    /// Number of verilated routers.
    virtual std::uint32_t rtl_routers() const { return 0; }
    /// Number of parts that threads simulate side by side.
    virtual std::uint32_t parts() const { return 1; }
    /// Flits that a channel has sent so far.
    virtual std::uint64_t flits_sent(ChannelId channel) const = 0;
    /// Conservation of flits and credits as far as it must hold now; with `drained`, also that the
    /// network is empty. One sentence for each violation.
    virtual std::vector<std::string> broken_invariants(bool drained) const = 0;
    /// Packets that wait for each other cyclically, in order; empty when there is no deadlock.
    virtual std::vector<WaitingPacket> find_deadlock() const = 0;
};

}  // namespace flitscope
