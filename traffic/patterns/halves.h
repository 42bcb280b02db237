// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What is counted by the halves of a measurement.
#pragma once

#include <array>
#include <cstdint>

namespace flitscope {

/// Counts of the two halves of the measurement.
using Halves = std::array<std::uint64_t, 2>;

}  // namespace flitscope
