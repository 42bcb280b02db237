// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads of a pattern in the units of a network, flits per cycle of a node that generates traffic,
// and in those of a user: payload in Gbit/s, messages per ns (models/config/unit_values.h).
#pragma once

#include <string>

#include "models/base/diagnostics.h"
#include "models/config/unit_values.h"
#include "traffic/patterns/message_lengths.h"

namespace flitscope {

struct WorkloadConfig;

/// The most that a node can be asked to send, flits per cycle: one on each of its channels, and a
/// message with its reply in every cycle.
double most_injected(const WorkloadConfig& config);

/// Units of the loads of one pattern. With replies a load is that of requests and replies together,
/// and a message is a request.
class LoadUnits {
public:
    /// The clock of `config` must be a number, and its flit_bits what a wire budget leaves.
    explicit LoadUnits(const WorkloadConfig& config);

    /// Payload of the mean flit, headers among them.
    double bits_per_flit() const { return bits_ / flits_; }
    /// Payload of a load in flits per cycle.
    double gbps(double rate) const { return rate * bits_per_flit() / clock_ns_; }
    double messages_per_ns(double rate) const { return rate / flits_ / clock_ns_; }
    /// `load` in flits per cycle. Throws ConfigError, of `what` at `where`, for more than
    /// most_injected(), and for a payload of messages that have none.
    double rate(const UnitLoad& load, const Location& where, const std::string& what) const;

private:
    /// "at clock_ns 1, flit_bits 64 and 33 flits for 256 bytes of payload".
    std::string basis() const;

    double clock_ns_;
    unsigned flit_bits_;
    double most_;   ///< most_injected()
    double flits_;  ///< of a message and its reply, on average
    double bits_;   ///< payload of these
};

/// Puts flits per cycle in place of a load in units: gives traffic.injection_rate. Before
/// resolve_synthesized() has given a synthesized clock there is none, and nothing changes. Throws
/// as LoadUnits::rate(), and for a share of the saturation, which takes simulations to find
/// (study::resolve_share()).
void resolve_load(WorkloadConfig& config);

}  // namespace flitscope
