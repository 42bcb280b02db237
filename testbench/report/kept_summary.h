// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The summary that a run has left in its folder, which may be anybody's by now.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace flitscope {

struct KeptSummary {
    nlohmann::ordered_json json;  ///< an object
    std::string engine;           ///< that ran it
    std::string status;
    std::string version;  ///< of flitscope
    /// Names of the files that the run has left in its folder; nothing where it does not say.
    std::optional<std::vector<std::string>> files;

    /// Whether it says that it has left this one.
    bool lists(const std::string& file) const;
    /// The digest of `path`, in that place of input_files(); empty where it has none.
    std::string digest_of_input(std::size_t place, const std::string& path) const;
};

/// Nothing where the text is not what a run writes.
std::optional<KeptSummary> parse_summary(const std::string& text);

/// The first figure of `kept` that is another in `now`, the same run again, in words of which a
/// terminal shows everything; nothing where there is none. Wall-clock times, the version and the
/// engine may differ, and the inputs, of which there is more to say.
std::optional<std::string> summary_difference(const nlohmann::ordered_json& kept,
                                              const nlohmann::ordered_json& now);

}  // namespace flitscope
