// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What has passed a socket of an interconnect.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <tlm>

#include "models/base/latency.h"
#include "models/base/types.h"

namespace flitscope {

/// Counts of one socket since the start of the simulation. At a socket of an initiator a
/// transaction begins when the interconnect gets it (after its annotated delay) and ends when the
/// initiator gets the response; at one of a target it begins when the request is there and ends
/// when the target has answered. Memory does not grow with the number of transactions, only with
/// that of different times beyond 2^16 cycles.
struct SocketCounts {
    std::string name;  ///< of the socket, in the hierarchy: "platform.network.from_initiator_0"
    NodeId node = 0;   ///< that it is attached to
    std::uint64_t transactions = 0;   ///< ended, those with an error of the target included
    std::uint64_t bytes_read = 0;     ///< data of reads that have ended, without headers
    std::uint64_t bytes_written = 0;  ///< the same of writes
    /// Of an initiator: ended at once, as no target has their addresses or the network cannot carry
    /// them. They count nowhere else.
    std::uint64_t refused = 0;
    std::uint32_t outstanding = 0;       ///< begun and not ended; of those that wait, none
    std::uint32_t most_outstanding = 0;  ///< at a time
    LatencyStatistics latency;           ///< cycles from begin to end, in whole cycles, rounded up
    /// Cycles that each transaction waited: at an initiator until fewer than
    /// `interconnect.outstanding` were under way, at a target until it had accepted those before.
    LatencyStatistics stalls;

    /// One more is under way, after a wait of `cycles`.
    void begin(Cycle cycles) {
        stalls.add(cycles);
        most_outstanding = std::max(most_outstanding, ++outstanding);
    }
    /// One is no longer under way.
    void end() { --outstanding; }
    /// The response to `payload` is here, `cycles` after it began.
    void respond(const tlm::tlm_generic_payload& payload, Cycle cycles) {
        ++transactions;
        latency.add(cycles);
        if (payload.is_read()) bytes_read += payload.get_data_length();
        if (payload.is_write()) bytes_written += payload.get_data_length();
    }
};

}  // namespace flitscope
