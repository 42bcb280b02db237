// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network state that routings may see: how many flits are queued for its links.
#pragma once

#include <cstdint>

#include "models/base/limits.h"
#include "models/base/types.h"

namespace flitscope {

class LinkQueues {
public:
    virtual ~LinkQueues() = default;

    /// Flits that `link` took before cycle `now` whose credits are not usable in it (hw/TIMING.md,
    /// "Routing by queues"), on `virtual_channels` as in RouteChoice; kAllVirtualChannels: on all,
    /// those of other message classes included.
    virtual std::uint64_t queued(LinkId link, VcMask virtual_channels, Cycle now) const = 0;
};

}  // namespace flitscope
