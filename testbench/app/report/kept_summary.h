// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the summary that a run left in its folder.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace flitscope {

struct KeptSummary {
    nlohmann::ordered_json json;  ///< an object
    std::string engine;           ///< the engine that ran it
    std::string status;
    std::string version;  ///< version of flitscope
    /// Names of the files that the run left in its folder; nothing if the summary does not list
    /// them.
    std::optional<std::vector<std::string>> files;

    /// Whether the summary lists this file.
    bool lists(const std::string& file) const;
    /// Whether the run may have left its messages: older summaries do not say what a run left.
    bool may_have_messages() const;
    bool has_energy() const { return json.contains("energy"); }
    /// The digest of input file `path` at index `place` of input_files(); empty if there is none.
    std::string digest_of_input(std::size_t place, const std::string& path) const;
};

/// Parses a summary. Nothing if the text was not written by a run.
std::optional<KeptSummary> parse_summary(const std::string& text);

/// Describes the first figure that differs between `kept` and `now`, the same run again, in
/// printable text; nothing if none does. Wall-clock times, the version and the engine may differ;
/// inputs are compared elsewhere.
std::optional<std::string> summary_difference(const nlohmann::ordered_json& kept,
                                              const nlohmann::ordered_json& now);

}  // namespace flitscope
