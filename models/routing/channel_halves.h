// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Two classes of packets with virtual channels of their own, so that those of one class never wait
// for those of the other on the same channel.
#pragma once

#include <cstdint>

#include "models/routing/routing.h"

namespace flitscope {

/// Masks as in RouteChoice. A single virtual channel is in both.
struct ChannelHalves {
    explicit ChannelHalves(std::uint32_t virtual_channels) {
        if (virtual_channels == 1) return;
        lower = static_cast<std::uint8_t>((1U << virtual_channels / 2) - 1);
        upper = static_cast<std::uint8_t>(~lower);
    }

    std::uint8_t lower = kAllVirtualChannels;
    std::uint8_t upper = kAllVirtualChannels;
};

}  // namespace flitscope
