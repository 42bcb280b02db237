// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The circle that a round-robin arbiter's pointer goes round.
#pragma once

#include <cstdint>

namespace flitscope::burst {

/// Steps from `pointer` to `index` around a circle of `count`: the arbiter takes the request with
/// the fewest.
inline std::uint32_t steps_to(std::uint32_t pointer, std::uint32_t index, std::uint32_t count) {
    return index >= pointer ? index - pointer : index + count - pointer;
}

/// The pointer after `index` was taken.
inline std::uint32_t one_past(std::uint32_t index, std::uint32_t count) {
    return index + 1 == count ? 0 : index + 1;
}

}  // namespace flitscope::burst
