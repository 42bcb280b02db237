// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One routing in several virtual networks (hw/TIMING.md, "Message classes").
#pragma once

#include <cstdint>
#include <memory>

#include "models/routing/routing.h"

namespace flitscope {

/// Makes a routing with `inner` in each of `networks` networks of `channels` consecutive virtual
/// channels. `inner` sees the channels of one network. If the path is fixed a choice names the
/// channels of all networks, and the router takes those of the packet's own.
std::unique_ptr<Routing> make_virtual_networks(std::unique_ptr<Routing> inner,
                                               std::uint32_t networks, std::uint32_t channels);

}  // namespace flitscope
