// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/remembered_routes.h"

#include <algorithm>
#include <limits>

namespace flitscope::hw {

RouteChoice RememberedRoutes::ask(NodeId destination) {
    const RouteChoice choice = routing_.route(router_, destination);
    if (destination >= nodes_) return choice;
    const auto known = std::find_if(choices_.begin(), choices_.end(), [&](RouteChoice other) {
        return other.port == choice.port && other.virtual_channels == choice.virtual_channels;
    });
    const auto number = static_cast<std::size_t>(known - choices_.begin());
    if (number == std::numeric_limits<std::uint8_t>::max()) return choice;  // no number left
    if (known == choices_.end()) choices_.push_back(choice);
    numbers_[destination] = static_cast<std::uint8_t>(number + 1);
    return choice;
}

}  // namespace flitscope::hw
