// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The lot of a packet: routings choose at random by it, and a run can be repeated.
#pragma once

#include <cstdint>

#include "models/base/split_mix.h"
#include "models/routing/routing.h"

namespace flitscope {

/// Selects the path of a packet.
inline std::uint64_t packet_hash(std::uint64_t seed, const RouteQuery& query) {
    return split_mix(split_mix(split_mix(seed) ^ query.source) ^ query.sequence);
}

}  // namespace flitscope
