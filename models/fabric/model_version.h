// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The version of the model that gives a number, for code that keeps numbers.
#pragma once

namespace flitscope {

/// Raised with every change after which a configuration that was valid before takes other cycles:
/// of the timing contract (hw/TIMING.md), or of what keeps to it. Two versions of flitscope with
/// the same number here give the same cycles.
inline constexpr int kModelVersion = 1;

}  // namespace flitscope
