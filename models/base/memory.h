// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How much memory there is: a machine that needs more is refused before it is built.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace flitscope {

/// Bytes that this process may use: the memory of the machine, or less if a limit is set (ulimit
/// -v, ulimit -d, a control group).
std::uint64_t usable_memory();

/// "7.5 GiB"; "7.5 MiB" below a hundred of these.
std::string memory_text(std::uint64_t bytes);

/// The words for a process that ran out of memory.
inline constexpr const char* kOutOfMemory = "out of memory";

/// Whether a sentence about a process ends so.
bool is_out_of_memory(const std::string& problem);

/// Out of memory in a process that did a part of the work: std::bad_alloc that names it.
class MemoryError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws MemoryError if is_out_of_memory(problem), else std::runtime_error.
[[noreturn]] void throw_problem(const std::string& problem);

}  // namespace flitscope
