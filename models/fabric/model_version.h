// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The version of the model that gives a number, for code that keeps numbers.
#pragma once

namespace flitscope {

/// Raised with every change that alters the cycles of a configuration valid before, be it in the
/// timing contract (hw/TIMING.md) or in its implementation. Two versions of flitscope with the same
/// number here give the same cycles.
inline constexpr int kModelVersion = 1;

}  // namespace flitscope
