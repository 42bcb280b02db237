// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the requests and responses of a platform can wait for each other cyclically.
#pragma once

#include <vector>

#include "models/routing/routing.h"

namespace flitscope {

class Graph;
struct Config;

/// The cycle of links, as find_dependency_cycle() gives it, if the targets of a node accept a
/// limited number of requests (`interconnect.request_queue`): every initiator may access every
/// target, and targets answer without accesses of their own over this network. Empty without a
/// cycle, or if they accept all: then no request waits for itself. A cycle may be one of packets
/// that never meet: with fixed paths the links into and out of the routers of targets are those
/// that accesses take, others count as the routing uses them for any nodes. Needs
/// `config.interconnect`.
std::vector<VirtualLink> find_response_cycle(const Config& config, const Graph& graph,
                                             const Routing& routing);

/// The classes of the messages of accesses.
MessageClass request_class(const Config& config);
MessageClass response_class(const Config& config);

/// Throws ConfigError that names `cycle`, unless it is empty or the configuration allows deadlocks.
void require_responses(const Config& config, const Graph& graph,
                       const std::vector<VirtualLink>& cycle);

}  // namespace flitscope
