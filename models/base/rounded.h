// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers without the last bits, which depend on the order of computation.
#pragma once

namespace flitscope {

/// `figure` to twelve significant digits, as one would write it: 0.3, where 0.1 and two steps of
/// 0.1 are the next larger double. Non-finite numbers are unchanged. Monotonic.
double rounded(double figure);

}  // namespace flitscope
