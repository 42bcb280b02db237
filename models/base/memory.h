// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How much memory there is: what needs more is refused before it is built.
#pragma once

#include <cstdint>
#include <string>

namespace flitscope {

/// Bytes that this process may use: the memory of the machine, or less where a limit is set
/// (ulimit -v, ulimit -d, a control group).
std::uint64_t usable_memory();

/// "7.5 GiB"; "7.5 MiB" of less than a hundred of these.
std::string memory_text(std::uint64_t bytes);

}  // namespace flitscope
