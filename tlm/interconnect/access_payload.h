// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the ports of an interconnect read of a transaction, and reports of wrong ones.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>

#include "models/base/diagnostics.h"
#include "models/config/interconnect_config.h"
#include "tlm/interconnect/access.h"
#include "tlm/interconnect/access_class.h"

namespace flitscope {

struct WorkloadConfig;

/// Phases that others may have added; the base protocol has them ignored.
inline bool is_extended(const tlm::tlm_phase& phase) { return phase > tlm::END_RESP; }
std::string phase_name(const tlm::tlm_phase& phase);

/// Addresses from the first one on that the transaction touches.
std::uint64_t extent(const tlm::tlm_generic_payload& payload);
AccessRequest access_of(const tlm::tlm_generic_payload& payload);
// Bytes of its messages.
std::uint64_t request_bytes(const InterconnectConfig& config,
                            const tlm::tlm_generic_payload& payload);
std::uint64_t response_bytes(const InterconnectConfig& config,
                             const tlm::tlm_generic_payload& payload);

// SC_ERRORs:

/// The component at `socket` broke a rule that this one relies on.
void report_violation(const sc_core::sc_object& socket, const std::string& what);
/// The network cannot carry a message of the transaction, of `bytes`.
void report_too_long(const sc_core::sc_object& socket, const tlm::tlm_generic_payload& payload,
                     std::uint64_t bytes, const Diagnostic& found);
/// The classes of a transaction cannot be had.
void report_class(const sc_core::sc_object& socket, const AccessClass& classes,
                  const WorkloadConfig& machine, const InterconnectConfig& config);

}  // namespace flitscope
