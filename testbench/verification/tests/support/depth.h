// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How deep the tests go: a sample, all, or as many random cases as FLITSCOPE_DEPTH says
// (testbench/README.md). suite.py reads the same for tests in Python.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace flitscope {

/// The requested depth; nothing for a sample.
inline std::string asked_depth() {
    const char* const asked = std::getenv("FLITSCOPE_DEPTH");
    return asked != nullptr ? asked : "";
}

/// Whether a test takes everything and not only what is quick.
inline bool takes_all() { return !asked_depth().empty(); }

/// How many random cases a test takes: `sample` or `all` of them, or as many as requested. Throws
/// std::invalid_argument if that is neither `all` nor a number.
inline std::uint64_t cases_of(std::uint64_t sample, std::uint64_t all) {
    const std::string asked = asked_depth();
    if (asked.empty()) return sample;
    return asked == "all" ? all : std::stoull(asked);
}

/// The same of cases of which one in five is a sample.
inline std::uint64_t sample_of(std::uint64_t all) { return cases_of(all / 5, all); }

/// The minimum for such cases if that of all of them is `least`: for a sample a quarter of its
/// share, as few cases differ much from the mean.
inline std::uint64_t least_of(std::uint64_t least) {
    return asked_depth() == "all" ? least : least / (4 * 5);
}

}  // namespace flitscope
