// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Folders with results of synthesis, under names that change with everything a result depends on.
// An entry appears whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/app/gate_synthesis/synthesis.h"
#include "testbench/app/gate_synthesis/work_folder.h"

namespace flitscope {

/// $FLITSCOPE_CACHE, else $XDG_CACHE_HOME/flitscope, else ~/.cache/flitscope, of it the folder of
/// that name. Throws ConfigError when none of them is set.
std::string cache_folder(const std::string& name);

/// The cache folder of synthesis.
inline std::string synthesis_cache_folder() { return cache_folder("synth"); }

/// Whether a result was made with the present programs (tool_identities()); without programs stored
/// results stay valid.
bool are_same_tools(const std::vector<std::string>& then);

class SynthesisCache {
public:
    /// `key`: name of the entry.
    explicit SynthesisCache(std::string key);

    /// The name of an entry of `variant`; `digest` distinguishes those under other conditions.
    /// Without its turns if they would make it too long for a file: they are in the digest, too.
    static std::string key_of(const hw::RtlVariant& variant, const std::string& digest);

    /// Whether there is an entry of `variant`, or of one that has fewer turns, under whatever
    /// conditions.
    static bool has_entries_of(const hw::RtlVariant& variant);
    /// The variants that there are entries of, each once, under whatever conditions.
    static std::vector<hw::RtlVariant> variants();
    /// The entry, if it is there and of the tools that are installed; variant and conditions are
    /// those of the caller. One that cannot be read counts as none, and keep() replaces it.
    std::optional<SynthesisResult> find(const hw::RtlVariant& variant,
                                        const SynthesisConditions& conditions) const;

    /// A folder for the tools to work in, which becomes the entry or is removed.
    class Work {
    public:
        explicit Work(const SynthesisCache& cache);
        ~Work();
        Work(const Work&) = delete;
        Work& operator=(const Work&) = delete;

        const WorkFolder& tools() const { return tools_; }

        /// Makes the folder, with the result in it, the entry, and returns its new name. Throws
        /// when the disk does not take it.
        std::string keep(const SynthesisResult& result);
        /// Keeps the folder, for the logs in it, as what it is: a failure. Returns its new name.
        std::string keep_as_failed();

    private:
        void take_from_tools();

        const SynthesisCache& cache_;
        RemovedBySignal removed_;
        std::string folder_;  // in the cache, and going to be the entry
        // The tools work elsewhere: yosys hands the path to abc through a shell and a script, which
        // would act upon blanks and semicolons in that of the cache.
        WorkFolder tools_;
    };

private:
    std::string root_;
    std::string key_;
};

}  // namespace flitscope
