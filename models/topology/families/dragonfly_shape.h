// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbering of a dragonfly (Kim, Dally, Scott and Abts 2008), for its builder and its routing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "models/base/types.h"

namespace flitscope {

/// Groups of routers that are all joined to each other. The global channels of a group are numbered
/// router by router; channel j leads to the group (j mod (groups - 1)) + 1 before this one, the
/// palmtree arrangement (Camarero, Vallejo and Beivide 2014). Every pair of groups has the same
/// number of channels; the remaining channels are not connected.
struct DragonflyShape {
    std::uint32_t groups = 2;        ///< g <= a h + 1
    std::uint32_t group_size = 1;    ///< a: routers of a group
    std::uint32_t global_links = 1;  ///< h: channels of a router to other groups

    std::uint32_t routers() const { return groups * group_size; }
    std::uint32_t group(RouterId router) const { return router / group_size; }
    /// The number of a router within its group.
    std::uint32_t place(RouterId router) const { return router % group_size; }
    RouterId router_at(std::uint32_t group, std::uint32_t place) const {
        return RouterId(group * group_size + place);
    }
    /// Channels between two groups.
    std::uint32_t channels_per_pair() const { return group_size * global_links / (groups - 1); }
    /// Connected global channels of a group.
    std::uint32_t global_channels() const { return channels_per_pair() * (groups - 1); }
    std::uint32_t group_behind(std::uint32_t group, std::uint32_t channel) const {
        return (group + groups - 1 - channel % (groups - 1)) % groups;
    }
    /// The `round`-th channel from one group to another one.
    std::uint32_t channel(std::uint32_t from, std::uint32_t to, std::uint32_t round) const {
        return round * (groups - 1) + (from + groups - to) % groups - 1;
    }

    /// Link ports count from 0, after Graph::local_ports(): first come the other routers of the
    /// group in their order, then the global channels.
    PortId link_ports() const { return group_size - 1 + global_links; }
    static PortId port_to(std::uint32_t place, std::uint32_t other) {
        return other < place ? other : other - 1;
    }
    /// The place of the router that has a channel of its group.
    std::uint32_t owner(std::uint32_t channel) const { return channel / global_links; }
    /// The rounds of the channels to another group that a router has: [first, end), or none.
    std::pair<std::uint32_t, std::uint32_t> rounds_of(RouterId router, std::uint32_t to) const {
        const std::uint32_t first_channel = channel(group(router), to, 0);
        const auto rounds_before = [&](std::uint32_t bound) {
            const std::uint32_t others = groups - 1;
            const std::uint32_t rounds =
                bound <= first_channel ? 0 : (bound - first_channel + others - 1) / others;
            return std::min(rounds, channels_per_pair());
        };
        return {rounds_before(place(router) * global_links),
                rounds_before((place(router) + 1) * global_links)};
    }
    PortId global_port(std::uint32_t channel) const {
        return group_size - 1 + channel % global_links;
    }
};

}  // namespace flitscope
