// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/faulted_network.h"

namespace flitscope {

bool FaultedNetwork::are_alive(NodeId source, NodeId destination) const {
    return graph.is_alive(source) && graph.is_alive(destination);
}

bool FaultedNetwork::takes(const Link& link, std::uint32_t vc, NodeId destination) const {
    if (graph.out_link(link.from, link.from_port) == kNoLink) return false;
    const RouteChoice choice = routing->route(link.from, destination);
    return choice.port == link.from_port && (choice.virtual_channels >> vc & 1) != 0;
}

}  // namespace flitscope
