// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

namespace flitscope {

std::uint64_t usable_memory() {
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0) {
        bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
    }
    for (const auto of : {RLIMIT_AS, RLIMIT_DATA}) {
        struct rlimit limit = {};
        if (getrlimit(of, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
            bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur);
        }
    }
    std::uint64_t of_group = 0;  // where there is none the file is missing, or says "max"
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> of_group) bytes = std::min(bytes, of_group);
    return bytes;
}

std::string memory_text(std::uint64_t bytes) {
    constexpr double kMiB = 1ULL << 20;
    const double size = static_cast<double>(bytes) / kMiB;
    return size < 100 ? fmt::format("{:.1f} MiB", size) : fmt::format("{:.1f} GiB", size / 1024);
}

bool is_out_of_memory(const std::string& problem) {
    const std::string words = kOutOfMemory;
    return problem.size() >= words.size() &&
           problem.compare(problem.size() - words.size(), words.size(), words) == 0;
}

void throw_problem(const std::string& problem) {
    if (is_out_of_memory(problem)) throw MemoryError(problem);
    throw std::runtime_error(problem);
}

}  // namespace flitscope
