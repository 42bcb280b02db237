// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The channels of a waveform in the order in which a viewer should show them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "waveforms/occupancy_file.h"

namespace flitscope {

/// Scopes of one channel: its own, then those of its virtual channels.
struct ChannelScopes {
    const TracedScope* whole = nullptr;
    std::vector<const TracedScope*> virtual_channels;
    // Links of one direction: the line of routers that it is part of, and its place in the order in
    // which a packet passes these.
    std::uint64_t line = 0;
    std::uint32_t place = 0;
};

/// Channels of one dimension and direction, or of one kind.
struct ChannelGroup {
    std::string title;
    std::vector<ChannelScopes> channels;
};

/// Groups the channels: by dimension, short hops before long ones, + before -; then links without a
/// dimension, then endpoints. Within a group links of a row come one below the other, so that a
/// packet that goes along it is a flight of stairs, and packets that wait for each other are
/// adjacent. The groups point into `file`.
std::vector<ChannelGroup> channel_groups(const OccupancyFile& file);

}  // namespace flitscope
