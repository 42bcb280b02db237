// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of packets with separate virtual channels, so that a packet never waits for one of
// another class on the same channel.
#pragma once

#include <cstdint>

#include "models/routing/routing.h"

namespace flitscope {

/// Some of the virtual channels.
struct ChannelRange {
    std::uint32_t first = 0;
    std::uint32_t count = 1;
    /// As in RouteChoice. It may have bits above the last channel there is.
    VcMask mask = kAllVirtualChannels;

    /// The mask of `choice`, for channels counted from the first of this range.
    VcMask place(VcMask choice) const {
        return static_cast<VcMask>((choice & ((1U << count) - 1)) << first);
    }
    RouteChoice place(RouteChoice choice) const {
        if (choice.port == kLocalPort) return choice;
        return {choice.port, place(choice.virtual_channels)};
    }
};

/// The virtual channels of class `number` of `classes`, which are as even as possible; later ones
/// have more. There is at least one for each.
inline ChannelRange class_channels(std::uint32_t virtual_channels, std::uint32_t classes,
                                   std::uint32_t number) {
    const std::uint32_t first = number * virtual_channels / classes;
    const std::uint32_t count = (number + 1) * virtual_channels / classes - first;
    return {first, count, static_cast<VcMask>(((1U << count) - 1) << first)};
}

/// A single virtual channel is in both.
struct ChannelHalves {
    explicit ChannelHalves(std::uint32_t virtual_channels) {
        if (virtual_channels == 1) return;
        const std::uint32_t half = virtual_channels / 2;
        const std::uint32_t mask = (1U << half) - 1;
        lower = {0, half, static_cast<VcMask>(mask)};
        upper = {half, virtual_channels - half, static_cast<VcMask>(~mask)};
    }

    ChannelRange lower;
    ChannelRange upper;
};

}  // namespace flitscope
