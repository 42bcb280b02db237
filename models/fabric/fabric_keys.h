// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of `fabric` for the behaviour of routers, and those of `node`.
#pragma once

#include "models/config/config_table.h"

namespace flitscope {

/// Description, virtual channels, switching, buffers and width of the routers.
ConfigKeys router_keys();
ConfigKeys router_delay_keys();
ConfigKeys node_keys();
ConfigSection retransmit_section();

/// PacketFormat numbers the packets of a message with 32 bits.
/// Reports headers that are both beside the flits and in them, or neither.
void check_headers(RuleContext& context);
void check_packets(RuleContext& context);
/// Reports settings that conflict with faults while running or retransmission (hw/TIMING.md).
void check_losses(RuleContext& context);

}  // namespace flitscope
