// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Many syntheses at a time, in separate processes.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace flitscope::study {

struct SynthesesOptions {
    unsigned processes = 1;  ///< at a time
    std::function<bool()> is_cancelled = {};
    /// Called when one has ended, and about twice a second.
    std::function<void(std::size_t done, std::size_t total)> on_progress = {};
};

/// Calls `work` for each of `names` in another process; it has to leave its result in a cache.
/// Returns, by name, why some could not be synthesized. Throws Cancelled.
std::map<std::string, std::string> synthesize_all(
    const std::vector<std::string>& names, const std::function<void(const std::string&)>& work,
    const SynthesesOptions& options);

}  // namespace flitscope::study
