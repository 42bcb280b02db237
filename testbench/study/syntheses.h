// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Many syntheses at a time, in processes of their own.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "testbench/synth/synthesis.h"

namespace flitscope::study {

struct SynthesesOptions {
    unsigned processes = 1;  ///< at a time
    std::function<bool()> is_cancelled = {};
    /// Called when one has ended, and about twice a second.
    std::function<void(std::size_t done, std::size_t total)> on_progress = {};
};

/// Synthesizes `variants`, each of which is in the cache then, as cached_synthesis() finds it, or
/// in what is returned: by its name, why it could not be. Throws Cancelled.
std::map<std::string, std::string> synthesize_all(const std::vector<hw::RtlVariant>& variants,
                                                  const SynthesisConditions& conditions,
                                                  const SynthesesOptions& options);

}  // namespace flitscope::study
