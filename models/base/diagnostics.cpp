// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The text of findings, and the search for the word that a user probably meant.
#include "models/base/diagnostics.h"

#include <algorithm>
#include <utility>

#include "models/base/printable.h"
#include "models/base/words.h"

namespace flitscope {

namespace {

std::string join(const std::vector<Diagnostic>& findings) {
    std::string text;
    for (const Diagnostic& finding : findings) {
        if (!text.empty()) text += '\n';
        text += finding.str();
    }
    return text;
}

/// Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`: the optimal string
/// alignment form of Damerau 1964 and Levenshtein 1966, three rows of the table.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before_last, last);
        std::swap(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

}  // namespace

std::string Location::str() const {
    if (line == 0) return printable(source);
    std::string text = printable(source) + ':' + std::to_string(line);
    if (column != 0) text += ':' + std::to_string(column);
    return text;
}

std::string Diagnostic::str() const {
    std::string text = where.str();
    if (!text.empty()) text += ": ";
    text += "error: " + printable(what, true);
    if (!hint.empty()) text += " (" + printable(hint, true) + ')';
    return text;
}

ConfigError::ConfigError(std::vector<Diagnostic> findings)
    : std::runtime_error(join(findings)), findings_(std::move(findings)) {}

ConfigError::ConfigError(Location where, std::string what, std::string hint)
    : ConfigError(std::vector<Diagnostic>{{std::move(where), std::move(what), std::move(hint)}}) {}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    // One edit in three letters, at most three: "bufer_depth" is a slip, "pex" for "gen" is not.
    constexpr std::size_t kMostEdits = 3;
    const std::string wanted = folded(word);
    std::string best;
    std::size_t best_edits = kMostEdits + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t longer = std::max(wanted.size(), candidate.size());
        const std::size_t shorter = std::min(wanted.size(), candidate.size());
        const std::size_t limit = std::clamp<std::size_t>(longer / 3, 1, kMostEdits);
        if (longer - shorter > limit) continue;
        const std::size_t edits = edit_distance(wanted, folded(candidate));
        if (edits <= limit && edits < shorter && edits < best_edits) {
            best_edits = edits;
            best = candidate;
        }
    }
    return best;
}

}  // namespace flitscope
